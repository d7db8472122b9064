// Lathrop's arrays as pictures: graphs of nodes and of operations, and timing charts.
//
// Source   Lathrop: Parallelism in manipulator dynamics, Int. J. Robotics Research 4 (1985) 80-102.
//          Figs. 1 and 5: nodes and data dependencies. Fig. 2: one node or tier, its results fed
//          back; Fig. 3: the systolic array. Fig. 4: when each variable becomes available.
// Differs  the figures are of 4 links and of ω and ω̇; these are of any array and all variables.

#pragma once

#include <string>
#include <vector>

#include "codegen/emit/targets.hpp"
#include "hardware/array/systolic.hpp"
#include "hardware/layer.hpp"

namespace parid::hardware {

// Figs. 1 and 5: a box for each node, an arrow for each pair of nodes of which one reads what the
// other computes, with the number of vectors that it carries.
struct ArrayArc {
  int from = 0, to = 0;  // indices of nodes; −k for the inputs of link k
  int vectors = 0;       // a matrix between nodes is three
};
std::vector<ArrayArc> array_arcs(const SystolicArray&);
std::string array_graph_dot(const SystolicArray&, const std::string& name);
std::string array_graph_svg(const SystolicArray&, const std::string& title);

// Every vector operation, the operations of a node in a cluster.
std::string array_operations_dot(const SystolicArray&, const std::string& name);

// Fig. 4: for each variable the operations that lead to it, each as early as it can start, and the
// clock at which it is available.
struct VariableTime {
  std::string name;  // "ω2"
  int available = 0;
};
std::vector<VariableTime> variable_times(const SystolicArray&);
std::string array_timing_svg(const SystolicArray&, const std::string& title);

// Figs. 2 and 3: a row for each processor, and `sets` sets of torques one interval apart, each in a
// colour.
std::string array_process_svg(const SystolicArray&, const Staging&, int interval, bool folded,
                              int sets, const std::string& title);

// All of these: NAME_nodes.dot and .svg, NAME_operations.dot, NAME_timing.svg, NAME_process.svg.
std::vector<EmittedFile> array_drawings(const SystolicArray&, const Staging&, int interval,
                                        bool folded, const std::string& name,
                                        const std::string& robot);

}  // namespace parid::hardware
