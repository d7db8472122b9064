// Assigns links to lanes: a chain is cut into stretches of equal length, a tree into its paths.
//
// A stretch is a run of links, each the parent of the next. W stretches side by side are a group. A
// tree is cut where it branches, so that stretches begin where others end, and where a path is too
// long; stretches are grouped by length, and short ones padded.

#pragma once

#include <vector>

#include "model/canonical_model.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

class ChainLayout {
 public:
  // Does not depend on the number of threads, so that torques are bitwise equal on any number of
  // threads.
  ChainLayout(const CanonicalModel&, int lanes);
  ~ChainLayout();  // defined in the .cpp: includers are compiled for several instruction sets

  bool straight() const { return straight_; }  // a chain: stretch k + 1 begins where k ends
  int groups() const;
  int threads() const;          // maximum number of threads: a chain's groups; 1 for a tree
  int length(int group) const;  // links of its stretches, including padding
  int first(int group) const;   // of a chain: links before its first
  int link(int group, int lane, int i) const;  // 0: padding
  // Lane k of step i is the user's coordinate columns(group)[i · lanes + k]; −1: padding.
  const int* columns(int group) const;
  int steps() const;  // lengths of all groups

  // Stretches are numbered group · lanes + lane. An order in which each comes after its parent:
  int stretches() const;
  int in_order(int k) const;
  int parent(int stretch) const;  // stretch at whose end it begins; −1: the base

 private:
  struct Stretch {
    std::vector<int> links;
    int parent = -1;
  };
  ChainLayout(const ChainLayout&);
  ChainLayout& operator=(const ChainLayout&);
  void cut(const Topology&);
  void cut_chain(int n);
  void cut_tree(const Topology&, int longest);

  int lanes_;
  bool straight_ = true;
  int n_ = 0, length_ = 0, count_ = 1;  // of a chain: links, links per stretch, groups
  std::vector<Stretch> stretch_;        // of a tree
  std::vector<int> lengths_, order_;
  std::vector<int> columns_, at_;  // of all groups; start of each group's
};

}  // namespace parid::runtime
