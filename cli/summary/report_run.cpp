#include "cli/summary/report_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unordered_map>

#include "cli/output/numbers.hpp"
#include "cli/summary/limits_report.hpp"
#include "cli/summary/motion_report.hpp"
#include "cli/summary/report_parts.hpp"
#include "dynamics/friction_stage.hpp"
#include "model/given_values.hpp"

namespace parid::cli {
namespace {

// numbers of a motion in the page; longer motions are thinned out
constexpr std::size_t most_numbers = 4'000'000;

// Every k-th sample is kept if there are more than a page should hold.
std::size_t stride_of(const Robot& robot, const SampledTrajectory& m) {
  const std::size_t width = robot.nq() + 4 * static_cast<std::size_t>(robot.nv());
  return std::max<std::size_t>(1, (m.rows * width + most_numbers - 1) / most_numbers);
}

void thin_out(const Robot& robot, std::size_t stride, SampledTrajectory& m, Torques& torques) {
  if (stride <= 1) return;
  const std::size_t nq = robot.nq(), nv = robot.nv(), rows = m.rows;
  auto keep = [&](const std::vector<double>& x, std::size_t k) {
    std::vector<double> to;
    for (std::size_t r = 0; r < rows && !x.empty(); r += stride)
      to.insert(to.end(), &x[r * k], &x[r * k] + k);
    return to;
  };
  SampledTrajectory thin;
  thin.t = keep(m.t, 1);
  thin.q = keep(m.q, nq);
  thin.v = keep(m.v, nv);
  thin.a = keep(m.a, nv);
  thin.rows = nv > 0 ? thin.v.size() / nv : 0;
  name_torques(robot, thin);
  m = std::move(thin);
  for (std::vector<double>* x : {&torques.tau, &torques.rigid, &torques.bearing, &torques.drive})
    *x = keep(*x, nv);
}

std::string rotors(const Robot& robot, const TorqueOptions& t) {
  if (t.no_rotors) return "left out";
  const auto& joints = robot.description().joints;
  const auto some = std::count_if(joints.begin(), joints.end(), [](const JointDescription& j) {
    return j.rotor_inertia != 0 || j.rotor.has_value();
  });
  if (some == 0) return "none in the robot file";
  return fmt::format("inertia counted at {} joint{}", some, some == 1 ? "" : "s");
}

const TorqueOptions& with_friction(TorqueOptions& t, bool on) {
  t.friction = t.friction || on;
  return t;
}

}  // namespace

ModelText::ModelText(const Robot& robot, const TorqueOptions& t, bool frictionless) {
  const bool friction = t.friction && !frictionless;
  torques = friction       ? "rigid bodies and rotors, plus friction of bearings and drives"
            : frictionless ? "rigid bodies and rotors; the robot file has no friction"
                           : rigid;
  brief = friction ? "rigid + friction" : "rigid";
  friction_omitted = !friction && !frictionless;
  if (t.payload) {
    const auto [link, x] = numbers_at_link("--payload", *t.payload);
    payload =
        fmt::format("payload of {:g} kg on link '{}'", x.at(0), link.empty() ? robot.tip() : link);
    if (x.size() >= 4)
      payload += fmt::format(", centre of mass ({:g}, {:g}, {:g}) m", x[1], x[2], x[3]);
  }
  const auto& joints = robot.description().joints;
  const bool floats = std::any_of(joints.begin(), joints.end(), [](const JointDescription& j) {
    return j.type == JointType::floating;
  });
  const auto g = robot.gravity();
  const std::string gravity = fmt::format("({:g}, {:g}, {:g}) m/s²", g[0], g[1], g[2]);
  around = fmt::format("{}, {} base, gravity {}", payload, floats ? "floating" : "fixed", gravity);
  assumptions = {
      {"friction", friction       ? "bearings and drives, as in the robot file"
                   : frictionless ? "none in the robot file"
                                  : "in the robot file, but not counted"},
      {"payload", payload == "no payload" ? "none added to the robot file" : payload.substr(11)},
      {"base", floats ? "floating: the base has no motor" : "fixed"},
      {"gravity", gravity},
      {"rotors", rotors(robot, t)}};
}

std::string ModelText::text() const { return fmt::format("{}; {}", torques, around); }

Json ModelText::json() const {
  Json list = Json::array();
  for (const auto& [name, value] : assumptions) list.push_back({name, value});
  return {{"rigid", rigid},   {"torques", torques},  {"brief", brief},
          {"around", around}, {"assumptions", list}, {"friction_omitted", friction_omitted}};
}

ReportRun::ReportRun(TorqueOptions t, bool all)
    : options(std::move(t)),
      robot(asked_robot(options)),
      frictionless(FrictionStage<double>(robot.canonical()).nothing()),
      model(robot, with_friction(options, all && !frictionless), frictionless) {
  require_moving_links(robot, 200, "a report");
  const ExternalLoads around;
  const MotionOptions& m = options.motion;
  motion = asked_motion(robot, m);
  asked_pace(robot, m, motion, torques_along(robot, around, options.threads));
  torques = asked_torques(options, robot, around, motion);
  limits = check_limits(robot, motion, torques.tau, {.threads = options.threads});
  note(broken_limits(robot, motion, torques.tau), robot, motion, m);
  instants = motion.t;
  all_samples = motion.rows;
  motion_name =
      m.file ? std::filesystem::path(*m.file).filename().string() : m.name.value_or("default");
  std::string text = motion_name;
  if (std::isfinite(limits.duration)) text += fmt::format(", {:.4g} s", limits.duration);
  text += fmt::format(", {} sample{}", all_samples, all_samples == 1 ? "" : "s");
  if (m.pace) text += fmt::format(", timed within the limits ({})", *m.pace);
  model.assumptions.emplace_back("motion", text);
  stride = stride_of(robot, motion);
  thin_out(robot, stride, motion, torques);
}

Json ReportRun::limits_json() const {
  const std::vector<CheckedMotion> checked = {{motion_name, instants, limits}};
  Json j{{"holds", holds_json(limits.verdict, false)}, {"margin", limits.margin}};
  add_loads(j, limits, checked, std::vector<std::size_t>(limits.joints.size()));
  for (std::size_t k = 0; k < limits.joints.size(); ++k)
    j["joints"][k]["slides"] = limits.joints[k].slides;
  return j;
}

// ---- a second run beside the first

TorqueOptions second_options(const ReportOptions& o) {
  TorqueOptions t = o.torque;
  t.silent = !o.compare;
  if (o.compare) {
    t.robot = *o.compare;
    t.removed.clear();
    t.attachments.clear();
    t.locks.clear();
    t.frames.clear();
    t.arguments.clear();
    t.environment.clear();
    t.tip.reset();
  }
  if (o.compare_payload) {
    t.payload = o.compare_payload;
    if (*o.compare_payload == "none")
      t.payload.reset();
    else
      (void)numbers_at_link("--compare-payload", *o.compare_payload);  // or an Error
  }
  if (o.compare_motion) {
    t.motion.name.reset();
    t.motion.file.reset();
    std::error_code no;
    const bool file = std::filesystem::exists(*o.compare_motion, no);
    (file ? t.motion.file : t.motion.name) = *o.compare_motion;
  }
  return t;
}

namespace {

// Coordinates of equal names; if there are none and both robots have as many, by their order.
std::vector<std::pair<std::size_t, std::size_t>> paired(const Robot& a, const Robot& b) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::unordered_map<std::string, std::size_t> at;
  for (std::size_t k = 0; k < b.velocity_names().size(); ++k) at.emplace(b.velocity_names()[k], k);
  for (std::size_t k = 0; k < a.velocity_names().size(); ++k)
    if (const auto found = at.find(a.velocity_names()[k]); found != at.end())
      pairs.emplace_back(k, found->second);
  if (!pairs.empty()) return pairs;
  if (a.nv() != b.nv())
    throw Error(fmt::format(
        "--compare: {} has {} degrees of freedom and {} has {}, and no joint has the same name; "
        "compare robots with equal names or equal degrees of freedom",
        a.name(), a.nv(), b.name(), b.nv()));
  for (std::size_t k = 0; k < static_cast<std::size_t>(a.nv()); ++k) pairs.emplace_back(k, k);
  return pairs;
}

// What tells the runs apart: robot, payload, motion.
std::pair<std::string, std::string> labels(const ReportRun& a, const ReportRun& b) {
  std::vector<std::string> x, y;
  auto both = [&](const std::string& of_a, const std::string& of_b) {
    if (of_a == of_b) return;
    x.push_back(of_a);
    y.push_back(of_b);
  };
  both(a.robot.name(), b.robot.name());
  // Files of robots with one name.
  auto file = [](const ReportRun& r) {
    return std::filesystem::path(r.options.robot).filename().string();
  };
  if (x.empty() && a.options.robot != b.options.robot)
    file(a) != file(b) ? both(file(a), file(b)) : both(a.options.robot, b.options.robot);
  if (a.options.payload != b.options.payload) both(a.model.payload, b.model.payload);
  both(a.motion_name, b.motion_name);
  return {fmt::format("{}", fmt::join(x, ", ")), fmt::format("{}", fmt::join(y, ", "))};
}

}  // namespace

Json compare_json(const ReportRun& a, const ReportRun& b) {
  if (a.motion.t.empty() != b.motion.t.empty())
    throw Error(
        "--compare-motion: one motion has a column of time and the other has none; give both one");
  const auto pairs = paired(a.robot, b.robot);
  std::vector<char> of_a(a.robot.nv()), of_b(b.robot.nv());
  Json list = Json::array();
  for (const auto& [i, j] : pairs) {
    list.push_back({i, j});
    of_a[i] = of_b[j] = 1;
  }
  auto rest = [](const Robot& r, const std::vector<char>& used) {
    Json names = Json::array();
    for (std::size_t k = 0; k < used.size(); ++k)
      if (!used[k]) names.push_back(r.velocity_names()[k]);
    return names;
  };
  const auto [first, second] = labels(a, b);
  const Json robot = robot_json(b.robot);
  const Json motion = motion_json(b.robot, b.motion, b.torques, b.motion_name);
  Json kept;
  for (const char* key : {"name", "rows", "t", "q", "v", "tau"}) kept[key] = motion[key];
  return {{"labels", {first, second}},
          {"model", b.model.json()},
          {"coordinates", robot["coordinates"]},
          {"nq", robot["nq"]},
          {"motion", kept},
          {"limits", b.limits_json()},
          {"pairs", list},
          {"alone", {rest(a.robot, of_a), rest(b.robot, of_b)}}};
}

}  // namespace parid::cli
