// The decomposition of Dhanaraj (1990) as a table: 43 subtasks of at most three operations for each
// link, with their predecessors and the conditions under which they can be left out.
//
// Source   Dhanaraj (1990), Tables 4.1, 4.2, 4.5, 4.6; with its numbers. A subtask's name is
//          100 · link + number.
// Differs  4 and 5 wait for 6 of the previous link (printed: 0); 41 to 43 for 33 to 40 (printed: 40
//          to 40). On the first link 26 must be kept, and 19 need not be (printed the other way
//          round).
//
// If a subtask is left out, its successors wait for its predecessors.

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

// Which elements of a link's position vectors are not zero, x y z.
using Elements = std::array<bool, 3>;
inline int count(const Elements& e) { return e[0] + e[1] + e[2]; }

struct LinkShape {
  bool prismatic = false;
  Elements s = {true, true, true};      // centre of mass
  Elements p_in = {true, true, true};   // from the previous link's origin to this one's
  Elements p_out = {true, true, true};  // from here to the next
  bool gravity_turns = false;           // of the first link: gravity is not along its axis
};

// Numbers of the subtasks that link `link` of `links` needs.
std::set<int> needed_subtasks(int links, int link, const LinkShape&);

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
