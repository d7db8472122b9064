#include "lookup/torque_table.hpp"

#include <algorithm>
#include <cmath>

namespace parid::lookup {

std::size_t TorqueTable::bytes() const {
  return sizeof(double) * (at_positions_.size() + at_states_.size() + cmac_.values().size());
}

TorqueTable::Cost TorqueTable::cost() const {
  const Coefficients at{n_};
  const double n = n_, pairs = at.pairs();
  auto interpolation = [](const Grid& g) {
    const double corners = std::exp2(g.live());
    return Cost{corners * (g.width() + 2) - 2, corners * g.width()};
  };
  if (kind_ == TableKind::cmac) return {0, n * cmac_.tilings()};
  const Cost first = interpolation(positions_);
  if (kind_ == TableKind::configuration)
    return {first.multiplications + pairs + n * pairs + n * n, first.additions + n * pairs + n * n};
  const Cost second = interpolation(states_);
  return {first.multiplications + second.multiplications + n * n,
          first.additions + second.additions + n * n};
}

TableReader::TableReader(const TorqueTable& table)
    : table_(table),
      c_(std::max(table.positions_.width(), 1)),
      products_(Coefficients{table.n_}.pairs()),
      x_(3 * table.n_) {}

std::span<const double> TableReader::coefficients(std::span<const double> q) {
  table_.positions_.interpolate(table_.at_positions_.data(), q.data(), c_.data());
  return c_;
}

void TableReader::torque(std::span<const double> q, std::span<const double> v,
                         std::span<const double> a, std::span<double> tau) {
  const Coefficients at{table_.n_};
  auto state = std::copy(q.begin(), q.end(), x_.begin());
  state = std::copy(v.begin(), v.end(), state);
  std::copy(a.begin(), a.end(), state);
  switch (table_.kind_) {
    case TableKind::configuration:
      coefficients(q);
      return configuration_space_torque(at, c_.data(), v.data(), a.data(), products_.data(),
                                        tau.data());
    case TableKind::state:
      coefficients(q);
      table_.states_.interpolate(table_.at_states_.data(), x_.data(), tau.data());
      for (int i = 0; i < at.n; ++i)
        for (int j = 0; j < at.n; ++j) tau[i] += c_[at.pair(i, j)] * a[j];
      return;
    case TableKind::cmac: return table_.cmac_.read(x_.data(), tau.data());
  }
}

}  // namespace parid::lookup
