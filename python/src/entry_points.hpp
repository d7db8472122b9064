// The methods of questions.hpp on a Python type, written for calls of a few hundred nanoseconds.
//
// pybind11's own way from a call to C++ takes about a microsecond for three arrays. These methods are plain
// C functions of Python's quickest convention that look into NumPy's arrays themselves.

#pragma once

#include "text.hpp"

#include "door.hpp"

namespace parid::python {

// The Python classes that have the doors. Their Door must be their first base: its address is theirs.
struct RobotDoor : Door {
  using Door::Door;
};
struct WorkspaceDoor : Door {
  using Door::Door;
};

void prepare_doors(pybind11::module_&);  // once, before the rest
void add_doors(pybind11::handle type);

// Runs f and turns what it throws into a Python exception.
void set_python_error() noexcept;  // within a catch

}  // namespace parid::python
