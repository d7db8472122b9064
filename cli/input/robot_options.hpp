// Which robot a command is about, and what is done to it before it is used.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "model/description.hpp"
#include "parid/robot.hpp"

namespace parid::cli {

struct RobotOptions {
  std::string robot;  // a built-in name, a path, or "-"
  bool floating = false, strict = false, no_rotors = false;
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

// Each adds the options that its name says; a command takes those that can have an effect on its
// answer.
void add_strict(CLI::App&, RobotOptions&);
void add_attach_and_remove(CLI::App&, RobotOptions&);
void add_lock(CLI::App&, RobotOptions&);
void add_frame_and_tip(CLI::App&, RobotOptions&);
void add_no_rotors(CLI::App&, RobotOptions&);
void add_package(CLI::App&, RobotOptions&);
// --arg, --env and --package, of robots that several files describe. For every command that reads a
// robot.
void add_robot_file(CLI::App&, RobotOptions&);
// Those of every command that computes something from the robot's structure: --strict, --remove,
// --attach, --lock, --arg, --env and --package.
void add_robot_changes(CLI::App&, RobotOptions&);
// --force, which hides warnings, with a note.
void add_force(CLI::App&, RobotOptions&);

LoadOptions load_options(const RobotOptions&);

// --remove, --attach, --lock and --no-rotors, in this order, on a description that check() does not
// refuse.
void apply_options(Description&, const RobotOptions&);

// The description with the options applied. What `parid check` calls an error is shown as a warning
// if the robot can be used all the same; so are warnings where `all` is set. Throws Error with
// every finding that refuses the robot: those for which it cannot be understood and, with --strict,
// all errors.
Description asked_description(const RobotOptions&, bool all = false);
Robot load_robot(const RobotOptions&, bool all = false);
// --frame and --tip.
Robot with_frames_and_tip(Robot, const RobotOptions&);
Robot load_robot(const std::string& name_or_path, bool floating = false);

// "NAME=VALUE", taken apart; throws Error, naming the option.
std::pair<std::string, std::string> name_and_value(const char* option, const std::string& text,
                                                   const char* such_as);

}  // namespace parid::cli
