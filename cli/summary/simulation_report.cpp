#include "cli/summary/simulation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file/csv.hpp"
#include "base/file/hdf5.hpp"
#include "base/file/npz.hpp"
#include "cli/summary/motion_report.hpp"
#include "motion/file/trajectory_file.hpp"

namespace parid::cli {
namespace {

Json rows_of(const std::vector<double>& x, std::size_t rows, std::size_t width) {
  Json all = Json::array();
  for (std::size_t r = 0; r < rows; ++r)
    all.push_back(std::vector<double>(x.data() + r * width, x.data() + (r + 1) * width));
  return all;
}

}  // namespace

void write_simulation(const Robot& robot, const SimulationResult& r, const std::string& path) {
  const SampledTrajectory& m = r.motion;
  const auto nq = static_cast<std::size_t>(robot.nq()), nv = static_cast<std::size_t>(robot.nv());
  const std::string ending = std::filesystem::path(path).extension().string();
  const std::size_t motors = r.theta.size() / std::max<std::size_t>(m.rows, 1);
  if (ending == ".npy") return write_trajectory(robot, m, path);
  if (ending == ".npz" || is_hdf5_name(path)) {
    std::map<std::string, Array> arrays{{"t", {{m.rows}, m.t}},
                                        {"q", {{m.rows, nq}, m.q}},
                                        {"v", {{m.rows, nv}, m.v}},
                                        {"a", {{m.rows, nv}, m.a}},
                                        {"tau", {{m.rows, nv}, r.tau}}};
    if (motors > 0) {
      arrays["theta"] = {{m.rows, motors}, r.theta};
      arrays["theta_v"] = {{m.rows, motors}, r.theta_v};
    }
    return is_hdf5_name(path) ? write_hdf5(path, arrays) : write_npz(path, arrays);
  }
  std::vector<std::string> columns{"t"};
  for (const std::string& name : robot.position_names()) columns.push_back("q:" + name);
  for (const char* part : {"v:", "a:", "tau:"})
    for (const std::string& name : robot.velocity_names()) columns.push_back(part + name);
  for (const char* part : {"theta:", "theta_v:"})
    for (const ElasticJoint& j : robot.elastic_joints())
      if (motors > 0) columns.push_back(part + j.joint);
  CsvWriter csv(path, columns);
  std::vector<double> row;
  for (std::size_t i = 0; i < m.rows; ++i) {
    row = {m.t[i]};
    auto add = [&](const std::vector<double>& x, std::size_t width) {
      row.insert(row.end(), x.data() + i * width, x.data() + (i + 1) * width);
    };
    add(m.q, nq);
    add(m.v, nv);
    add(m.a, nv);
    add(r.tau, nv);
    if (motors > 0) {
      add(r.theta, motors);
      add(r.theta_v, motors);
    }
    csv.row(row);
  }
  csv.commit();
}

Json json_of(const Robot& robot, const SimulationResult& r) {
  const std::size_t rows = r.motion.rows, nv = static_cast<std::size_t>(robot.nv());
  Json object{{"end", name_of(r.end)},
              {"ended_at", r.ended_at},
              {"coordinate", r.coordinate.empty() ? Json(nullptr) : Json(r.coordinate)},
              {"why", r.why.empty() ? Json(nullptr) : Json(r.why)},
              {"energy_drift", r.energy_drift},
              {"relative_energy_drift", r.relative_energy_drift},
              {"steps", r.steps},
              {"rejected", r.rejected},
              {"evaluations", r.evaluations},
              {"events", r.events},
              {"samples", rows},
              {"positions", robot.position_names()},
              {"velocities", robot.velocity_names()},
              {"t", r.motion.t},
              {"q", rows_of(r.motion.q, rows, static_cast<std::size_t>(robot.nq()))},
              {"v", rows_of(r.motion.v, rows, nv)},
              {"a", rows_of(r.motion.a, rows, nv)},
              {"tau", rows_of(r.tau, rows, nv)},
              {"kinetic", r.kinetic},
              {"potential", r.potential},
              {"work", r.work},
              {"losses", r.losses}};
  if (r.theta.empty()) return object;
  Json motors = Json::array();
  for (const ElasticJoint& j : robot.elastic_joints()) motors.push_back(j.joint);
  object["motors"] = motors;
  object["theta"] = rows_of(r.theta, rows, motors.size());
  object["theta_v"] = rows_of(r.theta_v, rows, motors.size());
  return object;
}

Figure simulation_figure(const Robot& robot, const SimulationResult& r) {
  Figure figure = motion_figure(robot, r.motion, &r.tau);
  figure.title = fmt::format("{}: simulated, {}", robot.name(),
                             r.end == SimulationEnd::finished
                                 ? fmt::format("{:.6g} s", r.ended_at)
                                 : fmt::format("{} at {:.6g} s", name_of(r.end), r.ended_at));
  Panel energies{"energy", "J", {}};
  auto add = [&](const char* name, const std::vector<double>& x) {
    Curve curve;
    curve.name = name;
    curve.y = x;
    energies.curves.push_back(std::move(curve));
  };
  std::vector<double> potential = r.potential;  // since the start, as work and losses are
  for (double& x : potential) x -= r.potential.front();
  add("kinetic", r.kinetic);
  add("potential", potential);
  add("work", r.work);
  add("losses", r.losses);
  figure.panels.push_back(std::move(energies));
  return figure;
}

std::string said(const SimulationResult& r) {
  return fmt::format("{} at {:.9g} s{}{}\n", name_of(r.end), r.ended_at, r.why.empty() ? "" : ": ",
                     r.why) +
         fmt::format(
             "energy drift {:.3g} J, {:.2g} of the largest energy exchanged; work {:.6g} J, losses "
             "{:.6g} J\n",
             r.energy_drift, r.relative_energy_drift, r.work.back(), r.losses.back()) +
         fmt::format("{} steps, {} rejected; stick-slip events: {}\n", r.steps, r.rejected,
                     r.events);
}

}  // namespace parid::cli
