// Positions near a configuration as a vector u of nv numbers: q = integrate(base, u). Integrators
// work on u, which is zero at the start of a step; so quaternions keep their length and floating
// bodies their screws, and a method keeps its order on every kind of joint (Munthe-Kaas:
// Runge-Kutta methods on Lie groups). model/joint/chart_rate.hpp relates u̇ to velocities.

#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "model/joint/chart_rate.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/manifold.hpp"
#include "parid/robot.hpp"
#include "simulation/layer.hpp"

namespace parid::simulation {

class Chart {
 public:
  explicit Chart(const Robot& robot) : robot_(robot) {
    int first = 0;
    for (const JointDescription& j : robot.description().joints) {
      if (j.mimic) continue;
      if (j.type == JointType::spherical) turning_.push_back({first, false});
      if (j.type == JointType::floating) turning_.push_back({first, true});
      first += velocity_count(j);
    }
  }

  void position(const double* base, const double* u, double* q) const {
    integrate(robot_.description(), base, u, q);
  }

  void rate(const double* u, const double* v, double* du) const {
    chart_rate(robot_.description(), u, v, du);
  }

  // Operators of variational methods, applied to momenta p in place: transposes of
  //   dexp(u)      maps velocities of u to velocities of exp(u): 1 + ½ [u, ·] + 1/6 [u, [u, ·]] + …
  //   its inverse  1 − ½ [u, ·] + 1/12 [u, [u, ·]] − …
  //   Ad(exp(u))   1 + [u, ·] + ½ [u, [u, ·]] + …
  // For joints whose positions are numbers all three are 1.
  void transposed_dexp(const double* u, double* p) const {
    static constexpr Series c{1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040};
    add_up(c, u, p);
  }
  void transposed_dexp_inverse(const double* u, double* p) const {
    static constexpr Series c{1, -1. / 2, 1. / 12, 0, -1. / 720, 0, 1. / 30240};
    add_up(c, u, p);
  }
  void transposed_adjoint(const double* u, double* p) const {
    static constexpr Series c{1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720};
    add_up(c, u, p);
  }
  // rate −= [v, ·]ᵀ p: subtracts the momentum's rate due to the rotation of its frame.
  void subtract_turning(const double* v, const double* p, double* rate) const {
    for (const Turning& t : turning_)
      t.write(t.read(rate) + (-1.0) * transposed_bracket(t.read(v), t.read(p)), rate);
  }

 private:
  struct Pair {  // linear, angular
    Vec3<double> v, w;
    friend Pair operator+(const Pair& a, const Pair& b) { return {a.v + b.v, a.w + b.w}; }
    friend Pair operator*(double s, const Pair& a) { return {s * a.v, s * a.w}; }
  };
  // ⟨[a, ·]ᵀ p, b⟩ = ⟨p, [a, b]⟩
  static Pair transposed_bracket(const Pair& a, const Pair& p) {
    return {cross(p.v, a.w), cross(p.w, a.w) + cross(p.v, a.v)};
  }

  using Series = std::array<double, 7>;
  void add_up(const Series& c, const double* u, double* p) const {
    for (const Turning& t : turning_) {
      const Pair U = t.read(u);
      Pair power = t.read(p), sum = power;
      for (std::size_t k = 1; k < c.size(); ++k) {
        power = transposed_bracket(U, power);
        sum = sum + c[k] * power;
      }
      t.write(sum, p);
    }
  }

  struct Turning {
    int first;
    bool floating;
    Pair read(const double* x) const {
      x += first;
      if (!floating) return {{}, {x[0], x[1], x[2]}};
      return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
    }
    void write(const Pair& p, double* x) const {
      x += first;
      if (floating) {
        x[0] = p.v.x;
        x[1] = p.v.y;
        x[2] = p.v.z;
        x += 3;
      }
      x[0] = p.w.x;
      x[1] = p.w.y;
      x[2] = p.w.z;
    }
  };

  Robot robot_;
  std::vector<Turning> turning_;
};

}  // namespace parid::simulation
