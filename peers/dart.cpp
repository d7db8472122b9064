// DART: Skeleton::computeInverseDynamics, world Jacobians and their derivatives.
//
// A DART joint places its child at  from_parent · motion(q) · from_child⁻¹, so from_child is tip⁻¹.
// Free and ball joints take exponential coordinates for the rotation, and velocities in the moving
// frame as ours are, but angular first. DART 6.12 has no rotor inertia: rotor · a is added here.

#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <iostream>
#include <numbers>

#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {
namespace {

namespace dd = ::dart::dynamics;
constexpr const char* who = "DART";

Eigen::Vector3d vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
Eigen::Matrix3d matrix(const Mat3<double>& A) {
  Eigen::Matrix3d M;
  M << A.r0.x, A.r0.y, A.r0.z, A.r1.x, A.r1.y, A.r1.z, A.r2.x, A.r2.y, A.r2.z;
  return M;
}
Eigen::Isometry3d isometry(const Pose<double>& A) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = matrix(A.R);
  X.translation() = vector(A.p);
  return X;
}

// The rotation vector of a unit quaternion, scalar last; of the two, the shorter. Below 1e-3 rad
// DART's exponential map omits θ³/6, which is visible in the torques; there the longer vector is
// used.
Eigen::Vector3d rotation_vector(const double* q) {
  const Eigen::Vector3d u(q[0], q[1], q[2]);
  const double s = u.norm();
  if (s < 1e-150) return Eigen::Vector3d::Zero();
  const double angle = q[3] < 0 ? -2 * std::atan2(s, -q[3]) : 2 * std::atan2(s, q[3]);
  const bool long_way = std::abs(angle) < 2e-3;
  return (long_way ? angle - std::copysign(2 * std::numbers::pi, angle) : angle) / s * u;
}
Eigen::Vector6d angular_first(const double* v) {
  Eigen::Vector6d out;
  out << v[3], v[4], v[5], v[0], v[1], v[2];
  return out;
}

// DART prints warnings (a massless link, two joints of one name) on standard streams, where they
// would mix with our results. The torques are compared anyway.
class Silence {
 public:
  Silence() : out_(std::cout.rdbuf(nullptr)), err_(std::cerr.rdbuf(nullptr)) {}
  ~Silence() {
    std::cout.rdbuf(out_);  // this also clears the error state
    std::cerr.rdbuf(err_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  std::streambuf *out_, *err_;
};

class Dart : public Peer {
 public:
  explicit Dart(const Tree& tree) : nq_(tree.nq), nv_(tree.nv), skeleton_(dd::Skeleton::create()) {
    const Silence silence;
    skeleton_->setGravity(vector(tree.gravity));
    for (const Joint& j : tree.joints) {
      dd::BodyNode* parent = j.parent < 0 ? nullptr : joints_[j.parent].joint->getChildBodyNode();
      joints_.push_back({j.name, j.type, add(j, parent), j.q, j.v, j.rotor_inertia});
    }
  }
  std::string name() const override { return who; }
  int nq() const override { return nq_; }
  int nv() const override { return nv_; }

  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) override {
    for (const Moving& j : joints_) put(j, q + j.q, v + j.v, a + j.v);
    skeleton_->computeInverseDynamics(false, false, false);
    for (const Moving& j : joints_) get(j, a + j.v, tau + j.v);
  }
  void forward_dynamics(const double* q, const double* v, const double* tau, double* a) override {
    const double zero[6] = {};
    for (const Moving& j : joints_) {
      if (j.rotor_inertia != 0) cannot(who, "it has no rotor inertia in forward dynamics");
      put(j, q + j.q, v + j.v, zero);
      const int n = velocity_count(j.type), turn = j.type == JointType::floating ? 3 : 0;
      for (int k = 0; k < n; ++k) j.joint->setForce((k + turn) % n, tau[j.v + k]);
    }
    skeleton_->computeForwardDynamics();
    for (const Moving& j : joints_) {
      const int n = velocity_count(j.type), turn = j.type == JointType::floating ? 3 : 0;
      for (int k = 0; k < n; ++k) a[j.v + k] = j.joint->getAcceleration((k + turn) % n);
    }
  }
  void mass_matrix(const double* q, double* M) override {
    const double zero[6] = {};
    std::vector<int> theirs(nv_);
    for (const Moving& j : joints_) {
      put(j, q + j.q, zero, zero);
      const int n = velocity_count(j.type), turn = j.type == JointType::floating ? 3 : 0;
      for (int k = 0; k < n; ++k)
        theirs[j.v + k] = static_cast<int>(j.joint->getIndexInSkeleton((k + turn) % n));
    }
    const Eigen::MatrixXd& mass = skeleton_->getMassMatrix();
    for (int i = 0; i < nv_; ++i)
      for (int k = 0; k < nv_; ++k) M[i * nv_ + k] = mass(theirs[i], theirs[k]);
    for (const Moving& j : joints_) M[j.v * nv_ + j.v] += j.rotor_inertia;
  }

  CentreKinematics centre_kinematics(const double* q, const double* v) override {
    const std::vector<double> rest(nv_, 0.0);
    for (const Moving& j : joints_) put(j, q + j.q, v + j.v, rest.data());
    const Eigen::Vector3d c = skeleton_->getCOM(),
                          linear = skeleton_->getMass() * skeleton_->getCOMLinearVelocity();
    Eigen::Vector3d angular = Eigen::Vector3d::Zero();
    for (const dd::BodyNode* body : skeleton_->getBodyNodes()) {
      const Eigen::Matrix3d R = body->getWorldTransform().linear();
      const Eigen::Matrix3d about_com = R * body->getInertia().getMoment() * R.transpose();
      angular += about_com * body->getAngularVelocity() +
                 body->getMass() * (body->getCOM() - c).cross(body->getCOMLinearVelocity());
    }
    const Eigen::MatrixXd J = skeleton_->getCOMLinearJacobian();
    CentreKinematics out{{c.x(), c.y(), c.z()},
                         {linear.x(), linear.y(), linear.z()},
                         {angular.x(), angular.y(), angular.z()},
                         std::vector<double>(3 * nv_)};
    for (const Moving& j : joints_) {
      const int n = velocity_count(j.type), turn = j.type == JointType::floating ? 3 : 0;
      for (int k = 0; k < n; ++k)
        for (int r = 0; r < 3; ++r)
          out.jacobian[r * nv_ + j.v + k] =
              J(r, static_cast<int>(j.joint->getIndexInSkeleton((k + turn) % n)));
    }
    return out;
  }

  LinkKinematics link_kinematics(const std::string& joint, const double* q,
                                 const double* v) override {
    const std::vector<double> rest(nv_, 0.0);
    const dd::BodyNode* link = nullptr;
    for (const Moving& j : joints_) {
      put(j, q + j.q, v + j.v, rest.data());
      if (j.name == joint) link = j.joint->getChildBodyNode();
    }
    if (!link) cannot(who, "there is no moving joint '" + joint + "'");
    const Eigen::Isometry3d& X = link->getWorldTransform();
    const Eigen::MatrixXd J = skeleton_->getWorldJacobian(link),
                          Jd = skeleton_->getJacobianClassicDeriv(link);
    LinkKinematics out;
    auto row = [&X](int r) { return Vec3<double>{X(r, 0), X(r, 1), X(r, 2)}; };
    out.pose = {{row(0), row(1), row(2)}, {X(0, 3), X(1, 3), X(2, 3)}};
    out.jacobian.resize(6 * nv_);
    out.jacobian_rate.resize(6 * nv_);
    for (const Moving& j : joints_) {
      const int n = velocity_count(j.type), turn = j.type == JointType::floating ? 3 : 0;
      for (int k = 0; k < n; ++k) {
        const auto column = static_cast<int>(j.joint->getIndexInSkeleton((k + turn) % n));
        for (int r = 0; r < 6; ++r) {  // angular rows first, there
          out.jacobian[r * nv_ + j.v + k] = J((r + 3) % 6, column);
          out.jacobian_rate[r * nv_ + j.v + k] = Jd((r + 3) % 6, column);
        }
      }
    }
    return out;
  }

 private:
  struct Moving {
    std::string name;
    JointType type;
    dd::Joint* joint;
    int q, v;
    double rotor_inertia;
  };

  template <class J>
  J* attached(const Joint& j, dd::BodyNode* parent) {
    const auto [joint, body] = skeleton_->createJointAndBodyNodePair<J>(parent);
    joint->setTransformFromParentBodyNode(isometry(j.origin));
    joint->setTransformFromChildBodyNode(isometry(inverse(j.tip)));
    const Inertia& i = j.inertia;
    body->setInertia(dd::Inertia(i.mass, vector(i.com), matrix(full(i.about_com))));
    return joint;
  }

  dd::Joint* add(const Joint& j, dd::BodyNode* parent) {
    switch (j.type) {
      case JointType::prismatic: {
        auto* joint = attached<dd::PrismaticJoint>(j, parent);
        joint->setAxis(vector(j.axis));
        return joint;
      }
      case JointType::planar: {
        auto* joint = attached<dd::PlanarJoint>(j, parent);
        const Mat3<double> axes = plane_axes(j.axis);
        joint->setArbitraryPlane(vector(axes.column(0)), vector(axes.column(1)));
        return joint;
      }
      case JointType::spherical: return attached<dd::BallJoint>(j, parent);
      case JointType::floating: return attached<dd::FreeJoint>(j, parent);
      default: {
        auto* joint = attached<dd::RevoluteJoint>(j, parent);
        joint->setAxis(vector(j.axis));
        return joint;
      }
    }
  }

  template <class J, class V>
  static void set(dd::Joint* joint, const V& q, const V& v, const V& a) {
    J* const typed = static_cast<J*>(joint);
    typed->setPositionsStatic(q);
    typed->setVelocitiesStatic(v);
    typed->setAccelerationsStatic(a);
  }

  static void put(const Moving& j, const double* q, const double* v, const double* a) {
    using OneDof = dd::GenericJoint<::dart::math::R1Space>;
    using Eigen::Vector3d;
    switch (j.type) {
      case JointType::floating: {
        Eigen::Vector6d at;
        at << rotation_vector(q + 3), Vector3d(q[0], q[1], q[2]);
        return set<dd::FreeJoint>(j.joint, at, angular_first(v), angular_first(a));
      }
      case JointType::spherical:
        return set<dd::BallJoint>(j.joint, rotation_vector(q), Vector3d(v), Vector3d(a));
      case JointType::planar:
        return set<dd::PlanarJoint>(j.joint, Vector3d(q), Vector3d(v), Vector3d(a));
      default: {
        using V = Eigen::Matrix<double, 1, 1>;
        return set<OneDof>(j.joint, V(*q), V(*v), V(*a));
      }
    }
  }

  static void get(const Moving& j, const double* a, double* tau) {
    const int n = velocity_count(j.type);
    const int turn = j.type == JointType::floating ? 3 : 0;  // angular first, there
    for (int k = 0; k < n; ++k) tau[k] = j.joint->getForce((k + turn) % n);
    if (n == 1) *tau += j.rotor_inertia * *a;
  }

  int nq_, nv_;
  dd::SkeletonPtr skeleton_;
  std::vector<Moving> joints_;
};

}  // namespace

std::unique_ptr<Peer> dart(const Description& d) { return std::make_unique<Dart>(tree(d, who)); }

}  // namespace parid::peers
