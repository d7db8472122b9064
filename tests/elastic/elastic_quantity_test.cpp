// The quantities of elastic joints: in every kind of kernel against ElasticDynamics and the
// reference, with loads, with arguments that differ by row, and for rigid robots.

#include <gtest/gtest.h>

#include <cmath>

#include "parid/dynamics.hpp"
#include "parid/elastic.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "parid/row_arguments.hpp"
#include "runtime/verify/reference_check.hpp"
#include "tests/dynamics/batch_check.hpp"
#include "tests/elastic/elastic_robots.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;
constexpr Quantity inverse = Quantity::elastic_inverse_dynamics,
                   forward = Quantity::elastic_forward_dynamics;

Numbers some(Rng& rng, std::size_t n, double size) {
  Numbers x(n);
  for (double& y : x) y = uniform(rng, -size, size);
  return x;
}

// Random trees with rigid and elastic joints, free bases, joints with quaternions; a URDF tree.
std::vector<Robot> elastic_robots(int trees) {
  Rng rng(19);
  std::vector<Robot> all{elastic_tree()};
  RandomRobot kind;
  kind.prismatic = 0.4;
  kind.tips = true;
  for (int k = 0; k < trees; ++k) {
    kind.floating_base = k % 3 == 1;
    kind.spherical = k % 3 == 1 ? 0.4 : 0;
    kind.planar = k % 4 == 3 ? 0.3 : 0;
    all.push_back(random_elastic(rng, random_tree(rng, 4 + k % 4, kind), 500, k % 2 ? 3 : 0));
  }
  return all;
}

// Rows of inputs near the motion of a spring under load.
struct Batch {
  std::vector<Numbers> in, out;
};
Batch batch_of(const Robot& robot, Quantity what, std::size_t rows, Rng& rng) {
  const Shape shape = shape_of(robot, what);
  Batch b;
  for (const std::size_t n : shape.out) b.out.emplace_back(rows * n, NAN);
  b.in.resize(shape.in.size());
  const auto nv = static_cast<std::size_t>(robot.nv());
  for (std::size_t r = 0; r < rows; ++r) {
    const RandomState s = random_state(rng, robot.description());
    std::vector<Numbers> row;
    if (what == inverse) {
      row = {s.q, s.v, s.a, some(rng, nv, 2), some(rng, nv, 2)};
    } else {
      row = {s.q, some(rng, nv, 1), s.v, some(rng, nv, 1), some(rng, nv, 5)};
      for (const ElasticJoint& j : robot.elastic_joints())
        row[1][j.velocity] = s.q[j.position] + uniform(rng, -0.02, 0.02);
    }
    for (std::size_t k = 0; k < row.size(); ++k)
      b.in[k].insert(b.in[k].end(), row[k].begin(), row[k].end());
  }
  return b;
}
void evaluate_rows(Engine& engine, Quantity what, std::size_t rows, Batch& b) {
  std::vector<StridedInput> from;
  std::vector<StridedOutput> to;
  for (const Numbers& x : b.in) from.push_back({x.data(), x.size() / rows});
  for (Numbers& x : b.out) to.push_back({x.data(), x.size() / rows});
  ASSERT_TRUE(engine.evaluate(what, rows, from, to));
}
Numbers row(const Numbers& x, std::size_t r, std::size_t rows) {
  const auto width = static_cast<std::ptrdiff_t>(x.size() / rows);
  return {x.begin() + static_cast<std::ptrdiff_t>(r) * width,
          x.begin() + static_cast<std::ptrdiff_t>(r + 1) * width};
}

// The motors' entries of an array over all coordinates.
Numbers of_motors(const Robot& robot, const Numbers& x) {
  Numbers all;
  for (const ElasticJoint& j : robot.elastic_joints()) all.push_back(x[j.velocity]);
  return all;
}

void compare_with_elastic_dynamics(const Robot& robot, KernelKind kind, unsigned seed) {
  constexpr std::size_t rows = 9;
  Rng rng(seed);
  ElasticDynamics elastic(robot);
  const std::size_t nv = robot.nv(), m = elastic.joints().size();
  Engine engine(robot, {.threads = 1, .quantities = {}});
  for (const Quantity what : {inverse, forward}) {
    if (!engine.prepare(what, kind)) GTEST_SKIP() << engine.note();
    Batch b = batch_of(robot, what, rows, rng);
    evaluate_rows(engine, what, rows, b);
    for (std::size_t r = 0; r < rows; ++r) {
      std::vector<Numbers> in;
      for (const Numbers& x : b.in) in.push_back(row(x, r, rows));
      Numbers first(nv), theta(m), theta_v(m), theta_a(m);
      if (what == inverse) {
        elastic.inverse(in[0], in[1], in[2], in[3], in[4], first, {theta, theta_v, theta_a});
        EXPECT_LT(largest_difference(of_motors(robot, row(b.out[1], r, rows)), theta),
                  1e-12 * (1 + largest(theta)));
        EXPECT_LT(largest_difference(of_motors(robot, row(b.out[2], r, rows)), theta_v),
                  1e-11 * (1 + largest(theta_v)));
      } else {
        elastic.forward(in[0], of_motors(robot, in[1]), in[2], of_motors(robot, in[3]), in[4],
                        first, theta_a);
        EXPECT_LT(largest_difference(of_motors(robot, row(b.out[1], r, rows)), theta_a),
                  1e-11 * (1 + largest(theta_a)));
      }
      EXPECT_LT(largest_difference(row(b.out[0], r, rows), first), 1e-9 * (1 + largest(first)))
          << robot.name() << " " << name(what) << " " << name(kind);
    }
  }
}

TEST(ElasticQuantity, GenericKernelsAgreeWithElasticDynamics) {
  for (const Robot& robot : elastic_robots(20))
    compare_with_elastic_dynamics(robot, KernelKind::generic, 1);
}
TEST(ElasticQuantity, InterpretedKernelsAgreeWithElasticDynamics) {
  for (const Robot& robot : elastic_robots(4))
    compare_with_elastic_dynamics(robot, KernelKind::interpreted, 2);
}
TEST(ElasticQuantity, CompiledKernelsAgreeWithElasticDynamics) {
  compare_with_elastic_dynamics(elastic_tree(), KernelKind::compiled, 3);
}

// The reference shares neither frames nor recursions with the library.
TEST(ElasticQuantity, AgreesWithTheReferenceUnderLoads) {
  for (const Robot& robot : elastic_robots(12)) {
    ExternalLoads around;
    around.set_base_motion(robot, {0.4, -0.7, 0.3}, {0.5, 0.2, -0.6}, {1, -2, 0.5});
    around.add_wrench(robot, robot.tip(), {1, 2, -3}, {0.4, 0.5, 0.6});
    Rng rng(23);
    for (const Quantity what : {inverse, forward})
      for (const bool loaded : {false, true}) {
        Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
        if (loaded) engine.set_external_loads(around);
        PlainCheck check(robot, what, "", loaded ? around : ExternalLoads{});
        constexpr std::size_t rows = 5;
        Batch b = batch_of(robot, what, rows, rng);
        evaluate_rows(engine, what, rows, b);
        const Shape shape = shape_of(robot, what);
        for (std::size_t r = 0; r < rows; ++r) {
          std::vector<const double*> in, out;
          for (std::size_t k = 0; k < b.in.size(); ++k)
            in.push_back(b.in[k].data() + r * shape.in[k]);
          for (std::size_t k = 0; k < b.out.size(); ++k)
            out.push_back(b.out[k].data() + r * shape.out[k]);
          EXPECT_LT(check.error(in.data(), out.data()), 1e-12) << robot.name() << " " << name(what);
          for (Numbers& x : b.out) {  // and it notices what is wrong
            double& wrong = x[r * x.size() / rows];
            if (std::abs(wrong) < 0.1) continue;
            const double right = std::exchange(wrong, wrong * (1 + 1e-3));
            EXPECT_GT(check.error(in.data(), out.data()), 1e-9)
                << robot.name() << " " << name(what);
            wrong = right;
          }
        }
      }
  }
}

// On a base with constant accelerations in its own axes: the torques of the links at other instants
// give the derivatives that the motor needs.
TEST(ElasticQuantity, ABaseThatMovesIsThatOfDifferencesInTime) {
  const double J = 0.7, B = 0.2, K = 300;
  Description d = one_link(J, B, K, 0);
  d.gravity = {0, 0, -9.81};
  d.links[1].inertia = Inertia{2, {0.3, 0.1, -0.2}, {J, J, J}};
  const Robot robot(d);
  d.joints[0].elastic.reset();
  d.joints[0].rotor_inertia = 0;
  const Vec3<double> w{0.3, -0.5, 0.8}, wd{-0.4, 0.6, 0.2}, vd{0.5, 1, -2};
  const double q = 0.3, v = -0.7, a = 1.1, jerk = 0.4, snap = -2;
  // Gravity in the root's axes after t, from g' = −w × g in many steps.
  auto gravity_at = [&](double t) {
    Vec3<double> g{0, 0, -9.81};
    constexpr int steps = 200;
    const double h = t / steps;
    for (int k = 0; k < steps; ++k) {
      const Vec3<double> here = w + (k * h) * wd, middle = w + ((k + 0.5) * h) * wd;
      const Vec3<double> half = g - (h / 2) * cross(here, g);
      g = g - h * cross(middle, half);
    }
    return g;
  };
  auto torque_at = [&](double t) {
    const Vec3<double> g = gravity_at(t), turn = w + t * wd;
    Description now = d;
    now.gravity = g;
    const Robot links(now);
    Workspace workspace(links);
    workspace.set_base_motion({turn.x, turn.y, turn.z}, {wd.x, wd.y, wd.z}, {vd.x, vd.y, vd.z});
    double tau;
    const double x = q + t * (v + t * (a / 2 + t * (jerk / 6 + t * snap / 24))),
                 xd = v + t * (a + t * (jerk / 2 + t * snap / 6)),
                 xdd = a + t * (jerk + t * snap / 2);
    inverse_dynamics(links, workspace, std::span(&x, 1), std::span(&xd, 1), std::span(&xdd, 1),
                     std::span(&tau, 1));
    return tau;
  };
  const double h = 2e-3, f = torque_at(0),
               f2 = (16 * (torque_at(h) + torque_at(-h)) - (torque_at(2 * h) + torque_at(-2 * h)) -
                     30 * f) /
                    (12 * h * h);
  Workspace workspace(robot);
  workspace.set_base_motion({w.x, w.y, w.z}, {wd.x, wd.y, wd.z}, {vd.x, vd.y, vd.z});
  double tau, theta, theta_v;
  evaluate(robot, workspace, inverse,
           {std::span(&q, 1), std::span(&v, 1), std::span(&a, 1), std::span(&jerk, 1),
            std::span(&snap, 1)},
           {std::span(&tau, 1), std::span(&theta, 1), std::span(&theta_v, 1)});
  EXPECT_NEAR(tau, f + B * (a + f2 / K), 1e-6);
  EXPECT_NEAR(theta, q + f / K, 1e-12);
  EXPECT_GT(std::abs(f2 / K), 1e-3);
}

TEST(ElasticQuantity, RowsMayHaveInertiasGravityAndWrenchesOfTheirOwn) {
  const Robot robot = elastic_tree();
  const std::string link = "l2";
  RowArguments vary{.parameters = {link}, .gravity = true, .wrenches = {link}};
  const std::vector<std::string> links = parameter_links(robot);
  const std::size_t place =
      static_cast<std::size_t>(std::find(links.begin(), links.end(), link) - links.begin());
  for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted})
    for (const Quantity what : {inverse, forward}) {
      Rng rng(31);
      Engine engine(robot, {.threads = 1, .quantities = {}, .per_row = vary});
      ASSERT_TRUE(engine.prepare(what, kind));
      constexpr std::size_t rows = 9;
      Batch all = batch_of(robot, what, rows, rng);
      all.in.resize(8);
      std::vector<Numbers> expected(all.out.size());
      for (std::size_t r = 0; r < rows; ++r) {
        const Robot loaded = robot.with_payload(link, uniform(rng, 0.1, 2), {0.1, 0.05, -0.1})
                                 .with_gravity({uniform(rng, -5, 5), 1, -9});
        const Numbers pi = regressor_parameters(loaded), w = some(rng, 6, 8);
        const auto g = loaded.gravity();
        all.in[5].insert(all.in[5].end(), pi.begin() + static_cast<std::ptrdiff_t>(10 * place),
                         pi.begin() + static_cast<std::ptrdiff_t>(10 * place + 10));
        all.in[6].insert(all.in[6].end(), g.begin(), g.end());
        all.in[7].insert(all.in[7].end(), w.begin(), w.end());
        Engine own(loaded, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
        own.set_wrench(link, {w[0], w[1], w[2]}, {w[3], w[4], w[5]});
        Batch one;
        for (std::size_t k = 0; k < 5; ++k) one.in.push_back(row(all.in[k], r, rows));
        for (const Numbers& x : all.out) one.out.emplace_back(x.size() / rows, NAN);
        evaluate_rows(own, what, 1, one);
        for (std::size_t k = 0; k < expected.size(); ++k)
          expected[k].insert(expected[k].end(), one.out[k].begin(), one.out[k].end());
      }
      evaluate_rows(engine, what, rows, all);
      for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_LT(largest_difference(all.out[k], expected[k]), 1e-10 * (1 + largest(expected[k])))
            << name(what) << " " << name(kind);
    }
}

// Without elastic joints they are the quantities of rigid robots.
TEST(ElasticQuantity, RigidRobotsHaveRigidDynamics) {
  for (const char* id : {"puma560", "quadruped"}) {
    const Robot robot = Robot::load(id);
    Workspace workspace(robot);
    Rng rng(5);
    const RandomState s = random_state(rng, robot.description());
    const std::size_t nv = robot.nv();
    const Numbers rates = some(rng, nv, 9);
    Numbers tau(nv), right(nv), theta(nv), theta_v(nv), theta_a(nv);
    evaluate(robot, workspace, inverse, {s.q, s.v, s.a, rates, rates}, {tau, theta, theta_v});
    inverse_dynamics(robot, workspace, s.q, s.v, s.a, right);
    EXPECT_LT(largest_difference(tau, right), 1e-11 * (1 + largest(right)));
    EXPECT_EQ(theta_v, s.v);
    if (robot.nq() == robot.nv()) {
      EXPECT_EQ(theta, s.q);
    }
    evaluate(robot, workspace, forward, {s.q, rates, s.v, rates, tau}, {right, theta_a});
    EXPECT_LT(largest_difference(right, s.a), 1e-8 * (1 + largest(s.a)));
    EXPECT_EQ(right, theta_a);
  }
}

TEST(ElasticQuantity, RobotsWithoutMotorsAreRefused) {
  Description d = elastic_tree().description();
  for (JointDescription& j : d.joints)
    if (j.name == "l elbow") j.rotor_inertia = 0;
  const Robot robot(d);
  for (const Quantity what : {inverse, forward}) {
    const std::string why = message([&] {
      Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {what}});
    });
    EXPECT_NE(why.find("'l elbow' is elastic, but has no rotor inertia"), std::string::npos) << why;
    EXPECT_NE(message([&] {
                Workspace workspace(robot);
                prepare(workspace, {what});
              }).find("rotor inertia"),
              std::string::npos);
  }
}

// A mass matrix that is regular only with the rotors: the links alone cannot be accelerated.
TEST(ElasticQuantity, LinksWithoutInertiaAreRefused) {
  Description d = one_link(1, 0.3, 100, 0);
  d.links[1].inertia = Inertia{0, {}, {}};
  const Robot robot(d);
  EXPECT_NO_THROW(robot.require_defined(Quantity::forward_dynamics));
  EXPECT_NO_THROW(robot.require_defined(inverse));
  EXPECT_NE(message([&] { robot.require_defined(forward); }).find("singular"), std::string::npos);
}

}  // namespace
}  // namespace parid::test
