#include "dynamics/tree_paths.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parid::dynamics {
namespace {

std::vector<int> parents_of_rows(const CanonicalModel& c) {
  const int rows = c.has_mimic ? c.nv : static_cast<int>(c.freedom.size());
  std::vector<int> all;
  for (int k = 0; k < rows; ++k) all.push_back(c.has_mimic ? k - 1 : c.freedom[k].parent);
  return all;
}

}  // namespace

TreePaths::TreePaths(std::vector<int> parent)
    : parents_(std::move(parent)), size_(static_cast<int>(parents_.size())) {
  for (int k = 0; k < size_; ++k) runs_.push_back(k > 0 && parents_[k] == k - 1 ? runs_.back() : k);
  parent_ = parents_.data();
  run_ = runs_.data();
}
TreePaths::TreePaths(const CanonicalModel& c) : TreePaths(parents_of_rows(c)) {}
TreePaths::~TreePaths() = default;

FreedomPaths::FreedomPaths(const CanonicalModel& c, int numbers) {
  if (numbers == 0) return;
  const int n = c.topology.n;
  std::vector<std::vector<int>> before(n + 1), beyond(n + 1);
  for (int i = 1; i <= n; ++i)
    for (int a = c.freedom[c.first[i]].parent; a >= 0; a = c.freedom[a].parent) {
      before[i].push_back(a);
      const int above = c.freedom[a].link;
      if (a != c.first[above]) continue;
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) beyond[above].push_back(b);
    }
  auto registers = [numbers](const std::vector<int>& freedoms) {
    std::vector<int> all;
    for (const int k : freedoms) all.push_back(k / numbers * numbers);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  struct Places {
    std::size_t column, columns, of_register, registers;
  };
  std::vector<std::array<Places, 2>> places(n + 1);
  for (int i = 0; i <= n; ++i)
    for (const int side : {0, 1}) {
      const std::vector<int>& freedoms = side == 0 ? before[i] : beyond[i];
      const std::vector<int> all = registers(freedoms);
      places[i][side] = {columns_.size(), freedoms.size(), registers_.size(), all.size()};
      for (const int k : freedoms) columns_.push_back({k, c.freedom[k].column});
      registers_.insert(registers_.end(), all.begin(), all.end());
    }
  for (const auto& [first, second] : places) {
    const std::span<const Column> columns(columns_);
    const std::span<const int> all(registers_);
    links_.push_back({columns.subspan(first.column, first.columns),
                      columns.subspan(second.column, second.columns),
                      all.subspan(first.of_register, first.registers),
                      all.subspan(second.of_register, second.registers)});
  }
  of_ = links_.data();
}
FreedomPaths::~FreedomPaths() = default;

}  // namespace parid::dynamics
