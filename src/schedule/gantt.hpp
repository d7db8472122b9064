// A schedule as an SVG picture: a row for each processor, a box for each task.

#pragma once

#include <string>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

// A box has the colour of its joint, or of its layer if it has no joint; its tooltip gives name,
// start and end. Names are written where there is room.
std::string gantt_svg(const TaskGraph&, const Schedule&, const std::string& title);

// The colours of tasks in pictures, one after another, and text as XML has it.
const char* task_colour(int number);
std::string xml_text(const std::string&);

}  // namespace parid::schedule
