// The shortest possible control period: the recursion of a policy, traced link by link and sweep by
// sweep, and assigned to processors.
//
// A link's forward equations are one block, its backward equations another. A block waits for
// values of this period, not for values of earlier ones. A policy's "time steps" are the longest
// chain of blocks, and its rate follows from operations, processors and exchanges. Rotation
// matrices, positions of joints and directions of gravity are given, as in the papers.
//
// A public header: no template, no type of another library.

#pragma once

#include <vector>

#include "control/layer.hpp"
#include "control/policy.hpp"
#include "graph/depth.hpp"
#include "parid/robot.hpp"

namespace parid::control {

enum class Equations : std::uint8_t {
  general,     // for any robot: full rotation matrices and vectors
  customised,  // for this robot: without zeros and ones of its geometry, sines and cosines given
};

struct StepBlock {
  int link = 0;  // 1..n, numbered as in the mechanism
  bool backward = false;
  long operations = 0;  // multiplications, additions and others
  struct Need {
    int block;
    long numbers;
  };
  std::vector<Need> needs = {};  // of this period
  std::vector<Need> old = {};    // values of earlier periods, from other blocks
};

struct StepCost {
  std::vector<StepBlock> blocks;  // F_1 … F_n, B_n … B_1: a valid order of execution
  int steps = 0;                  // blocks in the longest chain: the papers' time steps
  Depth depth;                    // operations in the longest chain with unlimited processors
  long operations = 0;
  long exchanged = 0;  // numbers of any age that links read from one another
};
StepCost step_cost(const Robot&, const Policy&, Equations = Equations::general);

struct Processors {
  int count = 1;
  double operation = 1;  // s
  double exchange = 0;   // s, to transfer a number between two processors
  bool bus = false;      // transfers share one bus and are serialised
};
// Neighbouring links are grouped on processors as evenly as possible, either with both blocks of a
// link together or with forward and backward blocks apart. A processor runs its blocks in order and
// waits for the inputs of each. Returns the fastest of these assignments. At most two processors
// per link are used.
double step_time(const StepCost&, const Processors&);

}  // namespace parid::control
