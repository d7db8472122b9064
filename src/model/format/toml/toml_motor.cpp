#include "model/format/toml/toml_motor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/format/toml/toml_value.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::model {
namespace {

constexpr Field motor_fields[] = {
    {"torque", "the peak torque at the shaft, in N m", "1.2"},
    {"continuous_torque", "the continuous (RMS) torque at the shaft, in N m", "0.4"},
    {"speed", "the highest speed of the shaft, in rad/s", "628"},
    {"power", "the highest mechanical power at the shaft, in W", "250"},
};
constexpr Field elastic_fields[] = {
    {"stiffness", "the stiffness between motor and link, at the joint: N m/rad, or N/m", "1e4"},
    {"damping", "the damping of that spring: N m s/rad, or N s/m", "5"},
};
constexpr std::pair<const char*, double Motor::*> motor_members[] = {
    {"torque", &Motor::torque},
    {"continuous_torque", &Motor::continuous_torque},
    {"speed", &Motor::speed},
    {"power", &Motor::power},
};

double rating_above_zero(const TomlTable& t, const char* key, double x) {
  if (!(x > 0)) t.refuse(key, fmt::format("{} is {}", key, x < 0 ? "negative" : "0"));
  return x;
}

}  // namespace

namespace {

void read_elasticity(const TomlTable& t, const std::string& file, const std::string& owner,
                     JointDescription& joint, std::vector<Finding>& remarks) {
  const toml::table* table = t.subtable("elastic");
  if (!table) return;
  const TomlTable e(*table, file, owner + ": elastic", elastic_fields);
  e.remark_unknown(remarks);
  if (!e.has("stiffness")) e.refuse("stiffness", "it has no stiffness");
  Elasticity x;
  x.stiffness = rating_above_zero(e, "stiffness", *e.number("stiffness"));
  if (const auto damping = e.number("damping")) {
    if (*damping < 0) e.refuse("damping", "damping is negative");
    x.damping = *damping;
  }
  joint.elastic = x;
  joint.elastic_line = t.line("elastic");
}

}  // namespace

void read_motor(const TomlTable& t, const std::string& file, const std::string& owner,
                JointDescription& joint, std::vector<Finding>& remarks) {
  for (const char* key : {"continuous_effort", "motor", "elastic"}) {
    if (!t.has(key)) continue;
    if (velocity_count(joint.type) != 1)
      t.refuse(t.at(key), fmt::format("a {} joint cannot have {}", name_of(joint.type), key),
               "only revolute, continuous and prismatic joints have one motor");
    if (joint.mimic || t.has("mimic"))
      t.refuse(t.at(key), fmt::format("a mimic joint cannot have {}", key),
               "give it to the joint that it mimics");
  }
  if (const auto x = t.number("continuous_effort")) {
    joint.continuous_effort = rating_above_zero(t, "continuous_effort", *x);
    if (*x > joint.limits.effort)
      t.refuse(t.at("continuous_effort"),
               fmt::format("continuous_effort {} exceeds effort {}", *x, joint.limits.effort),
               "the continuous limit is at most the peak limit");
  }
  read_elasticity(t, file, owner, joint, remarks);
  const toml::table* table = t.subtable("motor");
  if (!table) return;
  const TomlTable m(*table, file, owner + ": motor", motor_fields);
  m.remark_unknown(remarks);
  Motor motor;
  for (const auto& [key, member] : motor_members)
    if (const auto x = std::string_view(key) == "speed" ? m.angle(key) : m.number(key))
      motor.*member = rating_above_zero(m, key, *x);
  if (motor.continuous_torque > motor.torque && std::isfinite(motor.continuous_torque))
    m.refuse(m.at("continuous_torque"),
             fmt::format("continuous_torque {} exceeds torque {}", motor.continuous_torque,
                         motor.torque),
             "the continuous torque is at most the peak torque");
  joint.motor = motor;
  joint.motor_line = t.line("motor");
}

std::vector<std::pair<std::string, std::string>> motor_keys(const JointDescription& j) {
  std::vector<std::pair<std::string, std::string>> keys;
  if (velocity_count(j.type) != 1 || j.mimic) return keys;
  if (std::isfinite(j.continuous_effort))
    keys.emplace_back("continuous_effort", toml_number(j.continuous_effort));
  if (j.elastic) {
    std::string text = fmt::format("{{stiffness = {}", toml_number(j.elastic->stiffness));
    if (j.elastic->damping != 0)
      text += fmt::format(", damping = {}", toml_number(j.elastic->damping));
    keys.emplace_back("elastic", text + "}");
  }
  if (!j.motor) return keys;
  std::string entries;
  for (const auto& [key, member] : motor_members)
    if (const double x = (*j.motor).*member; std::isfinite(x))
      entries += fmt::format("{}{} = {}", entries.empty() ? "" : ", ", key, toml_number(x));
  keys.emplace_back("motor", "{" + entries + "}");
  return keys;
}

}  // namespace parid::model
