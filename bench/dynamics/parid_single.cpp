#include "bench/dynamics/contestants.hpp"
#include "bench/layer.hpp"
#include "model/joint/coordinates.hpp"
#include "parid/parid.hpp"

namespace parid::bench {
namespace {

// The full model on every joint: viscous and dry friction, a journal or linear bearing, a thrust
// bearing, a drive with a curve of three points.
Description with_friction(Description d) {
  for (JointDescription& j : d.joints) {
    if (velocity_count(j.type) != 1) continue;
    j.damping = 0.1;
    j.friction = 0.2;
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

void add_parid_single(Entries& entries, const Description& d, const std::string& what,
                      std::shared_ptr<const States> s, bool compiled) {
  const Robot robot(d);
  const std::size_t nq = robot.nq(), nv = robot.nv(), M = nv * nv;
  const long rows = static_cast<long>(s->rows);
  auto out = std::make_shared<std::vector<double>>(s->rows * (what == "mass"               ? M
                                                              : what == "inverse_gradient" ? 3 * M
                                                                                           : nv));
  auto add = [&](const std::string& name, std::shared_ptr<Workspace> w, const Robot& of,
                 bool compared, auto one) {
    auto run = [=] {
      for (std::size_t r = 0; r < s->rows; ++r)
        one(of, *w, std::span(&s->q[r * nq], nq), std::span(&s->v[r * nv], nv),
            std::span(&s->a[r * nv], nv), r);
    };
    run();
    entries.push_back({{name, rows, run}, 1, 1, compared ? *out : std::vector<double>{}});
  };
  auto torques = [=](const Robot& of, Workspace& w, auto q, auto v, auto a, std::size_t r) {
    inverse_dynamics(of, w, q, v, a, std::span(&(*out)[r * nv], nv));
  };
  // The generic kernel, and the compiled function of one sample.
  auto both = [&](Quantity quantity, bool compared, auto one) {
    add("parid generic", std::make_shared<Workspace>(robot), robot, compared, one);
    if (!compiled) return;
    auto own = std::make_shared<Workspace>(robot);
    if (own->compile(quantity)) add("parid compiled", own, robot, compared, one);
  };
  if (what == "inverse") {
    both(Quantity::inverse_dynamics, true, torques);
    const Robot rubbing(with_friction(d));
    add("parid generic + friction", std::make_shared<Workspace>(rubbing), rubbing, false,
        [=](const Robot& of, Workspace& w, auto q, auto v, auto a, std::size_t r) {
          inverse_dynamics_with_friction(of, w, q, v, a, std::span(&(*out)[r * nv], nv));
        });
  } else if (what == "forward") {
    both(Quantity::forward_dynamics, true,
         [=](const Robot& of, Workspace& w, auto q, auto v, auto tau, std::size_t r) {
           forward_dynamics(of, w, q, v, tau, std::span(&(*out)[r * nv], nv));
         });
    if (LongChain::covers(robot))
      add("parid divide and conquer", std::make_shared<Workspace>(robot), robot, true,
          [=, chain = std::make_shared<LongChain>(robot)](const Robot&, Workspace&, auto q, auto v,
                                                          auto tau, std::size_t r) {
            chain->forward_dynamics(q, v, tau, std::span(&(*out)[r * nv], nv));
          });
  } else if (what == "mass") {
    both(Quantity::mass_matrix, true,
         [=](const Robot& of, Workspace& w, auto q, auto, auto, std::size_t r) {
           mass_matrix(of, w, q, std::span(&(*out)[r * M], M));
         });
    if (LongChain::covers(robot))
      add("parid scan", std::make_shared<Workspace>(robot), robot, true,
          [=, chain = std::make_shared<LongChain>(robot)](const Robot&, Workspace&, auto q, auto,
                                                          auto, std::size_t r) {
            chain->mass_matrix(q, std::span(&(*out)[r * M], M));
          });
  } else if (what == "inverse_gradient") {
    both(Quantity::inverse_gradient, false,
         [=](const Robot& of, Workspace& w, auto q, auto v, auto a, std::size_t r) {
           const std::span all(&(*out)[r * 3 * M], 3 * M);
           inverse_gradient(of, w, q, v, a, all.first(M), all.subspan(M, M), all.last(M));
         });
  }
}

}  // namespace parid::bench
