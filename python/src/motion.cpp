// Motions: by name, from files, re-timed within limits.

#include <filesystem>

#include "model/given_values.hpp"
#include "model/joint/quaternions.hpp"
#include "motion/file/motion_file.hpp"
#include "motion/file/trajectory_file.hpp"
#include "motion/interpolated.hpp"
#include "motion/named_motions.hpp"
#include "motion/sampling_rate.hpp"
#include "motion/scaling/time_scaling.hpp"
#include "motion/sine.hpp"
#include "motions.hpp"

namespace parid::python {

py::dict dict_of(const Robot& robot, const SampledTrajectory& m) {
  py::dict d;
  d["t"] = m.t.empty() ? py::object(py::none()) : py::object(array(m.t));
  d["q"] = array(m.q, static_cast<std::size_t>(robot.nq()));
  d["v"] = array(m.v, static_cast<std::size_t>(robot.nv()));
  d["a"] = array(m.a, static_cast<std::size_t>(robot.nv()));
  if (!m.tau.empty()) d["tau"] = array(m.tau, static_cast<std::size_t>(robot.nv()));
  return d;
}

SampledTrajectory sampled_trajectory_of(const Robot& robot, const py::tuple& all) {
  SampledTrajectory m;
  const auto q = all[1].cast<Numbers>();
  m.rows = q.ndim() == 2 ? static_cast<std::size_t>(q.shape(0)) : 0;
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  m.q = vector("q", q, m.rows * nq);
  m.v = vector("v", all[2].cast<Numbers>(), m.rows * nv);
  m.a = vector("a", all[3].cast<Numbers>(), m.rows * nv);
  if (!all[0].is_none()) m.t = vector("t", all[0].cast<Numbers>(), m.rows);
  if (m.rows == 0) throw py::value_error("the motion has no samples");
  require_rising("t", m.t);
  require_finite("q", m.q);
  require_finite("v", m.v);
  require_finite("a", m.a);
  for_each_quaternion(robot.description(), [&](const JointDescription&, int p) {
    for (std::size_t r = 0; r < m.rows; ++r)
      normalise_quaternion(&m.q[r * nq + static_cast<std::size_t>(p)]);
  });
  name_torques(robot, m);
  return m;
}

namespace {

// A UserWarning, unless the interpreter is configured to raise it.
void warn(const std::string& text) {
  const py::gil_scoped_acquire held;
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 2) != 0) throw py::error_already_set();
}

bool is_toml(const std::string& path) { return std::filesystem::path(path).extension() == ".toml"; }
const NamedMotion* named(const std::string& name) {
  for (const NamedMotion& n : named_motions())
    if (n.is(name)) return &n;
  // a word without a suffix is a misspelt name
  if (std::filesystem::path(name).extension().empty() && !std::filesystem::exists(name))
    named_motion(name);
  return nullptr;
}

SampledTrajectory motion(const Robot& robot, const std::string& what, std::optional<double> rate,
                         bool derive, bool by_parts, bool torques) {
  if (rate) require_above_zero("rate", *rate, "100");
  if (const NamedMotion* n = named(what)) {
    const TrajectoryPointer trajectory = n->trajectory(robot);
    if (by_parts && trajectory->duration() > 0)
      return sampled_by_parts(
          robot, *trajectory,
          rate.value_or(static_cast<double>(n->samples - 1) / trajectory->duration()));
    return rate ? sampled(robot, *trajectory, *rate)
                : sampled_evenly(robot, *trajectory, n->samples);
  }
  if (is_toml(what)) {
    const MotionFile file = read_motion_file(robot, what);
    for (const std::string& warning : file.warnings) warn(warning);
    const double r = rate.value_or(file.rate.value_or(100));
    return by_parts ? sampled_by_parts(robot, *file.trajectory, r)
                    : sampled(robot, *file.trajectory, r);
  }
  if (rate) throw Error("rate: the samples of a file cannot be resampled; omit it");
  TrajectoryOptions options;
  options.derive = derive;
  options.torques = torques;
  options.warn = warn;
  return read_trajectory(robot, what, options);
}

TorquesAlong torques_along(const Robot& robot) {
  auto engine =
      std::make_shared<Engine>(robot, EngineOptions{.threads = 0, .kernel = KernelKind::generic});
  return [engine, nv = static_cast<std::size_t>(robot.nv())](const SampledTrajectory& m) {
    std::vector<double> tau(m.rows * nv);
    engine->inverse_dynamics(m.rows, m.q, m.v, m.a, tau);
    return tau;
  };
}

py::tuple retimed(const Robot& robot, const SampledTrajectory& m, const std::string& how) {
  const TorquesAlong torques = torques_along(robot);
  TimeScaling s;
  if (how == "optimal")
    s = scaled_optimally(robot, m, torques);
  else if (how == "slower" || how == "uniform")
    s = scaled_uniformly(robot, m, torques, how == "slower");
  else
    throw Error("within_limits: unknown value '" + how + "'; give slower, uniform or optimal");
  py::list binding;
  for (const TimeScaling::Binding& b : s.binding)
    binding.append(py::make_tuple(b.coordinate, b.kind, b.row, b.rows));
  return py::make_tuple(dict_of(robot, s.motion), s.factor, binding);
}

}  // namespace

TrajectoryPointer trajectory_of(const Robot& robot, const py::object& x) {
  if (x.is_none()) return named_motion("default").trajectory(robot);
  if (!py::isinstance<py::str>(x))
    return interpolated(robot, sampled_trajectory_of(robot, x.cast<py::tuple>()));
  const auto what = x.cast<std::string>();
  if (const NamedMotion* n = named(what)) return n->trajectory(robot);
  if (is_toml(what)) {
    const MotionFile file = read_motion_file(robot, what);
    for (const std::string& warning : file.warnings) warn(warning);
    return file.trajectory;
  }
  return interpolated(robot, read_trajectory(robot, what, {.warn = warn}));
}

void add_motion(py::module_& m) {
  m.def("motion_names", [] {
    py::list all;
    for (const NamedMotion& n : named_motions()) all.append(py::make_tuple(n.name, n.what));
    return all;
  });
  m.def("is_motion_name", [](const std::string& name) {
    const auto all = named_motions();
    return std::any_of(all.begin(), all.end(), [&](const NamedMotion& n) { return n.is(name); });
  });
  m.def("motion", [](const RobotHandle& r, const std::string& what, std::optional<double> rate,
                     bool derive, bool by_parts, bool torques) {
    SampledTrajectory made;
    {
      const Unlocked unlocked;
      made = motion(r.robot, what, rate, derive, by_parts, torques);
    }
    return dict_of(r.robot, made);
  });
  m.def("sine", [](const RobotHandle& r, const Numbers& about, const Numbers& amplitude,
                   double frequency, double duration, double rate) {
    return dict_of(r.robot,
                   sampled(r.robot,
                           *sine(vector("about", about, r.nq), vector("amplitude", amplitude, r.nq),
                                 frequency, duration),
                           rate));
  });
  m.def("retimed", [](const RobotHandle& r, const py::tuple& motion, const std::string& how) {
    return retimed(r.robot, sampled_trajectory_of(r.robot, motion), how);
  });
  m.def("write_motion", [](const RobotHandle& r, const py::tuple& motion, const std::string& path) {
    write_trajectory(r.robot, sampled_trajectory_of(r.robot, motion), path);
  });
  m.def("broken_limits", [](const RobotHandle& r, const py::tuple& motion, const Numbers& tau) {
    const SampledTrajectory t = sampled_trajectory_of(r.robot, motion);
    py::list all;
    for (const LimitBreak& b : broken_limits(r.robot, t, vector("tau", tau, t.rows * r.nv)))
      all.append(py::make_tuple(b.coordinate, b.kind, b.value, b.limit, b.row));
    return all;
  });
  m.def("sampling_rate",
        [](const RobotHandle& r, const py::tuple& motion, std::optional<double> stiffness,
           double full_torque_at) -> py::object {
          SamplingOptions o;
          o.stiffness = stiffness;
          o.full_torque_at = full_torque_at;
          const auto a = sampling_advice(r.robot, sampled_trajectory_of(r.robot, motion), o);
          if (!a) return py::none();
          return py::make_tuple(a->rate(), a->servo, a->gravity, a->motion);
        });
}

}  // namespace parid::python
