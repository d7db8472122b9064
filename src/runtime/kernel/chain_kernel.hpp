// One evaluation of one long chain, over SIMD lanes and threads: a p-fold scan, one stretch of the
// chain per lane.
//
// The chain is cut into p stretches of equal length. (1) Every lane computes the motion of its
// stretch as if the start were stationary, relative to that start. (2) A scan over the p stretches
// gives each its true start. (3) Every lane sweeps its stretch exactly, out and back, without a
// load at its end. (4) A scan over the forces of the stretches gives each its load. (5) The load is
// added to its torques. That is more than half as much work again as the serial sweeps, done p at a
// time. docs/long-chains.md has the figures.

#pragma once

#include "runtime/kernel/kernel.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

struct ChainKernelSet {
  const char* name;
  int lanes;
  // For robots that chain_kernel_covers. The kernel evaluates one row at a time on `threads`
  // threads.
  std::unique_ptr<Kernel<double>> (*make)(const CanonicalModel&, int threads);
};

// A link as plain numbers, because code compiled for one instruction set must not share templates
// with other sets. The default has no length and no mass and is used for padding.
struct ChainLink {
  double E[9] = {1, 0, 0, 0, 1,
                 0, 0, 0, 1};  // by rows: the rotation in its parent, before the joint's
  double arm[3] = {};          // its origin from the parent's, in the axes after E
  double body[10] = {};        // as Mechanism::body
  double offset = 0, rotor_inertia = 0;
  bool slides = false;
};
ChainLink chain_link(const CanonicalModel&, int i);

// Whether all joints are revolute, E is a rotation about x and the arm has no y: for such chains
// there is a faster kernel.
bool chain_in_twists(const CanonicalModel&);

// Chains and trees of revolute and prismatic joints without mimic joints.
bool chain_kernel_covers(const CanonicalModel&);

// How one sample of the robot is evaluated: in one lane, or by lanes on threads. Based on
// measurements (docs/long-chains.md).
struct ChainChoice {
  int lanes = 1, threads = 1;
  std::string text() const;  // "one link after another", "8 lanes", "8 lanes on 2 threads"
};
ChainChoice chain_choice(const CanonicalModel&, int threads);

// The fastest kernel for one sample, with up to `threads` threads.
std::unique_ptr<Kernel<double>> single_kernel(const CanonicalModel&, int threads = 1);

}  // namespace parid::runtime
