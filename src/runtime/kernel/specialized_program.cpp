#include "runtime/kernel/specialized_program.hpp"

#include <fmt/format.h>

#include "codegen/trace/generate.hpp"
#include "model/canonical_model.hpp"

namespace parid::runtime {

std::optional<Program> specialized_program(const Robot& robot, Quantity which,
                                           const std::string& link, std::string& note,
                                           const RowArguments& per_row) {
  const int links = robot.canonical().topology.n;
  if (links > most_links_traced) {
    note = fmt::format("'{}' has {} moving links, too many for a specialized program (limit {})",
                       robot.name(), links, most_links_traced);
    return std::nullopt;
  }
  Program program = generate(robot, which, {.link = link, .per_row = per_row}).program;
  // The cache is keyed by content: two robots with the same program share one compilation.
  program.name = "specialized";
  program.about.clear();
  return program;
}

}  // namespace parid::runtime
