// An array of rows wherever it lies.

#pragma once

#include <cstddef>

namespace parid {

// Element (row r, column k) at data[r·row + k·column]. Rows one after another: row = columns, column = 1.
// Columns one after another: row = 1, column = rows.
template <class Real>
struct Strided {
  Real* data;
  std::size_t row, column = 1;
};

}  // namespace parid
