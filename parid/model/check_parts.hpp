// The parts of check(); for check*.cpp alone.

#pragma once

#include <string>
#include <vector>

#include "parid/model/description.hpp"
#include "parid/model/finding.hpp"

namespace parid::lint {

// How the links hang together, by index; -1 is none. Of links and joints with one name the first is
// meant, of two joints to one child the first.
struct Tree {
  std::vector<int> joint_above;    // of each link
  std::vector<int> parent, child;  // links of each joint
  std::vector<int> leader;         // the joint that each joint mimics
  bool sound = true;               // one root, no cycles; only then:
  std::vector<int> from_root;      // every link, parents before children
  std::vector<bool> moves;         // of each link: is a joint that moves between it and the root?
};

using Findings = std::vector<Finding>;

Tree check_structure(const Description& d, Findings& out);
void check_mimics(const Description& d, Tree& tree, Findings& out);
bool check_finite(const Description& d, Findings& out);  // true: every number is
void check_joints(const Description& d, Findings& out);
void check_links(const Description& d, const Tree& tree, Findings& out);

// Wants a sound tree and sound numbers.
void check_mass_matrix(const Description& d, const Tree& tree, Findings& out);

inline bool turns_or_slides(JointType t) {  // has exactly one coordinate
  return t == JointType::revolute || t == JointType::continuous || t == JointType::prismatic;
}
inline bool has_axis(JointType t) { return turns_or_slides(t) || t == JointType::planar; }

}  // namespace parid::lint
