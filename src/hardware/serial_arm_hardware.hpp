// Inverse kinematics of any arm with a closed form (kinematics/serial_arm.hpp) on CORDIC boxes.
//
// As in ik_hardware.hpp, the machine reads the pose of a link in the robot's frames and the signs
// of a branch, and returns the robot's joint positions, angles within half a turn of the middle of
// their limits. PUMA and Stanford arms have their own machine, with the arrangements of Lee and
// Chang.

#pragma once

#include "hardware/ik_hardware.hpp"
#include "hardware/layer.hpp"
#include "kinematics/serial_arm.hpp"

namespace parid::hardware {

struct SerialArmHardware {
  SerialArm form;
  std::string link, text;           // the form in words
  std::vector<std::string> joints;  // names of the coordinates, by joint of the chain
  std::vector<double> middle;       // of their limits; 0 without limits
  double largest = 0;               // of the values that boxes hold, over random poses
  BoxDesign design;
  Network network;
  Staging schedule;
  Buffers buffers;
};

// Throws parid::Error with the reason if the chain to the link has no form, or one that needs more
// than a pose: seven-axis arms.
SerialArmHardware serial_arm_hardware(const Robot&, const std::string& link);

// A format of `word` bits that holds all values. Throws parid::Error for words that are too short.
FixedFormat serial_arm_format(const SerialArmHardware&, int word);

// Random configurations, converted to poses and back on their branch. In regular poses the roots
// and the wrist are not near zero. The form's own error (SerialArm::deviation) is not part of it.
IkAccuracy serial_arm_accuracy(const SerialArmHardware&, const Cordic<CordicFixed>&,
                               int samples = 1000, unsigned seed = 1);

// Poses and signs, in the order of the machine's inputs.
std::vector<std::vector<Raw>> serial_arm_samples(const SerialArmHardware&, FixedFormat, int count,
                                                 unsigned seed);

}  // namespace parid::hardware
