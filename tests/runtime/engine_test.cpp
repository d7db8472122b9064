// The engine: every quantity over rows by every kind of kernel, in any layout, stopped or not.

#include "parid/engine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <optional>

#include "model/joint/quaternions.hpp"
#include "parid/dynamics.hpp"
#include "parid/kinematics.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "tests/base/scratch.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

class EngineTest : public testing::Test {
 protected:
  EngineTest() { setenv("PARID_CACHE", scratch_.path("cache").c_str(), 1); }
  ~EngineTest() override { unsetenv("PARID_CACHE"); }

 private:
  Scratch scratch_;
};

struct Arrays {
  std::vector<std::vector<double>> in, out;
};
Arrays arrays(const Robot& robot, Quantity what, std::size_t rows) {
  const Shape shape = shape_of(robot, what);
  Arrays x;
  for (const std::size_t n : shape.in) x.in.emplace_back(n * rows);
  for (const std::size_t n : shape.out) x.out.emplace_back(n * rows, NAN);
  Rng rng(11);
  for (std::size_t r = 0; r < rows; ++r) {
    const RandomState s = random_state(rng, robot.description());
    const std::vector<double>* given[] = {&s.q, &s.v, &s.a};
    for (std::size_t k = 0; k < x.in.size(); ++k) {  // weights and directions: the accelerations
      const std::vector<double>& values = *given[std::min<std::size_t>(k, 2)];
      for (std::size_t c = 0; c < shape.in[k]; ++c)
        x.in[k][r * shape.in[k] + c] = values[c % values.size()];
    }
  }
  return x;
}
bool evaluate(Engine& engine, Quantity what, std::size_t rows, Arrays& x, const Watch& watch = {}) {
  std::vector<StridedInput> in;
  std::vector<StridedOutput> out;
  for (auto& a : x.in) in.push_back({a.data(), a.size() / rows});
  for (auto& a : x.out) out.push_back({a.data(), a.size() / rows});
  return engine.evaluate(what, rows, in, out, watch);
}
void expect_near(const std::vector<double>& x, const std::vector<double>& y, double tolerance,
                 const std::string& where) {
  ASSERT_EQ(x.size(), y.size()) << where;
  double off = 0, scale = 1e-300;
  for (std::size_t k = 0; k < x.size(); ++k) {
    ASSERT_FALSE(std::isnan(x[k])) << where << " " << k;
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  EXPECT_LT(off / scale, tolerance) << where;
}

// Machine code is generated for x86-64 only.
const std::vector<KernelKind> specialized_kinds = {KernelKind::interpreted, KernelKind::compiled,
#if defined(__x86_64__)
                                                   KernelKind::machine
#endif
};

TEST_F(EngineTest, EveryQuestionByEveryKernel) {
  for (const char* name : {"puma560", "stanford", "quadruped"}) {
    const Robot robot = Robot::load(name);
    for (const Quantity what : batched_quantities()) {
      if (instrumented && robot.nv() > 6 &&
          std::string_view(parid::name(what)).ends_with("gradient"))
        continue;
      const std::size_t rows = 77;
      Arrays exact = arrays(robot, what, rows);
      Engine generic(robot, {.threads = 1, .kernel = KernelKind::generic});
      ASSERT_TRUE(evaluate(generic, what, rows, exact));
      for (const KernelKind kind : specialized_kinds) {
        // Compilation is slow, and the interpreter runs the same program.
        const bool worth_it = name == std::string("puma560")
                                  ? what == Quantity::inverse_dynamics ||
                                        what == Quantity::forward_dynamics ||
                                        what == Quantity::kinematics
                                  : what == Quantity::gravity;
        if (kind == KernelKind::compiled && !worth_it) continue;
        Engine engine(robot, {.threads = 2, .kernel = kind, .quantities = {what}});
        EXPECT_EQ(engine.kernel(what), kind) << parid::name(what) << ": " << engine.note();
        Arrays x = arrays(robot, what, rows);
        ASSERT_TRUE(evaluate(engine, what, rows, x));
        const bool solves = info(what).inverts_mass;
        for (std::size_t k = 0; k < x.out.size(); ++k)
          expect_near(x.out[k], exact.out[k], solves ? 1e-9 : 1e-12,
                      std::string(name) + " " + parid::name(what) + " " + parid::name(kind));
      }
    }
  }
}

TEST_F(EngineTest, NamedMethodsAgreeWithTheRoutinesOfOneSample) {
  const Robot robot = Robot::load("puma560");
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
  Workspace workspace(robot);
  const std::size_t rows = 13, n = 6;
  const Arrays x = arrays(robot, Quantity::inverse_dynamics, rows);
  const std::vector<double>&q = x.in[0], &v = x.in[1], &a = x.in[2];
  std::vector<double> tau(rows * n), acceleration(rows * n), M(rows * 36), h(rows * n), g(rows * n),
      J(rows * 36), R(rows * 9), p(rows * 3);
  std::vector<double> d[6];
  for (auto& m : d) m.resize(rows * 36);
  engine.inverse_dynamics(rows, q, v, a, tau);
  engine.forward_dynamics(rows, q, v, tau, acceleration);
  expect_near(acceleration, a, 1e-9, "forward of inverse");
  engine.mass_matrix(rows, q, M);
  engine.bias(rows, q, v, h);
  engine.gravity(rows, q, g);
  engine.inverse_gradient(rows, q, v, a, d[0], d[1], d[2]);
  engine.forward_gradient(rows, q, v, tau, d[3], d[4], d[5]);
  expect_near(d[2], M, 1e-13, "the derivative by accelerations is the mass matrix");
  engine.kinematics(rows, q, robot.tip(), R, p);
  engine.jacobian(rows, q, robot.tip(), J);
  for (std::size_t r = 0; r < rows; ++r) {
    auto row = [&](const std::vector<double>& y, std::size_t w) {
      return std::span(y).subspan(r * w, w);
    };
    std::vector<double> one(36);
    bias(robot, workspace, row(q, n), row(v, n), std::span(one).first(n));
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(one[k], h[r * n + k], 1e-11);
    gravity(robot, workspace, row(q, n), std::span(one).first(n));
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(one[k], g[r * n + k], 1e-11);
    const std::vector<double> j = jacobian(robot, row(q, n), robot.tip());
    for (std::size_t k = 0; k < 36; ++k) EXPECT_NEAR(j[k], J[r * 36 + k], 1e-13);
    const LinkPose pose = link_pose(robot, row(q, n), robot.tip());
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(pose.position[k], p[r * 3 + k], 1e-13);
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(pose.rotation[k], R[r * 9 + k], 1e-13);
  }
}

TEST_F(EngineTest, InSinglePrecision) {
  const Robot robot = Robot::load("stanford");
  const std::size_t rows = 37;
  for (const Quantity what : batched_quantities())
    for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted, KernelKind::machine,
                                  KernelKind::automatic}) {
      Engine engine(robot,
                    {.threads = 2, .kernel = kind, .quantities = {what}, .single_precision = true});
      Arrays x = arrays(robot, what, rows);
      ASSERT_TRUE(evaluate(engine, what, rows, x));
      std::vector<std::vector<float>> in, out;
      std::vector<StridedInputFloat> from;
      std::vector<StridedOutputFloat> to;
      for (const auto& a : x.in) in.emplace_back(a.begin(), a.end());
      for (const auto& a : x.out) out.emplace_back(a.size());
      for (const auto& a : in) from.push_back({a.data(), a.size() / rows});
      for (auto& a : out) to.push_back({a.data(), a.size() / rows});
      ASSERT_TRUE(engine.evaluate(what, rows, from, to));
      for (std::size_t k = 0; k < out.size(); ++k)
        expect_near({out[k].begin(), out[k].end()}, x.out[k], 1e-3,
                    std::string(parid::name(what)) + " " + name(kind));
    }
}

TEST_F(EngineTest, AnyLayout) {
  const Robot robot = Robot::load("puma560");
  const std::size_t rows = 333, n = 6, wide = 20;
  Arrays dense = arrays(robot, Quantity::inverse_dynamics, rows);
  for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled,
                                KernelKind::machine, KernelKind::automatic}) {
    Engine engine(robot, {.threads = 2, .kernel = kind});
    evaluate(engine, Quantity::inverse_dynamics, rows, dense);
    // columns one after another
    std::vector<double> columns(rows * 4 * n);
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < n; ++c)
          columns[(k * n + c) * rows + r] = dense.in[k][r * n + c];
    std::vector<StridedInput> in;
    for (std::size_t k = 0; k < 3; ++k) in.push_back({columns.data() + k * n * rows, 1, rows});
    const StridedOutput out[] = {{columns.data() + 3 * n * rows, 1, rows}};
    ASSERT_TRUE(engine.evaluate(Quantity::inverse_dynamics, rows, in, out));
    // q, v, a and tau beside each other in rows with something else after them
    std::vector<double> records(rows * (wide + 4 * n), 7.0);
    const std::size_t stride = wide + 4 * n;
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < n; ++c)
          records[r * stride + k * n + c] = dense.in[k][r * n + c];
    in.clear();
    for (std::size_t k = 0; k < 3; ++k) in.push_back({records.data() + k * n, stride});
    const StridedOutput to[] = {{records.data() + 3 * n, stride}};
    ASSERT_TRUE(engine.evaluate(Quantity::inverse_dynamics, rows, in, to));
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < n; ++c) {
        EXPECT_EQ(columns[(3 * n + c) * rows + r], dense.out[0][r * n + c]) << name(kind);
        EXPECT_EQ(records[r * stride + 3 * n + c], dense.out[0][r * n + c]) << name(kind);
      }
      for (std::size_t c = 4 * n; c < stride; ++c) ASSERT_EQ(records[r * stride + c], 7.0);
    }
  }
}

TEST_F(EngineTest, NothingIsWrittenBeyondTheRows) {
  for (const char* robot_name : {"planar2", "puma560"}) {
    const Robot robot = Robot::load(robot_name);
    for (const KernelKind kind :
         {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled, KernelKind::machine,
          KernelKind::automatic}) {
      Engine engine(robot, {.threads = 1, .kernel = kind});
      for (std::size_t rows = 0; rows < 40; ++rows) {
        Arrays x = arrays(robot, Quantity::inverse_dynamics, std::max<std::size_t>(rows, 1));
        const std::size_t n = rows * robot.nv();
        x.out[0].assign(n + 32, 5.0);
        engine.inverse_dynamics(rows, std::span(x.in[0]).first(rows * robot.nq()),
                                std::span(x.in[1]).first(n), std::span(x.in[2]).first(n),
                                std::span(x.out[0]).first(n));
        for (std::size_t k = n; k < n + 32; ++k) ASSERT_EQ(x.out[0][k], 5.0) << rows;
      }
    }
  }
}

// A joint that has turned a thousand million times is as right as one that has not, and its
// neighbours' bits do not change.
TEST_F(EngineTest, AnglesFarAway) {
  const Robot robot = Robot::load("puma560");
  const std::size_t rows = 50;
  Arrays exact = arrays(robot, Quantity::inverse_dynamics, rows),
         plain = arrays(robot, Quantity::inverse_dynamics, rows);
  for (const std::size_t r : {3, 17, 49}) exact.in[0][r * 6 + 2] = 1e9 + static_cast<double>(r);
  Engine generic(robot, {.threads = 1, .kernel = KernelKind::generic});
  evaluate(generic, Quantity::inverse_dynamics, rows, exact);
  for (const KernelKind kind : specialized_kinds) {
    Engine engine(robot, {.threads = 1, .kernel = kind});
    Arrays far = exact;
    evaluate(engine, Quantity::inverse_dynamics, rows, far);
    evaluate(engine, Quantity::inverse_dynamics, rows, plain);
    expect_near(far.out[0], exact.out[0], 1e-12, name(kind));
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < 6 && r != 3 && r != 17 && r != 49; ++k) {
        ASSERT_EQ(far.out[0][r * 6 + k], plain.out[0][r * 6 + k]);
      }
  }
  Workspace workspace(robot), own(robot);
  if (!own.compile()) GTEST_SKIP() << own.note();
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> x(6), y(6);
    auto row = [&](int k) { return std::span<const double>(exact.in[k]).subspan(r * 6, 6); };
    inverse_dynamics(robot, workspace, row(0), row(1), row(2), x);
    inverse_dynamics(robot, own, row(0), row(1), row(2), y);
    expect_near(y, x, 1e-12, "one sample");
  }
  // with a wrench the generic kernel answers
  workspace.set_wrench(robot.tip(), {1, 2, 3}, {4, 5, 6});
  own.set_wrench(robot.tip(), {1, 2, 3}, {4, 5, 6});
  std::vector<double> x(6), y(6);
  const auto first = [&](int k) { return std::span<const double>(exact.in[k]).first(6); };
  inverse_dynamics(robot, workspace, first(0), first(1), first(2), x);
  inverse_dynamics(robot, own, first(0), first(1), first(2), y);
  EXPECT_EQ(x, y);
}

TEST_F(EngineTest, CanBeWatchedAndStopped) {
  const Robot robot = Robot::load("planar2");
  const std::size_t rows = 100'000;
  for (const int threads : {1, 2}) {
    Engine engine(robot, {.threads = threads, .kernel = KernelKind::generic});
    Arrays x = arrays(robot, Quantity::inverse_dynamics, rows);
    std::size_t last = 0, calls = 0;
    Watch watch;
    watch.progress = [&](std::size_t done) {
      EXPECT_GT(done, last);
      last = done;
      ++calls;
    };
    EXPECT_TRUE(evaluate(engine, Quantity::inverse_dynamics, rows, x, watch));
    EXPECT_LE(last, rows);
    std::stop_source source;
    Arrays y = arrays(robot, Quantity::inverse_dynamics, rows);
    watch.stop = source.get_token();
    if (threads == 1) {  // with two, the other may have done all by then
      EXPECT_EQ(last, rows);
      EXPECT_GT(calls, 1u);
      watch.progress = [&](std::size_t) { source.request_stop(); };
      EXPECT_FALSE(evaluate(engine, Quantity::inverse_dynamics, rows, y, watch));
      EXPECT_EQ(y.out[0][0], x.out[0][0]);  // what was done is written
      EXPECT_TRUE(std::isnan(y.out[0].back()));
    }
    source.request_stop();
    y = arrays(robot, Quantity::inverse_dynamics, rows);
    EXPECT_FALSE(evaluate(engine, Quantity::inverse_dynamics, rows, y, watch));
    EXPECT_TRUE(std::isnan(y.out[0][0]));
  }
}

TEST_F(EngineTest, SaysWhatIsWrong) {
  const Robot robot = Robot::load("planar2");
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic});
  std::vector<double> x(2), y(3);
  EXPECT_THROW(engine.inverse_dynamics(1, x, x, y, x), std::invalid_argument);
  try {
    engine.inverse_dynamics(1, x, x, y, x);
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("a has 3 numbers"), std::string::npos) << e.what();
  }
  EXPECT_THROW(engine.evaluate(Quantity::inverse_dynamics, 1, std::span<const StridedInput>{}, {}),
               std::invalid_argument);
  EXPECT_THROW(engine.prepare(Quantity::rollout, KernelKind::generic), Error);
  EXPECT_THROW(engine.prepare(Quantity::jacobian, KernelKind::generic, "no such link"), Error);
  // too long a program: the generic kernel goes on, and the note says why
  Engine chain(Robot::load("chain:300"), {.threads = 1});
  EXPECT_EQ(chain.kernel(), KernelKind::generic);
  EXPECT_NE(chain.note().find("300"), std::string::npos) << chain.note();
}

// One sample by machine code, by every function, with large angles and with a wrench.
TEST_F(EngineTest, WorkspacesUseMachineCode) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "machine code is for x86-64";
#endif
  for (const char* name : {"puma560", "quadruped"}) {
    const Robot robot = Robot::load(name);
    const std::size_t rows = 5;
    for (const Quantity what : batched_quantities()) {
      if (robot.nv() > 6 && std::string_view(parid::name(what)).ends_with("gradient")) continue;
      Workspace own(robot);
      EXPECT_EQ(own.kernel(what), KernelKind::generic);
      ASSERT_TRUE(own.compile(what, KernelKind::machine)) << own.note();
      EXPECT_EQ(own.kernel(what), KernelKind::machine);
      EXPECT_TRUE(own.compiled(what));
      EXPECT_TRUE(own.note().empty()) << own.note();
      ASSERT_TRUE(own.compile(what, KernelKind::generic));
      EXPECT_EQ(own.kernel(what), KernelKind::generic);
    }
    Workspace own(robot), generic(robot);
    for (const Quantity what : {Quantity::inverse_dynamics, Quantity::forward_dynamics,
                                Quantity::mass_matrix, Quantity::gravity, Quantity::bias})
      ASSERT_TRUE(own.compile(what, KernelKind::machine)) << own.note();
    EXPECT_THROW(own.compile(Quantity::gravity, KernelKind::interpreted), std::invalid_argument);
    const std::size_t nq = static_cast<std::size_t>(robot.nq()),
                      nv = static_cast<std::size_t>(robot.nv());
    Arrays x = arrays(robot, Quantity::inverse_dynamics, rows);
    for (const double far : {0.0, 1e7})
      for (const bool wrench : {false, true}) {
        if (wrench) {
          own.set_wrench(robot.tip(), {1, 2, 3}, {4, 5, 6});
          generic.set_wrench(robot.tip(), {1, 2, 3}, {4, 5, 6});
        }
        for (std::size_t r = 0; r < rows; ++r) {
          std::vector<double> q(x.in[0].begin() + static_cast<long>(r * nq),
                                x.in[0].begin() + static_cast<long>((r + 1) * nq));
          q.back() += far;
          const auto v = std::span<const double>(x.in[1]).subspan(r * nv, nv),
                     a = std::span<const double>(x.in[2]).subspan(r * nv, nv);
          std::vector<double> one(nv * nv), other(nv * nv);
          const std::string where = fmt::format("{}, row {}, {}, {}", name, r, far, wrench);
          inverse_dynamics(robot, own, q, v, a, std::span(one).first(nv));
          inverse_dynamics(robot, generic, q, v, a, std::span(other).first(nv));
          expect_near(one, other, 1e-12, where);
          forward_dynamics(robot, own, q, v, a, std::span(one).first(nv));
          forward_dynamics(robot, generic, q, v, a, std::span(other).first(nv));
          expect_near(one, other, 1e-9, where);
          mass_matrix(robot, own, q, one);
          mass_matrix(robot, generic, q, other);
          expect_near(one, other, 1e-12, where);
        }
        own.clear_wrenches();
        generic.clear_wrenches();
      }
  }
  // where there is no compiler
  setenv("PARID_CC", "/nonexistent/cc", 1);
  Workspace without(Robot::load("stanford"));
  EXPECT_TRUE(without.compile(Quantity::mass_matrix));
  EXPECT_EQ(without.kernel(Quantity::mass_matrix), KernelKind::machine);
  EXPECT_NE(without.note().find("no compiler"), std::string::npos) << without.note();
  Engine engine(Robot::load("stanford"), {.threads = 1});
  EXPECT_EQ(engine.kernel(), KernelKind::machine);
  unsetenv("PARID_CC");
}

// A quaternion's length does not count: not for any quantity, by any kernel, in any precision.
TEST_F(EngineTest, QuaternionsOfAnyLengthAreRotations) {
  Rng rng(41);
  RandomRobot options;
  options.spherical = 0.7;
  options.prismatic = 0.3;
  options.floating_base = true;
  const Robot robot(random_tree(rng, 5, options));
  const std::size_t rows = 19, nq = static_cast<std::size_t>(robot.nq());
  int quaternions = 0;
  auto stretch = [&](std::vector<double>& q) {
    const double lengths[] = {1.05, 0.3, -1, 7, 1e-3, 50};
    for (std::size_t r = 0; r < rows; ++r)
      for_each_quaternion(robot.description(), [&](const JointDescription&, int at) {
        const double length = lengths[(r + static_cast<std::size_t>(at)) % 6];
        for (int k = 0; k < 4; ++k) q[r * nq + static_cast<std::size_t>(at + k)] *= length;
        ++quaternions;
      });
  };
  for (const Quantity what : batched_quantities()) {
    Arrays unit = arrays(robot, what, rows);
    Engine generic(robot, {.threads = 1, .kernel = KernelKind::generic});
    ASSERT_TRUE(evaluate(generic, what, rows, unit));
    const bool solves = what == Quantity::forward_dynamics || what == Quantity::forward_gradient;
    std::vector<KernelKind> kinds(specialized_kinds.begin(), specialized_kinds.end());
    kinds.push_back(KernelKind::generic);
    for (const KernelKind kind : kinds) {
      if (kind == KernelKind::compiled && what != Quantity::gravity)
        continue;  // the compiler takes its time
      Engine engine(robot, {.threads = 1, .kernel = kind, .quantities = {what}});
      EXPECT_EQ(engine.kernel(what), kind) << parid::name(what) << ": " << engine.note();
      Arrays x = arrays(robot, what, rows);
      stretch(x.in[0]);
      ASSERT_TRUE(evaluate(engine, what, rows, x));
      for (std::size_t k = 0; k < x.out.size(); ++k)
        expect_near(x.out[k], unit.out[k], solves ? 1e-9 : 1e-12,
                    std::string(parid::name(what)) + " " + parid::name(kind));
    }
  }
  EXPECT_GT(quaternions, 0);

  // Along velocities too, and back.
  Workspace workspace(robot);
  const std::size_t nv = static_cast<std::size_t>(robot.nv());
  for (int trial = 0; trial < 5; ++trial) {
    const RandomState s = random_state(rng, robot.description()),
                      t = random_state(rng, robot.description());
    RandomState longer = s, other = t;
    for_each_quaternion(robot.description(), [&](const JointDescription&, int at) {
      for (int k = at; k < at + 4; ++k) {
        longer.q[static_cast<std::size_t>(k)] *= 1.05;
        other.q[static_cast<std::size_t>(k)] *= 0.2;
      }
    });
    std::vector<double> a(nq), b(nq), u(nv), w(nv);
    integrate(robot, s.q, s.v, a);
    integrate(robot, longer.q, s.v, b);
    expect_near(b, a, 1e-14, "integrate");
    difference(robot, s.q, t.q, u);
    difference(robot, longer.q, other.q, w);
    expect_near(w, u, 1e-14, "difference");
  }
}

}  // namespace
}  // namespace parid::test
