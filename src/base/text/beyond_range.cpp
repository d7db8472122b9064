#include "base/text/beyond_range.hpp"

#include <locale.h>
#include <stdlib.h>

#include <string>

namespace parid::base {

double beyond_range(std::string_view number) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(std::string(number).c_str(), nullptr, plain);
}

}  // namespace parid::base
