// The rules of the claims: verdicts come from numbers, reasons belong to verdicts, and every claim
// names the code that computes it. docs/papers.md has the verdicts, and tests/docs checks that it
// is current.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/threads/thread_pool.hpp"
#include "papers/papers.hpp"
#include "papers/printed_equations.hpp"
#include "tests/base/scratch.hpp"

namespace parid::papers {
namespace {

TEST(Outcome, WholeNumbersAndTextsAreTheSameOrNot) {
  EXPECT_EQ(exact(141, 141).verdict, Verdict::reproduced);
  EXPECT_EQ(exact(7051, 7045).verdict, Verdict::refuted);
  EXPECT_EQ(exact("2 n + 3", "2 n + 3").verdict, Verdict::reproduced);
  EXPECT_EQ(exact("2 n + 3", "2 n + 5").verdict, Verdict::refuted);
}

TEST(Outcome, DigitsDecideHowNearIsNearEnough) {
  EXPECT_EQ(within("0.6072", 0.60725294).verdict, Verdict::refuted);  // rounds to 0.6073
  EXPECT_EQ(within("0.6072", 0.60725294, 1).verdict, Verdict::reproduced);
  EXPECT_EQ(within("0.6073", 0.60725294).verdict, Verdict::reproduced);
  EXPECT_EQ(within("-15.6364", -15.63644).verdict, Verdict::reproduced);
  EXPECT_EQ(within("-15.6364", 15.63644).verdict, Verdict::refuted);
  EXPECT_EQ(within("1.2e-4", 1.24e-4).verdict, Verdict::reproduced);
  EXPECT_EQ(within("1.2e-4", 1.26e-4).verdict, Verdict::refuted);
  EXPECT_EQ(within("852", 852.4).verdict, Verdict::reproduced);
  EXPECT_EQ(within("852", 852.6).verdict, Verdict::refuted);
  EXPECT_EQ(within("0.6072", 0.60725294).ours, "0.607253");
  EXPECT_THROW(within("about 3", 3), std::logic_error);
}

TEST(Outcome, AReadingThatGivesItReproducesIt) {
  EXPECT_EQ(among("5", {{"one way", "4"}, {"another", "5"}}).verdict, Verdict::reproduced);
  EXPECT_EQ(among("5", {{"one way", "4"}, {"another", "5"}}).ours, "5 (another)");
  EXPECT_EQ(among("5", {{"one way", "4"}, {"another", "6"}}).verdict, Verdict::not_derivable);
  EXPECT_EQ(among("5", {{"one way", "4"}, {"another", "6"}}).ours, "4 (one way); 6 (another)");
}

TEST(Outcome, StatementsAreBorneOutOrNot) {
  EXPECT_EQ(holds("yes", true, "1").verdict, Verdict::reproduced);
  EXPECT_EQ(holds("yes", false, "0").verdict, Verdict::refuted);
  EXPECT_EQ(roughly("60 percent", 60, "57", 57, 5).verdict, Verdict::reproduced);
  EXPECT_EQ(roughly("60 percent", 60, "51", 51, 5).verdict, Verdict::refuted);
  EXPECT_EQ(beyond("7.9 s", "67 µs an operation").verdict, Verdict::not_derivable);
}

TEST(Outcome, SaysWhatOurSideIsMadeOf) {
  EXPECT_EQ(exact(3, 3).basis, Basis::computed);
  EXPECT_EQ(arithmetic(exact(3, 4)).basis, Basis::arithmetic);
  EXPECT_EQ(arithmetic(exact(3, 4)).verdict, Verdict::refuted);
  EXPECT_EQ(cited("1308 s", "not printed").basis, Basis::cited);
  EXPECT_EQ(cited("1308 s", "not printed").verdict, Verdict::not_derivable);
}

TEST(Claim, AReasonExplainsOneVerdict) {
  Claims r("paper");
  r.add("Table 1", "a number", exact(3, 3), "code", reproduced("it is so"));
  r.add("Table 1", "another", exact(3, 4), "code", reproduced("it is so"));
  ASSERT_EQ(r.claims().size(), 2u);
  EXPECT_TRUE(r.claims()[0].explained);
  EXPECT_EQ(r.claims()[0].reason, "it is so");
  EXPECT_FALSE(r.claims()[1].explained);
  EXPECT_EQ(r.claims()[1].verdict, Verdict::refuted);
  EXPECT_EQ(r.claims()[1].reason, "unexplained: it was reproduced, because it is so");
}

TEST(Claim, WhatAChapterThrowsIsNotLost) {
  const Paper broken{"broken", "", {[](Claims&) { throw std::runtime_error("no"); }}};
  EXPECT_THROW(reproduce({&broken, 1}, 2), std::runtime_error);
}

class EveryClaim : public testing::Test {
 protected:
  static void SetUpTestSuite() { claims_ = reproduce(all_papers(), available_cores()); }
  static inline std::vector<Claim> claims_;
};

TEST_F(EveryClaim, HasTheVerdictThatItsReasonExplains) {
  for (const Claim& c : claims_)
    EXPECT_TRUE(c.explained) << c.paper << ", " << c.where << ", " << c.what << ": printed "
                             << c.printed << ", ours " << c.ours << ", " << name(c.verdict);
}

TEST_F(EveryClaim, IsComplete) {
  std::map<std::string, int> of;
  std::set<std::string> titles;
  for (const Claim& c : claims_) {
    ++of[c.paper];
    for (const std::string& part : {c.where, c.what, c.printed, c.ours, c.reason})
      EXPECT_FALSE(part.empty()) << c.paper << ", " << c.where << ", " << c.what;
    EXPECT_TRUE(titles.insert(c.paper + c.where + c.what + c.printed).second)
        << c.paper << ", " << c.where << ", " << c.what << " stands twice";
  }
  for (const Paper& s : all_papers()) EXPECT_GT(of[s.id], 0) << s.id;
}

// "runtime/cost/cost.hpp: cost": the file is there, and the name in it.
void expect_is_there(const std::string& code) {
  const std::size_t colon = code.find(": ");
  ASSERT_NE(colon, std::string::npos) << code;
  const std::string file = code.substr(0, colon), called = code.substr(colon + 2);
  ASSERT_TRUE(std::filesystem::exists(file)) << code;
  EXPECT_NE(test::content(file).find(called), std::string::npos) << code;
}

TEST_F(EveryClaim, NamesTheCodeThatComputesIt) {
  for (const Claim& c : claims_) expect_is_there(c.code);
}

TEST_F(EveryClaim, IsOneOfMany) { EXPECT_GE(claims_.size(), 560u); }

// Ours is arithmetic where the code named is a table of printed numbers or a formula's value.
TEST_F(EveryClaim, FromPrintedTablesAloneIsArithmetic) {
  int arithmetics = 0;
  for (const Claim& c : claims_) {
    arithmetics += c.basis == Basis::arithmetic;
    for (const char* table : {"hollerbach.cpp: hollerbach_tables", "polynomial.hpp: at",
                              "printed_schedules.hpp: printed_"})
      if (c.code.find(table) != std::string::npos) {
        EXPECT_NE(c.basis, Basis::computed) << c.paper << ", " << c.where << ", " << c.what;
      }
  }
  EXPECT_GE(arithmetics, 18);
}

// Statements of the papers that contradict one another or themselves, and their consequences.
TEST_F(EveryClaim, OfTheseIsThere) {
  auto printed = [](const std::string& paper, const std::string& text) {
    for (const Claim& c : claims_)
      if (c.paper == paper && c.printed.find(text) != std::string::npos) return true;
    return false;
  };
  for (const char* text : {"800", "1 to 2 kHz", "about 30", "4 n + 3", "35", "1308", "2.64",
                           "0 to 24", "34.19", "12 n + 9"})
    EXPECT_TRUE(printed("dhanaraj", text)) << text;
  for (const char* text : {"3.6", "25", "5.69", "no less than 60 Hz", "specified"})
    EXPECT_TRUE(printed("lee-chang", text)) << text;
  for (const char* text : {"over one-third", "nearly triple", "half the total time", "2.64"})
    EXPECT_TRUE(printed("lathrop", text)) << text;
}

// ---- errata

TEST(Errata, AnEquationThatIsRightHasNoEffect) {
  for (const char* robot : {"puma560", "planar3"}) {
    EXPECT_TRUE(effect(robot, newton_euler()).none()) << robot;
    EXPECT_TRUE(effect(robot, lagrange()).none()) << robot;
    EXPECT_TRUE(effect(robot, lagrange_far()).none()) << robot;
  }
  EXPECT_TRUE(effect("stanford", lathrop_by_links(false)).none());
}

TEST(Errata, AnEffectIsTheLargestDifference) {
  const Effect e = effect("planar3", [](const auto& m, const auto& at, double* tau) {
    newton_euler()(m, at, tau);
    tau[2] += 3;
  });
  EXPECT_NEAR(e.largest, 3, 1e-9);
  EXPECT_GT(e.of, 10);
  EXPECT_FALSE(e.none());
}

// Without prismatic joints the lost parenthesis has no effect, as the claim states.
TEST(Errata, TheLostParenthesisNeedsASlidingJoint) {
  EXPECT_TRUE(effect("puma560", lathrop_by_links(true)).none());
  EXPECT_FALSE(effect("stanford", lathrop_by_links(true)).none());
}

TEST(Errata, EveryOneHasAnEffectThatIsComputed) {
  const std::vector<Erratum> all = errata(all_papers());
  EXPECT_GE(all.size(), 20u);
  for (const Erratum& e : all) {
    for (const std::string& part : {e.where, e.printed, e.corrected, e.effect})
      EXPECT_FALSE(part.empty()) << e.paper << ", " << e.where;
    EXPECT_FALSE(e.effect.starts_with("none")) << e.paper << ", " << e.where << ", " << e.printed;
    expect_is_there(e.code);
  }
}

}  // namespace
}  // namespace parid::papers
