// Flow diagrams of one control period under a policy, as Hamilton, Walker and Bennett draw them:
// which computations wait for which, and which read values of earlier periods.
//
//   blocks    a node per link and sweep, F_i and B_i (their Figs. 1 to 3)
//   forward   the variables of links' forward equations (their Figs. 4 and 5)
//   backward  those of the backward equations
//   both      all of them
//
// A node's step is one more than that of the last node whose value of this period it reads; nodes
// of one step can be computed at the same time.
//
// A public header: no template, no type of another library.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "parid/robot.hpp"

namespace parid::control {

enum class FlowDetail : std::uint8_t { blocks, forward, backward, both };
struct FlowDetailEntry {
  FlowDetail detail;
  const char* id;
  const char* what;
};
std::span<const FlowDetailEntry> flow_details();
// Throws Error with all names, and the one that was probably meant.
FlowDetail flow_detail(const std::string& id);

struct FlowNode {
  std::string name;  // "F2", "wd 2"; of values of earlier periods "F1, k-1"
  int link = 0;
  int row = 0;   // where it is drawn
  int step = 0;  // from 1; 0: given, of an earlier period or outside the diagram
};
struct FlowEdge {
  int from = 0, to = 0;  // nodes
};
struct FlowDiagram {
  std::string title;
  std::vector<FlowNode> nodes;
  std::vector<FlowEdge> edges;
  int steps = 0;
};

// `link`: of one link alone, 1..n as the mechanism counts them. Throws Error where the robot has
// joints of several freedoms, no such link, or no joint that the policy names.
FlowDiagram flow_diagram(const Robot&, const Policy&, FlowDetail = FlowDetail::blocks,
                         std::optional<int> link = {});

std::string flow_svg(const FlowDiagram&);
std::string flow_dot(const FlowDiagram&);

}  // namespace parid::control
