// The operations of a graph: one row each, and their meaning.
//
// graph/ holds computations as data. It does not depend on robots and includes scalar/
// only.

#pragma once

#include <array>
#include <cstdint>

#include "graph/layer.hpp"
#include "scalar/scalar.hpp"

namespace parid::graph {

// clang-format off
enum class Op : std::uint8_t {
  constant, input, add, sub, mul, div, neg, sqrt, abs, sin, cos, atan2, less, select
};

// How an operation is counted. Negation, comparison and select are free, as in
// scalar/counted.hpp.
enum class Cost : std::uint8_t {
  free, addition, multiplication, division, square_root, sin_cos, atan2
};
// clang-format on

struct OpRow {
  Op op;
  const char* name;
  int arity;
  bool commutative;
  Cost cost;
  const char* c;  // in C, of operands {0}, {1}, {2} that are names or numbers
};

// clang-format off
inline constexpr std::array<OpRow, 14> op_rows = {{
    {Op::constant, "constant", 0, false, Cost::free,           ""},
    {Op::input,    "input",    0, false, Cost::free,           ""},
    {Op::add,      "add",      2, true,  Cost::addition,       "{0} + {1}"},
    {Op::sub,      "sub",      2, false, Cost::addition,       "{0} - {1}"},
    {Op::mul,      "mul",      2, true,  Cost::multiplication, "{0} * {1}"},
    {Op::div,      "div",      2, false, Cost::division,       "{0} / {1}"},
    {Op::neg,      "neg",      1, false, Cost::free,           "-{0}"},
    {Op::sqrt,     "sqrt",     1, false, Cost::square_root,    "sqrt({0})"},
    {Op::abs,      "abs",      1, false, Cost::free,           "fabs({0})"},
    {Op::sin,      "sin",      1, false, Cost::sin_cos,        "sin({0})"},
    {Op::cos,      "cos",      1, false, Cost::sin_cos,        "cos({0})"},
    {Op::atan2,    "atan2",    2, false, Cost::atan2,          "atan2({0}, {1})"},
    {Op::less,     "less",     2, false, Cost::free,           "{0} < {1}"},
    {Op::select,   "select",   3, false, Cost::free,           "{0} ? {1} : {2}"},
}};
// clang-format on

constexpr const OpRow& row(Op op) { return op_rows[static_cast<int>(op)]; }

static_assert([] {
  for (std::size_t k = 0; k < op_rows.size(); ++k)
    if (static_cast<std::size_t>(op_rows[k].op) != k) return false;
  return true;
}());

// The value of every operation that has operands. `less` is 1 or 0, the condition of `select`.
template <Scalar T>
T apply(Op op, const T& a, const T& b, const T& c) {
  // clang-format off
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::neg: return -a;
    case Op::sqrt: return sqrt(a);
    case Op::abs: return abs(a);
    case Op::sin: return sin_cos(a).sin;
    case Op::cos: return sin_cos(a).cos;
    case Op::atan2: return atan2(a, b);
    case Op::less: return select(a < b, T(1.0), T(0.0));
    case Op::select: return select(T(0.0) < a, b, c);
    case Op::constant:
    case Op::input: break;
  }
  // clang-format on
  return a;
}

}  // namespace parid::graph
