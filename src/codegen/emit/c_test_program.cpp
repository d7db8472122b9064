#include "codegen/emit/c_test_program.hpp"

#include <fmt/format.h>

#include "codegen/emit/lines.hpp"

namespace parid::codegen {
namespace {

int total(const std::vector<Argument>& all) {
  int n = 0;
  for (const Argument& a : all) n += a.count;
  return n;
}

// Exact for every rounding of the reader.
std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double x : values) text += fmt::format("{}{:a}", text.empty() ? "" : ", ", x);
  return text;
}

}  // namespace

std::string c_test_program(const Program& p, std::span<const ReferenceRow> rows,
                           bool single_precision, const std::string& by) {
  const int in = total(p.inputs), out = total(p.outputs);
  Lines o;
  o.add("/* Tests {} on {} rows; expected values by {}.", p.name, rows.size(), comment_line(by));
  o.add(" *   cc -std=c99 -O2 {0}.c {0}_test.c -lm -o {0}_test && ./{0}_test", p.name);
  o.line(" */");
  o.line("#include <math.h>");
  o.line("#include <stdint.h>");
  o.line("#include <stdio.h>");
  o.line("");
  o.add("#include \"{}.h\"", p.name);
  o.line("");
  o.add("static const double given[{}][{}] = {{", rows.size(), in);
  for (const ReferenceRow& r : rows) o.add("  {{{}}},", numbers(r.in));
  o.line("};");
  o.add("static const double wanted[{}][{}] = {{", rows.size(), out);
  for (const ReferenceRow& r : rows) o.add("  {{{}}},", numbers(r.out));
  o.line("};");
  o.add("static const int lengths[{}] = {{", p.outputs.size());
  std::string lengths;
  for (const Argument& a : p.outputs)
    lengths += fmt::format("{}{}", lengths.empty() ? "" : ", ", a.count);
  o.add("  {}", lengths);
  o.line("};");
  o.line("");
  o.line("/* By the bits: -ffast-math may optimise isfinite away. */");
  o.line("static int is_number(double x) {");
  o.line("  union { double real; uint64_t bits; } both;");
  o.line("  both.real = x;");
  o.line("  return (both.bits >> 52 & 0x7ff) != 0x7ff;");
  o.line("}");
  o.line("");
  o.line("int main(void) {");
  const char* real = single_precision ? "float" : "double";
  o.add("  const double tolerance = {};", single_precision ? "1e-3" : "1e-10");
  o.line("  double worst = 0;");
  o.line("  int row, k, array, wrong = 0;");
  o.add("  for (row = 0; row < {}; ++row) {{", rows.size());
  o.add("    {} in[{}], out[{}];", real, in, out);
  o.add("    for (k = 0; k < {}; ++k) in[k] = ({})given[row][k];", in, real);
  std::string call;
  int at = 0;
  for (const Argument& a : p.inputs) {
    call += fmt::format("{}in + {}", call.empty() ? "" : ", ", at);
    at += a.count;
  }
  at = 0;
  for (const Argument& a : p.outputs) {
    call += fmt::format(", out + {}", at);
    at += a.count;
  }
  o.add("    {}({});", p.name, call);
  o.add("    for (array = 0, k = 0; array < {}; ++array) {{", p.outputs.size());
  o.line("      const int first = k, last = k + lengths[array];");
  o.line("      double largest = 1e-300, off = 0;");
  o.line("      for (k = first; k < last; ++k)");
  o.line("        if (fabs(wanted[row][k]) > largest) largest = fabs(wanted[row][k]);");
  o.line("      for (k = first; k < last; ++k) {");
  o.line("        double d = fabs((double)out[k] - wanted[row][k]) / largest;");
  o.line("        if (!is_number(d)) d = 1e300; /* NaN or infinite: wrong */");
  o.line("        if (d > off) off = d;");
  o.line("      }");
  o.line("      if (off > worst) worst = off;");
  o.line("      if (off > tolerance) {");
  o.line("        printf(\"row %d, output %d: off by %g\\n\", row, array, off);");
  o.line("        ++wrong;");
  o.line("      }");
  o.line("    }");
  o.line("  }");
  o.add(
      "  printf(\"{}: %s, {} rows, largest relative error %.1e\\n\", wrong ? \"FAIL\" : \"PASS\", "
      "worst);",
      p.name, rows.size());
  o.line("  return wrong != 0;");
  o.line("}");
  return o.text();
}

}  // namespace parid::codegen
