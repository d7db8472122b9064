#include "parid/parallel_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

#include "formulation/lee_chang_pfold.hpp"
#include "math/network.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"
#include "runtime/method/evaluation.hpp"
#include "runtime/method/method.hpp"
#include "scalar/counted.hpp"

namespace parid::runtime {
namespace {

using Ops = ProcessorOperations;

long total(const Ops& o) { return o.multiplications + o.additions; }
Ops& operator+=(Ops& a, const Ops& b) {
  a.multiplications += b.multiplications;
  a.additions += b.additions;
  return a;
}
Ops operator*(long k, const Ops& o) { return {k * o.multiplications, k * o.additions}; }
const Ops& most(const std::vector<Ops>& all) {
  return *std::max_element(all.begin(), all.end(),
                           [](const Ops& a, const Ops& b) { return total(a) < total(b); });
}
long ceil_divide(long a, long b) { return (a + b - 1) / b; }

template <class Work>
Ops measured(const Work& work) {
  Counted::reset();
  work();
  return {Counted::count().multiplications, Counted::count().additions};
}

constexpr const char* between[] = {"slides",       "(16), (17)", "(19)", "(21)",
                                   "(23) to (27)", "(29)",       "(31)"};
constexpr const char* recurrences[] = {"(15)", "(18)", "(20)", "(22)", "(28)", "(30)"};

// What PFP moves of one recurrence.
struct Moves {
  std::string equation;
  int width;
  bool inward;
  bool onto_blocks;  // a block's processor takes the value before it, from its neighbour
};

// Runs the steps of lee_chang_pfold as p processors would, and counts.
class CountingMachine {
 public:
  CountingMachine(int n, int processors, int matrix_cells)
      : n_(n), p_(processors), matrix_cells_(matrix_cells) {
    c_.links = n;
    c_.processors = processors;
    c_.links_per_processor = static_cast<int>(ceil_divide(n, processors));
    c_.used = p_fold_blocks(n, processors);
    c_.processor.resize(static_cast<std::size_t>(c_.used));
  }

  template <class Work>
  void each_link(int n, const Work& work) {
    std::vector<Ops> step(static_cast<std::size_t>(c_.used)), link;
    for (int i = 1; i <= n; ++i) {
      link.push_back(measured([&] { work(i); }));
      step[owner(i)] += link.back();
    }
    take(step, c_.local, between[calls_++]);
    // Some processor has ⌈n/p⌉ links; all of them share the work.
    Ops all, fewest;
    std::sort(link.begin(), link.end(),
              [](const Ops& a, const Ops& b) { return total(a) < total(b); });
    for (std::size_t k = 0; k < link.size(); ++k) {
      all += link[k];
      if (k < static_cast<std::size_t>(c_.links_per_processor)) fewest += link[k];
    }
    const Ops share{ceil_divide(all.multiplications, p_), ceil_divide(all.additions, p_)};
    c_.bound += total(share) > total(fewest) ? share : fewest;
  }

  template <class X, class Combine>
  void scan(const ScanPlan& plan, X* x, const Combine& combine) {
    run(plan, x, false, [&](const ScanStep& s) { x[s.to] = combine(x[s.from], x[s.to]); });
  }
  template <class X, class Combine>
  void scan_from_end(const ScanPlan& plan, X* x, const Combine& combine) {
    const int last = plan.n - 1;
    run(plan, x, true,
        [&](const ScanStep& s) { x[last - s.to] = combine(x[last - s.to], x[last - s.from]); });
  }
  void neighbours() { moves_.back().onto_blocks = true; }

  ParallelEvaluation result() {
    for (const Wiring network : networks) c_.networks.push_back(loaded(network));
    c_.levels = ceil_log2(c_.used);
    c_.k1 = static_cast<double>(total(c_.local) + total(c_.within) + total(c_.completing)) /
            c_.links_per_processor;
    c_.k2 = c_.levels == 0 ? 0 : static_cast<double>(total(c_.doubling)) / c_.levels;
    c_.over_bound = static_cast<double>(total(c_.time)) / static_cast<double>(total(c_.bound));
    return c_;
  }

 private:
  std::size_t owner(int link) const {
    return static_cast<std::size_t>((link - 1) / c_.links_per_processor);
  }

  void take(const std::vector<Ops>& step, Ops& part, const char* equations) {
    const Ops& longest = most(step);
    for (std::size_t k = 0; k < step.size(); ++k) c_.processor[k] += step[k];
    if (total(longest) == 0) return;
    part += longest;
    c_.time += longest;
    if (c_.steps.empty() || c_.steps.back().equations != equations)
      c_.steps.push_back({equations, {}});
    c_.steps.back().time += longest;
  }

  template <class X, class Step>
  void run(const ScanPlan& plan, const X*, bool inward, const Step& combine) {
    const char* equation = recurrences[moves_.size()];
    const bool with_end = plan.n > n_;
    const std::size_t within = static_cast<std::size_t>(c_.links_per_processor) - 1,
                      rounds = static_cast<std::size_t>(ceil_log2(c_.used + (with_end ? 1 : 0)));
    Ops once;
    bool onto_blocks = false;
    for (std::size_t r = 0; r < plan.rounds.size(); ++r) {
      std::vector<Ops> step(static_cast<std::size_t>(c_.used));
      for (const ScanStep& s : plan.rounds[r]) {
        once = measured([&] { combine(s); });
        if (std::is_same_v<X, Mat3<Counted>> && matrix_cells_ > 0)
          once = {ceil_divide(once.multiplications, matrix_cells_),
                  std::max(2L, ceil_divide(once.additions, matrix_cells_))};
        const int place = s.to + (with_end ? 0 : 1);  // 1 … n from where the scan begins
        step[owner(inward ? n_ + 1 - place : place)] += once;
      }
      const bool serial = c_.used == 1 || r < within, doubles = !serial && r < within + rounds;
      onto_blocks |= !serial && !doubles;
      take(step, serial ? c_.within : doubles ? c_.doubling : c_.completing, equation);
    }
    c_.bound += least_combining_time(plan.n, p_) * once;
    moves_.push_back(
        {equation, static_cast<int>(sizeof(X) / sizeof(Counted)), inward, onto_blocks});
  }

  // Values over each wire in the rounds of doubling: to the next processor, and by a shuffle.
  struct Wires {
    std::vector<long> next, shuffled;  // by the processor that sends
    Routing routing;
  };
  Wires doubled(Wiring network, std::size_t nodes, std::size_t first) const {
    Wires w{std::vector<long>(nodes), std::vector<long>(nodes), {}};
    std::vector<int> x(static_cast<std::size_t>(c_.used), 1);
    w.routing = scan_on(
        network, x, [](int a, int b) { return a + b; },
        [&](std::size_t from, std::size_t to) { ++(to == from + 1 ? w.next : w.shuffled)[from]; },
        first);
    return w;
  }

  // Every recurrence over the wires: the rounds of doubling, of which those with the initial value
  // alone move nothing; then one pass from each block to the next. Inward everything is mirrored,
  // and so are the wires to the next processor; shuffles are their own mirror images.
  ParallelNetwork loaded(Wiring network) const {
    ParallelNetwork all;
    all.network = name_of(network);
    const std::size_t blocks = static_cast<std::size_t>(c_.used),
                      nodes = std::size_t{1} << ceil_log2(c_.used);
    all.nodes = network == Wiring::cascade ? c_.used : static_cast<int>(nodes);
    const Wires out = doubled(network, nodes, 0), in = doubled(network, nodes, nodes - blocks);
    std::map<std::pair<std::size_t, std::size_t>, long> wires;  // words
    const std::size_t bits = static_cast<std::size_t>(ceil_log2(c_.used));
    auto dealt_to = [&](std::size_t k) {
      const std::size_t left = ((k << 1) & (nodes - 1)) | (k >> (bits - 1)),
                        right = (k >> 1) | ((k & 1) << (bits - 1));
      return network == Wiring::shuffle ? left : right;
    };
    for (const Moves& m : moves_) {
      const Wires& w = m.inward ? in : out;
      ParallelTransfer t{m.equation, m.width, w.routing.passes, w.routing.deals, 0};
      const std::size_t first = m.inward ? nodes - blocks : 0;
      const bool onto = m.onto_blocks && blocks > 1;
      if (onto) ++t.passes;
      auto carry = [&](std::size_t from, std::size_t to, long values) {
        if (values == 0) return;
        if (m.inward) {
          from = nodes - 1 - from;
          to = nodes - 1 - to;
        }
        wires[{from, to}] += values * m.width;
        t.words += values * m.width;
      };
      for (std::size_t k = 0; k < nodes; ++k) {
        carry(k, k + 1, w.next[k] + (onto && k >= first && k + 1 < first + blocks));
        if (w.shuffled[k] > 0) carry(k, dealt_to(k), w.shuffled[k]);
      }
      const int moves = t.passes + t.shuffles;
      all.moves += moves;
      all.words += t.words;
      all.word_times += static_cast<long>(m.width) * moves;
      all.recurrences.push_back(t);
    }
    all.links = static_cast<int>(wires.size());
    for (const auto& [wire, words] : wires) all.busiest_link = std::max(all.busiest_link, words);
    return all;
  }

  int n_, p_, matrix_cells_;
  ParallelEvaluation c_;
  std::size_t calls_ = 0;
  std::vector<Moves> moves_;
};

ParallelEvaluation run_on(const Robot& robot, int processors, int matrix_cells) {
  Evaluation<LeeChangPFold, Counted> e(robot.canonical(), processors);
  auto some = [](int k) { return Counted(0.1 * (k + 1)); };  // counts do not depend on the state
  e.load(some, some, some);
  e.place();
  CountingMachine machine(e.mechanism.n, processors, matrix_cells);
  e.formulation.torque_on(machine, e.mechanism, e.motion, e.joint_torque.data());
  return machine.result();
}

double ratio(const Ops& a, const Ops& b) {
  return static_cast<double>(total(a)) / static_cast<double>(total(b));
}

}  // namespace
}  // namespace parid::runtime

namespace parid {

ParallelEvaluation parallel_evaluation(const Robot& robot, int processors, int matrix_cells) {
  using namespace runtime;
  for (const MethodEntry& m : formulation_methods())
    if (m.id == std::string_view(LeeChangPFold<double>::id)) {
      if (const std::string why = cannot(m, robot); !why.empty())
        throw Error(
            fmt::format("method '{}' does not support robot '{}': {}", m.id, robot.name(), why));
      if (processors == 0)  // the default where a method is made
        throw Error("`processors`: 0 is out of range; give 1 or more");
      check_processors(m, robot, {.processors = processors});
    }
  if (matrix_cells < 0)
    throw Error(fmt::format("`matrix_cells`: {} is out of range; give 1 or more, or 0 for no chip",
                            matrix_cells));
  ParallelEvaluation c = run_on(robot, processors, matrix_cells);
  c.serial = processors == 1 ? c.time : run_on(robot, 1, matrix_cells).time;
  c.speedup = ratio(c.serial, c.time);
  return c;
}

}  // namespace parid
