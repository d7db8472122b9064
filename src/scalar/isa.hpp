// Instruction sets, as types.
//
// Code compiled for one set must never be merged by the linker with the same template compiled for
// another, or an older CPU would meet instructions it lacks. A Pack carries its set as a template
// argument, so everything instantiated with it has a name of its own.

#pragma once

#include "scalar/layer.hpp"

namespace parid::scalar {

struct Baseline {  // what every x86-64 and every aarch64 has: 16-byte registers
  static constexpr const char* name = "baseline";
  static constexpr int bytes = 16;
};
struct Avx2 {  // with FMA
  static constexpr const char* name = "avx2";
  static constexpr int bytes = 32;
};
struct Avx512 {
  static constexpr const char* name = "avx512";
  static constexpr int bytes = 64;
};

template <class Isa, class Real>
inline constexpr int lanes_of = Isa::bytes / static_cast<int>(sizeof(Real));

}  // namespace parid::scalar
