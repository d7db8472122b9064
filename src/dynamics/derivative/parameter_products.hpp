// Products with the derivatives of inverse and forward dynamics by inertial parameters and gravity.
//
// Torques are linear in the parameters: τ = Y π + rotors. wᵀ Y needs no Y: the power of link i's
// force for a unit parameter along the motion that the velocities w give the link. Gravity g acts
// as a base acceleration −g, so that wᵀ ∂τ/∂g is minus the linear momentum of that motion. Forward
// dynamics follows from M ∂a = −∂τ at the accelerations.
//
// Parameters are those of the regressor, in the frames of the user's links.

#pragma once

#include "dynamics/composite_forward.hpp"
#include "dynamics/derivative/tangent.hpp"
#include "dynamics/layer.hpp"
#include "dynamics/link_parameters.hpp"
#include "dynamics/regressor.hpp"
#include "dynamics/row_arguments.hpp"

namespace parid::dynamics {

// Reverse mode: the derivatives of Σ w·τ.
template <Scalar T>
class InverseParameterVectorProduct {
 public:
  explicit InverseParameterVectorProduct(const Robot& robot)
      : at(robot.canonical()),
        newton_euler_(at.mechanism),
        joint_torque_(at.c.topology.n + 1),
        seen_(at.c.topology.n + 1),
        momentum_(at.c.topology.n + 1),
        links_(links_with_parameters(robot)),
        root_(to<T>(at.c.link[at.c.root].pose.R)) {
    for (const Pose<double>& f : link_frames(robot)) frame_.push_back({to<T>(f.R), to<T>(f.p)});
  }

  void operator()(const T* q, const T* v, const T* a, const T* w, T* by_parameters, T* by_gravity) {
    const CanonicalModel& c = at.c;
    at.load(q, v, a);
    newton_euler_.torque(at.mechanism, at.motion, joint_torque_.data());
    std::size_t l = 0;  // the next link with parameters
    seen_[0] = {};
    momentum_[0] = {};
    for (int i = 1; i <= c.topology.n; ++i) {
      const Mat3<T> R = at.motion.R(i);
      const Twist<T>& before = seen_[c.topology.parent[i]];
      Twist<T> x{transposed_times(R, before.linear + cross(before.angular, at.motion.p(i))),
                 transposed_times(R, before.angular)};
      for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
        const Freedom& f = c.freedom[b];
        x = x + (scale_of(at.motion, f) * w[f.column]) * unit_twist<T>(f.axis);
      }
      seen_[i] = x;
      const auto body = at.mechanism.body[i];
      momentum_[i] = body[0] * x.linear + cross(x.angular, body.vec(1));
      if (l == links_.size() || links_[l] != i) continue;
      const Pose<T>& frame = frame_[i];
      const LinkMotionIn<T> motion =
          LinkMotionIn<T>{newton_euler_.w(i), newton_euler_.wd(i), newton_euler_.vd(i)}.seen_in(
              frame);
      parameter_powers(motion.U(), motion.vd, seen_in(frame, x), by_parameters + 10 * l++);
    }
    for (int i = c.topology.n; i >= 1; --i) {
      Vec3<T>& sum = momentum_[c.topology.parent[i]];
      sum = sum + at.motion.R(i) * momentum_[i];
    }
    const Vec3<T> g = -transposed_times(root_, momentum_[0]);
    by_gravity[0] = g.x;
    by_gravity[1] = g.y;
    by_gravity[2] = g.z;
  }

  ModelState<T> at;

 private:
  NewtonEulerLink<T, Mat3> newton_euler_;
  std::vector<T> joint_torque_;
  std::vector<Twist<T>> seen_;     // motion of each link by w, in its frame
  std::vector<Vec3<T>> momentum_;  // its linear momentum, with all links beyond
  std::vector<int> links_;         // with parameters, ascending
  Mat3<T> root_;
  std::vector<Pose<T>> frame_;
};

// Forward mode: numbers with a derivative along (dparameters, dgravity).
template <Scalar T>
class InverseParameterTangent {
  using D = Dual<1, T>;

 public:
  explicit InverseParameterTangent(const Robot& robot)
      : torque(robot.canonical()),
        links_(links_with_parameters(robot)),
        in_(robot.canonical()),
        tau_(robot.nv()),
        root_(to<T>(robot.canonical().link[robot.canonical().root].pose.R)) {
    const std::vector<Pose<double>> frames = link_frames(robot);
    for (const int i : links_) frame_.push_back({to<T>(frames[i].R), to<T>(frames[i].p)});
  }

  void operator()(const T* q, const T* v, const T* a, const T* dparameters, const T* dgravity,
                  T* dtau) {
    Mechanism<D>& m = torque.at.mechanism;
    for (std::size_t l = 0; l < links_.size(); ++l) {
      const Moments<T> b = moved(frame_[l].R, frame_[l].p, moments_of(dparameters + 10 * l));
      const T rate[10] = {b.m,    b.ms.x, b.ms.y, b.ms.z, b.K.xx,
                          b.K.yy, b.K.zz, b.K.xy, b.K.xz, b.K.yz};
      for (int k = 0; k < 10; ++k) {
        D x = m.body[links_[l]][k];
        x.d[0] = rate[k];
        m.body[links_[l]].set(k, x);
      }
    }
    const Vec3<T> g = root_ * Vec3<T>{dgravity[0], dgravity[1], dgravity[2]};
    m.gravity.x.d[0] = g.x;
    m.gravity.y.d[0] = g.y;
    m.gravity.z.d[0] = g.z;
    torque.at.motion.set_base(m, BaseMotion<D>(torque.at.motion.base));
    TangentInputs<T>::fill(in_.q, q, nullptr);
    TangentInputs<T>::fill(in_.v, v, nullptr);
    TangentInputs<T>::fill(in_.x, a, nullptr);
    torque(in_.q.data(), in_.v.data(), in_.x.data(), tau_.data());
    for (std::size_t k = 0; k < tau_.size(); ++k) dtau[k] = tau_[k].d[0];
  }

  Torque<D> torque;

 private:
  std::vector<int> links_;
  TangentInputs<T> in_;
  std::vector<D> tau_;
  Mat3<T> root_;
  std::vector<Pose<T>> frame_;  // of each link with parameters
};

template <Scalar T>
class ForwardParameterVectorProduct {
 public:
  explicit ForwardParameterVectorProduct(const Robot& robot)
      : forward(robot.canonical()), inverse(robot), a_(robot.nv()), y_(robot.nv()) {}

  void operator()(const T* q, const T* v, const T* tau, const T* w, T* by_parameters,
                  T* by_gravity) {
    forward.acceleration(q, v, tau, a_.data());
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = -w[k];
    forward.solve(y_.data());
    inverse(q, v, a_.data(), y_.data(), by_parameters, by_gravity);
  }

  CompositeForward<T> forward;
  InverseParameterVectorProduct<T> inverse;

 private:
  std::vector<T> a_, y_;
};

template <Scalar T>
class ForwardParameterTangent {
 public:
  explicit ForwardParameterTangent(const Robot& robot)
      : forward(robot.canonical()), inverse(robot), a_(robot.nv()) {}

  void operator()(const T* q, const T* v, const T* tau, const T* dparameters, const T* dgravity,
                  T* da) {
    forward.acceleration(q, v, tau, a_.data());
    inverse(q, v, a_.data(), dparameters, dgravity, da);
    for (std::size_t k = 0; k < a_.size(); ++k) da[k] = -da[k];
    forward.solve(da);
  }

  CompositeForward<T> forward;
  InverseParameterTangent<T> inverse;

 private:
  std::vector<T> a_;
};

}  // namespace parid::dynamics
