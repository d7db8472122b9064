#include "math/scan_plan.hpp"

#include <algorithm>
#include <cassert>

namespace parid::math {

namespace {
int ceil_divide(int a, int b) { return (a + b - 1) / b; }
}  // namespace

int ceil_log2(int n) {
  int k = 0;
  while ((1L << k) < n) ++k;
  return k;
}

long ScanPlan::work() const {
  long sum = 0;
  for (const auto& round : rounds) sum += static_cast<long>(round.size());
  return sum;
}

int ScanPlan::widest() const {
  std::size_t most = 0;
  for (const auto& round : rounds) most = std::max(most, round.size());
  return static_cast<int>(most);
}

int ScanPlan::time(int processors) const {
  int units = 0;
  for (const auto& round : rounds)  // a round of padding still takes its time
    units += std::max(1, ceil_divide(static_cast<int>(round.size()), processors));
  return units;
}

ScanPlan serial_scan(int n) {
  ScanPlan plan{n, {}};
  for (int i = 1; i < n; ++i) plan.rounds.push_back({{i - 1, i}});
  return plan;
}

ScanPlan recursive_doubling(int n) {
  ScanPlan plan{n, {}};
  for (int d = 1; d < n; d *= 2) {
    auto& round = plan.rounds.emplace_back();
    for (int i = n - 1; i >= d; --i) round.push_back({i - d, i});
  }
  return plan;
}

ScanPlan divided_scan(int n) {
  ScanPlan plan{n, {}};
  for (int d = 1; d < n; d *= 2) {
    auto& round = plan.rounds.emplace_back();
    for (int i = 0; i < n; ++i)
      if (i & d) round.push_back({(i & ~(2 * d - 1)) + d - 1, i});
  }
  return plan;
}

ScanPlan tree_scan(int n) {
  ScanPlan plan{n, {}};
  int d = 1;
  for (; d < n; d *= 2) {  // up: x[i] becomes the total of the 2d that end with it
    std::vector<ScanStep> round;
    for (int i = 2 * d - 1; i < n; i += 2 * d) round.push_back({i - d, i});
    if (!round.empty()) plan.rounds.push_back(round);
  }
  for (d /= 2; d >= 1; d /= 2) {  // down: the prefix before them onto the middle ones
    std::vector<ScanStep> round;
    for (int i = 3 * d - 1; i < n; i += 2 * d) round.push_back({i - d, i});
    if (!round.empty()) plan.rounds.push_back(round);
  }
  return plan;
}

ScanPlan p_fold_scan(int n, int p) {
  assert(n >= 1 && p >= 1);
  const int s = ceil_divide(n, p), whole = n / s;  // blocks of s, and full blocks
  ScanPlan plan{n, {}};
  for (int i = 1; i < s; ++i) {
    auto& round = plan.rounds.emplace_back();
    for (int first = 0; first + i < n; first += s) round.push_back({first + i - 1, first + i});
  }
  for (int d = 1; d < p; d *= 2) {
    auto& round = plan.rounds.emplace_back();
    for (int j = whole - 1; j >= d; --j) round.push_back({(j - d + 1) * s - 1, (j + 1) * s - 1});
  }
  std::vector<ScanStep> rest;
  for (int i = s; i < n; ++i)
    if ((i + 1) % s != 0) rest.push_back({i / s * s - 1, i});
  if (!rest.empty()) plan.rounds.push_back(rest);
  return plan;
}

int p_fold_blocks(int n, int p) { return ceil_divide(n, ceil_divide(n, p)); }

ScanPlan p_fold_scan_after(int n, int p, ShortBlock where) {
  assert(n >= 1 && p >= 1);
  if (p == 1) return serial_scan(n + 1);
  const int s = ceil_divide(n, p), blocks = p_fold_blocks(n, p);
  const auto last = [&](int block) {  // of block 1, 2, …; 0: x[0]
    return where == ShortBlock::last ? std::min(block * s, n)
                                     : std::max(n - (blocks - block) * s, 0);
  };
  ScanPlan plan{n + 1, {}};
  for (int k = 2; k <= s; ++k) {
    auto& round = plan.rounds.emplace_back();
    for (int j = 1; j <= blocks; ++j)
      if (const int i = last(j - 1) + k; i <= last(j)) round.push_back({i - 1, i});
  }
  for (int d = 1; d <= blocks; d *= 2) {
    auto& round = plan.rounds.emplace_back();
    for (int j = blocks; j >= d; --j) round.push_back({last(j - d), last(j)});
  }
  std::vector<ScanStep> rest;
  for (int j = 1; j <= blocks; ++j)
    for (int i = last(j - 1) + 1; i < last(j); ++i) rest.push_back({last(j - 1), i});
  if (!rest.empty()) plan.rounds.push_back(rest);
  return plan;
}

int least_combining_time(int m, int p) {
  assert(m >= 1 && p >= 1);
  long done = 0, t = 0;
  for (long k = 1; done < m - 1; ++t, k = std::min<long>(2 * k, p)) done += std::min<long>(k, p);
  return static_cast<int>(t);
}

int p_fold_time(int n, int p) {
  const int s = ceil_divide(n + 1, p);
  return s - 1 + ceil_log2(p) + ceil_divide(n + 2 - s - (n + 1) / s, p);
}

int p_fold_time_as_printed(int n, int p) {
  const int s = ceil_divide(n + 1, p), left = n - p - s + ((n + 1) % p == 0 ? 2 : 3);
  return s - 1 + ceil_log2(p) + ceil_divide(std::max(left, 0), p);
}

}  // namespace parid::math
