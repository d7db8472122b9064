// The list of findings in robot files: loaders and check() create findings from it, the
// documentation and the tests read it.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"
#include "parid/quantity.hpp"

namespace parid::model {

struct FindingCode {
  std::string_view code;
  Finding::Severity severity;
  Effect effect;
  std::string_view meaning;
};

std::span<const FindingCode> finding_codes();

// An error for which a robot is not loaded at all; with `strict`, every error.
inline bool refuses(const Finding& f, bool strict = false) {
  return f.severity == Finding::Severity::error && (strict || f.effect == Effect::all);
}

// The quantities that a finding affects, in the order of the table of quantities: their values are
// unreliable or, for Effect::forward, undefined.
std::vector<Quantity> affected(Effect);

// A finding with the severity and effect of its code.
Finding finding(std::string_view code, Place at, std::string message, std::string remedy);

// Limits the remarks of a loader: a file may have millions of tags and keys, and after most_remarks
// (size_limit.hpp) the rest are left out. Call `enough` before creating many.
bool enough(const std::vector<Finding>& remarks);
void remark(std::vector<Finding>& remarks, Finding f);

}  // namespace parid::model
