#include "dynamics/elastic/elastic_model.hpp"

#include "model/elastic_mechanism.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::dynamics {

ElasticModel::ElasticModel(const Robot& robot) : robot_(link_side(robot)) {
  for (const ElasticJoint& j : robot.elastic_joints())
    all_.push_back({j.position, j.velocity, j.stiffness, j.damping, j.rotor_inertia});
  int position = 0;
  for (const JointDescription& j : robot.description().joints) {
    const int width = position_count(j), rates = velocity_count(j);
    for (int k = 0; k < rates; ++k) own_.push_back(width == rates ? position + k : -1);
    position += width;
  }
  links_ = &robot_.canonical();
  description_ = &robot_.description();
  first_ = all_.data();
  last_ = first_ + all_.size();
  positions_ = own_.data();
}
ElasticModel::~ElasticModel() = default;

}  // namespace parid::dynamics
