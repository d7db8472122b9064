#include "cli/output/findings.hpp"

#include <fmt/format.h>

namespace parid::cli {

std::string text(const Finding& f) {
  return fmt::format("{}: {}: {}{}{} [{}]", f.at.text(), is_error(f) ? "error" : "warning",
                     f.message, f.remedy.empty() ? "" : "; ", f.remedy, f.code);
}

}  // namespace parid::cli
