// One step of busy waiting that leaves the core's units to the other hardware thread.

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
