#include <stdexcept>

#include "bench/inverse/contestant.hpp"
#include "peers/peer.hpp"

namespace parid::bench {

void add_peers(Entries& entries, const Description& d, std::shared_ptr<const States> s) {
  for (const peers::Maker& maker : peers::makers) {
    std::shared_ptr<peers::Peer> peer;
    try {
      peer = maker.make(d);
    } catch (const std::runtime_error&) {
      continue;  // outside its scope, or not installed
    }
    const std::size_t nq = peer->nq(), nv = peer->nv();
    auto tau = std::make_shared<std::vector<double>>(s->rows * nv);
    auto run = [=] {
      for (std::size_t r = 0; r < s->rows; ++r)
        peer->inverse_dynamics(&s->q[r * nq], &s->v[r * nv], &s->a[r * nv], &(*tau)[r * nv]);
    };
    run();
    entries.push_back({{maker.name, static_cast<long>(s->rows), run}, 1, 1, *tau});
  }
}

}  // namespace parid::bench
