// The robot as sweeps read it: flat arrays in canonical frames.
//
// Link 0 is the base; joint i moves link i relative to link parent[i] < i. The frame of a link
// moved by a revolute or prismatic joint has its z along the joint's axis; origin and x are chosen
// (canonical_model.cpp) so that constants are as sparse as possible: modified Denavit-Hartenberg
// frames if the geometry permits. Inertias are about the frame's origin. Users do not see this:
// their joint order, mimic joints and link frames are mapped at the entry points.

#pragma once

#include <cstdint>
#include <vector>

#include "math/per_link.hpp"
#include "model/inertia.hpp"
#include "model/layer.hpp"

namespace parid::model {

enum class JointKind : std::uint8_t {
  revolute,   // about z
  prismatic,  // along z
  spherical,  // q: quaternion; v: angular velocity in the link's frame
  // q: position in the joint's frame, quaternion; v: linear, angular, in the link's frame
  floating,
};

// The tree of joints. It contains no numbers, so mechanisms of any number type share it.
struct Topology {
  int n = 0;          // joints, and moving links
  int free = 0;       // joints with several degrees of freedom
  int couplings = 0;  // joints whose positions are functions of others', other than linear ones
  bool all_revolute = true;
  bool all_twist_turns = true;  // every R is a rotation about x, then one about z
  std::vector<int> parent;      // [0..n]
  std::vector<JointKind> kind;  // [0..n]
  std::vector<int> free_index;  // [0..n]: index among the joints with several freedoms, or -1
};

template <class T>
struct Mechanism {
  const Topology* topology = nullptr;
  int n = 0;

  // The pose of link i in its parent is R = E·Rz(q), p (revolute); E, p + E·z q (prismatic);
  // E·R(quaternion), p + E·position (floating).
  PerLink<T, 12> placing;  // E at 0, p at 9
  PerLink<T, 10> body;     // m at 0, ms at 1, K at 4
  PerLink<T, 9> centre;    // the same body about its centre of mass: s at 0, I at 3
  Vec3<T> gravity;         // in frame 0

  int parent(int i) const { return topology->parent[i]; }
  JointKind kind(int i) const { return topology->kind[i]; }

  void set_body(int i, const Inertia& b) {
    const Moments<T> about_origin = moments(b);
    body[i].set(0, about_origin.m);
    body[i].set(1, about_origin.ms);
    body[i].set(4, about_origin.K);
    centre[i].set(0, b.com);
    centre[i].set(3, b.about_com);
  }

  explicit Mechanism(const Topology& t)
      : topology(&t), n(t.n), placing(t.n), body(t.n), centre(t.n) {}

  // The same mechanism in another number type: all constants are computed once, in double.
  template <class S>
  explicit Mechanism(const Mechanism<S>& m) : Mechanism(*m.topology) {
    gravity = to<T>(m.gravity);
    for (int i = 1; i <= n; ++i) {
      for (int k = 0; k < 12; ++k) placing[i].set(k, T(m.placing[i][k]));
      for (int k = 0; k < 10; ++k) body[i].set(k, T(m.body[i][k]));
      for (int k = 0; k < 9; ++k) centre[i].set(k, T(m.centre[i][k]));
    }
  }
};

}  // namespace parid::model
