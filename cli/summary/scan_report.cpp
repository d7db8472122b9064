#include "cli/summary/scan_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/spelling.hpp"
#include "lookup/methods.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"

namespace parid::cli {

ScanReport scan_report(const Robot& robot, int p, const std::string& network, int matrix_cells) {
  const int n = robot.canonical().topology.n;
  if (p < 1 || p > n + 1)
    throw Error(fmt::format(
        "--processors: {} is out of range; {} links have {} elements: give a number from 1 to {}",
        p, n, n + 1, n + 1));
  ScanReport r;
  r.n = n;
  r.processors = p;
  r.p_fold_printed = p_fold_time_as_printed(n, p);
  r.p_fold_corrected = p_fold_time(n, p);
  r.lower_bound_links = (n + p - 1) / p;
  r.lower_bound_levels = ceil_log2(p);
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
  r.why_no_evaluation = cannot(method("lee_chang_pfold"), robot);
  if (r.why_no_evaluation.empty())
    r.evaluation = parallel_evaluation(robot, std::min(p, n), matrix_cells);
  return r;
}

namespace {

std::string processor_operations_text(const ProcessorOperations& o) {
  return fmt::format("{}/{}", o.multiplications, o.additions);
}

bool is_asked(const ScanReport& r, const std::string& network) {
  return std::any_of(r.asked.begin(), r.asked.end(),
                     [&](Wiring w) { return network == name_of(w); });
}

void print(const ScanReport& r, const ParallelEvaluation& c) {
  fmt::print(
      "\nOne evaluation of the inverse dynamics by lee_chang_pfold on {} processors, {} links each "
      "({} processors used).\nMultiplications/additions as written; in each step, those of the "
      "busiest processor.\n\n",
      c.processors, c.links_per_processor, c.used);
  auto row = [](const std::string& name, const ProcessorOperations& o, const std::string& what) {
    fmt::print("{:<32}{:>14}{}{}\n", name, processor_operations_text(o), what.empty() ? "" : "   ",
               what);
  };
  for (const ParallelStep& s : c.steps) row(s.equations, s.time, "");
  row("time", c.time, fmt::format("{:.2f} times as fast as one processor", c.speedup));
  row("  of it, for the links", c.local, "");
  row("  recurrences, within blocks", c.within, "");
  row("  recurrences, doubling", c.doubling, "");
  row("  recurrences, onto blocks", c.completing, "");
  row("one processor", c.serial, "");
  row("lower bound", c.bound, fmt::format("the time is {:.3f} times the bound", c.over_bound));
  fmt::print(
      "\nTheorem 1 of Lee and Chang, k1 ⌈n/p⌉ + k2 ⌈log2 p⌉, as measured: k1 = {:.1f}, k2 = {:.1f} "
      "operations; ⌈n/p⌉ = {}, ⌈log2 p⌉ = {}.\n",
      c.k1, c.k2, c.links_per_processor, c.levels);
  std::string each;
  for (std::size_t k = 0; k < c.processor.size() && k < 16; ++k)
    each += fmt::format("{}{}", k > 0 ? ", " : "", processor_operations_text(c.processor[k]));
  fmt::print("operations of each processor: {}{}\n", each, c.processor.size() > 16 ? ", …" : "");
  fmt::print("\n{:<18}{:>8}{:>8}{:>10}{:>10}{:>10}{:>14}{:>16}\n", "network", "nodes", "links",
             "passes", "shuffles", "words", "word times", "busiest link");
  for (const ParallelNetwork& w : c.networks) {
    if (!is_asked(r, w.network)) continue;
    int passes = 0, shuffles = 0;
    for (const ParallelTransfer& t : w.recurrences) {
      passes += t.passes;
      shuffles += t.shuffles;
    }
    fmt::print("{:<18}{:>8}{:>8}{:>10}{:>10}{:>10}{:>14}{:>16}\n", w.network, w.nodes, w.links,
               passes, shuffles, w.words, w.word_times, w.busiest_link);
    for (const ParallelTransfer& t : w.recurrences)
      fmt::print("  {:<16}{:>8}{:>8}{:>10}{:>10}{:>10}\n", t.equation,
                 fmt::format("{} wide", t.width), "", t.passes, t.shuffles, t.words);
  }
}

Json json_of(const ProcessorOperations& o) { return Json::array({o.multiplications, o.additions}); }

Json json_of(const ScanReport& r, const ParallelEvaluation& c) {
  Json steps = Json::array(), processors = Json::array(), networks = Json::array();
  for (const ParallelStep& s : c.steps)
    steps.push_back({{"equations", s.equations}, {"time", json_of(s.time)}});
  for (const ProcessorOperations& o : c.processor) processors.push_back(json_of(o));
  for (const ParallelNetwork& w : c.networks) {
    if (!is_asked(r, w.network)) continue;
    Json recurrences = Json::array();
    for (const ParallelTransfer& t : w.recurrences)
      recurrences.push_back({{"equation", t.equation},
                             {"width", t.width},
                             {"passes", t.passes},
                             {"shuffles", t.shuffles},
                             {"words", t.words}});
    networks.push_back({{"network", w.network},
                        {"nodes", w.nodes},
                        {"links", w.links},
                        {"moves", w.moves},
                        {"words", w.words},
                        {"word_times", w.word_times},
                        {"busiest_link_words", w.busiest_link},
                        {"recurrences", recurrences}});
  }
  return {{"processors", c.processors},
          {"processors_used", c.used},
          {"links_per_processor", c.links_per_processor},
          {"operations", processors},
          {"steps", steps},
          {"time", json_of(c.time)},
          {"links", json_of(c.local)},
          {"within_blocks", json_of(c.within)},
          {"doubling", json_of(c.doubling)},
          {"onto_blocks", json_of(c.completing)},
          {"serial", json_of(c.serial)},
          {"speedup", c.speedup},
          {"k1", c.k1},
          {"k2", c.k2},
          {"levels", c.levels},
          {"lower_bound", json_of(c.bound)},
          {"over_bound", c.over_bound},
          {"networks", networks}};
}

}  // namespace

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
  if (r.evaluation)
    print(r, *r.evaluation);
  else
    fmt::print("\nNo evaluation by lee_chang_pfold: {}.\n", r.why_no_evaluation);
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
          {"evaluation", r.evaluation ? json_of(r, *r.evaluation) : Json(nullptr)},
          {"strategies", strategies},
          {"p_fold_printed", r.p_fold_printed},
          {"p_fold_corrected", r.p_fold_corrected},
          {"lower_bound", {r.lower_bound_links, r.lower_bound_levels}},
          {"routing", routes}};
}

}  // namespace parid::cli
