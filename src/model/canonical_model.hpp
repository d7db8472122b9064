// From a robot's description to its mechanism: merges fixed joints, splits planar joints,
// chooses frames, sorts joints parents first; and the mapping back to the user's
// coordinates.

#pragma once

#include <memory>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "model/mechanism.hpp"

namespace parid::model {

// Joint i of the mechanism, in the user's terms: its q is scale · q[position] + offset, and scale
// times its torque is added to tau[velocity]. Mimic joints share their leader's coordinates. Where
// `coupling` is not -1, its q is that coupling of q[position], plus offset, and the coupling's
// derivative stands for the scale, which is not a number then.
struct JointPlace {
  int joint = -1;  // in the description
  int position = 0, velocity = 0;
  double scale = 1, offset = 0;
  double rotor_inertia = 0;
  bool has_mimic = false;  // it mimics another
  int coupling = -1;       // index in CanonicalModel::coupling
  // The rotor of joint `joint`'s motor. It is symmetric about its axis, so its angle is left at 0.
  bool is_rotor = false;
};

struct CanonicalDrive {
  DriveLaw<double> law;
  // Over torques, not fractions of the rated torque. None: it loses only its break-away torque.
  std::vector<EfficiencyPiece> pieces;
};

// A link of the description is at `pose` in mechanism link `link`.
struct LinkPlace {
  int link = 0;
  Pose<double> pose;
};

// One degree of freedom of the mechanism. Joints with several have one after the other, in the
// order of their velocities. `axis`: 0-2 along, 3-5 about x, y, z of the frame of link `link`.
struct Freedom {
  int link = 0, axis = 0;
  int parent = -1;  // the previous freedom on the path to the base
  int column = 0;   // index of the user's velocity; it is `scale` times this one
  double scale = 1;
  double rotor_inertia = 0;  // seen by the mechanism's own velocity
  int coupling = -1;         // as in JointPlace
};

// Links 1 … links are the robot's moving links. Rotors that spin on links follow them: bodies
// without mass, each on a mimic joint of the joint that its motor drives.
struct CanonicalModel {
  Topology topology;
  Mechanism<double> mechanism;
  std::vector<JointPlace> joint;              // [0..n], [0] unused
  std::vector<FrictionLaw<double>> friction;  // [0..n]; none for joints with several freedoms
  std::vector<CanonicalDrive> drive;          // likewise
  std::vector<Coupling> coupling;             // of joints whose mimic is not linear
  std::vector<LinkPlace> link;                // by link of the description
  std::vector<Freedom> freedom;               // link by link
  std::vector<int> first;                     // [0..n + 1]: index of the first freedom of link i
  int root = 0;                               // link of the description without a parent joint
  int links = 0;                              // moving links, without rotors
  int nq = 0, nv = 0;
  bool has_mimic = false;                                  // some joint mimics another
  bool has_coupling() const { return !coupling.empty(); }  // some joint mimics another non-linearly
  bool in_order = true;  // joint i is coordinate i - 1 for all: no mimic, one freedom each

  explicit CanonicalModel(const Description&);     // requires a description that passed check()
  CanonicalModel(const CanonicalModel&) = delete;  // the mechanism points to the topology
};

}  // namespace parid::model
