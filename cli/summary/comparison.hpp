// Output of `parid compare`: the comparison as JSON, and the growth of counts with the length of an
// arm.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/layer.hpp"
#include "cli/output/documents.hpp"
#include "lookup/comparison.hpp"
#include "math/polynomial.hpp"

namespace parid::cli {

Json rows_json(const std::vector<MethodComparison>&);
Json rows_json(const std::vector<ForwardComparison>&);

struct Growth {
  std::string id, convention;
  std::vector<int> n;
  std::vector<long long> multiplications, additions;
};

// `robot` names a family, chain:6; `range` is n=2..20. Each formulation as written and, while its
// graphs stay small, simplified. Throws Error if either has another form.
std::vector<Growth> growth(const std::string& robot, const std::string& range,
                           const std::vector<const MethodEntry*>&);

// Short arms lack parts of a longer one (a link between two others), so the first lengths may be
// off the polynomial: it is fitted from the first n from which it holds for all the rest.
struct Fit {
  std::optional<Polynomial> polynomial;
  int from = 0;
};
Fit fit(const std::vector<int>& n, const std::vector<long long>& values);
std::string fit_text(const Fit&, int first);  // "106 n^2 − 512  (n ≥ 3)"

}  // namespace parid::cli
