// parid info: describes a robot.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include <algorithm>
#include <cmath>

#include "cli/command.hpp"
#include "cli/input/robot_options.hpp"
#include "cli/input/torque_evaluation.hpp"
#include "cli/output/documents.hpp"
#include "cli/output/terminal.hpp"
#include "cli/summary/motion_report.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/rotor.hpp"
#include "motion/default_motion.hpp"
#include "parid/robot.hpp"

namespace parid::cli {
namespace info_command {
namespace {

struct Options : RobotOptions {
  bool json = false;
};

bool has_limit(const JointDescription& j) {
  const Limits& l = j.limits;
  return std::isfinite(l.lower) || std::isfinite(l.upper) || std::isfinite(l.velocity) ||
         std::isfinite(l.effort);
}

// "4·q + 1 + 0.5·q^2", with u for the output angle of a linkage.
std::string law_of(const Mimic& m) {
  const char* u = m.four_bar ? "u" : "q";
  std::string text = fmt::format("{:.4g}·{} + {:.4g}", m.multiplier, u, m.offset);
  for (std::size_t k = 0; k < m.higher.size(); ++k)
    text += fmt::format(" + {:.4g}·{}^{}", m.higher[k], u, k + 2);
  if (!m.four_bar) return text;
  const FourBar& f = *m.four_bar;
  text += fmt::format(", u: output angle of a four-bar linkage {:.4g}, {:.4g}, {:.4g}, {:.4g}",
                      f.ground, f.input, f.coupler, f.output);
  const ClosureRange r = closure_range(f);
  if (std::isfinite(r.lower))
    text += fmt::format(", which closes for {:.4g} < q < {:.4g}", r.lower, r.upper);
  return text;
}

std::string range(const JointDescription& j) {
  if (j.type == JointType::fixed) return "";
  const Limits& l = j.limits;
  std::vector<std::string> parts;
  auto add = [&]<class... V>(fmt::format_string<V...> text, V&&... values) {
    parts.push_back(fmt::format(text, std::forward<V>(values)...));
  };
  auto most = [&](const char* of, double limit) {
    if (std::isfinite(limit))
      add("|{}| ≤ {:.4g}", of, limit);
    else
      add("|{}| no limit", of);
  };
  if (std::isfinite(l.lower) || std::isfinite(l.upper)) add("{:.4g} … {:.4g}", l.lower, l.upper);
  if (has_limit(j)) {
    most("v", l.velocity);
    most("τ", l.effort);
  } else
    add("no limit");
  if (j.rotor_inertia > 0) add("rotor {:.4g}", j.rotor_inertia);
  if (j.rotor)
    add("rotor {:.4g}, spins on {} with ratio {:.4g}", reflected_inertia(j), j.rotor->link,
        j.rotor->ratio);
  if (j.elastic)
    add("elastic {:.4g}{}", j.elastic->stiffness,
        j.elastic->damping > 0 ? fmt::format(" damped by {:.4g}", j.elastic->damping) : "");
  if (j.mimic) add("mimics {} ({})", j.mimic->joint, law_of(*j.mimic));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// A short description of a joint's friction and losses, which count with --friction.
std::string losses(const JointDescription& j) {
  std::vector<std::string> parts;
  auto add = [&]<class... V>(fmt::format_string<V...> text, V&&... values) {
    parts.push_back(fmt::format(text, std::forward<V>(values)...));
  };
  if (j.damping != 0) add("damping {:.4g}", j.damping);
  if (j.friction != 0) add("friction {:.4g}", j.friction);
  if (j.smoothing != 0) add("smoothed below {:.4g}", j.smoothing);
  if (j.stribeck) add("break-away {:.4g}", j.stribeck->breakaway);
  if (j.journal) add("journal µ {:.4g}", j.journal->friction);
  if (j.linear) add("linear µ {:.4g}", j.linear->friction);
  if (j.thrust) add("thrust µ {:.4g}", j.thrust->friction);
  if (j.drive) {
    const auto [least, most] = efficiency_range(*j.drive);
    std::string text = least == most ? fmt::format("drive η {:.4g}", least)
                                     : fmt::format("drive η {:.4g} … {:.4g}", least, most);
    if (j.drive->breakaway != 0) text += fmt::format(" and {:.4g}", j.drive->breakaway);
    parts.push_back(text);
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json friction_of(const JointDescription& j) {
  auto part = [](const auto& p, auto&& object) { return p ? Json(object(*p)) : Json(nullptr); };
  return {
      {"smoothing", j.smoothing},
      {"stribeck", part(j.stribeck,
                        [](const Stribeck& s) {
                          return Json{{"breakaway", s.breakaway}, {"velocity", s.velocity}};
                        })},
      {"journal", part(j.journal,
                       [](const JournalBearing& b) {
                         return Json{{"friction", b.friction},
                                     {"radius", b.radius},
                                     {"spacing", b.spacing},
                                     {"at", b.at}};
                       })},
      {"linear", part(j.linear,
                      [](const LinearBearing& b) {
                        return Json{{"friction", b.friction}, {"spacing", b.spacing}, {"at", b.at}};
                      })},
      {"thrust", part(j.thrust,
                      [](const ThrustBearing& b) {
                        return Json{{"friction", b.friction}, {"radius", b.radius}};
                      })},
      {"drive", part(j.drive, [](const Drive& d) {
         return Json{
             {"breakaway", d.breakaway},
             {"rated", d.rated},
             {"efficiency", d.efficiency},
             {"interpolation", d.interpolation == Interpolation::spline ? "spline" : "linear"}};
       })}};
}

// Along the default motion.
std::optional<SamplingAdvice> advice_for(const Robot& robot) {
  if (robot.nv() == 0) return {};
  return sampling_advice(robot, default_motion(robot, 65));
}

std::vector<std::string> frames_of(const Description& d) {
  std::vector<std::string> names;
  for (const LinkDescription& l : d.links)
    if (l.is_frame) names.push_back(l.name);
  return names;
}

Json mimic_json(const Mimic& m) {
  Json one{{"joint", m.joint}, {"multiplier", m.multiplier}, {"offset", m.offset}};
  if (m.linear()) return one;
  one["polynomial"] = {m.offset, m.multiplier};
  for (const double c : m.higher) one["polynomial"].push_back(c);
  one["four_bar"] = nullptr;
  if (const auto& f = m.four_bar) {
    const ClosureRange r = closure_range(*f);
    one["four_bar"] = {{"ground", f->ground},      {"input", f->input},
                       {"coupler", f->coupler},    {"output", f->output},
                       {"angle", f->angle},        {"crossed", f->crossed},
                       {"lower", finite(r.lower)}, {"upper", finite(r.upper)}};
  }
  return one;
}

Json motor_json(const JointDescription& j) {
  if (!j.motor) return nullptr;
  return {{"torque", finite(j.motor->torque)},
          {"continuous_torque", finite(j.motor->continuous_torque)},
          {"speed", finite(j.motor->speed)},
          {"power", finite(j.motor->power)}};
}

// Null for a rigid transmission.
Json elastic_json(const JointDescription& j) {
  if (!j.elastic) return nullptr;
  return {{"stiffness", j.elastic->stiffness}, {"damping", j.elastic->damping}};
}

// Null for a rotor inertia that is only reflected.
Json rotor_json(const JointDescription& j) {
  if (!j.rotor) return nullptr;
  const Rotor& r = *j.rotor;
  return {{"inertia", r.inertia},
          {"ratio", r.ratio},
          {"axis", {r.axis.x, r.axis.y, r.axis.z}},
          {"link", r.link},
          {"included", r.included}};
}

// Joints with a rotor inertia.
std::vector<std::string> rotors_of(const Description& d) {
  std::vector<std::string> names;
  for (const JointDescription& j : d.joints)
    if (reflected_inertia(j) != 0) names.push_back(j.name);
  return names;
}

bool from_transmission(const Description& d) {
  return std::any_of(d.joints.begin(), d.joints.end(),
                     [](const JointDescription& j) { return j.rotor_from_transmission; });
}

int run(const Options& o) {
  const Robot robot = load_robot(o);
  const Description& d = robot.description();
  double mass = 0;
  for (const LinkDescription& l : d.links) mass += l.inertia ? l.inertia->mass : 0;
  if (o.json) {
    Json joints = Json::array(), links = Json::array();
    for (const JointDescription& j : d.joints) {
      joints.push_back({{"name", j.name},
                        {"type", name_of(j.type)},
                        {"parent", j.parent},
                        {"child", j.child},
                        {"lower", finite(j.limits.lower)},
                        {"upper", finite(j.limits.upper)},
                        {"velocity", finite(j.limits.velocity)},
                        {"effort", finite(j.limits.effort)},
                        {"damping", j.damping},
                        {"friction", j.friction},
                        {"rotor_inertia", reflected_inertia(j)},
                        {"rotor", rotor_json(j)},
                        {"gear_ratio", j.gear_ratio},
                        {"continuous_effort", finite(j.continuous_effort)},
                        {"motor", motor_json(j)},
                        {"elastic", elastic_json(j)},
                        {"mimic", j.mimic ? mimic_json(*j.mimic) : Json(nullptr)}});
      joints.back().update(friction_of(j));
    }
    for (const LinkDescription& l : d.links) {
      const Inertia i = l.inertia.value_or(Inertia{});
      links.push_back({{"name", l.name},
                       {"mass", i.mass},
                       {"com", {i.com.x, i.com.y, i.com.z}},
                       {"inertia",
                        {i.about_com.xx, i.about_com.yy, i.about_com.zz, i.about_com.xy,
                         i.about_com.xz, i.about_com.yz}}});
    }
    print({{"schema", "parid.info/1"},
           {"robot", d.name},
           {"file", d.file},
           {"source", d.source},
           {"nq", robot.nq()},
           {"nv", robot.nv()},
           {"mass", mass},
           {"gravity", robot.gravity()},
           {"tip", robot.tip()},
           {"tips", robot.tip_candidates()},
           {"frames", frames_of(d)},
           {"poses", robot.pose_names()},
           {"rotors", rotors_of(d)},
           {"sampling", json_of(advice_for(robot), {})},
           {"positions", robot.position_names()},
           {"velocities", robot.velocity_names()},
           {"joints", joints},
           {"links", links}});
    return 0;
  }
  fmt::print("{}, source: {}\n", harmless(d.name), harmless(d.file));
  if (!d.source.empty()) fmt::print("{}\n", harmless(d.source));
  fmt::print(
      "\n{} positions, {} degrees of freedom, {:.4g} kg, gravity ({:g}, {:g}, {:g}) m/s², tip link "
      "'{}'\n",
      robot.nq(), robot.nv(), mass, d.gravity.x, d.gravity.y, d.gravity.z, robot.tip());
  if (const auto& tips = robot.tip_candidates(); tips.size() > 1)
    fmt::print("several tips: {}; --tip names the one that is meant\n",
               harmless(fmt::format("{}", fmt::join(tips, ", "))));
  if (const auto frames = frames_of(d); !frames.empty())
    fmt::print("frames: {}\n", harmless(fmt::format("{}", fmt::join(frames, ", "))));
  if (const auto poses = robot.pose_names(); !poses.empty())
    fmt::print("poses: {}\n", harmless(fmt::format("{}", fmt::join(poses, ", "))));
  if (const auto rotors = rotors_of(d); from_transmission(d))
    fmt::print(
        "rotor inertia from <transmission> at {} joint{}; it is part of every torque, --no-rotors "
        "leaves it out\n",
        rotors.size(), rotors.size() == 1 ? "" : "s");
  if (const auto spinning = std::count_if(d.joints.begin(), d.joints.end(),
                                          [](const JointDescription& j) { return !!j.rotor; });
      spinning > 0)
    fmt::print("full rotor model at {} joint{}: rotors spin on links and couple their joints\n",
               spinning, spinning == 1 ? "" : "s");
  if (const auto springs = robot.elastic_joints(); !springs.empty())
    fmt::print(
        "elastic transmissions at {} joint{} (N m/rad, N m s/rad; prismatic: N/m, N s/m); they "
        "count with --elastic in torque, simulate, control and stability\n",
        springs.size(), springs.size() == 1 ? "" : "s");
  fmt::print("\n{:<22} {:<11} {:<22} {:<22} limits\n", "joint", "type", "parent", "child");
  for (const JointDescription& j : d.joints)
    fmt::print("{:<22} {:<11} {:<22} {:<22} {}\n", j.name, name_of(j.type), j.parent, j.child,
               range(j));
  if (std::any_of(d.joints.begin(), d.joints.end(),
                  [](const JointDescription& j) { return !losses(j).empty(); })) {
    fmt::print("\n{:<22} friction, bearings and drive (N m, rad/s; prismatic: N, m/s)\n", "joint");
    for (const JointDescription& j : d.joints)
      if (const std::string text = losses(j); !text.empty())
        fmt::print("{:<22} {}\n", j.name, text);
  }
  fmt::print(
      "\n{:<22} {:>9}  {:<30} inertia about the centre of mass, Ixx Iyy Izz Ixy Ixz Iyz (kg m²)\n",
      "link", "mass (kg)", "centre of mass (m)");
  for (const LinkDescription& l : d.links) {
    if (!l.inertia) {
      fmt::print("{:<22} {:>9}\n", l.name, "–");
      continue;
    }
    const auto& [m, c, I] = *l.inertia;
    fmt::print("{:<22} {:>9.5g}  {:<30} {:.5g} {:.5g} {:.5g} {:.5g} {:.5g} {:.5g}\n", l.name, m,
               fmt::format("{:.5g} {:.5g} {:.5g}", c.x, c.y, c.z), I.xx, I.yy, I.zz, I.xy, I.xz,
               I.yz);
  }
  if (const auto advice = advice_for(robot))
    fmt::print("\nfor the default motion, {}", said(*advice, {}));
  return 0;
}

}  // namespace
}  // namespace info_command

void add_info(CLI::App& app, Action& action) {
  using namespace info_command;
  const auto options = std::make_shared<Options>();
  Options& o = *options;
  CLI::App* command =
      app.add_subcommand("info", "Show the joints, links and parameters of a robot");
  command->add_option("ROBOT", o.robot, robot_help)->required();
  command->add_flag("--floating", o.floating, "give the robot a floating base");
  add_robot_changes(*command, o);
  add_frame_and_tip(*command, o);
  add_rotors(*command, o);
  command->add_flag("--json", o.json, "print one JSON object instead of tables");
  command->footer("Example:  parid info panda");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace parid::cli
