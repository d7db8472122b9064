// Lee and Chang's headline: the whole inverse dynamics on p processors. Torques, operations of each
// processor, words over the networks, and the distance from the lower bound, by running algorithm
// PFP.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/format/parametric.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/random.hpp"
#include "parid/parallel_evaluation.hpp"
#include "parid/torque_method.hpp"
#include "runtime/cost/parallel_cost.hpp"

namespace parid::papers {
namespace of_lee_chang_evaluation {
namespace {

constexpr const char* by_evaluation = "include/parid/parallel_evaluation.hpp: parallel_evaluation";
constexpr const char* by_pfold = "src/formulation/lee_chang_pfold.hpp: LeeChangPFold";

std::string text(long m, long a) { return fmt::format("{}/{}", m, a); }

ParallelEvaluation on_chain(int n, int p, int cells = 0) {
  return parallel_evaluation(Robot(chain(n)), p, cells);
}

void torques(Claims& r) {
  double worst = 0;
  int cases = 0;
  for (const char* name : {"puma560", "stanford"}) {
    const Robot robot = Robot::load(name);
    const std::size_t n = static_cast<std::size_t>(robot.nv());
    TorqueMethod reference(robot, "newton_euler_link");
    for (int p = 1; p <= robot.nv(); ++p, ++cases) {
      TorqueMethod folded(robot, "lee_chang_pfold", {.processors = p});
      Random random(5);
      std::vector<double> q(n), v(n), a(n), got(n), want(n);
      for (int k = 0; k < 10; ++k) {
        for (std::vector<double>* x : {&q, &v, &a})
          for (double& number : *x) number = random.in(-2, 2);
        folded.torque(q, v, a, got);
        reference.torque(q, v, a, want);
        double size = 0, off = 0;
        for (std::size_t i = 0; i < n; ++i) {
          size = std::max(size, std::abs(want[i]));
          off = std::max(off, std::abs(got[i] - want[i]));
        }
        worst = std::max(worst, off / size);
      }
    }
  }
  r.add("Section 3.1", "the p-fold algorithm computes the joint torques: two arms, p = 1 … 6",
        holds("the N-E formulation", worst < 1e-12,
              worst < 1e-12 ? fmt::format("the same to 1e-12 in all {} cases", cases)
                            : fmt::format("off by {:.1e}", worst)),
        by_pfold, reproduced("PFP in all six recurrences, against Newton-Euler in link frames"));
}

void operations(Claims& r) {
  // The whole evaluation on six processors, with a PUMA's zeros in the first products alone.
  const ParallelEvaluation six = parallel_evaluation(Robot::load("puma560"), 6);
  const LeeChangOperations parts = lee_chang_operations(6);
  const long m = six.time.multiplications - six.doubling.multiplications +
                 parts.rotations.multiplications,
             a = six.time.additions - six.doubling.additions + parts.rotations.additions +
                 parts.sums.additions;
  r.add("Introduction", "operations of the whole evaluation on six processors, PUMA",
        exact("197/183", text(m, a)), by_evaluation,
        reproduced(fmt::format("run on counting numbers: {} with every product a full one, as the "
                               "later rounds are",
                               text(six.time.multiplications, six.time.additions))));
  r.add("Introduction", "times as fast as one processor on six, by the same algorithm",
        beyond("852/738 to 197/183",
               fmt::format("{:.2f} ({} to {})", six.speedup,
                           text(six.serial.multiplications, six.serial.additions),
                           text(six.time.multiplications, six.time.additions))),
        by_evaluation,
        not_derivable("their serial figure is of another formulation, in link coordinates"));
}

// Time by p-fold evaluations is k1 ⌈n/p⌉ + k2 ⌈log2 p⌉ + c where all blocks are full.
void theorem(Claims& r) {
  auto at = [](int s, int p) { return on_chain(s * p, p).time; };
  bool straight = true;
  const auto difference = [](const ProcessorOperations& x, const ProcessorOperations& y) {
    return text(x.multiplications - y.multiplications, x.additions - y.additions);
  };
  const std::string k1 = difference(at(3, 4), at(2, 4)), k2 = difference(at(2, 8), at(2, 4));
  for (const int p : {2, 4, 8})
    for (int s = 2; s <= 4; ++s) {
      straight &= difference(at(s + 1, p), at(s, p)) == k1;
      straight &= difference(at(s, 2 * p), at(s, p)) == k2;
    }
  r.add("Section 3.1", "the p-fold evaluation takes O(k1 ⌈n/p⌉ + k2 ⌈log2 p⌉): p = 2 … 16",
        holds("k1 and k2 are constants", straight,
              fmt::format("{}; k1 = {}, k2 = {}", straight ? "they are" : "they are not", k1, k2)),
        by_evaluation,
        reproduced("multiplications and additions of one link more on each processor, and of twice "
                   "the processors with as many links each"));
  std::vector<std::string> over;
  bool attained = true;
  for (const int p : {1, 2, 4, 8, 16, 32}) {
    const double ratio = on_chain(32, p).over_bound;
    over.push_back(fmt::format("{:.3f}", ratio));
    if (p == 1 || p == 32) attained &= ratio == 1.0;
  }
  r.add("Theorem 1", "the lower bound is attained on one processor and on n = 32",
        holds("T_p ≥ …, and the algorithm possesses it", attained,
              fmt::format("time over bound at p = 1, 2, 4, 8, 16, 32: {}", fmt::join(over, ", "))),
        by_evaluation,
        reproduced("in between, step P5 combines every element a second time, which the bound does "
                   "not charge"));
}

void chips(Claims& r) {
  const auto per_doubling = [](int cells) {
    const ProcessorOperations a = on_chain(16, 16, cells).time, b = on_chain(8, 8, cells).time;
    return std::pair(a.multiplications - b.multiplications, a.additions - b.additions - 15);
  };
  const auto [m, a] = per_doubling(0);
  const auto [chip_m, chip_a] = per_doubling(9);
  r.add("Section 3, complexity",
        "matrix multiplier chips would reduce the coefficients 27 and 18 of (15)",
        holds("reduce", chip_m < m && chip_a < a,
              fmt::format("{} to {} with a chip of nine multiply-accumulate cells", text(m, a),
                          text(chip_m, chip_a))),
        by_evaluation, reproduced("three products in sequence for each entry, and two sums"));
}

void networks_of(Claims& r) {
  const ParallelEvaluation e = on_chain(32, 32);
  std::vector<std::string> words, times, links;
  for (const ParallelNetwork& w : e.networks) {
    words.push_back(std::to_string(w.words));
    times.push_back(std::to_string(w.word_times));
    links.push_back(std::to_string(w.links));
  }
  const ParallelNetwork &cascade = e.networks[0], &shuffle = e.networks[1],
                        &inverse = e.networks[2];
  r.add("Section 3.1, networks",
        "the inverse perfect shuffle is attractive: words in sequence of one evaluation, 32 "
        "processors",
        holds("suitable",
              inverse.word_times < shuffle.word_times && inverse.word_times < cascade.word_times,
              fmt::format("{} by cascade, perfect and inverse shuffle", fmt::join(times, ", "))),
        by_evaluation,
        reproduced("rotations are 9 words wide, vectors 3, five recurrences of six"));
  r.add("Section 3.1, networks", "without complex intercommunication: links that are used",
        holds("proportional to n", inverse.links <= 4 * 32,
              fmt::format("{} by cascade, perfect and inverse shuffle, both ways; words moved {}",
                          fmt::join(links, ", "), fmt::join(words, ", "))),
        by_evaluation, reproduced("to either neighbour, and one for the shuffle"));
}

}  // namespace
}  // namespace of_lee_chang_evaluation

void lee_chang_evaluation(Claims& r) {
  using namespace of_lee_chang_evaluation;
  torques(r);
  operations(r);
  theorem(r);
  chips(r);
  networks_of(r);
}

}  // namespace parid::papers
