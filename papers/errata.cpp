#include "papers/errata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formulation/newton_euler_link.hpp"
#include "model/canonical_model.hpp"
#include "papers/layer.hpp"
#include "papers/random.hpp"
#include "parid/robot.hpp"

namespace parid::papers {

Effect effect(const std::string& name, const JointTorques& torques) {
  const Robot robot = Robot::load(name);
  const Mechanism<double>& m = robot.canonical().mechanism;
  const std::size_t room = static_cast<std::size_t>(m.n) + 1;
  std::vector<double> right(room), got(room);
  NewtonEulerLink<double> reference(m);
  Random random(5);
  Effect e;
  e.robot = name;
  for (int state = 0; state < 20; ++state) {
    State<double> at(m);
    for (int i = 1; i <= m.n; ++i) {
      const bool slides = m.kind(i) == JointKind::prismatic;
      const double q = slides ? random.in(0.1, 0.6) : random.in(-1.5, 1.5);
      const double v = random.in(-1.5, 1.5), a = random.in(-3, 3);
      at.set(i, q, v, a);
    }
    at.place(m);
    reference.torque(m, at, right.data());
    torques(m, at, got.data());
    for (int i = 1; i <= m.n; ++i) {
      e.largest = std::max(e.largest, std::abs(got[i] - right[i]));
      e.of = std::max(e.of, std::abs(right[i]));
    }
  }
  return e;
}

std::string Effect::text() const {
  return none() ? fmt::format("none ({})", robot)
                : fmt::format("{:.3g} of {:.3g} N m ({})", largest, of, robot);
}

void add_claims(Claims& r, const std::vector<PrintedEquation>& equations, const char* code) {
  for (const PrintedEquation& e : equations) {
    const Effect found = effect(e.robot, e.torques);
    r.add(e.where, fmt::format("the equation gives the torques: {}", e.robot),
          holds(e.printed, found.none(), fmt::format("off by {}", found.text())), code,
          refuted(fmt::format("it is to be {}", e.corrected)));
  }
}

void add_errata(Errata& errata, const std::vector<PrintedEquation>& equations, const char* code) {
  for (const PrintedEquation& e : equations)
    errata.add(e.where, e.printed, e.corrected, effect(e.robot, e.torques).text(), code);
}

}  // namespace parid::papers
