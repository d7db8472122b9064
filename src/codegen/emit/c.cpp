#include "codegen/emit/languages.hpp"

#include <cctype>

#include "codegen/emit/body.hpp"
#include "codegen/emit/sin_cos_text.hpp"

namespace parid::codegen {
namespace {

std::string upper(std::string s) {
  for (char& c : s) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return s;
}

// Element k of the flat list of inputs or outputs.
std::string element(const std::vector<Argument>& arguments, int k) {
  for (const Argument& a : arguments) {
    if (k < a.count) return fmt::format("{}[{}]", a.name, k);
    k -= a.count;
  }
  return "?";
}

// Live values, plus what a compiler adds: saved registers and values loaded early. The firmware
// test measures it.
int stack_bytes(const Graph& g, int bytes_per_number) {
  return bytes_per_number * (most_alive(g) + 24) + 32;
}

void comment(Lines& o, const Program& p, bool single) {
  o.line("/* " + p.name);
  o.line(" *");
  for (const std::string& line : p.about) o.line(line.empty() ? " *" : " * " + line);
  o.add(" * 0 bytes of static memory, at most {} bytes of stack (optimised, -O1 or more).",
        stack_bytes(p.graph, single ? 4 : 8));
  o.line(" */");
}

// Refuses formats and flags under which the constants and the sines below would be wrong.
void emit_requirements(Lines& o, const std::string& name, bool single) {
  o.add("#if FLT_RADIX != 2 || {}_MANT_DIG != {}", single ? "FLT" : "DBL", single ? 24 : 53);
  o.add("#error \"{}: {} is not {} of IEEE 754{}\"", name, single ? "float" : "double",
        single ? "binary32" : "binary64", single ? "" : "; generate it in single precision");
  o.line("#endif");
  if (!single) {
    o.line("/* -fsingle-precision-constant rounds all constants to float. */");
    o.add("typedef char {}_needs_constants_in_double[sizeof(1.0) == sizeof(double) ? 1 : -1];",
          name);
  }
  o.blank();
}

}  // namespace

std::string c_signature(const Program& p, const std::string& real) {
  std::string s = fmt::format("void {}(", p.name);
  const char* separator = "";
  for (const Argument& a : p.inputs) {
    s += fmt::format("{}const {} {}[restrict {}]", separator, real, a.name, a.count);
    separator = ", ";
  }
  for (const Argument& a : p.outputs) {
    s += fmt::format("{}{} {}[restrict {}]", separator, real, a.name, a.count);
    separator = ", ";
  }
  return s + ")";
}

namespace {

// `local`: a static function, without the head of a file.
std::string c_source(const Program& p, const COptions& options, bool local) {
  const bool single = options.single_precision;
  const std::string real = single ? "float" : "double", suffix = single ? "f" : "";
  const Graph& g = p.graph;
  Lines o;
  if (!local) {
    comment(o, p, single);
    o.blank();
    o.add("#include \"{}.h\"", p.name);
  }
  const std::vector<Angle> all = angles(g);
  const bool library = options.libm_sin_cos && !all.empty(), own_sines = !library && !all.empty();
  o.blank();
  o.line("#include <float.h>");
  if (library || options.fma || uses(g, Op::sqrt) || uses(g, Op::abs) || uses(g, Op::atan2))
    o.line("#include <math.h>");
  if (own_sines) o.line("#include <stdint.h>");
  o.blank();
  emit_requirements(o, p.name, single);
  const std::string pair = p.name + "_sin_cos";
  if (own_sines) {
    const std::string bits = single ? "uint32_t" : "uint64_t", keep = upper(p.name) + "_KEEP";
    emit_keep(o, keep);
    for (const bool to_bits : {true, false}) {
      o.open("static inline {} {}_{}(const {} x) {{", to_bits ? bits : real, p.name,
             to_bits ? "bits" : "real", to_bits ? real : bits);
      o.add("union {{ {} real; {} bits; }} both;", real, bits);
      o.line(to_bits ? "both.real = x;" : "both.bits = x;");
      o.line(to_bits ? "return both.bits;" : "return both.real;");
      o.close();
    }
    o.blank();
    emit_sin_cos(o, {pair, real, bits, p.name + "_bits", p.name + "_real", keep, single});
    o.blank();
  }
  const std::string choose = p.name + "_choose";
  if (uses(g, Op::select)) {
    // a ? b : c may become a branch, so that the time would depend on the input.
    o.line("/* a if yes is 1, b if yes is 0, without a branch. */");
    o.open("static inline {0} {1}(const int yes, const {0} a, const {0} b) {{", real, choose);
    o.add("const {} either[2] = {{b, a}};", real);
    o.line("return either[yes];");
    o.close();
    o.blank();
  }
  o.open("{}{} {{", local ? "static " : "", c_signature(p, real));
  Dialect dialect;
  dialect.declare = "const " + real + " ";
  dialect.number = single ? decimal_float : decimal;
  dialect.other = [&](Op op, const std::vector<std::string>& x) -> std::string {
    switch (op) {
      case Op::sqrt: return fmt::format("sqrt{}({})", suffix, x[0]);
      case Op::abs: return fmt::format("fabs{}({})", suffix, x[0]);
      case Op::atan2: return fmt::format("atan2{}({}, {})", suffix, x[0], x[1]);
      case Op::less: return fmt::format("{} < {}", x[0], x[1]);
      default: return fmt::format("{}({}, {}, {})", choose, x[0], x[1], x[2]);
    }
  };
  if (options.fma) dialect.fused = "fma" + suffix;
  BodyNames names;
  names.input = [&](int k) { return element(p.inputs, k); };
  names.angle = [](int k, bool cosine) { return fmt::format("{}{}", cosine ? "c" : "s", k + 1); };
  names.emit_angle = [&](int k, const std::string& argument) {
    if (library) {
      o.add("const {0} s{1} = sin{2}({3}), c{1} = cos{2}({3});", real, k + 1, suffix, argument);
    } else {
      o.add("{0} s{1}, c{1};", real, k + 1);
      o.add("{0}({2}, &s{1}, &c{1});", pair, k + 1, argument);
    }
  };
  const std::vector<bool> used = used_arguments(p);
  for (std::size_t k = 0; k < p.inputs.size(); ++k)
    if (!used[k]) o.add("(void){};", p.inputs[k].name);  // unused
  const std::vector<std::string> results = emit_body(o, g, dialect, names);
  for (std::size_t k = 0; k < results.size(); ++k)
    o.add("{} = {};", element(p.outputs, static_cast<int>(k)), results[k]);
  o.close();
  return o.text();
}

}  // namespace

CFiles emit_c(const Program& p, const COptions& options) {
  const bool single = options.single_precision;
  const std::string real = single ? "float" : "double";

  Lines h;
  const std::string guard = upper(p.name) + "_H";
  comment(h, p, single);
  h.blank();
  h.add("#ifndef {}", guard);
  h.add("#define {}", guard);
  h.blank();
  h.line("#ifdef __cplusplus");
  h.line("#define restrict __restrict");
  h.line("extern \"C\" {");
  h.line("#endif");
  h.blank();
  std::string prototype = c_signature(p, real);
  h.line("#ifdef __cplusplus");
  {
    std::string plain = prototype;  // C++ has no restrict inside brackets
    for (std::size_t at; (at = plain.find("restrict ")) != std::string::npos;) plain.erase(at, 9);
    h.line(plain + ";");
  }
  h.line("#undef restrict");
  h.line("}");
  h.line("#else");
  h.line(prototype + ";");
  h.line("#endif");
  h.blank();
  h.line("#endif");

  return {h.text(), c_source(p, options, false)};
}

std::string emit_c_local(const Program& p, const COptions& options) {
  return c_source(p, options, true);
}

}  // namespace parid::codegen
