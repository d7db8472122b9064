// What is done with a robot that a file gave: everything a user would meet at once. It must be
// refused by the lint or have torques; neither may crash, hang or throw anything but parid::Error.

#pragma once

#include "fuzz/layer.hpp"
#include "model/description.hpp"

namespace parid::fuzz {

void exercise(Description description);

}  // namespace parid::fuzz
