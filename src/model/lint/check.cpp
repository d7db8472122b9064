#include "model/lint/check.hpp"

#include <algorithm>

#include "model/format/size_limit.hpp"
#include "model/lint/check_parts.hpp"

namespace parid::model {

std::vector<Finding> check(const Description& d) {
  using Severity = Finding::Severity;
  if (std::string wrong = too_many(d.joints.size(), d.links.size()); !wrong.empty())
    return {finding("too-many-joints", d.at(0), std::move(wrong), too_many_remedy)};
  std::vector<Finding> found = d.remarks;
  const bool refused =
      std::any_of(found.begin(), found.end(), [](const Finding& f) { return refuses(f); });
  lint::Findings own;
  lint::Tree tree = lint::check_structure(d, own);
  lint::check_mimics(d, tree, own);
  if (lint::check_finite(d, own)) {
    lint::check_joints(d, own);
    lint::check_links(d, tree, own);
    if (!refused && !own.fatal()) lint::check_mass_matrix(d, tree, own);
  }
  found.insert(found.end(), own.kept().begin(), own.kept().end());
  std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) {
    if (a.at.line != b.at.line) return a.at.line < b.at.line;
    return a.severity == Severity::error && b.severity == Severity::warning;
  });
  return found;
}

}  // namespace parid::model
