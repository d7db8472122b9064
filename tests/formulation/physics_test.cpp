// Physical laws that torques must satisfy, on random robots.
//
// Energies come from tests/link_motion.hpp: frames and the chain rule, without Newton-Euler.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <cstdlib>

#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/torques.hpp"

namespace parid::test {

// A robot as few numbers, so that a failure shrinks to the smallest one.
struct Recipe {
  std::uint64_t seed;
  int joints;
  bool tree, floating, tips, spherical, planar, prismatic, follows;
};
std::ostream& operator<<(std::ostream& out, const Recipe& r) {
  return out << "seed " << r.seed << ", joints " << r.joints << (r.tree ? ", tree" : ", chain")
             << (r.floating ? ", floating" : "") << (r.tips ? ", tips" : "")
             << (r.spherical ? ", spherical" : "") << (r.planar ? ", planar" : "")
             << (r.prismatic ? ", prismatic" : "") << (r.follows ? ", mimic" : "");
}

}  // namespace parid::test

namespace rc {
template <>
struct Arbitrary<parid::test::Recipe> {
  static Gen<parid::test::Recipe> arbitrary() {
    using parid::test::Recipe;
    return gen::build<Recipe>(
        gen::set(&Recipe::seed, gen::noShrink(gen::arbitrary<std::uint64_t>())),
        gen::set(&Recipe::joints, gen::inRange(1, 16)), gen::set(&Recipe::tree),
        gen::set(&Recipe::floating), gen::set(&Recipe::tips), gen::set(&Recipe::spherical),
        gen::set(&Recipe::planar), gen::set(&Recipe::prismatic), gen::set(&Recipe::follows));
  }
};
}  // namespace rc

namespace parid::test {
namespace {

// The same robots in every run, unless RC_PARAMS selects others.
[[maybe_unused]] const int fixed_seed = setenv("RC_PARAMS", "seed=1980 max_success=400", 0);

struct Case {
  Description d;
  RandomState s;
};

Case made(const Recipe& r) {
  Rng rng(r.seed);
  const RandomRobot options{.prismatic = r.prismatic ? 0.4 : 0.0,
                            .fixed = 0.2,
                            .planar = r.planar ? 0.2 : 0.0,
                            .spherical = r.spherical ? 0.3 : 0.0,
                            .floating_base = r.floating,
                            .tips = r.tips};
  Description d =
      r.tree ? random_tree(rng, r.joints, options) : random_chain(rng, r.joints, options);
  if (r.follows) {  // the last joint of one freedom follows the first
    std::vector<JointDescription*> single;
    for (JointDescription& j : d.joints)
      if (velocity_count(j.type) == 1) single.push_back(&j);
    if (single.size() > 1)
      single.back()->mimic = Mimic{single.front()->name, uniform(rng, -2, 2), uniform(rng, -1, 1)};
  }
  const RandomState s = random_state(rng, d);
  return {d, s};
}

double largest(const Torques& x) {
  double size = 0;
  for (double each : x) size = std::max(size, std::abs(each));
  return size;
}

template <class T>
std::vector<Dual<1, T>> along(const std::vector<T>& x, const std::vector<T>& rate) {
  std::vector<Dual<1, T>> out(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    out[k].value = x[k];
    out[k].d[0] = rate[k];
  }
  return out;
}

// d(kinetic + potential)/dt = v · τ
RC_GTEST_PROP(Physics, PowerIsTheRateOfEnergy, (const Recipe& recipe)) {
  const auto [d, s] = made(recipe);
  const Torques tau = torques(Robot(d), s);
  const auto q = along(s.q, position_rates(d, s.q, s.v)), v = along(s.v, s.a);
  const double rate = (kinetic_energy(d, q, v) + potential_energy(d, q)).d[0];
  double power = 0, size = 0;
  for (std::size_t k = 0; k < tau.size(); ++k) {
    power += s.v[k] * tau[k];
    size += std::abs(s.v[k] * tau[k]);
  }
  RC_ASSERT(std::abs(power - rate) <= 1e-11 * size);
}

// Columns of the mass matrix: M eᵢ = τ(q, 0, eᵢ) without gravity.
Eigen::MatrixXd mass_matrix(Description d, const std::vector<double>& q) {
  d.gravity = {};
  const Robot robot(d);
  Workspace workspace(robot);
  const int n = robot.nv();
  Eigen::MatrixXd M(n, n);
  for (int i = 0; i < n; ++i) {
    RandomState s{q, std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
    s.a[i] = 1;
    const Torques column = torques(robot, workspace, s);
    for (int k = 0; k < n; ++k) M(k, i) = column[k];
  }
  return M;
}

RC_GTEST_PROP(Physics, TheMassMatrixIsSymmetric, (const Recipe& recipe)) {
  const auto [d, s] = made(recipe);
  const Eigen::MatrixXd M = mass_matrix(d, s.q);
  if (M.size() == 0) return;
  RC_ASSERT((M - M.transpose()).cwiseAbs().maxCoeff() <= 1e-13 * M.cwiseAbs().maxCoeff());
}

RC_GTEST_PROP(Physics, TheMassMatrixIsPositiveDefinite, (const Recipe& recipe)) {
  const auto [d, s] = made(recipe);
  const Eigen::MatrixXd M = mass_matrix(d, s.q);
  if (M.size() == 0) return;
  RC_ASSERT(Eigen::LLT<Eigen::MatrixXd>(M).info() == Eigen::Success);
}

// ½ v · M v, with M from Newton-Euler, is the kinetic energy from frames.
RC_GTEST_PROP(Physics, TheMassMatrixGivesTheKineticEnergy, (const Recipe& recipe)) {
  const auto [d, s] = made(recipe);
  const Eigen::MatrixXd M = mass_matrix(d, s.q);
  const Eigen::Map<const Eigen::VectorXd> v(s.v.data(), M.rows());
  const double energy = kinetic_energy(d, s.q, s.v);
  RC_ASSERT(std::abs(0.5 * v.dot(M * v) - energy) <= 1e-12 * energy);
}

// At rest τ is the slope of the potential energy along every freedom.
RC_GTEST_PROP(Physics, TheTorqueAtRestIsTheSlopeOfThePotential, (const Recipe& recipe)) {
  auto [d, s] = made(recipe);
  std::fill(s.v.begin(), s.v.end(), 0.0);
  std::fill(s.a.begin(), s.a.end(), 0.0);
  const Torques tau = torques(Robot(d), s);
  Torques slope;
  for (std::size_t i = 0; i < tau.size(); ++i) {
    std::vector<double> unit(tau.size(), 0.0);
    unit[i] = 1;
    slope.push_back(potential_energy(d, along(s.q, position_rates(d, s.q, unit))).d[0]);
  }
  RC_ASSERT(relative_error(tau, slope) <= 1e-11);
}

// Moving robot and gravity together changes nothing.
RC_GTEST_PROP(Physics, TheWorldHasNoPreferredFrame, (const Recipe& recipe)) {
  const auto [d, s] = made(recipe);
  Rng rng(recipe.seed + 1);
  const Pose<double> elsewhere = random_pose(rng, 10);
  Description moved_there = d;
  moved_there.gravity = elsewhere.R * d.gravity;
  for (JointDescription& j : moved_there.joints)
    if (j.parent == d.links[0].name) j.origin = elsewhere * j.origin;
  RC_ASSERT(relative_error(torques(Robot(moved_there), s), torques(Robot(d), s)) <= 1e-11);
}

// Torques add up as inertias do.
RC_GTEST_PROP(Physics, TorquesAreLinearInTheInertias, (const Recipe& recipe)) {
  const auto [a, s] = made(recipe);
  Rng rng(recipe.seed + 2);
  Description b = a, both = a;
  for (std::size_t k = 0; k < a.links.size(); ++k) {
    b.links[k].inertia = random_inertia(rng);
    both.links[k].inertia = together(*a.links[k].inertia, *b.links[k].inertia);
  }
  for (std::size_t k = 0; k < a.joints.size(); ++k) {
    b.joints[k].rotor_inertia = 2 * a.joints[k].rotor_inertia;
    both.joints[k].rotor_inertia = 3 * a.joints[k].rotor_inertia;
  }
  const Torques of_a = torques(Robot(a), s), of_b = torques(Robot(b), s),
                of_both = torques(Robot(both), s);
  const double size = std::max(largest(of_a), largest(of_b));
  for (std::size_t k = 0; k < of_a.size(); ++k)
    RC_ASSERT(std::abs(of_a[k] + of_b[k] - of_both[k]) <= 1e-12 * size);
}

// τ is quadratic in the velocities: twice the speed gives four times the excess over rest.
RC_GTEST_PROP(Physics, VelocityTorquesAreQuadratic, (const Recipe& recipe)) {
  auto [d, s] = made(recipe);
  const Robot robot(d);
  const Torques once = torques(robot, s);
  for (double& v : s.v) v = 2 * v;
  const Torques twice = torques(robot, s);
  for (double& v : s.v) v = 0;
  const Torques still = torques(robot, s);
  for (std::size_t k = 0; k < once.size(); ++k)
    RC_ASSERT(std::abs((twice[k] - still[k]) - 4 * (once[k] - still[k])) <=
              1e-12 * std::max(largest(twice), largest(still)));
}

}  // namespace
}  // namespace parid::test
