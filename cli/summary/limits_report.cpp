#include "cli/summary/limits_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/output/terminal.hpp"
#include "model/description.hpp"

namespace parid::cli {
namespace {

std::string figure(double x, int digits = 4) {
  return std::isfinite(x) ? fmt::format("{:.{}g}", x, digits) : std::string("–");
}

// Right-aligned by characters, not bytes.
std::string right(const std::string& text, std::size_t width) {
  const auto size = static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
  return std::string(width > size ? width - size : 0, ' ') + text;
}

// "83 %" of a limit: red if it does not hold; a dash if none is given.
std::string used(const LimitUse* u, std::size_t width) {
  if (!u || !std::isfinite(u->share))
    return u && !u->holds ? painted(stdout, Paint::red, right("over", width)) : right("–", width);
  const std::string text = right(fmt::format("{:.0f} %", 100 * u->share), width);
  return u->holds ? text : painted(stdout, Paint::red, text);
}

const char* torque_unit(const JointLoad& j) { return j.slides ? "N" : "N m"; }

std::string unit_of(const JointLoad& j, LimitKind kind) {
  switch (kind) {
    case LimitKind::position: return j.slides ? "m" : "rad";
    case LimitKind::velocity: return j.slides ? "m/s" : "rad/s";
    case LimitKind::motor_speed: return "rad/s";
    case LimitKind::motor_power: return "W";
    case LimitKind::motor_torque:
    case LimitKind::motor_continuous_torque: return "N m";
    default: return torque_unit(j);
  }
}

const char* words_of(LimitKind kind) {
  switch (kind) {
    case LimitKind::position: return "position";
    case LimitKind::velocity: return "speed";
    case LimitKind::effort: return "torque";
    case LimitKind::continuous_effort: return "RMS torque";
    case LimitKind::motor_torque: return "motor torque";
    case LimitKind::motor_continuous_torque: return "motor RMS torque";
    case LimitKind::motor_speed: return "motor speed";
    case LimitKind::motor_power: return "motor power";
  }
  return "";
}

bool is_mean(LimitKind kind) {
  return kind == LimitKind::continuous_effort || kind == LimitKind::motor_continuous_torque;
}

// Where a sample is: "t = 0.42 s", or "sample 7".
std::string when(const CheckedMotion& m, std::size_t row) {
  return row < m.t.size() ? fmt::format("t = {:.4g} s", m.t[row]) : fmt::format("sample {}", row);
}

// The motion that a use of the merged report comes from.
const CheckedMotion& source_of(const std::vector<CheckedMotion>& motions, std::size_t joint,
                               const LimitUse& use) {
  for (const CheckedMotion& m : motions)
    for (const LimitUse& u : m.report.joints[joint].uses)
      if (u.kind == use.kind && u.value == use.value && u.row == use.row) return m;
  return motions.front();
}

std::size_t name_width(const LimitsReport& r) {
  std::size_t width = 5;
  for (const JointLoad& j : r.joints) width = std::max(width, j.coordinate.size());
  return std::min<std::size_t>(width, 24);
}

void print_motors(const LimitsReport& r, std::size_t width) {
  if (std::none_of(r.joints.begin(), r.joints.end(),
                   [](const JointLoad& j) { return j.has_motor; }))
    return;
  fmt::print("\n{}",
             heading(fmt::format("{:<{}} {:>7} {:>9} {:>6} {:>9} {:>6} {:>8} {:>6} {:>8} {:>6}\n",
                                 "motor", width, "gear", "peak N m", "used", "RMS N m", "used",
                                 "rad/s", "used", "W", "used")));
  for (const JointLoad& j : r.joints) {
    if (!j.has_motor) continue;
    fmt::print("{:<{}} {:>7}", j.coordinate, width, figure(j.gear_ratio));
    for (const auto& [kind, columns] : {std::pair{LimitKind::motor_torque, 9},
                                        {LimitKind::motor_continuous_torque, 9},
                                        {LimitKind::motor_speed, 8},
                                        {LimitKind::motor_power, 8}}) {
      const LimitUse* u = j.use(kind);
      fmt::print(" {:>{}} {}", figure(u->value), columns, used(u, 6));
    }
    fmt::print("\n");
  }
}

void print_duty(const LimitsReport& r) {
  for (const JointLoad& j : r.joints)
    if (std::isfinite(j.duty) && j.duty < 1)
      fmt::print("{}: RMS torque {} {} allows the motion for {:.0f} % of the time\n", j.coordinate,
                 figure(j.rms), torque_unit(j), 100 * j.duty);
}

}  // namespace

void print_loads(const LimitsReport& r, const std::vector<CheckedMotion>& motions,
                 const std::vector<std::size_t>& which) {
  const std::size_t width = name_width(r);
  const bool timed = !motions.front().t.empty();
  fmt::print("{}", heading(fmt::format(
                       "{:<{}} {:>13} {:>8} {:>9} {:>8} {:>6}  {:>8} {:>6}  {:>17} {:>6}\n",
                       "joint", width, "peak torque", timed ? "at s" : "sample", "RMS", "limit",
                       "used", "speed", "used", "positions", "used")));
  for (std::size_t k = 0; k < r.joints.size(); ++k) {
    const JointLoad& j = r.joints[k];
    const CheckedMotion& from = motions[which[k]];
    const LimitUse* effort = j.use(LimitKind::effort);
    const bool has_torque = j.mimics.empty();
    const std::string at = !has_torque                  ? "–"
                           : j.peak_row < from.t.size() ? figure(from.t[j.peak_row])
                                                        : fmt::format("{}", j.peak_row);
    fmt::print(
        "{:<{}} {} {} {:>9} {:>8} {}  {:>8} {}  {} {}\n", j.coordinate, width,
        right(has_torque ? fmt::format("{} {}", figure(j.peak), torque_unit(j)) : "–", 13),
        right(at, 8), right(figure(j.rms), 9), right(figure(effort ? effort->limit : NAN), 8),
        used(effort, 6), figure(j.peak_speed), used(j.use(LimitKind::velocity), 6),
        right(std::isfinite(j.lowest) ? fmt::format("{:.3g} … {:.3g}", j.lowest, j.highest) : "–",
              17),
        used(j.use(LimitKind::position), 6));
  }
  print_motors(r, width);
  fmt::print("\npower of all joints: at most {} W taken, {} W given back (regenerative)",
             figure(r.peak_power, 3), figure(r.regenerative_power, 3));
  if (std::isfinite(r.energy))
    fmt::print("; energy of single joints: {} J taken, {} J given back", figure(r.energy, 3),
               figure(r.regenerated_energy, 3));
  fmt::print("\n");
  print_duty(r);
}

void print_verdict(const LimitsReport& r, const std::vector<CheckedMotion>& motions,
                   bool allow_missing) {
  std::size_t broken = 0;
  const LimitUse* most = nullptr;
  const JointLoad* whose = nullptr;
  for (const JointLoad& j : r.joints)
    for (const LimitUse& u : j.uses) {
      broken += !u.holds;
      if (u.given() && std::isfinite(u.share) && u.kind != LimitKind::position &&
          (!most || u.share > most->share)) {
        most = &u;
        whose = &j;
      }
    }
  const std::string margin =
      r.margin > 0 ? fmt::format(" with a margin of {:.3g} %", 100 * r.margin) : "";
  if (broken > 0) {
    fmt::print("{}\n",
               painted(stdout, Paint::red,
                       fmt::format("NO: {} limit{} {} exceeded{}", broken, broken == 1 ? "" : "s",
                                   broken == 1 ? "is" : "are", margin)));
    for (std::size_t k = 0; k < r.joints.size(); ++k)
      for (const LimitUse& u : r.joints[k].uses) {
        if (u.holds) continue;
        const JointLoad& j = r.joints[k];
        const CheckedMotion& from = source_of(motions, k, u);
        const std::string unit = unit_of(j, u.kind);
        fmt::print("  {}: {} {} {}{}{}, limit {} {}", j.coordinate, words_of(u.kind),
                   figure(u.kind == LimitKind::position ? u.value : std::abs(u.value)), unit,
                   is_mean(u.kind) ? "" : " at " + when(from, u.row),
                   motions.size() > 1 ? " of " + from.name : "", figure(std::abs(u.limit)), unit);
        if (u.kind == LimitKind::position)
          fmt::print("\n");
        else
          fmt::print(" ({:.0f} %): undersized by {:.3g} %\n", 100 * u.share,
                     100 * (u.share / (1 - r.margin) - 1));
      }
  } else if (r.verdict == LimitsVerdict::unknown && !allow_missing) {
    fmt::print("{}\n", painted(stdout, Paint::yellow,
                               fmt::format("UNKNOWN: no limit is exceeded{}, but torques are not "
                                           "limited by the robot file",
                                           margin)));
  } else if (most) {
    fmt::print("YES: {} hold{}; the most used is the {} of {}, {:.0f} %\n",
               r.verdict == LimitsVerdict::unknown ? "the limits given" : "all limits", margin,
               words_of(most->kind), whose->coordinate, 100 * most->share);
  } else {
    fmt::print("YES: no limit is exceeded{}\n", margin);
  }
  if (!r.without_effort_limit.empty())
    fmt::print(
        "not checked: the robot file gives no torque limit for {}{}\n",
        fmt::join(r.without_effort_limit, ", "),
        allow_missing ? "" : "; add effort limits, or check the others with --allow-missing");
  if (!r.without_velocity_limit.empty())
    fmt::print("not checked: the robot file gives no speed limit for {}\n",
               fmt::join(r.without_velocity_limit, ", "));
}

namespace {

Json number_json(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
Json instant_json(const CheckedMotion& m, std::size_t row) {
  return row < m.t.size() ? Json(m.t[row]) : Json(nullptr);
}

Json json_of(const LimitUse& u, const CheckedMotion& from) {
  Json object{{"value", number_json(u.value)},
              {"limit", number_json(u.limit)},
              {"share", number_json(u.share)},
              {"holds", u.given() ? Json(u.holds) : Json(nullptr)}};
  if (is_mean(u.kind)) return object;
  object["t"] = instant_json(from, u.row);
  object["sample"] = u.row;
  return object;
}

}  // namespace

Json holds_json(LimitsVerdict verdict, bool allow_missing) {
  if (verdict == LimitsVerdict::exceeded) return false;
  if (verdict == LimitsVerdict::holds || allow_missing) return true;
  return nullptr;
}

void add_loads(Json& object, const LimitsReport& r, const std::vector<CheckedMotion>& motions,
               const std::vector<std::size_t>& which) {
  Json joints = Json::array(), broken = Json::array();
  for (std::size_t k = 0; k < r.joints.size(); ++k) {
    const JointLoad& j = r.joints[k];
    const CheckedMotion& from = motions[which[k]];
    const LimitUse* effort = j.use(LimitKind::effort);
    Json joint{{"name", j.coordinate},
               {"peak", number_json(j.peak)},
               {"rms", number_json(j.rms)},
               {"limit", effort ? number_json(effort->limit) : Json(nullptr)},
               {"share", effort ? number_json(effort->share) : Json(nullptr)},
               {"t", effort ? instant_json(from, j.peak_row) : Json(nullptr)},
               {"sample", effort ? Json(j.peak_row) : Json(nullptr)},
               {"motion", from.name},
               {"actuated", j.actuated},
               {"mimics", j.mimics.empty() ? Json(nullptr) : Json(j.mimics)},
               {"positions", std::isfinite(j.lowest) ? Json{j.lowest, j.highest} : Json(nullptr)},
               {"peak_power", number_json(j.peak_power)},
               {"regenerative_power", number_json(j.regenerative_power)},
               {"energy", number_json(j.energy)},
               {"regenerated_energy", number_json(j.regenerated_energy)},
               {"gear_ratio", j.gear_ratio},
               {"duty", number_json(j.duty)},
               {"undersized", number_json(j.undersized)}};
    for (const LimitUse& u : j.uses) {
      const CheckedMotion& source = source_of(motions, k, u);
      joint[name(u.kind)] = json_of(u, source);
      if (u.holds) continue;
      Json one{{"coordinate", j.coordinate}, {"kind", name(u.kind)}, {"motion", source.name}};
      one.update(json_of(u, source));
      broken.push_back(one);
    }
    joints.push_back(joint);
  }
  object["joints"] = joints;
  object["limits_broken"] = broken;
  object["limits_missing"] = {{"effort", r.without_effort_limit},
                              {"velocity", r.without_velocity_limit}};
  object["peak_power"] = r.peak_power;
  object["regenerative_power"] = r.regenerative_power;
  object["energy"] = number_json(r.energy);
  object["regenerated_energy"] = number_json(r.regenerated_energy);
}

Figure limits_figure(const Robot& robot, const SampledTrajectory& m,
                     const std::vector<double>& tau) {
  Figure f;
  f.title = fmt::format("{}: torques as shares of their limits", robot.name());
  f.x = m.t;
  if (m.t.empty()) {
    f.across = "sample";
    for (std::size_t r = 0; r < m.rows; ++r) f.x.push_back(static_cast<double>(r));
  }
  const auto nv = static_cast<std::size_t>(robot.nv());
  Panel panel{"torque / limit", "1", {}};
  for (std::size_t k = 0; k < nv; ++k) {
    const double limit = robot.limits()[k].effort;
    if (!std::isfinite(limit)) continue;
    Curve curve{robot.velocity_names()[k], {}};
    for (std::size_t r = 0; r < m.rows; ++r) curve.y.push_back(tau[r * nv + k] / limit);
    panel.curves.push_back(std::move(curve));
  }
  for (Panel& part : split(std::move(panel))) {
    part.levels = {-1, 1};
    f.panels.push_back(std::move(part));
  }
  return f;
}

// ---- payload maps

void print_map(const PayloadMap& map, double margin) {
  fmt::print("{}", heading(fmt::format("{:>15} {:>7} {:>13} {:>12}  {}\n", "reach (m)", "poses",
                                       "every pose kg", "best pose kg", "bounded by")));
  for (const PayloadRing& r : map.rings)
    fmt::print("{} {:>7} {} {}  {}\n", right(fmt::format("{:.3f} … {:.3f}", r.from, r.to), 15),
               r.poses, right(r.empty_holds ? figure(r.everywhere) : "none", 13),
               right(figure(r.somewhere), 12), r.coordinate);
  fmt::print("\npayload at {}, at rest against gravity", map.link);
  if (margin > 0) fmt::print(", with a margin of {:.3g} %", 100 * margin);
  if (!map.empty_holds)
    fmt::print(": the robot does not hold its own weight in every pose\n");
  else
    fmt::print(": {} kg in every pose found\n", figure(map.everywhere));
  if (!map.without_effort_limit.empty())
    fmt::print("not checked: the robot file gives no torque limit for {}\n",
               fmt::join(map.without_effort_limit, ", "));
}

Json json_of(const PayloadMap& map) {
  Json rings = Json::array();
  for (const PayloadRing& r : map.rings)
    rings.push_back({{"from", r.from},
                     {"to", r.to},
                     {"poses", r.poses},
                     {"everywhere", number_json(r.everywhere)},
                     {"somewhere", number_json(r.somewhere)},
                     {"empty_holds", r.empty_holds},
                     {"coordinate", r.coordinate.empty() ? Json(nullptr) : Json(r.coordinate)},
                     {"pose", r.pose}});
  return {{"link", map.link},
          {"everywhere", number_json(map.everywhere)},
          {"empty_holds", map.empty_holds},
          {"rings", rings}};
}

Figure map_figure(const Robot& robot, const PayloadMap& map) {
  Figure f;
  f.title = fmt::format("{}: heaviest payload at {}, at rest", robot.name(), map.link);
  f.across = "reach (m)";
  f.points = true;
  Curve every{"in every pose", {}}, best{"in the best pose", {}};
  for (const PayloadRing& r : map.rings) {
    if (!std::isfinite(r.everywhere) || !std::isfinite(r.somewhere)) continue;
    f.x.push_back((r.from + r.to) / 2);
    every.y.push_back(r.everywhere);
    best.y.push_back(std::max(r.somewhere, 0.0));
  }
  f.panels.push_back({"payload", "kg", {every, best}});
  return f;
}

}  // namespace parid::cli
