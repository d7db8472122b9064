#include "unlocked.hpp"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace py = pybind11;

namespace parid::python {
namespace {

// Read and written with Python's lock held.
int unlocked_threads = 0;
int entry_calls = 0;
bool exiting = false;
std::thread::id exiting_thread;

std::stop_source& stopping() {
  static std::stop_source source;
  return source;
}

bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() != 0;
#else
  return _Py_IsFinalizing() != 0;
#endif
}

// Called by atexit, before the interpreter is finalized.
void wait_for_threads() {
  exiting = true;
  exiting_thread = std::this_thread::get_id();
  stopping().request_stop();
  while (unlocked_threads > 0 || entry_calls > 0) {
    PyThreadState* const state = PyEval_SaveThread();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    PyEval_RestoreThread(state);
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

}  // namespace

Unlocked::Unlocked() {
  if (exiting) return;
  ++unlocked_threads;
  state_ = PyEval_SaveThread();
}

Unlocked::~Unlocked() {
  if (!state_) return;
  // If Ctrl-C ended the wait above: the lock can no longer be acquired, and the process ends soon.
  while (is_finalizing()) ::pause();
  PyEval_RestoreThread(state_);
  --unlocked_threads;
}

EntryCall::EntryCall() : entered_(!exiting || std::this_thread::get_id() == exiting_thread) {
  if (entered_)
    ++entry_calls;
  else
    PyErr_SetNone(PyExc_SystemExit);
}

EntryCall::~EntryCall() {
  if (entered_) --entry_calls;
}

std::stop_token interpreter_exit() { return stopping().get_token(); }

void require_main_interpreter() {
  if (PyThreadState_Get()->interp != PyInterpreterState_Main())
    throw py::import_error(
        "parid cannot be imported in a sub-interpreter; import it in the main interpreter, or "
        "start a process");
}

void add_unlocked(py::module_& m) {
  m.def("_require_main_interpreter", &require_main_interpreter);
  ::pthread_atfork(nullptr, nullptr,
                   [] { unlocked_threads = entry_calls = 0; });  // they are the parent's
  py::module_::import("atexit").attr("register")(py::cpp_function(&wait_for_threads));
}

}  // namespace parid::python
