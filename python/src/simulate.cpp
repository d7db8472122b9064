// Motion of robots under torques: of a file, of a controller, or of a Python function.

#include "motions.hpp"
#include "parid/controllers.hpp"
#include "parid/simulation.hpp"
#include "simulation/integrator.hpp"

namespace parid::python {

py::dict dict_of(const Robot& robot, const SimulationResult& r) {
  py::dict d = dict_of(robot, r.motion);
  d["tau"] = array(r.tau, static_cast<std::size_t>(robot.nv()));
  d["kinetic"] = array(r.kinetic);
  d["potential"] = array(r.potential);
  d["work"] = array(r.work);
  d["losses"] = array(r.losses);
  d["end"] = name_of(r.end);
  d["ended_at"] = r.ended_at;
  d["coordinate"] = r.coordinate;
  d["why"] = r.why;
  d["energy_drift"] = r.energy_drift;
  d["relative_energy_drift"] = r.relative_energy_drift;
  d["steps"] = r.steps;
  d["rejected"] = r.rejected;
  d["evaluations"] = r.evaluations;
  d["events"] = r.events;
  const std::size_t motors = r.motion.rows > 0 ? r.theta.size() / r.motion.rows : 0;
  d["theta"] = array(r.theta, motors);
  d["theta_v"] = array(r.theta_v, motors);
  return d;
}

bool measures_links(const std::string& word, bool elastic) {
  if (word != "motor" && word != "link")
    throw Error("measure: unknown value '" + word + "'; give motor or link");
  if (word == "link" && !elastic)
    throw Error("measure: rigid joints have no motors of their own; give elastic=True too");
  return word == "link";
}

namespace {

// A Python function (t, q, v) -> torques; the simulation holds no lock when it calls it.
ControlLaw law_of(const py::function& f, std::size_t nv) {
  // the function is released with Python's lock held
  std::shared_ptr<py::function> kept(new py::function(f), [](py::function* x) {
    const py::gil_scoped_acquire locked;
    delete x;
  });
  return [kept, nv](double t, std::span<const double> q, std::span<const double> v,
                    std::span<double> tau) {
    const py::gil_scoped_acquire locked;
    const auto answer =
        (*kept)(t, array({q.begin(), q.end()}), array({v.begin(), v.end()})).cast<Numbers>();
    const std::vector<double> x = vector("the result of the torque function", answer, nv);
    std::copy(x.begin(), x.end(), tau.begin());
  };
}

StopAt stop_at(const std::string& word) {
  if (word == "position") return StopAt::position;
  if (word == "all") return StopAt::position_or_velocity;
  if (word == "none") return StopAt::nothing;
  throw Error("limits: unknown value '" + word + "'; give position, all or none");
}

Hold hold_of(const std::string& word) {
  if (word == "linear") return Hold::linear;
  if (word == "zero") return Hold::zero_order;
  throw Error("hold: unknown value '" + word + "'; give linear or zero");
}

Gains gains_of(const std::optional<Numbers>& kp, const std::optional<Numbers>& kd) {
  Gains g;
  if (kp) g.kp = vector(*kp);
  if (kd) g.kd = vector(*kd);
  return g;
}

py::dict simulate(const RobotHandle& r, const Numbers& q, const Numbers& v, const py::dict& o) {
  SimulationOptions s;
  s.integrator = o["integrator"].cast<std::string>();
  s.time = o["time"].cast<double>();
  s.rate = o["rate"].cast<double>();
  s.step = o["step"].cast<double>();
  s.tolerance = o["tolerance"].cast<double>();
  s.friction = o["friction"].cast<bool>();
  s.elastic = o["elastic"].cast<bool>();
  s.measure_links = measures_links(o["measure"].cast<std::string>(), s.elastic);
  s.stop_at = stop_at(o["limits"].cast<std::string>());
  const auto control_rate = o["control_rate"].cast<std::optional<double>>();
  const py::object torque = o["torque"], controller_name = o["controller"];
  std::unique_ptr<TorqueSource> source = no_torque();
  if (py::isinstance<py::function>(torque)) {
    ControlLaw law = law_of(torque, r.nv);
    source = control_rate ? sampled_control(r.robot, std::move(law), *control_rate)
                          : continuous_control(std::move(law));
  } else if (py::isinstance<py::str>(torque)) {
    source = open_loop(read_torques(r.robot, torque.cast<std::string>()),
                       hold_of(o["hold"].cast<std::string>()));
  } else if (!torque.is_none()) {
    const auto pair = torque.cast<py::tuple>();
    TorqueSamples samples;
    samples.t = vector(pair[0].cast<Numbers>());
    samples.tau = vector("tau", pair[1].cast<Numbers>(), samples.t.size() * r.nv);
    source = open_loop(std::move(samples), hold_of(o["hold"].cast<std::string>()));
  } else if (!controller_name.is_none()) {
    const SampledTrajectory motion = sampled_trajectory_of(r.robot, o["motion"].cast<py::tuple>());
    source = sampled_control(r.robot,
                             controller(controller_name.cast<std::string>(), r.robot, motion,
                                        gains_of(o["kp"].cast<std::optional<Numbers>>(),
                                                 o["kd"].cast<std::optional<Numbers>>()),
                                        o["compensate_friction"].cast<bool>() ? &r.robot : nullptr),
                             control_rate.value_or(1000));
  }
  Simulation simulation(r.robot, s);
  simulation.set_state(vector("q", q, r.nq), vector("v", v, r.nv));
  SimulationResult result;
  {
    const Unlocked unlocked;
    result = simulation.run(*source);
  }
  return dict_of(r.robot, result);
}

template <class List>
py::list listed(const List& list) {
  py::list all;
  for (const auto& e : list) all.append(py::make_tuple(e.id, e.what));
  return all;
}

}  // namespace

void add_simulate(py::module_& m) {
  m.def("simulate", simulate);
  m.def("integrators", [] { return listed(integrators()); });
  m.def("controllers", [] { return listed(controllers()); });
}

}  // namespace parid::python
