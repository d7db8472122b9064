// The decomposition of Dhanaraj (1990) as a table: 43 subtasks of at most three operations for each
// link, with their predecessors and the conditions under which they can be left out.
//
// Source   Dhanaraj (1990), Tables 4.1, 4.2, 4.5, 4.6; with its numbers. A subtask's name is
//          100 · link + number.
// Differs  4 and 5 wait for 6 of the previous link (printed: 0); 41 to 43 for 33 to 40 (printed: 40
//          to 40). On the first link 26 must be kept, and 19 need not be (printed the other way
//          round).
//
// What waits for a subtask that is left out waits for what that one waited for.
//
// Ours are seven more subtasks of a link with products of inertia, and those of a link that carries
// more than one. Of the products, Eq. (2.41) with its angular accelerations is, by elements of λ,
//
//   N_x += −I_xy λ_zx + I_xz λ_yx + I_yz (λ_yy − λ_zz),  and y, z by turns:
//
//   44        the differences of λ's diagonal
//   45 to 47  products, x y z: three each; with two products of inertia two each and their sum
//   48 to 50  N and the three products, x y z; else 48 alone, which adds one number to each
//
// With one product of inertia 44 is its difference and two products, 45 the third. On the first
// link, which turns about z alone, 45 and 46 are what is left of N_x and N_y; no I_xy is. A further
// link that a link carries has 30 to 35, 39 and 40 of its own, 32 to add its force, and 41, 42 to
// add its moment. They are called by that link too: 132/5. An axis that is neither parallel nor
// perpendicular to the axes of its parent's frame costs products with a constant matrix: 51 to 68
// of the vectors that come from the parent, 71 to 82 of the parent for those that it passes back.

#pragma once

#include <array>
#include <set>

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

struct Subtask {
  int number;
  const char* computes;
  std::vector<int> same, before, after;  // its predecessors, on this link and its neighbours
};
const std::array<Subtask, 43>& subtasks();

// The layer of Table 4.3: consecutive links are two layers apart, forward and backward.
int subtask_layer(int links, int link, int number);

// T_1 to T_25 are forward; of ours, those that N's products of inertia and the vectors from the
// parent take.
Task::Recursion subtask_recursion(int number);

// Which elements of a link's position vectors are not zero, x y z.
using Elements = std::array<bool, 3>;
inline int count(const Elements& e) { return e[0] + e[1] + e[2]; }

struct LinkShape {
  bool prismatic = false;
  Elements s = {true, true, true};      // centre of mass
  Elements p_in = {true, true, true};   // from the previous link's origin to this one's
  Elements p_out = {true, true, true};  // from here to the next
  bool gravity_turns = false;           // of the first link: gravity is not along its axis
  Elements products = {};               // I_yz, I_xz, I_xy
  bool turned = false;  // its axis is neither parallel nor perpendicular to its parent's axes
};

// Numbers of the subtasks that must be done for link `link` of `links`; for a link on the base, and
// one that carries none.
std::set<int> needed_subtasks(int links, int link, const LinkShape&);
std::set<int> needed_subtasks(bool first, bool last, const LinkShape&);

// Those of a further link that a link carries, by the elements of its position.
std::set<int> further_subtasks(bool prismatic, const Elements& p);

// The graph of these subtasks (100 · link + number), all of the same length, with the table's edges
// or without edges.
TaskGraph subtask_graph(int links, const std::set<int>& kept, bool edges = true);

// The sets that Dhanaraj (1990) prints and schedules: for its general six-link arm (Tables C.1 to
// C.8, 230 subtasks), and for the Stanford arm (Table 4.7, 156).
std::set<int> printed_general_subtasks();
std::set<int> printed_stanford_subtasks();

// Table 4.4, as links' shapes. It marks s_z of link 5, which is zero.
std::vector<LinkShape> printed_stanford_shapes();

}  // namespace parid::schedule
