// The model that both peers of Pinocchio use, built joint by joint, as by its own URDF reader.
//
// A joint of Pinocchio has our joint's moving frame before the tip; the tip places the body. Rotors
// are apart, because older versions have none.

#pragma once

#include <pinocchio/multibody/joint/joints.hpp>
#include <pinocchio/multibody/model.hpp>

#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {

namespace pin = pinocchio;

struct PinocchioModel {
  pin::Model model;
  Eigen::VectorXd rotor;  // inertia by velocity
};

inline Eigen::Vector3d pinocchio_vector(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline pin::SE3 pinocchio_placement(const Pose<double>& A) {
  Eigen::Matrix3d R;
  const auto& [r0, r1, r2] = A.R;
  R << r0.x, r0.y, r0.z, r1.x, r1.y, r1.z, r2.x, r2.y, r2.z;
  return {R, pinocchio_vector(A.p)};
}
inline pin::Inertia pinocchio_body(const Inertia& i) {
  const Sym3<double>& I = i.about_com;
  Eigen::Matrix3d about;
  about << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return {i.mass, pinocchio_vector(i.com), about};
}

// Throws std::runtime_error in the name of `who` for robots outside Pinocchio's scope.
inline PinocchioModel pinocchio_model(const Tree& tree, const char* who) {
  PinocchioModel made;
  pin::Model& model = made.model;
  std::vector<pin::JointIndex> id;
  for (const Joint& j : tree.joints) {
    const Pose<double> at = j.parent < 0 ? j.origin : tree.joints[j.parent].tip * j.origin;
    const pin::JointIndex parent = j.parent < 0 ? 0 : id[j.parent];
    auto add = [&](const auto& joint) {
      id.push_back(model.addJoint(parent, joint, pinocchio_placement(at), j.name));
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
          add(pin::JointModelRevoluteUnaligned(pinocchio_vector(z)));
        break;
      case JointType::prismatic:
        if (z.x == 1)
          add(pin::JointModelPX());
        else if (z.y == 1)
          add(pin::JointModelPY());
        else if (z.z == 1)
          add(pin::JointModelPZ());
        else
          add(pin::JointModelPrismaticUnaligned(pinocchio_vector(z)));
        break;
      case JointType::floating: add(pin::JointModelFreeFlyer()); break;
      case JointType::spherical: add(pin::JointModelSpherical()); break;
      default: cannot(who, "joint '" + j.name + "' is planar");
    }
    model.appendBodyToJoint(id.back(), pinocchio_body(j.inertia), pinocchio_placement(j.tip));
    if (model.joints[id.back()].idx_q() != j.q || model.joints[id.back()].idx_v() != j.v)
      cannot(who, "it orders the joints differently");
  }
  model.gravity.linear() = pinocchio_vector(tree.gravity);
  made.rotor = Eigen::VectorXd::Zero(model.nv);
  for (const Joint& j : tree.joints)
    if (j.rotor_inertia != 0) made.rotor[j.v] = j.rotor_inertia;
  return made;
}

}  // namespace parid::peers
