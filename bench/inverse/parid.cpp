#include "parid/parid.hpp"
#include "bench/inverse/contestant.hpp"

namespace parid::bench {

void add_parid(Entries& entries, const Description& d, std::shared_ptr<const States> s) {
  const Robot robot(d);
  const std::size_t nq = robot.nq(), nv = robot.nv();
  auto tau = std::make_shared<std::vector<double>>(s->rows * nv);

  auto workspace = std::make_shared<Workspace>(robot);
  auto single = [=] {
    for (std::size_t r = 0; r < s->rows; ++r)
      inverse_dynamics(robot, *workspace, {&s->q[r * nq], nq}, {&s->v[r * nv], nv},
                       {&s->a[r * nv], nv}, {&(*tau)[r * nv], nv});
  };
  single();
  entries.push_back({{"parid generic", static_cast<long>(s->rows), single}, 1, 1, *tau});

  for (const int threads : {1, 2}) {
    auto engine = std::make_shared<Engine>(robot, EngineOptions{threads});
    auto batch = [=] { engine->inverse_dynamics(s->rows, s->q, s->v, s->a, *tau); };
    batch();
    entries.push_back({{"parid generic", static_cast<long>(s->rows), batch},
                       static_cast<int>(s->rows),
                       threads,
                       *tau});
  }
}

}  // namespace parid::bench
