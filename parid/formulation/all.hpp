// The one list of formulations. Tests, benchmarks, the command line and the docs walk it.

#pragma once

#include "parid/formulation/newton_euler_link.hpp"

namespace parid {

template <template <class> class... F>
struct FormulationList {
  template <class Visit>
  static void each(Visit&& visit) {
    (visit.template operator()<F>(), ...);
  }
};

template <class T>
using NewtonEulerLinkDense = NewtonEulerLink<T, Mat3>;

using Formulations = FormulationList<NewtonEulerLinkDense>;

}  // namespace parid
