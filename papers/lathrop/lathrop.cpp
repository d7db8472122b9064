// R. H. Lathrop: Parallelism in manipulator dynamics. Int. J. Robotics Research 4 (1985) 80-102.
//
// Times on unlimited processors and counts of processors and wires: Tables 1, 4, 6, Eqs. (1)-(5),
// (15)-(17), section 7.
// Times are longest paths of the traced computations, in multiplications (m) and additions (a). The
// combining forms are in lathrop_forms.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/expr.hpp"
#include "hardware/array/systolic.hpp"
#include "hardware/array/vector_processor.hpp"
#include "math/mat3.hpp"
#include "math/scan.hpp"
#include "papers/counting.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "runtime/cost/parallel_cost.hpp"

namespace parid::papers {
namespace of_lathrop {
namespace {

using Tip = LathropCharging::Tip;
constexpr LathropCharging known_no_dot{
    .moving_base = true, .tip = Tip::known, .dot_product = false},
    with_force{.tip = Tip::with_force}, free_tip{};

constexpr const char* by_linear = "src/runtime/cost/parallel_cost.hpp: lathrop_depth_linear";
constexpr const char* by_plan = "src/runtime/cost/parallel_cost.hpp: lathrop_depth";
constexpr const char* by_processors = "src/runtime/cost/parallel_cost.hpp: lathrop_processors";
constexpr const char* by_tables = "papers/hollerbach/hollerbach.cpp: hollerbach_tables";

std::string text(const Depth& d) {
  return fmt::format("{} m + {} a", d.multiplications, d.additions);
}
std::string text(int m, int a) { return fmt::format("{} m + {} a", m, a); }
Depth operator-(const Depth& x, const Depth& y) {
  return {x.multiplications - y.multiplications, x.additions - y.additions};
}

// "2 n + 3; 6 n + 7"
std::string linear_rule(const LathropCharging& c) {
  auto fit = [&](auto of) {
    return polynomial_in_n([&](int n) { return of(lathrop_depth_linear(n, c).torque); }).text();
  };
  return fit([](const Depth& d) { return d.multiplications; }) + "; " +
         fit([](const Depth& d) { return d.additions; });
}

Depth by_log_rule(int n) {
  const int L = ceil_log2(n + 1);
  return {2 * L + 5, 6 * L + 10};
}

// The longest path of one vector operation.
template <class Work>
Depth depth_of(const Work& work) {
  Graph g;
  int k = 0;
  auto vector = [&] {
    auto next = [&] { return input(g, fmt::format("x{}", k++)); };
    const Expr x = next(), y = next(), z = next();
    return Vec3<Expr>{x, y, z};
  };
  const Vec3<Expr> v = work(vector);
  output(g, "x", v.x);
  output(g, "y", v.y);
  output(g, "z", v.z);
  return depth(g);
}

void table_one(Claims& r) {
  const char* where = "Table 1";
  for (const HollerbachRow& t : hollerbach_tables()) {
    const long long m = std::llround(t.m.at(6)), a = std::llround(t.a.at(6));
    const bool same = m == t.m6 && a == t.a6;
    r.add(where, fmt::format("{}, n = 6, beside the formula in the same row", t.method),
          arithmetic(exact(fmt::format("{}, {}", t.m6, t.a6), fmt::format("{}, {}", m, a))),
          by_tables,
          same ? reproduced("copied from Hollerbach, formula and value agree")
               : refuted("copied from Hollerbach, the value is not the formula's"));
  }
  // Luh, Lin: Newton-Euler over a concurrency of 2.64.
  const HollerbachRow& ne = hollerbach_row("Newton-Euler");
  const double concurrency = 2.64;
  auto over = [&](const Polynomial& p) {
    auto part = [&](std::size_t k) {
      return std::llround(std::abs(static_cast<double>(p.coefficient[k].numerator)) / concurrency);
    };
    return fmt::format("{} n − {}", part(1), part(0));
  };
  const char* estimated =
      "estimated, as the table says: Newton-Euler's figure over the 2.64 that Luh and Lin had on a "
      "Stanford arm";
  r.add(where, "Luh, Lin, multiplications", arithmetic(exact("57 n − 18", over(ne.m))), by_tables,
        reproduced(estimated));
  r.add(where, "Luh, Lin, additions", arithmetic(exact("50 n − 18", over(ne.a))), by_tables,
        reproduced(estimated));
  r.add(where, "Luh, Lin, multiplications at n = 6",
        arithmetic(exact(323, std::llround(static_cast<double>(ne.m6) / concurrency))), by_tables,
        reproduced(estimated));
  r.add(where, "Luh, Lin, additions at n = 6",
        arithmetic(exact(280, std::llround(static_cast<double>(ne.a6) / concurrency))), by_tables,
        reproduced(estimated));

  const std::string charging =
      "base moving, wrench at the tip known, up to n_1, Table 4's order: the dot product that "
      "makes it a "
      "torque is not in it";
  r.add(where, "linear parallel Newton-Euler; also Eq. (1)",
        exact("2 n + 3; 6 n + 7", linear_rule(known_no_dot)), by_linear, reproduced(charging));
  const Depth six = lathrop_depth_linear(6, known_no_dot).torque;
  r.add(where, "linear, n = 6, multiplications", exact(15, six.multiplications), by_linear,
        reproduced(charging));
  r.add(where, "linear, n = 6, additions", exact(43, six.additions), by_linear,
        reproduced(charging));
  const Depth log = lathrop_depth(6, divided_scan).torque;
  const char* distributed =
      "base fixed, nothing at the tip, dot product in it, n of Table 5 distributed over its "
      "bracket";
  r.add(where, "logarithmic, n = 6, multiplications; also Eq. (2)", exact(11, log.multiplications),
        by_plan, reproduced(distributed));
  r.add(where, "logarithmic, n = 6, additions; also Eq. (2)", exact(28, log.additions), by_plan,
        reproduced(distributed));
  const VectorClocks only_m{1, 0}, only_a{0, 1};
  r.add(where, "systolic pipeline, between successive sets of torques",
        exact("1 m + 3 a", text(only_m.interval(), only_a.interval())),
        "src/hardware/array/systolic.hpp: interval",
        reproduced("a product of a matrix and a vector, and a sum: no processor is busy longer"));
}

void abstract(Claims& r) {
  const char* where = "Abstract";
  const HollerbachRow& ne = hollerbach_row("Newton-Euler");
  auto orders = [&](const Polynomial& serial, double parallel) {
    return std::log10(static_cast<double>(serial.coefficient[1].numerator) / parallel);
  };
  const Depth step = lathrop_depth_linear(9).torque - lathrop_depth_linear(8).torque;
  const double m = orders(ne.m, step.multiplications), a = orders(ne.a, step.additions);
  r.add(where, "the coefficient of n against serial Newton-Euler's, multiplications",
        holds("almost two orders of magnitude less", m > 1.75,
              fmt::format("{:.1f} orders: 150 against {}", m, step.multiplications)),
        by_linear, reproduced("75 times less"));
  r.add(where, "the coefficient of n against serial Newton-Euler's, additions",
        holds("almost two orders of magnitude less", a > 1.75,
              fmt::format("{:.1f} orders: 131 against {}", a, step.additions)),
        by_linear, refuted("22 times less: sums inside a product wait for one another"));
  int exceeded = 0;
  for (int n = 1; n <= 64; ++n) exceeded += divided_scan(n + 1).depth() != ceil_log2(n + 1);
  r.add(where, "rounds of combination for n joints and a moving base, n = 1 … 64",
        holds("⌈log2(n + 1)⌉", exceeded == 0,
              fmt::format("⌈log2(n + 1)⌉ for {} of 64", 64 - exceeded)),
        "src/math/scan_plan.hpp: divided_scan",
        reproduced("halves, each by itself, then the left one's total onto the right"));
  r.add(where, "floating-point operations between sets of torques",
        exact(4, VectorClocks{}.interval()), "src/hardware/array/systolic.hpp: interval",
        reproduced("1 multiplication and 3 additions"));
}

void table_four(Claims& r) {
  const char* where = "Table 4";
  r.add("Section 5", "a vector addition takes",
        exact("0 m + 1 a", text(depth_of([](auto v) { return v() + v(); }))),
        "src/math/vec3.hpp: operator+", reproduced("coordinates side by side"));
  r.add("Section 5", "a matrix times a vector takes",
        exact("1 m + 2 a", text(depth_of([](auto v) {
                return Mat3<Expr>{v(), v(), v()} * v();
              }))),
        "src/math/mat3.hpp: operator*", reproduced("three dot products side by side"));
  const auto at = [](int n) { return lathrop_depth_linear(n, known_no_dot); };
  const LathropDepth more = at(9), less = at(8);
  auto step = [&](const char* what, const Depth& x, const Depth& y, const Depth& per) {
    const Depth d = x - y;
    const Depth each{d.multiplications / per.multiplications, d.additions / per.multiplications};
    r.add(where, fmt::format("{} becomes available MV + VA after its neighbour's", what),
          exact("1 m + 3 a", text(each)), by_linear,
          reproduced("whatever it waits for is there by then"));
  };
  const Depth once{1, 0}, twice{2, 0};  // after one pass out and back to f and n of link 1
  step("ω", more.w, less.w, once);
  step("ω̇", more.wd, less.wd, once);
  step("p̈", more.pdd, less.pdd, once);
  step("f, out and back,", more.f, less.f, twice);
  step("n, out and back,", more.n, less.n, twice);

  const char* four = "Eq. (4)";
  auto offset = [&](const char* what, const char* printed, const Depth& d, const char* why) {
    r.add(four, what, exact(printed, text(d)), by_linear, reproduced(why));
  };
  // VC = 1 m + 1 a, VA = 1 a
  offset("Avail(ω̇) − Avail(ω) = VC + VA", "1 m + 2 a", more.wd - more.w,
         "the cross product of ω and z q̇, and a sum, come first");
  offset("Avail(p̈) − Avail(ω) = 2 VC + 3 VA", "2 m + 5 a", more.pdd - more.w,
         "ω × (ω × p) and the sums");
  offset("Avail(p̈) − Avail(ω̇) = VC + 2 VA", "1 m + 3 a", more.pdd - more.wd,
         "the difference of the two above");
  const LathropDepth bare = lathrop_depth_linear(9);
  offset("Avail(n_{i+1}) − Avail(f_{i+1}) = VC + VA", "1 m + 2 a", bare.n - bare.f,
         "the scan has f_{i−1}; with f_{i+1}, and nothing at the tip, it holds");
}

void linear_time(Claims& r) {
  r.add("Eq. (3)", "2 n (MV + VA) + C: what two more passages of a link cost",
        exact("2 m + 6 a", text(lathrop_depth_linear(9).torque - lathrop_depth_linear(8).torque)),
        by_linear, reproduced("a link is passed once outward and once inward"));
  const std::vector<Reading> readings{
      {"base moving, wrench known, to n_1", linear_rule(known_no_dot)},
      {"base fixed, nothing at the tip, to τ_1", linear_rule(free_tip)},
      {"base fixed, wrench at the tip when F_n comes, to τ_1", linear_rule(with_force)}};
  r.add("Eq. (5)", "linear parallel Newton-Euler", among("2 n + 5; 6 n + 9", readings), by_linear,
        reproduced("by one of three ways to charge; the text does not say which"));
  r.add("Eq. (5)", "the same time as Eq. (1) and Table 1",
        holds("2 n + 3; 6 n + 7", linear_rule(with_force) == linear_rule(known_no_dot),
              linear_rule(with_force)),
        by_linear,
        refuted("the paper contradicts itself by 2 m + 2 a; without a wrench at the tip it is "
                "neither, 2 n + 4; 6 n + 6"));
}

// Table 5's n as printed, W (n' + (Aᵀ R) × f'), for stretches whose R, f and n are known at the
// start.
struct Literal {
  Mat3<Expr> W, A;  // of the stretch; of its last link to the next
  Vec3<Expr> R, f, n;
};
Literal combined(const Literal& x, const Literal& y) {
  return {x.W * y.W, y.A, x.R + y.R, x.f + x.W * y.f,
          x.n + x.W * (y.n + cross(transposed_times(x.A, x.R), y.f))};
}

Depth literal_depth(int n) {
  Graph g;
  int k = 0;
  auto next = [&] { return input(g, fmt::format("x{}", k++)); };
  auto vector = [&] {
    const Expr x = next(), y = next(), z = next();
    return Vec3<Expr>{x, y, z};
  };
  std::vector<Literal> all;
  for (int i = 0; i < n; ++i)
    all.push_back({{vector(), vector(), vector()},
                   {vector(), vector(), vector()},
                   vector(),
                   vector(),
                   vector()});
  scan_from_end(divided_scan(n), all.data(),
                [](const Literal& x, const Literal& y) { return combined(x, y); });
  output(g, "n", all[0].n.x);
  return depth(g);
}

void logarithmic_time(Claims& r) {
  auto at = [](int n) { return lathrop_depth(n, divided_scan, known_no_dot); };
  const LathropDepth seven = at(7), fifteen = at(15);
  r.add("Eq. (15)", "Avail(X_ab) grows by MV + VA for every doubling: ω, from 8 elements to 16",
        exact("1 m + 3 a", text(fifteen.w - seven.w)), by_plan,
        reproduced("one combination more, and R and S are there by then"));
  r.add("Eq. (16)", "the same of p̈", exact("1 m + 3 a", text(fifteen.pdd - seven.pdd)), by_plan,
        reproduced("one combination more"));
  int exact_at = 0, above = 0;
  std::string off;
  for (int n = 1; n <= 32; ++n) {
    const Depth d = lathrop_depth(n, divided_scan).torque, rule = by_log_rule(n);
    exact_at += d == rule;
    if (d != rule) off += fmt::format("{}{}", off.empty() ? "" : ", ", n);
    above += d.total() > rule.total();
  }
  r.add("Eq. (17)", "logarithmic time at n = 6",
        exact("11 m + 28 a", text(lathrop_depth(6, divided_scan).torque)), by_plan,
        reproduced("2 · 3 (1 m + 3 a) + 5 m + 10 a"));
  r.add("Eq. (17)", "is never exceeded, n = 1 … 32",
        holds("2 ⌈log2(n + 1)⌉ (1 m + 3 a) + 5 m + 10 a", above == 0,
              fmt::format("exceeded {} times", above)),
        by_plan, reproduced("as an upper bound"));
  r.add("Eq. (17)", "is the time, n = 1 … 32",
        holds("for every n", exact_at == 32,
              fmt::format("for {} of 32; less at n = {}", exact_at, off)),
        by_plan,
        refuted("on a fixed base n elements are scanned, not n + 1, and 2^k need a round less"));
  const Depth literal = literal_depth(16) - literal_depth(8);
  r.add("Table 5", "n as printed, W before the bracket, keeps MV + VA for every doubling",
        exact("1 m + 3 a", text(literal)), "papers/lathrop/lathrop.cpp: literal_depth",
        refuted("the sum inside the bracket waits too; distributed, W n' + (W Aᵀ R) × (W f'), it "
                "does not"));
}

// Sections 7.1.1 and 7.1.2: buffers within a node, and wires to a group of its processors.
void communication(Claims& r) {
  const char* by_groups = "src/hardware/array/systolic.hpp: group_wires";
  for (const ArrayKind kind : {ArrayKind::linear, ArrayKind::log})
    for (const GroupWires& g : group_wires(kind)) {
      const bool log = kind == ArrayKind::log, force = g.group == "force";
      if (log && force) continue;  // equal to that of the linear array
      const std::string way = force              ? "nonpropagated variables"
                              : g.group == "out" ? "backward recursion"
                                                 : "forward recursion";
      r.add("Section 7.1.2",
            fmt::format("wires to the operands of a group: {}{}",
                        force ? ""
                        : log ? "logarithmic "
                              : "linear ",
                        way),
            holds("no more than 50", g.wires <= 50, std::to_string(g.wires)), by_groups,
            log && g.group == "out"
                ? refuted("a processor doubles S + Q; where that is a shift in the wire, 50")
                : reproduced(fmt::format("{} processors, {} of the wires from one to another",
                                         g.processors, g.within)));
    }
  for (const ArrayKind kind : {ArrayKind::linear, ArrayKind::log}) {
    const SystolicArray a = systolic_array(kind, 6);
    const ArrayBuffers waiting = array_buffers(a, a.schedule, a.interval());
    const NodeProcessors node = node_processors(kind);
    r.add("Section 7.1.1",
          fmt::format("vectors that wait within a node, {}, n = 6, at most",
                      kind == ArrayKind::log ? "logarithmic" : "linear"),
          beyond("very tightly bounded", std::to_string(waiting.most_internal)),
          "src/hardware/array/systolic.hpp: array_buffers",
          not_derivable(fmt::format("no bound is printed; these stand beside {} processors",
                                    node.backward + node.forward)));
  }
}

void table_six(Claims& r) {
  const char* where = "Table 6";
  const LathropProcessors p = lathrop_processors(6);
  auto add = [&](const char* what, int printed, int ours, const char* why) {
    r.add(where, what, exact(printed, ours), by_processors, reproduced(why));
  };
  const char* node =
      "a processor for each vector operation, three for a product of matrices, none for z q̇ and "
      "τ's dot product";
  add("linear backward, per node", 22, p.linear_backward, node);
  add("linear forward, per node", 8, p.linear_forward, node);
  add("logarithmic backward, per node", 36, p.logarithmic_backward, node);
  add("logarithmic forward, per node", 13, p.logarithmic_forward, node);
  const char* tier = "three combinations in the widest round of six elements";
  add("logarithmic backward, tier of n = 6", 108, p.logarithmic_backward * p.tier, tier);
  add("logarithmic forward, tier of n = 6", 39, p.logarithmic_forward * p.tier, tier);
  const ArrayProcessors linear = array_processors(ArrayKind::linear, 6),
                        log = array_processors(ArrayKind::log, 6);
  const char* by_array = "src/hardware/array/systolic.hpp: array_processors";
  auto array = [&](const char* what, int printed, int ours, const char* why) {
    r.add(where, what, exact(printed, ours), by_array, reproduced(why));
  };
  array("linear backward, single device", 22, linear.folded.backward,
        "one node, its results fed back");
  array("linear forward, single device", 8, linear.folded.forward,
        "one node, its results fed back");
  array("logarithmic backward, single device", 108, log.folded.backward,
        "one tier, its results fed back");
  array("logarithmic forward, single device", 39, log.folded.forward,
        "one tier, its results fed back");
  array("linear backward, systolic pipeline", 132, linear.systolic.backward,
        "a node for each of six joints");
  array("linear forward, systolic pipeline", 48, linear.systolic.forward,
        "a node for each of six joints");
  array("logarithmic backward, systolic pipeline", 468, log.systolic.backward,
        "seven combinations and six leaves");
  array("logarithmic forward, systolic pipeline", 169, log.systolic.forward,
        "seven combinations and six leaves");

  const ScanPlan six = divided_scan(6);
  r.add("Section 7.1.3", "nodes of the logarithmic array, stationary base, n = 6",
        exact(7, six.work()), "src/math/scan_plan.hpp: divided_scan",
        reproduced("3 + 2 + 2 in three rounds"));
  r.add("Section 7.1.3", "with the case a = b", exact(13, p.nodes), by_processors,
        reproduced("six more"));
  r.add("Fig. 5", "rounds of the backward recursion, n = 7, base moving",
        exact(3, divided_scan(8).depth()), "src/math/scan_plan.hpp: divided_scan",
        reproduced("eight elements"));
  communication(r);
  const auto& dot = vector_program(VectorOp::matrix_vector).steps;
  int driven = 0;
  for (const VectorStep& s : dot)
    for (int module = 0; module < 3; ++module) driven = std::max(driven, busses(s, module));
  r.add("Section 7.2.1", "floating-point steps of a dot product in the module of Fig. 6",
        exact(3, static_cast<long long>(dot.size())),
        "src/hardware/array/vector_processor.hpp: vector_program",
        reproduced("its microcode, run bit for bit by the model and by Verilog"));
  r.add("Section 7.2.1", "busses that it drives at once", exact(2, driven),
        "src/hardware/array/vector_processor.hpp: vector_program",
        reproduced("BUS-1 and BUS-2 are enough"));
}

}  // namespace
}  // namespace of_lathrop

void lathrop(Claims& r) {
  using namespace of_lathrop;
  abstract(r);
  table_one(r);
  table_four(r);
  linear_time(r);
  logarithmic_time(r);
  table_six(r);
}

}  // namespace parid::papers
