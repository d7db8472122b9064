// Arrays of rows with any layout in memory, for Engine::evaluate.
//
// Element (row r, column k) is data[r * row + k * column]; strides count numbers, not bytes.
// Contiguous rows: row = number of columns, column = 1. Contiguous columns: row = 1, column =
// number of rows. One row for all: row = 0.
//
// A public header: no template, no type of another library.

#pragma once

#include <cstddef>

namespace parid {

/// Numbers of double precision that an evaluation reads.
struct StridedInput {
  const double* data;
  std::size_t row, column = 1;
};

/// Numbers of double precision that an evaluation writes.
struct StridedOutput {
  double* data;
  std::size_t row, column = 1;
};

/// Numbers of single precision that an evaluation reads.
struct StridedInputFloat {
  const float* data;
  std::size_t row, column = 1;
};

/// Numbers of single precision that an evaluation writes.
struct StridedOutputFloat {
  float* data;
  std::size_t row, column = 1;
};

}  // namespace parid
