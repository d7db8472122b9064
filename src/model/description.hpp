// A robot as given by its file: names, frames, inertias, limits, each with its line in the file.
//
// model/ contains the description that loaders fill and check() examines, the immutable Robot of
// the public API, and the Mechanism<T> that the recursions read.
//
// A description may be wrong (a zero axis, a negative mass, a cycle); check.hpp reports that.

#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "math/pose.hpp"
#include "model/inertia.hpp"
#include "model/joint/coupling.hpp"
#include "model/joint/drive.hpp"
#include "model/joint/elasticity.hpp"
#include "model/joint/friction.hpp"
#include "model/joint/motor.hpp"
#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid::model {

enum class JointType { revolute, continuous, prismatic, fixed, floating, planar, spherical };

constexpr const char* name_of(JointType t) {
  constexpr const char* names[] = {"revolute", "continuous", "prismatic", "fixed",
                                   "floating", "planar",     "spherical"};
  return names[static_cast<int>(t)];
}

struct Limits {
  static constexpr double none = std::numeric_limits<double>::infinity();
  double lower = -none, upper = none;  // rad or m
  double velocity = none;              // rad/s or m/s
  double effort = none;                // N m or N
};

// This joint's position is offset + multiplier · u + higher[0] · u² + higher[1] · u³ + …, where u
// is the position of `joint`, or the output angle of a four-bar linkage that `joint` drives.
struct Mimic {
  std::string joint;
  double multiplier = 1, offset = 0;
  std::vector<double> higher = {};
  std::optional<FourBar> four_bar = {};

  bool linear() const { return higher.empty() && !four_bar; }
};

// The rotor of a joint's motor as a body that spins on a link. Beside its inertia as the joint sees
// it, inertia · ratio², it has an angular momentum, which couples the joint with the link's motion.
// It is symmetric about its axis; its mass and its other moments of inertia belong to the link.
struct Rotor {
  double inertia = 0;          // about its axis, kg m²
  double ratio = 1;            // its velocity relative to the link, over that of the joint
  Vec3<double> axis{0, 0, 1};  // in the frame of `link`
  std::string link = {};       // that carries it
  bool included = true;        // the link's inertia contains that of the rotor at rest
};

// A primitive shape of a link: of its collision geometry or, without one, of its visual geometry.
struct PrimitiveShape {
  enum class Kind { box, cylinder, sphere } kind = Kind::box;
  std::array<double, 3> size{};  // box: edges; cylinder: radius, length; sphere: radius
  Pose<double> at;               // in the link's frame; a cylinder is along z
};

struct LinkDescription {
  std::string name;
  std::optional<Inertia> inertia;           // in the link's frame; none: massless
  int line = 0;                             // of the link
  int inertia_line = 0;                     // of its inertial element, if there is one
  bool is_frame = false;                    // a named frame, kept as a massless link (frames.hpp)
  std::vector<PrimitiveShape> shapes = {};  // its primitive shapes
  bool joins_only = false;                  // between two joints of one body (MJCF), without mass
};

// The child link's pose in the parent link is  origin · motion(q) · tip: motion is about or along
// `axis`, given in the frame that `origin` places. URDF and modified DH have no tip; in standard DH
// the link's frame is at the far end of the link, and tip leads there.
struct JointDescription {
  std::string name;
  JointType type = JointType::fixed;
  std::string parent, child;  // link names
  Pose<double> origin, tip;
  Vec3<double> axis{1, 0, 0};
  Limits limits;
  bool has_limits = false;
  std::optional<Mimic> mimic;
  double damping = 0, friction = 0;  // viscous (N m s/rad) and Coulomb (N m) at the joint
  double smoothing = 0;  // velocity within which dry friction changes sign smoothly; 0: a jump
  std::optional<Stribeck> stribeck;
  std::optional<JournalBearing> journal;
  std::optional<LinearBearing> linear;
  std::optional<ThrustBearing> thrust;
  std::optional<Drive> drive;
  double rotor_inertia = 0;  // of the motor, seen from the joint (gear ratio squared included)
  double gear_ratio = 1;
  std::optional<Rotor> rotor;            // instead of rotor_inertia
  bool rotor_from_transmission = false;  // URDF's <transmission> or Drake's tags give it
  int line = 0, axis_line = 0, limits_line = 0, mimic_line = 0;
  int stribeck_line = 0, journal_line = 0, linear_line = 0, thrust_line = 0, drive_line = 0;
  int rotor_line = 0;
  double continuous_effort = Limits::none;  // RMS torque that the joint bears for any time
  std::optional<Motor> motor;
  int motor_line = 0;
  std::optional<Elasticity> elastic;
  int elastic_line = 0;
};

// A named frame that is fixed to a link: an MJCF site, an SDF frame, a tool that a user adds. A
// frame may be named wherever a link can be (kinematics, Jacobians, inverse kinematics, wrenches,
// payloads).
struct FrameDescription {
  std::string name;
  std::string link;   // that carries it
  Pose<double> pose;  // in the link's frame
  int line = 0;
};

// A named configuration: an MJCF keyframe, a pose of a TOML file. Joints that it does not name are
// at their neutral position. The numbers of a joint are its position coordinates
// (joint/coordinates.hpp).
struct NamedPose {
  struct JointPosition {
    std::string joint;
    std::vector<double> q;
  };
  std::string name;
  std::vector<JointPosition> joints;
  int line = 0;
};

// The results that a finding affects. Each code has one (lint/finding.cpp).
enum class Effect {
  none,      // no computed quantity
  all,       // the file cannot be interpreted: it is not loaded
  motion,    // joints and frames, and thus every quantity
  inertia,   // every quantity that depends on inertia: computed as written
  forward,   // quantities that divide by the mass matrix: undefined
  friction,  // friction and drive losses, if requested: computed as written
  limits,    // limits: the limit counts as not given
};

struct Finding {
  enum class Severity { warning, error };
  Severity severity = Severity::error;
  Place at;
  std::string code;     // short and stable: "zero-axis"
  std::string message;  // what is wrong
  std::string remedy;   // what would be right
  Effect effect = Effect::all;

  std::string text() const {
    return at.text() + ": " + message + (remedy.empty() ? "" : "; " + remedy);
  }
};

struct Description {
  std::string name;
  std::string file;     // for messages
  std::string source;   // where its figures come from
  std::string summary;  // one-line description of the robot
  Vec3<double> gravity{0, 0, -9.81};
  std::vector<LinkDescription> links;    // in the file's order
  std::vector<JointDescription> joints;  // in the file's order: the order of coordinates
  std::vector<FrameDescription> frames;  // beside the links' own
  std::vector<NamedPose> poses;
  std::string tip;  // the link or frame that the file names as the tip; empty: none
  // The URDF text of a robot that was not read from a URDF file: standard input, string, xacro.
  std::string text;
  std::vector<Finding> remarks;  // remarks of the loader: unknown tags, doubtful spellings

  // Files that `file` includes. Lines of the k-th count on from k · lines_per_file.
  static constexpr int lines_per_file = 1 << 24;
  std::vector<std::string> included;

  Place at(int line) const {
    const std::size_t which = static_cast<std::size_t>(line) / lines_per_file;
    if (line < 0 || which == 0 || which > included.size()) return {file, line};
    return {included[which - 1], line % lines_per_file};
  }
};

}  // namespace parid::model
