// The compiled part of the Python package: `parid._parid`. The public part is in python/parid/.

#include "base/process/child_process.hpp"
#include "base/threads/thread_pool.hpp"
#include "bindings.hpp"
#include "parid/inverse_dynamics.hpp"

namespace {

// Ctrl-C while a compiler runs ends the compiler. Python raises KeyboardInterrupt when the call
// returns.
bool was_interrupted() noexcept {
  const PyGILState_STATE held = PyGILState_Ensure();
  const bool interrupted = PyOS_InterruptOccurred() != 0;  // which forgets it
  if (interrupted) PyErr_SetInterrupt();
  PyGILState_Release(held);
  return interrupted;
}

void add_all(pybind11::module_& m) {
  using namespace parid::python;
  add_unlocked(m);
  m.doc() = "The compiled half of parid; import parid instead.";
  m.attr("__version__") = PARID_VERSION;
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const parid::Error&) {
      set_python_error();
    }
  });
  parid::base::set_interrupt_check(was_interrupted);
  prepare_entry_points(m);
  add_robot(m);
  add_kinematics(m);
  add_derivatives(m);
  add_motion(m);
  add_limits(m);
  add_simulate(m);
  add_control(m);
  add_design(m);
  add_generate(m);
  add_schedule(m);
  add_identify(m);
  add_hardware(m);
  add_compare(m);
  add_device(m);
  add_table(m);
  add_papers(m);
  m.def("instruction_set", &parid::instruction_set);
  m.def("available_cores", &parid::base::available_cores);
}

pybind11::module_::module_def definition;

}  // namespace

// As in PYBIND11_MODULE; but pybind11 blocks forever on the lock of the main interpreter if another
// one imports its first module.
PYBIND11_PLUGIN_IMPL(_parid) {
  PYBIND11_CHECK_PYTHON_VERSION
  try {
    parid::python::require_main_interpreter();
  } catch (const pybind11::builtin_exception& e) {
    e.set_error();
    return nullptr;
  }
  PYBIND11_ENSURE_INTERNALS_READY
  auto m = pybind11::module_::create_extension_module("_parid", nullptr, &definition);
  try {
    add_all(m);
    return m.ptr();
  }
  PYBIND11_CATCH_INIT_EXCEPTIONS
}
