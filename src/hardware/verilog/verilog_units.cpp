#include "hardware/verilog/verilog_units.hpp"

#include <fmt/format.h>

#include <bit>

#include "codegen/emit/lines.hpp"

namespace parid::hardware {
namespace {

// Rounds m, the mantissa and three bits of which the last is sticky, and packs the result.
// Declares y_next; `exponent` is signed and has two bits more than the field.
void round_and_pack(Lines& out, FloatFormat f) {
  const int E = f.exponent, M = f.mantissa;
  out.add("wire [{}:0] kept = m[{}:3];", M + 1, M + 3);
  out.line("wire up = m[2] && (m[1] || m[0] || m[3]);");
  out.add("wire [{0}:0] raised = kept + {{{{{0}{{1'b0}}}}, up}};", M + 1);
  out.add("wire carry = raised[{}];", M + 1);
  out.add("wire [{}:0] fraction = carry ? raised[{}:1] : raised[{}:0];", M - 1, M, M - 1);
  out.add("wire signed [{}:0] power = exponent + (carry ? {}'sd1 : {}'sd0);", E + 1, E + 2, E + 2);
  out.add("wire vanishes = empty || power < {}'sd1;", E + 2);
  out.add("wire full = power > {}'sd{};", E + 2, f.top());
  out.add(
      "wire [{0}:0] y_next = vanishes ? {1}'d0 : full ? {{minus, {{{0}{{1'b1}}}}}} : {{minus, "
      "power[{2}:0], fraction}};",
      f.word() - 1, f.word(), E - 1);
}

void parts(Lines& out, FloatFormat f, const char* x) {
  const int E = f.exponent, M = f.mantissa;
  out.add("wire [{}:0] {}_e = {}[{}:{}];", E - 1, x, x, M + E - 1, M);
  out.add("wire [{}:0] {}_m = {}_e == 0 ? {}'d0 : {{1'b1, {}[{}:0]}};", M, x, x, M + 1, x, M - 1);
}

}  // namespace

// Restoring division, one bit per clock. The quotient has WORD + 1 bits, the last of which rounds.
std::string verilog_divider(int word, int most_up, const std::string& module) {
  Lines out;
  // |a| · 2^up · 2, shifted right by WORD + 1, is less than |b| unless the quotient saturates.
  const int up_bits = std::bit_width(static_cast<unsigned>(most_up)), wide = word + most_up + 2;
  out.line("// a * 2^up / b, rounded and saturated; one bit per clock, one quotient per clock.");
  out.open("module {} (", module);
  out.add("input clk, input go, input signed [{}:0] a, b,", word - 1);
  if (up_bits > 0) out.add("input [{}:0] up,", up_bits - 1);
  out.add("output reg signed [{}:0] y", word - 1);
  out.close(");");
  out.open("");
  out.add("localparam WORD = {}, STEPS = {};", word, word + 1);
  out.line("wire [WORD-1:0] a_size = a < 0 ? -a : a, b_size = b < 0 ? -b : b;");
  out.add("wire [{}:0] wide = {{{}'d0, a_size}};", wide - 1, wide - word);
  out.add("wire [{}:0] n = wide << ({} + 1);", wide - 1, up_bits > 0 ? "up" : "0");
  out.add("wire [{}:0] head = n >> STEPS;", wide - 1);
  out.line("// Of each step: the remainder, the rest of the dividend, the quotient so far.");
  out.line("reg [WORD:0] r [0:STEPS];");
  out.line("reg [STEPS-1:0] d [0:STEPS], q [0:STEPS];");
  out.line("reg [WORD-1:0] by [0:STEPS];");
  out.line("reg [STEPS:0] minus, over;");
  out.open("always @(posedge clk) if (go) begin");
  out.line("r[0] <= head[WORD:0];");
  out.line("d[0] <= n[STEPS-1:0];");
  out.line("q[0] <= 0;");
  out.line("by[0] <= b_size;");
  out.line("minus[0] <= b == 0 ? a < 0 : (a < 0) != (b < 0);");
  out.line("over[0] <= head >= b_size;");
  out.close("end");
  out.line("genvar k;");
  out.open("generate for (k = 0; k < STEPS; k = k + 1) begin : step");
  out.line("wire [WORD:0] t = {r[k][WORD-1:0], d[k][STEPS-1]};");
  out.line("wire fits = t >= {1'b0, by[k]};");
  out.open("always @(posedge clk) if (go) begin");
  out.line("r[k + 1] <= fits ? t - {1'b0, by[k]} : t;");
  out.line("d[k + 1] <= d[k] << 1;");
  out.line("q[k + 1] <= {q[k][STEPS-2:0], fits};");
  out.line("by[k + 1] <= by[k];");
  out.line("minus[k + 1] <= minus[k];");
  out.line("over[k + 1] <= over[k];");
  out.close("end");
  out.close("end endgenerate");
  out.line("wire [STEPS:0] raised = {1'b0, q[STEPS]} + 1;");
  out.line("wire [STEPS:0] size = raised >> 1;");
  out.line("wire beyond = over[STEPS] || size > {3'b000, {(WORD-1){1'b1}}} + minus[STEPS];");
  out.open("always @(posedge clk) if (go) begin");
  out.line("if (beyond) y <= minus[STEPS] ? {1'b1, {(WORD-1){1'b0}}} : {1'b0, {(WORD-1){1'b1}}};");
  out.line("else y <= minus[STEPS] ? -size[WORD-1:0] : size[WORD-1:0];");
  out.close("end");
  out.close("endmodule");
  return out.text();
}

std::string verilog_float_sum(FloatFormat f, const std::string& module) {
  const int E = f.exponent, M = f.mantissa, W = f.word();
  Lines out;
  out.add("// a + b, or a - b: {} exponent bits, {} mantissa bits, in three clocks.", E, M);
  out.open("module {} (", module);
  out.add("input clk, input go, input [{0}:0] a, b, input subtract, output reg [{0}:0] y", W - 1);
  out.close(");");
  out.open("");
  out.line(
      "// The larger operand first, the smaller aligned to it; the last of three bits is sticky.");
  out.add("wire b_first = b[{0}:0] > a[{0}:0];", W - 2);
  out.add("wire a_sign = a[{0}], b_sign = b[{0}] ^ subtract;", W - 1);
  out.add("wire [{}:0] greater = b_first ? b[{}:0] : a[{}:0];", W - 2, W - 2, W - 2);
  out.add("wire [{}:0] lesser = b_first ? a[{}:0] : b[{}:0];", W - 2, W - 2, W - 2);
  parts(out, f, "greater");
  parts(out, f, "lesser");
  out.add("wire [{}:0] far = greater_e - lesser_e;", E - 1);
  out.add("wire [{}:0] high = {{lesser_m, 3'd0}};", M + 3);
  out.add("wire [{}:0] shifted = high >> far;", M + 3);
  out.add("wire [{}:0] back = shifted << far;", M + 3);
  out.line("wire lost = back != high;");
  out.add("reg [{}:0] l, s;", M + 3);
  out.add("reg [{}:0] e1, e2;", E - 1);
  out.line("reg sign1, sign2, apart;");
  out.add("reg [{}:0] total;", M + 4);
  out.open("always @(posedge clk) if (go) begin");
  out.line("l <= {greater_m, 3'd0};");
  out.add("s <= {{shifted[{}:1], shifted[0] || lost}};", M + 3);
  out.line("e1 <= greater_e;");
  out.line("sign1 <= b_first ? b_sign : a_sign;");
  out.line("apart <= a_sign != b_sign;");
  out.line("total <= apart ? {1'b0, l} - {1'b0, s} : {1'b0, l} + {1'b0, s};");
  out.line("e2 <= e1;");
  out.line("sign2 <= sign1;");
  out.line("y <= y_next;");
  out.close("end");
  out.line("// The leading one to the top, by halving shifts.");
  const int levels = std::bit_width(static_cast<unsigned>(M + 3));
  out.add("wire [{}:0] n{} = total[{}:0];", M + 3, levels, M + 3);
  std::string count;
  for (int k = levels - 1; k >= 0; --k) {
    const int by = 1 << k;
    const int wide = std::min(by, M + 4);
    out.add("wire z{} = n{}[{}:{}] == 0;", k, k + 1, M + 3, M + 4 - wide);
    out.add("wire [{}:0] n{} = z{} ? n{} << {} : n{};", M + 3, k, k, k + 1, by, k + 1);
    count += (count.empty() ? "" : ", ") + fmt::format("z{}", k);
  }
  out.add("wire [{}:0] zeros = {{{}}};", levels - 1, count);
  out.add("wire over = total[{}];", M + 4);
  out.add("wire [{}:0] m = over ? {{total[{}:2], total[1] || total[0]}} : n0;", M + 3, M + 4);
  const int wide = std::max(E, levels) + 2;
  out.add(
      "wire signed [{}:0] exponent_wide = over ? {{2'b00, {}e2}} + {}'sd1 : {{2'b00, {}e2}} - "
      "{{2'b00, {}zeros}};",
      wide - 1, wide > E + 2 ? fmt::format("{}'d0, ", wide - E - 2) : "", wide,
      wide > E + 2 ? fmt::format("{}'d0, ", wide - E - 2) : "",
      wide > levels + 2 ? fmt::format("{}'d0, ", wide - levels - 2) : "");
  out.add(
      "wire signed [{0}:0] exponent = exponent_wide < {1}'sd0 ? -{2}'sd1 : exponent_wide[{0}:0];",
      E + 1, wide, E + 2);
  out.line("wire minus = sign2, empty = total == 0;");
  round_and_pack(out, f);
  out.close("endmodule");
  return out.text();
}

std::string verilog_float_product(FloatFormat f, const std::string& module) {
  const int E = f.exponent, M = f.mantissa, W = f.word();
  Lines out;
  out.add("// a * b: {} exponent bits, {} mantissa bits, in two clocks.", E, M);
  out.open("module {} (", module);
  out.add("input clk, input go, input [{0}:0] a, b, output reg [{0}:0] y", W - 1);
  out.close(");");
  out.open("");
  parts(out, f, "a");
  parts(out, f, "b");
  out.add("reg [{}:0] product;", 2 * M + 1);
  out.add("reg signed [{}:0] e;", E + 1);
  out.line("reg minus, empty;");
  out.open("always @(posedge clk) if (go) begin");
  out.line("product <= a_m * b_m;");
  out.add("e <= {{2'b00, a_e}} + {{2'b00, b_e}} - {}'d{};", E + 2, f.bias());
  out.add("minus <= a[{0}] ^ b[{0}];", W - 1);
  out.line("empty <= a_e == 0 || b_e == 0;");
  out.line("y <= y_next;");
  out.close("end");
  out.add("wire over = product[{}];", 2 * M + 1);
  // Leading one at bit 2M + 1 or 2M.
  out.add("wire [{0}:0] top = over ? product : product << 1;", 2 * M + 1);
  out.add("wire [{}:0] m = {{top[{}:{}], top[{}:0] != 0}};", M + 3, 2 * M + 1, M - 1, M - 2);
  out.add("wire signed [{}:0] exponent = e + (over ? {}'sd1 : {}'sd0);", E + 1, E + 2, E + 2);
  round_and_pack(out, f);
  out.close("endmodule");
  return out.text();
}

std::string verilog_float_quotient(FloatFormat f, const std::string& module) {
  const int E = f.exponent, M = f.mantissa, W = f.word();
  Lines out;
  out.add("// a / b: {} exponent bits, {} mantissa bits; one bit per clock.", E, M);
  out.open("module {} (", module);
  out.add("input clk, input go, input [{0}:0] a, b, output reg [{0}:0] y", W - 1);
  out.close(");");
  out.open("");
  parts(out, f, "a");
  parts(out, f, "b");
  out.add("localparam STEPS = {};", M + 3);
  out.line("wire less = a_m < b_m;");
  out.line("// Before every step the remainder is less than the divisor.");
  out.add("reg [{}:0] r [0:STEPS];", M + 1);
  out.add("reg [{}:0] by [0:STEPS];", M);
  out.line("reg [STEPS-1:0] q [0:STEPS];");
  out.add("reg signed [{}:0] e [0:STEPS];", E + 1);
  out.line("reg [STEPS:0] sign, zero, none;");
  out.open("always @(posedge clk) if (go) begin");
  out.line("r[0] <= less ? {a_m, 1'b0} : {1'b0, a_m};");
  out.line("by[0] <= b_m;");
  out.line("q[0] <= 0;");
  out.add("e[0] <= {{2'b00, a_e}} - {{2'b00, b_e}} + {0}'d{1} - {{{2}'d0, less}};", E + 2, f.bias(),
          E + 1);
  out.add("sign[0] <= a[{0}] ^ b[{0}];", W - 1);
  out.line("zero[0] <= a_e == 0;");
  out.line("none[0] <= b_e == 0;");
  out.close("end");
  out.line("genvar k;");
  out.open("generate for (k = 0; k < STEPS; k = k + 1) begin : step");
  out.line("wire fits = r[k] >= {1'b0, by[k]};");
  out.add("wire [{}:0] left = fits ? r[k] - {{1'b0, by[k]}} : r[k];", M + 1);
  out.open("always @(posedge clk) if (go) begin");
  out.line("r[k + 1] <= left << 1;");
  out.line("q[k + 1] <= {q[k][STEPS-2:0], fits};");
  out.line("by[k + 1] <= by[k];");
  out.line("e[k + 1] <= e[k];");
  out.line("sign[k + 1] <= sign[k];");
  out.line("zero[k + 1] <= zero[k];");
  out.line("none[k + 1] <= none[k];");
  out.close("end");
  out.close("end endgenerate");
  out.add("wire [{}:0] m = {{q[STEPS], r[STEPS] != 0}};", M + 3);
  out.add("wire signed [{0}:0] exponent = none[STEPS] ? {1}'sd{2} : e[STEPS];", E + 1, E + 2,
          f.top() + 1);
  out.line("wire minus = sign[STEPS], empty = zero[STEPS];");
  round_and_pack(out, f);
  out.line("always @(posedge clk) if (go) y <= y_next;");
  out.close("endmodule");
  return out.text();
}

std::string verilog_fixed_of_float(FloatFormat f, FixedFormat to, const std::string& module) {
  const int M = f.mantissa, W = f.word();
  Lines out;
  out.add("// A floating-point number as a word with {} fraction bits, in two clocks.",
          to.fraction);
  out.open("module {} (", module);
  out.add("input clk, input go, input [{}:0] a, output reg signed [{}:0] y", W - 1, to.word - 1);
  out.close(");");
  out.open("");
  parts(out, f, "a");
  // The number is a_m 2^(a_e − least), with one bit below the last for rounding.
  const int least = f.bias() + M - to.fraction, room = std::max(to.word, M + 1) + 2;
  out.add("wire signed [{}:0] left = {{2'b00, a_e}} - {};", f.exponent + 17, least);
  out.add("wire [{}:0] wide = {{{}'d0, a_m, 1'b0}};", room + M, room + M + 1 - (M + 2));
  out.add("wire [{}:0] right = -left;", f.exponent + 17);
  out.line("reg minus, over;");
  out.add("reg [{}:0] size;", room + M);
  out.open("always @(posedge clk) if (go) begin");
  out.add("minus <= a[{}];", W - 1);
  out.add("over <= left > {};", to.word);
  out.add("size <= left >= 0 ? wide << left : right > {} ? 0 : wide >> right;", M + 1);
  out.close("end");
  out.add("wire [{}:0] raised = (size >> 1) + {{{}'d0, size[0]}};", room + M, room + M);
  out.add("wire [{}:0] most = {{1'b0, {{{}{{1'b1}}}}}};", to.word - 1, to.word - 1);
  out.add("wire [{0}:0] held = over || raised > most ? most : raised[{0}:0];", to.word - 1);
  out.line("always @(posedge clk) if (go) y <= minus ? -held : held;");
  out.close("endmodule");
  return out.text();
}

std::string verilog_float_of_fixed(FixedFormat from, FloatFormat f, const std::string& module) {
  const int E = f.exponent, M = f.mantissa, W = from.word;
  Lines out;
  out.add("// A word with {} fraction bits as a floating-point number, in two clocks.",
          from.fraction);
  out.open("module {} (", module);
  out.add("input clk, input go, input signed [{}:0] a, output reg [{}:0] y", W - 1, f.word() - 1);
  out.close(");");
  out.open("");
  const int levels = std::bit_width(static_cast<unsigned>(W - 1));
  out.add("wire [{}:0] n{} = a < 0 ? -a : a;", W - 1, levels);
  std::string count;
  for (int k = levels - 1; k >= 0; --k) {
    const int by = 1 << k, wide = std::min(by, W);
    out.add("wire z{} = n{}[{}:{}] == 0;", k, k + 1, W - 1, W - wide);
    out.add("wire [{}:0] n{} = z{} ? n{} << {} : n{};", W - 1, k, k, k + 1, by, k + 1);
    count += (count.empty() ? "" : ", ") + fmt::format("z{}", k);
  }
  out.add("reg [{}:0] top;", W - 1);
  out.add("reg signed [{}:0] exponent;", E + 1);
  out.line("reg minus, empty;");
  const int highest = W - 1 - from.fraction + f.bias();  // of a leading one in the first bit
  out.open("always @(posedge clk) if (go) begin");
  out.line("top <= n0;");
  out.add("exponent <= {} - $signed({{1'b0, {}}}) < 0 ? -1 : {} - $signed({{1'b0, {}}});", highest,
          count, highest, count);
  out.line("minus <= a < 0;");
  out.line("empty <= a == 0;");
  out.line("y <= y_next;");
  out.close("end");
  if (W > M + 4)
    out.add("wire [{}:0] m = {{top[{}:{}], top[{}:0] != 0}};", M + 3, W - 1, W - M - 3, W - M - 4);
  else if (W == M + 4)
    out.add("wire [{}:0] m = top;", M + 3);
  else
    out.add("wire [{}:0] m = {{top, {}'d0}};", M + 3, M + 4 - W);
  round_and_pack(out, f);
  out.close("endmodule");
  return out.text();
}

}  // namespace parid::hardware
