// Describes the agreement of two computations in words that do not depend on compiler and
// processor.

#pragma once

#include <fmt/format.h>

#include <string>

#include "papers/layer.hpp"

namespace parid::papers {

inline std::string agreement(double apart) {
  return apart < 1e-10 ? "the same to rounding" : fmt::format("apart by {:.1e}", apart);
}

}  // namespace parid::papers
