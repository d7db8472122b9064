// Vectors and matrices: identities, operation counts, and the memory layout of links.

#include <gtest/gtest.h>

#include <functional>

#include "math/mat4.hpp"
#include "math/per_link.hpp"
#include "scalar/counted.hpp"
#include "scalar/pack.hpp"
#include "tests/layer.hpp"
#include "tests/link_motion.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using V = Vec3<double>;
using M = Mat3<double>;

void expect_near(const V& a, const V& b, double tolerance = 1e-14) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}
void expect_near(const M& A, const M& B, double tolerance = 1e-14) {
  for (int j = 0; j < 3; ++j) expect_near(A.column(j), B.column(j), tolerance);
}

M random_matrix(Rng& rng) {
  return {uniform_vector(rng, 1), uniform_vector(rng, 1), uniform_vector(rng, 1)};
}

class Algebra : public testing::TestWithParam<int> {
 protected:
  Rng rng{static_cast<std::uint64_t>(GetParam())};
  V a = uniform_vector(rng, 1), b = uniform_vector(rng, 1), c = uniform_vector(rng, 1);
  M A = random_matrix(rng), B = random_matrix(rng), R = random_rotation(rng);
  double s = uniform(rng, -2, 2);
};
INSTANTIATE_TEST_SUITE_P(BySeed, Algebra, testing::Range(0, 20));

TEST_P(Algebra, OfVectors) {
  expect_near(cross(a, b), -cross(b, a));
  EXPECT_NEAR(dot(a, cross(a, b)), 0, 1e-15);
  EXPECT_NEAR(dot(a, cross(b, c)), dot(c, cross(a, b)), 1e-15);
  expect_near(cross(a, cross(b, c)), dot(a, c) * b - dot(a, b) * c);
  EXPECT_NEAR(norm(a) * norm(a), dot(a, a), 1e-15);
  expect_near(s * (a + b) - s * a, s * b);
}

TEST_P(Algebra, OfMatrices) {
  expect_near((A * B) * a, A * (B * a));
  expect_near(transposed_times(A, a), transposed(A) * a);
  expect_near(transposed(A * B), transposed(B) * transposed(A));
  expect_near((A + B) * a - (A - B) * a, 2.0 * (B * a));
  expect_near((s * A) * a, s * (A * a));
  expect_near(outer(a, b) * c, dot(b, c) * a);
  expect_near(skew(a) * b, cross(a, b));
  expect_near(M::identity() * a, a);
  expect_near(M::diagonal(1, 2, 3) * a, {a.x, 2 * a.y, 3 * a.z});
  expect_near({A.column(0).x, A.column(1).x, A.column(2).x}, A.r0);
}

TEST_P(Algebra, OfRotations) {
  const M about[] = {rotation_x(sin_cos(s)), rotation_y(sin_cos(s)), rotation_z(sin_cos(s)), R};
  for (const M& turn : about) {
    expect_near(turn * transposed(turn), M::identity());
    expect_near(turn * cross(a, b), cross(turn * a, turn * b));  // and not a reflection
  }
  expect_near(about[0], rotation_about({1, 0, 0}, s));
  expect_near(about[1], rotation_about({0, 1, 0}, s));
  expect_near(about[2], rotation_about({0, 0, 1}, s));
  const V u = random_direction(rng);
  const auto [sine, cosine] = sin_cos(s / 2);
  expect_near(rotation_of(sine * u.x, sine * u.y, sine * u.z, cosine), rotation_about(u, s));
}

TEST_P(Algebra, OfTurningBodies) {
  expect_near(turning(a, b) * c, cross(b, c) + cross(a, cross(a, c)));
}

TEST_P(Algebra, OfTwistsAndTurns) {
  const M E = rotation_x(sin_cos(s)) * rotation_z(sin_cos(uniform(rng, -3, 3)));
  EXPECT_EQ(E.r0.z, 0);
  const TwistTurn<double> T{E.r0.x, E.r0.y, E.r1.x, E.r1.y, E.r1.z, E.r2.x, E.r2.y, E.r2.z};
  expect_near(T * a, E * a, 0);
  expect_near(transposed_times(T, a), transposed_times(E, a), 1e-16);
}

TEST_P(Algebra, OfSymmetricMatrices) {
  const M S = A + transposed(A);
  expect_near(symmetric(S) * a, S * a);
  const V r[] = {a, b, c};  // Σ r × A r where the second moments are Σ r rᵀ
  M second;
  V moment;
  for (const V& x : r) {
    second = second + outer(x, x);
    moment = moment + cross(x, A * x);
  }
  expect_near(antisymmetric(A, symmetric(second)), moment);
}

TEST_P(Algebra, OfPoses) {
  const Pose<double> P = random_pose(rng, 2), Q = random_pose(rng, 2);
  expect_near((P * Q) * a, P * (Q * a));
  expect_near((inverse(P) * P).R, M::identity());
  expect_near((inverse(P) * P).p, V{});
  const Mat4<double> H = homogeneous(P) * homogeneous(Q), expected = homogeneous(P * Q);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(H[i][j], expected[i][j], 1e-14);
      EXPECT_EQ(transposed(H)[j][i], H[i][j]);
      EXPECT_EQ((H + H)[i][j], (2.0 * H)[i][j]);
    }
  const Vec4<double> x = H * Vec4<double>{a.x, a.y, a.z, 1};
  expect_near({x[0], x[1], x[2]}, P * (Q * a));
  EXPECT_EQ(x[3], 1);
  EXPECT_NEAR(trace(H * expected), trace(expected * H), 1e-13);
  EXPECT_EQ(trace(Mat4<double>::identity()), 4);
}

TEST_P(Algebra, OfInertias) {
  const Inertia one = random_inertia(rng), other = random_inertia(rng);
  const Moments<double> sum = moments(one) + moments(other), both = moments(together(one, other));
  EXPECT_NEAR(sum.m, both.m, 1e-14);
  expect_near(sum.ms, both.ms);
  expect_near(full(sum.K), full(both.K));
  expect_near(full(tensor(second_moments(one.about_com))), full(one.about_com));
  const Pose<double> P = random_pose(rng, 1);
  const Inertia back = moved(inverse(P), moved(P, one));
  expect_near(back.com, one.com);
  expect_near(full(back.about_com), full(one.about_com));
}

// ---- operation counts
// -------------------------------------------------------------------------------

OperationCount counted(const std::function<void()>& work) {
  Counted::reset();
  work();
  return Counted::count();
}

struct Cost {
  long multiplications, additions;
  bool operator==(const Cost&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const Cost& c) {
    return out << c.multiplications << "m " << c.additions << "a";
  }
};
Cost cost(const std::function<void()>& work) {
  const OperationCount n = counted(work);
  return {n.multiplications, n.additions};
}

TEST(Cost, OfEveryVectorOperation) {
  const Vec3<Counted> a, b;
  const Mat3<Counted> A;
  const Sym3<Counted> S;
  const TwistTurn<Counted> T{};
  const Mat4<Counted> H;
  const Counted s(1);
  EXPECT_EQ(cost([&] { a + b; }), (Cost{0, 3}));
  EXPECT_EQ(cost([&] { a - b; }), (Cost{0, 3}));
  EXPECT_EQ(cost([&] { -a; }), (Cost{0, 0}));
  EXPECT_EQ(cost([&] { s* a; }), (Cost{3, 0}));
  EXPECT_EQ(cost([&] { dot(a, b); }), (Cost{3, 2}));
  EXPECT_EQ(cost([&] { cross(a, b); }), (Cost{6, 3}));
  EXPECT_EQ(cost([&] { A* a; }), (Cost{9, 6}));
  EXPECT_EQ(cost([&] { transposed_times(A, a); }), (Cost{9, 6}));
  EXPECT_EQ(cost([&] { transposed(A); }), (Cost{0, 0}));
  EXPECT_EQ(cost([&] { A* A; }), (Cost{27, 18}));
  EXPECT_EQ(cost([&] { A + A; }), (Cost{0, 9}));
  EXPECT_EQ(cost([&] { S* a; }), (Cost{9, 6}));
  EXPECT_EQ(cost([&] { T* a; }), (Cost{8, 5}));
  EXPECT_EQ(cost([&] { transposed_times(T, a); }), (Cost{8, 5}));
  EXPECT_EQ(cost([&] { turning(a, b); }), (Cost{6, 9}));
  EXPECT_EQ(cost([&] { antisymmetric(A, S); }), (Cost{15, 15}));
  EXPECT_EQ(cost([&] { rotation_of(s, s, s, s); }), (Cost{27, 12}));
  EXPECT_EQ(cost([&] { H* H; }), (Cost{64, 48}));
  EXPECT_EQ(cost([&] { H* Vec4<Counted>{}; }), (Cost{16, 12}));
  EXPECT_EQ(cost([&] { trace(H); }), (Cost{0, 3}));
  EXPECT_EQ(counted([&] { norm(a); }).square_roots, 1);
}

TEST(Cost, InVectorOperationsAsLathropCounts) {
  const Vec3<Counted> a, b;
  const Mat3<Counted> A;
  const OperationCount n =
      counted([&] { A* cross(a, Counted(2) * b + a) - dot(a, b) * (A * A * b); });
  EXPECT_EQ(n.of(VectorOp::cross), 1);
  EXPECT_EQ(n.of(VectorOp::scale), 2);
  EXPECT_EQ(n.of(VectorOp::add), 2);
  EXPECT_EQ(n.of(VectorOp::dot), 1);
  EXPECT_EQ(n.of(VectorOp::matrix_vector), 1 + 3 + 1);  // a product of matrices is three
}

// ---- links in memory
// -------------------------------------------------------------------------------

template <class T, int K>
void expect_every_number_in_its_own_place(int n) {
  PerLink<T, K> x(n);
  auto value = [](int i, int k) { return 1000.0 * i + k; };
  auto number = [](const T& t) {
    if constexpr (std::is_same_v<T, double>)
      return t;
    else
      return t[0];
  };
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k < K; ++k) EXPECT_EQ(number(x[i][k]), 0);
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k < K; ++k) x[i].set(k, T(value(i, k)));
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k < K; ++k)
      ASSERT_EQ(number(x[i][k]), value(i, k)) << "link " << i << " of " << n;
}

TEST(PerLink, GivesEveryNumberItsOwnPlace) {
  for (int n = 0; n <= 20; ++n) {
    expect_every_number_in_its_own_place<double, 15>(n);
    expect_every_number_in_its_own_place<Pack<1>, 15>(n);
    expect_every_number_in_its_own_place<Pack<1, double, Avx2>, 10>(n);
    expect_every_number_in_its_own_place<Pack<1, float, Avx512>, 12>(n);
    expect_every_number_in_its_own_place<Pack<4>, 3>(n);
  }
}

template <class T>
void expect_packed_links(int n) {
  constexpr int W = PerLink<T, 12>::links;
  PerLink<T, 12> x(n);
  for (int i = 0; i <= n; ++i)
    for (int k = 0; k < 12; ++k) x[i].set(k, T(100.0 * i + k));
  for (int i = 1; i <= n; i += W) {
    const auto wide = x.packed(i);
    for (int k = 0; k < 12; ++k)
      for (int h = 0; h < W; ++h) EXPECT_EQ(wide[k][h], i + h <= n ? 100.0 * (i + h) + k : 0);
    wide.set(3, wide.vec(0) + wide.vec(6));  // writes W links at once
  }
  for (int i = 1; i <= n; ++i)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(x[i][3 + k][0], 100.0 * i + k + 100.0 * i + 6 + k);
  EXPECT_EQ(x[0][3][0], 3);  // the base stands apart
}
TEST(PerLink, TakesPackedLinks) {
  static_assert(PerLink<double, 1>::links == 1 && PerLink<Pack<4>, 1>::links == 1);
  static_assert(PerLink<Pack<1>, 1>::links == 2);
  static_assert(PerLink<Pack<1, double, Avx2>, 1>::links == 4 &&
                PerLink<Pack<1, double, Avx512>, 1>::links == 4);
  static_assert(PerLink<Pack<1, float, Avx512>, 1>::links == 8);
  for (int n = 0; n <= 20; ++n) {
    expect_packed_links<Pack<1>>(n);
    expect_packed_links<Pack<1, double, Avx2>>(n);
    expect_packed_links<Pack<1, float, Avx512>>(n);
  }
}

TEST(PerLink, ViewsAreVectorsAndMatrices) {
  Rng rng(1);
  PerLink<double, 18> x(3);
  const M A = random_matrix(rng);
  const V v = uniform_vector(rng, 1);
  const Sym3<double> S{1, 2, 3, 4, 5, 6};
  x[2].set(0, A);
  x[2].set(9, v);
  x[2].set(12, S);
  expect_near(x[2].mat(0), A, 0);
  expect_near(x[2].vec(9), v, 0);
  expect_near(full(x[2].sym(12)), full(S), 0);
}

}  // namespace
}  // namespace parid::test
