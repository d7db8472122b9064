// The cost of a robot's programs, all quantities in one table, and published figures of such
// programs.

#pragma once

#include "cli/layer.hpp"
#include "parid/robot.hpp"

namespace parid::cli {

enum class CountsAs { text, markdown, json };

void print_counts(const Robot&, CountsAs);
void print_published_counts(CountsAs);

}  // namespace parid::cli
