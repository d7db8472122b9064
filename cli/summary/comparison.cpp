#include "cli/summary/comparison.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/output/terminal.hpp"
#include "parid/error.hpp"
#include "runtime/cost/cost.hpp"

namespace parid::cli {
namespace {

std::pair<int, int> parsed(const std::string& range) {
  int low = 0, high = 0;
  char rest = 0;
  if (std::sscanf(range.c_str(), "n=%d..%d%c", &low, &high, &rest) != 2 || low < 1 || high < low ||
      high > 64)
    throw Error(
        fmt::format("--vary: invalid range '{}'; give n=2..20, with 1 ≤ from ≤ to ≤ 64", range));
  return {low, high};
}

Json counts_json(const std::optional<Counts>& c) {
  if (!c) return nullptr;
  return {{"multiplications", c->multiplications},
          {"additions", c->additions},
          {"sincos", c->sin_cos},
          {"divisions", c->divisions}};
}

}  // namespace

Json rows_json(const std::vector<MethodComparison>& rows) {
  auto list = Json::array();
  for (const MethodComparison& r : rows) {
    Json j{{"id", r.entry->id}, {"exact", r.entry->exact}};
    if (!r.reason.empty()) {
      for (const char* key : {"max_relative_error", "multiplications", "additions", "depth", "ns"})
        j[key] = nullptr;
      j["reason"] = r.reason;
    } else {
      const FormulationCost& c = r.cost;
      j["max_relative_error"] = r.error;
      j["multiplications"] = c.as_written.multiplications;
      j["additions"] = c.as_written.additions;
      j["simplified"] = counts_json(c.dense);
      j["customised"] = counts_json(c.customised);
      j["depth"] = c.depth ? Json(c.depth->total()) : Json(nullptr);
      if (c.depth) j["depth_split"] = {c.depth->multiplications, c.depth->additions};
      if (!c.why_not_traced.empty()) j["reason"] = c.why_not_traced;
      j["ns"] = r.ns;
    }
    list.push_back(j);
  }
  return list;
}

Json rows_json(const std::vector<ForwardComparison>& rows) {
  Json list = Json::array();
  for (const ForwardComparison& r : rows)
    list.push_back({{"id", r.id},
                    {"max_relative_error", r.error},
                    {"multiplications", r.count.multiplications},
                    {"additions", r.count.additions},
                    {"ns", r.ns}});
  return list;
}

std::vector<Growth> growth(const std::string& robot, const std::string& range,
                           const std::vector<const MethodEntry*>& asked) {
  const auto [low, high] = parsed(range);
  const std::string family = robot.substr(0, robot.find(':'));
  if (family != "chain" && family != "orthogonal")
    throw Error(
        fmt::format("--vary: '{}' is not a family of robots; use one, such as chain:6", robot));
  std::vector<Growth> all;
  Progress progress("counting");
  for (const MethodEntry* m : asked) {
    Growth written{m->id, "as written", {}, {}, {}}, simplified{m->id, "simplified", {}, {}, {}};
    if (m->count) continue;  // prepared for one robot, not defined for all lengths
    for (int n = low; n <= high; ++n) {
      const FormulationCost c =
          runtime::cost(m->id, Robot::load(fmt::format("{}:{}", family, n)), {.limit = 400'000});
      written.n.push_back(n);
      written.multiplications.push_back(c.as_written.multiplications);
      written.additions.push_back(c.as_written.additions);
      if (!c.dense) continue;
      simplified.n.push_back(n);
      simplified.multiplications.push_back(c.dense->multiplications);
      simplified.additions.push_back(c.dense->additions);
    }
    all.push_back(written);
    if (!simplified.n.empty()) all.push_back(simplified);
    progress.at(static_cast<double>(all.size()) / 2 / static_cast<double>(asked.size()));
  }
  return all;
}

Fit fit(const std::vector<int>& n, const std::vector<long long>& values) {
  for (std::size_t skip = 0; skip < 4 && values.size() > skip + 2; ++skip)
    if (auto p =
            exact_fit(n[skip], {values.begin() + static_cast<std::ptrdiff_t>(skip), values.end()}))
      return {p, n[skip]};
  return {};
}

std::string fit_text(const Fit& f, int first) {
  if (!f.polynomial) return "no polynomial of degree 4 or less";
  return f.polynomial->text() + (f.from > first ? fmt::format("  (n ≥ {})", f.from) : "");
}

}  // namespace parid::cli
