// A description in the form for peers: moving joints, parents before children, every link on a
// fixed joint merged into the link that carries it (links fixed to the root are dropped).

#pragma once

#include <string>
#include <vector>

#include "model/joint/coordinates.hpp"
#include "peers/layer.hpp"

namespace parid::peers {

struct Joint {
  std::string name;
  JointType type;
  int parent;                // index in Tree::joints, -1 for the root link
  Pose<double> origin, tip;  // as in JointDescription, origin in the parent joint's link
  Vec3<double> axis;         // of length 1
  double rotor_inertia;      // 0 unless the joint has one degree of freedom
  Inertia inertia;           // of the link it moves, in that link's frame; mass 0 if there is none
  int q, v;                  // where its coordinates begin
};

struct Tree {
  std::vector<Joint> joints;
  int nq = 0, nv = 0;
  Vec3<double> gravity;
};

// Throws "WHO cannot: why" if the description is not a tree or has mimic joints.
Tree tree(const Description&, const std::string& who);

[[noreturn]] void cannot(const std::string& who, const std::string& why);

}  // namespace parid::peers
