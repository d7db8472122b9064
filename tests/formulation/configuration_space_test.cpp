#include "formulation/configuration_space.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "scalar/counted.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(ConfigurationSpace, EveryCoefficientHasItsPlace) {
  for (int n = 1; n <= 8; ++n) {
    const Coefficients at{n};
    std::set<int> places;
    for (int i = 0; i < n; ++i) {
      places.insert(at.G(i));
      for (int j = 0; j < n; ++j) {
        places.insert(at.J(i, j));
        EXPECT_EQ(at.J(i, j), at.J(j, i));
        for (int k = 0; k < n; ++k) {
          places.insert(at.C(i, j, k));
          EXPECT_EQ(at.C(i, j, k), at.C(i, k, j));
        }
      }
    }
    EXPECT_EQ(static_cast<int>(places.size()), at.size());
    EXPECT_EQ(*places.rbegin(), at.size() - 1);
  }
}

OperationCount count(auto&& action) {
  Counted::reset();
  action();
  return Counted::count();
}

// Hollerbach prints 2n³ + n² and n³ + n² + 2n: for six joints 468 and 264. The sum needs 252
// additions.
TEST(ConfigurationSpace, CostsWhatThePaperSaysAndLess) {
  for (int n = 1; n <= 9; ++n) {
    const Coefficients at{n};
    std::vector<Counted> c(n + n * n + n * n * n), v(n), a(n), products(at.pairs()), tau(n);
    const OperationCount printed = count([&] {
      configuration_space_torque_as_printed(n, c.data(), v.data(), a.data(), tau.data());
    });
    EXPECT_EQ(printed.multiplications, 2 * n * n * n + n * n);
    EXPECT_EQ(printed.additions, n * n * n + n * n);
    const OperationCount ours = count([&] {
      configuration_space_torque(at, c.data(), v.data(), a.data(), products.data(), tau.data());
    });
    EXPECT_EQ(ours.multiplications, at.pairs() + n * at.pairs() + n * n);
    EXPECT_EQ(ours.additions, n * n + n * at.pairs());
    if (n != 6) continue;
    EXPECT_EQ(printed.multiplications, 468);
    EXPECT_EQ(printed.additions, 252);
    EXPECT_EQ(ours.multiplications, 183);
    EXPECT_EQ(ours.additions, 162);
  }
}

// Both sums are the same torque: C_ijk apart is half of C_ijk together.
TEST(ConfigurationSpace, BothSumsAgree) {
  const int n = 4;
  const Coefficients at{n};
  std::vector<double> c(at.size()), apart(n + n * n + n * n * n), v(n), a(n), products(at.pairs()),
      one(n), other(n);
  for (int k = 0; k < at.size(); ++k) c[k] = std::sin(k + 1.0);
  for (int k = 0; k < n; ++k) {
    v[k] = k - 1.5;
    a[k] = 2.5 - k;
  }
  for (int i = 0; i < n; ++i) {
    apart[i] = c[at.G(i)];
    for (int j = 0; j < n; ++j) {
      apart[n + i * n + j] = c[at.J(i, j)];
      for (int k = 0; k < n; ++k)
        apart[n + n * n + (i * n + j) * n + k] = c[at.C(i, j, k)] / (j == k ? 1 : 2);
    }
  }
  configuration_space_torque(at, c.data(), v.data(), a.data(), products.data(), one.data());
  configuration_space_torque_as_printed(n, apart.data(), v.data(), a.data(), other.data());
  for (int i = 0; i < n; ++i) EXPECT_NEAR(one[i], other[i], 1e-14);
}

}  // namespace
}  // namespace parid::test
