#include "parid/control/policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "parid/error.hpp"
#include "parid/model/spelling.hpp"

namespace parid {
namespace {

constexpr const char* variable_names[] = {"w", "wd", "e", "ac", "f", "n"};
constexpr Stale handed_on[] = {Stale::w, Stale::wd, Stale::e, Stale::f, Stale::n};

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
  p[Stale::wd].neighbour = p[Stale::e].neighbour = 0;
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
  for (const Stale s : {Stale::w, Stale::wd, Stale::ac}) p[s].across = 1;
  return p;
}
Policy buffered_ahead() {
  Policy p = buffered();
  p.ahead = true;
  return p;
}
Policy all_old() {
  Policy p = buffered();
  for (const Stale s : {Stale::w, Stale::wd, Stale::f}) p[s].own = 1;
  return p;
}
// Table 1 boxes ω in the backward recursion, but neither α (our ω̇ there) nor a_c.
Policy as_boxed() {
  Policy p = all_old();
  p[Stale::wd].across = p[Stale::ac].across = 0;
  return p;
}
Policy delayed_by_one() {
  Policy p;
  p.delay = 1;
  return p;
}

constexpr PolicyEntry list[] = {
    {"exact", "every value is this period's: the serial controller", exact},
    {"binder_herzog", "neighbours' values one period old (zero-order prediction)", neighbours_old},
    {"binder_herzog_first", "the same, drawn on in a straight line (first-order prediction)",
     [] { return linear(neighbours_old()); }},
    {"binder_herzog_mixed",
     "as binder_herzog, but chosen variables exact: ω̇ and accelerations, or those after a colon",
     mixed},
    {"vuskovic", "nobody waits: neighbours' values one period old or this period's, by chance",
     decoupled},
    {"vuskovic_output", "the same, torques drawn on in a straight line (output prediction)",
     decoupled_output},
    {"yamakita", "binder_herzog, and forces from accelerations that are one period old", buffered},
    {"yamakita_ahead", "the same, a period ahead by the desired motion", buffered_ahead},
    {"hamilton", "every variable one period old (also hamilton_all)", all_old},
    {"hamilton_boxes", "as Table 1 boxes them: forces from this period's accelerations", as_boxed},
    {"hamilton_first", "as hamilton, drawn on in a straight line",
     [] { return linear(all_old()); }},
    {"delayed", "the whole law old by the periods after a colon, such as delayed:2 (1 if none)",
     delayed_by_one},
};

Stale variable(const std::string& word) {
  std::vector<std::string> names;
  for (const Stale s : handed_on) {
    if (word == name_of(s)) return s;
    names.push_back(name_of(s));
  }
  throw Error(fmt::format("binder_herzog_mixed: there is no variable '{}'; give some of {}", word,
                          fmt::join(names, ", ")));
}

Policy with_argument(const std::string& name, const std::string& argument) {
  if (name == "delayed") {
    int periods = -1;
    const char* end = argument.data() + argument.size();
    const auto [stop, error] = std::from_chars(argument.data(), end, periods);
    if (error != std::errc() || stop != end || periods < 0 || periods > 1000)
      throw Error(fmt::format("delayed:{}: give whole periods from 0 to 1000, such as delayed:2",
                              argument));
    Policy p;
    p.delay = periods;
    return p;
  }
  if (name == "binder_herzog_mixed") {
    Policy p = neighbours_old();
    for (std::size_t from = 0; from <= argument.size();) {
      const std::size_t to = std::min(argument.find(',', from), argument.size());
      p[variable(argument.substr(from, to - from))].neighbour = 0;
      from = to + 1;
    }
    return p;
  }
  throw Error(fmt::format("{}:{}: this policy takes nothing after a colon", name, argument));
}

// A number without pattern from three, by the mixing of Steele, Lea and Flood's SplitMix.
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
  throw Error(fmt::format("there is no policy '{}'; {}there are {}", id, did_you_mean(name, names),
                          fmt::join(names, ", ")));
}

}  // namespace parid
