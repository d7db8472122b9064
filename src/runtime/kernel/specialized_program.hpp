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

// By default batches of at least so many rows use the specialized kernel that is ready soonest, and
// much longer ones are worth a second of the compiler.
inline constexpr std::size_t specialize_from_rows = 200'000;
inline constexpr std::size_t compile_from_rows = 20'000'000;
inline KernelKind default_kernel(std::size_t rows) {
  return rows >= compile_from_rows      ? KernelKind::compiled
         : rows >= specialize_from_rows ? KernelKind::automatic
                                        : KernelKind::generic;
}

// The specialized program of one quantity: traced when it is first needed, because a kernel that
// was compiled before is found by its identity alone.
class SpecializedSource {
 public:
  // The cache is keyed by content: two robots with the same program share one compilation, so that
  // all programs have the same name.
  static constexpr const char* name = "specialized";

  // `link` is for quantities that need one; `per_row` adds inputs.
  SpecializedSource(const Robot&, Quantity, std::string link, RowArguments per_row = {});

  // Null if the robot has too many links: `note` gives the reason.
  const Program* program(std::string& note);
  // A text on which the program depends, and nothing else for a given build of the library; empty
  // if there is none.
  const std::string& identity() const { return identity_; }
  std::string about() const;  // "puma560, inverse"

 private:
  Robot robot_;
  Quantity which_;
  std::string link_, identity_;
  RowArguments per_row_;
  std::optional<Program> program_;
};

}  // namespace parid::runtime
