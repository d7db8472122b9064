// The header of an .npy file: a Python dictionary in text, such as
// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/layer.hpp"
#include "parid/error.hpp"

namespace parid::base {

struct NpyHeader {
  std::string descr;  // byte order, kind and size, as in <f8; empty for a list of named fields
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

NpyHeader parse_npy_header(std::string_view text, const Place& place);

}  // namespace parid::base
