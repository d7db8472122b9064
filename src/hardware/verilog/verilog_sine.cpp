// The sine unit of a pipeline, and the interface that pipelines share.

#include <fmt/format.h>

#include "codegen/emit/program.hpp"
#include "hardware/verilog/verilog_parts.hpp"
#include "hardware/verilog/verilog_units.hpp"

namespace parid::hardware {

std::string verilog_sine_unit(const FixedSinCos& u, const std::string& module) {
  Lines out;
  out.line("// Sine and cosine of an angle, one rotation per clock, one angle per clock.");
  out.open("module {} #(parameter WORD = {}, GUARD = {}, INTEGER = {}, TURNS = {}) (", module,
           u.word, u.guard, u.integer, u.turns());
  out.line("input clk, input go, input signed [WORD-1:0] angle,");
  out.line("output reg signed [WORD-1:0] sine, cosine");
  out.close(");");
  out.open("");
  out.line("localparam BITS = WORD - 2 + GUARD, INNER = WORD + GUARD + INTEGER;");
  auto constant = [&](const std::string& name, const CordicConstant& c) {
    out.add("localparam [127:0] {}_FINE = {};", name, verilog_constant(c));
    out.add("localparam signed [INNER-1:0] {} = {};", name, verilog_rounded(name + "_FINE"));
  };
  constant("START", cordic_start(u.turns()));
  constant("QUARTER", quarter_turn());
  constant("HALF", half_turn());
  constant("TURN", whole_turn());
  out.open("function [127:0] fine_angle(input integer s);");
  out.open("case (s)");
  for (int s = 0; s < u.turns(); ++s)
    out.add("{}: fine_angle = {};", s, verilog_constant(arc_tangent(s)));
  out.line("default: fine_angle = 128'd0;");
  out.close("endcase");
  out.close("endfunction");
  out.line("reg signed [INNER-1:0] c [0:TURNS], s [0:TURNS], z [0:TURNS];");
  out.line("reg signed [INNER-1:0] wide;");
  out.open("always @* begin");
  out.line("wide = angle;");
  out.line("wide = wide <<< (GUARD + INTEGER - 1);");
  for (int k = u.wraps() - 1; k >= 0; --k) {
    out.add("if (wide > (HALF <<< {0})) wide = wide - (TURN <<< {0});", k);
    out.add("else if (wide < -(HALF <<< {0})) wide = wide + (TURN <<< {0});", k);
  }
  out.close("end");
  out.open("always @(posedge clk) if (go) begin");
  out.line("c[0] <= wide > QUARTER || wide < -QUARTER ? 0 : START;");
  out.line("s[0] <= wide > QUARTER ? START : wide < -QUARTER ? -START : 0;");
  out.line("z[0] <= wide > QUARTER ? wide - QUARTER : wide < -QUARTER ? wide + QUARTER : wide;");
  out.close("end");
  out.line("genvar k;");
  out.open("generate for (k = 0; k < TURNS; k = k + 1) begin : turn");
  out.line("localparam [127:0] FINE = fine_angle(k);");
  out.add("localparam signed [INNER-1:0] A = {};", verilog_rounded("FINE"));
  out.line("wire signed [INNER-1:0] dc, ds;");
  out.line("if (k == 0) begin : first assign dc = s[k]; assign ds = c[k]; end");
  out.open("else begin : rounded");
  out.line("assign dc = (s[k] >>> k) + ((s[k] >>> (k - 1)) & 1);");
  out.line("assign ds = (c[k] >>> k) + ((c[k] >>> (k - 1)) & 1);");
  out.close("end");
  out.open("always @(posedge clk) if (go) begin");
  out.line("c[k + 1] <= z[k] < 0 ? c[k] + dc : c[k] - dc;");
  out.line("s[k + 1] <= z[k] < 0 ? s[k] - ds : s[k] + ds;");
  out.line("z[k + 1] <= z[k] < 0 ? z[k] + A : z[k] - A;");
  out.close("end");
  out.close("end endgenerate");
  out.open("always @(posedge clk) if (go) begin");
  out.line("sine <= (s[TURNS] >>> GUARD) + ((s[TURNS] >>> (GUARD - 1)) & 1);");
  out.line("cosine <= (c[TURNS] >>> GUARD) + ((c[TURNS] >>> (GUARD - 1)) & 1);");
  out.close("end");
  out.close("endmodule");
  return out.text();
}

namespace {

// A sine unit between conversions.
std::string float_sine_unit(const FixedSinCos& u, FloatFormat f, const std::string& module) {
  Lines out;
  out.open("module {} (", module);
  out.add("input clk, input go, input [{0}:0] angle, output [{0}:0] sine, cosine", f.word() - 1);
  out.close(");");
  out.open("");
  out.add("wire signed [{}:0] turn, sine_word, cosine_word;", u.word - 1);
  out.add("{}_in in(.clk(clk), .go(go), .a(angle), .y(turn));", module);
  out.add(
      "{}_fixed unit(.clk(clk), .go(go), .angle(turn), .sine(sine_word), .cosine(cosine_word));",
      module);
  out.add("{}_out sine_out(.clk(clk), .go(go), .a(sine_word), .y(sine));", module);
  out.add("{}_out cosine_out(.clk(clk), .go(go), .a(cosine_word), .y(cosine));", module);
  out.close("endmodule");
  return out.text() + "\n" + verilog_sine_unit(u, module + "_fixed") + "\n" +
         verilog_fixed_of_float(f, u.angle(), module + "_in") + "\n" +
         verilog_float_of_fixed(u.result(), f, module + "_out");
}

}  // namespace

std::string verilog_unit_modules(const ArithmeticPipeline& p, const std::string& name, int word,
                                 int most_up) {
  std::string text;
  const auto& f = p.fixed.floating;
  const std::string sine = name + "_sin_cos";
  if (p.angles > 0)
    text += "\n" + (f ? float_sine_unit(p.fixed.sin_cos, *f, sine)
                      : verilog_sine_unit(p.fixed.sin_cos, sine));
  if (p.divisions > 0)
    text += "\n" + (f ? verilog_float_quotient(*f, name + "_quotient")
                      : verilog_divider(word, std::max(1, most_up), name + "_quotient"));
  if (f && p.multiplications > 0) text += "\n" + verilog_float_product(*f, name + "_product");
  if (f && p.additions > 0) text += "\n" + verilog_float_sum(*f, name + "_sum");
  return text;
}

std::string verilog_port_value(const FixedGraph& f, std::size_t k, const std::string& value) {
  const int right = f.format[f.graph.outputs()[k].id].fraction - f.output_formats()[k].fraction;
  if (right <= 0) return value;
  return fmt::format("({0} >>> {1}) + (({0} >>> {2}) & 1)", value, right, right - 1);
}

void verilog_ports(Lines& out, const ArithmeticPipeline& p, const std::string& name) {
  if (p.fixed.floating)
    out.add("// All words are floating-point numbers: a sign, {} exponent bits, {} mantissa bits.",
            p.fixed.floating->exponent, p.fixed.floating->mantissa);
  out.line("// Word lengths and fraction bits:");
  const std::vector<FixedFormat> in = p.fixed.input_formats(), result = p.fixed.output_formats();
  for (std::size_t k = 0; k < in.size(); ++k)
    out.add("//   in_{}: {} bits, {} fraction bits", identifier(p.fixed.graph.inputs()[k].name),
            in[k].word, in[k].fraction);
  for (std::size_t k = 0; k < result.size(); ++k)
    out.add("//   out_{}: {} bits, {} fraction bits", identifier(p.fixed.graph.outputs()[k].name),
            result[k].word, result[k].fraction);
  out.open("module {} (", name);
  out.line("input clk, input reset, input enable,");
  out.line("input in_valid, output in_ready,");
  for (const VerilogPort& port : input_ports(p))
    out.add("input signed [{}:0] in_{},", port.width - 1, port.name);
  out.line("output reg out_valid, input out_ready,");
  const auto outs = output_ports(p);
  for (std::size_t k = 0; k < outs.size(); ++k)
    out.add("output reg signed [{}:0] out_{}{}", outs[k].width - 1, outs[k].name,
            k + 1 < outs.size() ? "," : "");
  out.close(");");
}

}  // namespace parid::hardware
