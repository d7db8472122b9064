// Orocos KDL: Newton-Euler over a chain; frames and Jacobians along it.
//
// The pose of a KDL segment is joint.pose(q) · joint.pose(0)⁻¹ · tip, with the joint given in the
// frame of the previous segment: so our axis is rotated by origin, and tip is origin · tip. Users
// of KDL write their robots in this way. Rotating every frame so that RotZ and TransZ suffice was
// tried: 3 % less time on 6 and on 64 joints, because RotAxis stores the pose that the solver reads
// three times.

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/chainjnttojacsolver.hpp>
#include <kdl/jntarray.hpp>
#include <kdl/jntarrayvel.hpp>

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
    for (const Joint& j : tree.joints) {
      for (int k = 0; k < velocity_count(j.type); ++k) at_.push_back(j.v + k);
      segments_.emplace_back(j.name, static_cast<int>(at_.size()));
    }
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

  LinkKinematics link_kinematics(const std::string& joint, const double* q,
                                 const double* v) override {
    const int segment = segment_of(joint);
    for (int i = 0; i < n_; ++i) {
      q_(i) = q[at_[i]];
      v_(i) = v[at_[i]];
    }
    KDL::ChainFkSolverPos_recursive positions(chain_);
    KDL::ChainJntToJacSolver jacobians(chain_);
    KDL::ChainJntToJacDotSolver rates(chain_);  // base's axes, at the segment's end: as in Parid
    KDL::Frame at;
    KDL::Jacobian J(n_), Jd(n_);
    if (positions.JntToCart(q_, at, segment) < 0 || jacobians.JntToJac(q_, J, segment) < 0 ||
        rates.JntToJacDot(KDL::JntArrayVel(q_, v_), Jd, segment) < 0)
      cannot(who, "its kinematics solvers fail");
    LinkKinematics out;
    const KDL::Rotation& M = at.M;
    out.pose = {
        {{M(0, 0), M(0, 1), M(0, 2)}, {M(1, 0), M(1, 1), M(1, 2)}, {M(2, 0), M(2, 1), M(2, 2)}},
        {at.p.x(), at.p.y(), at.p.z()}};
    out.jacobian.resize(6 * n_);
    out.jacobian_rate.resize(6 * n_);
    for (int r = 0; r < 6; ++r)
      for (int i = 0; i < segment; ++i) {
        out.jacobian[r * n_ + at_[i]] = J(r, i);
        out.jacobian_rate[r * n_ + at_[i]] = Jd(r, i);
      }
    return out;
  }

 private:
  int segment_of(const std::string& joint) const {
    for (const auto& [name, segment] : segments_)
      if (name == joint) return segment;
    cannot(who, "there is no moving joint '" + joint + "'");
  }

  KDL::Chain chain_;  // the solver refers to it
  KDL::ChainIdSolver_RNE solver_;
  KDL::ChainFdSolver_RNE forward_;
  KDL::ChainDynParam parameters_;
  int n_;
  KDL::JntArray q_, v_, a_, tau_;
  KDL::JntSpaceInertiaMatrix M_;
  KDL::Wrenches no_wrenches_;
  std::vector<std::pair<std::string, int>> segments_;  // how many lead to each joint's link
  std::vector<int> at_;  // KDL's i-th coordinate is our at_[i]-th; here for both q and v
};

}  // namespace

std::unique_ptr<Peer> kdl(const Description& d) { return std::make_unique<Kdl>(tree(d, who)); }

}  // namespace parid::peers
