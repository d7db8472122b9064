#include "codegen/emit/languages.hpp"

#include <fmt/format.h>

#include "codegen/emit/lines.hpp"
#include "parid/error.hpp"

namespace parid::codegen {
namespace {

// The arguments of an entry point: "const double *q, const double *v, double *tau".
std::string entry_point_arguments(const Program& p, const std::string& real) {
  std::vector<std::string> all;
  for (const Argument& a : p.inputs) all.push_back(fmt::format("const {} *{}", real, a.name));
  for (const Argument& a : p.outputs) all.push_back(fmt::format("{} *{}", real, a.name));
  return fmt::format("{}", fmt::join(all, ", "));
}
std::string names(const std::vector<Argument>& all) {
  std::vector<std::string> n;
  for (const Argument& a : all) n.push_back(a.name);
  return fmt::format("{}", fmt::join(n, ", "));
}

}  // namespace

std::string emit_cpp(const Program& p, const CppOptions& options) {
  const bool single = options.single_precision;
  const std::string real = single ? "float" : "double";
  if (options.lanes != 0 &&
      (options.lanes < 2 || options.lanes > 32 || (options.lanes & (options.lanes - 1)) != 0))
    throw Error(fmt::format("lanes: {} samples do not fill a register; give 2, 4, 8, 16 or 32",
                            options.lanes));
  const int lanes = options.lanes > 0 ? options.lanes : single ? 8 : 4;
  const std::string arguments = entry_point_arguments(p, real);
  const std::string rows = fmt::format("extern \"C\" void {}(long rows, {})", p.name, arguments);
  const std::string columns =
      fmt::format("extern \"C\" void {}_columns(long rows, long stride, {})", p.name, arguments);
  Lines o;
  o.add("// {}, {} samples at a time", p.name, lanes);
  o.line("//");
  for (const std::string& line : p.about) o.line(line.empty() ? "//" : "// " + line);
  o.line("//");
  o.line("// Compile with g++ 12 or later or clang++, -O2 -march=native -ffp-contract=fast; call");
  o.line("//");
  o.add("//   {};", rows);
  o.add("//   {};", columns);
  o.line("//");
  o.line(
      "// with row-major arrays (rows, n), or columns: element k of sample r at [k * stride + r].");
  o.blank();
  // Refuses formats and flags under which the constants and the sines would be wrong.
  o.line("#if !defined(__GNUC__)");
  o.add("#error \"{}: needs the vector types of g++ or clang++; generate it in C\"", p.name);
  o.add("#elif __{}_MANT_DIG__ != {}", single ? "FLT" : "DBL", single ? 24 : 53);
  o.add("#error \"{}: {} is not {} of IEEE 754{}\"", p.name, real, single ? "binary32" : "binary64",
        single ? "" : "; generate it in single precision");
  o.line("#endif");
  if (!single)
    o.add(
        "static_assert(sizeof(1.0) == sizeof(double), \"{}: constants must be double; remove "
        "{}\");",
        p.name, "-fsingle-precision-constant");
  o.blank();
  o.add("namespace {}_lanes {{", p.name);
  o.line("namespace {");
  o.blank();
  emit_simd_functions(o, p, {lanes, single}, "void rows_of", "void columns_of");
  o.blank();
  o.line("}  // namespace");
  o.add("}}  // namespace {}_lanes", p.name);
  for (const bool by_rows : {true, false}) {
    o.blank();
    o.line((by_rows ? rows : columns) + ";");  // for compilers that miss a declaration
    o.open("{} {{", by_rows ? rows : columns);
    o.add("const {} *const in[] = {{{}}};", real, names(p.inputs));
    o.add("{} *const out[] = {{{}}};", real, names(p.outputs));
    o.add("{}_lanes::{}, in, out);", p.name, by_rows ? "rows_of(rows" : "columns_of(rows, stride");
    o.close();
  }
  return o.text();
}

}  // namespace parid::codegen
