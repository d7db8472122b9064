// A machine of CORDIC boxes as an SVG picture: stages as columns, boxes by kind, and on each line
// the number of stages for which its signal waits.

#pragma once

#include <string>

#include "hardware/layer.hpp"
#include "hardware/pipeline/balance.hpp"
#include "hardware/pipeline/boxes.hpp"

namespace parid::hardware {

std::string pipeline_svg(const BoxDesign&, const Staging&);

}  // namespace parid::hardware
