#include "parid/robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/text/spelling.hpp"
#include "model/canonical_model.hpp"
#include "model/format/load.hpp"
#include "model/given_values.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/given_limit.hpp"
#include "model/layer.hpp"
#include "model/lint/check.hpp"

namespace parid {
using namespace model;

struct Robot::Body {
  Description description;
  CanonicalModel canonical;
  std::vector<std::string> position_names, velocity_names, link_names;
  std::vector<Limit> limits;
  std::string tip;

  explicit Body(Description d) : description(std::move(d)), canonical(description) {
    for (JointDescription& j : description.joints) {
      j.limits.velocity = given_limit(j.limits.velocity);
      j.limits.effort = given_limit(j.limits.effort);
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
    tip = deepest_link();
  }

  // Counts joints from the root; of equally deep links the last in the file.
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
      if (depth[l.name] >= most) most = depth[l.name], deepest = l.name;
    }
    return deepest;
  }
};

Robot Robot::load(const std::string& name_or_path, const LoadOptions& options) {
  return Robot(load_description(name_or_path, options.floating));
}

Robot::Robot(Description d) {
  for (const Finding& f : check(d))
    if (f.severity == Finding::Severity::error) throw Error(f.text());
  body_ = std::make_shared<const Body>(std::move(d));
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
                did_you_mean(name, names) + "`parid info` lists its links");
  return static_cast<int>(it - names.begin());
}

}  // namespace parid
