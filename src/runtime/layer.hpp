// Kernels per instruction set, Workspace, Engine, inverse kinematics, the C API and the verifier.
//
// The layers whose names this one may use. src/runtime/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "codegen/layer.hpp"

namespace parid::runtime {
using namespace codegen;
}  // namespace parid::runtime
