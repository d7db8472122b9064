// Published operation counts, ours, and the reasons for differences.

#pragma once

#include <string>
#include <vector>

#include "papers/layer.hpp"

namespace parid::papers {

struct PublishedCount {
  std::string source;                         // "Hollerbach 1980, Table I"
  std::string method;                         // as the source calls it
  std::string rule;                           // its formula; "" if it prints numbers only
  double multiplications, additions;          // printed, or the formula's value at n
  double our_multiplications, our_additions;  // NaN if there is no counterpart
  std::string ours;                           // description of ours: "waters, as written"
  std::string verdict;                        // "reproduced", "refuted", "not derivable"
  std::string reason;
};

// At n revolute joints in general position; Dhanaraj's Table 2.9 is per joint.
std::vector<PublishedCount> published_counts(int n);

}  // namespace parid::papers
