// The sections that refer to joints by name: couplings, actuators and keyframes.

#pragma once

#include "model/format/mjcf/mjcf_body.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

// equality/joint: joint1 mimics joint2 by a polynomial. Other constraints are listed as not
// represented.
void read_couplings(const Document&, const Defaults&, const JointList&, NotRepresented&,
                    Description&);

// Actuators of joints: the effort limit and the gear ratio. The limit is the largest force of
// either sign, times the gear; if several actuators drive a joint, their sum.
void read_actuators(const Document&, const Compiler&, const Defaults&, const JointList&,
                    NotRepresented&, Description&);

// Keyframes as named poses, and the model's zero configuration as "qpos0" if it differs from that
// of the joints.
void read_keyframes(const Document&, const JointList&, Description&);

// Tendons, contacts and deformable bodies, and forces that exist only in a simulation.
void list_other_sections(const Document&, NotRepresented&);

}  // namespace parid::model::mjcf
