// A robot in one number type, and where it stands and how it moves: what every question here begins
// with.
//
// dynamics/ holds what one asks of a mechanism besides the torques of formulation/: mass matrix,
// forward dynamics, gradients, energy, regressor. One class per question, made once for a robot;
// its arguments and answers are in the user's coordinates and order (model/joint/coordinates.hpp),
// over any Scalar, so that each can be run, counted and traced. It includes model/ and
// formulation/.

#pragma once

#include "dynamics/layer.hpp"
#include "model/user_state.hpp"

namespace parid::dynamics {

template <class T>
struct ModelState {
  const CanonicalModel& c;
  Mechanism<T> mechanism;
  State<T> motion;

  explicit ModelState(const CanonicalModel& canonical)
      : c(canonical), mechanism(canonical.mechanism), motion(mechanism) {}

  // Where no velocity or acceleration is given, there is none.
  void load(const T* q, const T* v = nullptr, const T* a = nullptr) {
    auto coordinates = [](const T* x) { return [x](int k) { return x ? x[k] : T(0.0); }; };
    load_state(c, motion, coordinates(q), coordinates(v), coordinates(a));
    motion.place(mechanism);
  }
};

// What a wrench does on one freedom: 0-2 along, 3-5 about x, y, z.
template <class T>
T component(const Wrench<T>& w, int axis) {
  switch (axis) {
    case 0: return w.f.x;
    case 1: return w.f.y;
    case 2: return w.f.z;
    case 3: return w.n.x;
    case 4: return w.n.y;
    default: return w.n.z;
  }
}
// The same wrench, on the link before: R and p place this link there.
template <class T>
Wrench<T> on_parent(const Mat3<T>& R, const Vec3<T>& p, const Wrench<T>& w) {
  const Vec3<T> f = R * w.f;
  return {f, R * w.n + cross(p, f)};
}

}  // namespace parid::dynamics
