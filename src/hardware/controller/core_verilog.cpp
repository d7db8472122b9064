// A controller core as Verilog: streams, units with their microcode, registers, histories, the
// status word and the register map.
//
// The phase counts clocks modulo the interval, and `valid` has a bit for every interval that holds
// a sample. All units stop together while a result waits for its receiver, or while the clock that
// reads the measurement finds none.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "codegen/emit/program.hpp"
#include "hardware/controller/controller_core.hpp"
#include "hardware/verilog/verilog_microcode.hpp"

namespace parid::hardware {
namespace {

int bits_of(unsigned largest) { return std::bit_width(largest); }

// The sources of one port of a unit; Microcode has the index of the selected one.
struct PortSources {
  std::vector<std::string> from;
  int index(const std::string& source) {
    const auto at = std::find(from.begin(), from.end(), source);
    const auto k = at - from.begin();
    if (at == from.end()) from.push_back(source);
    return static_cast<int>(k);
  }
  int bits() const { return from.empty() ? 0 : bits_of(static_cast<unsigned>(from.size()) - 1); }
};

class CoreText {
 public:
  explicit CoreText(const ControllerCore& core)
      : core_(core),
        p_(core.program),
        t_(core.timing),
        word_(p_.word),
        interval_(t_.interval),
        phase_bits_(std::max(1, bits_of(static_cast<unsigned>(interval_ - 1)))),
        last_((t_.latency() - 1) / interval_),
        lane_(8 * core_lane(core)) {}

  std::string text() {
    head();
    control();
    bank_words();
    storage();
    for (int u = 0; u <= static_cast<int>(CoreUnit::turner); ++u)
      for (int k = 0; k < t_.built[static_cast<std::size_t>(u)]; ++k)
        unit(static_cast<CoreUnit>(u), k);
    histories();
    status();
    bank();
    results();
    out_.close("endmodule");
    parts();
    return out_.text();
  }

 private:
  std::string phase(int clock) const { return verilog_number(clock % interval_, phase_bits_); }
  int start(std::size_t op) const { return t_.staging.start[op]; }
  // Whether the sample that is at its clock `when` exists.
  std::string valid_at(int when) const {
    return when == 0 ? "taken" : fmt::format("valid[{}]", (when - 1) / interval_);
  }
  std::string at_clock(int when) const {
    return interval_ == 1 ? "1'b1" : fmt::format("phase == {}", phase(when));
  }
  static std::string unit_name(CoreUnit u, int k) {
    static constexpr const char* names[] = {"m",  "a",  "w",  "ca",  "cb",  "la",
                                            "lb", "ha", "hb", "lim", "turn"};
    return names[static_cast<std::size_t>(u)] + std::to_string(k);
  }
  std::string module(const char* part) const { return core_.name + "_" + part; }

  // ---- locations of values

  std::string output_of(int signal) const {
    const CoreSignal& s = p_.signals[static_cast<std::size_t>(signal)];
    if (s.operation < 0) return fmt::format("set_{}", s.port);
    const auto op = static_cast<std::size_t>(s.operation);
    const CoreUnit u = p_.operations[op].unit;
    if (u == CoreUnit::history) return fmt::format("hist{}", op);
    if (u == CoreUnit::measure) return fmt::format("measured_{}", s.port);
    const std::string name = unit_name(u, t_.binding.unit[op]);
    if (u == CoreUnit::sine) return name + (s.port == 0 ? "_sine" : "_cosine");
    if (is_box(u)) return name + "_" + "xyz"[s.port];
    return name;
  }
  std::string source(int signal, int when) const {
    const int wait = when - t_.staging.ready(t_.network, signal);
    const int place = t_.binding.at(signal, wait, interval_);
    return place < 0 ? output_of(signal) : "r" + std::to_string(place);
  }
  std::string source(const CoreOperand& o, int when) const {
    if (o.from == CoreOperand::From::signal) return source(o.index, when);
    if (o.from == CoreOperand::From::bank) return p_.bank[static_cast<std::size_t>(o.index)].name;
    return "constant";
  }

  // ---- parts of the module

  void head() {
    out_.raw(verilog_head);
    const CoreOptions& o = core_.options;
    out_.add("// {}: law {}, set points: {}, {} samples per second, filters over {} sample{}.",
             core_.name, o.law, name_of(*o.setpoint), o.rate, o.window, o.window == 1 ? "" : "s");
    out_.add(
        "// A sample every {} clock{}; torques {} clocks after the set point and {} after the "
        "measurement.",
        interval_, interval_ == 1 ? "" : "s", core_.clocks(), core_.feedback_clocks());
    out_.add("// Words of {} bits in lanes of {}, the first lane lowest; fraction bits:", word_,
             lane_);
    for (std::size_t k = 0; k < core_.setpoint_names.size(); ++k)
      out_.add("//   setpoint {}  {}: {}", k, comment_line(core_.setpoint_names[k]),
               core_.setpoint_format[k].fraction);
    for (std::size_t j = 0; j < core_.n(); ++j)
      out_.add("//   measured and torque {}  {}: {} and {}", j, comment_line(core_.joints[j].name),
               p_.measured[j].fraction, p_.torque[j].format.fraction);
    out_.line("// Status (torque_tuser): 0 saturated, 1 unreachable, 2 late, 3 limited.");
    out_.open("module {} (", core_.name);
    out_.line("input aclk, input aresetn,");
    out_.add("input setpoint_tvalid, output setpoint_tready, input [{}:0] setpoint_tdata,",
             lane_ * static_cast<int>(p_.setpoint.size()) - 1);
    out_.add("input measured_tvalid, output measured_tready, input [{}:0] measured_tdata,",
             lane_ * static_cast<int>(core_.n()) - 1);
    out_.add("output reg torque_tvalid, input torque_tready, output reg [{}:0] torque_tdata,",
             lane_ * static_cast<int>(core_.n()) - 1);
    out_.add("output reg [{}:0] torque_tuser,", core_flags - 1);
    out_.line("input psel, input penable, input pwrite, input [11:0] paddr, input [31:0] pwdata,");
    out_.line("output reg [31:0] prdata, output pready, output reg pslverr");
    out_.close(");");
    out_.open("");
    out_.line("wire clk = aclk;");
    for (std::size_t k = 0; k < p_.setpoint.size(); ++k)
      out_.add("wire signed [{}:0] set_{} = setpoint_tdata[{} +: {}];", word_ - 1, k,
               static_cast<int>(k) * lane_, word_);
    for (std::size_t j = 0; j < core_.n(); ++j)
      out_.add("reg signed [{}:0] measured_{};", word_ - 1, j);
  }

  void control() {
    out_.add("reg [{}:0] phase;", phase_bits_ - 1);
    out_.add("reg [{}:0] valid;  // the intervals that hold a sample", last_);
    out_.add("wire open = {};", at_clock(0));
    out_.add("wire ending = {} && valid[{}];  // a result is ready", at_clock(t_.latency()), last_);
    out_.line("wire blocked = ending && torque_tvalid && !torque_tready;");
    const int m = t_.measured_at;
    out_.add("wire measuring = {} && {};  // the measurement is read", at_clock(m),
             m == 0 ? "setpoint_tvalid" : valid_at(m));
    out_.line("wire starved = measuring && !measured_tvalid;");
    out_.line("wire idle = open && !setpoint_tvalid && valid == 0;  // waits for a sample");
    out_.line("wire go = aresetn && !blocked && !starved && !idle;");
    out_.line("assign setpoint_tready = aresetn && open && !blocked && !starved;");
    out_.line("assign measured_tready = aresetn && measuring && !blocked;");
    out_.line("wire taken = setpoint_tvalid && setpoint_tready;");
    out_.add("wire [{0}:0] next = !aresetn || phase == {1} ? {2} : phase + {3}'d1;",
             phase_bits_ - 1, phase(interval_ - 1), phase(0), phase_bits_);
    out_.line("wire reset = !aresetn;");
  }

  void bank_words() {
    out_.blank();
    out_.line("reg [2:0] branch;  // signs of the inverse kinematics: arm, elbow, wrist");
    out_.line("reg [31:0] deadline, samples, delay;");
    out_.add("reg [{}:0] sticky;", core_flags - 1);
    for (const CoreRegister& r : p_.bank) out_.add("reg signed [{}:0] {};", word_ - 1, r.name);
  }

  void bank() {
    out_.blank();
    out_.line("assign pready = 1'b1;");
    out_.line("wire writing = psel && penable && pwrite;");
    const int down = std::max(0, word_ - 32);
    out_.open("always @* begin");
    out_.line("prdata = 32'd0; pslverr = 1'b0;");
    out_.open("case (paddr)");
    out_.add("12'h000: prdata = 32'h{:08x};", 0x50430000U | core_.n());
    out_.add("12'h004: prdata = {{{}'d0, sticky}};", 32 - core_flags);
    out_.line("12'h008: prdata = {29'd0, branch};");
    out_.line("12'h00c: prdata = deadline;");
    out_.line("12'h010: prdata = samples;");
    out_.line("12'h014: prdata = delay;");
    for (const CoreRegister& r : p_.bank) {
      const std::string value = down ? fmt::format("{}[{}:{}]", r.name, word_ - 1, down) : r.name;
      out_.add("12'h{:03x}: begin prdata = {}; pslverr = psel && pwrite && pwdata > 32'd{}; end",
               r.address, value, static_cast<long>(r.largest >> down));
    }
    out_.line("default: pslverr = psel;");
    out_.close("endcase");
    out_.close("end");
    out_.open("always @(posedge clk) begin");
    out_.open("if (reset) begin");
    out_.add("branch <= 3'd{}; deadline <= 32'd0; samples <= 32'd0; sticky <= {}'d0;", p_.branch,
             core_flags);
    for (const CoreRegister& r : p_.bank)
      out_.add("{} <= {};", r.name, verilog_number(r.initial, word_, "sh"));
    out_.close("end");
    out_.open("else begin");
    out_.line("if (go && ending) samples <= samples + 32'd1;");
    out_.add("sticky <= (writing && paddr == 12'h004 ? sticky & ~pwdata[{}:0] : sticky) |",
             core_flags - 1);
    out_.add("          (go && ending ? outgoing : {}'d0);", core_flags);
    out_.open("if (writing && !pslverr) case (paddr)");
    out_.line("12'h008: branch <= pwdata[2:0];");
    out_.line("12'h00c: deadline <= pwdata;");
    for (const CoreRegister& r : p_.bank)
      out_.add(
          "12'h{:03x}: {} <= {};", r.address, r.name,
          down ? fmt::format("{{pwdata, {}'d0}}", down) : fmt::format("pwdata[{}:0]", word_ - 1));
    out_.line("default: ;");
    out_.close("endcase");
    out_.close("end");
    out_.close("end");
  }

  // Registers of values that wait, and the units' outputs.
  void storage() {
    const Binding& b = t_.binding;
    std::vector<std::map<std::string, std::set<int>>> writes(static_cast<std::size_t>(b.registers));
    for (std::size_t s = 0; s < b.place.size(); ++s) {
      const int signal = static_cast<int>(s), ready = t_.staging.ready(t_.network, signal);
      for (std::size_t k = 0; k < b.place[s].size(); ++k)
        writes[static_cast<std::size_t>(b.place[s][k])]
              [source(signal, ready + static_cast<int>(k) * interval_)]
                  .insert(ready % interval_);
    }
    out_.blank();
    for (std::size_t r = 0; r < writes.size(); ++r)
      out_.add("reg signed [{}:0] r{};", word_ - 1, r);
    for (int u = 0; u <= static_cast<int>(CoreUnit::turner); ++u)
      for (int k = 0; k < t_.built[static_cast<std::size_t>(u)]; ++k) {
        const CoreUnit kind = static_cast<CoreUnit>(u);
        const std::string name = unit_name(kind, k);
        if (kind == CoreUnit::sine)
          out_.add("wire signed [{0}:0] {1}_sine, {1}_cosine;", word_ - 1, name);
        else if (is_box(kind))
          out_.add("wire signed [{0}:0] {1}_x, {1}_y, {1}_z;", word_ - 1, name);
        else
          out_.add("reg signed [{}:0] {};", word_ - 1, name);
      }
    for (std::size_t op = 0; op < p_.operations.size(); ++op)
      if (p_.operations[op].unit == CoreUnit::history)
        out_.add("reg signed [{}:0] hist{};", word_ - 1, op);
    out_.open("always @(posedge clk) if (go) begin");
    for (std::size_t r = 0; r < writes.size(); ++r) {
      if (interval_ == 1) {
        for (const auto& [from, clocks] : writes[r]) out_.add("r{} <= {};", r, from);
        continue;
      }
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

  // ---- units

  // Binary points of a multiplier's, adder's or limiter's operation.
  struct Shifts {
    int up_a = 0, up_b = 0, right = 0;
  };
  static Shifts shifts_of(const CoreOperation& o) {
    const int fa = o.in[0].format.fraction, fb = o.in.size() > 1 ? o.in[1].format.fraction : fa;
    if (o.unit == CoreUnit::multiplier) return {0, 0, fa + fb - o.out.fraction};
    const int finest = std::max(fa, fb);
    return {finest - fa, finest - fb, finest - o.out.fraction};
  }

  void unit(CoreUnit kind, int k) {
    std::vector<std::size_t> tasks;
    for (std::size_t op = 0; op < p_.operations.size(); ++op)
      if (p_.operations[op].unit == kind && t_.binding.unit[op] == k) tasks.push_back(op);
    std::sort(tasks.begin(), tasks.end(), [&](std::size_t x, std::size_t y) {
      return start(x) % interval_ < start(y) % interval_;
    });
    const std::string u = unit_name(kind, k);
    Microcode code(u, interval_);
    std::map<std::string, int> width;
    std::array<PortSources, 3> port;
    PortSources high, low;
    int lift = 0, most_up = 0, most_down = 0;
    const bool sums = kind == CoreUnit::adder || kind == CoreUnit::limiter,
               rounds = sums || kind == CoreUnit::multiplier;
    if (rounds)
      for (const std::size_t op : tasks) {
        const Shifts s = shifts_of(p_.operations[op]);
        lift = std::max(lift, 1 - s.right);
        most_up = std::max({most_up, s.up_a, s.up_b});
      }
    const auto zero = fmt::format("{}'sd0", word_);
    std::array<bool, 3> turned{};  // ports with operands whose signs change
    for (const std::size_t op : tasks)
      for (std::size_t i = 0; i < p_.operations[op].in.size(); ++i)
        turned[i] |= p_.operations[op].in[i].negated || p_.operations[op].in[i].signs != 0;
    for (const std::size_t op : tasks) {
      const CoreOperation& o = p_.operations[op];
      const int when = start(op);
      for (std::size_t i = 0; i < 3; ++i) {
        const std::string letter(1, "abc"[i]);
        if (i >= o.in.size()) {
          if (i == 1 && sums) code.set("b_from", when, port[1].index(zero));
          continue;
        }
        const CoreOperand& in = o.in[i];
        const std::string from = source(in, when);
        code.set(letter + "_from", when, port[i].index(from));
        if (from == "constant") code.set(letter + "_constant", when, in.constant);
        if (turned[i]) {
          code.set(letter + "_minus", when, in.negated);
          code.set(letter + "_signs", when, in.signs);
        }
      }
      if (rounds) {
        const Shifts s = shifts_of(o);
        const int down = s.right - 1 + lift;
        most_down = std::max(most_down, down);
        code.set("down", when + (kind == CoreUnit::multiplier ? 1 : 0), down);
        if (sums) {
          code.set("a_up", when, s.up_a);
          code.set("b_up", when, s.up_b);
          code.set("minus", when, o.op == Op::sub);
        }
      }
      if (kind == CoreUnit::limiter) {
        const std::string bound =
            o.limit < 0 ? "constant" : p_.bank[static_cast<std::size_t>(o.limit)].name;
        code.set("h_from", when + 1, high.index(bound));
        low.index(o.limit < 0 ? "constant" : "-" + bound);
        if (o.limit < 0) {
          code.set("h_constant", when + 1, o.high);
          code.set("l_constant", when + 1, o.low);
        }
      }
      if (kind == CoreUnit::turner) {
        code.set("offset", when, o.offset);
        code.set("middle", when + 2, o.middle);
      }
    }
    for (const char* letter : {"a", "b", "c"}) {
      width[std::string(letter) + "_constant"] = word_;
      width[std::string(letter) + "_minus"] = 1;
      width[std::string(letter) + "_signs"] = 3;
    }
    width["a_from"] = port[0].bits();
    width["b_from"] = port[1].bits();
    width["c_from"] = port[2].bits();
    width["h_from"] = high.bits();
    width["h_constant"] = width["l_constant"] = width["offset"] = width["middle"] = word_;
    width["a_up"] = width["b_up"] = bits_of(static_cast<unsigned>(most_up));
    width["down"] = bits_of(static_cast<unsigned>(most_down));
    width["minus"] = 1;
    out_.blank();
    code.write(out_, width, phase_bits_);
    for (std::size_t i = 0; i < 3; ++i)
      if (!port[i].from.empty()) {
        choice(u, std::string(1, "abc"[i]), port[i], fmt::format("{}_{}_from", u, "abc"[i]));
        signed_operand(u, "abc"[i], turned[i]);
      }
    switch (kind) {
      case CoreUnit::multiplier: multiplier(u, lift, width["down"]); break;
      case CoreUnit::adder: adder(u, lift, most_up, width["a_up"], width["down"]); break;
      case CoreUnit::limiter:
        choice(u, "h", high, u + "_h_from");
        choice(u, "l", low, u + "_h_from");
        limiter(u, lift, most_up, width["a_up"], width["down"]);
        break;
      case CoreUnit::sine:
        out_.add(
            "{0} {1}(.clk(clk), .go(go), .angle({1}_a_in), .sine({1}_sine), "
            ".cosine({1}_cosine));",
            module("sin_cos"), u);
        break;
      case CoreUnit::turner: turner(u, p_.operations[tasks.front()]); break;
      default:
        out_.add(
            "{0} {1}(.clk(clk), .go(go), .x0({1}_a_in), .y0({1}_b_in), .z0({1}_c_in), "
            ".x1({1}_x), .y1({1}_y), .z1({1}_z));",
            module(name_of(box_of(kind))), u);
    }
  }

  void choice(const std::string& u, const std::string& port, const PortSources& s,
              const std::string& from) {
    const auto value = [&](std::size_t k) {
      return s.from[k] == "constant" ? fmt::format("$signed({}_{}_constant)", u, port) : s.from[k];
    };
    if (s.from.size() == 1) {
      out_.add("wire signed [{}:0] {}_{} = {};", word_ - 1, u, port, value(0));
      return;
    }
    out_.add("reg signed [{}:0] {}_{};", word_ - 1, u, port);
    out_.open("always @* case ({})", from);
    for (std::size_t k = 0; k + 1 < s.from.size(); ++k)
      out_.add("{}: {}_{} = {};", verilog_number(static_cast<long>(k), s.bits()), u, port,
               value(k));
    out_.add("default: {}_{} = {};", u, port, value(s.from.size() - 1));
    out_.close("endcase");
  }

  // −(least word) does not fit and becomes the largest.
  void signed_operand(const std::string& u, char letter, bool turned) {
    if (!turned) {
      out_.add("wire signed [{0}:0] {1}_{2}_in = {1}_{2};", word_ - 1, u, letter);
      return;
    }
    out_.add("wire {0}_{1}_turn = {0}_{1}_minus ^ (^({0}_{1}_signs & branch));", u, letter);
    out_.add(
        "wire signed [{2}:0] {0}_{1}_in = !{0}_{1}_turn ? {0}_{1} : {0}_{1} == {{1'b1, "
        "{{{2}{{1'b0}}}}}} ? ~{0}_{1} : -{0}_{1};",
        u, letter, word_ - 1);
  }

  // `exact` shifted down, with one bit more than the result to round with.
  void lowered(const std::string& u, const std::string& exact, int wide, int down_bits) {
    out_.add("wire signed [{}:0] {}_exact = {};", wide - 1, u, exact);
    out_.add("wire signed [{}:0] {}_low = {}_exact{};", wide - 1, u, u,
             down_bits ? fmt::format(" >>> {}_down", u) : "");
  }

  void multiplier(const std::string& u, int lift, int down_bits) {
    out_.add("reg signed [{}:0] {}_product;", 2 * word_ - 1, u);
    lowered(u, lift ? fmt::format("{{{}_product, {}'d0}}", u, lift) : u + "_product",
            2 * word_ + lift, down_bits);
    out_.add("wire [{0}:0] {1}_round = {1}_low[{0}:0] + {2}'d1;", word_, u, word_ + 1);
    out_.open("always @(posedge clk) if (go) begin");
    out_.add("{0}_product <= {0}_a_in * {0}_b_in;", u);
    out_.add("{0} <= {0}_round[{1}:1];", u, word_);
    out_.close("end");
  }

  int sum(const std::string& u, int lift, int most_up, int up_bits, int down_bits) {
    const int wide = word_ + most_up + 1;
    for (const char* port : {"a", "b"}) {
      out_.add("wire signed [{}:0] {}_{}_wide = {}_{}_in;", wide - 1, u, port, u, port);
      out_.add("wire signed [{0}:0] {1}_{2}_up_in = {1}_{2}_wide{3};", wide - 1, u, port,
               up_bits ? fmt::format(" <<< {}_{}_up", u, port) : "");
    }
    out_.add(
        "wire signed [{0}:0] {1}_sum = {1}_minus ? {1}_a_up_in - {1}_b_up_in : {1}_a_up_in + "
        "{1}_b_up_in;",
        wide - 1, u);
    const int lifted = std::max(wide + lift, word_ + 1);
    lowered(u, lift ? fmt::format("{{{}_sum, {}'d0}}", u, lift) : u + "_sum", lifted, down_bits);
    return lifted;
  }
  void adder(const std::string& u, int lift, int most_up, int up_bits, int down_bits) {
    sum(u, lift, most_up, up_bits, down_bits);
    out_.add("wire [{0}:0] {1}_round = {1}_low[{0}:0] + {2}'d1;", word_, u, word_ + 1);
    out_.add("always @(posedge clk) if (go) {0} <= {0}_round[{1}:1];", u, word_);
  }
  void limiter(const std::string& u, int lift, int most_up, int up_bits, int down_bits) {
    const int wide = sum(u, lift, most_up, up_bits, down_bits);
    out_.add("wire signed [{0}:0] {1}_round = ({1}_low >>> 1) + ({1}_low & 1);", wide - 1, u);
    out_.add("reg signed [{}:0] {}_rounded;", wide - 1, u);
    out_.add("wire {0}_above = {0}_rounded > {0}_h, {0}_below = {0}_rounded < {0}_l;", u);
    out_.open("always @(posedge clk) if (go) begin");
    out_.add("{0}_rounded <= {0}_round;", u);
    out_.add("{0} <= {0}_above ? {0}_h : {0}_below ? {0}_l : {0}_rounded[{1}:0];", u, word_ - 1);
    out_.close("end");
  }

  void turner(const std::string& u, const CoreOperation& o) {
    const int wide = word_ + 3;
    out_.add("localparam signed [{}:0] {}_TURN = {}, {}_HALF = {};", wide - 1, u,
             verilog_number(o.turn, wide, "sh"), u, verilog_number(o.half, wide, "sh"));
    out_.add("reg signed [{0}:0] {1}_1, {1}_2;", wide - 1, u);
    out_.add("wire signed [{0}:0] {1}_offset_word = {1}_offset, {1}_middle_word = {1}_middle;",
             word_ - 1, u);
    for (const char* k : {"1", "2"})
      out_.add(
          "wire signed [{0}:0] {1}_turned{2} = {1}_{2} > {1}_HALF ? {1}_{2} - {1}_TURN : "
          "{1}_{2} < -{1}_HALF ? {1}_{2} + {1}_TURN : {1}_{2};",
          wide - 1, u, k);
    out_.add("wire signed [{0}:0] {1}_whole = {1}_turned2 + {1}_middle_word;", wide - 1, u);
    out_.open("always @(posedge clk) if (go) begin");
    out_.add("{0}_1 <= {0}_a_in + {0}_offset_word;", u);
    out_.add("{0}_2 <= {0}_turned1;", u);
    out_.add(
        "{0} <= {0}_whole[{1}:{2}] == {{4{{{0}_whole[{1}]}}}} ? {0}_whole[{2}:0] : "
        "{{{0}_whole[{1}], {{{2}{{!{0}_whole[{1}]}}}}}};",
        u, wide - 1, word_ - 1);
    out_.close("end");
  }

  // ---- data that stay from sample to sample

  void histories() {
    for (std::size_t op = 0; op < p_.operations.size(); ++op) {
      const CoreOperation& o = p_.operations[op];
      if (o.unit != CoreUnit::history) continue;
      const int when = start(op), n = o.samples;
      const std::string now = source(o.in[0], when);
      out_.blank();
      out_.add("reg filled{};", op);
      out_.add("reg [{}:0] past{};  // {} sample{} of {}, the latest lowest", n * word_ - 1, op, n,
               n == 1 ? "" : "s", o.name);
      out_.open("always @(posedge clk) begin");
      out_.add("if (reset) filled{} <= 1'b0;", op);
      out_.open("else if (go && {} && {}) begin", at_clock(when), valid_at(when));
      out_.add("filled{} <= 1'b1;", op);
      if (n == 1)
        out_.add("past{} <= {};", op, now);
      else
        out_.add("past{0} <= filled{0} ? {{past{0}[{1}:0], {2}}} : {{{3}{{{2}}}}};", op,
                 (n - 1) * word_ - 1, now, n);
      out_.close("end");
      // The value before the shift.
      out_.add("if (go && {}) hist{} <= filled{} ? past{}[{} +: {}] : {};", at_clock(when), op, op,
               op, (n - 1) * word_, word_, now);
      out_.close("end");
    }
    out_.open("always @(posedge clk) if (go && measuring) begin");
    for (std::size_t j = 0; j < core_.n(); ++j)
      out_.add("measured_{} <= measured_tdata[{} +: {}];", j, static_cast<int>(j) * lane_, word_);
    out_.close("end");
  }

  // Flags that each sample has raised, beside `valid`. A limiter raises its flag one clock after
  // its start.
  void status() {
    out_.blank();
    std::map<int, std::map<int, std::vector<std::string>>> raised;  // by interval, then by flag
    for (std::size_t op = 0; op < p_.operations.size(); ++op) {
      const CoreOperation& o = p_.operations[op];
      if (o.unit != CoreUnit::limiter || o.flag == CoreFlag::none) continue;
      const std::string u = unit_name(o.unit, t_.binding.unit[op]);
      const int when = start(op) + 1;
      raised[(when - 1) / interval_][static_cast<int>(o.flag)].push_back(
          fmt::format("({0} && ({1}_above || {1}_below))", at_clock(when), u));
    }
    for (int s = 0; s <= last_; ++s) {
      out_.add("reg [{}:0] flags{};", core_flags - 1, s);
      std::vector<std::string> bits;
      for (int f = core_flags - 1; f >= 0; --f) {
        const auto& all = raised[s][f];
        bits.push_back(all.empty() ? "1'b0" : fmt::format("({})", fmt::join(all, " || ")));
      }
      out_.add("wire [{0}:0] flags{1}_now = flags{1} | {{{2}}};", core_flags - 1, s,
               fmt::join(bits, ", "));
    }
    out_.open("always @(posedge clk) if (go) begin");
    out_.add("flags0 <= open ? {}'d0 : flags0_now;", core_flags);
    for (int s = 1; s <= last_; ++s)
      out_.add("flags{0} <= open ? flags{1}_now : flags{0}_now;", s, s - 1);
    out_.close("end");
    // The clock at which each sample entered.
    const int bits = bits_of(static_cast<unsigned>(last_ + 1));
    out_.line("reg [31:0] clock;");
    out_.add("reg [31:0] entered [0:{}];", (1 << bits) - 1);
    out_.add("reg [{}:0] in_place, out_place;", bits - 1);
    out_.line("wire [31:0] taken_clocks = clock - entered[out_place];");
    out_.line("wire late = deadline != 32'd0 && taken_clocks > deadline;");
    out_.add("wire [{0}:0] outgoing = flags{1}_now | {{1'b0, late, 2'b00}};", core_flags - 1,
             last_);
    out_.open("always @(posedge clk) begin");
    out_.open("if (reset) begin");
    out_.add("clock <= 32'd0; in_place <= {0}'d0; out_place <= {0}'d0; delay <= 32'd0;", bits);
    out_.close("end");
    out_.open("else begin");
    out_.line("clock <= clock + 32'd1;");
    out_.add("if (taken) begin entered[in_place] <= clock; in_place <= in_place + {}'d1; end",
             bits);
    out_.add("if (go && ending) begin delay <= taken_clocks; out_place <= out_place + {}'d1; end",
             bits);
    out_.close("end");
    out_.close("end");
  }

  void results() {
    out_.blank();
    out_.open("always @(posedge clk) begin");
    out_.open("if (reset) begin");
    out_.add("phase <= {}; valid <= 0; torque_tvalid <= 1'b0;", phase(0));
    out_.close("end");
    out_.open("else begin");
    out_.line("if (torque_tready) torque_tvalid <= 1'b0;");
    out_.open("if (go) begin");
    out_.line("phase <= next;");
    if (last_ == 0)
      out_.line("if (open) valid <= setpoint_tvalid;");
    else
      out_.add("if (open) valid <= {{valid[{}:0], setpoint_tvalid}};", last_ - 1);
    out_.open("if (ending) begin");
    out_.line("torque_tvalid <= 1'b1;");
    out_.line("torque_tuser <= outgoing;");
    for (std::size_t j = 0; j < core_.n(); ++j) {
      const std::string from = source(p_.torque[j], t_.latency());
      out_.add("torque_tdata[{} +: {}] <= {};", static_cast<int>(j) * lane_, lane_,
               lane_ == word_
                   ? from
                   : fmt::format("{{{{{0}{{{1}[{2}]}}}}, {1}}}", lane_ - word_, from, word_ - 1));
    }
    out_.close("end");
    out_.close("end");
    out_.close("end");
    out_.close("end");
  }

  void parts() {
    if (p_.count(CoreUnit::sine) > 0)
      out_.raw("\n" + verilog_sine_unit(p_.sin_cos, module("sin_cos")));
    for (int u = static_cast<int>(CoreUnit::circ1); u <= static_cast<int>(CoreUnit::hype2); ++u)
      if (t_.built[static_cast<std::size_t>(u)] > 0) {
        const Box box = box_of(static_cast<CoreUnit>(u));
        out_.raw("\n" + verilog_box_pipeline(box, *p_.cordic, module(name_of(box))));
      }
  }

  const ControllerCore& core_;
  const CoreProgram& p_;
  const CoreSchedule& t_;
  int word_, interval_, phase_bits_, last_, lane_;
  Lines out_;
};

}  // namespace

int core_lane(const ControllerCore& core) { return (core.program.word + 7) / 8; }

std::string verilog_core(const ControllerCore& core) { return CoreText(core).text(); }

}  // namespace parid::hardware
