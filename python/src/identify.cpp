// Parameters from measured torques, excitation motions, and external forces on a moving robot.

#include "model/given_values.hpp"
#include "motions.hpp"
#include "parid/identification.hpp"
#include "parid/momentum_observer.hpp"
#include "parid/trajectory.hpp"

namespace parid::python {
namespace {

py::dict dict_of(const IdentifiedParameter& e) {
  py::dict d;
  d["name"] = e.name;
  d["kind"] = e.kind;
  d["unit"] = e.unit;
  d["meaning"] = e.meaning;
  d["given"] = e.given;
  d["value"] = e.value;
  d["standard_error"] = e.standard_error;
  d["physical"] = e.physical;
  d["found"] = e.found;
  d["confused_with"] = py::tuple(py::cast(e.confused_with));
  return d;
}

py::dict dict_of(const TorqueFit& f) {
  py::dict d;
  d["coordinate"] = f.coordinate;
  d["equations"] = f.equations;
  d["measured"] = f.measured;
  d["residual_given"] = f.given;
  d["residual_found"] = f.found;
  d["residual"] = f.physical;
  d["noise"] = f.noise;
  d["autocorrelation"] = f.autocorrelation;
  d["expected"] = f.expected;
  return d;
}

py::dict dict_of(const FilterReport& f) {
  py::dict d;
  d["kind"] = name(f.kind);
  d["rate"] = f.rate;
  d["cutoff"] = f.cutoff;
  d["chosen"] = f.chosen;
  d["window"] = f.window;
  d["edge"] = f.edge;
  d["position_noise"] = py::tuple(py::cast(f.position_noise));
  return d;
}

py::dict dict_of(const FrictionScore& s) {
  py::dict d;
  d["friction"] = name(s.friction);
  d["drives"] = s.drives;
  d["parameters"] = s.parameters;
  d["residual"] = s.residual;
  d["score"] = s.score;
  d["deviation"] = s.deviation;
  d["chosen"] = s.chosen;
  return d;
}

template <class Items>
py::list dicts_of(const Items& items) {
  py::list all;
  for (const auto& item : items) all.append(dict_of(item));
  return all;
}

FilterOptions filter_options(const py::dict& o) {
  FilterOptions f;
  f.kind = filter_kind(o["filter"].cast<std::string>());
  if (o["cutoff"].is_none()) return f;
  f.cutoff = o["cutoff"].cast<double>();
  if (f.kind == FilterKind::none)
    throw Error("cutoff: filter 'none' has no cut-off; omit one of the two");
  require_above_zero("cutoff", f.cutoff, "5");
  return f;
}

py::tuple identified(const RobotHandle& r, const std::vector<py::tuple>& given, const py::dict& o) {
  std::vector<SampledTrajectory> logs;
  for (const py::tuple& x : given) {
    logs.push_back(sampled_trajectory_of(r.robot, x));
    logs.back().tau = vector("tau", x[4].cast<Numbers>(), logs.back().rows * r.nv);
    require_finite("tau", logs.back().tau);
  }
  IdentificationOptions how;
  how.friction = friction_model(o["friction"].cast<std::string>());
  how.rotors = o["rotors"].cast<bool>();
  how.drives = o["drives"].cast<bool>();
  how.offsets = o["offsets"].cast<bool>();
  how.robust = o["robust"].cast<bool>();
  how.rest_velocity = o["rest_velocity"].cast<double>();
  how.max_residual = o["max_residual"].cast<double>();
  how.max_noise_ratio = o["max_noise_ratio"].cast<double>();
  how.filter = filter_options(o);
  std::optional<IdentificationReport> found;
  {
    const Unlocked unlocked;
    found = identify_robot(r.robot, logs, how);
  }
  py::dict d;
  d["samples"] = found->samples;
  d["equations"] = found->equations;
  d["condition"] = found->condition;
  d["residual_given"] = found->residual_given;
  d["residual_found"] = found->residual_found;
  d["residual"] = found->residual;
  d["noise"] = found->noise;
  d["verdict"] = name(found->verdict);
  d["friction"] = name(found->friction);
  d["notes"] = py::tuple(py::cast(found->notes));
  d["torques"] = dicts_of(found->torques);
  d["filters"] = dicts_of(found->filters);
  d["friction_scores"] = dicts_of(found->friction_scores);
  return py::make_tuple(
      py::cast(new RobotHandle(found->robot), py::return_value_policy::take_ownership), d,
      dicts_of(found->parameters));
}

py::tuple filtered(const RobotHandle& r, const py::tuple& given, const py::dict& o) {
  SampledTrajectory m = sampled_trajectory_of(r.robot, given);
  const FilterOptions how = filter_options(o);
  FilterReport used;
  {
    const Unlocked unlocked;
    used = filter_motion(r.robot, m, how);
  }
  return py::make_tuple(python::dict_of(r.robot, m), dict_of(used));
}

}  // namespace

void add_identify(py::module_& m) {
  m.def("identify", identified);
  m.def("filter_motion", filtered);
  m.def("exciting_motion", [](const RobotHandle& r, double seconds, double rate, double share,
                              std::optional<double> acceleration) {
    ExcitationOptions o;
    require_above_zero("rate", rate, "100");
    require_within("seconds", seconds, 0.5, 600);
    require_within("seconds times rate", seconds * rate, 1, 1e7);
    o.seconds = seconds;
    o.samples = static_cast<int>(seconds * rate) + 1;
    o.share = share;
    if (acceleration) o.acceleration = *acceleration;
    ExcitationMotion e;
    {
      const Unlocked unlocked;
      e = excitation_motion(r.robot, o);
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
