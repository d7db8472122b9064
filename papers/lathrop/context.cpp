// Lathrop's sections 3 and 6 where they quote or explain: rates, Orin's tasks, Luh and Lin's
// concurrency, partial sums, the stretches of Fig. 5; and the parts of the processor of section
// 7.2.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "codegen/trace/generate.hpp"
#include "hardware/array/vector_processor.hpp"
#include "math/scan_plan.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/quoted.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/control_graph.hpp"

namespace parid::papers {
namespace of_lathrop_context {
namespace {

void rates(Claims& r) {
  const double needed = lowest_stable_rate(10);
  r.add("Section 3", "sampling rate for arms that resonate at around 10 Hz",
        roughly("about 60 Hz or faster", 60, fmt::format("above {:.1f} Hz", needed), needed, 6),
        "papers/quoted.hpp: lowest_stable_rate",
        reproduced("2π times the frequency: where computed torque, critically damped at 10 Hz and "
                   "held over a period, stops being stable"));
  const HollerbachRow& uk = hollerbach_row("Uicker/Kahn");
  r.add("Section 3", "one trajectory point by Uicker and Kahn's on a PDP 11/45",
        arithmetic(beyond("7.9 s", fmt::format("{:.0f} µs for each of Table 1's operations",
                                               7.9e6 / static_cast<double>(uk.m6 + uk.a6)))),
        "papers/hollerbach/hollerbach.cpp: hollerbach_tables",
        not_derivable("cited from Luh, Walker and Paul; the time of an operation is not printed"));
}

// Ten tasks: one of length 8, one of 4, the others of 1.
void orin(Claims& r) {
  const char* where = "Section 3.3";
  const char* here = "papers/lathrop/context.cpp: orin";
  const double longest = 8, total = 8 + 8.0 / 2 + 8 * 1;
  r.add(where, "Orin's ten tasks: the inverse dynamics' share, eight times most, twice the second",
        arithmetic(holds("over one-third", longest / total > 1.0 / 3,
                         fmt::format("{:.2f} if the other eight are alike", longest / total))),
        here, reproduced("8 of 8 + 4 + 8"));
  const double share = 1.0 / 3, third = share / (1 - 1.0 / 3);
  r.add(where, "with the total time less by one-third, the inverse dynamics is active for",
        arithmetic(roughly("half the total time", 0.5, fmt::format("{:.2f}", third), third, 0.01)),
        here, reproduced("a third of all, over two thirds"));
  r.add(where, "throughput that one inverse dynamics at a time allows, if it is a third of all",
        arithmetic(
            roughly("nearly triple", 3, fmt::format("at most {:.1f}", 1 / share), 1 / share, 0.3)),
        here, reproduced("so that nothing but a shorter inverse dynamics gives more"));
  const Robot puma = Robot::load("puma560");
  auto operations = [&](const char* what) {
    const Counts c = counts(generate(puma, quantity(what)).program.graph);
    return static_cast<double>(c.multiplications + c.additions);
  };
  const double inverse = operations("inverse");
  r.add(where, "the inverse dynamics is eight times as long as most tasks",
        beyond("8", fmt::format("{:.1f} times a PUMA-560's Jacobian, {:.1f} times its inverse "
                                "kinematics, in multiplications and additions",
                                inverse / operations("jacobian"), inverse / operations("ik"))),
        "src/codegen/trace/generate.hpp: generate",
        not_derivable("Orin's ten tasks are not named; these are two that a controller has"));
  const SixProcessors ours = stanford_on_six();
  r.add(where, "Luh and Lin's concurrency on a Stanford arm",
        among("2.64", {{"nine tasks per link, a processor for each joint, in the best order",
                        fmt::format("{:.2f}", ours.luh_lin)},
                       {"the same by level", fmt::format("{:.2f}", ours.by_joint)},
                       {"any task on any processor", fmt::format("{:.2f}", ours.by_level)}}),
        "papers/quoted.hpp: stanford_on_six",
        not_derivable("their subtasks are not printed; with ours no order gives more"));
}

// Ten tasks of a controller as code, the inverse dynamics one of them, scheduled as a whole.
void ten_tasks(Claims& r) {
  const char* where = "Section 3.3";
  const char* by = "src/schedule/tasks/control_graph.hpp: control_graph";
  const TaskGraph g = control_graph(Robot::load("puma560"), ControlStep::orin).tasks;
  int longest = 0;
  std::vector<Time> lengths;
  for (int t = 0; t < g.size(); ++t) {
    lengths.push_back(g[t].duration);
    if (g[t].duration > g[longest].duration) longest = t;
  }
  std::sort(lengths.begin(), lengths.end());
  const double all = static_cast<double>(total(g)), most = static_cast<double>(lengths.back()),
               second = static_cast<double>(lengths[lengths.size() - 2]),
               middle = static_cast<double>(lengths[lengths.size() / 2]);
  const schedule::Outcome on_three = run(scheduler("exact"), g, {3});
  const double latency = static_cast<double>(makespan(on_three.schedule));
  r.add(where, "Orin's ten tasks: the longest is the inverse dynamics, a PUMA-560's",
        exact("inverse_dynamics", g[longest].name), by,
        reproduced("ours are the ten of control by resolved acceleration"));
  r.add(where, "Orin's ten tasks: the share, multiples of most and of the second, by ours",
        beyond("over one-third, 8, 2",
               fmt::format("{:.2f}, {:.1f}, {:.1f}", most / all, most / middle, most / second)),
        by, not_derivable("his ten tasks are not named; ours are counted in operations"));
  r.add(where, "several CPUs: total time less by, with ten tasks scheduled as a whole",
        beyond("nearly one-third", fmt::format("{:.2f} on three processors, which is the critical "
                                               "path",
                                               1 - latency / all)),
        by, not_derivable("his edges are not printed; of ours most wait for one another"));
  r.add(where, "several CPUs: throughput with the longest task on a processor of its own",
        roughly("nearly triple", 3, fmt::format("{:.2f}", all / most), all / most, 0.3), by,
        reproduced("all ten tasks over the inverse dynamics, in operations"));
}

void partial_sums(Claims& r) {
  const ScanPlan tree = tree_scan(16);
  std::vector<std::size_t> sums;
  for (int k = 0; k < 4; ++k) sums.push_back(tree.rounds[static_cast<std::size_t>(k)].size());
  r.add("Section 6", "partial sums after the i-th step, n/2^i: n = 16",
        exact("8, 4, 2, 1", fmt::format("{}", fmt::join(sums, ", "))),
        "src/math/scan_plan.hpp: tree_scan", reproduced("up a binary tree"));
  // Fig. 5: the stretches X_{a,b} that every round forms, for eight elements.
  const ScanPlan plan = divided_scan(8);
  std::vector<int> first(8);  // first element of the stretch at each position
  for (int i = 0; i < 8; ++i) first[static_cast<std::size_t>(i)] = i;
  const char* printed[] = {"X_0,1 X_2,3 X_4,5 X_6,7", "X_0,2 X_0,3 X_4,6 X_4,7",
                           "X_0,4 X_0,5 X_0,6 X_0,7"};
  for (std::size_t round = 0; round < 3; ++round) {
    std::string formed;
    std::vector<int> next = first;
    for (int to = 0; to < 8; ++to)
      for (const ScanStep& s : plan.rounds[round])
        if (s.to == to) {
          next[static_cast<std::size_t>(to)] = first[static_cast<std::size_t>(s.from)];
          formed += fmt::format("{}X_{},{}", formed.empty() ? "" : " ",
                                next[static_cast<std::size_t>(to)], to);
        }
    first = next;
    r.add("Fig. 5", fmt::format("stretches that step {} forms", round + 1),
          exact(printed[round], formed), "src/math/scan_plan.hpp: divided_scan",
          reproduced("the text's list, where the scan has it"));
  }
}

void processor(Claims& r) {
  const char* by = "src/hardware/array/vector_processor.hpp: processor_parts";
  const ProcessorParts parts = processor_parts();
  r.add("Section 7.2.1", "primitive modules of a matrix-vector processor", exact(3, parts.modules),
        by, reproduced("one for each coordinate of the result"));
  r.add("Section 7.2.1", "multipliers of a module: MULT-1 and MULT-2", exact(2, parts.multipliers),
        by, reproduced("no program of a vector operation uses a third"));
  r.add("Section 7.2.1", "adders of a module", exact(1, parts.adders), by,
        reproduced("one sum in a step"));
}

}  // namespace
}  // namespace of_lathrop_context

void lathrop_context(Claims& r) {
  using namespace of_lathrop_context;
  rates(r);
  orin(r);
  ten_tasks(r);
  partial_sums(r);
  processor(r);
}

}  // namespace parid::papers
