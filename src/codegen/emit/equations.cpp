#include "codegen/emit/languages.hpp"

#include <fmt/format.h>

#include <cmath>

#include "codegen/emit/lines.hpp"
#include "graph/expand.hpp"
#include "parid/error.hpp"

namespace parid::codegen {
namespace {

constexpr std::size_t most_terms = 10'000;  // per sum: longer ones are not readable

// The notation of names, numbers and functions.
struct Script {
  std::string (*input)(const std::string& base, const std::string& index);
  std::string (*number)(double);
  const char *sine, *cosine, *between;  // between factors
  bool power_first;                     // cos²(x), not cos(x)²
};

struct Split {
  std::string base, index;  // "tau", "12"
};
Split split(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
  return {name.substr(0, end), name.substr(end)};
}

// Matrices are square; their entries have two indices: M7 of a (3, 3) matrix is M31.
std::string entry(const Argument& a, int k) {
  const int n = static_cast<int>(std::lround(std::sqrt(a.count)));
  const bool matrix = n * n == a.count && (a.name == "M" || a.name[0] == 'd');
  if (!matrix) return std::to_string(k + 1);
  return fmt::format("{}{}{}", k / n + 1, n > 9 ? "," : "", k % n + 1);
}

std::string power_text(const std::string& x, int power) {
  return power == 1 ? x : fmt::format("{}^{}", x, power);
}

// Without its sign.
std::string term_text(const ExpandedTerm& t, const std::vector<Named>& inputs,
                      const Script& script) {
  std::vector<std::string> factors;
  auto name = [&](int k) {
    const Split s = split(inputs[static_cast<std::size_t>(k)].name);
    return script.input(s.base, s.index);
  };
  if (std::abs(t.coefficient) != 1 || t.factors.empty())
    factors.push_back(script.number(std::abs(t.coefficient)));
  for (const auto& [a, power] : t.factors) {
    if (a.kind == Atom::Kind::input) {
      factors.push_back(power_text(name(a.angle[0].first), power));
      continue;
    }
    std::string angle;
    for (const auto& [k, c] : a.angle) {
      if (c < 0)
        angle += angle.empty() ? "-" : " - ";
      else if (!angle.empty())
        angle += " + ";
      if (std::abs(c) != 1) angle += script.number(std::abs(c)) + script.between;
      angle += name(k);
    }
    const char* function = a.kind == Atom::Kind::sine ? script.sine : script.cosine;
    factors.push_back(script.power_first
                          ? fmt::format("{}({})", power_text(function, power), angle)
                          : power_text(fmt::format("{}({})", function, angle), power));
  }
  return fmt::format("{}", fmt::join(factors, script.between));
}

struct ClosedForm {
  std::vector<Expanded> formulas;
  std::vector<std::string> head;
};

ClosedForm closed_form(const Program& p) {
  const Counts n = counts(p.graph);
  try {
    ClosedForm c{expanded(p.graph, most_terms), p.about};
    const ExpandedCost e = cost(c.formulas);
    c.head.insert(c.head.begin(), p.name);
    c.head.push_back(fmt::format(
        "{} terms; {} multiplications and {} additions as written; the program takes {} and {}.",
        e.terms, e.multiplications, e.additions, n.multiplications, n.additions));
    return c;
  } catch (const NotExpandable& e) {
    throw Error(fmt::format(
        "{}: {}; its program in other languages takes {} multiplications and {} additions", p.name,
        e.what(), n.multiplications, n.additions));
  }
}

// Each output with the parts of its name, and the previous equal output, or none.
template <class F>
void each_output(const Program& p, const std::vector<Expanded>& formulas, const F& f) {
  std::vector<Split> names;
  for (const Argument& a : p.outputs)
    for (int k = 0; k < a.count; ++k)
      names.push_back({a.name, a.count == 1 && a.name != "M" ? "" : entry(a, k)});
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    std::size_t same = 0;
    while (same < k && !(formulas[k].terms.size() > 1 && formulas[same].terms == formulas[k].terms))
      ++same;
    f(names[k], formulas[k], same < k ? &names[same] : nullptr);
  }
}

std::string plain_name(const std::string& base, const std::string& index) { return base + index; }
std::string plain_number(double x) { return fmt::format("{:.12g}", x); }

std::string latex_name(const std::string& base, const std::string& index) {
  const std::string letter = base == "v"       ? "\\dot q"
                             : base == "a"     ? "\\ddot q"
                             : base == "tau"   ? "\\tau"
                             : base.size() > 1 ? "\\mathit{" + base + "}"
                                               : base;
  return index.empty() ? letter : letter + "_{" + index + "}";
}
std::string latex_number(double x) {
  std::string s = fmt::format("{:.6g}", x);
  const std::size_t e = s.find('e');
  if (e == std::string::npos) return s;
  return fmt::format("{} \\cdot 10^{{{}}}", s.substr(0, e), std::stoi(s.substr(e + 1)));
}
std::string latex_output(const Split& s) {
  if (s.base.size() > 1 && s.base[0] == 'd')  // dq12: a derivative
    return fmt::format("\\partial {}_{{{}}}", latex_name(s.base.substr(1), ""), s.index);
  std::string name = s.base;
  for (char& c : name)
    if (c == '_') c = ' ';
  return latex_name(name, s.index);
}

}  // namespace

std::string emit_equations(const Program& p) {
  const Script script{plain_name, plain_number, "sin", "cos", "*", false};
  const ClosedForm c = closed_form(p);
  Lines o;
  for (const std::string& line : c.head) o.line(line.empty() ? "#" : "# " + line);
  o.blank();
  each_output(p, c.formulas, [&](const Split& name, const Expanded& e, const Split* same) {
    std::string line = name.base + name.index + " = ";
    if (same) {
      line += same->base + same->index;
    } else if (e.terms.empty()) {
      line += "0";
    } else {
      bool first = true;
      for (const ExpandedTerm& t : e.terms) {
        if (t.coefficient < 0)
          line += first ? "-" : " - ";
        else if (!first)
          line += " + ";
        line += term_text(t, p.graph.inputs(), script);
        first = false;
      }
    }
    o.line(line);
  });
  return o.text();
}

std::string emit_latex(const Program& p) {
  const Script script{latex_name, latex_number, "\\sin", "\\cos", "\\,", true};
  const ClosedForm c = closed_form(p);
  constexpr int per_line = 4;
  Lines o;
  for (const std::string& line : c.head) o.line(line.empty() ? "%" : "% " + line);
  o.line("% Needs amsmath; \\allowdisplaybreaks allows page breaks in long equations.");
  o.line("\\begin{align*}");
  bool before = false;
  each_output(p, c.formulas, [&](const Split& name, const Expanded& e, const Split* same) {
    if (before) o.line("\\\\");
    before = true;
    if (same) return o.line(latex_output(name) + " &= " + latex_output(*same));
    std::string line = latex_output(name) + " &= ";
    if (e.terms.empty()) line += "0";
    int k = 0;
    for (const ExpandedTerm& t : e.terms) {
      if (k > 0 && k % per_line == 0) {
        o.line(line + " \\\\");
        line = "&\\quad";
      }
      if (k > 0) line += t.coefficient < 0 ? " - " : " + ";
      if (k == 0 && t.coefficient < 0) line += "-";
      line += term_text(t, p.graph.inputs(), script);
      ++k;
    }
    o.line(line);
  });
  o.line("\\end{align*}");
  return o.text();
}

}  // namespace parid::codegen
