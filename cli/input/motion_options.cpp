#include "cli/input/motion_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "base/text/spelling.hpp"
#include "cli/output/terminal.hpp"
#include "cli/output/waiting.hpp"
#include "motion/file/motion_file.hpp"
#include "motion/file/trajectory_file.hpp"
#include "motion/named_motions.hpp"
#include "motion/scaling/limit_binding.hpp"

namespace parid::cli {
namespace {

constexpr double usual_rate = 100;  // Hz, for a motion file that gives none

bool is_motion_file(const std::string& path) {
  return std::filesystem::path(path).extension() == ".toml";
}

struct Pace {
  const char* name;
  TimeScaling (*scaled)(const Robot&, const SampledTrajectory&, const TorquesAlong&);
};
constexpr Pace paces[] = {
    {"slower", [](const Robot& r, const SampledTrajectory& m,
                  const TorquesAlong& t) { return scaled_uniformly(r, m, t, true); }},
    {"uniform", [](const Robot& r, const SampledTrajectory& m,
                   const TorquesAlong& t) { return scaled_uniformly(r, m, t); }},
    {"optimal", scaled_optimally},
};
const Pace& pace(const std::string& name) {
  std::vector<std::string> names;
  for (const Pace& p : paces) {
    if (p.name == name) return p;
    names.push_back(p.name);
  }
  throw Error(
      fmt::format("--within-limits: unknown value '{}'; {}choose from slower, uniform, optimal",
                  name, did_you_mean(name, names)));
}

// An optimal motion stops at corners of the path, which must then be samples.
bool is_optimal(const MotionOptions& o) { return o.pace == "optimal"; }

}  // namespace

void add_motion_options(CLI::App& c, MotionOptions& o) {
  CLI::Option* file = c.add_option(
      "MOTION", o.file,
      "motion file: moves in .toml (docs/motions.md), or samples in CSV with header "
      "t,q:JOINT…,v:JOINT…,a:JOINT… (or q1…,v1…,a1…), .npy (N, nq + 2 nv), .npz or .h5 with t, q, "
      "v, a; '-' reads CSV from standard input. Default: a minimum-jerk motion within the limits");
  std::string names;
  for (const NamedMotion& m : named_motions())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", m.name);
  c.add_option("--motion", o.name, fmt::format("motion by name: {} ('help' describes them)", names))
      ->excludes(file)
      ->option_text("NAME");
  c.add_option("--rate", o.rate, "samples per second of a motion by name or in .toml")
      ->option_text("HZ");
  c.add_flag("--derive", o.derive, "compute missing velocities and accelerations with splines");
  c.add_option("--within-limits", o.pace,
               "re-time the motion to satisfy the torque and velocity limits (position limits "
               "depend on the path only): 'slower' by one factor if needed, 'uniform' as fast as "
               "one factor allows, 'optimal' as fast as the path allows")
      ->option_text("HOW");
}

bool is_help(const MotionOptions& o) { return o.name == "help"; }
void print_named_motions() {
  for (const NamedMotion& m : named_motions()) fmt::print("{:<14} {}\n", m.name, m.what);
}

void check_motion_options(const MotionOptions& o) {
  if (o.name) named_motion(*o.name);  // or an Error
  if (o.pace) pace(*o.pace);
  if (o.rate && !(*o.rate > 0 && std::isfinite(*o.rate)))
    throw Error(fmt::format(
        "--rate: {} samples per second is out of range; give a number above zero", *o.rate));
  if (o.rate && o.file && !is_motion_file(*o.file))
    throw Error(
        "--rate: the samples of a file cannot be resampled; omit --rate, or describe the motion in "
        "a .toml file");
}

namespace {

SampledTrajectory with_higher(SampledTrajectory m, const Trajectory& trajectory,
                              HigherDerivatives* higher) {
  if (higher) *higher = higher_derivatives(trajectory, m);
  return m;
}

}  // namespace

SampledTrajectory asked_motion(const Robot& robot, const MotionOptions& o,
                               HigherDerivatives* higher) {
  if (!o.file) {
    const NamedMotion& named = named_motion(o.name.value_or("default"));
    const Waiting waiting("planning the motion");
    const TrajectoryPointer trajectory = named.trajectory(robot);
    if (is_optimal(o) && trajectory->duration() > 0)
      return sampled_by_parts(
          robot, *trajectory,
          o.rate.value_or(static_cast<double>(named.samples - 1) / trajectory->duration()));
    return with_higher(o.rate ? sampled(robot, *trajectory, *o.rate)
                              : sampled_evenly(robot, *trajectory, named.samples),
                       *trajectory, higher);
  }
  if (is_motion_file(*o.file)) {
    const Waiting waiting("planning the motion");
    const MotionFile file = read_motion_file(robot, *o.file);
    for (const std::string& warning : file.warnings) say_note(warning);
    const double rate = o.rate.value_or(file.rate.value_or(usual_rate));
    return with_higher(is_optimal(o) ? sampled_by_parts(robot, *file.trajectory, rate)
                                     : sampled(robot, *file.trajectory, rate),
                       *file.trajectory, higher);
  }
  Progress progress("reading");
  SampledTrajectory m = read_trajectory(
      robot, *o.file,
      {o.derive, [&](double share) { progress.at(share); }, false, say_note, o.threads});
  if (higher) *higher = higher_derivatives(m);
  return m;
}

std::optional<TimeScaling> asked_pace(const Robot& robot, const MotionOptions& o,
                                      SampledTrajectory& m, const TorquesAlong& torques) {
  if (!o.pace) return {};
  TimeScaling scaling;
  try {
    scaling = pace(*o.pace).scaled(robot, m, torques);
  } catch (const Error& e) {
    throw Error(fmt::format("--within-limits: {}", e.what()));
  }
  m = scaling.motion;
  note("note: {} time scaling: the motion takes {:.6g} times as long{}", *o.pace, scaling.factor,
       m.t.empty() ? "" : fmt::format(", {:.6g} s", m.t.back() - m.t.front()));
  for (const TimeScaling::Binding& b : scaling.binding)
    note(
        "note: {} of '{}' reaches its limit at {}{}", b.kind, b.coordinate, said_of_row(m, b.row),
        b.rows > 1 ? fmt::format(" and {} more sample{}", b.rows - 1, b.rows == 2 ? "" : "s") : "");
  return scaling;
}

Json json_of(const MotionOptions& o, const std::optional<TimeScaling>& scaling) {
  if (!scaling) return nullptr;
  Json binding = Json::array();
  for (const TimeScaling::Binding& b : scaling->binding)
    binding.push_back(
        {{"coordinate", b.coordinate}, {"kind", b.kind}, {"sample", b.row}, {"samples", b.rows}});
  return {{"pace", *o.pace}, {"factor", scaling->factor}, {"binding", binding}};
}

}  // namespace parid::cli
