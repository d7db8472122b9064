// Output of --explain: one sample's Newton-Euler quantities, link by link.

#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/input/torque_evaluation.hpp"
#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "runtime/method/explain.hpp"
#include "runtime/verify/verifier.hpp"

namespace parid::cli {

void print_links(const Robot&, const std::vector<LinkExplanation>&);
Json json_of(const std::vector<LinkExplanation>&);

// ---- One sample's torques with friction, joint by joint: the output of --explain --friction.

void print_friction(const Robot&, const Torques&);
Json friction_json(const Robot&, const Torques&);

// ---- --verify: recomputes some rows by another formulation.

void add_verify(CLI::App&, std::optional<long>& rows);
void check_verify(const std::optional<long>& rows);  // throws Error

Json json_of(const Verification&);
std::string text(const Verification&);  // "verified: 1000 rows again by …"

}  // namespace parid::cli
