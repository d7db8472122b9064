#include "model/format/toml/toml_joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/spelling.hpp"
#include "model/frame.hpp"
#include "model/joint/given_limit.hpp"

namespace parid::model {
namespace {

constexpr Field fields[] = {
    {"name", "the joint's name", "\"shoulder\""},
    {"type", "revolute, continuous, prismatic, fixed, floating, planar or spherical",
     "\"revolute\""},
    {"parent", "the name of the parent link", "\"base\""},
    {"link", "the name of the child link", "\"upper_arm\""},
    {"a", "a length in m", "0.4318"},
    {"alpha", "radians, or an expression such as \"90 deg\"", "\"-pi/2\""},
    {"d", "a length in m", "0.2435"},
    {"theta", "radians, or an expression such as \"90 deg\"", "\"pi/2\""},
    {"xyz", "three lengths in m", "[0, 0, 0.3]"},
    {"rpy", "three angles: roll, pitch, yaw", "[0, \"pi/2\", 0]"},
    {"rotation", "three orthonormal rows", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"},
    {"axis", "the direction of the joint axis", "[0, 0, 1]"},
    {"mass", "a mass in kg", "4.2"},
    {"com", "three lengths in m", "[0, 0, 0.1]"},
    {"inertia", "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] in kg m²", "[0.02, 0.02, 0.01]"},
    {"inertia_about", "\"com\" or \"origin\"", "\"com\""},
    {"lower", "the lower position limit: m for a prismatic joint, else radians", "-1.5"},
    {"upper", "the upper position limit: m for a prismatic joint, else radians", "1.5"},
    {"velocity", "the velocity limit: m/s for a prismatic joint, else rad/s", "2.0"},
    {"effort", "the effort limit: N or N m", "80"},
    {"damping", "viscous friction: N m s/rad, or N s/m", "0.1"},
    {"friction", "Coulomb friction: N m, or N", "0.5"},
    {"smoothing", "the velocity range of the smoothed sign change of friction: rad/s, or m/s",
     "0.01"},
    {"stribeck", "static friction (Stribeck effect)", "{breakaway = 0.8, velocity = 0.05}"},
    {"journal", "a journal bearing", "{friction = 0.1, radius = 0.05, spacing = 0.12}"},
    {"linear", "a linear bearing", "{friction = 0.1, spacing = 0.12}"},
    {"thrust", "a thrust bearing", "{friction = 0.01, radius = 0.05}"},
    {"drive", "a transmission with losses", "{breakaway = 5, efficiency = 0.8}"},
    {"elastic", "the elasticity of the transmission", "{stiffness = 1e4, damping = 5}"},
    {"rotor_inertia", "the rotor inertia reflected to the joint, in kg m²", "0.8"},
    {"motor_inertia", "the inertia of the motor's rotor in kg m²", "2e-4"},
    {"gear_ratio", "motor turns per joint turn, not 0", "62.5"},
    {"rotor", "the rotor as a body that spins on a link", "{inertia = 2e-4, ratio = 62.5}"},
    {"continuous_effort", "the continuous (RMS) effort limit: N m, or N", "60"},
    {"motor", "the ratings of the motor", "{torque = 1.2, continuous_torque = 0.4, speed = 628}"},
    {"mimic", "the joint that it mimics", "{joint = \"left\", multiplier = -1, offset = 0}"},
};
constexpr Field rotor_fields[] = {
    {"inertia", "the inertia of the rotor about its axis, in kg m²", "2e-4"},
    {"ratio", "rotor turns per joint turn, not 0; negative if it turns the other way", "62.5"},
    {"link", "the link that carries the motor", "\"upper_arm\""},
    {"axis", "the direction of the rotor's axis in that link's frame", "[0, 0, 1]"},
    {"included", "false if the link's inertia does not contain the rotor's", "true"},
};
constexpr Field mimic_fields[] = {
    {"joint", "the name of the joint that it mimics", "\"left\""},
    {"multiplier", "a number", "-1"},
    {"offset", "m for a prismatic joint, else radians", "0"},
    {"polynomial", "coefficients of the powers 0, 1, 2, … of the other joint's position",
     "[0.1, -1, 0.3]"},
    {"four_bar", "a linkage that the other joint drives",
     "{ground = 0.2, input = 0.05, coupler = 0.18, output = 0.1, angle = \"60 deg\"}"},
};
constexpr Field four_bar_fields[] = {
    {"ground", "the distance of the two fixed pivots, in m", "0.2"},
    {"input", "the length of the link that the other joint turns, in m", "0.05"},
    {"coupler", "the length of the coupler, in m", "0.18"},
    {"output", "the length of the link that turns this joint, in m", "0.1"},
    {"angle", "the angle of the input link where its joint is at zero", "\"60 deg\""},
    {"crossed", "true for the other way to assemble the linkage", "false"},
};
constexpr const char* dh_keys[] = {"a", "alpha", "d", "theta"};
constexpr const char* frame_keys[] = {"xyz", "rpy", "rotation", "axis"};

constexpr std::pair<const char*, JointType> joint_types[] = {
    {"revolute", JointType::revolute},   {"continuous", JointType::continuous},
    {"prismatic", JointType::prismatic}, {"fixed", JointType::fixed},
    {"floating", JointType::floating},   {"planar", JointType::planar},
    {"spherical", JointType::spherical},
};

}  // namespace

std::span<const Field> joint_fields() { return fields; }
std::span<const Field> inertial_fields() {
  const std::span<const Field> all(fields);
  size_t i = 0;
  while (std::string_view(all[i].key) != "mass") ++i;
  return all.subspan(i, 4);
}

JointType joint_type(const TomlTable& t) {
  const std::string said = t.word("type").value_or("revolute");
  std::vector<std::string> known;
  for (const auto& [word, type] : joint_types) {
    if (said == word) return type;
    known.push_back(word);
  }
  const std::string meant = nearest(said, known);
  t.refuse("type", fmt::format("type '{}' is unknown{}", said,
                               meant.empty() ? "" : fmt::format(" (did you mean '{}'?)", meant)));
}

std::optional<Convention> convention(const TomlTable& top) {
  const auto said = top.word("convention");
  if (!said) return {};
  if (*said == "modified") return Convention::modified;
  if (*said == "standard") return Convention::standard;
  if (*said == "frames") return Convention::frames;
  top.refuse("convention", fmt::format("convention '{}' is unknown", *said));
}

std::optional<Inertia> inertia(const TomlTable& t) {
  const auto mass = t.number("mass");
  const auto com = t.vector("com");
  const auto I = t.numbers("inertia", {3, 6});
  const auto about = t.word("inertia_about");
  for (const char* key : {"com", "inertia", "inertia_about"})
    if (!mass && t.has(key))
      t.refuse(t.at(key), fmt::format("{} is given, but no mass", key),
               "give the mass too, such as mass = 4.2");
  if (about && *about != "com" && *about != "origin")
    t.refuse("inertia_about", fmt::format("inertia_about is '{}'", *about));
  if (about && !I)
    t.refuse(t.at("inertia_about"), "inertia_about is given, but no inertia",
             "give the inertia too, such as inertia = [0.02, 0.02, 0.01]");
  if (!mass) return {};

  Inertia body{*mass, com.value_or(Vec3<double>{}), {}};
  if (I) body.about_com = {(*I)[0], (*I)[1], (*I)[2], 0, 0, 0};
  if (I && I->size() == 6) {
    body.about_com.xy = (*I)[3];
    body.about_com.xz = (*I)[4];
    body.about_com.yz = (*I)[5];
  }
  if (about && *about == "origin")
    body.about_com = body.about_com + point_inertia(-body.mass, body.com);
  return body;
}

void read_frame(const TomlTable& t, std::optional<Convention> said, JointDescription& joint) {
  const Convention c = said.value_or(Convention::frames);
  if (c == Convention::frames) {
    for (const char* key : dh_keys)
      if (t.has(key))
        t.refuse(
            t.at(key),
            fmt::format("{} is a Denavit-Hartenberg parameter, and {}", key,
                        said ? "the convention is \"frames\"" : "the file names no convention"),
            "write convention = \"modified\" (Craig) or convention = \"standard\" at the top, or "
            "place the joint by xyz and rpy");
    if (t.has("rpy") && t.has("rotation"))
      t.refuse(t.at("rotation"), "both rpy and rotation are given", "give one of them");
    joint.origin.p = t.vector("xyz").value_or(Vec3<double>{});
    if (const auto rpy = t.angles("rpy")) joint.origin.R = rotation_rpy(*rpy);
    if (const auto R = t.rotation("rotation")) joint.origin.R = *R;
    const bool directed = joint.type == JointType::revolute ||
                          joint.type == JointType::continuous ||
                          joint.type == JointType::prismatic || joint.type == JointType::planar;
    if (directed && !t.has("axis")) t.refuse("axis", "the joint has no axis");
    joint.axis = t.vector("axis").value_or(Vec3<double>{0, 0, 1});
  } else {
    for (const char* key : frame_keys)
      if (t.has(key))
        t.refuse(t.at(key),
                 fmt::format("{} cannot be combined with Denavit-Hartenberg parameters", key),
                 "write convention = \"frames\" at the top, or place the joint by a, alpha, d and "
                 "theta about z");
    const DenavitHartenberg dh{t.number("a").value_or(0), t.angle("alpha").value_or(0),
                               t.number("d").value_or(0), t.angle("theta").value_or(0)};
    joint.axis = {0, 0, 1};
    if (c == Convention::modified)
      joint.origin = modified_pose(dh);
    else
      joint.tip = standard_pose(dh);
  }
  joint.axis_line = t.line("axis");
}

// Limits and drive, which may also be given for a joint of a URDF file.
void read_drive(const TomlTable& t, JointDescription& joint) {
  const bool slides = joint.type == JointType::prismatic;
  auto position = [&](const char* key) { return slides ? t.number(key) : t.angle(key); };
  for (const auto& [key, value] : {std::pair{"lower", &joint.limits.lower},
                                   {"upper", &joint.limits.upper},
                                   {"velocity", &joint.limits.velocity}})
    if (const auto v = position(key)) *value = *v;
  if (const auto v = t.number("effort")) joint.limits.effort = *v;
  for (double* limit : {&joint.limits.velocity, &joint.limits.effort}) *limit = given_limit(*limit);
  for (const char* key :
       {"effort", "velocity", "upper", "lower"})  // the line of the first of them that is there
    if (t.has(key)) {
      joint.has_limits = true;
      joint.limits_line = t.line(key);
    }
  if (const auto v = t.number("damping")) joint.damping = *v;
  if (const auto v = t.number("friction")) joint.friction = *v;

  const auto ratio = t.number("gear_ratio");
  if (ratio && *ratio == 0) t.refuse("gear_ratio", "gear_ratio is 0");
  if (ratio) joint.gear_ratio = *ratio;
  const auto rotor = t.number("rotor_inertia"), motor = t.number("motor_inertia");
  if (rotor && motor)
    t.refuse(t.at("motor_inertia"), "both rotor_inertia and motor_inertia are given",
             "give rotor_inertia (reflected to the joint), or motor_inertia and gear_ratio");
  if (motor && !ratio)
    t.refuse(t.at("motor_inertia"), "motor_inertia is given, but no gear_ratio",
             "give gear_ratio too (1 for a direct drive), or rotor_inertia reflected to the joint");
  if (rotor) joint.rotor_inertia = *rotor;
  if (motor) joint.rotor_inertia = *motor * *ratio * *ratio;
}

void read_rotor(const TomlTable& t, const std::string& file, const std::string& owner,
                JointDescription& joint, std::vector<Finding>& remarks) {
  const toml::table* table = t.subtable("rotor");
  if (!table) return;
  for (const char* key : {"rotor_inertia", "motor_inertia"})
    if (t.has(key))
      t.refuse(t.at("rotor"), fmt::format("both rotor and {} are given", key),
               "give rotor_inertia or motor_inertia for the reflected inertia alone, or rotor for "
               "the full model");
  const TomlTable r(*table, file, owner + ": rotor", rotor_fields);
  r.remark_unknown(remarks);
  for (const char* key : {"inertia", "ratio"})
    if (!r.has(key)) r.refuse(key, fmt::format("{} is missing", key));
  Rotor rotor{.inertia = *r.number("inertia"), .ratio = *r.number("ratio")};
  if (rotor.ratio == 0) r.refuse("ratio", "ratio is 0");
  rotor.link = r.word("link").value_or(joint.parent);
  rotor.included = r.flag("included").value_or(true);
  if (const auto axis = r.vector("axis")) {
    rotor.axis = *axis;
  } else if (rotor.link == joint.parent) {
    rotor.axis = joint.origin.R * joint.axis;
  } else {
    r.refuse("axis", "the axis of a rotor on another link than the joint's parent is missing");
  }
  joint.rotor = rotor;
  joint.rotor_inertia = 0;
  joint.rotor_from_transmission = false;
  joint.rotor_line = t.line("rotor");
}

namespace {

FourBar read_four_bar(const TomlTable& t, const std::string& file, const std::string& owner,
                      std::vector<Finding>& remarks) {
  const TomlTable l(*t.subtable("four_bar"), file, owner + ": four_bar", four_bar_fields);
  l.remark_unknown(remarks);
  auto length = [&](const char* key) {
    if (!l.has(key)) l.refuse(key, fmt::format("the length {} is missing", key));
    return *l.number(key);
  };
  FourBar f;
  f.ground = length("ground");
  f.input = length("input");
  f.coupler = length("coupler");
  f.output = length("output");
  f.angle = l.angle("angle").value_or(0);
  f.crossed = l.flag("crossed").value_or(false);
  return f;
}

void read_polynomial(const TomlTable& m, Mimic& mimic) {
  std::vector<double> c = *m.angle_list("polynomial");
  if (c.empty()) m.refuse("polynomial", "the list of coefficients is empty");
  if (m.has("multiplier") || m.has("offset"))
    m.refuse(m.at("polynomial"), "both a polynomial and a multiplier or offset are given",
             "the polynomial's first two coefficients are the offset and the multiplier");
  while (c.size() > 2 && c.back() == 0) c.pop_back();
  c.resize(std::max<std::size_t>(c.size(), 2), 0.0);
  mimic.offset = c[0];
  mimic.multiplier = c[1];
  mimic.higher.assign(c.begin() + 2, c.end());
}

}  // namespace

std::optional<Mimic> read_mimic(const TomlTable& t, const std::string& file,
                                const std::string& owner, bool slides,
                                std::vector<Finding>& remarks) {
  const toml::table* table = t.subtable("mimic");
  if (!table) return {};
  const TomlTable m(*table, file, owner + ": mimic", mimic_fields);
  m.remark_unknown(remarks);
  Mimic mimic;
  if (!m.has("joint")) m.refuse("joint", "the name of the mimicked joint is missing");
  mimic.joint = *m.word("joint");
  mimic.multiplier = m.number("multiplier").value_or(1);
  mimic.offset = (slides ? m.number("offset") : m.angle("offset")).value_or(0);
  if (m.has("polynomial")) read_polynomial(m, mimic);
  if (m.has("four_bar")) mimic.four_bar = read_four_bar(m, file, owner + ": mimic", remarks);
  return mimic;
}

}  // namespace parid::model
