// How two computations of the same numbers compare, in words that no compiler or processor changes.

#pragma once

#include <fmt/format.h>

#include <string>

#include "papers/layer.hpp"

namespace parid::papers {

inline std::string agreement(double apart) {
  return apart < 1e-10 ? "the same to rounding" : fmt::format("apart by {:.1e}", apart);
}

}  // namespace parid::papers
