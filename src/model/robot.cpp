#include "parid/robot.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "base/text/spelling.hpp"
#include "model/canonical_model.hpp"
#include "model/compose.hpp"
#include "model/elastic_mechanism.hpp"
#include "model/format/load.hpp"
#include "model/frame.hpp"
#include "model/given_values.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/given_limit.hpp"
#include "model/joint/rotor.hpp"
#include "model/layer.hpp"
#include "model/lint/check.hpp"
#include "model/lint/finding.hpp"
#include "model/names.hpp"
#include "parid/quantity.hpp"

namespace parid {
using namespace model;

struct Robot::Body {
  Description description;
  CanonicalModel canonical;
  std::vector<std::string> position_names, velocity_names, link_names;
  std::vector<Limit> limits;
  std::string tip;
  std::vector<std::string> tips;  // that may be meant
  std::string singular;           // why the mass matrix is singular; empty: it is not
  // The same without the motors of elastic joints, and why those cannot be left out.
  std::string singular_links, fixed_motors;

  Body(Description d, std::string why_singular)
      : description(std::move(d)), canonical(description), singular(std::move(why_singular)) {
    for (JointDescription& j : description.joints) {
      for (double* limit : {&j.limits.velocity, &j.limits.effort})
        *limit = *limit < 0 ? Limits::none : given_limit(*limit);
      if (j.limits.lower > j.limits.upper) {
        j.limits.lower = -Limits::none;
        j.limits.upper = Limits::none;
      }
    }
    for (const JointDescription& j : description.joints) {
      if (j.mimic) continue;
      for (const char* part : position_parts(j.type)) position_names.push_back(j.name + part);
      for (const char* part : velocity_parts(j.type)) {
        velocity_names.push_back(j.name + part);
        limits.push_back({j.limits.lower, j.limits.upper, j.limits.velocity, j.limits.effort});
      }
    }
    for (const LinkDescription& l : description.links) link_names.push_back(l.name);
    tip = description.tip.empty() ? deepest_link() : description.tip;
    find_tips();
  }

  void find_link_side() {
    singular_links = singular;
    if (model::elastic_joints(description).empty()) return;
    Description links = description;
    try {
      remove_motors(links);
    } catch (const Error& e) {
      fixed_motors = e.what();
      return;
    }
    singular_links.clear();
    for (const Finding& f : check(links))
      if (f.severity == Finding::Severity::error && f.effect == Effect::forward &&
          singular_links.empty())
        singular_links = f.text();
  }

  void find_tips() {
    if (!description.tip.empty()) {
      tips = {tip};
      return;
    }
    std::unordered_map<std::string, bool> is_frame;
    for (const LinkDescription& l : description.links) is_frame[l.name] = l.is_frame;
    std::unordered_set<std::string> carries;
    for (const JointDescription& j : description.joints)
      if (!is_frame[j.child]) carries.insert(j.parent);
    for (std::size_t k = 0; k < description.links.size(); ++k) {
      const LinkDescription& l = description.links[k];
      if (!l.is_frame && !carries.contains(l.name) && canonical.link[k].link > 0)
        tips.push_back(l.name);
    }
    if (tips.empty()) tips = {tip};
  }

  // The number of joints from the root; of equally deep links the last in the file.
  std::string deepest_link() const {
    std::unordered_map<std::string, std::string> parent;
    for (const JointDescription& j : description.joints) parent[j.child] = j.parent;
    std::unordered_map<std::string, int> depth;
    std::string deepest;
    int most = -1;
    for (const LinkDescription& l : description.links) {
      std::vector<std::string> path{l.name};
      while (!depth.count(path.back()) && parent.count(path.back()))
        path.push_back(parent[path.back()]);
      int d = depth.count(path.back()) ? depth[path.back()] : 0;
      for (auto name = path.rbegin(); name != path.rend(); ++name) depth[*name] = d++;
      if (!l.is_frame && depth[l.name] >= most) {
        most = depth[l.name];
        deepest = l.name;
      }
    }
    return deepest;
  }
};

namespace {

[[noreturn]] void refuse_singular(const std::string& why, std::string_view what) {
  throw Error(fmt::format("{}: the mass matrix is singular, so {} is undefined", why, what));
}

Robot from_description(Description d, const LoadOptions& options) {
  if (!options.rotors) remove_rotors(d);
  return Robot(std::move(d), options.strict);
}

Pose<double> pose_of(const std::array<double, 3>& p, const std::array<double, 9>& R) {
  require_finite("position", p);
  require_finite("rotation", R);
  const Pose<double> pose{{{R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]}},
                          {p[0], p[1], p[2]}};
  const double off = difference(pose.R * transposed(pose.R), Mat3<double>::identity());
  const double handed = dot(cross(pose.R.r0, pose.R.r1), pose.R.r2);
  if (off > 1e-6 || handed < 0)
    throw Error(
        "rotation: the matrix does not rotate; give three rows of unit length, square to each "
        "other");
  return pose;
}

}  // namespace

Robot Robot::load(const std::string& name_or_path, const LoadOptions& options) {
  return from_description(load_description(name_or_path, options), options);
}

Robot Robot::from_text(const std::string& text, const LoadOptions& options,
                       const std::string& name) {
  Description d = parse_description(text, name, options);
  if (d.text.empty()) d.text = text;
  return from_description(std::move(d), options);
}

Robot::Robot(Description d, bool strict) {
  expand_frames(d);
  if (!d.tip.empty() && std::none_of(d.links.begin(), d.links.end(),
                                     [&](const auto& l) { return l.name == d.tip; })) {
    remark(d.remarks, finding("unknown-tip", d.at(0),
                              fmt::format("the tip is '{}', which does not exist", d.tip),
                              "name a link or frame of the robot"));
    d.tip.clear();
  }
  std::string singular;
  for (const Finding& f : check(d)) {
    if (refuses(f, strict)) throw Error(f.text());
    if (f.severity == Finding::Severity::error && f.effect == Effect::forward && singular.empty())
      singular = f.text();
  }
  auto body = std::make_shared<Body>(std::move(d), std::move(singular));
  body->find_link_side();
  body_ = std::move(body);
}

void Robot::require_invertible_mass(std::string_view what) const {
  if (body_->singular.empty()) [[likely]]
    return;
  refuse_singular(body_->singular, what);
}

void Robot::require_defined(Quantity quantity) const {
  const bool elastic = quantity == Quantity::elastic_inverse_dynamics ||
                       quantity == Quantity::elastic_forward_dynamics;
  if (elastic && !body_->fixed_motors.empty()) throw Error(body_->fixed_motors);
  const std::string& why = elastic ? body_->singular_links : body_->singular;
  if (!why.empty() && info(quantity).inverts_mass)
    refuse_singular(why, fmt::format("'{}'", parid::name(quantity)));
}

const std::vector<std::string>& Robot::tip_candidates() const { return body_->tips; }

const std::string& Robot::only_tip() const {
  if (body_->tips.size() == 1) return body_->tips.front();
  constexpr std::size_t shown = 12;
  std::vector<std::string> some(
      body_->tips.begin(),
      body_->tips.begin() + static_cast<std::ptrdiff_t>(std::min(shown, body_->tips.size())));
  if (body_->tips.size() > shown)
    some.push_back(fmt::format("and {} more", body_->tips.size() - shown));
  throw Error({description().file, 0},
              fmt::format("robot '{}' has several tips: {}", name(), fmt::join(some, ", ")),
              "name the link");
}

Robot Robot::with_tip(const std::string& link) const {
  find_link(link);
  Description d = description();
  d.tip = link;
  return Robot(std::move(d));
}

Robot Robot::with_frame(const std::string& name, const std::string& link,
                        const std::array<double, 3>& position,
                        const std::array<double, 9>& rotation) const {
  find_link(link);
  const auto& names = link_names();
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end())
    throw Error({description().file, 0},
                name.empty()
                    ? std::string("the frame has no name")
                    : fmt::format("robot '{}' has a link '{}' already", this->name(), name),
                "give the frame a unique name");
  Description d = description();
  d.frames.push_back({name, link, pose_of(position, rotation), 0});
  require_printable_names(d);
  return Robot(std::move(d));
}

Robot Robot::with_locked(const std::map<std::string, double>& positions) const {
  Description d = description();
  lock_joints(d, positions);
  return Robot(std::move(d));
}

Robot Robot::with_attached(const Robot& other, const std::string& link, const std::string& prefix,
                           const std::array<double, 3>& position,
                           const std::array<double, 9>& rotation) const {
  Description d = description();
  attach(d, other.description(), link, pose_of(position, rotation), prefix);
  require_printable_names(d);
  return Robot(std::move(d));
}

Robot Robot::without_branch(const std::string& link) const {
  Description d = description();
  remove_branch(d, link);
  return Robot(std::move(d));
}

Robot Robot::with_mimic(const std::string& joint, const MimicLaw& law) const {
  Mimic mimic{law.joint, 0, 0};
  const std::vector<double>& c = law.polynomial;
  if (!c.empty()) mimic.offset = c[0];
  if (c.size() > 1) mimic.multiplier = c[1];
  if (c.size() > 2) mimic.higher.assign(c.begin() + 2, c.end());
  while (!mimic.higher.empty() && mimic.higher.back() == 0) mimic.higher.pop_back();
  if (const auto& l = law.four_bar)
    mimic.four_bar = FourBar{l->ground, l->input, l->coupler, l->output, l->angle, l->crossed};
  Description d = description();
  set_mimic(d, joint, mimic);
  return Robot(std::move(d));
}

Robot Robot::with_spinning_rotors() const {
  Description d = description();
  spin_rotors(d);
  return Robot(std::move(d));
}

Robot Robot::without_rotors() const {
  Description d = description();
  remove_rotors(d);
  return Robot(std::move(d));
}

Robot Robot::with_elasticity(const std::map<std::string, JointElasticity>& springs) const {
  Description d = description();
  for (const auto& [joint, spring] : springs)
    set_elasticity(d, joint, {spring.stiffness, spring.damping});
  return Robot(std::move(d));
}

Robot Robot::without_elasticity() const {
  Description d = description();
  for (JointDescription& j : d.joints) j.elastic.reset();
  return Robot(std::move(d));
}

std::vector<ElasticJoint> Robot::elastic_joints() const {
  return model::elastic_joints(description());
}

Robot Robot::with_motors() const {
  Description d = description();
  d.tip = tip();
  release_motors(d);
  return Robot(std::move(d));
}

std::vector<std::string> Robot::pose_names() const {
  std::vector<std::string> names;
  for (const NamedPose& p : description().poses) names.push_back(p.name);
  return names;
}

std::vector<double> Robot::named_pose(const std::string& name) const {
  for (const NamedPose& pose : description().poses) {
    if (pose.name != name) continue;
    std::vector<double> q = neutral();
    std::size_t at = 0;
    for (const JointDescription& j : description().joints) {
      const auto count = static_cast<std::size_t>(position_count(j));
      for (const NamedPose::JointPosition& given : pose.joints)
        if (count > 0 && given.joint == j.name && given.q.size() == count)
          std::copy(given.q.begin(), given.q.end(), q.begin() + static_cast<std::ptrdiff_t>(at));
      at += count;
    }
    return q;
  }
  throw Error({description().file, 0},
              fmt::format("robot '{}' has no pose '{}'", this->name(), name),
              did_you_mean(name, pose_names()) + "`pose_names()` lists its poses");
}

const std::string& Robot::name() const { return body_->description.name; }
int Robot::nq() const { return body_->canonical.nq; }
int Robot::nv() const { return body_->canonical.nv; }
const std::vector<std::string>& Robot::position_names() const { return body_->position_names; }
const std::vector<std::string>& Robot::velocity_names() const { return body_->velocity_names; }
const std::vector<std::string>& Robot::link_names() const { return body_->link_names; }
const std::string& Robot::tip() const { return body_->tip; }
const std::vector<Robot::Limit>& Robot::limits() const { return body_->limits; }
const Description& Robot::description() const { return body_->description; }
const CanonicalModel& Robot::canonical() const { return body_->canonical; }

std::vector<double> Robot::neutral() const {
  std::vector<double> q;
  for (const JointDescription& j : description().joints) {
    if (position_count(j) == 0) continue;
    if (position_count(j.type) == 1) {
      q.push_back(std::clamp(0.0, j.limits.lower, j.limits.upper));
    } else {
      q.resize(q.size() + position_count(j.type), 0.0);
      if (j.type != JointType::planar) q.back() = 1;  // the quaternion's scalar
    }
  }
  return q;
}

std::array<double, 3> Robot::gravity() const {
  const Vec3<double> g = description().gravity;
  return {g.x, g.y, g.z};
}

Robot Robot::with_gravity(const std::array<double, 3>& g) const {
  Description d = description();
  d.gravity = {g[0], g[1], g[2]};
  return Robot(std::move(d));
}

Robot Robot::with_payload(const std::string& link, double mass, const std::array<double, 3>& c,
                          const std::array<double, 6>& I) const {
  Description d = description();
  LinkDescription& l = d.links[find_link(link)];
  const Inertia payload{mass, {c[0], c[1], c[2]}, {I[0], I[1], I[2], I[3], I[4], I[5]}};
  require_payload(payload);
  l.inertia = l.inertia ? together(*l.inertia, payload) : payload;
  return Robot(std::move(d));
}

int Robot::find_link(const std::string& name) const {
  const auto& names = link_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end())
    throw Error({description().file, 0},
                fmt::format("robot '{}' has no link '{}'", this->name(), name),
                did_you_mean(name, names) + "`link_names()` lists its links");
  return static_cast<int>(it - names.begin());
}

}  // namespace parid
