// Tasks and their edges as a picture: layer under layer, as Figures 4.5 to 4.9 of Dhanaraj (1990),
// as SVG or for Graphviz.

#pragma once

#include <optional>
#include <string>

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

// Which tasks are drawn. Those outside that they wait for are drawn too, with dashed lines.
struct DrawnPart {
  std::optional<int> joint;                           // those of one joint; none: all
  Task::Recursion recursion = Task::Recursion::none;  // of one recursion; none: both
};

// Parses "all", "3", "forward", "backward", "3.forward", "3.backward". Throws parid::Error where
// the text has another form.
DrawnPart drawn_part(const std::string&);

// Throw parid::Error where the part has no task. A box for each task, in the colour of its joint;
// an edge says how many numbers pass, if more than one.
std::string task_dot(const TaskGraph&, const std::string& title, const DrawnPart& = {});
// Throws parid::Error where there are more than 3000 tasks to draw.
std::string task_svg(const TaskGraph&, const std::string& title, const DrawnPart& = {});

}  // namespace parid::schedule
