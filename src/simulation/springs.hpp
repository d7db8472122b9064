// The springs of elastic joints in a simulation. The mechanism is Robot::with_motors(): the robot's
// coordinates, then those of the motors.

#pragma once

#include <algorithm>
#include <vector>

#include "parid/robot.hpp"
#include "simulation/layer.hpp"

namespace parid::simulation {

class Springs {
 public:
  // `measure_links`: torque sources read the links of elastic joints, else their motors.
  Springs(const Robot& robot, bool measure_links)
      : joints_(robot.elastic_joints()),
        nq_(robot.nq()),
        nv_(robot.nv()),
        measure_links_(measure_links) {}

  int nq() const { return nq_; }  // of the robot
  int nv() const { return nv_; }
  int size() const { return static_cast<int>(joints_.size()); }
  const std::vector<ElasticJoint>& joints() const { return joints_; }

  // What a torque source reads, from the mechanism's state: nq and nv numbers.
  void measure(const double* q, const double* v, double* position, double* velocity) const {
    std::copy_n(q, nq_, position);
    std::copy_n(v, nv_, velocity);
    if (measure_links_) return;
    for (int e = 0; e < size(); ++e) {
      position[joint(e).position] = q[nq_ + e];
      velocity[joint(e).velocity] = v[nv_ + e];
    }
  }

  // τ_s
  double torque(int e, const double* q, const double* v) const {
    const ElasticJoint& j = joint(e);
    return j.stiffness * (q[nq_ + e] - q[j.position]) + j.damping * (v[nv_ + e] - v[j.velocity]);
  }
  // Generalised torques of the mechanism from the torques that act on it (nv), and back.
  void spread(const double* q, const double* v, const double* applied, double* tau) const {
    std::copy_n(applied, nv_, tau);
    for (int e = 0; e < size(); ++e) {
      const double spring = torque(e, q, v);
      const int k = joint(e).velocity;
      tau[nv_ + e] = applied[k] - spring;
      tau[k] = spring;
    }
  }
  void gather(double* tau) const {  // in its first nv numbers
    for (int e = 0; e < size(); ++e) tau[joint(e).velocity] += tau[nv_ + e];
  }

  double energy(const double* q) const {
    double sum = 0;
    for (int e = 0; e < size(); ++e) {
      const double x = q[nq_ + e] - q[joint(e).position];
      sum += joint(e).stiffness / 2 * x * x;
    }
    return sum;
  }
  // Power of the applied torques, from generalised ones: those of elastic joints act at the motor.
  double power(const double* tau, const double* v) const {
    double sum = 0;
    for (int k = 0; k < nv_; ++k) sum += tau[k] * v[k];
    for (int e = 0; e < size(); ++e) {
      const int k = joint(e).velocity;
      sum += (tau[nv_ + e] + tau[k]) * v[nv_ + e] - tau[k] * v[k];
    }
    return sum;
  }
  double lost_power(const double* v) const {  // to damping
    double sum = 0;
    for (int e = 0; e < size(); ++e) {
      const double rate = v[nv_ + e] - v[joint(e).velocity];
      sum += joint(e).damping * rate * rate;
    }
    return sum;
  }

  // M + h/2 D + h²/4 K, (N, N): what the velocity in the middle of an implicit step multiplies.
  template <class Matrix>
  void stiffen(double h, Matrix& M) const {
    for (int e = 0; e < size(); ++e) {
      const double x = h / 2 * joint(e).damping + h * h / 4 * joint(e).stiffness;
      const int k = joint(e).velocity, l = nv_ + e;
      M(k, k) += x;
      M(l, l) += x;
      M(k, l) -= x;
      M(l, k) -= x;
    }
  }

 private:
  const ElasticJoint& joint(int e) const { return joints_[static_cast<std::size_t>(e)]; }

  std::vector<ElasticJoint> joints_;
  int nq_, nv_;
  bool measure_links_;
};

}  // namespace parid::simulation
