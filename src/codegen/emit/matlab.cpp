#include "codegen/emit/body.hpp"
#include "codegen/emit/languages.hpp"

namespace parid::codegen {
namespace {

constexpr std::size_t longest_matlab_name = 63;

std::vector<std::string> matlab_words() {
  return {"break",      "case",   "catch", "classdef", "continue", "do",        "else",
          "elseif",     "end",    "error", "for",      "function", "global",    "if",
          "abs",        "atan2",  "cos",   "max",      "numel",    "otherwise", "parfor",
          "persistent", "return", "sin",   "size",     "spmd",     "sqrt",      "switch",
          "true",       "try",    "until", "while",    "zeros",    "samples",   "unwind_protect"};
}

std::string joined(const std::vector<Argument>& all) {
  std::string list;
  for (const Argument& a : all) list += (list.empty() ? "" : ", ") + a.name;
  return list;
}

}  // namespace

MatlabFile emit_matlab(const Program& p) {
  LegalNames legal(longest_matlab_name - 7, false, matlab_words());
  const std::string name = legal(p.name), choose = name + "_choose";
  std::vector<Argument> inputs, outputs;
  for (const Argument& a : p.inputs) inputs.push_back({legal(a.name), a.count});
  for (const Argument& a : p.outputs) outputs.push_back({legal(a.name), a.count});
  auto element = [](const std::vector<Argument>& all, int k) {
    for (const Argument& a : all) {
      if (k < a.count) return fmt::format("{}({}, :)", a.name, k + 1);
      k -= a.count;
    }
    return std::string("?");
  };

  Lines o;
  o.open("function [{}] = {}({})", joined(outputs), name, joined(inputs));
  o.add("% {}", name);
  o.line("%");
  for (const std::string& line : p.about) o.line(line.empty() ? "%" : "% " + line);
  o.line("%");
  o.line("% Each argument has one column per sample; an argument with one column holds for all");
  o.line("% samples. Matrices are stored row by row. For MATLAB and GNU Octave.");
  o.blank();
  o.line("samples = 1;");
  for (const Argument& a : inputs) {
    o.open("if size({}, 1) ~= {}", a.name, a.count);
    o.add("error('{0}: {1} has %d rows; give {2}, with one column per sample', size({1}, 1));",
          name, a.name, a.count);
    o.close("end");
    o.add("samples = max(samples, size({}, 2));", a.name);
  }
  Dialect dialect;
  dialect.declare = "";
  dialect.times = ".*";
  dialect.over = "./";
  dialect.number = decimal;
  dialect.other = [&](Op op, const std::vector<std::string>& x) -> std::string {
    switch (op) {
      case Op::sqrt: return fmt::format("sqrt({})", x[0]);
      case Op::abs: return fmt::format("abs({})", x[0]);
      case Op::atan2: return fmt::format("atan2({}, {})", x[0], x[1]);
      case Op::less: return fmt::format("{} < {}", x[0], x[1]);
      default: return fmt::format("{}({}, {}, {})", choose, x[0], x[1], x[2]);
    }
  };
  BodyNames names;
  names.input = [&](int k) { return element(inputs, k); };
  names.angle = [](int k, bool cosine) { return fmt::format("{}{}", cosine ? "c" : "s", k + 1); };
  names.emit_angle = [&](int k, const std::string& x) {
    o.add("s{} = sin({});", k + 1, x);
    o.add("c{} = cos({});", k + 1, x);
  };
  const std::vector<std::string> results = emit_body(o, p.graph, dialect, names);
  for (const Argument& a : outputs) o.add("{} = zeros({}, samples);", a.name, a.count);
  for (std::size_t k = 0; k < results.size(); ++k)
    o.add("{} = {};", element(outputs, static_cast<int>(k)), results[k]);
  o.close("end");
  if (uses(p.graph, Op::select)) {
    o.blank();
    o.open("function y = {}(yes, a, b)", choose);
    o.line("% a where yes is true, else b; also if a or b is infinite.");
    o.line("y = b + zeros(size(yes)) + zeros(size(a));");
    o.line("yes = yes & true(size(y));");
    o.line("a = a + zeros(size(y));");
    o.line("y(yes) = a(yes);");
    o.close("end");
  }
  return {name, o.text()};
}

}  // namespace parid::codegen
