// parid reproduce on the command line. Its verdicts are checked by docs/papers.md (tests/docs) and
// by tests/papers.

#include <gtest/gtest.h>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(Reproduce, ClaimsOfOnePaper) {
  const auto j = json_of("reproduce lee-chang --json");
  EXPECT_EQ(j["schema"], "parid.reproduce/1");
  EXPECT_EQ(j["papers"][0]["id"], "lee-chang");
  EXPECT_EQ(j["seeds"], j["papers"]);  // its older name
  ASSERT_GE(j["claims"].size(), 40u);
  std::map<std::string, int> counted;
  bool modules = false;
  for (const auto& c : j["claims"]) {
    EXPECT_EQ(c["paper"], "lee-chang");
    EXPECT_EQ(c["seed"], c["paper"]);  // its older name
    ++counted[c["verdict"].get<std::string>()];
    modules |= c["printed"] == "25" && c["ours"] == "25" && c["verdict"] == "reproduced";
  }
  EXPECT_TRUE(modules);
  std::map<std::pair<std::string, std::string>, int> of_basis;
  for (const auto& c : j["claims"])
    ++of_basis[{c["verdict"].get<std::string>(), c["basis"].get<std::string>()}];
  for (const char* verdict : {"reproduced", "refuted", "not derivable"}) {
    EXPECT_EQ(j["verdicts"][verdict], counted[verdict]) << verdict;
    for (const char* basis : {"computed", "arithmetic", "cited"})
      EXPECT_EQ(j["bases"][verdict][basis], (of_basis[{verdict, basis}])) << verdict << basis;
  }
}

TEST(Reproduce, TextNamesPlaceVerdictAndCode) {
  const Ran ran = parid_line("reproduce hollerbach");
  EXPECT_EQ(ran.code, 0) << ran.err;
  for (const char* part : {"Table II", "printed  7051", "ours     7045",
                           "refuted (arithmetic): ", "by src/math/polynomial.hpp: at", "claims: "})
    EXPECT_TRUE(contains(ran.out, part)) << part;
}

TEST(Reproduce, Errata) {
  const Ran ran = parid_line("reproduce lathrop --errata");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "2 (S + Q)")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "N m (stanford)")) << ran.out;
  const Ran markdown = parid_line("reproduce lathrop --errata --markdown");
  EXPECT_TRUE(markdown.out.starts_with("| where |")) << markdown.out;
}

TEST(Reproduce, WrongUsage) {
  const Ran ran = parid_line("reproduce lathropp");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "unknown paper 'lathropp'")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "did you mean 'lathrop'?")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "hamilton")) << ran.err;
  EXPECT_EQ(parid_line("reproduce --json --markdown").code, 2);
}

}  // namespace
}  // namespace parid::test
