// The chain kernel as a template over its number type. Included only by the files that compile it
// for one instruction set each; see kernel_of.hpp.
//
// Coordinates: a stretch's start is the link before its first, or the base. "In the stretch" means
// in that link's frame. Group: the W stretches that share registers (chain_layout.hpp). In a chain
// they are consecutive, and a scan over lanes joins them; in a tree they are joined one by one.

#pragma once

#include <utility>

#include "base/threads/phased_thread_pool.hpp"
#include "runtime/kernel/chain_kernel.hpp"
#include "runtime/kernel/chain_layout.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/layer.hpp"
#include "scalar/lane_moves.hpp"

namespace parid::runtime {

// ---- placement of a link in its parent: first E, then the joint's rotation about z. `arm` is the
// link's origin from the parent's in the axes after E, where a prismatic joint is along z.

template <class T>
struct DenseStand {
  static constexpr int numbers = 12;
  Mat3<T> E;
  Vec3<T> arm;

  static DenseStand load(const T* x) {
    return {{{x[0], x[1], x[2]}, {x[3], x[4], x[5]}, {x[6], x[7], x[8]}}, {x[9], x[10], x[11]}};
  }
  static void numbers_of(const ChainLink& l, double* x) {
    for (int k = 0; k < 9; ++k) x[k] = l.E[k];
    for (int k = 0; k < 3; ++k) x[9 + k] = l.arm[k];
  }
  Mat3<T> after(const Mat3<T>& W) const { return W * E; }
  Vec3<T> into(const Vec3<T>& v) const { return transposed_times(E, v); }
  Vec3<T> out(const Vec3<T>& v) const { return E * v; }
  Vec3<T> along(const Mat3<T>& M) const { return M * arm; }
  Vec3<T> in_parent() const { return E * arm; }
  Vec3<T> arm_cross(const Vec3<T>& f) const { return cross(arm, f); }
  void slide(const T& q) { arm.z = arm.z + q; }
};

// E is a rotation about x only, and the arm has no y: Denavit-Hartenberg frames.
template <class T>
struct TwistStand {
  static constexpr int numbers = 4;
  T c, s, a, d;

  static TwistStand load(const T* x) { return {x[0], x[1], x[2], x[3]}; }
  static void numbers_of(const ChainLink& l, double* x) {
    x[0] = l.E[4];
    x[1] = l.E[7];
    x[2] = l.arm[0];
    x[3] = l.arm[2];
  }
  Mat3<T> after(const Mat3<T>& W) const { return {row(W.r0), row(W.r1), row(W.r2)}; }
  Vec3<T> row(const Vec3<T>& r) const { return {r.x, r.y * c + r.z * s, r.z * c - r.y * s}; }
  Vec3<T> into(const Vec3<T>& v) const { return row(v); }
  Vec3<T> out(const Vec3<T>& v) const { return {v.x, v.y * c - v.z * s, v.y * s + v.z * c}; }
  Vec3<T> along(const Mat3<T>& M) const {
    return {M.r0.x * a + M.r0.z * d, M.r1.x * a + M.r1.z * d, M.r2.x * a + M.r2.z * d};
  }
  Vec3<T> in_parent() const { return {a, -(s * d), c * d}; }
  Vec3<T> arm_cross(const Vec3<T>& f) const { return {-(d * f.y), d * f.x - a * f.z, a * f.y}; }
  void slide(const T& q) { d = d + q; }
};

// ---- the kernel

template <int W, class Isa, template <class> class Stand, bool Slides>
class ChainKernelOf final : public Kernel<double> {
  using T = Pack<W, double, Isa>;
  using One = Pack<1, double, Isa>;
  using V = Vec3<T>;

  // A stretch, or several consecutive ones, relative to its start: rotation, position, velocity and
  // acceleration of its end; angular velocity and acceleration.
  template <class N>
  struct Stretch {
    Mat3<N> R = Mat3<N>::identity();
    Vec3<N> P, Q, c, w, wd;
  };
  template <class N>
  struct State {  // of the start
    Vec3<N> w, wd, vd;
  };

  template <class X>
  using Lines = std::vector<X, math::detail::CacheLineAllocator<X>>;

  struct alignas(64) Group {
    int index = 0, length = 0, first = 0;  // links of a stretch; of a chain, those before the group
    const int* columns = nullptr;          // ChainLayout::columns
    Lines<T> stand, body, drive, slides, external;
    Lines<T> in;     // q, v, a
    Lines<T> place;  // sine, cosine; axis, position in the stretch
    Lines<T> tau;
    Stretch<T> before;    // of a chain: the group's stretches before each, from the group's start
    Stretch<One> all;     // the whole group
    Wrench<T> beyond;     // force of the group's later lanes, at the group's start
    Wrench<One> exerted;  // by the whole group
  };

  struct alignas(64) Joined {  // of a tree: one stretch
    Stretch<One> x;
    State<One> start, end;
    Wrench<One> exerted, beyond;  // by itself; by the load at its end
  };

 public:
  ChainKernelOf(const CanonicalModel& c, int threads)
      : c_(c),
        n_(c.topology.n),
        layout_(c, W),
        threads_(threads < layout_.threads() ? threads : layout_.threads()),
        groups_(layout_.groups()),
        force_(threads_),
        joined_(layout_.straight() ? 0 : layout_.groups() * W),
        phased_pool_(make_phased_pool(threads_)),
        fallback_(best_kernels<KernelSet>().single(c)) {
    int longest = 0;
    for (int g = 0; g < layout_.groups(); ++g) {
      prepare(groups_[g], g);
      longest = longest < groups_[g].length ? groups_[g].length : longest;
    }
    for (auto& f : force_) f.resize(static_cast<std::size_t>(longest) * 6);
    set_base_motion({});
  }

  int lanes() const override { return 1; }

  void inverse_dynamics(const double* q, const double* v, const double* a, double* tau,
                        int) override {
    q_ = q;
    v_ = v;
    a_ = a;
    tau_ = tau;
    // A start depends on the stretches before it, a correction on those after it.
    static constexpr PhasedThreadPool::After phases[] = {PhasedThreadPool::After::earlier,
                                                         PhasedThreadPool::After::later};
    if (!layout_.straight())
      run_tree();
    else if (phased_pool_)
      phased_pool_->run(phases, [this](int phase, int part) { run(phase, part); });
    else {
      run(0, 0);
      run(1, 0);
      run(2, 0);
    }
  }

  void inverse_dynamics_with_friction(const double* q, const double* v, const double* a,
                                      const FrictionRows<double>& to, int rows) override {
    fallback_->inverse_dynamics_with_friction(q, v, a, to, rows);
  }
  // Not of batches.
  void take_rows(const RowLayout&) override {}
  void load_rows(const RowLayout&, const double* const*, int) override {}

  void set_base_motion(const BaseMotion<double>& b) override {
    fallback_->set_base_motion(b);
    auto one = [](const Vec3<double>& x) { return Vec3<One>{One(x.x), One(x.y), One(x.z)}; };
    const Vec3<double>& g = c_.mechanism.gravity;
    start_ = {one(b.w), one(b.wd), {One(b.vd.x - g.x), One(b.vd.y - g.y), One(b.vd.z - g.z)}};
  }
  void set_external(const std::vector<Wrench<double>>& w) override {
    fallback_->set_external(w);
    pushed_ = !w.empty();
    for (Group& g : groups_)
      for (int i = 0; pushed_ && i < g.length; ++i)
        for (int k = 0; k < W; ++k) {
          const int l = layout_.link(g.index, k, i);
          if (l == 0) continue;
          const double x[] = {w[l].f.x, w[l].f.y, w[l].f.z, w[l].n.x, w[l].n.y, w[l].n.z};
          for (int h = 0; h < 6; ++h) g.external[6 * i + h].set(k, x[h]);
        }
  }

 private:
  static constexpr int stand_numbers = Stand<T>::numbers;

  // Runs the groups of a thread in sequence.
  void run(int phase, int thread) {
    const int count = layout_.groups(), first = count * thread / threads_,
              end = count * (thread + 1) / threads_;
    if (phase == 0) {
      for (int k = first; k < end; ++k) scan_lanes(summarised(groups_[k]), groups_[k]);
    } else if (phase == 1) {
      State<One> at = start_;
      for (int k = 0; k < first; ++k) at = moved(groups_[k].all, at);
      for (int k = first; k < end; ++k) {
        sweep_lanes(groups_[k], at, force_[thread].data());
        at = moved(groups_[k].all, at);
      }
    } else {
      Wrench<One> beyond;
      for (int k = count - 1; k >= first; --k) {
        beyond = at_start(groups_[k].all, beyond);
        if (k < end) correct_lanes(groups_[k], beyond);
        beyond = beyond + groups_[k].exerted;
      }
    }
  }

  void run_tree() {
    const int count = layout_.stretches();
    for (Group& g : groups_) {
      const Stretch<T> x = summarised(g);
      for (int k = 0; k < W; ++k)
        joined_[g.index * W + k].x = {{lane(x.R.r0, k), lane(x.R.r1, k), lane(x.R.r2, k)},
                                      lane(x.P, k),
                                      lane(x.Q, k),
                                      lane(x.c, k),
                                      lane(x.w, k),
                                      lane(x.wd, k)};
    }
    for (int k = 0; k < count; ++k) {
      Joined& j = joined_[layout_.in_order(k)];
      const int parent = layout_.parent(layout_.in_order(k));
      j.start = parent < 0 ? start_ : joined_[parent].end;
      j.end = moved(j.x, j.start);
      j.beyond = {};
    }
    for (Group& g : groups_) {
      State<T> start;
      for (int k = 0; k < W; ++k) {
        const State<One>& s = joined_[g.index * W + k].start;
        put(start.w, k, s.w);
        put(start.wd, k, s.wd);
        put(start.vd, k, s.vd);
      }
      const Wrench<T> w = swept(g, start, force_[0].data());
      for (int k = 0; k < W; ++k) joined_[g.index * W + k].exerted = {lane(w.f, k), lane(w.n, k)};
    }
    for (int k = count - 1; k >= 0; --k) {
      Joined& j = joined_[layout_.in_order(k)];
      j.beyond = at_start(j.x, j.beyond);  // from now on at its start
      if (const int parent = layout_.parent(layout_.in_order(k)); parent >= 0)
        joined_[parent].beyond = joined_[parent].beyond + j.beyond + j.exerted;
    }
    for (Group& g : groups_) {
      Wrench<T> hanging;
      for (int k = 0; k < W; ++k) {
        put(hanging.f, k, joined_[g.index * W + k].beyond.f);
        put(hanging.n, k, joined_[g.index * W + k].beyond.n);
      }
      correct(g, hanging);
    }
  }

  void prepare(Group& g, int index) {
    g.index = index;
    g.length = layout_.length(index);
    g.first = layout_.first(index);
    g.columns = layout_.columns(index);
    const auto n = static_cast<std::size_t>(g.length);
    g.stand.resize(n * stand_numbers);
    g.body.resize(n * 10);
    g.drive.resize(n * 2);
    g.slides.resize(Slides ? n : 0);
    g.external.resize(n * 6);
    g.in.resize(n * 3);
    g.place.resize(n * 8);
    g.tau.resize(n);
    for (int i = 0; i < g.length; ++i)
      for (int k = 0; k < W; ++k) {
        const int l = layout_.link(index, k, i);
        const ChainLink one = l == 0 ? ChainLink() : chain_link(c_, l);
        double x[12];
        Stand<T>::numbers_of(one, x);
        for (int h = 0; h < stand_numbers; ++h) g.stand[stand_numbers * i + h].set(k, x[h]);
        for (int h = 0; h < 10; ++h) g.body[10 * i + h].set(k, one.body[h]);
        g.drive[2 * i].set(k, one.offset);
        g.drive[2 * i + 1].set(k, one.rotor_inertia);
        if constexpr (Slides) g.slides[i].set(k, one.slides ? 1 : 0);
      }
  }

  // ---- from rows of user coordinates to lanes and back: lane k reads its stretch, a register of
  // links at a time

  bool whole(const Group& g, int i) const {  // W links of every lane from i on, without padding
    return layout_.straight() && i + W <= g.length && g.first + (W - 1) * g.length + i + W <= n_;
  }
  void fetch(Group& g, const double* x, int which) {
    int i = 0;
    for (; whole(g, i); i += W) {
      T rows[W];
      for (int k = 0; k < W; ++k)
        __builtin_memcpy(&rows[k].lane, x + g.first + k * g.length + i, sizeof rows[k].lane);
      turn_over(rows);
      for (int r = 0; r < W; ++r) g.in[3 * (i + r) + which] = rows[r];
    }
    for (const int* column = g.columns + i * W; i < g.length; ++i, column += W)
      for (int k = 0; k < W; ++k)
        if (column[k] >= 0) g.in[3 * i + which].set(k, x[column[k]]);
  }
  void deliver(const Group& g) const {
    int i = 0;
    for (; whole(g, i); i += W) {
      T rows[W];
      for (int r = 0; r < W; ++r) rows[r] = g.tau[i + r];
      turn_over(rows);
      for (int k = 0; k < W; ++k)
        __builtin_memcpy(tau_ + g.first + k * g.length + i, &rows[k].lane, sizeof rows[k].lane);
    }
    for (const int* column = g.columns + i * W; i < g.length; ++i, column += W)
      for (int k = 0; k < W; ++k)
        if (column[k] >= 0) tau_[column[k]] = g.tau[i][k];
  }

  // ---- (1) each stretch relative to its start; (2) those before each, within the group

  Stretch<T> summarised(Group& g) {
    fetch(g, q_, 0);
    fetch(g, v_, 1);
    fetch(g, a_, 2);
    Stretch<T> x;
    [[maybe_unused]] const T two(2.0), one(1.0);
    for (int i = 0; i < g.length; ++i) {
      const T *in = &g.in[3 * i], qd = in[1], qdd = in[2];
      T turn = angle_sum(in[0], g.drive[2 * i]);
      Stand<T> stand = Stand<T>::load(&g.stand[stand_numbers * i]);
      T slides;
      if constexpr (Slides) {
        slides = g.slides[i];
        stand.slide(slides * in[0]);
        turn = turn - slides * in[0];
      }
      const auto [s, c] = sin_cos(turn);
      const Mat3<T> M = stand.after(x.R);
      const V z{M.r0.z, M.r1.z, M.r2.z}, arm = stand.along(M), u = cross(x.w, arm);
      x.c = x.c + cross(x.wd, arm) + cross(x.w, u);
      x.Q = x.Q + u;
      x.P = x.P + arm;
      T *to = &g.place[8 * i], turns = qd, quickens = qdd;
      if constexpr (Slides) {
        const V slid = (slides * qd) * z;
        x.c = x.c + (slides * qdd) * z + two * cross(x.w, slid);
        x.Q = x.Q + slid;
        turns = (one - slides) * qd;
        quickens = (one - slides) * qdd;
      }
      to[0] = s;
      to[1] = c;
      to[2] = z.x;
      to[3] = z.y;
      to[4] = z.z;
      to[5] = x.P.x;
      to[6] = x.P.y;
      to[7] = x.P.z;
      const V t = turns * z;
      x.wd = x.wd + quickens * z + cross(x.w, t);
      x.w = x.w + t;
      x.R = {turned(M.r0, s, c), turned(M.r1, s, c), turned(M.r2, s, c)};
    }
    return {x.R, x.P, x.Q,
            x.c, x.w, x.wd};  // not x itself: it would be kept in the caller's memory
  }
  static V turned(const V& r, const T& s, const T& c) {  // a row times Rz
    return {r.x * c + r.y * s, r.y * c - r.x * s, r.z};
  }

  // Rotations by recursive doubling; all other values, in the coordinates of the group's start, are
  // then sums: Lee and Chang's method for links, applied to stretches.
  static void scan_lanes(const Stretch<T>& x, Group& g) {
    const Mat3<T> whole = product_upto(x.R);
    const Mat3<T> R = shifted(whole);
    const V P = R * x.P, Q = R * x.Q, c = R * x.c, dw = R * x.w;
    const V w_upto = sum_upto(dw), w = w_upto - dw;
    const V dwd = R * x.wd + cross(w, dw);
    const V wd_upto = sum_upto(dwd), wd = wd_upto - dwd;
    const V u = cross(w, P), dQ = Q + u;
    const V dc = c + cross(wd, P) + cross(w, u + (Q + Q));
    const V P_upto = sum_upto(P), Q_upto = sum_upto(dQ), c_upto = sum_upto(dc);
    g.before = {R, P_upto - P, Q_upto - dQ, c_upto - dc, w, wd};
    g.all = {{last(whole.r0), last(whole.r1), last(whole.r2)},
             last(P_upto),
             last(Q_upto),
             last(c_upto),
             last(w_upto),
             last(wd_upto)};
  }

  template <int D = 1>
  static Mat3<T> product_upto(const Mat3<T>& R) {
    if constexpr (D < W) {
      const T o(0.0), i(1.0);
      const Mat3<T> before{
          {shifted_up<D>(R.r0.x, i), shifted_up<D>(R.r0.y, o), shifted_up<D>(R.r0.z, o)},
          {shifted_up<D>(R.r1.x, o), shifted_up<D>(R.r1.y, i), shifted_up<D>(R.r1.z, o)},
          {shifted_up<D>(R.r2.x, o), shifted_up<D>(R.r2.y, o), shifted_up<D>(R.r2.z, i)}};
      return product_upto<2 * D>(before * R);
    } else {
      return R;
    }
  }
  static Mat3<T> shifted(const Mat3<T>& R) {
    const T o(0.0), i(1.0);
    return {{shifted_up<1>(R.r0.x, i), shifted_up<1>(R.r0.y, o), shifted_up<1>(R.r0.z, o)},
            {shifted_up<1>(R.r1.x, o), shifted_up<1>(R.r1.y, i), shifted_up<1>(R.r1.z, o)},
            {shifted_up<1>(R.r2.x, o), shifted_up<1>(R.r2.y, o), shifted_up<1>(R.r2.z, i)}};
  }
  template <int D = 1>
  static V sum_upto(const V& v) {
    if constexpr (D < W) {
      const T o(0.0);
      return sum_upto<2 * D>(
          V{v.x + shifted_up<D>(v.x, o), v.y + shifted_up<D>(v.y, o), v.z + shifted_up<D>(v.z, o)});
    } else {
      return v;
    }
  }
  template <int D = 1>
  static V sum_from(const V& v) {
    if constexpr (D < W) {
      const T o(0.0);
      return sum_from<2 * D>(V{v.x + shifted_down<D>(v.x, o), v.y + shifted_down<D>(v.y, o),
                               v.z + shifted_down<D>(v.z, o)});
    } else {
      return v;
    }
  }
  static Vec3<One> lane(const V& v, int k) { return {One(v.x[k]), One(v.y[k]), One(v.z[k])}; }
  static Vec3<One> last(const V& v) { return lane(v, W - 1); }
  static void put(V& to, int k, const Vec3<One>& v) {
    to.x.set(k, v.x[0]);
    to.y.set(k, v.y[0]);
    to.z.set(k, v.z[0]);
  }
  static V spread(const Vec3<One>& v) { return {T(v.x[0]), T(v.y[0]), T(v.z[0])}; }

  // The state of a stretch's end, in the coordinates of its start.
  template <class N>
  static State<N> carried(const Stretch<N>& x, const State<N>& s) {
    const Vec3<N> u = cross(s.w, x.P) + (x.Q + x.Q);
    return {s.w + x.w, s.wd + x.wd + cross(s.w, x.w),
            s.vd + x.c + cross(s.wd, x.P) + cross(s.w, u)};
  }
  // The same in the end's own coordinates.
  template <class N>
  static State<N> moved(const Stretch<N>& x, const State<N>& s) {
    const State<N> e = carried(x, s);
    return {transposed_times(x.R, e.w), transposed_times(x.R, e.wd), transposed_times(x.R, e.vd)};
  }
  // The wrench at a stretch's end, moved to its start.
  template <class N>
  static Wrench<N> at_start(const Stretch<N>& x, const Wrench<N>& w) {
    const Vec3<N> f = x.R * w.f;
    return {f, x.R * w.n + cross(x.P, f)};
  }

  // ---- (3) every stretch exactly, out and back; (4) forces of those after each, within the group

  void sweep_lanes(Group& g, const State<One>& start, T* forces) {
    const Stretch<T>& b = g.before;
    const auto [f, n] =
        swept(g, moved(b, {spread(start.w), spread(start.wd), spread(start.vd)}), forces);
    const V f0 = b.R * f, n0 = b.R * n + cross(b.P, f0), f_from = sum_from(f0),
            n_from = sum_from(n0);
    g.beyond = {f_from - f0, n_from - n0};
    g.exerted = {lane(f_from, 0), lane(n_from, 0)};
  }
  Wrench<T> swept(Group& g, const State<T>& start, T* forces) {
    State<T> x = start;
    Mat3<T> U = turning(x.w, x.wd);
    [[maybe_unused]] const T two(2.0), one(1.0);
    for (int i = 0; i < g.length; ++i) {
      const T *in = &g.in[3 * i], *place = &g.place[8 * i], *body = &g.body[10 * i];
      const T s = place[0], c = place[1], qd = in[1], qdd = in[2];
      Stand<T> stand = Stand<T>::load(&g.stand[stand_numbers * i]);
      T turns = qd, quickens = qdd;
      if constexpr (Slides) {
        const T slides = g.slides[i];
        stand.slide(slides * in[0]);
        turns = (one - slides) * qd;
        quickens = (one - slides) * qdd;
      }
      V vd = turned(stand.into(x.vd + U * stand.in_parent()), s, c);
      const V w = turned(stand.into(x.w), s, c), wd = turned(stand.into(x.wd), s, c);
      if constexpr (Slides) {
        const T slid = g.slides[i] * qd, twice = two * slid;
        vd = {vd.x + twice * w.y, vd.y - twice * w.x, vd.z + g.slides[i] * qdd};
      }
      x.wd = {wd.x + w.y * turns, wd.y - w.x * turns, wd.z + quickens};
      x.w = {w.x, w.y, w.z + turns};
      x.vd = vd;
      U = turning(x.w, x.wd);
      const V ms{body[1], body[2], body[3]};
      const Sym3<T> K{body[4], body[5], body[6], body[7], body[8], body[9]};
      V F = body[0] * x.vd + U * ms, N = antisymmetric(U, K) + cross(ms, x.vd);
      if (pushed_) [[unlikely]] {
        const T* e = &g.external[6 * i];
        F = F - V{e[0], e[1], e[2]};
        N = N - V{e[3], e[4], e[5]};
      }
      T* to = forces + 6 * i;
      to[0] = F.x;
      to[1] = F.y;
      to[2] = F.z;
      to[3] = N.x;
      to[4] = N.y;
      to[5] = N.z;
    }
    V f, n;
    for (int i = g.length - 1; i >= 0; --i) {
      const T *force = forces + 6 * i, *place = &g.place[8 * i];
      f = V{force[0], force[1], force[2]} + f;
      n = V{force[3], force[4], force[5]} + n;
      Stand<T> stand = Stand<T>::load(&g.stand[stand_numbers * i]);
      if constexpr (Slides) {
        const T slides = g.slides[i];
        stand.slide(slides * g.in[3 * i]);
        g.tau[i] = n.z + slides * (f.z - n.z);
      } else {
        g.tau[i] = n.z;
      }
      const T s = place[0], c = place[1];
      const V f1{f.x * c - f.y * s, f.x * s + f.y * c, f.z},
          n1{n.x * c - n.y * s, n.x * s + n.y * c, n.z};
      f = stand.out(f1);
      n = stand.out(n1 + stand.arm_cross(f1));
    }
    return {f, n};
  }

  // ---- (5) adds the load at each stretch's end to its torques. `beyond`: the load on the group,
  // at its start

  void correct_lanes(Group& g, const Wrench<One>& beyond) {
    const Stretch<T>& b = g.before;
    const V f0 = g.beyond.f + spread(beyond.f), n0 = g.beyond.n + spread(beyond.n);
    correct(g, {transposed_times(b.R, f0), transposed_times(b.R, n0 - cross(b.P, f0))});
  }
  void correct(Group& g, const Wrench<T>& hanging) {
    const auto& [f, n] = hanging;
    for (int i = 0; i < g.length; ++i) {
      const T* place = &g.place[8 * i];
      const V z{place[2], place[3], place[4]}, P{place[5], place[6], place[7]};
      T more = dot(z, n - cross(P, f));
      if constexpr (Slides) more = more + g.slides[i] * (dot(z, f) - more);
      g.tau[i] = g.tau[i] + more + g.drive[2 * i + 1] * g.in[3 * i + 2];
    }
    deliver(g);
  }

  const CanonicalModel& c_;
  const int n_;
  const ChainLayout layout_;
  const int threads_;
  std::vector<Group> groups_;
  std::vector<Lines<T>> force_;  // F, N: of a group in work
  std::vector<Joined> joined_;   // of a tree
  std::unique_ptr<PhasedThreadPool> phased_pool_;
  std::unique_ptr<Kernel<double>> fallback_;  // for torques with friction
  State<One> start_;                          // of the base, less gravity
  bool pushed_ = false;
  const double *q_ = nullptr, *v_ = nullptr, *a_ = nullptr;
  double* tau_ = nullptr;
};

template <class Isa>
ChainKernelSet chain_kernel_set() {
  constexpr int W = lanes_of<Isa, double>;
  return {Isa::name, W,
          [](const CanonicalModel& c, int threads) -> std::unique_ptr<Kernel<double>> {
            if (chain_in_twists(c))
              return std::make_unique<ChainKernelOf<W, Isa, TwistStand, false>>(c, threads);
            return std::make_unique<ChainKernelOf<W, Isa, DenseStand, true>>(c, threads);
          }};
}

}  // namespace parid::runtime
