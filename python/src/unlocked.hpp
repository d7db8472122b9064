// Work without Python's lock, and its end at the interpreter's exit.
//
// A daemon thread may be running when the interpreter exits. Python ends such a thread where it
// next takes the lock, by unwinding its stack, and C++ terminates the process if that meets a
// destructor. So the interpreter's exit waits: batches are stopped, everything else is completed,
// and no thread of ours is left waiting for the lock.

#pragma once

#include <pybind11/pybind11.h>

#include <stop_token>

#include "layer.hpp"

namespace parid::python {

// Releases Python's lock during its lifetime; keeps it if the interpreter is exiting.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_ = nullptr;
};

// One call from Python of a method that may run Python code before it returns, for example for its
// result. Python ends a daemon thread there too, so the interpreter's exit also waits for these
// calls. Constructed with Python's lock held.
class EntryCall {
 public:
  EntryCall();
  ~EntryCall();
  EntryCall(const EntryCall&) = delete;
  EntryCall& operator=(const EntryCall&) = delete;
  // False in a thread other than the exiting one after the exit has begun, with SystemExit set.
  explicit operator bool() const { return entered_; }

 private:
  bool entered_;
};

// Stops when the interpreter exits.
std::stop_token interpreter_exit();

// Throws ImportError in a sub-interpreter: types and locks of this module are the main
// interpreter's.
void require_main_interpreter();

void add_unlocked(pybind11::module_&);

}  // namespace parid::python
