// Verilog against its models, bit for bit, under Verilator. Machines share one simulation:
// compiling is what takes long.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hardware/dynamics_hardware.hpp"
#include "hardware/ik_hardware.hpp"
#include "tests/full.hpp"
#include "tests/hardware/benches.hpp"
#include "tests/hardware/robot_ik.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

ClosedForm puma() {
  ClosedForm form;
  form.puma = lee_chang_puma;
  return form;
}

std::vector<std::vector<Raw>> poses(FixedFormat w, int count) {
  return ik_samples(puma(), w, count, 3);
}

// Every kind of box once, every output seen, any words at all as operands.
BoxDesign one_of_each() {
  BoxDesign d;
  const char* names[] = {"a", "b", "c"};
  for (int k = 0; k < 3; ++k) d.signals.push_back({-1, 'x', false, names[k]});
  auto operand = [](int s) { return BoxOperand{s, 0, false, {}}; };
  for (int b = 0; b < 6; ++b) {
    d.boxes.push_back({static_cast<Box>(b), operand(0), operand(1), operand(2)});
    for (const char port : {'x', 'y', 'z'}) {
      d.outputs.push_back(
          {fmt::format("t{}{}", b, port), operand(static_cast<int>(d.signals.size()))});
      d.signals.push_back({b, port, false, fmt::format("T{}.{}", b + 1, port)});
    }
  }
  return d;
}

std::vector<std::vector<Raw>> any_words(FixedFormat w, int count) {
  std::mt19937_64 random(5);
  std::vector<std::vector<Raw>> all;
  for (int k = 0; k < count; ++k) {
    all.emplace_back();
    for (int j = 0; j < 3; ++j) {
      const RawBits high = random(), low = random();
      Raw x = static_cast<Raw>(high << 64 | low) >> (128 - w.word);
      const unsigned kind = random() % 8;  // short words, none, and the ends too
      if (kind < 3) x >>= random() % static_cast<unsigned>(w.word);
      if (kind == 3) x = 0;
      if (kind == 4) x = random() & 1 ? w.largest() : -w.largest() - 1;
      all.back().push_back(x);
    }
  }
  return all;
}

// All kinds of machine, each with that many samples.
void add_machines(Benches& b, int samples) {
  for (const FixedFormat w : {FixedFormat{24, 20}, {32, 28}, {40, 36}}) {
    const bool other = w.word == 32;
    const IkHardware h = ik_hardware(puma(), other ? "fastest" : "paper");
    b.add(fmt::format("puma{}", w.word), h.design, h.schedule,
          cordic_fixed(w, 6, other ? Normalising::interleaved : Normalising::after),
          poses(w, samples));
    const BoxDesign each = one_of_each();
    if (w.word == 24)
      for (const Normalising n : {Normalising::after, Normalising::interleaved})
        b.add(n == Normalising::after ? "each" : "each_interleaved", each, balanced(each.network()),
              cordic_fixed(w, 6, n), any_words(w, samples));
  }
  for (const char* name : {"planar3", "puma560"}) {
    const Robot robot = Robot::load(name);
    const Graph g = generate(robot, Quantity::inverse_dynamics).program.graph;
    const FixedGraph f = fixed_graph(g, input_ranges(robot, g), 32);
    b.add(name, unrolled(f), samples);
    for (const int units : {1, 4}) {
      const ArithmeticPipeline p = shared_units(f, units);
      // All machines run until the last is done: no more clocks than the boxes take.
      b.add(fmt::format("{}_on_{}", name, units), p, std::min(samples, 400'000 / p.interval));
    }
  }
  const Robot scara = Robot::load("scara");  // whose gravity is constant: nothing but a door
  const Graph still = generate(scara, Quantity::gravity).program.graph;
  b.add("still", unrolled(fixed_graph(still, input_ranges(scara, still), 24)), samples);
  b.add_vector_processor({24, 16}, samples);
}

// The same at lengths from the shortest to the longest: compiled, words of 64 bits and those beyond
// differ.
void add_short_and_long(Benches& b, int samples) {
  const BoxDesign each = one_of_each();
  const IkHardware h = ik_hardware(puma(), "fastest");
  // Long words take long: about as many clocks for each machine.
  auto fewer = [&](int clocks) { return std::min(samples, 140'000 / clocks); };
  for (const int word : {shortest_word, longest_word}) {
    const FixedFormat w{word, word - 4};
    const auto cordic = cordic_fixed(w, longest_guard);
    b.add(fmt::format("each{}", word), each, balanced(each.network()), cordic,
          any_words(w, fewer(clocks_per_stage(each, cordic))));
  }
  for (const int word : {10, 64}) {
    const FixedFormat w{word, word - 4};
    const auto cordic = cordic_fixed(w, 6, Normalising::interleaved);
    b.add(fmt::format("puma{}", word), h.design, h.schedule, cordic,
          poses(w, fewer(clocks_per_stage(h.design, cordic))));
  }
  auto dynamics = [](const char* name, int word) {
    const Robot robot = Robot::load(name);
    const Graph g = generate(robot, Quantity::inverse_dynamics).program.graph;
    return fixed_graph(g, input_ranges(robot, g), word);
  };
  for (const int word : {shortest_word, 64})
    b.add(fmt::format("planar3_{}", word), unrolled(dynamics("planar3", word)), samples);
  b.add("planar3_100_on_2", shared_units(dynamics("planar3", longest_word), 2), fewer(27));
  b.add("puma560_22", unrolled(dynamics("puma560", 22)), samples);
  b.add_vector_processor({64, 56}, samples);
}

TEST(Verilog, IsOf2005AndPassesVerilatorsWarnings) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  for (const auto& add : {add_machines, add_short_and_long}) {
    // the same modules with other parameters; Verilator takes seconds for each machine
    if (!full_tests() && add == add_short_and_long) continue;
    Benches b;
    add(b, 1);
    const Said lint = b.lint();
    EXPECT_EQ(lint.code, 0) << lint.text;
  }
}

TEST(Verilog, EqualsItsModelBitForBit) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Benches b;
  add_machines(b, 10'000);
  const Said said = b.run();
  for (const std::string& name : b.names())
    EXPECT_NE(said.text.find("PASS " + name + ":"), std::string::npos) << said.text;
}

TEST(Verilog, EqualsItsModelWhateverTheWord) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Benches b;
  add_short_and_long(b, 10'000);
  const Said said = b.run();
  for (const std::string& name : b.names())
    EXPECT_NE(said.text.find("PASS " + name + ":"), std::string::npos) << said.text;
}

// A PUMA and a Stanford arm with frames at will, and one with frames along axes; all twenty in a
// full run.
TEST(Verilog, OfArmsThatAreNotBuiltInEqualsItsModel) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  const int arms = cases(3, 20);
  for (int first = 0; first < arms; first += 4) {
    Benches b;
    for (int number = first; number < std::min(arms, first + 4); ++number) {
      const DisguisedArm a = disguised_arm(static_cast<unsigned>(number));
      const IkHardware h = ik_hardware(a.arm, number % 2 ? "fastest" : "paper");
      const FixedFormat word = ik_format(a.arm, 24);
      b.add(fmt::format("arm{}", number), h.design, h.schedule, cordic_fixed(word),
            ik_samples(a.arm, word, cases(300, 3000), 5));
    }
    const Said lint = b.lint(), said = b.run();
    EXPECT_EQ(lint.code, 0) << lint.text;
    for (const std::string& name : b.names())
      EXPECT_NE(said.text.find("PASS " + name + ":"), std::string::npos) << said.text;
  }
}

// Both whole machines pass yosys' own checks; a box and a pipeline become cells. planar3 is small
// enough for that, with words of 16 bits.
TEST(Verilog, SynthesizesWithYosys) {
  if (!installed("yosys")) GTEST_SKIP() << "SKIPPED: yosys is not installed";
  Scratch scratch;
  const IkHardware h = ik_hardware(puma(), "fastest");
  const Robot robot = Robot::load("planar3");
  const Graph g = generate(robot, Quantity::inverse_dynamics).program.graph;
  const FixedGraph f = fixed_graph(g, input_ranges(robot, g), 16);
  const std::string ik =
      scratch.file("ik.v", verilog_machine(h.design, h.schedule, cordic_fixed({24, 20}), "ik") +
                               verilog_boxes_of(h.design));
  const std::string torque = scratch.file("torque.v", verilog_pipeline(unrolled(f), "torque"));
  const std::string turns = scratch.file("turns.v", verilog_pipeline(shared_units(f, 2), "turns"));
  const std::string box = scratch.file("box.v", verilog_box(Box::lin1));
  for (const auto& [file, top] : {std::pair(ik, "ik"), {torque, "torque"}}) {
    const Said said = shell(fmt::format(
        "yosys -q -p 'read_verilog {}; hierarchy -check -top {}; proc; check -assert'", file, top));
    EXPECT_EQ(said.code, 0) << said.text;
  }
  const Said lattice =
      shell(fmt::format("yosys -p 'read_verilog {}; synth_ice40 -top parid_lin1; stat'", box));
  EXPECT_EQ(lattice.code, 0) << lattice.text;
  EXPECT_NE(lattice.text.find("SB_LUT4"), std::string::npos) << lattice.text;
  // Two multipliers of 16 bits are two DSPs, however many products take turns on them.
  const Said xilinx =
      shell(fmt::format("yosys -p 'read_verilog {}; synth_xilinx -noiopad -top turns; tee -q -o {} "
                        "stat' && grep -c \"DSP48E1  *2$\" {}",
                        turns, scratch.path("stat"), scratch.path("stat")));
  EXPECT_EQ(xilinx.code, 0) << xilinx.text;
}

}  // namespace
}  // namespace parid::test
