// Checks that the output of a compiler is a complete shared object.

#pragma once

#include <string>
#include <string_view>

#include "codegen/layer.hpp"

namespace parid::codegen {

// The reason why these bytes are not a shared object for this machine: empty, truncated, or of
// another kind; "" if all parts that the header names are within the file. The loader trusts the
// header, and a process crashes if it touches a page that the file does not have.
std::string flaw_of_object(std::string_view bytes);

}  // namespace parid::codegen
