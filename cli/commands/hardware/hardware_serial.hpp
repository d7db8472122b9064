// The serial machine of `parid hardware --serial`, and what the host's bus takes of any machine.

#pragma once

#include <optional>
#include <string>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "hardware/pipeline/formats.hpp"

namespace parid::cli {

// Words per sample of a machine, and how long it takes for one.
struct HostNeeds {
  int words_in = 0, words_out = 0, word = 0;
  long interval = 1;
  double megahertz = 100;
};
Json host_json(const HostNeeds&);  // an array, one object per bus
void print_host(const HostNeeds&);

struct SerialRun {
  std::string schema, robot, what;
  std::optional<std::string> output;
  int samples = 1000;
  double megahertz = 100;
  double measured_error = 0, error_bound = 0;  // of full scale
  bool json = false;
};
int run_serial(const SerialRun&, hardware::FixedGraph);

}  // namespace parid::cli
