#include "lookup/coefficient_source.hpp"

#include <algorithm>
#include <cmath>

namespace parid::lookup {

CoefficientSource::CoefficientSource(const Robot& robot, int threads)
    : at_{robot.nv()},
      held_(robot, {.threads = threads, .kernel = KernelKind::generic}),
      floating_(robot.with_gravity({0, 0, 0}),
                {.threads = threads, .kernel = KernelKind::generic}) {}

void CoefficientSource::coefficients(std::size_t rows, std::span<const double> q,
                                     std::span<double> out) {
  const std::size_t n = at_.n, moving = at_.motions() - 1, tried = rows * moving;
  q_.resize(tried * n);
  tau_.resize(tried * n);
  v_.assign(tried * n, 0);
  a_.assign(tried * n, 0);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t m = 0; m < moving; ++m) std::copy_n(&q[r * n], n, &q_[(r * moving + m) * n]);
    for (std::size_t j = 0; j < n; ++j) a_[(r * moving + j) * n + j] = 1;
    at_.each_velocity([&](int motion, int j, int k) {
      double* v = &v_[(r * moving + motion - 1) * n];
      v[j] = v[k] = 1;
    });
  }
  floating_.inverse_dynamics(tried, q_, v_, a_, tau_);
  rest_.assign(rows * n, 0);
  gravity_.resize(rows * n);
  held_.inverse_dynamics(rows, q, rest_, rest_, gravity_);

  std::vector<double> torques((moving + 1) * n);
  for (std::size_t r = 0; r < rows; ++r) {
    std::copy_n(&gravity_[r * n], n, torques.begin());
    std::copy_n(&tau_[r * moving * n], moving * n, torques.begin() + static_cast<long>(n));
    at_.from_torques(torques.data(), &out[r * at_.size()]);
  }
}

Dependence dependence(CoefficientSource& source, const StateBox& box) {
  constexpr std::size_t tries = 24;
  constexpr double nothing = 1e-11;  // relative to the largest coefficient of its kind
  const Coefficients& at = source.layout();
  const int n = at.n, K = at.size();
  const States here = random_states(box, tries, 1), there = random_states(box, tries, 2);
  std::vector<double> before(tries * K), after(tries * K);
  source.coefficients(tries, here.q, before);

  // G, J and C have different units: each is compared with the largest of its kind.
  auto sort = [&](int k) { return k < n ? 0 : k < n + at.pairs() ? 1 : 2; };
  double largest[3] = {};
  for (std::size_t k = 0; k < before.size(); ++k)
    largest[sort(static_cast<int>(k % K))] =
        std::max(largest[sort(static_cast<int>(k % K))], std::abs(before[k]));

  Dependence on{std::vector<bool>(n, false), std::vector<bool>(n, false)};
  for (int d = 0; d < n; ++d) {
    std::vector<double> moved = here.q;
    for (std::size_t r = 0; r < tries; ++r) moved[r * n + d] = there.q[r * n + d];
    source.coefficients(tries, moved, after);
    for (std::size_t k = 0; k < before.size(); ++k)
      if (std::abs(after[k] - before[k]) > nothing * largest[sort(static_cast<int>(k % K))])
        on.on_position[d] = true;
  }
  for (std::size_t r = 0; r < tries; ++r)
    for (int i = 0; i < n; ++i)
      at.each_velocity([&](int, int j, int k) {
        if (std::abs(before[r * K + at.C(i, j, k)]) > nothing * largest[2])
          on.on_velocity[j] = on.on_velocity[k] = true;
      });
  return on;
}

}  // namespace parid::lookup
