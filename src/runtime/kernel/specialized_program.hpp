// The robot-specific program from which a specialized kernel is built.

#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codegen/emit/program.hpp"
#include "parid/engine.hpp"
#include "parid/quantity.hpp"
#include "parid/robot.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

// Tracing a longer mechanism takes longer than the kernel saves.
inline constexpr int most_links_traced = 200;

// Compiling a kernel takes about a second, once. By default batches of at least this many rows are
// compiled.
inline constexpr std::size_t compile_from_rows = 200'000;
inline KernelKind default_kernel(std::size_t rows) {
  return rows >= compile_from_rows ? KernelKind::compiled : KernelKind::generic;
}

// Nothing if the program would be too long: `note` gives the reason. `link` is for quantities that
// need one; `per_row` adds inputs.
std::optional<Program> specialized_program(const Robot&, Quantity, const std::string& link,
                                           std::string& note, const RowArguments& per_row = {});

}  // namespace parid::runtime
