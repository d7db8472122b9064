// Shared by the Verilog writers: headers, the sine unit, the interface of pipelines, numbers.

#pragma once

#include "codegen/emit/lines.hpp"
#include "hardware/layer.hpp"
#include "hardware/verilog/verilog.hpp"

namespace parid::hardware {

// The head of every file. It disables Verilator's warnings for sign extension, for truncation
// within known ranges, and for several modules in one file; -Wall reports nothing else.
inline constexpr const char* verilog_head =
    "/* verilator lint_off WIDTH */\n"
    "/* verilator lint_off UNUSED */\n"
    "/* verilator lint_off PINCONNECTEMPTY */\n"
    "/* verilator lint_off DECLFILENAME */\n";

// inputs clk, go, angle; outputs sine, cosine; accepts a new angle at every clock with go.
std::string verilog_sine_unit(const FixedSinCos&, const std::string& module);

// The modules of a pipeline's sine units, dividers and floating-point units, named after it. `word`
// and `most_up` are those of the dividers.
std::string verilog_unit_modules(const ArithmeticPipeline&, const std::string& name, int word,
                                 int most_up);

// The formats as a comment, then `module NAME (` … `);`.
void verilog_ports(Lines&, const ArithmeticPipeline&, const std::string& name);

// The value of output k, rounded to the format of its port.
std::string verilog_port_value(const FixedGraph&, std::size_t k, const std::string& value);

// On shared units.
std::string verilog_shared(const ArithmeticPipeline&, const std::string& name);

// A number of `bits` bits: 8'h2a, or signed 8'shd6.
inline std::string verilog_number(Raw value, int bits, const char* base = "h") {
  return fmt::format("{}'{}{:x}", bits, base,
                     static_cast<RawBits>(value) & (~RawBits{0} >> (128 - bits)));
}

// A stored CORDIC constant, rounded to BITS fractional bits.
inline std::string verilog_constant(const CordicConstant& c) {
  return fmt::format("128'h{:029x}", static_cast<RawBits>(c.q));
}
inline std::string verilog_rounded(const std::string& constant) {
  return fmt::format("({0} >> ({1} - BITS)) + (({0} >> ({2} - BITS)) & 128'd1)", constant,
                     constant_bits, constant_bits - 1);
}

}  // namespace parid::hardware
