// A robot's inverse kinematics on CORDIC boxes: its arrangement and its accuracy.
//
// The machine reads the pose of a robot's link in the robot file's frames and returns the robot
// file's joint positions. Base, tool, signs and zeros connect these to the form of the equations:
// products become boxes, sums become adders at a port.

#pragma once

#include "codegen/trace/ik_graph.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"
#include "hardware/pipeline/boxes.hpp"
#include "parid/robot.hpp"
#include "scalar/fixed.hpp"

namespace parid::hardware {

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
const std::vector<IkArrangement>& ik_arrangements();  // the list of arrangements

// The closed form of a robot for a link. Throws parid::Error if the arm has none.
struct IkArm {
  ClosedForm form;
  // middle of each joint's limits, in its coordinate; 0 for joints without limits
  std::array<double, 6> middle = {};
  std::string link;
  std::array<std::string, 6> joints;  // names of the coordinates
  bool own_angles = true;             // outputs are the angles of the equations, not of a robot

  IkArm(const ClosedForm& f) : form(f) {}
  IkArm(const Robot&, const std::string& link);
};

// The best result of a search over all arrangements, except for the paper's own. Throws
// parid::Error if the name is not in the list.
IkHardware ik_hardware(const IkArm&, const std::string& arrangement = "paper");

// Constants at the machine's ports, one line per side; the Verilog file starts with them.
std::vector<std::string> ik_ports(const IkArm&, const BoxDesign&);
std::string ik_verilog(const IkArm&, const IkHardware&, const Cordic<CordicFixed>&,
                       const std::string& name);

// A format of `word` bits that holds every angle and position of the arm: 4 integer bits for arms
// whose base, reach and tool are within 8 m.
FixedFormat ik_format(const IkArm&, int word);

// Random postures, converted to poses and back by the machine, each on a random branch. In regular
// poses the roots and the wrist are not near zero, where angles become undefined. Measured on Quad.
struct IkAccuracy {
  int regular = 0, singular = 0;
  double position = 0, orientation = 0;                    // m and direction cosines, regular poses
  double singular_position = 0, singular_orientation = 0;  // the others

  double worst() const { return position > orientation ? position : orientation; }
};
IkAccuracy ik_accuracy(const IkArm&, const BoxDesign&, const Cordic<CordicFixed>&,
                       int samples = 2000, unsigned seed = 1);

// Poses for tests and test benches, in the order of the machine's inputs, signs as 1 or −1. Exact
// to the last bit of any word.
std::vector<std::vector<Raw>> ik_samples(const IkArm&, FixedFormat, int count, unsigned seed);
// The inputs for a pose of the link: its rotation and origin in the world.
std::vector<Quad> ik_inputs(const IkArm&, const Pose<Quad>&);

// Frame 6 of the form, at the wrist centre.
Pose<double> wrist_pose(const ClosedForm&, const std::array<double, 6>& q);

}  // namespace parid::hardware
