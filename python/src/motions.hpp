// Motions between Python and C++: a tuple (t, q, v, a) of arrays, a name, or a file.

#pragma once

#include "bindings.hpp"
#include "parid/motion/course.hpp"

namespace parid::python {

py::dict dict_of(const Robot&, const Trajectory&);
Trajectory trajectory_of(const Robot&, const py::tuple& t_q_v_a);

// A name of the list, a file of moves or of samples, or samples themselves; none: the default motion.
CoursePointer course_of(const Robot&, const py::object&);

}  // namespace parid::python
