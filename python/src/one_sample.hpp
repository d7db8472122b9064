// One sample of plain arrays, the call that control loops make: nothing is looked at twice.

#pragma once

#include "call.hpp"

namespace parid::python {

// The answer; null without an exception where the arrays are not exactly as the kernels take them.
template <class Real>
PyObject* plainly(const Ready&, Door&, const Asked&);

// From dense numbers to dense numbers.
template <class Real>
void answer_one(const Question&, Door&, int link, const Real* const* in, Real* const* out);

}  // namespace parid::python
