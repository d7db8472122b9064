// The bearings and the transmission of a [[joint]] table:
//
//   smoothing = 0.001
//   stribeck = {breakaway = 0.8, velocity = 0.05}
//   journal = {friction = 0.1, radius = 0.05, spacing = 0.12, at = 0}
//   linear = {friction = 0.1, spacing = 0.12, at = 0}
//   thrust = {friction = 0.01, radius = 0.05}
//   drive = {breakaway = 5, rated = 100, efficiency = [[0.05, 0.4], [1, 0.8]], interpolation =
//   "spline"}
//
// Invalid values are refused here, with their line. check() verifies them again, for descriptions
// from other sources.

#include <fmt/format.h>

#include <cmath>

#include "model/format/toml/toml_joint.hpp"
#include "model/joint/coordinates.hpp"

namespace parid::model {
namespace {

constexpr Field stribeck_fields[] = {
    {"breakaway", "static friction: N m, or N", "0.8"},
    {"velocity", "the Stribeck velocity: rad/s, or m/s", "0.05"},
};
constexpr Field bearing_fields[] = {
    {"friction", "the friction coefficient µ", "0.1"},
    {"radius", "the effective radius of the bearing, in m", "0.05"},
    {"spacing", "the distance between the supports, in m", "0.12"},
    {"at", "the centre of the supports along the axis, in m from the joint's frame", "0.02"},
};
constexpr Field drive_fields[] = {
    {"breakaway", "the no-load break-away torque, at the joint: N m, or N", "5"},
    {"rated", "the torque to which the loads of the efficiency curve refer: N m, or N", "100"},
    {"efficiency", "a number, or points [share of the rated torque, efficiency]",
     "[[0.05, 0.4], [0.3, 0.7], [1, 0.8]]"},
    {"interpolation", "\"linear\" or \"spline\"", "\"spline\""},
};
constexpr std::span<const Field> all_bearing_fields(bearing_fields);
// Each kind of bearing has some of these keys.
constexpr Field linear_fields[] = {bearing_fields[0], bearing_fields[2], bearing_fields[3]};

class Part {
 public:
  Part(const toml::table& table, const std::string& file, const std::string& owner,
       std::span<const Field> fields, std::vector<Finding>& remarks)
      : t(table, file, owner, fields) {
    t.remark_unknown(remarks);
  }
  double needed(const char* key) const {
    if (!t.has(key)) t.refuse(key, fmt::format("it has no {}", key));
    return *t.number(key);
  }
  double not_negative(const char* key) const { return checked(key, needed(key), true); }
  double positive(const char* key) const { return checked(key, needed(key), false); }
  double optional_not_negative(const char* key) const { return t.has(key) ? not_negative(key) : 0; }

  const TomlTable t;

 private:
  double checked(const char* key, double x, bool zero_is_fine) const {
    if (x < 0) t.refuse(key, fmt::format("{} is negative", key));
    if (x == 0 && !zero_is_fine) t.refuse(key, fmt::format("{} is 0", key));
    return x;
  }
};

Drive read_transmission(const Part& p, const JointDescription& joint) {
  Drive d;
  d.breakaway = p.optional_not_negative("breakaway");
  if (p.t.has("efficiency") && p.t.is_number("efficiency"))
    d.efficiency = {{0, *p.t.number("efficiency")}};
  else if (const auto points = p.t.pairs("efficiency"))
    d.efficiency = *points;
  if (p.t.has("efficiency") && d.efficiency.empty())
    p.t.refuse("efficiency", "efficiency is empty");
  for (size_t k = 1; k < d.efficiency.size(); ++k)
    if (!(d.efficiency[k - 1][0] < d.efficiency[k][0]))
      p.t.refuse(
          p.t.at("efficiency"),
          fmt::format("load {} in efficiency is not above the previous one", d.efficiency[k][0]),
          "give the points in ascending order of load");
  if (const auto word = p.t.word("interpolation")) {
    if (*word != "linear" && *word != "spline")
      p.t.refuse("interpolation", fmt::format("interpolation '{}' is unknown", *word));
    if (*word == "spline") d.interpolation = Interpolation::spline;
  }
  if (p.t.has("rated"))
    d.rated = p.positive("rated");
  else if (std::isfinite(joint.limits.effort))
    d.rated = joint.limits.effort;
  if (d.efficiency.size() > 1 && !(d.rated > 0))
    p.t.refuse(
        "rated",
        "efficiency is a curve, but rated_torque is missing and the joint has no effort limit");
  const auto [least, most] = efficiency_range(d);
  if (!(least > 0 && most <= 1))
    p.t.refuse(p.t.at("efficiency"),
               fmt::format("efficiency goes {} {:.4g}", least > 0 ? "up to" : "down to",
                           least > 0 ? most : least),
               d.interpolation == Interpolation::spline
                   ? "keep efficiency above 0 and at most 1, also between the points of a spline: "
                     "move the points, or write interpolation = \"linear\""
                   : "keep efficiency above 0 and at most 1");
  return d;
}

}  // namespace

void read_friction(const TomlTable& t, const std::string& file, const std::string& owner,
                   JointDescription& joint, std::vector<Finding>& remarks) {
  const bool slides = joint.type == JointType::prismatic;
  auto part = [&](const char* key, std::span<const Field> fields,
                  int& line) -> std::optional<Part> {
    const toml::table* table = t.subtable(key);
    if (!table) return {};
    if (velocity_count(joint.type) != 1)
      t.refuse(t.at(key), fmt::format("a {} joint cannot have {}", name_of(joint.type), key),
               "only revolute, continuous and prismatic joints have friction");
    line = t.line(key);
    return Part(*table, file, owner + ": " + key, fields, remarks);
  };
  if (const auto v = t.number("smoothing")) {
    if (*v < 0) t.refuse("smoothing", "smoothing is negative");
    joint.smoothing = *v;
  }
  if (const auto p = part("stribeck", stribeck_fields, joint.stribeck_line)) {
    joint.stribeck = Stribeck{p->not_negative("breakaway"), p->positive("velocity")};
    if (joint.stribeck->breakaway < joint.friction)
      p->t.refuse(p->t.at("breakaway"),
                  fmt::format("breakaway {} is less than the joint's friction {}",
                              joint.stribeck->breakaway, joint.friction),
                  "static friction is at least as large as sliding friction; increase breakaway");
  }
  if (const auto p = part("journal", all_bearing_fields, joint.journal_line)) {
    if (slides)
      t.refuse(t.at("journal"), "a prismatic joint cannot have a journal bearing",
               "give a linear bearing, such as linear = {friction = 0.1, spacing = 0.12}");
    joint.journal = JournalBearing{p->not_negative("friction"), p->not_negative("radius"),
                                   p->positive("spacing"), p->t.number("at").value_or(0)};
  }
  if (const auto p = part("linear", linear_fields, joint.linear_line)) {
    if (!slides)
      t.refuse(t.at("linear"), "a revolute joint cannot have a linear bearing",
               "give a journal bearing, such as journal = {friction = 0.1, radius = 0.05, spacing "
               "= 0.12}");
    joint.linear = LinearBearing{p->not_negative("friction"), p->positive("spacing"),
                                 p->t.number("at").value_or(0)};
  }
  if (const auto p = part("thrust", all_bearing_fields.first(2), joint.thrust_line)) {
    if (slides)
      t.refuse(t.at("thrust"), "a prismatic joint cannot have a thrust bearing",
               "give a linear bearing, such as linear = {friction = 0.1, spacing = 0.12}");
    joint.thrust = ThrustBearing{p->not_negative("friction"), p->not_negative("radius")};
  }
  if (const auto p = part("drive", drive_fields, joint.drive_line)) {
    if (t.has("mimic"))
      t.refuse(t.at("drive"), "a mimic joint cannot have a drive",
               "give the drive to the joint that it mimics");
    joint.drive = read_transmission(*p, joint);
  }
}

}  // namespace parid::model
