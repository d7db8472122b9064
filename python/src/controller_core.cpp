// Controllers as hardware: their figures, Verilog, bit-true model and predicted tracking.

#include <fmt/format.h>

#include <mutex>

#include "bindings.hpp"
#include "hardware/controller/core_tracking.hpp"
#include "motions.hpp"

namespace parid::python {
namespace {

// A core and its bit-true model.
struct CoreHandle {
  ControllerCore core;
  CoreModel model;
  std::mutex using_model;

  explicit CoreHandle(ControllerCore c) : core(std::move(c)), model(core) {}
  CoreHandle(const CoreHandle&) = delete;
  CoreHandle& operator=(const CoreHandle&) = delete;
};

py::dict tracking_dict(const CoreTracking& t) {
  py::dict d;
  d["ideal"] = t.ideal;
  d["core"] = t.core;
  d["degradation"] = t.degradation;
  return d;
}

// The same core for a motion: the branch of its inverse kinematics is that of the motion's start.
ControllerCore core_for(const CoreHandle& h, const Trajectory& motion) {
  ControllerCore core = h.core;
  std::vector<double> q(core.n()), v(q), a(q);
  motion.at(0, q, v, a);
  core.program.branch = core.branch_of(q);
  return core;
}

std::unique_ptr<CoreHandle> core_of(const RobotHandle& r, const py::dict& o) {
  CoreOptions c;
  c.law = o["law"].cast<std::string>();
  if (const auto kind = o["setpoint"].cast<std::optional<std::string>>())
    c.setpoint = set_point(*kind);
  c.link = o["link"].cast<std::optional<std::string>>().value_or("");
  c.arrangement = o["arrangement"].cast<std::string>();
  c.word = o["word"].cast<int>();
  c.guard = o["guard"].cast<int>();
  c.interval = o["interval"].cast<int>();
  c.window = o["window"].cast<int>();
  c.rate = o["rate"].cast<double>();
  c.clock = o["clock"].cast<double>();
  c.velocity = o["velocity"].cast<double>();
  c.acceleration = o["acceleration"].cast<double>();
  c.error = o["position_error"].cast<double>();
  if (const auto kp = o["kp"].cast<std::optional<Numbers>>()) c.gains.kp = vector(*kp);
  if (const auto kd = o["kd"].cast<std::optional<Numbers>>()) c.gains.kd = vector(*kd);
  const Unlocked unlocked;
  return std::make_unique<CoreHandle>(controller_core(r.robot, c));
}

py::dict figures(const CoreHandle& h) {
  const ControllerCore& core = h.core;
  const CoreError e = core_error(core);
  py::dict d, units;
  for (int u = 0; u < core_units; ++u)
    if (const int built = core.timing.built[static_cast<std::size_t>(u)])
      units[name_of(static_cast<CoreUnit>(u))] = built;
  d["name"] = core.name;
  d["law"] = core.options.law;
  d["setpoint"] = name_of(*core.options.setpoint);
  d["setpoint_names"] = core.setpoint_names;
  d["word"] = core.options.word;
  d["interval"] = core.timing.interval;
  d["latency"] = core.clocks();
  d["feedback_latency"] = core.feedback_clocks();
  d["registers"] = core.timing.binding.registers;
  d["units"] = units;
  d["max_error"] = e.share;
  d["error_bound"] = e.bound_share;
  d["torque_bound"] = core.torque_bound;
  d["position_error"] = core.pose_error;
  d["orientation_error"] = core.orientation_error;
  return d;
}

py::dict files(const CoreHandle& h, int samples) {
  if (samples < 1 || samples > 1'000'000) throw Error("samples: give 1 to 1000000");
  py::dict d;
  for (const EmittedFile& f : core_files(h.core, samples)) d[py::str(f.name)] = f.text;
  return d;
}

py::tuple step(CoreHandle& h, const Numbers& desired, const Numbers& measured) {
  const ControllerCore& core = h.core;
  const auto q_d = vector("setpoint", desired, core.n()),
             q = vector("measured", measured, core.n());
  const std::lock_guard lock(h.using_model);
  h.model.branch = core.branch_of(q_d);
  const CoreResult r = h.model.step(core.setpoint_words(q_d), core.measured_words(q));
  std::vector<double> tau;
  for (std::size_t j = 0; j < core.n(); ++j)
    tau.push_back(core.program.torque[j].format.value(r.torque[j]));
  py::list status;
  constexpr const char* names[] = {"saturated", "unreachable", "late", "limited"};
  for (unsigned f = 0; f < core_flags; ++f)
    if (r.status >> f & 1) status.append(names[f]);
  return py::make_tuple(array(tau), status);
}

py::dict predict(const CoreHandle& h, const py::object& motion) {
  const TrajectoryPointer t = trajectory_of(h.core.robot, motion);
  CorePrediction p;
  {
    const Unlocked unlocked;
    p = predict_core(core_for(h, *t), *t);
  }
  py::dict d = tracking_dict(p.tracking);
  d["from_filter"] = p.from_filter;
  d["from_latency"] = p.from_latency;
  d["from_rounding"] = p.from_rounding;
  return d;
}

py::dict simulate(const CoreHandle& h, const py::object& motion) {
  const TrajectoryPointer t = trajectory_of(h.core.robot, motion);
  CoreLoop loop;
  {
    const Unlocked unlocked;
    loop = run_core_loop(core_for(h, *t), *t);
  }
  return tracking_dict(loop.tracking);
}

}  // namespace

void add_controller_core(py::module_& m) {
  py::class_<CoreHandle>(m, "CoreHandle")
      .def("figures", figures)
      .def("files", files)
      .def("step", step)
      .def("reset",
           [](CoreHandle& h) {
             const std::lock_guard lock(h.using_model);
             h.model.reset();
           })
      .def("predict", predict)
      .def("simulate", simulate);
  m.def("controller_core", core_of);
}

}  // namespace parid::python
