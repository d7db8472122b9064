#include "model/lint/composite_mass.hpp"

#include <algorithm>
#include <cmath>

#include "model/extent.hpp"
#include "model/joint/rotor.hpp"

namespace parid::model::lint {

namespace {

using V = Vec3<double>;

// Rodrigues: the rotation by an angle about a unit axis.
Mat3<double> turn(const V& a, double angle) {
  const Mat3<double> K = skew(a);
  return Mat3<double>::identity() + std::sin(angle) * K + (1 - std::cos(angle)) * (K * K);
}

double trace(const Sym3<double>& I) { return I.xx + I.yy + I.zz; }

}  // namespace

CompositeMass::CompositeMass(const Description& d, const Tree& tree)
    : d_(d), tree_(tree), of_joint_(d.joints.size()) {
  for (int j = 0; j < static_cast<int>(d.joints.size()); ++j) add_coordinates(j);
  follow_leaders();
}

void CompositeMass::add_coordinates(int j) {
  const V x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  const JointType type = d_.joints[j].type;
  const auto add = [&](const V& axis, bool turns) {
    of_joint_[j].push_back(static_cast<int>(all_.size()));
    all_.push_back({.joint = j, .axis = axis, .turns = turns});
  };
  if (type == JointType::floating)
    for (const V& e : {x, y, z}) add(e, false);
  if (type == JointType::floating || type == JointType::spherical)
    for (const V& e : {x, y, z}) add(e, true);
  if (!has_axis(type)) return;
  const V a = unit_vector(d_.joints[j].axis);
  if (type == JointType::planar) {  // slides in the plane that the axis is normal to
    const V u = cross(a, std::abs(a.x) < 0.7 ? x : y), v = cross(a, u);
    add((1 / norm(u)) * u, false);
    add((1 / norm(v)) * v, false);
  }
  add(a, type != JointType::prismatic);
}

void CompositeMass::follow_leaders() {
  for (int k = 0; k < static_cast<int>(all_.size()); ++k) {
    if (tree_.leader[all_[k].joint] >= 0) continue;
    all_[k].f = static_cast<int>(free_.size());
    free_.push_back(k);
  }
  follow_ = mimic_chains(d_);
  for (Coordinate& c : all_) {
    if (c.f >= 0) continue;
    c.mimics = true;
    c.f = all_[of_joint_[follow_[c.joint].leader].front()].f;
  }
}

Eigen::VectorXd CompositeMass::closed(Eigen::VectorXd q) const {
  for (const Coordinate& c : all_) {
    if (!c.mimics) continue;
    for (int k = 0; k < 60 && !std::isfinite(follow_[c.joint].at(q[c.f]).d1); ++k) q[c.f] /= 2;
  }
  return q;
}

CompositeMass::Placed CompositeMass::place(const Eigen::VectorXd& q) const {
  Placed placed{std::vector<V>(all_.size()),
                std::vector<V>(all_.size()),
                std::vector<double>(all_.size(), 1),
                {},
                {},
                {},
                0};
  std::vector<Pose<double>> at(d_.links.size());
  for (const int link : tree_.from_root) {
    const int j = tree_.joint_above[link];
    if (j < 0) continue;
    const Pose<double> base = at[tree_.parent[j]] * d_.joints[j].origin;
    Pose<double> motion;  // translations, then rotations in sequence: this reaches any position
    for (const int k : of_joint_[j]) {
      double x = q[all_[k].f];
      if (all_[k].mimics) {
        const CouplingValue<double> here = follow_[j].at(x);
        x = here.value;
        placed.ratio[k] = here.d1;
      }
      if (all_[k].turns)
        motion.R = motion.R * turn(all_[k].axis, x);
      else
        motion.p = motion.p + x * all_[k].axis;
    }
    // If a joint has several freedoms, rates are along and about the axes of the moved body.
    const Mat3<double> R = of_joint_[j].size() == 1 ? base.R : base.R * motion.R;
    for (const int k : of_joint_[j]) {
      placed.axis[k] = R * all_[k].axis;
      placed.point[k] = base * motion.p;
    }
    at[link] = base * motion * d_.joints[j].tip;
  }
  for (std::size_t l = 0; l < d_.links.size(); ++l) {
    const Inertia b = moved(at[l], d_.links[l].inertia.value_or(Inertia{}));
    placed.extent = std::max({placed.extent, norm(at[l].p), norm(b.com)});
    placed.at.push_back(at[l].p);
    placed.own.push_back(b);
  }
  placed.body = placed.own;
  for (auto link = tree_.from_root.rbegin(); link != tree_.from_root.rend(); ++link) {
    const int j = tree_.joint_above[*link];
    if (j < 0) continue;
    Inertia& below = placed.body[tree_.parent[j]];
    below = together(below, placed.body[*link]);
  }
  return placed;
}

MassMatrix CompositeMass::at(const Eigen::VectorXd& q) const {
  const Placed placed = place(q);
  const double total = placed.body[tree_.from_root.front()].mass;
  const bool whole = size() <= largest_whole;
  MassMatrix result{Eigen::VectorXd::Zero(size()), Eigen::VectorXd::Zero(size()), {}};
  if (whole) result.M = Eigen::MatrixXd::Zero(size(), size());
  const auto add = [&](std::size_t i, std::size_t j, double entry) {
    const Coordinate &a = all_[i], &b = all_[j];
    entry *= placed.ratio[i] * placed.ratio[j];
    if (a.f == b.f) result.diagonal[a.f] += entry;
    if (whole) result.M(a.f, b.f) += entry;
  };
  for (std::size_t k = 0; k < all_.size(); ++k) {
    const Coordinate& c = all_[k];
    const Inertia& b = placed.body[tree_.child[c.joint]];
    const V& a = placed.axis[k];
    const V p = b.mass * (c.turns ? cross(a, b.com - placed.point[k]) : a);  // momentum
    const V L = c.turns ? b.about_com * a : V{};  // and angular momentum about the centre of mass
    const double reach = placed.extent * placed.extent;
    result.scale[c.f] +=
        placed.ratio[k] * placed.ratio[k] * (c.turns ? trace(b.about_com) + b.mass * reach : total);
    add(k, k, reflected_inertia(d_.joints[c.joint]));
    for (int j = c.joint; j >= 0; j = tree_.joint_above[tree_.parent[j]]) {
      for (const int i : of_joint_[j]) {
        const V felt = all_[i].turns ? L + cross(b.com - placed.point[i], p) : p;
        const double entry = dot(placed.axis[i], felt);
        add(k, i, entry);
        if (j != c.joint) add(i, k, entry);
      }
      if (!whole) break;
    }
  }
  return result;
}

}  // namespace parid::model::lint
