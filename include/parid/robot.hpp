// A robot, as users hold it: immutable, cheap to copy, shared between threads.
//
// A public header: no template, no type of another library.

#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parid/export.h"

namespace parid {

enum class Quantity;

namespace model {
struct Description;
struct CanonicalModel;
}  // namespace model

/// Formats of robot files. `automatic`: by the file's suffix and its content.
enum class RobotFormat { automatic, urdf, xacro, mjcf, sdf, toml };

/// The format with this name: "urdf", "xacro", "mjcf", "sdf", "toml", "automatic". Throws
/// parid::Error, with the nearest name, if there is none.
PARID_EXPORT RobotFormat robot_format(std::string_view name);

struct LoadOptions {
  bool floating = false;  ///< give the robot a floating base: a joint named after the root link
  /// Refuse a robot with any physical error, such as a negative mass or a joint that moves no mass.
  /// Without it, a robot is refused only if it cannot be interpreted, and a quantity only if it is
  /// undefined.
  bool strict = false;
  bool rotors = true;  ///< false: leave out the rotor inertias that the file gives
  RobotFormat format = RobotFormat::automatic;
  /// Directories of packages by name, for package:// and model:// and xacro's $(find). Packages
  /// that are not listed are searched for near the file and in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH
  /// and GZ_SIM_RESOURCE_PATH.
  std::map<std::string, std::string> packages = {};
  /// Arguments of a xacro file, by name: $(arg NAME). For an SDF file, "model" chooses one of a
  /// world's models. Other formats have none.
  std::map<std::string, std::string> arguments = {};
  /// Environment variables that a xacro file may read by $(env NAME) and $(optenv NAME DEFAULT).
  std::vector<std::string> environment = {};
};

/// A four-bar linkage by its lengths, which may have any unit. The input link turns by θ about the
/// first fixed pivot, the output link by ψ about the second, both measured from the line from the
/// first to the second pivot.
struct FourBarLinkage {
  double ground = 0, input = 0, coupler = 0, output = 0;
  double angle = 0;      ///< θ where the input link's joint is at zero, rad
  bool crossed = false;  ///< assembled so that input and output link cross where 0 < θ < π
};

/// A joint's position as a function of another's: c₀ + c₁ u + c₂ u² + …. Here u is the position of
/// `joint` (rad or m), or what the output angle of a linkage that it drives differs from that at
/// its zero. Derivatives are exact in every quantity.
struct MimicLaw {
  std::string joint;
  std::vector<double> polynomial = {0, 1};
  std::optional<FourBarLinkage> four_bar = {};
};

/// The spring between the motor and the link of a joint, as the joint sees it.
struct JointElasticity {
  double stiffness = 0;  ///< N m/rad or N/m, above zero
  double damping = 0;    ///< N m s/rad or N s/m, not negative
};

/// A joint with an elastic transmission.
struct ElasticJoint {
  std::string joint;
  int position = 0, velocity = 0;  ///< its coordinates, in position_names() and velocity_names()
  double stiffness = 0, damping = 0;
  double rotor_inertia = 0;  ///< of the motor, as the joint sees it: kg m² or kg
};

class PARID_EXPORT Robot {
 public:
  /// The robot of a built-in name ("puma560", "chain:12") or of a file; "-" is standard input.
  /// Throws parid::Error, with file, line and remedy, if the file cannot be read or understood.
  static Robot load(const std::string& name_or_path, const LoadOptions& = {});

  /// The robot that a text describes, such as the content of a URDF file. `options.format` names
  /// the text's format; by default its content decides. `name` replaces the file in messages.
  /// Throws as load() does.
  static Robot from_text(const std::string& text, const LoadOptions& options = {},
                         const std::string& name = "<text>");

  /// The robot of a description in memory (internal type). Throws parid::Error as load() does.
  explicit Robot(model::Description, bool strict = false);

  // The functions below that return references allocate nothing and do not throw; the references
  // are valid as long as a copy of the robot exists.

  const std::string& name() const;  ///< as the file gives it
  int nq() const;                   ///< number of position coordinates; quaternions count four
  int nv() const;  ///< number of velocities, accelerations and torques: the degrees of freedom

  /// Names of the nq position coordinates, the nv velocity coordinates and the links, in the order
  /// of the robot file: "shoulder", or "base.x" … for joints of several freedoms.
  const std::vector<std::string>& position_names() const;
  const std::vector<std::string>& velocity_names() const;
  const std::vector<std::string>& link_names() const;
  /// The last link of the longest branch, unless the file or with_tip() names one.
  const std::string& tip() const;

  /// Candidates for the tip: the link that the file or with_tip() names, otherwise every moving
  /// link without a moving child. Several for hands, legged robots, arms with a camera.
  const std::vector<std::string>& tip_candidates() const;
  /// The only candidate. Throws parid::Error, with the candidates, if there are several.
  const std::string& only_tip() const;
  /// The same robot with this link as its tip. Throws parid::Error for an unknown link.
  Robot with_tip(const std::string& link) const;

  /// Throws parid::Error, with the joints and the remedy, if the quantity is undefined for this
  /// robot: forward dynamics, its derivatives and rollouts of a robot with a singular mass matrix.
  void require_defined(Quantity) const;
  /// The same for a computation that inverts the mass matrix; `what` names it, such as "a
  /// simulation".
  void require_invertible_mass(std::string_view what) const;

  // Limits of each velocity coordinate; infinite if the file gives none.
  struct Limit {
    double lower, upper, velocity, effort;
  };
  const std::vector<Limit>& limits() const;  ///< nv of them, in the order of velocity_names()
  /// Configurations that the robot file names, such as keyframes, and the positions of one of them:
  /// joints that it does not name are at neutral(). Throws parid::Error, with the nearest name, if
  /// there is none.
  std::vector<std::string> pose_names() const;
  std::vector<double> named_pose(const std::string& name) const;
  /// nq positions: zero moved inside the limits, unit quaternions. Allocates the result.
  std::vector<double> neutral() const;

  /// The acceleration of free fall in the root link's frame, m/s², such as {0, 0, -9.81}.
  std::array<double, 3> gravity() const;
  /// The same robot with another gravity. Throws parid::Error if it is not finite.
  Robot with_gravity(const std::array<double, 3>&) const;

  // The functions below return another robot, whose memory they allocate; this one is unchanged.

  /// Adds a body to a link, in the link's frame: mass (kg), centre of mass (m), and inertia about
  /// that centre, Ixx Iyy Izz Ixy Ixz Iyz (kg m²). Throws parid::Error for an unknown link, a
  /// physically impossible mass or inertia, and numbers that are not finite.
  Robot with_payload(const std::string& link, double mass, const std::array<double, 3>& centre = {},
                     const std::array<double, 6>& inertia = {}) const;

  /// Adds a frame to a link: `rotation` (row-major) and `position` place it in the link. A frame is
  /// a link without mass: every function that takes a link's name takes the frame's.
  Robot with_frame(const std::string& name, const std::string& link,
                   const std::array<double, 3>& position,
                   const std::array<double, 9>& rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}) const;

  /// Fixes joints at positions (rad or m). Their links become part of the links that carry them:
  /// inertias are merged exactly, and the coordinates go. A joint that mimics a locked joint is
  /// locked with it. Throws parid::Error for an unknown joint, one that has not exactly one
  /// coordinate, or one that mimics another.
  Robot with_locked(const std::map<std::string, double>& positions) const;

  /// Attaches another robot's root to a link, at a pose in that link. `prefix` is put before the
  /// names of its links, joints and frames. Throws parid::Error if a name would then exist twice.
  Robot with_attached(const Robot& other, const std::string& link, const std::string& prefix = "",
                      const std::array<double, 3>& position = {},
                      const std::array<double, 9>& rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}) const;

  /// Removes a link with the joint that carries it and everything that hangs on it. Throws
  /// parid::Error for the root link, and if a remaining joint mimics a removed one.
  Robot without_branch(const std::string& link) const;

  /// Makes a joint's position a function of another's, in place of a mimic that it has. The joint
  /// has no coordinate then. Throws parid::Error where check() would refuse the robot: an unknown
  /// joint, one that has not exactly one coordinate, a cycle, a linkage that does not close.
  Robot with_mimic(const std::string& joint, const MimicLaw& law) const;

  /// Lets every rotor whose reflected inertia the file gives spin on the parent link of its joint,
  /// about the joint's axis and with its gear ratio. Its angular momentum then couples the joint
  /// with the link's motion. The inertias of links contain their rotors at rest.
  Robot with_spinning_rotors() const;

  /// Leaves out all rotor inertias, and the elasticity of joints, which needs them. Does not throw.
  Robot without_rotors() const;

  /// Puts springs between motors and links, by joint, in place of those that the joints have. Every
  /// quantity but those of ElasticDynamics and of simulations that ask for elasticity remains that
  /// of rigid transmissions. Throws parid::Error for an unknown joint, one that has not exactly one
  /// coordinate, and numbers out of range.
  Robot with_elasticity(const std::map<std::string, JointElasticity>& springs) const;
  /// Makes all transmissions rigid. Does not throw.
  Robot without_elasticity() const;
  /// The elastic joints in the order of their coordinates. Allocates the result.
  std::vector<ElasticJoint> elastic_joints() const;
  /// The mechanism in which the motors of elastic joints move on their own: after the robot's own
  /// coordinates one more for each elastic joint, the motor's position over the gear ratio, with
  /// the rotor's inertia and the drive's losses. There are no springs: their torques are arguments.
  /// Throws parid::Error if no joint is elastic, one has no rotor inertia, or a rotor of one spins
  /// on a link.
  Robot with_motors() const;

  const model::Description& description() const;   ///< internal type: the file's content
  const model::CanonicalModel& canonical() const;  ///< internal type: canonical frames
  /// The index of a link in link_names(). Throws parid::Error, with the nearest name, if there is
  /// none.
  int find_link(const std::string& name) const;

 private:
  struct Body;
  std::shared_ptr<const Body> body_;
};

}  // namespace parid
