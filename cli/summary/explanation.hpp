// What --explain shows: one sample's Newton-Euler quantities, link by link.

#pragma once

#include "cli/layer.hpp"
#include "cli/output/json.hpp"
#include "runtime/method/explain.hpp"

namespace parid::cli {

void print_links(const Robot&, const std::vector<LinkExplanation>&);
Json json_of(const std::vector<LinkExplanation>&);

}  // namespace parid::cli
