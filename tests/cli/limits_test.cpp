// parid limits, and the summary of parid torque on a terminal.

#include <gtest/gtest.h>
#include <pty.h>

#include <cmath>
#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

const std::string arm =
    "name = 'odd arm'\n[[joint]]\nname = 'first-joint'\nxyz = [0.1, 0, 0.4]\naxis = [0, -1, "
    "0]\nmass = 3\ncom = [0.2, 0, 0]\ninertia = [0.1, 0.1, 0.1]\nlower = -1\nupper = 2\nvelocity = "
    "2\neffort = 60\ncontinuous_effort = 25\nfriction = 1\ngear_ratio = 100\nmotor = {torque = "
    "0.9, continuous_torque = 0.3, speed = 250, power = 90}\n[[joint]]\nname = 'b'\nxyz = [0.5, 0, "
    "0]\naxis = [0, 1, 0]\nmass = 1\ncom = [0.2, 0, 0]\ninertia = [0.02, 0.02, 0.02]\neffort = 20\n"
    "velocity = 3\n";

TEST(CliLimits, AHeavyPayloadFails) {
  const Ran light = parid_line("limits ur5 --payload 2");
  EXPECT_EQ(light.code, 0) << light.out << light.err;
  EXPECT_TRUE(contains(light.out, "\nYES: all limits hold")) << light.out;
  const Ran heavy = parid_line("limits ur5 --payload 20");
  EXPECT_EQ(heavy.code, 1);
  EXPECT_TRUE(contains(heavy.out, "\nNO: ")) << heavy.out;
  EXPECT_TRUE(contains(heavy.out, "undersized by ")) << heavy.out;
  const auto json = json_of("limits ur5 --payload 20 --json");
  EXPECT_EQ(json["holds"], false);
  ASSERT_EQ(json["joints"].size(), 6u);
  // The figures of `parid torque`.
  const auto torque = json_of("torque ur5 --payload 20 --json");
  for (std::size_t k = 0; k < 6; ++k) {
    double peak = 0, at = 0;
    for (std::size_t r = 0; r < torque["tau"].size(); ++r)
      if (const double x = torque["tau"][r][k]; std::abs(x) > std::abs(peak)) {
        peak = x;
        at = torque["t"][r];
      }
    const auto& j = json["joints"][k];
    EXPECT_EQ(j["peak"], peak);
    EXPECT_EQ(j["t"], at);
    EXPECT_NEAR(j["share"], std::abs(peak) / j["limit"].get<double>(), 1e-14);
  }
  EXPECT_EQ(json["limits_broken"].size(), torque["limits_broken"].size());
}

TEST(CliLimits, MissingLimitsAreNotHeld) {
  const Ran none = parid_line("limits chain:2");
  EXPECT_EQ(none.code, 1);
  EXPECT_TRUE(contains(none.out, "UNKNOWN: ")) << none.out;
  EXPECT_TRUE(contains(none.out, "no torque limit for joint1, joint2")) << none.out;
  EXPECT_TRUE(json_of("limits chain:2 --json")["holds"].is_null());
  EXPECT_EQ(parid_line("limits chain:2 --allow-missing").code, 0);
}

TEST(CliLimits, MotorsMarginsAndManyMotions) {
  Scratch scratch;
  const std::string robot = scratch.file("arm.toml", arm), slow = scratch.path("slow.csv"),
                    fast = scratch.path("fast.csv");
  ASSERT_EQ(parid_program({"motion", robot, "-o", slow, "--quiet"}).code, 0);
  ASSERT_EQ(parid_program({"motion", robot, "--motion", "in-turn", "-o", fast, "--quiet"}).code, 0);
  const Ran one = parid_program({"limits", robot, slow});
  EXPECT_TRUE(contains(one.out, "motor ")) << one.out << one.err;
  EXPECT_TRUE(contains(one.out, "friction counts")) << one.out;
  const auto json = nlohmann::json::parse(
      parid_program({"limits", robot, slow, fast, "--motion", "default", "--json"}).out);
  ASSERT_EQ(json["motions"].size(), 3u);
  const auto& j = json["joints"][0];
  EXPECT_NEAR(j["motor_torque"]["value"].get<double>(), j["peak"].get<double>() / 100, 1e-13);
  EXPECT_GT(j["motor_speed"]["value"].get<double>(), 0);
  EXPECT_GT(j["duty"].get<double>(), 0);
  // Friction counts, and a margin is a stricter limit.
  const auto smooth =
      nlohmann::json::parse(parid_program({"limits", robot, slow, "--no-friction", "--json"}).out);
  const auto rough = nlohmann::json::parse(parid_program({"limits", robot, slow, "--json"}).out);
  EXPECT_NE(smooth["joints"][0]["rms"], rough["joints"][0]["rms"]);
  const double share = rough["joints"][0]["share"].get<double>();
  ASSERT_TRUE(share > 0.05 && share < 1) << share;
  const auto strict = nlohmann::json::parse(
      parid_program({"limits", robot, slow, "--margin", "99%", "--json"}).out);
  EXPECT_EQ(strict["holds"], false);
  EXPECT_EQ(strict["margin"], 0.99);
  EXPECT_GT(strict["joints"][0]["undersized"].get<double>(), 1);
}

TEST(CliLimits, HeaviestAndMap) {
  const auto json = json_of("limits ur5 --heaviest --json");
  const double mass = json["heaviest_payload"]["mass"];
  EXPECT_EQ(parid_line("limits ur5 --payload " + std::to_string(mass * 0.999)).code, 0);
  EXPECT_EQ(parid_line("limits ur5 --payload " + std::to_string(mass * 1.001)).code, 1);
  const auto map = json_of("limits ur5 --map --poses 500 --rings 5 --payload 20 --json");
  EXPECT_EQ(map["holds"], false);
  EXPECT_EQ(map["map"]["rings"].size(), 5u);
  EXPECT_LT(map["map"]["everywhere"].get<double>(), 20);
  const Ran light = parid_line("limits ur5 --map --poses 500 --payload 0.5");
  EXPECT_EQ(light.code, 0) << light.out;
  EXPECT_TRUE(contains(light.out, "YES: 0.5 kg holds")) << light.out;
}

TEST(CliLimits, RefusesWhatHasNoEffect) {
  for (const auto& [line, word] :
       {std::pair{"limits ur5 --margin 1", "--margin"},
        {"limits ur5 --margin -5%", "--margin"},
        {"limits ur5 --duty 0", "--duty"},
        {"limits ur5 --poses 9", "--map"},
        {"limits ur5 --map --motion default", "--motion"},
        {"limits ur5 --map --duty 0.5", "--duty"},
        {"limits ur5 --heaviest --tip-wrench 0,0,1,0,0,0", "--heaviest"},
        {"limits ur5 --motion default --motion in-turn --plot a.svg", "--plot"},
        {"limits ur5 --payload nowhere:2", "--payload"}}) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_TRUE(contains(ran.err, word)) << line << ": " << ran.err;
  }
}

// What the program writes on a terminal.
std::string written_on_terminal(std::vector<std::string> words) {
  winsize size{.ws_row = 24, .ws_col = 120, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "dumb", 1);
    words.insert(words.begin(), PARID_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(PARID_PROGRAM, arguments.data());
    _exit(127);
  }
  std::string text;
  char part[4096];
  for (ssize_t n; (n = read(terminal, part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(n));
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

TEST(CliTorque, SummarisesOnATerminalAlone) {
  const std::string summary = written_on_terminal({"torque", "ur5", "--payload", "5"});
  EXPECT_TRUE(contains(summary, "peak torque")) << summary;
  EXPECT_TRUE(contains(summary, "shoulder_lift")) << summary;
  EXPECT_TRUE(contains(summary, "regenerative")) << summary;
  EXPECT_LT(std::count(summary.begin(), summary.end(), '\n'), 24);
  EXPECT_FALSE(contains(summary, "tau:shoulder_lift")) << summary;
  // Rows where they are asked for, and in a pipe.
  EXPECT_TRUE(
      contains(written_on_terminal({"torque", "planar2", "--rate", "5", "-o", "-"}), "tau:joint1"));
  const std::string piped = parid_line("torque ur5 --payload 5").out;
  EXPECT_EQ(std::count(piped.begin(), piped.end(), '\n'), 202);
}

}  // namespace
}  // namespace parid::test
