// A claim that a paper prints, what running it gives, and the verdict that follows.
//
// papers/ holds five papers on parallel robot dynamics, one file per paper or part of one. Each
// appends its claims to a Claims. No verdict is typed in: an Outcome makes it from what is printed
// and what our code computes (papers/outcome.hpp), and a reason is written for one verdict; where
// another one comes out, the claim says so and is no longer explained. papers/ may include every
// layer; only cli/, python/ and tests include it.

#pragma once

#include <string>
#include <vector>

#include "papers/layer.hpp"
#include "papers/outcome.hpp"

namespace parid::papers {

struct Claim {
  std::string paper;  // the paper: "hollerbach"
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
class Claims {
 public:
  explicit Claims(std::string paper) : paper_(std::move(paper)) {}

  void add(std::string where, std::string what, const Outcome&, std::string code, const Reason&);

  const std::vector<Claim>& claims() const { return claims_; }

 private:
  std::string paper_;
  std::vector<Claim> claims_;
};

}  // namespace parid::papers
