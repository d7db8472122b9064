// parid control and parid stability, as people run them.

#include <gtest/gtest.h>

#include "base/file/csv.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

const std::string swing = "--gains 100,20 --switch 1.57 --motion sine:0.5,0.8,-0.6 --time 5";

TEST(CliControl, OnePolicyIsLostWhereAnotherIsNot) {
  const auto lost =
      json_of("control planar3 --policy binder_herzog --rate 333.3 " + swing + " --json");
  EXPECT_EQ(lost["schema"], "parid.control/1");
  EXPECT_NEAR(lost["diverged_at"].get<double>(), 2.7, 0.05);
  const auto kept = json_of("control planar3 --policy hamilton --rate 333.3 " + swing + " --json");
  EXPECT_TRUE(kept["diverged_at"].is_null());
  EXPECT_LT(kept["final_error"], 6e-4);
  EXPECT_EQ(parid_line("control planar3 --policy binder_herzog --rate 333.3 " + swing).code, 1);
  EXPECT_EQ(parid_line("control planar3 --policy hamilton --rate 333.3 " + swing).code, 0);
}

TEST(CliControl, WritesWhatTheRobotDid) {
  Scratch scratch;
  const std::string file = scratch.path("run.csv");
  const Ran ran = parid_program({"control", "puma560", "--policy", "hamilton", "-o", file});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "largest error")) << ran.out;
  EXPECT_EQ(read_csv(file).columns.size(), 1u + 4 * 6);
  // It is a motion that others read, this command among them.
  EXPECT_EQ(parid_program({"torque", "puma560", file, "-o", scratch.path("tau.csv")}).code, 0);
  const Ran again = parid_program({"control", "puma560", "--motion", file, "--json"});
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST(CliControl, WhatARobotHasBesides) {
  auto error = [](const std::string& more) {
    return json_of("control puma560 --rate 500 --json " + more)["max_error"].get<double>();
  };
  const double plain = error("");
  EXPECT_GT(error("--payload 2"), 2 * plain);
  EXPECT_GT(error("--mass-error 0.2"), 2 * plain);
  EXPECT_GT(error("--noise 1e-3,1e-2"), 2 * plain);
  const double rough = error("--friction --tolerance 1e-7");
  EXPECT_GT(rough, 2 * plain);
  EXPECT_LT(error("--friction --compensate --tolerance 1e-7"), rough);
  EXPECT_GT(error("--law pd"), 2 * plain);
}

TEST(CliControl, Threads) {
  const auto r = json_of(
      "control puma560 --policy hamilton --rate 100 --pose 0,0,0,0,0,0 --time 0.2 --threads 2 "
      "--json");
  EXPECT_EQ(r["threads"], 2);
  EXPECT_EQ(r["periods"], 20);
  EXPECT_TRUE(r["diverged_at"].is_null());
}

TEST(CliControl, Plots) {
  Scratch scratch;
  const std::string picture = scratch.path("run.svg"), radii = scratch.path("radii.svg");
  const Ran ran = parid_program({"control", "planar3", "--plot", picture});
  if (contains(ran.err, "gnuplot")) GTEST_SKIP() << ran.err;
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(content(picture), "<svg"));
  ASSERT_EQ(parid_program({"stability", "planar3", "--plot", radii}).code, 0);
  EXPECT_TRUE(contains(content(radii), "hamilton"));
}

TEST(CliStability, SaysWhatIsSafe) {
  const auto r =
      json_of("stability planar3 --gravity 0,0,0 --gains 100,20 --pose 0.5,0.8,-0.6 --json");
  EXPECT_EQ(r["schema"], "parid.stability/1");
  EXPECT_EQ(r["periods"].size(), 20u);
  std::map<std::string, double> safe;
  for (const auto& p : r["policies"]) {
    safe[p["id"]] = p["largest_safe_period"];
    ASSERT_EQ(p["spectral_radius"].size(), 20u);
    for (std::size_t k = 0; k < 20 && safe[p["id"]] > r["periods"][0]; ++k)
      EXPECT_TRUE(r["periods"][k] >= safe[p["id"]] || p["spectral_radius"][k] < 1) << p["id"];
  }
  EXPECT_NEAR(safe["exact"], 0.1, 1e-4);
  EXPECT_NEAR(safe["binder_herzog"] * 20, .0739, .0739 * 0.01);
  EXPECT_NEAR(safe["hamilton"] * 20, .1949, .1949 * 0.01);
  EXPECT_NEAR(safe["binder_herzog_first"] * 20, .00328, .0001);
}

TEST(CliStability, AMapOverPosesAndAlongAMotion) {
  const auto map =
      json_of("stability puma560 --policy exact --policy hamilton --poses 3 --count 8 --json");
  EXPECT_EQ(map["poses"].size(), 3u);
  for (const auto& p : map["policies"]) {
    ASSERT_EQ(p["by_pose"].size(), 3u);
    for (const auto& safe : p["by_pose"]) EXPECT_GE(safe, p["largest_safe_period"]);
  }
  const auto along = json_of(
      "stability planar3 --policy hamilton --motion sine:0.5,0.8,-0.6 --instants 4 --count 8 "
      "--gains "
      "100,20 --json");
  EXPECT_EQ(along["policies"][0]["by_pose"].size(), 4u);
  EXPECT_GT(along["policies"][0]["largest_safe_period"], 1e-3);
}

TEST(CliStability, AnswersNoWhereARateIsNotSafe) {
  const std::string arm = "stability planar3 --gains 100,20 --pose 0.5,0.8,-0.6 ";
  EXPECT_EQ(parid_line(arm + "--policy hamilton --rate 200").code, 0);
  EXPECT_EQ(parid_line(arm + "--policy hamilton --rate 90").code, 1);
  EXPECT_EQ(parid_line(arm + "--policy hamilton --policy binder_herzog --rate 200").code, 1);
}

TEST(CliControl, MistakesAreNamed) {
  auto says = [](const std::string& line, const std::string& part) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_TRUE(contains(ran.err, part)) << line << ": " << ran.err;
  };
  says("control planar3 --policy hamiltom", "did you mean 'hamilton'?");
  says("control planar3 --law pid", "did you mean 'pd'?");
  says("control planar3 --rate 0", "--rate: 0 is out of range");
  says("control planar3 --gains 5", "--gains: 1 numbers given");
  says("control planar3 --kp 5,6", "kp: 2 numbers given");
  says("control planar3 --motion defalt", "did you mean 'default'?");
  says("control planar3 --motion sine:1,2", "3 amplitudes");
  says("control planar3 --motion nowhere.csv", "nowhere.csv");
  says("control humanoid", "spherical or floating");
  says("control planar3 --noise 1,2,3", "--noise");
  says("control planar3 --noise -1", "position noise");
  says("control planar3 --threads 2 --plot a.svg", "--plot: --threads runs in real time");
  says("control planar3 --model puma560", "has 6 coordinates");
  says("control planar3 --offset 1", "--offset: 1 number given");
  says("control planar3 -o a.txt", "a.txt");
  says("stability planar3 --periods 2,1", "--periods");
  says("stability planar3 --policy delayed:x", "delayed:x");
  says("stability planar3 --rate -1", "--rate");
  says("stability planar3 --simulate --poses 3", "--simulate");
}

}  // namespace
}  // namespace parid::test
