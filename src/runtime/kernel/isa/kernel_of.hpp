// The kernel as a template over its number type. Included only by the files that compile it for one
// instruction set each: T is part of every symbol here, so that the sets share none.

#pragma once

#include "dynamics/friction_stage.hpp"
#include "formulation/newton_euler_link.hpp"
#include "model/user_state.hpp"
#include "runtime/kernel/isa/row_lanes.hpp"
#include "runtime/kernel/kernel.hpp"
#include "runtime/layer.hpp"
#include "scalar/lane_moves.hpp"
#include "scalar/pack.hpp"

namespace parid::runtime {

template <int W, class Real, class Isa, template <class> class Rotation>
class KernelOf final : public Kernel<Real> {
  using T = Pack<W, Real, Isa>;

 public:
  explicit KernelOf(const CanonicalModel& c)
      : c_(c),
        n_(c.topology.n),
        mechanism_(c.mechanism),
        motion_(mechanism_),
        formulation_(mechanism_),
        friction_(c),
        tau_(FrictionStage<T>::room(n_)),
        bearing_(tau_.size(), T(0.0)),
        drive_(tau_.size(), T(0.0)),
        users_(3 * c.nv),
        given_(c.nq + 2 * c.nv),
        rotor_(n_ + 1),
        offset_(n_ + PackedLinks<T>::links),
        external_(n_ + 1) {
    for (int i = 1; i <= n_; ++i) {
      rotor_[i] = T(c.joint[i].rotor_inertia);
      offset_[i - 1] = T(c.joint[i].offset);
    }
  }

  int lanes() const override { return W; }

  void inverse_dynamics(const Real* q, const Real* v, const Real* a, Real* tau, int rows) override {
    const int nv = c_.nv;
    run(q, v, a, rows);
    if (direct())
      for (int i = 1; i <= n_; ++i) tau[i - 1] = (tau_[i] + rotor_[i] * T(a[i - 1]))[0];
    else if (in_squares(rows)) {
      if constexpr (W > 1) {
        store_torque(c_, motion_, tau_.data(), free_torques(), given(c_.nq + nv), in(users_.data()),
                     [this](int k, const T& x) { users_[k] = x; });
        lanes_to_rows(users_.data(), nv, tau);
      }
    } else
      store_torque(c_, motion_, tau_.data(), free_torques(), columns(a, nv, rows),
                   columns(tau, nv, rows),
                   [=](int k, const T& x) { put_column(tau + k, nv, rows, x); });
  }

  void inverse_dynamics_with_friction(const Real* q, const Real* v, const Real* a,
                                      const FrictionRows<Real>& to, int rows) override {
    if (friction_.nothing() && !to.rigid) return inverse_dynamics(q, v, a, to.tau, rows);
    run(q, v, a, rows);
    friction_.torque(motion_, formulation_, tau_.data(), bearing_.data(), drive_.data());
    if (direct()) {
      for (int i = 1; i <= n_; ++i) {
        const T rigid = tau_[i] + rotor_[i] * T(a[i - 1]);
        to.tau[i - 1] = (rigid + bearing_[i] + drive_[i])[0];
        if (!to.rigid) continue;
        to.rigid[i - 1] = rigid[0];
        to.bearing[i - 1] = bearing_[i][0];
        to.drive[i - 1] = drive_[i][0];
      }
      return;
    }
    const int nv = c_.nv;
    T *rigid = users_.data(), *bearing = rigid + nv, *drive = bearing + nv;
    auto get = [](const T* x) { return [x](int k) { return x[k]; }; };
    auto put = [](T* x) { return [x](int k, const T& y) { x[k] = y; }; };
    store_torque(c_, motion_, tau_.data(), free_torques(), columns(a, nv, rows), get(rigid),
                 put(rigid));
    store_friction(c_, motion_, bearing_.data(), get(bearing), put(bearing));
    store_friction(c_, motion_, drive_.data(), get(drive), put(drive));
    for (int k = 0; k < nv; ++k) {
      put_column(to.tau + k, nv, rows, rigid[k] + bearing[k] + drive[k]);
      if (!to.rigid) continue;
      put_column(to.rigid + k, nv, rows, rigid[k]);
      put_column(to.bearing + k, nv, rows, bearing[k]);
      put_column(to.drive + k, nv, rows, drive[k]);
    }
  }

  void set_base_motion(const BaseMotion<double>& b) override {
    motion_.set_base(mechanism_, {to<T>(b.w), to<T>(b.wd), to<T>(b.vd)});
  }

  void set_external(const std::vector<Wrench<double>>& w) override {
    for (int i = 1; i <= n_ && !w.empty(); ++i) external_[i] = {to<T>(w[i].f), to<T>(w[i].n)};
    motion_.external = w.empty() ? nullptr : external_.data();
    rows_.values.set_constant(w);
  }

  void take_rows(const RowLayout& all) override { rows_.take(all, n_); }
  void load_rows(const RowLayout& here, const Real* const* in, int rows) override {
    rows_.load(here, in, rows);
    rows_.values.act_on(here, mechanism_, motion_);
  }

 private:
  bool direct() const { return W == 1 && c_.in_order; }

  // A full register of rows that are wide enough to be transposed in squares.
  bool in_squares(int rows) const {
    constexpr int side = side_of_squares<W>;
    return W > 1 && rows == W && c_.nv >= side && c_.nq >= side;
  }
  static auto in(const T* x) {
    return [x](int k) { return x[k]; };
  }
  auto given(int first) const { return in(given_.data() + first); }

  void run(const Real* q, const Real* v, const Real* a, int rows) {
    if (direct())
      load_in_order(q, v, a);
    else if (in_squares(rows)) {
      if constexpr (W > 1) {
        T* x = given_.data();
        rows_to_lanes(q, c_.nq, x);
        rows_to_lanes(v, c_.nv, x + c_.nq);
        rows_to_lanes(a, c_.nv, x + c_.nq + c_.nv);
        load_state(c_, motion_, given(0), given(c_.nq), given(c_.nq + c_.nv));
      }
    } else
      load_state(c_, motion_, columns(q, c_.nq, rows), columns(v, c_.nv, rows),
                 columns(a, c_.nv, rows));
    motion_.place(mechanism_);
    formulation_.torque(mechanism_, motion_, tau_.data());
  }

  auto free_torques() const {
    return [this](int i) { return Wrench<T>{formulation_.f(i), formulation_.n(i)}; };
  }

  // One row per lane; lanes beyond the last row repeat it.
  static T column(const Real* x, int stride, int rows) {
    T y;
    for (int r = 0; r < W; ++r) y.set(r, x[(r < rows ? r : rows - 1) * stride]);
    return y;
  }
  static auto columns(const Real* x, int stride, int rows) {
    return [=](int k) { return column(x + k, stride, rows); };
  }
  static void put_column(Real* to, int stride, int rows, const T& x) {
    for (int r = 0; r < W; ++r)
      if (r < rows) to[r * stride] = x[r];
  }

  // One sample of a robot whose coordinates are in the mechanism's order: positions stay packed in
  // registers. Storing them one by one and loading them packed would stall.
  void load_in_order(const Real* q, const Real* v, const Real* a) {
    using Wide = typename PackedLinks<T>::type;
    constexpr int links = PackedLinks<T>::links;
    for (int i = 1; i <= n_; i += links) {
      Real some[links] = {};
      const Real* from = q + i - 1;
      if (i - 1 + links > n_) {
        for (int k = 0; k < links; ++k)
          if (i + k <= n_) some[k] = from[k];
        from = some;
      }
      Wide x;
      __builtin_memcpy(&x.lane, from, sizeof x.lane);
      motion_.set_packed_positions(i, angle_sum(x, PackedLinks<T>::load(&offset_[i - 1])));
    }
    for (int i = 1; i <= n_; ++i) motion_.set_rates(i, T(v[i - 1]), T(a[i - 1]));
  }

  const CanonicalModel& c_;
  const int n_;
  Mechanism<T> mechanism_;
  State<T> motion_;
  NewtonEulerLink<T, Rotation> formulation_;
  FrictionStage<T> friction_;
  RowLanes<W, Real, Isa> rows_;
  std::vector<T, math::detail::CacheLineAllocator<T>> tau_, bearing_, drive_, users_, given_,
      rotor_;
  std::vector<T, math::detail::CacheLineAllocator<T>>
      offset_;  // of each joint's position, from joint 1
  std::vector<Wrench<T>, math::detail::CacheLineAllocator<Wrench<T>>> external_;
};

template <int W, class Real, class Isa>
std::unique_ptr<Kernel<Real>> make_kernel(const CanonicalModel& c) {
  if (c.topology.all_twist_turns) return std::make_unique<KernelOf<W, Real, Isa, TwistTurn>>(c);
  return std::make_unique<KernelOf<W, Real, Isa, Mat3>>(c);
}

template <class Isa>
KernelSet kernel_set() {
  return {Isa::name, make_kernel<1, double, Isa>, make_kernel<lanes_of<Isa, double>, double, Isa>,
          make_kernel<1, float, Isa>, make_kernel<lanes_of<Isa, float>, float, Isa>};
}

}  // namespace parid::runtime
