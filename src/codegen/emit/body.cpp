#include "codegen/emit/body.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "graph/passes.hpp"

namespace parid::codegen {
namespace {

std::string with_point(std::string s) {
  if (s.find_first_of(".en") == std::string::npos) s += ".0";
  return s;
}

// Readable C: names and numbers as they are, negative numbers in parentheses.
std::string operand(const std::string& s) { return s[0] == '-' ? "(" + s + ")" : s; }

}  // namespace

bool uses(const Graph& g, Op op) {
  return std::any_of(g.nodes().begin(), g.nodes().end(),
                     [op](const Node& n) { return n.op == op; });
}

std::vector<bool> used_arguments(const Program& p) {
  const Graph& g = p.graph;
  std::vector<bool> used(g.size()), arguments;
  for (const Node& n : g.nodes())
    for (const Id a : n.operands()) used[a] = true;
  for (const Named& out : g.outputs()) used[out.id] = true;
  std::size_t first = 0;
  for (const Argument& a : p.inputs) {
    bool any = false;
    for (int k = 0; k < a.count; ++k) any = any || used[g.inputs()[first + k].id];
    arguments.push_back(any);
    first += a.count;
  }
  return arguments;
}

LegalNames::LegalNames(std::size_t longest, bool fold_case, std::vector<std::string> reserved)
    : longest_(longest), fold_case_(fold_case), taken_(std::move(reserved)) {}

std::string LegalNames::key(const std::string& name) const {
  std::string k = name;
  if (fold_case_)
    for (char& c : k) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return k;
}

std::string LegalNames::operator()(const std::string& wanted) {
  const auto is_ours = [](const std::string& name) {
    return name.size() > 1 && std::string("tsc").find(name[0]) != std::string::npos &&
           std::all_of(name.begin() + 1, name.end(),
                       [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  };
  const auto free = [&](const std::string& name) {
    return !is_ours(key(name)) &&
           std::find(taken_.begin(), taken_.end(), key(name)) == taken_.end();
  };
  std::string name = identifier(wanted);
  if (name[0] == '_') name = "x" + name;
  name = name.substr(0, longest_);
  std::string chosen = name;
  for (int k = 2; !free(chosen); ++k) {
    const std::string suffix = fmt::format("_{}", k);
    chosen = name.substr(0, longest_ - suffix.size()) + suffix;
  }
  taken_.push_back(key(chosen));
  return chosen;
}

std::string decimal(double x) { return with_point(fmt::format("{}", x)); }
std::string decimal_float(double x) {
  return with_point(fmt::format("{}", static_cast<float>(x))) + "f";
}

std::vector<Angle> angles(const Graph& g) {
  std::vector<Angle> all;
  std::vector<int> at(g.size(), -1);
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.op != Op::sin && n.op != Op::cos) continue;
    const Id of = n.in[0];
    if (at[of] < 0) {
      at[of] = static_cast<int>(all.size());
      all.push_back({of, {}, {}});
    }
    (n.op == Op::sin ? all[at[of]].sine : all[at[of]].cosine) = id;
  }
  return all;
}

std::vector<std::string> emit_body(Lines& lines, const Graph& g, const Dialect& dialect,
                                   const BodyNames& names) {
  std::vector<std::string> name(g.size());
  const std::vector<Angle> all = angles(g);
  std::vector<int> angle_of(g.size(), -1);
  std::vector<bool> emitted(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].sine) angle_of[*all[k].sine] = static_cast<int>(k);
    if (all[k].cosine) angle_of[*all[k].cosine] = static_cast<int>(k);
  }
  const std::vector<int> taken =
      dialect.fused.empty() ? std::vector<int>(g.size(), not_fused) : fused_operands(g);
  const std::vector<bool> gone = fused_products(g, taken);
  int made = 0;
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (gone[id]) continue;
    auto in = [&](int k) { return operand(name[n.in[k]]); };
    auto fresh = [&](const std::string& text) {
      name[id] = fmt::format("t{}", ++made);
      lines.add("{}{} = {}{}", dialect.declare, name[id], text, dialect.end);
    };
    if (taken[id] != not_fused) {  // a·b + c, a·b − c, c − a·b
      const Node& product = g[n.in[taken[id]]];
      const std::string c = in(1 - taken[id]);
      const bool minus_product = n.op == Op::sub && taken[id] == 1,
                 minus_other = n.op == Op::sub && taken[id] == 0;
      fresh(fmt::format("{}({}{}, {}, {}{})", dialect.fused, minus_product ? "-" : "",
                        operand(name[product.in[0]]), name[product.in[1]], minus_other ? "-" : "",
                        c));
      continue;
    }
    switch (n.op) {
      case Op::constant: name[id] = dialect.number(n.value()); break;
      case Op::input: name[id] = names.input(static_cast<int>(n.in[0])); break;
      case Op::add: fresh(fmt::format("{} + {}", in(0), in(1))); break;
      case Op::sub: fresh(fmt::format("{} - {}", in(0), in(1))); break;
      case Op::mul: fresh(fmt::format("{} {} {}", in(0), dialect.times, in(1))); break;
      case Op::div: fresh(fmt::format("{} {} {}", in(0), dialect.over, in(1))); break;
      case Op::neg: fresh(fmt::format("-{}", in(0))); break;
      case Op::sin:
      case Op::cos: {
        const int k = angle_of[id];
        if (!emitted[k]) names.emit_angle(k, name[n.in[0]]);
        emitted[k] = true;
        name[id] = names.angle(k, n.op == Op::cos);
        break;
      }
      default: {
        std::vector<std::string> operands;
        for (int k = 0; k < row(n.op).arity; ++k) operands.push_back(name[n.in[k]]);
        if (n.op == Op::less)
          name[id] = "(" + dialect.other(n.op, operands) + ")";
        else
          fresh(dialect.other(n.op, operands));
      }
    }
  }
  std::vector<std::string> outputs;
  for (const Named& o : g.outputs()) outputs.push_back(name[o.id]);
  return outputs;
}

}  // namespace parid::codegen
