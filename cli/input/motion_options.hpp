// Which motion the user asks for, at what rate and pace: the same words wherever a command takes
// one.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "motion/scaling/time_scaling.hpp"

namespace parid::cli {

struct MotionOptions {
  std::optional<std::string> file, name;  // of a file, or of the list
  std::optional<double> rate;
  std::optional<std::string> pace;  // --within-limits
  bool derive = false;

  bool given() const { return file || name; }
};

void add_motion_options(CLI::App&, MotionOptions&);

// `--motion help`: prints the list.
bool is_help(const MotionOptions&);
void print_named_motions();

// Says what can be said before any work is done.
void check_motion_options(const MotionOptions&);

SampledTrajectory asked_motion(const Robot&, const MotionOptions&);

// Re-times the motion as --within-limits asks, and notes on standard error by how much and what
// binds. Nothing where it does not ask.
std::optional<TimeScaling> asked_pace(const Robot&, const MotionOptions&, SampledTrajectory&,
                                      const TorquesAlong&);
Json json_of(const MotionOptions&, const std::optional<TimeScaling>&);

}  // namespace parid::cli
