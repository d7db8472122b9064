// A machine of CORDIC modules: instances, delay lines, and its stream interface.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/emit/lines.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/verilog/verilog.hpp"
#include "hardware/verilog/verilog_parts.hpp"

namespace parid::hardware {
namespace {

std::string safe(const std::string& name) { return identifier(name); }

class Machine {
 public:
  Machine(const BoxDesign& d, const Staging& s, const Cordic<CordicFixed>& c, std::string name)
      : d_(d),
        n_(d.network()),
        s_(s),
        c_(c),
        word_(c.arithmetic.format.word),
        name_(std::move(name)) {}

  std::string text() {
    head();
    lines();
    instances();
    context();
    out_.close("endmodule");
    return out_.text();
  }

 private:
  void head() {
    const FixedFormat f = c_.arithmetic.format;
    out_.raw(verilog_head);
    out_.add("// {} CORDIC modules, {} stages of {} clocks; words of {} bits, {} fraction bits.",
             d_.boxes.size(), s_.latency, clocks_per_stage(d_, c_), f.word, f.fraction);
    out_.open("module {} (", name_);
    out_.line("input clk, input reset, input enable,");
    out_.line("input in_valid, output in_ready,");
    for (const VerilogPort& p : input_ports(d_, word_))
      out_.add("input {}in_{},", range(p), p.name);
    out_.line("output reg out_valid, input out_ready,");
    const auto outs = output_ports(d_, word_);
    for (std::size_t k = 0; k < outs.size(); ++k)
      out_.add("output reg {}out_{}{}", range(outs[k]), outs[k].name,
               k + 1 < outs.size() ? "," : "");
    out_.close(");");
    out_.open("");
    out_.add("localparam PERIOD = {}, STAGES = {};", clocks_per_stage(d_, c_), s_.latency);
    out_.line("reg [7:0] step;");
    out_.line("reg [STAGES-1:0] valid;  // the stages that hold a sample");
    out_.line(
        "// A stage ends when every module is done and the previous result has been accepted.");
    out_.line("wire last = step == PERIOD - 1;");
    out_.line("wire tick = last && (!out_valid || out_ready);");
    out_.line("assign in_ready = enable && !reset && tick;");
    for (std::size_t k = 0; k < d_.signals.size(); ++k) {
      const auto& s = d_.signals[k];
      const int width = s.sign ? 1 : word_;
      out_.add("wire {}{};", range({"", width}), signal(static_cast<int>(k)));
      if (s.box < 0)
        out_.add("assign {} = {};", signal(static_cast<int>(k)),
                 s.offset == 0 ? "in_" + safe(s.name)
                               : held(fmt::format("in_{} + {}", safe(s.name), constant(s.offset))));
    }
  }

  static std::string range(const VerilogPort& p) {
    return p.width == 1 ? "" : fmt::format("signed [{}:0] ", p.width - 1);
  }
  std::string signal(int s) const { return "s_" + safe(d_.signals[s].name); }
  std::string delayed(int s, int by) const {
    return by == 0 ? signal(s) : fmt::format("{}_d{}", signal(s), by);
  }

  void lines() {
    for (const DelayLine& l : buffers(n_, s_).lines) {
      const int width = d_.signals[l.signal].sign ? 1 : word_;
      std::vector<std::string> names, moves;
      for (int k = 1; k <= l.length; ++k) {
        names.push_back(delayed(l.signal, k));
        moves.push_back(fmt::format("{} <= {};", delayed(l.signal, k), delayed(l.signal, k - 1)));
      }
      out_.add("reg {}{};", range({"", width}), fmt::join(names, ", "));
      out_.open("always @(posedge clk) if (enable && tick) begin");
      for (const std::string& m : moves) out_.line(m);
      out_.close("end");
    }
  }

  std::string constant(Quad x) const {
    return verilog_number(word_of(c_.arithmetic.format, x), word_, "sh");
  }
  // A wire three bits wider than a word, which two sums cannot overflow.
  std::string wide(const std::string& value) {
    std::string w = fmt::format("w{}", ++wires_);
    out_.add("wire signed [{}:0] {} = {};", word_ + 2, w, value);
    return w;
  }
  // A sum saturated to a word.
  std::string held(const std::string& sum) {
    const std::string s = wide(sum), w = fmt::format("w{}", ++wires_);
    out_.add(
        "wire {0}{1} = {2}[{3}:{4}] == {{4{{{2}[{3}]}}}} ? {2}[{4}:0] : {{{2}[{3}], "
        "{{{4}{{!{2}[{3}]}}}}}};",
        range({"", word_}), w, s, word_ + 2, word_ - 1);
    return w;
  }
  // The value at an output's port.
  std::string left(const BoxDesign::Output& o) {
    std::string x = operand(o.value, s_.latency);
    if (!o.wraps) return o.offset == 0 ? x : held(fmt::format("{} + {}", x, constant(o.offset)));
    const OutputTurns turns(o);
    const std::string turn = constant(turns.turn), half = constant(turns.half);
    x = wide(fmt::format("{} + {}", x, constant(turns.offset)));
    for (int k = 0; k < 2; ++k)
      x = wide(fmt::format("{0} > {1} ? {0} - {2} : {0} < -{1} ? {0} + {2} : {0}", x, half, turn));
    return held(fmt::format("{} + {}", x, constant(o.middle)));
  }

  // An operand at a stage, with its sign. −(−2^n) does not fit and is saturated.
  std::string operand(const BoxOperand& o, int when) {
    std::string x;
    if (o.is_constant()) {
      x = constant(o.constant);
    } else {
      x = delayed(o.signal, when - s_.ready(n_, o.signal));
    }
    if (!o.negated && o.signs.empty()) return x;
    std::string minus = o.negated ? "1'b1" : "1'b0";
    for (const int s : o.signs) minus += " ^ " + delayed(s, when - s_.ready(n_, s));
    std::string w = fmt::format("w{}", ++wires_);
    out_.add("wire {}{}_in = {};", range({"", word_}), w, x);
    out_.add(
        "wire {0}{1} = !({2}) ? {1}_in : {1}_in == {{1'b1, {{{3}{{1'b0}}}}}} ? ~{1}_in : -{1}_in;",
        range({"", word_}), w, minus, word_ - 1);
    return w;
  }

  // The factors that correct the growth, as parameters of the box: during its iterations and after.
  std::pair<std::string, std::string> factors(Box box) const {
    const auto& steps = c_.scale(box);
    const auto& shifts = c_.shifts(box);
    std::vector<int> turns(128, 0);
    for (std::size_t k = 0; k < c_.scaled_within(box); ++k)
      turns[static_cast<std::size_t>(std::find(shifts.begin(), shifts.end(), steps[k].shift) -
                                     shifts.begin())] = steps[k].sign < 0 ? 3 : 1;
    std::string within, after;
    for (int k = 126; k >= 0; k -= 2) within += fmt::format("{:x}", 4 * turns[k + 1] + turns[k]);
    for (std::size_t k = steps.size(); k-- > c_.scaled_within(box);)
      after += fmt::format("{:02x}", steps[k].shift | (steps[k].sign < 0 ? 0x80 : 0));
    within.erase(0, std::min(within.find_first_not_of('0'), within.size() - 1));
    return {within, after.empty() ? "0" : after};
  }

  void instances() {
    const CordicFixed& a = c_.arithmetic;
    for (std::size_t b = 0; b < d_.boxes.size(); ++b) {
      const BoxUse& u = d_.boxes[b];
      const std::string x = operand(u.x, s_.start[b]), y = operand(u.y, s_.start[b]),
                        z = operand(u.z, s_.start[b]);
      std::map<char, std::string> port;
      for (std::size_t k = 0; k < d_.signals.size(); ++k)
        if (d_.signals[k].box == static_cast<int>(b))
          port[d_.signals[k].port] = signal(static_cast<int>(k));
      const auto [within, scale] = factors(u.box);
      out_.add(
          "parid_{} #(.WORD({}), .FRACTION({}), .GUARD({}), .ITERATIONS({}), .TURNS({}), "
          ".WITHIN(256'h{}), .SCALES({}), .SCALE(512'h{}))",
          name_of(u.box), a.format.word, a.format.fraction, a.guard, c_.iterations,
          c_.shifts(u.box).size(), within, c_.scale(u.box).size() - c_.scaled_within(u.box), scale);
      out_.add(
          "  t{}(.clk(clk), .enable(enable), .load(tick), .step(step), .x0({}), .y0({}), .z0({}), "
          ".x({}), .y({}), .z({}));",
          b + 1, x, y, z, port['x'], port['y'], port['z']);
    }
  }

  void context() {
    std::vector<std::string> taken;
    for (const auto& o : d_.outputs)
      taken.push_back(fmt::format("out_{} <= {};", safe(o.name), left(o)));
    out_.open("always @(posedge clk) begin");
    out_.open("if (reset) begin");
    out_.line("step <= 0; valid <= 0; out_valid <= 0;");
    out_.close("end");
    out_.open("else if (enable) begin");
    out_.line("if (out_ready) out_valid <= 0;");
    out_.line("if (!last) step <= step + 1;");
    out_.open("if (tick) begin");
    out_.line("step <= 0;");
    out_.line("valid <= {valid, in_valid};");
    out_.line("out_valid <= valid[STAGES-1];");
    for (const std::string& t : taken) out_.line(t);
    out_.close("end");
    out_.close("end");
    out_.close("end");
  }

  const BoxDesign& d_;
  Network n_;
  const Staging& s_;
  const Cordic<CordicFixed>& c_;
  int word_, wires_ = 0;
  std::string name_;
  Lines out_;
};

// One clock to load, one for each iteration, one for each factor after the iterations.
int clocks_of(Box box, const Cordic<CordicFixed>& c) {
  return static_cast<int>(1 + c.shifts(box).size() + c.scale(box).size() - c.scaled_within(box));
}

}  // namespace

std::vector<VerilogPort> input_ports(const BoxDesign& d, int word) {
  std::vector<VerilogPort> ports;
  for (const int s : d.inputs())
    ports.push_back({safe(d.signals[s].name), d.signals[s].sign ? 1 : word});
  return ports;
}
std::vector<VerilogPort> output_ports(const BoxDesign& d, int word) {
  std::vector<VerilogPort> ports;
  for (const auto& o : d.outputs) ports.push_back({safe(o.name), word});
  return ports;
}

int clocks_per_stage(const BoxDesign& d, const Cordic<CordicFixed>& c) {
  int longest = 1;
  for (const BoxUse& u : d.boxes) longest = std::max(longest, clocks_of(u.box, c));
  return longest;
}
double utilisation(const BoxDesign& d, const Cordic<CordicFixed>& c) {
  double busy = 0;
  for (const BoxUse& u : d.boxes) busy += clocks_of(u.box, c);
  return busy / (static_cast<double>(d.boxes.size()) * clocks_per_stage(d, c));
}

std::string verilog_machine(const BoxDesign& d, const Staging& s, const Cordic<CordicFixed>& c,
                            const std::string& name) {
  return Machine(d, s, c, name).text();
}

std::string verilog_boxes_of(const BoxDesign& d) {
  std::set<Box> kinds;
  for (const BoxUse& u : d.boxes) kinds.insert(u.box);
  std::string text =
      verilog_head + std::string("// CORDIC modules: see docs/hardware.md of Parid.\n");
  for (const Box b : kinds) text += "\n" + verilog_box(b);
  return text;
}

}  // namespace parid::hardware
