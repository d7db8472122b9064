// The one list of what can be found in a robot file: loaders and check() write findings through it,
// the docs and the tests walk it.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/description.hpp"
#include "model/layer.hpp"

namespace parid::model {

struct FindingCode {
  std::string_view code;
  Finding::Severity severity;
  std::string_view meaning;
};

std::span<const FindingCode> finding_codes();

// A finding with the severity its code has in the list.
Finding finding(std::string_view code, Place at, std::string message, std::string remedy);

// What a loader notices goes through here: a file may have millions of tags and keys to remark on,
// and behind most_remarks (size_limit.hpp) the rest are left out. Ask `enough` before making many
// in vain.
bool enough(const std::vector<Finding>& remarks);
void remark(std::vector<Finding>& remarks, Finding f);

}  // namespace parid::model
