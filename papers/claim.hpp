// A claim that a paper prints, what running it gives, and the verdict that follows.
//
// papers/ holds five papers on parallel robot dynamics, one file per paper or part of one. Each
// appends its claims to a Claims. No verdict is typed in: an Outcome makes it from what is printed
// and what our code computes (below), and a reason is written for one verdict; where
// another one comes out, the claim says so and is no longer explained. papers/ may include every
// layer; only cli/, python/ and tests include it.

#pragma once

#include <string>
#include <vector>

#include "papers/layer.hpp"

namespace parid::papers {

// ---- What is printed beside what is computed, and the verdict that follows. These functions are
// the only makers of verdicts.

enum class Verdict { reproduced, refuted, not_derivable };
const char* name(Verdict);  // "not derivable"

// What our side of a comparison is made of.
enum class Basis {
  // by our algorithms: counted, traced, simulated, scheduled, or by running a printed program
  computed,
  arithmetic,  // from numbers that the papers print, and nothing else
  cited,       // nothing is computed: the paper quotes another's measurement or program
};
const char* name(Basis);
inline constexpr Basis bases[] = {Basis::computed, Basis::arithmetic, Basis::cited};

struct Outcome {
  std::string printed, ours;
  Verdict verdict;
  Basis basis = Basis::computed;
};

// The same outcome, where `ours` follows from printed numbers alone.
Outcome arithmetic(Outcome);

// Whole numbers, and texts that are the same or not: formulas, lists.
Outcome exact(long long printed, long long ours);
Outcome exact(std::string printed, std::string ours);

// A number to as many digits as are printed ("0.6072", "-1.5e-6"): half a unit of the last of them
// either way, or `units` of it.
Outcome within(const std::string& printed, double ours, double units = 0.5);

// A rough number, "60 percent": `ours` within `tolerance` of `printed`; texts as they shall be
// shown.
Outcome roughly(std::string printed_text, double printed, std::string ours_text, double ours,
                double tolerance);

// A statement, and whether what we computed bears it out.
Outcome holds(std::string printed, bool borne_out, std::string ours);

// A value that a text may mean in several ways: each reading with what it gives. Reproduced if one
// gives what is printed; else it cannot be derived, and all readings are shown.
struct Reading {
  std::string of;
  std::string gives;
};
Outcome among(std::string printed, const std::vector<Reading>& readings);

// What needs something that is not printed (a computer's speed, a figure that is lost). `ours` is
// what can be computed without it.
Outcome beyond(std::string printed, std::string ours);

// A measurement or count that the paper takes from elsewhere and from which nothing can be
// computed. `ours` says what is missing. Not derivable.
Outcome cited(std::string printed, std::string ours);

// ---- claims

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
