// Definitions that a peer's file needs to link alone, when CMake tests whether it compiles.

#include <stdexcept>

#include "peers/peer.hpp"
#include "peers/tree.hpp"

namespace parid::peers {

LinkKinematics Peer::link_kinematics(const std::string&, const double*, const double*) {
  return {};
}
CentreKinematics Peer::centre_kinematics(const double*, const double*) { return {}; }
Tree tree(const Description&, const std::string&) { return {}; }
void cannot(const std::string& who, const std::string& why) {
  throw std::runtime_error(who + " cannot: " + why);
}

}  // namespace parid::peers

int main() {}
