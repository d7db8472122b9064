// Builds with sanitizers or counted lines take twenty to sixty times as long: long tests use less
// data there.

#pragma once

#include "tests/layer.hpp"

namespace parid::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

}  // namespace parid::test
