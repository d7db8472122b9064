// parid stability: safe sampling periods for every policy of stale data.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cli/command.hpp"
#include "cli/input/control_options.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "cli/summary/stability_report.hpp"
#include "control/stability/stability.hpp"
#include "model/given_values.hpp"

namespace parid::cli {
namespace stability_command {
namespace {

struct Options {
  ControlLawOptions law;
  std::vector<std::string> policies;
  std::optional<std::string> pose, motion, periods, plot;
  std::string plot_style;
  std::optional<double> rate;
  std::size_t poses = 0, instants = 20, count = 20;
  std::uint64_t seed = 1;
  int threads = 0;
  std::optional<int> processors;
  double operation = 1e-7, exchange = 0;
  bool bus = false, customised = false;
  bool simulate = false, json = false;
};

constexpr double usual_time = 6.283185307179586;  // s, of a sine

std::vector<Policy> asked_policies(const Options& o) {
  std::vector<Policy> all;
  for (const std::string& id : o.policies) all.push_back(policy(id));
  if (all.empty())
    for (const PolicyEntry& e : policies()) all.push_back(policy(e.id));
  for (Policy& p : all) p.seed = o.seed;
  return all;
}

std::vector<double> asked_periods(const Options& o, const Robot& plant, LawDesign d,
                                  std::span<const double> q) {
  if (o.periods) {
    std::vector<double> all = numbers("--periods", *o.periods);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (!(all[k] > 0) || (k > 0 && all[k] <= all[k - 1]))
        throw Error("--periods: give ascending periods above zero, in seconds");
    return all;
  }
  return usual_periods(plant, std::move(d), q, o.count);
}

void along_poses(const Options& o, const Robot& plant, const LawDesign& d,
                 const std::vector<double>& poses, const std::vector<double>& periods,
                 std::vector<StabilityRow>& rows) {
  std::vector<Policy> asked;
  for (const StabilityRow& row : rows) asked.push_back(row.policy);
  Progress progress("stability");
  MapOptions m;
  m.threads = o.threads;
  // For a single pose the bound is computed more precisely, below.
  m.bounds = poses.size() != static_cast<std::size_t>(plant.nq());
  m.progress = [&](double share) { progress.at(share); };
  const StabilityMap map = stability_map(plant, d, asked, poses, periods, m);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    rows[r].by_pose = map.rows[r].safe;
    LawDesign one = d;
    one.policy = rows[r].policy;
    if (map.poses == 1) {  // more precisely, and below all given periods
      const PoseStability at =
          pose_stability(plant, one, poses, {1e-3 * periods.front(), periods.back()}, o.seed);
      rows[r].by_pose[0] = at.safe;
      if (at.random) rows[r].random = RandomReport{*at.random};
    } else if (one.policy.by_chance) {
      const std::vector<double>& unsafe = map.rows[r].unsafe;
      rows[r].random = RandomReport{
          {RandomAges(plant, one, std::span(poses).first(static_cast<std::size_t>(plant.nq())))
               .readings(),
           *std::min_element(unsafe.begin(), unsafe.end())}};
    }
    rows[r].radius = worst_radii(map, r);
  }
}

// Linearised at instants of a motion: the law's memory is that of the motion before.
void along_motion(const Options& o, const Robot& plant, const LawDesign& design,
                  const Trajectory& trajectory, const std::vector<double>& periods,
                  std::vector<StabilityRow>& rows) {
  Progress progress("stability");
  const std::size_t parts = rows.size() * o.instants;
  std::size_t done = 0;
  for (StabilityRow& row : rows) {
    LawDesign d = design;
    d.policy = row.policy;
    row.radius.assign(periods.size(), 0);
    for (std::size_t i = 0; i < o.instants; ++i) {
      const double t =
          trajectory.duration() * (static_cast<double>(i) + 0.5) / static_cast<double>(o.instants);
      progress.at(static_cast<double>(++done) / static_cast<double>(parts));
      if (row.policy.by_chance) {
        const RandomAges loop(plant, d, trajectory, t);
        for (std::size_t k = 0; k < periods.size(); ++k)
          row.radius[k] = std::max(row.radius[k], loop.found_radius(periods[k]));
        const RandomPeriods p = random_periods(loop, {periods.front(), periods.back()});
        row.by_pose.push_back(p.safe);
        if (!row.random) row.random = RandomReport{{loop.readings(), p.unsafe}};
        row.random->unsafe = std::min(row.random->unsafe, p.unsafe);
        continue;
      }
      auto radius = [&](double T) {
        return LinearLoop(plant, d, trajectory, t, T).spectral_radius(T);
      };
      double safe = 0, unsafe = 0;
      for (std::size_t k = 0; k < periods.size(); ++k) {
        const double r = radius(periods[k]);
        row.radius[k] = std::max(row.radius[k], r);
        if (unsafe == 0) (r < 1 ? safe : unsafe) = periods[k];
      }
      while (safe > 0 && unsafe > 0 && unsafe - safe > 1e-3 * safe) {
        const double middle = (safe + unsafe) / 2;
        (radius(middle) < 1 ? safe : unsafe) = middle;
      }
      row.by_pose.push_back(safe);
    }
  }
}

// The period at which a disturbance of the full robot stops decaying, between half and twice the
// predicted period.
double simulated_boundary(const Robot& plant, const LawDesign& d, std::span<const double> q,
                          double near) {
  double dies = near / 2, grows = near * 2.2;  // so that the predicted period itself is not tested
  if (!(simulated_growth(plant, d, q, dies) < 1)) return dies;
  while (grows / dies > 1.002) {
    const double middle = std::sqrt(dies * grows);
    (simulated_growth(plant, d, q, middle) < 1 ? dies : grows) = middle;
  }
  return dies;
}

// Refuses options that have no effect.
void check_effects(const Options& o, const CLI::App& c, const std::vector<StabilityRow>& rows) {
  if (law_kind(o.law.law) == LawKind::pd)
    for (const StabilityRow& row : rows)
      if (given(c, "--policy") && row.policy.delay == 0)
        refuse(c, {"--policy"},
               "pd computes no dynamics, so no data can be stale; choose another --law, or a delay "
               "such as delayed:1");
  const bool chance = std::any_of(rows.begin(), rows.end(),
                                  [](const StabilityRow& r) { return r.policy.by_chance; });
  if (o.poses == 0 && !(chance && !o.motion))
    refuse(c, {"--seed"},
           "the seed is for --poses and for random policies at a pose, such as vuskovic; give one "
           "of them too");
  if (!(o.exchange > 0)) refuse(c, {"--bus"}, "it requires --exchange");
  if (o.motion) refuse(c, {"--threads"}, "--motion is analysed serially; --threads is for poses");
}

void check_options(const Options& o) {
  law_kind(o.law.law);
  if (o.plot) check_plot_path("--plot", *o.plot);
  if (o.rate && !(*o.rate > 0 && std::isfinite(*o.rate)))
    throw Error(fmt::format(
        "--rate: {:g} is out of range; give control periods per second, such as 1000", *o.rate));
  if (o.processors && *o.processors < 1) throw Error("--processors: give one or more");
  if (!(o.operation > 0) || !(o.exchange >= 0))
    throw Error("--operation, --exchange: give seconds that are not negative");
  if (o.simulate && (o.poses > 0 || o.motion))
    throw Error("--simulate: it disturbs the robot at one pose; omit --poses and --motion");
}

int run(const Options& o, const CLI::App& c) {
  check_options(o);
  std::vector<StabilityRow> rows;
  for (const Policy& p : asked_policies(o)) rows.push_back({p, {}, 0, {}, {}, {}, {}, {}});
  check_effects(o, c, rows);
  const auto [plant, model] = asked_robots(o.law);
  require_moving_links(plant, 64, "a stability map");
  for (StabilityRow& row : rows) row.policy = bound(row.policy, model);
  const std::vector<double> q = o.pose ? asked_pose(plant, "--pose", *o.pose) : plant.neutral();
  const LawDesign design = asked_design(o.law, model, policy("exact"), q);
  const std::vector<double> periods = asked_periods(o, plant, design, q);
  const std::vector<double> poses = o.poses > 0 ? random_poses(plant, o.poses, o.seed) : q;
  TrajectoryPointer trajectory;
  if (o.motion) trajectory = asked_trajectory(plant, o.motion, usual_time);
  if (trajectory)
    along_motion(o, plant, design, *trajectory, periods, rows);
  else
    along_poses(o, plant, design, poses, periods, rows);
  bool safe = true;
  for (StabilityRow& row : rows) {
    row.cost =
        step_cost(model, row.policy, o.customised ? Equations::customised : Equations::general);
    if (o.processors)
      row.step_time = step_time(
          row.cost,
          {.count = *o.processors, .operation = o.operation, .exchange = o.exchange, .bus = o.bus});
    row.safe = *std::min_element(row.by_pose.begin(), row.by_pose.end());
    LawDesign d = design;
    d.policy = row.policy;
    row.foretold = row.safe;
    if (o.simulate && row.random)  // the random ages are seeded: one realisation
      row.foretold = largest_safe_period(LinearLoop(plant, d, q),
                                         {1e-3 * periods.front(), periods.back()}, 1e-3);
    if (o.simulate && row.foretold > 0 && row.foretold < periods.back())
      row.simulated = simulated_boundary(plant, d, q, row.foretold);
    if (!o.rate) continue;
    const double T = 1 / *o.rate;
    row.radius_asked = 0;
    for (std::size_t p = 0; p < row.by_pose.size(); ++p) {
      const double t = trajectory ? trajectory->duration() * (static_cast<double>(p) + 0.5) /
                                        static_cast<double>(o.instants)
                                  : 0;
      if (row.random) {
        const RandomAges loop =
            trajectory ? RandomAges(plant, d, *trajectory, t)
                       : RandomAges(plant, d, std::span(poses).subspan(p * q.size(), q.size()));
        row.random->found_asked =
            std::max(row.random->found_asked.value_or(0), loop.found_radius(T));
        row.radius_asked = std::max(*row.radius_asked, loop.proven_radius(T));
        continue;
      }
      const double r = trajectory
                           ? LinearLoop(plant, d, *trajectory, t, T).spectral_radius(T)
                           : LinearLoop(plant, d, std::span(poses).subspan(p * q.size(), q.size()))
                                 .spectral_radius(T);
      row.radius_asked = std::max(*row.radius_asked, r);
    }
    safe &= *row.radius_asked < 1;
  }
  if (o.json) {
    Json all = Json::array();
    for (const StabilityRow& row : rows) all.push_back(json_of(row));
    Json at = Json::array();
    if (!trajectory)
      for (std::size_t p = 0; p < poses.size(); p += q.size())
        at.push_back(
            std::vector<double>(poses.begin() + static_cast<std::ptrdiff_t>(p),
                                poses.begin() + static_cast<std::ptrdiff_t>(p + q.size())));
    Json object{{"schema", "parid.stability/1"},
                {"robot", plant.name()},
                {"law", design.law},
                {"kp", design.gains.kp},
                {"kd", design.gains.kd},
                {"periods", periods},
                {"poses", at},
                {"motion", o.motion ? Json(*o.motion) : Json(nullptr)},
                {"policies", all}};
    if (design.elastic) object["measured"] = design.measure_links ? "link" : "motor";
    print(object);
  } else {
    print_table(rows, periods);
  }
  if (o.plot) plot(stability_figure(plant, rows, periods), *o.plot, o.plot_style);
  return safe ? 0 : 1;
}

}  // namespace
}  // namespace stability_command

void add_stability(CLI::App& app, Action& action) {
  using namespace stability_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c =
      app.add_subcommand("stability", "Compute the safe sampling periods of stale-data policies");
  add_law_options(*c, o.law);
  c->add_option("--policy", o.policies,
                "age of the data; may be repeated (default: all policies):" + policy_help())
      ->option_text("NAME");
  CLI::Option* pose =
      c->add_option("--pose", o.pose, "pose of the robot (default: zero within the limits)")
          ->option_text("Q,...");
  CLI::Option* poses =
      c->add_option("--poses", o.poses, "map over this many random poses within the limits")
          ->check(CLI::Range(1, 100'000))
          ->excludes(pose)
          ->option_text("N");
  c->add_option("--seed", o.seed, "seed of --poses and of random policies (default: 1)")
      ->option_text("N");
  CLI::Option* motion =
      c->add_option("--motion", o.motion,
                    std::string("analyse along a motion instead: ") + trajectory_help)
          ->excludes(pose)
          ->excludes(poses)
          ->option_text("NAME|FILE|sine:...");
  c->add_option("--instants", o.instants, "number of times along the motion (default: 20)")
      ->check(CLI::Range(1, 100'000))
      ->needs(motion)
      ->option_text("N");
  CLI::Option* periods =
      c->add_option(
           "--periods", o.periods,
           "sampling periods in seconds (default: 20, up to just above the limit of the exact law)")
          ->option_text("T,...");
  c->add_option("--count", o.count, "number of periods, if --periods is not given (default: 20)")
      ->check(CLI::Range(2, 100'000))
      ->excludes(periods)
      ->option_text("N");
  c->add_option("--rate", o.rate, "test this rate: exit code 1 if a policy is not safe at it")
      ->option_text("HZ");
  CLI::Option* processors =
      c->add_option("--processors", o.processors,
                    "estimate the duration of a period on this many processors, link by link")
          ->option_text("N");
  c->add_option("--operation", o.operation,
                "duration of a multiplication or addition in seconds (default: 1e-7)")
      ->needs(processors)
      ->option_text("S");
  c->add_option("--exchange", o.exchange,
                "duration of a transfer to another processor in seconds (default: 0)")
      ->needs(processors)
      ->option_text("S");
  c->add_flag("--bus", o.bus, "transfers share one bus")->needs(processors);
  c->add_flag("--customised", o.customised,
              "count the equations customised for this robot, without zeros and ones");
  c->add_flag("--simulate", o.simulate, "also find the boundary by simulation, for comparison");
  c->add_option("--threads", o.threads, "threads for the map (default: all cores)")
      ->option_text("N");
  c->add_option("--plot", o.plot,
                "plot spectral radii over periods to .pdf, .svg or .png (needs gnuplot)")
      ->option_text("FILE");
  add_plot_style(*c, o.plot_style);
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "A period is safe if the spectral radius of the lifted linearised loop is below 1 for it and "
      "for all shorter periods in the list; for random policies, if this is proven for every "
      "realisation. 'steps' is the number of sequential blocks of equations in a period, 'depth' "
      "the number of sequential operations, both from the traced recursion.\nExamples:  parid "
      "stability planar3 --gains 100,20 --pose 0.5,0.8,-0.6 --simulate\n           parid stability "
      "puma560 --poses 50\n           parid stability puma560 --policy hamilton --rate 250\n       "
      "    parid stability puma560 --processors 6 --operation 1e-5");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
