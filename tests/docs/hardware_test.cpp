// The tables of docs/hardware.md agree with `parid hardware`. Those on CORDIC functions and gates
// have their own checks (tests/scalar/cordic_test.cpp, ./run gates).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/cli/program.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using Row = std::vector<std::string>;

// The rows below the header with this beginning; empty cells are "".
std::vector<Row> table(const std::string& header) {
  std::istringstream page(content("docs/hardware.md"));
  std::vector<Row> rows;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (inside && !line.starts_with("|")) break;
    if (inside && !line.starts_with("|--")) {
      rows.emplace_back();
      std::istringstream cells(line.substr(1));
      for (std::string cell; std::getline(cells, cell, '|');) {
        const std::size_t first = cell.find_first_not_of(' ');
        rows.back().push_back(first == std::string::npos
                                  ? ""
                                  : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
      }
    }
    inside |= line.starts_with(header);
  }
  EXPECT_FALSE(rows.empty()) << header;
  return rows;
}

std::string whole(const nlohmann::json& value) { return std::to_string(value.get<long>()); }
std::string percent(const nlohmann::json& value) {
  return fmt::format("{:.0f} %", 100 * value.get<double>());
}
// 7.7e-6: to the digits printed.
void expect_about(const std::string& cell, const nlohmann::json& value, const std::string& where) {
  EXPECT_EQ(std::stod(cell), std::stod(fmt::format("{:.1e}", value.get<double>()))) << where;
}

TEST(HardwarePage, Arrangements) {
  for (const Row& row : table("| | modules | stages |")) {
    if (row[0].ends_with("printed")) continue;
    const std::size_t quote = row[0].find('`');
    const std::string arrangement = row[0].substr(quote + 1, row[0].size() - quote - 2),
                      robot = row[0].starts_with("PUMA") ? "puma560" : "stanford";
    const auto j =
        json_of(fmt::format("pipeline {} ik --arrangement {} --json", robot, arrangement));
    EXPECT_EQ(row, (Row{row[0], whole(j["modules"]), whole(j["stages"]), whole(j["buffers"]),
                        whole(j["buffer_lines"]), whole(j["tapped_lines"]),
                        whole(j["buffers_per_edge"]), whole(j["buffers_per_port"])}));
  }
}

TEST(HardwarePage, WordsOfInverseKinematics) {
  for (const Row& row : table("| word | clocks per stage |")) {
    const auto j = json_of("pipeline puma560 ik --json --word " + row[0]);
    EXPECT_EQ(row[1], whole(j["clocks_per_stage"])) << row[0];
    expect_about(row[2], j["position_error"], row[0]);
    expect_about(row[3], j["orientation_error"], row[0]);
    expect_about(row[4], j["singular_position_error"], row[0]);
  }
}

TEST(HardwarePage, WordsOfDynamics) {
  for (const Row& row : table("| word | largest error |")) {
    const auto j = json_of("pipeline puma560 inverse --json --word " + row[0]);
    expect_about(row[1], j["max_error"], row[0]);
    expect_about(row[2], j["error_bound"], row[0]);
  }
}

TEST(HardwarePage, WordsOfATarget) {
  for (const Row& row : table("| robot | target |")) {
    if (!full_tests() && row[0] != "puma560" && row[0] != "ur5") continue;
    const auto j =
        json_of(fmt::format("hardware {} inverse --json --units 8 --max-error {}", row[0], row[1]));
    const std::string where = row[0] + " " + row[1];
    EXPECT_EQ(row[2], "`" + j["method"].get<std::string>() + "`") << where;
    EXPECT_EQ(row[3], whole(j["word"])) << where;
    EXPECT_EQ(row[4], fmt::format("{:.1f}", j["mean_word"].get<double>())) << where;
    EXPECT_EQ(row[5], whole(j["product_bits"])) << where;
    expect_about(row[6], j["max_error"], where);
    expect_about(row[7], j["error_bound"], where);
    expect_about(row[8], j["inner_error"], where);
    expect_about(row[9], j["inner_error_bound"], where);
  }
}

TEST(HardwarePage, UnitsOfDynamics) {
  for (const Row& row : table("| units | interval |")) {
    const bool unrolled = row[0] == "one each";
    const auto j =
        json_of("pipeline puma560 inverse --json" + (unrolled ? "" : " --units " + row[0]));
    EXPECT_EQ(row, (Row{row[0], whole(j["interval"]), whole(j["latency"]), whole(j["buffers"]),
                        whole(j["sine_units"]), percent(j["utilisation"])}));
  }
}

TEST(HardwarePage, Arrays) {
  for (const Row& row : table("| | built | interval |")) {
    const std::string kind = row[0].substr(0, row[0].find(','));
    const bool folded = !row[0].ends_with("systolic");
    const auto j = json_of(fmt::format("pipeline puma560 inverse --json --array {}{}", kind,
                                       folded ? " --folded" : ""));
    EXPECT_EQ(row, (Row{row[0], whole(j["modules"]), whole(j["interval"]), whole(j["latency"]),
                        whole(j["internal_buffers"]), whole(j["external_buffers"]),
                        percent(j["utilisation"]), whole(j["formula"]["modules"]),
                        percent(j["formula"]["utilisation"]), whole(j["emitted_interval"]),
                        whole(j["emitted_latency"])}));
  }
}

}  // namespace
}  // namespace parid::test
