// Programs interpreted: the torques of the generic kernel, on every instruction set this CPU has.

#include "runtime/kernel/interpreted_kernel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "codegen/trace/generate.hpp"
#include "parid/parid.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

struct Batch {
  long rows;
  std::vector<double> q, v, a, tau;
};
Batch batch(const Robot& r, long rows) {
  Rng rng(11);
  Batch b{rows, {}, {}, {}, {}};
  for (long k = 0; k < rows; ++k) {
    const RandomState s = random_state(rng, r.description());
    b.q.insert(b.q.end(), s.q.begin(), s.q.end());
    b.v.insert(b.v.end(), s.v.begin(), s.v.end());
    b.a.insert(b.a.end(), s.a.begin(), s.a.end());
  }
  b.tau.resize(b.v.size());
  Engine generic(r, {.threads = 1});
  generic.inverse_dynamics(static_cast<std::size_t>(rows), b.q, b.v, b.a, b.tau);
  return b;
}

template <class Real>
std::vector<double> interpreted(InterpretedKernel<Real>& kernel, const Batch& b) {
  auto as_real = [](const std::vector<double>& x) { return std::vector<Real>(x.begin(), x.end()); };
  const std::vector<Real> q = as_real(b.q), v = as_real(b.v), a = as_real(b.a);
  std::vector<Real> tau(b.tau.size() + 1, Real(-1));  // one more, which must stay
  const Real* const in[] = {q.data(), v.data(), a.data()};
  Real* const out[] = {tau.data()};
  kernel.rows(b.rows, in, out);
  EXPECT_EQ(tau.back(), Real(-1));
  tau.pop_back();
  return {tau.begin(), tau.end()};
}

double relative(const std::vector<double>& x, const std::vector<double>& y) {
  double off = 0, scale = 1e-300;
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return off / scale;
}

TEST(Interpreted, TorquesOfEveryLengthAndSet) {
  ASSERT_FALSE(kernel_sets<InterpreterSet>().empty());
  for (const char* name : {"puma560", "panda", "quadruped", "planar2", "humanoid"}) {
    const Robot robot = Robot::load(name);
    const RowTape tape(generate(robot, Quantity::inverse_dynamics).program);
    for (const InterpreterSet& set : kernel_sets<InterpreterSet>()) {
      const auto kernel = set.in_double(tape);
      const auto single = set.in_float(tape);
      for (const long rows : {0L, 1L, 3L, 8L, 17L, 32L, 67L, 200L}) {
        const Batch b = batch(robot, rows);
        EXPECT_LT(relative(interpreted(*kernel, b), b.tau), 1e-12) << name << set.name << rows;
        EXPECT_LT(relative(interpreted(*single, b), b.tau), 1e-4) << name << set.name << rows;
      }
    }
  }
}

TEST(Interpreted, ARowsBitsDoNotDependOnItsPlace) {
  const Robot robot = Robot::load("puma560");
  const RowTape tape(generate(robot, Quantity::inverse_dynamics).program);
  const auto kernel = interpreted_kernel(tape);
  const std::size_t n = robot.nv();
  const Batch all = batch(robot, 101);
  const std::vector<double> together = interpreted(*kernel, all);
  for (const std::size_t r : {0u, 31u, 64u, 99u, 100u}) {
    auto row = [&](const std::vector<double>& x) {
      return std::vector<double>(x.begin() + r * n, x.begin() + (r + 1) * n);
    };
    const Batch one{1, row(all.q), row(all.v), row(all.a), row(all.tau)};
    EXPECT_EQ(interpreted(*kernel, one), row(together)) << r;
  }
}

TEST(Interpreted, AnyProgram) {  // several arrays out, and every word that answers with matrices
  const Robot robot = Robot::load("stanford");
  const Program p = generate(robot, Quantity::inverse_gradient).program;
  const RowTape tape(p);
  const auto kernel = interpreted_kernel(tape);
  const Batch b = batch(robot, 45);
  const std::size_t n = robot.nv(), nn = n * n, rows = 45;
  std::vector<double> dq(rows * nn), dv(rows * nn), da(rows * nn), x(nn), y(nn), z(nn);
  const double* const in[] = {b.q.data(), b.v.data(), b.a.data()};
  double* const out[] = {dq.data(), dv.data(), da.data()};
  kernel->rows(45, in, out);
  Workspace w(robot);
  for (std::size_t r = 0; r < rows; ++r) {
    auto row = [&](const std::vector<double>& u) { return std::span(u).subspan(r * n, n); };
    inverse_gradient(robot, w, row(b.q), row(b.v), row(b.a), x, y, z);
    auto part = [&](const std::vector<double>& u) {
      return std::vector<double>(u.begin() + r * nn, u.begin() + (r + 1) * nn);
    };
    EXPECT_LT(relative(part(dq), x), 1e-11);
    EXPECT_LT(relative(part(dv), y), 1e-11);
    EXPECT_LT(relative(part(da), z), 1e-11);
  }
}

}  // namespace
}  // namespace parid::test
