#include "parid/run/interpreted_kernel_of.hpp"

namespace parid {

InterpreterSet interpreters_avx512() { return interpreter_set<Avx512>(); }

}  // namespace parid
