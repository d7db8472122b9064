// A schedule as a picture: a row for each processor, a box for each task, in SVG.

#pragma once

#include <string>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

// Boxes have the colour of their joint, or of their layer where they have none; the tooltip says
// name, start and end. Names are written where there is room.
std::string gantt_svg(const TaskGraph&, const Schedule&, const std::string& title);

// The colours of tasks in pictures, one after another, and text as XML has it.
const char* task_colour(int number);
std::string xml_text(const std::string&);

}  // namespace parid::schedule
