// Friction of bearings and drives: by hand, as properties, in every number type, and against the
// figures the thesis prints.

#include <gtest/gtest.h>

#include "dynamics/friction_stage.hpp"
#include "graph/evaluate.hpp"
#include "papers/shared/as_printed.hpp"
#include "parid/parid.hpp"
#include "runtime/cost/formulation_graph.hpp"
#include "scalar/counted.hpp"
#include "scalar/dual.hpp"
#include "scalar/pack.hpp"
#include "tests/layer.hpp"
#include "tests/torques.hpp"

namespace parid::test {
namespace {

struct Parts {
  Torques rigid, bearing, drive, total;
  explicit Parts(int n) : rigid(n), bearing(n), drive(n), total(n) {}
  FrictionTorques spans() { return {rigid, bearing, drive, total}; }
};

Parts parts(const Robot& robot, const RandomState& s) {
  Workspace workspace(robot);
  Parts p(robot.nv());
  inverse_dynamics_with_friction(robot, workspace, s.q, s.v, s.a, p.spans());
  return p;
}

// A body of 2 kg on one joint about (or along) the vertical, its centre 0.3 m out and 0.1 m up; no
// gravity. Reactions are then 2 kg times the centre's acceleration.
Description one_joint(JointType type = JointType::revolute) {
  Description d;
  d.name = "one";
  d.gravity = {0, 0, 0};
  d.links.push_back({"base", {}});
  d.links.push_back({"body", Inertia{2, {0.3, 0, 0.1}, {0.01, 0.01, 0.01}}});
  JointDescription j;
  j.name = "j";
  j.type = type;
  j.parent = "base";
  j.child = "body";
  j.axis = {0, 0, 1};
  d.joints.push_back(j);
  return d;
}
RandomState state(double v, double a) { return {{0.4}, {v}, {a}}; }

TEST(Friction, ViscousAndDry) {
  Description d = one_joint();
  d.joints[0].damping = 0.5;
  d.joints[0].friction = 2;
  const Robot robot(d);
  EXPECT_DOUBLE_EQ(parts(robot, state(3, 0)).bearing[0], 0.5 * 3 + 2);
  EXPECT_DOUBLE_EQ(parts(robot, state(-3, 0)).bearing[0], -0.5 * 3 - 2);
  EXPECT_EQ(parts(robot, state(0, 5)).bearing[0], 0);  // at rest: our choice
  EXPECT_EQ(parts(robot, state(3, 0)).drive[0], 0);
}

// The law of Gaz and others (2019) without its offset, within what the file's head states.
TEST(Friction, ThePandasIdentifiedFriction) {
  const double A[] = {0.54615, 0.87224, 0.64068, 1.2794, 0.83904, 0.30301, 0.56489},
               alpha[] = {5.1181, 9.0657, 10.136, 5.5903, 8.3469, 17.133, 10.336};
  const Robot robot = Robot::load("panda-friction"), plain = Robot::load("panda");
  RandomState s;
  s.q.assign(7, 0.3);
  s.v.assign(7, 0);
  s.a.assign(7, 0.1);
  double worst = 0;
  for (double v = -2; v <= 2; v += 0.02) {
    s.v.assign(7, v);
    const Parts p = parts(robot, s), without = parts(plain, s);
    for (int k = 0; k < 7; ++k) {
      EXPECT_NEAR(p.rigid[k], without.total[k], 1e-12);
      const double law = A[k] / (1 + std::exp(-alpha[k] * v)) - A[k] / 2;
      worst = std::max(worst, std::abs(p.bearing[k] - law) / (A[k] / 2));
    }
  }
  EXPECT_LT(worst, 0.0455);
  EXPECT_GT(worst, 0.03);
}

// The bearings and gears of the UR5 by docs/friction.md, with reactions from Newton-Euler
// in the world's frame, which shares nothing with the library but the numbers of the robot file.
TEST(Friction, TheUr5sBearingsAndGears) {
  const Robot robot = Robot::load("ur5-friction"), plain = Robot::load("ur5");
  const Description& d = robot.description();
  Description without_drives = d, without = d;
  for (JointDescription& j : without_drives.joints) j.drive.reset();
  for (JointDescription& j : without.joints) {
    j.drive.reset();
    j.journal.reset();
    j.thrust.reset();
  }
  const double eta = 0.869;  // of the file's head, as are the numbers below
  const double breakaway[] = {8.8, 8.8, 8.8, 1.02, 1.02, 1.02}, mu = 0.002,
               radius[] = {0.05, 0.05, 0.05, 0.025, 0.025, 0.025};
  Rng rng(27);
  bool motor_drives = false, load_drives = false;
  for (int sample = 0; sample < 50; ++sample) {
    RandomState s = random_state(rng, d);
    // One body after another: its pose, velocities and accelerations in the world.
    std::vector<Vec3<double>> axis, origin, centre, force, moment;
    Pose<double> at;
    Vec3<double> w, dw, ddo;
    for (std::size_t k = 0; k < d.joints.size(); ++k) {
      const JointDescription& j = d.joints[k];
      const Vec3<double> arm = at.R * j.origin.p;
      ddo = ddo + cross(dw, arm) + cross(w, cross(w, arm));
      at = at * j.origin;
      const Vec3<double> z = at.R * j.axis;
      dw = dw + s.a[k] * z + cross(w, s.v[k] * z);
      w = w + s.v[k] * z;
      const double c = std::cos(s.q[k]), sine = std::sin(s.q[k]);
      auto turned = [&](const Vec3<double>& x) {  // Rodrigues, about z
        return c * x + sine * cross(z, x) + (1 - c) * dot(z, x) * z;
      };
      // Rows of the transposed matrix are the turned columns of the joint's frame.
      const Mat3<double> R = transposed(
          Mat3<double>{turned(at.R.column(0)), turned(at.R.column(1)), turned(at.R.column(2))});
      at.R = R;
      const Inertia& body = *d.links[k + 1].inertia;
      const Vec3<double> r = R * body.com;
      const Vec3<double> acceleration =
          ddo + cross(dw, r) + cross(w, cross(w, r)) + Vec3<double>{0, 0, 9.81};
      const Mat3<double> I = R * full(body.about_com) * transposed(R);
      axis.push_back(z);
      origin.push_back(at.p);
      centre.push_back(at.p + r);
      force.push_back(body.mass * acceleration);
      moment.push_back(I * dw + cross(w, I * w));
    }
    const Parts p = parts(robot, s), bare = parts(Robot(without_drives), s),
                smooth = parts(Robot(without), s), rigid = parts(plain, s);
    for (std::size_t k = 0; k < d.joints.size(); ++k) {
      Vec3<double> f, n;
      for (std::size_t i = k; i < d.joints.size(); ++i) {
        f = f + force[i];
        n = n + moment[i] + cross(centre[i] - origin[k], force[i]);
      }
      const Vec3<double> z = axis[k],
                         x =
                             [&] {
                               const Vec3<double> any = std::abs(z.x) < 0.5 ? Vec3<double>{1, 0, 0}
                                                                            : Vec3<double>{0, 1, 0};
                               const Vec3<double> side = cross(any, z);
                               return (1 / norm(side)) * side;
                             }(),
                         y = cross(z, x);
      const double spacing = 2 * radius[k], direction = std::copysign(1, s.v[k]),
                   upper = std::hypot(dot(f, x) / 2 + dot(n, y) / spacing,
                                      dot(f, y) / 2 - dot(n, x) / spacing),
                   lower = std::hypot(dot(f, x) / 2 - dot(n, y) / spacing,
                                      dot(f, y) / 2 + dot(n, x) / spacing);
      const double tau = dot(n, z),
                   bearing = direction * mu * radius[k] * (upper + lower + std::abs(dot(f, z))),
                   load = tau + bearing;
      const bool motor = load * s.v[k] > 0;
      (motor ? motor_drives : load_drives) = true;
      const double drive =
          direction * (std::abs(load) * (motor ? 1 / eta - 1 : 1 - eta) + breakaway[k]);
      const double size = 1 + std::abs(tau);
      EXPECT_NEAR(p.rigid[k], tau, 1e-11 * size);
      EXPECT_NEAR(p.bearing[k], bearing, 1e-11 * size);
      EXPECT_NEAR(p.drive[k], drive, 1e-11 * size);
      EXPECT_NEAR(p.total[k], tau + bearing + drive, 1e-11 * size);
      // Friction dissipates; without drives, and without bearings, its parts are zero.
      EXPECT_GT(p.bearing[k] * s.v[k], 0);
      EXPECT_GT(p.drive[k] * s.v[k], 0);
      EXPECT_EQ(bare.drive[k], 0);
      EXPECT_EQ(bare.bearing[k], p.bearing[k]);
      EXPECT_EQ(smooth.total[k], smooth.rigid[k]);
      EXPECT_NEAR(p.rigid[k], rigid.total[k], 1e-12 * size);  // the same bodies as ur5
    }
  }
  EXPECT_TRUE(motor_drives && load_drives);
}

// What the head of ur5-friction says of its gears: the published efficiencies at two loads.
TEST(Drive, TheUr5sGearsHaveThePublishedEfficiencies) {
  const Description d = Robot::load("ur5-friction").description();
  for (const JointDescription& j : d.joints) {
    const Drive& drive = *j.drive;
    auto overall = [&](double share) {
      const double torque = share * drive.rated;
      return torque / (torque / efficiency(drive, share) + drive.breakaway);
    };
    EXPECT_NEAR(overall(1), 0.78, 0.001) << j.name;
    EXPECT_NEAR(overall(19.6 / 34), 0.93 * 0.78, 0.001) << j.name;
    EXPECT_NEAR(overall(0.2), 0.55, 0.005) << j.name;
    EXPECT_NEAR(overall(0.1), 0.41, 0.005) << j.name;
    EXPECT_EQ(j.gear_ratio, 101);
  }
  // Twice the payload: more losses in the bearings and in the gears of the joints that carry it.
  const Robot empty = Robot::load("ur5-friction"),
              loaded = empty.with_payload("wrist_3_link", 5, {0, 0.1, 0});
  RandomState s;
  s.q.assign(6, 0.0);  // stretched forward
  s.v.assign(6, 0.5);
  s.a.assign(6, 0.0);
  const Parts light = parts(empty, s), heavy = parts(loaded, s);
  for (const int k : {1, 2}) {
    EXPECT_GT(heavy.bearing[k], 1.2 * light.bearing[k]);
    EXPECT_GT(heavy.drive[k], light.drive[k] + 1);
  }
}

TEST(Friction, StribeckFallsFromBreakawayToSliding) {
  Description d = one_joint();
  d.joints[0].friction = 2;
  d.joints[0].stribeck = Stribeck{5, 0.1};
  const Robot robot(d);
  EXPECT_NEAR(parts(robot, state(1e-9, 0)).bearing[0], 5, 1e-9);
  EXPECT_NEAR(parts(robot, state(0.1, 0)).bearing[0], 3.5, 1e-12);  // half of the rise
  EXPECT_NEAR(parts(robot, state(100, 0)).bearing[0], 2, 1e-5);
}

TEST(Friction, SmoothGoesToDiscontinuous) {
  Description d = one_joint();
  d.joints[0].friction = 2;
  for (const double v : {-0.7, -0.01, 0.02, 1.5}) {
    double before = 10;
    for (const double smoothing : {1.0, 1e-1, 1e-2, 1e-3, 1e-4}) {
      d.joints[0].smoothing = smoothing;
      const double tau = parts(Robot(d), state(v, 0)).bearing[0];
      EXPECT_NEAR(tau, 2 * v / std::hypot(v, smoothing), 1e-14);
      const double off = std::abs(tau - std::copysign(2, v));
      EXPECT_LT(off, before);
      before = off;
    }
    EXPECT_LT(before, 2e-4);
  }
  EXPECT_EQ(parts(Robot(d), state(0, 0)).bearing[0], 0);
}

// At a = 4, v = 0⁺: the centre accelerates by 1.2 m/s² sideways, so the force is 2.4 N, 0.1 m above
// the joint's frame: supports at ±0.1 m carry it alone (upper) when their middle is at 0.
TEST(Friction, JournalBearingByHand) {
  Description d = one_joint();
  d.joints[0].journal = JournalBearing{0.2, 0.05, 0.2, 0};
  EXPECT_NEAR(parts(Robot(d), state(1e-9, 4)).bearing[0], 0.2 * 0.05 * 2.4, 1e-12);
  d.joints[0].journal->at = 0.1;  // under the load: either support carries half
  EXPECT_NEAR(parts(Robot(d), state(1e-9, 4)).bearing[0], 0.2 * 0.05 * 2.4, 1e-12);
  d.joints[0].journal->at = 0.4;  // 0.3 m beside it: 1.2 ∓ 2.4·0.3/0.2 = -2.4 and 4.8 N
  EXPECT_NEAR(parts(Robot(d), state(1e-9, 4)).bearing[0], 0.2 * 0.05 * (2.4 + 4.8), 1e-12);
  EXPECT_NEAR(parts(Robot(d), state(-1e-9, 4)).bearing[0], -0.2 * 0.05 * (2.4 + 4.8), 1e-12);
}

// Where a frame's origin lies on the axis is no matter: the bearing stays where it is.
TEST(Friction, BearingDoesNotMoveWithTheFrame) {
  Rng rng(5);
  for (int k = 0; k < 10; ++k) {
    Description d = random_chain(rng, 4);
    for (JointDescription& j : d.joints) j.journal = JournalBearing{0.1, 0.05, 0.15, 0.07};
    Description moved = d;
    const JointDescription& j = d.joints[2];
    const double shift = 0.3;
    const Pose<double> along{Mat3<double>::identity(), (shift / norm(j.axis)) * j.axis};
    moved.joints[2].origin = j.origin * along;
    moved.joints[2].tip = inverse(along) * j.tip;
    moved.joints[2].journal->at -= shift;
    const RandomState s = random_state(rng, d);
    EXPECT_LT(relative_error(parts(Robot(d), s).bearing, parts(Robot(moved), s).bearing), 1e-12);
  }
}

// On a joint at rest in any pose, friction is that of the joint alone.
TEST(Friction, BearingsOfALaterJointAreItsOwn) {
  Description one = one_joint();
  one.joints[0].journal = JournalBearing{0.2, 0.05, 0.2, 0.4};
  Description two = one;
  two.links.insert(two.links.begin() + 1, {"arm", Inertia{1, {0.1, 0, 0}, {0.01, 0.01, 0.01}}});
  JointDescription first;
  first.name = "first";
  first.type = JointType::revolute;
  first.parent = "base";
  first.child = "arm";
  first.axis = {0.6, 0, 0.8};
  first.origin.p = {0.1, 0.2, 0.3};
  two.joints[0].parent = "arm";
  two.joints[0].origin.p = {0.7, -0.2, 0.5};
  two.joints.insert(two.joints.begin(), first);
  for (const double v : {1e-9, -0.3})
    EXPECT_NEAR(parts(Robot(two), {{0, 0.4}, {0, v}, {0, 4}}).bearing[1],
                parts(Robot(one), state(v, 4)).bearing[0], 1e-12);
}

TEST(Friction, LinearAndThrustBearingsByHand) {
  Description d = one_joint(JointType::prismatic);
  // Pushed along the axis by 2·5 N, 0.3 m beside it: n_y = -0.3·10; each support pushes 3/0.2 N.
  d.joints[0].linear = LinearBearing{0.1, 0.2, 0};
  EXPECT_NEAR(parts(Robot(d), state(1, 5)).bearing[0], 0.1 * 2 * 3 / 0.2, 1e-12);
  Description turns = one_joint();
  turns.gravity = {0, 0, -9.81};
  turns.joints[0].thrust = ThrustBearing{0.02, 0.04};
  EXPECT_NEAR(parts(Robot(turns), state(-1, 0)).bearing[0], -0.02 * 0.04 * 2 * 9.81, 1e-12);
}

TEST(Drive, CasesOfTable32) {
  Description d = one_joint();
  d.joints[0].drive = Drive{1.5, 10, {{0, 0.8}}};
  d.joints[0].rotor_inertia = 3;  // before the gears: not part of their load
  const Robot robot(d);
  const double inertia = 0.01 + 2 * 0.09, tau = 20 * inertia;
  auto input = [&](double v, double a) {
    const Parts p = parts(robot, state(v, a));
    EXPECT_NEAR(p.rigid[0], (inertia + 3) * a, 1e-12);
    return p.total[0] - 3 * a;
  };
  EXPECT_NEAR(input(1, 20), tau / 0.8 + 1.5, 1e-12);
  EXPECT_NEAR(input(-1, -20), -tau / 0.8 - 1.5, 1e-12);
  EXPECT_NEAR(input(-1, 20), tau * 0.8 - 1.5, 1e-12);
  EXPECT_NEAR(input(1, -20), -tau * 0.8 + 1.5, 1e-12);
  EXPECT_NEAR(input(0, 20), tau, 1e-12);
}

TEST(Drive, CurvesGoThroughTheirPoints) {
  Drive d{0, 50, {{0.02, 0.3}, {0.1, 0.55}, {0.3, 0.7}, {0.6, 0.78}, {1, 0.8}}};
  for (const Interpolation way : {Interpolation::linear, Interpolation::spline}) {
    d.interpolation = way;
    for (const auto& [load, eta] : d.efficiency) EXPECT_NEAR(efficiency(d, load), eta, 1e-14);
    EXPECT_EQ(efficiency(d, 0), 0.3);
    EXPECT_NEAR(efficiency(d, 7), 0.8, 1e-14);
    for (double x = 0.02; x < 1; x += 0.01)  // points that rise and flatten give a curve that rises
      EXPECT_GE(efficiency(d, x + 0.01), efficiency(d, x) - 0.003) << x;
    const auto [least, most] = efficiency_range(d);
    EXPECT_NEAR(least, 0.3, 1e-12);
    EXPECT_GE(most, 0.8 - 1e-12);
    EXPECT_LT(most, 0.81);
  }
  // The spline bends smoothly: first and second derivatives meet at the points, and end straight.
  const auto pieces = efficiency_pieces(d);
  for (std::size_t k = 0; k + 1 < pieces.size(); ++k) {
    const auto& c = pieces[k].c;
    const double h = pieces[k + 1].from - pieces[k].from;
    EXPECT_NEAR(c[1] + h * (2 * c[2] + h * 3 * c[3]), pieces[k + 1].c[1], 1e-12);
    EXPECT_NEAR(2 * c[2] + h * 6 * c[3], 2 * pieces[k + 1].c[2], 1e-10);
  }
  EXPECT_EQ(pieces.front().c[2], 0);
  EXPECT_NEAR(2 * pieces.back().c[2] + 0.4 * 6 * pieces.back().c[3], 0, 1e-12);
}

// The packed evaluation of several joints with curves of different lengths equals the curves.
TEST(Drive, StageReadsTheCurve) {
  Rng rng(8);
  for (const Interpolation way : {Interpolation::linear, Interpolation::spline}) {
    Description d = random_chain(rng, 6, {.rotors = false});
    const std::vector<std::array<double, 2>> curve = {
        {0.01, 0.3}, {0.05, 0.5}, {0.2, 0.6}, {0.5, 0.75}, {1, 0.8}};
    for (int k = 0; k < 5; ++k)
      d.joints[k].drive = Drive{0.1 * k, 30.0 + k, {curve.begin(), curve.begin() + k + 1}, way};
    const Robot robot(d);
    for (int sample = 0; sample < 20; ++sample) {
      const RandomState s = random_state(rng, d);
      const Parts p = parts(robot, s);
      for (int k = 0; k < 6; ++k) {
        double loss = 0;
        if (d.joints[k].drive) {
          const Drive& drive = *d.joints[k].drive;
          const double size = std::abs(p.rigid[k]), eta = efficiency(drive, size / drive.rated);
          loss = size * (p.rigid[k] * s.v[k] > 0 ? 1 / eta - 1 : 1 - eta) + drive.breakaway;
        }
        EXPECT_NEAR(p.drive[k], std::copysign(loss, s.v[k]), 1e-11) << k;
      }
    }
  }
}

// Everything, on every joint that can have it.
Description with_friction(Rng& rng, Description d, double smoothing = 0) {
  for (JointDescription& j : d.joints) {
    if (velocity_count(j.type) != 1) continue;
    j.damping = uniform(rng, 0, 1);
    j.friction = uniform(rng, 0, 1);
    j.smoothing = smoothing;
    j.stribeck = Stribeck{j.friction + uniform(rng, 0, 1), uniform(rng, 0.1, 1)};
    const double at = uniform(rng, -0.2, 0.2), spacing = uniform(rng, 0.05, 0.3);
    if (j.type == JointType::prismatic) {
      j.linear = LinearBearing{uniform(rng, 0, 0.2), spacing, at};
    } else {
      j.journal = JournalBearing{uniform(rng, 0, 0.2), uniform(rng, 0, 0.1), spacing, at};
      j.thrust = ThrustBearing{uniform(rng, 0, 0.2), uniform(rng, 0, 0.1)};
    }
    if (j.mimic) continue;
    j.drive = Drive{uniform(rng, 0, 2), 50, {{0.01, 0.3}, {0.1, 0.6}, {0.4, 0.72}, {0.9, 0.8}}};
    if (rng() % 2) j.drive->interpolation = Interpolation::spline;
  }
  return d;
}

Description some_robot(Rng& rng, int k) {
  const RandomRobot options{.prismatic = 0.5,
                            .fixed = 0.2,
                            .planar = 0.2,
                            .spherical = 0.2,
                            .floating_base = k % 3 == 0,
                            .tips = k % 2 == 0};
  return random_tree(rng, 3 + k, options);
}

TEST(Friction, TakesPowerAlways) {
  Rng rng(3);
  for (int k = 0; k < 12; ++k) {
    const Robot robot(with_friction(rng, some_robot(rng, k), k % 4 == 0 ? 0.3 : 0));
    for (int sample = 0; sample < 20; ++sample) {
      const RandomState s = random_state(rng, robot.description());
      const Parts p = parts(robot, s);
      const Torques rigid = torques(robot, s);
      EXPECT_LT(relative_error(p.rigid, rigid), 1e-14);
      for (int l = 0; l < robot.nv(); ++l) {
        EXPECT_GE(s.v[l] * p.bearing[l], 0);
        EXPECT_GE(s.v[l] * p.drive[l], 0);
        EXPECT_DOUBLE_EQ(p.total[l], p.rigid[l] + p.bearing[l] + p.drive[l]);
      }
    }
  }
}

// A joint that others follow: its drive carries them, and their bearings are felt through it.
TEST(Friction, FollowersAreTheirLeadersLoad) {
  Rng rng(4);
  Description d = random_chain(rng, 3);
  for (JointDescription& j : d.joints) j.friction = 0.5;
  d.joints[2].mimic = Mimic{"joint1", -2, 0.3};
  d.joints[0].drive = Drive{1, 1, {{0, 0.5}}};
  const Robot robot(d);
  const RandomState s = random_state(rng, d);
  const Parts p = parts(robot, s);
  EXPECT_DOUBLE_EQ(p.bearing[0],
                   std::copysign(0.5 + 2 * 0.5, s.v[0]));  // 2 · 0.5 from the follower
  double rotors = d.joints[0].rotor_inertia + 4 * d.joints[2].rotor_inertia;
  const double out = p.rigid[0] - rotors * s.a[0] + p.bearing[0];
  const double loss = std::abs(out) * (out * s.v[0] > 0 ? 1 : 0.5) + 1;
  EXPECT_NEAR(p.drive[0], std::copysign(loss, s.v[0]), 1e-11);
}

// The stage around Newton-Euler in numbers of type T, in the mechanism's joints.
template <class T>
std::vector<T> stage(const CanonicalModel& c, const RandomState& s, const auto& number) {
  Evaluation<NewtonEulerLinkDense, T> e(c);
  auto column = [&](const std::vector<double>& x, char name) {
    return [&x, &number, name](int k) { return number(x[k], name, k); };
  };
  e.load(column(s.q, 'q'), column(s.v, 'v'), column(s.a, 'a'));
  e.place();
  e.run();
  FrictionStage<T> friction(c);
  std::vector<T> bearing(FrictionStage<T>::room(c.topology.n), T(0.0)), drive = bearing, all;
  friction.torque(e.motion, e.formulation, e.joint_torque.data(), bearing.data(), drive.data());
  for (int i = 1; i <= c.topology.n; ++i) all.push_back(bearing[i] + drive[i]);
  return all;
}

TEST(Friction, SameInEveryNumberType) {
  Rng rng(6);
  for (int k = 0; k < 6; ++k) {
    const Robot robot(with_friction(rng, some_robot(rng, k), 0.2));
    const CanonicalModel& c = robot.canonical();
    const RandomState s = random_state(rng, robot.description());
    const auto plain = [](double x, char, int) { return x; };
    const Torques in_double = stage<double>(c, s, plain);
    auto compare = [&](const char* type, const auto& values, const auto& value, double within) {
      Torques read;
      for (const auto& x : values) read.push_back(value(x));
      EXPECT_LT(relative_error(read, in_double), within) << type;
    };
    compare(
        "float", stage<float>(c, s, [](double x, char, int) { return float(x); }),
        [](float x) { return double(x); }, 2e-4);
    compare(
        "Counted", stage<Counted>(c, s, [](double x, char, int) { return Counted(x); }),
        [](Counted x) { return x.value; }, 1e-15);
    using P1 = Pack<1>;
    using P2 = Pack<2>;
    compare(
        "Pack<1>", stage<P1>(c, s, [](double x, char, int) { return P1(x); }),
        [](const P1& x) { return x[0]; }, 1e-13);
    compare(
        "Pack<2>", stage<P2>(c, s, [](double x, char, int) { return P2(x); }),
        [](const P2& x) { return x[1]; }, 1e-13);

    // Derivatives by the first velocity, against differences.
    using D = Dual<1>;
    const int first = c.joint[c.topology.n].velocity;
    const auto dual = stage<D>(c, s, [&](double x, char name, int l) {
      return name == 'v' && l == first ? D::variable(x, 0) : D(x);
    });
    compare(
        "Dual", dual, [](const D& x) { return x.value; }, 1e-13);
    RandomState up = s, down = s;
    up.v[first] += 1e-6;
    down.v[first] -= 1e-6;
    const Torques high = stage<double>(c, up, plain), low = stage<double>(c, down, plain);
    for (std::size_t i = 0; i < dual.size(); ++i)
      EXPECT_NEAR(dual[i].d[0], (high[i] - low[i]) / 2e-6, 1e-4 * (1 + std::abs(dual[i].d[0])));
  }
}

TEST(Friction, TracedGraphGivesTheSameTorques) {
  Rng rng(7);
  const Robot robot(with_friction(rng, random_chain(rng, 3)));
  const Graph g = trace<NewtonEulerLinkDense>(robot.canonical(), {.friction = true});
  for (int sample = 0; sample < 10; ++sample) {
    const RandomState s = random_state(rng, robot.description());
    std::vector<double> inputs;
    for (const auto* x : {&s.q, &s.v, &s.a}) inputs.insert(inputs.end(), x->begin(), x->end());
    EXPECT_LT(relative_error(evaluate(g, inputs), parts(robot, s).total), 1e-12);
  }
}

TEST(Friction, EngineGivesWhatAWorkspaceGives) {
  Rng rng(9);
  for (int k = 0; k < 6; ++k) {
    const Robot robot(with_friction(rng, some_robot(rng, k)));
    const std::size_t rows = 37, nv = robot.nv();
    std::vector<double> q, v, a, one(rows * nv), total(rows * nv), rigid(rows * nv),
        bearing(rows * nv), drive(rows * nv);
    for (std::size_t r = 0; r < rows; ++r) {
      const RandomState s = random_state(rng, robot.description());
      q.insert(q.end(), s.q.begin(), s.q.end());
      v.insert(v.end(), s.v.begin(), s.v.end());
      a.insert(a.end(), s.a.begin(), s.a.end());
      const Parts p = parts(robot, s);
      std::copy(p.total.begin(), p.total.end(), one.begin() + static_cast<long>(r * nv));
    }
    Engine engine(robot, {.threads = 2, .kernel = KernelKind::generic});
    engine.inverse_dynamics_with_friction(rows, q, v, a, {rigid, bearing, drive, total});
    EXPECT_LT(relative_error(total, one), 1e-12);
    for (std::size_t l = 0; l < total.size(); ++l)
      EXPECT_DOUBLE_EQ(total[l], rigid[l] + bearing[l] + drive[l]);
    std::vector<double> again(rows * nv);
    engine.inverse_dynamics_with_friction(rows, q, v, a, again);
    EXPECT_EQ(again, total);
  }
}

TEST(Friction, ColumnsOfARegressor) {
  Description d = one_joint();
  d.joints[0].damping = 0.7;
  d.joints[0].friction = 1.3;
  for (const double v : {-2.0, 0.0, 0.5}) {
    const auto [viscous, coulomb] = friction_columns(v);
    EXPECT_DOUBLE_EQ(parts(Robot(d), state(v, 1)).bearing[0], 0.7 * viscous + 1.3 * coulomb);
  }
  EXPECT_NEAR(friction_columns(0.3, 0.16).coulomb, 0.6, 1e-15);
}

// ---- the thesis' case study
// ------------------------------------------------------------------------

const RandomState table_3_5{{-0.529744, -1.143094, 0.923217},
                            {1.105186, -1.341852, 0.177368},
                            {0.862853, 0.238617, -2.136609}};

TEST(CaseStudy, PrintedFiguresReturnFromThePrintedMistakes) {
  const CaseStudyAsPrinted study(Robot::load("puma560-positioning"));
  Parts p(3);
  study.torques(table_3_5.q, table_3_5.v, table_3_5.a, p.spans());
  const double printed[3][5] = {{1.2140, 1.7803, 2.9943, 9.8968, 12.8911},
                                {-15.6364, -0.3281, -15.9646, -17.9472, -33.9117},
                                {-0.8042, 0.1241, -0.6801, 3.0449, 2.3648}};
  for (int i = 0; i < 3; ++i) {
    // The state has six decimals, so the figures have nearly four.
    EXPECT_NEAR(p.rigid[i], printed[i][0], 1.5e-4);
    EXPECT_NEAR(p.bearing[i], printed[i][1], 1.5e-4);
    EXPECT_NEAR(p.rigid[i] + p.bearing[i], printed[i][2], 2e-4);
    EXPECT_NEAR(p.drive[i], printed[i][3], 3e-3);  // the curve's points have four digits
    EXPECT_NEAR(p.total[i], printed[i][4], 3e-3);
  }
}

// Eq. 3.3 with the signs that balance and its 1/d, on the reactions of the thesis' program.
TEST(CaseStudy, EquationAsItShouldBe) {
  const Robot robot = Robot::load("puma560-positioning");
  const CaseStudyAsPrinted study(robot);
  const auto at = study.reactions(table_3_5.q, table_3_5.v, table_3_5.a);
  const double right[] = {13.852, -2.366, 1.030};
  for (int i = 0; i < 3; ++i) {
    const JointDescription& j = robot.description().joints[i];
    FrictionLaw<double> law;
    law.journal = j.journal->friction * j.journal->radius / j.journal->spacing;
    law.half_spacing = j.journal->spacing / 2;
    law.thrust = j.thrust ? j.thrust->friction * j.thrust->radius : 0;
    const double level =
        law.journal * journal_load(support_forces(law, at[i].wrench.f, at[i].wrench.n)) +
        thrust_level(law, at[i].wrench.f);
    EXPECT_NEAR(sign(table_3_5.v[i]) * level, right[i], 1e-3);
  }
}

TEST(CaseStudy, OnlyForItsRobot) {
  EXPECT_THROW(CaseStudyAsPrinted(Robot::load("puma560")), Error);
}

}  // namespace
}  // namespace parid::test
