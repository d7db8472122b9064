// Three decompositions of a computation into tasks.

#pragma once

#include "parid/robot.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

// ---- Any graph as tasks of at most k operations.
//
// With k = 1 every operation that takes time is a task: the tasks' total is that of the graph's
// operations, and their critical path is the graph's. Signs, comparisons, selections and other
// operations of no duration join a task if that causes no delay; the few that join none are tasks
// of no duration.
//
// With larger k an operation joins the task of one of its operands if there is room and if that
// task is on a higher level than those of its other operands: then edges run only from lower levels
// to higher ones, and no cycle can arise. Afterwards small tasks of one level with the same user
// are merged. For grains of more than 16 operations tasks are merged again: levels are combined
// into bands, and each connected component of a band is one task. Totals stay the same; critical
// paths may become longer.
//
// A sine and a cosine of the same number count as one operation.

// Operations `ids`, operands first, in groups of at most `grain` that take time; each group in the
// given order. The groups are in a valid order of execution.
std::vector<std::vector<Id>> clusters(const Graph&, const std::vector<Id>& ids, int grain,
                                      const OperationWeights& = {});

// The graph must be simplified. Every operation that takes time is in a task. An operation of no
// duration that depends on inputs only through such operations is prepared, for example sines of
// inputs if sines have weight 0.
TaskedGraph clustered(const Graph&, int grain, const OperationWeights& = {});

// ---- The nine equations of Newton-Euler as nine tasks per link, as Luh and Lin, Kasahara and
// Narita, and Chen, Lee and Hou scheduled them: few tasks, of very different lengths.
//
//   w, wd   angular velocity and acceleration        F, N   force and moment on the body
//   vd, vc  acceleration of origin and centre        f, n   force and moment from the parent
//   tau     the torque, without operations unless there is a rotor
//
// For trees of revolute and prismatic joints in any position and with any inertia; zeros are made
// use of. A task takes as long as its operations together. Sines and cosines of positions, and the
// products of rotors, are prepared.

std::string not_coarse(const Robot&);  // the reason why it has no such tasks; empty: it has
TaskedGraph coarse(const Robot&, bool friction = false, const OperationWeights& = sines_prepared);

// ---- The 43 subtasks per link of Dhanaraj (1990) as code: each is traced, so that running them in
// any order that respects the edges gives the torques.
//
// For trees of revolute and prismatic joints, in the frames of a Mechanism. He prints them for
// chains whose neighbouring axes are parallel or perpendicular and whose inertias are diagonal.
// Products of inertia, Eq. (2.41), branches and other axes have further subtasks, which are ours
// (subtasks.hpp). Torques are those of Newton-Euler
// and of the rotors; a rotor's product with the acceleration is prepared, its sum is a fourth
// operation of 43 (or 32, of a prismatic joint).

enum class Streamline {
  // The rules of Dhanaraj (1990). A p with a length along the common normal (x) is its general
  // case, counted in full although such chains always have a zero there; a p with offsets only is
  // sparse. For robots with the zeros of the Stanford arm, Table 4.4 is used as printed.
  rules,
  lean,  // uses every zero of the robot's position vectors
};

// The reason why this robot has no streamlined decomposition; empty: it has one.
std::string not_streamlined(const Robot&);

// Throws parid::Error if the robot has none.
TaskedGraph streamlined(const Robot&, Streamline = Streamline::rules, bool friction = false);

}  // namespace parid::schedule
