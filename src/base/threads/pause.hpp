// A moment of waiting awake, which leaves the core's units to whoever shares them.

#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include "base/layer.hpp"
#endif

namespace parid::base {

inline void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace parid::base
