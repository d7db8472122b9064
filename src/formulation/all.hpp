// The list of formulations. Tests, benchmarks, the command line and the documentation read it.
// Two more need additional data, a table and a selection of terms; src/lookup/ has them by
// name.

#pragma once

#include "formulation/hollerbach3.hpp"
#include "formulation/hollerbach4.hpp"
#include "formulation/lathrop_lagrangian.hpp"
#include "formulation/lathrop_linear.hpp"
#include "formulation/lathrop_unified.hpp"
#include "formulation/layer.hpp"
#include "formulation/lee_chang_pfold.hpp"
#include "formulation/newton_euler_base.hpp"
#include "formulation/newton_euler_conventional.hpp"
#include "formulation/newton_euler_lambda.hpp"
#include "formulation/newton_euler_link.hpp"
#include "formulation/newton_euler_screw.hpp"
#include "formulation/uicker_kahn.hpp"
#include "formulation/waters.hpp"
#include "formulation/without_velocity_terms.hpp"

namespace parid::formulation {

template <template <class> class... F>
struct FormulationList {
  template <class Visit>
  static void each(Visit&& visit) {
    (visit.template operator()<F>(), ...);
  }
};

template <class T>
using NewtonEulerLinkDense = NewtonEulerLink<T, Mat3>;

template <class T>
using LathropLogarithmic = Lathrop<T, divided_scan>;
template <class T>
using LathropLogLagrangian = LathropLagrangian<T, divided_scan>;
template <class T>
using LeeChangDoubling = LeeChang<T, recursive_doubling>;

using Formulations =
    FormulationList<UickerKahn, Waters, Hollerbach4, Hollerbach3, NewtonEulerBase,
                    NewtonEulerConventional, NewtonEulerLambda, NewtonEulerLinkDense,
                    NewtonEulerScrew, LathropLinear, LathropLogarithmic, LathropUnified,
                    LathropLogLagrangian, LeeChangDoubling, LeeChangPFold, WithoutVelocityTerms>;

}  // namespace parid::formulation
