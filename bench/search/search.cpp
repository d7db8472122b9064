// Looks for a robot and a quantity for which another library is faster than the best of ours.
//
// Random robots, of few and many links, in a row and as trees, with all kinds of joints, beside
// those that are built in. One sample per call for everyone, which is what the other libraries
// offer; our programs are not compiled, so that the search takes seconds and finds what a user gets
// without waiting.

#include <fmt/format.h>

#include <algorithm>

#include "bench/dynamics/contestants.hpp"
#include "bench/layer.hpp"
#include "model/format/load.hpp"
#include "parid/parid.hpp"
#include "tests/random_robot.hpp"

namespace parid::bench {
namespace {

struct Candidate {
  std::string name;
  Description robot;
};

std::vector<Candidate> candidates(const Options& o) {
  std::vector<Candidate> all;
  for (const std::string& name : o.robots_or({"planar2", "scara", "puma560", "panda", "quadruped",
                                              "humanoid", "chain:16", "chain:64", "chain:95"})) {
    Description d = load_description(name);
    for (JointDescription& j : d.joints) j.rotor_inertia = 0;  // not every library has them
    all.push_back({name, std::move(d)});
  }
  if (!o.robots.empty() || o.quick) return all;
  Rng rng(17);
  const auto add = [&](const char* kind, int n, Description d) {
    all.push_back({fmt::format("{} of {} joints", kind, n), std::move(d)});
  };
  for (const int n : {1, 3, 12, 40}) {
    add("chain", n, random_chain(rng, n, {.rotors = false}));
    add("prismatic chain", n,
        random_chain(rng, n, {.revolute = 0, .prismatic = 1, .rotors = false}));
    add("tree", n, random_tree(rng, n, {.revolute = 2, .prismatic = 1, .rotors = false}));
  }
  add("floating tree", 20, random_tree(rng, 20, {.floating_base = true, .rotors = false}));
  return all;
}

struct Case {
  std::string robot, what, rival, ours;
  double rival_ns, our_ns;
  double ratio() const { return rival_ns / our_ns; }
};

void add_generic(Entries& entries, const Description& d, const std::string& what,
                 std::shared_ptr<const States> s) {
  Entries all;
  add_parid_single(all, d, what, s, false);
  for (Entry& e : all)
    if (e.contestant.name != "parid generic + friction") entries.push_back(std::move(e));
}

}  // namespace

void ask_search(const Options& o, Report& report) {
  std::vector<Case> cases;
  for (const Candidate& c : candidates(o)) {
    for (const char* what : {"inverse", "forward", "mass"}) {
      const auto states = random_states(c.robot, 100);
      Entries entries;
      add_peers(entries, c.robot, what, states);
      const std::size_t rivals = entries.size();
      if (rivals == 0) continue;
      add_generic(entries, c.robot, what, states);
      std::vector<Contestant> contestants;
      for (const Entry& e : entries) contestants.push_back(e.contestant);
      const std::vector<Timing> t = race(contestants, std::min(o.rounds(), 10));
      const auto least = [](const Timing& x, const Timing& y) { return x.min_ns < y.min_ns; };
      const auto middle = t.begin() + static_cast<long>(rivals);
      const Timing &rival = *std::min_element(t.begin(), middle, least),
                   &ours = *std::min_element(middle, t.end(), least);
      cases.push_back({c.name, what, rival.name, ours.name, rival.min_ns, ours.min_ns});
    }
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& x, const Case& y) { return x.ratio() < y.ratio(); });
  if (report.tables) {
    fmt::print("\n{:<28} {:<10} {:<12} {:>10} {:<26} {:>10} {:>8}\n", "search, the closest first",
               "quantity", "best rival", "ns", "best of ours", "ns", "ratio");
    for (std::size_t k = 0; k < std::min<std::size_t>(10, cases.size()); ++k) {
      const Case& c = cases[k];
      fmt::print("  {:<26} {:<10} {:<12} {:>10.1f} {:<26} {:>10.1f} {:>8.2f}{}\n", c.robot, c.what,
                 c.rival, c.rival_ns, c.ours, c.our_ns, c.ratio(),
                 c.ratio() < 1 ? "  the rival wins" : "");
    }
    const auto lost =
        std::count_if(cases.begin(), cases.end(), [](const Case& c) { return c.ratio() < 1; });
    fmt::print("{} of {} cases are won by another library\n", lost, cases.size());
  }
  for (const Case& c : cases)
    report.results.push_back({{"robot", c.robot},
                              {"what", c.what},
                              {"batch", 1},
                              {"threads", 1},
                              {"contestant", c.ours},
                              {"ns", c.our_ns},
                              {"baseline", c.rival},
                              {"speedup", c.ratio()},
                              {"search", true}});
}

}  // namespace parid::bench
