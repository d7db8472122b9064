#include "lookup/comparison.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "model/canonical_model.hpp"
#include "model/given_values.hpp"
#include "model/joint/close_linkages.hpp"
#include "model/joint/coordinates.hpp"
#include "runtime/method/forward_methods.hpp"

namespace parid::lookup {
namespace {

// Within the limits, with rates and accelerations of about one; deterministic for a robot.
struct Samples {
  std::vector<double> q, v, a;
};
Samples samples(const Robot& robot, long count) {
  std::mt19937_64 rng(1);
  auto uniform = [&](double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(rng() >> 11);
  };
  Samples s;
  for (long r = 0; r < count; ++r) {
    for (const JointDescription& j : robot.description().joints) {
      if (position_count(j) == 1) {
        s.q.push_back(uniform(std::max(j.limits.lower, -3.0), std::min(j.limits.upper, 3.0)));
      } else if (position_count(j) > 0) {
        std::vector<double> x(position_count(j));
        double length = 0;
        for (double& y : x) y = uniform(-1, 1);
        for (std::size_t k = x.size() - 4; j.type != JointType::planar && k < x.size(); ++k)
          length += x[k] * x[k];
        for (std::size_t k = x.size() - 4; j.type != JointType::planar && k < x.size(); ++k)
          x[k] /= std::sqrt(length);
        s.q.insert(s.q.end(), x.begin(), x.end());
      }
    }
    close_linkages(robot.canonical(), s.q.data() + r * robot.nq());
    for (int k = 0; k < robot.nv(); ++k) {
      s.v.push_back(uniform(-2, 2));
      s.a.push_back(uniform(-5, 5));
    }
  }
  return s;
}

double relative_error(const double* x, const double* y, int n) {
  double off = 0, scale = 0;
  for (int k = 0; k < n; ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return scale > 0 ? off / scale : off;
}

// The fastest of several runs of a few hundred microseconds.
template <class Run>
double nanoseconds(const Run& run) {
  using Clock = std::chrono::steady_clock;
  auto timed = [&](long calls) {
    const auto start = Clock::now();
    for (long k = 0; k < calls; ++k) run(k);
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  };
  long calls = 1;
  while (timed(calls) < 2e5 && calls < (1L << 30)) calls *= 4;
  double best = timed(calls);
  for (int r = 0; r < 8; ++r) best = std::min(best, timed(calls));
  return best / static_cast<double>(calls);
}

}  // namespace

std::vector<MethodComparison> compare_methods(const Robot& robot,
                                              const std::vector<const MethodEntry*>& entries,
                                              long count, bool timed,
                                              const std::function<void(double)>& progress,
                                              int processors) {
  require_within("samples", static_cast<double>(count), 1, 1e6);
  const Samples s = samples(robot, count);
  const int nq = robot.nq(), nv = robot.nv();
  const auto reference = make_method(method(engines_method), robot, {});
  std::vector<double> want(s.v.size()), got(nv);
  for (long r = 0; r < count; ++r)
    reference->torque(&s.q[r * nq], &s.v[r * nv], &s.a[r * nv], &want[r * nv]);
  std::vector<MethodComparison> rows;
  for (const MethodEntry* entry : entries) {
    const MethodEntry& m = *entry;
    MethodComparison row{&m, cannot(m, robot), 0, 0, {}};
    if (row.reason.empty()) {
      const int chosen = m.takes_processors ? processors : 0;
      const auto one = make_method(m, robot, {}, {.processors = chosen});
      for (long r = 0; r < count; ++r) {
        one->torque(&s.q[r * nq], &s.v[r * nv], &s.a[r * nv], got.data());
        row.error = std::max(row.error, relative_error(got.data(), &want[r * nv], nv));
      }
      if (timed)
        row.ns = nanoseconds([&](long k) {
          const long r = k % count;
          one->torque(&s.q[r * nq], &s.v[r * nv], &s.a[r * nv], got.data());
        });
      if (m.count)
        row.cost = {.as_written = m.count(robot),
                    .dense = {},
                    .customised = {},
                    .depth = {},
                    .why_not_traced =
                        "it is precomputed for the robot rather than written as a formulation; "
                        "counts are for one torque after that"};
      else
        row.cost = cost(m.id, robot, {.processors = chosen});
    }
    rows.push_back(row);
    if (progress) progress(static_cast<double>(rows.size()) / static_cast<double>(entries.size()));
  }
  return rows;
}

std::vector<ForwardComparison> compare_forward(const Robot& robot, long wanted) {
  const long count = std::min(wanted, 20L);
  const Samples s = samples(robot, count);
  const int nq = robot.nq(), nv = robot.nv();
  const auto inverse = make_method(method(engines_method), robot, {});
  std::vector<ForwardComparison> rows;
  ForwardMethods::each([&]<template <class> class F>() {
    if (!F<double>::covers(robot.canonical())) return;
    F<double> forward(robot.canonical());
    std::vector<double> tau(s.v.size()), a(nv);
    ForwardComparison row{F<double>::id, 0, 0, {}};
    for (long r = 0; r < count; ++r) {
      inverse->torque(&s.q[r * nq], &s.v[r * nv], &s.a[r * nv], &tau[r * nv]);
      forward.acceleration(&s.q[r * nq], &s.v[r * nv], &tau[r * nv], a.data());
      row.error = std::max(row.error, relative_error(a.data(), &s.a[r * nv], nv));
    }
    row.ns = nanoseconds([&](long k) {
      const long r = k % count;
      forward.acceleration(&s.q[r * nq], &s.v[r * nv], &tau[r * nv], a.data());
    });
    F<Counted> counted(robot.canonical());
    std::vector<Counted> q(nq, Counted(0.1)), v(nv, Counted(0.2)), t(nv, Counted(0.3)), out(nv);
    Counted::reset();
    counted.acceleration(q.data(), v.data(), t.data(), out.data());
    row.count = Counted::count();
    rows.push_back(row);
  });
  return rows;
}

}  // namespace parid::lookup
