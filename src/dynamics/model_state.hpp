// A robot in one number type with its state: the start of every quantity here.
//
// dynamics/ holds the quantities besides the torques of formulation/: mass
// matrix, forward dynamics, gradients, energy, regressor. One class per
// quantity, constructed once per robot; arguments and results are in the
// user's coordinates and order (model/joint/coordinates.hpp), over any Scalar,
// so that each can be run, counted and traced. It includes model/ and
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

  // A velocity or acceleration that is not given is zero.
  void load(const T* q, const T* v = nullptr, const T* a = nullptr) {
    auto coordinates = [](const T* x) { return [x](int k) { return x ? x[k] : T(0.0); }; };
    load_state(c, motion, coordinates(q), coordinates(v), coordinates(a));
    motion.place(mechanism);
  }
};

// The component of a wrench for one freedom: 0-2 along, 3-5 about x, y, z.
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
// The same wrench in the parent link: R and p place this link there.
template <class T>
Wrench<T> on_parent(const Mat3<T>& R, const Vec3<T>& p, const Wrench<T>& w) {
  const Vec3<T> f = R * w.f;
  return {f, R * w.n + cross(p, f)};
}

}  // namespace parid::dynamics
