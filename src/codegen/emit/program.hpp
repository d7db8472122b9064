// The input of code generation: a graph and its calling convention.

#pragma once

#include <string>
#include <vector>

#include "codegen/layer.hpp"
#include "graph/graph.hpp"

namespace parid::codegen {

struct Argument {
  std::string name;
  int count = 0;
};

struct Program {
  Graph graph;                   // simplified
  std::string name = "program";  // an identifier
  // Inputs and outputs of the graph in its order, as arrays.
  std::vector<Argument> inputs, outputs;
  std::vector<std::string> about;  // header lines of the file: what it is, and its source
};

// Names that differ only in a trailing number form one array: q1 q2 q3 v1 … → q[3], v[…]. Throws
// std::logic_error if the numbers are not 1, 2, 3, ….
std::vector<Argument> arguments(const std::vector<Named>&);

// A C identifier from any text: letters, digits and underscores, no digit first.
std::string identifier(const std::string& text);

// A line that neither ends a comment of C, JavaScript, TeX or Verilog nor starts a new one: names
// come from untrusted robot files.
std::string comment_line(const std::string& text);

// "43 multiplications, 27 additions, 2 square roots": multiplications and additions always, others
// if there are any.
std::string operations_text(const Counts&);

// The lines about the cost of the graph: operations, critical path, peak live
// values.
std::vector<std::string> cost_lines(const Graph&);

// Peak live values of operations, if they are computed in the graph's
// order.
int most_alive(const Graph&);

}  // namespace parid::codegen
