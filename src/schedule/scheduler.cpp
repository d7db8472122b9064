#include "schedule/scheduler.hpp"

#include <fmt/format.h>

#include "base/text/spelling.hpp"
#include "model/given_values.hpp"
#include "parid/error.hpp"
#include "schedule/bounds.hpp"

namespace parid::schedule {
namespace {

std::string takes_all(const TaskGraph&, const Machine&) { return ""; }

std::string plain_only(const TaskGraph&, const Machine& m) {
  return m.plain()
             ? ""
             : "it supports identical processors without communication costs; use exact or heft";
}

std::string joints_only(const TaskGraph& g, const Machine&) {
  for (int t = 0; t < g.size(); ++t)
    if (g[t].joint < 1)
      return "it needs tasks that belong to joints, as those of `tasks=rules` and `tasks=coarse` "
             "do";
  return "";
}

}  // namespace

// clang-format off
const std::vector<Scheduler>& schedulers() {
  static const std::vector<Scheduler> all = {
      {SchedulingMethod::dhanaraj, "dhanaraj", "layer by layer, gaps filled from the next layers, as printed", "Dhanaraj (1990)", false, dhanaraj, takes_all},
      {SchedulingMethod::layer_packing, "layer_packing", "the same by level within a layer, also from the end; the shortest", "ours", false, layer_packing, takes_all},
      {SchedulingMethod::hlf, "hlf", "highest level first", "Hu 1961", false, hlf, takes_all},
      {SchedulingMethod::cp_misf, "cp_misf", "highest level first, then most successors", "Kasahara and Narita (1984)", false, cp_misf, takes_all},
      {SchedulingMethod::dhlf_misf, "dhlf_misf", "the same, with priorities recomputed at every instant", "Chen, Lee and Hou (1988)", false, dhlf_misf, takes_all},
      {SchedulingMethod::joint_levels, "joint_levels", "one processor per joint, each by level", "ours", false, joint_levels, joints_only, true},
      {SchedulingMethod::luh_lin, "luh_lin", "one processor per joint, the best order by branch and bound", "Luh and Lin (1982)", true, luh_lin, joints_only, true},
      {SchedulingMethod::heft, "heft", "earliest finish time, gaps filled; supports speeds and communication costs", "Topcuoglu, Hariri and Wu (2002)", false, heft, takes_all},
      {SchedulingMethod::df_ihs, "df_ihs", "depth-first search in the order of cp_misf", "Kasahara and Narita (1984)", true, df_ihs, plain_only},
      {SchedulingMethod::a_star, "a_star", "best-first search with the bound of Fernandez and Bussell", "Chen, Lee and Hou (1988)", true, a_star, plain_only},
      {SchedulingMethod::exact, "exact", "bounds, annealing and search, until proven optimal or out of time", "ours", true, exact, takes_all},
  };
  return all;
}
// clang-format on

const Scheduler& scheduler(SchedulingMethod method) {
  for (const Scheduler& s : schedulers())
    if (s.value == method) return s;
  throw std::invalid_argument("there is no such scheduler");
}

const Scheduler& scheduler(std::string_view id) {
  std::vector<std::string> known;
  for (const Scheduler& s : schedulers()) {
    if (id == s.id) return s;
    known.emplace_back(s.id);
  }
  throw Error(fmt::format("`scheduler`: unknown scheduler '{}'; {}choose from {}", id,
                          did_you_mean(std::string(id), known), fmt::join(known, ", ")));
}

void require_machine(const Machine& m) {
  require_within("processors", m.processors, 1, 100000);
  if (m.latency < 0 || m.per_word < 0)
    throw Error("latency, per_word: times cannot be negative; give 0 or more");
  if (!m.speed.empty() && static_cast<int>(m.speed.size()) != m.processors)
    throw Error(fmt::format("speeds: {} numbers for {} processors; give one for each",
                            m.speed.size(), m.processors));
  for (const double s : m.speed) require_above_zero("speeds", s, "0.5");
}

Outcome run(const Scheduler& s, const TaskGraph& g, const Machine& m, const SearchLimits& limits) {
  require_above_zero("seconds", limits.seconds, "10");
  require_machine(m);
  if (const std::string why = s.refuses(g, m); !why.empty())
    throw Error(fmt::format("{} cannot schedule this: {}", s.id, why));
  Outcome o = s.run(g, m, limits);
  if (!s.searches) o.lower_bound = lower_bounds(g, m).best();
  o.proven = o.proven || makespan(o.schedule) == o.lower_bound;
  return o;
}

Outcome checked_run(const Scheduler& s, const TaskGraph& g, const Machine& m,
                    const SearchLimits& limits) {
  Outcome o = run(s, g, m, limits);
  if (const std::vector<Fault> faults = check(g, m, o.schedule); !faults.empty())
    throw std::logic_error(
        fmt::format("{} computed an invalid schedule: {}", s.id, faults[0].message));
  return o;
}

}  // namespace parid::schedule

namespace parid {

std::vector<SchedulingMethodInfo> scheduling_methods() {
  std::vector<SchedulingMethodInfo> all;
  for (const schedule::Scheduler& s : schedule::schedulers())
    all.push_back({s.value, s.id, s.says, s.source, s.searches});
  return all;
}

const char* name(SchedulingMethod method) { return schedule::scheduler(method).id; }

SchedulingMethod scheduling_method(std::string_view id) { return schedule::scheduler(id).value; }

}  // namespace parid
