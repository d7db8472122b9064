// parid synthesize: the policy of stale data with the largest safe period for a number of steps.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/file/atomic_file.hpp"
#include "cli/command.hpp"
#include "cli/input/control_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "control/synthesis/policy_search.hpp"
#include "control/table/policy_file.hpp"
#include "model/given_values.hpp"

namespace parid::cli {
namespace synthesize_command {
namespace {

struct Options {
  ControlLawOptions law;
  std::optional<std::string> pose, output;
  std::size_t poses = 5;
  PolicyGoal goal;
  bool json = false;
};

Json json_of(const PolicyRating& r) {
  return {{"policy", r.policy.id},
          {"steps", r.steps},
          {"safe_period", r.period},
          {"safe_by_pose", r.by_pose}};
}

void print_row(const PolicyRating& r) {
  const auto [least, most] = std::minmax_element(r.by_pose.begin(), r.by_pose.end());
  fmt::print("{:<22} {:>5}  {:>10.5g} ms", harmless(r.policy.id), r.steps, 1e3 * *least);
  if (r.by_pose.size() > 1) fmt::print("  {:>10.5g} ms", 1e3 * *most);
  fmt::print("\n");
}

void print_result(const Options& o, const FoundPolicy& found, std::size_t poses) {
  fmt::print("{}\n", heading(fmt::format("{:<22} {:>5}  {:>13}{}", "policy", "steps", "safe up to",
                                         poses > 1 ? fmt::format("  {:>13}", "best pose") : "")));
  print_row(found.best);
  for (const PolicyRating& r : found.published) print_row(r);
  fmt::print("\n{} tables of ages were tried, at {} pose{}", found.tried, poses,
             poses == 1 ? "" : "s");
  if (!found.published.empty() && found.published.front().period > 0)
    fmt::print("; safe for {:.3g} times as long as the best published policy of at most {} step{}",
               found.best.period / found.published.front().period, o.goal.steps,
               o.goal.steps == 1 ? "" : "s");
  fmt::print("\n");
  if (found.proven)
    fmt::print(
        "No table with ages up to {} that are the same in all links is safe for longer: all were "
        "tried.\n",
        o.goal.max_age);
}

int run(const Options& o, const CLI::App& c) {
  if (o.pose && o.goal.every)
    refuse(c, {"--seed"}, "nothing is random with --pose and --every; omit it");
  const auto [plant, model] = asked_robots(o.law);
  require_moving_links(plant, 64, "a search for a policy");
  const std::vector<double> poses =
      o.pose ? asked_pose(plant, "--pose", *o.pose) : random_poses(plant, o.poses, o.goal.seed);
  const std::size_t count = poses.size() / static_cast<std::size_t>(plant.nq());
  const LawDesign design = asked_design(
      o.law, model, policy("exact"), std::span(poses).first(static_cast<std::size_t>(plant.nq())));
  PolicyGoal goal = o.goal;
  FoundPolicy found;
  {
    Progress progress("synthesize");
    goal.progress = [&](double share) { progress.at(share); };
    found = search_policy(plant, design, poses, goal);
  }
  const std::string table = policy_toml(found.best.policy);
  if (o.output) {
    AtomicFile file(*o.output);
    file.write(table);
    file.complete();
    file.commit();
  }
  if (!o.json) {
    print_result(o, found, count);
    return 0;
  }
  Json published = Json::array(), at = Json::array();
  for (const PolicyRating& r : found.published) published.push_back(json_of(r));
  const auto nq = static_cast<std::ptrdiff_t>(plant.nq());
  for (auto q = poses.begin(); q != poses.end(); q += nq)
    at.push_back(std::vector<double>(q, q + nq));
  print({{"schema", "parid.synthesize/1"},
         {"robot", plant.name()},
         {"law", design.law},
         {"kp", design.gains.kp},
         {"kd", design.gains.kd},
         {"asked_steps", goal.steps},
         {"max_age", goal.max_age},
         {"poses", at},
         {"steps", found.best.steps},
         {"safe_period", found.best.period},
         {"safe_by_pose", found.best.by_pose},
         {"proven", found.proven},
         {"tried", found.tried},
         {"table", table},
         {"published", published}});
  return 0;
}

}  // namespace
}  // namespace synthesize_command

void add_synthesize(CLI::App& app, Action& action) {
  using namespace synthesize_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "synthesize", "Search the policy of stale data with the largest safe sampling period");
  add_law_options(*c, o.law);
  c->add_option("--steps", o.goal.steps,
                "at most so many blocks of equations in sequence (default: 1)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
  c->add_option("--max-age", o.goal.max_age, "ages of values up to this, in periods (default: 2)")
      ->check(CLI::Range(1, 8))
      ->option_text("N");
  CLI::Option* pose =
      c->add_option("--pose", o.pose, "for this pose (default: --poses 5)")->option_text("Q,...");
  c->add_option("--poses", o.poses, "for this many random poses within the limits (default: 5)")
      ->check(CLI::Range(1, 1000))
      ->excludes(pose)
      ->option_text("N");
  CLI::Option* every = c->add_flag(
      "--every", o.goal.every,
      "try every table whose ages are the same in all links, which proves the best of them");
  c->add_option("--starts", o.goal.starts,
                "climb from so many of the best starting tables, and as often from near the best "
                "found (default: 2)")
      ->check(CLI::Range(1, 1000))
      ->excludes(every)
      ->option_text("N");
  c->add_option("--seed", o.goal.seed, "seed of --poses and of the climbs (default: 1)")
      ->option_text("N");
  c->add_option("--threads", o.goal.threads, "threads (default: all cores)")->option_text("N");
  c->add_option("-o,--output", o.output, "write the table of ages to a file that --policy reads")
      ->option_text("FILE");
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "The period is the largest that is safe at every pose, as `parid stability` defines it. "
      "'steps' is the number of sequential blocks of equations in a period: with as many "
      "processors as links, one step is the time of one link's equations.\nExamples:  parid "
      "synthesize planar3 --steps 2 -o found.toml\n           parid stability planar3 --policy "
      "found.toml --pose 0,0,0 --simulate\n           parid synthesize planar3 --pose 0,0,0 "
      "--every");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
