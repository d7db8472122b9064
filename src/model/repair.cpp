#include "model/repair.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <unordered_map>

#include "math/dense.hpp"

namespace parid::model {
namespace {

// Distance from the boundary, larger than the rounding of other programs' files.
constexpr double margin = 1e-6;

std::string written(const Sym3<double>& I) {
  return fmt::format("{:.6g} {:.6g} {:.6g} {:.6g} {:.6g} {:.6g}", I.xx, I.yy, I.zz, I.xy, I.xz,
                     I.yz);
}

bool is_zero(const Sym3<double>& I) {
  return I.xx == 0 && I.yy == 0 && I.zz == 0 && I.xy == 0 && I.xz == 0 && I.yz == 0;
}

Inertia body_of(const PrimitiveShape& shape, double density) {
  const auto& [a, b, c] = shape.size;
  Inertia body;
  switch (shape.kind) {
    case PrimitiveShape::Kind::box:
      body.mass = density * a * b * c;
      body.about_com = {body.mass / 12 * (b * b + c * c),
                        body.mass / 12 * (a * a + c * c),
                        body.mass / 12 * (a * a + b * b),
                        0,
                        0,
                        0};
      break;
    case PrimitiveShape::Kind::cylinder: {
      body.mass = density * std::numbers::pi * a * a * b;
      const double across = body.mass / 12 * (3 * a * a + b * b);
      body.about_com = {across, across, body.mass / 2 * a * a, 0, 0, 0};
      break;
    }
    case PrimitiveShape::Kind::sphere: {
      body.mass = density * 4 / 3 * std::numbers::pi * a * a * a;
      const double moment = 0.4 * body.mass * a * a;
      body.about_com = {moment, moment, moment, 0, 0, 0};
    }
  }
  return moved(shape.at, body);
}

// Links that a joint moves, directly or further up.
std::unordered_map<std::string, bool> moving(const Description& d) {
  std::unordered_map<std::string, const JointDescription*> above;
  for (const JointDescription& j : d.joints) above.emplace(j.child, &j);
  std::unordered_map<std::string, bool> moves;
  for (const LinkDescription& l : d.links) {
    std::string link = l.name;
    for (std::size_t steps = 0; steps <= d.joints.size(); ++steps) {  // a cycle ends here too
      const auto joint = above.find(link);
      if (joint == above.end()) break;
      if (joint->second->type != JointType::fixed) {
        moves[l.name] = true;
        break;
      }
      link = joint->second->parent;
    }
  }
  return moves;
}

}  // namespace

bool make_consistent(Sym3<double>& about_com, double floor) {
  const Sym3<double> K = second_moments(about_com);
  Eigen::Matrix3d A;
  A << K.xx, K.xy, K.xz, K.xy, K.yy, K.yz, K.xz, K.yz, K.zz;
  const PrincipalAxes axes = principal_axes(A);
  Eigen::Vector3d size = axes.values;
  const double largest = size.cwiseAbs().maxCoeff();
  if (!(size[0] < -1e-9 * largest)) return false;
  size = size.cwiseMax(floor * largest);
  A = axes.vectors * size.asDiagonal() * axes.vectors.transpose();
  about_com = tensor(Sym3<double>{A(0, 0), A(1, 1), A(2, 2), A(0, 1), A(0, 2), A(1, 2)});
  return true;
}

Inertia inertia_of(const std::vector<PrimitiveShape>& shapes, double density) {
  Inertia whole;
  for (const PrimitiveShape& shape : shapes) whole = together(whole, body_of(shape, density));
  return whole;
}

std::vector<std::string> repair_inertias(Description& d, double density) {
  std::vector<std::string> changes;
  const auto say = [&](const LinkDescription& l, const std::string& change) {
    const int line = l.inertia_line ? l.inertia_line : l.line;
    changes.push_back(fmt::format("{}: link '{}': {}", d.at(line).text(), l.name, change));
  };
  std::unordered_map<std::string, bool> moves = moving(d);
  for (LinkDescription& l : d.links) {
    if (l.inertia && l.inertia->mass < 0) {
      say(l, fmt::format("mass {:g} becomes {:g} kg", l.inertia->mass, -l.inertia->mass));
      l.inertia->mass = -l.inertia->mass;
    }
    if (l.inertia) {
      const Sym3<double> before = l.inertia->about_com;
      if (make_consistent(l.inertia->about_com, margin))
        say(l, fmt::format("inertia {} becomes {} kg m², the nearest that a body can have",
                           written(before), written(l.inertia->about_com)));
    }
    if (!moves[l.name] || l.shapes.empty()) continue;
    const Inertia body = inertia_of(l.shapes, density);
    if (!(body.mass > 0) || !std::isfinite(body.mass)) continue;
    if (!l.inertia || (l.inertia->mass == 0 && is_zero(l.inertia->about_com))) {
      l.inertia = body;
      say(l, fmt::format("gets mass {:.6g} kg and inertia {} kg m² of its shapes at {:g} kg/m³",
                         body.mass, written(body.about_com), density));
    } else if (l.inertia->mass > 0 && is_zero(l.inertia->about_com)) {
      const double scale = l.inertia->mass / body.mass;
      const Sym3<double>& I = body.about_com;
      l.inertia->about_com = {scale * I.xx, scale * I.yy, scale * I.zz,
                              scale * I.xy, scale * I.xz, scale * I.yz};
      say(l, fmt::format("gets inertia {} kg m² of its shapes, scaled to its mass of {:g} kg",
                         written(l.inertia->about_com), l.inertia->mass));
    }
  }
  return changes;
}

}  // namespace parid::model
