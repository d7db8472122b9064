// Arguments that differ from row to row (parid/row_arguments.hpp), resolved for one robot, and
// their values in one number type.

#pragma once

#include <cstddef>
#include <vector>

#include "dynamics/composite.hpp"
#include "dynamics/layer.hpp"
#include "math/pose.hpp"
#include "parid/quantity.hpp"
#include "parid/row_arguments.hpp"

namespace parid::dynamics {

struct RowLayout {
  struct Place {
    int link;            // of the mechanism
    Pose<double> frame;  // of the user's link, in it
  };
  std::vector<Place> parameters, wrenches;
  bool gravity = false, base_motion = false;
  Pose<double> root;  // the root link in frame 0

  bool empty() const { return parameters.empty() && !gravity && !base_motion && wrenches.empty(); }
  // One array for each argument, in this order.
  struct Array {
    const char* name;
    std::size_t numbers;
  };
  std::vector<Array> arrays() const;
  // Those that a quantity depends on.
  RowLayout used_by(Quantity) const;
};

// Throws Error for a link that does not exist, that has no parameters of its own, or that is given
// twice.
RowLayout row_layout(const Robot&, const RowArguments&);

// A number without a derivative in a type that has one, or the number itself.
template <class U, class T>
U lifted(const T& x) {
  if constexpr (std::is_same_v<U, T>) {
    return x;
  } else {
    U y;
    if constexpr (requires { y.value; })
      y.value = x;
    else
      y.c[0] = x;
    return y;
  }
}

template <class T>
Moments<T> moments_of(const T* x) {
  return {x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}};
}
template <class T>
void set_body(Mechanism<T>& m, int i, const Moments<T>& b) {
  m.body[i].set(0, b.m);
  m.body[i].set(1, b.ms);
  m.body[i].set(4, b.K);
}

// The arguments of one row, or of a register of rows.
template <class U>
class RowValues {
 public:
  RowValues() = default;
  // With memory for the arguments of a mechanism with n links; null: for none.
  RowValues(const RowLayout* all, int n)
      : body_(all ? all->parameters.size() : 0),
        external_(all && !all->wrenches.empty() ? n + 1 : 0) {}

  // Wrenches that are the same for all rows, on links [0..n]; empty: none.
  void set_constant(const std::vector<Wrench<double>>& w) {
    constant_.clear();
    constant_.reserve(w.size());
    for (const Wrench<double>& x : w) constant_.push_back({to<U>(x.f), to<U>(x.n)});
  }

  const Wrench<U>* constant() const { return constant_.empty() ? nullptr : constant_.data(); }

  // One array for each argument of the layout, which is that of the constructor or a part of it.
  template <class T>
  void load(const RowLayout& here, const T* const* in) {
    if (!here.parameters.empty()) {
      const T* from = *in++;
      for (std::size_t k = 0; k < here.parameters.size(); ++k, from += 10) {
        U x[10];
        for (int j = 0; j < 10; ++j) x[j] = lifted<U>(from[j]);
        const Pose<double>& frame = here.parameters[k].frame;
        body_[k] = moved(to<U>(frame.R), to<U>(frame.p), moments_of(x));
      }
    }
    const Mat3<U> R = to<U>(here.root.R);
    if (here.gravity) gravity_ = R * vector(*in++);
    if (here.base_motion) {
      const T* from = *in++;
      base_.w = R * vector(from);
      base_.wd = R * vector(from + 3);
      base_.vd = R * vector(from + 6) - turning(base_.w, base_.wd) * to<U>(here.root.p);
    }
    if (here.wrenches.empty()) return;
    for (std::size_t i = 0; i < external_.size(); ++i)
      external_[i] = i < constant_.size() ? constant_[i] : Wrench<U>{};
    const T* from = *in;
    for (const RowLayout::Place& at : here.wrenches) {
      const Wrench<U> w{vector(from), vector(from + 3)};
      external_[at.link] = external_[at.link] + on_parent(to<U>(at.frame.R), to<U>(at.frame.p), w);
      from += 6;
    }
  }

  // Arguments that the layout does not have stay as they are.
  void act_on(const RowLayout& here, Mechanism<U>& mechanism, State<U>& motion) const {
    for (std::size_t k = 0; k < here.parameters.size(); ++k)
      set_body(mechanism, here.parameters[k].link, body_[k]);
    if (here.gravity) mechanism.gravity = gravity_;
    if (here.gravity || here.base_motion)
      motion.set_base(mechanism, here.base_motion ? base_ : BaseMotion<U>(motion.base));
    if (!here.wrenches.empty()) motion.external = external_.data();
  }
  void act_on(const RowLayout& here, ModelState<U>& at) const {
    act_on(here, at.mechanism, at.motion);
  }

 private:
  template <class T>
  static Vec3<U> vector(const T* x) {
    return {lifted<U>(x[0]), lifted<U>(x[1]), lifted<U>(x[2])};
  }

  using Wrenches = std::vector<Wrench<U>, math::detail::CacheLineAllocator<Wrench<U>>>;
  std::vector<Moments<U>, math::detail::CacheLineAllocator<Moments<U>>> body_;
  Vec3<U> gravity_;
  BaseMotion<U> base_;
  Wrenches external_, constant_;
};

}  // namespace parid::dynamics
