// Fuzzers may use every layer.

#pragma once

#include "cluster/layer.hpp"
#include "control/layer.hpp"
#include "hardware/layer.hpp"
#include "identification/layer.hpp"
#include "lookup/layer.hpp"
#include "report/layer.hpp"
#include "schedule/layer.hpp"

namespace parid::fuzz {
using namespace hardware;
using namespace schedule;
using namespace control;
using namespace lookup;
using namespace identification;
using namespace report;
using namespace cluster;
}  // namespace parid::fuzz
