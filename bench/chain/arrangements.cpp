// The papers' arrangements over SIMD lanes, one block of links per lane, one thread. Compiled for
// the machine that runs it. Both read rows and write rows, including sines, as all contestants do.

#include "bench/chain/contestant.hpp"
#include "bench/layer.hpp"
#include "formulation/lathrop.hpp"
#include "formulation/lee_chang.hpp"
#include "runtime/kernel/chain_kernel.hpp"
#include "scalar/pack.hpp"

namespace parid::bench {
namespace {

#if defined(__AVX512F__)
using Isa = Avx512;
#elif defined(__AVX2__)
using Isa = Avx2;
#else
using Isa = Baseline;
#endif
constexpr int W = lanes_of<Isa, double>;
using T = Pack<W, double, Isa>;
using One = Pack<1, double, Isa>;

template <class X>
using Lines = std::vector<X, parid::math::detail::CacheLineAllocator<X>>;

template <template <class> class X>
X<One> lane(const X<T>& x, int k) {
  X<One> y;
  for (std::size_t c = 0; c < sizeof(y) / sizeof(One); ++c)
    reinterpret_cast<One*>(&y)[c] = One(reinterpret_cast<const T*>(&x)[c][k]);
  return y;
}
template <template <class> class X>
void set_lane(X<T>& x, int k, const X<One>& y) {
  for (std::size_t c = 0; c < sizeof(y) / sizeof(One); ++c)
    reinterpret_cast<T*>(&x)[c].set(k, reinterpret_cast<const One*>(&y)[c][0]);
}

// x[i] of lane k becomes the prefix up to link k·s + i: within the lanes, across them, onto them.
template <template <class> class X, class Combine>
void prefix(X<T>* x, int s, const X<One>& start, const Combine& combine) {
  for (int i = 1; i < s; ++i) x[i] = combine(x[i - 1], x[i]);
  X<T> before;
  X<One> total = start;
  for (int k = 0; k < W; ++k) {
    set_lane<X>(before, k, total);
    total = combine(total, lane<X>(x[s - 1], k));
  }
  for (int i = 0; i < s; ++i) x[i] = combine(before, x[i]);
}
template <template <class> class X, class Combine>
void suffix(X<T>* x, int s, const X<One>& end, const Combine& combine) {
  for (int i = s - 2; i >= 0; --i) x[i] = combine(x[i], x[i + 1]);
  X<T> after;
  X<One> total = end;
  for (int k = W - 1; k >= 0; --k) {
    set_lane<X>(after, k, total);
    total = combine(lane<X>(x[0], k), total);
  }
  for (int i = 0; i < s; ++i) x[i] = combine(x[i], after);
}

const auto add = [](const auto& x, const auto& y) { return x + y; };
const auto combine = [](const auto& x, const auto& y) { return lathrop_combined(x, y); };

// Data that both need: constants by lane, and a rotation for each link.
struct Links {
  int n, s;
  Lines<Mat3<T>> E, A;
  Lines<Vec3<T>> far, from_far, centre;  // next joint; centre of mass from there, from the origin
  Lines<T> mass, offset, v, a;
  Lines<Sym3<T>> J;
  Vec3<One> gravity;

  explicit Links(const CanonicalModel& c) : n(c.topology.n), s((n + W - 1) / W) {
    E.resize(s, Mat3<T>::identity());
    A.resize(s);
    far.resize(s);
    from_far.resize(s);
    centre.resize(s);
    mass.resize(s);
    offset.resize(s);
    v.resize(s);
    a.resize(s);
    J.resize(s);
    const Mechanism<One> m(c.mechanism);
    gravity = m.gravity;
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < W; ++k) {
        const int l = k * s + i + 1;
        if (l > n) continue;
        const Vec3<One> p = l < n ? m.placing[l + 1].vec(9) : Vec3<One>();
        set_lane<Mat3>(E[i], k, m.placing[l].mat(0));
        set_lane<Vec3>(far[i], k, p);
        set_lane<Vec3>(centre[i], k, m.centre[l].vec(0));
        set_lane<Vec3>(from_far[i], k, m.centre[l].vec(0) - p);
        set_lane<Sym3>(J[i], k, m.centre[l].sym(3));
        mass[i].set(k, m.body[l][0][0]);
        offset[i].set(k, c.joint[l].offset);
      }
  }
  void read(const double* q, const double* qd, const double* qdd) {
    for (int i = 0; i < s; ++i) {
      T x;
      for (int k = 0; k < W; ++k)
        if (const int l = k * s + i; l < n) {
          x.set(k, q[l]);
          v[i].set(k, qd[l]);
          a[i].set(k, qdd[l]);
        }
      const auto [si, co] = sin_cos(x + offset[i]);
      A[i] = E[i] * rotation_z(SinCos<T>{si, co});
    }
  }
  void write(const Lines<T>& tau, double* to) const {
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < W; ++k)
        if (k * s + i < n) to[k * s + i] = tau[i][k];
  }
};

// The value of the next or the previous link: lane k's last link precedes lane k + 1's first.
template <template <class> class X>
X<T> next(const Lines<X<T>>& x, int i, const X<One>& end) {
  if (i + 1 < static_cast<int>(x.size())) return x[i + 1];
  X<T> y;
  for (int k = 0; k + 1 < W; ++k) set_lane<X>(y, k, lane<X>(x[0], k + 1));
  set_lane<X>(y, W - 1, end);
  return y;
}

struct LeeChangLanes {
  Links l;
  Lines<LeeChangLink<T>> link;
  Lines<Mat3<T>> R;
  Lines<Vec3<T>> w, wd, pdd, f, n;
  Lines<T> tau;

  explicit LeeChangLanes(const CanonicalModel& c)
      : l(c), link(l.s), R(l.s), w(l.s), wd(l.s), pdd(l.s), f(l.s), n(l.s), tau(l.s) {
    for (int i = 0; i < l.s; ++i) {
      link[i].p_own = l.far[i];
      link[i].s_own = l.from_far[i];
      link[i].mass = l.mass[i];
      link[i].J = l.J[i];
      link[i].turns = true;
    }
  }
  void operator()(const double* q, const double* v, const double* a, double* to) {
    l.read(q, v, a);
    const int s = l.s;
    for (int i = 0; i < s; ++i) R[i] = l.A[i];
    prefix<Mat3>(R.data(), s, Mat3<One>::identity(),
                 [](const auto& x, const auto& y) { return x * y; });
    for (int i = 0; i < s; ++i) {
      link[i].R0 = R[i];
      link[i].turn_to_base();
      link[i].velocity(l.v[i]);
      w[i] = link[i].b;
    }
    prefix<Vec3>(w.data(), s, {}, add);
    for (int i = 0; i < s; ++i) {
      const Vec3<T> before = w[i] - link[i].z_qd;
      link[i].acceleration(l.a[i], before);
      wd[i] = link[i].b;
    }
    prefix<Vec3>(wd.data(), s, {}, add);
    for (int i = 0; i < s; ++i) {
      link[i].origin(w[i], wd[i]);
      pdd[i] = link[i].b;
    }
    prefix<Vec3>(pdd.data(), s, -l.gravity, add);
    for (int i = 0; i < s; ++i) {
      link[i].newton(w[i], wd[i], pdd[i]);
      link[i].euler(w[i], wd[i]);
      f[i] = link[i].F;
    }
    suffix<Vec3>(f.data(), s, {}, add);
    for (int i = 0; i < s; ++i) {
      link[i].f_next = f[i] - link[i].F;
      link[i].moment();
      n[i] = link[i].b;
    }
    suffix<Vec3>(n.data(), s, {}, add);
    for (int i = 0; i < s; ++i) tau[i] = link[i].torque(f[i], n[i]);
    l.write(tau, to);
  }
};

struct LathropLanes {
  Links l;
  Lines<LathropMotion<T>> x;
  Lines<LathropForce<T>> y;
  Lines<T> tau;

  explicit LathropLanes(const CanonicalModel& c) : l(c), x(l.s), y(l.s), tau(l.s) {}
  void operator()(const double* q, const double* v, const double* a, double* to) {
    l.read(q, v, a);
    const T o(0.0);
    for (int i = 0; i < l.s; ++i)
      x[i] = lathrop_leaf(l.A[i], l.far[i], JointKind::revolute, {o, o, l.v[i]}, {o, o, l.a[i]});
    prefix<LathropMotion>(x.data(), l.s, {Mat3<One>::identity(), {}, {}, {}, {}, {}, -l.gravity},
                          combine);
    for (int i = 0; i < l.s; ++i) {
      Vec3<T> F, N;
      lathrop_newton_euler<T>({l.mass[i], l.from_far[i], l.J[i]}, x[i], F, N);
      y[i] = {next<Mat3>(l.A, i, Mat3<One>::identity()), l.far[i], F, N + cross(l.centre[i], F)};
    }
    suffix<LathropForce>(y.data(), l.s, {Mat3<One>::identity(), {}, {}, {}}, combine);
    for (int i = 0; i < l.s; ++i) tau[i] = y[i].n.z;
    l.write(tau, to);
  }
};

template <class Arrangement>
void add_one(ChainContestants& all, const char* name, const CanonicalModel& c) {
  auto it = std::make_shared<Arrangement>(c);
  all.push_back({name, 1, [=](const double* q, const double* v, const double* a, double* tau) {
                   (*it)(q, v, a, tau);
                 }});
}

}  // namespace

void add_arrangements(ChainContestants& all, const CanonicalModel& c) {
  add_one<LeeChangLanes>(all, "Lee-Chang's, in lanes", c);
  add_one<LathropLanes>(all, "Lathrop's, in lanes", c);
}

}  // namespace parid::bench
