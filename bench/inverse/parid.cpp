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

  for (const auto& [name, threads] :
       {std::pair("parid generic", 1), std::pair("parid generic", 2),
        std::pair("parid compiled", 1), std::pair("parid compiled", 2)}) {
    const bool compiled = std::string(name) == "parid compiled";
    auto engine = std::make_shared<Engine>(robot, EngineOptions{threads, compiled});
    if (compiled && std::string(engine->kernel()) != "compiled") continue;  // no compiler here
    auto batch = [=] { engine->inverse_dynamics(s->rows, s->q, s->v, s->a, *tau); };
    batch();
    entries.push_back(
        {{name, static_cast<long>(s->rows), batch}, static_cast<int>(s->rows), threads, *tau});
  }
}

}  // namespace parid::bench
