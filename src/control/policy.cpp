#include "control/policy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "base/text/spelling.hpp"
#include "control/table/policy_file.hpp"
#include "model/canonical_model.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

constexpr const char* variable_names[] = {"w", "wd", "alpha", "e", "ac", "f", "n"};
constexpr const char* reader_names[] = {"own", "neighbour", "across"};
constexpr TermInfo term_list[] = {
    {Term::w_w, Stale::w, Stale::w, Reader::neighbour},
    {Term::wd_wd, Stale::wd, Stale::wd, Reader::neighbour},
    {Term::wd_w, Stale::wd, Stale::w, Reader::neighbour},
    {Term::alpha_alpha, Stale::alpha, Stale::alpha, Reader::neighbour},
    {Term::alpha_w, Stale::alpha, Stale::w, Reader::own},
    {Term::e_e, Stale::e, Stale::e, Reader::neighbour},
    {Term::e_wd, Stale::e, Stale::wd, Reader::own},
    {Term::e_w, Stale::e, Stale::w, Reader::own},
    {Term::ac_e, Stale::ac, Stale::e, Reader::neighbour},
    {Term::ac_wd, Stale::ac, Stale::wd, Reader::own},
    {Term::ac_w, Stale::ac, Stale::w, Reader::own},
    {Term::f_f, Stale::f, Stale::f, Reader::neighbour},
    {Term::f_ac, Stale::f, Stale::ac, Reader::across},
    {Term::n_n, Stale::n, Stale::n, Reader::neighbour},
    {Term::n_f, Stale::n, Stale::f, Reader::neighbour},
    {Term::n_own_f, Stale::n, Stale::f, Reader::own},
    {Term::n_alpha, Stale::n, Stale::alpha, Reader::across},
    {Term::n_w, Stale::n, Stale::w, Reader::across},
};
static_assert(std::size(term_list) == stale_terms);
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
const char* name_of(Reader r) { return reader_names[static_cast<std::size_t>(r)]; }
std::span<const TermInfo> terms() { return term_list; }
const TermInfo& info(Term t) { return term_list[static_cast<std::size_t>(t)]; }
std::string name_of(Term t) {
  const TermInfo& i = info(t);
  return fmt::format("{}: {}.{}", name_of(i.equation), name_of(i.variable), name_of(i.reader));
}

bool Policy::old_by_chance(Stale s, int joint, long period) const {
  if (!by_chance) return true;
  const auto place = static_cast<std::uint64_t>(joint) * stale_variables + static_cast<unsigned>(s);
  const auto in_round = static_cast<std::uint64_t>(period % round);
  return (mixed_up(mixed_up(mixed_up(seed) + place) + in_round) & 1) != 0;
}

int Policy::neighbour_age(Stale s, int link, long period) const {
  return old_by_chance(s, link, period) ? (*this)[s].neighbour : 0;
}

Age Policy::age(Term t, int link) const {
  const TermInfo& i = info(t);
  const Read& read = (*this)[i.variable];
  const int periods[] = {read.own, read.neighbour, read.across};
  Age a{periods[static_cast<std::size_t>(i.reader)], read.prediction};
  for (const TermAge& x : exceptions) {
    const bool everywhere = x.link == 0 && x.joint.empty();
    if (x.term == t && (everywhere || (link > 0 && x.link == link))) a = x.age;
  }
  return a;
}

std::vector<AgeRow> Policy::table(int n) const {
  for (const TermAge& x : exceptions)
    if (x.link == 0 && !x.joint.empty())
      throw std::logic_error("a policy names joints, and bound() has not found their links");
  const bool alike = std::all_of(exceptions.begin(), exceptions.end(),
                                 [](const TermAge& x) { return x.link == 0 && x.joint.empty(); });
  std::vector<AgeRow> rows(alike ? 1 : static_cast<std::size_t>(n) + 1);
  for (std::size_t link = 0; link < rows.size(); ++link)
    for (const TermInfo& t : term_list)
      rows[link][static_cast<std::size_t>(t.term)] = age(t.term, static_cast<int>(link));
  return rows;
}

bool Policy::alpha_apart() const {
  if (separate_alpha) return true;
  int last = 0;
  for (const TermAge& x : exceptions) last = std::max(last, x.link);
  for (const AgeRow& row : table(last)) {
    const auto of = [&](Term t) { return row[static_cast<std::size_t>(t)]; };
    const auto differ = [](const Age& a, const Age& b) {
      return a.periods != b.periods || (a.periods > 0 && a.prediction != b.prediction);
    };
    if (of(Term::alpha_w).periods != 0 || differ(of(Term::alpha_alpha), of(Term::wd_wd)) ||
        differ(of(Term::wd_w), of(Term::w_w)))
      return true;
  }
  return false;
}

int Policy::depth() const {
  int deepest = 0;
  const auto consider = [&](int oldest, Prediction prediction) {
    deepest = std::max(deepest, oldest + (oldest > 0 && prediction == Prediction::linear));
  };
  for (const Read& r : reads) consider(std::max({r.own, r.neighbour, r.across}), r.prediction);
  for (const TermAge& x : exceptions) consider(x.age.periods, x.age.prediction);
  return deepest;
}

Policy bound(Policy p, const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  const auto at = [](const TermAge& x) { return x.place.empty() ? "" : x.place + ": "; };
  std::vector<TermAge> all;
  for (TermAge x : p.exceptions) {
    if (x.link > c.topology.n)
      throw Error(fmt::format("{}link {} is beyond the {} moving links of robot '{}'; give 1 to {}",
                              at(x), x.link, c.topology.n, robot.name(), c.topology.n));
    if (x.joint.empty()) {
      all.push_back(std::move(x));
      continue;
    }
    std::vector<std::string> names;
    bool found = false;
    for (int i = 1; i <= c.topology.n; ++i) {  // a planar joint moves several links
      const auto joint = static_cast<std::size_t>(c.joint[static_cast<std::size_t>(i)].joint);
      names.push_back(robot.description().joints[joint].name);
      if (names.back() != x.joint) continue;
      x.link = i;
      found = true;
      all.push_back(x);
    }
    if (!found)
      throw Error(fmt::format("{}robot '{}' has no moving joint '{}'; {}choose from {}", at(x),
                              robot.name(), x.joint, did_you_mean(x.joint, names),
                              fmt::join(names, ", ")));
  }
  p.exceptions = std::move(all);
  return p;
}

std::span<const PolicyEntry> policies() { return list; }

Policy policy(const std::string& id) {
  if (id.find('\n') != std::string::npos) return parse_policy(id, "policy");
  if (id.ends_with(".toml")) return read_policy(id);
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
  throw Error(fmt::format(
      "unknown policy '{}'; {}choose from {}, or give a .toml file with a table of ages", id,
      did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace parid::control
