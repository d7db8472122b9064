// Work without Python's lock, and how it ends with the interpreter.
//
// A daemon thread may be at work when the interpreter exits. Python ends such a thread where it
// next takes the lock, by unwinding its stack, and C++ ends the process where that meets a
// destructor. So the interpreter's exit waits: batches are stopped, everything else is completed,
// and no thread of ours is left waiting for the lock.

#pragma once

#include <pybind11/pybind11.h>

#include <stop_token>

#include "layer.hpp"

namespace parid::python {

// Lets go of Python's lock while it lives; keeps it where the interpreter is exiting.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_ = nullptr;
};

// Stops when the interpreter exits.
std::stop_token interpreter_exit();

// Throws ImportError in a sub-interpreter: types and locks of this module are the main
// interpreter's.
void require_main_interpreter();

void add_unlocked(pybind11::module_&);

}  // namespace parid::python
