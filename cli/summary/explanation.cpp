#include "cli/summary/explanation.hpp"

#include <fmt/format.h>

#include <string_view>

namespace parid::cli {
namespace {

// As wide on a terminal as `columns`; a combining dot (ω̇) takes no room of its own.
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
      "Every vector is in its link's own frame, SI units. Gravity, ({:g}, {:g}, {:g}) in the "
      "root's frame, counts as an\n"
      "acceleration of the base: at rest accelerations are -g. The force and the moment are what "
      "the link before exerts\n"
      "on the link at its origin.\n",
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
    line("acceleration of it v̇c", e.centre_acceleration);
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

}  // namespace parid::cli
