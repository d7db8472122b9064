#include "parid/emit/simd.hpp"

#include <algorithm>

#include "parid/emit/body.hpp"
#include "parid/emit/sin_cos_text.hpp"

namespace parid {
namespace {

// x[0…W−1] becomes its transpose: for blocks of 1, 2, 4, … the corners that lie across are exchanged.
void emit_transpose(Lines& o, int lanes) {
  o.open("static inline void transpose(V *x) {{");
  o.line("V a, b;");
  for (int block = 1; block < lanes; block *= 2)
    for (int i = 0; i < lanes; ++i) {
      if (i & block) continue;
      std::string first, second;
      for (int k = 0; k < lanes; ++k) {
        const bool across = k & block;
        first += fmt::format(", {}", across ? lanes + k - block : k);
        second += fmt::format(", {}", across ? lanes + k : k + block);
      }
      o.add("a = x[{}], b = x[{}];", i, i + block);
      o.add("x[{}] = __builtin_shufflevector(a, b{});", i, first);
      o.add("x[{}] = __builtin_shufflevector(a, b{});", i + block, second);
    }
  o.close();
  o.blank();
}

int total(const std::vector<Argument>& arguments) {
  int n = 0;
  for (const Argument& a : arguments) n += a.count;
  return n;
}

void emit_body_function(Lines& o, const Program& p, const SimdOptions& options) {
  const Graph& g = p.graph;
  o.open("static inline __attribute__((always_inline)) void body(const V *in, V *out) {{");
  Dialect dialect;
  dialect.declare = "const V ";
  dialect.number = options.single_precision ? decimal_float : decimal;
  dialect.other = [](Op op, const std::vector<std::string>& x) -> std::string {
    switch (op) {
      case Op::sqrt: return fmt::format("lanes_sqrt({})", x[0]);
      case Op::abs: return fmt::format("lanes_abs({})", x[0]);
      case Op::atan2: return fmt::format("lanes_atan2({}, {})", x[0], x[1]);
      case Op::less: return fmt::format("(V){{0}} + {} < (V){{0}} + {}", x[0], x[1]);
      default:
        return fmt::format("lanes_select({}, (V){{0}} + {}, (V){{0}} + {})", x[0], x[1], x[2]);
    }
  };
  BodyNames names;
  names.input = [](int k) { return fmt::format("in[{}]", k); };
  names.angle = [](int k, bool cosine) { return fmt::format("{}{}", cosine ? "c" : "s", k + 1); };
  names.emit_angle = [&](int k, const std::string& x) {
    o.add("V s{0}, c{0};", k + 1);
    o.add("sin_cos({1}, &s{0}, &c{0});", k + 1, x);
  };
  const std::vector<std::string> results = emit_body(o, g, dialect, names);
  for (std::size_t k = 0; k < results.size(); ++k) o.add("out[{}] = (V){{0}} + {};", k, results[k]);
  o.close();
  o.blank();
}

// Reads or writes W rows of an array of n columns, W columns at a time. A read may run into the rows
// after, a write of a row is mended by the next: rows come in order, and the last ones through a copy.
void emit_block(Lines& o, const Program& p, int lanes) {
  o.open("static inline void block(const R *const *in, R *const *out) {{");
  o.add("V x[{}], y[{}], t[{}];", total(p.inputs), total(p.outputs), lanes);
  int at = 0, argument = 0;
  for (const Argument& a : p.inputs) {
    for (int c = 0; c < a.count; c += lanes) {
      for (int r = 0; r < lanes; ++r)
        o.add("t[{}] = *(const U *)(in[{}] + {});", r, argument, r * a.count + c);
      o.line("transpose(t);");
      for (int k = c; k < std::min(c + lanes, a.count); ++k) o.add("x[{}] = t[{}];", at + k, k - c);
    }
    at += a.count;
    ++argument;
  }
  o.line("body(x, y);");
  at = 0, argument = 0;
  for (const Argument& a : p.outputs) {
    for (int c = 0; c < a.count; c += lanes) {
      const int here = std::min(lanes, a.count - c);
      for (int k = 0; k < lanes; ++k)
        o.add("t[{}] = {};", k, k < here ? fmt::format("y[{}]", at + c + k) : "(V){0}");
      o.line("transpose(t);");
      for (int r = 0; r < lanes; ++r)
        if (here == lanes || a.count <= lanes)
          o.add("*(U *)(out[{}] + {}) = t[{}];", argument, r * a.count + c, r);
        else
          for (int k = 0; k < here; ++k)
            o.add("out[{}][{}] = t[{}][{}];", argument, r * a.count + c + k, r, k);
    }
    at += a.count;
    ++argument;
  }
  o.close();
  o.blank();
}

void emit_rows(Lines& o, const Program& p, int lanes, const std::string& name) {
  const std::size_t ins = p.inputs.size(), outs = p.outputs.size();
  o.open("{}(long rows, const R *const *in, R *const *out) {{", name);
  o.line("long r = 0;");
  o.add("const R *from[{}];", ins);
  o.add("R *to[{}];", outs);
  // the last block of all always goes through the copy: it may not run beyond the arrays' ends
  o.open("for (; r + {} < rows; r += {}) {{", 2 * lanes, lanes);
  for (std::size_t k = 0; k < ins; ++k)
    o.add("from[{}] = in[{}] + r * {};", k, k, p.inputs[k].count);
  for (std::size_t k = 0; k < outs; ++k)
    o.add("to[{}] = out[{}] + r * {};", k, k, p.outputs[k].count);
  o.line("block(from, to);");
  o.close();
  for (std::size_t k = 0; k < ins; ++k)
    o.add("R in{}[{}] = {{0}};", k, p.inputs[k].count * lanes + lanes);
  for (std::size_t k = 0; k < outs; ++k)
    o.add("R out{}[{}];", k, p.outputs[k].count * lanes + lanes);
  o.open("for (; r < rows; r += {}) {{", lanes);
  o.add("const long n = rows - r < {} ? rows - r : {};", lanes, lanes);
  for (std::size_t k = 0; k < ins; ++k) {
    o.add("for (long k = 0; k < n * {}; ++k) in{}[k] = in[{}][r * {} + k];", p.inputs[k].count, k,
          k, p.inputs[k].count);
    o.add("from[{}] = in{};", k, k);
  }
  for (std::size_t k = 0; k < outs; ++k) o.add("to[{}] = out{};", k, k);
  o.line("block(from, to);");
  for (std::size_t k = 0; k < outs; ++k)
    o.add("for (long k = 0; k < n * {}; ++k) out[{}][r * {} + k] = out{}[k];", p.outputs[k].count,
          k, p.outputs[k].count, k);
  o.close();
  o.close();
  o.blank();
}

void emit_columns(Lines& o, const Program& p, int lanes, const std::string& name) {
  o.open("{}(long rows, long stride, const R *const *in, R *const *out) {{", name);
  o.add("V x[{}], y[{}];", total(p.inputs), total(p.outputs));
  o.line("long r = 0;");
  auto each = [&](const std::vector<Argument>& all, auto&& line) {
    int at = 0, argument = 0;
    for (const Argument& a : all) {
      for (int k = 0; k < a.count; ++k) line(at + k, argument, k);
      at += a.count;
      ++argument;
    }
  };
  o.open("for (; r + {} <= rows; r += {}) {{", lanes, lanes);
  each(p.inputs, [&](int at, int argument, int k) {
    o.add("x[{}] = *(const U *)(in[{}] + {} * stride + r);", at, argument, k);
  });
  o.line("body(x, y);");
  each(p.outputs, [&](int at, int argument, int k) {
    o.add("*(U *)(out[{}] + {} * stride + r) = y[{}];", argument, k, at);
  });
  o.close();
  o.open("if (r < rows) {{");
  o.line("const long n = rows - r;");
  each(p.inputs, [&](int at, int argument, int k) {
    o.add(
        "x[{0}] = (V){{0}}; for (long l = 0; l < n; ++l) x[{0}][l] = in[{1}][{2} * stride + r + "
        "l];",
        at, argument, k);
  });
  o.line("body(x, y);");
  each(p.outputs, [&](int at, int argument, int k) {
    o.add("for (long l = 0; l < n; ++l) out[{}][{} * stride + r + l] = y[{}][l];", argument, k, at);
  });
  o.close();
  o.close();
}

}  // namespace

void emit_simd_functions(Lines& o, const Program& p, const SimdOptions& options,
                         const std::string& rows, const std::string& columns) {
  const int lanes = options.lanes;
  const std::string real = options.single_precision ? "float" : "double";
  const int bytes = lanes * (options.single_precision ? 4 : 8);
  o.add("typedef {} R;", real);
  o.add("typedef R V __attribute__((vector_size({})));", bytes);
  o.add("typedef R U __attribute__((vector_size({}), aligned({}), may_alias));", bytes,
        options.single_precision ? 4 : 8);
  o.add("typedef {} I __attribute__((vector_size({})));", options.single_precision ? "int" : "long",
        bytes);
  o.blank();
  const std::string f = options.single_precision ? "f" : "";
  if (uses(p.graph, Op::select) || uses(p.graph, Op::abs))
    o.line("static inline V lanes_select(I m, V a, V b) { return (V)((m & (I)a) | (~m & (I)b)); }");
  if (uses(p.graph, Op::abs))
    o.line("static inline V lanes_abs(V a) { return lanes_select(a < 0, -a, a); }");
  if (uses(p.graph, Op::sqrt))
    o.add(
        "static inline V lanes_sqrt(V a) {{ for (int k = 0; k < {}; ++k) a[k] = "
        "__builtin_sqrt{}(a[k]); return a; }}",
        lanes, f);
  if (uses(p.graph, Op::atan2))
    o.add(
        "static inline V lanes_atan2(V a, V b) {{ for (int k = 0; k < {}; ++k) a[k] = "
        "__builtin_atan2{}(a[k], b[k]); return a; }}",
        lanes, f);
  o.blank();
  if (uses(p.graph, Op::sin) || uses(p.graph, Op::cos))
    emit_sin_cos(o, "sin_cos", "V", options.single_precision);
  o.blank();
  emit_transpose(o, lanes);
  emit_body_function(o, p, options);
  emit_block(o, p, lanes);
  emit_rows(o, p, lanes, rows);
  emit_columns(o, p, lanes, columns);
}

std::string emit_simd(const Program& p, const SimdOptions& options) {
  Lines o;
  o.add("/* {}, {} lanes", p.name, options.lanes);
  for (const std::string& line : p.about) o.line(line.empty() ? " *" : " * " + line);
  o.line(" */");
  emit_simd_functions(o, p, options, "void " + p.name + "_rows", "void " + p.name + "_columns");
  return o.text();
}

}  // namespace parid
