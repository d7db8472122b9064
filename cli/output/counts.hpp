// What a robot's own programs cost, all words in one table; and what others printed of such
// programs.

#pragma once

#include "cli/layer.hpp"
#include "parid/robot.hpp"

namespace parid::cli {

enum class CountsAs { text, markdown, json };

void print_counts(const Robot&, CountsAs);
void print_published_counts(CountsAs);

}  // namespace parid::cli
