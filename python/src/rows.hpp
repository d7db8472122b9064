// Arrays of any layout, type and number of rows: converted where they must be, used where they lie
// where not.

#pragma once

#include "call.hpp"
#include "layer.hpp"

namespace parid::python {

template <class Real>
PyObject* generally(const Ready&, RobotContext&, const Asked&);

}  // namespace parid::python
