// Entries of the gradients of inverse dynamics between freedoms of different links, for number
// types whose neighbours in a row share registers: one freedom with a register of others at a time.
// inverse_gradient.hpp has the formulas and the symbols. Of robots without joints that mimic
// others.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/tree_paths.hpp"
#include "dynamics/world_frame_sweep.hpp"
#include "scalar/packed_row.hpp"

namespace parid::dynamics {

template <class T>
class PathEntries {
  using Row = PackedRow<T>;
  using Wide = typename Row::type;
  static constexpr bool packed = Row::numbers > 1;

 public:
  explicit PathEntries(const CanonicalModel& c)
      : c_(c),
        stride_(packed ? padded<T>(static_cast<int>(c.freedom.size())) : 0),
        side_(static_cast<std::size_t>(numbers * stride_), T(0.0)),
        row_(static_cast<std::size_t>(5 * stride_), T(0.0)),
        by_a_(packed ? c.freedom.size() : 0),
        by_parent_(by_a_.size()),
        paths_(c, packed ? Row::numbers : 0) {}

  static bool apply_to(const CanonicalModel& c) { return packed && !c.has_mimic; }

  void set_motion(int k, const Twist<T>& S, const Twist<T>& P, const Twist<T>& PP,
                  const Twist<T>& PS) {
    put(k, 0, S.linear, S.angular);
    put(k, 6, P.angular);
    put(k, 9, PP.linear, PP.angular);
    put(k, 15, PS.linear, PS.angular);
  }
  // 2B P + I P̈ + S × f, 2B S + I (P + Ṡ), I S, and the moment of 2Bᵀ S.
  void set_forces(int k, const Wrench<T>& by_q, const Wrench<T>& by_v, const Wrench<T>& by_a,
                  const Vec3<T>& by_parent) {
    put(k, 21, by_q.f, by_q.n);
    put(k, 27, by_v.f, by_v.n);
    by_a_[k] = by_a;
    by_parent_[k] = by_parent;
  }

  void write(const std::vector<Twist<T>>& axis, T* dq, T* dv, T* da) {
    const T *before_q = row_.data(), *before_v = before_q + stride_, *both = before_v + stride_,
            *beyond_q = both + stride_, *beyond_v = beyond_q + stride_;
    const int n = c_.nv;
    for (int i = 1; i <= c_.topology.n; ++i) {
      const FreedomPaths::OfLink& path = paths_[i];
      for (int k = c_.first[i]; k < c_.first[i + 1]; ++k) {
        for (const int first : path.registers_before) before(k, first);
        for (const int first : path.registers_beyond) beyond(first, axis[k]);
        const int column = c_.freedom[k].column;
        T *q = dq + column * n, *v = dv + column * n, *m = da + column * n, *down = da + column;
        for (const auto& [a, j] : path.before) {
          q[j] = before_q[a];
          v[j] = before_v[a];
          m[j] = down[j * n] = both[a];
        }
        for (const auto& [b, j] : path.beyond) {
          q[j] = beyond_q[b];
          v[j] = beyond_v[b];
        }
      }
    }
  }

 private:
  // Numbers of freedom k beside those of its neighbours.
  void put(int k, int from, const Vec3<T>& x) {
    T* to = &side_[static_cast<std::size_t>(from * stride_ + k)];
    to[0] = x.x;
    to[stride_] = x.y;
    to[2 * stride_] = x.z;
  }
  void put(int k, int from, const Vec3<T>& x, const Vec3<T>& y) {
    put(k, from, x);
    put(k, from + 3, y);
  }
  // Of the register of freedoms that starts with `first`.
  Vec3<Wide> beside(int first, int from) const {
    const T* x = &side_[static_cast<std::size_t>(from * stride_ + first)];
    return {Row::load(x), Row::load(x + stride_), Row::load(x + 2 * stride_)};
  }
  static Vec3<Wide> spread(const Vec3<T>& x) {
    return {Row::spread(x.x), Row::spread(x.y), Row::spread(x.z)};
  }
  // Of row k with freedoms between its link and the base.
  void before(int k, int first) {
    const Wrench<Wide> by_a{spread(by_a_[k].f), spread(by_a_[k].n)};
    const Vec3<Wide> row = spread(by_parent_[k]);
    const Twist<Wide> S{beside(first, 0), beside(first, 3)};
    T* to = &row_[static_cast<std::size_t>(first)];
    Row::store(to, dot(row, beside(first, 6)) +
                       dot(Twist<Wide>{beside(first, 9), beside(first, 12)}, by_a));
    Row::store(to + stride_,
               dot(row, S.angular) + dot(Twist<Wide>{beside(first, 15), beside(first, 18)}, by_a));
    Row::store(to + 2 * stride_, dot(S, by_a));
  }
  // Of a row whose freedom has this axis, with freedoms beyond its link.
  void beyond(int first, const Twist<T>& axis) {
    const Twist<Wide> S{spread(axis.linear), spread(axis.angular)};
    T* to = &row_[static_cast<std::size_t>(3 * stride_ + first)];
    Row::store(to, dot(S, Wrench<Wide>{beside(first, 21), beside(first, 24)}));
    Row::store(to + stride_, dot(S, Wrench<Wide>{beside(first, 27), beside(first, 30)}));
  }

  const CanonicalModel& c_;
  // Rows of stride_ numbers, one of each freedom: S, P's angular part, P̈, P + Ṡ, the derivatives by
  // q with S × f and by v.
  static constexpr int numbers = 33;
  int stride_;
  std::vector<T, math::detail::CacheLineAllocator<T>> side_, row_;
  std::vector<Wrench<T>> by_a_;
  std::vector<Vec3<T>> by_parent_;
  FreedomPaths paths_;
};

}  // namespace parid::dynamics
