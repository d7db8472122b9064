#include "parid/run/interpreted_kernel_of.hpp"
#include "parid/run/interpreted_kernel_sets.hpp"

namespace parid {

InterpreterSet interpreters_baseline() { return interpreter_set<Baseline>(); }

}  // namespace parid
