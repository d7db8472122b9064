// The serial machine: its instructions against the bit-true model of the graph, its Verilog bit for
// bit and clock for clock under Verilator, and the buses to a host.

#include "hardware/serial/serial_machine.hpp"

#include <gtest/gtest.h>

#include "hardware/dynamics_hardware.hpp"
#include "hardware/host_io.hpp"
#include "hardware/verilog/verilog.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/hardware/tools.hpp"
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
  std::string text, top = "module all(output [2:0] done);\n";
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
    scratch.file(name + "_in.hex", sent);
    scratch.file(name + "_out.hex", wanted);
    top +=
        name + "_bench #(.ALONE(0)) b" + std::to_string(k) + "(done[" + std::to_string(k) + "]);\n";
  }
  scratch.file("all.v", text + top + "always @* if (&done) $finish;\nendmodule\n");
  const std::string folder = scratch.path("all.v").substr(0, scratch.path("all.v").rfind('/'));
  const Said built = shell("cd " + folder +
                           " && verilator --binary -O0 -Wno-fatal --top-module all all.v "
                           "-CFLAGS -O0 && timeout 300 obj_dir/Vall");
  for (const std::string& name : names)
    EXPECT_NE(built.text.find("PASS " + name), std::string::npos) << built.text;
  EXPECT_EQ(built.text.find("FAIL"), std::string::npos) << built.text;
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
