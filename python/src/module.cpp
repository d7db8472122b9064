// The compiled half of the Python package: `parid._parid`. What users see is in python/parid/.

#include "bindings.hpp"
#include "parid/run/crew.hpp"
#include "parid/run/dynamics.hpp"

PYBIND11_MODULE(_parid, m) {
  using namespace parid::python;
  m.doc() = "The compiled half of parid; import parid instead.";
  m.attr("__version__") = PARID_VERSION;
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const parid::Error&) {
      set_python_error();
    }
  });
  prepare_doors(m);
  add_robot(m);
  add_kinematics(m);
  add_motion(m);
  add_simulate(m);
  add_control(m);
  add_generate(m);
  add_schedule(m);
  add_identify(m);
  add_pipeline(m);
  add_compare(m);
  add_systolic(m);
  add_table(m);
  add_record(m);
  m.def("instruction_set", &parid::instruction_set);
  m.def("available_cores", &parid::available_cores);
}
