// Sanitizers and counted lines take twenty to sixty times as long: what is long already is tried on less there.

#pragma once

namespace parid {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool instrumented = true;
#else
inline constexpr bool instrumented = false;
#endif

}  // namespace parid
