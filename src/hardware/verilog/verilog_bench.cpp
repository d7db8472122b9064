// A test bench for any machine with a stream interface.

#include <fmt/format.h>

#include "hardware/verilog/verilog_parts.hpp"

namespace parid::hardware {
namespace {

int total(const std::vector<VerilogPort>& ports) {
  int bits = 0;
  for (const VerilogPort& p : ports) bits += p.width;
  return bits;
}

}  // namespace

std::string verilog_memory_line(const std::vector<VerilogPort>& ports, std::span<const Raw> words) {
  std::string bits;
  for (std::size_t k = 0; k < ports.size(); ++k) {
    // A one-bit sign is 1 for minus.
    for (int b = ports[k].width - 1; b >= 0; --b)
      bits += ports[k].width == 1 ? (words[k] < 0 ? '1' : '0') : (words[k] >> b & 1 ? '1' : '0');
  }
  while (bits.size() % 4) bits.insert(bits.begin(), '0');
  std::string hex;
  for (std::size_t k = 0; k < bits.size(); k += 4)
    hex += "0123456789abcdef"[std::stoi(bits.substr(k, 4), nullptr, 2)];
  return hex + "\n";
}

std::string verilog_bench(const std::string& name, const std::vector<VerilogPort>& in,
                          const std::vector<VerilogPort>& out, long samples) {
  Lines t;
  t.raw(verilog_head);
  t.line("/* verilator lint_off BLKSEQ */  // the bench uses blocking assignments");
  t.add("// Sends {} samples to {} with pauses and compares the results bit for bit.", samples,
        name);
  t.line("// As the top module it ends the simulation; otherwise it only raises done.");
  t.open("module {}_bench #(parameter ALONE = 1) (output reg done);", name);
  t.add("localparam SAMPLES = {};", samples);
  t.add("reg [{}:0] sent [0:SAMPLES-1];", total(in) - 1);
  t.add("reg [{}:0] wanted [0:SAMPLES-1];", total(out) - 1);
  t.line("reg clk = 0, reset = 1, enable = 1, in_valid = 0, out_ready = 0;");
  t.line("wire in_ready, out_valid;");
  t.line("integer given = 0, taken = 0, wrong = 0;");
  t.line("reg [31:0] noise = 32'h12345678;");
  t.add("reg [{}:0] at;", total(in) - 1);
  t.add("wire [{}:0] got;", total(out) - 1);
  std::string connections;
  int high = total(in);
  for (const VerilogPort& p : in) {
    connections += fmt::format(", .in_{}(at[{} +: {}])", p.name, high - p.width, p.width);
    high -= p.width;
  }
  high = total(out);
  for (const VerilogPort& p : out) {
    connections += fmt::format(", .out_{}(got[{} +: {}])", p.name, high - p.width, p.width);
    high -= p.width;
  }
  t.add(
      "{} machine(.clk(clk), .reset(reset), .enable(enable), .in_valid(in_valid), "
      ".in_ready(in_ready), "
      ".out_valid(out_valid), .out_ready(out_ready){});",
      name, connections);
  t.line("always #5 clk = !clk;");
  t.open("initial begin");
  t.add("$readmemh(\"{}_in.hex\", sent);", name);
  t.add("$readmemh(\"{}_out.hex\", wanted);", name);
  t.line("at = 0;");
  t.line("done = 0;");
  t.line("#42 reset = 0;");
  t.close("end");
  t.line("// Inputs and acceptance change between rising edges.");
  t.open("always @(negedge clk) if (!reset) begin");
  t.line("noise = {noise[30:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]};");
  t.line("enable = noise[3:0] != 0;");
  t.line("if (!in_valid || given == SAMPLES) in_valid = given < SAMPLES && noise[6:4] != 0;");
  t.line("if (given < SAMPLES) at = sent[given];");
  t.line("out_ready = noise[9:8] != 0;");
  t.close("end");
  t.open("always @(posedge clk) if (!reset && enable) begin");
  t.line("if (in_valid && in_ready) begin given <= given + 1; end");
  t.open("if (out_valid && out_ready) begin");
  t.open("if (got !== wanted[taken]) begin");
  t.line("wrong = wrong + 1;");
  t.line("if (wrong < 5) $display(\"sample %0d: %h instead of %h\", taken, got, wanted[taken]);");
  t.close("end");
  t.line("taken = taken + 1;");
  t.open("if (taken == SAMPLES) begin");
  t.add("if (wrong == 0) $display(\"PASS {}: %0d samples\", taken);", name);
  t.add("else $display(\"FAIL {}: %0d of %0d\", wrong, taken);", name);
  t.line("done <= 1;");
  t.line("if (ALONE) $finish;");
  t.close("end");
  t.close("end");
  t.close("end");
  t.close("endmodule");
  return t.text();
}

}  // namespace parid::hardware
