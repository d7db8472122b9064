// Orocos KDL: Newton-Euler over a chain.
//
// A KDL segment stands at joint.pose(q) · joint.pose(0)⁻¹ · tip, with the joint given in the frame of
// the segment before: so our axis goes in turned by origin, and tip is origin · tip.
// That is how KDL's users write their robots. Turning every frame so that RotZ and TransZ do was tried:
// 3 % less on 6 and on 64 joints, for RotAxis keeps the pose that the solver asks for three times.

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/jntarray.hpp>

#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {
namespace {

constexpr const char* who = "KDL";

KDL::Vector vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
KDL::Frame frame(const Pose<double>& A) {
  const auto& [r0, r1, r2] = A.R;
  return {KDL::Rotation(r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z), vector(A.p)};
}
KDL::RigidBodyInertia inertia(const Inertia& i) {
  const Sym3<double>& I = i.about_com;
  return KDL::RigidBodyInertia(i.mass, vector(i.com),
                               KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz));
}

KDL::Chain chain(const Tree& tree) {
  using Type = KDL::Joint::JointType;
  KDL::Chain chain;
  for (int i = 0; i < static_cast<int>(tree.joints.size()); ++i) {
    const Joint& j = tree.joints[i];
    if (j.parent != i - 1) cannot(who, "the robot branches before joint '" + j.name + "'");
    auto add = [&](const Pose<double>& at, const Vec3<double>& axis, Type type,
                   const Pose<double>& tip, const Inertia& body) {
      chain.addSegment(
          KDL::Segment(KDL::Joint(vector(at.p), vector(at.R * axis), type, 1, 0, j.rotor_inertia),
                       frame(at * tip), inertia(body)));
    };
    switch (j.type) {
      case JointType::revolute:
      case JointType::continuous: add(j.origin, j.axis, Type::RotAxis, j.tip, j.inertia); break;
      case JointType::prismatic: add(j.origin, j.axis, Type::TransAxis, j.tip, j.inertia); break;
      case JointType::planar: {
        const Mat3<double> axes = plane_axes(j.axis);
        add(j.origin, axes.column(0), Type::TransAxis, {}, {});
        add({}, axes.column(1), Type::TransAxis, {}, {});
        add({}, axes.column(2), Type::RotAxis, j.tip, j.inertia);
        break;
      }
      default: cannot(who, "joint '" + j.name + "' is spherical or floating");
    }
  }
  return chain;
}

class Kdl : public Peer {
 public:
  explicit Kdl(const Tree& tree)
      : chain_(chain(tree)),
        solver_(chain_, vector(tree.gravity)),
        forward_(chain_, vector(tree.gravity)),
        parameters_(chain_, vector(tree.gravity)),
        n_(tree.nv),
        q_(n_),
        v_(n_),
        a_(n_),
        tau_(n_),
        M_(n_),
        no_wrenches_(chain_.getNrOfSegments(), KDL::Wrench::Zero()) {
    for (const Joint& j : tree.joints)
      for (int k = 0; k < velocity_count(j.type); ++k) at_.push_back(j.v + k);
  }
  std::string name() const override { return who; }
  int nq() const override { return n_; }
  int nv() const override { return n_; }

  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) override {
    for (int i = 0; i < n_; ++i) {
      q_(i) = q[at_[i]];
      v_(i) = v[at_[i]];
      a_(i) = a[at_[i]];
    }
    solver_.CartToJnt(q_, v_, a_, no_wrenches_, tau_);
    for (int i = 0; i < n_; ++i) tau[at_[i]] = tau_(i);
  }
  void forward_dynamics(const double* q, const double* v, const double* tau, double* a) override {
    for (int i = 0; i < n_; ++i) {
      q_(i) = q[at_[i]];
      v_(i) = v[at_[i]];
      tau_(i) = tau[at_[i]];
    }
    forward_.CartToJnt(q_, v_, tau_, no_wrenches_, a_);
    for (int i = 0; i < n_; ++i) a[at_[i]] = a_(i);
  }
  void mass_matrix(const double* q, double* M) override {
    for (int i = 0; i < n_; ++i) q_(i) = q[at_[i]];
    parameters_.JntToMass(q_, M_);
    for (int i = 0; i < n_; ++i)
      for (int k = 0; k < n_; ++k) M[at_[i] * n_ + at_[k]] = M_(i, k);
  }

 private:
  KDL::Chain chain_;  // the solver refers to it
  KDL::ChainIdSolver_RNE solver_;
  KDL::ChainFdSolver_RNE forward_;
  KDL::ChainDynParam parameters_;
  int n_;
  KDL::JntArray q_, v_, a_, tau_;
  KDL::JntSpaceInertiaMatrix M_;
  KDL::Wrenches no_wrenches_;
  std::vector<int> at_;  // KDL's i-th coordinate is our at_[i]-th; here q and v go alike
};

}  // namespace

std::unique_ptr<Peer> kdl(const Description& d) { return std::make_unique<Kdl>(tree(d, who)); }

}  // namespace parid::peers
