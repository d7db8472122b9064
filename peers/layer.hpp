// Peers may use robots, but no code that computes with them.

#pragma once

#include "model/layer.hpp"

namespace parid::peers {
using namespace model;
}  // namespace parid::peers
