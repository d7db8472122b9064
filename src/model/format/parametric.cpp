#include "model/format/parametric.hpp"

#include <cassert>
#include <numbers>

#include "model/frame.hpp"

namespace parid::model {
namespace {

// Row i of the golden sequence: sixteen numbers for link i, each used once.
struct Row {
  std::uint64_t i;
  double u(int j) const { return golden(16 * i + static_cast<std::uint64_t>(j)); }
  double between(int j, double low, double high) const { return low + (high - low) * u(j); }
  // From ±[low, high]: u < 1/2 gives the negative half, u >= 1/2 the positive one.
  double either(int j, double low, double high) const {
    return u(j) < 0.5 ? -(low + (high - low) * 2 * u(j)) : low + (high - low) * (2 * u(j) - 1);
  }
};

// The tensor of second moments P = ∫ r rᵀ dm: I = trace(P) 1 - P. Any positive definite P is
// physically consistent, so these inertias are.
Sym3<double> inertia_of_second_moments(const Sym3<double>& P) {
  return {P.yy + P.zz, P.xx + P.zz, P.xx + P.yy, -P.xy, -P.xz, -P.yz};
}

// Per kg: diagonal in [1, 2]e-3 m², products in ±[1, 3]e-4 m². Each row's products sum to at most
// 6e-4 < 1e-3, so P is positive definite by its diagonal.
Inertia body(const Row& row, bool products) {
  const double m = row.between(3, 0.5, 1.5), s = 1e-3 * m;
  const Vec3<double> com{row.either(4, 0.01, 0.05), row.either(5, 0.01, 0.05),
                         row.either(6, 0.01, 0.05)};
  Sym3<double> P{
      s * row.between(7, 1, 2), s * row.between(8, 1, 2), s * row.between(9, 1, 2), 0, 0, 0};
  if (products) {
    P.xy = s * row.either(10, 0.1, 0.3);
    P.xz = s * row.either(11, 0.1, 0.3);
    P.yz = s * row.either(12, 0.1, 0.3);
  }
  return {m, com, inertia_of_second_moments(P)};
}

template <class Frame>
Description revolute_chain(const std::string& kind, int n, bool products, Frame frame) {
  assert(n >= 1 && n <= longest_parametric);
  Description robot;
  robot.name = robot.file = kind + ":" + std::to_string(n);
  robot.source = "Parid: by formula (docs/robot-files.md)";
  robot.links.reserve(n + 1);
  robot.joints.reserve(n);
  robot.links.push_back({"base", {}, 0, 0});
  for (int i = 1; i <= n; ++i) {
    const Row row{static_cast<std::uint64_t>(i)};
    JointDescription joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::revolute;
    joint.parent = robot.links.back().name;
    joint.child = "link" + std::to_string(i);
    if (i > 1) joint.origin = modified_pose(frame(row));  // the first axis is the base's z
    joint.axis = {0, 0, 1};
    joint.limits.lower = -std::numbers::pi;
    joint.limits.upper = std::numbers::pi;
    joint.limits.velocity = 3;
    joint.has_limits = true;
    robot.links.push_back({joint.child, body(row, products), 0, 0});
    robot.joints.push_back(joint);
  }
  return robot;
}

}  // namespace

Description orthogonal(int n) {
  Description robot = revolute_chain("orthogonal", n, false, [](const Row& row) {
    constexpr double right = std::numbers::pi / 2;
    const double twist[] = {0, right, -right};  // i = 3, 4, 5, …: parallel, up, down (as a PUMA's)
    return DenavitHartenberg{row.between(1, 0.05, 0.10), twist[row.i % 3],
                             row.between(2, 0.03, 0.07), 0};
  });
  robot.summary = "revolute links; neighbouring axes parallel or perpendicular; diagonal inertias";
  return robot;
}

Description chain(int n) {
  Description robot = revolute_chain("chain", n, true, [](const Row& row) {
    return DenavitHartenberg{row.between(1, 0.05, 0.10), row.either(0, 0.35, 1.25),
                             row.between(2, 0.03, 0.07), 0};
  });
  robot.summary = "Revolute links in general position: no parameter is zero";
  return robot;
}

}  // namespace parid::model
