#include "math/polynomial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace parid::math {
namespace {

using Fraction = Polynomial::Fraction;

Fraction reduced(__int128 a, __int128 b) {
  if (b < 0) {
    a = -a;
    b = -b;
  }
  __int128 x = a < 0 ? -a : a, y = b;
  while (y) std::swap(x %= y, y);
  if (x > 1) {
    a /= x;
    b /= x;
  }
  return {static_cast<long long>(a), static_cast<long long>(b)};
}
Fraction operator+(const Fraction& a, const Fraction& b) {
  return reduced(static_cast<__int128>(a.numerator) * b.denominator +
                     static_cast<__int128>(b.numerator) * a.denominator,
                 static_cast<__int128>(a.denominator) * b.denominator);
}
Fraction operator*(const Fraction& a, const Fraction& b) {
  return reduced(static_cast<__int128>(a.numerator) * b.numerator,
                 static_cast<__int128>(a.denominator) * b.denominator);
}

}  // namespace

// Newton's forward differences: Σ_k Δ^k(first) · C(n − first, k).
std::optional<Polynomial> exact_fit(long long first, const std::vector<long long>& values,
                                    int degree) {
  std::vector<long long> row = values, lead;
  while (!row.empty() && std::any_of(row.begin(), row.end(), [](long long x) { return x != 0; })) {
    lead.push_back(row.front());
    for (std::size_t k = 0; k + 1 < row.size(); ++k) row[k] = row[k + 1] - row[k];
    row.pop_back();
  }
  if (row.empty() || static_cast<int>(lead.size()) > degree + 1)
    return std::nullopt;  // the differences never vanish
  Polynomial p{{Fraction{}}};
  std::vector<Fraction> basis{{1, 1}};  // C(n − first, k), in powers of n
  for (std::size_t k = 0; k < lead.size(); ++k) {
    p.coefficient.resize(std::max(p.coefficient.size(), basis.size()));
    for (std::size_t j = 0; j < basis.size(); ++j)
      p.coefficient[j] = p.coefficient[j] + Fraction{lead[k], 1} * basis[j];
    std::vector<Fraction> next(basis.size() + 1);  // times (n − first − k) / (k + 1)
    const Fraction step{1, static_cast<long long>(k) + 1},
        shift{-(first + static_cast<long long>(k)), 1};
    for (std::size_t j = 0; j < basis.size(); ++j) {
      next[j] = next[j] + shift * step * basis[j];
      next[j + 1] = next[j + 1] + step * basis[j];
    }
    basis = next;
  }
  while (p.coefficient.size() > 1 && p.coefficient.back().numerator == 0) p.coefficient.pop_back();
  return p;
}

double Polynomial::at(double x) const {
  double y = 0;
  for (auto c = coefficient.rbegin(); c != coefficient.rend(); ++c)
    y = y * x + static_cast<double>(c->numerator) / static_cast<double>(c->denominator);
  return y;
}

std::string Polynomial::text(const std::string& variable) const {
  std::string out;
  for (std::size_t k = coefficient.size(); k-- > 0;) {
    const auto [a, b] = coefficient[k];
    if (a == 0) continue;
    const long long size = a < 0 ? -a : a;
    std::string number = b == 1 ? fmt::format("{}", size) : fmt::format("{}/{}", size, b);
    const std::string power = k == 0 ? "" : k == 1 ? variable : fmt::format("{}^{}", variable, k);
    if (k > 0 && number == "1") number.clear();
    out += out.empty() ? (a < 0 ? "−" : "") : (a < 0 ? " − " : " + ");
    out += number;
    out += number.empty() || power.empty() ? "" : " ";
    out += power;
  }
  return out.empty() ? "0" : out;
}

}  // namespace parid::math
