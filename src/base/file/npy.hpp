// NumPy's .npy files: one array of numbers.
//
// Source  NEP 1 and numpy.lib.format, versions 1.0, 2.0 and 3.0.
// Read    float64, float32 and every integer type, either byte order, C or Fortran order, one or
//         two dimensions. Objects are refused: to read them is to run code from the file.
// Written float64 in C order, version 1.0.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/layer.hpp"
#include "parid/error.hpp"

namespace parid::base {

struct Array {
  std::vector<std::size_t> shape;  // one or two lengths
  std::vector<double> data;        // row-major

  std::size_t rows() const { return shape.at(0); }
  std::size_t columns() const { return shape.size() > 1 ? shape[1] : 1; }
  double at(std::size_t row, std::size_t column = 0) const {
    return data[row * columns() + column];
  }
};

// All values must be finite, and there must be at least one.
Array read_npy(const std::string& path);                      // "-" is standard input
void write_npy(const std::string& path, const Array& array);  // "-" is standard output

// Shared by .npy and .npz.
inline constexpr std::uint64_t most_array_bytes = std::uint64_t{8} << 30;

struct NpyBytes {
  Place place;
  std::optional<std::uint64_t> size;  // of header and data together, where known before reading
  std::function<std::size_t(char* to, std::size_t most)> read;  // 0 at the end
};

Array parse_npy(const NpyBytes& bytes);
std::string npy_header(const Array& array);  // the bytes before the data

}  // namespace parid::base
