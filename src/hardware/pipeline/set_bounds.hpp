// How large several values of a graph can be together, and how far off their computed words.
//
// Interval arithmetic bounds every value alone, so a vector that is rotated n times grows by up to
// √2 with every rotation, and so does its error. Here a set of up to three values has a bound of
// its 2-norm. The values are written as linear combinations of earlier ones whose coefficients are
// numbers or depend on one angle: M(θ) = A + B cos θ + C sin θ. If the earlier values are split
// into blocks,
//
//   ‖x‖ ≤ Σ sup ‖M_block(θ)‖ · ‖x_block‖
//
// for every split; the least over all splits is found by dynamic programming, and blocks are
// bounded by recursion. A rotation has norm 1. Nothing is assumed about the graph: vectors are
// found by the minimum alone. Errors are bounded in the same way, with the same matrices, plus the
// roundings and the errors of the coefficients.
//
// All sums are rounded outward: each result is increased by more than its rounding errors.

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "hardware/layer.hpp"

namespace parid::hardware {

struct Range {
  double low = 0, high = 0;
  double size() const { return std::max(std::abs(low), std::abs(high)); }
};

// a + b cos θ + c sin θ.
struct AngleForm {
  double constant = 0, cosine = 0, sine = 0;
  int angle = -1;  // a node; −1: a number

  double size() const;  // its largest magnitude
};

class SetBounds {
 public:
  // The range of every value, for inputs within theirs. `divisor` is the least magnitude of a
  // divisor; operations without a bound of their range (atan2, selections) throw parid::Error.
  SetBounds(const Graph&, std::span<const Range> inputs);
  ~SetBounds();
  SetBounds(SetBounds&&) noexcept;

  const std::vector<Range>& ranges() const { return range_; }
  const Graph& graph() const { return g_; }

  // ---- errors, node by node in the graph's order ----

  void restart();  // forgets all errors
  // A bound of a value's error before it is rounded: what its operands' errors contribute.
  double brought(Id) const;
  // Its rounding: at most that much; of a constant or a sine its own error. Call once per node.
  void round(Id, double);
  double error(Id id) const { return error_[id]; }

 private:
  struct Term {
    Id of;
    AngleForm factor;
  };
  struct Combination {  // x = Σ factor · of
    std::vector<Term> terms;
    std::vector<std::pair<Id, double>> roundings;  // inner nodes and their gains
    struct Wrong {
      Id coefficient, of;
      double gain;
    };
    std::vector<Wrong> wrong;  // products by coefficients that have errors
    bool split = false;        // not x itself
  };
  using Set = std::array<Id, 3>;  // ascending; `none` last
  static constexpr Id none = ~Id{0};
  struct SetHash {
    std::size_t operator()(const Set&) const;
  };
  using Memo = std::unordered_map<Set, double, SetHash>;
  struct Column {
    Id of;
    int angle;
    std::array<AngleForm, 3> rows;
  };
  struct Matrix {  // a set as combinations of others
    std::vector<Column> columns;
    std::vector<Id> kept;
  };

  void classify();
  void range_of(Id, std::span<const Range> inputs);
  const Combination& combination(Id) const;
  void expand(Id root, Id node, const AngleForm& factor, Combination&) const;
  std::vector<std::pair<Matrix, std::vector<bool>>> matrices(const Set&, int members) const;
  template <class Bound>
  double least_split(const Matrix&, int rows, double enough, Bound) const;
  bool related(Id, Id) const;
  double size(const Set&) const;
  double error(const Set&) const;
  double block_norm(const Matrix&, std::span<const int> columns, int rows) const;
  bool common_factor(const Set&, int members, Id& factor, Set& others) const;

  Graph g_;
  std::vector<Range> range_;
  std::vector<AngleForm> form_;
  std::vector<bool> is_form_;
  std::vector<int> uses_;
  std::vector<double> rounding_, error_;
  mutable std::vector<std::unique_ptr<Combination>> combination_;
  mutable std::unordered_map<std::uint64_t, bool> related_;
  mutable Memo size_memo_, error_memo_;
};

}  // namespace parid::hardware
