// Pinocchio: its model is built joint by joint, as by its own URDF reader.
//
// A joint of Pinocchio has our joint's moving frame before the tip; the tip places the body. Rotors
// are added here, because older versions have none.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/joint/joints.hpp>
#include <pinocchio/multibody/model.hpp>

#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {
namespace {

constexpr const char* who = "Pinocchio";
namespace pin = pinocchio;

Eigen::Vector3d vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
pin::SE3 placement(const Pose<double>& A) {
  Eigen::Matrix3d R;
  const auto& [r0, r1, r2] = A.R;
  R << r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z;
  return {R, vector(A.p)};
}
pin::Inertia body(const Inertia& i) {
  const Sym3<double>& I = i.about_com;
  Eigen::Matrix3d about;
  about << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return {i.mass, vector(i.com), about};
}

class Pinocchio final : public Peer {
 public:
  explicit Pinocchio(const Tree& tree) : tree_(tree) {
    std::vector<pin::JointIndex> id;
    for (const Joint& j : tree.joints) {
      const Pose<double> at = j.parent < 0 ? j.origin : tree.joints[j.parent].tip * j.origin;
      const pin::JointIndex parent = j.parent < 0 ? 0 : id[j.parent];
      auto add = [&](const auto& joint) {
        id.push_back(model_.addJoint(parent, joint, placement(at), j.name));
      };
      const Vec3<double>& z = j.axis;
      switch (j.type) {
        case JointType::revolute:
        case JointType::continuous:
          if (z.x == 1)
            add(pin::JointModelRX());
          else if (z.y == 1)
            add(pin::JointModelRY());
          else if (z.z == 1)
            add(pin::JointModelRZ());
          else
            add(pin::JointModelRevoluteUnaligned(vector(z)));
          break;
        case JointType::prismatic:
          if (z.x == 1)
            add(pin::JointModelPX());
          else if (z.y == 1)
            add(pin::JointModelPY());
          else if (z.z == 1)
            add(pin::JointModelPZ());
          else
            add(pin::JointModelPrismaticUnaligned(vector(z)));
          break;
        case JointType::floating: add(pin::JointModelFreeFlyer()); break;
        case JointType::spherical: add(pin::JointModelSpherical()); break;
        default: cannot(who, "joint '" + j.name + "' is planar");
      }
      model_.appendBodyToJoint(id.back(), body(j.inertia), placement(j.tip));
      if (model_.joints[id.back()].idx_q() != j.q || model_.joints[id.back()].idx_v() != j.v)
        cannot(who, "it orders the joints differently");
    }
    model_.gravity.linear() = vector(tree.gravity);
    data_ = pin::Data(model_);
    rotor_ = Eigen::VectorXd::Zero(model_.nv);
    for (const Joint& j : tree.joints)
      if (j.rotor_inertia != 0) rotor_[j.v] = j.rotor_inertia;
  }
  std::string name() const override { return who; }
  int nq() const override { return model_.nq; }
  int nv() const override { return model_.nv; }
  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau) override {
    const Const x(a, nv());
    Mutable(tau, nv()) =
        pin::rnea(model_, data_, Const(q, nq()), Const(v, nv()), x) + rotor_.cwiseProduct(x);
  }
  void forward_dynamics(const double* q, const double* v, const double* tau, double* a) override {
    if (rotor_.any()) cannot(who, "its rotors are not compared in forward dynamics");
    Mutable(a, nv()) = pin::aba(model_, data_, Const(q, nq()), Const(v, nv()), Const(tau, nv()));
  }
  void mass_matrix(const double* q, double* M) override {
    pin::crba(model_, data_, Const(q, nq()));
    const int n = nv();
    for (int r = 0; r < n; ++r)
      for (int c = r; c < n; ++c)
        M[r * n + c] = M[c * n + r] = data_.M(r, c) + (r == c ? rotor_[r] : 0);
  }

 private:
  using Const = Eigen::Map<const Eigen::VectorXd>;
  using Mutable = Eigen::Map<Eigen::VectorXd>;
  Tree tree_;
  pin::Model model_;
  pin::Data data_;
  Eigen::VectorXd rotor_;
};

}  // namespace

std::unique_ptr<Peer> pinocchio(const Description& d) {
  return std::make_unique<Pinocchio>(tree(d, who));
}

}  // namespace parid::peers
