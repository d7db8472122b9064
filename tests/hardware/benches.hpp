// A folder of machines in Verilog with their benches, and one top module above them all: compiling
// is what takes long.

#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "hardware/array/vector_processor.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/pipeline/run_boxes.hpp"
#include "hardware/verilog/verilog.hpp"
#include "tests/base/scratch.hpp"
#include "tests/hardware/tools.hpp"
#include "tests/layer.hpp"

namespace parid::test {

class Benches {
 public:
  void add(const std::string& name, const BoxDesign& d, const Staging& s,
           const Cordic<CordicFixed>& cordic, const std::vector<std::vector<Raw>>& samples) {
    const int word = cordic.arithmetic.format.word;
    const BoxRunner<CordicFixed> run(d, cordic);
    const auto in = input_ports(d, word), out = output_ports(d, word);
    std::string sent, wanted;
    for (const auto& sample : samples) {
      sent += verilog_memory_line(in, sample);
      wanted += verilog_memory_line(out, run(sample));
    }
    for (const BoxUse& u : d.boxes) kinds_.insert(u.box);
    text_ += verilog_machine(d, s, cordic, name) + "\n";
    benches_ += verilog_bench(name, in, out, static_cast<long>(samples.size()));
    scratch_.file(name + "_in.hex", sent);
    scratch_.file(name + "_out.hex", wanted);
    names_.push_back(name);
  }

  void add(const std::string& name, const ArithmeticPipeline& p, int samples) {
    check(p);
    add(name, p, fixed_samples(p.fixed, samples, 3));
  }

  // Any words at all as inputs; of floating-point numbers, often near one another.
  void add_any(const std::string& name, const ArithmeticPipeline& p, int samples) {
    std::mt19937_64 random(6);
    std::vector<std::vector<Raw>> all;
    for (int k = 0; k < samples; ++k) {
      std::vector<Raw> words;
      for (const VerilogPort& port : input_ports(p)) {
        const RawBits any = (RawBits{random()} << 64 | random()) >> (128 - port.width);
        RawBits word = any;
        if (!words.empty() && random() % 4 == 0)
          word = static_cast<RawBits>(words[0]) ^ (any & 7) ^
                 (random() % 2 == 0 ? RawBits{1} << (port.width - 1) : RawBits{0});
        if (random() % 16 == 0) word = 0;
        if (random() % 16 == 0) word = ~RawBits{0} >> (128 - port.width);
        words.push_back(static_cast<Raw>(word));
      }
      all.push_back(words);
    }
    add(name, p, all);
  }

  void add(const std::string& name, const ArithmeticPipeline& p,
           const std::vector<std::vector<Raw>>& all) {
    const int samples = static_cast<int>(all.size());
    const auto in = input_ports(p), out = output_ports(p);
    std::string sent, wanted;
    for (const auto& words : all) {
      sent += verilog_memory_line(in, words);
      wanted += verilog_memory_line(out, evaluate(p.fixed, words));
    }
    text_ += verilog_pipeline(p, name) + "\n";
    benches_ += verilog_bench(name, in, out, samples);
    scratch_.file(name + "_in.hex", sent);
    scratch_.file(name + "_out.hex", wanted);
    names_.push_back(name);
  }

  void add_vector_processor(FixedFormat f, int samples) {
    const std::string name = "parid_vector_processor";
    std::vector<VerilogPort> in{{"op", 3}}, out;
    for (int k = 0; k < 9; ++k) in.push_back({fmt::format("a{}", k), f.word});
    for (int k = 0; k < 3; ++k) in.push_back({fmt::format("b{}", k), f.word});
    for (int k = 0; k < 3; ++k) out.push_back({fmt::format("y{}", k), f.word});
    constexpr VectorOp operations[] = {VectorOp::matrix_vector, VectorOp::cross, VectorOp::add,
                                       VectorOp::scale, VectorOp::dot};
    std::mt19937_64 random(2);
    VectorProcessor model(f);
    std::string sent, wanted;
    for (int k = 0; k < samples; ++k) {
      const int op = static_cast<int>(random() % 5);
      std::vector<Raw> words{op};
      for (int j = 0; j < 12; ++j)
        words.push_back(f.raw(std::uniform_real_distribution<>(-4, 4)(random)));
      std::array<Raw, 9> a;
      std::array<Raw, 3> b;
      std::copy_n(words.begin() + 1, 9, a.begin());
      std::copy_n(words.begin() + 10, 3, b.begin());
      sent += verilog_memory_line(in, words);
      wanted += verilog_memory_line(out, model.run(operations[op], a, b));
    }
    text_ += verilog_vector_processor(f) + "\n";
    benches_ += verilog_bench(name, in, out, samples);
    scratch_.file(name + "_in.hex", sent);
    scratch_.file(name + "_out.hex", wanted);
    names_.push_back(name);
  }

  Said lint() {
    write();
    return shell(fmt::format(
        "cd {} && for m in {}; do verilator --lint-only --language 1364-2005 -Wall --top-module $m "
        "machines.v || exit 1; done",
        scratch_.path(""), fmt::join(names_, " ")));
  }
  Said run() {
    write();
    const Said built = shell(
        fmt::format("cd {} && OBJCACHE=$(command -v ccache) verilator --binary --timing -Wno-lint "
                    "-Wno-style -Wno-fatal -MAKEFLAGS 'OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0' "
                    "--top-module top machines.v benches.v",
                    scratch_.path("")));
    if (built.code != 0) return built;
    return shell(fmt::format("cd {} && obj_dir/Vtop", scratch_.path("")));
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void write() {
    std::string boxes;
    for (const Box b : kinds_) boxes += verilog_box(b) + "\n";
    std::string top = "module top;\n";
    std::string all = "1'b1";
    for (const std::string& name : names_) {
      top += fmt::format("  wire {0}_done; {0}_bench #(.ALONE(0)) {0}_b(.done({0}_done));\n", name);
      all += fmt::format(" && {}_done", name);
    }
    top += fmt::format("  wire all = {};\n  always @(posedge all) $finish;\nendmodule\n", all);
    scratch_.file("machines.v", text_ + boxes);
    scratch_.file("benches.v", benches_ + top);
  }

  Scratch scratch_;
  std::set<Box> kinds_;
  std::string text_, benches_;
  std::vector<std::string> names_;
};

}  // namespace parid::test
