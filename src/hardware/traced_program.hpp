// The graph from which hardware is made: a robot's specialized program, or a formulation as its
// source states it.

#pragma once

#include <string>
#include <vector>

#include "codegen/trace/generate.hpp"
#include "hardware/layer.hpp"

namespace parid::hardware {

// "specialized", the program of generate(), and the ids of the exact formulations.
std::vector<std::string> program_methods();

struct ProgramOptions {
  std::string method = "specialized";
  // For a formulation: inertias regrouped into base parameters, as in the specialized program,
  // instead of those of the robot file.
  bool base_parameters = false;
  std::string link = {};  // for quantities of a link; empty: the tip
};

// Throws parid::Error for an unknown method, for a formulation that does not cover the robot or the
// quantity (inverse, bias and gravity only), and as generate() does.
Graph traced_program(const Robot&, Quantity, const ProgramOptions& = {});

}  // namespace parid::hardware
