// What a Workspace holds. Kernels for torques are made with it; what answers other questions is made by
// prepare() or by the first call, because a mass matrix of a thousand joints is eight megabytes.

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
#include "parid/run/program_kernel.hpp"
#include "parid/run/surroundings.hpp"

namespace parid {

// The regressor's columns of all links, and the links whose parameters are the user's.
struct RegressorParts {
  explicit RegressorParts(const Robot&);
  Regressor<double> all;
  std::vector<int> links;
  std::vector<double> Y;  // (nv, all.columns())
};

struct Workspace::Parts {
  Parts(const Robot& r, int threads)
      : robot(r),
        canonical(&r.canonical()),
        choice(chain_choice(*canonical, threads)),
        in_double(single_kernel(*canonical, threads)),
        in_float(best_kernels().single_float(*canonical)),
        zero(static_cast<std::size_t>(r.nv())) {}

  Robot robot;
  const Canonical* canonical;  // the robot's
  ChainChoice choice;
  std::unique_ptr<Kernel<double>> in_double;
  std::unique_ptr<Kernel<float>> in_float;
  Surroundings surroundings;

  std::unique_ptr<ForwardKernel> forward;
  std::unique_ptr<ForwardGradient<double>> gradient;  // of inverse dynamics too
  std::unique_ptr<Coriolis<double>> coriolis;
  std::unique_ptr<Energy<double>> energy;
  std::unique_ptr<RegressorParts> regressor;
  std::vector<double> zero;  // nv

  std::unique_ptr<ProgramKernel<double>> own;    // inverse dynamics, where compiled
  ProgramKernel<double>::One own_one = nullptr;  // its function, while nothing acts from outside
  std::string note;                              // why not

  void surroundings_changed();
  void choose_own() { own_one = own && nothing_acts(surroundings) ? own->one_function() : nullptr; }
  // Of the questions over double.
  void surround(Motion<double>&, const Mechanism<double>&) const;
};

}  // namespace parid
