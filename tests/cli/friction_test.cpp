// parid torque --friction, and the case study's figures in the documents.

#include <gtest/gtest.h>

#include <cmath>

#include "base/file/csv.hpp"
#include "base/file/npz.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using nlohmann::json;

TEST(CliFriction, PartsSumToTheTotalInEveryFormat) {
  Scratch scratch;
  for (const std::string robot : {"puma560", "puma560-positioning"}) {
    const json with = json_of("torque " + robot + " --friction --json"),
               without = json_of("torque " + robot + " --json");
    EXPECT_EQ(with["rigid"].size(), without["tau"].size());
    double most = 0;
    for (std::size_t r = 0; r < with["tau"].size(); ++r)
      for (std::size_t k = 0; k < with["tau"][r].size(); ++k) {
        const double rigid = with["rigid"][r][k], bearing = with["bearing"][r][k],
                     drive = with["drive"][r][k];
        EXPECT_NEAR(rigid, without["tau"][r][k].get<double>(), 1e-12 * (1 + std::abs(rigid)));
        EXPECT_DOUBLE_EQ(with["tau"][r][k], rigid + bearing + drive);
        most = std::max(most, std::abs(bearing) + std::abs(drive));
      }
    EXPECT_GT(most, 0) << robot;
    EXPECT_FALSE(without.contains("rigid"));

    const std::string npz = scratch.path("x.npz");
    EXPECT_EQ(parid_line("torque " + robot + " --friction -o " + npz).code, 0);
    const Npz arrays(npz);
    for (const char* part : {"tau", "rigid", "bearing", "drive"})
      EXPECT_EQ(arrays.read(part).at(50, 1), with[part][50][1].get<double>()) << part;
  }
}

TEST(CliFriction, ColumnsAreNamed) {
  const std::string csv = parid_line("torque puma560-positioning --friction").out;
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "t,tau:joint1,tau:joint2,tau:joint3,rigid:joint1,rigid:joint2,rigid:joint3,"
            "bearing:joint1,bearing:joint2,bearing:joint3,drive:joint1,drive:joint2,drive:joint3");
  const std::string plain =
      parid_line("torque puma560-positioning docs/friction/table-3-5.csv --friction").out;
  EXPECT_EQ(
      plain.substr(0, plain.find('\n')),
      "t,tau1,tau2,tau3,rigid1,rigid2,rigid3,bearing1,bearing2,bearing3,drive1,drive2,drive3");
}

TEST(CliFriction, OtherMethodsHaveTheSameFriction) {
  const json one = json_of("torque puma560-positioning --friction --json"),
             other = json_of("torque puma560-positioning --friction --method waters --json");
  for (const int r : {10, 60, 150})
    for (const int k : {0, 1, 2}) {
      EXPECT_NEAR(one["tau"][r][k], other["tau"][r][k].get<double>(), 1e-9);
      EXPECT_EQ(one["bearing"][r][k], other["bearing"][r][k]);
    }
}

TEST(CliFriction, AsPrintedIsForTheCaseStudyAlone) {
  const Ran other = parid_line("torque puma560 --friction --as-printed");
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "only puma560-positioning has printed figures")) << other.err;
  const Ran bare = parid_line("torque puma560-positioning --as-printed");
  EXPECT_EQ(bare.code, 2);
  EXPECT_TRUE(contains(bare.err, "it requires --friction")) << bare.err;
  EXPECT_EQ(parid_line("torque puma560-positioning --friction --as-printed --payload 1").code, 2);
}

// The thesis' columns 1 to 3 to all their decimals, at the state that was recovered.
TEST(CliFriction, PrintedTable) {
  const json table = json_of(
      "torque puma560-positioning docs/friction/table-3-5.csv --friction --as-printed --json");
  const char* printed[3][3] = {{"1.2140", "1.7803", "2.9943"},
                               {"-15.6364", "-0.3281", "-15.9646"},
                               {"-0.8042", "0.1241", "-0.6801"}};
  auto four = [](double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4f", x);
    return std::string(text);
  };
  for (int i = 0; i < 3; ++i) {
    const double rigid = table["rigid"][0][i], bearing = table["bearing"][0][i];
    EXPECT_EQ(four(rigid), printed[i][0]);
    EXPECT_EQ(four(bearing), printed[i][1]);
    EXPECT_NEAR(rigid + bearing, std::stod(printed[i][2]), 1.1e-4);  // the sum of two roundings
  }
}

// Numbers in docs/case-study.md and docs/friction/ are those of the program.
TEST(CliFriction, DocumentsShowWhatTheProgramGives) {
  Scratch scratch;
  const std::string page = content("docs/case-study.md");
  for (const std::string option : {" --as-printed", ""}) {
    const Ran ran = parid_line(
        "torque puma560-positioning docs/friction/table-3-5.csv --friction --explain" + option);
    const std::size_t from = ran.out.find("  joint  ");
    ASSERT_NE(from, std::string::npos);
    EXPECT_TRUE(contains(page, ran.out.substr(from))) << ran.out.substr(from);
  }
  for (const std::string curve : {"dry", "stribeck", "smooth", "journal", "linear", "thrust",
                                  "drive-linear", "drive-spline"}) {
    const std::string base = "docs/friction/" + curve;
    const std::string motion =
        curve.starts_with("drive") || curve == "journal" || curve == "linear" || curve == "thrust"
            ? "load"
            : "velocity";
    // To the last place only where the compiler fuses as it did then.
    const Table now = read_csv(scratch.file(
        "now.csv",
        parid_line("torque " + base + ".toml docs/friction/" + motion + ".csv --friction").out));
    const Table shown = read_csv(base + ".csv");
    EXPECT_EQ(now.columns, shown.columns) << base;
    ASSERT_EQ(now.data.size(), shown.data.size()) << base;
    double off = 0;
    for (std::size_t k = 0; k < now.data.size(); ++k)
      off = std::max(off, std::abs(now.data[k] - shown.data[k]));
    EXPECT_LT(off, 1e-12)
        << base << ": no longer what the program gives; `docs/friction/plot build/release/parid`";
  }
}

}  // namespace
}  // namespace parid::test
