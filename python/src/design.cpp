// Designs of controllers: candidates with their verdicts, their files, and simulated loops.

#include "design/controller_design.hpp"

#include <memory>

#include "motions.hpp"
#include "parid/design.hpp"

namespace parid::python {
namespace {

// What files, pictures and verifications of a result need.
struct Designed {
  Robot plant, model;
  motion::TrajectoryPointer motion;
  DesignResult result;

  const DesignCandidate& candidate(std::size_t k) const {
    if (k >= result.candidates.size()) throw py::index_error("no such candidate");
    return result.candidates[k];
  }
};

py::dict dict_of(const DesignCandidate& c) {
  py::dict d;
  d["id"] = c.id;
  d["target"] = c.target;
  d["method"] = c.method;
  d["policy"] = c.policy;
  d["formulation"] = c.formulation;
  d["word"] = c.word;
  d["processors"] = c.processors;
  d["units"] = c.units;
  d["multiplications"] = c.operations.multiplications;
  d["additions"] = c.operations.additions;
  d["sincos"] = c.operations.sin_cos;
  d["messages"] = c.messages;
  d["message_words"] = c.message_words;
  d["oldest"] = c.oldest;
  d["step_time"] = c.step_time;
  d["period"] = c.period;
  d["latency"] = c.latency;
  d["reachable"] = c.reachable;
  d["kp"] = c.kp;
  d["kd"] = c.kd;
  d["bandwidth"] = c.bandwidth;
  d["gain_margin"] = c.gain_margin;
  d["phase_margin"] = c.phase_margin;
  d["largest_period"] = c.largest_period;
  d["noise"] = c.noise;
  d["tracking_largest"] = c.tracking_largest;
  d["tracking_rms"] = c.tracking_rms;
  d["multipliers"] = c.multipliers;
  d["luts"] = c.luts;
  d["price"] = c.price;
  d["power"] = c.power;
  d["refused"] = c.refused.empty() ? py::object(py::none()) : py::object(py::str(c.refused));
  d["front"] = c.front;
  return d;
}

py::dict design_robot(const RobotHandle& plant, const RobotHandle& model, const py::dict& o) {
  DesignOptions d;
  d.targets = o["targets"].cast<std::vector<std::string>>();
  d.policies = o["policies"].cast<std::vector<std::string>>();
  d.words = o["words"].cast<std::vector<int>>();
  d.processors = o["processors"].cast<std::vector<int>>();
  d.formulations = o["formulations"].cast<std::vector<std::string>>();
  d.rate = o["rate"].cast<std::optional<double>>();
  d.bandwidth = o["bandwidth"].cast<std::optional<double>>();
  d.fastest_rate = o["fastest_rate"].cast<double>();
  d.gain_margin = o["gain_margin"].cast<double>();
  d.phase_margin = o["phase_margin"].cast<double>();
  d.acceleration = o["acceleration"].cast<double>();
  if (const auto poses = o["poses"].cast<std::optional<Numbers>>()) d.poses = vector(*poses);
  d.random_poses = o["random_poses"].cast<std::size_t>();
  d.seed = o["seed"].cast<std::uint64_t>();
  d.goal = design_goal(o["goal"].cast<std::string>());
  d.threads = o["threads"].cast<int>();
  auto found = std::make_shared<Designed>(Designed{plant.robot, model.robot, nullptr, {}});
  if (!o["motion"].is_none()) found->motion = trajectory_of(plant.robot, o["motion"]);
  {
    const Unlocked unlocked;
    found->result = parid::design::designed(plant.robot, model.robot, found->motion.get(), d);
  }
  py::list candidates;
  for (const DesignCandidate& c : found->result.candidates) candidates.append(dict_of(c));
  py::dict out;
  out["candidates"] = candidates;
  out["chosen"] = found->result.chosen < 0 ? py::object(py::none())
                                           : py::object(py::int_(found->result.chosen));
  out["why"] = found->result.why;
  out["poses"] = array(found->result.poses, plant.nq);
  out["handle"] = py::cast(found);
  return out;
}

}  // namespace

void add_design(py::module_& m) {
  py::class_<Designed, std::shared_ptr<Designed>>(m, "Designed")
      .def("files",
           [](const Designed& d, std::size_t k) {
             py::dict all;
             for (const CodeFile& f : design_files(d.model, d.candidate(k), d.result))
               all[py::str(f.name)] = f.text;
             return all;
           })
      .def("picture", [](const Designed& d,
                         const std::string& title) { return design_picture(d.result, title); })
      .def("verify", [](const Designed& d, std::size_t k, bool limit_torques, bool friction) {
        const DesignCandidate& c = d.candidate(k);
        DesignVerification v;
        {
          const Unlocked unlocked;
          v = parid::design::verified(d.plant, d.model, d.motion.get(), c, d.result,
                                      {limit_torques, friction, {}});
        }
        py::dict out;
        out["predicted_period"] = v.predicted_period;
        out["period"] = v.period;
        out["predicted_largest"] = v.predicted_largest;
        out["largest"] = v.largest;
        out["predicted_rms"] = v.predicted_rms;
        out["rms"] = v.rms;
        out["lost"] = v.lost;
        return out;
      });
  m.def("design", design_robot);
  m.def("design_targets", [] {
    py::list all;
    for (const DesignTargetInfo& t : design_targets()) all.append(py::make_tuple(t.id, t.title));
    return all;
  });
  m.def("design_target_file", design_target_file);
  m.def("measure_design_target", [](const std::string& title) {
    const Unlocked unlocked;
    return measure_design_target(title);
  });
  m.def("design_assumptions", [] {
    py::list all;
    for (const DesignAssumption& a : design_assumptions())
      all.append(py::make_tuple(a.figure, a.assumption));
    return all;
  });
}

}  // namespace parid::python
