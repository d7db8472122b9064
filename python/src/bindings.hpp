// Shared by the files of the module: arrays, and the parts that module.cpp combines.

#pragma once

#include "text.hpp"  // before any cast of text

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <vector>

#include "array/entry_points.hpp"
#include "layer.hpp"
#include "parid/error.hpp"
#include "unlocked.hpp"

namespace parid::python {

namespace py = pybind11;

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

inline py::array_t<double> array(const std::vector<double>& x) {
  return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
}
// (rows, columns)
inline py::array_t<double> array(const std::vector<double>& x, std::size_t columns) {
  const std::size_t rows = columns == 0 ? 0 : x.size() / columns;
  return py::array_t<double>({rows, columns}, x.data());
}

// The numbers of an array of any shape.
inline std::vector<double> vector(const Numbers& x) { return {x.data(), x.data() + x.size()}; }

// Exactly `size` numbers, or a ValueError that names the argument.
std::vector<double> vector(const char* name, const Numbers& x, std::size_t size);

// One each, in the file of the same name.
void add_robot(py::module_&);
void add_kinematics(py::module_&);
void add_derivatives(py::module_&);
void add_motion(py::module_&);
void add_limits(py::module_&);
void add_simulate(py::module_&);
void add_control(py::module_&);
void add_design(py::module_&);
void add_generate(py::module_&);
void add_schedule(py::module_&);
void add_identify(py::module_&);
void add_hardware(py::module_&);
void add_compare(py::module_&);
void add_device(py::module_&);
void add_table(py::module_&);
void add_papers(py::module_&);

}  // namespace parid::python
