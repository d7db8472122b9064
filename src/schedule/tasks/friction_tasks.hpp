// Friction as further tasks: what bearings and drives take, after the reactions of rigid bodies are known,
// in tasks of at most three operations.

#pragma once

#include "parid/model/canonical.hpp"
#include "parid/schedule/lean.hpp"
#include "parid/schedule/tasked_graph.hpp"

namespace parid {

struct JointReaction {
  Vec3<Lean> f, n;  // that the link before exerts
};

// torque[i] of joints [1..n] grows by what its bearings and its drive take. Edges are for add_data_edges to
// add.
void add_friction_tasks(const Canonical&, TaskedGraph&, const std::vector<JointReaction>&,
                        std::vector<Expr>& torque);

}  // namespace parid
