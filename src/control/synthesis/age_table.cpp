#include "control/synthesis/age_table.hpp"

#include <algorithm>
#include <map>

namespace parid::control {
namespace {

int reading_of(Term t) {
  const TermInfo& i = info(t);
  for (int r = 0; r < stale_reading_count; ++r)
    if (stale_readings[r].variable == i.variable && stale_readings[r].reader == i.reader) return r;
  return -1;
}

bool outwards(int reading) { return reading < 4; }
bool inwards(int reading) { return reading == 4 || reading == 5; }
bool across(int reading) { return reading >= 6 && reading <= 8; }

int& age_of(Read& read, Reader reader) {
  switch (reader) {
    case Reader::own: return read.own;
    case Reader::neighbour: return read.neighbour;
    case Reader::across: break;
  }
  return read.across;
}

}  // namespace

std::optional<AgeTable> AgeTable::of(const Policy& p, int links) {
  if (p.by_chance || p.ahead || p.delay > 0 || p.predict_torque || p.separate_alpha)
    return std::nullopt;
  AgeTable table(links);
  const std::vector<AgeRow> rows = p.table(links);
  for (int i = 1; i <= links; ++i) {
    std::array<int, stale_reading_count> found;
    found.fill(-1);
    for (const TermInfo& t : terms()) {
      const AgeRow& row = rows[rows.size() == 1 ? 0 : static_cast<std::size_t>(i)];
      const Age& age = row[static_cast<std::size_t>(t.term)];
      const int r = reading_of(t.term);
      int& here = found[static_cast<std::size_t>(r)];
      if (age.periods > 255 || (here >= 0 && here != age.periods) ||
          (age.periods > 0 && age.prediction != Prediction::hold))
        return std::nullopt;
      here = age.periods;
    }
    for (std::size_t r = 0; r < found.size(); ++r)
      table.link[static_cast<std::size_t>(i)][r] = static_cast<std::uint8_t>(found[r]);
  }
  return table;
}

void AgeTable::set_all(int reading, int age) {
  for (auto& row : link) row[static_cast<std::size_t>(reading)] = static_cast<std::uint8_t>(age);
}

// The age that most links have is the variable's; the others are exceptions.
Policy AgeTable::policy() const {
  Policy p;
  p.id = "found";
  std::array<int, stale_reading_count> usual{};
  for (std::size_t r = 0; r < stale_reading_count; ++r) {
    std::map<int, int> count;
    for (std::size_t i = 1; i < link.size(); ++i) ++count[link[i][r]];
    int most = 0;
    for (const auto& [age, times] : count)
      if (times > most) usual[r] = age, most = times;
    age_of(p[stale_readings[r].variable], stale_readings[r].reader) = usual[r];
  }
  for (std::size_t i = 1; i < link.size(); ++i)
    for (const TermInfo& t : terms()) {
      const auto r = static_cast<std::size_t>(reading_of(t.term));
      if (link[i][r] == usual[r]) continue;
      TermAge x;
      x.term = t.term;
      x.age = {link[i][r], Prediction::hold};
      x.link = static_cast<int>(i);
      p.exceptions.push_back(x);
    }
  return p;
}

int AgeTable::steps(const Topology& t) const {
  const auto n = static_cast<int>(link.size()) - 1;
  const auto fresh = [&](int i, bool (*kind)(int)) {
    for (int r = 0; r < stale_reading_count; ++r)
      if (kind(r) && link[static_cast<std::size_t>(i)][static_cast<std::size_t>(r)] == 0)
        return true;
    return false;
  };
  std::vector<int> forward(link.size()), backward(link.size());
  int longest = 0;
  for (int i = 1; i <= n; ++i) {
    const int parent = t.parent[static_cast<std::size_t>(i)];
    forward[static_cast<std::size_t>(i)] =
        1 + (parent > 0 && fresh(i, outwards) ? forward[static_cast<std::size_t>(parent)] : 0);
  }
  for (int i = n; i >= 1; --i) {  // children have been here: backward holds their longest chain
    int& chain = backward[static_cast<std::size_t>(i)];
    if (!fresh(i, inwards)) chain = 0;
    if (fresh(i, across)) chain = std::max(chain, forward[static_cast<std::size_t>(i)]);
    ++chain;
    longest = std::max({longest, chain, forward[static_cast<std::size_t>(i)]});
    int& above = backward[static_cast<std::size_t>(t.parent[static_cast<std::size_t>(i)])];
    above = std::max(above, chain);
  }
  return longest;
}

bool is_read(const Topology& t, int link, int reading) {
  if (outwards(reading)) return t.parent[static_cast<std::size_t>(link)] > 0;
  if (!inwards(reading)) return true;
  return std::find(t.parent.begin() + 1, t.parent.end(), link) != t.parent.end();
}

}  // namespace parid::control
