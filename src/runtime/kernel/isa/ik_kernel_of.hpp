// The kernel as a template over its number type. Included only by the files that compile it for one
// instruction set each: T is part of every symbol here, so that the sets share none.

#pragma once

#include "kinematics/damped_step.hpp"
#include "runtime/kernel/ik_kernel.hpp"
#include "runtime/layer.hpp"
#include "scalar/pack.hpp"

namespace parid::runtime {

template <class Isa>
class IkKernelOf final : public IkKernel {
  static constexpr int W = lanes_of<Isa, double>;
  using T = Pack<W, double, Isa>;

 public:
  explicit IkKernelOf(const Path& path) : stepper_(path) {}

  int lanes() const override { return W; }

  void step(const double* q, const double* target, bool turning, double* next, double* position2,
            double* angle2) override {
    const T* t = rows(target);
    const Pose<T> pose{{{t[0], t[1], t[2]}, {t[3], t[4], t[5]}, {t[6], t[7], t[8]}},
                       {t[9], t[10], t[11]}};
    const auto distance = stepper_.step(rows(q), pose, T(turning ? 1.0 : 0.0), rows(next));
    *rows(position2) = distance.position2;
    *rows(angle2) = distance.angle2;
  }

 private:
  // The lanes of a pack are contiguous numbers without padding, and the compilers allow access to
  // the elements of a vector.
  static_assert(sizeof(T) == W * sizeof(double));
  static const T* rows(const double* x) { return reinterpret_cast<const T*>(x); }
  static T* rows(double* x) { return reinterpret_cast<T*>(x); }

  DampedStep<T> stepper_;
};

template <class Isa>
IkKernelSet ik_kernel_set() {
  return {Isa::name, [](const Path& path) -> std::unique_ptr<IkKernel> {
            return std::make_unique<IkKernelOf<Isa>>(path);
          }};
}

}  // namespace parid::runtime
