// parid compare: exact figures, the keys of its JSON, and messages for mistakes.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using nlohmann::json;

const json& with(const json& list, const std::string& key, const std::string& value) {
  for (const json& one : list)
    if (one.at(key) == value) return one;
  throw std::runtime_error("nothing with " + key + " = " + value);
}

std::string refusal(const std::string& line) {
  const Ran ran = parid_line(line);
  EXPECT_EQ(ran.code, 2) << line << "\n" << ran.err;
  EXPECT_EQ(ran.out, "") << line;
  return ran.err;
}

TEST(Compare, CountsAsWrittenOfSixLinks) {
  const json all = json_of("compare chain:6 --samples 1 --json")["formulations"];
  auto expect = [&](const char* id, int multiplications, int additions) {
    const json& f = with(all, "id", id);
    EXPECT_EQ(f["multiplications"], multiplications) << id;
    EXPECT_EQ(f["additions"], additions) << id;
  };
  expect("uicker_kahn", 75270, 57850);
  expect("waters", 7045, 5454);
  expect("hollerbach4", 4268, 3394);
  expect("hollerbach3", 2115, 1626);
  expect("newton_euler_base", 162 * 6 - 42, 128 * 6 - 36);
  expect("newton_euler_conventional", 135 * 6 - 24, 110 * 6 - 24);
  expect("newton_euler_lambda", 101 * 6 - 18, 100 * 6 - 15);
  expect("newton_euler_link", 107 * 6, 103 * 6);
}

TEST(Compare, SimplificationFindsTheZerosOfFourByFourMatrices) {
  const json all =
      json_of("compare chain:6 --samples 1 --only hollerbach3,hollerbach4 --json")["formulations"];
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["simplified"],
            all[1]["simplified"]);  // all that sets them apart is zeros and ones
  EXPECT_EQ(all[0]["customised"], all[1]["customised"]);
  EXPECT_EQ(all[0]["depth"], all[1]["depth"]);
}

TEST(Compare, GrowthIsFittedExactly) {
  const json all = json_of("compare chain:6 --samples 1 --vary n=2..12 --json")["growth"];
  auto expect = [&](const char* id, const char* multiplications, const char* additions) {
    const json& g = with(all, "id", id);  // the first: as written
    EXPECT_EQ(g["convention"], "as written");
    EXPECT_EQ(g["multiplications_fit"], multiplications) << id;
    EXPECT_EQ(g["additions_fit"], additions) << id;
    EXPECT_EQ(g["fit_from"], 2) << id;
    EXPECT_EQ(g["n"].size(), 11u) << id;
    EXPECT_EQ(g["multiplications"].size(), 11u) << id;
  };
  expect("uicker_kahn", "65/2 n^4 + 356/3 n^3 + 407/2 n^2 + 160/3 n − 128",
         "25 n^4 + 274/3 n^3 + 155 n^2 + 119/3 n − 96");
  expect("waters", "213/2 n^2 + 1241/2 n − 512", "82 n^2 + 481 n − 384");
  expect("hollerbach4", "810 n − 592", "643 n − 464");
  expect("hollerbach3", "398 n − 273", "305 n − 204");
  expect("newton_euler_base", "162 n − 42", "128 n − 36");
  expect("newton_euler_conventional", "135 n − 24", "110 n − 24");
  expect("newton_euler_lambda", "101 n − 18", "100 n − 15");
  expect("newton_euler_link", "107 n", "103 n");
}

TEST(Compare, PublishedFiguresStandBesideOurs) {
  const json all = json_of(
      "compare chain:6 --samples 1 --published --only newton_euler_link --json")["published"];
  auto expect = [&](const std::string& source, const std::string& method, const json& printed,
                    const json& ours, const char* verdict) {
    for (const json& p : all)
      if (p["source"].get<std::string>().starts_with(source) &&
          p["method"].get<std::string>().starts_with(method)) {
        EXPECT_EQ(p["printed"], printed) << method;
        EXPECT_EQ(p["ours"], ours) << method;
        EXPECT_EQ(p["verdict"], verdict) << method;
        EXPECT_NE(p["reason"], "") << method;
        return;
      }
    ADD_FAILURE() << "no " << source << ", " << method;
  };
  expect("Hollerbach (1980), Table I;", "Uicker/Kahn", {67143.0, 51548.0}, {67143.0, 51535.0},
         "reproduced");  // his own convention
  expect("Hollerbach (1980), Table I;", "Waters", {7045.0, 5652.0}, {7045.0, 5454.0}, "reproduced");
  expect("Hollerbach (1980), Table II;", "Uicker/Kahn", {66271.0, 51548.0}, {67143.0, 51548.0},
         "refuted");
  const std::string table = "Dhanaraj (1990), Table 2.9";
  expect(table, "Method I (λ), per revolute", {92.0, 76.0}, {92.0, 82.0}, "refuted");
  expect(table, "Method I (λ), per prismatic", {59.0, 54.0}, {68.0, 60.0}, "refuted");
  expect(table, "Method II (conventional), per revolute", {135.0, 123.0}, {135.0, 110.0},
         "refuted");
  expect(table, "Method II (conventional), per prismatic", {108.0, 92.0}, {108.0, 94.0}, "refuted");
  for (const json& p : all) {
    const std::string verdict = p["verdict"];
    EXPECT_TRUE(verdict == "reproduced" || verdict == "refuted" || verdict == "not derivable")
        << verdict;
  }
}

TEST(Compare, ParallelFiguresOfThePapers) {
  const json all = json_of(
      "compare chain:6 --samples 1 --published --only lathrop,lee_chang --json")["published"];
  int reproduced = 0;
  for (const json& p : all) {
    const std::string source = p["source"];
    if (!source.starts_with("Lathrop") && !source.starts_with("Lee")) continue;
    if (p["verdict"] != "reproduced") continue;
    EXPECT_EQ(p["printed"], p["ours"]) << p["method"];
    ++reproduced;
  }
  EXPECT_EQ(reproduced, 10);
}

TEST(Compare, OneEvaluationOnProcessors) {
  const json e = json_of(
      "compare stanford --samples 1 --only lee_chang_pfold --processors 6 --network shuffle "
      "--json")["scans"]["evaluation"];
  EXPECT_EQ(e["processors"], 6);
  EXPECT_EQ(e["links_per_processor"], 1);
  EXPECT_EQ(e["operations"].size(), 6u);
  ASSERT_EQ(e["networks"].size(), 1u);
  EXPECT_EQ(e["networks"][0]["network"], "shuffle");
  EXPECT_EQ(e["networks"][0]["recurrences"][0]["width"], 9);
  long m = 0;
  for (const json& step : e["steps"]) m += step["time"][0].get<long>();
  EXPECT_EQ(e["time"][0], m);
  EXPECT_GE(e["over_bound"], 1.0);
  // On all links' processors the doubling has an element more than processors; idle ones are fine.
  const json seven =
      json_of("compare chain:6 --samples 1 --only lee_chang --processors 7 --json")["scans"];
  EXPECT_EQ(seven["evaluation"]["processors"], 6);
  EXPECT_EQ(seven["evaluation"]["time"], json({216, 197}));
  EXPECT_EQ(refusal("torque chain:6 --method lathrop --processors 2"),
            "--processors: method 'lathrop' does not run on a chosen number of processors; add "
            "--method lee_chang_pfold\n");
}

TEST(Compare, ScansOnProcessors) {
  const json scans =
      json_of("compare chain:6 --samples 1 --only lee_chang --processors 5 --json")["scans"];
  EXPECT_EQ(scans["processors"], 5);
  EXPECT_EQ(with(scans["strategies"], "strategy", "serial")["time"], 6);
  EXPECT_EQ(with(scans["strategies"], "strategy", "recursive doubling (FOHRA)")["depth"], 3);
  EXPECT_EQ(with(scans["strategies"], "strategy", "p-fold (PFP)")["time"], 5);
  EXPECT_EQ(scans["p_fold_corrected"], 5);
  EXPECT_EQ(scans["lower_bound"], json({2, 3}));
  EXPECT_EQ(scans["routing"].size(), 3u);
  const std::string text =
      parid_line(
          "compare chain:1023 --samples 1 --only newton_euler_link --network inverse-shuffle")
          .out;
  EXPECT_TRUE(contains(text, "inverse-shuffle                       20      10            10"))
      << text;
  EXPECT_FALSE(contains(text, "cascade"));
  EXPECT_EQ(
      refusal("compare chain:6 --processors 8"),
      "--processors: 8 is out of range; 6 links have 7 elements: give a number from 1 to 7\n");
  EXPECT_EQ(refusal("compare chain:6 --network schuffle"),
            "--network: unknown network 'schuffle'; did you mean 'shuffle'? choose from cascade, "
            "shuffle, inverse-shuffle\n");
  EXPECT_EQ(refusal("compare humanoid --processors 2"),
            "--processors: scans need a serial chain, and robot 'humanoid' branches; choose a "
            "chain, such as chain:6\n");
}

TEST(Compare, FormulationsAgree) {
  for (const char* robot : {"puma560", "stanford", "scara"}) {
    const Ran ran = parid_line(std::string("compare ") + robot + " --json");
    EXPECT_EQ(ran.code, 0) << robot;
    const json all = json::parse(ran.out);
    EXPECT_EQ(all["samples"], 100);
    EXPECT_GE(all["formulations"].size(), 8u);
    for (const json& f : all["formulations"]) {
      if (f["exact"]) {
        EXPECT_LE(f["max_relative_error"], 1e-12) << f["id"] << " on " << robot;
      }
      EXPECT_GT(f["ns"], 0) << f["id"];
    }
    for (const json& f : all["forward_methods"])
      EXPECT_LE(f["max_relative_error"], 1e-9) << f["id"] << " on " << robot;
  }
}

const std::vector<std::string> figures{"max_relative_error", "multiplications", "additions",
                                       "depth", "ns"};

TEST(Compare, JsonHasEveryFigure) {
  const json all = json_of("compare planar2 --samples 3 --json");
  EXPECT_EQ(all["schema"], "parid.compare/1");
  EXPECT_EQ(all["robot"], "planar2");
  EXPECT_EQ(all["samples"], 3);
  for (const json& f : all["formulations"]) {
    EXPECT_TRUE(f["id"].is_string());
    const bool prepared = f["id"] == "configuration_space" || f["id"] == "significant_terms";
    for (const std::string& key : figures)
      EXPECT_EQ(f.at(key).is_number(), key != "depth" || !prepared) << f["id"] << " " << key;
    EXPECT_EQ(f.contains("reason"), prepared) << f["id"];
  }
  EXPECT_FALSE(all.contains("published"));
  EXPECT_FALSE(all.contains("growth"));
}

TEST(Compare, WhatIsOutOfScopeIsNullWithAReason) {
  const json all = json_of("compare humanoid --samples 1 --json")["formulations"];
  for (const char* id : {"uicker_kahn", "waters", "hollerbach4", "hollerbach3"})
    EXPECT_EQ(with(all, "id", id)["reason"], "it covers serial chains, and this robot branches");
  EXPECT_EQ(with(all, "id", "newton_euler_base")["reason"],
            "it covers revolute and prismatic joints, and this robot has others");
  for (const json& f : all)
    for (const std::string& key : figures)
      EXPECT_EQ(f.at(key).is_null(), f.contains("reason")) << f["id"] << " " << key;
  EXPECT_TRUE(with(all, "id", "newton_euler_link")["depth"].is_number());
  EXPECT_TRUE(
      contains(parid_line("compare humanoid --samples 1 --markdown --only waters").out,
               "| waters | – | – | – | it covers serial chains, and this robot branches |\n"));
}

TEST(Compare, WhatIsTooLargeToTraceIsCountedAllTheSame) {
  const json all =
      json_of("compare chain:20 --samples 1 --only uicker_kahn --json")["formulations"];
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["multiplications"],
            65 * 80000 + 356 * 8000 / 3.0 + 407 * 200 + 160 * 20 / 3.0 - 128);
  EXPECT_TRUE(all[0]["depth"].is_null());
  EXPECT_EQ(all[0]["reason"], "its graph would have more than 3000000 nodes");
  EXPECT_TRUE(all[0]["simplified"].is_null());
}

TEST(Compare, Markdown) {
  const Ran rows = parid_line(
      "compare chain:6 --markdown --only waters,hollerbach3 --only newton_euler_conventional");
  EXPECT_EQ(rows.code, 0);
  EXPECT_EQ(rows.out,
            "| formulation | as written M/A | simplified M/A | customised M/A | depth |\n"
            "|---|---:|---:|---:|---:|\n"
            "| waters | 7045/5454 | 2198/1614 | 1804/1311 | 40 |\n"
            "| hollerbach3 | 2115/1626 | 1058/849 | 927/717 | 63 |\n"
            "| newton_euler_conventional | 786/636 | 573/455 | 567/429 | 53 |\n");
  EXPECT_EQ(
      parid_line("compare --only waters chain:6 --vary n=2..12 --markdown").out,
      "| formulation | convention | multiplications | additions |\n"
      "|---|---|---|---|\n"
      "| waters | as written, n = 2..12 | 213/2 n^2 + 1241/2 n − 512 | 82 n^2 + 481 n − 384 |\n"
      "| waters | simplified, n = 2..12 | 101/2 n^2 + 175/2 n − 145  (n ≥ 3) | 79/2 n^2 + 103/2 n "
      "− 117  (n ≥ 3) |\n");
  const Ran published = parid_line("compare chain:6 --published --markdown");
  EXPECT_TRUE(
      published.out.starts_with("| source | method | printed M/A | ours M/A | verdict | reason "
                                "|\n|---|---|---|---|---|---|\n"));
  EXPECT_TRUE(contains(published.out,
                       "| 92/76 | 92/82 | refuted | the multiplications agree; n_i needs 21 "
                       "additions, not 15 (ours: newton_euler_lambda, "));
  EXPECT_FALSE(contains(published.out, "as written M/A"));
}

TEST(Compare, MarkdownIsTheSameEveryTime) {
  EXPECT_EQ(parid_line("compare scara --markdown").out, parid_line("compare scara --markdown").out);
}

TEST(Compare, OnlyLeavesOutTheRest) {
  const json all = json_of("compare planar2 --samples 1 --only waters --json");
  ASSERT_EQ(all["formulations"].size(), 1u);
  EXPECT_EQ(all["formulations"][0]["id"], "waters");
  EXPECT_EQ(all["forward_methods"].size(), 0u);
  EXPECT_FALSE(contains(parid_line("compare planar2 --samples 1 --only waters").out, "hollerbach"));
}

TEST(Compare, Mistakes) {
  for (const char* range : {"nonsense", "n=2", "n=5..2", "n=0..4", "n=2..65", "n=2..5x"})
    EXPECT_EQ(refusal(std::string("compare chain:6 --vary ") + range),
              std::string("--vary: invalid range '") + range +
                  "'; give n=2..20, with 1 ≤ from ≤ to ≤ 64\n");
  EXPECT_EQ(refusal("compare puma560 --vary n=2..5"),
            "--vary: 'puma560' is not a family of robots; use one, such as chain:6\n");
  EXPECT_TRUE(contains(refusal("compare puma560 --samples 0"), "--samples"));
  EXPECT_TRUE(contains(refusal("compare chian:6"), "did you mean 'chain:N'?"));
  EXPECT_TRUE(contains(refusal("compare puma560 --only watrs"),
                       "--only: unknown formulation 'watrs'; did you mean 'waters'? choose from "
                       "uicker_kahn, waters, "));
  EXPECT_TRUE(contains(refusal("compare puma560 --only waters,zzz"),
                       "unknown formulation 'zzz'; choose from uicker_kahn"));
  EXPECT_TRUE(contains(refusal("compare puma560 --json --markdown"), "--markdown"));
  EXPECT_TRUE(contains(refusal("compare"), "ROBOT is required"));
}

}  // namespace
}  // namespace parid::test
