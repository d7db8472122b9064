// The measured peak of one core, and the fraction that the robot's specialized kernels reach.
//
// The peaks are measured by programs compiled here for this machine, as the kernels are:
// multiplications only, fused multiply-adds, those and additions alternating, and reading and
// writing memory. A body of M multiplications takes at least M multiplication slots, even if all
// additions overlap with them.

#include <fmt/format.h>

#include "base/threads/thread_pool.hpp"
#include "bench/dynamics/contestants.hpp"
#include "bench/layer.hpp"
#include "codegen/compile/compile.hpp"
#include "codegen/emit/languages.hpp"
#include "codegen/trace/generate.hpp"
#include "model/format/load.hpp"
#include "parid/parid.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/kernel/program_kernel.hpp"

namespace parid::bench {
namespace {

int widest_lanes() {
  const std::string set = best_kernels<KernelSet>().name;
  return set == "avx512" ? 8 : set == "avx2" ? 4 : 2;
}

// Twelve independent chains of 4096 steps each.
std::string peak_source(const char* real, int lanes, int bytes) {
  std::string s = fmt::format(
      "typedef {0} R;\ntypedef R V __attribute__((vector_size({1})));\n#define CHAINS(f) f(0) f(1) "
      "f(2) "
      "f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11)\n",
      real, lanes * bytes);
  auto loop = [&](const char* name, const char* step) {
    s += fmt::format(
        "R {}(R a, R b) {{\n  const V x = (V){{0}} + a, y = (V){{0}} + b;\n"
        "#define START(k) V v##k = x * (R)(1 + k);\n  CHAINS(START)\n#undef START\n"
        "  for (int i = 0; i < 4096; ++i) {{\n#define STEP(k) {}\n    CHAINS(STEP)\n#undef STEP\n"
        "    __asm__ volatile(\"\");\n  }}\n"
        "  V sum = {{0}};\n#define SUM(k) sum += v##k;\n  CHAINS(SUM)\n#undef SUM\n"
        "  return sum[0] + sum[1];\n}}\n",
        name, step);
  };
  loop("multiply", "v##k = v##k * x;");
  loop("fused", "v##k = v##k * x + y;");
  loop("in_turn", "if (k % 2) v##k = v##k + x; else v##k = v##k * x + y;");
  return s + fmt::format(
                 "void triad(long n, const R *a, const R *b, const R *c, R *d) {{\n"
                 "  for (long i = 0; i < n; ++i) d[i] = a[i] + b[i] * c[i];\n}}\n");
}

// The program with sines and cosines as inputs: only its arithmetic.
Program without_sines(const Program& p) {
  Program bare = p;
  bare.graph = Graph();
  std::vector<Id> to(p.graph.size());
  int sines = 0;
  for (const Named& n : p.graph.inputs()) to[n.id] = bare.graph.input(n.name);
  for (Id id = 0; id < p.graph.size(); ++id)  // inputs of one array are contiguous
    if (p.graph[id].op == Op::sin || p.graph[id].op == Op::cos)
      to[id] = bare.graph.input(fmt::format("s{}", ++sines));
  for (Id id = 0; id < p.graph.size(); ++id) {
    const Node& n = p.graph[id];
    if (n.op == Op::input || n.op == Op::sin || n.op == Op::cos) continue;
    to[id] = n.op == Op::constant
                 ? bare.graph.constant(n.value())
                 : bare.graph.operation(n.op, to[n.in[0]], row(n.op).arity > 1 ? to[n.in[1]] : 0,
                                        row(n.op).arity > 2 ? to[n.in[2]] : 0);
  }
  for (const Named& n : p.graph.outputs()) bare.graph.output(n.name, to[n.id]);
  bare.inputs = arguments(bare.graph.inputs());
  return bare;
}

struct Peaks {
  double multiply, fused, in_turn;  // operations of all lanes per ns: a fused one counts as one
  double bytes;                     // per ns, read and written, far beyond the caches
};

template <class Real>
Peaks peaks(const CompiledLibrary& library, int lanes, int rounds) {
  std::vector<Contestant> all;
  Real kept = 0;
  for (const char* name : {"multiply", "fused", "in_turn"}) {
    auto f = reinterpret_cast<Real (*)(Real, Real)>(library.function(name));
    all.push_back({name, 12L * 4096 * lanes, [f, &kept] {
                     kept += f(Real(0.9999), Real(1e-3));
                     keep(kept);
                   }});
  }
  const std::size_t n = (64u << 20) / sizeof(Real);
  std::vector<Real> a(n, 1), b(n, 2), c(n, 3), d(n);
  auto triad = reinterpret_cast<void (*)(long, const Real*, const Real*, const Real*, Real*)>(
      library.function("triad"));
  // a write reads the line first: five streams for four arrays
  all.push_back({"triad", static_cast<long>(5 * n * sizeof(Real)), [&, triad] {
                   triad(static_cast<long>(n), a.data(), b.data(), c.data(), d.data());
                 }});
  const std::vector<Timing> t = race(all, rounds);
  return {1 / t[0].min_ns, 1 / t[1].min_ns, 1 / t[2].min_ns, 1 / t[3].min_ns};
}

template <class Real>
void ask(const std::string& robot_name, const Options& o, Report& report) {
  constexpr bool single = std::is_same_v<Real, float>;
  const int lanes = widest_lanes() * (single ? 2 : 1);
  std::string note;
  const auto library = compile(peak_source(single ? "float" : "double", lanes, sizeof(Real)), note);
  if (!library) {
    fmt::print(stderr, "roofline: {}\n", note);
    return;
  }
  const Peaks peak = peaks<Real>(*library, lanes, std::max(5, o.rounds() / 4));
  const Robot robot = Robot::load(robot_name);
  Program program = generate(robot, Quantity::inverse_dynamics).program;
  program.name = "own";
  const Program bare = without_sines(program);
  auto whole = compiled_kernel<Real>(program, note), body = compiled_kernel<Real>(bare, note);
  if (!whole || !body) {
    fmt::print(stderr, "roofline: {}\n", note);
    return;
  }

  // few enough for the nearest cache, and columns not a power of two apart, which would share its
  // lines
  const std::size_t few_rows = 112, many_rows = 2'000'000;
  struct Arrays {
    std::vector<std::vector<Real>> in, out;
    std::vector<const Real*> from;
    std::vector<Real*> to;
  };
  auto arrays = [](const Program& p, std::size_t rows) {
    Arrays x;
    for (const Argument& a : p.inputs) x.in.emplace_back(a.count * rows, Real(0.3));
    for (const Argument& a : p.outputs) x.out.emplace_back(a.count * rows);
    for (auto& a : x.in) x.from.push_back(a.data());
    for (auto& a : x.out) x.to.push_back(a.data());
    return x;
  };
  Arrays bare_few = arrays(bare, few_rows), few_ = arrays(program, few_rows),
         many_ = arrays(program, many_rows);
  const long n = few_rows, m = many_rows, often = 300;
  auto again = [&](auto run) {
    return [run] {
      for (long k = 0; k < often; ++k) run();
    };
  };
  const std::vector<Timing> t =
      race({{"body", n * often,
             again([&] { body->columns(n, n, bare_few.from.data(), bare_few.to.data()); })},
            {"columns", n * often,
             again([&] { whole->columns(n, n, few_.from.data(), few_.to.data()); })},
            {"rows", n * often, again([&] { whole->rows(n, few_.from.data(), few_.to.data()); })}},
           o.rounds() * 4);
  const std::vector<Timing> far =
      race({{"many columns", m, [&] { whole->columns(m, m, many_.from.data(), many_.to.data()); }},
            {"many rows", m, [&] { whole->rows(m, many_.from.data(), many_.to.data()); }}},
           5);

  const Counts c = counts(program.graph);
  const double multiplications = static_cast<double>(c.multiplications),
               additions = static_cast<double>(c.additions);
  std::size_t numbers = 0;
  for (const Argument& a : program.inputs) numbers += a.count;
  for (const Argument& a : program.outputs) numbers += 2 * a.count;  // a write reads first
  const double slot_bound = multiplications / peak.multiply,
               memory_bound = static_cast<double>(numbers * sizeof(Real)) / peak.bytes;
  const char* precision = single ? "float32" : "float64";
  if (report.tables) {
    fmt::print("\n{}, {}, one core\n", robot_name, precision);
    fmt::print(
        "  peaks: {:.1f} G multiplications/s, {:.1f} G fused/s ({:.0f} GFLOP/s), fused and "
        "additions in turn {:.1f} G/s; memory {:.1f} GB/s\n",
        peak.multiply, peak.fused, 2 * peak.fused, peak.in_turn, peak.bytes);
    fmt::print(
        "  {} multiplications, {} additions, {} sine and cosine pairs; {} bytes per sample\n",
        c.multiplications, c.additions, c.sin_cos, numbers * sizeof(Real));
    fmt::print("  {:<44} {:>7.2f} ns\n", "bound by multiplication slots, without sines",
               slot_bound);
    fmt::print("  {:<44} {:>7.2f} ns  {:.2f} × the bound, {:.0f} % of peak FLOP/s\n",
               "body without sines, columns", t[0].min_ns, t[0].min_ns / slot_bound,
               100 * (multiplications + additions) / t[0].min_ns / (2 * peak.fused));
    fmt::print("  {:<44} {:>7.2f} ns\n", "with sines, columns", t[1].min_ns);
    fmt::print("  {:<44} {:>7.2f} ns\n", "with sines, rows", t[2].min_ns);
    fmt::print("  {:<44} {:>7.2f} ns\n", "bound by memory, beyond the caches", memory_bound);
    fmt::print("  {:<44} {:>7.2f} ns\n", fmt::format("{} samples, columns", many_rows),
               far[0].min_ns);
    fmt::print("  {:<44} {:>7.2f} ns\n", fmt::format("{} samples, rows", many_rows), far[1].min_ns);
  }
  auto add = [&](const char* name, int batch, double ns, double bound) {
    report.results.push_back({{"robot", robot_name},
                              {"what", "roofline"},
                              {"precision", precision},
                              {"batch", batch},
                              {"threads", 1},
                              {"contestant", std::string("parid compiled ") + name},
                              {"ns", ns},
                              {"bound_ns", bound},
                              {"baseline", nullptr},
                              {"speedup", nullptr}});
  };
  add("body", few_rows, t[0].min_ns, slot_bound);
  add("columns", few_rows, t[1].min_ns, slot_bound);
  add("rows", few_rows, t[2].min_ns, slot_bound);
  add("columns", many_rows, far[0].min_ns, std::max(slot_bound, memory_bound));
  add("rows", many_rows, far[1].min_ns, std::max(slot_bound, memory_bound));
  report.results.push_back({{"robot", robot_name},
                            {"what", "peaks"},
                            {"precision", precision},
                            {"batch", 1},
                            {"threads", 1},
                            {"contestant", "this core"},
                            {"ns", nullptr},
                            {"baseline", nullptr},
                            {"speedup", nullptr},
                            {"multiplications_per_ns", peak.multiply},
                            {"fused_per_ns", peak.fused},
                            {"in_turn_per_ns", peak.in_turn},
                            {"bytes_per_ns", peak.bytes}});
}

// Steps of a motion under torques, beyond the caches: one step per pass over the arrays, or several
// fused steps, which read and write the states once.
void ask_rollout(const std::string& robot_name, const Options&, Report& report) {
  const Robot robot = Robot::load(robot_name);
  const int fused = 4;
  const std::size_t rows = 500'000;
  std::vector<std::unique_ptr<ProgramKernel<double>>> kernels;
  std::vector<std::vector<std::vector<double>>> arrays;
  std::vector<Contestant> all;
  for (const int steps : {1, fused}) {
    std::string note;
    const Program p = generate(robot, Quantity::rollout, {.steps = steps}).program;
    kernels.push_back(compiled_kernel<double>(p, note));
    if (!kernels.back()) {
      fmt::print(stderr, "rollout: {}\n", note);
      return;
    }
    std::vector<const double*> in;
    std::vector<double*> out;
    auto& x = arrays.emplace_back();
    for (const Argument& a : p.inputs) x.emplace_back(a.count * rows, 0.1);
    for (const Argument& a : p.outputs) x.emplace_back(a.count * rows);
    for (std::size_t k = 0; k < p.inputs.size(); ++k) in.push_back(x[k].data());
    for (std::size_t k = p.inputs.size(); k < x.size(); ++k) out.push_back(x[k].data());
    all.push_back({steps == 1 ? "one step per pass" : fmt::format("{} steps fused", steps),
                   static_cast<long>(rows) * steps,
                   [k = kernels.back().get(), in, out] { k->rows(rows, in.data(), out.data()); }});
  }
  const std::vector<Timing> t = race(all, 7);
  if (report.tables) fmt::print("\n{}, a rollout of {} samples, per step\n", robot_name, rows);
  for (const Timing& x : t) {
    if (report.tables)
      fmt::print("  {:<20} {:>8.2f} ns  {:.2f} ×\n", x.name, x.min_ns, t[0].min_ns / x.min_ns);
    report.results.push_back({{"robot", robot_name},
                              {"what", "rollout"},
                              {"batch", rows},
                              {"threads", 1},
                              {"contestant", "parid compiled " + x.name},
                              {"ns", x.min_ns},
                              {"median_ns", x.median_ns},
                              {"baseline", "parid compiled one step per pass"},
                              {"speedup", t[0].min_ns / x.min_ns}});
  }
}

// The largest gain by a second thread: arithmetic without shared data.
void ask_threads(const Options& o, Report& report) {
  std::string note;
  const int lanes = widest_lanes();
  const auto library = compile(peak_source("double", lanes, sizeof(double)), note);
  if (!library) return;
  auto fused = reinterpret_cast<double (*)(double, double)>(library->function("fused"));
  ThreadPool pool(2);
  const long each = 12L * 4096 * lanes;
  auto part = [fused](int, std::size_t) {
    double kept = 0;
    for (int k = 0; k < 20; ++k) kept += fused(0.9999, 1e-3);
    keep(kept);
  };
  const std::vector<Timing> t = race({{"one", 40 * each,
                                       [&] {
                                         part(0, 0);
                                         part(0, 1);
                                       }},
                                      {"two", 40 * each, [&] { pool.share(2, part); }}},
                                     o.rounds());
  const double gain = t[0].min_ns / t[1].min_ns;
  if (report.tables) fmt::print("\ntwo threads of pure arithmetic: {:.2f} × one\n", gain);
  report.results.push_back({{"robot", nullptr},
                            {"what", "threads"},
                            {"batch", 1},
                            {"threads", 2},
                            {"contestant", "this machine"},
                            {"ns", t[1].min_ns},
                            {"baseline", "one thread"},
                            {"speedup", gain}});
}

}  // namespace

void ask_roofline(const Options& o, Report& report) {
  for (const std::string& name : o.robots_or({"puma560", "panda"})) {
    ask<double>(name, o, report);
    ask<float>(name, o, report);
    ask_rollout(name, o, report);
  }
  ask_threads(o, report);
}

}  // namespace parid::bench
