#include "runtime/external_loads.hpp"

#include "model/canonical_model.hpp"
#include "model/given_values.hpp"
#include "runtime/kinematics/link_pose.hpp"

namespace parid::runtime {

// The root link's frame has pose `pose` in frame 0; so frame 0's origin is at -p in the root's
// frame.
void ExternalLoads::set_base_motion(const Robot& robot, const std::array<double, 3>& w,
                                    const std::array<double, 3>& wd,
                                    const std::array<double, 3>& vd) {
  require_finite("angular velocity of the base", w);
  require_finite("angular acceleration of the base", wd);
  require_finite("linear acceleration of the base", vd);
  const CanonicalModel& c = robot.canonical();
  const auto& [R, p] = c.link[c.root].pose;
  root = {vector(w), vector(wd), vector(vd)};
  base.w = R * vector(w);
  base.wd = R * vector(wd);
  base.vd = R * vector(vd) + turning(base.w, base.wd) * -p;
}

void ExternalLoads::add_wrench(const Robot& robot, const std::string& link,
                               const std::array<double, 3>& force,
                               const std::array<double, 3>& moment) {
  require_finite("force", force);
  require_finite("moment", moment);
  const CanonicalModel& c = robot.canonical();
  const auto& [at, pose] = c.link[robot.find_link(link)];
  if (external.empty()) {
    external.resize(c.topology.n + 1);
    given.resize(c.link.size());
  }
  Wrench<double>& own = given[robot.find_link(link)];
  own = own + Wrench<double>{vector(force), vector(moment)};
  const Vec3<double> f = pose.R * vector(force);
  external[at].f = external[at].f + f;
  external[at].n = external[at].n + pose.R * vector(moment) + cross(pose.p, f);
}

bool nothing_acts(const ExternalLoads& s) {
  auto zero = [](const Vec3<double>& v) { return v.x == 0 && v.y == 0 && v.z == 0; };
  return s.external.empty() && zero(s.base.w) && zero(s.base.wd) && zero(s.base.vd);
}

}  // namespace parid::runtime
