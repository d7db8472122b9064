// The CORDIC boxes as Verilog modules. Each loads reduced operands with `load`, rotates them by one
// shift per clock, corrects the growth by one factor per clock, and then outputs the restored
// results.

#include <fmt/format.h>

#include "hardware/verilog/verilog_parts.hpp"

namespace parid::hardware {
namespace {

void constant(Lines& out, const std::string& name, const CordicConstant& c) {
  out.add("localparam [127:0] {}_FINE = {};", name, verilog_constant(c));
  out.add("localparam signed [INNER-1:0] {} = {};", name, verilog_rounded(name + "_FINE"));
}

void functions(Lines& out, Box box) {
  out.open(
      "function signed [INNER-1:0] half(input signed [INNER-1:0] v, input [6:0] s);  // v / 2^s");
  out.line("half = s == 0 ? v : (v >>> s) + ((v >>> (s - 7'd1)) & 1);");
  out.close("endfunction");
  out.open(
      "function signed [WORD-1:0] outer(input signed [WIDE-1:0] v);  // rounded and saturated");
  out.line("reg signed [WIDE-1:0] r;");
  out.open("begin");
  out.line("r = (v >>> GUARD) + ((v >>> (GUARD - 1)) & 1);");
  out.line("outer = r > MOST ? MOST[WORD-1:0] : r < -MOST - 1 ? ~MOST[WORD-1:0] : r[WORD-1:0];");
  out.close("end");
  out.close("endfunction");
  out.open("function [6:0] lead(input signed [INNER-1:0] v);  // index of the highest bit of |v|");
  out.line("reg [INNER-1:0] size;");
  out.line("integer i;");
  out.open("begin");
  out.line("size = v < 0 ? -v : v;");
  out.line("lead = 0;");
  out.line("for (i = 0; i < INNER; i = i + 1) if (size[i]) lead = i[6:0];");
  out.close("end");
  out.close("endfunction");
  out.open("function signed [INNER-1:0] rounded(input [127:0] v);  // a constant");
  out.add("rounded = {};", verilog_rounded("v"));
  out.close("endfunction");
  out.open("function signed [INNER-1:0] angle_of(input [6:0] s);");
  if (linear(box)) {
    out.add("angle_of = rounded({} >> s);", verilog_constant(cordic_angle(box, 0)));
  } else {
    out.open("case (s)");
    for (int s = hyperbolic(box) ? 1 : 0; s < longest_word; ++s)
      out.add("7'd{}: angle_of = rounded({});", s, verilog_constant(cordic_angle(box, s)));
    out.line("default: angle_of = 0;");
    out.close("endcase");
  }
  out.close("endfunction");
}

// Code specific to each box: registers beside x, y, z, its reduction and its restoration.
struct Own {
  const char *kept, *reduced, *restored;
};

const Own& own(Box box) {
  static const Own circ1 = {"",
                            R"(    if (zi > HALF) zi = zi - TURN;
    else if (zi < -HALF) zi = zi + TURN;
    if (zi > QUARTER) begin xr = yi; yr = -xi; zr = zi - QUARTER; end
    else if (zi < -QUARTER) begin xr = -yi; yr = xi; zr = zi + QUARTER; end
)",
                            R"(  assign x = outer(xs);
  assign y = outer(ys);
  assign z = 0;
)"};
  static const Own circ2 = {"nothing over shift",
                            R"(    if (xi < 0) begin
      if (yi < 0) begin xr = -yi; yr = xi; zr = zi + QUARTER; end
      else begin xr = yi; yr = -xi; zr = zi - QUARTER; end
    end
    nothing_r = xi == 0 && yi == 0;
    place = lead(xr) > lead(yr) ? lead(xr) : lead(yr);
    over_r = place > TOP;
    shift_r = over_r ? 7'd1 : TOP - place;
    xr = over_r ? half(xr, 7'd1) : xr <<< shift_r;
    yr = over_r ? half(yr, 7'd1) : yr <<< shift_r;
    if (nothing_r) zr = zi;
)",
                            R"(  wire signed [WIDE-1:0] length = over ? xw <<< 1 : half(xs, shift);
  wire signed [INNER-1:0] wrapped = zs > HALF ? zs - TURN : zs < -HALF ? zs + TURN : zs;
  assign x = nothing ? 0 : outer(length);
  assign y = 0;
  assign z = outer(wrapped);
)"};
  static const Own lin1 = {"nothing shift x y",
                           R"(    nothing_r = zi == 0;
    shift_r = lead(zi) > ONE ? lead(zi) - ONE : 7'd0;
    yr = 0;
    zr = -half(zi, shift_r);
    x_r = xi;
    y_r = yi;
)",
                           R"(  wire signed [WIDE-1:0] kept_y_wide = y_k;
  wire signed [WIDE-1:0] total = nothing ? kept_y_wide : kept_y_wide + (yw <<< shift);
  assign x = outer(x_k);
  assign y = outer(total);
  assign z = 0;
)"};
  static const Own lin2 = {"nothing left shift x z",
                           R"(    if (xi < 0) begin xr = -xi; yr = -yi; end
    nothing_r = xi == 0 || yi == 0;
    x_r = xi;
    z_r = zi;
    place = lead(xr);
    place_y = lead(yr);
    xr = place > TOP ? half(xr, 7'd1) : xr <<< (TOP - place);
    yr = place_y > TOP ? half(yr, 7'd1) : yr <<< (TOP - place_y);
    zr = 0;
    left_r = place_y > place;  // the quotient is larger than what the turns found
    shift_r = left_r ? place_y - place : place - place_y;
    if (left_r && shift_r > MOST_LEFT) shift_r = MOST_LEFT;
)",
                           R"(  wire signed [WIDE-1:0] kept_z_wide = z_k;
  wire signed [WIDE-1:0] right_wide = half(zs, shift);
  wire signed [WIDE-1:0] total = nothing ? kept_z_wide : kept_z_wide + (left ? zw <<< shift : right_wide);
  assign x = outer(x_k);
  assign y = 0;
  assign z = outer(total);
)"};
  static const Own hype1 = {"left shift",
                            R"(    product = zi * 16'sd5909;  // 4096 / ln 2
    turns = (product >>> (12 + BITS)) + ((product >>> (11 + BITS)) & 1);
    left_r = turns > 0;
    zr = zi - turns * LN2;
    shift_r = left_r ? turns[6:0] : -turns[6:0];
)",
                            R"(  wire signed [INNER:0] sum = xs + ys, difference = xs - ys;
  wire [6:0] up = shift > MOST_LEFT ? MOST_LEFT : shift;
  wire signed [WIDE-1:0] sum_w = sum, difference_w = difference;
  wire signed [WIDE-1:0] sum_right = shift == 0 ? sum_w : (sum_w >>> shift) + ((sum_w >>> (shift - 7'd1)) & 1),
                         difference_right = shift == 0 ? difference_w : (difference_w >>> shift) + ((difference_w >>> (shift - 7'd1)) & 1);
  wire signed [WIDE-1:0] plus = left ? sum_right : sum_w <<< up, minus_w = left ? difference_w <<< up : difference_right;
  wire signed [WIDE-1:0] both = plus + minus_w, apart = plus - minus_w;
  wire signed [WIDE-1:0] x_wide = (both >>> 1) + (both & 1), y_wide = (apart >>> 1) + (apart & 1);
  assign x = outer(x_wide);
  assign y = outer(y_wide);
  assign z = 0;
)"};
  static const Own hype2 = {"nothing shift",
                            R"(    u = xi + yi;
    w = xi - yi;
    nothing_r = u <= 0 || w <= 0;
    place = lead(u);
    place_y = lead(w);
    if (place > place_y) begin
      shift_r = (place - place_y) >> 1;
      w = w <<< (shift_r << 1);
      zr = zi - $signed({1'b0, shift_r}) * LN2;
    end else begin
      shift_r = (place_y - place) >> 1;
      u = u <<< (shift_r << 1);
      zr = zi + $signed({1'b0, shift_r}) * LN2;
    end
    place = lead(u) > lead(w) ? lead(u) : lead(w);
    u = u <<< (TOP + 7'd1 - place);
    w = w <<< (TOP + 7'd1 - place);
    shift_r = shift_r + TOP + 7'd1 - place;
    xr = half(u + w, 7'd1);
    yr = half(u - w, 7'd1);
    if (nothing_r) zr = zi;
)",
                            R"(  wire signed [WIDE-1:0] length = half(xs, shift);
  assign x = nothing ? 0 : outer(length);
  assign y = 0;
  assign z = outer(zw);
)"};
  switch (box) {
    case Box::circ1: return circ1;
    case Box::circ2: return circ2;
    case Box::lin1: return lin1;
    case Box::lin2: return lin2;
    case Box::hype1: return hype1;
    case Box::hype2: break;
  }
  return hype2;
}

bool has(const Own& o, const std::string& what) {
  return (" " + std::string(o.kept) + " ").find(" " + what + " ") != std::string::npos;
}

}  // namespace

std::string verilog_box(Box box) {
  const Own& o = own(box);
  const std::string reduced = o.reduced;
  auto uses = [&](const char* word) { return reduced.find(word) != std::string::npos; };
  Lines out;
  out.open("module parid_{} #(", name_of(box));
  out.line("parameter WORD = 24, FRACTION = 20, GUARD = 6, ITERATIONS = 24,");
  out.line("parameter TURNS = 24,            // clocks that rotate");
  out.line(
      "parameter [255:0] WITHIN = 0,    // per rotation: {minus, whether it corrects the gain}");
  out.line("parameter SCALES = 1,            // clocks after them that correct the gain");
  out.line(
      "parameter [8*64-1:0] SCALE = 0   // per such clock, the first lowest: {minus, shift[6:0]}");
  out.close(") (");
  out.line("  input clk, input enable, input load, input [7:0] step,");
  out.line("  input signed [WORD-1:0] x0, y0, z0,");
  out.line("  output signed [WORD-1:0] x, y, z");
  out.line(");");
  out.raw("  localparam INTEGER = WORD - 1 - FRACTION, BITS = FRACTION + GUARD;\n");
  out.raw("  localparam INNER = WORD + GUARD + 2, WIDE = INNER + INTEGER + 2;\n");
  out.raw("  localparam signed [WIDE-1:0] MOST = (1 <<< (WORD - 1)) - 1;\n");
  out.raw("  localparam [6:0] TOP = INTEGER - 1 + BITS, ONE = BITS, MOST_LEFT = INTEGER + 1;\n");
  out.open("");
  constant(out, "QUARTER", quarter_turn());
  constant(out, "HALF", half_turn());
  constant(out, "TURN", whole_turn());
  constant(out, "LN2", log_of_two());
  functions(out, box);
  out.line("reg signed [INNER-1:0] xs, ys, zs;  // being rotated");
  out.line("reg signed [INNER-1:0] xi, yi, zi, xr, yr, zr;");
  out.line("wire signed [WIDE-1:0] xw = xs, yw = ys, zw = zs;");
  for (const char* flag : {"nothing", "over", "left"})
    if (has(o, flag)) out.add("reg {0}, {0}_r;", flag);
  if (has(o, "shift")) out.line("reg [6:0] shift, shift_r;");
  if (uses("place")) out.line("reg [6:0] place;");
  if (uses("place_y")) out.line("reg [6:0] place_y;");
  if (uses("u = ")) out.line("reg signed [INNER-1:0] u, w;");
  if (uses("product")) out.line("reg signed [INNER+15:0] product, turns;");
  for (const char* kept : {"x", "y", "z"})
    if (has(o, kept)) out.add("reg signed [INNER-1:0] {0}_k, {0}_r;", kept);
  out.open("always @* begin");
  out.line("xi = x0; yi = y0; zi = z0;");
  out.line("xi = xi <<< GUARD; yi = yi <<< GUARD; zi = zi <<< GUARD;");
  out.line("xr = xi; yr = yi; zr = zi;");
  out.raw(o.reduced);
  if (box == Box::circ1) out.line("else zr = zi;");
  out.close("end");
  if (hyperbolic(box))
    out.line("wire [6:0] s = step[6:0] + 7'd1 - (step >= 4) - (step >= 14) - (step >= 42);");
  else
    out.line("wire [6:0] s = step[6:0];");
  out.line("wire signed [INNER-1:0] angle = angle_of(s);");
  out.add("wire minus = {}[INNER-1];", drives_z(box) ? "zs" : "ys");
  if (linear(box)) {
    out.line("wire signed [INNER-1:0] hx = half(xs, s);");
    out.line("wire signed [INNER-1:0] yt = minus ? ys + hx : ys - hx;");
  } else {
    // Iterations and factors share shifters and adders: an iteration adds the other component, a
    // factor the same one.
    out.line("wire turning = step < TURNS;");
    out.line("wire [7:0] which = step - TURNS;");
    out.line("wire [7:0] factor = SCALE[{which[5:0], 3'b000} +: 8];");
    out.line("wire [6:0] by = turning ? s : factor[6:0];");
    out.line("wire signed [INNER-1:0] hx = half(xs, by), hy = half(ys, by);");
    out.line("wire signed [INNER-1:0] dx = turning ? hy : hx, dy = turning ? hx : hy;");
    out.add("wire x_minus = turning ? {}minus : factor[7], y_minus = turning ? !minus : factor[7];",
            circular(box) ? "" : "!");
    out.line("wire signed [INNER-1:0] xt = x_minus ? xs - dx : xs + dx;");
    out.line("wire signed [INNER-1:0] yt = y_minus ? ys - dy : ys + dy;");
    out.line("// The gain correction within this rotation, if any.");
    out.line("wire [1:0] taking = turning ? WITHIN[{step[6:0], 1'b0} +: 2] : 2'd0;");
    out.line("wire signed [INNER-1:0] gx = half(xt, s), gy = half(yt, s);");
  }
  out.open("always @(posedge clk) if (enable) begin");
  out.open("if (load) begin");
  out.line("xs <= xr; ys <= yr; zs <= zr;");
  for (const char* kept : {"nothing", "over", "left", "shift"})
    if (has(o, kept)) out.add("{0} <= {0}_r;", kept);
  for (const char* kept : {"x", "y", "z"})
    if (has(o, kept)) out.add("{0}_k <= {0}_r;", kept);
  out.close("end");
  const bool frozen = box == Box::circ2 || box == Box::hype2;
  out.open("else if ({}step < TURNS{}) begin", frozen ? "!nothing && " : "",
           linear(box) ? "" : " + SCALES");
  if (linear(box)) {
    out.line("ys <= yt;");
    out.line("zs <= minus ? zs + angle : zs - angle;");
  } else {
    out.line("xs <= !taking[0] ? xt : taking[1] ? xt - gx : xt + gx;");
    out.line("ys <= !taking[0] ? yt : taking[1] ? yt - gy : yt + gy;");
    out.line("if (turning) zs <= minus ? zs + angle : zs - angle;");
  }
  out.close("end");
  out.close("end");
  out.raw(o.restored);
  out.close("endmodule");
  return out.text();
}

int box_latency(Box box, const Cordic<CordicFixed>& c) {
  return static_cast<int>(2 + c.shifts(box).size() + c.scale(box).size());
}

std::string verilog_box_pipeline(Box box, const Cordic<CordicFixed>& c, const std::string& module) {
  const Own& o = own(box);
  const std::string reduced = o.reduced;
  auto uses = [&](const char* word) { return reduced.find(word) != std::string::npos; };
  const CordicFixed& a = c.arithmetic;
  const auto& shifts = c.shifts(box);
  const auto& factors = c.scale(box);
  const std::size_t turns = shifts.size(), last = turns + factors.size();
  Lines out;
  out.add("// A {} module with one iteration per stage; accepts operands at every clock with go.",
          name_of(box));
  out.open("module {} (", module);
  out.add("input clk, input go, input signed [{}:0] x0, y0, z0,", a.format.word - 1);
  out.add("output reg signed [{}:0] x1, y1, z1", a.format.word - 1);
  out.close(");");
  out.open("");
  out.add("localparam WORD = {}, FRACTION = {}, GUARD = {};", a.format.word, a.format.fraction,
          a.guard);
  out.line("localparam INTEGER = WORD - 1 - FRACTION, BITS = FRACTION + GUARD;");
  out.line("localparam INNER = WORD + GUARD + 2, WIDE = INNER + INTEGER + 2;");
  out.line("localparam signed [WIDE-1:0] MOST = (1 <<< (WORD - 1)) - 1;");
  out.line("localparam [6:0] TOP = INTEGER - 1 + BITS, ONE = BITS, MOST_LEFT = INTEGER + 1;");
  constant(out, "QUARTER", quarter_turn());
  constant(out, "HALF", half_turn());
  constant(out, "TURN", whole_turn());
  constant(out, "LN2", log_of_two());
  functions(out, box);
  out.line("reg signed [INNER-1:0] xi, yi, zi, xr, yr, zr;");
  for (const char* flag : {"nothing", "over", "left"})
    if (has(o, flag)) out.add("reg {}_r;", flag);
  if (has(o, "shift")) out.line("reg [6:0] shift_r;");
  if (uses("place")) out.line("reg [6:0] place;");
  if (uses("place_y")) out.line("reg [6:0] place_y;");
  if (uses("u = ")) out.line("reg signed [INNER-1:0] u, w;");
  if (uses("product")) out.line("reg signed [INNER+15:0] product, turns;");
  for (const char* kept : {"x", "y", "z"})
    if (has(o, kept)) out.add("reg signed [INNER-1:0] {}_r;", kept);
  out.open("always @* begin");
  out.line("xi = x0; yi = y0; zi = z0;");
  out.line("xi = xi <<< GUARD; yi = yi <<< GUARD; zi = zi <<< GUARD;");
  out.line("xr = xi; yr = yi; zr = zi;");
  out.raw(o.reduced);
  if (box == Box::circ1) out.line("else zr = zi;");
  out.close("end");
  // What passes the stages unchanged, as one word.
  std::string carried;
  std::string width = "0";
  std::vector<std::pair<std::string, std::string>> fields;  // name, width
  for (const char* flag : {"nothing", "over", "left"})
    if (has(o, flag)) fields.emplace_back(flag, "1");
  if (has(o, "shift")) fields.emplace_back("shift", "7");
  for (const char* kept : {"x", "y", "z"})
    if (has(o, kept)) fields.emplace_back(kept, "INNER");
  for (const auto& [name, bits] : fields) {
    carried += (carried.empty() ? "" : ", ") + name + "_r";
    width += " + " + bits;
  }
  for (std::size_t k = 0; k <= last; ++k) {
    out.add("reg signed [INNER-1:0] xs{0}, ys{0}, zs{0};", k);
    if (!fields.empty()) out.add("reg [{}-1:0] kept{};", width, k);
  }
  const bool frozen = box == Box::circ2 || box == Box::hype2;  // with nothing, which is first
  for (std::size_t k = 0; k < last; ++k) {
    const int s = k < turns ? shifts[k] : factors[k - turns].shift;
    if (k < turns) constant(out, fmt::format("ANGLE{}", k), cordic_angle(box, s));
    if (!linear(box) || k >= turns)
      out.add("wire signed [INNER-1:0] hy{0} = half(ys{0}, 7'd{1});", k, s);
    out.add("wire signed [INNER-1:0] hx{0} = half(xs{0}, 7'd{1});", k, s);
    if (k < turns) out.add("wire minus{0} = {1}{0}[INNER-1];", k, drives_z(box) ? "zs" : "ys");
  }
  out.open("always @(posedge clk) if (go) begin");
  out.line("xs0 <= xr; ys0 <= yr; zs0 <= zr;");
  if (!fields.empty()) out.add("kept0 <= {{{}}};", carried);
  for (std::size_t k = 0; k < last; ++k) {
    const std::size_t next = k + 1;
    if (k >= turns) {
      const char sign = factors[k - turns].sign < 0 ? '-' : '+';
      out.add("xs{0} <= xs{1} {2} hx{1}; ys{0} <= ys{1} {2} hy{1}; zs{0} <= zs{1};", next, k, sign);
    } else {
      if (linear(box))
        out.add("xs{} <= xs{};", next, k);
      else
        out.add("xs{0} <= {2}minus{1} ? xs{1} - hy{1} : xs{1} + hy{1};", next, k,
                circular(box) ? "" : "!");
      out.add("ys{0} <= minus{1} ? ys{1} + hx{1} : ys{1} - hx{1};", next, k);
      out.add("zs{0} <= {2}minus{1} ? zs{1} + ANGLE{1} : zs{1} - ANGLE{1};", next, k,
              frozen ? fmt::format("kept{0}[{1}-1] ? zs{0} : ", k, width) : "");
    }
    if (!fields.empty()) out.add("kept{} <= kept{};", next, k);
  }
  out.close("end");
  out.add("wire signed [INNER-1:0] xs = xs{0}, ys = ys{0}, zs = zs{0};", last);
  out.line("wire signed [WIDE-1:0] xw = xs, yw = ys, zw = zs;");
  std::string names;
  for (const auto& [name, bits] : fields) {
    const bool vector = bits == "INNER";
    const std::string wire = name + (vector ? "_k" : "");
    out.add("wire {}{};", vector ? "signed [INNER-1:0] " : bits == "7" ? "[6:0] " : "", wire);
    names += (names.empty() ? "" : ", ") + wire;
  }
  if (!fields.empty()) out.add("assign {{{}}} = kept{};", names, last);
  out.line("wire signed [WORD-1:0] x, y, z;");
  out.raw(o.restored);
  out.line("always @(posedge clk) if (go) begin x1 <= x; y1 <= y; z1 <= z; end");
  out.close("endmodule");
  return out.text();
}

}  // namespace parid::hardware
