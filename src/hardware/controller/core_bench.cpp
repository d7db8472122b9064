// Files around the Verilog of a controller core: a self-checking bench, a module for simulators in
// a loop with a robot, and the register map.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "codegen/emit/lines.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/controller/controller_core.hpp"
#include "hardware/verilog/verilog_parts.hpp"

namespace parid::hardware {
namespace {

// A stream's word in hexadecimal digits: lanes, the first lowest, each with its sign.
std::string stream_hex(std::span<const Raw> words, int lane) {
  std::string hex;
  for (std::size_t k = words.size(); k-- > 0;)
    for (int digit = 2 * lane - 1; digit >= 0; --digit)
      hex += "0123456789abcdef"[static_cast<std::size_t>(words[k] >> (4 * digit)) & 15];
  return hex;
}

struct Sizes {
  int setpoint, measured, lane;  // bits
  explicit Sizes(const ControllerCore& core)
      : setpoint(8 * core_lane(core) * static_cast<int>(core.setpoint_format.size())),
        measured(8 * core_lane(core) * static_cast<int>(core.n())),
        lane(core_lane(core)) {}
};

void instance(Lines& t, const ControllerCore& core) {
  t.add("{} core(.aclk(clk), .aresetn(aresetn),", core.name);
  t.line("  .setpoint_tvalid(set_valid), .setpoint_tready(set_ready), .setpoint_tdata(set_data),");
  t.line(
      "  .measured_tvalid(meas_valid), .measured_tready(meas_ready), .measured_tdata(meas_data),");
  t.line("  .torque_tvalid(out_valid), .torque_tready(out_ready), .torque_tdata(out_data),");
  t.line("  .torque_tuser(out_status), .psel(1'b0), .penable(1'b0), .pwrite(1'b0),");
  t.line("  .paddr(12'd0), .pwdata(32'd0), .prdata(), .pready(), .pslverr());");
}

// Set points and measurements of joints that swing, mostly inside of the ranges.
struct Recorded {
  std::vector<Raw> setpoint, measured;
};
std::vector<Recorded> recorded(const ControllerCore& core, int samples, unsigned seed,
                               unsigned& branch) {
  std::mt19937_64 random(seed);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random);
  };
  const std::size_t n = core.n();
  std::vector<double> middle(n), size(n), speed(n), q(n), m(n);
  for (std::size_t j = 0; j < n; ++j) {
    const CoreJoint& joint = core.joints[j];
    size[j] = std::max(draw(0.1, 0.55) * (joint.upper - joint.lower), 1e-6);
    middle[j] = (joint.lower + joint.upper) / 2;
    speed[j] = draw(0.3, 1.5) * joint.velocity / size[j];
  }
  branch = core.branch_of(middle);
  std::vector<Recorded> all;
  for (int k = 0; k < samples; ++k) {
    const double t = k * core.period() * (k % 37 == 0 ? draw(0.9, 1.1) : 1);  // with jumps
    for (std::size_t j = 0; j < n; ++j) {
      q[j] = middle[j] + size[j] * std::sin(speed[j] * t);
      m[j] = q[j] + (k % 101 == 0 ? 0.5 : 0.01) * draw(-1, 1);
    }
    all.push_back({core.setpoint_words(q), core.measured_words(m)});
  }
  return all;
}

}  // namespace

std::vector<EmittedFile> core_bench(const ControllerCore& core, int samples, unsigned seed) {
  const Sizes size(core);
  unsigned branch = 0;
  const std::vector<Recorded> words = recorded(core, samples, seed, branch);
  CoreModel model(core);
  model.branch = core.program.branch;  // what the register has after a reset
  std::string set, measured, wanted;
  for (const Recorded& w : words) {
    const CoreResult r = model.step(w.setpoint, w.measured);
    set += stream_hex(w.setpoint, size.lane) + "\n";
    measured += stream_hex(w.measured, size.lane) + "\n";
    wanted += fmt::format("{:x}{}\n", r.status, stream_hex(r.torque, size.lane));
  }
  const std::string& name = core.name;
  Lines t;
  t.raw(verilog_head);
  t.line("/* verilator lint_off BLKSEQ */  // the bench uses blocking assignments");
  t.add("// Sends {} samples to {} with pauses on every stream and compares torques and status.",
        samples, name);
  t.open("module {}_bench #(parameter ALONE = 1) (output reg done);", name);
  t.add("localparam SAMPLES = {};", samples);
  t.add("reg [{}:0] sets [0:SAMPLES-1];", size.setpoint - 1);
  t.add("reg [{}:0] measureds [0:SAMPLES-1];", size.measured - 1);
  t.add("reg [{}:0] wanted [0:SAMPLES-1];", size.measured + core_flags - 1);
  t.line("reg clk = 0, aresetn = 0, set_valid = 0, meas_valid = 0, out_ready = 0;");
  t.line("wire set_ready, meas_ready, out_valid;");
  t.add("reg [{}:0] set_data;", size.setpoint - 1);
  t.add("reg [{}:0] meas_data;", size.measured - 1);
  t.add("wire [{}:0] out_data;", size.measured - 1);
  t.add("wire [{}:0] out_status;", core_flags - 1);
  t.line("integer set = 0, measured = 0, taken = 0, wrong = 0;");
  t.line("integer sets_offered = 0, measured_offered = 0;");
  t.line("reg [31:0] noise = 32'h12345678;");
  instance(t, core);
  t.line("always #5 clk = !clk;");
  t.open("initial begin");
  t.add("$readmemh(\"{}_set.hex\", sets);", name);
  t.add("$readmemh(\"{}_measured.hex\", measureds);", name);
  t.add("$readmemh(\"{}_torque.hex\", wanted);", name);
  t.line("set_data = 0; meas_data = 0; done = 0;");
  t.line("#42 aresetn = 1;");
  t.close("end");
  t.line("// A word that is offered stays until it is taken. Long runs without pauses occur too.");
  t.open("always @(negedge clk) if (aresetn) begin");
  t.line("noise = {noise[30:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]};");
  t.line("if (sets_offered == set && set < SAMPLES && (taken % 64 < 32 || noise[4:2] != 0))");
  t.line("  sets_offered = set + 1;");
  t.line("set_valid = sets_offered > set;");
  t.line("if (set < SAMPLES) set_data = sets[set];");
  t.line("if (measured_offered == measured && measured < SAMPLES &&");
  t.line("    (taken % 64 < 32 || noise[7:6] != 0)) measured_offered = measured + 1;");
  t.line("meas_valid = measured_offered > measured;");
  t.line("if (measured < SAMPLES) meas_data = measureds[measured];");
  t.line("out_ready = taken % 64 < 32 || noise[10:9] != 0;");
  t.close("end");
  t.open("always @(posedge clk) if (aresetn) begin");
  t.line("if (set_valid && set_ready) set = set + 1;");
  t.line("if (meas_valid && meas_ready) measured = measured + 1;");
  t.open("if (out_valid && out_ready) begin");
  t.open("if ({{out_status, out_data}} !== wanted[taken]) begin");
  t.line("wrong = wrong + 1;");
  t.line(
      "if (wrong < 5) $display(\"sample %0d: %h instead of %h\", taken, {out_status, out_data}, "
      "wanted[taken]);");
  t.close("end");
  t.line("taken = taken + 1;");
  t.open("if (taken == SAMPLES) begin");
  t.add("if (wrong == 0) $display(\"PASS {}: %0d samples\", taken);", name);
  t.add("else $display(\"FAIL {}: %0d of %0d\", wrong, taken);", name);
  t.line("done <= 1;");
  t.line("if (ALONE) $finish;");
  t.close("end");
  t.close("end");
  t.close("end");
  t.close("endmodule");
  return {{name + "_bench.v", t.text()},
          {name + "_set.hex", set},
          {name + "_measured.hex", measured},
          {name + "_torque.hex", wanted}};
}

std::string verilog_core_loop(const ControllerCore& core) {
  const Sizes size(core);
  Lines t;
  t.raw(verilog_head);
  t.line("/* verilator lint_off BLKSEQ */");
  t.add("// Reads set point and measurement of a sample from each line of standard input, in");
  t.line("// hexadecimal digits, and writes torques, status, and the clocks since both.");
  t.open("module {}_loop;", core.name);
  t.line("reg clk = 0, aresetn = 0, set_valid = 0, meas_valid = 0;");
  t.line("wire set_ready, meas_ready, out_valid, out_ready = 1'b1;");
  t.add("reg [{}:0] set_data;", size.setpoint - 1);
  t.add("reg [{}:0] meas_data;", size.measured - 1);
  t.add("wire [{}:0] out_data;", size.measured - 1);
  t.add("wire [{}:0] out_status;", core_flags - 1);
  t.line("integer now = 0, set_at = 0, measured_at = 0, got;");
  t.line("integer samples = 0, sets = 0, measureds = 0, results = 0;");
  instance(t, core);
  t.line("always #5 clk = !clk;");
  t.line("initial begin set_data = 0; meas_data = 0; #42 aresetn = 1; end");
  t.open("always @(negedge clk) if (aresetn) begin");
  t.open("if (samples == results) begin");
  t.line("got = $fscanf(32'h80000000, \"%h %h\", set_data, meas_data);");
  t.line("if (got != 2) $finish;");
  t.line("samples = samples + 1;");
  t.close("end");
  t.line("set_valid = samples > sets;");
  t.line("meas_valid = samples > measureds;");
  t.close("end");
  t.open("always @(posedge clk) if (aresetn) begin");
  t.line("now = now + 1;");
  t.line("if (set_valid && set_ready) begin sets = sets + 1; set_at = now; end");
  t.line("if (meas_valid && meas_ready) begin measureds = measureds + 1; measured_at = now; end");
  t.open("if (out_valid && out_ready) begin");
  t.line("$display(\"%h %h %0d %0d\", out_data, out_status, now - set_at, now - measured_at);");
  t.line("$fflush;");
  t.line("results = results + 1;");
  t.close("end");
  t.close("end");
  t.close("endmodule");
  return t.text();
}

std::vector<EmittedFile> core_files(const ControllerCore& core, int samples) {
  const std::string& name = core.name;
  std::vector<EmittedFile> files = {{name + ".v", verilog_core(core)}};
  for (EmittedFile& f : core_bench(core, samples)) files.push_back(std::move(f));
  files.push_back({name + "_loop.v", verilog_core_loop(core)});
  std::string upper = name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  Lines h;
  h.add("/* Register map of {}: byte addresses, 32 bits. A gain or limit g is written as the",
        name);
  h.line(
      "   integer nearest to g * SCALE; a write beyond MOST is refused with pslverr. Write while");
  h.line("   no sample is in the core: a sample reads each register when it needs it. */");
  h.add("#ifndef {}_H", upper);
  h.add("#define {}_H", upper);
  const auto fixed = [&](const char* what, unsigned at, const char* says) {
    h.add("#define {}_{} 0x{:03x} /* {} */", upper, what, at, says);
  };
  fixed("ID", 0, "reads 0x50430000 + number of joints");
  fixed("STATUS", 4,
        "flags of all samples: 1 saturated, 2 unreachable, 4 late, 8 limited; write "
        "ones to clear");
  fixed("BRANCH", 8, "1 arm, 2 elbow, 4 wrist: set for the sign -1");
  fixed("DEADLINE", 12, "clocks from a set point to its torques that are late; 0: never");
  fixed("SAMPLES", 16, "samples since the reset");
  fixed("DELAY", 20, "clocks that the latest sample took");
  for (const CoreRegister& r : core.program.bank) {
    std::string what = r.name;
    for (char& c : what) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const int down = std::max(0, core.program.word - 32);
    h.add("#define {}_{} 0x{:03x} /* {} */", upper, what, r.address, comment_line(r.meaning));
    h.add("#define {}_{}_SCALE {:.17g}", upper, what, std::ldexp(1.0, r.format.fraction - down));
    h.add("#define {}_{}_MOST {}", upper, what, static_cast<long>(r.largest >> down));
  }
  h.line("#endif");
  files.push_back({name + "_registers.h", h.text()});
  return files;
}

}  // namespace parid::hardware
