// Results that more than one file of the module gives.

#pragma once

#include "bindings.hpp"
#include "layer.hpp"
#include "parid/simulation.hpp"

namespace parid::python {

py::dict dict_of(const Robot&, const SimulationResult&);

}  // namespace parid::python
