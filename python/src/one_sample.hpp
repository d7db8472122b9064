// One sample of plain arrays, the call that control loops make: nothing is looked at twice.

#pragma once

#include "call.hpp"
#include "layer.hpp"

namespace parid::python {

// The result; null without an exception if the arrays are not exactly as the kernels take them.
template <class Real>
PyObject* plainly(const Ready&, RobotContext&, const Asked&);

// From dense numbers to dense numbers.
template <class Real>
void answer_one(const ArrayMethod&, RobotContext&, int link, const Real* const* in,
                Real* const* out);

}  // namespace parid::python
