// Programs around the library may set another rounding mode, or have denormals flushed to zero (as
// any program linked with -ffast-math has by GCC): torques of every kernel stay within the bounds
// of docs/accuracy.md.

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <memory>

#include "parid/denormals.hpp"
#include "parid/parid.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

constexpr int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

class Rounding {
 public:
  explicit Rounding(int mode) : before_(std::fegetround()) {
    if (std::fesetround(mode) != 0) throw std::runtime_error("no such rounding mode");
  }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  const int before_;
};

Description odd_tree() {
  Rng rng(12);
  RandomRobot options;
  options.revolute = 3;
  options.prismatic = 1;
  options.fixed = 1;
  options.planar = options.spherical = 0;
  options.tips = true;
  return random_tree(rng, 8, options);
}

struct Rows {
  std::vector<double> q, v, a, tau;
  std::size_t count = 0;
};

template <class Real>
std::vector<Real> as(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

// Torques in round-to-nearest, of states that are the same in single precision; every fifth has
// angles beyond `turned` radians, if its robot has no quaternions.
Rows reference(const Robot& robot, double turned) {
  Rows rows;
  Rng rng(13);
  Workspace workspace(robot);
  for (rows.count = 0; rows.count < 37; ++rows.count) {
    RandomState s = random_state(rng, robot.description());
    if (rows.count % 5 == 4 && robot.nq() == robot.nv())
      for (double& x : s.q) x += rows.count % 2 == 0 ? turned : -turned;
    for (std::vector<double>* x : {&s.q, &s.v, &s.a})
      for (double& y : *x) y = static_cast<float>(y);
    const Torques tau = torques(robot, workspace, s);
    rows.q.insert(rows.q.end(), s.q.begin(), s.q.end());
    rows.v.insert(rows.v.end(), s.v.begin(), s.v.end());
    rows.a.insert(rows.a.end(), s.a.begin(), s.a.end());
    rows.tau.insert(rows.tau.end(), tau.begin(), tau.end());
  }
  return rows;
}

double worst_row(const Robot& robot, const Rows& rows, const std::vector<double>& found) {
  double worst = 0;
  const auto n = static_cast<std::size_t>(robot.nv());
  for (std::size_t r = 0; r < rows.count; ++r) {
    const Torques x(found.begin() + r * n, found.begin() + (r + 1) * n),
        y(rows.tau.begin() + r * n, rows.tau.begin() + (r + 1) * n);
    worst = std::max(worst, relative_error(x, y));
  }
  return worst;
}

// A batch, and one row after another.
template <class Real>
void expect_within(const Robot& robot, Engine& engine, Workspace& workspace, const Rows& rows,
                   int mode, double bound, const std::string& about) {
  const std::vector<Real> q = as<Real>(rows.q), v = as<Real>(rows.v), a = as<Real>(rows.a);
  std::vector<Real> batch(rows.tau.size()), one(rows.tau.size());
  {
    const Rounding rounding(mode);
    engine.inverse_dynamics(rows.count, q, v, a, batch);
    const auto nq = static_cast<std::size_t>(robot.nq()), n = static_cast<std::size_t>(robot.nv());
    for (std::size_t r = 0; r < rows.count; ++r)
      inverse_dynamics(robot, workspace, std::span(q).subspan(r * nq, nq),
                       std::span(v).subspan(r * n, n), std::span(a).subspan(r * n, n),
                       std::span(one).subspan(r * n, n));
  }
  EXPECT_LT(worst_row(robot, rows, {batch.begin(), batch.end()}), bound) << about << ", batch";
  EXPECT_LT(worst_row(robot, rows, {one.begin(), one.end()}), bound) << about << ", one by one";
}

// Robots loaded and kernels made in round-to-nearest, and if asked for in the mode itself.
void expect_every_kernel(const Description& d, bool prepare_in_mode) {
  const Robot robot(d);
  // Sums of angles in float lose digits beyond a thousand radians.
  const Rows rows = reference(robot, 1024), rows_float = reference(robot, 0);
  for (const int mode : modes)
    for (const bool prepared_in_mode : {false, true}) {
      if (prepared_in_mode && (!prepare_in_mode || mode == FE_TONEAREST)) continue;
      for (const KernelKind kind :
           {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled}) {
        auto rounding = std::make_unique<Rounding>(prepared_in_mode ? mode : FE_TONEAREST);
        const Robot again(d);
        Engine engine(again, {.threads = 2, .kernel = kind, .single_precision = true});
        Workspace workspace(again);
        if (kind == KernelKind::compiled) workspace.compile();
        rounding.reset();
        const std::string about = d.name + ", mode " + std::to_string(mode) + ", kernel " +
                                  std::to_string(static_cast<int>(kind)) +
                                  (prepared_in_mode ? ", prepared in it" : "");
        expect_within<double>(again, engine, workspace, rows, mode, 1e-12, about);
        expect_within<float>(again, engine, workspace, rows_float, mode, 4e-6, about + ", float");
      }
    }
}

TEST(RoundingModes, EveryKernelOfAnArm) {
  expect_every_kernel(Robot::load("puma560").description(), full_tests());
}
TEST(RoundingModes, EveryKernelOfATree) { expect_every_kernel(odd_tree(), true); }
TEST(RoundingModes, EveryKernelOfAWalker) {
  expect_every_kernel(Robot::load("quadruped").description(), full_tests());
}

TEST(RoundingModes, DenormalsFlushedToZero) {
  const Robot robot(odd_tree());
  Rows rows = reference(robot, 0);
  for (std::size_t k = 0; k < rows.v.size(); k += 3) {
    rows.v[k] = 1e-310;
    rows.a[k] = -4e-320;
  }
  Workspace workspace(robot);
  const auto n = static_cast<std::size_t>(robot.nv());
  for (std::size_t r = 0; r < rows.count; ++r) {
    auto row = [&](std::vector<double>& x) { return std::span(x).subspan(r * n, n); };
    inverse_dynamics(robot, workspace, row(rows.q), row(rows.v), row(rows.a), row(rows.tau));
  }
  const DenormalsAreZero guard;
  for (const KernelKind kind :
       {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled}) {
    Engine engine(robot, {.threads = 1, .kernel = kind});
    expect_within<double>(robot, engine, workspace, rows, FE_TONEAREST, 1e-12, "flushed");
  }
}

}  // namespace
}  // namespace parid::test
