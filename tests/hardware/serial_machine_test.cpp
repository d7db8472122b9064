// The serial machine: its instructions against the bit-true model of the graph, its Verilog bit for
// bit and clock for clock under Verilator, and the buses to a host.

#include "hardware/serial/serial_machine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hardware/dynamics_hardware.hpp"
#include "hardware/host_io.hpp"
#include "hardware/serial_arm_hardware.hpp"
#include "hardware/verilog/verilog.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/hardware/tools.hpp"
#include "tests/kinematics/disguised_arm.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

SerialMachine machine_of(const Robot& robot, Quantity which, int word) {
  const Generated made = generate(robot, which);
  return serial_machine(
      fixed_graph(made.program.graph, input_ranges(robot, made.program.graph, {}), word));
}

// A chain of revolute and prismatic joints with any frames.
Robot any_chain(std::uint64_t seed, int joints) {
  Rng rng(seed);
  Description d = random_base(rng, "any_chain");
  for (int k = 0; k < joints; ++k)
    add_random_link(rng, d, d.links.back().name,
                    k == 1 ? JointType::prismatic : JointType::revolute, {});
  return Robot(d);
}

// A master that sends five samples over SPI, waits for `ready`, and compares the results.
std::string spi_bench(const SerialMachine& m, const std::string& name, int samples) {
  return fmt::format(R"(
module {0}_spi_bench(output reg done);
  reg clk = 0, cs_n = 1, sck = 0, mosi = 0;
  wire miso, ready;
  reg [{1}:0] sent [0:{2}], wanted [0:{3}], got;
  integer sample, word, bits, wrong;
  {0}_spi dut(.clk(clk), .cs_n(cs_n), .sck(sck), .mosi(mosi), .miso(miso), .ready(ready));
  always #5 clk = !clk;
  task exchange(input [{1}:0] out);
    for (bits = {1}; bits >= 0; bits = bits - 1) begin
      mosi = out[bits];
      #60 sck = 1;
      got[bits] = miso;
      #60 sck = 0;
    end
  endtask
  initial begin
    $readmemh("{0}_in.hex", sent);
    $readmemh("{0}_out.hex", wanted);
    done = 0; wrong = 0;
    #300 cs_n = 0;
    #100;
    for (sample = 0; sample < 5; sample = sample + 1) begin
      for (word = 0; word < {4}; word = word + 1) begin exchange(sent[sample * {4} + word]); #60; end
      for (word = 0; word < {5}; word = word + 1) begin
        wait (ready);
        #100 exchange(0);
        if (got !== wanted[sample * {5} + word]) wrong = wrong + 1;
        #60;
      end
    end
    if (wrong == 0) $display("PASS {0}_spi"); else $display("FAIL {0}_spi: %0d words", wrong);
    done = 1;
  end
endmodule
)",
                     name, m.fixed.word - 1, samples * m.inputs - 1, samples * m.outputs - 1,
                     m.inputs, m.outputs);
}

}  // namespace

TEST(SerialMachine, InstructionsGiveTheWordsOfTheGraph) {
  std::vector<Robot> robots;
  for (const char* name : {"planar3", "scara", "stanford", "puma560"})
    robots.push_back(Robot::load(name));
  robots.push_back(any_chain(1, 3));
  robots.push_back(any_chain(2, 5));
  for (const Robot& robot : robots)
    for (const Quantity which :
         {Quantity::inverse_dynamics, Quantity::gravity, Quantity::mass_matrix})
      for (const int word : {12, 24, 37}) {
        SCOPED_TRACE(robot.name() + " " + name(which));
        const SerialMachine m = machine_of(robot, which, word);
        for (const auto& sample : fixed_samples(m.fixed, 100, 5))
          ASSERT_EQ(run(m, sample), evaluate(m.fixed, sample));
        EXPECT_EQ(m.inputs, static_cast<int>(m.fixed.graph.inputs().size()));
        EXPECT_LE(m.memory.size(), m.fixed.graph.size());
      }
}

TEST(SerialMachine, LongWordsAreRefused) {
  const Robot robot = Robot::load("planar3");
  EXPECT_THROW(machine_of(robot, Quantity::inverse_dynamics, 61), Error);
  EXPECT_GT(machine_of(robot, Quantity::inverse_dynamics, 40).interval(), 0);
}

// The bench also compares the clocks from one sample to the next with interval().
TEST(SerialMachine, VerilogBitForBitAndClockForClock) {
  if (!installed("verilator")) GTEST_SKIP() << "verilator is not installed";
  Scratch scratch;
  std::string text, top = "module all(output [3:0] done);\n";
  const Robot robots[] = {Robot::load("planar3"), any_chain(3, 3), Robot::load("puma560")};
  const int words[] = {25, 18, 32};
  std::string names[3];
  for (int k = 0; k < 3; ++k) {
    const SerialMachine m = machine_of(robots[k], Quantity::inverse_dynamics, words[k]);
    const std::string name = names[k] = "machine" + std::to_string(k);
    const std::vector<VerilogPort> port{{"word", words[k]}};
    std::string sent, wanted;
    const int samples = 30;
    for (const auto& sample : fixed_samples(m.fixed, samples, 6)) {
      for (const Raw& w : sample) sent += verilog_memory_line(port, std::span(&w, 1));
      for (const Raw& w : evaluate(m.fixed, sample))
        wanted += verilog_memory_line(port, std::span(&w, 1));
    }
    text += verilog_serial(m, name) + verilog_serial_bench(m, name, samples);
    if (k == 0) text += verilog_spi(m, name) + spi_bench(m, name, samples);
    scratch.file(name + "_in.hex", sent);
    scratch.file(name + "_out.hex", wanted);
    top +=
        name + "_bench #(.ALONE(0)) b" + std::to_string(k) + "(done[" + std::to_string(k) + "]);\n";
  }
  top += "machine0_spi_bench b3(done[3]);\n";
  scratch.file("all.v", text + top + "always @* if (&done) $finish;\nendmodule\n");
  const std::string folder = scratch.path("all.v").substr(0, scratch.path("all.v").rfind('/'));
  const Said built = shell("cd " + folder +
                           " && verilator --binary -O0 -Wno-fatal --top-module all all.v "
                           "-CFLAGS -O0 && timeout 300 obj_dir/Vall");
  for (const std::string& name : names)
    EXPECT_NE(built.text.find("PASS " + name + ":"), std::string::npos) << built.text;
  EXPECT_NE(built.text.find("PASS machine0_spi"), std::string::npos) << built.text;
  EXPECT_EQ(built.text.find("FAIL"), std::string::npos) << built.text;
}

// Arms with any base, tool, directions and zeros: the error falls with the word, by at least half
// of the bits that are added, and is small beside a word of the pose.
TEST(SerialArmHardware, ErrorOfArmsInDisguise) {
  constexpr double right = std::numbers::pi / 2;
  Rng rng(5);
  const std::vector<DenavitHartenberg> forms[] = {
      {{0, right, 0.089, 0},
       {-0.425, 0, 0, 0},
       {-0.392, 0, 0, 0},
       {0, right, 0.109, 0},
       {0, -right, 0.095, 0},
       {0, 0, 0.082, 0}},
      {{0.025, -right, 0.4, 0},
       {0.455, 0, 0, 0},
       {0.035, -right, 0, 0},
       {0, right, 0.42, 0},
       {0, -right, 0, 0},
       {0, 0, 0.08, 0}},
      {{0.3, 0, 0, 0}, {0.25, 0, 0, 0}, {0.2, 0, 0, 0}}};
  for (const auto& rows : forms)
    for (int n = 0; n < 3; ++n) {
      const Robot robot(disguised(rng, rows, -1, n == 0 ? LinkFrames::square : LinkFrames::any));
      const SerialArmHardware h = serial_arm_hardware(robot, robot.tip());
      SCOPED_TRACE(h.text);
      EXPECT_GT(h.design.boxes.size(), 10u);
      double before = 1;
      for (const int word : {20, 28, 36}) {
        const FixedFormat format = serial_arm_format(h, word);
        const IkAccuracy e = serial_arm_accuracy(h, cordic_fixed(format), 200);
        EXPECT_GT(e.regular, 50);
        EXPECT_LT(e.worst(), before / 16);
        EXPECT_LT(e.worst(), 1000 * format.ulp());
        before = e.worst();
      }
    }
  EXPECT_THROW(serial_arm_hardware(Robot::load("panda"), Robot::load("panda").tip()), Error);
}

TEST(HostIo, WordsPerBusAndTheLimit) {
  // puma560: 18 words in, 6 out
  const auto loads = host_loads(18, 6, 32, 4461, 39.0);
  ASSERT_EQ(loads.size(), host_buses().size());
  EXPECT_EQ(loads[0].clocks_in, 18 * 32);  // SPI: a bit per clock
  EXPECT_EQ(loads[0].clocks_out, 6 * 32);
  EXPECT_EQ(loads[1].clocks_in, 18 * 4);  // AXI4-Lite: a transfer of 4 clocks per word
  EXPECT_EQ(loads[2].clocks_in, 9);       // AXI4-Stream: two words per clock
  EXPECT_EQ(loads[2].clocks_out, 3);
  EXPECT_DOUBLE_EQ(loads[2].microseconds, 0.09);  // both ways at once
  for (const HostLoad& l : loads) {
    EXPECT_FALSE(l.limits());
    EXPECT_NEAR(host_loads(18, 6, 32, 4461,
                           1.001 * l.balance_megahertz)[static_cast<std::size_t>(&l - loads.data())]
                    .limits(),
                true, 0);
  }
  // unrolled, a sample per clock at 100 MHz: every bus is the limit
  for (const HostLoad& l : host_loads(18, 6, 32, 1, 100)) EXPECT_TRUE(l.limits());
  EXPECT_EQ(host_loads(1, 1, 40, 1, 100)[1].clocks_in, 8);  // a long word takes two transfers
}

}  // namespace parid::test
