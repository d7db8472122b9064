// Whether what a compiler wrote is a whole shared object.

#pragma once

#include <string>
#include <string_view>

#include "codegen/layer.hpp"

namespace parid::codegen {

// What is wrong with the bytes of a shared object for this machine: it is empty, cut short, or of
// another kind; "" where the parts that its head names lie within it. The loader takes a head's
// word for where parts are, and a process dies when it touches a page that its file does not have.
std::string flaw_of_object(std::string_view bytes);

}  // namespace parid::codegen
