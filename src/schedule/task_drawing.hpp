// Tasks and their edges as a picture: layer under layer, as Figures 4.5 to 4.9 of Dhanaraj (1990),
// as SVG or for Graphviz.

#pragma once

#include <string>

#include "schedule/layer.hpp"
#include "schedule/task_graph.hpp"

namespace parid::schedule {

// Parses "all", "3", "forward", "backward", "3.forward", "3.backward". Throws parid::Error where
// the text has another form.
TaskPart drawn_part(const std::string&);

// Throw parid::Error where the part has no task. A box for each task, in the colour of its joint;
// an edge says how many numbers pass, if more than one.
std::string task_dot(const TaskGraph&, const std::string& title, const TaskPart& = {});
// Throws parid::Error where there are more than 3000 tasks to draw.
std::string task_svg(const TaskGraph&, const std::string& title, const TaskPart& = {});

}  // namespace parid::schedule
