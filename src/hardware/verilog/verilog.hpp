// Hardware as Verilog-2005: synthesizable, one file per machine, with a self-checking test bench.
//
// Every module follows the steps of its C++ model, scalar/cordic.hpp and scalar/fixed.hpp, so that
// words agree bit for bit. The interface of each machine is a stream: in_valid and in_ready,
// out_valid and out_ready, with a synchronous reset and a clock enable.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "hardware/layer.hpp"
#include "hardware/pipeline/arithmetic.hpp"
#include "hardware/pipeline/boxes.hpp"
#include "scalar/fixed.hpp"

namespace parid::hardware {

struct VerilogPort {
  std::string name;
  int width;
};

// One module per kind of CORDIC box: parid_circ1 … parid_hype2. Word length, guard bits and
// iterations are parameters; the factors that correct the growth are included.
std::string verilog_box(Box);
std::string verilog_boxes_of(const BoxDesign&);  // of all kinds that it has
// The same steps with a stage per iteration and per factor of the gain: operands at every clock.
std::string verilog_box_pipeline(Box, const Cordic<CordicFixed>&, const std::string& module);
int box_latency(Box, const Cordic<CordicFixed>&);  // clocks of that

// A machine of boxes: all boxes work in parallel, a stage lasts `clocks_per_stage` clocks, and in
// each stage one sample enters and one leaves.
std::string verilog_machine(const BoxDesign&, const Staging&, const Cordic<CordicFixed>&,
                            const std::string& name);
int clocks_per_stage(const BoxDesign&, const Cordic<CordicFixed>&);
// The average fraction of those clocks in which boxes are busy; the rest is waiting for the
// slowest.
double utilisation(const BoxDesign&, const Cordic<CordicFixed>&);

// A fixed-point graph, fully unrolled (a sample enters with every clock) or on shared units with a
// controller (one sample every interval). Results are undefined for inputs outside the ranges of
// the graph. Includes the sine unit.
std::string verilog_pipeline(const ArithmeticPipeline&, const std::string& name);
std::vector<VerilogPort> input_ports(const ArithmeticPipeline&);
std::vector<VerilogPort> output_ports(const ArithmeticPipeline&);

// Lathrop's matrix-vector processor (array/vector_processor.hpp): parid_vector_processor. Inputs
// op, a0…a8, b0…b2; outputs y0…y2.
std::string verilog_vector_processor(FixedFormat);

// A bench that sends samples from NAME_in.hex with pauses, occasionally refuses results, compares
// them with NAME_out.hex, and prints PASS or FAIL. `ports` are the widths of the inputs in order,
// as in the machine.
std::string verilog_bench(const std::string& name, const std::vector<VerilogPort>& in,
                          const std::vector<VerilogPort>& out, long samples);
// A line of such a file: the words of one sample concatenated, the first in the highest bits.
std::string verilog_memory_line(const std::vector<VerilogPort>&, std::span<const Raw>);

std::vector<VerilogPort> input_ports(const BoxDesign&, int word);  // signs are one bit wide
std::vector<VerilogPort> output_ports(const BoxDesign&, int word);

}  // namespace parid::hardware
