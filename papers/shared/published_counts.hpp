// The operation counts that papers print, beside ours, and why they differ.

#pragma once

#include <string>
#include <vector>

#include "papers/layer.hpp"

namespace parid::papers {

struct PublishedCount {
  std::string source;                         // "Hollerbach 1980, Table I"
  std::string method;                         // as the source calls it
  std::string rule;                           // its formula, "" where it prints numbers only
  double multiplications, additions;          // printed; of the formula at n where there is one
  double our_multiplications, our_additions;  // NaN where there is nothing to put beside it
  std::string ours;                           // what ours is: "waters, as written"
  std::string verdict;                        // "reproduced", "refuted", "not derivable"
  std::string reason;
};

// At n revolute joints in general position; Dhanaraj's Table 2.9 is per joint.
std::vector<PublishedCount> published_counts(int n);

}  // namespace parid::papers
