// Lathrop's remark in section 3.1: the Lagrangian attains essentially the same time bounds, with
// substantially more hardware. He gives no method;
// formulation/lathrop_lagrangian.hpp is one.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "formulation/lathrop_lagrangian.hpp"
#include "formulation/lathrop_linear.hpp"
#include "formulation/lathrop_unified.hpp"
#include "graph/depth.hpp"
#include "model/format/parametric.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/random.hpp"
#include "parid/robot.hpp"
#include "parid/torque_method.hpp"
#include "runtime/cost/formulation_graph.hpp"
#include "scalar/counted.hpp"

namespace parid::papers {
namespace of_lathrop_lagrangian {
namespace {

// Sums from left to right, as the equations are written.
struct LeftToRight {
  template <class T>
  static LagrangeMotion<T> combined(const LagrangeMotion<T>& x, const LagrangeMotion<T>& y) {
    const T two(2.0);
    return {x.W * y.W,
            x.Wd * y.W + x.W * y.Wd,
            x.Wdd * y.W + (two * (x.Wd * y.Wd) + x.W * y.Wdd),
            x.p + x.W * y.p,
            x.pd + (x.Wd * y.p + x.W * y.pd),
            x.pdd + (x.Wdd * y.p + (two * (x.Wd * y.pd) + x.W * y.pdd))};
  }
  template <class T>
  static LagrangeForce<T> combined(const LagrangeForce<T>& x, const LagrangeForce<T>& y) {
    LagrangeForce<T> c = LagrangeSums::combined(x, y);
    c.D = x.D + (x.A * y.D + outer(x.p, y.e));
    return c;
  }
};

// What comes last is added last; every product of matrices is a whole vector operation.
struct ByVectorOperations {
  template <class T>
  static LagrangeMotion<T> combined(const LagrangeMotion<T>& x, const LagrangeMotion<T>& y) {
    LagrangeMotion<T> c = LagrangeSums::combined(x, y);
    c.Wdd = x.Wdd * y.W + (x.W * y.Wdd + T(2.0) * (x.Wd * y.Wd));
    return c;
  }
  template <class T>
  static LagrangeForce<T> combined(const LagrangeForce<T>& x, const LagrangeForce<T>& y) {
    return LagrangeSums::combined(x, y);
  }
};

template <class T>
using Lagrangian = LathropLagrangian<T, divided_scan>;
template <class T>
using LagrangianLeftToRight = LathropLagrangian<T, divided_scan, LeftToRight>;
template <class T>
using LagrangianByVectors = LathropLagrangian<T, divided_scan, ByVectorOperations>;
template <class T>
using Newton = Lathrop<T, divided_scan>;

struct Traced {
  int depth;
  long operations;
};
template <template <class> class F>
Traced traced(int n) {
  const Robot robot(chain(n));
  const Graph g = trace<F>(robot.canonical(), {.placements_given = true, .rotors = false});
  const Counts c = counts(g);
  return {depth(g).total(), c.multiplications + c.additions};
}
template <template <class> class F>
int per_doubling() {
  return traced<F>(32).depth - traced<F>(16).depth;
}

// ---- Table 4 and Appendix B as formulations

double length_of(const Vec3<double>& v) { return std::sqrt(dot(v, v)); }

// The largest difference of the unified form's values for a = b from those of Table 5.
double off_appendix_b() {
  Random random(4);
  double worst = 0;
  auto note = [&](const Vec3<double>& got, const Vec3<double>& right) {
    worst = std::max(worst, length_of(got - right) / (1 + length_of(right)));
  };
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic})
    for (int k = 0; k < 50; ++k) {
      const Mat3<double> A = random.rotation();
      const Vec3<double> p = random.vector(), s = random.vector(), F = random.vector(),
                         N = random.vector();
      const double qd = random.in(-2, 2), qdd = random.in(-2, 2);
      const auto x = LathropUnifiedLeaves::motion(A, p, kind, qd, qdd),
                 y = LathropLeaves::motion(A, p, kind, qd, qdd);
      note(x.w, y.w);
      note(x.wd, y.wd);
      note(x.Q, y.Q);
      note(x.R, y.R);
      note(x.S, y.S);
      note(x.pdd, y.pdd);
      note(x.W.r0, y.W.r0);
      note(x.W.r1, y.W.r1);
      note(x.W.r2, y.W.r2);
      const auto f = LathropUnifiedLeaves::force(A, p, s, F, N),
                 g = LathropLeaves::force(A, p, s, F, N);
      note(f.P, g.P);
      note(f.f, g.f);
      note(f.n, g.n);
      note(f.M.r0, g.M.r0);
    }
  return worst;
}

template <template <class> class F>
long vector_operations_at_six() {
  const Robot robot(chain(6));
  Evaluation<F, Counted> e(robot.canonical());
  auto some = [](int k) { return Counted(0.1 * (k + 1)); };
  e.load(some, some, some);
  e.place();
  Counted::reset();
  e.run();
  long all = 0;
  for (const long v : Counted::count().vector) all += v;
  return all;
}

void agrees_with_reference(Claims& r, const char* where, const char* what, const char* id,
                           const char* by) {
  double worst = 0;
  for (const char* name : {"puma560", "stanford"}) {
    const Robot robot = Robot::load(name);
    TorqueMethod one(robot, id), reference(robot, "newton_euler_link");
    Random random(8);
    const std::size_t n = static_cast<std::size_t>(robot.nv());
    std::vector<double> q(n), v(n), a(n), got(n), want(n);
    for (int k = 0; k < 20; ++k) {
      for (std::vector<double>* x : {&q, &v, &a})
        for (double& number : *x) number = random.in(-2, 2);
      one.torque(q, v, a, got);
      reference.torque(q, v, a, want);
      double size = 0, off = 0;
      for (std::size_t i = 0; i < n; ++i) {
        size = std::max(size, std::abs(want[i]));
        off = std::max(off, std::abs(got[i] - want[i]));
      }
      worst = std::max(worst, off / size);
    }
  }
  r.add(where, fmt::format("{} gives the torques of a PUMA 560 and a Stanford arm", what),
        holds("Newton-Euler", worst < 1e-12,
              worst < 1e-12 ? "the same to 1e-12" : fmt::format("off by {:.1e}", worst)),
        by, reproduced("turning and sliding joints, random states"));
}

}  // namespace
}  // namespace of_lathrop_lagrangian

void lathrop_lagrangian(Claims& r) {
  using namespace of_lathrop_lagrangian;
  const char* by = "src/formulation/lathrop_lagrangian.hpp: LathropLagrangian";
  const char* here = "papers/lathrop/lagrangian.cpp: per_doubling";
  const int l = per_doubling<Lagrangian>(), n = per_doubling<Newton>();
  r.add(
      "Section 3.1", "the Lagrangian takes as long for every doubling of the links",
      holds("essentially the same time bounds", l == n,
            fmt::format("{} operations more, against {} for Newton-Euler", l, n)),
      by,
      reproduced(
          "logarithmic too: rotations with their two derivatives combine as functions of time do"));
  const int vectors = per_doubling<LagrangianByVectors>(),
            left = per_doubling<LagrangianLeftToRight>();
  r.add("Section 3.1", "the same with every product of matrices a whole vector operation, MV + VA",
        holds("the same", vectors == n, fmt::format("{} operations more", vectors)), here,
        refuted("Ẅ W' and W Ẅ' both come last and wait for their sum; their six products in one "
                "tree of sums take an addition less"));
  r.add("Section 3.1", "the same with sums from left to right",
        holds("the same", left == n, fmt::format("{} operations more", left)), here,
        refuted("p̈ and D wait for sums that could have been taken before"));
  const double more = static_cast<double>(traced<Lagrangian>(16).operations) /
                      static_cast<double>(traced<Newton>(16).operations);
  r.add("Section 3.1", "the Lagrangian needs more hardware, 16 links",
        holds("substantially more", more > 1.3, fmt::format("{:.1f} times the operations", more)),
        by, reproduced("products of matrices where Newton-Euler has vectors"));
  agrees_with_reference(r, "Section 3.1", "the Lagrangian as scans", "lathrop_lagrangian", by);

  agrees_with_reference(r, "Table 4", "the linear parallel form", "lathrop_linear",
                        "src/formulation/lathrop_linear.hpp: LathropLinear");
  const int link = traced<LathropLinear>(9).depth - traced<LathropLinear>(8).depth;
  r.add("Table 4", "operations in sequence for one link more, 2 (MV + VA)", exact(8, link),
        "src/formulation/lathrop_linear.hpp: LathropLinear",
        reproduced("the formulation traced, on the general arm"));

  const char* unified = "src/formulation/lathrop_unified.hpp: LathropUnified";
  const double off = off_appendix_b();
  r.add("Appendix B", "the case a = b as a combination with W_{a,k} = I: all variables of Table 5",
        holds("the same", off < 1e-12,
              off < 1e-12 ? "the same to 1e-12" : fmt::format("off by {:.1e}", off)),
        unified,
        reproduced("what moves and what is rigid are two stretches; the text breaks off after its "
                   "first line, the other values are ours"));
  agrees_with_reference(r, "Appendix B", "the unified form", "lathrop_unified", unified);
  const long all = vector_operations_at_six<LathropUnified>(),
             special = vector_operations_at_six<Newton>();
  r.add("Section 7.1.3", "a = b as a special case needs less hardware: vector operations at n = 6",
        holds("less", special < all, fmt::format("{} instead of {}", special, all)), unified,
        reproduced("one combination less for each joint, each way"));
}

}  // namespace parid::papers
