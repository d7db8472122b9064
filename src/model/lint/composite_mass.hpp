// The mass matrix of a description, for check(): any tree of any joints, without a Robot.
//
// It is built from composite bodies, in the world's frame and about centres of mass, which avoids
// cancellation:
//
//   coordinate k   turns about axis a through point o, or slides along a
//   composite k    everything beyond it, as one body: m, c, I about c
//   M[k,k]         turning: aᵀ I a + m |a × (c - o)|²      sliding: m      and the rotor's inertia
//   M[j,k]         j above k: the momentum of composite k as coordinate j feels it
//
// Mimic joints are folded into their leaders; the remaining coordinates are free.

#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "model/joint/mimic.hpp"
#include "model/layer.hpp"
#include "model/lint/check_parts.hpp"

namespace parid::model::lint {

struct MassMatrix {
  Eigen::VectorXd diagonal;
  Eigen::VectorXd scale;  // the diagonal if all mass were as far away as the robot is large
  Eigen::MatrixXd M;      // empty for long robots: cubic cost

  bool nothing_at(int k) const { return std::abs(diagonal[k]) <= 1e-12 * std::abs(scale[k]); }
};

// By coordinate; see articulated_pivots.cpp.
struct Pivots {
  Eigen::VectorXd pivot;
  Eigen::VectorXd scale;  // an upper bound
  Eigen::VectorXd idle;   // a motion without mass, if a pivot is zero; else empty

  bool nothing_at(int k) const { return std::abs(pivot[k]) <= 1e-12 * std::abs(scale[k]); }
};

class CompositeMass {
 public:
  static constexpr int largest_whole = 500;  // free coordinates

  CompositeMass(const Description& d, const Tree& tree);

  int size() const { return static_cast<int>(free_.size()); }
  int joint_of(int k) const { return all_[free_[k]].joint; }
  bool slides(int k) const { return !all_[free_[k]].turns; }
  MassMatrix at(const Eigen::VectorXd& q) const;
  Eigen::VectorXd closed(Eigen::VectorXd q) const;  // nearer to zero where a linkage is open
  bool has_mimic() const { return all_.size() > free_.size(); }  // some joint mimics another
  Pivots pivots(const Eigen::VectorXd& q) const;                 // requires no mimic joints

 private:
  struct Coordinate {
    int joint = 0;
    Vec3<double> axis;  // in the frame that the joint's origin places, of unit length
    bool turns = true;  // else slides
    int f = -1;         // the free coordinate that it is, or that it mimics by follow_[joint]
    bool mimics = false;
  };
  struct Placed {
    std::vector<Vec3<double>> axis, point;  // of each coordinate
    std::vector<double> ratio;              // its derivative by the free one
    std::vector<Vec3<double>> at;           // of each link's origin
    std::vector<Inertia> own;               // each link by itself
    std::vector<Inertia> body;              // each link with everything beyond it
    double extent = 0;                      // largest distance from the root
  };
  void add_coordinates(int joint);
  void follow_leaders();
  Placed place(const Eigen::VectorXd& q) const;

  const Description& d_;
  const Tree& tree_;
  std::vector<Coordinate> all_;
  std::vector<std::vector<int>> of_joint_;  // coordinates of each joint
  std::vector<int> free_;
  std::vector<MimicChain> follow_;  // by joint
};

}  // namespace parid::model::lint
