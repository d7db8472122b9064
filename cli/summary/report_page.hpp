// The page of `parid report`, made from its options.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/input/torque_options.hpp"
#include "cli/layer.hpp"
#include "cli/output/documents.hpp"

namespace parid::cli {

struct ReportOptions {
  TorqueOptions torque;
  std::optional<std::string> output;
  std::optional<int> schedule;
  std::vector<std::string> control;
  double control_rate = 1000;
  std::size_t poses = 20;
  bool pipeline = false, stability = false, no_formulations = false, all = false, json = false;
  // A second run beside the first: what differs.
  std::optional<std::string> compare, compare_payload, compare_motion;
  bool serve = false;
  int port = 8380;

  bool compares() const { return compare || compare_payload || compare_motion; }
};

struct ReportResult {
  std::string html, robot;
  std::string model;  // one line about the torques
  std::size_t samples = 0;
  Json holds;  // true, false or null: as in `parid limits`
  std::vector<std::string> sections, notes;
  std::vector<std::string> files;  // that the page was made from
};

// Throws Error for options out of range, before any computation.
void check_report_options(const ReportOptions&);

// With `watch`, the page is number `watch` of a server and asks it for changes.
ReportResult report_page(ReportOptions, std::optional<long> watch = {});

// Files that are named in the options and exist: the robot and the motion, of both runs.
std::vector<std::string> named_files(const ReportOptions&);

// Serves the page on this computer, makes it again when one of its files changes, and returns the
// exit code when SIGINT or SIGTERM arrives.
int serve_report(const ReportOptions&);

}  // namespace parid::cli
