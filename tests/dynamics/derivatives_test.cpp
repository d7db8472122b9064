// Second derivatives, derivatives of positions, and operational space against central differences
// of the functions they are derivatives of, on trees with every joint type. The quantities that an
// engine computes are compared with the reference in tests/oracle.

#include "parid/derivatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "parid/error.hpp"
#include "parid/kinematics.hpp"
#include "parid/task_space.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

Numbers moved(const Robot& robot, const Numbers& q, std::size_t k, double step) {
  Numbers v(static_cast<std::size_t>(robot.nv())), out(q.size());
  v[k] = step;
  integrate(robot, q, v, out);
  return out;
}
Numbers stepped(Numbers x, std::size_t k, double step) {
  x[k] += step;
  return x;
}
// To fourth order; f(step) returns an array.
Numbers slope(const std::function<Numbers(double)>& f) {
  constexpr double h = 1e-3;
  const Numbers a = f(h), b = f(-h), c = f(2 * h), d = f(-2 * h);
  Numbers out(a.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = (8 * (a[i] - b[i]) - (c[i] - d[i])) / (12 * h);
  return out;
}
double largest(const Numbers& x) {
  double most = 0;
  for (const double y : x) most = std::max(most, std::abs(y));
  return most;
}
// Column k of the last index of a tensor.
void expect_slice(const Numbers& tensor, std::size_t n, std::size_t k, const Numbers& want,
                  const std::string& what) {
  // the rounding of a difference is that of the largest entries
  const double size = std::max(largest(want), 1e-2 * std::max(largest(tensor), 1e-3));
  for (std::size_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(tensor[i * n + k], want[i], 1e-8 * size) << what << ", " << i << ", " << k;
}

std::vector<Robot> robots() {
  std::vector<Robot> all{Robot::load("panda"), Robot::load("quadruped")};
  Rng rng(30);
  for (int k = 0; k < 6; ++k)
    all.emplace_back(random_tree(
        rng, k < 2 ? 4 : 6, {.prismatic = 0.4, .spherical = 0.3, .floating_base = k % 2 == 1}));
  return all;
}

TEST(Derivatives, TensorsAreDifferencesOfGradients) {
  for (const Robot& robot : robots()) {
    const auto n = static_cast<std::size_t>(robot.nv());
    if (n > 12) continue;
    Rng rng(31);
    const RandomState s = random_state(rng, robot.description());
    Workspace w(robot);
    Numbers qq(n * n * n), qv(qq), vv(qq), qx(qq);
    for (const bool forward : {false, true}) {
      if (forward)
        forward_hessian(robot, w, s.q, s.v, s.a, qq, qv, vv, qx);
      else
        inverse_hessian(robot, w, s.q, s.v, s.a, qq, qv, vv, qx);
      auto gradient = [&](const Numbers& q, const Numbers& v, int which) {
        Numbers of[3] = {Numbers(n * n), Numbers(n * n), Numbers(n * n)};
        if (forward)
          forward_gradient(robot, w, q, v, s.a, of[0], of[1], of[2]);
        else
          inverse_gradient(robot, w, q, v, s.a, of[0], of[1], of[2]);
        return of[which];
      };
      const std::string name = robot.name() + (forward ? ", forward" : ", inverse");
      for (std::size_t k = 0; k < n; ++k) {
        const Numbers* tensors[] = {&qq, &qv, &qx};
        for (int t = 0; t < 3; ++t)
          expect_slice(*tensors[t], n, k,
                       slope([&](double h) { return gradient(moved(robot, s.q, k, h), s.v, t); }),
                       name + " along q");
        expect_slice(vv, n, k,
                     slope([&](double h) { return gradient(s.q, stepped(s.v, k, h), 1); }),
                     name + " along v");
      }
    }
  }
}

TEST(Derivatives, LoadsActInTensors) {
  const Robot robot = Robot::load("panda");
  Rng rng(3);
  const RandomState s = random_state(rng, robot.description());
  Workspace w(robot), pushed(robot);
  pushed.set_wrench(robot.tip(), {10, -20, 30}, {1, 2, 3});
  Numbers a(343), b(343), c(343), d(343), e(343);
  inverse_hessian(robot, w, s.q, s.v, s.a, a, b, c, d);
  inverse_hessian(robot, pushed, s.q, s.v, s.a, e, b, c, d);
  EXPECT_NE(a, e);
  expect_slice(e, 7, 2, slope([&](double h) {
                 Numbers g(49), x(49), y(49);
                 inverse_gradient(robot, pushed, moved(robot, s.q, 2, h), s.v, s.a, g, x, y);
                 return g;
               }),
               "pushed");
}

TEST(Derivatives, FrameHessianIsADifferenceOfJacobians) {
  for (const Robot& robot : robots()) {
    const auto n = static_cast<std::size_t>(robot.nv());
    Rng rng(32);
    const RandomState s = random_state(rng, robot.description());
    const int link = static_cast<int>(robot.link_names().size()) - 1;
    Numbers H(6 * n * n);
    jacobian_hessian(robot, s.q, link, H);
    Kinematics kinematics(robot);
    for (std::size_t k = 0; k < n; ++k)
      expect_slice(H, n, k, slope([&](double h) {
                     Numbers J(6 * n);
                     kinematics.set(moved(robot, s.q, k, h));
                     kinematics.jacobian(link, J);
                     return J;
                   }),
                   robot.name());
  }
}

TEST(Derivatives, OfIntegrateAndDifference) {
  for (const Robot& robot : robots()) {
    const auto n = static_cast<std::size_t>(robot.nv());
    Rng rng(33);
    const RandomState s = random_state(rng, robot.description());
    Numbers by_q(n * n), by_v(n * n), end(s.q.size()), by_q0(n * n), by_q1(n * n);
    d_integrate(robot, s.q, s.v, by_q, by_v);
    integrate(robot, s.q, s.v, end);
    auto change = [&](const Numbers& q, const Numbers& v) {
      Numbers to(q.size()), out(n);
      integrate(robot, q, v, to);
      difference(robot, end, to, out);
      return out;
    };
    // half a turn is where the shortest rotation changes sides: stay within it
    Numbers small(s.v);
    for (double& x : small) x *= 0.3;
    integrate(robot, s.q, small, end);
    d_difference(robot, s.q, end, by_q0, by_q1);
    auto between = [&](const Numbers& q0, const Numbers& q1) {
      Numbers out(n);
      difference(robot, q0, q1, out);
      return out;
    };
    for (std::size_t k = 0; k < n; ++k) {
      expect_slice(by_q0, n, k,
                   slope([&](double h) { return between(moved(robot, s.q, k, h), end); }),
                   robot.name() + ", q0");
      expect_slice(by_q1, n, k,
                   slope([&](double h) { return between(s.q, moved(robot, end, k, h)); }),
                   robot.name() + ", q1");
    }
    integrate(robot, s.q, s.v, end);
    for (std::size_t k = 0; k < n; ++k) {
      expect_slice(by_q, n, k,
                   slope([&](double h) { return change(moved(robot, s.q, k, h), s.v); }),
                   robot.name() + ", q");
      expect_slice(by_v, n, k, slope([&](double h) { return change(s.q, stepped(s.v, k, h)); }),
                   robot.name() + ", v");
    }
  }
}

// An operational force moves the links as Λ says, through forward dynamics with that wrench.
TEST(Derivatives, OperationalSpaceOfSeveralLinks) {
  const Robot robot = Robot::load("humanoid");
  const auto n = static_cast<std::size_t>(robot.nv());
  Rng rng(34);
  const RandomState s = random_state(rng, robot.description());
  const std::vector<std::string> links{"left_foot", "right_hand"};
  Workspace w(robot);
  const OperationalSpace x = operational_space(robot, w, s.q, s.v, links);
  ASSERT_EQ(x.rows, 12U);
  ASSERT_EQ(x.J.size(), 12 * n);
  EXPECT_EQ(x.rank, 12);
  const Numbers f{3, -2, 5, 0.4, 0.6, -0.2, -1, 4, 2, 0.3, -0.5, 0.7};
  Numbers tau(n), a(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t r = 0; r < 12; ++r) tau[k] += x.J[r * n + k] * f[r];
  forward_dynamics(robot, w, s.q, s.v, tau, a);
  Kinematics kinematics(robot);
  kinematics.set(s.q, s.v, a);
  for (std::size_t l = 0; l < 2; ++l) {
    const LinkRate got = kinematics.acceleration(robot.find_link(links[l]));
    for (std::size_t i = 0; i < 6; ++i) {
      double want = x.free_acceleration[6 * l + i];
      for (std::size_t r = 0; r < 12; ++r) want += x.inverse_inertia[(6 * l + i) * 12 + r] * f[r];
      EXPECT_NEAR(i < 3 ? got.linear[i] : got.angular[i - 3], want, 1e-8 * (1 + std::abs(want)));
    }
  }
  // inertia · inverse_inertia = 1 where the rank is full
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j) {
      double sum = 0;
      for (std::size_t r = 0; r < 12; ++r)
        sum += x.inertia[i * 12 + r] * x.inverse_inertia[r * 12 + j];
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-7);
    }
  EXPECT_THROW(operational_space(robot, w, s.q, s.v, {"no such link"}), Error);
}

TEST(Derivatives, FewerAxesThanDirections) {
  const Robot robot = Robot::load("planar2");
  Workspace w(robot);
  const OperationalSpace x =
      operational_space(robot, w, Numbers{0.3, 0.4}, Numbers{1, 2}, {robot.tip()});
  EXPECT_EQ(x.rank, 2);
  for (const double y : x.inertia) EXPECT_TRUE(std::isfinite(y));
}

TEST(Derivatives, SizesAreChecked) {
  const Robot robot = Robot::load("planar2");
  Workspace w(robot);
  Numbers two(2), three(3), four(4), eight(8), twelve(12);
  EXPECT_THROW(inverse_hessian(robot, w, three, two, two, eight, eight, eight, eight),
               std::invalid_argument);
  EXPECT_THROW(inverse_hessian(robot, w, two, two, two, eight, eight, eight, four),
               std::invalid_argument);
  EXPECT_THROW(d_integrate(robot, two, two, four, three), std::invalid_argument);
  EXPECT_THROW(d_difference(robot, two, three, four, four), std::invalid_argument);
  EXPECT_THROW(evaluate(robot, w, Quantity::coriolis_product, {two, two}, {two}),
               std::invalid_argument);
  EXPECT_THROW(evaluate(robot, w, Quantity::jacobian_local, {two}, {twelve}),
               std::invalid_argument);  // no link
  EXPECT_THROW(evaluate(robot, w, Quantity::inverse_dynamics, {two, two, two}, {two}),
               std::invalid_argument);
}

}  // namespace
}  // namespace parid::test
