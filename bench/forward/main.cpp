// The question: how long does forward dynamics take, and how long the mass matrix, of one sample?

#include <fmt/format.h>

#include <stdexcept>

#include "bench/stopwatch.hpp"
#include "parid/dynamics/articulated_body.hpp"
#include "parid/dynamics/composite_forward.hpp"
#include "parid/model/load.hpp"
#include "parid/run/answers.hpp"
#include "peers/peer.hpp"
#include "tests/random_robot.hpp"

using namespace parid;

namespace {

struct States {
  std::size_t rows = 200;
  std::vector<double> q, v, tau;
};

// Rotors are left out: not every peer has them in forward dynamics.
Description without_rotors(const char* name) {
  Description d = load_description(name);
  for (JointDescription& j : d.joints) j.rotor_inertia = 0;
  return d;
}

}  // namespace

int main() {
  fmt::print("ns per evaluation of one sample (minimum of interleaved rounds), {} kernels\n{}\n",
             instruction_set(), cpu_name());
  for (const char* name : {"puma560", "panda", "quadruped", "humanoid", "chain:16", "chain:64"}) {
    const Description d = without_rotors(name);
    const Robot robot(d);
    const std::size_t nq = robot.nq(), nv = robot.nv();
    States s;
    Rng rng(1);
    for (std::size_t r = 0; r < s.rows; ++r) {
      const State x = random_state(rng, d);
      s.q.insert(s.q.end(), x.q.begin(), x.q.end());
      s.v.insert(s.v.end(), x.v.begin(), x.v.end());
      s.tau.insert(s.tau.end(), x.a.begin(), x.a.end());
    }
    auto each = [&](auto&& one) {
      return [&s, nq, nv, one] {
        for (std::size_t r = 0; r < s.rows; ++r) one(&s.q[r * nq], &s.v[r * nv], &s.tau[r * nv]);
      };
    };
    std::vector<double> a(nv), M(nv * nv);
    Workspace workspace(robot);
    std::vector<Contestant> forward, mass;
    const long n = static_cast<long>(s.rows);
    std::vector<std::unique_ptr<peers::Peer>> peers;
    for (const peers::Maker& maker : peers::makers) {
      try {
        peers.push_back(maker.make(d));
      } catch (const std::runtime_error&) {
        continue;
      }
      peers::Peer* p = peers.back().get();
      forward.push_back(
          {maker.name, n, each([p, &a](const double* q, const double* v, const double* t) {
             p->forward_dynamics(q, v, t, a.data());
           })});
      mass.push_back({maker.name, n, each([p, &M](const double* q, const double*, const double*) {
                        p->mass_matrix(q, M.data());
                      })});
    }
    forward.push_back(
        {"parid generic", n, each([&](const double* q, const double* v, const double* t) {
           forward_dynamics(robot, workspace, {q, nq}, {v, nv}, {t, nv}, a);
         })});
    CompositeForward<double> composite(robot.canonical());
    ArticulatedBody<double> articulated(robot.canonical());
    forward.push_back(
        {"  plain code, composite", n, each([&](const double* q, const double* v, const double* t) {
           composite.acceleration(q, v, t, a.data());
         })});
    forward.push_back({"  plain code, articulated", n,
                       each([&](const double* q, const double* v, const double* t) {
                         articulated.acceleration(q, v, t, a.data());
                       })});
    mass.push_back({"parid generic", n, each([&](const double* q, const double*, const double*) {
                      mass_matrix(robot, workspace, {q, nq}, M);
                    })});
    auto show = [&](const char* what, const std::vector<Contestant>& contestants) {
      const std::vector<Timing> times = race(contestants, 40);
      std::size_t base = 0;
      for (std::size_t k = 0; k < times.size(); ++k)
        if (times[k].name == "DART" && times[base].name != "KDL") base = k;
      fmt::print("\n{:<10} {}\n", name, what);
      for (const Timing& t : times)
        fmt::print("  {:<26} {:>10.1f} {:>8.2f} × {}\n", t.name, t.min_ns,
                   times[base].min_ns / t.min_ns, times[base].name);
    };
    show("forward dynamics", forward);
    show("mass matrix", mass);
  }
}
