// The Verilog of controller cores: lint, synthesis checks, bit for bit against the model, the
// register map, and in the loop with simulated robots.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hardware/controller/controller_core.hpp"
#include "hardware/controller/core_tracking.hpp"
#include "motion/planned_trajectory.hpp"
#include "parid/trajectory.hpp"
#include "tests/base/scratch.hpp"
#include "tests/full.hpp"
#include "tests/hardware/robot_ik.hpp"
#include "tests/hardware/tools.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Named {
  const char* name;
  Robot robot;
  CoreOptions options;
  int samples;
};

// Shared and unrolled, poses and joints, all laws, words that are no lanes, filters over several
// samples, an arm whose base, tool and axes are turned, a robot with slides.
std::vector<Named> cores() {
  return {
      {"a", Robot::load("puma560"), {.interval = 24}, 600},
      {"b", Robot::load("planar3"), {.interval = 1}, 3000},
      {"c",
       Robot::load("scara"),
       {.law = "pd+feedforward", .word = 27, .interval = 9, .window = 3},
       1500},
      {"d", Robot::load("planar2"), {.law = "pd+gravity", .word = 40, .interval = 5}, 1500},
      {"e", Robot::load("planar2"), {.law = "pd", .word = 16, .interval = 1, .window = 2}, 3000},
      {"f", disguised_arm(1).robot, {.word = 24, .interval = 40}, 300},
  };
}

Said run_verilator(const Scratch& scratch, const std::string& top, const std::string& files) {
  const Said built = shell(
      fmt::format("cd {} && OBJCACHE=$(command -v ccache) verilator --binary --timing -Wno-lint "
                  "-Wno-style -Wno-fatal -MAKEFLAGS 'OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0' "
                  "--top-module {} {}",
                  scratch.path(""), top, files));
  if (built.code != 0) return built;
  return shell(fmt::format("cd {} && obj_dir/V{}", scratch.path(""), top));
}

TEST(ControllerVerilog, PassesLintAndChecks) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Scratch scratch;
  std::vector<Named> all = cores();
  all.push_back({"g", Robot::load("puma560"), {.interval = 1}, 0});
  for (const Named& n : all) {
    ControllerCore core = controller_core(n.robot, n.options);
    core.name = n.name;
    const std::string file = scratch.file(core.name + std::string(".v"), verilog_core(core));
    const Said lint = shell(fmt::format(
        "verilator --lint-only --language 1364-2005 -Wall --top-module {} {}", core.name, file));
    EXPECT_EQ(lint.code, 0) << n.name << lint.text;
    // yosys needs a minute for the largest ones.
    if (!installed("yosys") || (n.samples < 600 && !full_tests())) continue;
    const Said checked = shell(
        fmt::format("yosys -q -p 'read_verilog {}; hierarchy -check -top {}; proc; check -assert'",
                    file, core.name));
    EXPECT_EQ(checked.code, 0) << n.name << checked.text;
  }
}

TEST(ControllerVerilog, EqualsItsModelBitForBit) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  Scratch scratch;
  std::string files = "top.v", top = "module top;\n", all = "1'b1";
  for (const Named& n : cores()) {
    ControllerCore core = controller_core(n.robot, n.options);
    core.name = n.name;
    for (const EmittedFile& f : core_files(core, cases(n.samples, 10 * n.samples))) {
      scratch.file(f.name, f.text);
      if (f.name == core.name + ".v" || f.name == core.name + "_bench.v") files += " " + f.name;
    }
    top += fmt::format("  wire {0}_done; {0}_bench #(.ALONE(0)) {0}_b(.done({0}_done));\n", n.name);
    all += fmt::format(" && {}_done", n.name);
  }
  top += fmt::format("  wire all = {};\n  always @(posedge all) $finish;\nendmodule\n", all);
  scratch.file("top.v", top);
  const Said said = run_verilator(scratch, "top", files);
  for (const Named& n : cores())
    EXPECT_NE(said.text.find(fmt::format("PASS {}:", n.name)), std::string::npos) << said.text;
}

// Registers read back; a gain takes effect; writes that are too large or go nowhere are refused;
// a sample that takes longer than the deadline is late, and the status can be cleared.
TEST(ControllerVerilog, HasARegisterMap) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  const Robot robot = Robot::load("planar2");
  ControllerCore core = controller_core(robot, {.interval = 6});
  core.name = "core";
  const CoreRegister kp = core.program.bank[0];
  ASSERT_EQ(kp.name, "kp1");
  const std::vector<double> q = {0.4, -0.3}, m = {0.395, -0.299};
  CoreModel model(core);
  const CoreResult first = model.step(core.setpoint_words(q), core.measured_words(m));
  model.reset();
  model.bank[0] = kp.initial / 2;
  const CoreResult halved = model.step(core.setpoint_words(q), core.measured_words(m));
  ASSERT_EQ(first.status | halved.status, 0U);
  ASSERT_NE(first.torque, halved.torque);
  const auto lanes = [](const std::vector<Raw>& words) {
    std::string hex;
    for (std::size_t k = words.size(); k-- > 0;)
      hex += fmt::format("{:08x}", static_cast<std::uint32_t>(words[k]));
    return "64'h" + hex;
  };
  const std::string text =
      fmt::format(R"(
module bench;
  reg clk = 0, aresetn = 0, set_valid = 0, out_ready = 0, psel = 0, penable = 0, pwrite = 0;
  reg [11:0] paddr = 0;
  reg [31:0] pwdata = 0, got = 0;
  reg refused = 0;
  wire set_ready, meas_ready, out_valid, pready, pslverr;
  wire [63:0] out_data;
  wire [3:0] out_status;
  wire [31:0] prdata;
  integer wrong = 0;
  core c(.aclk(clk), .aresetn(aresetn), .setpoint_tvalid(set_valid), .setpoint_tready(set_ready),
    .setpoint_tdata({0}), .measured_tvalid(1'b1), .measured_tready(meas_ready),
    .measured_tdata({1}), .torque_tvalid(out_valid), .torque_tready(out_ready),
    .torque_tdata(out_data), .torque_tuser(out_status), .psel(psel), .penable(penable),
    .pwrite(pwrite), .paddr(paddr), .pwdata(pwdata), .prdata(prdata), .pready(pready),
    .pslverr(pslverr));
  always #5 clk = !clk;
  task access(input write, input [11:0] address, input [31:0] data);
    begin
      @(negedge clk) psel = 1; penable = 0; pwrite = write; paddr = address; pwdata = data;
      @(negedge clk) penable = 1;
      #1 got = prdata; refused = pslverr;
      @(negedge clk) psel = 0; penable = 0;
    end
  endtask
  task expected(input good, input integer number);
    if (!good) begin $display("FAIL %0d: %h %b %h %b", number, got, refused, out_data, out_status); wrong = wrong + 1; end
  endtask
  task sample;
    begin
      @(negedge clk) set_valid = 1;
      while (!set_ready) @(negedge clk);
      @(negedge clk) set_valid = 0;
      while (!out_valid) @(negedge clk);
    end
  endtask
  task accept;
    begin
      out_ready = 1;
      @(negedge clk) out_ready = 0;
    end
  endtask
  initial begin
    #42 aresetn = 1;
    access(0, 12'h000, 0); expected(got == 32'h50430002 && !refused, 1);
    access(0, 12'h100, 0); expected(got == {2} && !refused, 2);
    sample; expected(out_data == {3} && out_status == 0, 3); accept;
    access(1, 12'h100, {4}); expected(!refused, 4);
    access(1, 12'h100, 32'h7fffffff); expected(refused, 5);
    access(1, 12'hffc, 0); expected(refused, 6);
    access(0, 12'h100, 0); expected(got == {4}, 7);
    access(1, 12'h00c, 5); expected(!refused, 8);
    access(0, 12'h010, 0); expected(got == 1, 9);
    // A new reset clears the filters, but gains too: write it again.
    aresetn = 0; @(negedge clk) aresetn = 1;
    access(1, 12'h100, {4});
    sample; expected(out_data == {5} && out_status == 0, 10); accept;
    access(1, 12'h00c, 5);
    sample; expected(out_status == 4, 11); accept;
    access(0, 12'h004, 0); expected(got == 4, 12);
    access(1, 12'h004, 4);
    access(0, 12'h004, 0); expected(got == 0, 13);
    access(0, 12'h014, 0); expected(got == {6}, 14);
    if (wrong == 0) $display("PASS");
    $finish;
  end
endmodule
)",
                  lanes(core.setpoint_words(q)), lanes(core.measured_words(m)),
                  static_cast<long>(kp.initial), lanes(first.torque),
                  static_cast<long>(kp.initial / 2), lanes(halved.torque), core.clocks() - 1);
  Scratch scratch;
  scratch.file("core.v", verilog_core(core));
  scratch.file("bench.v", text);
  const Said said = run_verilator(scratch, "bench", "core.v bench.v");
  EXPECT_NE(said.text.find("PASS"), std::string::npos) << said.text;
}

// The Verilog controls a simulated robot for a pick-and-place motion: its torques are those of the
// model, its latency is the stated one, and its tracking is as predicted beforehand. The puma560
// gets poses.
TEST(ControllerVerilog, TracksPickAndPlaceAsPredicted) {
  if (!installed("verilator")) GTEST_SKIP() << "SKIPPED: verilator is not installed";
  for (const char* name : {"puma560", "ur5", "stanford"}) {
    const Robot robot = Robot::load(name);
    const PlannedTrajectory planned = PlannedTrajectory::named(robot, "pick-and-place");
    const Trajectory& motion = *planned.body().trajectory;
    // Slow clocks and few samples, so that latency and rounding matter.
    ControllerCore core = controller_core(
        robot, {.word = 24, .interval = 48, .window = 2, .rate = 400, .clock = 2e6});
    std::vector<double> q(core.n()), v(q), a(q);
    motion.at(0, q, v, a);
    core.program.branch = core.branch_of(q);
    const CorePrediction p = predict_core(core, motion);
    Scratch scratch;
    VerilatedCore rtl(core, scratch.path(""));
    CoreModel model(core);
    long wrong = 0, late = 0;
    const CoreLoop loop =
        run_core_loop(core, motion, [&](std::span<const Raw> s, std::span<const Raw> m) {
          const CoreResult r = rtl.step(s, m), expected = model.step(s, m);
          wrong += r.torque != expected.torque || r.status != expected.status;
          late += rtl.clocks() != core.clocks() || rtl.feedback_clocks() != core.feedback_clocks();
          return r;
        });
    EXPECT_GT(loop.periods, 1000) << name;
    EXPECT_EQ(wrong, 0) << name;
    EXPECT_EQ(late, 0) << name;
    EXPECT_NEAR(loop.tracking.core, p.tracking.core, 0.1 * p.tracking.core) << name;
    EXPECT_NEAR(loop.tracking.degradation, p.tracking.degradation, 0.1 * p.tracking.degradation)
        << name;
  }
}

}  // namespace
}  // namespace parid::test
