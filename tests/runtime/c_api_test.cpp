// The C API returns the results of the C++ API, and reports errors.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "parid/parid.h"
#include "parid/parid.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

struct Loaded {
  explicit Loaded(const char* name) : handle(parid_load(name)), robot(Robot::load(name)) {}
  ~Loaded() { parid_free(handle); }
  parid_robot* handle;
  Robot robot;
};

bool says(const std::string& part) {
  return std::string(parid_last_error()).find(part) != std::string::npos;
}

TEST(CApi, OneSampleIsThatOfTheCppApi) {
  for (const char* name : {"puma560", "quadruped", "puma560-positioning"}) {
    const Loaded l(name);
    ASSERT_NE(l.handle, nullptr) << parid_last_error();
    Workspace w(l.robot);
    Rng rng(1);
    const RandomState s = random_state(rng, l.robot.description());
    const std::size_t nv = s.v.size();
    std::vector<double> x(nv), y(nv), A(nv * nv), B(A), C(A), D(A), E(A), F(A);
    const double *q = s.q.data(), *v = s.v.data(), *a = s.a.data();
    auto ok = [](int code) { EXPECT_EQ(code, PARID_OK) << parid_last_error(); };

    ok(parid_inverse_dynamics(l.handle, q, v, a, x.data()));
    inverse_dynamics(l.robot, w, s.q, s.v, s.a, y);
    EXPECT_EQ(x, y);
    ok(parid_inverse_dynamics_with_friction(l.handle, q, v, a, x.data()));
    inverse_dynamics_with_friction(l.robot, w, s.q, s.v, s.a, std::span(y));
    EXPECT_EQ(x, y);
    ok(parid_forward_dynamics(l.handle, q, v, a, x.data()));
    forward_dynamics(l.robot, w, s.q, s.v, s.a, y);
    EXPECT_EQ(x, y);
    ok(parid_bias(l.handle, q, v, x.data()));
    bias(l.robot, w, s.q, s.v, y);
    EXPECT_EQ(x, y);
    ok(parid_gravity(l.handle, q, x.data()));
    gravity(l.robot, w, s.q, y);
    EXPECT_EQ(x, y);
    ok(parid_mass_matrix(l.handle, q, A.data()));
    mass_matrix(l.robot, w, s.q, B);
    EXPECT_EQ(A, B);
    ok(parid_coriolis_matrix(l.handle, q, v, A.data()));
    coriolis_matrix(l.robot, w, s.q, s.v, B);
    EXPECT_EQ(A, B);
    ok(parid_inverse_gradient(l.handle, q, v, a, A.data(), B.data(), C.data()));
    inverse_gradient(l.robot, w, s.q, s.v, s.a, D, E, F);
    EXPECT_EQ(A, D);
    EXPECT_EQ(B, E);
    EXPECT_EQ(C, F);
    ok(parid_forward_gradient(l.handle, q, v, a, A.data(), B.data(), C.data()));
    forward_gradient(l.robot, w, s.q, s.v, s.a, D, E, F);
    EXPECT_EQ(A, D);
    EXPECT_EQ(B, E);
    EXPECT_EQ(C, F);

    const int link = parid_find_link(l.handle, l.robot.tip().c_str());
    EXPECT_EQ(link, parid_tip(l.handle));
    EXPECT_STREQ(parid_link_name(l.handle, link), l.robot.tip().c_str());
    double R[9], p[3];
    ok(parid_kinematics(l.handle, q, link, R, p));
    const LinkPose pose = link_pose(l.robot, s.q, l.robot.tip());
    for (int k = 0; k < 9; ++k) EXPECT_EQ(R[k], pose.rotation[k]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(p[k], pose.position[k]);
    std::vector<double> J(6 * nv);
    ok(parid_jacobian(l.handle, q, link, J.data()));
    EXPECT_EQ(J, jacobian(l.robot, s.q, l.robot.tip()));
  }
}

TEST(CApi, InverseKinematicsOfATip) {
  for (const char* name : {"puma560", "panda"}) {
    const Loaded l(name);
    const int link = parid_tip(l.handle);
    const std::vector<double> q = l.robot.neutral();
    const double offset[3] = {0.05, -0.02, 0.1}, turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    parid_robot* tool = parid_with_frame(l.handle, "tool", link, offset, turn);
    ASSERT_NE(tool, nullptr);
    double R[9], p[3], back_R[9], back_p[3];
    std::vector<double> found(q.size());
    ASSERT_EQ(parid_kinematics(tool, q.data(), parid_find_link(tool, "tool"), R, p), PARID_OK);
    ASSERT_EQ(parid_inverse_kinematics(l.handle, link, p, R, offset, turn, q.data(), found.data()),
              PARID_OK)
        << parid_last_error();
    ASSERT_EQ(parid_kinematics(tool, found.data(), parid_find_link(tool, "tool"), back_R, back_p),
              PARID_OK);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(back_R[k], R[k], 1e-8);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(back_p[k], p[k], 1e-8);
    EXPECT_EQ(parid_inverse_kinematics(l.handle, link, p, nullptr, nullptr, nullptr, nullptr,
                                       found.data()),
              PARID_OK);
    const double far[3] = {9, 0, 0};
    EXPECT_EQ(parid_inverse_kinematics(l.handle, link, far, nullptr, nullptr, nullptr, nullptr,
                                       found.data()),
              PARID_ERROR);
    EXPECT_NE(std::string(parid_last_error()).find("no solution"), std::string::npos);
    EXPECT_EQ(
        parid_inverse_kinematics(l.handle, 999, p, R, nullptr, nullptr, nullptr, found.data()),
        PARID_BAD_ARGUMENT);
    EXPECT_EQ(parid_inverse_kinematics(l.handle, link, nullptr, R, nullptr, nullptr, nullptr,
                                       found.data()),
              PARID_BAD_ARGUMENT);
    parid_free(tool);
  }
}

TEST(CApi, FactsAndVariations) {
  const Loaded l("ur5");
  EXPECT_EQ(parid_nq(l.handle), 6);
  EXPECT_STREQ(parid_name(l.handle), "ur5");
  EXPECT_EQ(parid_velocity_name(l.handle, 6), nullptr);
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(parid_velocity_name(l.handle, k), l.robot.velocity_names()[k]);
    double limits[4];
    ASSERT_EQ(parid_limits(l.handle, k, limits), PARID_OK);
    EXPECT_EQ(limits[1], l.robot.limits()[k].upper);
    EXPECT_EQ(limits[3], l.robot.limits()[k].effort);
  }
  const double centre[3] = {0, 0, 0.1}, moon[3] = {0, 0, -1.62};
  parid_robot* loaded = parid_with_payload(l.handle, parid_tip(l.handle), 5, centre, nullptr);
  parid_robot* far = parid_with_gravity(loaded, moon);
  parid_robot* same = parid_clone(far);
  ASSERT_NE(same, nullptr);
  const Robot robot =
      l.robot.with_payload(l.robot.tip(), 5, {0, 0, 0.1}).with_gravity({0, 0, -1.62});
  Workspace w(robot);
  const std::vector<double> q(6, 0.3);
  std::vector<double> x(6), y(6);
  EXPECT_EQ(parid_gravity(same, q.data(), x.data()), PARID_OK);
  gravity(robot, w, q, y);
  EXPECT_EQ(x, y);
  for (parid_robot* r : {loaded, far, same}) parid_free(r);
}

TEST(CApi, RobotsFromParts) {
  const Loaded arm("puma560"), hand("planar2");
  const double at[3] = {0.1, -0.2, 0.3}, turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  const int wrist = parid_tip(arm.handle);
  parid_robot* both = parid_with_attached(arm.handle, hand.handle, wrist, "hand_", at, turned);
  ASSERT_NE(both, nullptr) << parid_last_error();
  const Robot expected = arm.robot.with_attached(hand.robot, arm.robot.tip(), "hand_",
                                                 {0.1, -0.2, 0.3}, {0, -1, 0, 1, 0, 0, 0, 0, 1});
  ASSERT_EQ(parid_nv(both), 8);
  const std::vector<double> q(8, 0.3), v(8, -0.2), a(8, 0.5);
  std::vector<double> x(8), y(8);
  ASSERT_EQ(parid_inverse_dynamics(both, q.data(), v.data(), a.data(), x.data()), PARID_OK);
  Workspace w(expected);
  inverse_dynamics(expected, w, q, v, a, y);
  EXPECT_EQ(x, y);

  const int first = parid_find_link(both, "hand_link1");
  ASSERT_GE(first, 0);
  parid_robot* again = parid_without_branch(both, first);
  ASSERT_NE(again, nullptr) << parid_last_error();
  EXPECT_EQ(parid_nv(again), 6);
  parid_robot* bare = parid_without_rotors(again);
  ASSERT_NE(bare, nullptr);
  const Robot bare_expected = expected.without_branch("hand_link1").without_rotors();
  Workspace u(bare_expected);
  x.resize(6);
  y.resize(6);
  ASSERT_EQ(parid_inverse_dynamics(bare, q.data(), v.data(), a.data(), x.data()), PARID_OK);
  inverse_dynamics(bare_expected, u, std::span(q).first(6), std::span(v).first(6),
                   std::span(a).first(6), y);
  EXPECT_EQ(x, y);

  EXPECT_EQ(parid_with_attached(arm.handle, arm.handle, wrist, nullptr, nullptr, nullptr), nullptr);
  EXPECT_TRUE(says("link")) << parid_last_error();
  EXPECT_EQ(parid_with_attached(arm.handle, nullptr, wrist, "", nullptr, nullptr), nullptr);
  EXPECT_EQ(parid_with_attached(arm.handle, hand.handle, 999, "", nullptr, nullptr), nullptr);
  EXPECT_EQ(parid_without_branch(arm.handle, 0), nullptr);  // the root
  EXPECT_EQ(parid_without_branch(arm.handle, -1), nullptr);
  EXPECT_EQ(parid_with_tip(nullptr, 0), nullptr);
  EXPECT_EQ(parid_without_rotors(nullptr), nullptr);
  for (parid_robot* r : {both, again, bare}) parid_free(r);
}

TEST(CApi, ElasticJointsByName) {
  const Loaded arm("puma560");
  const std::string names[] = {arm.robot.velocity_names()[1], arm.robot.velocity_names()[3]};
  const char* const joints[] = {names[0].c_str(), names[1].c_str()};
  const double stiffness[] = {2e4, 900}, damping[] = {10, 0};
  parid_robot* elastic = parid_with_elasticity(arm.handle, joints, stiffness, damping, 2);
  ASSERT_NE(elastic, nullptr) << parid_last_error();
  const Robot expected = arm.robot.with_elasticity({{names[0], {2e4, 10}}, {names[1], {900, 0}}});
  parid_engine* e = parid_engine_new(elastic, 1);
  ASSERT_NE(e, nullptr) << parid_last_error();
  Rng rng(4);
  std::vector<double> in[5], tau(6), theta(6), theta_v(6), a(6), theta_a(6);
  for (std::vector<double>& x : in)
    for (int k = 0; k < 6; ++k) x.push_back(uniform(rng, -1, 1));
  const double* from[] = {in[0].data(), in[1].data(), in[2].data(), in[3].data(), in[4].data()};
  double* to[] = {tau.data(), theta.data(), theta_v.data()};
  ASSERT_EQ(parid_engine_rows(e, "elastic_inverse", nullptr, 1, from, to), PARID_OK)
      << parid_last_error();
  Engine engine(expected, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
  std::vector<double> right(6), unused(6), more(6);
  engine.evaluate(
      Quantity::elastic_inverse_dynamics, 1,
      std::vector<StridedInput>{
          {from[0], 6}, {from[1], 6}, {from[2], 6}, {from[3], 6}, {from[4], 6}},
      std::vector<StridedOutput>{{right.data(), 6}, {unused.data(), 6}, {more.data(), 6}});
  EXPECT_EQ(tau, right);
  EXPECT_NE(theta[1], in[0][1]);
  EXPECT_EQ(theta[0], in[0][0]);

  EXPECT_EQ(parid_with_elasticity(arm.handle, joints, nullptr, nullptr, 2), nullptr);
  const char* const unknown[] = {"nothing"};
  EXPECT_EQ(parid_with_elasticity(arm.handle, unknown, stiffness, nullptr, 1), nullptr);
  EXPECT_TRUE(says("nothing")) << parid_last_error();
  EXPECT_EQ(parid_with_elasticity(nullptr, joints, stiffness, damping, 2), nullptr);
  parid_engine_free(e);
  parid_free(elastic);
}

// A frame is a link to kinematics, Jacobians, wrenches, payloads and the tip.
TEST(CApi, FramesByName) {
  const Loaded l("puma560");
  const double at[3] = {0.02, 0.03, 0.1};
  parid_robot* r = parid_with_frame(l.handle, "tool", parid_tip(l.handle), at, nullptr);
  ASSERT_NE(r, nullptr) << parid_last_error();
  const Robot expected = l.robot.with_frame("tool", l.robot.tip(), {0.02, 0.03, 0.1});
  const int tool = parid_find_link(r, "tool");
  ASSERT_GE(tool, 0) << parid_last_error();
  const std::vector<double> q{0.1, -0.4, 0.7, 0.2, 0.9, -0.3}, v(6, 0.4), a(6, -0.2);
  double R[9], p[3];
  std::vector<double> J(36), x(6), y(6);
  ASSERT_EQ(parid_kinematics(r, q.data(), tool, R, p), PARID_OK) << parid_last_error();
  ASSERT_EQ(parid_jacobian(r, q.data(), tool, J.data()), PARID_OK);
  for (int k = 0; k < 6; ++k) {  // the Jacobian is the derivative of that position
    std::vector<double> ahead = q, behind = q;
    ahead[k] += 1e-5;
    behind[k] -= 1e-5;
    double f[3], b[3];
    parid_kinematics(r, ahead.data(), tool, R, f);
    parid_kinematics(r, behind.data(), tool, R, b);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR((f[i] - b[i]) / 2e-5, J[i * 6 + k], 1e-8);
  }
  const double force[3] = {3, -2, 5}, none[3] = {};
  ASSERT_EQ(parid_add_wrench(r, tool, force, none), PARID_OK) << parid_last_error();
  ASSERT_EQ(parid_inverse_dynamics(r, q.data(), v.data(), a.data(), x.data()), PARID_OK);
  ASSERT_EQ(parid_inverse_dynamics(l.handle, q.data(), v.data(), a.data(), y.data()), PARID_OK);
  parid_kinematics(r, q.data(), tool, R, p);
  for (int k = 0; k < 6; ++k) {  // the joints hold against Jᵀ f
    double against = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) against += J[i * 6 + k] * R[3 * i + j] * force[j];
    EXPECT_NEAR(x[k], y[k] - against, 1e-12);
  }
  parid_robot* loaded = parid_with_payload(r, tool, 2, none, nullptr);
  ASSERT_NE(loaded, nullptr) << parid_last_error();
  const Robot payload = expected.with_payload("tool", 2);
  Workspace w(payload);
  ASSERT_EQ(parid_inverse_dynamics(loaded, q.data(), v.data(), a.data(), x.data()), PARID_OK);
  inverse_dynamics(payload, w, q, v, a, y);
  EXPECT_EQ(x, y);
  parid_robot* tipped = parid_with_tip(r, tool);
  ASSERT_NE(tipped, nullptr);
  EXPECT_STREQ(parid_link_name(tipped, parid_tip(tipped)), "tool");
  for (parid_robot* each : {r, loaded, tipped}) parid_free(each);
}

TEST(CApi, WhatActsFromOutside) {
  const Loaded l("puma560");
  Workspace w(l.robot);
  const std::vector<double> q(6, 0.3), zero(6);
  std::vector<double> x(6), y(6), still(6);
  const double f[3] = {1, 2, 3}, n[3] = {4, 5, 6}, none[3] = {0, 0, 0};
  EXPECT_EQ(parid_gravity(l.handle, q.data(), still.data()), PARID_OK);
  EXPECT_EQ(parid_add_wrench(l.handle, parid_tip(l.handle), f, n), PARID_OK);
  EXPECT_EQ(parid_set_base_motion(l.handle, f, n, f), PARID_OK);
  w.set_wrench(l.robot.tip(), {1, 2, 3}, {4, 5, 6});
  w.set_base_motion({1, 2, 3}, {4, 5, 6}, {1, 2, 3});
  parid_inverse_dynamics(l.handle, q.data(), zero.data(), zero.data(), x.data());
  inverse_dynamics(l.robot, w, q, zero, zero, y);
  EXPECT_EQ(x, y);
  EXPECT_NE(x, still);
  parid_clear_wrenches(l.handle);
  parid_set_base_motion(l.handle, none, none, none);
  parid_gravity(l.handle, q.data(), x.data());
  EXPECT_EQ(x, still);
}

TEST(CApi, Batches) {
  const Loaded l("panda");
  parid_engine* e = parid_engine_new(l.handle, 2);
  ASSERT_NE(e, nullptr);
  const std::size_t rows = 700, n = 7;
  std::vector<double> q(rows * n), v(rows * n), a(rows * n), tau(rows * n), other(rows * n);
  for (std::size_t k = 0; k < q.size(); ++k) {
    q[k] = std::sin(0.1 * static_cast<double>(k));
    v[k] = std::cos(0.3 * static_cast<double>(k));
    a[k] = std::sin(0.7 * static_cast<double>(k));
  }
  EXPECT_EQ(parid_engine_takes(e, "inverse", 2), n);
  EXPECT_EQ(parid_engine_takes(e, "inverse", 3), 0U);
  EXPECT_EQ(parid_engine_gives(e, "mass", 0), n * n);
  const double* in[] = {q.data(), v.data(), a.data()};
  double* out[] = {tau.data()};
  ASSERT_EQ(parid_engine_rows(e, "inverse", nullptr, rows, in, out), PARID_OK)
      << parid_last_error();
  Engine engine(l.robot, {.threads = 1, .kernel = KernelKind::generic});
  engine.inverse_dynamics(rows, q, v, a, other);
  EXPECT_EQ(tau, other);

  const parid_input columns[] = {{q.data(), 1, rows}, {v.data(), 1, rows}, {a.data(), 1, rows}};
  const parid_output to[] = {{tau.data(), n, 1}};
  ASSERT_EQ(parid_engine_strided(e, "inverse", nullptr, rows, columns, to), PARID_OK);
  std::vector<double> row_q(n), row_v(n), row_a(n), row(n);
  for (std::size_t k = 0; k < n; ++k) {
    row_q[k] = q[3 + k * rows];
    row_v[k] = v[3 + k * rows];
    row_a[k] = a[3 + k * rows];
  }
  parid_inverse_dynamics(l.handle, row_q.data(), row_v.data(), row_a.data(), row.data());
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(tau[3 * n + k], row[k], 1e-11);

  const std::vector<float> qf(q.begin(), q.end());
  std::vector<float> R(rows * 9), p(rows * 3);
  const float* in_float[] = {qf.data()};
  float* out_float[] = {R.data(), p.data()};
  const std::string third = parid_link_name(l.handle, 3);
  ASSERT_EQ(parid_engine_rows_float(e, "kinematics", third.c_str(), rows, in_float, out_float),
            PARID_OK);
  const LinkPose pose = link_pose(l.robot, {q.data() + 5 * n, n}, third);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(p[5 * 3 + k], pose.position[k], 1e-6);
  parid_engine_free(e);
}

TEST(CApi, RowsWithArgumentsOfTheirOwn) {
  const Loaded l("panda");
  const std::string hand = l.robot.tip(), last = parameter_links(l.robot).back();
  const char *bodies[] = {last.c_str()}, *pushed[] = {hand.c_str()};
  const parid_per_row vary{bodies, 1, 1, 0, pushed, 1};
  parid_engine* e = parid_engine_new_per_row(l.handle, 1, &vary);
  ASSERT_NE(e, nullptr) << parid_last_error();
  EXPECT_EQ(parid_engine_takes(e, "inverse", 3), 10U);
  EXPECT_EQ(parid_engine_takes(e, "inverse", 4), 3U);
  EXPECT_EQ(parid_engine_takes(e, "inverse", 5), 6U);
  EXPECT_EQ(parid_engine_takes(e, "mass", 2), 0U);
  const std::vector<double> x(7, 0.3), pi = regressor_parameters(l.robot),
                                       own(pi.end() - 10, pi.end());
  const double gravity[] = {1, 2, -3}, wrench[] = {4, 5, 6, 0.1, 0.2, 0.3};
  const double* in[] = {x.data(), x.data(), x.data(), own.data(), gravity, wrench};
  std::vector<double> tau(7), other(7);
  double* out[] = {tau.data()};
  ASSERT_EQ(parid_engine_rows(e, "inverse", nullptr, 1, in, out), PARID_OK) << parid_last_error();
  const Robot there = l.robot.with_gravity({1, 2, -3});
  Workspace w(there);
  w.set_wrench(hand, {4, 5, 6}, {0.1, 0.2, 0.3});
  inverse_dynamics(there, w, x, x, x, other);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(tau[k], other[k], 1e-11);
  parid_engine_free(e);

  const char* nowhere[] = {"nowhere"};
  const parid_per_row wrong{nowhere, 1, 0, 0, nullptr, 0}, missing{nullptr, 1, 0, 0, nullptr, 0};
  EXPECT_EQ(parid_engine_new_per_row(l.handle, 1, &wrong), nullptr);
  EXPECT_TRUE(says("nowhere")) << parid_last_error();
  EXPECT_EQ(parid_engine_new_per_row(l.handle, 1, &missing), nullptr);
  EXPECT_EQ(parid_engine_new_per_row(l.handle, 1, nullptr), nullptr);
}

TEST(CApi, DerivativesAreThoseOfTheCppApi) {
  const Loaded l("quadruped");
  Workspace w(l.robot);
  Rng rng(4);
  const RandomState s = random_state(rng, l.robot.description());
  const std::size_t n = s.v.size(), cube = n * n * n;
  std::vector<double> x[4], y[4];
  auto sized = [&](std::size_t size) {
    for (int k = 0; k < 4; ++k) {
      x[k].assign(size, 0);
      y[k].assign(size, 1);
    }
  };
  auto same = [&](int count) {
    for (int k = 0; k < count; ++k) EXPECT_EQ(x[k], y[k]) << k;
  };
  const double *q = s.q.data(), *v = s.v.data(), *a = s.a.data();
  sized(cube);
  EXPECT_EQ(
      parid_inverse_hessian(l.handle, q, v, a, x[0].data(), x[1].data(), x[2].data(), x[3].data()),
      PARID_OK);
  inverse_hessian(l.robot, w, s.q, s.v, s.a, y[0], y[1], y[2], y[3]);
  same(4);
  EXPECT_EQ(
      parid_forward_hessian(l.handle, q, v, a, x[0].data(), x[1].data(), x[2].data(), x[3].data()),
      PARID_OK);
  forward_hessian(l.robot, w, s.q, s.v, s.a, y[0], y[1], y[2], y[3]);
  same(4);
  sized(6 * n * n);
  EXPECT_EQ(parid_jacobian_hessian(l.handle, q, 5, x[0].data()), PARID_OK);
  jacobian_hessian(l.robot, s.q, 5, y[0]);
  same(1);
  EXPECT_EQ(parid_jacobian_hessian(l.handle, q, 500, x[0].data()), PARID_BAD_ARGUMENT);
  sized(n * n);
  EXPECT_EQ(parid_d_integrate(l.handle, q, v, x[0].data(), x[1].data()), PARID_OK);
  d_integrate(l.robot, s.q, s.v, y[0], y[1]);
  same(2);
  const std::vector<double> neutral = l.robot.neutral();
  EXPECT_EQ(parid_d_difference(l.handle, q, neutral.data(), x[0].data(), x[1].data()), PARID_OK);
  d_difference(l.robot, s.q, neutral, y[0], y[1]);
  same(2);
  const int links[] = {3, 5};
  const OperationalSpace space =
      operational_space(l.robot, w, s.q, s.v, {l.robot.link_names()[3], l.robot.link_names()[5]});
  sized(144);
  EXPECT_EQ(
      parid_operational_space(l.handle, q, v, links, 2, x[0].data(), x[1].data(), nullptr, nullptr),
      PARID_OK);
  EXPECT_EQ(x[0], space.inverse_inertia);
  EXPECT_EQ(x[1], space.inertia);
}

TEST(CApi, SaysWhatIsWrong) {
  EXPECT_EQ(parid_load("puma56"), nullptr);
  EXPECT_EQ(parid_last_code(), PARID_ERROR);
  EXPECT_TRUE(says("did you mean 'puma560'?")) << parid_last_error();
  EXPECT_EQ(parid_load_abi("puma560", PARID_ABI_VERSION + 1, 0), nullptr);
  EXPECT_EQ(parid_last_code(), PARID_BAD_ABI);
  EXPECT_TRUE(says("compile it again")) << parid_last_error();
  EXPECT_EQ(parid_abi_version(), PARID_ABI_VERSION);

  const Loaded l("planar2");
  const double x[2] = {0, 0};
  double y[2];
  EXPECT_EQ(parid_inverse_dynamics(l.handle, x, nullptr, x, y), PARID_BAD_ARGUMENT);
  EXPECT_EQ(parid_inverse_dynamics(nullptr, x, x, x, y), PARID_BAD_ARGUMENT);
  EXPECT_EQ(parid_jacobian(l.handle, x, 99, y), PARID_BAD_ARGUMENT);
  EXPECT_TRUE(says("no link 99")) << parid_last_error();
  EXPECT_EQ(parid_find_link(l.handle, "link9"), PARID_ERROR);
  EXPECT_LT(parid_nq(nullptr), 0);
  parid_engine* e = parid_engine_new(l.handle, 1);
  const double* in[] = {x, x, nullptr};
  double* out[] = {y};
  EXPECT_EQ(parid_engine_rows(e, "invers", nullptr, 1, in, out), PARID_ERROR);
  EXPECT_TRUE(says("did you mean 'inverse'?")) << parid_last_error();
  EXPECT_EQ(parid_engine_rows(e, "inverse", nullptr, 1, in, out), PARID_BAD_ARGUMENT);
  EXPECT_EQ(parid_engine_prepare(e, "inverse", 7, nullptr), PARID_BAD_ARGUMENT);
  parid_engine_free(e);
  parid_engine_free(nullptr);
  parid_free(nullptr);

  std::thread([] { EXPECT_STREQ(parid_last_error(), ""); }).join();  // each thread has its own
}

// The same values that the command line and Python refuse, and nothing is changed by them.
TEST(CApi, RefusesBadValues) {
  const Loaded l("planar2");
  const int tip = parid_tip(l.handle);
  const double nan = std::nan(""), inf = INFINITY, zero[3] = {0, 0, 0};
  const double still[2] = {0.3, 0.4}, rest[2] = {0, 0};
  double before[2], after[2];
  ASSERT_EQ(parid_gravity(l.handle, still, before), PARID_OK);

  for (const double mass : {-1.0, -0.0, 0.0, nan, inf, -inf}) {
    EXPECT_EQ(parid_with_payload(l.handle, tip, mass, zero, nullptr), nullptr) << mass;
    EXPECT_EQ(parid_last_code(), PARID_ERROR);
    EXPECT_TRUE(says("mass: ")) << parid_last_error();
    EXPECT_THROW(l.robot.with_payload(l.robot.tip(), mass), Error);
  }
  EXPECT_EQ(parid_with_payload(l.handle, 99, 1, zero, nullptr), nullptr);
  EXPECT_EQ(parid_last_code(), PARID_BAD_ARGUMENT);
  for (const double bad : {nan, inf, -inf})
    for (int k = 0; k < 3; ++k) {
      double x[3] = {1, 2, 3};
      x[k] = bad;
      EXPECT_EQ(parid_with_payload(l.handle, tip, 1, x, nullptr), nullptr);
      EXPECT_TRUE(says("centre: ")) << parid_last_error();
      EXPECT_EQ(parid_with_gravity(l.handle, x), nullptr);
      EXPECT_TRUE(says("a gravity vector that is not finite")) << parid_last_error();
      EXPECT_EQ(parid_add_wrench(l.handle, tip, x, zero), PARID_ERROR);
      EXPECT_TRUE(says("force: ")) << parid_last_error();
      EXPECT_EQ(parid_add_wrench(l.handle, tip, zero, x), PARID_ERROR);
      EXPECT_TRUE(says("moment: ")) << parid_last_error();
      EXPECT_EQ(parid_set_base_motion(l.handle, x, zero, zero), PARID_ERROR);
      EXPECT_EQ(parid_set_base_motion(l.handle, zero, x, zero), PARID_ERROR);
      EXPECT_EQ(parid_set_base_motion(l.handle, zero, zero, x), PARID_ERROR);
      EXPECT_TRUE(says("linear acceleration of the base: ")) << parid_last_error();
      Engine engine(l.robot, {.threads = 1, .kernel = KernelKind::generic});
      EXPECT_THROW(engine.set_wrench(l.robot.tip(), {x[0], x[1], x[2]}, {}), Error);
      EXPECT_THROW(engine.set_base_motion({}, {}, {x[0], x[1], x[2]}), Error);
    }
  // No body has these; added to the link's, the sums would look possible.
  const double wrong[][6] = {{-1e-3, 1, 1, 0, 0, 0},
                             {1e-3, 1e-3, 1, 0, 0, 0},
                             {0, 0, nan, 0, 0, 0},
                             {1, 1, 1, 5, 0, 0},
                             {0, 0, 0, inf, 0, 0}};
  for (const auto& inertia : wrong)
    EXPECT_EQ(parid_with_payload(l.handle, tip, 1, zero, inertia), nullptr) << inertia[0];

  for (const int threads : {-1, -1000, 4097, INT_MIN, INT_MAX}) {
    EXPECT_EQ(parid_engine_new(l.handle, threads), nullptr) << threads;
    EXPECT_EQ(parid_last_code(), PARID_ERROR);
    EXPECT_TRUE(says("give 1 to 4096, or 0")) << parid_last_error();
    EXPECT_THROW(InverseKinematics(l.robot, {.threads = threads}), Error);
    EXPECT_THROW(Workspace(l.robot, {.threads = threads}), Error);
  }
  // Rows whose numbers no size can count: the product would wrap around to few.
  parid_engine* e = parid_engine_new(l.handle, 1);
  const double* in[] = {still, rest, rest};
  double* out[] = {after};
  const parid_input strided[] = {{still, 0, 1}, {rest, 0, 1}, {rest, 0, 1}};
  const parid_output to[] = {{after, 0, 1}};
  for (const std::size_t rows : {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 8}) {
    EXPECT_EQ(parid_engine_rows(e, "inverse", nullptr, rows, in, out), PARID_BAD_ARGUMENT);
    EXPECT_EQ(parid_engine_strided(e, "inverse", nullptr, rows, strided, to), PARID_BAD_ARGUMENT);
    EXPECT_EQ(parid_inverse_dynamics_rows(l.handle, rows, still, rest, rest, after),
              PARID_BAD_ARGUMENT);
    EXPECT_TRUE(says("rows")) << parid_last_error();
  }
  parid_engine_free(e);

  ASSERT_EQ(parid_gravity(l.handle, still, after), PARID_OK);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(after[1], before[1]);
}

TEST(CApi, OneSampleByMachineCode) {
  const Loaded own("puma560"), generic("puma560");
  const double q[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  double x[36], y[36];
  EXPECT_EQ(parid_compile_kernel(own.handle, "mass", PARID_INTERPRETED), PARID_BAD_ARGUMENT);
  EXPECT_EQ(parid_compile_kernel(own.handle, "mass", 99), PARID_BAD_ARGUMENT);
  EXPECT_EQ(parid_compile_kernel(own.handle, "masses", PARID_MACHINE), PARID_ERROR);
#if defined(__x86_64__)
  ASSERT_EQ(parid_compile_kernel(own.handle, "mass", PARID_MACHINE), PARID_OK)
      << parid_last_error();
#endif
  for (const int kernel : {PARID_AUTOMATIC, PARID_GENERIC}) {
    ASSERT_EQ(parid_mass_matrix(own.handle, q, x), PARID_OK);
    ASSERT_EQ(parid_mass_matrix(generic.handle, q, y), PARID_OK);
    for (int k = 0; k < 36; ++k) EXPECT_NEAR(x[k], y[k], 1e-12) << k;
    EXPECT_EQ(parid_compile_kernel(own.handle, "mass", kernel), PARID_OK) << parid_last_error();
  }
  parid_engine* e = parid_engine_new(own.handle, 1);
#if defined(__x86_64__)
  EXPECT_EQ(parid_engine_prepare(e, "mass", PARID_MACHINE, nullptr), PARID_MACHINE);
#endif
  EXPECT_GE(parid_engine_prepare(e, "mass", PARID_AUTOMATIC, nullptr), PARID_GENERIC);
  EXPECT_EQ(parid_engine_prepare(e, "mass", 99, nullptr), PARID_BAD_ARGUMENT);
  parid_engine_free(e);
}

}  // namespace
}  // namespace parid::test
