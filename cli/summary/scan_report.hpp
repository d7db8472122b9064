// Output of `parid compare --processors`: the recurrences of an n-link chain as scans on that many
// processors with several networks.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "math/network.hpp"
#include "parid/parallel_evaluation.hpp"
#include "parid/robot.hpp"

namespace parid::cli {

struct ScanRow {
  const char* strategy;
  int depth, time;  // with unlimited processors; with those given
  long work;        // combinations
  int widest;       // processors that it can use
};

struct ScanReport {
  int n, processors;
  std::vector<ScanRow> rows;
  int p_fold_printed, p_fold_corrected;
  int lower_bound_links, lower_bound_levels;  // ⌈n/p⌉ and ⌈log2 p⌉
  std::vector<Wiring> asked;
  // One evaluation by lee_chang_pfold; none where it does not cover the robot, with the reason.
  std::optional<ParallelEvaluation> evaluation;
  std::string why_no_evaluation;
};

// `network`: one of the names, or empty for all. Throws Error where the robot branches, there is no
// such network, or the processors are fewer than one or more than n + 1.
ScanReport scan_report(const Robot&, int processors, const std::string& network, int matrix_cells);
void print(const ScanReport&);
Json json_of(const ScanReport&);

}  // namespace parid::cli
