// What `parid compare` measures: agreement, cost and time of every method on one robot.

#pragma once

#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/output/json.hpp"
#include "lookup/methods.hpp"
#include "runtime/cost/cost.hpp"

namespace parid::cli {

struct Row {
  const MethodEntry* entry;
  std::string reason;  // why it cannot
  double error = 0, ns = 0;
  FormulationCost cost;
};

// On random states, the same for the same robot. Times are taken only if asked for.
std::vector<Row> compare_all(const Robot&, const std::vector<const MethodEntry*>& asked,
                             long samples, bool timed);

// Forward dynamics must undo inverse dynamics.
struct ForwardRow {
  const char* id;
  double error, ns;
  OperationCount count;
};
std::vector<ForwardRow> compare_forward(const Robot&, long samples);

Json rows_json(const std::vector<Row>&);
Json rows_json(const std::vector<ForwardRow>&);

}  // namespace parid::cli
