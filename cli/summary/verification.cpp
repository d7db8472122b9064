#include "cli/summary/verification.hpp"

#include <fmt/format.h>

#include "parid/error.hpp"

namespace parid::cli {

void add_verify(CLI::App& command, std::optional<long>& rows) {
  command
      .add_option("--verify", rows,
                  "work out so many rows again, by another formulation and in the robot file's "
                  "frames, and compare (default: 1000); exit code 1 where they differ")
      ->expected(0, 1)
      ->default_str("1000")
      ->option_text("[ROWS]");
}

void check_verify(const std::optional<long>& rows) {
  if (rows && *rows < 1) throw Error(fmt::format("--verify: {} rows; give one or more", *rows));
}

Json json_of(const Verification& v) {
  return {{"rows", v.rows},           {"not_finite", v.not_finite},
          {"method", v.method},       {"max_relative_error", v.max_relative_error},
          {"tolerance", v.tolerance}, {"worst_row", v.worst_row}};
}

std::string text(const Verification& v) {
  const std::string left = v.not_finite > 0
                               ? fmt::format("; {} more {} no finite answer either way",
                                             v.not_finite, v.not_finite == 1 ? "has" : "have")
                               : "";
  return fmt::format("verified: {} row{} again by {}, largest relative error {:.2g}{}", v.rows,
                     v.rows == 1 ? "" : "s", v.method, v.max_relative_error, left);
}

}  // namespace parid::cli
