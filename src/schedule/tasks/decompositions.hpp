// Computations as tasks: three ways to decompose them.

#pragma once

#include "parid/robot.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/tasked_graph.hpp"

namespace parid::schedule {

// ---- Any graph as tasks of at most k operations.
//
// With k = 1 every operation that takes time is a task of its own: the total of the tasks is that
// of the program's operations, and their critical path is the program's. Signs, comparisons,
// choices and other operations that take no time go with a task where that delays nothing; the few
// that go with none are tasks of no duration.
//
// With larger k an operation joins the task of one of its operands where there is room and where
// that task stands on a higher level than those of its other operands: then edges go from lower
// levels to higher ones alone, and no circle can arise. Afterwards small tasks of one level that
// work for the same task become one. For grains of more than 16 operations such tasks are joined
// again: levels are taken together into bands, and what hangs together within a band is one task.
// Totals stay; critical paths may become longer.
//
// A sine and a cosine of the same number are one operation.

// Operations `ids`, operands first, in groups of at most `grain` that take time; each group in the
// order given. Groups come in an order to do them.
std::vector<std::vector<Id>> clusters(const Graph&, const std::vector<Id>& ids, int grain,
                                      const OperationWeights& = {});

// The graph must be simplified. Every operation that takes time is in a task. What takes none and
// follows from inputs through operations that take none is prepared, such as sines of inputs where
// sines weigh nothing.
TaskedGraph clustered(const Graph&, int grain, const OperationWeights& = {});

// ---- The nine equations of Newton-Euler as nine tasks per link, as Luh and Lin, Kasahara and
// Narita, and Chen, Lee and Hou scheduled them: few tasks, of very different lengths.
//
//   w, wd   angular velocity and acceleration        F, N   force and moment on the body
//   vd, vc  acceleration of origin and centre        f, n   what the link before exerts
//   tau     the torque, which takes no operation unless a rotor turns
//
// For trees of revolute and prismatic joints in any position and with any inertia; zeros are made
// use of. A task takes as long as its operations together. Sines and cosines of positions, and the
// products of rotors, are prepared.

std::string not_coarse(const Robot&);  // why it has no such tasks; empty: it has
TaskedGraph coarse(const Robot&, bool friction = false, const OperationWeights& = sines_prepared);

// ---- The 43 subtasks per link of Dhanaraj (1990) as code: what each computes is traced, so that
// doing them in any order that keeps to the edges gives the torques.
//
// For trees of revolute and prismatic joints, in the frames of a Mechanism. He prints them for
// chains whose neighbouring axes are parallel or perpendicular and whose inertias are diagonal.
// Products of inertia, Eq. (2.41), branches and other axes have further subtasks, which are ours
// (subtasks.hpp). Torques are those of Newton-Euler
// and of the rotors; a rotor's product with the acceleration is prepared, its sum is a fourth
// operation of 43 (or 32, of a prismatic joint).

enum class Streamline {
  // The rules of Dhanaraj (1990). A p with a length along the common normal (x) is its general
  // case, counted in full though such chains always have a zero there; p of offsets alone is
  // sparse. Where a robot has the Stanford arm's zeros, Table 4.4 is taken as printed.
  rules,
  lean,  // every zero of the robot's position vectors is made use of
};

// Why this robot has no streamlined decomposition; empty: it has.
std::string not_streamlined(const Robot&);

// Throws parid::Error where it has none.
TaskedGraph streamlined(const Robot&, Streamline = Streamline::rules, bool friction = false);

}  // namespace parid::schedule
