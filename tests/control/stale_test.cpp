#include "parid/control/law.hpp"

#include <gtest/gtest.h>

namespace parid {
namespace {
}  // namespace
}  // namespace parid
