#include "cli/input/robot_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "model/compose.hpp"
#include "model/format/load.hpp"
#include "model/frame.hpp"
#include "model/joint/rotor.hpp"
#include "model/lint/check.hpp"
#include "model/lint/finding.hpp"

namespace parid::cli {
namespace {

FrameDescription frame_of(const std::string& text) {
  constexpr auto such_as = "tool=wrist:0,0,0.1";
  const auto [name, at] = name_and_value("--frame", text, such_as);
  const auto [link, x] = numbers_at_link("--frame", at);
  if (link.empty() || (x.size() != 3 && x.size() != 6))
    throw Error(fmt::format(
        "--frame: '{}' is not NAME=LINK:X,Y,Z or NAME=LINK:X,Y,Z,ROLL,PITCH,YAW, such as {}", text,
        such_as));
  FrameDescription frame{name, link, {}, 0};
  frame.pose.p = {x[0], x[1], x[2]};
  if (x.size() == 6) frame.pose.R = rotation_rpy({x[3], x[4], x[5]});
  return frame;
}

// LINK=ROBOT, with what may follow: ",prefix=left_" and ",at=X,Y,Z[,ROLL,PITCH,YAW]".
void attach_robot(Description& d, const std::string& text) {
  constexpr auto such_as = "flange=gripper.urdf,prefix=left_,at=0,0,0.1";
  const auto [link, rest] = name_and_value("--attach", text, such_as);
  std::string file = rest, prefix;
  Pose<double> at;
  if (const std::size_t k = file.find(",at="); k != file.npos) {
    const std::vector<double> x = numbers("--attach", file.substr(k + 4));
    if (x.size() != 3 && x.size() != 6)
      throw Error(
          fmt::format("--attach: '{}' has {} numbers after at=; give X,Y,Z or "
                      "X,Y,Z,ROLL,PITCH,YAW, such as {}",
                      text, x.size(), such_as));
    at.p = {x[0], x[1], x[2]};
    if (x.size() == 6) at.R = rotation_rpy({x[3], x[4], x[5]});
    file.resize(k);
  }
  if (const std::size_t k = file.find(",prefix="); k != file.npos) {
    prefix = file.substr(k + 8);
    file.resize(k);
  }
  const Description other = load_description(file);
  for (const Finding& f : check(other))
    if (refuses(f)) throw Error(fmt::format("--attach: {}", f.text()));
  try {
    attach(d, other, link, at, prefix);
  } catch (const Error& e) {
    throw Error(fmt::format("--attach: {}", e.what()));
  }
}

void refuse_unless_link(const char* option, const Robot& robot, const std::string& link) {
  try {
    robot.find_link(link);
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", option, e.what()));
  }
}

void show(const Finding& f, bool all) {
  if (!is_error(f)) {
    if (all) say_note(text(f));
    return;
  }
  Finding milder = f;
  milder.severity = Finding::Severity::warning;
  say_note(text(milder));
}

}  // namespace

std::pair<std::string, std::string> name_and_value(const char* option, const std::string& text,
                                                   const char* such_as) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == text.npos || sign + 1 == text.size())
    throw Error(fmt::format("{}: '{}' is not NAME=VALUE, such as {}", option, text, such_as));
  return {text.substr(0, sign), text.substr(sign + 1)};
}

LinkPose tip_offset(const std::string& text) {
  const std::vector<double> x = numbers("--offset", text);
  if (x.size() != 3 && x.size() != 6)
    throw Error(
        fmt::format("--offset: {} number{} given; give X,Y,Z or X,Y,Z,ROLL,PITCH,YAW, such as "
                    "0,0,0.1",
                    x.size(), x.size() == 1 ? "" : "s"));
  const std::array<double, 3> p{x[0], x[1], x[2]};
  return x.size() == 3 ? LinkPose{p} : LinkPose::from_rpy(p, {x[3], x[4], x[5]});
}

Robot with_tip_offset(const Robot& robot, const std::string& offset, std::string& link) {
  refuse_unless_link("--link", robot, link);
  const LinkPose at = tip_offset(offset);
  std::string name = link + "_tip";
  const auto& names = robot.link_names();
  while (std::find(names.begin(), names.end(), name) != names.end()) name += "_";
  const Robot with = robot.with_frame(name, link, at.position, at.rotation);
  link = name;
  return with;
}

void add_strict(CLI::App& c, RobotOptions& o) {
  c.add_flag(
      "--strict", o.strict,
      "refuse a robot in which `parid check` finds an error, even if the error has no effect "
      "here");
}

void add_attach_and_remove(CLI::App& c, RobotOptions& o) {
  c.add_option(
       "--attach", o.attachments,
       "attach another robot's root to a link, at a pose in the link (m, rad), with a prefix "
       "before its names; may be repeated")
      ->option_text("LINK=ROBOT[,prefix=P][,at=X,Y,Z[,R,P,Y]]")
      ->allow_extra_args(false);
  c.add_option("--remove", o.removed,
               "remove a link, the joint that carries it and all that hangs on it; may be repeated")
      ->option_text("LINK")
      ->allow_extra_args(false);
}

void add_robot_changes(CLI::App& c, RobotOptions& o) {
  add_strict(c, o);
  add_attach_and_remove(c, o);
  add_lock(c, o);
  add_robot_file(c, o);
}

void add_lock(CLI::App& c, RobotOptions& o) {
  c.add_option("--lock", o.locks,
               "fix a joint at a position (rad, m) and merge its links; may be repeated")
      ->option_text("JOINT=Q")
      ->allow_extra_args(false);
}

void add_frame_and_tip(CLI::App& c, RobotOptions& o) {
  c.add_option("--frame", o.frames,
               "add a frame to a link; it can be named wherever a link can; may be repeated")
      ->option_text("NAME=LINK:X,Y,Z[,R,P,Y]")
      ->allow_extra_args(false);
  c.add_option("--tip", o.tip, "the link or frame that is the tip (default: of the longest branch)")
      ->option_text("LINK");
}

void add_no_rotors(CLI::App& c, RobotOptions& o) {
  c.add_flag("--no-rotors", o.no_rotors, "leave out the rotor inertias that the robot file gives");
}

void add_rotors(CLI::App& c, RobotOptions& o) {
  add_no_rotors(c, o);
  c.add_flag("--full-rotors", o.full_rotors,
             "let rotors with a reflected inertia spin on the parent links of their joints, which "
             "couples the joints")
      ->excludes("--no-rotors");
}

void add_elastic(CLI::App& c, bool& elastic, std::string& measure) {
  CLI::Option* flag = c.add_flag(
      "--elastic", elastic,
      "motors of elastic joints move on their own; torques act on them, and the links follow");
  c.add_option("--measure", measure,
               "what a controller reads at elastic joints: the position and velocity of the motor "
               "(default) or of the link")
      ->check(one_of({"motor", "link"}))
      ->needs(flag)
      ->option_text("motor|link");
}

void require_elastic(const Robot& robot) {
  if (robot.elastic_joints().empty())
    throw Error(fmt::format(
        "--elastic: robot '{}' has no elastic joints; give joints elastic = {{stiffness "
        "= …}} and rotor_inertia in a TOML file, and no --no-rotors",
        robot.name()));
}

void note_rigid(const Robot& robot) {
  if (!robot.elastic_joints().empty())
    note("note: '{}' has elastic joints; here they are rigid (--elastic: they are not)",
         robot.name());
}

void add_package(CLI::App& c, RobotOptions& o) {
  c.add_option("--package", o.packages,
               "directory of a package that the file names (package://NAME, model://NAME); may be "
               "repeated")
      ->option_text("NAME=DIR")
      ->allow_extra_args(false);
}

void add_robot_file(CLI::App& c, RobotOptions& o) {
  c.add_option("--arg", o.arguments,
               "argument of a xacro file, or model=NAME of an SDF world; may be repeated")
      ->option_text("NAME=VALUE")
      ->allow_extra_args(false);
  c.add_option("--env", o.environment,
               "environment variable that a xacro file may read by $(env NAME); may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
  add_package(c, o);
}

void add_force(CLI::App& c, RobotOptions& o) {
  c.add_flag("--force", o.force, "deprecated: do not show the robot's warnings; use --quiet");
}

LoadOptions load_options(const RobotOptions& o) {
  LoadOptions options;
  options.floating = o.floating;
  options.strict = o.strict;
  options.rotors = !o.no_rotors;
  for (const std::string& each : o.packages)
    options.packages.insert(name_and_value("--package", each, "my_robot=/opt/my_robot"));
  for (const std::string& each : o.arguments) {
    const std::size_t sign = each.find('=');  // the value may be empty
    if (sign == 0 || sign == each.npos)
      throw Error(fmt::format("--arg: '{}' is not NAME=VALUE, such as ur_type=ur5e", each));
    if (!options.arguments.emplace(each.substr(0, sign), each.substr(sign + 1)).second)
      throw Error(fmt::format("--arg: '{}' is given twice; give one value", each.substr(0, sign)));
  }
  options.environment = o.environment;
  return options;
}

void apply_options(Description& d, const RobotOptions& o) {
  for (const std::string& link : o.removed) {
    try {
      remove_branch(d, link);
    } catch (const Error& e) {
      throw Error(fmt::format("--remove: {}", e.what()));
    }
  }
  for (const std::string& each : o.attachments) attach_robot(d, each);
  if (o.no_rotors) remove_rotors(d);
  if (o.full_rotors) {
    spin_rotors(d);
    if (std::none_of(d.joints.begin(), d.joints.end(),
                     [](const JointDescription& j) { return j.rotor.has_value(); }))
      throw Error(
          "--full-rotors: no joint of the robot has a rotor inertia; give rotor_inertia and "
          "gear_ratio, or rotor, in its file");
  }
  std::map<std::string, double> locked;
  for (const std::string& each : o.locks) {
    const auto [joint, value] = name_and_value("--lock", each, "elbow=0.5");
    const std::vector<double> q = numbers("--lock", value);
    if (q.size() != 1)
      throw Error(fmt::format("--lock: '{}' has {} numbers; give one", each, q.size()));
    if (!locked.emplace(joint, q[0]).second)
      throw Error(fmt::format("--lock: joint '{}' is given twice; give one position", joint));
  }
  try {
    lock_joints(d, locked);
  } catch (const Error& e) {
    throw Error(fmt::format("--lock: {}", e.what()));
  }
}

Description asked_description(const RobotOptions& o, bool all) {
  if (o.force && !o.silent)
    note("note: --force is deprecated: robots with errors load without it; --quiet hides warnings");
  Description d = load_description(o.robot, load_options(o));
  std::string refused;
  for (const Finding& f : check(d)) {
    if (refuses(f, o.strict))
      refused.append(refused.empty() ? "" : "\n").append(text(f));
    else if (!o.force && !o.silent)
      show(f, all);
  }
  if (!refused.empty()) throw Error(refused);
  apply_options(d, o);
  return d;
}

Robot load_robot(const std::string& name_or_path, bool floating) {
  RobotOptions o;
  o.robot = name_or_path;
  o.floating = floating;
  return load_robot(o);
}

Robot load_robot(const RobotOptions& o, bool all) {
  return with_frames_and_tip(Robot(asked_description(o, all)), o);
}

Robot with_frames_and_tip(Robot robot, const RobotOptions& o) {
  for (const std::string& each : o.frames) {
    const FrameDescription frame = frame_of(each);
    const auto& [R, p] = frame.pose;
    try {
      robot = robot.with_frame(
          frame.name, frame.link, {p.x, p.y, p.z},
          {R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z});
    } catch (const Error& e) {
      throw Error(fmt::format("--frame: {}", e.what()));
    }
  }
  if (!o.tip) return robot;
  refuse_unless_link("--tip", robot, *o.tip);
  return robot.with_tip(*o.tip);
}

}  // namespace parid::cli
