// Which kernel suits a program: by its length, the quantity and the number of rows.
//
// A specialized program of n operations takes a time in proportion to n, and more of it where its
// code does not fit into the caches of instructions. The generic kernels of torques are loops with
// links in lanes, whose code is always in the cache. The limits here are where the two met in
// `parid bench --kernels` on CPUs with AVX-512.

#pragma once

#include <cstddef>

#include "parid/inverse_dynamics.hpp"
#include "parid/quantity.hpp"
#include "runtime/kernel/specialized_program.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Programs with more operations are not worth a specialized kernel, for one sample and for rows.
std::size_t most_operations_of_one(Quantity);
std::size_t most_operations_of_rows(Quantity);

// Compiled code is faster than machine code for at least so many rows of programs with at most so
// many operations: it transposes rows without writing them to memory first.
inline constexpr std::size_t compiled_faster_from = 64, compiled_faster_up_to = 1000;

// Whether a kernel of this kind, in place of a compiled one, is faster than the generic kernel. It
// traces the program.
bool worth_specializing(SpecializedSource&, Quantity, KernelKind);

}  // namespace parid::runtime
