// Fault detection of `parid control`: its options, its runs, and what is said of them.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/plot.hpp"
#include "control/study/fault.hpp"

namespace parid::cli {

struct FaultStudyOptions {
  std::vector<std::string> faults;
  std::optional<double> observer;
  std::optional<std::string> threshold, residuals;
  double margin = 1.5;
  bool asked() const { return observer || !faults.empty(); }
};
void add_study(CLI::App&, FaultStudyOptions&);
// Refuses what has no effect.
void check_study(const FaultStudyOptions&, const CLI::App&);

// One run per fault, or one without any.
struct FaultStudy {
  struct Row {
    std::optional<control::Fault> fault;
    FaultDetection found;
  };
  double gain = 0;
  std::vector<Row> rows;
  int missed() const;  // faults that were not detected, and runs without one that had an alarm
};
// Writes the residuals if requested.
FaultStudy fault_study(const FaultStudyOptions&, const Robot& plant, const LawDesign&,
                       const TrajectoryPointer&, const ControlOptions&);

Json json_of(const FaultStudy&, const Robot& plant, Json head);
void say(const FaultStudy&, const Robot& plant);
Figure residual_figure(const FaultStudy&, const Robot& plant);  // of the first row

}  // namespace parid::cli
