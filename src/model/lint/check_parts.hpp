// The parts of check(); for check*.cpp only.

#pragma once

#include <utility>
#include <vector>

#include "model/description.hpp"
#include "model/format/size_limit.hpp"
#include "model/layer.hpp"
#include "model/lint/finding.hpp"

namespace parid::model::lint {

// The tree of links, by index; -1 is none. Of links or joints with the same name, and of two joints
// with the same child, the first is used.
struct Tree {
  std::vector<int> joint_above;    // of each link
  std::vector<int> parent, child;  // links of each joint
  std::vector<int> leader;         // the joint that each joint mimics
  bool sound = true;               // one root, no cycles; only then:
  std::vector<int> from_root;      // every link, parents before children
  std::vector<bool> moves;         // of each link: is there a moving joint between it and the root?
};

// The findings. Each of a hundred thousand joints may have one; at most most_remarks errors and
// most_remarks warnings are kept, and all are counted.
class Findings {
 public:
  void push_back(Finding f) {
    std::size_t& count = f.severity == Finding::Severity::error ? errors_ : warnings_;
    fatal_ |= refuses(f);
    if (++count <= most_remarks) kept_.push_back(std::move(f));
  }
  std::size_t size() const { return errors_ + warnings_; }
  bool fatal() const { return fatal_; }  // the robot cannot be loaded
  const std::vector<Finding>& kept() const { return kept_; }

 private:
  std::vector<Finding> kept_;
  std::size_t errors_ = 0, warnings_ = 0;
  bool fatal_ = false;
};

Tree check_structure(const Description& d, Findings& out);
void check_mimics(const Description& d, Tree& tree, Findings& out);
bool check_finite(const Description& d, Findings& out);  // true: all numbers are finite
void check_joints(const Description& d, Findings& out);
void check_links(const Description& d, const Tree& tree, Findings& out);

// Requires a valid tree and valid numbers.
void check_mass_matrix(const Description& d, const Tree& tree, Findings& out);

inline bool turns_or_slides(JointType t) {  // has exactly one coordinate
  return t == JointType::revolute || t == JointType::continuous || t == JointType::prismatic;
}
inline bool has_axis(JointType t) { return turns_or_slides(t) || t == JointType::planar; }

}  // namespace parid::model::lint
