// The program of a controller core: operations on fixed-point words, in an order in which they can
// be evaluated, and what they read: streams, registers and earlier samples.
//
// One sample is a set point and a measurement. The set point enters first; the operation `measure`
// reads the measured positions at the clock at which the schedule needs them. Histories hold
// values of earlier samples. Everything else is a function of the sample and of the registers.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/op.hpp"
#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"
#include "hardware/pipeline/binding.hpp"
#include "hardware/pipeline/network.hpp"
#include "scalar/cordic.hpp"
#include "scalar/fixed_sin_cos.hpp"

namespace parid::hardware {

enum class CoreUnit : std::uint8_t {
  multiplier,
  adder,
  sine,
  circ1,  // the CORDIC modules, in the order of Box
  circ2,
  lin1,
  lin2,
  hype1,
  hype2,
  limiter,  // a ± b, rounded to another format and limited
  turner,   // an angle within half a turn of the middle of its limits
  history,  // the value of a sample some samples earlier; the first sample fills it
  measure   // the measured positions
};
inline constexpr int core_units = 13;
constexpr CoreUnit unit_of(Box box) {
  return static_cast<CoreUnit>(static_cast<int>(CoreUnit::circ1) + static_cast<int>(box));
}
constexpr bool is_box(CoreUnit u) { return u >= CoreUnit::circ1 && u <= CoreUnit::hype2; }
constexpr Box box_of(CoreUnit u) {
  return static_cast<Box>(static_cast<int>(u) - static_cast<int>(CoreUnit::circ1));
}
const char* name_of(CoreUnit);

// Bits of the status word.
enum class CoreFlag : std::uint8_t { saturated, unreachable, late, limited, none };
inline constexpr int core_flags = 4;

struct CoreOperand {
  enum class From : std::uint8_t { signal, constant, bank };
  From from = From::constant;
  int index = -1;  // of the signal, or of the register in the bank
  Raw constant = 0;
  bool negated = false;  // −(least word) is the largest word
  unsigned signs = 0;    // bits of the branch register that change the sign
  FixedFormat format = {};

  static CoreOperand of_signal(int s, FixedFormat f) { return {From::signal, s, 0, false, 0, f}; }
  static CoreOperand of_constant(Raw c, FixedFormat f) {
    return {From::constant, -1, c, false, 0, f};
  }
  static CoreOperand of_register(int r, FixedFormat f) { return {From::bank, r, 0, false, 0, f}; }
};

struct CoreOperation {
  CoreUnit unit = CoreUnit::adder;
  Op op = Op::add;  // add, sub, mul; sub also of a limiter
  std::vector<CoreOperand> in;
  FixedFormat out = {};
  Raw low = 0, high = 0;           // of a limiter
  int limit = -1;                  // of a limiter: the register whose ± value limits
  CoreFlag flag = CoreFlag::none;  // raised where a limiter limits
  // Of a turner: x + offset, brought within ± half by whole turns, + middle.
  Raw offset = 0, middle = 0, turn = 0, half = 0;
  int samples = 0;                // of a history
  std::vector<int> results = {};  // signals; −1 for a port that nothing reads
  std::string name = {};
};

struct CoreSignal {
  int operation = -1;  // source; −1: a word of the set point stream
  int port = 0;        // index of the result, or of the word in the stream
  FixedFormat format = {};
  std::string name = {};
};

// A register that a host writes: a gain or a torque limit.
struct CoreRegister {
  std::string name, meaning;
  unsigned address = 0;
  FixedFormat format = {};
  Raw initial = 0, largest = 0;  // writes beyond are refused
};

struct CoreProgram {
  int word = 32;
  std::vector<CoreSignal> signals;
  std::vector<CoreOperation> operations;
  std::vector<int> setpoint;  // signals
  std::vector<FixedFormat> measured;
  std::vector<CoreOperand> reference;  // the joint set points, limited
  std::vector<CoreOperand> torque;
  std::vector<CoreRegister> bank;
  std::optional<Cordic<CordicFixed>> cordic;
  FixedSinCos sin_cos = {};
  unsigned branch = 0;  // reset value of the branch register; a bit is 1 for the sign −1

  // Appends and returns the operand that reads its only or first result.
  CoreOperand append(CoreOperation);
  int result(int operation, int port, FixedFormat, const std::string& name = {});
  int count(CoreUnit) const;
};

struct CoreSchedule {
  int interval = 1;
  Network network;
  Staging staging;
  std::vector<int> kind;  // of each operation, for `binding`
  Binding binding;
  std::vector<int> built;  // units of each kind
  int measured_at = 0;     // clocks after the set point at which the measurement is read

  int latency() const { return staging.latency; }
  int feedback_latency() const { return staging.latency - measured_at; }
};

int latency_of(const CoreProgram&, CoreUnit);
// One sample every `interval` clocks at most. Throws std::logic_error if the result is not a valid
// schedule.
CoreSchedule schedule(const CoreProgram&, int interval);

}  // namespace parid::hardware
