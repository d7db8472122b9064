#include "codegen/emit/languages.hpp"

#include <algorithm>
#include <cctype>

#include "codegen/emit/body.hpp"
#include "codegen/emit/sin_cos_text.hpp"
#include "scalar/angle.hpp"

namespace parid::codegen {
namespace {

// Rows and columns are transposed in squares of this size: a register holds W / side of them, so
// that the only shuffles are those within squares.
int side_of(int lanes) { return std::min(4, lanes); }

// x[0…side−1] becomes the transpose of its squares: for blocks of 1, 2, … the off-diagonal blocks
// are swapped.
void emit_transpose(Lines& o, int lanes) {
  const int side = side_of(lanes);
  o.open("static inline __attribute__((always_inline)) void transpose(V *x) {{");
  o.line("V a, b;");
  for (int block = 1; block < side; block *= 2)
    for (int i = 0; i < side; ++i) {
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

// Combines the squares of `n` registers into one: Q, Q2, … have 1, 2, … of them.
std::string joined(const std::vector<std::string>& squares, int side) {
  if (squares.size() == 1) return squares.front();
  const std::size_t half = squares.size() / 2;
  const int lanes = static_cast<int>(squares.size()) * side;
  std::string all;
  for (int k = 0; k < lanes; ++k) all += fmt::format(", {}", k);
  return fmt::format("__builtin_shufflevector({}, {}{})",
                     joined({squares.begin(), squares.begin() + half}, side),
                     joined({squares.begin() + half, squares.end()}, side), all);
}

// Columns c … c + side − 1 of a row, for every group of them; the last group overlaps the previous
// one instead of running over the row's end, unless the row is shorter than a group.
std::vector<int> groups(int columns, int side) {
  std::vector<int> first;
  for (int c = 0; c < columns; c += side) first.push_back(std::max(0, std::min(c, columns - side)));
  return first;
}

int total(const std::vector<Argument>& arguments) {
  int n = 0;
  for (const Argument& a : arguments) n += a.count;
  return n;
}

Dialect dialect_of(const SimdOptions& options) {
  Dialect dialect;
  dialect.declare = "const V ";
  dialect.number = options.single_precision ? decimal_float : decimal;
  // Functions operate on registers, not on numbers.
  auto lanes = [n = options.lanes](const std::string& x) {
    if (x[0] != '-' && !std::isdigit(static_cast<unsigned char>(x[0]))) return x;
    std::string all = x;
    for (int k = 1; k < n; ++k) all += ", " + x;
    return "(V){" + all + "}";
  };
  dialect.other = [lanes](Op op, const std::vector<std::string>& x) -> std::string {
    switch (op) {
      case Op::sqrt: return fmt::format("lanes_sqrt({})", lanes(x[0]));
      case Op::abs: return fmt::format("lanes_abs({})", lanes(x[0]));
      case Op::atan2: return fmt::format("lanes_atan2({}, {})", lanes(x[0]), lanes(x[1]));
      case Op::less: return fmt::format("{} < {}", lanes(x[0]), lanes(x[1]));
      default: return fmt::format("lanes_select({}, {}, {})", x[0], lanes(x[1]), lanes(x[2]));
    }
  };
  return dialect;
}

void emit_body_function(Lines& o, const Program& p, const SimdOptions& options) {
  const Graph& g = p.graph;
  o.open("static inline __attribute__((always_inline)) void body(const V *in, V *out) {{");
  const Dialect dialect = dialect_of(options);
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

// W rows in, W rows out. For rows shorter than a square, a read runs into the next row, and a write
// is corrected by the next one: rows are processed in order, and the last ones through a copy.
void emit_block(Lines& o, const Program& p, int lanes) {
  const int side = side_of(lanes);
  o.open("static __attribute__((noinline)) void block(const R *const *in, R *const *out) {{");
  o.add("V x[{}], y[{}], t[{}];", total(p.inputs), total(p.outputs), side);
  int at = 0, argument = 0;
  for (const Argument& a : p.inputs) {
    for (const int c : groups(a.count, side)) {
      for (int j = 0; j < side; ++j) {
        std::vector<std::string> squares;
        for (int r = j; r < lanes; r += side)
          squares.push_back(fmt::format("*(const Q *)(in[{}] + {})", argument, r * a.count + c));
        o.add("t[{}] = {};", j, joined(squares, side));
      }
      o.line("transpose(t);");
      for (int k = c; k < std::min(c + side, a.count); ++k) o.add("x[{}] = t[{}];", at + k, k - c);
    }
    at += a.count;
    ++argument;
  }
  o.line("body(x, y);");
  at = 0;
  argument = 0;
  for (const Argument& a : p.outputs) {
    for (const int c : groups(a.count, side)) {
      for (int k = 0; k < side; ++k)
        o.add("t[{}] = {};", k, c + k < a.count ? fmt::format("y[{}]", at + c + k) : "(V){0}");
      o.line("transpose(t);");
      for (int r = 0; r < lanes; ++r) {
        std::string square;
        for (int k = 0; k < side; ++k) square += fmt::format(", {}", r / side * side + k);
        o.add("*(Q *)(out[{0}] + {1}) = __builtin_shufflevector(t[{2}], t[{2}]{3});", argument,
              r * a.count + c, r % side, square);
      }
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
  // short rows are read and written slightly beyond their end: the last of those go through a copy
  int beyond = 0;
  for (const auto* all : {&p.inputs, &p.outputs})
    for (const Argument& a : *all)
      if (a.count < side_of(lanes)) beyond = side_of(lanes);
  o.open("for (; r + {} <= rows; r += {}) {{", lanes + beyond, lanes);
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
  auto each = [&](const std::vector<Argument>& all, auto&& line) {
    int at = 0, argument = 0;
    for (const Argument& a : all) {
      for (int k = 0; k < a.count; ++k) line(at + k, argument, k);
      at += a.count;
      ++argument;
    }
  };
  o.line("static __attribute__((noinline))");
  o.open("void column_block(long r, long stride, const R *const *in, R *const *out) {{");
  o.add("V x[{}], y[{}];", total(p.inputs), total(p.outputs));
  each(p.inputs, [&](int at, int argument, int k) {
    o.add("x[{}] = *(const U *)(in[{}] + {} * stride + r);", at, argument, k);
  });
  o.line("body(x, y);");
  each(p.outputs, [&](int at, int argument, int k) {
    o.add("*(U *)(out[{}] + {} * stride + r) = y[{}];", argument, k, at);
  });
  o.close();
  o.blank();
  o.open("{}(long rows, long stride, const R *const *in, R *const *out) {{", name);
  o.line("long r = 0;");
  o.add("for (; r + {0} <= rows; r += {0}) column_block(r, stride, in, out);", lanes);
  o.line("if (r == rows) return;");
  // the last rows go through a copy
  o.line("const long n = rows - r;");
  auto copies = [&](const std::vector<Argument>& all, const char* type, const char* name) {
    for (std::size_t k = 0; k < all.size(); ++k)
      o.add("R {}{}[{}] = {{0}};", name, k, all[k].count * lanes);
    o.add("{} *{}s[] = {{", type, name);
    for (std::size_t k = 0; k < all.size(); ++k) o.add("  {}{},", name, k);
    o.line("};");
  };
  copies(p.inputs, "const R", "copy_in");
  copies(p.outputs, "R", "copy_out");
  for (std::size_t k = 0; k < p.inputs.size(); ++k)
    o.add(
        "for (long k = 0; k < {0}; ++k) for (long l = 0; l < n; ++l) copy_in{1}[k * {2} + l] = "
        "in[{1}][k * stride + r + l];",
        p.inputs[k].count, k, lanes);
  o.add("column_block(0, {}, copy_ins, copy_outs);", lanes);
  for (std::size_t k = 0; k < p.outputs.size(); ++k)
    o.add(
        "for (long k = 0; k < {0}; ++k) for (long l = 0; l < n; ++l) out[{1}][k * stride + r + l] "
        "= copy_out{1}[k * {2} + l];",
        p.outputs[k].count, k, lanes);
  o.close();
}

// Node `id` as text, if it consists of inputs and numbers with a few sums and products; else empty.
std::string from_inputs(const Graph& g, Id id, const std::function<std::string(int)>& input,
                        const Dialect& dialect, int& left) {
  const Node& n = g[id];
  if (--left < 0) return "";
  if (n.op == Op::input) return input(static_cast<int>(n.in[0]));
  if (n.op == Op::constant) return "(" + dialect.number(n.value()) + ")";
  const char* between = n.op == Op::add   ? " + "
                        : n.op == Op::sub ? " - "
                        : n.op == Op::mul ? " * "
                                          : nullptr;
  if (!between && n.op != Op::neg) return "";
  const std::string a = from_inputs(g, n.in[0], input, dialect, left);
  if (a.empty() || !between) return a.empty() ? a : "(-" + a + ")";
  const std::string b = from_inputs(g, n.in[1], input, dialect, left);
  return b.empty() ? b : "(" + a + between + b + ")";
}

// One sample: sines and cosines in registers of 256 bits (wider ones cost more than they save
// here), everything else as scalars.
void emit_one(Lines& o, const Program& p, const SimdOptions& options) {
  const Graph& g = p.graph;
  const int lanes = options.single_precision ? 8 : 4;
  const double limit = options.single_precision ? plain_angle<float> : plain_angle<double>;
  o.open("int {}_one(const R *const *in, R *const *out) {{", p.name);
  o.line("J far = {0};");
  std::vector<std::string> element;
  auto arrays = [&](const std::vector<Argument>& all, const char* from, const char* type,
                    const char* letter) {
    int k = 0;
    for (const Argument& a : all) {
      o.add("{} *restrict {}{} = {}[{}];", type, letter, k, from, k);
      for (int j = 0; j < a.count; ++j) element.push_back(fmt::format("{}{}[{}]", letter, k, j));
      ++k;
    }
  };
  arrays(p.inputs, "in", "const R", "x");
  const std::vector<std::string> input = element;
  element.clear();
  arrays(p.outputs, "out", "R", "y");

  Dialect dialect = dialect_of(options);
  dialect.declare = "const R ";
  dialect.other = [&](Op op, const std::vector<std::string>& x) -> std::string {
    const char* f = options.single_precision ? "f" : "";
    switch (op) {
      case Op::sqrt: return fmt::format("__builtin_sqrt{}({})", f, x[0]);
      case Op::abs: return fmt::format("__builtin_fabs{}({})", f, x[0]);
      case Op::atan2: return fmt::format("__builtin_atan2{}({}, {})", f, x[0], x[1]);
      case Op::less: return fmt::format("{} < {}", x[0], x[1]);
      default: return fmt::format("{} ? {} : {}", x[0], x[1], x[2]);
    }
  };
  BodyNames names;
  names.input = [&](int k) { return input[k]; };
  names.angle = [](int k, bool cosine) { return fmt::format("{}{}", cosine ? "c" : "s", k + 1); };

  const std::vector<Angle> all = angles(g);
  std::vector<bool> packed(all.size());
  std::vector<std::pair<int, std::string>> some;
  auto emit_some = [&] {
    if (some.empty()) return;
    std::string list;
    for (const auto& [k, text] : some) list += (list.empty() ? "" : ", ") + text;
    const int name = some.front().first + 1;
    o.add("const A angles{} = {{{}}};", name, list);
    o.add("far |= ~((angles{0} <= (R){1}) & (angles{0} >= (R)-{1}));", name, limit);
    o.add("A sines{0}, cosines{0}; sin_cos_abreast(angles{0}, &sines{0}, &cosines{0});", name);
    for (std::size_t j = 0; j < some.size(); ++j)
      o.add("const R s{0} = sines{1}[{2}], c{0} = cosines{1}[{2}];", some[j].first + 1, name, j);
    some.clear();
  };
  for (std::size_t k = 0; k < all.size(); ++k) {
    int left = 12;
    const std::string text = from_inputs(g, all[k].of, names.input, dialect, left);
    packed[k] = !text.empty();
    if (packed[k]) some.emplace_back(static_cast<int>(k), text);
    if (some.size() == static_cast<std::size_t>(lanes)) emit_some();
  }
  emit_some();
  names.emit_angle = [&](int k, const std::string& x) {
    if (packed[k]) return;
    o.add("const A a_{} = {{{}}};", k + 1, x);
    o.add("far |= ~((a_{0} <= (R){1}) & (a_{0} >= (R)-{1}));", k + 1, limit);
    o.add("A s_{0}, c_{0}; sin_cos_abreast(a_{0}, &s_{0}, &c_{0});", k + 1);
    o.add("const R s{0} = s_{0}[0], c{0} = c_{0}[0];", k + 1);
  };
  const std::vector<std::string> results = emit_body(o, g, dialect, names);
  for (std::size_t k = 0; k < results.size(); ++k) o.add("{} = {};", element[k], results[k]);
  std::string any;
  for (int k = 0; k < lanes; ++k) any += fmt::format("{}far[{}]", k ? " | " : "", k);
  o.add("return ({}) != 0;", any);
  o.close();
  o.blank();
}

// Whether any of n numbers is outside ±limit or NaN: the sines are then not accurate.
void emit_beyond(Lines& o, const Program& p, int lanes) {
  o.open("int {}_beyond(long n, const R *x, R limit) {{", p.name);
  o.line("I far = {0};");
  o.line("long k = 0;");
  o.add("for (; k + {0} <= n; k += {0}) {{", lanes);
  o.line("  const V y = *(const U *)(x + k);");
  o.line("  far |= ~((y <= limit) & (y >= -limit));");
  o.line("}");
  o.line("int any = 0;");
  o.line("for (; k < n; ++k) any |= !(x[k] <= limit && x[k] >= -limit);");
  o.add("for (int l = 0; l < {}; ++l) any |= far[l] != 0;", lanes);
  o.line("return any;");
  o.close();
  o.blank();
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
  o.add("typedef R Q __attribute__((vector_size({}), aligned({}), may_alias));",
        side_of(lanes) * bytes / lanes, bytes / lanes);
  o.add("typedef __INT{}_TYPE__ I __attribute__((vector_size({})));", bytes / lanes * 8, bytes);
  o.add("typedef __UINT{}_TYPE__ B __attribute__((vector_size({})));", bytes / lanes * 8, bytes);
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
  if (uses(p.graph, Op::sin) || uses(p.graph, Op::cos)) {
    emit_keep(o, "PARID_KEEP");
    emit_sin_cos(o, {"sin_cos", "V", "B", "(B)", "(V)", "PARID_KEEP", options.single_precision});
  }
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
  o.blank();
  o.line("typedef R A __attribute__((vector_size(32)));");
  o.add("typedef __INT{}_TYPE__ J __attribute__((vector_size(32)));",
        options.single_precision ? 32 : 64);
  o.add("typedef __UINT{}_TYPE__ C __attribute__((vector_size(32)));",
        options.single_precision ? 32 : 64);
  if (uses(p.graph, Op::sin) || uses(p.graph, Op::cos))
    emit_sin_cos(
        o, {"sin_cos_abreast", "A", "C", "(C)", "(A)", "PARID_KEEP", options.single_precision});
  o.blank();
  emit_one(o, p, options);
  emit_beyond(o, p, options.lanes);
  return o.text();
}

}  // namespace parid::codegen
