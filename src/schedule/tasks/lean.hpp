// A traced number that is known to be zero, one, or the negative of another, so that trivial
// operations are not recorded: 0·x, 1·x, x + 0, signs. A sign is carried along and turns the next
// sum into a difference.

#pragma once

#include "graph/expr.hpp"
#include "math/mat3.hpp"
#include "schedule/layer.hpp"

namespace parid::schedule {

class Lean {
 public:
  Lean() = default;  // 0
  explicit Lean(double number) : e_(number) {}
  explicit Lean(const Expr& e, bool negative = false) : e_(e), negative_(negative) {
    if (e_.is_number() && negative_) {
      e_ = Expr(-e_.number());
      negative_ = false;
    }
  }
  bool is(double x) const { return e_.is_number() && e_.number() == x; }
  bool is_number() const { return e_.is_number(); }

  // As a plain expression; records a remaining sign.
  Expr expr() const { return negative_ ? -e_ : e_; }

  Lean operator-() const { return Lean(e_, !negative_); }
  friend Lean operator*(const Lean& a, const Lean& b) {
    if (a.is(0) || b.is(0)) return Lean();
    if (a.is(1)) return b;
    if (b.is(1)) return a;
    if (a.is(-1)) return -b;
    if (b.is(-1)) return -a;
    return Lean(a.e_ * b.e_, a.negative_ != b.negative_);
  }
  friend Lean operator+(const Lean& a, const Lean& b) {
    if (a.is(0)) return b;
    if (b.is(0)) return a;
    if (a.negative_ == b.negative_) return Lean(a.e_ + b.e_, a.negative_);
    return a.negative_ ? Lean(b.e_ - a.e_) : Lean(a.e_ - b.e_);
  }
  friend Lean operator-(const Lean& a, const Lean& b) { return a + -b; }

  friend Lean operator/(const Lean& a, const Lean& b) {
    if (a.is(0) || b.is(1)) return a;
    return Lean(a.e_ / b.e_, a.negative_ != b.negative_);
  }
  friend Lean sqrt(const Lean& a) { return Lean(sqrt(a.expr())); }
  friend Lean abs(const Lean& a) { return Lean(abs(a.e_)); }
  friend Lean atan2(const Lean& y, const Lean& x) { return Lean(atan2(y.expr(), x.expr())); }
  friend SinCos<Lean> sin_cos(const Lean& a) {
    const SinCos<Expr> x = sin_cos(a.expr());
    return {Lean(x.sin), Lean(x.cos)};
  }
  friend ExprMask operator<(const Lean& a, const Lean& b) { return a.expr() < b.expr(); }
  friend Lean select(const ExprMask& mask, const Lean& a, const Lean& b) {
    return Lean(select(mask, a.expr(), b.expr()));
  }

 private:
  Expr e_;
  bool negative_ = false;
};

static_assert(Scalar<Lean>);

}  // namespace parid::schedule
