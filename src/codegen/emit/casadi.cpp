#include "codegen/emit/casadi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <stdexcept>

#include "codegen/emit/lines.hpp"
#include "graph/differentiate.hpp"

namespace parid::codegen {
namespace {

// An array of a function, column-major. `rows` and `starts` are compressed columns.
struct CasadiArray {
  std::string name;
  int height = 0, width = 1;
  std::vector<int> starts{0}, rows;
  std::vector<std::string> elements;  // the names of the graph's inputs, or of its outputs
  int count() const { return static_cast<int>(rows.size()); }
};

struct CasadiFunction {
  std::string name;
  std::vector<CasadiArray> inputs, outputs;
  Program program;  // of the arrays that are not empty, in that order
};

CasadiArray dense(const std::string& name, int height, int width,
                  std::vector<std::string> elements) {
  CasadiArray a{name, height, width, {0}, {}, std::move(elements)};
  for (int c = 0; c < width; ++c) {
    for (int r = 0; r < height; ++r) a.rows.push_back(r);
    a.starts.push_back(a.count());
  }
  return a;
}

// Of the same size, without a number: outputs are arguments of derivatives, which ours do not read.
CasadiArray unread(const CasadiArray& of) {
  CasadiArray a{"out_" + of.name, of.height, of.width, {0}, {}, {}};
  a.starts.resize(static_cast<std::size_t>(of.width) + 1);
  return a;
}

std::vector<std::string> names(const std::vector<CasadiArray>& arrays) {
  std::vector<std::string> all;
  for (const CasadiArray& a : arrays) all.insert(all.end(), a.elements.begin(), a.elements.end());
  return all;
}

// The graph with inputs and outputs in the order of the arrays, and without what they do not need.
void arrange(CasadiFunction& f, const Graph& g) {
  std::vector<Id> at(g.size()), by_index;
  std::map<std::string, Id> outputs;
  for (const Named& o : g.outputs()) outputs[o.name] = o.id;
  std::vector<bool> needed(g.size());
  for (const CasadiArray& a : f.outputs)
    for (const std::string& e : a.elements) needed[outputs.at(e)] = true;
  for (Id k = static_cast<Id>(g.size()); k-- > 0;)
    if (needed[k] && g[k].op != Op::input && g[k].op != Op::constant)
      for (const Id x : g[k].operands()) needed[x] = true;
  Program& p = f.program;
  for (const CasadiArray& a : f.inputs) {
    if (a.count() == 0) continue;
    p.inputs.push_back({a.name, a.count()});
    for (const std::string& e : a.elements) p.graph.input(e);
  }
  for (Id k = 0; k < g.size(); ++k) {
    const Node& n = g[k];
    if (!needed[k]) continue;
    if (n.op == Op::input) {
      at[k] = p.graph.input(g.inputs()[n.in[0]].name);
    } else if (n.op == Op::constant) {
      at[k] = p.graph.constant(n.value());
    } else {
      at[k] = p.graph.operation(n.op, at[n.in[0]], at[n.in[1]], at[n.in[2]]);
    }
  }
  int k = 0;
  for (const CasadiArray& a : f.outputs) {
    if (a.count() == 0) continue;
    p.outputs.push_back({a.name, a.count()});
    for (const std::string& e : a.elements)
      p.graph.output(fmt::format("y{}", ++k), at[outputs.at(e)]);
  }
}

bool is_zero(const Graph& g, Id id) { return g[id].op == Op::constant && g[id].value() == 0; }

// One block per output and input, and in each the elements that are not zero for every argument.
CasadiFunction jacobian_function(const CasadiFunction& f, const Graph& g) {
  const Graph J = differentiate(g, names(f.outputs), names(f.inputs));
  std::map<std::string, Id> elements;
  for (const Named& o : J.outputs()) elements[o.name] = o.id;
  CasadiFunction d;
  d.name = "jac_" + f.name;
  d.inputs = f.inputs;
  for (const CasadiArray& y : f.outputs) d.inputs.push_back(unread(y));
  for (const CasadiArray& y : f.outputs)
    for (const CasadiArray& x : f.inputs) {
      CasadiArray block;
      block.name = fmt::format("jac_{}_{}", y.name, x.name);
      block.height = y.height * y.width;
      block.width = x.height * x.width;
      for (int c = 0; c < block.width; ++c) {
        // All arrays are dense, or without an element.
        for (std::size_t r = 0; r < y.elements.size() && x.count() > 0; ++r) {
          std::string element = y.elements[r] + "/" + x.elements[static_cast<std::size_t>(c)];
          if (is_zero(J, elements.at(element))) continue;
          block.rows.push_back(static_cast<int>(r));
          block.elements.push_back(std::move(element));
        }
        block.starts.push_back(block.count());
      }
      d.outputs.push_back(std::move(block));
    }
  arrange(d, J);
  return d;
}

CasadiFunction adjoint_function(const CasadiFunction& f, const Graph& g, Graph& adjoint) {
  adjoint = vector_jacobian_product(g, names(f.outputs), names(f.inputs), "adj_");
  CasadiFunction d;
  d.name = "adj1_" + f.name;
  d.inputs = f.inputs;
  for (const CasadiArray& y : f.outputs) d.inputs.push_back(unread(y));
  for (const CasadiArray& y : f.outputs) {
    std::vector<std::string> weights;
    for (const std::string& e : y.elements) weights.push_back("adj_" + e);
    d.inputs.push_back(dense("adj_" + y.name, y.height, y.width, weights));
  }
  for (const CasadiArray& x : f.inputs) {
    std::vector<std::string> elements;
    for (const std::string& e : x.elements) elements.push_back("adj_/" + e);
    d.outputs.push_back(dense("adj_" + x.name, x.height, x.width, elements));
  }
  arrange(d, adjoint);
  return d;
}

void emit_list(Lines& o, const std::string& head, const std::vector<std::string>& words) {
  std::string line = head + " = {";
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (line.size() + words[k].size() > 92) {
      o.line(line);
      line = "   ";
    }
    line += (k == 0 || line == "   " ? (k == 0 ? "" : " ") : " ") + words[k] +
            (k + 1 < words.size() ? "," : "");
  }
  o.line(line + "};");
}

std::vector<std::string> numbers_of(const CasadiArray& a) {
  std::vector<std::string> all{std::to_string(a.height), std::to_string(a.width)};
  for (const int k : a.starts) all.push_back(std::to_string(k));
  for (const int k : a.rows) all.push_back(std::to_string(k));
  return all;
}

void emit_arrays(Lines& o, const CasadiFunction& f, const std::vector<CasadiArray>& all,
                 const std::string& way) {
  const std::size_t n = all.size();
  o.open("CASADI_SYMBOL_EXPORT casadi_int {}_n_{}(void) {{", f.name, way);
  o.add("return {};", n);
  o.close();
  o.open("CASADI_SYMBOL_EXPORT const char* {}_name_{}(casadi_int i) {{", f.name, way);
  o.open("switch (i) {{");
  for (std::size_t k = 0; k < n; ++k) o.add("case {}: return \"{}\";", k, all[k].name);
  o.line("default: return 0;");
  o.close();
  o.close();
  o.open("CASADI_SYMBOL_EXPORT const casadi_int* {}_sparsity_{}(casadi_int i) {{", f.name, way);
  for (std::size_t k = 0; k < n; ++k)
    emit_list(o, fmt::format("  static const casadi_int s{}[]", k), numbers_of(all[k]));
  o.open("switch (i) {{");
  for (std::size_t k = 0; k < n; ++k) o.add("case {0}: return s{0};", k);
  o.line("default: return 0;");
  o.close();
  o.close();
}

// CasADi passes a null pointer for an argument of zeros and for a result that it does not need.
void emit_entry(Lines& o, const CasadiFunction& f, int longest) {
  int scratch = 0;
  std::string call;
  for (std::size_t k = 0; k < f.inputs.size(); ++k)
    if (f.inputs[k].count() > 0)
      call += fmt::format("{}arg[{}] ? arg[{}] : zeros", call.empty() ? "" : ",\n    ", k, k);
  for (std::size_t k = 0; k < f.outputs.size(); ++k) {
    if (f.outputs[k].count() == 0) continue;
    call +=
        fmt::format("{}res[{}] ? res[{}] : w + {}", call.empty() ? "" : ",\n    ", k, k, scratch);
    scratch += f.outputs[k].count();
  }
  o.open("CASADI_SYMBOL_EXPORT int {}(const casadi_real** arg, casadi_real** res, casadi_int* iw,",
         f.name);
  o.line("    casadi_real* w, int mem) {");
  if (!call.empty() && longest > 0) o.add("static const double zeros[{}] = {{0}};", longest);
  o.line("(void)iw;");
  o.line("(void)mem;");
  if (call.empty()) {
    o.line("(void)arg;");
    o.line("(void)res;");
    o.line("(void)w;");
  } else {
    o.add("{}({});", f.program.name, call);
  }
  o.line("return 0;");
  o.close();
  emit_arrays(o, f, f.inputs, "in");
  emit_arrays(o, f, f.outputs, "out");
  o.open("CASADI_SYMBOL_EXPORT int {}_work(casadi_int* sz_arg, casadi_int* sz_res, ", f.name);
  o.line("    casadi_int* sz_iw, casadi_int* sz_w) {");
  o.add("if (sz_arg) *sz_arg = {};", f.inputs.size());
  o.add("if (sz_res) *sz_res = {};", f.outputs.size());
  o.line("if (sz_iw) *sz_iw = 0;");
  o.add("if (sz_w) *sz_w = {};", scratch);
  o.line("return 0;");
  o.close();
  // No memory: any number of threads may call the function.
  for (const char* which : {"incref", "decref"})
    o.add("CASADI_SYMBOL_EXPORT void {}_{}(void) {{}}", f.name, which);
  o.add("CASADI_SYMBOL_EXPORT int {}_checkout(void) {{ return 0; }}", f.name);
  o.add("CASADI_SYMBOL_EXPORT void {}_release(int mem) {{ (void)mem; }}", f.name);
}

void emit_macros(Lines& o, const std::string& name) {
  o.line("#ifndef casadi_real");
  o.line("#define casadi_real double");
  o.line("#endif");
  o.line("#ifndef casadi_int");
  o.line("#define casadi_int long long int");
  o.line("#endif");
  o.line("#ifndef CASADI_SYMBOL_EXPORT");
  o.line("#if defined(_WIN32) || defined(__CYGWIN__)");
  o.line("#define CASADI_SYMBOL_EXPORT __declspec(dllexport)");
  o.line("#elif defined(__GNUC__)");
  o.line("#define CASADI_SYMBOL_EXPORT __attribute__((visibility(\"default\")))");
  o.line("#else");
  o.line("#define CASADI_SYMBOL_EXPORT");
  o.line("#endif");
  o.line("#endif");
  o.add("typedef char {}_needs_real_double[sizeof(casadi_real) == sizeof(double) ? 1 : -1];", name);
  o.blank();
}

}  // namespace

std::string casadi_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (letter || (!name.empty() && name.back() != '_')) name += letter ? c : '_';
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || !std::isalpha(static_cast<unsigned char>(name[0])) ? "r" + name : name;
}

CasadiCode emit_casadi(const Program& p, const std::vector<int>& columns, const COptions& options) {
  if (options.single_precision) throw std::logic_error("CasADi's numbers are double");
  CasadiFunction f;
  f.name = casadi_name(p.name);
  std::size_t at = 0;
  for (const Argument& a : p.inputs) {
    std::vector<std::string> elements;
    for (int k = 0; k < a.count; ++k) elements.push_back(p.graph.inputs()[at++].name);
    f.inputs.push_back(dense(a.name, a.count, 1, elements));
  }
  at = 0;
  for (std::size_t k = 0; k < p.outputs.size(); ++k) {
    const int width = columns[k], height = p.outputs[k].count / width;
    std::vector<std::string> elements;
    for (int c = 0; c < width; ++c)
      for (int r = 0; r < height; ++r)
        elements.push_back(p.graph.outputs()[at + static_cast<std::size_t>(r * width + c)].name);
    at += static_cast<std::size_t>(p.outputs[k].count);
    f.outputs.push_back(dense(p.outputs[k].name, height, width, elements));
  }
  arrange(f, p.graph);
  Graph adjoint;
  std::vector<CasadiFunction> all{f, jacobian_function(f, p.graph)};
  all.push_back(adjoint_function(f, p.graph, adjoint));
  all.push_back(jacobian_function(all.back(), adjoint));

  CasadiCode code;
  code.name = f.name;
  code.jacobian = counts(all[1].program.graph);
  for (const CasadiArray& block : all[1].outputs) {
    code.nonzeros += block.count();
    code.entries += block.height * block.width;
  }
  Lines o;
  o.add("/* {}: external functions of CasADi 3.6 and later.", f.name);
  o.line(" *");
  for (std::string line : p.about) {
    const std::string other = "matrices are row-major";
    if (const std::size_t k = line.find(other); k != std::string::npos)
      line.replace(k, other.size(), "matrices are column-major");
    o.line(line.empty() ? " *" : " * " + line);
  }
  o.line(" *");
  o.add(
      " * cc -O2 -shared -fPIC -o {0}.so {0}.c -lm, then casadi.external(\"{0}\", "
      "\"./{0}.so\").",
      f.name);
  for (const CasadiFunction& one : all)
    o.add(" * {}: {}.", one.name, operations_text(counts(one.program.graph)));
  o.line(" */");
  o.blank();
  emit_macros(o, f.name);
  for (CasadiFunction& one : all) {
    int longest = 0;
    for (const CasadiArray& a : one.inputs) longest = std::max(longest, a.count());
    one.program.name = one.name + "_values";
    if (!one.program.outputs.empty()) o.raw(emit_c_local(one.program, options));
    o.blank();
    emit_entry(o, one, longest);
    o.blank();
  }
  code.text = o.text();
  return code;
}

}  // namespace parid::codegen
