// One evaluation of one long chain, over SIMD lanes and threads: a p-fold scan, one stretch of the
// chain per lane.
//
// The chain is cut into p stretches of equal length. (1) Every lane runs along its stretch as if
// its start stood still, which gives the stretch's motion as seen from its start. (2) A scan over
// the p stretches gives each its true start. (3) Every lane sweeps its stretch exactly, out and
// back, as if nothing hung on its end; (4) a scan of what the stretches exert gives each what does;
// (5) which is added to its torques. That is more than half as much work again as the serial
// sweeps, done p at a time. docs/long-chains.md has the figures.

#pragma once

#include "runtime/kernel/kernel.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

struct ChainKernelSet {
  const char* name;
  int lanes;
  // For robots that chain_kernel_covers. The kernel takes rows one at a time, and has `threads`
  // threads.
  std::unique_ptr<Kernel<double>> (*make)(const CanonicalModel&, int threads);
};

// A link as these kernels take it, in plain numbers, because what is compiled for one instruction
// set may not share templates with others. The default: one without length and mass, to pad with.
struct ChainLink {
  double E[9] = {1, 0, 0, 0, 1,
                 0, 0, 0, 1};  // by rows: the rotation in its parent, before the joint turns
  double arm[3] = {};          // its origin from the parent's, as seen after E
  double body[10] = {};        // as Mechanism::body
  double offset = 0, rotor_inertia = 0;
  bool slides = false;
};
ChainLink chain_link(const CanonicalModel&, int i);

// All joints turn, E is a turn about x and the arm has no y: for those there is a quicker kernel.
bool chain_in_twists(const CanonicalModel&);

// Chains and trees of revolute and prismatic joints, none of which follows another.
bool chain_kernel_covers(const CanonicalModel&);

// How to evaluate one sample of the robot: in one lane, or how many lanes on how many threads. By
// measurement (docs/long-chains.md).
struct ChainChoice {
  int lanes = 1, threads = 1;
  std::string text() const;  // "one link after another", "8 lanes", "8 lanes on 2 threads"
};
ChainChoice chain_choice(const CanonicalModel&, int threads);

// The quickest kernel for one sample, with up to so many threads.
std::unique_ptr<Kernel<double>> single_kernel(const CanonicalModel&, int threads = 1);

}  // namespace parid::runtime
