// A fixed-point graph on the smallest machine: one multiplier, one adder, one CORDIC rotation, used
// by one instruction after another, with all values in a memory.
//
// Words enter one after another through a stream port (valid, ready, data), and results leave in
// the same way. A word is in the memory at an address that its lifetime chooses; constants are
// initial contents. Every instruction reads two words, computes exactly, shifts, rounds and writes
// one word (a sine unit two). Multiplication is by two bits per clock (Booth), a sine takes one
// rotation per clock: no DSP block is needed, and the machine of a six-joint arm fits an iCE40
// HX8K.

#pragma once

#include <string>
#include <vector>

#include "hardware/layer.hpp"
#include "hardware/pipeline/formats.hpp"

namespace parid::hardware {

inline constexpr int longest_serial_word = 60;

struct SerialInstruction {
  enum class Kind : std::uint8_t { sum, product, sine, output };
  Kind kind = Kind::sum;
  int x = 0, y = 0, to = 0;  // addresses; of a sine, x is the angle and y that of the cosine
  int up = 0;                // of y, before a sum
  int down = 0;              // of the exact result, after SerialMachine::lift to the left
  bool minus_x = false, minus_y = false;
};

struct SerialMachine {
  FixedGraph fixed;
  std::vector<SerialInstruction> program = {};
  std::vector<Raw> memory = {};  // at the start: constants, else 0
  int inputs = 0, outputs = 0;
  int multiplications = 0, additions = 0, angles = 0;
  int lift = 0;  // bits appended to exact results, so that every shift is to the right
  int most_up = 0, most_down = 0;

  int booth_steps() const { return (fixed.word + 1) / 2; }
  int clocks(SerialInstruction::Kind) const;
  int load_clocks() const { return inputs; }
  int output_clocks() const;
  // From one sample to the next without waiting: a sample is finished before the next begins.
  int interval() const;
};

// Throws parid::Error for words longer than 60 bits.
SerialMachine serial_machine(FixedGraph);

// The machine's results: runs the instructions on the memory.
std::vector<Raw> run(const SerialMachine&, std::span<const Raw> inputs);

// Module `name`: clk, reset, enable, in_valid, in_ready, in_data, out_valid, out_ready, out_data.
std::string verilog_serial(const SerialMachine&, const std::string& name);
// A bench with pauses that compares every word, and the clocks of the first sample with interval().
// Reads NAME_in.hex and NAME_out.hex, a word per line.
std::string verilog_serial_bench(const SerialMachine&, const std::string& name, long samples);
// `name`_spi: the machine behind an SPI port (mode 0, most significant bit first), for a small
// board.
std::string verilog_spi(const SerialMachine&, const std::string& name);
// Pins of Lattice's iCE40-HX8K breakout board for `name`_spi, as nextpnr-ice40 reads them.
std::string hx8k_pins();

}  // namespace parid::hardware
