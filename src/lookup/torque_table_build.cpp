// Fills a table with exact torques.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/bytes_text.hpp"
#include "lookup/coefficient_source.hpp"
#include "lookup/torque_table.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"

namespace parid::lookup {
namespace {

constexpr std::size_t block = 2048;  // torques between two progress calls

double points_of(const std::vector<Axis>& axes) {
  double points = 1;
  for (const Axis& axis : axes) points *= axis.points;
  return points;
}

std::string product_text(const std::vector<Axis>& axes) {
  std::string text;
  for (const Axis& axis : axes) text += fmt::format("{}{}", text.empty() ? "" : " × ", axis.points);
  return text;
}

std::vector<Axis> joined(std::vector<Axis> x, const std::vector<Axis>& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

void check_options(const Robot& robot, const TableOptions& o) {
  const std::size_t n = robot.nv(), given = o.points.size();
  if (given != 1 && given != n && !(o.kind == TableKind::state && given == 2 * n))
    throw Error(fmt::format("points: {} numbers given; give one for all axes, or {}{}", given, n,
                            o.kind == TableKind::state ? fmt::format(" or {}", 2 * n) : ""));
  const int fewest = o.kind == TableKind::cmac ? 1 : 2;
  for (const int p : o.points)
    if (p < fewest || p > 100'000)
      throw Error(
          fmt::format("points: {} along an axis is out of range; give {} to 100000", p, fewest));
  if (o.kind != TableKind::cmac) return;
  if (o.tilings < 1 || o.tilings > Cmac::most_tilings)
    throw Error(
        fmt::format("tilings: {} is out of range; give 1 to {}", o.tilings, Cmac::most_tilings));
  if (o.cells < 1 || o.lessons < 1)
    throw Error("a cmac table needs at least one cell and one training sample; give more");
}

void check_memory(const TablePlan& plan, const TableOptions& o) {
  if (plan.bytes <= o.memory_limit) return;
  const std::string what = plan.kind == TableKind::cmac ? fmt::format("{} cells", o.cells)
                           : plan.kind == TableKind::state
                               ? fmt::format("{} points", product_text(joined(plan.q, plan.v)))
                               : fmt::format("{} points", product_text(plan.q));
  throw Error(fmt::format("a {} table with {} would take {}; the limit is {}; use fewer {}",
                          name_of(plan.kind), what, bytes_text(plan.bytes),
                          bytes_text(o.memory_limit),
                          plan.kind == TableKind::cmac ? "cells" : "points"));
}

}  // namespace

TablePlan plan_table(const Robot& robot, const TableOptions& options) {
  const StateBox box = state_box(robot);
  TableOptions o = options;
  if (o.points.empty()) o.points = {o.kind == TableKind::cmac ? 1 : 9};
  check_options(robot, o);
  CoefficientSource source(robot, o.threads);
  const Dependence on = dependence(source, box);
  const int n = box.n();
  TablePlan plan{o.kind, {}, {}, {}, 0};
  auto points = [&](int k) {
    return o.points.size() == 1 ? o.points[0] : o.points[k % o.points.size()];
  };
  for (int k = 0; k < n; ++k) {
    Axis q = box.q[k], v{-box.v[k], box.v[k]}, a{-box.a[k], box.a[k]};
    const int none = o.kind == TableKind::cmac ? 0 : 1;
    q.points = on.on_position[k] && q.high > q.low ? points(k) : none;
    v.points = on.on_velocity[k] ? points(n + k) : none;
    a.points = points(k);
    plan.q.push_back(q);
    plan.v.push_back(v);
    plan.a.push_back(a);
  }
  const Coefficients at{n};
  const double q = points_of(plan.q);
  if (o.kind == TableKind::configuration) plan.bytes = q * at.size();
  if (o.kind == TableKind::state) plan.bytes = q * at.pairs() + q * points_of(plan.v) * n;
  if (o.kind == TableKind::cmac) plan.bytes = static_cast<double>(o.cells) * n;
  plan.bytes *= sizeof(double);
  return plan;
}

TorqueTable TorqueTable::build(const Robot& robot, const TableOptions& o) {
  const TablePlan plan = plan_table(robot, o);
  check_memory(plan, o);
  TorqueTable table;
  table.kind_ = o.kind;
  table.n_ = robot.nv();
  table.fingerprint_ = fingerprint(robot);
  table.fill(robot, plan, o);
  return table;
}

void TorqueTable::fill(const Robot& robot, const TablePlan& plan, const TableOptions& o) {
  const Coefficients at{n_};
  if (kind_ == TableKind::cmac) return teach(robot, plan, o);
  const bool with_states = kind_ == TableKind::state;
  positions_ = Grid(plan.q, with_states ? at.pairs() : at.size());
  if (with_states) states_ = Grid(joined(plan.q, plan.v), n_);
  const double first = static_cast<double>(positions_.points()) * at.motions();
  const double share = first / (first + static_cast<double>(states_.points()));
  fill_positions(robot, o, share);
  if (with_states) fill_states(robot, o, share);
}

void TorqueTable::fill_positions(const Robot& robot, const TableOptions& o, double share) {
  CoefficientSource source(robot, o.threads);
  const Coefficients& at = source.layout();
  const bool inertia_alone = kind_ == TableKind::state;
  const std::size_t width = positions_.width();
  at_positions_.resize(positions_.values());
  const std::size_t part = std::max<std::size_t>(block / at.motions(), 16);
  std::vector<double> q(part * n_), c(part * at.size());
  for (std::size_t first = 0; first < positions_.points(); first += part) {
    const std::size_t rows = std::min(part, positions_.points() - first);
    for (std::size_t r = 0; r < rows; ++r) positions_.position(first + r, &q[r * n_]);
    source.coefficients(rows, std::span(q).first(rows * n_), std::span(c).first(rows * at.size()));
    for (std::size_t r = 0; r < rows; ++r)
      std::copy_n(&c[r * at.size() + (inertia_alone ? at.J(0, 0) : 0)], width,
                  &at_positions_[(first + r) * width]);
    o.progress(share * static_cast<double>(first + rows) /
               static_cast<double>(positions_.points()));
  }
}

void TorqueTable::fill_states(const Robot& robot, const TableOptions& o, double from) {
  Engine engine(robot, {.threads = o.threads, .kernel = KernelKind::generic});
  at_states_.resize(states_.values());
  const std::vector<double> still(block * n_, 0.0);
  std::vector<double> q(block * n_), v(block * n_), x(2 * n_);
  for (std::size_t first = 0; first < states_.points(); first += block) {
    const std::size_t rows = std::min(block, states_.points() - first), numbers = rows * n_;
    for (std::size_t r = 0; r < rows; ++r) {
      states_.position(first + r, x.data());
      std::copy_n(x.begin(), n_, &q[r * n_]);
      std::copy_n(x.begin() + n_, n_, &v[r * n_]);
    }
    engine.inverse_dynamics(rows, std::span(q).first(numbers), std::span(v).first(numbers),
                            std::span(still).first(numbers),
                            std::span(at_states_).subspan(first * n_, numbers));
    o.progress(from + (1 - from) * static_cast<double>(first + rows) /
                          static_cast<double>(states_.points()));
  }
}

// Training is serial: every step starts from the result of the previous one. The rate decreases, so
// that late steps refine without disturbing.
void TorqueTable::teach(const Robot& robot, const TablePlan& plan, const TableOptions& o) {
  cmac_ = Cmac(joined(joined(plan.q, plan.v), plan.a), n_, o.tilings,
               std::vector<double>(o.cells * n_));
  const StateBox box = state_box(robot);
  Engine engine(robot, {.threads = o.threads, .kernel = KernelKind::generic});
  std::vector<double> tau(block * n_), x(3 * n_), room(n_);
  for (std::size_t first = 0; first < o.lessons; first += block) {
    const std::size_t rows = std::min(block, o.lessons - first);
    const States s = random_states(box, rows, 1000 + first / block);
    engine.inverse_dynamics(rows, s.q, s.v, s.a, std::span(tau).first(rows * n_));
    const double done = static_cast<double>(first) / static_cast<double>(o.lessons);
    const double rate = 0.5 * (1 - done) + 0.02 * done;
    for (std::size_t r = 0; r < rows; ++r) {
      std::copy_n(&s.q[r * n_], n_, x.begin());
      std::copy_n(&s.v[r * n_], n_, x.begin() + n_);
      std::copy_n(&s.a[r * n_], n_, x.begin() + 2 * n_);
      cmac_.learn(x.data(), &tau[r * n_], rate, room.data());
    }
    o.progress(static_cast<double>(first + rows) / static_cast<double>(o.lessons));
  }
}

}  // namespace parid::lookup
