#include <fmt/format.h>

#include "bench/dynamics/contestants.hpp"
#include "bench/layer.hpp"
#include "model/format/load.hpp"
#include "tests/random_robot.hpp"

namespace parid::bench {
namespace {

void ask(const Options& o, Report& report, const std::string& what,
         const std::vector<std::string>& robots, bool rotors, double tolerance) {
  for (const std::string& name : o.robots_or(robots)) {
    Description d = load_description(name);
    if (!rotors)
      for (JointDescription& j : d.joints) j.rotor_inertia = 0;
    const auto some = random_states(d, few);
    const auto more = d.joints.size() <= 10 ? random_states(d, many) : random_states(d, many / 10);
    Entries entries;
    if (what != "inverse_gradient") add_peers(entries, d, what, some);
    add_parid_single(entries, d, what, some);
    add_parid_batch(entries, d, what, some, more);
    if (what == "inverse_gradient") {  // the baseline: the torques themselves
      Entries torques;
      add_parid_batch(torques, d, "inverse", some, more);
      for (Entry& e : torques) {
        e.contestant.name += ", torques";
        e.values.clear();
        entries.push_back(std::move(e));
      }
    }
    report.race(name, what, entries, o.rounds(), tolerance);
  }
}

}  // namespace

std::shared_ptr<const States> random_states(const Description& d, std::size_t rows) {
  Rng rng(1);
  auto s = std::make_shared<States>();
  s->rows = rows;
  for (std::size_t r = 0; r < rows; ++r) {
    const RandomState x = random_state(rng, d);
    s->q.insert(s->q.end(), x.q.begin(), x.q.end());
    s->v.insert(s->v.end(), x.v.begin(), x.v.end());
    s->a.insert(s->a.end(), x.a.begin(), x.a.end());
  }
  return s;
}

void ask_inverse(const Options& o, Report& r) {
  ask(o, r, "inverse", {"puma560", "panda", "ur5", "quadruped", "humanoid", "chain:64"}, true,
      1e-11);
}
// Rotors are left out: not every peer has them in forward dynamics.
void ask_forward(const Options& o, Report& r) {
  ask(o, r, "forward", {"puma560", "panda", "quadruped"}, false, 1e-8);
}
void ask_mass(const Options& o, Report& r) {
  ask(o, r, "mass", {"puma560", "panda", "quadruped"}, false, 1e-11);
}
void ask_gradient(const Options& o, Report& r) {
  ask(o, r, "inverse_gradient", {"puma560", "panda"}, true, 1e-11);
}

}  // namespace parid::bench
