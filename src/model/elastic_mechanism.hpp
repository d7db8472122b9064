// Robots with elastic transmissions: which joints are elastic, and the mechanism in which their
// motors move on their own (Robot::with_motors()).

#pragma once

#include <string>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/robot.hpp"

namespace parid::model {

std::vector<ElasticJoint> elastic_joints(const Description&);

// Throws Error for an unknown joint.
void set_elasticity(Description&, const std::string& joint, const Elasticity&);

// The loss of an elastic joint's drive, between motor and spring: its output torque is that of the
// spring, its velocity the motor's.
double motor_loss(const JointDescription&, double spring_torque, double motor_velocity);

// The links' side: rotors and drive losses of elastic joints are left out, and the transmissions
// are rigid. Bearing friction remains. Throws Error as Robot::with_motors() does.
void remove_motors(Description&);

// The robot after remove_motors(); the same robot if it has no elastic joints.
Robot link_side(const Robot&);

// As remove_motors(), and a joint for each motor: on the root link, without mass, with the rotor's
// inertia and the drive's losses. Its coordinates follow those of the robot. Spong's model has no
// gyroscopic torque of rotors, so the place of a motor has no effect.
void release_motors(Description&);

}  // namespace parid::model
