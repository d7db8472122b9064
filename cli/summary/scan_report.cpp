#include "cli/summary/scan_report.hpp"

#include <fmt/format.h>

#include "base/text/spelling.hpp"
#include "parid/error.hpp"

namespace parid::cli {

ScanReport scan_report(int n, int p, const std::string& network) {
  if (p < 1 || p > n + 1)
    throw Error(fmt::format(
        "--processors: {} is out of range; {} links have {} elements: give a number from 1 to {}",
        p, n, n + 1, n + 1));
  ScanReport r{
      n, p, {}, p_fold_time_as_printed(n, p), p_fold_time(n, p), (n + p - 1) / p, ceil_log2(p), {}};
  auto add = [&](const char* name, const ScanPlan& plan) {
    r.rows.push_back({name, plan.depth(), plan.time(p), plan.work(), plan.widest()});
  };
  add("serial", serial_scan(n + 1));
  add("recursive doubling (FOHRA)", recursive_doubling(n + 1));
  add("divided (Lathrop (1985), Fig. 5)", divided_scan(n + 1));
  add("tree", tree_scan(n + 1));
  add("p-fold (PFP)", p_fold_scan(n + 1, p));
  std::vector<std::string> names;
  for (const Wiring one : networks) {
    names.emplace_back(name_of(one));
    if (network.empty() || network == name_of(one)) r.asked.push_back(one);
  }
  if (r.asked.empty())
    throw Error(fmt::format(
        "--network: unknown network '{}'; {}choose from cascade, shuffle, inverse-shuffle", network,
        did_you_mean(network, names)));
  return r;
}

void print(const ScanReport& r) {
  fmt::print(
      "\nA recurrence of {} links and the base as a scan on {} processors. Time is the number of "
      "sequential combinations;\ndepth is the time with unlimited processors.\n\n",
      r.n, r.processors);
  fmt::print("{:<32}{:>8}{:>8}{:>14}{:>20}\n", "", "time", "depth", "combinations",
             "processors used");
  for (const ScanRow& row : r.rows)
    fmt::print("{:<32}{:>8}{:>8}{:>14}{:>20}\n", row.strategy, row.time, row.depth, row.work,
               row.widest);
  fmt::print(
      "\nT_p of the p-fold scan by Lee and Chang: printed {}, corrected {}. Their lower bound is "
      "k1 {} + k2 {}.\n",
      r.p_fold_printed, r.p_fold_corrected, r.lower_bound_links, r.lower_bound_levels);
  fmt::print("\n{:<32}{:>8}{:>8}{:>14}\n", "routing of recursive doubling", "steps", "passes",
             "shuffles");
  for (const Wiring network : r.asked) {
    const Routing steps = routing(network, r.processors);
    fmt::print("{:<32}{:>8}{:>8}{:>14}\n", name_of(network), steps.steps(), steps.passes,
               steps.deals);
  }
}

Json json_of(const ScanReport& r) {
  Json strategies = Json::array(), routes = Json::array();
  for (const ScanRow& row : r.rows)
    strategies.push_back({{"strategy", row.strategy},
                          {"time", row.time},
                          {"depth", row.depth},
                          {"combinations", row.work},
                          {"processors_used", row.widest}});
  for (const Wiring network : r.asked) {
    const Routing steps = routing(network, r.processors);
    routes.push_back({{"network", name_of(network)},
                      {"steps", steps.steps()},
                      {"passes", steps.passes},
                      {"shuffles", steps.deals}});
  }
  return {{"processors", r.processors},
          {"strategies", strategies},
          {"p_fold_printed", r.p_fold_printed},
          {"p_fold_corrected", r.p_fold_corrected},
          {"lower_bound", {r.lower_bound_links, r.lower_bound_levels}},
          {"routing", routes}};
}

}  // namespace parid::cli
