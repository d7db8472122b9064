// Batches over HDF5 files, restartable, on one machine or on many with MPI.
//
// The layers whose names this one may use. src/cluster/CMakeLists.txt declares the same, and a test
// compares.

#pragma once

#include "runtime/layer.hpp"

namespace parid::cluster {
using namespace runtime;
}  // namespace parid::cluster
