// Uses a robot that was read from a file in the most common ways. It is refused with parid::Error,
// or it has torques. Nothing may crash, hang or throw another exception.

#pragma once

#include "fuzz/layer.hpp"
#include "model/description.hpp"

namespace parid::fuzz {

void exercise(Description description);

}  // namespace parid::fuzz
