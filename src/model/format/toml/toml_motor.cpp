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

void read_motor(const TomlTable& t, const std::string& file, const std::string& owner,
                JointDescription& joint, std::vector<Finding>& remarks) {
  for (const char* key : {"continuous_effort", "motor"}) {
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
  if (!j.motor) return keys;
  std::string entries;
  for (const auto& [key, member] : motor_members)
    if (const double x = (*j.motor).*member; std::isfinite(x))
      entries += fmt::format("{}{} = {}", entries.empty() ? "" : ", ", key, toml_number(x));
  keys.emplace_back("motor", "{" + entries + "}");
  return keys;
}

}  // namespace parid::model
