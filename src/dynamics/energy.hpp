// Energy, momentum and centre of mass of the moving links.
//
// Positions and directions are in the root link's frame of the robot file.
// Potential energy is zero at that frame's origin. Rotors contribute ½ I q̇² and
// nothing else.

#pragma once

#include "dynamics/layer.hpp"
#include "dynamics/world_frame_sweep.hpp"

namespace parid::dynamics {

template <class T>
struct EnergyAnswer {
  T kinetic{0.0}, potential{0.0};
  T mass{0.0};
  Vec3<T> centre, centre_velocity;
  Vec3<T> linear_momentum, angular_momentum;  // the latter about the centre of mass
};

template <Scalar T>
class Energy {
 public:
  explicit Energy(const CanonicalModel& c) : at(c), ground_(c) {
    for (const LinkPlace& l : c.link)
      if (l.link == 0) {
        root_ = {to<T>(l.pose.R), to<T>(l.pose.p)};
        break;
      }
  }

  EnergyAnswer<T> operator()(const T* q, const T* v) {
    const CanonicalModel& c = at.c;
    at.load(q, v);
    ground_.sweep(at.mechanism, at.motion);
    EnergyAnswer<T> e;
    const T half(0.5);
    Vec3<T> ms;
    Wrench<T> h{};
    for (int i = 1; i <= c.topology.n; ++i) {
      const WorldFrameLink<T>& x = ground_.link[i];
      const Wrench<T> own = x.body * x.v;
      e.kinetic = e.kinetic + half * dot(x.v, own);
      e.mass = e.mass + x.body.m;
      ms = ms + x.body.ms;
      h = h + own;
    }
    for (const Freedom& f : c.freedom) {
      const T rate = scale_of(at.motion, f) * v[f.column];
      e.kinetic = e.kinetic + T(0.5 * f.rotor_inertia) * (rate * rate);
    }
    // The origin of the ground is −o of link 0 in frame 0; root_ maps to the root link's frame.
    const Vec3<T> in_frame_0 = ms - e.mass * ground_.link[0].o;
    const Vec3<T> moment = transposed_times(root_.R, in_frame_0 - e.mass * root_.p);
    e.potential = -dot(transposed_times(root_.R, at.mechanism.gravity), moment);
    const T per_mass = T(1.0) / e.mass;
    e.centre = per_mass * moment;
    e.linear_momentum = transposed_times(root_.R, h.f);
    e.centre_velocity = per_mass * e.linear_momentum;
    e.angular_momentum = transposed_times(root_.R, h.n - per_mass * cross(ms, h.f));
    return e;
  }

  ModelState<T> at;

 private:
  WorldFrameSweep<T> ground_;
  Pose<T> root_;  // the root link in frame 0
};

}  // namespace parid::dynamics
