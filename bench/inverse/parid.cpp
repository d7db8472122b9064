#include "parid/parid.hpp"
#include "bench/inverse/contestant.hpp"
#include "parid/model/coordinates.hpp"

namespace parid::bench {
namespace {

// The whole of it on every joint: viscous and dry friction, a journal or linear bearing, a thrust
// bearing, a drive with a curve of three points.
Description with_friction(Description d) {
  for (JointDescription& j : d.joints) {
    if (velocity_count(j.type) != 1) continue;
    j.damping = 0.1, j.friction = 0.2;
    if (j.type == JointType::prismatic) {
      j.linear = LinearBearing{0.1, 0.12, 0};
    } else {
      j.journal = JournalBearing{0.1, 0.05, 0.12, 0.01};
      j.thrust = ThrustBearing{0.1, 0.05};
    }
    if (!j.mimic) j.drive = Drive{1, 100, {{0.01, 0.35}, {0.03, 0.45}, {0.09, 0.56}}};
  }
  return d;
}

}  // namespace

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

  const Robot rubbing(with_friction(d));
  auto with_friction_workspace = std::make_shared<Workspace>(rubbing);
  auto single_with_friction = [=] {
    for (std::size_t r = 0; r < s->rows; ++r)
      inverse_dynamics_with_friction(rubbing, *with_friction_workspace, {&s->q[r * nq], nq},
                                     {&s->v[r * nv], nv}, {&s->a[r * nv], nv},
                                     std::span(&(*tau)[r * nv], nv));
  };
  entries.push_back(
      {{"parid generic + friction", static_cast<long>(s->rows), single_with_friction}, 1, 1, {}});

  auto own = std::make_shared<Workspace>(robot);
  if (own->compile()) {
    auto single_own = [=] {
      for (std::size_t r = 0; r < s->rows; ++r)
        inverse_dynamics(robot, *own, {&s->q[r * nq], nq}, {&s->v[r * nv], nv}, {&s->a[r * nv], nv},
                         {&(*tau)[r * nv], nv});
    };
    single_own();
    entries.push_back({{"parid compiled", static_cast<long>(s->rows), single_own}, 1, 1, *tau});
  }

  const auto rows = static_cast<int>(s->rows);
  for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled})
    for (const int threads : {1, 2}) {
      auto engine = std::make_shared<Engine>(
          robot, EngineOptions{.threads = threads, .kernel = kind, .single_precision = true});
      if (engine->kernel() != kind) continue;  // no compiler here, or the robot is too long
      const std::string as = std::string("parid ") + name(kind);
      auto batch = [=] { engine->inverse_dynamics(s->rows, s->q, s->v, s->a, *tau); };
      batch();
      entries.push_back({{as, rows, batch}, rows, threads, *tau});
      if (kind != KernelKind::compiled || threads > 1) continue;
      auto columns = std::make_shared<std::vector<double>>(s->rows * (nq + 3 * nv));
      auto by_columns = [=] {
        const std::size_t n = s->rows;
        double* x = columns->data();
        const Strided<const double> in[] = {
            {x, 1, n}, {x + n * nq, 1, n}, {x + n * (nq + nv), 1, n}};
        const Strided<double> out[] = {{x + n * (nq + 2 * nv), 1, n}};
        engine->evaluate("inverse", n, in, out);
      };
      for (std::size_t r = 0; r < s->rows; ++r) {
        for (std::size_t k = 0; k < nq; ++k) (*columns)[k * s->rows + r] = s->q[r * nq + k];
        for (std::size_t k = 0; k < nv; ++k) {
          (*columns)[(nq + k) * s->rows + r] = s->v[r * nv + k];
          (*columns)[(nq + nv + k) * s->rows + r] = s->a[r * nv + k];
        }
      }
      entries.push_back({{as + " columns", rows, by_columns}, rows, threads, {}});
      const std::vector<float> q(s->q.begin(), s->q.end()), v(s->v.begin(), s->v.end()),
          a(s->a.begin(), s->a.end());
      auto t = std::make_shared<std::vector<float>>(tau->size());
      auto in_float = [=] { engine->inverse_dynamics(s->rows, q, v, a, *t); };
      entries.push_back({{as + " float32", rows, in_float}, rows, threads, {}});
    }
}

}  // namespace parid::bench
