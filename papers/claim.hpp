// A claim of a paper, our value, and the resulting verdict.
//
// papers/ contains five papers on parallel robot dynamics, one file per paper or part of one. Each
// appends its claims to a Claims. No verdict is written by hand: an Outcome derives it from the
// printed and the computed value (below), and a reason is written for one verdict; if another
// verdict results, the claim is marked as no longer explained. papers/ may include every layer;
// only cli/, python/ and tests include it.

#pragma once

#include <string>
#include <vector>

#include "papers/layer.hpp"

namespace parid::papers {

// ---- Comparisons of printed with computed values, and their verdicts. Only these functions create
// verdicts.

enum class Verdict { reproduced, refuted, not_derivable };
const char* name(Verdict);  // "not derivable"

// The basis of our side of a comparison.
enum class Basis {
  // by our algorithms: counted, traced, simulated, scheduled, or by running a printed program
  computed,
  arithmetic,  // only from numbers that the papers print
  cited,       // nothing is computed: the paper quotes another's measurement or program
};
const char* name(Basis);
inline constexpr Basis bases[] = {Basis::computed, Basis::arithmetic, Basis::cited};

struct Outcome {
  std::string printed, ours;
  Verdict verdict;
  Basis basis = Basis::computed;
};

// The same outcome, if `ours` follows from printed numbers alone.
Outcome arithmetic(Outcome);

// Integers, and texts that must be equal: formulas, lists.
Outcome exact(long long printed, long long ours);
Outcome exact(std::string printed, std::string ours);

// A number to as many digits as are printed ("0.6072", "-1.5e-6"): within half a unit of the last
// digit, or within `units` of it.
Outcome within(const std::string& printed, double ours, double units = 0.5);

// A rough number, "60 percent": `ours` within `tolerance` of `printed`; the texts are for display.
Outcome roughly(std::string printed_text, double printed, std::string ours_text, double ours,
                double tolerance);

// A statement, and whether our computation confirms it.
Outcome holds(std::string printed, bool borne_out, std::string ours);

// A value that a text may mean in several ways: each interpretation with its value. Reproduced if
// one gives the printed value; else not derivable, and all interpretations are shown.
struct Reading {
  std::string of;
  std::string gives;
};
Outcome among(std::string printed, const std::vector<Reading>& readings);

// A claim that depends on something that is not printed (a computer's speed, a lost figure). `ours`
// is what can be computed without it.
Outcome beyond(std::string printed, std::string ours);

// A measurement or count that the paper quotes and from which nothing can be computed. `ours`
// states what is missing. Not derivable.
Outcome cited(std::string printed, std::string ours);

// ---- claims

struct Claim {
  std::string paper;  // the paper: "hollerbach"
  std::string where;  // "Table II"; equations by number
  std::string what;   // the claim: "multiplications of Waters' formulation at n = 6"
  std::string printed, ours;
  Verdict verdict;
  Basis basis;  // basis of `ours`
  std::string reason;
  std::string code;        // source of our value: "src/runtime/cost/cost.hpp: cost"
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
