// Lathrop's combining forms, Table 5 and Appendix A: each compared with its sum, on stretches of a
// random chain of revolute and prismatic joints, for every cut of a stretch.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "formulation/lathrop.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/random.hpp"

namespace parid::papers {
namespace of_lathrop_forms {
namespace {

using V = Vec3<double>;
using M = Mat3<double>;

constexpr int n = 8;
constexpr double enough = 1e-12;  // relative
constexpr const char* by = "src/formulation/lathrop.hpp: lathrop_combined";
constexpr const char* here = "papers/lathrop/forms.cpp: Chain";

double length(const V& v) { return std::sqrt(dot(v, v)); }

struct Chain {
  std::vector<M> A;               // link j in j − 1
  std::vector<V> p, z_qd, z_qdd;  // in link j
  std::vector<bool> turns;
  std::vector<V> F, N, s;

  explicit Chain(Random& random) {
    for (int j = 0; j < n; ++j) {
      A.push_back(random.rotation());
      p.push_back(random.vector());
      z_qd.push_back(random.vector());
      z_qdd.push_back(random.vector());
      turns.push_back(j % 3 != 1);
      F.push_back(random.vector());
      N.push_back(random.vector());
      s.push_back(random.vector());
    }
  }
  LathropMotion<double> leaf(int j) const {
    return lathrop_leaf(A[j], p[j], turns[j] ? JointKind::revolute : JointKind::prismatic, z_qd[j],
                        z_qdd[j]);
  }
  LathropMotion<double> combined(int a, int b) const {
    LathropMotion<double> x = leaf(a);
    for (int j = a + 1; j <= b; ++j) x = lathrop_combined(x, leaf(j));
    return x;
  }
  M rotation(int a, int b) const {  // A_a … A_b
    M W = M::identity();
    for (int j = a; j <= b; ++j) W = W * A[j];
    return W;
  }
  // ---- the sums themselves; Σ over j of terms rotated from link j into link b
  V sum(int a, int b, const std::function<V(int)>& term) const {
    V all;
    for (int j = a; j <= b; ++j) all = all + transposed_times(rotation(j + 1, b), term(j));
    return all;
  }
  V w(int a, int b) const {  // (11)
    return sum(a, b, [&](int j) { return turns[j] ? z_qd[j] : V(); });
  }
  V wd(int a, int b) const {  // (A1)
    return sum(a, b, [&](int j) {
      if (!turns[j]) return V();
      const V before = j > a ? transposed_times(A[j], w(a, j - 1)) : V();
      return z_qdd[j] + cross(before, z_qd[j]);
    });
  }
  V Q(int a, int b) const {
    return sum(a, b, [&](int j) { return turns[j] ? V() : z_qd[j]; });
  }
  V R(int a, int b) const {
    return sum(a, b, [&](int j) { return p[j]; });
  }
  V S(int a, int b) const {
    return sum(a, b, [&](int j) { return cross(w(a, j), p[j]); });
  }
  V S_scanned(int a, int b) const {  // with W_{j−1,b}, as in the scan of (A4)
    V all;
    for (int j = a; j <= b; ++j)
      all = all + transposed_times(rotation(std::max(0, j - 1), b), cross(w(a, j), p[j]));
    return all;
  }
  V pdd(int a, int b) const {  // (A5), (A8), base at rest
    return sum(a, b, [&](int j) {
      const V wj = w(a, j);
      const V slide = turns[j] ? V() : z_qdd[j] + 2.0 * cross(wj, z_qd[j]);
      return cross(wd(a, j), p[j]) + cross(wj, cross(wj, p[j])) + slide;
    });
  }
  V f(int a, int b) const {  // (A9), (A10), in link a
    V all;
    for (int j = a; j <= b; ++j) all = all + rotation(a + 1, j) * F[j];
    return all;
  }
  V moment(int a, int b) const {  // (A11), (A12), in link a
    V all;
    for (int j = a; j <= b; ++j)
      all = all + rotation(a + 1, j) * (N[j] + cross(s[j], F[j]) +
                                        (j < b ? cross(p[j], A[j + 1] * f(j + 1, b)) : V()));
    return all;
  }
};

// The largest difference over every stretch a..b and cut k, over the size of the sum.
double over_cuts(const std::function<V(int a, int k, int b)>& form,
                 const std::function<V(int a, int b)>& sum) {
  double worst = 0;
  for (int a = 0; a < n; ++a)
    for (int b = a + 1; b < n; ++b)
      for (int k = a; k < b; ++k) {
        const V exact = sum(a, b);
        worst = std::max(worst, length(form(a, k, b) - exact) / (1 + length(exact)));
      }
  return worst;
}

// The closed forms from the base on, each compared with the recursion of Table 2, link by link.
void closed_forms(Claims& r, const Chain& c) {
  double w_off = 0, wd_off = 0, pdd_off = 0, f_off = 0, n_off = 0;
  auto note = [](double& worst, const V& got, const V& right) {
    worst = std::max(worst, length(got - right) / (1 + length(right)));
  };
  V w, wd, pdd;
  for (int i = 0; i < n; ++i) {
    const V before = transposed_times(c.A[i], w), own = c.turns[i] ? c.z_qd[i] : V(),
            own_d = c.turns[i] ? c.z_qdd[i] : V();
    wd = transposed_times(c.A[i], wd) + own_d + cross(before, own);
    w = before + own;
    pdd = transposed_times(c.A[i], pdd) + cross(wd, c.p[i]) + cross(w, cross(w, c.p[i])) +
          (c.turns[i] ? V() : c.z_qdd[i] + 2.0 * cross(w, c.z_qd[i]));
    note(w_off, c.w(0, i), w);
    note(wd_off, c.wd(0, i), wd);
    note(pdd_off, c.pdd(0, i), pdd);
  }
  V f, moment;
  for (int i = n - 1; i >= 0; --i) {
    const V next_f = i + 1 < n ? c.A[i + 1] * f : V(),
            next_n = i + 1 < n ? c.A[i + 1] * moment : V();
    moment = next_n + c.N[i] + cross(c.s[i], c.F[i]) + cross(c.p[i], next_f);
    f = c.F[i] + next_f;
    note(f_off, c.f(i, n - 1), f);
    note(n_off, c.moment(i, n - 1), moment);
  }
  auto add = [&](const char* where, const char* what, double off) {
    r.add(where, fmt::format("closed form of {} satisfies the recursion of Table 2", what),
          holds("a fixed point", off < enough,
                off < enough ? "the same to 1e-12" : fmt::format("off by {:.1e}", off)),
          here, reproduced("at every link of a chain of turning and sliding joints"));
  };
  add("Eqs. (11), (12)", "ω", w_off);
  add("Eqs. (A1), (A2)", "ω̇", wd_off);
  add("Eqs. (A5), (A6), (A7)", "p̈", pdd_off);
  add("Eq. (A9)", "f", f_off);
  add("Eq. (A11)", "n", n_off);
}

}  // namespace
}  // namespace of_lathrop_forms

void lathrop_forms(Claims& r) {
  using namespace of_lathrop_forms;
  Random random(1);
  const Chain c(random);
  closed_forms(r, c);
  auto cut = [&](int a, int k, int b) {
    return lathrop_combined(c.combined(a, k), c.combined(k + 1, b));
  };
  auto check = [&](const char* where, const char* what, auto of, auto sum, const char* why) {
    const double worst = over_cuts([&](int a, int k, int b) { return of(cut(a, k, b)); }, sum);
    r.add(where, what,
          holds("the sum over the stretch", worst < enough,
                worst < enough ? "the same to 1e-12" : fmt::format("off by {:.1e}", worst)),
          by, reproduced(why));
  };
  using X = LathropMotion<double>;
  check(
      "Eq. (13)", "combining form of ω", [](const X& x) { return x.w; },
      [&](int a, int b) { return c.w(a, b); }, "rates add once they are turned");
  check(
      "Eqs. (14), (A3)", "combining form of ω̇", [](const X& x) { return x.wd; },
      [&](int a, int b) { return c.wd(a, b); },
      "with the cross product of the two stretches' rates");
  check(
      "Eq. (A4)", "combining form of Q", [](const X& x) { return x.Q; },
      [&](int a, int b) { return c.Q(a, b); }, "sliding rates add");
  check(
      "Eq. (A4)", "combining form of R", [](const X& x) { return x.R; },
      [&](int a, int b) { return c.R(a, b); }, "distances add");
  check(
      "Eq. (A4)", "combining form of S", [](const X& x) { return x.S; },
      [&](int a, int b) { return c.S(a, b); }, "of Σ W_{j+1,b}ᵀ (ω_aj × p_j)");
  const double scanned = over_cuts([&](int a, int k, int b) { return cut(a, k, b).S; },
                                   [&](int a, int b) { return c.S_scanned(a, b); });
  r.add("Eq. (A4)", "S is the sum with W_{j−1,b}, as the scan has it",
        holds("W_{j−1,b}", scanned < enough, fmt::format("off by {:.1f} times its size", scanned)),
        here, refuted("two links too far; W_{j+1,b} is meant, a misprint or the scan's"));
  check(
      "Eq. (A8)", "combining form of p̈ with 2 (S + Q)", [](const X& x) { return x.pdd; },
      [&](int a, int b) { return c.pdd(a, b); }, "turning and sliding velocities both count twice");
  const double lost = over_cuts(
      [&](int a, int k, int b) {
        const X x = c.combined(a, k), y = c.combined(k + 1, b);
        return lathrop_combined(x, y).pdd - cross(transposed_times(y.W, x.w), y.Q);  // 2 S + Q
      },
      [&](int a, int b) { return c.pdd(a, b); });
  r.add("Table 5, Eq. (A8)", "combining form of p̈ with 2 S + Q, as printed",
        holds("the sum over the stretch", lost < enough,
              fmt::format("off by {:.2f} of its size", lost)),
        here, refuted("a parenthesis is lost, 2 (S + Q); it does not show where no joint slides"));
  double identity = 0, associative = 0;
  for (int k = 0; k < 100; ++k) {
    const V a = random.vector(), b = random.vector(), d = random.vector();
    identity = std::max(
        identity, length(cross(a, cross(b, d)) + cross(cross(b, a), d) - cross(b, cross(a, d))));
  }
  r.add("Appendix A1", "a × (b × c) + (b × a) × c = b × (a × c)",
        holds("for all vectors", identity < enough, identity < enough ? "to 1e-12 for 100" : "no"),
        "src/math/vec3.hpp: cross", reproduced("Jacobi's identity"));
  for (int k = 0; k + 3 < n; ++k) {
    const X x = c.leaf(k), y = c.leaf(k + 1), z = c.leaf(k + 2);
    const X left = lathrop_combined(lathrop_combined(x, y), z),
            right = lathrop_combined(x, lathrop_combined(y, z));
    associative = std::max({associative, length(left.w - right.w), length(left.wd - right.wd),
                            length(left.S - right.S), length(left.pdd - right.pdd)});
  }
  r.add("Conclusions", "the combining operator is associative",
        holds("yes", associative < enough, associative < enough ? "to 1e-12" : "no"), by,
        reproduced("or no plan of combinations but the serial one would be right"));

  auto force = [&](int a, int b) {
    LathropForce<double> y{b + 1 < n ? c.A[b + 1] : M::identity(), c.p[b], c.F[b],
                           c.N[b] + cross(c.s[b], c.F[b])};
    for (int j = b - 1; j >= a; --j)
      y = lathrop_combined(
          LathropForce<double>{c.A[j + 1], c.p[j], c.F[j], c.N[j] + cross(c.s[j], c.F[j])}, y);
    return y;
  };
  const double f_off = over_cuts(
                   [&](int a, int k, int b) {
                     return lathrop_combined(force(a, k), force(k + 1, b)).f;
                   },
                   [&](int a, int b) { return c.f(a, b); }),
               n_off = over_cuts(
                   [&](int a, int k, int b) {
                     return lathrop_combined(force(a, k), force(k + 1, b)).n;
                   },
                   [&](int a, int b) { return c.moment(a, b); });
  r.add("Eqs. (A9), (A10)", "combining form of f",
        holds("the sum over the stretch", f_off < enough,
              f_off < enough ? "the same to 1e-12" : "no"),
        by, reproduced("the scan's upper limit in (A9) is to be n"));
  r.add("Eqs. (A11), (A12)", "combining form of n",
        holds("the sum over the stretch", n_off < enough,
              n_off < enough ? "the same to 1e-12" : "no"),
        by, reproduced("distributed, with P = W Aᵀ R carried along"));
}

}  // namespace parid::papers
