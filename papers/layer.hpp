// The claims of the five papers with our values. Built on the library; the program, the Python
// package and tests link it.

#pragma once

#include "control/layer.hpp"
#include "hardware/layer.hpp"
#include "identification/layer.hpp"
#include "lookup/layer.hpp"
#include "schedule/layer.hpp"

namespace parid::papers {
using namespace hardware;
using namespace schedule;
using namespace control;
using namespace lookup;
using namespace identification;
}  // namespace parid::papers
