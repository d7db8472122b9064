// Limits of joints and motors: along motions, and payload maps.

#include <cmath>

#include "bindings.hpp"
#include "motions.hpp"
#include "parid/limits.hpp"

namespace parid::python {
namespace {

py::dict limit_use_dict(const LimitUse& u, const SampledTrajectory& m) {
  py::dict d;
  d["kind"] = name(u.kind);
  d["value"] = u.value;
  d["limit"] = u.limit;
  d["share"] = u.share;
  d["sample"] = u.row;
  d["holds"] = u.holds;
  d["t"] = u.row < m.t.size() ? py::object(py::float_(m.t[u.row])) : py::object(py::none());
  return d;
}

py::dict joint_load_dict(const JointLoad& j, const SampledTrajectory& m) {
  py::dict d;
  const LimitUse* effort = j.use(LimitKind::effort);
  d["name"] = j.coordinate;
  d["peak"] = j.peak;
  d["rms"] = j.rms;
  d["limit"] = effort ? effort->limit : INFINITY;
  d["share"] = effort ? effort->share : NAN;
  d["t"] = effort && j.peak_row < m.t.size() ? py::object(py::float_(m.t[j.peak_row]))
                                             : py::object(py::none());
  d["sample"] = j.peak_row;
  d["actuated"] = j.actuated;
  d["mimics"] = j.mimics;
  d["peak_speed"] = j.peak_speed;
  d["rms_speed"] = j.rms_speed;
  d["lowest"] = j.lowest;
  d["highest"] = j.highest;
  d["peak_power"] = j.peak_power;
  d["regenerative_power"] = j.regenerative_power;
  d["energy"] = j.energy;
  d["regenerated_energy"] = j.regenerated_energy;
  d["gear_ratio"] = j.gear_ratio;
  d["has_motor"] = j.has_motor;
  d["duty"] = j.duty;
  d["undersized"] = j.undersized;
  py::list uses;
  for (const LimitUse& u : j.uses) uses.append(limit_use_dict(u, m));
  d["uses"] = uses;
  return d;
}

py::dict limits_dict(const LimitsReport& r, const SampledTrajectory& m) {
  py::dict d;
  d["holds"] = r.verdict == LimitsVerdict::unknown
                   ? py::object(py::none())
                   : py::object(py::bool_(r.verdict == LimitsVerdict::holds));
  d["margin"] = r.margin;
  d["duty"] = r.duty;
  d["duration"] = r.duration;
  d["peak_power"] = r.peak_power;
  d["regenerative_power"] = r.regenerative_power;
  d["energy"] = r.energy;
  d["regenerated_energy"] = r.regenerated_energy;
  d["without_effort_limit"] = r.without_effort_limit;
  d["without_velocity_limit"] = r.without_velocity_limit;
  py::list joints;
  for (const JointLoad& j : r.joints) joints.append(joint_load_dict(j, m));
  d["joints"] = joints;
  return d;
}

LimitsOptions limits_options(double margin, double duty, bool friction) {
  LimitsOptions o;
  o.margin = margin;
  o.duty = duty;
  o.friction = friction;
  return o;
}

}  // namespace

void add_limits(py::module_& m) {
  m.def("limits", [](const RobotHandle& r, const py::tuple& motion, const py::object& tau,
                     double margin, double duty, bool friction) {
    const SampledTrajectory t = sampled_trajectory_of(r.robot, motion);
    const LimitsOptions o = limits_options(margin, duty, friction);
    std::vector<double> given;
    if (!tau.is_none()) given = vector("tau", tau.cast<Numbers>(), t.rows * r.nv);
    LimitsReport report;
    {
      const Unlocked unlocked;
      report = tau.is_none() ? check_limits(r.robot, t, o) : check_limits(r.robot, t, given, o);
    }
    return limits_dict(report, t);
  });
  m.def("heaviest_payload", [](const RobotHandle& r, const py::tuple& motion,
                               const std::string& link, const std::array<double, 3>& centre,
                               double margin, double duty, bool friction) {
    const SampledTrajectory t = sampled_trajectory_of(r.robot, motion);
    HeaviestPayload h;
    {
      const Unlocked unlocked;
      h = heaviest_payload(r.robot, t, {link, centre}, limits_options(margin, duty, friction));
    }
    return py::make_tuple(h.mass, h.empty_holds, h.coordinate,
                          h.coordinate.empty() ? "" : name(h.kind));
  });
  m.def("payload_map",
        [](const RobotHandle& r, const std::string& link, const std::array<double, 3>& centre,
           double margin, std::size_t poses, std::size_t rings, std::uint64_t seed) {
          PayloadMapOptions o;
          o.place = {link, centre};
          o.margin = margin;
          o.poses = poses;
          o.rings = rings;
          o.seed = seed;
          PayloadMap map;
          {
            const Unlocked unlocked;
            map = payload_map(r.robot, o);
          }
          py::list all;
          for (const PayloadRing& ring : map.rings) {
            py::dict d;
            d["start"] = ring.from;
            d["end"] = ring.to;
            d["poses"] = ring.poses;
            d["everywhere"] = ring.everywhere;
            d["somewhere"] = ring.somewhere;
            d["empty_holds"] = ring.empty_holds;
            d["pose"] = array(ring.pose);
            d["coordinate"] = ring.coordinate;
            all.append(d);
          }
          return py::make_tuple(map.link, map.everywhere, map.empty_holds, all);
        });
}

}  // namespace parid::python
