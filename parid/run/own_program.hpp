// The program of a robot's that a kernel of its own is made of.

#pragma once

#include <optional>
#include <string>

#include "parid/emit/program.hpp"
#include "parid/model/robot.hpp"

namespace parid {

// Tracing a longer mechanism takes longer than it can bring.
inline constexpr int most_links_traced = 200;

// Nothing where it would be too long: `note` says so. `link` is for questions that speak of one.
std::optional<Program> own_program(const Robot&, const std::string& what, const std::string& link,
                                   std::string& note);

}  // namespace parid
