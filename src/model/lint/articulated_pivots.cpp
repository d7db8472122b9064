// For long robots the mass matrix is not formed. Articulated bodies (Featherstone) give the pivots
// of its factors M = Lᵀ D L, from the tips to the root, in linear time: M is singular if one of
// them is zero. Mimic joints couple bodies that the recursion treats separately.
//
//     A    the articulated inertia of a link: all joints beyond it are free
//   S    the joint's motion; U = A S, D = Sᵀ U + rotor; what is left for the parent: A - U Uᵀ / D
//
// Axes are those of the world; reference points are the links' origins, so that a robot of
// kilometres causes no cancellation.

#include <Eigen/Dense>

#include "model/joint/rotor.hpp"
#include "model/lint/composite_mass.hpp"

namespace parid::model::lint {

namespace {

using Motion = Eigen::Matrix<double, 6, 1>;  // angular, then linear
using Inertia6 = Eigen::Matrix<double, 6, 6>;

Eigen::Vector3d to_eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

Eigen::Matrix3d crossing(const Eigen::Vector3d& v) {
  Eigen::Matrix3d m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

Inertia6 about(const Vec3<double>& point, const Inertia& b) {
  const Eigen::Matrix3d c = crossing(to_eigen(b.com - point));
  const Sym3<double>& I = b.about_com;
  Eigen::Matrix3d turning;
  turning << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  Inertia6 A;
  A << turning - b.mass * c * c, b.mass * c, -b.mass * c, b.mass * Eigen::Matrix3d::Identity();
  return A;
}

// Transforms a motion at `to` into the same body's motion at `from`.
Inertia6 shift(const Vec3<double>& from, const Vec3<double>& to) {
  Inertia6 X = Inertia6::Identity();
  X.bottomLeftCorner<3, 3>() = -crossing(to_eigen(from - to));
  return X;
}

}  // namespace

Pivots CompositeMass::pivots(const Eigen::VectorXd& q) const {
  const Placed placed = place(q);
  const int n = static_cast<int>(all_.size());
  Pivots result{Eigen::VectorXd(n), Eigen::VectorXd(n), {}};
  std::vector<Inertia6, Eigen::aligned_allocator<Inertia6>> A(d_.links.size());
  std::vector<Motion, Eigen::aligned_allocator<Motion>> S(n), U(n);
  for (std::size_t l = 0; l < A.size(); ++l) A[l] = about(placed.at[l], placed.own[l]);

  int idle = -1;  // the last coordinate with a zero pivot: none between it and the root
  for (auto link = tree_.from_root.rbegin(); link != tree_.from_root.rend(); ++link) {
    const int j = tree_.joint_above[*link];
    if (j < 0) continue;
    Inertia6& a = A[*link];
    for (auto k = of_joint_[j].rbegin(); k != of_joint_[j].rend(); ++k) {
      const Eigen::Vector3d axis = to_eigen(placed.axis[*k]);
      const Eigen::Vector3d arm = to_eigen(placed.at[*link] - placed.point[*k]);
      if (all_[*k].turns)
        S[*k] << axis, axis.cross(arm);
      else
        S[*k] << Eigen::Vector3d::Zero(), axis;
      U[*k] = a * S[*k];
      const double D = S[*k].dot(U[*k]) + reflected_inertia(d_.joints[j]);
      // Compared with the inertia about the point of the axis in any direction.
      const Inertia6 X = shift(placed.at[*link], placed.point[*k]);
      const Inertia6 there = X.transpose() * a * X;
      result.pivot[*k] = D;
      result.scale[*k] =
          (all_[*k].turns ? there.topLeftCorner<3, 3>() : there.bottomRightCorner<3, 3>()).trace();
      if (result.nothing_at(*k))
        idle = *k;
      else
        a -= U[*k] * U[*k].transpose() / D;
    }
    const int parent = tree_.parent[j];
    const Inertia6 X = shift(placed.at[*link], placed.at[parent]);
    A[parent] += X.transpose() * a * X;
  }
  if (idle < 0) return result;

  // That coordinate moves, and the joints beyond it yield so that no mass moves.
  result.idle = Eigen::VectorXd::Zero(n);
  std::vector<Motion, Eigen::aligned_allocator<Motion>> v(d_.links.size(), Motion::Zero());
  for (const int link : tree_.from_root) {
    const int j = tree_.joint_above[link];
    if (j < 0) continue;
    v[link] = shift(placed.at[link], placed.at[tree_.parent[j]]) * v[tree_.parent[j]];
    for (const int k : of_joint_[j]) {
      if (k == idle)
        result.idle[k] = 1;
      else if (!result.nothing_at(k))
        result.idle[k] = -U[k].dot(v[link]) / result.pivot[k];
      v[link] += result.idle[k] * S[k];
    }
  }
  result.idle /= result.idle.cwiseAbs().maxCoeff();
  return result;
}

}  // namespace parid::model::lint
