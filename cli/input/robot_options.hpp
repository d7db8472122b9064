// Options that select a robot and modify it before use.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "model/description.hpp"
#include "parid/kinematics.hpp"
#include "parid/robot.hpp"

namespace parid::cli {

struct RobotOptions {
  std::string robot;  // a built-in name, a path, or "-"
  bool floating = false, strict = false, no_rotors = false, full_rotors = false;
  bool force = false;                    // deprecated: hides the robot's warnings
  bool silent = false;                   // they were shown before
  std::vector<std::string> removed;      // links
  std::vector<std::string> attachments;  // LINK=ROBOT[,prefix=P][,at=X,Y,Z[,R,P,Y]]
  std::vector<std::string> locks;        // JOINT=Q
  std::vector<std::string> frames;       // NAME=LINK:X,Y,Z[,ROLL,PITCH,YAW]
  std::vector<std::string> packages;     // NAME=DIR
  std::vector<std::string> arguments;    // NAME=VALUE, of a xacro file
  std::vector<std::string> environment;  // variables that a xacro file may read
  std::optional<std::string> tip;
};

// Each adds the options of its name; a command uses those that can affect its result.
void add_strict(CLI::App&, RobotOptions&);
void add_attach_and_remove(CLI::App&, RobotOptions&);
void add_lock(CLI::App&, RobotOptions&);
void add_frame_and_tip(CLI::App&, RobotOptions&);
void add_no_rotors(CLI::App&, RobotOptions&);
void add_rotors(CLI::App&, RobotOptions&);  // --no-rotors and --full-rotors
// --elastic and --measure, for robots that move under a controller.
void add_elastic(CLI::App&, bool& elastic, std::string& measure);
// Throws Error, naming --elastic, if the robot has no elastic joints.
void require_elastic(const Robot&);
// Notes that elastic joints of the robot count as rigid.
void note_rigid(const Robot&);
void add_package(CLI::App&, RobotOptions&);
// --arg, --env and --package, for robots described by several files. For every command that reads a
// robot.
void add_robot_file(CLI::App&, RobotOptions&);
// Those of every command that computes something from the robot's structure: --strict, --remove,
// --attach, --lock, --arg, --env and --package.
void add_robot_changes(CLI::App&, RobotOptions&);
// --force, which hides warnings, with a note.
void add_force(CLI::App&, RobotOptions&);

LoadOptions load_options(const RobotOptions&);

// Applies --lock and --no-rotors to a description that check() does not refuse.
void apply_options(Description&, const RobotOptions&);

// The description with the options applied. Errors of `parid check` are shown as warnings if the
// robot can still be used; warnings are shown if `all` is set. Throws Error with every finding that
// refuses the robot: those for which it cannot be interpreted and, with --strict, all errors.
Description asked_description(const RobotOptions&, bool all = false);
Robot load_robot(const RobotOptions&, bool all = false);
// --frame and --tip.
Robot with_frames_and_tip(Robot, const RobotOptions&);
Robot load_robot(const std::string& name_or_path, bool floating = false);

// X,Y,Z[,ROLL,PITCH,YAW]: the tip's pose in the link's frame. Throws Error, naming --offset.
LinkPose tip_offset(const std::string& text);
// The robot with a frame there; `link` is the link's name, and then the frame's.
Robot with_tip_offset(const Robot&, const std::string& offset, std::string& link);
inline constexpr const char* tip_offset_help =
    "pose of the tip in the link's frame, such as that of a tool: the pose that is given is the "
    "tip's";

// "NAME=VALUE", taken apart; throws Error, naming the option.
std::pair<std::string, std::string> name_and_value(const char* option, const std::string& text,
                                                   const char* such_as);

}  // namespace parid::cli
