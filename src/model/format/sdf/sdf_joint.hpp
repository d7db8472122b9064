// Joints of SDF as the joints that a description has.
//
//   revolute, continuous, prismatic, fixed   themselves
//   ball                                     spherical
//   universal, revolute2                     two revolute joints NAME and NAME_axis2, with the
//                                            massless link NAME_cross between them
//   screw                                    a revolute joint NAME and a prismatic one NAME_slide
//                                            that mimics it, with the massless link NAME_nut
//                                            between them
//   gearbox                                  a mimic of one joint by another, where both are joints
//                                            of the reference body

#pragma once

#include "model/description.hpp"
#include "model/format/sdf/sdf_frames.hpp"
#include "model/format/xml/places.hpp"
#include "model/layer.hpp"

namespace parid::model::sdf {

// Adds the joints of a <joint>. Gearboxes are left for apply_gearboxes().
void read_joint(const ModelScope&, const xml::Node& joint, const Frames&, const xml::Places&,
                Description&);
void apply_gearboxes(const Frames&, const xml::Places&, Description&);

// Reports elements of models, links and joints that the format does not have.
void remark_on_tags(const Model&, Description&);

}  // namespace parid::model::sdf
