#include "parid/denormals.hpp"

#include "runtime/layer.hpp"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace parid {
using namespace runtime;

#if defined(__SSE2__)

DenormalsAreZero::DenormalsAreZero() noexcept : before_(_mm_getcsr()), active_(true) {
  constexpr unsigned to_zero = 0x8000, from_zero = 0x0040;  // FTZ: results, DAZ: operands
  _mm_setcsr(static_cast<unsigned>(before_) | to_zero | from_zero);
}
DenormalsAreZero::~DenormalsAreZero() { _mm_setcsr(static_cast<unsigned>(before_)); }

#elif defined(__aarch64__)

DenormalsAreZero::DenormalsAreZero() noexcept : active_(true) {
  constexpr std::uint64_t flush = std::uint64_t{1} << 24;  // FPCR.FZ: operands and results
  asm volatile("mrs %0, fpcr" : "=r"(before_));
  asm volatile("msr fpcr, %0" : : "r"(before_ | flush));
}
DenormalsAreZero::~DenormalsAreZero() { asm volatile("msr fpcr, %0" : : "r"(before_)); }

#else

DenormalsAreZero::DenormalsAreZero() noexcept = default;
DenormalsAreZero::~DenormalsAreZero() = default;

#endif

}  // namespace parid
