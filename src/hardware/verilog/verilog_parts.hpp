// Shared by the Verilog writers: headers, the sine unit, the interface of pipelines, numbers.

#pragma once

#include "codegen/emit/lines.hpp"
#include "hardware/layer.hpp"
#include "hardware/verilog/verilog.hpp"

namespace parid::hardware {

// The head of every file. Words are extended by their sign and cut where their ranges allow, and
// modules of a kind stand in one file: Verilator's -Wall need not say so, and says nothing else.
inline constexpr const char* verilog_head =
    "/* verilator lint_off WIDTH */\n"
    "/* verilator lint_off UNUSED */\n"
    "/* verilator lint_off PINCONNECTEMPTY */\n"
    "/* verilator lint_off DECLFILENAME */\n";

// inputs clk, go, angle; outputs sine, cosine; a new angle with every clock that goes.
std::string verilog_sine_unit(const FixedSinCos&, const std::string& module);

// The formats as a comment, then `module NAME (` … `);`.
void verilog_ports(Lines&, const ArithmeticPipeline&, const std::string& name);

// On units that take turns.
std::string verilog_shared(const ArithmeticPipeline&, const std::string& name);

// A number of so many bits: 8'h2a, or signed 8'shd6.
inline std::string verilog_number(Raw value, int bits, const char* base = "h") {
  return fmt::format("{}'{}{:x}", bits, base,
                     static_cast<RawBits>(value) & (~RawBits{0} >> (128 - bits)));
}

// CORDIC constants as they are kept, and rounded to BITS behind the point.
inline std::string verilog_constant(const CordicConstant& c) {
  return fmt::format("128'h{:029x}", static_cast<RawBits>(c.q));
}
inline std::string verilog_rounded(const std::string& constant) {
  return fmt::format("({0} >> ({1} - BITS)) + (({0} >> ({2} - BITS)) & 128'd1)", constant,
                     constant_bits, constant_bits - 1);
}

}  // namespace parid::hardware
