// RBDL: joints of one freedom. A body of RBDL has its joint's frame, so inertias are moved by the
// tip; rotors are added here, because RBDL has none.

#include <rbdl/rbdl.h>

#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {
namespace {

constexpr const char* who = "RBDL";
namespace rbd = RigidBodyDynamics;

rbd::Math::Vector3d vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
rbd::Math::Matrix3d matrix(const Mat3<double>& R) {
  rbd::Math::Matrix3d M;
  M << R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z;
  return M;
}

class Rbdl final : public Peer {
 public:
  explicit Rbdl(const Tree& tree) {
    std::vector<unsigned> id;
    for (const Joint& j : tree.joints) {
      const Pose<double> at = j.parent < 0 ? j.origin : tree.joints[j.parent].tip * j.origin;
      rbd::Joint joint;
      if (j.type == JointType::revolute || j.type == JointType::continuous)
        joint = rbd::Joint(rbd::JointTypeRevolute, vector(j.axis));
      else if (j.type == JointType::prismatic)
        joint = rbd::Joint(rbd::JointTypePrismatic, vector(j.axis));
      else
        cannot(who, "joint '" + j.name + "' has more than one degree of freedom");
      const Sym3<double>& I = j.inertia.about_com;
      rbd::Math::Matrix3d about;
      about << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
      const rbd::Math::Matrix3d turn = matrix(j.tip.R);
      const rbd::Body body(j.inertia.mass, vector(j.tip * j.inertia.com),
                           rbd::Math::Matrix3d(turn * about * turn.transpose()));
      const rbd::Math::SpatialTransform to(matrix(at.R).transpose(), vector(at.p));
      id.push_back(model_.AddBody(j.parent < 0 ? 0 : id[j.parent], to, joint, body, j.name));
      if (model_.mJoints[id.back()].q_index != static_cast<unsigned>(j.v))
        cannot(who, "it orders the joints differently");
    }
    model_.gravity = vector(tree.gravity);
    const auto n = static_cast<Eigen::Index>(model_.dof_count);
    rotor_ = rbd::Math::VectorNd::Zero(n);
    for (const Joint& j : tree.joints) rotor_[j.v] = j.rotor_inertia;
    q_ = v_ = x_ = y_ = rotor_;
    H_ = rbd::Math::MatrixNd::Zero(n, n);
  }
  std::string name() const override { return who; }
  int nq() const override { return static_cast<int>(model_.dof_count); }
  int nv() const override { return nq(); }
  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) override {
    load(q, v, a);
    rbd::InverseDynamics(model_, q_, v_, x_, y_);
    for (int k = 0; k < nv(); ++k) tau[k] = y_[k] + rotor_[k] * a[k];
  }
  void forward_dynamics(const double* q, const double* v, const double* tau, double* a) override {
    if (rotor_.any()) cannot(who, "it does not support rotors");
    load(q, v, tau);
    rbd::ForwardDynamics(model_, q_, v_, x_, y_);
    for (int k = 0; k < nv(); ++k) a[k] = y_[k];
  }
  void mass_matrix(const double* q, double* M) override {
    load(q, nullptr, nullptr);
    H_.setZero();
    rbd::CompositeRigidBodyAlgorithm(model_, q_, H_, true);
    for (int r = 0; r < nv(); ++r)
      for (int c = 0; c < nv(); ++c) M[r * nv() + c] = H_(r, c) + (r == c ? rotor_[r] : 0);
  }

 private:
  void load(const double* q, const double* v, const double* x) {
    for (int k = 0; k < nv(); ++k) {
      q_[k] = q[k];
      v_[k] = v ? v[k] : 0;
      x_[k] = x ? x[k] : 0;
    }
  }
  rbd::Model model_;
  rbd::Math::VectorNd rotor_, q_, v_, x_, y_;
  rbd::Math::MatrixNd H_;
};

}  // namespace

std::unique_ptr<Peer> rbdl(const Description& d) { return std::make_unique<Rbdl>(tree(d, who)); }

}  // namespace parid::peers
