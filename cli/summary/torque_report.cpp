#include "cli/summary/torque_report.hpp"

#include <fmt/format.h>

#include <string_view>

#include "model/joint/coordinates.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

// Padded to `columns` on a terminal; a combining dot (ω̇) has no width.
std::string padded(std::string_view text, std::size_t columns) {
  std::size_t shown = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continues = (byte & 0xC0) == 0x80,
               combining =
                   byte == 0xCC || (byte == 0xCD && static_cast<unsigned char>(text[i + 1]) < 0xB0);
    shown += !continues && !combining;
  }
  return std::string(text) + std::string(columns > shown ? columns - shown : 0, ' ');
}

void line(std::string_view name, const std::vector<double>& values,
          const std::string& remark = "") {
  fmt::print("  {}", padded(name, 32));
  for (const double x : values) fmt::print(" {:>13.7g}", x + 0.0);  // + 0: no -0
  fmt::print("{}\n", remark);
}
void line(std::string_view name, const Vec3<double>& x) { line(name, std::vector{x.x, x.y, x.z}); }

Json array(const Vec3<double>& x) { return {x.x, x.y, x.z}; }

}  // namespace

void print_links(const Robot& robot, const std::vector<LinkExplanation>& links) {
  const std::array<double, 3> g = robot.gravity();
  fmt::print(
      "All vectors are in the link's frame, in SI units. Gravity, ({:g}, {:g}, {:g}) in the root's "
      "frame, is treated as an\nacceleration of the base: at rest, accelerations are -g. Force and "
      "moment are those exerted by the parent link\non the link, at its origin.\n",
      g[0], g[1], g[2]);
  for (const LinkExplanation& e : links) {
    fmt::print("\n{} on {}, moved by {}\n", e.link, e.parent, e.joint);
    line("position q", e.q);
    line("velocity q̇", e.v);
    line("acceleration q̈", e.a);
    line("angular velocity ω", e.angular_velocity);
    line("angular acceleration ω̇", e.angular_acceleration);
    line("acceleration of the origin v̇", e.acceleration);
    line("centre of mass c", e.centre);
    line("its acceleration v̇c", e.centre_acceleration);
    line(fmt::format("F = m v̇c, m = {:.6g} kg", e.mass), e.inertia_force);
    line("N = I ω̇ + ω × I ω, about c", e.inertia_moment);
    line("force f", e.force);
    line("moment n", e.moment);
    line("torque τ", e.torque,
         e.leader.empty()
             ? ""
             : fmt::format("   {:g} times this is part of the torque of {}", e.scale, e.leader));
  }
}

Json json_of(const std::vector<LinkExplanation>& links) {
  Json out = Json::array();
  for (const LinkExplanation& e : links)
    out.push_back({{"link", e.link},
                   {"joint", e.joint},
                   {"parent", e.parent},
                   {"q", e.q},
                   {"v", e.v},
                   {"a", e.a},
                   {"mass", e.mass},
                   {"centre", array(e.centre)},
                   {"angular_velocity", array(e.angular_velocity)},
                   {"angular_acceleration", array(e.angular_acceleration)},
                   {"acceleration", array(e.acceleration)},
                   {"centre_acceleration", array(e.centre_acceleration)},
                   {"inertia_force", array(e.inertia_force)},
                   {"inertia_moment", array(e.inertia_moment)},
                   {"force", array(e.force)},
                   {"moment", array(e.moment)},
                   {"torque", e.torque},
                   {"follows", e.leader.empty() ? Json(nullptr) : Json(e.leader)},
                   {"scale", e.scale}});
  return out;
}

namespace {

// The gear ratio of each coordinate; joints of several freedoms have none.
std::vector<double> gear_ratios(const Robot& robot) {
  std::vector<double> ratios;
  for (const JointDescription& j : robot.description().joints)
    for (int k = 0; k < velocity_count(j); ++k)
      ratios.push_back(velocity_count(j) == 1 ? j.gear_ratio : 1);
  return ratios;
}

}  // namespace

void print_friction(const Robot& robot, const Torques& x) {
  const std::vector<double> ratio = gear_ratios(robot);
  bool geared = false;
  for (const double r : ratio) geared |= r != 1;
  fmt::print("\nTorques with friction: rigid bodies and rotors, bearing friction, drive losses\n");
  fmt::print("  {:<20} {:>12} {:>12} {:>12} {:>12}{}\n", "joint", "rigid", "bearing", "drive",
             "total", geared ? "     at the motor" : "");
  for (int k = 0; k < robot.nv(); ++k)
    fmt::print("  {:<20} {:>12.4f} {:>12.4f} {:>12.4f} {:>12.4f}{}\n", robot.velocity_names()[k],
               x.rigid[k] + 0.0, x.bearing[k] + 0.0, x.drive[k] + 0.0, x.tau[k] + 0.0,
               geared ? fmt::format(" {:>16.6f}", x.tau[k] / ratio[k] + 0.0) : "");
}

Json friction_json(const Robot& robot, const Torques& x) {
  const std::vector<double> ratio = gear_ratios(robot);
  Json rows = Json::array();
  for (int k = 0; k < robot.nv(); ++k)
    rows.push_back({{"coordinate", robot.velocity_names()[k]},
                    {"rigid", x.rigid[k]},
                    {"bearing", x.bearing[k]},
                    {"drive", x.drive[k]},
                    {"total", x.tau[k]},
                    {"motor", x.tau[k] / ratio[k]}});
  return rows;
}

void add_verify(CLI::App& command, std::optional<long>& rows) {
  command
      .add_option("--verify", rows,
                  "recompute this many rows with another formulation in the robot file's frames, "
                  "and compare (default: 1000); exit code 1 if they differ")
      ->expected(0, 1)
      ->default_str("1000")
      ->option_text("[ROWS]");
}

void check_verify(const std::optional<long>& rows) {
  if (rows && *rows < 1)
    throw Error(fmt::format("--verify: {} rows is out of range; give 1 or more", *rows));
}

Json json_of(const Verification& v) {
  return {{"rows", v.rows},           {"not_finite", v.not_finite},
          {"method", v.method},       {"max_relative_error", v.max_relative_error},
          {"tolerance", v.tolerance}, {"worst_row", v.worst_row}};
}

std::string text(const Verification& v) {
  const std::string left = v.not_finite > 0
                               ? fmt::format("; {} more {} not finite in both computations",
                                             v.not_finite, v.not_finite == 1 ? "has" : "have")
                               : "";
  return fmt::format("verified: {} row{} recomputed by {}, largest relative error {:.2g}{}", v.rows,
                     v.rows == 1 ? "" : "s", v.method, v.max_relative_error, left);
}

}  // namespace parid::cli
