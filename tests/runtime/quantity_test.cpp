// The table of quantities: complete, consistent with the engine and with code generation, and the
// only place where the library compares their names.

#include "parid/quantity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "codegen/trace/generate.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "parid/dynamics.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class Action>
std::string complaint(Action&& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<std::string> enumerators() {
  std::string text = content("include/parid/quantity.hpp");
  text = text.substr(text.find("enum class Quantity {"));
  text = text.substr(0, text.find("};"));
  const std::regex enumerator(R"(\n  (\w+),)");
  std::vector<std::string> all;
  for (std::sregex_iterator found(text.begin(), text.end(), enumerator), end; found != end; ++found)
    all.push_back((*found)[1]);
  return all;
}

TEST(Quantity, EveryEnumeratorHasARow) {
  EXPECT_GE(quantities().size(), 18U);
  EXPECT_EQ(enumerators().size(), quantities().size());
  for (std::size_t k = 0; k < quantities().size(); ++k) {
    EXPECT_EQ(static_cast<std::size_t>(quantities()[k].quantity), k);
    EXPECT_EQ(&info(quantities()[k].quantity), &quantities()[k]);
  }
  EXPECT_THROW(info(static_cast<Quantity>(quantities().size())), std::invalid_argument);
}

TEST(Quantity, NamesAreUniqueAndMapBack) {
  std::set<std::string> seen;
  for (const QuantityInfo& row : quantities()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_EQ(quantity(row.name), row.quantity);
    EXPECT_STREQ(name(row.quantity), row.name);
    EXPECT_FALSE(row.inputs.empty()) << row.name;
    EXPECT_FALSE(row.outputs.empty()) << row.name;
    EXPECT_FALSE(std::string(row.meaning).empty()) << row.name;
    EXPECT_TRUE(row.batched || row.generated || row.prepared) << row.name;
  }
}

TEST(Quantity, UnknownNamesAreRefusedWithASuggestion) {
  EXPECT_EQ(complaint([] { quantity("invers"); }).substr(0, 60),
            "'invers' is not a quantity; did you mean 'inverse'? choose f");
  EXPECT_TRUE(contains(complaint([] { batched_quantity("jacobain"); }), "'jacobian'"));
  const std::string rows = complaint([] { batched_quantity("rollout"); });
  EXPECT_TRUE(contains(rows, "cannot be computed over rows")) << rows;
  EXPECT_FALSE(contains(rows.substr(10), "rollout")) << rows;
  EXPECT_EQ(generated_quantity("coriolis"), Quantity::coriolis_matrix);
  EXPECT_EQ(generated_quantity("rollout"), Quantity::rollout);
}

TEST(Quantity, TextHasShapesOfMatricesOnce) {
  EXPECT_EQ(text(info(Quantity::inverse_dynamics).inputs), "q, v, a");
  EXPECT_EQ(text(info(Quantity::inverse_gradient).outputs), "dq, dv, da (n, n)");
  EXPECT_EQ(text(info(Quantity::inverse_kinematics).inputs), "R (3, 3), p, branch");
  EXPECT_EQ(text(info(Quantity::rollout).inputs), "q, v, tau (steps, n)");
}

TEST(Quantity, EveryBatchedOneIsEvaluated) {
  const Robot robot = Robot::load("puma560");
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
  for (const QuantityInfo& row : quantities()) {
    if (!row.batched) {
      EXPECT_TRUE(contains(complaint([&] { engine.input_widths(row.quantity); }), row.name));
      EXPECT_THROW(engine.prepare(row.quantity, KernelKind::generic), Error) << row.name;
      continue;
    }
    const std::vector<std::size_t> in = engine.input_widths(row.quantity),
                                   out = engine.output_widths(row.quantity);
    ASSERT_EQ(in.size(), row.inputs.size());
    ASSERT_EQ(out.size(), row.outputs.size());
    std::vector<std::vector<double>> given, got;
    std::vector<StridedInput> from;
    std::vector<StridedOutput> to;
    for (const std::size_t n : in) given.emplace_back(n, 0.3);
    for (const std::size_t n : out) got.emplace_back(n, std::nan(""));
    for (const auto& x : given) from.push_back({x.data(), x.size()});
    for (auto& x : got) to.push_back({x.data(), x.size()});
    EXPECT_TRUE(engine.evaluate(row.quantity, 1, from, to)) << row.name;
    for (std::size_t k = 0; k < got.size(); ++k)
      for (const double x : got[k])
        EXPECT_TRUE(std::isfinite(x)) << row.name << " " << row.outputs[k].name;
  }
}

// Names, order and sizes of a program's arguments are the table's.
TEST(Quantity, EveryGeneratedOneIsTracedAsTheTableSays) {
  const Robot robot = Robot::load("puma560");
  constexpr int steps = 2;
  for (const QuantityInfo& row : quantities()) {
    if (!row.generated) {
      EXPECT_TRUE(contains(complaint([&] { generate(robot, row.quantity); }), row.name));
      continue;
    }
    GenerateOptions how;
    if (row.quantity == Quantity::rollout) how.steps = steps;
    const Program p = generate(robot, row.quantity, how).program;
    EXPECT_EQ(p.name, std::string("puma560_") + row.name);
    auto expect_same = [&](const std::vector<Argument>& got, std::span<const ArrayInfo> table) {
      ASSERT_EQ(got.size(), table.size()) << row.name;
      for (std::size_t k = 0; k < got.size(); ++k) {
        EXPECT_EQ(got[k].name, table[k].name) << row.name;
        const std::size_t rows = table[k].shape == ArrayShape::torque_steps ? steps : 1;
        EXPECT_EQ(static_cast<std::size_t>(got[k].count), rows * count(robot, table[k].shape))
            << row.name << " " << table[k].name;
      }
    };
    expect_same(p.inputs, row.inputs);
    expect_same(p.outputs, row.outputs);
  }
}

// docs/quantities.md has the table, with the enumerators as the header spells them.
TEST(Quantity, TheDocumentationHasTheTable) {
  std::string expected =
      "| name | C++ | inputs | outputs | link | engine | code | meaning |\n"
      "|---|---|---|---|---|---|---|---|\n";
  const std::vector<std::string> all = enumerators();
  ASSERT_EQ(all.size(), quantities().size());
  auto yes = [](bool is) { return is ? " yes |" : "  |"; };
  for (const QuantityInfo& row : quantities())
    expected += "| `" + std::string(row.name) + "` | `" +
                all[static_cast<std::size_t>(row.quantity)] + "` | " + text(row.inputs) + " | " +
                text(row.outputs) + " |" + yes(row.needs_link) + yes(row.batched) +
                yes(row.generated) + " " + row.meaning + " |\n";
  EXPECT_TRUE(contains(content("docs/quantities.md"), expected))
      << "docs/quantities.md must have this table:\n"
      << expected;
}

TEST(Quantity, PrepareTakesThoseOfOneSample) {
  const Robot robot = Robot::load("planar2");
  for (const QuantityInfo& row : quantities()) {
    Workspace workspace(robot);
    if (row.prepared)
      EXPECT_NO_THROW(prepare(workspace, {row.quantity})) << row.name;
    else
      EXPECT_THROW(prepare(workspace, {row.quantity}), std::invalid_argument) << row.name;
  }
}

TEST(Quantity, PipelinesAreOfTheTable) {
  for (const Quantity which : pipeline_quantities())
    EXPECT_EQ(pipeline_quantity(name(which)), which);
  EXPECT_TRUE(contains(complaint([] { pipeline_quantity("gravty"); }), "did you mean 'gravity'?"));
}

// Inside the library a quantity is a Quantity. Names are compared at its boundaries only.
TEST(Quantity, TheLibraryComparesNoNames) {
  std::string all;
  for (const QuantityInfo& row : quantities())
    all += std::string(all.empty() ? "" : "|") + row.name;
  const std::regex compared("[!=]= *\"(" + all + ")\"|\"(" + all + ")\" *[!=]=");
  // Robot files have keys, controllers ids, and parts of task graphs names of the same spelling.
  const std::pair<const char*, const char*> others[] = {
      {"src/model/format/", "mass"},
      {"src/model/format/", "gravity"},
      {"src/schedule/", "forward"},
      {"src/control/", "computed_torque"},
      {"src/hardware/controller/", "computed_torque"},
      {"src/simulation/", "computed_torque"}};
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
    ++files;
    if (path == "src/runtime/c_api.cpp") continue;
    const std::string text = content(path);
    for (std::sregex_iterator found(text.begin(), text.end(), compared), end; found != end; ++found)
      EXPECT_TRUE(std::any_of(std::begin(others), std::end(others),
                              [&](const auto& other) {
                                return path.starts_with(other.first) &&
                                       contains(found->str(), other.second);
                              }))
          << path << " compares the name of a quantity: " << found->str();
  }
  EXPECT_GT(files, 200);
  EXPECT_TRUE(std::regex_search(std::string("if (what == \"inverse\") return"), compared));
}

}  // namespace
}  // namespace parid::test
