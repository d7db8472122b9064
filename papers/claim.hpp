// A claim that a paper prints, what running it gives, and the verdict that follows.
//
// record/ holds the five papers that Parid grew out of, one file per paper or part of one. Each
// appends its claims to a Record. No verdict is typed in: an Outcome makes it from what is printed
// and what our code computes (papers/outcome.hpp), and a reason is written for one verdict; where
// another one comes out, the claim says so and is no longer explained. record/ may include
// everything in parid/; only cli/ and python/ include it.

#pragma once

#include <string>
#include <vector>

#include "papers/layer.hpp"
#include "papers/outcome.hpp"

namespace parid::papers {

struct Claim {
  std::string seed;   // the paper: "hollerbach"
  std::string where;  // "Table II"; equations by number
  std::string what;   // is claimed: "multiplications of Waters' formulation at n = 6"
  std::string printed, ours;
  Verdict verdict;
  Basis basis;  // what `ours` is made of
  std::string reason;
  std::string code;        // that computes ours: "src/runtime/cost/cost.hpp: cost"
  bool explained = false;  // the reason was written for this verdict
};

// A sentence, and the verdict that it explains.
struct Reason {
  Verdict of;
  std::string sentence;
};
Reason reproduced(std::string because);
Reason refuted(std::string because);
Reason not_derivable(std::string because);

// The claims of one paper, in the order in which they are added.
class Record {
 public:
  explicit Record(std::string seed) : seed_(std::move(seed)) {}

  void add(std::string where, std::string what, const Outcome&, std::string code, const Reason&);

  const std::vector<Claim>& claims() const { return claims_; }

 private:
  std::string seed_;
  std::vector<Claim> claims_;
};

}  // namespace parid::papers
