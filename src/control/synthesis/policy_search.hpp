// The policy of stale data with the largest safe period for a given number of parallel steps.
//
// A point of the search is a table of ages (age_table.hpp). Its value is the largest safe period
// (stability.hpp), of several poses the smallest. A table is rejected by one eigenvalue problem: if
// its loop is unstable at the best period so far, its own is shorter.
//
// Two searches: over all tables whose ages are the same in all links, which proves the best of that
// family, and hill climbing by link and reading, from the published policies and from chains cut
// into segments. Neither depends on the number of threads.
//
// Private: included by .cpp files alone.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "control/stability/stability.hpp"

namespace parid::control {

struct PolicyGoal {
  int steps = 1;           // at most, blocks in the longest chain
  int max_age = 2;         // periods, 1 to 8
  bool every = false;      // every table with the same ages in all links, instead of climbing
  int starts = 2;          // climbs from the best starting tables, and as many from near the best
  std::uint64_t seed = 1;  // of the order in which changes are tried
  int threads = 0;         // 0: all cores
  PeriodRange range = {1e-5, 1};
  double tolerance = 1e-4;  // of periods, relative
  std::function<void(double share)> progress = {};
};

struct PolicyRating {
  Policy policy;
  int steps = 0;
  double period = 0;  // s, of the worst pose
  std::vector<double> by_pose;
};

struct FoundPolicy {
  PolicyRating best;
  bool proven = false;  // no table with the same ages in all links is safe for longer
  long tried = 0;       // tables
  std::vector<PolicyRating> published;  // with at most so many steps, the best first
};

// poses: (count, nq). Throws Error if no policy has so few steps, for laws without dynamics, and
// where `every` would be more tables than `most_tables`.
inline constexpr long most_tables = 2'000'000;
FoundPolicy search_policy(const Robot& plant, const LawDesign&, std::span<const double> poses,
                          const PolicyGoal&);

}  // namespace parid::control
