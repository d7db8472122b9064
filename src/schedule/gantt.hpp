// A schedule as an SVG picture: a row for each processor, a box for each task.

#pragma once

#include <string>

#include "schedule/layer.hpp"
#include "schedule/schedule.hpp"

namespace parid::schedule {

// A box has the colour of its joint, or of its layer if it has no joint; a legend names the
// colours, and the tooltip of a box gives its name, start and end. Names are written where there is
// room. `unit` is that of time; empty: none is written.
std::string gantt_svg(const TaskGraph&, const Schedule&, const std::string& title,
                      const std::string& unit = "");

// The colours of tasks in pictures, one after another, and text as XML has it.
const char* task_colour(int number);
std::string xml_text(const std::string&);

}  // namespace parid::schedule
