#include "codegen/emit/languages.hpp"

#include "codegen/emit/lines.hpp"

namespace parid::codegen {
namespace {

const char* sign_of(Op op) {
  switch (op) {
    case Op::add: return "+";
    case Op::sub: return "-";
    case Op::mul: return "*";
    case Op::div: return "/";
    case Op::neg: return "-";
    case Op::less: return "<";
    default: return row(op).name;
  }
}

}  // namespace

std::string emit_dot(const Program& p) {
  Lines o;
  const Graph& g = p.graph;
  for (const std::string& line : p.about) o.line(line.empty() ? "//" : "// " + line);
  o.open("digraph {} {{", p.name);
  o.line("rankdir = LR; node [shape = circle, fontname = \"sans-serif\", fontsize = 10];");
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.op == Op::constant)
      o.add("n{} [label = \"{:.6g}\", shape = plaintext];", id, n.value());
    else if (n.op == Op::input)
      o.add("n{} [label = \"{}\", shape = box];", id, g.inputs()[n.in[0]].name);
    else
      o.add("n{} [label = \"{}\"];", id, sign_of(n.op));
    const char* const side[] = {"", " [style = dashed]", " [style = dotted]"};
    int k = 0;
    for (const Id a : n.operands())
      o.add("n{} -> n{}{};", a, id, row(n.op).commutative ? "" : side[k++]);
  }
  for (std::size_t k = 0; k < g.outputs().size(); ++k) {
    o.add("out{} [label = \"{}\", shape = box, style = bold];", k, g.outputs()[k].name);
    o.add("n{} -> out{};", g.outputs()[k].id, k);
  }
  o.close();
  return o.text();
}

}  // namespace parid::codegen
