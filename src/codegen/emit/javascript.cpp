#include "codegen/emit/languages.hpp"

#include "codegen/emit/body.hpp"

namespace parid::codegen {

std::string emit_javascript(const Program& p) {
  Lines o;
  for (const std::string& line : p.about) o.line(line.empty() ? "//" : "// " + line);
  std::string parameters;
  for (const Argument& a : p.inputs) parameters += (parameters.empty() ? "" : ", ") + a.name;
  o.open("export function {}({}) {{", p.name, parameters);
  Dialect dialect;
  dialect.declare = "const ";
  dialect.number = decimal;
  dialect.other = [](Op op, const std::vector<std::string>& x) -> std::string {
    switch (op) {
      case Op::sqrt: return fmt::format("Math.sqrt({})", x[0]);
      case Op::abs: return fmt::format("Math.abs({})", x[0]);
      case Op::atan2: return fmt::format("Math.atan2({}, {})", x[0], x[1]);
      case Op::less: return fmt::format("{} < {}", x[0], x[1]);
      default: return fmt::format("{} ? {} : {}", x[0], x[1], x[2]);
    }
  };
  BodyNames names;
  names.input = [&](int k) {
    for (const Argument& a : p.inputs) {
      if (k < a.count) return fmt::format("{}[{}]", a.name, k);
      k -= a.count;
    }
    return std::string("?");
  };
  names.angle = [](int k, bool cosine) { return fmt::format("{}{}", cosine ? "c" : "s", k + 1); };
  names.emit_angle = [&](int k, const std::string& x) {
    o.add("const s{0} = Math.sin({1}), c{0} = Math.cos({1});", k + 1, x);
  };
  const std::vector<std::string> results = emit_body(o, p.graph, dialect, names);
  o.open("return {{");
  std::size_t k = 0;
  for (const Argument& a : p.outputs) {
    std::string list;
    for (int i = 0; i < a.count; ++i) list += (list.empty() ? "" : ", ") + results[k++];
    o.add("{}: [{}],", a.name, list);
  }
  o.close("};");
  o.close();
  return o.text();
}

}  // namespace parid::codegen
