// A graph of multipliers, adders and sine units, each with its own registers.

#include <fmt/format.h>

#include <algorithm>

#include "codegen/emit/lines.hpp"
#include "codegen/emit/program.hpp"
#include "hardware/verilog/verilog.hpp"
#include "hardware/verilog/verilog_parts.hpp"

namespace parid::hardware {
namespace {

class Pipeline {
 public:
  Pipeline(const ArithmeticPipeline& p, std::string name)
      : p_(p), name_(std::move(name)), node_of_(p.network.signals.size()) {
    for (Id id = 0; id < p.fixed.graph.size(); ++id)
      if (const int s = p.signal_of[id]; s >= 0) node_of_[s] = id;
  }

  std::string text() {
    head();
    lines();
    for (std::size_t op = 0; op < p_.node.size(); ++op) operation(static_cast<int>(op));
    context();
    out_.close("endmodule");
    out_.raw(verilog_unit_modules(p_, name_, p_.fixed.word, most_up_));
    return out_.text();
  }

 private:
  const Graph& g() const { return p_.fixed.graph; }
  int word(Id id) const { return p_.fixed.format[id].word; }
  int width(int s) const { return word(node_of_[s]); }
  bool is_still() const { return p_.schedule.latency == 0; }  // nothing to compute
  std::string signal(int s) const { return fmt::format("s{}", s); }

  void head() {
    out_.raw(verilog_head);
    out_.add(
        "// {} multipliers, {} adders, {} sine units{}; one sample per clock, latency {} clocks.",
        p_.multipliers, p_.adders, p_.sine_units,
        p_.dividers == 0 ? "" : fmt::format(", {} dividers", p_.dividers), p_.schedule.latency);
    verilog_ports(out_, p_, name_);
    out_.open("");
    if (!is_still()) {
      out_.add("localparam LATENCY = {};", p_.schedule.latency);
      out_.line("reg [LATENCY-1:0] valid;  // the clocks that hold a sample");
    }
    out_.line("wire go = enable && (!out_valid || out_ready);");
    out_.line("assign in_ready = go && !reset;");
    for (const Named& in : g().inputs())
      out_.add("wire signed [{}:0] {} = in_{};", word(in.id) - 1, signal(p_.signal_of[in.id]),
               identifier(in.name));
  }

  void lines() {
    for (const DelayLine& l : buffers(p_.network, p_.schedule).lines) {
      const std::string d = "d" + std::to_string(l.signal);
      if (p_.network.signals[l.signal].operation >= 0) declare(l.signal);
      // One long word, the newest value in the lowest bits.
      out_.add("reg [{}:0] {};", l.length * width(l.signal) - 1, d);
      if (l.length == 1)
        out_.add("always @(posedge clk) if (go) {} <= {};", d, signal(l.signal));
      else
        out_.add("always @(posedge clk) if (go) {0} <= {{{0}[{1}:0], {2}}};", d,
                 (l.length - 1) * width(l.signal) - 1, signal(l.signal));
    }
  }
  void declare(int s) {  // once
    if (static_cast<int>(declared_.size()) <= s) declared_.resize(s + 1, false);
    if (!declared_[s]) {
      const bool module = p_.fixed.floating.has_value() ||
                          p_.is_sine(p_.network.signals[s].operation) ||
                          p_.fixed.graph[node_of_[s]].op == Op::div;
      out_.add("{} signed [{}:0] {};", module ? "wire" : "reg", width(s) - 1, signal(s));
    }
    declared_[s] = true;
  }

  std::string at(Id id, int when) const {
    const int s = p_.signal_of[id];
    if (s < 0) return verilog_number(p_.fixed.constant[id], word(id), "sh");
    const int wait = when - p_.schedule.ready(p_.network, s);
    return wait == 0 ? signal(s)
                     : fmt::format("$signed(d{}[{} +: {}])", s, (wait - 1) * width(s), width(s));
  }

  // The wire that holds `from`, with that many fractional bits, rounded to the result's format.
  void rounded(const std::string& name, const std::string& from, int width, int right) {
    if (right <= 0)
      out_.add("wire signed [{}:0] {} = {} <<< {};", width - 1, name, from, -right);
    else
      out_.add("wire signed [{0}:0] {1} = ({2} >>> {3}) + (({2} >>> {4}) & 1);", width - 1, name,
               from, right, right - 1);
  }

  void operation(int op) {
    const Id id = p_.node[op];
    const Node& n = g()[id];
    const int when = p_.schedule.start[op];
    if (p_.is_sine(op)) {
      std::string sine, cosine;
      for (Id k = 0; k < g().size(); ++k)
        if (g()[k].op == Op::sin || g()[k].op == Op::cos)
          if (g()[k].in[0] == id) {
            declare(p_.signal_of[k]);
            (g()[k].op == Op::sin ? sine : cosine) = signal(p_.signal_of[k]);
          }
      out_.add("{}_sin_cos u{}(.clk(clk), .go(go), .angle({}), .sine({}), .cosine({}));", name_, op,
               at(id, when), sine, cosine);
      return;
    }
    const int s = p_.signal_of[id];
    declare(s);
    const FixedFormat result = p_.fixed.format[id], fa = p_.fixed.format[n.in[0]],
                      fb = n.op == Op::neg ? fa : p_.fixed.format[n.in[1]];
    const std::string a = at(n.in[0], when), b = n.op == Op::neg ? a : at(n.in[1], when);
    const std::string r = signal(s) + "_r", w = signal(s) + "_w";
    if (p_.fixed.floating) {
      const bool negated = n.op == Op::neg;
      out_.add("{}_{} u{}(.clk(clk), .go(go), .a({}), .b({}){}, .y({}));", name_,
               n.op == Op::mul   ? "product"
               : n.op == Op::div ? "quotient"
                                 : "sum",
               op, negated ? fmt::format("{}'sd0", word(id)) : a, b,
               n.op == Op::mul || n.op == Op::div
                   ? ""
                   : fmt::format(", .subtract(1'b{})", n.op == Op::sub || negated ? 1 : 0),
               signal(s));
      return;
    }
    if (n.op == Op::div) {  // all dividers are as wide as the longest word
      const int wide = p_.fixed.word, up = result.fraction - fa.fraction + fb.fraction;
      most_up_ = std::max(most_up_, up);
      out_.add("wire signed [{}:0] {}_a = {}, {}_b = {}, {};", wide - 1, w, a, w, b, w);
      out_.add("{}_quotient u{}(.clk(clk), .go(go), .a({}_a), .b({}_b), .up({}), .y({}));", name_,
               op, w, w, up, w);
      out_.add("assign {} = {}[{}:0];", signal(s), w, word(id) - 1);
      return;
    }
    if (n.op == Op::mul) {
      const int right = fa.fraction + fb.fraction - result.fraction;
      const int width = word(n.in[0]) + word(n.in[1]) + std::max(0, -right);
      out_.add("reg signed [{}:0] {};", width - 1, w);
      rounded(r, w, width, right);
      out_.add("always @(posedge clk) if (go) begin {0} <= {1} * {2}; {3} <= {4}[{5}:0]; end", w, a,
               b, signal(s), r, word(id) - 1);
      return;
    }
    const int finest = std::max(fa.fraction, fb.fraction), up_a = finest - fa.fraction,
              up_b = finest - fb.fraction, right = finest - result.fraction;
    const int wide = std::max(fa.word + up_a, fb.word + up_b) + 1 + std::max(0, -right),
              width = std::max(wide, result.word);
    out_.add("wire signed [{}:0] {}_a = {}, {}_b = {};", width - 1, w, a, w, b);
    if (n.op == Op::neg)
      out_.add("wire signed [{}:0] {} = -{}_a;", width - 1, w, w);
    else
      out_.add("wire signed [{0}:0] {1} = ({1}_a <<< {2}) {3} ({1}_b <<< {4});", width - 1, w, up_a,
               n.op == Op::add ? "+" : "-", up_b);
    rounded(r, w, width, right);
    out_.add("always @(posedge clk) if (go) {} <= {}[{}:0];", signal(s), r, word(id) - 1);
  }

  void context() {
    out_.open("always @(posedge clk) begin");
    out_.open("if (reset) begin");
    out_.line(is_still() ? "out_valid <= 0;" : "valid <= 0; out_valid <= 0;");
    out_.close("end");
    out_.open("else if (go) begin");
    if (!is_still()) out_.line("valid <= {valid, in_valid};");
    out_.add("out_valid <= {};", is_still() ? "in_valid" : "valid[LATENCY-1]");
    for (std::size_t k = 0; k < g().outputs().size(); ++k) {
      const Named& o = g().outputs()[k];
      out_.add("out_{} <= {};", identifier(o.name),
               verilog_port_value(p_.fixed, k, at(o.id, p_.schedule.latency)));
    }
    out_.close("end");
    out_.close("end");
  }

  const ArithmeticPipeline& p_;
  std::string name_;
  std::vector<Id> node_of_;  // of each signal
  int most_up_ = 0;          // of the dividers
  std::vector<bool> declared_;
  Lines out_;
};

}  // namespace

std::vector<VerilogPort> input_ports(const ArithmeticPipeline& p) {
  std::vector<VerilogPort> ports;
  const std::vector<FixedFormat> format = p.fixed.input_formats();
  for (std::size_t k = 0; k < format.size(); ++k)
    ports.push_back({identifier(p.fixed.graph.inputs()[k].name), format[k].word});
  return ports;
}
std::vector<VerilogPort> output_ports(const ArithmeticPipeline& p) {
  std::vector<VerilogPort> ports;
  const std::vector<FixedFormat> format = p.fixed.output_formats();
  for (std::size_t k = 0; k < format.size(); ++k)
    ports.push_back({identifier(p.fixed.graph.outputs()[k].name), format[k].word});
  return ports;
}

std::string verilog_pipeline(const ArithmeticPipeline& p, const std::string& name) {
  return p.is_shared() ? verilog_shared(p, name) : Pipeline(p, name).text();
}

}  // namespace parid::hardware
