#include "runtime/method/explain.hpp"

#include "formulation/newton_euler_link.hpp"
#include "model/canonical_model.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "model/user_state.hpp"

namespace parid::runtime {
namespace {

using V = Vec3<double>;

// The body's inertia about its centre of mass, from its moments about the frame's origin.
Sym3<double> about_centre(const Sym3<double>& K, double m, const V& c) {
  const Sym3<double> J = tensor(K), shift = point_inertia(-m, c);
  return J + shift;
}

// Positions, velocities, accelerations of the joint itself; those of a mimic joint follow from its
// leader.
void set_state(LinkExplanation& e, const JointDescription& j, const JointPlace& place,
               const MimicChain& f, const double* q, const double* v, const double* a) {
  const bool one = velocity_count(j.type) == 1;
  if (one) {
    const CouplingValue<double> x = f.at(q[place.position]);
    const double rate = v[place.velocity];
    e.q = {x.value};
    e.v = {x.d1 * rate};
    e.a = {x.d1 * a[place.velocity] + x.d2 * rate * rate};
    e.scale = x.d1;
    return;
  }
  e.q.assign(q + place.position, q + place.position + position_count(j.type));
  e.v.assign(v + place.velocity, v + place.velocity + velocity_count(j.type));
  e.a.assign(a + place.velocity, a + place.velocity + velocity_count(j.type));
}

}  // namespace

std::vector<LinkExplanation> explain(const Robot& robot, const ExternalLoads& around,
                                     const double* q, const double* v, const double* a) {
  const CanonicalModel& c = robot.canonical();
  const Description& d = robot.description();
  const Mechanism<double>& m = c.mechanism;
  State<double> motion(m);
  motion.set_base(m, around.base);
  motion.external = around.external.empty() ? nullptr : around.external.data();
  auto columns = [](const double* x) { return [x](int k) { return x[k]; }; };
  load_state(c, motion, columns(q), columns(v), columns(a));
  motion.place(m);
  NewtonEulerLink<double> ne(m);
  std::vector<double> tau(m.n + 1);
  ne.torque(m, motion, tau.data());

  const std::vector<MimicChain> follow = mimic_chains(d);
  std::vector<LinkExplanation> out;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const JointDescription& j = d.joints[k];
    if (j.type == JointType::fixed) continue;
    const auto& [i, pose] = c.link[robot.find_link(j.child)];
    const auto& [R, p] = pose;  // the link's frame in the canonical one
    const int freedoms = velocity_count(j.type);
    const bool free = c.topology.free_index[i] >= 0;
    // a planar joint is three joints of the mechanism
    const int first = free ? i : i - freedoms + 1;

    LinkExplanation e;
    e.link = j.child;
    e.joint = j.name;
    e.parent = j.parent;
    set_state(e, j, c.joint[first], follow[k], q, v, a);
    if (j.mimic) e.leader = d.joints[follow[k].leader].name;

    const V w = ne.w(i), wd = ne.wd(i), f = ne.f(i), n = ne.n(i);
    const Mat3<double> U = turning(w, wd);
    const auto body = m.body[i];
    const double mass = body[0];
    const V centre = mass > 0 ? (1 / mass) * body.vec(1) : p;  // in the canonical frame
    const Sym3<double> I = about_centre(body.sym(4), mass, mass > 0 ? centre : V{});
    const V vd_centre = ne.vd(i) + U * centre;
    e.mass = mass;
    e.centre = transposed_times(R, centre - p);
    e.angular_velocity = transposed_times(R, w);
    e.angular_acceleration = transposed_times(R, wd);
    e.acceleration = transposed_times(R, ne.vd(i) + U * p);
    e.centre_acceleration = transposed_times(R, vd_centre);
    e.inertia_force = mass * e.centre_acceleration;
    e.inertia_moment = transposed_times(R, I * wd + cross(w, I * w));
    e.force = transposed_times(R, f);
    e.moment = transposed_times(R, n - cross(p, f));

    if (free) {
      if (j.type == JointType::floating) e.torque = {f.x, f.y, f.z};
      e.torque.insert(e.torque.end(), {n.x, n.y, n.z});
    } else {
      for (int h = first; h <= i; ++h)
        e.torque.push_back(tau[h] + c.joint[h].rotor_inertia * motion.qdd(h));
      for (int h = c.links + 1; h <= c.topology.n && j.rotor; ++h)
        if (c.joint[h].joint == static_cast<int>(k)) e.torque[0] += j.rotor->ratio * tau[h];
    }
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace parid::runtime
