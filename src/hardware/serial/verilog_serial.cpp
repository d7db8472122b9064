// The serial machine in Verilog: two copies of the memory (one per operand), the program as a
// table, and a controller with one state per clock of an instruction.

#include <algorithm>
#include <bit>

#include "codegen/emit/program.hpp"
#include "hardware/serial/serial_machine.hpp"
#include "hardware/verilog/verilog_parts.hpp"

namespace parid::hardware {
namespace {

using Kind = SerialInstruction::Kind;

int bits_of(int largest) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(largest))));
}

// Fields of an instruction, the first in the lowest bits.
struct CodeField {
  const char* name;
  int bits;
  int (*value)(const SerialInstruction&);
};

class SerialText {
 public:
  SerialText(const SerialMachine& m, const std::string& name)
      : m_(m),
        name_(name),
        word_(m.fixed.word),
        address_bits_(bits_of(static_cast<int>(m.memory.size()) - 1)),
        length_(static_cast<int>(m.program.size())),
        wide_(std::max(2 * word_ + 4, word_ + m.most_up + 2)) {
    fields_ = {{"kind", 2, [](const SerialInstruction& i) { return static_cast<int>(i.kind); }},
               {"x_at", address_bits_, [](const SerialInstruction& i) { return i.x; }},
               {"y_at", address_bits_, [](const SerialInstruction& i) { return i.y; }},
               {"to", address_bits_, [](const SerialInstruction& i) { return i.to; }},
               {"minus_x", 1, [](const SerialInstruction& i) { return i.minus_x ? 1 : 0; }},
               {"minus_y", 1, [](const SerialInstruction& i) { return i.minus_y ? 1 : 0; }}};
    if (m.most_up > 0)
      fields_.push_back(
          {"up", bits_of(m.most_up), [](const SerialInstruction& i) { return i.up; }});
    if (m.most_down > 0)
      fields_.push_back(
          {"down", bits_of(m.most_down), [](const SerialInstruction& i) { return i.down; }});
    for (const CodeField& f : fields_) code_bits_ += f.bits;
  }

  std::string text() {
    head();
    memories();
    arithmetic();
    if (m_.angles > 0) sine();
    controller();
    out_.close("endmodule");
    return out_.text();
  }

 private:
  void head() {
    out_.raw(verilog_head);
    out_.add("// One multiplier, one adder{}, {} words of memory, {} instructions; a sample every",
             m_.angles > 0 ? ", one CORDIC rotation" : "", m_.memory.size(), length_);
    out_.add("// {} clocks: {} to load, {} to return the results.", m_.interval(), m_.load_clocks(),
             m_.output_clocks());
    out_.add("// Words in order, {} bits each, with fraction bits:", word_);
    for (const Named& in : m_.fixed.graph.inputs())
      out_.add("//   in  {}: {}", codegen::comment_line(in.name), m_.fixed.format[in.id].fraction);
    for (const Named& o : m_.fixed.graph.outputs())
      out_.add("//   out {}: {}", codegen::comment_line(o.name), m_.fixed.format[o.id].fraction);
    out_.open("module {} (", name_);
    out_.line("input clk, input reset, input enable,");
    out_.add("input in_valid, output in_ready, input signed [{}:0] in_data,", word_ - 1);
    out_.add("output reg out_valid, input out_ready, output reg signed [{}:0] out_data", word_ - 1);
    out_.close(");");
    out_.open("");
    out_.line("localparam LOAD = 0, FETCH = 1, READ = 2, EXECUTE = 3, MULTIPLY = 4, ROUND = 5,");
    out_.line("  WRITE = 6, PRESENT = 7, QUADRANT = 8, TURN = 9, ROUND_COSINE = 10,");
    out_.line("  WRITE_COSINE = 11;");
    out_.add("localparam SUM = {}, PRODUCT = {}, SINE = {}, OUTPUT = {};",
             static_cast<int>(Kind::sum), static_cast<int>(Kind::product),
             static_cast<int>(Kind::sine), static_cast<int>(Kind::output));
    out_.line("reg [3:0] state;");
    out_.add("reg [{}:0] pc;", bits_of(length_) - 1);
    out_.add("reg [{}:0] count;",
             bits_of(std::max({m_.inputs, m_.booth_steps(), m_.fixed.sin_cos.turns()})) - 1);
    out_.line("assign in_ready = enable && !reset && state == LOAD;");
  }

  void memories() {
    const int words = static_cast<int>(m_.memory.size());
    out_.line("// the program");
    out_.add("reg [{}:0] code, instructions [0:{}];", code_bits_ - 1, length_ - 1);
    out_.open("initial begin");
    for (int k = 0; k < length_; ++k) {
      std::string all;
      for (const CodeField& f : fields_)
        all = verilog_number(f.value(m_.program[static_cast<std::size_t>(k)]), f.bits) +
              (all.empty() ? "" : ", ") + all;
      out_.add("instructions[{}] = {{{}}};", k, all);
    }
    out_.close("end");
    int from = 0;
    for (const CodeField& f : fields_) {
      out_.add("wire [{}:0] {} = code[{} +: {}];", f.bits - 1, f.name, from, f.bits);
      from += f.bits;
    }
    out_.line("wire fetch = state == FETCH || (state == WRITE && kind != SINE)");
    out_.line("  || state == WRITE_COSINE");
    out_.line("  || (state == PRESENT && out_valid && out_ready);");
    out_.line("always @(posedge clk) if (enable && fetch) code <= instructions[pc];");
    out_.line("// the words, once per operand");
    out_.add("reg signed [{}:0] x, y, result;", word_ - 1);
    out_.add("reg [{0}:0] x_words [0:{1}], y_words [0:{1}];", word_ - 1, words - 1);
    out_.line("wire load = state == LOAD && in_valid && !reset;");
    out_.line("wire write = load || state == WRITE || state == WRITE_COSINE;");
    out_.add("wire [{}:0] write_at = load ? count : state == WRITE_COSINE ? y_at : to;",
             address_bits_ - 1);
    out_.add("wire [{}:0] written = load ? in_data : result;", word_ - 1);
    for (const char* which : {"x", "y"}) {
      out_.open("always @(posedge clk) if (enable) begin");
      out_.add("if (write) {}_words[write_at] <= written;", which);
      out_.add("if (state == READ) {0} <= {0}_words[{0}_at];", which);
      out_.close("end");
    }
    out_.open("initial begin");
    for (int k = 0; k < words; ++k)
      out_.add("x_words[{0}] = {1}; y_words[{0}] = {1};", k,
               verilog_number(m_.memory[static_cast<std::size_t>(k)], word_));
    out_.close("end");
  }

  void arithmetic() {
    const int low = 2 * m_.booth_steps(), high = wide_ - low;
    out_.line("// exact sums and products, then shifted and rounded");
    out_.add("reg signed [{}:0] exact;", wide_ - 1);
    out_.line("reg below;  // the multiplier's bit below the two of this step");
    out_.add("wire signed [{}:0] x_in = x;", wide_ - 1);
    out_.add("wire signed [{}:0] y_wide = y;", wide_ - 1);
    out_.add("wire signed [{}:0] y_in = {};", wide_ - 1,
             m_.most_up > 0 ? "y_wide <<< up" : "y_wide");
    out_.add("wire signed [{}:0] sum = (minus_x ? -x_in : x_in) + (minus_y ? -y_in : y_in);",
             wide_ - 1);
    out_.add("wire signed [{}:0] upper = exact[{}:{}], once = x, twice = once <<< 1;", high - 1,
             wide_ - 1, low);
    out_.add("reg signed [{}:0] next;", high - 1);
    out_.open("always @* case ({{exact[1:0], below}})");
    out_.line("3'b001, 3'b010: next = upper + once;");
    out_.line("3'b011: next = upper + twice;");
    out_.line("3'b100: next = upper - twice;");
    out_.line("3'b101, 3'b110: next = upper - once;");
    out_.line("default: next = upper;");
    out_.close("endcase");
    out_.add("wire signed [{}:0] lifted = {};", wide_ + m_.lift - 1,
             m_.lift > 0 ? fmt::format("{{exact, {}'d0}}", m_.lift) : "exact");
    out_.add("wire signed [{}:0] lower = lifted{};", wide_ + m_.lift - 1,
             m_.most_down > 0 ? " >>> down" : "");
    out_.add("wire [{0}:0] rounded = lower[{0}:0] + {1}'d1;", word_, word_ + 1);
  }

  void sine() {
    const FixedSinCos& u = m_.fixed.sin_cos;
    const int inner = word_ + u.guard + u.integer;
    out_.line("// one CORDIC rotation");
    out_.add("localparam BITS = {}, INNER = {}, GUARD = {};", u.bits(), inner, u.guard);
    auto constant = [&](const std::string& name, const CordicConstant& c) {
      out_.add("localparam [127:0] {}_FINE = {};", name, verilog_constant(c));
      out_.add("localparam signed [INNER-1:0] {} = {};", name, verilog_rounded(name + "_FINE"));
    };
    constant("START", cordic_start(u.turns()));
    constant("QUARTER", quarter_turn());
    constant("HALF", half_turn());
    constant("TURN_ROUND", whole_turn());
    out_.line("reg signed [INNER-1:0] c, s, z, wrapped, arc;");
    out_.add("reg signed [INNER-1:0] arcs [0:{}];", u.turns());
    out_.open("initial begin");
    for (int k = 0; k < u.turns(); ++k)
      out_.add("arcs[{}] = {};", k, verilog_number(arc_tangent(k).raw(u.bits()), inner));
    out_.add("arcs[{}] = 0;", u.turns());
    out_.close("end");
    out_.open("always @* begin");
    out_.line("wrapped = x;");
    out_.add("wrapped = wrapped <<< {};", u.guard + u.integer - 1);
    for (int k = u.wraps() - 1; k >= 0; --k) {
      out_.add("if (wrapped > (HALF <<< {0})) wrapped = wrapped - (TURN_ROUND <<< {0});", k);
      out_.add("else if (wrapped < -(HALF <<< {0})) wrapped = wrapped + (TURN_ROUND <<< {0});", k);
    }
    out_.close("end");
    out_.line("wire over = z > QUARTER, under = z < -QUARTER;");
    out_.line("wire signed [INNER-1:0] s_half = s >>> (count - 1), c_half = c >>> (count - 1);");
    out_.line("wire signed [INNER-1:0] dc = count == 0 ? s : (s_half >>> 1) + (s_half & 1);");
    out_.line("wire signed [INNER-1:0] ds = count == 0 ? c : (c_half >>> 1) + (c_half & 1);");
    out_.open("always @(posedge clk) if (enable) begin");
    out_.line("if (state == EXECUTE || state == QUADRANT) arc <= arcs[0];");
    out_.line("else if (state == TURN) arc <= arcs[count + 1];");
    out_.open("case (state)");
    out_.line("EXECUTE: z <= wrapped;");
    out_.open("QUADRANT: begin");
    out_.line("c <= over || under ? 0 : START;");
    out_.line("s <= over ? START : under ? -START : 0;");
    out_.line("z <= over ? z - QUARTER : under ? z + QUARTER : z;");
    out_.close("end");
    out_.open("TURN: begin");
    out_.line("c <= z < 0 ? c + dc : c - dc;");
    out_.line("s <= z < 0 ? s - ds : s + ds;");
    out_.line("z <= z < 0 ? z + arc : z - arc;");
    out_.close("end");
    out_.line("default: ;");
    out_.close("endcase");
    out_.close("end");
    out_.line("wire signed [INNER-1:0] returned = state == ROUND_COSINE ? c : s;");
    out_.line(
        "wire signed [INNER-1:0] unguarded = (returned >>> GUARD) + ((returned >>> (GUARD - 1)) & "
        "1);");
  }

  void controller() {
    const int low = 2 * m_.booth_steps();
    const bool sines = m_.angles > 0;
    out_.line("wire last = pc == 0;");
    out_.open("always @(posedge clk) begin");
    out_.open("if (reset) begin");
    out_.line("state <= LOAD; pc <= 0; count <= 0; out_valid <= 0;");
    out_.close("end");
    out_.open("else if (enable) begin");
    out_.open("case (state)");
    out_.open("LOAD: if (in_valid) begin");
    out_.add("count <= count == {0} ? 0 : count + 1; if (count == {0}) state <= FETCH;",
             m_.inputs - 1);
    out_.close("end");
    out_.line("FETCH: state <= READ;");
    out_.open("READ: begin");
    out_.add("pc <= pc == {} ? 0 : pc + 1; state <= EXECUTE;", length_ - 1);
    out_.close("end");
    out_.open("EXECUTE: begin");
    out_.line("count <= 0; below <= 0;");
    out_.open("case (kind)");
    out_.open("PRODUCT: begin");
    // The multiplier is in the low half, which the product takes over bit by bit.
    out_.add("exact <= {{{{{}{{1'b0}}}}, {}y}}; state <= MULTIPLY;", wide_ - low,
             low > word_ ? fmt::format("y[{}], ", word_ - 1) : "");
    out_.close("end");
    if (sines) out_.line("SINE: state <= QUADRANT;");
    out_.open("OUTPUT: begin");
    out_.line("out_data <= x; out_valid <= 1; state <= PRESENT;");
    out_.close("end");
    out_.open("default: begin");
    out_.line("exact <= sum; state <= ROUND;");
    out_.close("end");
    out_.close("endcase");
    out_.close("end");
    out_.open("MULTIPLY: begin");
    out_.add("exact <= {{{{2{{next[{0}]}}}}, next, exact[{1}:2]}}; below <= exact[1];",
             wide_ - low - 1, low - 1);
    out_.add("count <= count + 1; if (count == {}) state <= ROUND;", m_.booth_steps() - 1);
    out_.close("end");
    if (sines) {
      out_.line("QUADRANT: state <= TURN;");
      out_.open("TURN: begin");
      out_.add("count <= count + 1; if (count == {}) state <= ROUND;",
               m_.fixed.sin_cos.turns() - 1);
      out_.close("end");
    }
    out_.open("ROUND: begin");
    if (sines)
      out_.add("result <= kind == SINE ? unguarded[{}:0] : rounded[{}:1]; state <= WRITE;",
               word_ - 1, word_);
    else
      out_.add("result <= rounded[{}:1]; state <= WRITE;", word_);
    out_.close("end");
    if (sines) {
      out_.line("WRITE: state <= kind == SINE ? ROUND_COSINE : READ;");
      out_.add("ROUND_COSINE: begin result <= unguarded[{}:0]; state <= WRITE_COSINE; end",
               word_ - 1);
      out_.line("WRITE_COSINE: state <= READ;");
    } else {
      out_.line("WRITE: state <= READ;");
    }
    out_.open("PRESENT: if (out_ready) begin");
    out_.line("out_valid <= 0; count <= 0; state <= last ? LOAD : READ;");
    out_.close("end");
    out_.line("default: state <= LOAD;");
    out_.close("endcase");
    out_.close("end");
    out_.close("end");
  }

  const SerialMachine& m_;
  std::string name_;
  int word_, address_bits_, length_, wide_, code_bits_ = 0;
  std::vector<CodeField> fields_;
  codegen::Lines out_;
};

}  // namespace

std::string verilog_serial(const SerialMachine& m, const std::string& name) {
  return SerialText(m, name).text();
}

std::string verilog_serial_bench(const SerialMachine& m, const std::string& name, long samples) {
  codegen::Lines t;
  t.raw(verilog_head);
  t.line("/* verilator lint_off BLKSEQ */  // the bench uses blocking assignments");
  t.add("// Sends the words of {} samples, after the second with pauses, and compares all results.",
        samples);
  t.add("module {}_bench #(parameter ALONE = 1) (output reg done);", name);
  t.open("");
  t.add("localparam SAMPLES = {}, INS = {}, OUTS = {}, CLOCKS = {};", samples, m.inputs, m.outputs,
        m.interval());
  t.add("reg [{}:0] sent [0:SAMPLES*INS-1], wanted [0:SAMPLES*OUTS-1];", m.fixed.word - 1);
  t.line("reg clk = 0, reset = 1, enable = 1, in_valid = 0, out_ready = 1;");
  t.line("wire in_ready, out_valid;");
  t.add("reg [{}:0] at;", m.fixed.word - 1);
  t.add("wire [{}:0] got;", m.fixed.word - 1);
  t.line("integer given = 0, taken = 0, wrong = 0, clock = 0, first = 0, between = 0;");
  t.line("reg [31:0] noise = 32'h12345678;");
  t.add(
      "{} machine(.clk(clk), .reset(reset), .enable(enable), .in_valid(in_valid), "
      ".in_ready(in_ready), .in_data(at), .out_valid(out_valid), .out_ready(out_ready), "
      ".out_data(got));",
      name);
  t.line("always #5 clk = !clk;");
  t.open("initial begin");
  t.add("$readmemh(\"{}_in.hex\", sent);", name);
  t.add("$readmemh(\"{}_out.hex\", wanted);", name);
  t.line("at = 0; done = 0;");
  t.line("#42 reset = 0;");
  t.close("end");
  t.line("// Inputs and acceptance change between rising edges.");
  t.open("always @(negedge clk) if (!reset) begin");
  t.line("noise = {noise[30:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]};");
  t.open("if (given > INS) begin");
  t.line("enable = noise[3:0] != 0;");
  t.line("out_ready = noise[9:8] != 0;");
  t.close("end");
  t.line("if (given < SAMPLES * INS) at = sent[given];");
  t.line("in_valid = given < SAMPLES * INS && (given <= INS || in_valid || noise[6:4] != 0);");
  t.close("end");
  t.open("always @(posedge clk) if (!reset) begin");
  t.line("clock <= clock + 1;");
  t.open("if (enable && in_valid && in_ready) begin");
  t.line("if (given == 0) first <= clock;");
  t.line("if (given == INS) between <= clock - first;");
  t.line("given <= given + 1;");
  t.close("end");
  t.open("if (enable && out_valid && out_ready) begin");
  t.open("if (got !== wanted[taken]) begin");
  t.line("wrong = wrong + 1;");
  t.line("if (wrong < 5) $display(\"word %0d: %h instead of %h\", taken, got, wanted[taken]);");
  t.close("end");
  t.line("taken = taken + 1;");
  t.open("if (taken == SAMPLES * OUTS) begin");
  t.line("if (SAMPLES > 1 && between != CLOCKS)");
  t.add("  $display(\"FAIL {}: %0d clocks instead of %0d\", between, CLOCKS);", name);
  t.add("else if (wrong == 0) $display(\"PASS {}: %0d samples\", SAMPLES);", name);
  t.add("else $display(\"FAIL {}: %0d of %0d words\", wrong, taken);", name);
  t.line("done <= 1;");
  t.line("if (ALONE) $finish;");
  t.close("end");
  t.close("end");
  t.close("end");
  t.close("endmodule");
  return t.text();
}

std::string verilog_spi(const SerialMachine& m, const std::string& name) {
  const int word = m.fixed.word;
  codegen::Lines t;
  t.raw(verilog_head);
  t.line("// An SPI port, mode 0, most significant bit first, with words of the machine's length.");
  t.line(
      "// The master sends the words of a sample and waits for `ready`, which is 1 while a result");
  t.line(
      "// waits; then it receives the results, and what it sends meanwhile is ignored. The clock");
  t.line("// is at least 6 times sck.");
  t.open("module {}_spi (", name);
  t.line("input clk, input cs_n, input sck, input mosi, output miso, output ready");
  t.close(");");
  t.open("");
  t.line("// reset for some clocks after the configuration is loaded");
  t.line("reg [3:0] starting = 0;");
  t.line("wire reset = !starting[3];");
  t.line("always @(posedge clk) if (!starting[3]) starting <= starting + 1;");
  t.line("reg [2:0] sck_at = 0;");
  t.line("reg [1:0] cs_at = 3, mosi_at = 0;");
  t.open("always @(posedge clk) begin");
  t.line("sck_at <= {sck_at[1:0], sck}; cs_at <= {cs_at[0], cs_n}; mosi_at <= {mosi_at[0], mosi};");
  t.close("end");
  t.line("wire rise = sck_at[2:1] == 2'b01, fall = sck_at[2:1] == 2'b10, chosen = !cs_at[1];");
  t.add("reg [{}:0] arriving, leaving, waiting;", word - 1);
  t.add("reg [{}:0] bits;", bits_of(word - 1) - 1);
  t.line("reg in_valid, loaded;");
  t.line("wire in_ready, out_valid;");
  t.add("wire [{}:0] out_data;", word - 1);
  t.line("wire take = chosen && !loaded && out_valid && bits == 0 && !rise;");
  t.add("assign miso = leaving[{}];", word - 1);
  t.line("assign ready = out_valid || loaded;");
  t.open("always @(posedge clk) begin");
  t.open("if (reset) begin");
  t.line("bits <= 0; in_valid <= 0; loaded <= 0; leaving <= 0;");
  t.close("end");
  t.open("else begin");
  t.line("if (in_valid && in_ready) in_valid <= 0;");
  t.open("if (take) begin");
  t.line("leaving <= out_data; loaded <= 1;");
  t.close("end");
  t.line("if (!chosen) bits <= 0;");
  t.open("else if (rise) begin");
  t.add("arriving <= {{arriving[{}:0], mosi_at[1]}};", word - 2);
  t.add("bits <= bits == {} ? 0 : bits + 1;", word - 1);
  t.open("if (bits == {}) begin", word - 1);
  t.add("waiting <= {{arriving[{}:0], mosi_at[1]}};", word - 2);
  t.line("in_valid <= !loaded; loaded <= 0;");
  t.close("end");
  t.close("end");
  t.line("else if (fall && bits != 0) leaving <= leaving << 1;");
  t.close("end");
  t.close("end");
  t.add(
      "{} machine(.clk(clk), .reset(reset), .enable(1'b1), .in_valid(in_valid), "
      ".in_ready(in_ready), .in_data(waiting), .out_valid(out_valid), .out_ready(take), "
      ".out_data(out_data));",
      name);
  t.close("endmodule");
  return t.text();
}

std::string hx8k_pins() {
  return "# iCE40-HX8K breakout board (package ct256): 12 MHz clock, SPI on its header J2\n"
         "set_io clk J3\n"
         "set_io cs_n R15\n"
         "set_io sck P16\n"
         "set_io mosi P15\n"
         "set_io miso N16\n"
         "set_io ready B5\n";
}

}  // namespace parid::hardware
