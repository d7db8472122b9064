// Newton-Euler inverse dynamics in base coordinates, every recursion a parallel prefix.
//
// Source   Lee, Chang: Efficient parallel algorithm for robot inverse dynamics computation, IEEE
//          Trans. SMC 16 (1986) 532-542, and their Computational structures for robotic
//          computations, whose equation numbers these are, corrected: (17) has q̇ where q̈ is
//          printed, (29) has s.
// Order    O(n log n) operations, O(log n) deep, by recursive_doubling (their FOHRA); on p
//          processors (their PFP, lee_chang_pfold.hpp) O(n) operations, O(n/p + log p) deep.
// Symbols  code   paper   meaning, in base coordinates
//          R0     ⁰R_i    rotation, link i to base
//          z p s  z p s   axis of joint i; far origin of i from the one before; centre of mass from
//                         there
//          w wd   ω ω̇     angular velocity and acceleration
//          pdd    p̈       acceleration of the far origin, less gravity
//          F N    F N     force and moment that move the link, at its centre of mass
//          f n    f n     what the link before exerts, at the far origin of that link
// Differs  orientations are Craig's, so that z_i is link i's own z; origins are where they have
//          them, at a link's far end, so that p and s turn with link i. The base may turn; external
//          wrenches act on any link.

#pragma once

#include <utility>
#include <vector>

#include "formulation/layer.hpp"
#include "formulation/scope.hpp"
#include "math/scan.hpp"
#include "model/state.hpp"

namespace parid::formulation {

// The data of one processor for its link, and the steps between the recurrences. No step depends on
// another link; each is a row of the count of operations per processor.
template <class T>
struct LeeChangLink {
  // In the link itself: what is known at the start. `p` and `s` include a slide.
  Vec3<T> p_own, s_own;
  T mass;
  Sym3<T> J;
  bool turns;

  Mat3<T> R0;
  Vec3<T> z, p, s, z_qd, z_qdd, b, F, N, f_next;

  void turn_to_base() {  // (16)
    z = R0.column(2);
    p = R0 * p_own;
    s = R0 * s_own;
  }
  void velocity(const T& qd) {  // (17)
    z_qd = qd * z;
    b = turns ? z_qd : Vec3<T>();
  }
  void acceleration(const T& qdd, const Vec3<T>& w_before) {  // (19)
    z_qdd = qdd * z;
    b = turns ? z_qdd + cross(w_before, z_qd) : Vec3<T>();
  }
  void origin(const Vec3<T>& w, const Vec3<T>& wd) {  // (21)
    b = cross(wd, p) + cross(w, cross(w, p));
    if (!turns) b = b + (z_qdd + T(2.0) * cross(w, z_qd));
  }
  void newton(const Vec3<T>& w, const Vec3<T>& wd, const Vec3<T>& pdd) {  // (23), (24)
    F = mass * (cross(wd, s) + cross(w, cross(w, s)) + pdd);
  }
  void euler(const Vec3<T>& w, const Vec3<T>& wd) {  // (26), (27)
    const Vec3<T> wi = transposed_times(R0, w), wdi = transposed_times(R0, wd);
    N = R0 * (J * wdi + cross(wi, J * wi));
  }
  void moment() {  // (29)
    b = N + cross(p + s, F) + cross(p, f_next);
  }
  T torque(const Vec3<T>& f, const Vec3<T>& n) const { return dot(turns ? n : f, z); }  // (31)
};

// Runs the steps one after another. runtime/cost/parallel_evaluation.cpp has a machine that runs
// them on processors and counts.
struct SerialMachine {
  template <class Work>
  void each_link(int n, const Work& work) {
    for (int i = 1; i <= n; ++i) work(i);
  }
  template <class X, class Combine>
  void scan(const ScanPlan& plan, X* x, const Combine& combine) {
    math::scan(plan, x, combine);
  }
  template <class X, class Combine>
  void scan_from_end(const ScanPlan& plan, X* x, const Combine& combine) {
    math::scan_from_end(plan, x, combine);
  }
  // The step that follows reads x of the neighbouring link.
  void neighbours() {}
};

template <Scalar T>
class LeeChangScans {
 public:
  static constexpr bool exact = true;
  static constexpr Scope scope{
      .trees = false, .free_joints = false, .turning_base = true, .wrenches = true};

  // Plans of n elements, and of n + 1: the base, or what is beyond the tip, before the n links.
  LeeChangScans(const Mechanism<T>& m, ScanPlan links, ScanPlan with_base, ScanPlan with_tip)
      : links_(std::move(links)),
        with_base_(std::move(with_base)),
        with_tip_(std::move(with_tip)),
        link_(m.n + 1),
        far_(m.n + 1),
        R0_(m.n),
        w_(m.n + 1),
        wd_(m.n + 1),
        pdd_(m.n + 1),
        f_(m.n + 2),
        n_(m.n + 2) {
    for (int i = 1; i <= m.n; ++i) {
      if (i < m.n) far_[i] = m.placing[i + 1].vec(9);
      link_[i].mass = m.body[i][0];
      link_[i].J = m.centre[i].sym(3);
      link_[i].turns = m.kind(i) == JointKind::revolute;
      link_[i].p_own = far_[i];
      link_[i].s_own = m.centre[i].vec(0) - far_[i];
    }
  }

  void torque(const Mechanism<T>& m, const State<T>& at, T* tau) {
    SerialMachine machine;
    torque_on(machine, m, at, tau);
  }

  // By a machine that runs the steps of the links and the recurrences.
  template <class Machine>
  void torque_on(Machine& machine, const Mechanism<T>& m, const State<T>& at, T* tau) {
    const auto add = [](const Vec3<T>& x, const Vec3<T>& y) { return x + y; };
    const int n = m.n;
    if (n == 0) return;
    machine.each_link(n, [&](int i) {
      R0_[i - 1] = at.R(i);
      if (!link_[i].turns)  // a slide lies between one far origin and the next
        link_[i].p_own = far_[i] + transposed_times(at.R(i), at.p(i) - m.placing[i].vec(9));
    });
    machine.scan(links_, R0_.data(),
                 [](const Mat3<T>& A, const Mat3<T>& B) { return A * B; });  // (15)
    machine.each_link(n, [&](int i) {
      link_[i].R0 = R0_[i - 1];
      link_[i].turn_to_base();
      link_[i].velocity(at.qd(i));
      w_[i] = link_[i].b;
    });
    w_[0] = at.base.w;
    w_[1] = w_[0] + w_[1];
    machine.scan(links_, &w_[1], add);  // (18)
    machine.neighbours();
    machine.each_link(n, [&](int i) {
      link_[i].acceleration(at.qdd(i), w_[i - 1]);
      wd_[i] = link_[i].b;
    });
    wd_[0] = at.base.wd;
    wd_[1] = wd_[0] + wd_[1];
    machine.scan(links_, &wd_[1], add);  // (20)
    const Vec3<T> p0 = m.placing[1].vec(9);
    pdd_[0] = -at.gravity + (cross(w_[0], cross(w_[0], p0)) + cross(wd_[0], p0));
    machine.each_link(n, [&](int i) {
      link_[i].origin(w_[i], wd_[i]);
      pdd_[i] = link_[i].b;
    });
    machine.scan(with_base_, pdd_.data(), add);  // (22)
    machine.each_link(n, [&](int i) {
      link_[i].newton(w_[i], wd_[i], pdd_[i]);
      link_[i].euler(w_[i], wd_[i]);
      f_[i] = at.external ? link_[i].F - link_[i].R0 * at.external[i].f : link_[i].F;
    });
    f_[n + 1] = {};  // beyond the tip; a wrench on the last link is added there
    machine.scan_from_end(with_tip_, &f_[1], add);  // (28)
    machine.neighbours();
    machine.each_link(n, [&](int i) {
      link_[i].f_next = f_[i + 1];
      link_[i].moment();
      n_[i] = at.external ? link_[i].b - pushed(at, i) : link_[i].b;
    });
    n_[n + 1] = {};
    machine.scan_from_end(with_tip_, &n_[1], add);  // (30)
    machine.each_link(n, [&](int i) { tau[i] = link_[i].torque(f_[i], n_[i]); });
  }

 private:
  // The moment of an external wrench, which acts at the mechanism's origin of link i.
  Vec3<T> pushed(const State<T>& at, int i) const {
    const LeeChangLink<T>& l = link_[i];
    return l.R0 * at.external[i].n + cross(l.R0 * (l.p_own - far_[i]), l.R0 * at.external[i].f);
  }

  ScanPlan links_, with_base_, with_tip_;  // of n elements, and twice of n + 1
  std::vector<LeeChangLink<T>> link_;
  std::vector<Vec3<T>> far_;           // p_own, less the slide
  std::vector<Mat3<T>> R0_;            // [i − 1] of link i
  std::vector<Vec3<T>> w_, wd_, pdd_;  // [0] is the base
  std::vector<Vec3<T>> f_, n_;         // [n + 1] is beyond the tip
};

// One processor for each link, as in section 3 of the paper.
template <Scalar T, ScanPlan (*Plan)(int) = recursive_doubling>
class LeeChang : public LeeChangScans<T> {
 public:
  static constexpr const char* id = "lee_chang";

  explicit LeeChang(const Mechanism<T>& m)
      : LeeChangScans<T>(m, Plan(m.n), Plan(m.n + 1), Plan(m.n + 1)) {}
};

}  // namespace parid::formulation
