// parid/eigen.hpp: the same numbers as the functions of spans, whatever the layout, and no
// allocation where it promises none.

#include <stdexcept>

#define EIGEN_RUNTIME_NO_MALLOC
// Also in a release build, whose assertions are off.
#define eigen_assert(condition) \
  ((condition) ? static_cast<void>(0) : throw std::runtime_error(#condition))
#include "parid/eigen.hpp"

#include <gtest/gtest.h>

#include <random>

namespace parid::test {
namespace {

using Eigen::MatrixXd;
using eigen::RowMatrix;
using Eigen::VectorXd;

// An offset base, a tool, a mirrored axis and a sliding joint: not a built-in robot.
const char* const arm = R"(<robot name="crane">
<link name="base"/><link name="slide"><inertial><origin xyz="0.1 0 0.2"/><mass value="4"/>
<inertia ixx="0.1" iyy="0.2" izz="0.15" ixy="0.01" ixz="0" iyz="0.02"/></inertial></link>
<link name="boom"><inertial><origin xyz="0.3 0.05 0"/><mass value="2"/>
<inertia ixx="0.02" iyy="0.2" izz="0.2" ixy="0" ixz="0.01" iyz="0"/></inertial></link>
<link name="hook"><inertial><origin xyz="0 0.1 0.1"/><mass value="1"/>
<inertia ixx="0.02" iyy="0.03" izz="0.01" ixy="0" ixz="0" iyz="0.001"/></inertial></link>
<joint name="rail" type="prismatic"><origin xyz="0.5 0 1" rpy="0.3 0 0"/><parent link="base"/>
<child link="slide"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="1" effort="99"/></joint>
<joint name="lift" type="revolute"><origin xyz="0 0.2 0.1" rpy="0 0.4 1"/><parent link="slide"/>
<child link="boom"/><axis xyz="0 0 -1"/><limit lower="-2" upper="2" velocity="1" effort="99"/></joint>
<joint name="roll" type="continuous"><origin xyz="0.6 0 0"/><parent link="boom"/>
<child link="hook"/><axis xyz="0.6 0 0.8"/></joint></robot>)";

struct EigenHeader : testing::Test {
  EigenHeader() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (VectorXd* x : {&q, &v, &a})
      for (double& each : *x) each = number(random);
  }
  Robot robot = Robot::from_text(arm);
  Workspace workspace{robot};
  VectorXd q = VectorXd(3), v = VectorXd(3), a = VectorXd(3);

  std::span<const double> s(const VectorXd& x) const {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }
  RowMatrix plain(int rows, auto function) {
    RowMatrix m(rows, 3);
    function(std::span<double>(m.data(), static_cast<std::size_t>(m.size())));
    return m;
  }
};

TEST_F(EigenHeader, VectorsAreThoseOfSpans) {
  VectorXd tau(3), expected(3);
  const std::span<double> to(expected.data(), 3);
  inverse_dynamics(robot, workspace, s(q), s(v), s(a), to);
  EXPECT_EQ(eigen::inverse_dynamics(robot, workspace, q, v, a), expected);
  EXPECT_NE(expected[0], 0);
  // blocks of larger vectors, strided rows of a matrix, expressions
  VectorXd large = VectorXd::Zero(9);
  large.segment(3, 3) = q;
  MatrixXd rows(2, 3);
  rows.row(1) = v.transpose();
  VectorXd out = VectorXd::Zero(5);
  eigen::inverse_dynamics(robot, workspace, large.segment(3, 3), rows.row(1).transpose(), 2 * a - a,
                          out.segment(1, 3));
  EXPECT_LT((out.segment(1, 3) - expected).norm(), 1e-12);
  EXPECT_EQ(out[0], 0);
  EXPECT_EQ(out[4], 0);
  EXPECT_LT((eigen::forward_dynamics(robot, workspace, q, v, expected) - a).norm(), 1e-10);
  bias(robot, workspace, s(q), s(v), to);
  EXPECT_EQ(eigen::bias(robot, workspace, q, v), expected);
  gravity(robot, workspace, s(q), to);
  EXPECT_EQ(eigen::gravity(robot, workspace, q), expected);
  inverse_dynamics_with_friction(robot, workspace, s(q), s(v), s(a), to);
  EXPECT_EQ(eigen::inverse_dynamics_with_friction(robot, workspace, q, v, a), expected);
  EXPECT_LT((eigen::difference(robot, q, eigen::integrate(robot, q, v)) - v).norm(), 1e-12);
  EXPECT_EQ(eigen::neutral(robot).size(), 3);
}

TEST_F(EigenHeader, MatricesAreNotTransposed) {
  const RowMatrix C =
      plain(3, [&](std::span<double> to) { coriolis_matrix(robot, workspace, s(q), s(v), to); });
  ASSERT_GT((C - C.transpose()).norm(), 1e-3);
  EXPECT_EQ(eigen::coriolis_matrix(robot, workspace, q, v), C);
  const MatrixXd by_columns = eigen::coriolis_matrix(robot, workspace, q, v);
  EXPECT_EQ(by_columns, MatrixXd(C));
  RowMatrix padded = RowMatrix::Zero(5, 7);
  eigen::coriolis_matrix(robot, workspace, q, v, padded.block(1, 2, 3, 3));
  EXPECT_EQ(padded.block(1, 2, 3, 3), C);
  EXPECT_EQ(padded.row(0).norm() + padded.row(4).norm() + padded.leftCols(2).norm(), 0);
  RowMatrix dq(3, 3), dv(3, 3), da(3, 3);
  eigen::inverse_gradient(robot, workspace, q, v, a, dq, dv, da);
  const double h = 1e-6;
  for (int k = 0; k < 3; ++k) {
    const VectorXd step = h * VectorXd::Unit(3, k);
    const VectorXd slope = (eigen::inverse_dynamics(robot, workspace, q + step, v, a) -
                            eigen::inverse_dynamics(robot, workspace, q - step, v, a)) /
                           (2 * h);
    EXPECT_LT((dq.col(k) - slope).norm(), 1e-6);
  }
  RowMatrix fq(3, 3), fv(3, 3), ftau(3, 3);
  eigen::forward_gradient(robot, workspace, q, v,
                          eigen::inverse_dynamics(robot, workspace, q, v, a), fq, fv, ftau);
  EXPECT_LT((ftau * da - MatrixXd::Identity(3, 3)).norm(), 1e-10);
  const auto pi = regressor_parameters(robot);
  const VectorXd tau = eigen::regressor(robot, workspace, q, v, a) *
                       Eigen::Map<const VectorXd>(pi.data(), static_cast<Eigen::Index>(pi.size()));
  EXPECT_LT((tau - eigen::inverse_dynamics(robot, workspace, q, v, a)).norm(), 1e-10);
}

TEST_F(EigenHeader, MassMatricesOfBothOrders) {
  const RowMatrix M =
      plain(3, [&](std::span<double> to) { mass_matrix(robot, workspace, s(q), to); });
  EXPECT_EQ(eigen::mass_matrix(robot, workspace, q), M);
  MatrixXd by_columns(3, 3), large = MatrixXd::Zero(4, 5);
  eigen::mass_matrix(robot, workspace, q, Eigen::Ref<MatrixXd>(by_columns));
  EXPECT_EQ(by_columns, MatrixXd(M));
  eigen::mass_matrix(robot, workspace, q, Eigen::Ref<MatrixXd>(large.block(1, 1, 3, 3)));
  EXPECT_EQ(large.block(1, 1, 3, 3), MatrixXd(M));
  EXPECT_EQ(large.row(0).norm(), 0);
}

TEST_F(EigenHeader, Kinematics) {
  Kinematics kinematics(robot);
  eigen::set(kinematics, q, v, a);
  const int hook = robot.find_link("hook");
  const Eigen::Isometry3d pose = eigen::pose(kinematics, hook);
  const LinkPose expected = link_pose(robot, s(q), "hook");
  EXPECT_EQ(pose.linear()(0, 1), expected.rotation[1]);
  EXPECT_EQ(pose.translation()[2], expected.position[2]);
  EXPECT_LT((pose.linear() * pose.linear().transpose() - Eigen::Matrix3d::Identity()).norm(),
            1e-12);
  const VectorXd rate = eigen::jacobian(kinematics, hook) * v;
  const LinkRate velocity = kinematics.velocity(hook);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(rate[k], velocity.linear[static_cast<std::size_t>(k)], 1e-12);
    EXPECT_NEAR(rate[3 + k], velocity.angular[static_cast<std::size_t>(k)], 1e-12);
  }
}

TEST_F(EigenHeader, OutputsAllocateNothing) {
  prepare(workspace, {Quantity::forward_dynamics, Quantity::mass_matrix, Quantity::coriolis_matrix,
                      Quantity::inverse_gradient});
  VectorXd tau(3), back(3);
  RowMatrix M(3, 3), C(3, 3), dq(3, 3), dv(3, 3), da(3, 3);
  MatrixXd by_columns(3, 3);
  Eigen::internal::set_is_malloc_allowed(false);  // Eigen asserts where it would allocate
  eigen::inverse_dynamics(robot, workspace, q, v, a, tau);
  eigen::forward_dynamics(robot, workspace, q, v, tau, back);
  eigen::mass_matrix(robot, workspace, q, eigen::MatrixOutput(M));
  eigen::mass_matrix(robot, workspace, q, Eigen::Ref<MatrixXd>(by_columns));
  eigen::coriolis_matrix(robot, workspace, q, v, C);
  eigen::inverse_gradient(robot, workspace, q, v, a, dq, dv, da);
  Eigen::internal::set_is_malloc_allowed(true);
  EXPECT_LT((back - a).norm(), 1e-10);
  Eigen::internal::set_is_malloc_allowed(false);
  EXPECT_THROW(eigen::gravity(robot, workspace, q), std::runtime_error);  // which returns a value
  Eigen::internal::set_is_malloc_allowed(true);
}

TEST_F(EigenHeader, WrongSizesAreRefused) {
  VectorXd tau(2);
  EXPECT_THROW(eigen::inverse_dynamics(robot, workspace, q, v, a, tau), std::invalid_argument);
  RowMatrix C(2, 3);
  EXPECT_THROW(eigen::coriolis_matrix(robot, workspace, q, v, C), std::invalid_argument);
}

}  // namespace
}  // namespace parid::test
