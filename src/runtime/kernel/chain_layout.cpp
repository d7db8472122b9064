#include "runtime/kernel/chain_layout.hpp"

#include <algorithm>
#include <numeric>

#include "formulation/scope.hpp"

namespace parid::runtime {

ChainLayout::~ChainLayout() = default;
ChainLayout::ChainLayout(const ChainLayout&) = default;
ChainLayout& ChainLayout::operator=(const ChainLayout&) = default;

ChainLayout::ChainLayout(const CanonicalModel& c, int lanes) : lanes_(lanes), n_(c.topology.n) {
  cut(c.topology);
  for (int g = 0; g < groups(); ++g) {
    at_.push_back(static_cast<int>(columns_.size()));
    for (int i = 0; i < length(g); ++i)
      for (int k = 0; k < lanes; ++k) {
        const int l = link(g, k, i);
        columns_.push_back(l == 0 ? -1 : c.joint[l].velocity);
      }
  }
}

void ChainLayout::cut(const Topology& t) {
  straight_ = is_chain(t);
  if (straight_) return cut_chain(t.n);
  ChainLayout best = *this;  // by the number of steps, for a few lengths
  for (int longest = 8; longest <= 256; longest *= 2) {
    ChainLayout one = *this;
    one.cut_tree(t, longest);
    auto cost = [](const ChainLayout& l) { return 3 * l.steps() + 5 * l.stretches(); };
    if (best.stretch_.empty() || cost(one) < cost(best)) best = one;
  }
  *this = best;
}

// One group if two threads would not pay off; two up to a stretch length beyond which joining more
// groups costs little, and the data of a group's sweeps should stay in the cache.
void ChainLayout::cut_chain(int n) {
  constexpr int two_threads_pay_from = 256, good_length = 64;
  count_ = n < two_threads_pay_from ? 1 : 2;
  while (n >= 2 * count_ * lanes_ * good_length) count_ *= 2;
  length_ = (n + count_ * lanes_ - 1) / (count_ * lanes_);
}

void ChainLayout::cut_tree(const Topology& t, int longest) {
  std::vector<int> children(t.n + 1, 0), of(t.n + 1, -1);  // how many; in which stretch
  for (int i = 1; i <= t.n; ++i) ++children[t.parent[i]];
  std::vector<Stretch> all;
  for (int i = 1; i <= t.n; ++i) {  // parents come first
    const int j = t.parent[i], s = of[j];
    const bool goes_on =
        j > 0 && children[j] == 1 && static_cast<int>(all[s].links.size()) < longest;
    if (!goes_on) all.push_back({{}, j > 0 ? s : -1});
    of[i] = goes_on ? s : static_cast<int>(all.size()) - 1;
    all[of[i]].links.push_back(i);
  }
  // Sorts by length, longest first, and renumbers.
  std::vector<int> by_length(all.size()), place(all.size());
  std::iota(by_length.begin(), by_length.end(), 0);
  std::stable_sort(by_length.begin(), by_length.end(),
                   [&](int a, int b) { return all[a].links.size() > all[b].links.size(); });
  for (std::size_t k = 0; k < all.size(); ++k) place[by_length[k]] = static_cast<int>(k);
  order_ = place;  // parents were created first
  for (const int k : by_length) {
    if (stretch_.size() % lanes_ == 0) lengths_.push_back(static_cast<int>(all[k].links.size()));
    stretch_.push_back(all[k]);
    if (stretch_.back().parent >= 0) stretch_.back().parent = place[stretch_.back().parent];
  }
  count_ = static_cast<int>(lengths_.size());
}

int ChainLayout::groups() const { return count_; }
int ChainLayout::threads() const { return straight_ ? count_ : 1; }
int ChainLayout::length(int group) const { return straight_ ? length_ : lengths_[group]; }
int ChainLayout::first(int group) const { return group * lanes_ * length_; }
int ChainLayout::link(int group, int lane, int i) const {
  if (straight_) {
    const int l = first(group) + lane * length_ + i + 1;
    return l <= n_ ? l : 0;
  }
  const auto s = static_cast<std::size_t>(group * lanes_ + lane);
  if (s >= stretch_.size() || i >= static_cast<int>(stretch_[s].links.size())) return 0;
  return stretch_[s].links[i];
}
const int* ChainLayout::columns(int group) const { return columns_.data() + at_[group]; }
int ChainLayout::steps() const {
  return straight_ ? count_ * length_ : std::accumulate(lengths_.begin(), lengths_.end(), 0);
}
int ChainLayout::stretches() const {
  return straight_ ? count_ * lanes_ : static_cast<int>(stretch_.size());
}
int ChainLayout::in_order(int k) const { return straight_ ? k : order_[k]; }
int ChainLayout::parent(int stretch) const {
  return straight_ ? stretch - 1 : stretch_[stretch].parent;
}

}  // namespace parid::runtime
