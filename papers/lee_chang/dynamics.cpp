// Lee and Chang, section 3: Newton-Euler as linear recurrences on n processors, and on p.

#include <fmt/format.h>

#include <string>

#include "math/scan.hpp"
#include "model/format/parametric.hpp"
#include "papers/counting.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "runtime/cost/cost.hpp"
#include "runtime/cost/parallel_cost.hpp"

namespace parid::papers {
namespace of_lee_chang_dynamics {
namespace {

constexpr const char* by_operations = "src/runtime/cost/parallel_cost.hpp: lee_chang_operations";
constexpr const char* by_fold = "src/math/scan_plan.hpp: p_fold_scan";

void operations(Claims& r) {
  const char* where = "Section 3, complexity";
  // Through n = 2, 4, 8, 16: log2 n = 1 … 4. The first round is cheaper, the others are equal.
  auto in_log = [](auto of) {
    const long long two = of(4), three = of(8);
    return fmt::format("{} ⌈log2 n⌉ − {}", three - two, 2 * (three - two) - two);
  };
  auto rotations_m = [](int n) { return lee_chang_operations(n).rotations.multiplications; };
  auto rotations_a = [](int n) { return lee_chang_operations(n).rotations.additions; };
  r.add(where, "(a) recurrence (15), multiplications",
        exact("27 ⌈log2 n⌉ − 19", in_log(rotations_m)), by_operations,
        reproduced("the first round multiplies two of a PUMA's rotations, 8 multiplications, the "
                   "later ones full matrices; the scan has ⌊ ⌋"));
  r.add(where, "(a) recurrence (15), additions", exact("18 ⌈log2 n⌉ − 14", in_log(rotations_a)),
        by_operations, reproduced("4 additions in the first round, 18 in the later ones"));
  r.add(where, "(a) with ⌊log2 n⌋ as scanned, n = 6, multiplications",
        exact(27 * 2 - 19, rotations_m(6)), by_operations,
        refuted("six rotations need three rounds: ⌈log2 6⌉"));
  r.add(where, "(b) sums of recurrences (18) to (30), additions at n = 6: 6 · 3 + 9 · 3",
        exact(6 * 3 + 9 * 3, lee_chang_operations(6).sums.additions), by_operations,
        reproduced("6 ⌈log2 n⌉ for ω and ω̇, 9 ⌈log2(n + 1)⌉ for p̈, f and n"));
  r.add(where, "(b) the same at n = 12: 6 · 4 + 9 · 4",
        exact(6 * 4 + 9 * 4, lee_chang_operations(12).sums.additions), by_operations,
        reproduced("four rounds each"));
  r.add(where, "(c) everything else, multiplications",
        exact(135, lee_chang_operations(6).between.multiplications), by_operations,
        reproduced("18 + 3 + 9 + 18 + 18 + 3 + 18 + 33 + 12 + 3 by equation"));
  r.add(where, "(c) everything else, additions",
        exact(98, lee_chang_operations(6).between.additions), by_operations,
        reproduced("12 + 0 + 6 + 12 + 15 + 0 + 12 + 24 + 15 + 2 by equation"));
  const auto six = lee_chang_operations(6).all(), eight = lee_chang_operations(8).all(),
             twelve = lee_chang_operations(12).all();
  r.add(where, "constant of the total, multiplications", exact(116, six.multiplications - 27 * 3),
        by_operations, reproduced("135 − 19"));
  r.add(where, "constant of the total, additions", exact(84, six.additions - 24 * 3 - 9 * 3),
        by_operations, reproduced("98 − 14"));
  r.add("Introduction", "multiplications of one of six processors", exact(197, six.multiplications),
        by_operations, reproduced("27 · 3 + 116"));
  r.add("Introduction", "additions of one of six processors", exact(183, six.additions),
        by_operations, reproduced("24 · 3 + 9 · 3 + 84"));
  r.add(where, "\"If n = 8\", multiplications", exact(197, eight.multiplications), by_operations,
        reproduced("by accident: ⌈log2 8⌉ = ⌈log2 6⌉"));
  r.add(where, "\"If n = 8\", additions", exact(183, eight.additions), by_operations,
        refuted("⌈log2 9⌉ = 4; n = 6 is meant, of which 197 and 183 both hold"));
  r.add(where, "at n = 12 more than at n = 6, multiplications",
        exact(27, twelve.multiplications - six.multiplications), by_operations,
        reproduced("one round more"));
  r.add(where, "at n = 12 more than at n = 6, additions",
        exact(33, twelve.additions - six.additions), by_operations, reproduced("one round more"));
  r.add(where, "serial multiplications at n = 6, \"352\" in the scan",
        arithmetic(exact(352, std::llround(hollerbach_row("Newton-Euler").m.at(6)))),
        "papers/hollerbach/hollerbach.cpp: hollerbach_tables",
        refuted("852 = 150 · 6 − 48, as the introduction has it"));
  r.add(where, "serial additions at n = 6",
        arithmetic(exact(738, std::llround(hollerbach_row("Newton-Euler").a.at(6)))),
        "papers/hollerbach/hollerbach.cpp: hollerbach_tables", reproduced("131 · 6 − 48"));
  const Operations general = specialized_program(Robot(chain(6)));
  r.add("Introduction", "no further substantial improvement of serial Newton-Euler is likely",
        holds("150 n − 48, 131 n − 48", general.m + general.a > 1400,
              fmt::format("{}/{} at n = 6 instead of 852/738", general.m, general.a)),
        "src/codegen/trace/generate.hpp: generate",
        refuted("less than half is enough, and for a given arm much less"));
  const Robot stanford = Robot::load("stanford");
  const FormulationCost conventional = cost("newton_euler_conventional", stanford),
                        link = cost("newton_euler_link", stanford);
  const Operations own = specialized_program(stanford);
  auto pair = [](long m, long a) { return fmt::format("{}/{}", m, a); };
  r.add("Introduction", "torques of a Stanford arm, by Luh and Lin",
        among("308/254",
              {{"the nine steps, its zeros left out",
                pair(conventional.customised->multiplications, conventional.customised->additions)},
               {"about origins, its zeros left out",
                pair(link.customised->multiplications, link.customised->additions)},
               {"our program for it", pair(static_cast<long>(own.m), static_cast<long>(own.a))}}),
        "src/runtime/cost/cost.hpp: cost",
        not_derivable("taken over from Luh and Lin; which zeros they used is not said"));
}

// ---- on p processors

// Algorithm PFP on strings, which do not commute: every prefix x(0) … x(n), in steps P1 to P5; (36)
// as printed or corrected.
int right_prefixes(int n, int p, bool printed) {
  const int s = (n + p) / p;  // ⌈(n + 1)/p⌉
  auto letter = [](int i) { return std::string(1, static_cast<char>('a' + i)); };
  std::vector<std::vector<std::string>> N(
      static_cast<std::size_t>(p) + 2, std::vector<std::string>(static_cast<std::size_t>(s) + 1));
  for (int j = 1; j <= p; ++j)
    for (int i = 1; i <= s; ++i) {
      const int at = (j - 1) * s + i - 1;  // M(at + 1) = a(at)
      N[j][i] = (i > 1 ? N[j][i - 1] : "") + (at <= n ? letter(at) : "");
    }
  std::vector<std::string> y(static_cast<std::size_t>(p) + 1);
  for (int j = 1; j <= p; ++j) y[j] = y[j - 1] + N[j][s];
  int right = 0;
  std::string prefix;
  for (int i = 0; i <= n; ++i) {
    prefix += letter(i);
    const int j = i / s, in = i % s;
    if (j == 0 || in == s - 1) continue;  // of P3 and P4
    right += y[j] + N[printed ? j : j + 1][in + 1] == prefix;
  }
  return right;
}

void folded(Claims& r) {
  const char* where = "Section 3.1, T_p";
  int doubling = 0;
  for (int n = 1; n <= 64; ++n) doubling += recursive_doubling(n + 1).depth() == ceil_log2(n + 1);
  r.add("Section 3", "recursive doubling computes x(1) … x(n) in ⌈log2(n + 1)⌉ steps, n = 1 … 64",
        exact(64, doubling), "src/math/scan_plan.hpp: recursive_doubling",
        reproduced("for every n"));
  // x(i) is done after the last round that writes it.
  const ScanPlan plan = recursive_doubling(65);
  std::vector<int> done(65, 0);
  for (int k = 0; k < plan.depth(); ++k)
    for (const ScanStep& step : plan.rounds[static_cast<std::size_t>(k)])
      done[static_cast<std::size_t>(step.to)] = k + 1;
  int in_time = 0;
  for (int i = 1; i <= 64; ++i) in_time += done[static_cast<std::size_t>(i)] == ceil_log2(i + 1);
  r.add("Section 3", "x(i) is there after ⌈log2(i + 1)⌉ splittings, i = 1 … 64", exact(64, in_time),
        "src/math/scan_plan.hpp: recursive_doubling", reproduced("each by its own"));
  int small = 0, small_right = 0, all = 0, low = 0, corrected = 0;
  std::string first;
  for (int n = 1; n <= 128; ++n)
    for (int p = 1; p <= n + 1; ++p) {
      const int time = p_fold_scan(n + 1, p).time(p), printed = p_fold_time_as_printed(n, p);
      ++all, low += printed != time, corrected += p_fold_time(n, p) == time;
      if (n < 10) ++small, small_right += printed == time;
      if (printed != time && first.empty())
        first = fmt::format("n = {}, p = {}: {} printed, {} needed", n, p, printed, time);
    }
  r.add(where, fmt::format("the formula, for all {} cases of n < 10", small),
        exact(small, small_right), by_fold,
        reproduced("steps of the algorithm as it is run on p processors"));
  r.add(where, fmt::format("the formula, for all {} cases of n ≤ 128", all),
        holds("T_p", low == 0, fmt::format("wrong in {}; first at {}", low, first)), by_fold,
        refuted(fmt::format("its count of terms left after the doubling is wrong where the last "
                            "blocks are short or empty; ⌈(n + 2 − s − ⌊(n + 1)/s⌋)/p⌉ is right "
                            "in all {}",
                            corrected)));
  const int n = 11, p = 3, between = right_prefixes(n, p, false),
            printed = right_prefixes(n, p, true);
  r.add("Eq. (36)", "x(js + i) = y(j) ∘ N(i + 1, j), n = 11, p = 3: terms that come out right",
        exact(between, printed), "papers/lee_chang/dynamics.cpp: right_prefixes",
        refuted("N(i + 1, j + 1): what follows y(j) stands in the next block"));
}

}  // namespace
}  // namespace of_lee_chang_dynamics

void lee_chang_dynamics(Claims& r) {
  using namespace of_lee_chang_dynamics;
  operations(r);
  folded(r);
}

}  // namespace parid::papers
