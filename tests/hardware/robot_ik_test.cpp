// Machines for inverse kinematics of arms that are not built in: poses of the robot's own link in,
// positions of the robot file's own joints out.

#include "tests/hardware/robot_ik.hpp"

#include <gtest/gtest.h>

#include "hardware/pipeline/run_boxes.hpp"
#include "parid/inverse_kinematics.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Errors {
  double position = 0, orientation = 0, from_ik = 0;
  int compared = 0;
};

// Random postures within limits, away from singular ones, to their poses by the description's own
// frames, and back through the machine on every branch.
Errors errors(const DisguisedArm& a, const BoxDesign& design, const Cordic<CordicFixed>& cordic,
              int postures) {
  const BoxRunner<CordicFixed> run(design, cordic);
  const FixedFormat word = cordic.arithmetic.format;
  const Description& d = a.robot.description();
  const int link = a.robot.find_link(a.arm.link);
  const bool stanford = a.arm.form.arm == ClosedForm::Arm::stanford;
  InverseKinematics ik(a.robot);
  Rng rng(7);
  Errors e;
  while (e.compared < postures * ClosedForm::branches) {
    std::vector<double> q(6);
    for (std::size_t k = 0; k < 6; ++k) q[k] = uniform(rng, -3.1, 3.1) + a.arm.middle[k];
    const auto& form = a.arm.form;
    auto angle = [&](std::size_t k) { return form.sign[k] * q[k] + form.zero[k]; };
    if (stanford) q[2] = form.sign[2] * (uniform(rng, 0.3, 0.9) - form.zero[2]);
    const double bent = stanford ? 1 : std::cos(angle(2) + std::atan2(form.puma.a3, form.puma.d4));
    const double d2 = stanford ? form.stanford.d2 : form.puma.d2;
    const Pose<double> pose = link_poses(d, q)[link];
    const Vec3<double> wrist = inverse(form.base) * (pose * form.tool.p);
    if (std::abs(std::sin(angle(4))) < 0.1 || std::abs(bent) < 0.1 ||
        std::hypot(wrist.x, wrist.y) < 1.1 * std::abs(d2) + 0.05)
      continue;
    const std::vector<IkBranch> branches = ik.all(link_pose_of(pose));
    EXPECT_EQ(branches.size(), 8u);
    std::vector<Raw> pose_words;
    for (const Quad& x : ik_inputs(a.arm, in_quad(pose))) pose_words.push_back(word_of(word, x));
    for (int b = 0; b < ClosedForm::branches; ++b, ++e.compared) {
      std::vector<Raw> in = pose_words;
      for (int bit = 0; bit < 3; ++bit) in.push_back(word.raw(b >> bit & 1 ? -1 : 1));
      const std::vector<Raw> out = run(in);
      std::vector<double> found(6);
      for (std::size_t k = 0; k < 6; ++k) {
        const auto at = static_cast<std::size_t>(form.coordinate[k]);
        found[at] = word.value(out[k]);
        if (!(stanford && k == 2)) {
          EXPECT_LE(std::abs(found[at] - a.arm.middle[k]), std::numbers::pi + 2 * word.ulp());
        }
      }
      const Pose<double> got = link_poses(d, found)[link];
      e.position = std::max(e.position, norm(got.p - pose.p));
      for (int c = 0; c < 3; ++c)
        e.orientation = std::max(e.orientation, norm(got.R.column(c) - pose.R.column(c)));
      for (const IkBranch& other : branches)
        if (other.number == b)
          for (std::size_t k = 0; k < 6; ++k) {
            const double off = found[k] - other.q[k];
            e.from_ik =
                std::max(e.from_ik, stanford && a.arm.form.coordinate[2] == static_cast<int>(k)
                                        ? std::abs(off)
                                        : std::abs(std::remainder(off, 2 * std::numbers::pi)));
          }
    }
  }
  return e;
}

TEST(RobotIkHardware, TakesTheRobotsPosesAndGivesTheRobotsAngles) {
  for (unsigned number = 0; number < 20; ++number)
    for (const char* arrangement : {"paper", "fastest"}) {
      const DisguisedArm a = disguised_arm(number);
      const IkHardware h = ik_hardware(a.arm, arrangement);
      const Errors e = errors(a, h.design, cordic_fixed(ik_format(a.arm, 24)), cases(20, 1000));
      EXPECT_LT(e.position, 2e-5) << number << " " << arrangement;
      EXPECT_LT(e.orientation, 5e-6) << number << " " << arrangement;
      // The same branch: joint angles lose digits towards singular poses, a wrong frame costs far
      // more.
      EXPECT_LT(e.from_ik, 1e-3) << number << " " << arrangement;
      EXPECT_GE(e.compared, 160);
    }
}

TEST(RobotIkHardware, FramesAlongAxesAndHeightsCostNoModule) {
  Description d = Robot::load("puma560").description();
  const std::size_t modules = ik_hardware(IkArm(Robot(d), Robot(d).tip())).design.boxes.size();
  d.joints[0].origin =
      Pose<double>{Mat3<double>::identity(), {0.1, -0.2, 0.4}} * d.joints[0].origin;
  const Robot raised(d);
  const IkHardware h = ik_hardware(IkArm(raised, raised.tip()));
  EXPECT_EQ(h.design.boxes.size(), modules);
  double added = 0;
  for (const int s : h.design.inputs())
    added += std::abs(static_cast<double>(h.design.signals[s].offset));
  EXPECT_NEAR(added, 0.1 + 0.2 + 0.4, 1e-12);
}

TEST(RobotIkHardware, WordsMakeRoomForBasesFarAway) {
  Description d = Robot::load("puma560").description();
  d.joints[0].origin.p = {20, 0, 0};
  const Robot far(d);
  const IkArm arm(far, far.tip());
  EXPECT_EQ(ik_format(arm, 24), (FixedFormat{24, 18}));
  EXPECT_ANY_THROW(ik_format(arm, 7));
}

TEST(RobotIkHardware, RefusesArmsWithoutAClosedForm) {
  const Robot panda = Robot::load("panda");
  EXPECT_THROW(IkArm(panda, panda.tip()), Error);
}

}  // namespace
}  // namespace parid::test
