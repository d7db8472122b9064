// A robot's inverse kinematics on CORDIC boxes: which arrangement, and how exact it is.

#pragma once

#include "parid/generate/ik_graph.hpp"
#include "parid/pipeline/balance.hpp"
#include "parid/pipeline/boxes.hpp"
#include "parid/scalar/fixed.hpp"

namespace parid {

struct IkHardware {
  std::string arrangement;  // "paper", "fewest", "fastest"
  BoxDesign design;
  Network network;
  Staging schedule;
  Buffers buffers;
};

struct IkArrangement {
  const char *id, *says;
};
const std::vector<IkArrangement>& ik_arrangements();  // the one list

// The best of a search over all arrangements, unless it is the paper's. Throws parid::Error for a name
// that is not in the list.
IkHardware ik_hardware(const ClosedForm&, const std::string& arrangement = "paper");

// Random postures brought to their poses and back through the machine, each on a random branch; regular
// ones are those whose roots and wrist are not near zero, where angles lose their meaning. Measured on Quad.
struct IkAccuracy {
  int regular = 0, singular = 0;
  double position = 0, orientation = 0;                    // m and direction cosines, regular poses
  double singular_position = 0, singular_orientation = 0;  // the others

  double worst() const { return position > orientation ? position : orientation; }
};
IkAccuracy ik_accuracy(const ClosedForm&, const BoxDesign&, const Cordic<CordicFixed>&,
                       int samples = 2000, unsigned seed = 1);

// Poses for tests and test benches: p o a arm elbow wrist, in the order of ik_graph's inputs, signs as 1 or
// −1. To the last bit of any word.
std::vector<std::vector<Raw>> ik_samples(const ClosedForm&, FixedFormat, int count, unsigned seed);

// Frame 6 of the form, at the wrist's centre.
Pose<double> wrist_pose(const ClosedForm&, const std::array<double, 6>& q);

}  // namespace parid
