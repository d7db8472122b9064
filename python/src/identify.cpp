// Parameters from measured torques, excitation motions, and external forces on a moving robot.

#include "identification/identify.hpp"
#include "identification/excite.hpp"
#include "model/given_values.hpp"
#include "motions.hpp"
#include "parid/momentum_observer.hpp"

namespace parid::python {
namespace {

ModelOptions model_options(const py::dict& o) {
  ModelOptions m;
  m.friction = o["friction"].cast<bool>();
  m.rotors = o["rotors"].cast<bool>();
  m.drives = o["drives"].cast<bool>();
  m.offsets = o["offsets"].cast<bool>();
  return m;
}

py::dict dict_of(const Estimate& e) {
  py::dict d;
  d["name"] = e.parameter.name;
  d["kind"] = name_of(e.parameter.kind);
  d["unit"] = e.parameter.unit;
  d["meaning"] = e.parameter.meaning;
  d["given"] = e.parameter.given;
  d["value"] = e.value;
  d["standard_error"] = e.standard_error;
  d["physical"] = e.physical;
  d["found"] = e.found;
  d["confused_with"] = py::tuple(py::cast(e.confused_with));
  return d;
}

py::tuple identified(const RobotHandle& r, const std::vector<py::tuple>& given, const py::dict& o) {
  std::vector<SampledTrajectory> logs;
  for (const py::tuple& x : given) {
    logs.push_back(sampled_trajectory_of(r.robot, x));
    logs.back().tau = vector("tau", x[4].cast<Numbers>(), logs.back().rows * r.nv);
    require_finite("tau", logs.back().tau);
  }
  IdentifyOptions how;
  how.robust = o["robust"].cast<bool>();
  how.rest_velocity = o["rest_velocity"].cast<double>();
  const ModelOptions wanted = model_options(o);
  Identification found;
  std::optional<Robot> robot;
  {
    const Unlocked unlocked;
    TorqueModel model(r.robot, wanted);
    found = identify(model, logs, how);
    robot = Robot(identified_robot(model, found));
  }
  py::dict d;
  d["samples"] = found.samples;
  d["equations"] = found.equations;
  d["condition"] = found.condition;
  d["residual_given"] = relative_residual(found.fits, Whose::given);
  d["residual_found"] = relative_residual(found.fits, Whose::found);
  d["residual"] = relative_residual(found.fits, Whose::physical);
  d["notes"] = py::tuple(py::cast(found.notes));
  py::list estimates;
  for (const Estimate& e : found.estimates) estimates.append(dict_of(e));
  return py::make_tuple(py::cast(new RobotHandle(*robot), py::return_value_policy::take_ownership),
                        d, estimates);
}

}  // namespace

void add_identify(py::module_& m) {
  m.def("identify", identified);
  m.def("exciting_motion", [](const RobotHandle& r, double seconds, double rate, double share) {
    ExcitationOptions o;
    require_above_zero("rate", rate, "100");
    require_within("seconds", seconds, 0.5, 600);
    require_within("seconds times rate", seconds * rate, 1, 1e7);
    o.seconds = seconds;
    o.samples = static_cast<int>(seconds * rate) + 1;
    o.share = share;
    Excitation e;
    {
      const Unlocked unlocked;
      TorqueModel model(r.robot);
      e = exciting_motion(model, o);
    }
    return py::make_tuple(dict_of(r.robot, e.motion), e.condition);
  });

  py::class_<MomentumObserver>(m, "MomentumObserver")
      .def(py::init(
          [](const RobotHandle& r, double gain) { return new MomentumObserver(r.robot, gain); }))
      .def("reset", [](MomentumObserver& o, const Numbers& q,
                       const Numbers& v) { o.reset(vector(q), vector(v)); })
      .def("update", [](MomentumObserver& o, double dt, const Numbers& q, const Numbers& v,
                        const Numbers& tau) {
        const auto x = o.update(dt, vector(q), vector(v), vector(tau));
        return array({x.begin(), x.end()});
      });
}

}  // namespace parid::python
