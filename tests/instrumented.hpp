// Sanitizers and counted lines take twenty to sixty times as long: what is long already is tried on
// less there.

#pragma once

#include "tests/layer.hpp"

namespace parid::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

}  // namespace parid::test
