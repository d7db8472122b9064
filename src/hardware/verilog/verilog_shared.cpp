// A graph on shared units: units, registers, and the microcode that selects operands.
//
// The controller counts clocks modulo the interval. Each unit has a table with one word per clock,
// read one clock ahead, whose fields select its operands and their shifts: values keep their own
// formats, so the binary point of a sum or product moves from one operation to the next.

#include <algorithm>
#include <bit>
#include <map>

#include "codegen/emit/program.hpp"
#include "hardware/verilog/verilog_microcode.hpp"

namespace parid::hardware {
namespace {

int bits_for(unsigned largest) { return std::bit_width(largest); }

// One operand of a unit: its sources, and the selected source at each clock.
struct Operand {
  std::vector<std::string> from;

  int index(const std::string& source) {
    const auto at = std::find(from.begin(), from.end(), source);
    if (at == from.end()) from.push_back(source);
    return static_cast<int>(std::find(from.begin(), from.end(), source) - from.begin());
  }
  bool reads(const std::string& source) const {
    return std::find(from.begin(), from.end(), source) != from.end();
  }
  int bits() const { return bits_for(static_cast<unsigned>(from.size()) - 1); }
};

class Shared {
 public:
  Shared(const ArithmeticPipeline& p, std::string name)
      : p_(p),
        b_(p.binding),
        interval_(p.interval),
        word_(p.fixed.word),
        phase_bits_(std::max(1, bits_for(static_cast<unsigned>(p.interval - 1)))),
        name_(std::move(name)) {}

  std::string text() {
    head();
    registers();
    for (const Unit kind : {Unit::multiplier, Unit::adder, Unit::sine, Unit::divider})
      for (int k = 0; k < p_.built(kind); ++k) unit(kind, k);
    context();
    out_.close("endmodule");
    out_.raw(verilog_unit_modules(p_, name_, word_, most_divider_up()));
    return out_.text();
  }

 private:
  const Graph& g() const { return p_.fixed.graph; }
  std::string phase(int clock) const { return verilog_number(clock % interval_, phase_bits_); }
  static std::string unit_name(Unit kind, int k) {
    return std::string(1, "mawq"[static_cast<std::size_t>(kind)]) + std::to_string(k);
  }

  // ---- locations of values ----

  std::string output_of(int signal) const {
    const int op = p_.network.signals[signal].operation;
    if (op < 0) return "in_" + identifier(p_.network.signals[signal].name);
    const std::string unit = unit_name(p_.unit_of(op), b_.unit[op]);
    if (!p_.is_sine(op)) return unit;
    return unit + (p_.network.signals[signal].name == "sin" ? "_sine" : "_cosine");
  }
  std::string source(int signal, int when) const {
    const int place = b_.at(signal, when - p_.schedule.ready(p_.network, signal), interval_);
    return place < 0 ? output_of(signal) : "r" + std::to_string(place);
  }

  // ---- parts ----

  void head() {
    out_.raw(verilog_head);
    out_.add("// {} multipliers, {} adders, {} sine units, {} dividers and {} registers, shared;",
             p_.multipliers, p_.adders, p_.sine_units, p_.dividers, p_.registers);
    out_.add("// a sample every {} clocks, latency {} clocks.", interval_, p_.schedule.latency);
    verilog_ports(out_, p_, name_);
    out_.open("");
    const int last = (p_.schedule.latency - 1) / interval_;
    out_.add("reg [{}:0] phase;", phase_bits_ - 1);
    out_.add("reg [{}:0] valid;  // the intervals that hold a sample", last);
    out_.add("wire ending = phase == {} && valid[{}];  // a result is ready",
             phase(p_.schedule.latency), last);
    out_.line("wire blocked = ending && out_valid && !out_ready;");
    out_.add("wire open = phase == {};", phase(0));
    out_.line("wire idle = open && !in_valid && valid == 0;  // waits for a sample");
    out_.line("wire go = enable && !blocked && !idle;");
    out_.line("assign in_ready = enable && !reset && open && !blocked;");
    out_.add("wire [{0}:0] next = reset || phase == {1} ? {2} : phase + {3}'d1;", phase_bits_ - 1,
             phase(interval_ - 1), phase(0), phase_bits_);
  }

  void registers() {
    // The writers of each register, with their clocks.
    std::vector<std::map<std::string, std::vector<int>>> writes(
        static_cast<std::size_t>(b_.registers));
    for (std::size_t s = 0; s < b_.place.size(); ++s) {
      const int signal = static_cast<int>(s), ready = p_.schedule.ready(p_.network, signal);
      for (std::size_t k = 0; k < b_.place[s].size(); ++k)
        writes[b_.place[s][k]][source(signal, ready + static_cast<int>(k) * interval_)].push_back(
            ready % interval_);
    }
    for (std::size_t r = 0; r < writes.size(); ++r)
      out_.add("reg signed [{}:0] r{};", word_ - 1, r);
    for (const Unit kind : {Unit::multiplier, Unit::adder, Unit::divider})
      for (int k = 0; k < p_.built(kind); ++k)
        out_.add("{} signed [{}:0] {};",
                 kind == Unit::divider || p_.fixed.floating ? "wire" : "reg", word_ - 1,
                 unit_name(kind, k));
    for (int k = 0; k < p_.sine_units; ++k)
      out_.add("wire signed [{}:0] {}_sine, {}_cosine;",
               (p_.fixed.floating ? word_ : p_.fixed.sin_cos.word) - 1, unit_name(Unit::sine, k),
               unit_name(Unit::sine, k));
    out_.open("always @(posedge clk) if (go) begin");
    for (std::size_t r = 0; r < writes.size(); ++r) {
      out_.open("case (phase)");
      for (const auto& [from, clocks] : writes[r]) {
        std::vector<std::string> when;
        for (const int c : clocks) when.push_back(phase(c));
        out_.add("{}: r{} <= {};", fmt::join(when, ", "), r, from);
      }
      out_.line("default: ;");
      out_.close("endcase");
    }
    out_.close("end");
  }

  struct Task {  // one operation of a unit
    int op;
    Id a, b;
    int up_a, up_b, right;
    bool minus;
  };
  std::vector<Task> tasks(Unit kind, int k) const {
    std::vector<Task> all;
    for (int op = 0; op < static_cast<int>(p_.node.size()); ++op) {
      if (p_.unit_of(op) != kind || b_.unit[op] != k) continue;
      const Id id = p_.node[op];
      const Node& n = g()[id];
      Task t{op, n.in[0], n.in[1], 0, 0, 0, n.op == Op::sub || n.op == Op::neg};
      if (kind == Unit::sine) {
        t.a = t.b = id;
      } else {
        if (n.op == Op::neg) t.b = t.a;  // 0 − a: readers check the operation
        const int fa = p_.fixed.format[t.a].fraction, fb = p_.fixed.format[t.b].fraction,
                  result = p_.fixed.format[id].fraction, finest = std::max(fa, fb);
        if (kind == Unit::adder) {
          t.up_a = finest - fa;
          t.up_b = finest - fb;
        }
        t.right = (kind == Unit::adder ? finest : fa + fb) - result;
        if (kind == Unit::divider) {
          t.up_a = result - fa + fb;
          t.right = 1;  // not shifted afterwards
        }
        if (p_.fixed.floating) t.up_a = t.up_b = 0;
      }
      all.push_back(t);
    }
    std::sort(all.begin(), all.end(), [&](const Task& x, const Task& y) {
      return p_.schedule.start[x.op] % interval_ < p_.schedule.start[y.op] % interval_;
    });
    return all;
  }

  int most_divider_up() const {
    int most = 1;
    for (int k = 0; k < p_.dividers; ++k)
      for (const Task& t : tasks(Unit::divider, k)) most = std::max(most, t.up_a);
    return most;
  }

  std::string read(Id id, int when) const {
    return p_.signal_of[id] < 0 ? "constant" : source(p_.signal_of[id], when);
  }
  std::string shown(Id id) const {
    const int s = p_.signal_of[id];
    return s < 0 ? fmt::format("{:.4g}", g()[id].value()) : fmt::format("s{}", s);
  }

  void unit(Unit kind, int k) {
    const std::string u = unit_name(kind, k);
    std::vector<Task> all = tasks(kind, k);
    Microcode code(u, interval_);
    Operand a, b;
    std::map<std::string, int> width;
    int lift = 0, most_up = 0, most_down = 0;
    for (const Task& t : all) {
      lift = std::max(lift, 1 - t.right);
      most_up = std::max({most_up, t.up_a, t.up_b});
    }
    for (Task& t : all) {
      const int when = p_.schedule.start[t.op];
      const Op op = g()[p_.node[t.op]].op;
      const std::string zero = fmt::format("{}'sd0", word_);
      std::string from_a = op == Op::neg && kind != Unit::sine ? zero : read(t.a, when),
                  from_b = read(t.b, when);
      // Swaps operands of sums and products if that needs fewer wires.
      auto fresh = [&](const std::string& x, const std::string& y) {
        return (a.reads(x) ? 0 : 1) + (b.reads(y) ? 0 : 1) + (x == "constant" ? 2 : 0);
      };
      if ((kind == Unit::multiplier || kind == Unit::adder) && !t.minus &&
          fresh(from_b, from_a) < fresh(from_a, from_b)) {
        std::swap(from_a, from_b);
        std::swap(t.a, t.b);
        std::swap(t.up_a, t.up_b);
      }
      code.set("a_from", when, a.index(from_a));
      if (from_a == "constant") code.set("a_constant", when, p_.fixed.constant[t.a]);
      if (kind == Unit::sine) {
        code.say(when, fmt::format("sine and cosine of {}", shown(t.a)));
        continue;
      }
      code.set("b_from", when, b.index(from_b));
      if (from_b == "constant") code.set("b_constant", when, p_.fixed.constant[t.b]);
      const bool moves = !p_.fixed.floating && kind != Unit::divider;  // the binary point
      const int down = t.right - 1 + lift;
      most_down = std::max(most_down, down);
      // A product is rounded one clock after it is computed.
      if (moves) code.set("down", when + (kind == Unit::multiplier ? 1 : 0), down);
      if (kind == Unit::divider && !p_.fixed.floating) code.set("a_up", when, t.up_a);
      if (kind == Unit::adder) {
        if (moves) code.set("a_up", when, t.up_a);
        if (moves) code.set("b_up", when, t.up_b);
        code.set("minus", when, t.minus);
      }
      code.say(when, fmt::format("s{} = {} {} {}", p_.signal_of[p_.node[t.op]],
                                 op == Op::neg ? "0" : shown(t.a),
                                 op == Op::mul   ? "*"
                                 : op == Op::div ? "/"
                                 : t.minus       ? "-"
                                                 : "+",
                                 shown(t.b)));
    }
    width["a_from"] = a.bits();
    width["a_constant"] = width["b_constant"] = word_;
    if (kind != Unit::sine) width["b_from"] = b.bits();
    width["a_up"] = width["b_up"] = bits_for(static_cast<unsigned>(most_up));
    width["down"] = bits_for(static_cast<unsigned>(most_down));
    width["minus"] = 1;
    out_.blank();
    code.write(out_, width, phase_bits_);
    choice(u, "a", a);
    if (kind == Unit::sine) {
      out_.add(
          "{}_sin_cos {}(.clk(clk), .go(go), .angle({}_a), .sine({}_sine), "
          ".cosine({}_cosine));",
          name_, u, u, u, u);
      return;
    }
    choice(u, "b", b);
    if (p_.fixed.floating || kind == Unit::divider)
      module_unit(u, kind, width["a_up"]);
    else if (kind == Unit::multiplier)
      multiplier(u, lift, width["down"]);
    else
      adder(u, lift, most_up, width["a_up"], width["down"]);
  }

  // The operand of that name, selected from its sources.
  void choice(const std::string& u, const std::string& port, const Operand& o) {
    auto source = [&](std::size_t k) {
      return o.from[k] == "constant" ? fmt::format("$signed({}_{}_constant)", u, port) : o.from[k];
    };
    if (o.from.size() == 1) {
      out_.add("wire signed [{}:0] {}_{} = {};", word_ - 1, u, port, source(0));
      return;
    }
    out_.add("reg signed [{}:0] {}_{};", word_ - 1, u, port);
    out_.open("always @* case ({}_{}_from)", u, port);
    for (std::size_t k = 0; k + 1 < o.from.size(); ++k)
      out_.add("{}: {}_{} = {};", verilog_number(static_cast<long>(k), o.bits()), u, port,
               source(k));
    out_.add("default: {}_{} = {};", u, port, source(o.from.size() - 1));
    out_.close("endcase");
  }

  // `exact` shifted down and rounded: ((x >> (right − 1)) + 1) >> 1.
  void rounded(const std::string& u, const std::string& exact, int width, int down_bits) {
    const int wide = std::max(width, word_ + 1);
    out_.add("wire signed [{}:0] {}_exact = {};", wide - 1, u, exact);
    out_.add("wire signed [{}:0] {}_low = {}_exact{};", wide - 1, u, u,
             down_bits ? fmt::format(" >>> {}_down", u) : "");
    out_.add("wire [{0}:0] {1}_round = {1}_low[{0}:0] + {2}'d1;", word_, u, word_ + 1);
  }

  void multiplier(const std::string& u, int lift, int down_bits) {
    out_.add("reg signed [{}:0] {}_product;", 2 * word_ - 1, u);
    rounded(u, lift ? fmt::format("{{{}_product, {}'d0}}", u, lift) : u + "_product",
            2 * word_ + lift, down_bits);
    out_.open("always @(posedge clk) if (go) begin");
    out_.add("{0}_product <= {0}_a * {0}_b;", u);
    out_.add("{0} <= {0}_round[{1}:1];", u, word_);
    out_.close("end");
  }

  void module_unit(const std::string& u, Unit kind, int up_bits) {
    const bool sum = kind == Unit::adder;
    out_.add("{}_{} {}_unit(.clk(clk), .go(go), .a({}_a), .b({}_b){}, .y({}));", name_,
             sum                        ? "sum"
             : kind == Unit::multiplier ? "product"
                                        : "quotient",
             u, u, u,
             sum ? fmt::format(", .subtract({}_minus)", u)
             : p_.fixed.floating || kind == Unit::multiplier ? ""
             : up_bits > 0                                   ? fmt::format(", .up({}_a_up)", u)
                                                             : ", .up(0)",
             u);
  }

  void adder(const std::string& u, int lift, int most_up, int up_bits, int down_bits) {
    const int wide = word_ + most_up + 1;
    for (const char* port : {"a", "b"}) {
      out_.add("wire signed [{}:0] {}_{}_wide = {}_{};", wide - 1, u, port, u, port);
      out_.add("wire signed [{0}:0] {1}_{2}_in = {1}_{2}_wide{3};", wide - 1, u, port,
               up_bits ? fmt::format(" <<< {}_{}_up", u, port) : "");
    }
    out_.add("wire signed [{0}:0] {1}_sum = {1}_minus ? {1}_a_in - {1}_b_in : {1}_a_in + {1}_b_in;",
             wide - 1, u);
    rounded(u, lift ? fmt::format("{{{}_sum, {}'d0}}", u, lift) : u + "_sum", wide + lift,
            down_bits);
    out_.add("always @(posedge clk) if (go) {0} <= {0}_round[{1}:1];", u, word_);
  }

  void context() {
    out_.blank();
    const int last = (p_.schedule.latency - 1) / interval_;
    out_.open("always @(posedge clk) begin");
    out_.open("if (reset) begin");
    out_.add("phase <= {}; valid <= 0; out_valid <= 0;", phase(0));
    out_.close("end");
    out_.open("else if (enable) begin");
    out_.line("if (out_ready) out_valid <= 0;");
    out_.open("if (go) begin");
    out_.line("phase <= next;");
    if (last == 0)
      out_.line("if (open) valid <= in_valid;");
    else
      out_.add("if (open) valid <= {{valid[{}:0], in_valid}};", last - 1);
    out_.open("if (ending) begin");
    out_.line("out_valid <= 1;");
    for (std::size_t k = 0; k < g().outputs().size(); ++k) {
      const Named& o = g().outputs()[k];
      out_.add("out_{} <= {};", identifier(o.name),
               verilog_port_value(p_.fixed, k,
                                  p_.signal_of[o.id] < 0
                                      ? verilog_number(p_.fixed.constant[o.id], word_, "sh")
                                      : source(p_.signal_of[o.id], p_.schedule.latency)));
    }
    out_.close("end");
    out_.close("end");
    out_.close("end");
    out_.close("end");
  }

  const ArithmeticPipeline& p_;
  const Binding& b_;
  int interval_, word_, phase_bits_;
  std::string name_;
  Lines out_;
};

}  // namespace

std::string verilog_shared(const ArithmeticPipeline& p, const std::string& name) {
  return Shared(p, name).text();
}

}  // namespace parid::hardware
