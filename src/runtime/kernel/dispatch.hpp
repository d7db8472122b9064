// Selects the instruction set whose kernels run on this CPU: one dispatcher for all families of
// kernels.
//
// A family is a struct of factory functions with a `name` (KernelSet, ForwardKernelSet, …). Its
// source in runtime/kernel/isa/ is compiled once per instruction set, with PARID_KERNEL_ISA defined
// as one of the types of scalar/isa.hpp, and specializes kernels_for() for that set.
// src/runtime/CMakeLists.txt has the list of sources and the list of sets.

#pragma once

#include <vector>

#include "runtime/kernel/chain_kernel.hpp"
#include "runtime/kernel/forward_kernel.hpp"
#include "runtime/kernel/ik_kernel.hpp"
#include "runtime/kernel/interpreted_kernel.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/quantity_kernel.hpp"
#include "runtime/layer.hpp"
#include "scalar/isa.hpp"

namespace parid::runtime {

template <class Family, class Isa>
Family kernels_for();

// The sets that run on this CPU, narrowest first: baseline, avx2, avx512.
template <class Family>
const std::vector<Family>& kernel_sets();

// The widest set, or the one named by the environment variable PARID_ISA.
template <class Family>
const Family& best_kernels();

}  // namespace parid::runtime
