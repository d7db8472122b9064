// The contents of a Workspace. Kernels for torques are created with it; memory for other quantities
// by prepare() or by the first call, because a mass matrix of a thousand joints is eight megabytes.

#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <vector>

#include "dynamics/coriolis.hpp"
#include "dynamics/energy.hpp"
#include "dynamics/evaluator/evaluator.hpp"
#include "dynamics/regressor.hpp"
#include "parid/inverse_dynamics.hpp"
#include "runtime/external_loads.hpp"
#include "runtime/kernel/chain_kernel.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/forward_kernel.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/program_kernel.hpp"
#include "runtime/kernel/quantity_kernel.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// The regressor's columns of all links, and the links whose parameters the user sees.
struct RegressorParts {
  explicit RegressorParts(const Robot&);
  Regressor<double> all;
  std::vector<int> links;
  std::vector<double> Y;  // (nv, all.columns())
};

struct WorkspaceParts {
  WorkspaceParts(const Robot& r, int threads)
      : robot(r),
        canonical(&r.canonical()),
        choice(chain_choice(*canonical, threads)),
        in_double(single_kernel(*canonical, threads)),
        in_float(best_kernels<KernelSet>().single_float(*canonical)),
        zero(static_cast<std::size_t>(r.nv())),
        one(quantities().size()) {}

  Robot robot;
  const CanonicalModel* canonical;  // the robot's
  ChainChoice choice;
  std::unique_ptr<Kernel<double>> in_double;
  std::unique_ptr<Kernel<float>> in_float;
  ExternalLoads external_loads;

  std::unique_ptr<ForwardKernel> forward;
  std::map<Quantity, std::unique_ptr<QuantityKernel>> gradients;  // and their products
  std::unique_ptr<Coriolis<double>> coriolis;
  std::unique_ptr<Energy<double>> energy;
  std::unique_ptr<RegressorParts> regressor;
  std::vector<double> zero;  // nv
  // Of the quantities that have no part above.
  std::map<Quantity, std::unique_ptr<Evaluator<double>>> evaluators;
  template <class Loaded>  // an evaluator or a kernel
  void load(Loaded& e) const {
    e.set_base_motion(external_loads.base);
    e.set_external(external_loads.external);
  }

  // Quantities whose functions are specialized, and those functions while there are no external
  // loads.
  struct Specialized {
    std::unique_ptr<ProgramKernel<double>> kernel;
    KernelKind kind = KernelKind::compiled;
    int link = -1;
  };
  // Without a kernel, and the reason in `note`, if there is none of this kind.
  Specialized kernel_for_one(Quantity, KernelKind, const std::string& link);
  std::map<Quantity, Specialized> specialized;
  std::vector<ProgramKernel<double>::One> one;  // by quantity; null: not compiled
  double mass = 0;                              // the robot's, if the energy is compiled
  std::string note;                             // why not

  void external_loads_changed();
  void choose_specialized() {
    const bool free = nothing_acts(external_loads);
    for (const auto& [which, s] : specialized)
      one[static_cast<std::size_t>(which)] = free ? s.kernel->one_function() : nullptr;
  }
  ProgramKernel<double>::One one_of(Quantity which) const {
    return one[static_cast<std::size_t>(which)];
  }
  // Whether the compiled function of a quantity has computed this sample: there is one, and no
  // angle is too large for it. One pointer per array, of the right sizes.
  bool computed(Quantity which, std::initializer_list<const double*> in,
                std::initializer_list<double*> out) const {
    const ProgramKernel<double>::One f = one_of(which);
    return f && f(in.begin(), out.begin()) == 0;
  }
  // For quantities in double precision.
  void surround(State<double>&, const Mechanism<double>&) const;
};

inline void WorkspaceParts::external_loads_changed() {
  in_double->set_base_motion(external_loads.base);
  in_float->set_base_motion(external_loads.base);
  in_double->set_external(external_loads.external);
  in_float->set_external(external_loads.external);
  choose_specialized();
  for (auto& e : evaluators) load(*e.second);
  for (auto& g : gradients) load(*g.second);
  if (forward) {
    forward->set_base_motion(external_loads.base);
    forward->set_external(external_loads.external);
  }
}

inline void WorkspaceParts::surround(State<double>& motion,
                                     const Mechanism<double>& mechanism) const {
  motion.set_base(mechanism, external_loads.base);
  motion.external = external_loads.external.empty() ? nullptr : external_loads.external.data();
}

}  // namespace parid::runtime

struct parid::Workspace::Parts : runtime::WorkspaceParts {
  using WorkspaceParts::WorkspaceParts;
};
