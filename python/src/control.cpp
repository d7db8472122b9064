// Sampled control with stale data, and safe sampling periods.

#include <algorithm>

#include "control/loop.hpp"
#include "control/open_loop.hpp"
#include "control/stability/stability.hpp"
#include "control/step_cost.hpp"
#include "control/study/fault.hpp"
#include "control/synthesis/policy_search.hpp"
#include "control/table/policy_file.hpp"
#include "model/given_values.hpp"
#include "motions.hpp"
#include "parid/control.hpp"

namespace parid::python {
namespace {

LawDesign design_of(const Robot& model, const std::string& law, const std::optional<Numbers>& kp,
                    const std::optional<Numbers>& kd, const Policy& policy,
                    std::span<const double> q, const py::dict& o) {
  demand_single_freedoms(model);
  Gains g;
  if (kp) g.kp = vector(*kp);
  if (kd) g.kd = vector(*kd);
  LawDesign d = design(model, law, std::move(g), policy, q);
  d.elastic = o["elastic"].cast<bool>();
  d.measure_links = measures_links(o["measure"].cast<std::string>(), d.elastic);
  return d;
}

py::dict control(const RobotHandle& plant, const RobotHandle& model, const py::dict& o) {
  ControlOptions c;
  c.rate = o["rate"].cast<double>();
  c.time = o["time"].cast<std::optional<double>>().value_or(0);
  c.switch_at = o["switch_at"].cast<double>();
  c.position_noise = o["position_noise"].cast<double>();
  c.velocity_noise = o["velocity_noise"].cast<double>();
  c.seed = o["seed"].cast<std::uint64_t>();
  c.limit_torques = o["limit_torques"].cast<bool>();
  c.friction = o["friction"].cast<bool>();
  c.compensate_friction = o["compensate_friction"].cast<bool>();
  c.lost = o["lost"].cast<double>();
  c.record_rate = o["record_rate"].cast<double>();
  c.integrator = o["integrator"].cast<std::string>();
  if (const auto offset = o["start_offset"].cast<std::optional<Numbers>>())
    c.start_offset = vector("start_offset", *offset, plant.nq);
  demand_single_freedoms(plant.robot);
  const py::object pose = o["pose"];
  const TrajectoryPointer trajectory =
      pose.is_none()
          ? trajectory_of(plant.robot, o["motion"])
          : standing(vector("pose", pose.cast<Numbers>(), plant.nq), c.time > 0 ? c.time : 10);
  std::vector<double> q(plant.nq), v(plant.nv), a(plant.nv);
  trajectory->at(0, q, v, a);
  LawDesign d = design_of(
      model.robot, o["law"].cast<std::string>(), o["kp"].cast<std::optional<Numbers>>(),
      o["kd"].cast<std::optional<Numbers>>(), policy(o["policy"].cast<std::string>()), q, o);
  d.policy.seed = c.seed;
  ControlResult r;
  py::dict out;
  if (o.contains("observer")) {
    const auto text = o["fault"].cast<std::optional<std::string>>();
    std::optional<Fault> fault;
    if (text) fault = parse_fault(plant.robot, *text);
    ObserverDesign by;
    by.gain = o["observer"].cast<double>();
    by.margin = o["margin"].cast<double>();
    if (const auto threshold = o["threshold"].cast<std::optional<Numbers>>())
      by.threshold = vector(*threshold);
    FaultDetection found;
    {
      const Unlocked unlocked;
      found = detect_fault(plant.robot, d, trajectory, c, fault, by);
    }
    const auto whose = [&](int k) {
      return k < 0 ? py::object(py::none())
                   : py::object(py::str(plant.robot.velocity_names()[static_cast<std::size_t>(k)]));
    };
    py::dict report;
    report["fault"] = text;
    report["threshold"] = array(found.threshold);
    report["detected_at"] = found.detected_at;
    report["delay"] = found.delay;
    report["coordinate"] = whose(found.coordinate);
    report["outermost"] = whose(found.outermost);
    report["peak"] = array(found.peak);
    report["false_alarms"] = found.false_alarms;
    report["t"] = array(found.t);
    report["residual"] = array(found.residual, plant.nv);
    out["observer"] = report;
    r = std::move(found.control);
  } else {
    const Unlocked unlocked;
    r = ControlLoop(plant.robot, d, trajectory, c).run();
  }
  out["policy"] = d.policy.id;
  out["law"] = d.law;
  out["kp"] = array(d.gains.kp);
  out["kd"] = array(d.gains.kd);
  out["period"] = r.period;
  out["periods"] = r.periods;
  out["limited"] = r.limited;
  out["max_error"] = r.max_error;
  out["max_error_after_switch"] = r.max_error_after_switch;
  out["rms_error"] = r.rms_error;
  out["final_error"] = r.final_error;
  out["max_error_by_coordinate"] = array(r.max_error_by_coordinate);
  out["diverged_at"] = r.diverged_at;
  out["simulation"] = dict_of(plant.robot, r.simulation);
  return out;
}

py::dict stale_errors_of(const RobotHandle& robot, const std::string& quantity,
                         const std::string& policy_id, const py::object& motion, double rate) {
  const Policy p = bound(policy(policy_id), robot.robot);
  require_above_zero("rate", rate, "1000");
  const TrajectoryPointer trajectory = trajectory_of(robot.robot, motion);
  py::dict out;
  out["quantity"] = quantity;
  out["policy"] = p.id;
  out["tip"] = py::none();
  const StaleQuantity which = stale_quantity(quantity);
  const IkErrors found = stale_quantity_errors(which, robot.robot, p, *trajectory, 1 / rate);
  if (which == StaleQuantity::ik) out["tip"] = found.tip;
  const TorqueErrors& e = found.positions;
  out["largest"] = array(e.largest);
  out["rms"] = array(e.rms);
  out["scale"] = array(e.scale);
  return out;
}

py::dict stability(const RobotHandle& plant, const RobotHandle& model, const py::dict& o) {
  std::vector<Policy> asked;
  for (const auto& id : o["policies"].cast<std::vector<std::string>>())
    asked.push_back(bound(policy(id), model.robot));
  demand_single_freedoms(plant.robot);
  const py::object given = o["poses"];
  std::vector<double> poses = plant.robot.neutral();
  if (py::isinstance<py::int_>(given))
    poses = random_poses(plant.robot, given.cast<std::size_t>(), o["seed"].cast<std::uint64_t>());
  else if (!given.is_none())
    poses = vector(given.cast<Numbers>());
  if (poses.empty() || poses.size() % plant.nq != 0)
    throw py::value_error("poses: give (nq,) or (N, nq) positions, or the number of random poses");
  require_finite("poses", poses);
  const std::span<const double> q(poses.data(), plant.nq);
  const LawDesign d =
      design_of(model.robot, o["law"].cast<std::string>(), o["kp"].cast<std::optional<Numbers>>(),
                o["kd"].cast<std::optional<Numbers>>(), policy("exact"), q, o);
  const auto wanted = o["periods"].cast<std::optional<Numbers>>();
  const std::vector<double> periods =
      wanted ? vector(*wanted) : usual_periods(plant.robot, d, q, o["count"].cast<std::size_t>());
  MapOptions m;
  m.threads = o["threads"].cast<int>();
  m.bounds = poses.size() != plant.nq;
  StabilityMap map;
  std::vector<StepCost> costs;
  const auto seed = o["seed"].cast<std::uint64_t>();
  std::vector<std::optional<PoseStability::Random>> random(asked.size());
  {
    const Unlocked unlocked;
    map = stability_map(plant.robot, d, asked, poses, periods, m);
    for (std::size_t r = 0; r < asked.size(); ++r) {
      if (map.poses == 1) {
        LawDesign one = d;
        one.policy = asked[r];
        const PoseStability at =
            pose_stability(plant.robot, one, poses, {1e-3 * periods.front(), periods.back()}, seed);
        map.rows[r].safe[0] = at.safe;
        if (at.random) map.rows[r].unsafe[0] = at.random->unsafe;
        random[r] = at.random;
      }
      costs.push_back(step_cost(model.robot, asked[r]));
    }
  }
  py::dict out;
  out["periods"] = array(periods);
  out["poses"] = array(poses, plant.nq);
  out["kp"] = array(d.gains.kp);
  out["kd"] = array(d.gains.kd);
  out["law"] = d.law;
  py::list rows;
  for (std::size_t r = 0; r < asked.size(); ++r) {
    py::dict row;
    row["policy"] = asked[r].id;
    row["radius"] = array(map.rows[r].radius, periods.size());
    row["safe_by_pose"] = array(map.rows[r].safe);
    row["steps"] = costs[r].steps;
    row["depth"] = costs[r].depth.total();
    row["operations"] = costs[r].operations;
    const bool chance = asked[r].by_chance;
    row["unsafe_by_pose"] = chance ? py::object(array(map.rows[r].unsafe)) : py::none();
    row["mean_square_period"] =
        random[r] ? py::object(py::float_(random[r]->mean_square)) : py::none();
    row["realisation_periods"] =
        random[r] ? py::object(array(random[r]->realisations)) : py::none();
    rows.append(row);
  }
  out["policies"] = rows;
  return out;
}

py::dict synthesize(const RobotHandle& plant, const RobotHandle& model, const py::dict& o) {
  demand_single_freedoms(plant.robot);
  const py::object given = o["poses"];
  const auto seed = o["seed"].cast<std::uint64_t>();
  const std::vector<double> poses = py::isinstance<py::int_>(given)
                                        ? random_poses(plant.robot, given.cast<std::size_t>(), seed)
                                        : vector(given.cast<Numbers>());
  if (poses.empty() || poses.size() % plant.nq != 0)
    throw py::value_error("poses: give (nq,) or (N, nq) positions, or the number of random poses");
  const LawDesign d =
      design_of(model.robot, o["law"].cast<std::string>(), o["kp"].cast<std::optional<Numbers>>(),
                o["kd"].cast<std::optional<Numbers>>(), policy("exact"),
                std::span<const double>(poses.data(), plant.nq), o);
  PolicyGoal goal;
  goal.steps = o["steps"].cast<int>();
  goal.max_age = o["max_age"].cast<int>();
  goal.every = o["every"].cast<bool>();
  goal.starts = o["starts"].cast<int>();
  goal.seed = seed;
  goal.threads = o["threads"].cast<int>();
  FoundPolicy found;
  {
    const Unlocked unlocked;
    found = search_policy(plant.robot, d, poses, goal);
  }
  const auto rated = [](const PolicyRating& r, const std::string& id) {
    py::dict row;
    row["policy"] = id;
    row["steps"] = r.steps;
    row["period"] = r.period;
    row["by_pose"] = array(r.by_pose);
    return row;
  };
  py::dict out;
  out["best"] = rated(found.best, policy_toml(found.best.policy));
  out["proven"] = found.proven;
  out["tried"] = found.tried;
  out["poses"] = array(poses, plant.nq);
  py::list published;
  for (const PolicyRating& r : found.published) published.append(rated(r, r.policy.id));
  out["published"] = published;
  return out;
}

}  // namespace

void add_control(py::module_& m) {
  m.def("control", control);
  m.def("stability", stability);
  m.def("synthesize", synthesize);
  m.def("stale_errors", stale_errors_of);
  m.def("policy_table", &stale_policy_table);
  m.def("flow_diagram",
        [](const RobotHandle& r, const std::string& id, const std::string& detail, int link,
           bool dot) { return stale_flow_diagram(r.robot, id, detail, link, dot); });
  m.def("policies", [] {
    py::list all;
    for (const PolicyEntry& e : policies()) all.append(py::make_tuple(e.id, e.what));
    return all;
  });
}

}  // namespace parid::python
