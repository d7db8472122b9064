// The sine unit of a pipeline, and the interface that pipelines share.

#include <fmt/format.h>

#include "codegen/emit/program.hpp"
#include "hardware/verilog/verilog_parts.hpp"

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

void verilog_ports(Lines& out, const ArithmeticPipeline& p, const std::string& name) {
  out.line("// Word lengths and fraction bits:");
  for (const Named& in : p.fixed.graph.inputs())
    out.add("//   in_{}: {} bits, {} fraction bits", identifier(in.name), p.fixed.word,
            p.fixed.format[in.id].fraction);
  for (const Named& o : p.fixed.graph.outputs())
    out.add("//   out_{}: {} bits, {} fraction bits", identifier(o.name), p.fixed.word,
            p.fixed.format[o.id].fraction);
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
