#include "identification/equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motion/filter/zero_phase.hpp"

namespace parid::identification {

PreparedLogs::PreparedLogs(const Robot& robot, std::span<const SampledTrajectory> logs,
                           const FilterOptions& options) {
  for (const SampledTrajectory& given : logs) {
    Log log{&given, {}, 0, given.rows, 1};
    if (options.kind != FilterKind::none) {
      filtered_.push_back(given);
      log.motion = &filtered_.back();
      log.filter = filter_motion(robot, filtered_.back(), options);
      log.first = log.filter.edge;
      log.end = given.rows - log.filter.edge;
      // Twice the cut-off is the least rate for what passes.
      log.step = std::max<std::size_t>(
          1, static_cast<std::size_t>(log.filter.rate / (2 * log.filter.cutoff)));
    }
    logs_.push_back(std::move(log));
  }
}

std::vector<FilterReport> PreparedLogs::filters() const {
  std::vector<FilterReport> all;
  for (const Log& log : logs_) all.push_back(log.filter);
  return all;
}

Equations::Equations(TorqueModel& model, const PreparedLogs& logs, double rest)
    : model_(model), logs_(logs), rest_(rest), moves_(model.robot().nv(), false) {
  if (!(rest >= 0 && std::isfinite(rest)))
    throw Error(
        fmt::format("`rest_velocity`: {:g} is negative; give a velocity of 0 or more", rest));
  const std::size_t nv = moves_.size();
  for (const PreparedLogs::Log& log : logs.logs()) {
    start_.push_back(rows_);
    rows_ += log.rows();
    for (std::size_t r = log.first; r < log.end; ++r)
      for (std::size_t k = 0; k < nv; ++k)
        if (std::abs(log.motion->v[r * nv + k]) > rest) moves_[k] = true;
  }
  if (rest > 0 && std::none_of(moves_.begin(), moves_.end(), [](bool m) { return m; }))
    throw Error(
        fmt::format("no joint is ever faster than the rest threshold, {:g} rad/s or m/s; lower "
                    "it (`rest_velocity`)",
                    rest));
  tau_.resize(nv);
  by_.resize(nv * model.parameters().size());
}

bool Equations::counts(const Row& row, std::size_t k) const {
  return !model_.has_friction(static_cast<int>(k)) || !moves_[k] ||
         std::abs(logs_.logs()[row.log].motion->v[row.sample * moves_.size() + k]) > rest_;
}

void Equations::each(std::span<const double> x, bool derivatives, const Visit& visit) {
  const std::size_t nq = model_.robot().nq(), nv = moves_.size();
  for (std::size_t l = 0; l < logs_.logs().size(); ++l) {
    const PreparedLogs::Log& log = logs_.logs()[l];
    if (log.filter.kind != FilterKind::none) {
      each_filtered(l, x, derivatives, visit);
      continue;
    }
    const SampledTrajectory& m = *log.motion;
    for (std::size_t r = 0; r < m.rows; ++r) {
      model_.torque({&m.q[r * nq], nq}, {&m.v[r * nv], nv}, {&m.a[r * nv], nv}, x, tau_, by_);
      visit({l, r, start_[l] + r, static_cast<double>(r) / static_cast<double>(m.rows),
             &m.tau[r * nv], tau_.data(), by_.data(), r == 0});
    }
  }
}

// In chunks, each with as many samples around it as the filter remembers, so that memory does not
// grow with the log.
void Equations::each_filtered(std::size_t l, std::span<const double> x, bool derivatives,
                              const Visit& visit) {
  const PreparedLogs::Log& log = logs_.logs()[l];
  const SampledTrajectory& m = *log.motion;
  const std::size_t nq = model_.robot().nq(), nv = moves_.size(),
                    width = model_.parameters().size();
  const ZeroPhaseFilter filter(log.filter.kind, log.filter.cutoff, log.filter.rate);
  std::vector<std::size_t> columns;  // entries of by_ that can differ from 0
  for (std::size_t k = 0; k < nv && derivatives; ++k)
    for (const int p : model_.felt_by(static_cast<int>(k))) columns.push_back(k * width + p);
  const std::size_t all = 2 * nv + columns.size(), memory = filter.memory();
  const std::size_t chunk = std::max(4 * memory, 4'000'000 / all);
  std::vector<std::vector<double>> signal(all);
  std::vector<double> measured(nv);
  for (std::size_t from = log.first; from < log.end;) {
    const std::size_t to = std::min(log.end, from + chunk / log.step * log.step + log.step);
    const std::size_t begin = from > memory ? from - memory : 0,
                      end = std::min(m.rows, to + memory);
    for (std::vector<double>& s : signal) s.resize(end - begin);
    for (std::size_t r = begin; r < end; ++r) {
      model_.torque({&m.q[r * nq], nq}, {&m.v[r * nv], nv}, {&m.a[r * nv], nv}, x, tau_, by_);
      for (std::size_t k = 0; k < nv; ++k) {
        signal[k][r - begin] = m.tau[r * nv + k];
        signal[nv + k][r - begin] = tau_[k];
      }
      for (std::size_t c = 0; c < columns.size(); ++c)
        signal[2 * nv + c][r - begin] = by_[columns[c]];
    }
    for (std::vector<double>& s : signal) s = filter.value(s);
    std::fill(by_.begin(), by_.end(), 0.0);
    for (; from < to; from += log.step) {
      for (std::size_t k = 0; k < nv; ++k) {
        measured[k] = signal[k][from - begin];
        tau_[k] = signal[nv + k][from - begin];
      }
      for (std::size_t c = 0; c < columns.size(); ++c)
        by_[columns[c]] = signal[2 * nv + c][from - begin];
      const std::size_t row = (from - log.first) / log.step;
      visit({l, from, start_[l] + row, static_cast<double>(row) / static_cast<double>(log.rows()),
             measured.data(), tau_.data(), derivatives ? by_.data() : nullptr, row == 0});
    }
  }
}

std::vector<double> Equations::torques(const SampledTrajectory& m, std::span<const double> x) {
  const std::size_t nq = model_.robot().nq(), nv = moves_.size();
  std::vector<double> all(m.rows * nv);
  for (std::size_t r = 0; r < m.rows; ++r)
    model_.torque({&m.q[r * nq], nq}, {&m.v[r * nv], nv}, {&m.a[r * nv], nv}, x, {&all[r * nv], nv},
                  by_);
  return all;
}

}  // namespace parid::identification
