// A formulation of one robot's inverse dynamics as a graph.
//
// Inputs are q1 …, v1 …, a1 … and outputs tau1 …, in the user's coordinates and order. With
// `placements_given` there are no positions; the inputs are instead, joint by joint of the
// mechanism, the nine entries of R (R1.xx R1.xy …) and, if the joint moves it, of p (p3.x …). That
// graph is what the papers count: they do not charge a formulation for the entries of its rotation
// matrices.

#pragma once

#include <string>
#include <type_traits>

#include "graph/expr.hpp"
#include "runtime/layer.hpp"
#include "runtime/method/evaluation.hpp"

namespace parid::runtime {

struct TraceOptions {
  bool placements_given = false;
  bool rotors = true;     // add rotor inertia times acceleration
  bool friction = false;  // add bearing friction and drive losses; needs reactions
  std::size_t limit = Graph::default_limit;
  int processors = 0;  // of formulations that take a number of them; 0: their default
};

// For a number of processors, where the formulation takes one.
template <template <class> class F, class T>
Evaluation<F, T> evaluation(const CanonicalModel& c, [[maybe_unused]] int processors) {
  if constexpr (std::is_constructible_v<F<T>, const Mechanism<T>&, int>)
    return Evaluation<F, T>(c, processors);
  else
    return Evaluation<F, T>(c);
}

namespace detail {

inline Vec3<Expr> vector_input(Graph& g, const std::string& name) {
  const Expr x = input(g, name + "x"), y = input(g, name + "y"), z = input(g, name + "z");
  return {x, y, z};
}

inline void give_placements(Graph& g, const Mechanism<Expr>& m, State<Expr>& motion) {
  for (int i = 1; i <= m.n; ++i) {
    const std::string number = std::to_string(i);
    Mat3<Expr> R;
    R.r0 = vector_input(g, "R" + number + ".x");
    R.r1 = vector_input(g, "R" + number + ".y");
    R.r2 = vector_input(g, "R" + number + ".z");
    const bool still = m.kind(i) == JointKind::revolute || m.kind(i) == JointKind::spherical;
    motion.set_placement(i, R, still ? m.placing[i].vec(9) : vector_input(g, "p" + number + "."));
  }
}

}  // namespace detail

// Throws GraphTooLarge beyond options.limit nodes. The formulation must support the mechanism
// (scope.hpp).
template <template <class> class F>
Graph trace(const CanonicalModel& c, const TraceOptions& options = {}) {
  Graph g(options.limit);
  Evaluation<F, Expr> e = evaluation<F, Expr>(c, options.processors);
  if (options.placements_given) detail::give_placements(g, e.mechanism, e.motion);
  auto inputs = [&g](const char* name, int count) {
    std::vector<Expr> x;
    for (int k = 1; k <= count; ++k) x.push_back(input(g, name + std::to_string(k)));
    return x;
  };
  const std::vector<Expr> q =
      options.placements_given ? std::vector<Expr>(c.nq) : inputs("q", c.nq);
  const std::vector<Expr> v = inputs("v", c.nv), a = inputs("a", c.nv);
  const std::vector<Expr> felt = options.rotors ? a : std::vector<Expr>(c.nv);
  std::vector<Expr> tau(c.nv);
  auto of = [](const std::vector<Expr>& x) { return [&x](int k) { return x[k]; }; };
  e.load(of(q), of(v), of(a));
  if (!options.placements_given) e.place();
  e.run();
  e.store(
      of(felt), of(tau), [&](int k, const Expr& x) { tau[k] = x; }, options.rotors);
  if (options.friction) {
    std::vector<Expr> loss(c.nv);
    auto add = [&](const std::vector<Expr>& joint) {
      store_friction(c, e.motion, joint.data(), of(loss),
                     [&](int k, const Expr& x) { loss[k] = x; });
      for (int k = 0; k < c.nv; ++k) tau[k] = tau[k] + loss[k];
    };
    e.friction([&](const std::vector<Expr>& bearing, const std::vector<Expr>& drive) {
      add(bearing);
      add(drive);
    });
  }
  for (int k = 0; k < c.nv; ++k) output(g, "tau" + std::to_string(k + 1), tau[k]);
  return g;
}

}  // namespace parid::runtime
