#include "parid/run/own_program.hpp"

#include <fmt/format.h>

#include "parid/generate/generate.hpp"
#include "parid/model/canonical.hpp"

namespace parid {

std::optional<Program> own_program(const Robot& robot, const std::string& what,
                                   const std::string& link, std::string& note) {
  const int links = robot.canonical().topology.n;
  if (links > most_links_traced) {
    note = fmt::format("'{}' has {} moving links; its own program would be too long (limit {})",
                       robot.name(), links, most_links_traced);
    return std::nullopt;
  }
  Program program = generate(robot, what, {.link = link}).program;
  program.name = "own";   // the cache knows it by its content,
  program.about.clear();  // to which what a file says of its source adds nothing
  return program;
}

}  // namespace parid
