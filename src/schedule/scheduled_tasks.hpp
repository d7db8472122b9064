// What the public API and the program share: a robot's tasks in other units, and pictures,
// programs and periods of their schedules.

#pragma once

#include "codegen/emit/targets.hpp"
#include "schedule/layer.hpp"
#include "schedule/tasks/task_source.hpp"

namespace parid::schedule {

// The same tasks in smaller units of time, each 1/factor.
TaskGraph refined(const TaskGraph&, Time factor);
Tasks refined(Tasks, Time factor);

// The time on one processor of speed 1 divided by the schedule's length; 1 without tasks.
double speedup(const Tasks&, const Schedule&);

// Pictures with a title that names robot, quantity and size.
std::string gantt_svg(const Tasks&, const Schedule&, const char* scheduler);
std::string task_picture(const Tasks&, TaskPicture, const TaskPart&);

// The files of processor_programs.hpp, named after robot and quantity. Throws parid::Error for
// tasks without operations.
std::vector<EmittedFile> processor_programs(const Tasks&, const Schedule&, const char* scheduler);

// operation_time in s. Throws parid::Error unless it is positive, and for tasks whose units are not
// operations.
SchedulePeriod schedule_period(const Tasks&, const Schedule&, double operation_time);

}  // namespace parid::schedule
