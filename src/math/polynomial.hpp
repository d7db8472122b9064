// Polynomials with rational coefficients, fitted exactly to integers.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "math/layer.hpp"

namespace parid::math {

struct Polynomial {
  // coefficient[k] of n^k is numerator / denominator, in lowest terms.
  struct Fraction {
    long long numerator = 0, denominator = 1;
    bool operator==(const Fraction&) const = default;
  };
  std::vector<Fraction> coefficient;

  std::string text(const std::string& variable = "n") const;  // "65/2 n^4 + 356/3 n^3 − 128"
  double at(double x) const;
  bool operator==(const Polynomial&) const = default;
};

// The polynomial of least degree, at most `degree`, through (first, values[0]), (first + 1,
// values[1]) …; none if there is none. There must be at least one value more than the degree needs,
// as a proof.
std::optional<Polynomial> exact_fit(long long first, const std::vector<long long>& values,
                                    int degree = 4);

}  // namespace parid::math
