// The operations of a graph as statements, shared by languages with C-like arithmetic.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/emit/lines.hpp"
#include "codegen/emit/program.hpp"
#include "codegen/layer.hpp"

namespace parid::codegen {

struct Dialect {
  std::string declare = "const double ";      // before the name of a new value
  std::function<std::string(double)> number;  // how a constant is written
  // How to write an operation other than + − × ÷ and negation, with operands that are names or
  // numbers.
  std::function<std::string(Op, const std::vector<std::string>&)> other;
  // A function of a, b, c that computes a·b + c in one instruction; none: separate products and
  // sums.
  std::string fused = {};
  std::string times = "*", over = "/", end = ";";  // operators, and what ends a statement
};

bool uses(const Graph&, Op);  // anywhere

// For each input array: whether an operation or an output reads an element of it.
std::vector<bool> used_arguments(const Program&);

// Names for a language that has fewer of them than C: no underscore first, at most `longest`
// characters, no word of `reserved`, and none of the names of emit_body (t1, s1, c1). Upper and
// lower case are the same letter if `fold_case`. Each name is given once.
class LegalNames {
 public:
  LegalNames(std::size_t longest, bool fold_case, std::vector<std::string> reserved);
  std::string operator()(const std::string& wanted);

 private:
  std::string key(const std::string&) const;
  std::size_t longest_;
  bool fold_case_;
  std::vector<std::string> taken_;
};

// Numbers with all digits, always with a point or an exponent: "0.25", "1e-05", "2.0".
std::string decimal(double x);
std::string decimal_float(double x);  // as float, with "f"

// All angles whose sine or cosine is needed, in the graph's order; those that are inputs plus
// numbers come first, so that they can be computed together.
struct Angle {
  Id of;                           // the argument
  std::optional<Id> sine, cosine;  // the nodes of its sine and cosine
};
std::vector<Angle> angles(const Graph&);

// Writes statements for every operation except sines and cosines, whose names are given by
// `angle_name(k, cosine)` for angle k of angles(). `input_name(k)` names the graph's k-th input.
// Before an angle that depends on more than inputs, `emit_angle(k, text of the argument)` is
// called.
struct BodyNames {
  std::function<std::string(int)> input;
  std::function<std::string(int, bool)> angle;
  std::function<void(int, const std::string&)> emit_angle;
};
// Returns the names of the outputs' values.
std::vector<std::string> emit_body(Lines&, const Graph&, const Dialect&, const BodyNames&);

}  // namespace parid::codegen
