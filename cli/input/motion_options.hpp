// Options that select a motion, its rate and its pace, shared by all commands with a motion.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "motion/derive.hpp"
#include "motion/scaling/time_scaling.hpp"

namespace parid::cli {

struct MotionOptions {
  std::optional<std::string> file, name;  // of a file, or of the list
  std::optional<double> rate;
  std::optional<std::string> pace;  // --within-limits
  bool derive = false;
  int threads = 0;  // that read a large file; 0: one per core

  bool given() const { return file || name; }
};

void add_motion_options(CLI::App&, MotionOptions&);

// `--motion help`: prints the list.
bool is_help(const MotionOptions&);
void print_named_motions();

// Checks that need no computation.
void check_motion_options(const MotionOptions&);

// `higher`: set to the derivatives of accelerations, if not null; exact where the motion is not
// given by samples.
SampledTrajectory asked_motion(const Robot&, const MotionOptions&,
                               HigherDerivatives* higher = nullptr);

// Re-times the motion as requested by --within-limits, and notes the factor and the active limits
// on standard error. Nothing without that option.
std::optional<TimeScaling> asked_pace(const Robot&, const MotionOptions&, SampledTrajectory&,
                                      const TorquesAlong&);
Json json_of(const MotionOptions&, const std::optional<TimeScaling>&);

}  // namespace parid::cli
