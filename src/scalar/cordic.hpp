// The CORDIC module: an adder tree that rotates vectors (circular, linear or hyperbolic).
//
// Source   C.S.G. Lee, P.R. Chang: Computational Structures for Robotic Computations, Purdue
//          University, section 2; J.S. Walther, A unified algorithm for elementary functions
//          (1971).
// Modules  the results for x, y, z; `1` drives z to zero, `2` drives y to zero
//            circ1   x cos z + y sin z      y cos z − x sin z     0
//            circ2   √(x² + y²)             0                     z − atan2(y, x), whole turns off
//            lin1    x                      y + x z               0
//            lin2    x                      0                     z − y / x
//            hype1   x cosh z − y sinh z    y cosh z − x sinh z   0
//            hype2   √(x² − y²)             0                     z − atanh(y / x)
// Differs  the paper omits the steps for operands of any size. Hyperbolic shifts 4, 13, 40 are done
//          twice; otherwise the angles do not cover the range. Operands outside the range of
//          convergence are reduced by quarter turns, whole turns and shifts, and the result is
//          restored (`reduced`, `restored`). lin1 adds where the paper subtracts.
//
// The same text runs on double (CordicReal) and on integers that hold fixed-point numbers
// (CordicFixed, fixed.hpp): an arithmetic defines shifts and constants. On integers every step is
// what hardware does, and hardware/verilog writes the same steps as Verilog.

#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "scalar/cordic_constants.hpp"
#include "scalar/layer.hpp"

namespace parid::scalar {

enum class Box : std::uint8_t { circ1, circ2, lin1, lin2, hype1, hype2 };
inline constexpr std::array<const char*, 6> box_names = {"circ1", "circ2", "lin1",
                                                         "lin2",  "hype1", "hype2"};
constexpr const char* name_of(Box box) { return box_names[static_cast<std::size_t>(box)]; }
constexpr bool drives_z(Box b) { return b == Box::circ1 || b == Box::lin1 || b == Box::hype1; }
constexpr bool circular(Box b) { return b == Box::circ1 || b == Box::circ2; }
constexpr bool linear(Box b) { return b == Box::lin1 || b == Box::lin2; }
constexpr bool hyperbolic(Box b) { return b == Box::hype1 || b == Box::hype2; }

// How the gain of the vector is corrected: by separate steps at the end (Eq. 10), or within the
// rotation with the same shift (Eq. 11).
enum class Normalising : std::uint8_t { after, interleaved };

// One shift-and-add factor 1 + sign · 2^−shift.
struct ScaleStep {
  int shift, sign;
};

// The shifts of the rotations: 0 1 2 …, hyperbolic 1 2 3 4 4 5 … 13 13 …, to iterations − 1.
std::vector<int> cordic_shifts(Box, int iterations);
// The angle of a rotation with that shift. Hyperbolic shifts start at 1.
CordicConstant cordic_angle(Box, int shift);
// The factors that correct the gain of these rotations, to 2^−bits.
std::vector<ScaleStep> cordic_scale(Box, const std::vector<int>& shifts, int bits);
// The start length that this many circular rotations scale to 1.
CordicConstant cordic_start(int turns);

template <class N>
struct CordicValue {
  N x, y, z;
};

// The arithmetic of a CORDIC module on double.
struct CordicReal {
  using Number = double;
  int bits = 55;

  int top() const { return 0; }  // the exponent to which operands are scaled
  Number number(const CordicConstant& c) const { return c.value(); }
  Number shifted(Number x, int right) const { return std::ldexp(x, -right); }
  int exponent(Number x) const { return std::ilogb(x); }  // 2^e ≤ |x| < 2^(e+1)
  int nearest(Number z, const CordicConstant& unit) const {
    return static_cast<int>(std::nearbyint(z / unit.value()));
  }
  int whole_turns(Number z) const { return nearest(z, whole_turn()); }
  int largest_shift() const { return 1000; }
  Number inner(Number x) const { return x; }
  Number outer(Number x) const { return x; }
};

template <class Arithmetic>
class Cordic {
 public:
  using Number = typename Arithmetic::Number;
  using Value = CordicValue<Number>;

  Arithmetic arithmetic;
  int iterations;
  Normalising normalising;

  explicit Cordic(Arithmetic a, int iterations_, Normalising n = Normalising::after)
      : arithmetic(a), iterations(iterations_), normalising(n) {
    for (std::size_t b = 0; b < 6; ++b) {
      const Box box = static_cast<Box>(b);
      plan_[b].shifts = cordic_shifts(box, iterations);
      for (const int s : plan_[b].shifts) plan_[b].angles.push_back(a.number(cordic_angle(box, s)));
      plan_[b].scale = cordic_scale(box, plan_[b].shifts, a.bits);
    }
  }

  Value operator()(Box box, Number x, Number y, Number z) const {
    const Arithmetic& a = arithmetic;
    Around around;
    Value v = reduced(box, {a.inner(x), a.inner(y), a.inner(z)}, around);
    v = turned(box, v);
    v = restored(box, v, around);
    return {a.outer(v.x), a.outer(v.y), a.outer(v.z)};
  }
  const std::vector<int>& shifts(Box box) const { return plan(box).shifts; }
  const std::vector<ScaleStep>& scale(Box box) const { return plan(box).scale; }
  // How many of those factors, the first ones, are applied within the rotation of the same
  // shift.
  std::size_t scaled_within(Box box) const {
    if (normalising == Normalising::after || plan(box).shifts.empty()) return 0;
    std::size_t k = 0;
    while (k < plan(box).scale.size() && plan(box).scale[k].shift <= plan(box).shifts.back()) ++k;
    return k;
  }

 private:
  struct Plan {
    std::vector<int> shifts;
    std::vector<Number> angles;
    std::vector<ScaleStep> scale;
  };
  struct Around {  // data of the reduction that the restoration needs
    int shift = 0, turns = 0;
    Number x{}, y{}, z{};
    bool nothing = false;  // the vector is zero
  };
  const Plan& plan(Box box) const { return plan_[static_cast<std::size_t>(box)]; }

  Value reduced(Box box, Value v, Around& r) const {
    const Arithmetic& a = arithmetic;
    r.x = v.x;
    r.y = v.y;
    r.z = v.z;
    const Number quarter = a.number(quarter_turn());
    switch (box) {
      case Box::circ1:
        v.z = whole_turns_off(v.z);
        if (v.z > quarter) return {v.y, -v.x, v.z - quarter};
        if (v.z < -quarter) return {-v.y, v.x, v.z + quarter};
        return v;
      case Box::circ2:
        if (v.x == 0 && v.y == 0) return r.nothing = true, v;
        if (v.x < 0)
          v = v.y < 0 ? Value{-v.y, v.x, v.z + quarter} : Value{v.y, -v.x, v.z - quarter};
        r.shift = a.top() - larger_exponent(v.x, v.y);
        return {a.shifted(v.x, -r.shift), a.shifted(v.y, -r.shift), v.z};
      case Box::lin1:
        if (v.z == 0) return r.nothing = true, v;
        r.shift = a.exponent(v.z) > 0 ? a.exponent(v.z) : 0;
        return {v.x, Number{}, -a.shifted(v.z, r.shift)};
      case Box::lin2: {
        if (v.x < 0) {
          v.x = -v.x;
          v.y = -v.y;
        }
        if (v.x == 0 || v.y == 0) return r.nothing = true, v;
        const int up_x = a.top() - a.exponent(v.x), up_y = a.top() - a.exponent(v.y);
        r.shift = up_x - up_y;
        return {a.shifted(v.x, -up_x), a.shifted(v.y, -up_y), Number{}};
      }
      case Box::hype1:
        r.turns = a.nearest(v.z, log_of_two());
        return {v.x, v.y, v.z - static_cast<Number>(r.turns) * a.number(log_of_two())};
      case Box::hype2: {
        Number u = v.x + v.y, w = v.x - v.y;  // √(u w), and half the logarithm of u / w
        if (!(u > 0) || !(w > 0)) return r.nothing = true, v;
        const int k = (a.exponent(u) - a.exponent(w)) / 2;
        if (k > 0) w = a.shifted(w, -2 * k);
        if (k < 0) u = a.shifted(u, 2 * k);
        const int up = a.top() + 1 - larger_exponent(u, w);
        u = a.shifted(u, -up);
        w = a.shifted(w, -up);
        r.shift = up + (k < 0 ? -k : k);
        return {a.shifted(u + w, 1), a.shifted(u - w, 1),
                v.z - static_cast<Number>(k) * a.number(log_of_two())};
      }
    }
    return v;
  }

  Value turned(Box box, Value v) const {
    const Arithmetic& a = arithmetic;
    const Plan& p = plan(box);
    std::size_t factor = 0;
    auto scaled = [&] {
      const ScaleStep& f = p.scale[factor++];
      const Number dx = a.shifted(v.x, f.shift), dy = a.shifted(v.y, f.shift);
      v.x = f.sign > 0 ? v.x + dx : v.x - dx;
      v.y = f.sign > 0 ? v.y + dy : v.y - dy;
    };
    for (std::size_t i = 0; i < p.shifts.size(); ++i) {
      const bool minus = drives_z(box) ? v.z < 0 : v.y < 0;
      const Number dx = a.shifted(v.y, p.shifts[i]), dy = a.shifted(v.x, p.shifts[i]);
      if (circular(box)) v.x = minus ? v.x - dx : v.x + dx;
      if (hyperbolic(box)) v.x = minus ? v.x + dx : v.x - dx;
      v.y = minus ? v.y + dy : v.y - dy;
      v.z = minus ? v.z + p.angles[i] : v.z - p.angles[i];
      if (normalising == Normalising::interleaved)
        while (factor < p.scale.size() && p.scale[factor].shift <= p.shifts[i]) scaled();
    }
    while (factor < p.scale.size()) scaled();
    return v;
  }

  Value restored(Box box, Value v, const Around& r) const {
    const Arithmetic& a = arithmetic;
    const Number zero{};
    auto most = [&](int left) { return left < a.largest_shift() ? left : a.largest_shift(); };
    switch (box) {
      case Box::circ1: return {v.x, v.y, zero};
      case Box::circ2:
        if (r.nothing) return {zero, zero, whole_turns_off(r.z)};
        return {a.shifted(v.x, r.shift), zero, whole_turns_off(v.z)};
      case Box::lin1: return {r.x, r.nothing ? r.y : r.y + a.shifted(v.y, -r.shift), zero};
      case Box::lin2: return {r.x, zero, r.nothing ? r.z : r.z + a.shifted(v.z, -most(r.shift))};
      case Box::hype1: {
        const Number plus = a.shifted(v.x + v.y, -most(-r.turns)),
                     minus = a.shifted(v.x - v.y, -most(r.turns));
        return {a.shifted(plus + minus, 1), a.shifted(plus - minus, 1), zero};
      }
      case Box::hype2:
        if (r.nothing) return {zero, zero, r.z};
        return {a.shifted(v.x, r.shift), zero, v.z};
    }
    return v;
  }

  Number whole_turns_off(Number z) const {
    const Number turn = arithmetic.number(whole_turn());
    return z - static_cast<Number>(arithmetic.whole_turns(z)) * turn;
  }
  int larger_exponent(Number x, Number y) const {
    if (x == 0) return arithmetic.exponent(y);
    if (y == 0) return arithmetic.exponent(x);
    const int ex = arithmetic.exponent(x), ey = arithmetic.exponent(y);
    return ex > ey ? ex : ey;
  }

  std::array<Plan, 6> plan_;
};

// Any double, to nearly its last bits.
inline Cordic<CordicReal> cordic_real(Normalising n = Normalising::after) {
  return Cordic<CordicReal>({}, 55, n);
}

}  // namespace parid::scalar
