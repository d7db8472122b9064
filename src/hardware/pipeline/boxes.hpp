// A computation as CORDIC boxes, with the operands of each box.
//
// Signs are free: an operand may be negated, or have its sign changed by inputs that are ±1, on its
// way into a box. So are constants. Everything else is a signal: an input, or x, y or z of a box.
// Constants that are added to an input or to an output cost an adder outside the boxes, and no
// stage.

#pragma once

#include <string>
#include <vector>

#include "hardware/layer.hpp"
#include "hardware/pipeline/network.hpp"
#include "scalar/cordic.hpp"
#include "scalar/quad.hpp"

namespace parid::hardware {

struct BoxOperand {
  int signal = -1;    // none: the constant
  Quad constant = 0;  // rounded to words of any length
  bool negated = false;
  std::vector<int> signs = {};  // inputs of ±1, ascending, each once

  bool is_constant() const { return signal < 0; }
  BoxOperand operator-() const {
    BoxOperand o = *this;
    if (is_constant() && signs.empty())
      o.constant = -constant;
    else
      o.negated = !negated;
    return o;
  }
  bool operator==(const BoxOperand&) const = default;
};

struct BoxUse {
  Box box;
  BoxOperand x, y, z;
};

struct BoxDesign {
  struct Signal {
    int box = -1;  // source box; -1: an input
    char port = 'x';
    bool sign = false;  // an input of ±1
    std::string name = {};
    Quad offset = 0;  // of an input: the signal is the port's word plus this
  };
  struct Output {
    std::string name;
    BoxOperand value;
    // The word at the port is value + offset. If it is an angle that must lie within half a turn of
    // `middle`, whole turns are added: at most two, so |value| must stay below 5π − |offset −
    // middle|.
    Quad offset = 0, middle = 0;
    bool wraps = false;
  };
  std::vector<Signal> signals;
  std::vector<BoxUse> boxes;  // each after those it reads
  std::vector<Output> outputs;

  std::vector<int> inputs() const;  // signals, in order
  std::vector<std::string> input_names() const;
  // One stage per box. Signs cost no buffers: they are one bit wide and counted separately.
  Network network() const;
  int count(Box) const;
};

// Constants that a wrapping output adds and compares with; the model and the Verilog code round
// them to the same words.
struct OutputTurns {
  Quad turn, half, offset;  // 2π, π, and offset − middle within ±π
  explicit OutputTurns(const BoxDesign::Output&);
};

// "T4 circ1 x=px y=py z=T3.z": one line per box.
std::string text(const BoxDesign&);

}  // namespace parid::hardware
