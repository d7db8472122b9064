// Arguments that are not NumPy arrays: tables with named columns, and arrays of other libraries,
// which are used without a copy.

#pragma once

#include <vector>

#include "call.hpp"

namespace parid::python {

// Replaces inputs by NumPy arrays: a data frame by its columns in the robot's order, anything with
// the buffer protocol, `__array__` or DLPack by a view of its numbers. Sequences stay. `kept` holds
// the new objects.
void adopt_inputs(const Ready&, RobotContext&, Asked&, std::vector<pybind11::object>& kept);

// A NumPy array over the memory of an object, such as a tensor; null if there is none.
pybind11::object writable_view(PyObject*);

}  // namespace parid::python
