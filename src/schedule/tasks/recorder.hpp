// Records operations task by task.

#pragma once

#include "model/canonical_model.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/lean.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

class Recorder {
 public:
  explicit Recorder(TaskedGraph& g) : g_(g) {}

  // Operations that `work` records belong to this task; without a task they are prepared.
  template <class Work>
  void task(int task, Work work) {
    record(&g_.operations[task], work);
  }
  template <class Work>
  void prepare(Work work) {
    record(&g_.prepared, work);
  }

 private:
  template <class Work>
  void record(std::vector<Id>* into, Work work) {
    const Id first = static_cast<Id>(g_.graph.size());
    work();
    for (Id id = first; id < g_.graph.size(); ++id)
      if (const Op op = g_.graph[id].op; op != Op::constant && op != Op::input) into->push_back(id);
  }
  TaskedGraph& g_;
};

// The same tasks with the sums of their operations as durations and the edges that they require.
TaskedGraph timed(TaskedGraph, const OperationWeights&);

// Without the operations that no output depends on.
TaskedGraph without_unused(TaskedGraph);

// The joints of a robot as numbers with known zeros: the starting point of the decompositions of
// robots.
struct LeanJoint {
  int parent = 0;             // 0: the base
  std::vector<int> children;  // in the order of the joints
  bool prismatic = false;
  Mat3<double> E;     // entries within 1e-12 of 0, 1, -1 are those; identity on the base
  SinCos<Lean> turn;  // of a revolute joint; 0 and 1 for a prismatic one
  Lean qd, qdd;
  Vec3<Lean> p, s;  // in the parent, in the link
  double mass = 0;
  Sym3<double> I;   // about the centre of mass
  Lean rotor;       // what its rotor takes, 0 where it has none
  Vec3<double> a0;  // of a joint on the base: minus gravity, in its frame at rest
};
struct LeanTree {
  std::vector<LeanJoint> joint;  // [0..n], [0] unused
};

// Writes inputs q, v, a of the robot's coordinates, and what follows from positions. For robots
// whose joints have one freedom and follow no other.
LeanTree prepare_tree(const CanonicalModel&, TaskedGraph&);

// Eᵀ v and E v: from the parent's axes to the joint's and back.
Vec3<Lean> from_parent(const LeanJoint&, const Vec3<Lean>&);  // without the joint's own rotation
Vec3<Lean> to_parent(const LeanJoint&, const Vec3<Lean>&);

// The outputs tau, in the order of the robot's velocities.
void write_torques(const CanonicalModel&, TaskedGraph&, const std::vector<Expr>& torque);

}  // namespace parid::schedule
