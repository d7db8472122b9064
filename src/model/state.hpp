// One instant of a mechanism's motion: positions, velocities and accelerations of its joints.

#pragma once

#include <array>
#include <vector>

#include "math/quaternion.hpp"
#include "math/twist.hpp"
#include "model/joint/coupling.hpp"
#include "model/layer.hpp"
#include "model/mechanism.hpp"

namespace parid::model {

// The motion of the base, in frame 0: ω0, ω̇0, p̈0 of Lathrop (1985). Gravity is not part of it.
template <class T>
struct BaseMotion {
  Vec3<T> w, wd, vd;
};

// A joint with several degrees of freedom. Velocities are in the link's frame; a spherical joint
// has no linear part.
template <class T>
struct FreeMotion {
  Vec3<T> position;                                             // in the joint's frame
  std::array<T, 4> quaternion{T(0.0), T(0.0), T(0.0), T(1.0)};  // x y z w, any length
  Vec3<T> v, w;                                                 // velocity
  Vec3<T> vd, wd;                                               // its componentwise derivative
};

// A joint whose position is a function f of its leader's: the derivatives of f, and the leader's
// velocity and acceleration. The joint's velocity is f' v, its acceleration f' a + f'' v².
template <class T>
struct CoupledJoint {
  T d1{0.0}, d2{0.0}, d3{0.0}, v{0.0}, a{0.0};

  T drift() const { return d2 * (v * v); }  // its acceleration where the leader has none
};

template <class T>
class State {
 public:
  explicit State(const Mechanism<T>& m)
      : free(m.topology->free), coupled(m.topology->couplings), gravity(m.gravity), x_(m.n) {
    for (int i = 1; i <= m.n; ++i) {
      x_[i].set(at_R, m.placing[i].mat(0));
      x_[i].set(at_p, m.placing[i].vec(9));
    }
  }

  // Joint i with one degree of freedom.
  void set(int i, const T& q, const T& qd, const T& qdd) {
    x_[i].set(0, q);
    x_[i].set(1, qd);
    x_[i].set(2, qdd);
  }
  void set_rates(int i, const T& qd, const T& qdd) {
    x_[i].set(1, qd);
    x_[i].set(2, qdd);
  }
  void set_packed_positions(int i, const typename PackedLinks<T>::type& q) {
    x_.packed(i).set(0, q);
  }
  T q(int i) const { return x_[i][0]; }
  T qd(int i) const { return x_[i][1]; }
  typename PackedLinks<T>::type qd_packed(int i) const { return x_.packed(i)[1]; }
  T qdd(int i) const { return x_[i][2]; }

  // The pose of link i in its parent, after place().
  template <class Rotation = Mat3<T>>
  Rotation R(int i) const {
    const auto x = x_[i];
    if constexpr (std::is_same_v<Rotation, TwistTurn<T>>)  // if all rotations have this form
      return {x[at_R],     x[at_R + 1], x[at_R + 3], x[at_R + 4],
              x[at_R + 5], x[at_R + 6], x[at_R + 7], x[at_R + 8]};
    else
      return x.mat(at_R);
  }
  Vec3<T> p(int i) const { return x_[i].vec(at_p); }
  void place(const Mechanism<T>& m);
  void set_placement(int i, const Mat3<T>& R, const Vec3<T>& p) {
    x_[i].set(at_R, R);
    x_[i].set(at_p, p);
  }  // instead

  void set_base(const Mechanism<T>& m, const BaseMotion<T>& b) {
    base = b;
    gravity = m.gravity - b.vd;
  }

  std::vector<FreeMotion<T>> free;       // by Topology::free_index
  std::vector<CoupledJoint<T>> coupled;  // by JointPlace::coupling
  BaseMotion<T> base;
  Vec3<T> gravity;  // seen by the links: minus the base's acceleration
  // on links [0..n], at their origins, in their frames; or none
  const Wrench<T>* external = nullptr;

 private:
  static constexpr int at_R = 3, at_p = 12;
  PerLink<T, 15> x_;  // q, q̇, q̈, R, p
};

// R and p of every joint from q. Constants (p of a revolute joint, R of a prismatic one) are not
// written.
template <class T>
void State<T>::place(const Mechanism<T>& m) {
  constexpr int links = PerLink<T, 15>::links;
  for (int i = 1; i <= m.n;
       i += links) {  // as if all were revolute: E·Rz(q); its third column is E's
    const auto x = x_.packed(i);
    const auto E = m.placing.packed(i);
    const auto [s, c] = sin_cos(x[0]);
    for (int k = 0; k < 9; k += 3) {
      x.set(at_R + k, E[k] * c + E[k + 1] * s);
      x.set(at_R + k + 1, E[k + 1] * c - E[k] * s);
    }
  }
  if (m.topology->all_revolute) return;
  for (int i = 1; i <= m.n; ++i) {
    if (m.kind(i) == JointKind::revolute) continue;
    const Mat3<T> E = m.placing[i].mat(0);
    if (m.kind(i) == JointKind::prismatic) {
      x_[i].set(at_R, E);
      x_[i].set(at_p, m.placing[i].vec(9) + x_[i][0] * E.column(2));
    } else {
      const FreeMotion<T>& u = free[m.topology->free_index[i]];
      const auto& [x, y, z, w] = u.quaternion;
      x_[i].set(at_R, E * rotation_of_quaternion(x, y, z, w));
      x_[i].set(at_p, m.placing[i].vec(9) + E * u.position);
    }
  }
}

}  // namespace parid::model
