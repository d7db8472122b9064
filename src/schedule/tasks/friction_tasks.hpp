// Friction as further tasks: bearing friction and drive losses, after the reactions of rigid bodies
// are known, in tasks of at most three operations.

#pragma once

#include "model/canonical_model.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/lean.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

struct JointReaction {
  Vec3<Lean> f, n;  // that the link before exerts
};

// torque[i] of joints [1..n] grows by what its bearings and its drive take. Edges are for
// add_data_edges to add.
void add_friction_tasks(const CanonicalModel&, TaskedGraph&, const std::vector<JointReaction>&,
                        std::vector<Expr>& torque);

}  // namespace parid::schedule
