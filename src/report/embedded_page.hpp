// The page that cmake/embed_page.cmake puts into the library.

#pragma once

#include <string_view>

#include "report/layer.hpp"

namespace parid::report {

std::string_view embedded_page();

}  // namespace parid::report
