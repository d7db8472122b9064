// What is done with a robot that a file gave: everything a user would meet at once. It is refused
// with parid::Error, or it has torques. Nothing may crash, hang or throw another exception.

#pragma once

#include "fuzz/layer.hpp"
#include "model/description.hpp"

namespace parid::fuzz {

void exercise(Description description);

}  // namespace parid::fuzz
