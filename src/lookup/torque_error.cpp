#include "lookup/torque_error.hpp"

#include <algorithm>
#include <cmath>

#include "lookup/state_box.hpp"
#include "parid/engine.hpp"

namespace parid::lookup {

TorqueError torque_error(int nv, std::span<const double> tau, std::span<const double> exact) {
  TorqueError e;
  double squares = 0;
  for (std::size_t k = 0; k < exact.size(); k += nv) {
    double wrong = 0, size = 0;
    for (std::size_t i = k; i < k + nv; ++i) {
      wrong = std::max(wrong, std::abs(tau[i] - exact[i]));
      size = std::max(size, std::abs(exact[i]));
    }
    const double relative = wrong > 0 ? wrong / size : 0;
    e.max_relative = std::max(e.max_relative, relative);
    e.max_absolute = std::max(e.max_absolute, wrong);
    squares += relative * relative;
    ++e.samples;
  }
  e.rms_relative = e.samples > 0 ? std::sqrt(squares / static_cast<double>(e.samples)) : 0;
  return e;
}

TorqueError table_error(const TorqueTable& table, const Robot& robot, std::size_t samples,
                        std::uint64_t seed) {
  const std::size_t n = table.n();
  const States s = random_states(state_box(robot), samples, seed);
  std::vector<double> exact(samples * n), tau(samples * n);
  Engine(robot, {.kernel = KernelKind::generic}).inverse_dynamics(samples, s.q, s.v, s.a, exact);
  TableReader reader(table);
  for (std::size_t k = 0; k < samples * n; k += n)
    reader.torque({&s.q[k], n}, {&s.v[k], n}, {&s.a[k], n}, {&tau[k], n});
  return torque_error(table.n(), tau, exact);
}

}  // namespace parid::lookup
