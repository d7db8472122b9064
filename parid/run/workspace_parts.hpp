// What a Workspace holds. Kernels for torques are made with it; what answers other questions is made when
// the question is first asked, because a mass matrix of a thousand joints is eight megabytes.

#pragma once

#include <optional>

#include "parid/dynamics/coriolis.hpp"
#include "parid/dynamics/energy.hpp"
#include "parid/dynamics/forward_gradient.hpp"
#include "parid/dynamics/regressor.hpp"
#include "parid/run/chain_kernel.hpp"
#include "parid/run/dynamics.hpp"
#include "parid/run/forward_kernel.hpp"
#include "parid/run/kernel.hpp"
#include "parid/run/surroundings.hpp"

namespace parid {

struct Workspace::Parts {
  Robot robot;
  ChainChoice choice;
  std::unique_ptr<Kernel<double>> in_double;
  std::unique_ptr<Kernel<float>> in_float;
  Surroundings surroundings;

  std::unique_ptr<ForwardKernel> forward;
  std::unique_ptr<ForwardGradient<double>> gradient;  // of inverse dynamics too
  std::unique_ptr<Coriolis<double>> coriolis;
  std::unique_ptr<Energy<double>> energy;
  std::unique_ptr<Regressor<double>> regressor;
  std::vector<double> zero;  // nv

  void surroundings_changed();
  // Of the questions over double.
  void surround(Motion<double>&, const Mechanism<double>&) const;
};

}  // namespace parid
