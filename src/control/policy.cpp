#include "control/policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/text/spelling.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

constexpr const char* variable_names[] = {"w", "wd", "alpha", "e", "ac", "f", "n"};
constexpr Stale handed_on[] = {Stale::w, Stale::wd, Stale::alpha, Stale::e, Stale::f, Stale::n};

// The readings of the recursion: forces do not read ω̇, and only forces read a_c.
struct Reading {
  Stale variable;
  const char* name;  // after the dot
  int Read::*age;
};
constexpr Reading readings[] = {
    {Stale::w, "own", &Read::own},
    {Stale::w, "neighbour", &Read::neighbour},
    {Stale::w, "across", &Read::across},
    {Stale::wd, "own", &Read::own},
    {Stale::wd, "neighbour", &Read::neighbour},
    {Stale::alpha, "neighbour", &Read::neighbour},
    {Stale::alpha, "across", &Read::across},
    {Stale::e, "neighbour", &Read::neighbour},
    {Stale::ac, "across", &Read::across},
    {Stale::f, "own", &Read::own},
    {Stale::f, "neighbour", &Read::neighbour},
    {Stale::n, "neighbour", &Read::neighbour},
};

Policy exact() { return {}; }

Policy neighbours_old() {
  Policy p;
  for (const Stale s : handed_on) p[s].neighbour = 1;
  return p;
}
Policy linear(Policy p) {
  for (Read& r : p.reads) r.prediction = Prediction::linear;
  return p;
}
Policy mixed() {
  Policy p = neighbours_old();
  p[Stale::wd].neighbour = p[Stale::alpha].neighbour = p[Stale::e].neighbour = 0;
  return p;
}
Policy decoupled() {
  Policy p = neighbours_old();
  p.by_chance = true;
  return p;
}
Policy decoupled_output() {
  Policy p = decoupled();
  p.predict_torque = true;
  return p;
}
Policy buffered() {
  Policy p = neighbours_old();
  for (const Stale s : {Stale::w, Stale::alpha, Stale::ac}) p[s].across = 1;
  return p;
}
Policy all_old() {
  Policy p;
  for (const Reading& r : readings) p[r.variable].*r.age = 1;
  return p;
}
// Table 1 boxes ω in the backward recursion, but neither α nor a_c.
Policy as_boxed() {
  Policy p = all_old();
  p[Stale::alpha].across = p[Stale::ac].across = 0;
  return p;
}
// Section 3.1: prior data for all variables, some terms two iterations old; section 4: two terms
// mix data of different periods. The paper does not say which two. If m a_c and I α are buffered
// like every other value, the sums of forces and of moments read accelerations two periods old
// together with values one period old. We take these as the two terms.
Policy all_buffered() {
  Policy p = all_old();
  p[Stale::ac].across = p[Stale::alpha].across = 2;
  return p;
}
Policy all_buffered_ahead() {
  Policy p = all_buffered();
  p.ahead = true;
  return p;
}
Policy delayed_by_one() {
  Policy p;
  p.delay = 1;
  return p;
}

constexpr PolicyEntry list[] = {
    {"exact", "every value is from this period: the serial controller", exact},
    {"binder_herzog", "neighbours' values are one period old (zero-order prediction)",
     neighbours_old},
    {"binder_herzog_first",
     "the same, extrapolated linearly (first-order prediction); variables after a colon are exact",
     [] { return linear(neighbours_old()); }},
    {"binder_herzog_mixed",
     "as binder_herzog, with exact ω̇, α and accelerations, or the variables after a colon", mixed},
    {"vuskovic",
     "no synchronization: neighbours' values are from this period or the last, at random",
     decoupled},
    {"vuskovic_output", "the same, torques extrapolated linearly (output prediction)",
     decoupled_output},
    {"buffered", "binder_herzog, with forces from accelerations that are one period old", buffered},
    {"yamakita",
     "every variable one period old, chosen readings two: ac.across and alpha.across, or those "
     "after a colon",
     all_buffered},
    {"yamakita_ahead", "the same, predicted one period ahead by the desired motion",
     all_buffered_ahead},
    {"hamilton", "every variable one period old (also hamilton_all)", all_old},
    {"hamilton_boxes",
     "as boxed in Table 1 of Hamilton et al. (1996): forces from this period's accelerations",
     as_boxed},
    {"hamilton_first", "as hamilton, extrapolated linearly", [] { return linear(all_old()); }},
    {"delayed",
     "the whole control law delayed by the periods after a colon, such as delayed:2 (default 1)",
     delayed_by_one},
};

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> all;
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t to = std::min(list.find(',', from), list.size());
    all.push_back(list.substr(from, to - from));
    from = to + 1;
  }
  return all;
}

// A whole number from 0 to `most`, or -1.
int whole(const std::string& text, int most) {
  int x = -1;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, x);
  return error == std::errc() && stop == end && x <= most ? std::max(x, -1) : -1;
}

Stale handed_on_variable(const std::string& policy, const std::string& word) {
  std::vector<std::string> names;
  for (const Stale s : handed_on) {
    if (word == name_of(s)) return s;
    names.push_back(name_of(s));
  }
  throw Error(fmt::format("{}: unknown variable '{}'; choose from {}", policy, word,
                          fmt::join(names, ", ")));
}

// "ac.across", "w" (all of its readings), "ac.across=3".
void make_old(Policy& p, const std::string& policy, const std::string& word) {
  const std::size_t sign = std::min(word.find('='), word.size());
  const std::string term = word.substr(0, sign);
  const int age = sign == word.size() ? 2 : whole(word.substr(sign + 1), oldest_age);
  if (age < 0)
    throw Error(
        fmt::format("{}: invalid age of '{}'; give whole periods from 0 to {}, such as {}=3",
                    policy, word, oldest_age, term));
  bool found = false;
  std::vector<std::string> names;
  for (const Reading& r : readings) {
    const std::string variable = name_of(r.variable), name = variable + "." + r.name;
    names.push_back(name);
    if (term != variable && term != name) continue;
    p[r.variable].*r.age = age;
    found = true;
  }
  if (!found)
    throw Error(fmt::format("{}: unknown reading '{}'; choose from {}", policy, term,
                            fmt::join(names, ", ")));
}

Policy with_argument(const std::string& name, const std::string& argument) {
  Policy p;
  if (name == "delayed") {
    p.delay = whole(argument, oldest_age);
    if (p.delay < 0)
      throw Error(fmt::format("delayed:{}: give whole periods from 0 to {}, such as delayed:2",
                              argument, oldest_age));
  } else if (name == "binder_herzog_mixed" || name == "binder_herzog_first") {
    p = neighbours_old();
    if (name == "binder_herzog_first") p = linear(p);
    for (const std::string& word : words(argument)) p[handed_on_variable(name, word)].neighbour = 0;
  } else if (name == "yamakita" || name == "yamakita_ahead") {
    p = all_old();
    p.ahead = name == "yamakita_ahead";
    for (const std::string& word : words(argument)) make_old(p, name, word);
  } else {
    throw Error(fmt::format("{}:{}: this policy has no parameters after a colon", name, argument));
  }
  return p;
}

// A pseudorandom number from three numbers, by the mixing function of Steele, Lea and Flood's
// SplitMix.
std::uint64_t mixed_up(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

const char* name_of(Stale s) { return variable_names[static_cast<std::size_t>(s)]; }

int Policy::neighbour_age(Stale s, int link, long period) const {
  const int age = (*this)[s].neighbour;
  if (!by_chance) return age;
  const auto place = static_cast<std::uint64_t>(link) * stale_variables + static_cast<unsigned>(s);
  const auto in_round = static_cast<std::uint64_t>(period % round);
  return mixed_up(mixed_up(mixed_up(seed) + place) + in_round) & 1 ? age : 0;
}

bool Policy::alpha_apart() const {
  const Read &wd = (*this)[Stale::wd], &alpha = (*this)[Stale::alpha];
  return (*this)[Stale::w].own != 0 || alpha.neighbour != wd.neighbour ||
         (alpha.neighbour > 0 && alpha.prediction != wd.prediction);
}

int Policy::depth() const {
  int deepest = 0;
  for (const Read& r : reads) {
    const int oldest = std::max({r.own, r.neighbour, r.across});
    deepest = std::max(deepest, oldest + (oldest > 0 && r.prediction == Prediction::linear));
  }
  return deepest;
}

std::span<const PolicyEntry> policies() { return list; }

Policy policy(const std::string& id) {
  const std::size_t colon = id.find(':');
  const std::string asked = id.substr(0, colon);
  const std::string name = asked == "hamilton_all" ? "hamilton" : asked;
  std::vector<std::string> names;
  for (const PolicyEntry& entry : list) {
    names.push_back(entry.id);
    if (name != entry.id) continue;
    Policy p =
        colon == std::string::npos ? entry.make() : with_argument(name, id.substr(colon + 1));
    p.id = id;
    return p;
  }
  throw Error(fmt::format("unknown policy '{}'; {}choose from {}", id, did_you_mean(name, names),
                          fmt::join(names, ", ")));
}

}  // namespace parid::control
