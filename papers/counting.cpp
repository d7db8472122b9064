#include "papers/counting.hpp"

#include <stdexcept>

#include "codegen/trace/generate.hpp"
#include "formulation/configuration_space.hpp"
#include "model/format/parametric.hpp"
#include "papers/layer.hpp"
#include "runtime/cost/cost.hpp"

namespace parid::papers {

Operations as_written(const char* id, int n) {
  const OperationCount c = cost(id, Robot(chain(n)), {.limit = 0}).as_written;
  return {c.multiplications, c.additions};
}

Operations simplified(const char* id, int n) {
  const FormulationCost c = cost(id, Robot(chain(n)));
  if (!c.dense) throw std::logic_error("simplified: " + c.why_not_traced);
  return {static_cast<long long>(c.dense->multiplications),
          static_cast<long long>(c.dense->additions)};
}

Operations counted(const std::function<void()>& work) {
  Counted::reset();
  work();
  const OperationCount c = Counted::count();
  return {c.multiplications, c.additions};
}

Operations specialized_program(const Robot& robot) {
  const Generated g = generate(robot, Quantity::inverse_dynamics);
  const Counts c = counts(g.program.graph);
  return {c.multiplications - g.rotors.multiplications, c.additions - g.rotors.additions};
}

Operations configuration_space(int n) {
  std::vector<Counted> c(n + n * n + n * n * n), rate(n), tau(n);
  return counted([&] {
    configuration_space_torque_as_printed(n, c.data(), rate.data(), rate.data(), tau.data());
  });
}

Operations symmetric_configuration_space(int n) {
  const Coefficients at{n};
  std::vector<Counted> c(at.size()), rate(n), tau(n), products(at.pairs());
  return counted([&] {
    configuration_space_torque(at, c.data(), rate.data(), rate.data(), products.data(), tau.data());
  });
}

Polynomial polynomial(std::vector<Polynomial::Fraction> coefficients) {
  return {std::move(coefficients)};
}

Polynomial polynomial_in_n(const std::function<long long(int)>& count, int first) {
  std::vector<long long> values;
  for (int n = first; n < first + 6; ++n) values.push_back(count(n));
  const auto found = exact_fit(first, values);
  if (!found) throw std::logic_error("polynomial_in_n: not a polynomial of degree 4");
  return *found;
}

}  // namespace parid::papers
