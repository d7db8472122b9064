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

// Compiled code is faster than machine code for programs with at most so many operations, because
// it transposes rows without writing them to memory first; and for at least so many rows. Rows of
// fewer than four numbers take it a copy at the end of a batch.
inline constexpr std::size_t compiled_faster_up_to = 1000;
inline std::size_t compiled_faster_from(std::size_t numbers_per_row) {
  return numbers_per_row < 4 ? 128 : 3;
}

// Whether a kernel of this kind, in place of a compiled one, is faster than the generic kernel. It
// traces the program.
bool worth_specializing(SpecializedSource&, Quantity, KernelKind);

}  // namespace parid::runtime
