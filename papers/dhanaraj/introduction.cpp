// Dhanaraj's abstract, chapter 1, and the times that he quotes: sampling rates, processors, the
// Algebraic Robot Modeler.

#include <fmt/format.h>

#include <cmath>

#include "papers/counting.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/quoted.hpp"
#include "papers/shared/printed_schedules.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/decompositions.hpp"

namespace parid::papers {
namespace of_dhanaraj_introduction {
namespace {

constexpr const char* by_tables = "papers/hollerbach/hollerbach.cpp: hollerbach_tables";
constexpr const char* by_times = "papers/shared/printed_schedules.hpp: printed_stanford_times";
constexpr const char* by_rate = "papers/quoted.hpp: lowest_stable_rate";
constexpr double operation_ms = printed_level_ms / 3;

void rates(Claims& r) {
  const char* where = "Section 1.1";
  const int times = 20, low = 5, high = 10;
  r.add(where, "sampling rate of 20 times a natural frequency of 5 to 10 Hz",
        arithmetic(exact("1 to 2 kHz", fmt::format("{} to {} Hz", times * low, times * high))),
        "papers/dhanaraj/introduction.cpp: rates",
        refuted("ten times the product; arms of twice that frequency ask for 400 Hz"));
  const double least = lowest_stable_rate(high);
  r.add(where, "20 times the natural frequency is enough: computed torque at 10 Hz",
        holds("20 times", times * high >= least,
              fmt::format("stable above {:.1f} Hz, {:.2f} times", least, least / high)),
        by_rate, reproduced("torques held over a period, both poles at the natural frequency"));
  const HollerbachRow& uk = hollerbach_row("Uicker/Kahn");
  const double ms = static_cast<double>(uk.m6 + uk.a6) * operation_ms;
  r.add(where, "the Lagrangian's 66271 multiplications and 51548 additions on an 8086, in ms",
        arithmetic(holds("800", ms < 1.1 * 800, fmt::format("{:.0f}", ms))), by_times,
        refuted("at the 45 µs for an operation behind Table 4.8, on the same processor; 800 ms "
                "would be 6.8 µs"));
  const HollerbachRow& ne = hollerbach_row("Newton-Euler");
  r.add(where, "sampling period of the PUMA-560 on a VAX-700, in ms",
        arithmetic(
            beyond("35", fmt::format("{:.0f} µs for each of Newton-Euler's {} operations",
                                     35e3 / static_cast<double>(ne.m6 + ne.a6), ne.m6 + ne.a6))),
        by_tables, not_derivable("what that controller computes in a period is not printed"));
  r.add("Section 4.1",
        "a sampling rate of over 1 kHz is what controllers ask for: its least time, in Hz",
        arithmetic(holds("1000", 1000 / 3.65 > 1000, fmt::format("{:.0f}", 1000 / 3.65))), by_times,
        refuted("3.65 ms of Table 4.8 on seven processors is a quarter of that rate"));
}

void modeler(Claims& r) {
  const char* where = "Section 1.2.2";
  const Operations puma = specialized_program(Robot::load("puma560"));
  r.add(
      where, "ARM: pages of the closed-form model of a six-joint PUMA-560",
      beyond("28", fmt::format("{:.0f} of our program, {} operations, one to a line of 60",
                               std::ceil(static_cast<double>(puma.total()) / 60), puma.total())),
      "src/codegen/trace/generate.hpp: generate",
      not_derivable("Neuman and Murray's program is not printed; ours keeps the recursion, theirs "
                    "multiplies it out"));
  r.add(where, "ARM: CPU time on a VAX 11/780, in s", cited("1308", "their program is not printed"),
        "src/codegen/trace/generate.hpp: generate", not_derivable("a time of Neuman and Murray's"));
  r.add(where, "ARM: pages of memory", cited("662", "their program is not printed"),
        "src/codegen/trace/generate.hpp: generate", not_derivable("of Neuman and Murray's"));
  const char* here = "papers/dhanaraj/introduction.cpp: modeler";
  const double more = 100 * ((152.0 + 249) / (208 + 152) - 1);
  r.add("Section 2.5",
        "ARM takes more computations for the six-joint PUMA, by Table 2.10, in percent",
        arithmetic(roughly("about 30", 30, fmt::format("{:.1f}", more), more, 5)), here,
        refuted("401 against 360 operations"));
  r.add("Section 2.5", "ARM is better for three joints, by Table 2.10",
        arithmetic(
            holds("yes", 55 + 42 < 80 + 55 && 40 + 24 < 48 + 33,
                  fmt::format("{} against {}, {} against {}", 55 + 42, 80 + 55, 40 + 24, 48 + 33))),
        here, reproduced("both arms"));
  const int mine[] = {135, 81, 360, 323};
  const std::vector<std::vector<int>> others{
      {97, 195}, {64}, {401, 806, 390, 655, 532}, {330, 614, 339}};
  int fewer = 0, all = 0;
  for (std::size_t k = 0; k < others.size(); ++k)
    for (const int o : others[k]) ++all, fewer += mine[k] < o;
  r.add("Section 2.5", "much less than the published results in most cases, by Table 2.10",
        arithmetic(holds("most cases", 2 * fewer > all, fmt::format("{} of {}", fewer, all))), here,
        reproduced("all but ARM's two arms of three joints"));
  r.add("Section 2.5", "time to generate the equations",
        cited("a fraction of a second", "D.2 runs on REDUCE, on a machine that is not named"), here,
        not_derivable("a time of his computer"));
}

void processors(Claims& r) {
  const char* where = "Section 1.2.3";
  const PrintedTimes &one = printed_stanford_times[0], &six = printed_stanford_times[5];
  r.add(where, "Luh and Lin's speed-up on a Stanford arm, by Table 4.8's times for them",
        arithmetic(within("2.64", one.luh_lin / six.luh_lin)), by_times,
        refuted("24.8 ms over 9.67 ms"));
  const SixProcessors ours = stanford_on_six();
  r.add(where, "the same by our nine tasks per link, a processor for each joint",
        among("2.64",
              {{"in the best order, by branch and bound", fmt::format("{:.2f}", ours.luh_lin)},
               {"each joint's tasks by level", fmt::format("{:.2f}", ours.by_joint)},
               {"any task on any processor", fmt::format("{:.2f}", ours.by_level)}}),
        "papers/quoted.hpp: stanford_on_six",
        not_derivable("their tasks are not printed; with ours, of one unit for each operation, no "
                      "order gives more"));
  r.add("Table 4.8", "Luh and Lin's speed-up, 24.8 ms over 9.67 ms, by their branch and bound",
        within(fmt::format("{:.2f}", one.luh_lin / six.luh_lin), ours.luh_lin),
        "src/schedule/search/luh_lin.cpp: luh_lin",
        reproduced("nine tasks per link, a processor for each joint, one unit for each operation; "
                   "no order is shorter"));
  const CoarseTasks tasks = stanford_tasks();
  r.add(where, "the nine equations of Newton-Euler are nine tasks for each link",
        exact(9, tasks.per_link), "src/schedule/tasks/decompositions.hpp: coarse",
        reproduced("Kasahara and Narita's decomposition, and Luh and Lin's"));
  r.add("Section 4.3.1", "flops of those tasks, least and most, on a Stanford arm",
        among("0 to 24",
              {{"traced, its zeros left out", fmt::format("{} to {}", tasks.least, tasks.most)}}),
        "papers/quoted.hpp: stanford_tasks",
        not_derivable("cited from Luh and Lin, whose equations for the arm are not printed"));
}

// Table 4.8, the columns of other authors.
void times_of_others(Claims& r) {
  const char* where = "Table 4.8";
  const TaskGraph tasks = coarse(Robot::load("stanford")).tasks;
  auto ours = [&](auto of) {
    std::string printed, got;
    for (const PrintedTimes& t : printed_stanford_times) {
      if (of(t) == 0) continue;
      const double ms =
          operation_ms *
          static_cast<double>(makespan(run(scheduler("hlf"), tasks, {t.processors}).schedule));
      printed += fmt::format("{}{:.2f}", printed.empty() ? "" : ", ", of(t));
      got += fmt::format("{}{:.2f}", got.empty() ? "" : ", ", ms);
    }
    return beyond(printed, got);
  };
  const char* by = "src/schedule/tasks/decompositions.hpp: coarse";
  const char* why =
      "their task graph is not printed; ours are the nine equations per link with the "
      "arm's zeros left out, at 45 µs for an operation, highest level first";
  r.add(where, "Luh and Lin, p = 1 and 6, in ms",
        ours([](const PrintedTimes& t) { return t.luh_lin; }), by, not_derivable(why));
  r.add(where, "Kasahara and Narita, p = 1 to 7, in ms",
        ours([](const PrintedTimes& t) { return t.kasahara_narita; }), by, not_derivable(why));
  r.add(where, "Chen, Lee and Hou, p = 1 to 6, in ms",
        ours([](const PrintedTimes& t) { return t.chen_lee_hou; }), by, not_derivable(why));
  const double own =
      operation_ms * static_cast<double>(specialized_program(Robot::load("stanford")).total());
  r.add(
      "Section 4.5", "one processor: less than the 24.83 ms of others by, percent",
      arithmetic(
          holds("21.06 ms", 21.06 < 24.83, fmt::format("{:.0f}", 100 * (1 - 21.06 / 24.83)))),
      by_times,
      reproduced(fmt::format("of the printed times; at 45 µs for an operation our program for the "
                             "arm takes {:.2f} ms",
                             own)));
  const double less = 100 * (1 - 5.26 / 6.59);
  r.add("Section 4.5", "four processors: less than Kasahara's and Chen's 6.59 ms by, percent",
        arithmetic(holds("5.26 ms", less > 0, fmt::format("{:.0f}", less))), by_times,
        reproduced("of the printed times"));
}

}  // namespace
}  // namespace of_dhanaraj_introduction

void dhanaraj_introduction(Claims& r) {
  using namespace of_dhanaraj_introduction;
  rates(r);
  modeler(r);
  processors(r);
  times_of_others(r);
}

}  // namespace parid::papers
