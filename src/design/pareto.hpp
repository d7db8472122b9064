// Which candidates no other one beats, and a picture of them.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "design/layer.hpp"
#include "parid/design.hpp"

namespace parid::design {

// What a candidate costs by a criterion; none: not known, or without meaning for it.
struct Criterion {
  const char* id;    // "price"
  const char* axis;  // "price (USD)"
  std::optional<double> (*cost)(const DesignCandidate&);
};
std::span<const Criterion> criteria();

// Fills DesignCandidate::front: usable ones for which no other costs no more and reaches no less,
// and is better in one of both.
void mark_fronts(std::vector<DesignCandidate>&);

// A panel for each criterion that distinguishes candidates.
std::string pareto_svg(const DesignResult&, const std::string& title);

}  // namespace parid::design
