#include "model/lint/finding.hpp"

#include <cassert>

#include "model/format/size_limit.hpp"

namespace parid::model {

namespace {
constexpr auto error = Finding::Severity::error, warning = Finding::Severity::warning;

constexpr FindingCode codes[] = {
    // What the file says
    {"unknown-tag", warning,
     "a tag that is not part of the format, perhaps misspelt; it is ignored"},
    {"unknown-attribute", warning, "an attribute that looks misspelt; it is ignored"},
    {"unknown-key", warning,
     "a key that is not part of the format, perhaps misspelt; it is ignored"},
    {"repeated-tag", warning, "a tag that may stand once stands again; only the first counts"},
    {"unknown-transmission-joint", warning, "a transmission names a joint that does not exist"},
    {"assumed-gear-ratio", warning,
     "a rotor inertia without its own gear ratio; the transmission's is used"},
    {"asymmetric-inertia", warning,
     "ixy and iyx, ixz and izx, or iyz and izy differ; the first is used"},
    {"not-represented", warning,
     "a part that has no equivalent here (tendon, contact, closed loop, muscle); it is ignored"},
    {"missing-mesh", error, "the mass of a body that moves needs a mesh that cannot be read"},
    {"unknown-mass", warning, "the mass of a body that never moves cannot be computed"},
    {"unused-pose", warning,
     "a named pose that does not fit the robot's coordinates; it is ignored"},
    // How it hangs together
    {"empty-robot", error, "there are no links"},
    {"too-many-joints", error, "there are more than 100 000 joints or links"},
    {"duplicate-link", error, "two links have one name"},
    {"duplicate-joint", error, "two joints have one name"},
    {"unknown-link", error, "a joint names a link that does not exist"},
    {"two-parents", error, "a link is the child of two joints"},
    {"cycle", error, "joints lead from a link back to itself"},
    {"several-roots", error, "not every link is joined to the root"},
    {"unknown-mimic", error, "a joint mimics a joint that does not exist"},
    {"mimic-self", error, "a joint mimics itself"},
    {"mimic-cycle", error, "joints mimic one another in a circle"},
    {"mimic-type", error, "a joint without exactly one coordinate mimics or is mimicked"},
    // Numbers of joints
    {"not-finite", error, "a number is infinite or not a number"},
    {"zero-axis", error, "a joint's axis has no direction"},
    {"axis-length", warning, "a joint's axis is not of unit length; it is normalised"},
    {"limit-order", error, "a joint's lower limit lies above its upper limit"},
    {"negative-limit", error, "an effort or velocity limit is negative"},
    {"zero-range", warning, "a joint's limits leave it no room to move"},
    {"negative-damping", error, "a damping would drive the joint"},
    {"negative-friction", error, "a friction would drive the joint"},
    {"impossible-bearing", error, "a bearing's friction or size is negative, or its spacing zero"},
    {"impossible-drive", error, "a drive's efficiency is not above 0 and at most 1, or it drives"},
    {"ignored-friction", warning, "a joint of several freedoms has friction; it is ignored"},
    {"negative-rotor-inertia", error, "a rotor's inertia is negative"},
    {"zero-gear-ratio", error, "a gear ratio is zero"},
    // Numbers of links
    {"negative-mass", error, "a mass is negative"},
    {"negative-inertia", error, "an inertia has a negative principal moment"},
    {"triangle-inequality", error, "a principal moment exceeds the sum of the other two"},
    {"triangle-part", warning, "it does so, but not together with the links that are fixed to it"},
    {"triangle-rounding", warning, "it does so by less than a thousandth, as rounding would"},
    {"inertia-without-mass", warning, "a link has inertia but no mass"},
    {"point-mass", warning, "a moving link has mass but no inertia"},
    {"far-com", warning, "a centre of mass lies far outside the robot"},
    {"large-inertia", warning, "an inertia is too large for its mass"},
    // What moves
    {"massless-link", warning,
     "a joint's own body has no mass; what hangs on it must carry the joint"},
    {"singular-mass", error, "a joint, or several together, can move without moving any mass"},
    {"singular-at-zero", warning, "the same, but only in the zero position"},
};
}  // namespace

std::span<const FindingCode> finding_codes() { return codes; }

Finding finding(std::string_view code, Place at, std::string message, std::string remedy) {
  for (const FindingCode& known : codes) {
    if (known.code == code)
      return {known.severity, std::move(at), std::string(code), std::move(message),
              std::move(remedy)};
  }
  assert(!"every code stands in the list");
  return {error, std::move(at), std::string(code), std::move(message), std::move(remedy)};
}

bool enough(const std::vector<Finding>& remarks) { return remarks.size() >= most_remarks; }

void remark(std::vector<Finding>& remarks, Finding f) {
  if (enough(remarks)) return;
  remarks.push_back(std::move(f));
  if (enough(remarks)) remarks.back().remedy += "; further remarks on this file are left out";
}

}  // namespace parid::model
