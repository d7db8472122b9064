// Inverse dynamics on Lathrop's arrays of vector processors: their size, their timing, drawings of
// any array and Verilog of its processor.
//
//   const SystolicDesign d = systolic_design(robot, SystolicKind::log);
//   d.interval, d.latency;                                       // clocks
//   for (const CodeFile& file : d.files) write(file.name, file.text);
//
// Interval and latency are those of Lathrop (1985): 1 clock for a sum, 3 for a matrix times a
// vector. The processor in the Verilog loads its operands first and takes 2 and 4.
//
// A public header: no template, no type of another library.

#pragma once

#include <string>
#include <vector>

#include "parid/codegen.hpp"
#include "parid/export.h"
#include "parid/robot.hpp"

namespace parid {

enum class SystolicKind {
  linear,  ///< a node per link, passed from the base to the tip and back
  log      ///< the links combined in pairs, pairs in fours, …
};

struct SystolicOptions {
  /// Onto one node of the linear array, or one tier of the other, its results fed back.
  bool folded = false;
  int word = 24;  ///< bits of a number in the Verilog, 6 to 100
};

/// The clock at which a variable, such as "ω2", is available at the earliest.
struct SystolicVariable {
  std::string name;
  int available = 0;
};

struct SystolicDesign {
  int backward_processors = 0;  ///< from the base to the tip
  int forward_processors = 0;   ///< from the tip to the base
  /// The same by Table 6 of Lathrop (1985), in which every node is a general one.
  int formula_backward = 0, formula_forward = 0;
  int nodes = 0, widest_tier = 0;
  int interval = 0, latency = 0;                    ///< clocks
  double utilisation = 0;                           ///< busy share of the processors, 0 to 1
  long internal_buffers = 0, external_buffers = 0;  ///< vectors that wait
  double max_error = 0;  ///< of a stream of states, relative to serial Newton-Euler
  std::vector<SystolicVariable> variables;
  /// Drawings: the graph of nodes (DOT and SVG) and of operations (DOT), the timing of variables
  /// and the occupation of processors (SVG); and the Verilog of a processor.
  std::vector<CodeFile> files;
};

/// Builds the array of a robot and sends random states through it. Takes up to seconds for robots
/// of many joints, and allocates. Throws Error unless the robot is one chain of revolute and
/// prismatic joints on a fixed base, and for a word out of range.
PARID_EXPORT SystolicDesign systolic_design(const Robot&, SystolicKind,
                                            const SystolicOptions& = {});

}  // namespace parid
