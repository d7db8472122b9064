// Hollerbach's matrix equations, on a random chain: Eqs. (2), (5), (7), (10), (12), (13),
// and the energies of Appendix A.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/mat4.hpp"
#include "papers/counting.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/random.hpp"

namespace parid::papers {
namespace of_hollerbach_matrices {
namespace {

using M = Mat4<double>;
constexpr int n = 4;
constexpr const char* by = "src/math/mat4.hpp: operator*";

// Coordinates in Hollerbach's order: 1, x, y, z.
M entries(std::array<std::array<double, 4>, 4> e) {
  M A;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      A[i][j] = e[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return A;
}
M scaled(double s, const M& A) {
  M B = A;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) B[i][j] *= s;
  return B;
}
M transposed(const M& A) {
  M B;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) B[i][j] = A[j][i];
  return B;
}
double far(const M& A, const M& B) {
  double worst = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) worst = std::max(worst, std::abs(A[i][j] - B[i][j]));
  return worst;
}

struct Link {
  double a, s, alpha, q, v, acc;
  M J;
  // Eq. (2) and its derivatives by θ.
  M A(int derivative) const {
    const double c = std::cos(q + derivative * std::acos(0.0)),
                 d = std::sin(q + derivative * std::acos(0.0)), ca = std::cos(alpha),
                 sa = std::sin(alpha), keep = derivative == 0;
    return entries({{{keep, 0, 0, 0},
                     {a * c, c, -d * ca, d * sa},
                     {a * d, d, c * ca, -c * sa},
                     {keep * s, 0, keep * sa, keep * ca}}});
  }
};

struct Chain {
  std::vector<Link> link;

  explicit Chain(Random& random) {
    for (int i = 0; i < n; ++i) {
      Link l{random.in(-1, 1),
             random.in(-1, 1),
             random.in(-2, 2),
             random.in(-3, 3),
             random.in(-1, 1),
             random.in(-1, 1),
             {}};
      for (int k = 0; k < 4; ++k)
        for (int m = 0; m <= k; ++m) l.J[k][m] = l.J[m][k] = random.in(-1, 1);
      link.push_back(l);
    }
  }
  // A_from … A_to with the k-th derivative in place of A_k, if it is among them; links from 1.
  M product(int from, int to, const std::vector<int>& derivatives = {}) const {
    M W = M::identity();
    for (int j = from; j <= to; ++j) {
      const int order = static_cast<int>(std::count(derivatives.begin(), derivatives.end(), j));
      W = W * link[static_cast<std::size_t>(j - 1)].A(order);
    }
    return W;
  }
};

std::string same(double off, const char* digits = "1e-12") {
  return off < 1e-12 ? fmt::format("the same to {}", digits) : fmt::format("off by {:.1e}", off);
}

void frames(Claims& r) {
  const Link l{0.3, -0.2, 0.9, 1.1, 0, 0, {}};
  const double c = std::cos(l.q), d = std::sin(l.q), ca = std::cos(l.alpha), sa = std::sin(l.alpha);
  const M turn_z = entries({{{1, 0, 0, 0}, {0, c, -d, 0}, {0, d, c, 0}, {0, 0, 0, 1}}}),
          shift = entries({{{1, 0, 0, 0}, {l.a, 1, 0, 0}, {0, 0, 1, 0}, {l.s, 0, 0, 1}}}),
          turn_x = entries({{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, ca, -sa}, {0, 0, sa, ca}}});
  const M ours = turn_z * shift * turn_x, printed = l.A(0);
  int alike = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) alike += std::abs(ours[i][j] - printed[i][j]) < 1e-12;
  r.add("Eq. (2)", "A_i of the four parameters",
        exact("16 of 16 entries", fmt::format("{} of 16 entries", alike)), by,
        reproduced("turn by θ about z, move by s along z and a along x, turn by α about x"));
}

void derivatives(Claims& r, const Chain& c) {
  // Eq. (5) compared with differences of W_4.
  auto moved = [&](int k, double h, int l = 0, double g = 0) {
    Chain other = c;
    other.link[static_cast<std::size_t>(k - 1)].q += h;
    if (l > 0) other.link[static_cast<std::size_t>(l - 1)].q += g;
    return other.product(1, n);
  };
  double first = 0, second = 0;
  const double h = 1e-4;
  for (int k = 1; k <= n; ++k) {
    const M slope = scaled(1 / (2 * h), moved(k, h) + scaled(-1, moved(k, -h)));
    first = std::max(first, far(slope, c.product(1, n, {k})));
    for (int l = k; l <= n; ++l) {
      const M curve =
          scaled(1 / (4 * h * h), moved(k, h, l, h) + moved(k, -h, l, -h) +
                                      scaled(-1, moved(k, h, l, -h) + moved(k, -h, l, h)));
      second = std::max(second, far(curve, c.product(1, n, {k, l})));
    }
  }
  r.add("Eq. (5)", "∂W_j/∂q_k = W_{k−1} A'_k ᵏW_j",
        holds("equal", first < 1e-6, first < 1e-6 ? "to 1e-6 of differences" : "no"), by,
        reproduced("every q_k stands in one A"));
  r.add("Eq. (5)", "∂²W_j/∂q_k∂q_l, both cases",
        holds("equal", second < 1e-5, second < 1e-5 ? "to 1e-5 of differences" : "no"), by,
        reproduced("A'_k and A'_l, or A''_k"));

  // Ẅ by the recursion (10), and by the sums (7).
  M W = M::identity(), Wd, Wdd;
  double apart = 0;
  std::vector<M> all_W, all_Wdd;
  for (int j = 1; j <= n; ++j) {
    const Link& l = c.link[static_cast<std::size_t>(j - 1)];
    const M A = l.A(0), dA = l.A(1), ddA = l.A(2);
    Wdd = Wdd * A + scaled(2 * l.v, Wd * dA) + scaled(l.v * l.v, W * ddA) + scaled(l.acc, W * dA);
    Wd = Wd * A + scaled(l.v, W * dA);
    W = W * A;
    M sum;
    for (int k = 1; k <= j; ++k) {
      const Link& lk = c.link[static_cast<std::size_t>(k - 1)];
      sum = sum + scaled(lk.acc, c.product(1, j, {k}));
      for (int m = 1; m <= j; ++m)
        sum =
            sum + scaled(lk.v * c.link[static_cast<std::size_t>(m - 1)].v, c.product(1, j, {k, m}));
    }
    apart = std::max(apart, far(sum, Wdd));
    all_W.push_back(W);
    all_Wdd.push_back(Wdd);
  }
  r.add("Eqs. (7), (10)", "Ẅ_j by the recursion is Ẅ_j by the sums",
        holds("equal", apart < 1e-12, same(apart)), by,
        reproduced("with W_j and Ẇ_j as (8) and (9) are meant"));

  // D_1 and c_1 by (12), (13), and by the sums of (11).
  M D;
  Vec4<double> moment{};
  M D_sum;
  Vec4<double> moment_sum{};
  auto r_of = [](int j) { return Vec4<double>{1, 0.1 * j, -0.2 * j, 0.3}; };
  for (int i = n; i >= 1; --i) {
    const Link& l = c.link[static_cast<std::size_t>(i - 1)];
    const M next = i < n ? c.link[static_cast<std::size_t>(i)].A(0) : M();
    D = l.J * transposed(all_Wdd[static_cast<std::size_t>(i - 1)]) + next * D;
    const Vec4<double> further = next * moment, own = r_of(i);
    for (std::size_t k = 0; k < 4; ++k) moment[k] = (1.0 + i) * own[k] + further[k];
  }
  for (int j = 1; j <= n; ++j) {
    const M to = c.product(2, j);
    D_sum = D_sum + to * c.link[static_cast<std::size_t>(j - 1)].J *
                        transposed(all_Wdd[static_cast<std::size_t>(j - 1)]);
    const Vec4<double> turned = to * r_of(j);
    for (std::size_t k = 0; k < 4; ++k) moment_sum[k] += (1.0 + j) * turned[k];
  }
  r.add("Eq. (12)", "D_1 by the recursion is the sum over the links",
        holds("equal", far(D, D_sum) < 1e-12, same(far(D, D_sum))), by,
        reproduced("the scan has lost ⁱW_j in the sums"));
  double c_off = 0;
  for (std::size_t k = 0; k < 4; ++k) c_off = std::max(c_off, std::abs(moment[k] - moment_sum[k]));
  r.add("Eq. (13)", "c_1 by the recursion is the sum over the links",
        holds("equal", c_off < 1e-12, same(c_off)), by, reproduced("with 4x4 matrices"));
}

// Appendix A: a link of point masses that rotates and translates.
void energies(Claims& r, Random& random) {
  const Mat3<double> W = random.rotation();
  const Vec3<double> w = random.vector(), p = random.vector(), pd = random.vector(), g{0, 0, -9.81};
  double mass = 0, kinetic = 0, potential = 0;
  Vec3<double> moment;
  double J[3][3] = {};
  for (int k = 0; k < 12; ++k) {
    const double m = random.in(0.1, 1);
    const Vec3<double> h = random.vector(), at = p + W * h, v = pd + cross(w, W * h);
    mass += m;
    moment = moment + m * h;
    kinetic += 0.5 * m * dot(v, v);
    potential -= m * dot(g, at);
    const double x[3] = {h.x, h.y, h.z};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J[i][j] += m * x[i] * x[j];
  }
  // Ẇ = [ω]× W, by columns.
  const Vec3<double> c0 = cross(w, W.column(0)), c1 = cross(w, W.column(1)),
                     c2 = cross(w, W.column(2));
  const Vec3<double> column[3] = {c0, c1, c2};
  const Vec3<double> turned = moment.x * c0 + moment.y * c1 + moment.z * c2;  // Ẇ n
  double inertia = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) inertia += J[i][j] * dot(column[i], column[j]);
  const double by_A4 = 0.5 * (mass * dot(pd, pd) + 2 * dot(turned, pd) + inertia),
               by_A6 = -dot(g, W * moment);
  r.add("Eq. (A4)", "kinetic energy of a link of twelve point masses",
        holds("equal", std::abs(by_A4 - kinetic) < 1e-12, same(std::abs(by_A4 - kinetic))),
        "papers/hollerbach/matrices.cpp: energies",
        reproduced("with n_i = ∫ h* dm, as Appendix A has it"));
  const double lost = std::abs(by_A6 - potential), expected = std::abs(mass * dot(g, p));
  r.add("Eq. (A6)", "potential energy with 3x3 matrices, W_j ʲr_j alone, in J",
        holds(fmt::format("{:.3f}", by_A6), lost < 1e-12, fmt::format("{:.3f}", potential)),
        "papers/hollerbach/matrices.cpp: energies",
        refuted(fmt::format("m g·p_j is missing, {:.3f} J here: hence the lever that (17) lacks",
                            expected)));
}

}  // namespace
}  // namespace of_hollerbach_matrices

void hollerbach_matrices(Claims& r) {
  using namespace of_hollerbach_matrices;
  Random random(5);
  const Chain c(random);
  frames(r);
  derivatives(r, c);
  energies(r, random);
}

}  // namespace parid::papers
