// Any formulation in double along the rows of a batch, in the user's coordinates: for comparing
// formulations. Engine is the one that is fast.

#pragma once

#include <span>
#include <vector>

#include "model/user_state.hpp"
#include "parid/robot.hpp"
#include "runtime/layer.hpp"

namespace parid::runtime {

template <class Formulation>
std::vector<double> torques_along(const Robot& robot, Formulation&& formulation, std::size_t rows,
                                  std::span<const double> q, std::span<const double> v,
                                  std::span<const double> a) {
  const CanonicalModel& c = robot.canonical();
  State<double> motion(c.mechanism);
  std::vector<double> joint(c.topology.n + 1), tau(rows * c.nv);
  for (std::size_t r = 0; r < rows; ++r) {
    auto column = [r](std::span<const double> x, int width) {
      return [x, at = r * width](int k) { return x[at + k]; };
    };
    double* out = tau.data() + r * c.nv;
    load_state(c, motion, column(q, c.nq), column(v, c.nv), column(a, c.nv));
    motion.place(c.mechanism);
    formulation.torque(c.mechanism, motion, joint.data());
    store_torque(
        c, joint.data(),
        [&](int i) {
          return Wrench<double>{formulation.f(i), formulation.n(i)};
        },
        column(a, c.nv), [out](int k) { return out[k]; }, [out](int k, double x) { out[k] = x; });
  }
  return tau;
}

}  // namespace parid::runtime
