// The methods over arrays of a Python robot: those of the quantities of parid/quantity.hpp, and a
// few others. Each adds to the table the function for one sample and a docstring. entry_points.cpp
// creates a method for each.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "layer.hpp"
#include "parid/quantity.hpp"
#include "parid/row_arguments.hpp"
#include "robot_context.hpp"

namespace parid::python {

template <class Real>
using One = void (*)(Rooms&, int link, const Real* const* in, Real* const* out);

struct ArrayMethod {
  const char* method;
  std::optional<Quantity> quantity = {};  // none: not of the table
  // Filled from the table for a quantity. Outputs may have other names in Python: those of the
  // named tuple.
  std::vector<ArrayInfo> in = {}, out = {};
  One<double> one;
  const char* doc;                 // begins with the signature, as Python's docstrings do
  const char* result = nullptr;    // the named tuple of several outputs, in parid/_results.py
  One<float> one_float = nullptr;  // null: by the engine, as a batch of one
  bool in_double = false;          // is not computed in float
  // Dense rows, for methods that are not Engine::evaluate's. Null without `batched`: rows one by
  // one.
  void (*rows)(Engine&, std::size_t rows, const double* const* in, double* const* out) = nullptr;

  bool batched = false;  // from the table: Engine::evaluate computes it
  bool link = false;     // from the table: takes a link
};
const std::vector<ArrayMethod>& array_methods();

constexpr int most_in = 7, most_out = 6;

// Numbers in one row, and their shape: (n,), (n, m) or ().
std::size_t numbers(ArrayShape, RobotContext&);
std::vector<std::size_t> shape(ArrayShape, RobotContext&);

}  // namespace parid::python
