// --verify: some rows again, by another formulation.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/layer.hpp"
#include "cli/output/json.hpp"
#include "runtime/verify/verifier.hpp"

namespace parid::cli {

void add_verify(CLI::App&, std::optional<long>& rows);
void check_verify(const std::optional<long>& rows);  // throws Error

Json json_of(const Verification&);
std::string text(const Verification&);  // "verified: 1000 rows again by …"

}  // namespace parid::cli
