// The links' side and the springs of a robot with elastic joints, for the templates of elastic.hpp.
// Built outside of them, as tree_paths.hpp.

#pragma once

#include <vector>

#include "dynamics/layer.hpp"
#include "model/canonical_model.hpp"
#include "model/description.hpp"
#include "parid/robot.hpp"

namespace parid::dynamics {

struct Spring {
  int position, velocity;  // its joint's coordinates
  double stiffness, damping, rotor_inertia;
};

class ElasticModel {
 public:
  // Throws Error for an elastic joint without a motor of its own.
  explicit ElasticModel(const Robot&);
  ElasticModel(const ElasticModel&) = delete;
  ~ElasticModel();

  const CanonicalModel& links() const { return *links_; }
  const Description& description() const { return *description_; }
  const Spring* begin() const { return first_; }
  const Spring* end() const { return last_; }
  // Of a velocity coordinate the position coordinate, or -1 where there is none of its own.
  int position(std::size_t velocity) const { return positions_[velocity]; }

 private:
  Robot robot_;  // without motors
  std::vector<Spring> all_;
  std::vector<int> own_;
  const CanonicalModel* links_;
  const Description* description_;
  const Spring *first_, *last_;
  const int* positions_;
};

}  // namespace parid::dynamics
