// Dhanaraj's chapter 4: subtasks, layers, and the gain by processors. Tables 4.1 to 4.8.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/passes.hpp"
#include "math/mat3.hpp"
#include "model/description.hpp"
#include "papers/counting.hpp"
#include "papers/dhanaraj/arm.hpp"
#include "papers/dhanaraj/printed_tables.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/shared/printed_schedules.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/decompositions.hpp"
#include "schedule/tasks/subtasks.hpp"

namespace parid::papers {
namespace of_dhanaraj_tasks {
namespace {

constexpr const char* by_streamline = "src/schedule/tasks/decompositions.hpp: streamlined";
constexpr const char* by_subtasks = "src/schedule/tasks/subtasks.hpp: needed_subtasks";

Robot general(int n) { return Robot::load(fmt::format("orthogonal:{}", n)); }

// Runs these subtasks of the general arm on one processor in this order; returns how many torques
// are numbers.
int torques_of(const TaskedGraph& g, const std::vector<int>& order) {
  Schedule s{1, {}};
  Time t = 0;
  for (const int task : order) {
    s.placement.push_back({task, 0, t, t + 1});
    ++t;
  }
  std::vector<double> x(g.graph.inputs().size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(static_cast<double>(k + 1));
  int n = 0;
  for (const double y : evaluate(g, s, x)) n += std::isfinite(y);
  return n;
}
// The tasks in an order that respects all edges, except that those named `late` are at the end.
int torques_with_late(const TaskedGraph& g, const std::set<std::string>& late, bool at_all = true) {
  std::vector<int> order, end;
  for (const int t : g.tasks.order()) (late.count(g.tasks[t].name) ? end : order).push_back(t);
  if (at_all) order.insert(order.end(), end.begin(), end.end());
  return torques_of(g, order);
}

std::string of_six(int n) { return fmt::format("{} of 6 torques", n); }

void table_4_1(Claims& r) {
  const char* where = "Table 4.1";
  r.add(where, "subtasks for each link", exact(43, static_cast<long long>(subtasks().size())),
        "src/schedule/tasks/subtasks.hpp: subtasks", reproduced("T_1 to T_43"));
  const TaskedGraph g = streamlined(general(6));
  int most = 0;
  for (int t = 0; t < g.tasks.size(); ++t) most = std::max(most, operation_count(g, t));
  r.add(where, "operations of a subtask, at most", exact(3, most), by_streamline,
        reproduced("traced; some take fewer where a neighbour's axis is at right angles"));
  r.add(
      where, "done in the order of its edges, the subtasks give the torques",
      exact("6 of 6 torques", of_six(torques_with_late(g, {}))), by_streamline,
      reproduced("with the three corrections below; to 1e-12, as a test of streamlined() has it"));
  r.add(where,
        "T_4 and T_5 wait for T_0 of the link before, which there is not: T_6 of link 5 last",
        exact("6 of 6 torques", of_six(torques_with_late(g, {"506"}))), by_streamline,
        refuted("they wait for T_6"));
  std::set<std::string> levers;
  for (int k = 233; k <= 239; ++k) levers.insert(std::to_string(k));
  r.add(where, "T_41 to T_43 wait for T_40 to T_40: T_33 to T_39 of link 2 last",
        exact("6 of 6 torques", of_six(torques_with_late(g, levers))), by_streamline,
        refuted("T_33 to T_40"));
  Misprints wrong;
  wrong.subtask_10 = true;
  const DhanarajArm puma = table_puma(true);
  r.add(
      where, "T_10: λ_21 = k_x + α_x, λ_32 = k_z + α_z",
      holds("the torques", greatest_effect(puma, wrong, puma) < 1e-9,
            fmt::format("off by up to {:.2f} N m on the PUMA", greatest_effect(puma, wrong, puma))),
      "papers/dhanaraj/arm.hpp: greatest_effect", refuted("k_z + α_z and k_x + α_x: exchanged"));
}

void table_4_2(Claims& r) {
  const char* where = "Table 4.2";
  const std::vector<int> first{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 26, 27};
  auto left_out = [](const std::set<int>& kept) {
    std::set<int> out;
    for (int k = 1; k <= 43; ++k)
      if (!kept.count(k)) out.insert(k);
    return out;
  };
  LinkShape slides;
  slides.prismatic = true;
  const std::set<int> prismatic = left_out(needed_subtasks(6, 3, slides)),
                      last = left_out(needed_subtasks(6, 6, {})),
                      ours = left_out(needed_subtasks(6, 1, {}));
  r.add(where, "prismatic joint, how many can be left out",
        exact(9, static_cast<long long>(prismatic.size())), by_subtasks,
        reproduced("ω and α pass unchanged, and so does λ"));
  r.add(where, "last link, how many can be left out", exact(8, static_cast<long long>(last.size())),
        by_subtasks, reproduced("no external wrench acts on the hand"));
  r.add(where, "first link, how many can be left out",
        exact(19, static_cast<long long>(ours.size())), by_subtasks,
        reproduced("as many, though not the same"));
  const TaskedGraph g = streamlined(general(6));
  r.add(where, "first link: T_26 can be left out",
        exact("6 of 6 torques", of_six(torques_with_late(g, {"126"}, false))), by_streamline,
        refuted("F_1 is needed for s_1 × F_1; the schedules of Appendix C do keep it"));
  r.add(where, "first link: T_19 must be done",
        holds("kept", needed_subtasks(6, 1, {}).count(19) > 0,
              fmt::format("{} without it", of_six(torques_with_late(g, {"119"}, false)))),
        by_subtasks, refuted("gravity lies along the first axis, and Table 4.3 leaves it out too"));
}

std::vector<int> tasks_in(const std::vector<std::vector<int>>& layers) {
  std::vector<int> all;
  for (const auto& layer : layers)
    for (const int t : layer)
      if (t > 0) all.push_back(t);
  return all;
}
std::size_t fullest(const std::vector<std::vector<int>>& layers) {
  std::size_t most = 0;
  for (const auto& layer : layers)
    most =
        std::max<std::size_t>(most, static_cast<std::size_t>(std::count_if(
                                        layer.begin(), layer.end(), [](int t) { return t > 0; })));
  return most;
}

// The length of a list schedule if it equals the bound; else that of the exact search.
Time shortest(const TaskGraph& g, int processors) {
  const auto o = run(scheduler("hlf"), g, {processors});
  if (o.proven) return makespan(o.schedule);
  const auto found = run(scheduler("exact"), g, {processors});
  return found.proven ? makespan(found.schedule) : 0;
}

void table_4_3(Claims& r) {
  const char* where = "Table 4.3";
  const auto& layers = papers::table_4_3();
  r.add(where, "layers", arithmetic(exact(27, static_cast<long long>(layers.size()))),
        "papers/dhanaraj/printed_tables.hpp: table_4_3", reproduced("4 n + 3"));
  r.add(where, "subtasks in it",
        arithmetic(exact(231, static_cast<long long>(tasks_in(layers).size()))),
        "papers/dhanaraj/printed_tables.hpp: table_4_3",
        refuted("it keeps eight of the last link that Table 4.2 leaves out, and 126 and 127, and "
                "leaves out 119"));
  r.add(where, "greatest concurrency",
        arithmetic(exact(13, static_cast<long long>(fullest(layers)))),
        "papers/dhanaraj/printed_tables.hpp: table_4_3", reproduced("layers 5, 7 and 9"));
  std::string counts, paths;
  bool as_many = true, as_long = true;
  for (int n = 2; n <= 8; ++n) {
    const TaskedGraph g = streamlined(general(n));
    as_long &= critical_path(g.tasks) == 4 * n + 3;
    as_many &= g.tasks.size() == 43 * n - 27;
    counts += fmt::format("{}{}", n > 2 ? ", " : "", g.tasks.size());
    paths += fmt::format("{}{}", n > 2 ? ", " : "", critical_path(g.tasks));
  }
  r.add("Section 4.3.1", "4 n + 3 layers for n links, n = 2 to 8", holds("4 n + 3", as_long, paths),
        "src/schedule/task_graph.hpp: critical_path",
        reproduced("and no fewer: the critical path is as long"));
  r.add("Section 4.3.1", "12 n + 9 flops one after another, n = 6",
        exact(81, 3 * critical_path(streamlined(general(6)).tasks)),
        "src/schedule/task_graph.hpp: critical_path", reproduced("three for each layer"));
  r.add(
      "Section 4.3.1", "levels on one processor, by the rules of Table 4.2",
      exact(231, streamlined(general(6)).tasks.size()), by_streamline,
      reproduced(fmt::format("{} (n = 2 to 8: {})", as_many ? "43 n − 27" : "no formula", counts)));
  r.add("Section 4.3.1", "the same in flops, n = 6",
        exact(693, 3 * streamlined(general(6)).tasks.size()), by_streamline,
        reproduced("three for each subtask"));
  const TaskGraph g = streamlined(general(6)).tasks;
  const double speed_up = static_cast<double>(total(g)) / static_cast<double>(critical_path(g));
  r.add("Section 4.3.1", "greatest speed-up", within("8.55", speed_up, 1),
        "src/schedule/task_graph.hpp: critical_path", reproduced("cut off, not rounded"));
  r.add("Section 4.3.1", "13 processors' share of time in use, percent",
        within("65.81", 100 * speed_up / 13), "src/schedule/task_graph.hpp: critical_path",
        reproduced("231 of 27 times 13"));
  const std::string rule = polynomial_in_n([](int n) {
                             return 3LL * critical_path(streamlined(general(n)).tasks);
                           }).text();
  r.add("Abstract", "arithmetic operations one after another for n links", exact("12 n + 9", rule),
        "src/schedule/task_graph.hpp: critical_path",
        reproduced("three for each of 4 n + 3 layers"));
  r.add("Section 4.6", "operations of the inverse dynamics of n links", exact("4 n + 3", rule),
        "src/schedule/task_graph.hpp: critical_path",
        refuted("that is the number of layers; the abstract and 4.3.1 have 12 n + 9"));
  std::string forward, backward;
  bool outward = true, inward = true;
  for (int n = 2; n <= 8; ++n) {
    const TaskGraph tasks = streamlined(general(n)).tasks;
    const std::vector<Time> head = heads(tasks);
    Time out = 0;
    for (int t = 0; t < tasks.size(); ++t)
      if (std::stoi(tasks[t].name) % 100 <= 25) out = std::max(out, head[t] + 1);
    const Time in = critical_path(tasks) - out;
    outward &= out == 2 * n + 2;
    inward &= in == 2 * n + 1;
    forward += fmt::format("{}{}", n > 2 ? ", " : "", out);
    backward += fmt::format("{}{}", n > 2 ? ", " : "", in);
  }
  r.add("Section 4.3.1", "layers of the forward recursion, n = 2 to 8",
        holds("2 n + 2", outward, forward), "src/schedule/task_graph.hpp: heads",
        reproduced("the longest chain of subtasks 1 to 25"));
  r.add("Section 4.3.1", "layers of the backward recursion, n = 2 to 8",
        holds("2 n + 1", inward, backward), "src/schedule/task_graph.hpp: heads",
        reproduced("what the whole chain has beyond it"));
  r.add("Section 4.3.1", "subtasks of steps 1 to 8: 3, 3, 5, 8, 6, 1, 3, 3, 11",
        arithmetic(exact(43, 3 + 3 + 5 + 8 + 6 + 1 + 3 + 3 + 11)),
        "src/schedule/tasks/subtasks.hpp: subtasks", reproduced("their sum"));
  r.add("Section 4.3.1", "share of time that 13 processors are idle, percent",
        within("34.19", 100 - 100 * speed_up / 13), "src/schedule/task_graph.hpp: critical_path",
        reproduced("what is left of 65.81"));
  r.add("Section 4.3.1",
        "busy processors in the first and the last cycle: 7 to 13 and 4 to 13 are idle",
        arithmetic(exact("6 and 3",
                         fmt::format("{} and {}", layers.front().size(), layers.back().size()))),
        "papers/dhanaraj/printed_tables.hpp: table_4_3", reproduced("rows 1 and 27 of Table 4.3"));
  int need = 13;
  while (need > 1 && shortest(g, need - 1) == 27) --need;
  r.add("Section 4.3.1", "processors for 27 levels", exact(13, need),
        "src/schedule/scheduler.hpp: run",
        refuted(fmt::format("layers need not be kept to; so {:.1f} percent are in use",
                            100 * speed_up / need)));
}

void table_4_4(Claims& r) {
  int zeros = 0, of_tables = 0;
  for (const LinkShape& s : printed_stanford_shapes()) zeros += 6 - count(s.s) - count(s.p_out);
  const DhanarajArm arm = table_stanford(true);
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3<double> s = arm[i].s;
    of_tables += (s.x == 0) + (s.y == 0) + (s.z == 0) + 3;
    if (i < 5 && (arm[i + 1].d != 0 || arm[i + 1].d_of >= 0)) --of_tables;  // p_i has one element
  }
  r.add("Table 4.4", "zeros among the 36 elements, as marked", arithmetic(exact(25, zeros)),
        "src/schedule/tasks/subtasks.hpp: printed_stanford_shapes", reproduced("counted"));
  r.add("Table 4.4", "zeros among the 36 elements, by Tables 2.2 and 2.7",
        arithmetic(exact(25, of_tables)), "papers/dhanaraj/arm.hpp: table_stanford",
        refuted("s_z of link 5 is marked and is zero; two subtasks follow from it"));
}

// Number of subtasks of three operations for a product with zeros.
int parts(const char* kind, int zeros) {
  Graph g;
  auto in = [&](const std::string& name, bool is) {
    return is ? graph::input(g, name) : Expr(0.0);
  };
  const bool x = zeros < 1, y = zeros < 2, z = zeros < 3;
  const Vec3<Expr> p{in("px", x), in("py", y), in("pz", z)};
  auto vector = [&](const std::string& n) {
    return Vec3<Expr>{in(n + "x", true), in(n + "y", true), in(n + "z", true)};
  };
  const Mat3<Expr> l{vector("r0"), vector("r1"), vector("r2")};
  const Vec3<Expr> result = *kind == 'x' ? cross(p, vector("f")) : vector("a") + l * p;
  output(g, "x", result.x);
  output(g, "y", result.y);
  output(g, "z", result.z);
  const Counts c = counts(simplify(g));
  return static_cast<int>((c.multiplications + c.additions + 2) / 3);
}

void table_4_5(Claims& r) {
  auto all = [](const char* kind) {
    return fmt::format("{}, {}, {}, {}", parts(kind, 0), parts(kind, 1), parts(kind, 2),
                       parts(kind, 3));
  };
  const char* by = "src/graph/passes.hpp: simplify";
  r.add("Table 4.5", "subtasks of a + λ p with no, one, two, three zeros in p",
        exact("6, 4, 2, 0", all("a")), by, reproduced("operations that are left, by three"));
  r.add("Table 4.5", "subtasks of p × f with no, one, two, three zeros in p",
        exact("3, 2, 1, 0", all("x")), by, reproduced("operations that are left, by three"));
}

void table_4_6(Claims& r) {
  const std::vector<std::vector<int>> lists{
      {112, 113, 114, 115, 120, 121, 136, 133, 134},
      {212, 213, 214, 215, 220, 221, 222, 223, 233, 234, 236, 237},
      {312, 313, 314, 315, 316, 317, 320, 321, 322, 323, 333, 334, 335, 336, 337},
      {412, 413, 414, 415, 416, 417, 420, 421, 433, 434, 435, 436},
      {512, 513, 514, 515, 516, 517, 520, 521, 533, 534, 535, 536},
      {612, 613, 614, 615, 616, 617, 620, 621, 622, 623, 633, 634, 635, 636, 637}};
  std::vector<std::size_t> lengths, by_rule;
  const std::vector<LinkShape> shapes = printed_stanford_shapes();
  // By the zeros alone, and with p of the previous link in step 3, as in Table 2.4.
  for (std::size_t i = 0; i < 6; ++i) {
    lengths.push_back(lists[i].size());
    const int into = count(shapes[i].p_in), own = count(shapes[i].s), out = count(shapes[i].p_out);
    by_rule.push_back(
        static_cast<std::size_t>(2 * (3 - into) + 2 * (3 - own) + (3 - out) + (3 - own)));
  }
  r.add("Table 4.6", "how many are left out of links 1 to 6: the lists beside the totals",
        arithmetic(exact("9, 10, 15, 12, 12, 15", fmt::format("{}", fmt::join(lengths, ", ")))),
        "papers/dhanaraj/tasks.cpp: table_4_6", refuted("link 2's list has twelve"));
  r.add(
      "Table 4.6", "how many by Tables 4.4 and 4.5",
      exact("9, 10, 15, 12, 12, 15", fmt::format("{}", fmt::join(by_rule, ", "))),
      "src/schedule/tasks/subtasks.hpp: printed_stanford_shapes",
      refuted(
          "step 3 reads p of the link before: 312 to 317 go by p_2, which is not zero, and link 1 "
          "has no step 3"));
}

void table_4_7(Claims& r) {
  const char* where = "Table 4.7";
  const auto& layers = papers::table_4_7();
  const TaskGraph g = subtask_graph(6, printed_stanford_subtasks());
  const TaskedGraph rules = streamlined(Robot::load("stanford"));
  const std::vector<int> tasks = tasks_in(layers);
  r.add(where, "subtasks", arithmetic(exact(156, static_cast<long long>(tasks.size()))),
        "papers/dhanaraj/printed_tables.hpp: table_4_7", reproduced("468 flops"));
  r.add(where, "subtasks by the rules of Tables 4.2, 4.4 and 4.5", exact(156, rules.tasks.size()),
        by_streamline, refuted("120, 121, 127 and 233 need not be, 128 and 129 are missing"));
  r.add(where, "greatest concurrency",
        arithmetic(exact(9, static_cast<long long>(fullest(layers)))),
        "papers/dhanaraj/printed_tables.hpp: table_4_7", reproduced("counted"));
  r.add(where, "layers that the subtasks need", exact(27, critical_path(g)),
        "src/schedule/task_graph.hpp: critical_path",
        refuted("the layers of the general arm were kept; with the zeros gone the longest chain is "
                "shorter"));
  // Runs its subtasks that streamlined() has too. 129 is N_z of link 1.
  std::vector<int> order;
  for (const int t : rules.tasks.order())
    if (std::count(tasks.begin(), tasks.end(), std::stoi(rules.tasks[t].name))) order.push_back(t);
  r.add(
      where, "the torques that its subtasks give",
      exact("6 of 6 torques", of_six(torques_of(rules, order))), by_streamline,
      refuted("it has N_x of link 1 (127), which no torque needs, for N_z (129): joint 1's torque "
              "lacks I_zz q̈"));
  const double less = 100 * (1 - 156.0 / 231);
  r.add("Section 4.4", "156 instead of 231 subtasks: less by, percent",
        arithmetic(roughly("25", 25, fmt::format("{:.1f}", less), less, 2.5)),
        "papers/dhanaraj/tasks.cpp: table_4_7", refuted("a third"));
}

void table_4_8(Claims& r) {
  const TaskGraph g = subtask_graph(6, printed_stanford_subtasks());
  const char* where = "Table 4.8";
  for (const PrintedTimes& t : printed_stanford_times) {
    std::size_t levels = tasks_in(papers::table_4_7()).size();  // on one processor
    for (const PrintedSchedule& c : printed_schedules())
      if (c.stanford && c.processors == t.processors) levels = c.level.size();
    r.add(where,
          fmt::format("Dhanaraj, p = {}: levels of its schedule times 0.135 ms", t.processors),
          arithmetic(within(fmt::format("{:.2f}", t.thesis),
                            printed_level_ms * static_cast<double>(levels))),
          "papers/dhanaraj/printed_tables.hpp: printed_schedules",
          reproduced(fmt::format("{} levels", levels)));
  }
  const Time seven = shortest(g, 7);
  r.add("Section 4.5", "least time of all, on seven processors, in ms",
        holds("3.65", seven >= 27,
              fmt::format("{:.2f}", printed_level_ms * static_cast<double>(seven))),
        "src/schedule/scheduler.hpp: run",
        refuted("25 levels are enough: its schedules kept to 27 layers"));
  auto share = [](double tasks, int p, double levels) { return 100 * tasks / p / levels; };
  double least = 100, least_stanford = 100;
  for (int p = 2; p <= 6; ++p)
    least = std::min(
        least, share(231, p,
                     static_cast<double>(printed_general_levels[static_cast<std::size_t>(p - 2)])));
  for (int p = 2; p <= 4; ++p)
    least_stanford = std::min(
        least_stanford,
        share(156, p,
              static_cast<double>(printed_stanford_times[static_cast<std::size_t>(p - 1)].levels)));
  r.add("Section 4.5", "general arm, up to six processors: efficiency by its own levels, percent",
        arithmetic(holds("over 98", least > 98, fmt::format("{:.1f} at the least", least))),
        "papers/shared/printed_schedules.hpp: printed_general_levels", reproduced("231 subtasks"));
  r.add("Section 4.5", "Stanford arm, up to four processors: efficiency by its own levels, percent",
        arithmetic(holds("over 98", least_stanford > 98,
                         fmt::format("{:.1f} at the least", least_stanford))),
        "papers/shared/printed_schedules.hpp: printed_stanford_times", reproduced("156 subtasks"));
  const TaskGraph whole = streamlined(general(6)).tasks;
  const double eight = share(231, 8, static_cast<double>(shortest(whole, 8))),
               six = share(156, 6, static_cast<double>(shortest(g, 6)));
  r.add("Section 4.5",
        "general arm, beyond six processors efficiency falls drastically: eight, percent",
        holds("drastically", eight < 90, fmt::format("{:.1f}", eight)),
        "src/schedule/scheduler.hpp: run",
        refuted(
            "with optimal schedules eight processors are nearly as well used as the printed six"));
  double nearest = 1, six_fold = 0;
  for (int p = 2; p <= 6; ++p) {
    const double gain = 231 / static_cast<double>(shortest(whole, p));
    nearest = std::min(nearest, gain / p);
    six_fold = gain;
  }
  r.add("Section 4.5",
        "general arm, up to six processors: speed-up over their number, at the least",
        holds("almost equal", nearest > 0.98, fmt::format("{:.3f}", nearest)),
        "src/schedule/scheduler.hpp: run", reproduced("of shortest schedules"));
  const double ten = 231 / static_cast<double>(shortest(whole, 10));
  r.add("Section 4.5", "general arm, beyond six processors the speed-up grows only marginally: ten",
        holds("marginally", ten < 1.1 * six_fold,
              fmt::format("from {:.2f} to {:.2f}", six_fold, ten)),
        "src/schedule/scheduler.hpp: run", refuted("by nearly half"));
  r.add("Section 4.5", "Stanford arm, beyond four efficiency falls drastically: six, percent",
        holds("drastically", six < 90, fmt::format("{:.1f}", six)),
        "src/schedule/scheduler.hpp: run", refuted("27 levels instead of the printed 29"));
}

// He leaves products of inertia out; Eq. (2.41) as subtasks of three operations.
void equation_2_41(Claims& r) {
  bool all = true;
  std::vector<int> more;
  for (int n = 2; n <= 8; ++n) {
    Description d = Robot::load("orthogonal:" + std::to_string(n)).description();
    const int plain = streamlined(Robot(d)).tasks.size();
    for (std::size_t i = 1; i < d.links.size(); ++i) {
      Sym3<double>& I = d.links[i].inertia->about_com;
      I.xy = 0.01 * I.xx;
      I.xz = 0.02 * I.xx;
      I.yz = 0.03 * I.xx;
    }
    const TaskedGraph full = streamlined(Robot(d));
    all = all && critical_path(full.tasks) == 4 * n + 3;
    more.push_back(full.tasks.size() - plain);
  }
  r.add("Eq. (2.41)", "levels of an n-link arm whose inertia tensors are full, n = 2 to 8",
        holds("4n + 3", all,
              fmt::format("{}; {} subtasks more", all ? "the same" : "others",
                          fmt::join(more, ", "))),
        "src/schedule/tasks/decompositions.hpp: streamlined",
        reproduced("two subtasks for the first link, seven for each other; N has time to wait for "
                   "them"));
}

}  // namespace
}  // namespace of_dhanaraj_tasks

void dhanaraj_tasks(Claims& r) {
  using namespace of_dhanaraj_tasks;
  equation_2_41(r);
  table_4_1(r);
  table_4_2(r);
  table_4_3(r);
  table_4_4(r);
  table_4_5(r);
  table_4_6(r);
  table_4_7(r);
  table_4_8(r);
}

}  // namespace parid::papers
