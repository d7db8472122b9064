#include <stdexcept>

#include "bench/dynamics/contestants.hpp"
#include "bench/layer.hpp"
#include "peers/peer.hpp"

namespace parid::bench {

void add_peers(Entries& entries, const Description& d, const std::string& what,
               std::shared_ptr<const States> s) {
  std::vector<peers::Maker> makers(peers::makers.begin(), peers::makers.end());
  makers.insert(makers.end(), peers::elsewhere.begin(), peers::elsewhere.end());
  for (const peers::Maker& maker : makers) {
    std::shared_ptr<peers::Peer> peer;
    try {
      peer = maker.make(d);
    } catch (const std::runtime_error&) {
      continue;  // outside its scope, or not installed
    }
    const std::size_t nq = peer->nq(), nv = peer->nv(), width = what == "mass" ? nv * nv : nv;
    auto out = std::make_shared<std::vector<double>>(s->rows * width);
    auto run = [=] {
      for (std::size_t r = 0; r < s->rows; ++r) {
        const double *q = &s->q[r * nq], *v = &s->v[r * nv], *a = &s->a[r * nv];
        double* to = &(*out)[r * width];
        if (what == "inverse")
          peer->inverse_dynamics(q, v, a, to);
        else if (what == "forward")
          peer->forward_dynamics(q, v, a, to);
        else
          peer->mass_matrix(q, to);
      }
    };
    run();
    entries.push_back({{maker.name, static_cast<long>(s->rows), run}, 1, 1, *out});
  }
}

}  // namespace parid::bench
