// Eigen's vectors and matrices as arguments and results. Optional: the library does not use this
// header and no other header includes it. Link parid::eigen, which brings Eigen 3.4.
//
//   #include "parid/eigen.hpp"
//   Eigen::VectorXd tau = parid::eigen::inverse_dynamics(robot, workspace, q, v, a);
//   parid::eigen::inverse_dynamics(robot, workspace, q, v, a, tau);   // into tau: no allocation
//
// The functions have the names, sizes, units and exceptions of parid/dynamics.hpp and
// parid/kinematics.hpp. Functions that return a value allocate it. The others allocate nothing if
// vectors are contiguous and matrices are row-major and contiguous (RowMatrix); Eigen copies a
// strided input, and a strided output is filled through a temporary matrix. A column-major matrix
// is an output of mass_matrix only, which is symmetric.

#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "parid/dynamics.hpp"
#include "parid/inverse_dynamics.hpp"
#include "parid/kinematics.hpp"
#include "parid/robot.hpp"

namespace parid::eigen {

/// Rows are contiguous, as the library writes matrices. Assigns to and from Eigen::MatrixXd.
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = const Eigen::Ref<const Eigen::VectorXd>&;
using Output = Eigen::Ref<Eigen::VectorXd>;
using MatrixOutput = Eigen::Ref<RowMatrix>;

inline std::span<const double> span_of(Input x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}
inline std::span<double> span_of(Output& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

/// Calls write(span) with the numbers of contiguous matrices, or of temporary ones that are then
/// copied.
template <class Write>
void with_span(MatrixOutput& x, const Write& write) {
  const auto count = static_cast<std::size_t>(x.size());
  if (x.outerStride() == x.cols() || x.rows() <= 1) {
    write(std::span<double>{x.data(), count});
    return;
  }
  RowMatrix dense(x.rows(), x.cols());
  write(std::span<double>{dense.data(), count});
  x = dense;
}

inline Eigen::VectorXd neutral(const Robot& robot) {
  const std::vector<double> q = robot.neutral();
  return Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size()));
}

// ---- dynamics

inline void inverse_dynamics(const Robot& robot, Workspace& workspace, Input q, Input v, Input a,
                             Output tau) {
  parid::inverse_dynamics(robot, workspace, span_of(q), span_of(v), span_of(a), span_of(tau));
}
inline Eigen::VectorXd inverse_dynamics(const Robot& robot, Workspace& workspace, Input q, Input v,
                                        Input a) {
  Eigen::VectorXd tau(robot.nv());
  inverse_dynamics(robot, workspace, q, v, a, tau);
  return tau;
}

inline void inverse_dynamics_with_friction(const Robot& robot, Workspace& workspace, Input q,
                                           Input v, Input a, Output total) {
  parid::inverse_dynamics_with_friction(robot, workspace, span_of(q), span_of(v), span_of(a),
                                        span_of(total));
}
inline Eigen::VectorXd inverse_dynamics_with_friction(const Robot& robot, Workspace& workspace,
                                                      Input q, Input v, Input a) {
  Eigen::VectorXd total(robot.nv());
  inverse_dynamics_with_friction(robot, workspace, q, v, a, total);
  return total;
}

inline void forward_dynamics(const Robot& robot, Workspace& workspace, Input q, Input v, Input tau,
                             Output a) {
  parid::forward_dynamics(robot, workspace, span_of(q), span_of(v), span_of(tau), span_of(a));
}
inline Eigen::VectorXd forward_dynamics(const Robot& robot, Workspace& workspace, Input q, Input v,
                                        Input tau) {
  Eigen::VectorXd a(robot.nv());
  forward_dynamics(robot, workspace, q, v, tau, a);
  return a;
}

inline void mass_matrix(const Robot& robot, Workspace& workspace, Input q, MatrixOutput M) {
  with_span(M, [&](std::span<double> to) { parid::mass_matrix(robot, workspace, span_of(q), to); });
}
/// Column-major; the matrix is symmetric, so its transpose is written.
inline void mass_matrix(const Robot& robot, Workspace& workspace, Input q,
                        Eigen::Ref<Eigen::MatrixXd> M) {
  MatrixOutput transposed = M.transpose();
  mass_matrix(robot, workspace, q, transposed);
}
inline RowMatrix mass_matrix(const Robot& robot, Workspace& workspace, Input q) {
  RowMatrix M(robot.nv(), robot.nv());
  mass_matrix(robot, workspace, q, MatrixOutput(M));
  return M;
}

inline void bias(const Robot& robot, Workspace& workspace, Input q, Input v, Output tau) {
  parid::bias(robot, workspace, span_of(q), span_of(v), span_of(tau));
}
inline Eigen::VectorXd bias(const Robot& robot, Workspace& workspace, Input q, Input v) {
  Eigen::VectorXd tau(robot.nv());
  bias(robot, workspace, q, v, tau);
  return tau;
}

inline void gravity(const Robot& robot, Workspace& workspace, Input q, Output tau) {
  parid::gravity(robot, workspace, span_of(q), span_of(tau));
}
inline Eigen::VectorXd gravity(const Robot& robot, Workspace& workspace, Input q) {
  Eigen::VectorXd tau(robot.nv());
  gravity(robot, workspace, q, tau);
  return tau;
}

inline void coriolis_matrix(const Robot& robot, Workspace& workspace, Input q, Input v,
                            MatrixOutput C) {
  with_span(C, [&](std::span<double> to) {
    parid::coriolis_matrix(robot, workspace, span_of(q), span_of(v), to);
  });
}
inline RowMatrix coriolis_matrix(const Robot& robot, Workspace& workspace, Input q, Input v) {
  RowMatrix C(robot.nv(), robot.nv());
  coriolis_matrix(robot, workspace, q, v, C);
  return C;
}

/// dtau/dq, dtau/dv, dtau/da.
inline void inverse_gradient(const Robot& robot, Workspace& workspace, Input q, Input v, Input a,
                             MatrixOutput dq, MatrixOutput dv, MatrixOutput da) {
  with_span(dq, [&](std::span<double> to_q) {
    with_span(dv, [&](std::span<double> to_v) {
      with_span(da, [&](std::span<double> to_a) {
        parid::inverse_gradient(robot, workspace, span_of(q), span_of(v), span_of(a), to_q, to_v,
                                to_a);
      });
    });
  });
}
/// da/dq, da/dv, da/dtau.
inline void forward_gradient(const Robot& robot, Workspace& workspace, Input q, Input v, Input tau,
                             MatrixOutput dq, MatrixOutput dv, MatrixOutput dtau) {
  with_span(dq, [&](std::span<double> to_q) {
    with_span(dv, [&](std::span<double> to_v) {
      with_span(dtau, [&](std::span<double> to_tau) {
        parid::forward_gradient(robot, workspace, span_of(q), span_of(v), span_of(tau), to_q, to_v,
                                to_tau);
      });
    });
  });
}

/// (nv, parameters); the product with the parameters is the torque.
inline RowMatrix regressor(const Robot& robot, Workspace& workspace, Input q, Input v, Input a) {
  RowMatrix Y(robot.nv(), static_cast<Eigen::Index>(regressor_names(robot).size()));
  parid::regressor(robot, workspace, span_of(q), span_of(v), span_of(a),
                   {Y.data(), static_cast<std::size_t>(Y.size())});
  return Y;
}

inline void integrate(const Robot& robot, Input q, Input v, Output out) {
  parid::integrate(robot, span_of(q), span_of(v), span_of(out));
}
inline Eigen::VectorXd integrate(const Robot& robot, Input q, Input v) {
  Eigen::VectorXd out(robot.nq());
  integrate(robot, q, v, out);
  return out;
}
inline void difference(const Robot& robot, Input q0, Input q1, Output v) {
  parid::difference(robot, span_of(q0), span_of(q1), span_of(v));
}
inline Eigen::VectorXd difference(const Robot& robot, Input q0, Input q1) {
  Eigen::VectorXd v(robot.nv());
  difference(robot, q0, q1, v);
  return v;
}

// ---- kinematics

inline void set(Kinematics& kinematics, Input q) { kinematics.set(span_of(q)); }
inline void set(Kinematics& kinematics, Input q, Input v) {
  kinematics.set(span_of(q), span_of(v));
}
inline void set(Kinematics& kinematics, Input q, Input v, Input a) {
  kinematics.set(span_of(q), span_of(v), span_of(a));
}

/// x_root = pose * x_link.
inline Eigen::Isometry3d pose(const Kinematics& kinematics, int link) {
  const LinkPose p = kinematics.pose(link);
  Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
  result.linear() =
      Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(p.rotation.data());
  result.translation() = Eigen::Map<const Eigen::Vector3d>(p.position.data());
  return result;
}

/// (6, nv), linear rows first.
inline void jacobian(const Kinematics& kinematics, int link, MatrixOutput J,
                     Axes axes = Axes::root) {
  with_span(J, [&](std::span<double> to) { kinematics.jacobian(link, to, {}, axes); });
}
inline RowMatrix jacobian(const Kinematics& kinematics, int link, Axes axes = Axes::root) {
  RowMatrix J(6, kinematics.robot().nv());
  jacobian(kinematics, link, J, axes);
  return J;
}

}  // namespace parid::eigen
