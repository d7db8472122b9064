// Instruction sets, as types.
//
// The linker must never merge code compiled for one set with the same template compiled for
// another, or an older CPU would execute instructions that it lacks. A Pack has its set as a
// template argument, so everything instantiated with it has a distinct name.

#pragma once

#include "scalar/layer.hpp"

namespace parid::scalar {

struct Baseline {  // every x86-64 and aarch64: 16-byte registers
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
