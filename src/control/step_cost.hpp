// How long a control period must last: the recursion of a policy, traced link by link and sweep by
// sweep, and put on processors.
//
// A link's forward equations are a block, its backward equations another. What a block reads of
// this period it must wait for; what it reads of earlier ones it does not. So a policy's "time
// steps" are the longest chain of blocks, and its rate follows from operations, processors and
// exchanges, not from hope. Rotation matrices, positions of joints and gravity's directions are
// given, as the papers have it.
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
  general,     // any robot's: full rotation matrices and vectors
  customised,  // this robot's: zeros and ones of its geometry left out, sines and cosines given
};

struct StepBlock {
  int link = 0;  // 1..n, as the mechanism counts them
  bool backward = false;
  long operations = 0;  // multiplications, additions and what else there is
  struct Need {
    int block;
    long numbers;
  };
  std::vector<Need> needs = {};  // of this period
  std::vector<Need> old = {};    // of earlier periods, by other blocks
};

struct StepCost {
  std::vector<StepBlock> blocks;  // F_1 … F_n, B_n … B_1: an order to run them in
  int steps = 0;                  // blocks in the longest chain: the papers' time steps
  Depth depth;                    // operations in the longest chain, with processors without end
  long operations = 0;
  long exchanged = 0;  // numbers that links read of one another, of any age
};
StepCost step_cost(const Robot&, const Policy&, Equations = Equations::general);

struct Processors {
  int count = 1;
  double operation = 1;  // s
  double exchange = 0;   // s, of a number between two processors
  bool bus = false;      // exchanges share one bus: they wait for one another
};
// Links are given to processors in groups, neighbours together, as even as can be, with both their
// blocks or with forward and backward ones apart; a processor runs its blocks in order and waits
// for what each needs. Of those ways, the quickest. More than two processors a link are not used.
double step_time(const StepCost&, const Processors&);

}  // namespace parid::control
