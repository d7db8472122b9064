#include "model/lint/finding.hpp"

#include <cassert>

#include "model/format/size_limit.hpp"

namespace parid::model {

namespace {
constexpr auto error = Finding::Severity::error, warning = Finding::Severity::warning;

constexpr FindingCode codes[] = {
    // Contents of the file
    {"unknown-tag", warning, Effect::none,
     "a tag is not part of the format, perhaps misspelt; ignored"},
    {"unknown-attribute", warning, Effect::none, "an attribute is probably misspelt; ignored"},
    {"unknown-key", warning, Effect::none,
     "a key is not part of the format, perhaps misspelt; ignored"},
    {"repeated-tag", warning, Effect::none,
     "a tag appears more than once; only the first one is used"},
    {"unknown-transmission-joint", warning, Effect::none,
     "a transmission names a joint that does not exist"},
    {"assumed-gear-ratio", warning, Effect::inertia,
     "a rotor inertia has no gear ratio; the transmission's reduction is used"},
    {"asymmetric-inertia", warning, Effect::inertia,
     "ixy and iyx, ixz and izx, or iyz and izy differ; the first is used"},
    {"incomplete-inertial", error, Effect::inertia,
     "an <inertial> of a URDF file has no <mass> or no <inertia>; it counts as zero"},
    {"not-represented", warning, Effect::motion,
     "a part that has no equivalent here (tendon, contact, closed loop, muscle); it is ignored"},
    {"missing-mesh", error, Effect::inertia,
     "the mass of a body that moves needs a mesh that cannot be read"},
    {"unknown-mass", warning, Effect::none,
     "the mass of a body that never moves cannot be computed"},
    {"unused-pose", warning, Effect::none,
     "a named pose that does not fit the robot's coordinates; it is ignored"},
    {"unreadable-number", warning, Effect::friction,
     "an optional number, such as a damping or a gear reduction, cannot be read; it is ignored"},
    {"no-name", warning, Effect::none, "the robot has no name; the file's name is used"},
    {"ignored-mimic", warning, Effect::none, "a fixed joint mimics another; the mimic is ignored"},
    {"duplicate-frame", warning, Effect::motion,
     "a frame has the name of a link or of another frame; it is ignored"},
    {"unknown-frame-link", warning, Effect::motion,
     "a frame names a link that does not exist; it is ignored"},
    {"unknown-tip", warning, Effect::none, "the file names a tip that does not exist"},
    {"xacro-warning", warning, Effect::none, "a xacro file calls xacro.warning() or xacro.error()"},
    {"unlisted-variable", warning, Effect::none,
     "$(optenv NAME …) of a variable that the file may not read; its default is used"},
    {"sdf-version", warning, Effect::none, "an SDF file of a version other than 1.4 to 1.11"},
    {"sdf-include", warning, Effect::none,
     "a model that a world includes is not found; it is left out"},
    {"sdf-unsupported", warning, Effect::none,
     "a part of an SDF file that is not represented, such as a spring; it is ignored"},
    {"sdf-default-inertia", warning, Effect::inertia,
     "a link of an SDF file without <inertial>; the format gives it 1 kg and 1 kg m²"},
    // Structure
    {"empty-robot", error, Effect::all, "the robot has no links"},
    {"too-many-joints", error, Effect::all, "the robot has more than 100 000 joints or links"},
    {"duplicate-link", error, Effect::all, "two links have the same name"},
    {"duplicate-joint", error, Effect::all, "two joints have the same name"},
    {"unknown-link", error, Effect::all, "a joint names a link that does not exist"},
    {"two-parents", error, Effect::all, "a link is the child of two joints"},
    {"cycle", error, Effect::all, "the joints form a cycle"},
    {"several-roots", error, Effect::all,
     "a second link has no parent joint; a robot has one root"},
    {"unknown-mimic", error, Effect::all, "a joint mimics a joint that does not exist"},
    {"mimic-self", error, Effect::all, "a joint mimics itself"},
    {"mimic-cycle", error, Effect::all, "the <mimic> of several joints form a cycle"},
    {"mimic-type", error, Effect::all,
     "a <mimic> concerns a joint whose type does not have exactly one coordinate"},
    {"mimic-chain", error, Effect::all,
     "a joint mimics another through more than 16 polynomials or linkages"},
    {"four-bar", error, Effect::all,
     "the lengths or the angle of a four-bar linkage do not close where its joint is at zero"},
    {"four-bar-range", warning, Effect::limits,
     "a joint's limits exceed the range in which its four-bar linkage closes"},
    // Numbers of joints
    {"not-finite", error, Effect::all, "a number is infinite or not a number"},
    {"zero-axis", error, Effect::all, "a joint axis is zero"},
    {"rotor", error, Effect::all,
     "a rotor has no axis or ratio, no such link, or a joint without exactly one coordinate"},
    {"rotor-inertia", error, Effect::inertia,
     "a link's inertia is smaller than that of a rotor which it includes"},
    {"axis-length", warning, Effect::motion, "a joint axis is not a unit vector; it is normalized"},
    {"limit-order", warning, Effect::limits,
     "a joint's lower limit lies above its upper limit; neither counts"},
    {"negative-limit", warning, Effect::limits,
     "an effort or velocity limit is negative; it does not count"},
    {"zero-range", warning, Effect::limits, "a joint's limits are equal, so it cannot move"},
    {"negative-damping", error, Effect::friction, "a damping coefficient is negative"},
    {"negative-friction", error, Effect::friction,
     "a friction parameter is negative or inconsistent"},
    {"impossible-bearing", error, Effect::all,
     "a bearing's friction or size is negative, or its spacing is zero"},
    {"impossible-drive", error, Effect::all,
     "a drive's efficiency, rated torque or break-away torque is out of range"},
    {"ignored-friction", warning, Effect::friction,
     "a joint with several degrees of freedom has friction; ignored"},
    {"impossible-elasticity", error, Effect::all,
     "an elastic joint has no positive stiffness, negative damping, or not exactly one coordinate"},
    {"elastic-without-rotor", warning, Effect::none,
     "an elastic joint has no rotor inertia, which forward dynamics of the motor side needs"},
    {"negative-rotor-inertia", error, Effect::inertia, "a rotor inertia is negative"},
    {"zero-gear-ratio", error, Effect::all, "a gear ratio is zero"},
    // Numbers of links
    {"negative-mass", error, Effect::inertia, "a mass is negative"},
    {"negative-inertia", error, Effect::inertia, "an inertia has a negative principal moment"},
    {"triangle-inequality", error, Effect::inertia,
     "a physically impossible inertia: a principal moment exceeds the sum of the other two"},
    {"triangle-part", warning, Effect::inertia,
     "the same, but the inertia is valid once fixed links are merged"},
    {"triangle-rounding", warning, Effect::inertia,
     "the same, by less than a thousandth: probably rounding"},
    {"inertia-without-mass", warning, Effect::inertia, "a link has inertia but no mass"},
    {"point-mass", warning, Effect::inertia, "a moving link has mass but no inertia"},
    {"far-com", warning, Effect::inertia, "a centre of mass is far outside the robot"},
    {"large-inertia", warning, Effect::inertia, "an inertia is too large for its mass"},
    // Mass and motion
    {"massless-link", warning, Effect::inertia,
     "a moving link has no mass; its descendants must supply the joint's inertia"},
    {"singular-mass", error, Effect::forward,
     "one or several joints have no inertia behind them; forward dynamics is singular"},
    {"singular-at-zero", warning, Effect::forward, "the same, but only in the zero position"},
};
}  // namespace

std::span<const FindingCode> finding_codes() { return codes; }

Finding finding(std::string_view code, Place at, std::string message, std::string remedy) {
  for (const FindingCode& known : codes) {
    if (known.code == code)
      return {known.severity,     std::move(at),     std::string(code),
              std::move(message), std::move(remedy), known.effect};
  }
  assert(!"every code is in the list");
  return {error, std::move(at), std::string(code), std::move(message), std::move(remedy)};
}

std::vector<Quantity> affected(Effect effect) {
  std::vector<Quantity> all;
  for (const QuantityInfo& q : quantities()) {
    const bool ik = q.quantity == Quantity::inverse_kinematics ||
                    q.quantity == Quantity::inverse_kinematics_step;
    const bool hit = effect == Effect::all || effect == Effect::motion  //
                     || (effect == Effect::inertia && q.uses_inertia)   //
                     || (effect == Effect::forward && q.inverts_mass)   //
                     || (effect == Effect::limits && ik)                //
                     || (effect == Effect::friction && (q.quantity == Quantity::inverse_dynamics ||
                                                        q.quantity == Quantity::forward_dynamics));
    if (hit) all.push_back(q.quantity);
  }
  return all;
}

bool enough(const std::vector<Finding>& remarks) { return remarks.size() >= most_remarks; }

void remark(std::vector<Finding>& remarks, Finding f) {
  if (enough(remarks)) return;
  remarks.push_back(std::move(f));
  if (enough(remarks)) remarks.back().remedy += "; further findings in this file are omitted";
}

}  // namespace parid::model
