// What a sweep reads: the robot as flat arrays in canonical frames.
//
// Link 0 is the base; joint i moves link i against link parent[i] < i. The frame of a link that
// hangs on a revolute or prismatic joint has its z along the joint's axis; origin and x are chosen
// (canonical.cpp) so that constants are as sparse as the robot allows: modified Denavit-Hartenberg
// frames where the geometry permits. Inertias are about the frame's origin. None of this is seen
// by users: their joint order, mimic joints and link frames are mapped in and out at the door.

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

// Which joint hangs where. Numbers do not enter, so mechanisms in any number type share one.
struct Topology {
  int n = 0;     // joints, and moving links
  int free = 0;  // joints of several freedoms
  bool all_revolute = true;
  bool all_twist_turns = true;  // every R is a turn about x, then one about z
  std::vector<int> parent;      // [0..n]
  std::vector<JointKind> kind;  // [0..n]
  std::vector<int> free_index;  // [0..n]: which of the joints of several freedoms, or -1
};

template <class T>
struct Mechanism {
  const Topology* topology = nullptr;
  int n = 0;

  // Link i stands in its parent at R = E·Rz(q), p (revolute); E, p + E·z q (prismatic);
  // E·R(quaternion), p + E·position (floating).
  PerLink<T, 12> placing;  // E at 0, p at 9
  PerLink<T, 10> body;     // m at 0, ms at 1, K at 4
  PerLink<T, 9> centre;    // the same body about its centre of mass: s at 0, I at 3
  Vec3<T> gravity;         // in frame 0

  int parent(int i) const { return topology->parent[i]; }
  JointKind kind(int i) const { return topology->kind[i]; }

  void set_body(int i, const Inertia& b) {
    const Moments<T> about_origin = moments(b);
    body[i].set(0, about_origin.m), body[i].set(1, about_origin.ms), body[i].set(4, about_origin.K);
    centre[i].set(0, b.com), centre[i].set(3, b.about_com);
  }

  explicit Mechanism(const Topology& t)
      : topology(&t), n(t.n), placing(t.n), body(t.n), centre(t.n) {}

  // The same mechanism in other numbers: all constants are worked out once, in double.
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
