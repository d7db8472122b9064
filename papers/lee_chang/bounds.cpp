// Lee and Chang: rates and times of the introduction, operations of a CORDIC iteration, the lower
// bounds of section 3 (Lemma 1, Theorem 1), the splittings of recursive doubling, and the networks
// at its end.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "codegen/trace/generate.hpp"
#include "formulation/lee_chang.hpp"
#include "graph/depth.hpp"
#include "math/network.hpp"
#include "model/format/parametric.hpp"
#include "papers/counting.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/quoted.hpp"
#include "papers/shared/printed_schedules.hpp"
#include "parid/robot.hpp"
#include "runtime/cost/formulation_graph.hpp"
#include "runtime/cost/parallel_cost.hpp"
#include "scalar/cordic.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/decompositions.hpp"

namespace parid::papers {
namespace of_lee_chang_bounds {
namespace {

constexpr double operation_ms = printed_level_ms / 3;  // Dhanaraj's 8086

void introduction(Claims& r) {
  const char* where = "Introduction";
  const double slow = lowest_stable_rate(5), fast = lowest_stable_rate(10);
  r.add(
      where, "sampling rate for arms that resonate at around 5 to 10 Hz",
      holds("no less than 60 Hz", std::abs(fast - 60) < 6,
            fmt::format("above {:.1f} Hz at 5 Hz, above {:.1f} Hz at 10 Hz", slow, fast)),
      "papers/quoted.hpp: lowest_stable_rate",
      reproduced("where computed torque, critically damped at 10 Hz and held over a period, stops "
                 "being stable"));
  const Counts ik =
      counts(generate(Robot::load("puma560"), Quantity::inverse_kinematics).program.graph);
  r.add(where, "joint solution on an MC6809 and seven Z80, in ms",
        beyond("3.6", fmt::format("a PUMA-560's takes {} multiplications, {} additions, {} roots",
                                  ik.multiplications, ik.additions, ik.square_roots)),
        "src/codegen/trace/generate.hpp: generate",
        not_derivable("Kametani and Watanabe's arm and their processors' times are not printed"));
  r.add(where, "speed-up of that multiprocessor, of eight processors",
        arithmetic(beyond("20 ms to 3.6 ms", fmt::format("{:.1f}", 20 / 3.6))),
        "papers/lee_chang/bounds.cpp: introduction",
        not_derivable("both times are cited; 90 times their 40 µs"));
  const double ms = (308 + 254) * operation_ms;
  r.add(where, "a Stanford arm's 308 multiplications and 254 additions on one processor, in ms",
        arithmetic(within("25", ms, 1)), "papers/shared/printed_schedules.hpp: printed_level_ms",
        reproduced("at the 45 µs for an operation behind Dhanaraj's Table 4.8"));
  const PrintedTimes& seven = printed_stanford_times[6];
  r.add(where, "the same on seven processors, by Kasahara and Narita as Dhanaraj cites them, in ms",
        arithmetic(within("5.69", seven.kasahara_narita)),
        "papers/shared/printed_schedules.hpp: printed_stanford_times",
        refuted("Dhanaraj has 5.60 for seven processors and 5.73 for six"));
  const TaskGraph tasks = coarse(Robot::load("stanford")).tasks;
  const double ours = static_cast<double>(total(tasks)) /
                      static_cast<double>(makespan(run(scheduler("hlf"), tasks, {7}).schedule));
  r.add(where, "speed-up of seven processors on a Stanford arm, 25 ms to 5.69 ms",
        beyond(fmt::format("{:.2f}", 25 / 5.69),
               fmt::format("{:.2f} of our nine tasks per link, highest level first", ours)),
        "src/schedule/tasks/decompositions.hpp: coarse",
        not_derivable("Kasahara and Narita's task graph is not in the paper"));
  const HollerbachRow& ne = hollerbach_row("Newton-Euler");
  r.add(where, "150 n − 48 multiplications and 131 n − 48 additions at n = 6",
        arithmetic(exact("852/738",
                         fmt::format("{}/{}", std::llround(ne.m.at(6)), std::llround(ne.a.at(6))))),
        "src/math/polynomial.hpp: at", reproduced("the formulas"));
  // Normal gravity (Somigliana, WGS84) at 45 degrees.
  const double s2 = 0.5, g45 = 9.7803253359 * (1 + 0.00193185265241 * s2) /
                               std::sqrt(1 - 0.00669437999013 * s2);
  r.add("Section 3", "gravity, in m/s²", within("9.80621", g45, 1.5),
        "papers/lee_chang/bounds.cpp: introduction",
        reproduced("normal gravity at sea level and 45° of latitude"));
}

// ---- the CORDIC iteration

// Numbers that count additions and take their sign from a double.
struct CountedSum {
  double value = 0;
  static inline thread_local int sums = 0;
  CountedSum() = default;
  CountedSum(double x) : value(x) {}
  friend CountedSum operator+(CountedSum a, CountedSum b) { return ++sums, a.value + b.value; }
  friend CountedSum operator-(CountedSum a, CountedSum b) { return ++sums, a.value - b.value; }
  CountedSum operator-() const { return -value; }
  friend bool operator<(CountedSum a, CountedSum b) { return a.value < b.value; }
  friend bool operator>(CountedSum a, CountedSum b) { return a.value > b.value; }
  friend bool operator==(CountedSum a, CountedSum b) { return a.value == b.value; }
  friend CountedSum operator*(CountedSum a, CountedSum b) { return a.value * b.value; }
};
struct CordicSums {
  using Number = CountedSum;
  int bits = 24;
  int top() const { return 0; }
  Number number(const CordicConstant& c) const { return c.value(); }
  Number shifted(Number x, int right) const { return std::ldexp(x.value, -right); }
  int exponent(Number x) const { return std::ilogb(x.value); }
  int nearest(Number z, const CordicConstant& unit) const {
    return static_cast<int>(std::nearbyint(z.value / unit.value()));
  }
  int whole_turns(Number z) const { return nearest(z, whole_turn()); }
  int largest_shift() const { return 1000; }
  Number inner(Number x) const { return x; }
  Number outer(Number x) const { return x; }
};
int sums_of(int iterations, int bits) {
  const Cordic<CordicSums> box(CordicSums{bits}, iterations, Normalising::interleaved);
  CountedSum::sums = 0;
  box(Box::circ1, 0.3, 0.4, 0.5);
  return CountedSum::sums;
}

void iteration(Claims& r) {
  const char* by = "src/scalar/cordic.hpp: Cordic";
  // One more rotation at the same normalisation; then the cost of normalising, for each factor.
  const Cordic<CordicSums> box(CordicSums{24}, 24, Normalising::interleaved),
      bare(CordicSums{0}, 24, Normalising::interleaved);
  const int factors = static_cast<int>(box.scale(Box::circ1).size());
  const int none = sums_of(24, 0) - 2 * static_cast<int>(bare.scale(Box::circ1).size()),
            fewer = sums_of(23, 0) -
                    2 * static_cast<int>(
                            Cordic<CordicSums>(CordicSums{0}, 23).scale(Box::circ1).size()),
            turn = none - fewer, scaling = (sums_of(24, 24) - none) / factors;
  r.add("Section 2.1", "shift-and-add modules for one iteration of (7.a) and (7.b)", exact(3, turn),
        by, reproduced("x, y and z"));
  r.add("Section 2.1", "shift-and-add modules for one normalising iteration (11)",
        exact(2, scaling), by, reproduced("x and y"));
  r.add("Section 2.1", "shift-and-add modules of a CORDIC module", exact(5, turn + scaling), by,
        reproduced("both in parallel"));
  int late = 0;
  for (const Box b : {Box::circ1, Box::hype1})
    late += static_cast<int>(box.scale(b).size() - box.scaled_within(b));
  r.add("Section 2.1", "24 iterations of five modules are enough: factors that do not fit",
        exact(0, late), "src/scalar/cordic.hpp: cordic_scale",
        reproduced(fmt::format("{} and {} factors, each in the turn of its own shift",
                               box.scale(Box::circ1).size(), box.scale(Box::hype1).size())));
  r.add("Section 2.1", "no slower than a serial multiplier of two 24-bit operands: steps",
        exact(24, static_cast<long long>(cordic_shifts(Box::circ1, 24).size())),
        "src/scalar/cordic.hpp: cordic_shifts", reproduced("a shift and sum for each bit"));
  // Eq. (5) with u = 1 compared with R(d) of (2.a).
  const double d = cordic_angle(Box::circ1, 3).value(), t = std::ldexp(1.0, -3),
               p = 1 / std::sqrt(1 + t * t);
  const double as_printed = std::abs(-p * t - std::sin(d)),
               turned = std::abs(-p * t - std::sin(-d));
  r.add("Eq. (5)", "R(d_i) with u_i = 1 is R(d_i) of (2.a): off-diagonal entry",
        holds("sin d_i", as_printed < 1e-12,
              turned < 1e-12 ? "sin(−d_i)" : fmt::format("off by {:.2e}", as_printed)),
        "src/scalar/cordic.hpp: cordic_angle",
        refuted("(2.a) and (5) turn opposite ways; u_i takes the other sign"));
  // Eq. (9): normalised rotations, scaled at the end, equal the unnormalised ones.
  double x = 0.3, y = 0.4, xn = x, yn = y, k = 1;
  for (int s = 0; s < 24; ++s) {
    const double q = std::ldexp(1.0, -s), c = 1 / std::sqrt(1 + q * q), u = s % 3 == 0 ? -1 : 1;
    const double nx = c * (x - u * q * y), ny = c * (u * q * x + y), mx = xn - u * q * yn,
                 my = u * q * xn + yn;
    x = nx;
    y = ny;
    xn = mx;
    yn = my;
    k *= c;
  }
  const double off = std::hypot(x - k * xn, y - k * yn);
  r.add("Eq. (9)", "x_n = k_n x_n^N and y_n = k_n y_n^N",
        holds("equal", off < 1e-14,
              off < 1e-14 ? "the same to rounding" : fmt::format("{:.1e}", off)),
        "papers/lee_chang/bounds.cpp: iteration",
        reproduced("(8.a) against (7.a), 24 turns; the text after it cites (8.a) for (7.a)"));
}

// ---- lower bounds

// The fewest steps in which p processors add m numbers: every step combines as many pairs as
// possible.
int steps_to_add(int m, int p) {
  int steps = 0;
  for (; m > 1; ++steps) m -= std::min(p, m / 2);
  return steps;
}

void bounds(Claims& r) {
  double least = 1e9, most = 0;
  for (int m = 2; m <= 256; ++m)
    for (int p = 1; p <= m; ++p) {
      const double bound = (m + p - 1) / p + ceil_log2(p), ratio = steps_to_add(m, p) / bound;
      least = std::min(least, ratio);
      most = std::max(most, ratio);
    }
  r.add("Lemma 1", "time of m atoms on p processors against ⌈m/p⌉ + ⌈log2 p⌉, m ≤ 256",
        holds("the same order", least >= 0.5 && most <= 1.5,
              fmt::format("{:.2f} to {:.2f} times", least, most)),
        "papers/lee_chang/bounds.cpp: steps_to_add",
        reproduced("sums of m numbers, as many pairs a step as processors; below 1, so that the "
                   "bound holds up to a constant alone"));
  // One of p processors: the recurrences by PFP, everything else for ⌈n/p⌉ links.
  const auto six = lee_chang_operations(6);
  const auto round = [](auto of) { return of(16) - of(8); };  // one more doubling
  const long rotation = round([](int n) {
    const auto o = lee_chang_operations(n).rotations;
    return o.multiplications + o.additions;
  }),
             sums = round([](int n) { return lee_chang_operations(n).sums.additions; });
  r.add("Theorem 1", "the constants k_1 and k_2",
        beyond("specified",
               fmt::format("k_1 = {}, k_2 = {} operations by our count of its steps",
                           six.between.multiplications + six.between.additions, rotation + sums)),
        "src/runtime/cost/parallel_cost.hpp: lee_chang_operations",
        not_derivable("their values and the proof are in another paper"));
  auto time = [&](int n, int p) {
    const int s = (n + p - 1) / p, t = p_fold_time(n, p);
    return static_cast<double>(s * (six.between.multiplications + six.between.additions) +
                               t * (rotation + sums));
  };
  double low = 1e9, high = 0;
  for (int n = 2; n <= 128; ++n)
    for (int p = 1; p <= n; ++p) {
      const double bound =
          static_cast<double>(six.between.multiplications + six.between.additions) *
              ((n + p - 1) / p) +
          static_cast<double>(rotation + sums) * ceil_log2(p);
      low = std::min(low, time(n, p) / bound);
      high = std::max(high, time(n, p) / bound);
    }
  r.add("Theorem 1", "time of algorithm PFP against k_1 ⌈n/p⌉ + k_2 ⌈log2 p⌉, n ≤ 128, p ≤ n",
        holds("achieves the bound's order", low >= 0.9 && high <= 2.1,
              fmt::format("{:.2f} to {:.2f} times", low, high)),
        "src/math/scan_plan.hpp: p_fold_time",
        reproduced("each block serially, its totals by doubling, and the terms between"));
  r.add("Theorem 1", "(a) p = 1: the time grows with which power of n",
        exact(1, static_cast<int>(polynomial_in_n([&](int n) {
                                    return std::llround(time(n, 1));
                                  }).coefficient.size()) -
                     1),
        "src/math/scan_plan.hpp: p_fold_time", reproduced("serial recurrences"));
  auto depth_at = [](int n) {
    const Robot arm(chain(n));
    return depth(trace<LeeChang>(arm.canonical(), {.placements_given = true, .rotors = false}))
        .total();
  };
  const int eight = depth_at(8), sixteen = depth_at(16), thirty_two = depth_at(32);
  r.add("Theorem 1", "(b) p = n: the longest path grows with ⌈log2 n⌉, n = 8, 16, 32",
        holds("O(⌈log2 n⌉)", sixteen - eight == thirty_two - sixteen,
              fmt::format("{}, {}, {} operations", eight, sixteen, thirty_two)),
        "src/formulation/lee_chang.hpp: LeeChang",
        reproduced("as many operations more for every doubling"));
}

// ---- recursive doubling and its networks

void splittings(Claims& r) {
  // The part of recursive doubling that x(n) needs: round by round, from the end.
  const int n = 15;
  const ScanPlan plan = recursive_doubling(n + 1);
  std::vector<bool> needed(static_cast<std::size_t>(n) + 1, false);
  needed[static_cast<std::size_t>(n)] = true;
  std::vector<int> operations(static_cast<std::size_t>(plan.depth()));
  for (int k = plan.depth() - 1; k >= 0; --k) {
    std::vector<bool> before = needed;
    for (const ScanStep& s : plan.rounds[static_cast<std::size_t>(k)])
      if (needed[static_cast<std::size_t>(s.to)]) {
        ++operations[static_cast<std::size_t>(k)];
        before[static_cast<std::size_t>(s.from)] = true;
      }
    needed = before;
  }
  r.add("Section 3", "parallel operations of the splittings for x(n), (n + 1)/2^k, n = 15",
        exact("8, 4, 2, 1", fmt::format("{}", fmt::join(operations, ", "))),
        "src/math/scan_plan.hpp: recursive_doubling", reproduced("those that x(n) needs"));
  // P5: terms that are left after the doubling.
  int all = 0, wrong = 0;
  std::string first;
  for (int m = 1; m <= 64; ++m)
    for (int p = 2; p <= m + 1; ++p) {
      const int s = (m + p) / p;
      int left = 0;
      for (int i = s; i <= m; ++i) left += i % s != s - 1;
      const int printed = m - p - s + ((m + 1) % p == 0 ? 2 : 3);
      ++all, wrong += printed != left;
      if (printed != left && first.empty())
        first = fmt::format("n = {}, p = {}: {} printed, {} left", m, p, printed, left);
    }
  r.add("Section 3.1, P5", fmt::format("terms left, n − p − s + 3 or + 2, {} cases of n ≤ 64", all),
        holds("always", wrong == 0, fmt::format("wrong in {}; first {}", wrong, first)),
        "papers/lee_chang/bounds.cpp: splittings",
        refuted("where the last blocks are short or empty; T_p is wrong where that changes ⌈·/p⌉"));
}

void shuffles(Claims& r) {
  const char* where = "Section 3.1, networks";
  const char* by = "src/math/network.hpp: links";
  for (const Wiring w : {Wiring::shuffle, Wiring::inverse_shuffle}) {
    const std::array<int, 3> at{links(w, 8), links(w, 16), links(w, 32)};
    const bool linear = at[2] - at[1] == 2 * (at[1] - at[0]);
    r.add(where,
          fmt::format("links of the {} and to the next processor grow with n: 8, 16, 32",
                      w == Wiring::shuffle ? "perfect shuffle" : "inverse perfect shuffle"),
          holds("proportional to n", linear, fmt::format("{}", fmt::join(at, ", "))), by,
          reproduced("twice n, less a few that stand for two or stay"));
  }
  int direct = 0;
  for (const auto& round : recursive_doubling(32).rounds) direct += static_cast<int>(round.size());
  r.add(where, "against wires for every pair of the doubling, n = 32",
        holds("fewer", links(Wiring::inverse_shuffle, 32) < direct,
              fmt::format("{} against {}", links(Wiring::inverse_shuffle, 32), direct)),
        by, reproduced("n log2 n − n + 1 without a network"));
  const Routing cascade = routing(Wiring::cascade, 32), shuffle = routing(Wiring::shuffle, 32),
                inverse = routing(Wiring::inverse_shuffle, 32);
  r.add(where, "the inverse perfect shuffle is attractive: moves of a scan on 32 processors",
        holds("suitable", inverse.steps() < shuffle.steps() && inverse.steps() < cascade.steps(),
              fmt::format("{}; {} by the perfect shuffle, {} by a cascade", inverse.steps(),
                          shuffle.steps(), cascade.steps())),
        "src/math/network.hpp: routing",
        reproduced("operands of round k are neighbours after k of them"));
}

}  // namespace
}  // namespace of_lee_chang_bounds

void lee_chang_bounds(Claims& r) {
  using namespace of_lee_chang_bounds;
  introduction(r);
  iteration(r);
  bounds(r);
  splittings(r);
  shuffles(r);
}

}  // namespace parid::papers
