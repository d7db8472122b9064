// Sums of numbers times values, the representation that factoring uses: they can be added, scaled
// and compared.

#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "graph/layer.hpp"

namespace parid::graph::factoring {

// A value is an input, an operation other than a sum, or a row: a sum that is needed as a
// number.
using Value = int;

struct Term {
  Value value;
  double coefficient;
  bool operator==(const Term&) const = default;
};

// constant + Σ coefficient · value, values ascending, no zero coefficients.
struct Sum {
  std::vector<Term> terms;
  double constant = 0;
  bool operator==(const Sum&) const = default;

  bool is_number() const { return terms.empty(); }
  bool is_value() const { return terms.size() == 1 && constant == 0; }
};

inline bool is_unit(double c) { return std::abs(c) == 1; }
inline int cost(double c) { return is_unit(c) ? 0 : 1; }  // of multiplying by c

// The remainder of terms that cancel: rounding error of the larger one.
inline double added(double a, double b) {
  const double sum = a + b;
  return std::abs(sum) <= 4e-16 * std::max(std::abs(a), std::abs(b)) ? 0 : sum;
}
// Whether two ratios are equal up to rounding.
inline double rounded(double ratio) {
  return std::abs(std::abs(ratio) - 1) < 1e-14 ? std::copysign(1.0, ratio) : ratio;
}

inline Sum scaled(Sum s, double by) {
  for (Term& t : s.terms) t.coefficient = rounded(t.coefficient * by);
  s.constant *= by;
  return s;
}
inline Sum plus(const Sum& a, const Sum& b) {
  Sum s;
  s.constant = added(a.constant, b.constant);
  auto i = a.terms.begin(), j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    if (j == b.terms.end() || (i != a.terms.end() && i->value < j->value)) {
      s.terms.push_back(*i++);
    } else if (i == a.terms.end() || j->value < i->value) {
      s.terms.push_back(*j++);
    } else {
      if (const double c = added(i->coefficient, j->coefficient); c != 0)
        s.terms.push_back({i->value, c});
      ++i;
      ++j;
    }
  }
  return s;
}

}  // namespace parid::graph::factoring
