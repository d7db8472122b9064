// A machine of CORDIC boxes as a picture: stages as columns, boxes by kind, and on each line how many
// stages its signal waits.

#pragma once

#include <string>

#include "parid/pipeline/balance.hpp"
#include "parid/pipeline/boxes.hpp"

namespace parid {

std::string pipeline_svg(const BoxDesign&, const Staging&);

}  // namespace parid
