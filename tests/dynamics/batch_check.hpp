// The largest error of a quantity in a batch of states by chance, against the reference dynamics,
// and other comparisons of tests in this folder.

#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "parid/parid.hpp"
#include "runtime/engine/generic_rows.hpp"
#include "runtime/verify/reference_check.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {

// What an Error says; empty without one.
inline std::string message(const auto& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

// The largest difference, relative to the largest entry of b; infinite where a is not finite.
inline double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double size = 1e-300, most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    size = std::max(size, std::abs(b[k]));
    most = std::max(most, std::abs(a[k] - b[k]));
    if (!std::isfinite(a[k])) return INFINITY;
  }
  return a.size() == b.size() ? most / size : INFINITY;
}

inline double worst_in_batch(const Robot& robot, Quantity what, KernelKind kind, unsigned seed) {
  const std::string link = info(what).needs_link ? robot.tip() : "";
  Engine engine(robot, {.threads = 1, .quantities = {}});
  engine.prepare(what, kind, link);
  PlainCheck check(robot, what, link);
  Rng rng(seed);
  constexpr std::size_t rows = 9;  // whole registers and a rest
  std::vector<RandomState> states;
  for (std::size_t r = 0; r < rows; ++r) states.push_back(random_state(rng, robot.description()));
  const Shape shape = shape_of(robot, what);
  std::vector<std::vector<double>> in(shape.in.size()), out;
  for (const RandomState& s : states) {
    const std::vector<double>* given[] = {&s.q, &s.v, &s.a};
    for (std::size_t k = 0; k < in.size(); ++k) {  // weights and directions: the accelerations
      const std::vector<double>& values = *given[std::min<std::size_t>(k, 2)];
      for (std::size_t c = 0; c < shape.in[k]; ++c) in[k].push_back(values[c % values.size()]);
    }
  }
  std::vector<StridedInput> from;
  std::vector<StridedOutput> to;
  for (std::size_t k = 0; k < in.size(); ++k) from.push_back({in[k].data(), shape.in[k]});
  for (const std::size_t width : shape.out) out.emplace_back(rows * width, NAN);
  for (std::size_t k = 0; k < out.size(); ++k) to.push_back({out[k].data(), shape.out[k]});
  engine.evaluate(what, rows, from, to, {}, link);
  double most = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<const double*> a, b;
    for (std::size_t k = 0; k < in.size(); ++k) a.push_back(in[k].data() + r * shape.in[k]);
    for (std::size_t k = 0; k < out.size(); ++k) b.push_back(out[k].data() + r * shape.out[k]);
    const double error = check.error(a.data(), b.data());
    most = std::isnan(error) ? INFINITY : std::max(most, error);
  }
  return most;
}
inline double batch_bound(Quantity what) {
  const std::string of = name(what);
  for (const char* derivative : {"gradient", "jvp", "vjp", "hvp"})
    if (of.find(derivative) != std::string::npos) return 1e-9;
  return 1e-12;
}

}  // namespace parid::test
