// parid hardware, run as people run it.

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(CliHardware, TheMachineOfThePaper) {
  const auto j = json_of("hardware puma560 ik --unit cordic --json");
  EXPECT_EQ(j["modules"], 25);
  EXPECT_EQ(j["stages"], 18);
  EXPECT_EQ(j["buffers"], 141);
  EXPECT_EQ(j["buffer_lines"], 27);
  EXPECT_EQ(j["buffers_per_edge"], 186);
  EXPECT_EQ(j["buffers_per_port"], 191);
  EXPECT_EQ(j["tapped_lines"], 4);
  EXPECT_EQ(j["interval"], 1);
  EXPECT_EQ(j["latency"], 18);
  EXPECT_EQ(j["word"], 24);
  EXPECT_LT(j["max_error"], 1.5e-5);
}

TEST(CliHardware, AndBetterOnes) {
  const auto j = json_of("hardware puma560 ik --arrangement fastest --word 32 --json");
  EXPECT_EQ(j["modules"], 20);
  EXPECT_EQ(j["stages"], 9);
  EXPECT_EQ(j["buffers"], 52);
  EXPECT_LT(j["max_error"], 1e-7);
  EXPECT_EQ(json_of("hardware puma560 ik --arrangement fewest --json")["modules"], 19);
  EXPECT_EQ(json_of("hardware stanford ik --json")["modules"], 14);
}

TEST(CliHardware, FilesForVerilog) {
  Scratch scratch;
  const auto j = json_of("hardware puma560 ik --samples 3 --json -o " + scratch.path("v"));
  EXPECT_EQ(j["files"].size(), 6u);
  for (const auto& f : j["files"]) EXPECT_FALSE(content(f.get<std::string>()).empty()) << f;
  // A box loads, turns and scales; the stage lasts as long as the slowest.
  const std::string machine = content(scratch.path("v/puma560_ik.v"));
  const std::regex box("TURNS\\(([0-9]+)\\).*SCALES\\(([0-9]+)\\)");
  int boxes = 0, busy = 0, longest = 0;
  for (std::sregex_iterator m(machine.begin(), machine.end(), box), end; m != end; ++m) {
    const int clocks = 1 + std::stoi((*m)[1]) + std::stoi((*m)[2]);
    ++boxes, busy += clocks, longest = std::max(longest, clocks);
  }
  EXPECT_EQ(boxes, j["modules"]);
  EXPECT_EQ(longest, j["clocks_per_stage"]);
  EXPECT_NEAR(j["utilisation"].get<double>(), busy / double(boxes * longest), 1e-12);
  const auto shared =
      json_of("hardware planar3 inverse --units 2 --samples 3 --json -o " + scratch.path("v"));
  EXPECT_EQ(shared["files"].size(), 4u);
  EXPECT_TRUE(contains(content(scratch.path("v/planar3_inverse.v")), "2 multipliers, 2 adders"));
}

TEST(CliHardware, TheArraysProcessorForVerilog) {
  Scratch scratch;
  const std::string line = "hardware puma560 inverse --array log --json";
  EXPECT_TRUE(json_of(line)["files"].empty());
  const auto j = json_of(line + " --word 16 --samples 3 -o " + scratch.path("v"));
  ASSERT_EQ(j["files"].size(), 9u);  // the processor, its bench and samples; five drawings
  EXPECT_TRUE(contains(content(scratch.path("v/parid_vector_processor.v")), "WORD = 16"));
  const std::string sent = content(scratch.path("v/parid_vector_processor_in.hex"));
  EXPECT_EQ(std::count(sent.begin(), sent.end(), '\n'), 3);
}

TEST(CliHardware, DynamicsOnUnits) {
  const auto full = json_of("hardware puma560 inverse --json");
  EXPECT_EQ(full["interval"], 1);
  EXPECT_EQ(full["multipliers"], full["multiplications"]);
  EXPECT_LT(full["max_error"], 1e-6);
  EXPECT_LE(full["max_error"], full["error_bound"]);
  EXPECT_LT(json_of("hardware puma560 inverse --word 22 --json")["max_error"], 1e-4);
  const auto shared = json_of("hardware puma560 inverse --units 8 --json");
  EXPECT_EQ(shared["multipliers"], 8);
  const int most = std::max(full["multiplications"].get<int>(), full["additions"].get<int>());
  EXPECT_EQ(shared["interval"], (most + 7) / 8);
}

TEST(CliHardware, WordsOfAnyLength) {
  Scratch scratch;
  const auto ik =
      json_of("hardware puma560 ik --word 64 --samples 3 --json -o " + scratch.path("v"));
  EXPECT_EQ(ik["word"], 64);
  EXPECT_LT(ik["max_error"], 2e-17);
  const std::string sent = content(scratch.path("v/puma560_ik_in.hex"));
  EXPECT_EQ(sent.find('\n'), 145u);  // nine words of 64 bits and three signs, in hexadecimal
  const auto longest = json_of("hardware planar3 inverse --word 100 --units 2 --json");
  EXPECT_LE(longest["max_error"], longest["error_bound"]);
  EXPECT_LT(longest["error_bound"], 1e-17);
  EXPECT_LT(json_of("hardware planar3 inverse --word 6 --json")["max_error"], 1);
  json_of("hardware planar3 inverse --array log --word 6 --samples 3 --json -o " +
          scratch.path("w"));
  EXPECT_TRUE(contains(content(scratch.path("w/parid_vector_processor.v")), "WORD = 6"));
  EXPECT_TRUE(contains(content(scratch.path("w/planar3_log_nodes.svg")), "Y 1,3"));
  EXPECT_TRUE(contains(content(scratch.path("w/planar3_log_nodes.dot")), "X 1,2"));
  EXPECT_TRUE(contains(content(scratch.path("w/planar3_log_timing.svg")), "ω̇1,3"));
  for (const char* word : {"5", "101"}) {
    const auto said = parid_line(std::string("hardware puma560 ik --word ") + word);
    EXPECT_EQ(said.code, 2);
    EXPECT_TRUE(contains(said.err, "6 to 100")) << said.err;
  }
}

TEST(CliHardware, LathropsArrays) {
  const auto log = json_of("hardware puma560 inverse --array log --json");
  EXPECT_EQ(log["formula"]["backward_processors"], 468);
  EXPECT_EQ(log["formula"]["forward_processors"], 169);
  EXPECT_EQ(log["formula"]["modules"], 637);
  EXPECT_EQ(log["modules"], 278);
  EXPECT_EQ(log["backward_processors"].get<int>() + log["forward_processors"].get<int>(), 278);
  EXPECT_NEAR(278 * log["utilisation"].get<double>(),
              637 * log["formula"]["utilisation"].get<double>(), 1e-9);
  const Ran said = parid_line("hardware puma560 inverse --array log");
  EXPECT_TRUE(contains(said.out, "built: 278 processors")) << said.out;
  EXPECT_TRUE(contains(said.out, "Table 6: 637 processors")) << said.out;
  EXPECT_TRUE(contains(said.out, "takes 2 and 4")) << said.out;
  EXPECT_EQ(log["clocks"]["add"], 1);
  EXPECT_EQ(log["clocks"]["matrix_vector"], 3);
  EXPECT_EQ(log["emitted_clocks"]["add"], 2);
  EXPECT_EQ(log["emitted_clocks"]["matrix_vector"], 4);
  EXPECT_EQ(log["emitted_interval"], 6);
  EXPECT_GT(log["emitted_latency"], log["latency"]);
  EXPECT_EQ(log["interval"], 4);
  EXPECT_LT(log["max_error"], 1e-12);
  const auto one = json_of("hardware puma560 inverse --array linear --folded --json");
  EXPECT_EQ(one["backward_processors"], 22);
  EXPECT_EQ(one["forward_processors"], 8);
  EXPECT_EQ(one["interval"], 24);
  EXPECT_LT(one["max_error"], 1e-12);
  const auto tier = json_of("hardware puma560 inverse --array log --folded --json");
  EXPECT_EQ(tier["formula"]["backward_processors"], 108);
  EXPECT_EQ(tier["formula"]["forward_processors"], 39);
  EXPECT_LT(tier["modules"], 108 + 39);
  EXPECT_EQ(tier["interval"], 12);
  EXPECT_LT(tier["max_error"], 1e-12);
  EXPECT_EQ(tier["processor"]["busses"], 2);
  EXPECT_EQ(tier["buffers"].get<int>(),
            tier["internal_buffers"].get<int>() + tier["external_buffers"].get<int>());
  for (const char* how : {"linear", "linear --folded", "log", "log --folded"})
    EXPECT_LT(json_of(std::string("hardware stanford inverse --json --array ") + how)["max_error"],
              1e-12);
  EXPECT_TRUE(contains(parid_line("hardware quadruped inverse --array log").err, "a serial chain"));
}

// The older name of the command, for one more release.
TEST(CliHardware, OlderNameWorks) {
  auto now = json_of("hardware puma560 ik --json"), older = json_of("pipeline puma560 ik --json");
  EXPECT_EQ(now["schema"], "parid.hardware/1");
  EXPECT_EQ(older["schema"], "parid.pipeline/1");
  now.erase("schema");
  older.erase("schema");
  EXPECT_EQ(now, older);
  EXPECT_TRUE(contains(parid_line("pipeline --help").out, "parid pipeline [OPTION"));
  EXPECT_FALSE(contains(parid_line("--help").out, "\n  pipeline"));
}

TEST(CliHardware, WhatCannotBeIsSaid) {
  EXPECT_EQ(parid_line("hardware chain:6 ik").code, 2);
  EXPECT_TRUE(contains(parid_line("hardware chain:6 ik").err, "no closed-form inverse kinematics"));
  EXPECT_EQ(parid_line("hardware panda ik").code, 2);
  EXPECT_TRUE(contains(parid_line("hardware panda ik").err, "lock a joint with --lock"));
  EXPECT_EQ(parid_line("hardware puma560 ik --unit dsp").code, 2);
  EXPECT_EQ(parid_line("hardware puma560 ik_step").code, 2);
  const Ran floating = parid_line("hardware quadruped inverse");
  EXPECT_EQ(floating.code, 2);
  EXPECT_TRUE(
      contains(floating.err, "robot 'quadruped' has joints with several degrees of freedom"))
      << floating.err;
  EXPECT_TRUE(contains(parid_line("hardware puma560 ik --arrangement fastes").err, "did you mean"));
}

// A controller for a robot file: the interval asked for, an error within the proven bound, a
// prediction that the simulation meets, and Verilog in files.
TEST(CliHardware, AControllerCore) {
  Scratch scratch;
  const auto j = json_of("hardware puma560 controller --verify model --samples 5 --json -o " +
                         scratch.path("core"));
  EXPECT_EQ(j["interval"], 24);
  EXPECT_EQ(j["setpoint"], "pose");
  EXPECT_LT(j["feedback_latency"], j["latency"]);
  EXPECT_GT(j["max_error"], 0);
  EXPECT_LE(j["max_error"], j["error_bound"]);
  EXPECT_TRUE(j["verification"]["as_predicted"]);
  const double predicted = j["prediction"]["degradation"], found = j["verification"]["degradation"];
  EXPECT_NEAR(found, predicted, 0.1 * predicted);
  EXPECT_EQ(j["files"].size(), 7u);
  EXPECT_NE(content(scratch.path("core/puma560_controller.v")).find("module puma560_controller ("),
            std::string::npos);
  // The register map as a header: kp1 is read back from its address.
  const std::string header = content(scratch.path("core/puma560_controller_registers.h"));
  EXPECT_NE(header.find("PUMA560_CONTROLLER_KP1 0x100"), std::string::npos) << header;
  EXPECT_EQ(json_of("hardware ur5 controller --json")["setpoint"], "joint");
  EXPECT_EQ(json_of("hardware puma560 controller --interval 1 --json")["interval"], 1);
}

}  // namespace
}  // namespace parid::test
