// Paths of a tree's rows and freedoms to the root, as lists that the templates of this layer read.
//
// They are built outside of the templates: code that is compiled for one instruction set may
// contain no functions without the set's name (scalar/isa.hpp).

#pragma once

#include <span>
#include <vector>

#include "dynamics/layer.hpp"
#include "model/canonical_model.hpp"

namespace parid::dynamics {

// Of every row the rows between it and the root, in runs of neighbours.
class TreePaths {
 public:
  // parent[k] < k is the next row that row k has an entry in, or -1.
  explicit TreePaths(std::vector<int> parent);
  // Of the freedoms; of a robot with joints that mimic others a full matrix of its coordinates.
  explicit TreePaths(const CanonicalModel&);
  TreePaths(const TreePaths&) = delete;
  ~TreePaths();

  int size() const { return size_; }

  // f(first, last) for each run, upwards.
  template <class F>
  void each_run(int k, const F& f) const {
    for (int last = parent_[k]; last >= 0;) {
      const int first = run_[last];
      f(first, last);
      last = parent_[first];
    }
  }
  template <class F>
  void each(int k, const F& f) const {
    each_run(k, [&f](int first, int last) {
      for (int i = last; i >= first; --i) f(i);
    });
  }

 private:
  std::vector<int> parents_, runs_;
  int size_;
  // run_[k] is the first row from which each is the next one's parent up to k.
  const int *parent_, *run_;
};

// Of every link the freedoms between it and the base, and those of the links beyond it.
class FreedomPaths {
 public:
  struct Column {
    int freedom, column;
  };
  struct OfLink {
    std::span<const Column> before, beyond;
    // The first freedoms of the registers that hold them.
    std::span<const int> registers_before, registers_beyond;
  };

  // `numbers` in each register; 0: of no link.
  FreedomPaths(const CanonicalModel&, int numbers);
  FreedomPaths(const FreedomPaths&) = delete;
  ~FreedomPaths();

  const OfLink& operator[](int link) const { return of_[link]; }

 private:
  std::vector<Column> columns_;
  std::vector<int> registers_;
  std::vector<OfLink> links_;
  const OfLink* of_ = nullptr;
};

}  // namespace parid::dynamics
