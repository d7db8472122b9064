// Checks of quantities that follow from torques, momenta and Jacobians by derivatives and products:
// ReferenceDynamics on numbers with a derivative, in long double.

#pragma once

#include "parid/quantity.hpp"
#include "runtime/layer.hpp"
#include "runtime/verify/reference_numbers.hpp"

namespace parid::runtime {

// Compares one row of a quantity with the reference. False if it does not cover the quantity.
bool derived_check(reference::Worst&, const Robot&, Quantity, int link, const ExternalLoads&,
                   const double* const* in, const double* const* out);

}  // namespace parid::runtime
