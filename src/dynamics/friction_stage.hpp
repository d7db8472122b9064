// Friction around a formulation: from the torques and reactions of rigid bodies to bearing friction
// and drive losses, joint by joint.
//
// dynamics/ holds the other quantities of a mechanism. It includes model/ and below.
//
// For one motion the reactions at the joints are the same with friction and without (Gogoussis and
// Donath 1988), so the formulation is unchanged: this reads its forces and moments. They must be
// those of the true bodies: regrouped parameters preserve torques, not reactions.
//
//   bearing = viscous v + sgn(v) (coulomb + stribeck + journal + linear + thrust)
//   drive   = the loss by drive.hpp for the output torque  rigid + bearing
//
// Joints with several freedoms have no friction. A joint that others mimic drives them too: its
// drive's output torque includes theirs. Effects that no joint of the mechanism has cost nothing.

#pragma once

#include <algorithm>

#include "dynamics/layer.hpp"
#include "model/canonical_model.hpp"
#include "model/state.hpp"

namespace parid::dynamics {

template <Scalar T>
class FrictionStage {
 public:
  static constexpr int links = PerLink<T, 1>::links;
  using Wide = typename PerLink<T, 1>::Wide;

  // The size of an array over the mechanism's joints, with index 0 and the padding of the last
  // register.
  static std::size_t room(int n) { return static_cast<std::size_t>(n) + links; }

  explicit FrictionStage(const CanonicalModel& c)
      : n_(c.topology.n), law_(n_), drive_(n_), output_(room(n_), T(0.0)) {
    std::size_t pieces = 0;
    for (int i = 1; i <= n_; ++i) {
      add(i, c.friction[i]);
      const CanonicalDrive& d = c.drive[i];
      const DriveLaw<double>& l = d.law;
      const double numbers[] = {l.breakaway, l.low, l.high};
      for (int k = 0; k < DriveLaw<T>::size; ++k) drive_[i].set(k, T(numbers[k]));
      has_drive_ |= !(l == DriveLaw<double>{}) || !d.pieces.empty();
      pieces = std::max(pieces, d.pieces.size());
    }
    for (std::size_t p = 0; p < pieces; ++p) {
      piece_.emplace_back(n_);
      for (int i = 1; i < last() + links; ++i) {
        // A curve with fewer pieces repeats its last; a joint without a curve has no loss.
        EfficiencyPiece e;
        if (i <= n_ && !c.drive[i].pieces.empty())
          e = c.drive[i].pieces[std::min(p, c.drive[i].pieces.size() - 1)];
        const bool cubic = e.c[2] != 0 || e.c[3] != 0;
        if (!cubic) e.c[0] -= e.from * e.c[1];  // a straight line can start from 0
        const double numbers[] = {e.from, cubic ? e.from : 0, e.c[0], e.c[1], e.c[2], e.c[3]};
        for (int k = 0; k < 6; ++k) piece_[p][i].set(k, T(numbers[k]));
        has_cubic_ |= cubic;
      }
    }
    for (int i = 1; i <= n_ && c.has_mimic; ++i)
      if (const int l = leader(c, i); l != i)
        mimics_.push_back({i, l, T(c.joint[i].scale), c.joint[i].coupling});
  }

  // Neither bearings nor drives: torque() changes nothing.
  bool nothing() const { return !has_bearing_ && !has_drive_; }

  // Of every joint [1..n], in arrays of size room(n). The state's velocities decide the direction
  // of friction, `reactions` (f_packed, n_packed) its size; `rigid` is without rotors.
  template <class Reactions>
  void torque(const State<T>& at, const Reactions& reactions, const T* rigid, T* bearing,
              T* drive) {
    torque([&at](int i) { return at.qd_packed(i); }, reactions, rigid, bearing, drive, &at);
  }
  // The same with given velocities, `qd(i)` those of the packed links from i on: a small velocity
  // gives the friction that holds a joint at rest against motion in that direction. `at`: required
  // by robots with coupled joints.
  template <class Velocity, class Reactions>
  requires requires(const Velocity& qd) { Wide(qd(1)); }
  void torque(const Velocity& qd, const Reactions& reactions, const T* rigid, T* bearing, T* drive,
              const State<T>* at = nullptr) {
    for (int i = last(); i >= 1; i -= links) {  // from the tips, as the backward sweep
      const Wide v = qd(i), way = direction(i, v);
      const Wide b = has_bearing_ ? bearing_torque(i, v, way, reactions) : Wide(0.0);
      if (has_bearing_) PackedLinks<T>::store(bearing + i, b);
      if (!has_drive_) continue;
      const Wide out = PackedLinks<T>::load(rigid + i) + b;
      if (mimics_.empty())
        PackedLinks<T>::store(drive + i, drive_torque(i, v, way, out));
      else
        PackedLinks<T>::store(&output_[i], out);
    }
    if (!has_drive_ || mimics_.empty()) return;
    for (const MimicJoint& f : mimics_) {
      const T scale = f.coupling < 0 ? f.scale : at->coupled[f.coupling].d1;
      output_[f.leader] = output_[f.leader] + scale * output_[f.joint];
    }
    for (int i = 1; i <= n_; i += links) {
      const Wide v = qd(i);
      PackedLinks<T>::store(drive + i,
                            drive_torque(i, v, direction(i, v), PackedLinks<T>::load(&output_[i])));
    }
  }

 private:
  struct MimicJoint {
    int joint, leader;
    T scale;
    int coupling;
  };

  void add(int i, const FrictionLaw<double>& l) {
    const double numbers[] = {l.viscous, l.coulomb, l.stribeck,     l.sharpness, l.smoothing,
                              l.journal, l.linear,  l.half_spacing, l.height,    l.thrust};
    for (int k = 0; k < FrictionLaw<T>::size; ++k) law_[i].set(k, T(numbers[k]));
    has_stribeck_ |= l.stribeck != 0;
    has_smoothing_ |= l.smoothing != 0;
    has_journal_ |= l.journal != 0;
    has_linear_ |= l.linear != 0;
    has_thrust_ |= l.thrust != 0;
    has_bearing_ |= l.viscous != 0 || l.coulomb != 0 || l.stribeck != 0 || l.journal != 0 ||
                    l.linear != 0 || l.thrust != 0;
  }

  int last() const { return 1 + (n_ - 1) / links * links; }  // the index of the last register

  static int leader(const CanonicalModel& c, int i) {
    const int own = c.joint[i].velocity;
    if (!c.joint[i].has_mimic || c.joint[i].is_rotor) return i;  // rotors turn before the gears
    for (int l = 1; l <= c.topology.n; ++l)
      if (c.joint[l].velocity == own && !c.joint[l].has_mimic) return l;
    return i;
  }

  Wide direction(int i, const Wide& v) const {
    return has_smoothing_ ? smooth_sign(v, law_.packed(i)[4]) : sign(v);
  }

  template <class Reactions>
  Wide bearing_torque(int i, const Wide& v, const Wide& way, const Reactions& reactions) const {
    const auto x = law_.packed(i);
    const FrictionLaw<Wide> law{x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]};
    const auto f = reactions.f_packed(i), n = reactions.n_packed(i);
    Wide level = law.coulomb;
    if (has_stribeck_) level = level + stribeck_level(law, v);
    if (has_thrust_) level = level + thrust_level(law, f);
    const Wide torque = law.viscous * v + way * level;
    if (!has_journal_ && !has_linear_) return torque;
    const SupportForces<Wide> F = support_forces(law, f, n);  // the slowest operation comes last
    if (!has_linear_) return torque + (way * law.journal) * journal_load(F);
    if (!has_journal_) return torque + (way * law.linear) * linear_load(F);
    return torque + way * (law.journal * journal_load(F) + law.linear * linear_load(F));
  }

  Wide drive_torque(int i, const Wide& v, const Wide& way, const Wide& out) const {
    const auto x = drive_.packed(i);
    const DriveLaw<Wide> law{x[0], x[1], x[2]};
    if (piece_.empty()) return way * law.breakaway;
    return drive_loss(law, out, v, way, efficiency(i, law, out));
  }

  // The choice of the piece does not depend on clamping the load to the curve.
  Wide efficiency(int i, const DriveLaw<Wide>& law, const Wide& out) const {
    const Wide size = abs(out);
    const auto first = piece_[0].packed(i);
    Wide about = first[1], c0 = first[2], c1 = first[3], c2 = first[4], c3 = first[5];
    for (std::size_t p = 1; p < piece_.size(); ++p) {
      const auto next = piece_[p].packed(i);
      const auto beyond = next[0] < size;
      c0 = select(beyond, next[2], c0);
      c1 = select(beyond, next[3], c1);
      if (!has_cubic_) continue;
      about = select(beyond, next[1], about);
      c2 = select(beyond, next[4], c2);
      c3 = select(beyond, next[5], c3);
    }
    Wide load = select(size < law.low, law.low, size);
    load = select(law.high < load, law.high, load);
    if (!has_cubic_) return c0 + load * c1;
    const Wide u = load - about;
    return c0 + u * (c1 + u * (c2 + u * c3));
  }

  int n_;
  PerLink<T, FrictionLaw<T>::size> law_;
  PerLink<T, DriveLaw<T>::size> drive_;
  // Of efficiency curves, the k-th piece of every joint: from which torque, about which, c.
  std::vector<PerLink<T, 6>> piece_;
  std::vector<MimicJoint> mimics_;
  std::vector<T, math::detail::CacheLineAllocator<T>>
      output_;  // of drives, for robots with mimic joints
  bool has_bearing_ = false, has_stribeck_ = false, has_smoothing_ = false, has_journal_ = false,
       has_linear_ = false, has_thrust_ = false, has_drive_ = false, has_cubic_ = false;
};

}  // namespace parid::dynamics
