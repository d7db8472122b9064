// What is to be emitted: a graph, and how others call it.

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
  std::vector<std::string> about;  // lines at the head of the file: what it is, from what
};

// Names that differ only in a number at their end are one array: q1 q2 q3 v1 … → q[3], v[…]. Throws
// std::logic_error where the numbers are not 1, 2, 3, ….
std::vector<Argument> arguments(const std::vector<Named>&);

// An identifier of C from any text: letters, digits and underscores, no digit first.
std::string identifier(const std::string& text);

// A line that ends no comment of C, JavaScript, TeX or Verilog and begins no new one, whatever
// stands in it: names come from robot files, and those from anywhere.
std::string comment_line(const std::string& text);

// "43 multiplications, 27 additions, 2 square roots": multiplications and additions always, others
// where there are any.
std::string operations_text(const Counts&);

// The lines that say what the graph costs: operations, critical path, the most values alive at
// once.
std::vector<std::string> cost_lines(const Graph&);

// How many values of operations are alive at once, at most, if they are computed in the graph's
// order.
int most_alive(const Graph&);

}  // namespace parid::codegen
