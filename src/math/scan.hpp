// Parallel prefixes: x[i] becomes x[0] ∘ … ∘ x[i], by a plan and an executor.
//
//   scan(recursive_doubling(n), x, [](const X& earlier, const X& later) { return …; });
//
// ∘ must be associative; it need not be commutative. X decides what happens: doubles are combined;
// Expr records a graph, which is as deep as the plan.

#pragma once

#include <cstring>
#include <type_traits>

#include "math/layer.hpp"
#include "math/scan_plan.hpp"

namespace parid::math {

// Serially, in place.
template <class X, class Combine>
void scan(const ScanPlan& plan, X* x, const Combine& combine) {
  for (const auto& round : plan.rounds)
    for (const ScanStep& s : round) x[s.to] = combine(x[s.from], x[s.to]);
}

// The same from the other end: x[i] becomes x[i] ∘ … ∘ x[n − 1].
template <class X, class Combine>
void scan_from_end(const ScanPlan& plan, X* x, const Combine& combine) {
  const int last = plan.n - 1;
  for (const auto& round : plan.rounds)
    for (const ScanStep& s : round) x[last - s.to] = combine(x[last - s.to], x[last - s.from]);
}

// Runs work(k) for k = 0, …, count − 1, and returns when all are done. This one is serial;
// src/runtime has one with several threads.
struct InTurn {
  template <class Work>
  void operator()(int count, const Work& work) const {
    for (int k = 0; k < count; ++k) work(k);
  }
};

// Round by round, the steps of a round in any order. `room` has space for the widest round: the
// results of a round are stored there until all inputs have been read.
template <class X, class Combine, class Execute>
void scan(const ScanPlan& plan, X* x, X* room, const Combine& combine, const Execute& execute) {
  for (const auto& round : plan.rounds) {
    const int count = static_cast<int>(round.size());
    execute(count, [&](int k) { room[k] = combine(x[round[k].from], x[round[k].to]); });
    execute(count, [&](int k) { x[round[k].to] = room[k]; });
  }
}

// p-fold over SIMD lanes: one block per lane, so that a step of p blocks is one instruction of each
// kind; with an executor, `groups` registers of blocks in parallel. X<T> holds numbers T and
// nothing else; X<Pack> holds those of several elements.
template <class Pack, template <class> class X, class Real, class Combine, class Execute = InTurn>
class LaneScan {
 public:
  static constexpr int lanes = static_cast<int>(sizeof(Pack) / sizeof(Real));

  LaneScan(int n, int groups = 1)
      : n_(n),
        groups_(groups),
        length_((n + lanes * groups - 1) / (lanes * groups)),
        x_(static_cast<std::size_t>(length_) * groups),
        before_(groups) {}

  void operator()(X<Real>* x, const Combine& combine, const Execute& execute = {}) {
    execute(groups_, [&](int g) {
      for (int i = 0; i < length_; ++i) {
        for (int k = 0; k < lanes; ++k) put(at(g, i), k, x[source(g, k, i)]);
        if (i > 0) at(g, i) = combine(at(g, i - 1), at(g, i));
      }
    });
    X<Real> total = got(at(0, length_ - 1), 0);  // of the blocks so far, serially
    for (int b = 1; b < groups_ * lanes && b * length_ < n_; ++b) {
      put(before_[b / lanes], b % lanes, total);
      total = combine(total, got(at(b / lanes, length_ - 1), b % lanes));
    }
    execute(groups_, [&](int g) {
      for (int i = 0; i < length_; ++i) {
        const X<Pack> y = combine(before_[g], at(g, i));
        for (int k = 0; k < lanes; ++k) {
          const int to = (g * lanes + k) * length_ + i;
          if (to < n_) x[to] = got(g + k == 0 ? at(g, i) : y, k);
        }
      }
    });
  }

 private:
  static constexpr int numbers = static_cast<int>(sizeof(X<Real>) / sizeof(Real));
  static_assert(std::is_trivially_copyable_v<X<Real>> && std::is_trivially_copyable_v<X<Pack>>);
  static_assert(sizeof(X<Pack>) == numbers * sizeof(Pack));

  X<Pack>& at(int g, int i) { return x_[static_cast<std::size_t>(g) * length_ + i]; }
  int source(int g, int k,
             int i) const {  // padding repeats the last; its results are not read
    const int from = (g * lanes + k) * length_ + i;
    return from < n_ ? from : n_ - 1;
  }
  static void put(X<Pack>& to, int k, const X<Real>& x) {
    for (int c = 0; c < numbers; ++c)
      std::memcpy(reinterpret_cast<char*>(&to) + (c * lanes + k) * sizeof(Real),
                  reinterpret_cast<const char*>(&x) + c * sizeof(Real), sizeof(Real));
  }
  static X<Real> got(const X<Pack>& from, int k) {
    X<Real> x;
    for (int c = 0; c < numbers; ++c)
      std::memcpy(reinterpret_cast<char*>(&x) + c * sizeof(Real),
                  reinterpret_cast<const char*>(&from) + (c * lanes + k) * sizeof(Real),
                  sizeof(Real));
    return x;
  }

  int n_, groups_, length_;
  std::vector<X<Pack>> x_;       // element i of the lanes' blocks, group by group
  std::vector<X<Pack>> before_;  // the total before each block
};

}  // namespace parid::math
