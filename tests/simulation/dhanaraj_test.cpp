// The thesis' simulation program (Dhanaraj 1990, D.4): three joints of a PUMA-560 with 10 kg in its
// hand, moved by torques from a file, fourth-order Runge-Kutta, steps of 0.02 s for 2 s.
//
// The torque file is not printed. Here it is made by inverse dynamics along a motion from the
// printed start. The program's equations of motion are printed, with their coefficients; they are
// written out below, as an independent reference, and integrated here.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "model/description.hpp"
#include "parid/dynamics.hpp"
#include "parid/simulation.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using Three = std::array<double, 3>;

// The program's model, 10 kg in the hand by its own rule (mass 16.05 kg, centre at y = −0.2954 m as
// it rounds it, the payload about the joint added to inertias about the centre), as a robot that
// can exist:
//   Motors are at their joints; for joints 1 and 2 that is the same as in Izz of their links.
//   0.45 kg m² went from Izz of link 1 to Ixx and Iyy of link 3: axis 3 stays at right angles to
//   axis 1, so no torque changes, and link 3 satisfies the triangle inequality.
Description program_arm(double payload, double m3) {
  Description d;
  d.name = "puma560 of D.4";
  d.gravity = {0, 0, -9.8};
  const double right = std::numbers::pi / 2, far = 0.4318, y3 = payload > 0 ? 0.2954 : 0.07,
               added = payload * far * far, moved = 0.45;
  d.links.push_back({"base", std::nullopt});
  d.links.push_back({"link1", Inertia{1, {}, {0.35, 0.35, 0.35}}});
  d.links.push_back({"link2", Inertia{17.4, {-0.068, 0, 0}, {0.13, 0.524, 0.539}}});
  d.links.push_back(
      {"link3",
       Inertia{m3, {0, -y3, 0}, {0.192 + added + moved, 0.0154 + moved, 0.212 + 0.83 + added}}});
  for (int i = 1; i <= 3; ++i) {
    JointDescription j;
    j.name = "joint" + std::to_string(i);
    j.type = JointType::continuous;
    j.parent = d.links[i - 1].name;
    j.child = d.links[i].name;
    j.axis = {0, 0, 1};
    d.joints.push_back(j);
  }
  d.joints[0].rotor_inertia = 1.14 - moved;
  d.joints[1].rotor_inertia = 4.71;
  const double c = std::cos(-right), s = std::sin(-right);
  d.joints[1].origin = {{{1, 0, 0}, {0, c, -s}, {0, s, c}}, {0, 0.2435, 0}};
  d.joints[2].origin.p = {0.4318, 0, -0.0934};
  return d;
}

// As printed: the matrix D and the vector h of D q̈ = τ − h.
void printed_matrix(const Three& q, double D[3][3]) {
  const double s2 = std::sin(q[1]), c2 = std::cos(q[1]), s3 = std::sin(q[2]), c3 = std::cos(q[2]);
  D[0][0] = 6.881538 * (c2 * s2 * c3 * s3 + 0.5946234 * c2 * s2 * c3 - s2 * s2 * s3 * s3 -
                        0.5946234 * s2 * s2 * s3 - 0.0035408 * s2 * s2 + 0.5 * s3 * s3 +
                        0.5946234 * s3 + 0.9436266);
  D[0][1] = D[1][0] = -0.7112062 * (c2 * c3 - s2 * s3 - 1.056647 * s2);
  D[0][2] = D[2][0] = -0.7112062 * (c2 * c3 - s2 * s3);
  D[1][1] = 4.091923 * (s3 + 3.085665);
  D[1][2] = D[2][1] = 2.045961 * (s3 + 2.104716);
  D[2][2] = 4.306169;
}
Three printed_bias(const Three& q, const Three& v) {
  const double s2 = std::sin(q[1]), c2 = std::cos(q[1]), s3 = std::sin(q[2]), c3 = std::cos(q[2]);
  const auto [v1, v2, v3] = v;
  const double u = 0.5948432, w = 0.2974216, k = 0.0516941, K = 0.1033881;
  return {
      -13.76656 *
          (c2 * s2 * s3 * s3 * v1 * v2 + c2 * s2 * s3 * s3 * v1 * v3 + u * c2 * s2 * s3 * v1 * v2 +
           w * c2 * s2 * s3 * v1 * v3 + 0.0036841 * c2 * s2 * v1 * v2 - 0.5 * c2 * s2 * v1 * v3 -
           k * c2 * s3 * v2 * v2 - K * c2 * s3 * v2 * v3 - k * c2 * s3 * v3 * v3 -
           0.0546354 * c2 * v2 * v2 + s2 * s2 * c3 * s3 * v1 * v2 + s2 * s2 * c3 * s3 * v1 * v3 +
           u * s2 * s2 * c3 * v1 * v2 + w * s2 * s2 * c3 * v1 * v3 - k * s2 * c3 * v2 * v2 -
           K * s2 * c3 * v2 * v3 - k * s2 * c3 * v3 * v3 - 0.5 * c3 * s3 * v1 * v2 -
           0.5 * c3 * s3 * v1 * v3 - w * c3 * v1 * v2 - w * c3 * v1 * v3),
      6.883283 * (c2 * s2 * s3 * s3 * v1 * v1 + u * c2 * s2 * s3 * v1 * v1 +
                  0.0036841 * c2 * s2 * v1 * v1 - 6.750189 * c2 * s3 - 8.182499 * c2 +
                  s2 * s2 * c3 * s3 * v1 * v1 + u * s2 * s2 * c3 * v1 * v1 - 6.750189 * s2 * c3 -
                  0.5 * c3 * s3 * v1 * v1 - w * c3 * v1 * v1 + u * c3 * v2 * v3 + w * c3 * v3 * v3),
      6.883283 *
          (c2 * s2 * s3 * s3 * v1 * v1 + w * c2 * s2 * s3 * v1 * v1 - 0.5 * c2 * s2 * v1 * v1 -
           6.750189 * c2 * s3 + s2 * s2 * c3 * s3 * v1 * v1 + w * s2 * s2 * c3 * v1 * v1 -
           6.750189 * s2 * c3 - 0.5 * c3 * s3 * v1 * v1 - w * c3 * v1 * v1 - w * c3 * v2 * v2)};
}
Three printed_acceleration(const Three& q, const Three& v, const Three& tau) {
  double D[3][3];
  printed_matrix(q, D);
  Three x = printed_bias(q, v);
  for (int i = 0; i < 3; ++i) x[i] = tau[i] - x[i];
  for (int j = 0; j < 3; ++j)
    for (int i = j + 1; i < 3; ++i) {
      const double l = D[i][j] / D[j][j];
      for (int k = j; k < 3; ++k) D[i][k] -= l * D[j][k];
      x[i] -= l * x[j];
    }
  for (int i = 2; i >= 0; --i) {
    for (int k = i + 1; k < 3; ++k) x[i] -= D[i][k] * x[k];
    x[i] /= D[i][i];
  }
  return x;
}

constexpr Three start{3.6997, 2.3083, 0.5951}, way{0.4, -0.3, 0.5};

// From rest to rest in 2 s with the least jerk.
void motion_at(double t, Three& q, Three& v, Three& a) {
  const double s = t / 2;
  for (int k = 0; k < 3; ++k) {
    q[k] = start[k] + way[k] * s * s * s * (10 - 15 * s + 6 * s * s);
    v[k] = way[k] * 30 * s * s * (1 - s) * (1 - s) / 2;
    a[k] = way[k] * 60 * s * (1 - s) * (1 - 2 * s) / 4;
  }
}

// 201 rows, 0.01 s apart, as the program reads them.
TorqueSamples torque_file(const Robot& robot) {
  Workspace workspace(robot);
  TorqueSamples out;
  for (int i = 0; i <= 200; ++i) {
    Three q, v, a, tau;
    motion_at(i / 100., q, v, a);
    inverse_dynamics(robot, workspace, q, v, a, tau);
    out.t.push_back(i / 100.);
    out.tau.insert(out.tau.end(), tau.begin(), tau.end());
  }
  return out;
}

TEST(DhanarajSimulation, EquationsAreThePrintedOnes) {
  // The program's matrix has 16.04 kg where its vector has 16.05.
  const Robot light(program_arm(10, 16.04)), robot(program_arm(10, 16.05));
  Workspace workspace(robot), light_workspace(light);
  double matrix = 0, bias_off = 0;
  for (int i = 0; i < 200; ++i) {
    const Three q{0.1 * i, 0.37 * i, 0.59 * i},
        v{std::sin(0.2 * i), std::cos(0.7 * i), std::sin(1.1 * i)};
    double D[3][3], M[9];
    printed_matrix(q, D);
    mass_matrix(light, light_workspace, q, M);
    for (int k = 0; k < 9; ++k) matrix = std::max(matrix, std::abs(M[k] - D[k / 3][k % 3]));
    const Three printed = printed_bias(q, v);
    Three ours;
    bias(robot, workspace, q, v, ours);
    for (int k = 0; k < 3; ++k) bias_off = std::max(bias_off, std::abs(ours[k] - printed[k]));
  }
  EXPECT_LT(matrix, 3e-5);
  EXPECT_LT(bias_off, 3e-4);
}

// Gill's method, as the program has it; torques by table at t, t + h/2 and t + h.
TEST(DhanarajSimulation, MovesAsTheProgramDoes) {
  const Robot robot(program_arm(10, 16.05));
  const TorqueSamples file = torque_file(robot);
  std::array<double, 6> y{start[0], start[1], start[2], 0, 0, 0};
  const double h = 0.02;
  auto rate = [&](const std::array<double, 6>& x, int row) {
    const Three q{x[0], x[1], x[2]}, v{x[3], x[4], x[5]};
    const Three tau{file.tau[3 * row], file.tau[3 * row + 1], file.tau[3 * row + 2]};
    const Three a = printed_acceleration(q, v, tau);
    return std::array<double, 6>{v[0], v[1], v[2], a[0], a[1], a[2]};
  };
  for (int step = 0; step < 100; ++step) {
    std::array<double, 6> Q{};
    const double weight[] = {0.5, 0.2928932, 1.707107};
    for (int stage = 0; stage < 3; ++stage) {
      const auto F = rate(y, 2 * step + (stage > 0));
      for (int k = 0; k < 6; ++k) {
        y[k] += weight[stage] * (F[k] * h - Q[k]);
        Q[k] = 2 * weight[stage] * h * F[k] + (1 - 3 * weight[stage]) * Q[k];
      }
    }
    const auto F = rate(y, 2 * step + 2);
    for (int k = 0; k < 6; ++k) y[k] += h * F[k] / 6 - Q[k] / 3;
  }
  Simulation s(robot, {.integrator = "rk4", .time = 2, .rate = 50, .step = 0.02});
  s.set_state(start, Three{});
  const SimulationResult r = s.run(*open_loop(file));
  ASSERT_EQ(r.motion.rows, 101u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(r.motion.q[300 + k], y[k], 2e-3);
    EXPECT_NEAR(r.motion.v[300 + k], y[3 + k], 5e-3);
  }
}

// The payload as a body, not counted twice; and small steps follow the motion that the torques were
// made for.
TEST(DhanarajSimulation, OpenLoopFollowsItsMotion) {
  const Robot robot = Robot(program_arm(0, 6.05)).with_payload("link3", 10, {0, -0.4318, 0});
  const TorqueSamples file = torque_file(robot);
  for (const char* id : {"rk4", "dopri5"}) {
    Simulation s(robot, {.integrator = id, .time = 2, .rate = 100, .step = 0.01});
    s.set_state(start, Three{});
    const SimulationResult r = s.run(*open_loop(file));
    EXPECT_EQ(r.end, SimulationEnd::finished);
    Three q, v, a;
    double off = 0;
    for (std::size_t i = 0; i < r.motion.rows; ++i) {
      motion_at(r.motion.t[i], q, v, a);
      for (int k = 0; k < 3; ++k) off = std::max(off, std::abs(r.motion.q[3 * i + k] - q[k]));
    }
    EXPECT_LT(off, 1e-4) << id;  // torques run straight between the file's instants
    EXPECT_LT(r.relative_energy_drift, 1e-6) << id;
    EXPECT_GT(std::abs(r.work.back()), 10);
  }
}

}  // namespace
}  // namespace parid::test
