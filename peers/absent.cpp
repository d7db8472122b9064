// Replaces a peer that was not found at build time, and functions that a peer does not have.

#include "peers/mujoco_model.hpp"
#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {

LinkKinematics Peer::link_kinematics(const std::string&, const double*, const double*) {
  cannot(name(), "its kinematics are not compared here");
}
CentreKinematics Peer::centre_kinematics(const double*, const double*) {
  cannot(name(), "its centre of mass is not compared here");
}

#ifndef PARID_HAVE_KDL
std::unique_ptr<Peer> kdl(const Description&) { cannot("KDL", "it is not installed"); }
#endif
#ifndef PARID_HAVE_MUJOCO
std::unique_ptr<Peer> mujoco(const Description&) { cannot("MuJoCo", "it is not installed"); }
std::unique_ptr<MujocoModel> mujoco_model(const std::string&) {
  cannot("MuJoCo", "it is not installed");
}
#endif
#ifndef PARID_HAVE_DART
std::unique_ptr<Peer> dart(const Description&) { cannot("DART", "it is not installed"); }
#endif
#ifndef PARID_HAVE_PINOCCHIO
std::unique_ptr<Peer> pinocchio(const Description&) { cannot("Pinocchio", "it is not installed"); }
#endif
#ifndef PARID_HAVE_PINOCCHIO_CODEGEN
std::unique_ptr<Peer> pinocchio_codegen(const Description&) {
  cannot("Pinocchio, generated", "CppADCodeGen is not installed");
}
#endif
#ifndef PARID_HAVE_RBDL
std::unique_ptr<Peer> rbdl(const Description&) { cannot("RBDL", "it is not installed"); }
#endif

}  // namespace parid::peers
