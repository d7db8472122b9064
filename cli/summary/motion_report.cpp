#include "cli/summary/motion_report.hpp"

#include <fmt/format.h>

#include "cli/input/torque_evaluation.hpp"
#include "cli/output/terminal.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::cli {
namespace {

struct Freedom {
  std::string name;
  int position;  // -1: part of a quaternion
  int velocity;
  bool slides;
};

std::vector<Freedom> freedoms(const Robot& robot) {
  std::vector<Freedom> all;
  int p = 0, l = 0;
  for (const JointDescription& j : robot.description().joints) {
    const int n = velocity_count(j);
    const bool plain = position_count(j) == n;
    for (int k = 0; k < n; ++k)
      all.push_back({robot.velocity_names()[l + k], plain ? p + k : -1, l + k,
                     j.type == JointType::prismatic || (j.type == JointType::planar && k < 2) ||
                         (j.type == JointType::floating && k < 3)});
    p += position_count(j);
    l += n;
  }
  return all;
}

std::vector<double> column(const std::vector<double>& x, std::size_t rows, int width, int k) {
  std::vector<double> y(rows);
  for (std::size_t r = 0; r < rows; ++r) y[r] = x[r * width + k];
  return y;
}

// One kind of curve for revolute or prismatic freedoms, in as many panels as needed.
void add(Figure& figure, const std::vector<Freedom>& all, const std::string& what, bool slides,
         const char* unit, const std::vector<double>& x, int width, bool positions) {
  Panel panel{what, unit, {}};
  for (const Freedom& f : all)
    if (f.slides == slides && (!positions || f.position >= 0))
      panel.curves.push_back(
          {f.name, column(x, figure.x.size(), width, positions ? f.position : f.velocity),
           all.size() <= most_curves ? f.velocity : -1});
  for (Panel& part : split(std::move(panel))) figure.panels.push_back(std::move(part));
}

}  // namespace

Figure motion_figure(const Robot& robot, const SampledTrajectory& m,
                     const std::vector<double>* tau) {
  const std::vector<Freedom> all = freedoms(robot);
  Figure figure;
  figure.title = fmt::format("{}: {}", robot.name(), tau ? "torques along a motion" : "a motion");
  figure.x = m.t;
  if (m.t.empty()) {
    figure.across = "sample";
    for (std::size_t r = 0; r < m.rows; ++r) figure.x.push_back(static_cast<double>(r + 1));
  }
  const int nq = robot.nq(), nv = robot.nv();
  if (all.size() <= most_curves || !tau) {
    add(figure, all, "position", false, "rad", m.q, nq, true);
    add(figure, all, "position", true, "m", m.q, nq, true);
    add(figure, all, "velocity", false, "rad/s", m.v, nv, false);
    add(figure, all, "velocity", true, "m/s", m.v, nv, false);
  }
  if (tau) {
    add(figure, all, "torque", false, "N m", *tau, nv, false);
    add(figure, all, "force", true, "N", *tau, nv, false);
  } else {
    add(figure, all, "acceleration", false, "rad/s²", m.a, nv, false);
    add(figure, all, "acceleration", true, "m/s²", m.a, nv, false);
  }
  return figure;
}

void add_friction(Figure& figure, const Robot& robot, const std::vector<double>& bearing,
                  const std::vector<double>& drive) {
  const std::vector<Freedom> all = freedoms(robot);
  const int nv = robot.nv();
  figure.title += ", friction included";
  for (const auto& [name, part] : {std::pair{"bearings", &bearing}, std::pair{"drives", &drive}}) {
    add(figure, all, name, false, "N m", *part, nv, false);
    add(figure, all, name, true, "N", *part, nv, false);
  }
}

namespace {

std::string unit_of(const Robot& robot, const LimitBreak& b) {
  bool slides = false;
  for (const JointDescription& j : robot.description().joints)
    slides |= j.name == b.coordinate && j.type == JointType::prismatic;
  if (b.kind == "effort") return slides ? "N" : "N m";
  return (slides ? "m" : "rad") + std::string(b.kind == "velocity" ? "/s" : "");
}

std::string text_of(const Robot& robot, const LimitBreak& b, const SampledTrajectory& m) {
  const std::string when =
      m.t.empty() ? fmt::format("in sample {}", b.row) : fmt::format("at t = {:.4g} s", m.t[b.row]);
  const std::string unit = unit_of(robot, b);
  if (b.kind == "position")
    return fmt::format("{}: {:.4g} {} {} is {} the limit of {:.4g}", b.coordinate, b.value, unit,
                       when, b.value < b.limit ? "below" : "above", b.limit);
  const double value = std::abs(b.value), limit = std::abs(b.limit);
  return fmt::format("{}: {:.4g} {} {} exceeds the limit of {:.4g}{}", b.coordinate, value, unit,
                     when, limit, limit > 0 ? fmt::format(" ({:.3g} %)", 100 * value / limit) : "");
}

}  // namespace

void note(const std::vector<LimitBreak>& broken, const Robot& robot, const SampledTrajectory& m,
          const MotionOptions& o) {
  for (const LimitBreak& b : broken)
    note("{}note: {}{}", m.place ? m.place(b.row).text() + ": " : "", text_of(robot, b, m),
         o.pace && b.kind == "position" ? "; re-timing cannot help, choose another path" : "");
}

void check_sampling_options(const SamplingOptions& o) {
  if (o.stiffness && !(*o.stiffness > 0))
    throw Error(fmt::format("--stiffness: {} N m/rad is out of range; give a number above zero",
                            *o.stiffness));
  if (!(o.full_torque_at > 0))
    throw Error(fmt::format("--full-torque-at: {} rad is out of range; give a number above zero",
                            o.full_torque_at));
}

std::string said(const SamplingAdvice& a, const SamplingOptions& o) {
  std::string text = fmt::format(
      "recommended sampling rate: at least {:.3g} Hz, 20 times the highest natural frequency, "
      "{:.3g} Hz\n",
      a.rate(), a.natural_frequency());
  if (a.servo > 0)
    text += fmt::format(
        "  servo    {:>8.3g} Hz  {}\n", a.servo,
        o.stiffness ? fmt::format("with a joint stiffness of {:g} N m/rad (N/m)", *o.stiffness)
                    : fmt::format("with full torque at {:g} rad (m)", o.full_torque_at));
  if (a.gravity > 1e-6)
    text += fmt::format("  gravity  {:>8.3g} Hz  the arm as a pendulum\n", a.gravity);
  if (a.motion > 0) text += fmt::format("  motion   {:>8.3g} Hz  largest |a|/|v|\n", a.motion);
  return text;
}

Json json_of(const std::optional<SamplingAdvice>& a, const SamplingOptions& o) {
  if (!a) return nullptr;
  return {{"rate", a->rate()},
          {"servo", a->servo},
          {"gravity", a->gravity},
          {"motion", a->motion},
          {"stiffness", o.stiffness ? Json(*o.stiffness) : Json(nullptr)},
          {"full_torque_at", o.full_torque_at}};
}

Json json_of(const std::vector<LimitBreak>& broken) {
  Json limits = Json::array();
  for (const LimitBreak& b : broken)
    limits.push_back({{"coordinate", b.coordinate},
                      {"kind", b.kind},
                      {"value", b.value},
                      {"limit", b.limit},
                      {"sample", b.row}});
  return limits;
}

}  // namespace parid::cli
