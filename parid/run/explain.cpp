#include "parid/run/explain.hpp"

#include "parid/formulation/newton_euler_link.hpp"
#include "parid/model/canonical.hpp"
#include "parid/model/coordinates.hpp"
#include "parid/run/state.hpp"

namespace parid {

std::vector<LinkExplanation> explain(const Robot& robot, const Surroundings& around, const double* q, const double* v, const double* a) {
  const Canonical& c = robot.canonical();
  const Description& d = robot.description();
  const Mechanism<double>& m = c.mechanism;
  Motion<double> motion(m);
  motion.set_base(m, around.base);
  motion.external = around.external.empty() ? nullptr : around.external.data();
  auto columns = [](const double* x) { return [x](int k) { return x[k]; }; };
  load_state(c, motion, columns(q), columns(v), columns(a));
  motion.place(m);
  NewtonEulerLink<double> ne(m);
  std::vector<double> tau(m.n + 1);
  ne.torque(m, motion, tau.data());

  std::vector<LinkExplanation> out;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const JointDescription& j = d.joints[k];
    if (j.type == JointType::fixed) continue;
    const auto& [i, pose] = c.link[robot.find_link(j.child)];
    const auto& [R, p] = pose;  // the link's frame in the canonical one
    const Vec3<double> w = ne.w(i), wd = ne.wd(i), f = ne.f(i);
    LinkExplanation e{j.child, j.name, transposed_times(R, w), transposed_times(R, wd),
                      transposed_times(R, ne.vd(i) + turning(w, wd) * p), transposed_times(R, f),
                      transposed_times(R, ne.n(i) - cross(p, f)), {}};
    if (c.topology.free_index[i] >= 0) {
      const Vec3<double> fi = ne.f(i), ni = ne.n(i);
      if (j.type == JointType::floating) e.torque = {fi.x, fi.y, fi.z};
      e.torque.insert(e.torque.end(), {ni.x, ni.y, ni.z});
    } else {  // a planar joint is the last three of the mechanism's joints up to this link
      const int freedoms = velocity_count(j.type);
      for (int h = i - freedoms + 1; h <= i; ++h) e.torque.push_back(tau[h] + c.joint[h].rotor_inertia * motion.qdd(h));
    }
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace parid
