#include "parid/run/interpreted_kernel_of.hpp"
#include "parid/run/interpreted_kernel_sets.hpp"

namespace parid {

InterpreterSet interpreters_avx2() { return interpreter_set<Avx2>(); }

}  // namespace parid
