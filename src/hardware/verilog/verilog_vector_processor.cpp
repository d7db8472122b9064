// Lathrop's matrix-vector processor: its microcode as Verilog.

#include <fmt/format.h>

#include "codegen/emit/lines.hpp"
#include "hardware/array/vector_processor.hpp"
#include "hardware/verilog/verilog.hpp"

namespace parid::hardware {
namespace {

constexpr VectorOp operations[] = {VectorOp::matrix_vector, VectorOp::cross, VectorOp::add,
                                   VectorOp::scale, VectorOp::dot};

// A register of module K, as its words are concatenated: resolves own, next and after.
std::string chosen(char operand, VectorStep::Register r) {
  switch (r) {
    case VectorStep::own: return fmt::format("{}[K*WORD +: WORD]", operand);
    case VectorStep::next: return fmt::format("{}[((K+1)%3)*WORD +: WORD]", operand);
    case VectorStep::after: return fmt::format("{}[((K+2)%3)*WORD +: WORD]", operand);
    default: return fmt::format("{}[{}*WORD +: WORD]", operand, static_cast<int>(r));
  }
}

const char* adder(Adder a) {
  switch (a) {
    case Adder::idle: break;
    case Adder::products: return "total = product1 + product2;";
    case Adder::difference: return "total = product1 - product2;";
    case Adder::onward: return "total = sum + product1;";
    case Adder::operands: return "total = own_a + own_b;";
  }
  return nullptr;
}

void datapath(Lines& out) {
  out.line("// One coordinate: registers for both operands, two multipliers, an adder.");
  out.open("module parid_vector_module #(parameter WORD = 24, FRACTION = 20, K = 0) (");
  out.line("input clk, input go, input load, input [2:0] op, input [1:0] step,");
  out.line("input [3*WORD-1:0] a_in, b_in, output signed [WORD-1:0] result");
  out.close(");");
  out.open("");
  out.line("reg [3*WORD-1:0] a, b;  // the first word lowest");
  out.line("reg signed [WORD-1:0] product1, product2, sum, m1a, m1b, m2a, m2b;");
  out.line("reg signed [WORD:0] total;");
  out.line("reg use1, use2, add;");
  out.line("wire signed [WORD-1:0] own_a = a[K*WORD +: WORD], own_b = b[K*WORD +: WORD];");
  out.line("localparam signed [2*WORD:0] MOST = (1 <<< (WORD - 1)) - 1;");
  out.open("function signed [WORD-1:0] held(input signed [2*WORD:0] v);");
  out.line("held = v > MOST ? MOST[WORD-1:0] : v < -MOST - 1 ? ~MOST[WORD-1:0] : v[WORD-1:0];");
  out.close("endfunction");
  out.open(
      "function signed [WORD-1:0] times(input signed [WORD-1:0] x, input signed [WORD-1:0] y);");
  out.line("reg signed [2*WORD:0] p;");
  out.open("begin");
  out.line("p = x * y;");
  out.line("times = held((p >>> FRACTION) + ((p >>> (FRACTION - 1)) & 1));");
  out.close("end");
  out.close("endfunction");
  out.open("always @* begin");
  out.line("m1a = 0; m1b = 0; m2a = 0; m2b = 0; use1 = 0; use2 = 0; add = 0; total = 0;");
  out.open("case ({{op, step}})");
  for (std::size_t o = 0; o < std::size(operations); ++o) {
    const auto& steps = vector_program(operations[o]).steps;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      out.open("{{3'd{}, 2'd{}}}: begin", o, s);
      const VectorStep& x = steps[s];
      if (x.a1 != VectorStep::none)
        out.add("use1 = 1; m1a = {}; m1b = {};", chosen('a', x.a1), chosen('b', x.b1));
      if (x.a2 != VectorStep::none)
        out.add("use2 = 1; m2a = {}; m2b = {};", chosen('a', x.a2), chosen('b', x.b2));
      if (const char* text = adder(x.adder)) out.add("add = 1; {}", text);
      out.close("end");
    }
  }
  out.line("default: ;");
  out.close("endcase");
  out.close("end");
  out.open("always @(posedge clk) if (go) begin");
  out.line("if (load) begin a <= a_in; b <= b_in; end");
  out.line("if (use1) product1 <= times(m1a, m1b);");
  out.line("if (use2) product2 <= times(m2a, m2b);");
  out.line("if (add) sum <= held(total);");
  out.close("end");
  out.add("assign result = op == 3'd3 ? product1 : sum;");
  out.close("endmodule");
}

}  // namespace

std::string verilog_vector_processor(FixedFormat f) {
  Lines out;
  out.line("// Matrix times vector 0, cross product 1, sum 2, scaled vector 3, dot product 4.");
  out.open("module parid_vector_processor #(parameter WORD = {}, FRACTION = {}) (", f.word,
           f.fraction);
  out.line("input clk, input reset, input enable, input in_valid, output in_ready,");
  out.line("input [2:0] in_op,");
  for (int k = 0; k < 9; ++k) out.add("input signed [WORD-1:0] in_a{},", k);
  for (int k = 0; k < 3; ++k) out.add("input signed [WORD-1:0] in_b{},", k);
  out.line("output reg out_valid, input out_ready,");
  out.line("output reg signed [WORD-1:0] out_y0, out_y1, out_y2");
  out.close(");");
  out.open("");
  out.line("reg [2:0] op;");
  out.line("reg [1:0] step;");
  out.line("reg busy;");
  out.line("wire [1:0] last = op == 3'd0 || op == 3'd4 ? 2'd3 : op == 3'd1 ? 2'd2 : 2'd1;");
  out.line("wire finished = busy && step == last;  // results stand; they leave if there is room");
  out.line("wire leave = finished && (!out_valid || out_ready);");
  out.line("wire load = in_valid && in_ready;");
  out.line("assign in_ready = enable && !reset && (!busy || leave);");
  out.line("wire [1:0] now = busy ? step : 2'd3;  // no step where there is nothing to do");
  for (int k = 0; k < 3; ++k) {
    out.add("wire signed [WORD-1:0] r{};", k);
    const std::string own = fmt::format("{{in_a{}, in_a{}, in_a{}}}", 3 * k + 2, 3 * k + 1, 3 * k);
    out.add(
        "parid_vector_module #(.WORD(WORD), .FRACTION(FRACTION), .K({0})) module{0}(.clk(clk), "
        ".go(enable), .load(load), .op(op), .step(now), .a_in(in_op == 3'd0 ? {1} : {{in_a2, "
        "in_a1, "
        "in_a0}}), .b_in({{in_b2, in_b1, in_b0}}), .result(r{0}));",
        k, own);
  }
  out.open("always @(posedge clk) begin");
  out.open("if (reset) begin");
  out.line("busy <= 0; step <= 0; out_valid <= 0; op <= 0;");
  out.close("end");
  out.open("else if (enable) begin");
  out.line("if (out_ready) out_valid <= 0;");
  out.line("if (busy && !finished) step <= step + 1;");
  out.open("if (leave) begin");
  out.line("out_valid <= 1; out_y0 <= r0; out_y1 <= r1; out_y2 <= r2;");
  out.line("busy <= 0;");
  out.close("end");
  out.open("if (load) begin");
  out.line("busy <= 1; step <= 0; op <= in_op;");
  out.close("end");
  out.close("end");
  out.close("end");
  out.close("endmodule");
  out.blank();
  datapath(out);
  return out.text();
}

}  // namespace parid::hardware
