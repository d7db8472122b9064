#include "parid/elastic.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "dynamics/derivative/torque_rates.hpp"
#include "model/elastic_mechanism.hpp"
#include "parid/dynamics.hpp"
#include "runtime/layer.hpp"

namespace parid {
using namespace runtime;

namespace {

// δ and its first two derivatives.
struct Deflection {
  double x, v, a;
};

// D δ̇ + K δ = τ, for a τ known with its first two derivatives at both ends of a step.
class SpringEquation {
 public:
  using Torque = std::array<double, 3>;  // τ, τ̇, τ̈

  SpringEquation(double stiffness, double damping) : K_(stiffness), c_(damping / stiffness) {}

  // Without the part that decays, as far as two derivatives of τ give it.
  Deflection steady(const Torque& f) const {
    return {(f[0] - c_ * (f[1] - c_ * f[2])) / K_, (f[1] - c_ * f[2]) / K_, f[2] / K_};
  }

  Deflection after(double h, const Deflection& from, const Torque& f0, const Torque& f1) const {
    if (c_ == 0) return steady(f1);
    const Polynomial p = quintic(h, f0, f1);
    return h >= 4 * c_ ? by_terms(h, from, p) : by_integral(h, from, f0, f1, p);
  }

 private:
  using Polynomial = std::array<double, 6>;

  static Polynomial quintic(double h, const Torque& f0, const Torque& f1) {
    const double A = f1[0] - (f0[0] + h * (f0[1] + h / 2 * f0[2])),
                 B = h * (f1[1] - (f0[1] + h * f0[2])), C = h * h * (f1[2] - f0[2]);
    const double h3 = h * h * h;
    return {f0[0],
            f0[1],
            f0[2] / 2,
            (10 * A - 4 * B + C / 2) / h3,
            (-15 * A + 7 * B - C) / (h3 * h),
            (6 * A - 3 * B + C / 2) / (h3 * h * h)};
  }
  // The k-th derivative at t.
  static double derivative(const Polynomial& p, int k, double t) {
    double sum = 0;
    for (int n = 5; n >= k; --n) {
      double factor = 1;
      for (int m = 0; m < k; ++m) factor *= n - m;
      sum = sum * t + factor * p[n];
    }
    return sum;
  }
  // The polynomial that solves the equation: Σ (−c)^k p^(k) / K, or its derivatives.
  double particular(const Polynomial& p, int order, double t) const {
    double sum = 0;
    for (int k = 5; k >= order; --k) sum = derivative(p, k, t) - c_ * sum;
    return sum / K_;
  }

  Deflection by_terms(double h, const Deflection& from, const Polynomial& p) const {
    const double rest = std::exp(-h / c_) * (from.x - particular(p, 0, 0));
    return {particular(p, 0, h) + rest, particular(p, 1, h) - rest / c_,
            particular(p, 2, h) + rest / (c_ * c_)};
  }
  // For steps that are short beside the time constant, where the terms above cancel: Gauss-Legendre
  // quadrature of ten nodes.
  Deflection by_integral(double h, const Deflection& from, const Torque&, const Torque& f1,
                         const Polynomial& p) const {
    static constexpr double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                      0.8650633666889845, 0.9739065285171717};
    static constexpr double weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                        0.1494513491505806, 0.0666713443086881};
    double sum = 0;
    for (int k = 0; k < 5; ++k)
      for (const double side : {-1.0, 1.0}) {
        const double t = h / 2 * (1 + side * node[k]);
        sum += weight[k] * std::exp((t - h) / c_) * derivative(p, 0, t);
      }
    const double D = c_ * K_;
    Deflection to{std::exp(-h / c_) * from.x + h / 2 * sum / D, 0, 0};
    to.v = (f1[0] - K_ * to.x) / D;
    to.a = (f1[1] - K_ * to.v) / D;
    return to;
  }

  double K_, c_;
};

}  // namespace

struct ElasticDynamics::Parts {
  Robot robot, links, motors;
  std::vector<ElasticJoint> joints;
  std::vector<const JointDescription*> description;
  std::size_t nq, nv, m;
  Workspace of_links, of_motors;
  TorqueRates<2, double> rates;
  std::vector<double> tau, q, v, generalised, a;
  std::vector<Deflection> deflection;

  explicit Parts(const Robot& r)
      : robot(r),
        links(link_side(r)),
        motors(r.with_motors()),
        joints(r.elastic_joints()),
        nq(r.nq()),
        nv(r.nv()),
        m(joints.size()),
        of_links(links),
        of_motors(motors),
        rates(links.canonical(), links.description()),
        tau(3 * nv),
        q(nq + m),
        v(nv + m),
        generalised(nv + m),
        a(nv + m),
        deflection(m) {
    for (const ElasticJoint& e : joints)
      for (const JointDescription& j : robot.description().joints)
        if (j.name == e.joint) description.push_back(&j);
  }

  SpringEquation equation(std::size_t e) const { return {joints[e].stiffness, joints[e].damping}; }
  SpringEquation::Torque torque(std::size_t e) const {
    const auto k = static_cast<std::size_t>(joints[e].velocity);
    return {tau[k], tau[nv + k], tau[2 * nv + k]};
  }
  void torques(const double* at, const double* speed, const double* acceleration,
               const double* jerk, const double* snap, bool friction) {
    rates(at, {speed, acceleration, jerk, snap}, friction, tau.data());
  }

  double loss(std::size_t e, double load, double speed) const {
    return motor_loss(*description[e], load, speed);
  }

  // From tau and deflection to motor torques and motions of one instant.
  void finish(const double* at, const double* speed, const double* acceleration, double* out,
              const MotorMotion& motor, std::size_t row, bool friction) const {
    std::copy_n(tau.begin(), nv, out);
    for (std::size_t e = 0; e < m; ++e) {
      const ElasticJoint& j = joints[e];
      const Deflection& d = deflection[e];
      const double theta_v = speed[j.velocity] + d.v, theta_a = acceleration[j.velocity] + d.a;
      double& total = out[j.velocity];
      if (friction) total += loss(e, tau[static_cast<std::size_t>(j.velocity)], theta_v);
      total += j.rotor_inertia * theta_a;
      if (!motor.theta.empty()) motor.theta[row * m + e] = at[j.position] + d.x;
      if (!motor.theta_v.empty()) motor.theta_v[row * m + e] = theta_v;
      if (!motor.theta_a.empty()) motor.theta_a[row * m + e] = theta_a;
    }
  }

  struct Size {
    const char* name;
    std::size_t have, need;
    bool optional = false;
  };
  void require(std::initializer_list<Size> sizes) const {
    for (const Size& s : sizes)
      if (s.have != s.need && !(s.optional && s.have == 0))
        throw std::invalid_argument(
            fmt::format("elastic dynamics: {} has {} numbers; '{}' needs {}", s.name, s.have,
                        robot.name(), s.need));
  }
  void require_motors(const MotorMotion& x, std::size_t rows) const {
    require({{"theta", x.theta.size(), rows * m, true},
             {"theta_v", x.theta_v.size(), rows * m, true},
             {"theta_a", x.theta_a.size(), rows * m, true}});
  }
};

ElasticDynamics::ElasticDynamics(const Robot& robot) : parts_(std::make_unique<Parts>(robot)) {}
ElasticDynamics::ElasticDynamics(ElasticDynamics&&) noexcept = default;
ElasticDynamics& ElasticDynamics::operator=(ElasticDynamics&&) noexcept = default;
ElasticDynamics::~ElasticDynamics() = default;

const Robot& ElasticDynamics::robot() const { return parts_->robot; }
const std::vector<ElasticJoint>& ElasticDynamics::joints() const { return parts_->joints; }

void ElasticDynamics::link_torques(std::span<const double> q, std::span<const double> v,
                                   std::span<const double> a, std::span<const double> jerk,
                                   std::span<const double> snap, std::span<double> tau,
                                   std::span<double> rate, std::span<double> rate2, bool friction) {
  Parts& p = *parts_;
  p.require({{"q", q.size(), p.nq},
             {"v", v.size(), p.nv},
             {"a", a.size(), p.nv},
             {"jerk", jerk.size(), p.nv},
             {"snap", snap.size(), p.nv},
             {"tau", tau.size(), p.nv},
             {"tau_rate", rate.size(), p.nv},
             {"tau_rate2", rate2.size(), p.nv}});
  p.torques(q.data(), v.data(), a.data(), jerk.data(), snap.data(), friction);
  for (std::size_t k = 0; k < p.nv; ++k) {
    tau[k] = p.tau[k];
    rate[k] = p.tau[p.nv + k];
    rate2[k] = p.tau[2 * p.nv + k];
  }
}

void ElasticDynamics::inverse(std::span<const double> q, std::span<const double> v,
                              std::span<const double> a, std::span<const double> jerk,
                              std::span<const double> snap, std::span<double> tau,
                              const MotorMotion& motor, bool friction) {
  Parts& p = *parts_;
  p.require({{"q", q.size(), p.nq},
             {"v", v.size(), p.nv},
             {"a", a.size(), p.nv},
             {"jerk", jerk.size(), p.nv},
             {"snap", snap.size(), p.nv},
             {"tau", tau.size(), p.nv}});
  p.require_motors(motor, 1);
  p.torques(q.data(), v.data(), a.data(), jerk.data(), snap.data(), friction);
  for (std::size_t e = 0; e < p.m; ++e) p.deflection[e] = p.equation(e).steady(p.torque(e));
  p.finish(q.data(), v.data(), a.data(), tau.data(), motor, 0, friction);
}

void ElasticDynamics::along(std::span<const double> t, std::span<const double> q,
                            std::span<const double> v, std::span<const double> a,
                            std::span<const double> jerk, std::span<const double> snap,
                            std::span<double> tau, const MotorMotion& motor, bool friction) {
  Parts& p = *parts_;
  const std::size_t rows = t.size();
  p.require({{"q", q.size(), rows * p.nq},
             {"v", v.size(), rows * p.nv},
             {"a", a.size(), rows * p.nv},
             {"jerk", jerk.size(), rows * p.nv},
             {"snap", snap.size(), rows * p.nv},
             {"tau", tau.size(), rows * p.nv}});
  p.require_motors(motor, rows);
  std::vector<SpringEquation::Torque> before(p.m);
  for (std::size_t r = 0; r < rows; ++r) {
    if (r > 0 && !(t[r] > t[r - 1]))
      throw std::invalid_argument(fmt::format("elastic dynamics: t is not rising at row {}", r));
    const double *Q = &q[r * p.nq], *V = &v[r * p.nv], *A = &a[r * p.nv];
    p.torques(Q, V, A, &jerk[r * p.nv], &snap[r * p.nv], friction);
    for (std::size_t e = 0; e < p.m; ++e) {
      const SpringEquation::Torque now = p.torque(e);
      p.deflection[e] = r == 0
                            ? p.equation(e).steady(now)
                            : p.equation(e).after(t[r] - t[r - 1], p.deflection[e], before[e], now);
      before[e] = now;
    }
    p.finish(Q, V, A, &tau[r * p.nv], motor, r, friction);
  }
}

void ElasticDynamics::spring_torques(std::span<const double> q, std::span<const double> theta,
                                     std::span<const double> v, std::span<const double> theta_v,
                                     std::span<double> torque) const {
  const Parts& p = *parts_;
  p.require({{"q", q.size(), p.nq},
             {"theta", theta.size(), p.m},
             {"v", v.size(), p.nv},
             {"theta_v", theta_v.size(), p.m},
             {"torque", torque.size(), p.m}});
  for (std::size_t e = 0; e < p.m; ++e) {
    const ElasticJoint& j = p.joints[e];
    torque[e] = j.stiffness * (theta[e] - q[j.position]) + j.damping * (theta_v[e] - v[j.velocity]);
  }
}

void ElasticDynamics::forward(std::span<const double> q, std::span<const double> theta,
                              std::span<const double> v, std::span<const double> theta_v,
                              std::span<const double> tau, std::span<double> a,
                              std::span<double> theta_a) {
  Parts& p = *parts_;
  p.require({{"tau", tau.size(), p.nv},
             {"a", a.size(), p.nv},
             {"theta_a", theta_a.size(), p.m},
             {"q", q.size(), p.nq},
             {"theta", theta.size(), p.m},
             {"v", v.size(), p.nv},
             {"theta_v", theta_v.size(), p.m}});
  p.links.require_invertible_mass("forward dynamics with elastic joints");
  std::copy(q.begin(), q.end(), p.q.begin());
  std::copy(v.begin(), v.end(), p.v.begin());
  std::copy(tau.begin(), tau.end(), p.generalised.begin());
  for (std::size_t e = 0; e < p.m; ++e) {
    const ElasticJoint& j = p.joints[e];
    const double spring =
        j.stiffness * (theta[e] - q[j.position]) + j.damping * (theta_v[e] - v[j.velocity]);
    p.q[p.nq + e] = theta[e];
    p.v[p.nv + e] = theta_v[e];
    p.generalised[p.nv + e] = tau[j.velocity] - spring;
    p.generalised[j.velocity] = spring;
  }
  forward_dynamics(p.motors, p.of_motors, p.q, p.v, p.generalised, p.a);
  std::copy_n(p.a.begin(), p.nv, a.begin());
  std::copy_n(p.a.begin() + static_cast<std::ptrdiff_t>(p.nv), p.m, theta_a.begin());
}

double ElasticDynamics::spring_energy(std::span<const double> q,
                                      std::span<const double> theta) const {
  const Parts& p = *parts_;
  p.require({{"q", q.size(), p.nq}, {"theta", theta.size(), p.m}});
  double sum = 0;
  for (std::size_t e = 0; e < p.m; ++e) {
    const double x = theta[e] - q[p.joints[e].position];
    sum += p.joints[e].stiffness / 2 * x * x;
  }
  return sum;
}

void ElasticDynamics::resting_motors(std::span<const double> q, std::span<double> theta) {
  Parts& p = *parts_;
  p.require({{"q", q.size(), p.nq}, {"theta", theta.size(), p.m}});
  gravity(p.links, p.of_links, q, std::span(p.tau).first(p.nv));
  for (std::size_t e = 0; e < p.m; ++e) {
    const ElasticJoint& j = p.joints[e];
    theta[e] = q[j.position] + p.tau[static_cast<std::size_t>(j.velocity)] / j.stiffness;
  }
}

std::vector<double> ElasticDynamics::frequencies(std::span<const double> q) {
  Parts& p = *parts_;
  p.require({{"q", q.size(), p.nq}});
  p.links.require_invertible_mass("the frequencies of elastic joints");
  std::vector<double> inverse(p.nv * p.nv);
  evaluate(p.links, p.of_links, Quantity::inverse_mass_matrix, {q}, {std::span(inverse)});
  const auto m = static_cast<Eigen::Index>(p.m);
  Eigen::MatrixXd S(m, m);
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index k = 0; k < m; ++k) {
      const ElasticJoint &a = p.joints[static_cast<std::size_t>(i)],
                         &b = p.joints[static_cast<std::size_t>(k)];
      const double flexible = inverse[static_cast<std::size_t>(a.velocity) * p.nv +
                                      static_cast<std::size_t>(b.velocity)] +
                              (i == k ? 1 / a.rotor_inertia : 0);
      S(i, k) = std::sqrt(a.stiffness) * flexible * std::sqrt(b.stiffness);
    }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(S, Eigen::EigenvaluesOnly);
  std::vector<double> all;
  for (const double x : solver.eigenvalues()) all.push_back(std::sqrt(std::max(x, 0.0)));
  return all;
}

}  // namespace parid
