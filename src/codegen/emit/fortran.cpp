#include "codegen/emit/body.hpp"
#include "codegen/emit/languages.hpp"

namespace parid::codegen {
namespace {

constexpr std::size_t longest_fortran_name = 63, longest_fortran_line = 132;

// A statement as lines that are short enough for the standard.
std::vector<std::string> wrapped_statement(std::string text) {
  constexpr std::size_t room = longest_fortran_line - 16;  // for indentation and "&"
  std::vector<std::string> lines;
  while (text.size() > room) {
    const std::size_t at = text.rfind(' ', room);
    if (at == std::string::npos || text.find_first_not_of(' ') > at) break;
    lines.push_back(text.substr(0, at) + " &");
    text = "  " + text.substr(at + 1);
  }
  lines.push_back(text);
  return lines;
}

void declare_all(Lines& o, const std::vector<std::string>& names) {
  constexpr std::size_t per_line = 10;
  for (std::size_t k = 0; k < names.size(); k += per_line) {
    std::string list;
    for (std::size_t i = k; i < std::min(k + per_line, names.size()); ++i)
      list += (list.empty() ? "" : ", ") + names[i];
    o.line("real(wp) :: " + list);
  }
}

}  // namespace

FortranFile emit_fortran(const Program& p, bool single_precision) {
  LegalNames legal(longest_fortran_name - 7, true,
                   {"sin", "cos", "sqrt", "abs", "atan2", "merge", "kind", "real", "wp"});
  const std::string name = legal(p.name);
  std::vector<Argument> inputs, outputs;
  std::string parameters;
  for (const auto& [from, to] : {std::pair{&p.inputs, &inputs}, std::pair{&p.outputs, &outputs}})
    for (const Argument& a : *from) {
      to->push_back({legal(a.name), a.count});
      parameters += (parameters.empty() ? "" : ", ") + to->back().name;
    }
  auto element = [](const std::vector<Argument>& all, int k) {
    for (const Argument& a : all) {
      if (k < a.count) return fmt::format("{}({})", a.name, k + 1);
      k -= a.count;
    }
    return std::string("?");
  };

  Dialect dialect;
  dialect.declare = "";
  dialect.end = "";
  dialect.number = [&](double x) {
    std::string digits = single_precision ? decimal_float(x) : decimal(x);
    if (single_precision) digits.pop_back();  // the f
    return digits + "_wp";
  };
  dialect.other = [](Op op, const std::vector<std::string>& x) -> std::string {
    switch (op) {
      case Op::sqrt: return fmt::format("sqrt({})", x[0]);
      case Op::abs: return fmt::format("abs({})", x[0]);
      case Op::atan2: return fmt::format("atan2({}, {})", x[0], x[1]);
      case Op::less: return fmt::format("{} < {}", x[0], x[1]);
      default: return fmt::format("merge({}, {}, {})", x[1], x[2], x[0]);
    }
  };
  Lines body;
  BodyNames names;
  names.input = [&](int k) { return element(inputs, k); };
  names.angle = [](int k, bool cosine) { return fmt::format("{}{}", cosine ? "c" : "s", k + 1); };
  names.emit_angle = [&](int k, const std::string& x) {
    body.add("s{} = sin({})", k + 1, x);
    body.add("c{} = cos({})", k + 1, x);
  };
  const std::vector<std::string> results = emit_body(body, p.graph, dialect, names);
  for (std::size_t k = 0; k < results.size(); ++k)
    body.add("{} = {}", element(outputs, static_cast<int>(k)), results[k]);

  // Every statement but those of the outputs gives a new scalar its value.
  std::vector<std::string> statements, values;
  for (std::size_t from = 0, to; (to = body.text().find('\n', from)) != std::string::npos;
       from = to + 1) {
    statements.push_back(body.text().substr(from, to - from));
    const std::string left = statements.back().substr(0, statements.back().find(' '));
    if (left.find('(') == std::string::npos) values.push_back(left);
  }

  Lines o;
  o.line("! " + name);
  o.line("!");
  for (const std::string& line : p.about) o.line(line.empty() ? "!" : "! " + line);
  o.line("!");
  o.line("! Compile with gfortran -O2 or another compiler of Fortran 2003; call");
  o.line("!");
  o.add("!   use {}_module", name);
  o.add("!   call {}({})", name, parameters);
  o.blank();
  o.open("module {}_module", name);
  o.line("implicit none");
  o.line("private");
  o.add("public :: {}", name);
  o.add("integer, parameter :: wp = kind({})", single_precision ? "1.0e0" : "1.0d0");
  o.blank();
  o.close("contains");
  o.open("");
  const std::vector<std::string> head =
      wrapped_statement(fmt::format("pure subroutine {}({})", name, parameters));
  for (std::size_t k = 0; k + 1 < head.size(); ++k) o.line(head[k]);
  o.open("{}", head.back());
  for (const Argument& a : inputs) o.add("real(wp), intent(in) :: {}({})", a.name, a.count);
  for (const Argument& a : outputs) o.add("real(wp), intent(out) :: {}({})", a.name, a.count);
  declare_all(o, values);
  o.blank();
  for (const std::string& s : statements)
    for (const std::string& line : wrapped_statement(s)) o.line(line);
  o.close(fmt::format("end subroutine {}", name));
  o.blank();
  o.close(fmt::format("end module {}_module", name));
  return {name, o.text()};
}

}  // namespace parid::codegen
