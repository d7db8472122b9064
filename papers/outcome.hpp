// What is printed beside what is computed, and the verdict that follows. These functions are the
// only makers of verdicts.

#pragma once

#include <string>
#include <vector>

#include "papers/layer.hpp"

namespace parid::papers {

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

}  // namespace parid::papers
