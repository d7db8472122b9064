#include "cli/summary/report_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "model/canonical_model.hpp"
#include "model/frame.hpp"
#include "model/joint/coordinates.hpp"
#include "parid/kinematics.hpp"
#include "report/base64.hpp"

namespace parid::cli {
namespace {

constexpr std::size_t most_points_of_path = 2000;

// Twelve numbers: the rotation row by row, then the position.
Json pose_json(const Pose<double>& at) {
  const auto& [a, b, c] = at.R;
  return {a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, at.p.x, at.p.y, at.p.z};
}
// What a mimic has besides a multiplier and an offset: coefficients, and a linkage as FourBarLaw
// has it (model/joint/coupling.hpp).
Json law_json(const Mimic& m) {
  Json law{{"polynomial", {m.offset, m.multiplier}}};
  for (const double c : m.higher) law["polynomial"].push_back(c);
  if (!m.four_bar) return law;
  const FourBarLaw l(*m.four_bar);
  law["linkage"] = {{"ground", l.ground}, {"input", l.input},   {"coupler", l.coupler},
                    {"output", l.output}, {"angle", l.angle},   {"sign", l.sign},
                    {"turns", l.turns},   {"middle", l.middle}, {"zero", l.zero}};
  return law;
}
bool is_identity(const Pose<double>& at) { return pose_json(at) == pose_json(Pose<double>{}); }

// Indices of names in a list; -1 for missing ones. Built once: a robot looks up as many names as it
// has links.
class Indices {
 public:
  template <class Named>
  explicit Indices(const std::vector<Named>& all) {
    for (std::size_t k = 0; k < all.size(); ++k) index_.emplace(all[k].name, static_cast<int>(k));
  }
  int of(const std::string& name) const {
    const auto at = index_.find(name);
    return at == index_.end() ? -1 : at->second;
  }

 private:
  std::unordered_map<std::string_view, int> index_;
};

bool slides(JointType type, int k) {
  return type == JointType::prismatic || (type == JointType::planar && k < 2) ||
         (type == JointType::floating && k < 3);
}

Json joints_json(const Robot& robot) {
  const auto& joints = robot.description().joints;
  const Indices links(robot.description().links), joint_of(joints);
  Json all = Json::array();
  int position = 0;
  for (const JointDescription& j : joints) {
    const Vec3<double> axis = length_of(j.axis) > 0 ? unit_vector(j.axis) : j.axis;
    Json one{{"name", j.name},
             {"type", name_of(j.type)},
             {"parent", links.of(j.parent)},
             {"child", links.of(j.child)},
             {"origin", pose_json(j.origin)},
             {"axis", {axis.x, axis.y, axis.z}},
             {"position", position_count(j) > 0 ? position : -1}};
    if (!is_identity(j.tip)) one["tip"] = pose_json(j.tip);
    if (j.type == JointType::planar) {
      one["plane"] = pose_json({plane_axes(axis), {}});
    }
    if (j.mimic)
      one["follows"] = {{"joint", joint_of.of(j.mimic->joint)},
                        {"multiplier", j.mimic->multiplier},
                        {"offset", j.mimic->offset}};
    if (j.mimic && !j.mimic->linear()) one["follows"].update(law_json(*j.mimic));
    all.push_back(one);
    position += position_count(j);
  }
  return all;
}

// One per velocity: the name and unit of its curves.
Json coordinates_json(const Robot& robot) {
  Json all = Json::array();
  int p = 0, l = 0, joint = 0;
  for (const JointDescription& j : robot.description().joints) {
    const int n = velocity_count(j);
    const bool plain = position_count(j) == n;
    for (int k = 0; k < n; ++k) {
      const Robot::Limit& limit = robot.limits()[l + k];
      all.push_back({{"name", robot.velocity_names()[l + k]},
                     {"joint", joint},
                     {"position", plain || slides(j.type, k) ? p + k : -1},
                     {"slides", slides(j.type, k)},
                     {"lower", finite(limit.lower)},
                     {"upper", finite(limit.upper)},
                     {"velocity", finite(limit.velocity)},
                     {"effort", finite(limit.effort)}});
    }
    p += position_count(j);
    l += n;
    ++joint;
  }
  return all;
}

}  // namespace

Json packed(const std::vector<double>& x) { return {{"f64", base64_of(x)}}; }

std::vector<double> by_column(const std::vector<double>& x, std::size_t width) {
  std::vector<double> out(x.size());
  const std::size_t rows = width > 0 ? x.size() / width : 0;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t k = 0; k < width; ++k) out[k * rows + r] = x[r * width + k];
  return out;
}

Json robot_json(const Robot& robot) {
  const Description& d = robot.description();
  Json links = Json::array();
  double mass = 0;
  for (const LinkDescription& l : d.links) {
    const double m = l.inertia ? l.inertia->mass : 0;
    Json one{{"name", l.name}, {"mass", m}};
    if (l.inertia) one["com"] = {l.inertia->com.x, l.inertia->com.y, l.inertia->com.z};
    links.push_back(one);
    mass += m;
  }
  return {{"name", robot.name()},
          {"summary", d.summary},
          {"source", d.source},
          {"nq", robot.nq()},
          {"nv", robot.nv()},
          {"mass", mass},
          {"gravity", robot.gravity()},
          {"root", robot.canonical().root},
          {"tip", robot.find_link(robot.tip())},
          {"neutral", robot.neutral()},
          {"links", links},
          {"joints", joints_json(robot)},
          {"coordinates", coordinates_json(robot)}};
}

Json visuals_json(const Robot& robot, const Visuals& v) {
  static constexpr const char* kinds[] = {"box", "cylinder", "sphere", "mesh"};
  Json parts = Json::array(), meshes = Json::array(), unseen = Json::array();
  const Indices links(robot.description().links);
  std::vector<int> link_of;
  for (const std::string& name : v.links) link_of.push_back(links.of(name));
  for (const Visual& x : v.parts) {
    Json one{{"link", link_of[x.link]},
             {"kind", kinds[static_cast<int>(x.kind)]},
             {"size", x.size},
             {"at", pose_json(x.at)}};
    if (x.colour) one["colour"] = *x.colour;
    if (x.mesh >= 0) one["mesh"] = x.mesh;
    parts.push_back(one);
  }
  // Corners as 16-bit fractions of the mesh's extent: a few hundredths of a millimetre per metre.
  for (const Mesh& m : v.meshes) {
    std::array<float, 3> low = m.points.at(0), high = low;
    for (const auto& p : m.points)
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], p[k]);
        high[k] = std::max(high[k], p[k]);
      }
    std::vector<std::uint16_t> points;
    std::array<float, 3> step{};
    for (int k = 0; k < 3; ++k) step[k] = std::max((high[k] - low[k]) / 65535, 1e-30f);
    for (const auto& p : m.points)
      for (int k = 0; k < 3; ++k)
        points.push_back(static_cast<std::uint16_t>(std::lround((p[k] - low[k]) / step[k])));
    Json one{{"low", low}, {"step", step}, {"points", {{"u16", base64_of(points)}}}};
    if (m.points.size() < 65536) {
      std::vector<std::uint16_t> corners;
      for (const auto& t : m.triangles)
        for (const std::uint32_t k : t) corners.push_back(static_cast<std::uint16_t>(k));
      one["triangles"] = {{"u16", base64_of(corners)}};
    } else {
      std::vector<std::uint32_t> corners;
      for (const auto& t : m.triangles) corners.insert(corners.end(), t.begin(), t.end());
      one["triangles"] = {{"u32", base64_of(corners)}};
    }
    meshes.push_back(one);
  }
  for (const int link : v.unseen) unseen.push_back(link_of[link]);
  return {{"parts", parts}, {"meshes", meshes}, {"unseen", unseen}};
}

Json motion_json(const Robot& robot, const SampledTrajectory& m, const Torques& torques,
                 const std::string& name) {
  const std::size_t nq = robot.nq(), nv = robot.nv();
  Json broken = Json::array();
  for (const LimitBreak& b : broken_limits(robot, m, torques.tau))
    broken.push_back({{"coordinate", b.coordinate},
                      {"kind", b.kind},
                      {"value", b.value},
                      {"limit", b.limit},
                      {"sample", b.row}});
  Kinematics kinematics(robot);
  const int tip = robot.find_link(robot.tip());
  std::vector<double> path;
  const std::size_t stride = (m.rows + most_points_of_path - 1) / most_points_of_path;
  for (std::size_t r = 0; r < m.rows; r += std::max<std::size_t>(1, stride)) {
    kinematics.set({&m.q[r * nq], nq});
    const LinkPose at = kinematics.pose(tip);
    path.insert(path.end(), at.position.begin(), at.position.end());
  }
  return {{"name", name},
          {"rows", m.rows},
          {"t", m.t.empty() ? Json(nullptr) : packed(m.t)},
          {"q", packed(by_column(m.q, nq))},
          {"v", packed(by_column(m.v, nv))},
          {"a", packed(by_column(m.a, nv))},
          {"tau", packed(by_column(torques.tau, nv))},
          {"path", packed(path)},
          {"limits_broken", broken}};
}

Json friction_parts_json(const Torques& x, std::size_t nv) {
  return {{"rigid", packed(by_column(x.rigid, nv))},
          {"bearing", packed(by_column(x.bearing, nv))},
          {"drive", packed(by_column(x.drive, nv))}};
}

}  // namespace parid::cli
