// parid design: from a robot and a wish to processors, policy, words, programs and bandwidth.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "base/file/atomic_file.hpp"
#include "cli/command.hpp"
#include "cli/input/control_options.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/numbers.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/option_checks.hpp"
#include "control/stability/stability.hpp"
#include "design/controller_design.hpp"
#include "model/given_values.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace design_command {
namespace {

struct Options {
  ControlLawOptions law;
  DesignOptions design;
  std::optional<std::string> motion, pose, words, processors, pareto, output, measure, show;
  std::string goal = "bandwidth";
  double time = 6.283185307179586;  // s, of a sine
  int verified = 1;
  bool targets = false, verify = false, why = false, all = false, json = false;
  DesignVerificationOptions verification;
};

void write_text(const std::string& path, const std::string& text) {
  AtomicFile file(path);
  file.write(text);
  file.complete();
  file.commit();
}

std::vector<int> whole_numbers(const char* option, const std::string& text) {
  std::vector<int> all;
  for (const double x : numbers(option, text)) {
    if (x != std::floor(x) || std::abs(x) > 1e6)
      throw Error(fmt::format("{}: {} is not a whole number", option, x));
    all.push_back(static_cast<int>(x));
  }
  return all;
}

// ---- targets

int list_targets(bool json) {
  if (json) {
    Json all = Json::array();
    for (const DesignTargetInfo& t : design_targets()) {
      Json sources = Json::object();
      for (const auto& [key, text] : t.sources) sources[key] = text;
      all.push_back({{"id", t.id}, {"title", t.title}, {"kind", t.kind}, {"sources", sources}});
    }
    print({{"schema", "parid.design_targets/1"}, {"targets", all}});
    return 0;
  }
  for (const DesignTargetInfo& t : design_targets())
    fmt::print("{} {:<11} {}\n", heading(fmt::format("{:<16}", t.id)), t.kind, t.title);
  return 0;
}

// ---- output

Json maybe(const auto& x) { return x ? Json(*x) : Json(nullptr); }

Json json_of(const DesignCandidate& c) {
  return {{"id", c.id},
          {"target", c.target},
          {"method", c.method},
          {"policy", c.policy},
          {"formulation", c.formulation},
          {"word", c.word},
          {"processors", c.processors},
          {"units", c.units},
          {"blocks", c.blocks},
          {"multiplications", c.operations.multiplications},
          {"additions", c.operations.additions},
          {"sincos", c.operations.sin_cos},
          {"messages", c.messages},
          {"message_words", c.message_words},
          {"oldest", c.oldest},
          {"kept", c.kept},
          {"step_time", c.step_time},
          {"shortest_period", c.shortest_period},
          {"jitter", c.jitter},
          {"code", maybe(c.code)},
          {"multipliers", maybe(c.multipliers)},
          {"luts", maybe(c.luts)},
          {"price", maybe(c.price)},
          {"power", maybe(c.power)},
          {"period", c.period},
          {"latency", c.latency},
          {"reachable", c.reachable},
          {"kp", c.kp},
          {"kd", c.kd},
          {"bandwidth", c.bandwidth},
          {"gain_margin", finite(c.gain_margin)},
          {"phase_margin", c.phase_margin},
          {"largest_period", c.largest_period},
          {"worst_pose", c.worst_pose},
          {"noise", maybe(c.noise)},
          {"tracking_largest", maybe(c.tracking_largest)},
          {"tracking_rms", maybe(c.tracking_rms)},
          {"refused", c.refused.empty() ? Json(nullptr) : Json(c.refused)},
          {"front", c.front}};
}

Json json_of(const std::string& id, const DesignVerification& v) {
  return {{"id", id},
          {"predicted_period", v.predicted_period},
          {"period", finite(v.period)},
          {"predicted_largest", maybe(v.predicted_largest)},
          {"largest", maybe(v.largest)},
          {"predicted_rms", maybe(v.predicted_rms)},
          {"rms", maybe(v.rms)},
          {"lost", v.lost}};
}

std::string dollars(const std::optional<double>& x) { return x ? fmt::format("{:.4g}", *x) : "?"; }

void print_candidates(const Options& o, const DesignResult& r) {
  // The best of each target, unless --all is given.
  constexpr std::size_t most = 3;
  std::map<std::string, std::size_t> shown;
  std::size_t left = 0, wide = 20;
  for (const DesignCandidate& c : r.candidates) wide = std::max(wide, c.id.size());
  wide = std::min<std::size_t>(wide, 44);
  const bool motion = std::any_of(r.candidates.begin(), r.candidates.end(),
                                  [](const auto& c) { return c.tracking_largest.has_value(); });
  fmt::print("{}\n",
             heading(fmt::format("  {:<{}} {:>9} {:>9} {:>9} {:>6} {:>6} {:>10} {:>7} {:>6}{}",
                                 "candidate", wide, "step", "period", "reaches", "gain", "phase",
                                 "safe up to", "USD", "W", motion ? "   tracking" : "")));
  for (std::size_t k = 0; k < r.candidates.size(); ++k) {
    const DesignCandidate& c = r.candidates[k];
    if (!c.refused.empty() && !o.all) {
      ++left;
      continue;
    }
    if (!o.all && shown[c.target] >= most) {
      ++left;
      continue;
    }
    ++shown[c.target];
    const char* mark = static_cast<int>(k) == r.chosen ? "*" : c.front.empty() ? " " : "+";
    if (!c.refused.empty()) {
      fmt::print("- {:<{}} {:>9} {}\n", harmless(c.id), wide, human_time(c.step_time), c.refused);
      continue;
    }
    std::string tracking;
    if (c.tracking_largest)
      tracking = fmt::format(" {:>10.2g}", *c.tracking_largest);
    else if (motion)
      tracking = fmt::format(" {:>10}", "");
    fmt::print("{} {:<{}} {:>9} {:>9} {:>6.4g} Hz {:>6.3g} {:>5.3g}° {:>10} {:>7} {:>6}{}\n", mark,
               harmless(c.id), wide, human_time(c.step_time), human_time(c.period), c.reachable,
               c.gain_margin, c.phase_margin, human_time(c.largest_period), dollars(c.price),
               dollars(c.power), tracking);
  }
  if (left > 0) fmt::print("{} further candidates, refused ones among them, with --all\n", left);
  fmt::print(
      "* chosen, + on a front of bandwidth against price, power, processors or multipliers\n");
}

void print_verified(const std::vector<std::pair<std::string, DesignVerification>>& all) {
  if (all.empty()) return;
  fmt::print("\n{}\n", heading("verified in a simulated loop with the delivered programs"));
  for (const auto& [id, v] : all) {
    fmt::print("{}\n  largest safe period  predicted {}, measured {}{}\n", harmless(id),
               human_time(v.predicted_period),
               std::isnan(v.period)   ? "hidden by rounding"
               : std::isinf(v.period) ? "more than 1.6 times as long"
               : v.period == 0        ? "less than 1/1.3 of it"
                                      : human_time(v.period),
               v.period > 0 && std::isfinite(v.period)
                   ? fmt::format(" ({:+.2f} %)", 100 * (v.period / v.predicted_period - 1))
                   : "");
    if (v.largest)
      fmt::print(
          "  largest error        predicted {:.4g}, measured {:.4g}{}\n"
          "  rms error            predicted {:.4g}, measured {:.4g}\n",
          *v.predicted_largest, *v.largest, v.lost ? ": lost" : "", *v.predicted_rms, *v.rms);
  }
}

void check_design_effects(const Options& o, const CLI::App& c) {
  if (!o.motion)
    refuse(c, {"--time", "--limit-torques", "--friction"},
           "it is about a motion; give --motion too");
  if (!o.verify)
    refuse(c, {"--count", "--limit-torques", "--friction"}, "it is for --verify; give that too");
  if (o.motion && !o.motion->starts_with("sine:"))
    refuse(c, {"--time"}, "it is for unlimited motions, such as sine:");
  if (o.pose) refuse(c, {"--seed"}, "the seed is for random poses; omit one of the two");
}

int run(Options& o, const CLI::App& c) {
  if (o.targets || o.measure || o.show) {
    refuse_all_but(c, {"--targets", "--measure", "--show", "--json"},
                   "targets are listed, shown and measured without a robot");
    if (o.show) {
      const std::string text = design_target_file(*o.show);
      if (o.json)
        print({{"schema", "parid.design_target/1"}, {"target", *o.show}, {"file", text}});
      else
        fmt::print("{}", text);
      return 0;
    }
    if (o.targets) return list_targets(o.json);
    const std::string text = measure_design_target();
    write_text(*o.measure, text);
    if (o.json)
      print({{"schema", "parid.design_target/1"}, {"target", *o.measure}, {"file", text}});
    else
      fmt::print("wrote {}\n", harmless(*o.measure));
    return 0;
  }
  if (o.law.robot.robot.empty())
    throw Error("design: give a robot, or --targets to list the targets");
  check_design_effects(o, c);
  o.design.goal = design_goal(o.goal);
  if (o.words) o.design.words = whole_numbers("--words", *o.words);
  if (o.processors) o.design.processors = whole_numbers("--processors", *o.processors);
  const auto [plant, model] = asked_robots(o.law);
  require_moving_links(plant, 64, "a design");
  if (o.pose) {
    o.design.poses = asked_pose(plant, "--pose", *o.pose);
    if (given(c, "--poses") && o.design.random_poses > 0) {
      const std::vector<double> others = random_poses(plant, o.design.random_poses, o.design.seed);
      o.design.poses.insert(o.design.poses.end(), others.begin(), others.end());
    }
  }
  TrajectoryPointer trajectory;
  if (o.motion) trajectory = asked_trajectory(plant, o.motion, o.time);
  DesignResult r;
  {
    Progress progress("design");
    o.design.progress = [&](double share) { progress.at(share); };
    r = parid::design::designed(plant, model, trajectory.get(), o.design);
  }
  std::vector<std::pair<std::string, DesignVerification>> verified;
  bool safe = true;
  if (o.verify) {
    Progress progress("verifying");
    int left = o.verified;
    for (const DesignCandidate& candidate : r.candidates) {
      if (left == 0 || !candidate.refused.empty()) continue;
      const bool runs = candidate.method != "array" && candidate.method != "pipeline" &&
                        candidate.formulation == "generated";
      if (!runs) continue;
      const DesignVerification v =
          parid::design::verified(plant, model, trajectory.get(), candidate, r, o.verification);
      safe &= !(v.period < candidate.period) && !v.lost;
      verified.emplace_back(candidate.id, v);
      progress.at(1 - static_cast<double>(--left) / o.verified);
    }
  }
  std::vector<std::string> written;
  if (o.pareto) {
    write_text(*o.pareto, design_picture(r, fmt::format("{}: designs", plant.name())));
    written.push_back(*o.pareto);
  }
  if (o.output && r.chosen >= 0) {
    std::vector<EmittedFile> files;
    for (CodeFile& f : design_files(model, r.candidates[static_cast<std::size_t>(r.chosen)], r))
      files.push_back({std::move(f.name), std::move(f.text)});
    for (const std::string& path : write_files(*o.output, files)) written.push_back(path);
  }
  if (o.json) {
    Json all = Json::array(), assumptions = Json::object(), measured = Json::array(),
         poses = Json::array();
    for (const DesignCandidate& x : r.candidates) all.push_back(json_of(x));
    for (const DesignAssumption& a : design_assumptions()) assumptions[a.figure] = a.assumption;
    for (const auto& [id, v] : verified) measured.push_back(json_of(id, v));
    const auto nq = static_cast<std::ptrdiff_t>(plant.nq());
    for (auto at = r.poses.begin(); at != r.poses.end(); at += nq)
      poses.push_back(std::vector<double>(at, at + nq));
    print({{"schema", "parid.design/1"},
           {"robot", plant.name()},
           {"goal", o.goal},
           {"chosen", r.chosen < 0 ? Json(nullptr) : Json(r.chosen)},
           {"poses", poses},
           {"motion", o.motion ? Json(*o.motion) : Json(nullptr)},
           {"candidates", all},
           {"why", r.why},
           {"verified", measured},
           {"assumptions", assumptions},
           {"files", written}});
  } else {
    print_candidates(o, r);
    if (o.why || r.chosen < 0) {
      fmt::print("\n");
      for (const std::string& line : r.why) fmt::print("{}\n", harmless(line));
      fmt::print("\nWhat the figures assume:\n");
      for (const DesignAssumption& a : design_assumptions())
        fmt::print("  {}: {}\n", a.figure, a.assumption);
    }
    print_verified(verified);
    for (const std::string& path : written) fmt::print("wrote {}\n", harmless(path));
  }
  return r.chosen >= 0 && safe ? 0 : 1;
}

void add_design_options(CLI::App& c, Options& o) {
  c.add_option(
      "ROBOT", o.law.robot.robot,
      "a built-in name (see `parid robots`) or a robot file: URDF, xacro, MJCF, SDF or TOML");
  c.add_option("--target", o.design.targets,
               "machine: an id of --targets, \"4x ID\" for four processors, a .toml file, or "
               "papers for the machines of the papers; may be repeated (default: all but those)")
      ->option_text("ID");
  c.add_option("--policy", o.design.policies,
               "age of the data on several processors; may be repeated (default: exact, "
               "binder_herzog, binder_herzog_mixed, buffered, hamilton_boxes, hamilton)")
      ->option_text("NAME");
  c.add_option("--processors", o.processors, "numbers of processors to try (default: 1,2,3,4,6)")
      ->option_text("N,...");
  c.add_option("--words", o.words, "bits of fixed-point machines to try (default: 18,24,32)")
      ->option_text("N,...");
  c.add_option("--formulation", o.design.formulations,
               "formulation on one processor, by its operation count; may be repeated (default: "
               "generated programs)")
      ->option_text("ID");
  c.add_option("--bandwidth", o.design.bandwidth, "bandwidth that a design must reach")
      ->option_text("HZ");
  CLI::Option* rate =
      c.add_option("--rate", o.design.rate, "control periods per second of every design")
          ->option_text("HZ");
  c.add_option("--fastest-rate", o.design.fastest_rate,
               "fastest rate of sensors and drives (default: 4000)")
      ->excludes(rate)
      ->option_text("HZ");
  c.add_option("--gain-margin", o.design.gain_margin, "least gain margin, a factor (default: 2)")
      ->option_text("X");
  c.add_option("--phase-margin", o.design.phase_margin,
               "least phase margin in degrees (default: 45)")
      ->option_text("DEG");
  c.add_option("--acceleration", o.design.acceleration,
               "largest acceleration in fixed-point machines, rad/s² or m/s² (default: 100)")
      ->option_text("X");
  c.add_option("--choose", o.goal,
               "what is best: bandwidth (default), cheapest, least-power or fewest-processors")
      ->option_text("GOAL");
  c.add_option("--pose", o.pose, "judge at this pose (default: zero within the limits)")
      ->option_text("Q,...");
  c.add_option("--poses", o.design.random_poses, "and at this many random poses (default: 4)")
      ->check(CLI::Range(0, 10'000))
      ->option_text("N");
  c.add_option("--seed", o.design.seed, "seed of the random poses (default: 1)")->option_text("N");
  c.add_option("--motion", o.motion,
               std::string("predict the tracking error along a motion: ") + trajectory_help)
      ->option_text("NAME|FILE|sine:...");
  c.add_option("--time", o.time, "duration of sine: in seconds (default: 6.28)")->option_text("S");
}

}  // namespace
}  // namespace design_command

void add_design(CLI::App& app, Action& action) {
  using namespace design_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* c = app.add_subcommand(
      "design", "Choose processors, policy and words for a controller, and write its programs");
  add_design_options(*c, o);
  c->add_option(
       "--payload", o.law.robot.payload,
       "attach a body to a link, as in `parid torque`; it is not part of the controller's model")
      ->option_text("[LINK:]MASS...");
  c->add_option(
       "--mass-error", o.law.mass_error,
       "relative error of the masses and inertias in the controller's model: 0.1 is 10 % too large")
      ->option_text("X");
  c->add_option("--model", o.law.model, "robot of the controller's model (default: ROBOT)")
      ->option_text("ROBOT");
  c->add_option("--gravity", o.law.robot.gravity, "gravity in m/s² (default: the robot file's)")
      ->option_text("X,Y,Z");
  add_robot_changes(*c, o.law.robot);
  add_frame_and_tip(*c, o.law.robot);
  add_no_rotors(*c, o.law.robot);
  add_force(*c, o.law.robot);
  c->add_flag("--why", o.why, "explain the winner and the losers, and name all assumptions");
  c->add_flag("--all", o.all, "show all candidates, refused ones too");
  c->add_option("--pareto", o.pareto, "draw bandwidth against price, power and sizes, as .svg")
      ->option_text("FILE");
  c->add_option("-o,--output", o.output,
                "write programs or Verilog of the chosen design, and its report")
      ->option_text("DIR");
  c->add_flag("--verify", o.verify,
              "simulate the loop with the delivered programs, beside the predictions");
  c->add_option("--count", o.verified, "number of designs that --verify tries (default: 1)")
      ->check(CLI::Range(1, 1000))
      ->option_text("N");
  c->add_flag("--limit-torques", o.verification.limit_torques,
              "in --verify along the motion: limit torques to the effort limits");
  c->add_flag("--friction", o.verification.friction,
              "in --verify along the motion: simulate friction in bearings and drives");
  c->add_option("--threads", o.design.threads, "threads (default: all cores)")->option_text("N");
  c->add_flag("--targets", o.targets, "list the targets");
  c->add_option("--show", o.show, "print the file of a target, with its sources")
      ->option_text("ID");
  c->add_option("--measure", o.measure, "measure this machine and write it as a target, .toml")
      ->option_text("FILE");
  c->add_flag("--json", o.json, "print one JSON object to standard output");
  c->footer(
      "Reaches: bandwidth of computed torque at the largest gains with the margins, linearised, at "
      "the worst pose. Exit code 1: no design fulfils the wish, or --verify found one unsafe.\n"
      "Examples:  parid design panda --bandwidth 25 --payload 3 --choose cheapest --why\n"
      "           parid design puma560 --target cortex-m7 --target \"4x cortex-m4f\" --target x86 "
      "--pareto designs.svg\n"
      "           parid design ur5 --rate 2000 --choose cheapest --verify -o design/");
  c->callback([&action, options, c] { action = [options, c] { return run(*options, *c); }; });
}

}  // namespace parid::cli
