// Friction as additional tasks: bearing friction and drive losses, computed from the reactions of
// the rigid bodies, in tasks of at most three operations.

#pragma once

#include "model/canonical_model.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/lean.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

struct JointReaction {
  Vec3<Lean> f, n;  // that the link before exerts
};

// Adds bearing friction and drive losses to torque[i] of joints [1..n]. Call add_data_edges
// afterwards.
void add_friction_tasks(const CanonicalModel&, TaskedGraph&, const std::vector<JointReaction>&,
                        std::vector<Expr>& torque);

}  // namespace parid::schedule
