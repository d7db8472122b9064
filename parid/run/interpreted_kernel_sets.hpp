// The instruction sets that the interpreter is compiled for.

#pragma once

#include "parid/run/interpreted_kernel.hpp"

namespace parid {

InterpreterSet interpreters_baseline();
#if defined(__x86_64__)
InterpreterSet interpreters_avx2();
InterpreterSet interpreters_avx512();
#endif

}  // namespace parid
