#include "control/stability/spectral_radius.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "math/dense.hpp"

namespace parid::control {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using Apply = std::function<void(const double*, double*)>;

constexpr int directions = 48;  // fewer did not settle for half of hamilton's loops of six joints
constexpr int restarts = 6;
constexpr int small_enough = 96;  // for all eigenvalues
constexpr int too_large = 1000;   // for all eigenvalues, whatever happens

double by_all_eigenvalues(int size, const Apply& apply) {
  MatrixXd A(size, size);
  for (int k = 0; k < size; ++k) {
    const VectorXd unit = VectorXd::Unit(size, k);
    apply(unit.data(), A.col(k).data());
  }
  return spectral_radius(A);
}

// Without rows and columns of zeros, one after the other.
MatrixXd without_zero_states(const MatrixXd& A) {
  std::vector<Eigen::Index> kept(static_cast<std::size_t>(A.rows()));
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = static_cast<Eigen::Index>(k);
  for (bool changed = true; changed;) {
    const auto idle = [&](Eigen::Index k) {
      bool read = false, reads = false;
      for (const Eigen::Index j : kept) {
        read |= A(j, k) != 0;
        reads |= A(k, j) != 0;
      }
      return !read || !reads;
    };
    std::vector<Eigen::Index> rest;
    for (const Eigen::Index k : kept)
      if (!idle(k)) rest.push_back(k);
    changed = rest.size() != kept.size();
    kept = std::move(rest);
  }
  return static_cast<Eigen::Index>(kept.size()) == A.rows() ? A : MatrixXd(A(kept, kept));
}

// The largest modulus of the eigenvalues of a Hessenberg matrix, by the shifted QR algorithm of
// Francis on the part that is not yet split off (EISPACK's hqr): a third of the work of a Schur
// form. Negative if it does not converge.
class HessenbergRadius {
 public:
  explicit HessenbergRadius(MatrixXd H) : H_(std::move(H)), high_(H_.rows() - 1) {
    for (Index i = 0; i <= high_; ++i)
      for (Index j = std::max<Index>(i - 1, 0); j <= high_; ++j) norm_ += std::abs(H_(i, j));
  }

  double value() {
    int turns = 0;
    while (high_ >= 0) {
      const Index low = split();
      if (low == high_) {
        found(H_(high_, high_) + shift_, 0);
        high_ -= 1;
        turns = 0;
      } else if (low == high_ - 1) {
        pair();
        high_ -= 2;
        turns = 0;
      } else {
        if (++turns > 90) return -1;
        step(low, turns);
      }
    }
    return largest_;
  }

 private:
  using Index = Eigen::Index;

  void found(double re, double im) { largest_ = std::max(largest_, std::hypot(re, im)); }

  Index split() {
    for (Index l = high_; l > 0; --l) {
      double size = std::abs(H_(l - 1, l - 1)) + std::abs(H_(l, l));
      if (size == 0) size = norm_;
      if (std::abs(H_(l, l - 1)) > std::numeric_limits<double>::epsilon() * size) continue;
      H_(l, l - 1) = 0;
      return l;
    }
    return 0;
  }

  void pair() {
    const double x = H_(high_, high_), y = H_(high_ - 1, high_ - 1),
                 w = H_(high_, high_ - 1) * H_(high_ - 1, high_), p = (y - x) / 2, q = p * p + w;
    if (q < 0) return found(x + shift_ + p, std::sqrt(-q));
    const double z = p + std::copysign(std::sqrt(q), p);
    found(x + shift_ + z, 0);
    found(x + shift_ - (z != 0 ? w / z : -z), 0);
  }

  // One double step with the eigenvalues of the last two rows as shifts.
  void step(Index low, int turns) {
    const double epsilon = std::numeric_limits<double>::epsilon();
    double x = H_(high_, high_), y = H_(high_ - 1, high_ - 1),
           w = H_(high_, high_ - 1) * H_(high_ - 1, high_);
    if (turns % 10 == 0) {  // an exceptional shift
      shift_ += x;
      for (Index i = 0; i <= high_; ++i) H_(i, i) -= x;
      const double s = std::abs(H_(high_, high_ - 1)) + std::abs(H_(high_ - 1, high_ - 2));
      x = y = 0.75 * s;
      w = -0.4375 * s * s;
    }
    double p = 0, q = 0, r = 0;
    Index m = high_ - 2;
    for (;; --m) {
      const double z = H_(m, m), a = x - z, b = y - z;
      p = (a * b - w) / H_(m + 1, m) + H_(m, m + 1);
      q = H_(m + 1, m + 1) - z - a - b;
      r = H_(m + 2, m + 1);
      const double s = std::abs(p) + std::abs(q) + std::abs(r);
      p /= s;
      q /= s;
      r /= s;
      if (m == low) break;
      const double u = std::abs(H_(m, m - 1)) * (std::abs(q) + std::abs(r)),
                   v = std::abs(p) *
                       (std::abs(H_(m - 1, m - 1)) + std::abs(z) + std::abs(H_(m + 1, m + 1)));
      if (u <= epsilon * v) break;
    }
    for (Index i = m + 2; i <= high_; ++i) {
      H_(i, i - 2) = 0;
      if (i > m + 2) H_(i, i - 3) = 0;
    }
    for (Index k = m; k < high_; ++k) {
      const bool last = k == high_ - 1;
      double scale = 1;
      if (k != m) {
        p = H_(k, k - 1);
        q = H_(k + 1, k - 1);
        r = last ? 0 : H_(k + 2, k - 1);
        scale = std::abs(p) + std::abs(q) + std::abs(r);
        if (scale != 0) {
          p /= scale;
          q /= scale;
          r /= scale;
        }
      }
      const double s = std::copysign(std::sqrt(p * p + q * q + r * r), p);
      if (s == 0) continue;
      if (k != m)
        H_(k, k - 1) = -s * scale;
      else if (low != m)
        H_(k, k - 1) = -H_(k, k - 1);
      p += s;
      const double a = p / s, b = q / s, c = r / s;
      q /= p;
      r /= p;
      reflect(k, low, last, {a, b, c}, q, r);
    }
  }

  void reflect(Index k, Index low, bool last, const std::array<double, 3>& a, double q, double r) {
    for (Index j = k; j <= high_; ++j) {
      double* h = &H_(k, j);
      double p = h[0] + q * h[1];
      if (!last) {
        p += r * h[2];
        h[2] -= p * a[2];
      }
      h[1] -= p * a[1];
      h[0] -= p * a[0];
    }
    const Index end = std::min(high_, k + 3), rows = end - low + 1;
    double *h0 = &H_(low, k), *h1 = &H_(low, k + 1), *h2 = last ? nullptr : &H_(low, k + 2);
    for (Index i = 0; i < rows; ++i) {
      double p = a[0] * h0[i] + a[1] * h1[i];
      if (!last) {
        p += a[2] * h2[i];
        h2[i] -= p * r;
      }
      h1[i] -= p * q;
      h0[i] -= p;
    }
  }

  MatrixXd H_;
  Index high_;
  double norm_ = 0, shift_ = 0, largest_ = 0;
};

}  // namespace

double spectral_radius(const MatrixXd& A) {
  if (!A.allFinite()) return INFINITY;
  const MatrixXd kept = without_zero_states(A);
  if (kept.rows() == 0) return 0;
  if (kept.rows() < 3) return complex_eigenvalues(kept).cwiseAbs().maxCoeff();
  const double radius =
      HessenbergRadius(Eigen::HessenbergDecomposition<MatrixXd>(kept).matrixH()).value();
  return radius >= 0 ? radius : complex_eigenvalues(kept).cwiseAbs().maxCoeff();
}

double spectral_radius(int size, const Apply& apply, int settle, double tolerance) {
  if (size <= small_enough) return by_all_eigenvalues(size, apply);
  VectorXd x(size), y(size);
  for (int k = 0; k < size; ++k) x[k] = std::sin(1.0 + 2.3 * k + 0.01 * k * k);  // no pattern
  const int m = directions;
  MatrixXd Q(size, m + 1), H(m + 1, m);
  double before = -1;
  for (int turn = 0; turn < (size > too_large ? 10 * restarts : restarts); ++turn) {
    for (int k = 0; k < (turn == 0 ? settle : settle / 2); ++k) {
      x.normalize();
      apply(x.data(), y.data());
      x.swap(y);
    }
    const double length = x.norm();
    if (length == 0) return 0;
    if (!std::isfinite(length)) return INFINITY;
    H.setZero();
    Q.col(0) = x / length;
    int built = m;
    for (int j = 0; j < m; ++j) {
      apply(Q.col(j).data(), y.data());
      const double whole = y.norm();
      for (int twice = 0; twice < 2; ++twice) {
        const VectorXd h = Q.leftCols(j + 1).transpose() * y;
        y.noalias() -= Q.leftCols(j + 1) * h;
        H.col(j).head(j + 1) += h;
      }
      const double rest = y.norm();
      if (!std::isfinite(rest)) return INFINITY;
      if (rest <= 1e-14 * whole) {
        built = j + 1;
        break;
      }
      H(j + 1, j) = rest;
      Q.col(j + 1) = y / rest;
    }
    const std::optional<ComplexEigen> small = complex_eigen(H.topLeftCorner(built, built));
    if (!small) break;
    const auto& [values, vectors] = *small;
    Eigen::Index top = 0;
    const double radius = values.cwiseAbs().maxCoeff(&top);
    if (built < m) return radius;
    const double residual = std::abs(H(m, m - 1)) * std::abs(vectors(m - 1, top));
    if (residual <= tolerance * radius || std::abs(radius - before) <= 0.1 * tolerance * radius)
      return radius;
    before = radius;
    // Again, from the outermost found.
    VectorXd outer = VectorXd::Zero(m);
    std::vector<std::pair<double, int>> order;
    for (int k = 0; k < m; ++k) order.emplace_back(-std::abs(values[k]), k);
    std::sort(order.begin(), order.end());
    for (int k = 0; k < m / 2; ++k)
      outer += vectors.col(order[k].second).real() + vectors.col(order[k].second).imag();
    x = Q.leftCols(m) * outer;
  }
  // Of an operator this large all eigenvalues would take hours: the outermost that was found.
  if (size > too_large && before >= 0) return before;
  return by_all_eigenvalues(size, apply);
}

}  // namespace parid::control
