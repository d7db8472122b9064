// The methods of quantities.hpp on a Python type, written for calls of a few hundred nanoseconds.
//
// pybind11's path from a call to C++ takes about a microsecond for three arrays. These methods are
// plain C functions of Python's fastest calling convention that read NumPy's arrays directly.

#pragma once

#include "layer.hpp"
#include "text.hpp"

#include "robot_context.hpp"

namespace parid::python {

// The Python classes with these methods. RobotContext must be their first base: its address is
// theirs.
struct RobotHandle : RobotContext {
  using RobotContext::RobotContext;
};
struct WorkspaceHandle : RobotContext {
  using RobotContext::RobotContext;
};

void prepare_entry_points(pybind11::module_&);  // once, before the rest
void add_entry_points(pybind11::handle type);

// Runs f and turns its exceptions into Python exceptions.
void set_python_error() noexcept;  // within a catch

}  // namespace parid::python
