#include "hardware/controller/controller_core.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text/spelling.hpp"
#include "codegen/emit/program.hpp"
#include "control/design.hpp"
#include "hardware/controller/core_builder.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/ik_hardware.hpp"
#include "kinematics/closed_form.hpp"
#include "parid/error.hpp"
#include "parid/kinematics.hpp"

namespace parid::hardware {
namespace {

void check_options(const CoreOptions& o) {
  const auto demand = [](bool good, const char* what, double is, const char* instead) {
    if (!good) throw Error(fmt::format("{}: {:g}; give {}", what, is, instead));
  };
  control::law_kind(o.law);  // or an Error
  demand(o.word >= 12 && o.word <= 64, "word", o.word, "12 to 64 bits");
  demand(o.guard >= 1 && o.guard <= longest_guard, "guard", o.guard, "1 to 8 bits");
  demand(o.interval >= 1 && o.interval <= 100'000, "interval", o.interval,
         "1 clock (unrolled) to 100000");
  demand(o.window >= 1 && o.window <= 64, "window", o.window, "1 to 64 samples");
  demand(o.rate >= 1 && o.rate <= 1e6, "rate", o.rate, "1 to 1e6 samples per second");
  demand(o.clock > 0 && std::isfinite(o.clock), "clock", o.clock, "a frequency in Hz, such as 1e8");
  demand(o.interval <= o.clock / o.rate, "interval", o.interval,
         "no more clocks than a control period has");
  demand(o.velocity > 0 && std::isfinite(o.velocity), "velocity", o.velocity, "a positive number");
  demand(o.acceleration > 0 && std::isfinite(o.acceleration), "acceleration", o.acceleration,
         "a positive number");
  demand(o.error > 0 && std::isfinite(o.error), "error", o.error, "a positive number");
}

// The branch of the closed form that has this posture.
unsigned branch_at(const IkArm& arm, std::span<const double> q) {
  std::array<double, 6> angles;
  for (std::size_t k = 0; k < 6; ++k)
    angles[k] =
        arm.form.sign[k] * q[static_cast<std::size_t>(arm.form.coordinate[k])] + arm.form.zero[k];
  ClosedForm form = arm.form;
  const Pose<double> link = form.base * wrist_pose(form, angles) * inverse(form.tool);
  unsigned best = 0;
  double least = INFINITY;
  for (int b = 0; b < ClosedForm::branches; ++b) {
    const ArmAngles<double> x = kinematics::branch(form, link, b);
    double off = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double d = x.q[k] - q[static_cast<std::size_t>(form.coordinate[k])];
      const bool slides = form.arm == ClosedForm::Arm::stanford && k == 2;
      off = std::max(off, std::abs(slides ? d : std::remainder(d, 2 * M_PI)));
    }
    if (off < least) {
      least = off;
      best = static_cast<unsigned>(b);
    }
  }
  return best;
}

}  // namespace

SetPoint set_point(std::string_view name) {
  if (name == "joint") return SetPoint::joint;
  if (name == "pose") return SetPoint::pose;
  throw Error(fmt::format("unknown kind of set point '{}'; {}choose from joint, pose", name,
                          did_you_mean(name, std::vector<std::string>{"joint", "pose"})));
}

ControllerCore controller_core(const Robot& robot, const CoreOptions& options) {
  check_options(options);
  if (robot.nq() != robot.nv() || robot.nv() == 0)
    throw Error(
        fmt::format("robot '{}' {}; a controller core supports revolute and prismatic "
                    "joints on a fixed base",
                    robot.name(),
                    robot.nv() == 0 ? "has no joint that moves"
                                    : "has joints with several degrees of freedom"));
  control::demand_single_freedoms(robot);
  if (robot.nv() > 64)
    throw Error(
        fmt::format("robot '{}' has {} joints; the register map of a controller core has "
                    "room for 64",
                    robot.name(), robot.nv()));
  ControllerCore core{
      .name = identifier(robot.name()) + "_controller", .robot = robot, .options = options};
  CoreOptions& o = core.options;
  if (o.link.empty()) o.link = robot.tip();
  std::optional<IkArm> arm;
  if (o.setpoint != SetPoint::joint) {
    const bool closed =
        kinematics::closed_form(robot.canonical(), robot.find_link(o.link)).has_value();
    if (closed || o.setpoint == SetPoint::pose) arm.emplace(robot, o.link);  // or an Error
    o.setpoint = closed ? SetPoint::pose : SetPoint::joint;
  }
  const std::vector<double> home = robot.neutral();
  // The law of the control layer completes a damped pair of gains.
  o.gains = control::design(robot, o.law, o.gains, Policy(), home).gains;
  for (std::size_t j = 0; j < static_cast<std::size_t>(robot.nv()); ++j) {
    const Robot::Limit& limit = robot.limits()[j];
    CoreJoint joint;
    joint.name = robot.position_names()[j];
    joint.lower = std::isfinite(limit.lower) ? limit.lower : -MotionRanges().position;
    joint.upper = std::isfinite(limit.upper) ? limit.upper : MotionRanges().position;
    joint.velocity =
        std::isfinite(limit.velocity) && limit.velocity > 0 ? limit.velocity : o.velocity;
    joint.effort = limit.effort;
    if (!(o.gains.kp[j] >= 0 && o.gains.kd[j] >= 0))
      throw Error("gains of a controller core must not be negative");
    core.joints.push_back(joint);
  }
  build_core(core, arm);
  if (arm) core.program.branch = branch_at(*arm, home);
  core.arm = arm ? std::make_shared<const IkArm>(*arm) : nullptr;
  core.timing = schedule(core.program, o.interval);
  return core;
}

std::vector<Raw> ControllerCore::measured_words(std::span<const double> q) const {
  std::vector<Raw> words;
  for (std::size_t j = 0; j < n(); ++j) words.push_back(program.measured[j].raw(q[j]));
  return words;
}

std::vector<Raw> ControllerCore::setpoint_words(std::span<const double> q) const {
  std::vector<Raw> words;
  std::map<std::string, double> pose;
  if (arm) {
    std::array<double, 6> coarse;
    for (std::size_t k = 0; k < 6; ++k)
      coarse[k] = arm->form.sign[k] * q[static_cast<std::size_t>(arm->form.coordinate[k])] +
                  arm->form.zero[k];
    const Pose<double> link =
        arm->form.base * wrist_pose(arm->form, coarse) * inverse(arm->form.tool);
    pose["px"] = link.p.x;
    pose["py"] = link.p.y;
    pose["pz"] = link.p.z;
    for (int c = 0; c < 3; ++c) {
      const Vec3<double> column = link.R.column(c);
      const std::string name(1, "noa"[c]);
      pose[name + "x"] = column.x;
      pose[name + "y"] = column.y;
      pose[name + "z"] = column.z;
    }
  }
  for (std::size_t k = 0; k < setpoint_names.size(); ++k) {
    double x = 0;
    if (const auto at = pose.find(setpoint_names[k]); at != pose.end() && k < pose_words)
      x = at->second;
    else
      for (std::size_t j = 0; j < n(); ++j)
        if (joints[j].name == setpoint_names[k]) x = q[j];
    words.push_back(setpoint_format[k].raw(x));
  }
  return words;
}

unsigned ControllerCore::branch_of(std::span<const double> q) const {
  return arm ? branch_at(*arm, q) : 0;
}

}  // namespace parid::hardware
