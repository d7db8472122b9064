// What --explain shows: one sample's Newton-Euler quantities, link by link.

#pragma once

#include "cli/json.hpp"
#include "parid/run/explain.hpp"

namespace parid::cli {

void print_links(const Robot&, const std::vector<LinkExplanation>&);
Json json_of(const std::vector<LinkExplanation>&);

}  // namespace parid::cli
