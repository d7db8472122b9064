// Output of `parid compare --processors`: the recurrences of an n-link chain as scans on that many
// processors with several networks.

#pragma once

#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "math/network.hpp"

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
};

// `network`: one of the names, or empty for all. Throws Error if there is no such network, or if
// the processors are fewer than one or more than n + 1.
ScanReport scan_report(int n, int processors, const std::string& network);
void print(const ScanReport&);
Json json_of(const ScanReport&);

}  // namespace parid::cli
