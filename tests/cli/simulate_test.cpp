// parid simulate, as people run it.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/file/csv.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using Words = std::vector<std::string>;

TEST(CliSimulate, EnergyOfAFreeSwingStays) {
  const auto r = json_of("simulate planar2 --from 0.5,0 --time 2 --limits none --json");
  EXPECT_EQ(r["schema"], "parid.simulate/1");
  EXPECT_EQ(r["end"], "finished");
  EXPECT_EQ(r["samples"], 201);
  EXPECT_LT(r["relative_energy_drift"], 1e-9);
  EXPECT_EQ(r["t"].back(), 2);
  const double before = r["kinetic"][0].get<double>() + r["potential"][0].get<double>();
  for (std::size_t i = 0; i < 201; ++i)
    EXPECT_NEAR(r["kinetic"][i].get<double>() + r["potential"][i].get<double>(), before, 1e-7);
}

// Torques along a motion, the motion along those torques, the torques along that motion.
TEST(CliSimulate, TorqueReadsBackWhatItWrites) {
  Scratch scratch;
  const std::string torques = scratch.path("torques.csv"), back = scratch.path("back.csv");
  ASSERT_EQ(parid_program({"torque", "planar2", "-o", torques}).code, 0);
  for (const char* ending : {"moved.csv", "moved.npz"}) {
    const std::string moved = scratch.path(ending);
    const Ran ran = parid_program({"simulate", "planar2", "--torque", torques, "--from",
                                   "-0.7,-0.7", "--limits", "none", "-o", moved});
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(contains(ran.err, "finished at")) << ran.err;
    ASSERT_EQ(parid_program({"torque", "planar2", moved, "-o", back}).code, 0);
    const Table given = read_csv(torques), got = read_csv(back);
    // The simulation's rows are at multiples of 0.01 s; the applied torque is the file's.
    ASSERT_GT(got.rows, 100u);
    for (std::size_t r = 0; r < got.rows; ++r) {
      std::size_t i = 0;
      while (i + 2 < given.rows && given.at(i + 1, 0) < got.at(r, 0)) ++i;
      const double s = (got.at(r, 0) - given.at(i, 0)) / (given.at(i + 1, 0) - given.at(i, 0));
      for (std::size_t k = 1; k <= 2; ++k)
        EXPECT_NEAR(got.at(r, k), given.at(i, k) + s * (given.at(i + 1, k) - given.at(i, k)), 1e-8);
    }
  }
}

TEST(CliSimulate, ControllersFollowAMotion) {
  const auto r = json_of("simulate puma560 --controller computed_torque --json");
  EXPECT_EQ(r["end"], "finished");
  EXPECT_EQ(r["controller"], "computed_torque");
  for (const auto& v : r["v"].back()) EXPECT_NEAR(v.get<double>(), 0, 1e-3);
}

TEST(CliSimulate, ALimitEndsItWithItsTimeAndExitCodeOne) {
  const Ran ran = parid_line("simulate planar2 --from 0.5,0 --velocity 3,0 --gravity 0,0,0 --json");
  EXPECT_EQ(ran.code, 1);
  const auto r = nlohmann::json::parse(ran.out);
  EXPECT_EQ(r["end"], "limit");
  EXPECT_TRUE(contains(r["why"].get<std::string>(), "reaches its limit")) << r["why"];
  EXPECT_LT(r["ended_at"], 2);
  EXPECT_EQ(r["t"].back(), r["ended_at"]);
  // As text: the simulated motion is written, and the reason of its end is on standard error.
  const Ran text = parid_line("simulate planar2 --from 0.5,0 --velocity 3,0 --gravity 0,0,0");
  EXPECT_EQ(text.code, 1);
  EXPECT_EQ(text.out.substr(0, 11), "t,q:joint1,");
  EXPECT_TRUE(contains(text.err, "limit at ")) << text.err;
}

// Corke's PUMA has friction; held by nothing it sinks, loses energy and the account is square.
TEST(CliSimulate, FrictionIsAccountedFor) {
  const auto r = json_of("simulate puma560 --friction --time 0.5 --limits none --json");
  EXPECT_EQ(r["end"], "finished");
  EXPECT_GT(r["losses"].back(), 0.1);
  EXPECT_LT(r["relative_energy_drift"], 1e-6);
}

TEST(CliSimulate, MistakesAreNamed) {
  auto says = [](const std::string& line, const std::string& part) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_TRUE(contains(ran.err, part)) << line << ": " << ran.err;
  };
  says("simulate planar2 --from 1", "--from: 1 number given; this robot needs 2: joint1, joint2");
  std::string many = "1";  // longer than a name of a file may be
  for (int i = 0; i < 200; ++i) many += ",1";
  says("simulate planar2 --from " + many, "--from: 201 numbers given; this robot needs 2");
  says("simulate planar2 --integrator rk5", "did you mean 'rk4'?");
  says("simulate planar2 --controller pid", "did you mean 'pd'?");
  says("simulate planar2 --kp 5", "--kp: it requires --controller");
  says("simulate planar2 --from 3,0", "the start position of 'joint1' is 3, beyond");
  says("simulate planar2 --time -1", "the time is -1");
  says("simulate planar2 --limits some", "--limits: unknown value 'some'");
  says("simulate planar2 --plot a.gif", "a.gif");
  says("simulate planar2 -o a.txt", "a.txt");
  says("simulate planar2 --torque nowhere.csv", "nowhere.csv");
}

TEST(CliSimulate, Plots) {
  Scratch scratch;
  const std::string picture = scratch.path("run.svg");
  const Ran ran =
      parid_program({"simulate", "planar2", "--from", "0.5,0", "--time", "1", "--limits", "none",
                     "-o", scratch.path("run.csv"), "--plot", picture});
  if (contains(ran.err, "gnuplot")) GTEST_SKIP() << ran.err;
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string svg = content(picture);
  EXPECT_TRUE(contains(svg, "<svg"));
  EXPECT_TRUE(contains(svg, "kinetic"));
}

}  // namespace
}  // namespace parid::test
