#include "runtime/verify/derived_check.hpp"

#include "parid/dynamics.hpp"
#include "scalar/dual.hpp"
#include "scalar/taylor.hpp"

namespace parid::runtime {
namespace {

using namespace reference;
using D = Dual<1, Real>;

Real size_of(const Matrix& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

// One row: the reference at its state.
struct Row {
  const Robot& robot;
  int link, nq, nv;
  const ExternalLoads& around;
  ReferenceDynamics<Real> plain;
  ReferenceDynamics<D> along;
  Numbers q, v, none;

  Row(const Robot& r, int l, const ExternalLoads& s, const double* const* in, bool has_velocity)
      : robot(r),
        link(l),
        nq(r.nq()),
        nv(r.nv()),
        around(s),
        plain(r.description()),
        along(r.description()),
        q(numbers(in[0], static_cast<std::size_t>(nq))),
        v(static_cast<std::size_t>(nv)),
        none(static_cast<std::size_t>(nv)) {
    surround(plain, around);
    surround(along, around);
    if (has_velocity) v = numbers(in[1], static_cast<std::size_t>(nv));
  }

  Numbers vector(const double* x) const { return numbers(x, static_cast<std::size_t>(nv)); }
  static std::vector<D> lifted(const Numbers& x, const Numbers& direction) {
    std::vector<D> y(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
      y[k].value = x[k];
      if (!direction.empty()) y[k].d[0] = direction[k];
    }
    return y;
  }
  std::vector<D> moving(const Numbers& velocity) const {
    return lifted(q, plain.position_rates(q, velocity));
  }
  Numbers unit(int k) const {
    Numbers e = none;
    e[static_cast<std::size_t>(k)] = 1;
    return e;
  }

  Matrix M() { return matrix(plain.mass(q), nv, nv); }
  Vector bias() { return matrix(plain.torque(q, v, none), nv, 1); }
  Numbers acceleration(const Numbers& tau) {
    const Vector a = M().ldlt().solve(matrix(tau, nv, 1) - bias());
    return {a.data(), a.data() + nv};
  }

  // The derivative of torques along (dq, dv, da), and how large their terms are.
  Matrix torque_rate(const Numbers& a, const Numbers& dq, const Numbers& dv, const Numbers& da) {
    const std::vector<D> tau = along.torque(moving(dq), lifted(v, dv), lifted(a, da));
    Matrix x(nv, 1);
    for (int k = 0; k < nv; ++k) x(k, 0) = tau[static_cast<std::size_t>(k)].d[0];
    return x;
  }
  struct Gradient {
    Matrix dq, dv, da;
  };
  Gradient gradient(const Numbers& a) {
    Gradient g{Matrix(nv, nv), Matrix(nv, nv), M()};
    for (int k = 0; k < nv; ++k) {
      g.dq.col(k) = torque_rate(a, unit(k), none, none);
      g.dv.col(k) = torque_rate(a, none, unit(k), none);
    }
    return g;
  }
  Real scale(const Numbers& a) {
    Numbers size;
    plain.torque(q, v, a, &size);
    return largest(size);
  }

  Matrix jacobian() { return matrix(plain.jacobian(q, link), 6, nv); }
  Matrix jacobian_rate() {  // along v
    const std::vector<D> J = along.jacobian(moving(v), link);
    Matrix x(6, nv);
    for (int k = 0; k < 6 * nv; ++k) x.data()[k] = J[static_cast<std::size_t>(k)].d[0];
    return x;
  }
  // Momenta for each unit velocity, and their rates along v.
  struct Momenta {
    Matrix A, rate;
    Real mass = 0;
  };
  Momenta momenta() {
    Momenta m{Matrix(6, nv), Matrix(6, nv)};
    for (int k = 0; k < nv; ++k) {
      const PlainEnergy<D> e = along.energy(moving(v), lifted(unit(k), {}));
      const D all[] = {e.linear_momentum.x,  e.linear_momentum.y,  e.linear_momentum.z,
                       e.angular_momentum.x, e.angular_momentum.y, e.angular_momentum.z};
      for (int r = 0; r < 6; ++r) {
        m.A(r, k) = all[r].value;
        m.rate(r, k) = all[r].d[0];
      }
      m.mass = e.mass.value;
    }
    return m;
  }
};

// Whether both sides are finite; if not, the comparison says which.
bool comparable(Worst& worst, bool got_finite, bool right_finite) {
  worst.finite = worst.finite && got_finite;
  worst.right_finite = worst.right_finite && right_finite;
  return got_finite && right_finite;
}

void products(Worst& worst, Row& s, Quantity which, const double* const* in,
              const double* const* out) {
  const int n = s.nv;
  const bool forward =
      which == Quantity::forward_vector_product || which == Quantity::forward_jacobian_product;
  const Numbers third = s.vector(in[2]), a = forward ? s.acceleration(third) : third;
  auto column = [&](const double* x) { return matrix(x, n, 1); };
  const Real size = s.scale(a);
  if (which == Quantity::inverse_jacobian_product || which == Quantity::forward_jacobian_product) {
    const Numbers dq = s.vector(in[3]), dv = s.vector(in[4]), dx = s.vector(in[5]);
    const Real least = size * (largest(dq) + largest(dv) + largest(dx)) + largest(dx);
    if (!forward) return worst.add(column(out[0]), s.torque_rate(a, dq, dv, dx), least);
    const Matrix M = s.M(), da = column(out[0]),
                 right = matrix(dx, n, 1) - s.torque_rate(a, dq, dv, s.none);
    if (!comparable(worst, da.allFinite(), M.allFinite() && right.allFinite())) return;
    return worst.add(M * da, right, std::max(least, (M.cwiseAbs() * da.cwiseAbs()).maxCoeff()));
  }
  const Row::Gradient g = s.gradient(a);
  const Matrix gq = column(out[0]), gv = column(out[1]), gx = column(out[2]);
  // Of inverse dynamics the weights are given; of forward dynamics they are −M⁻¹ w.
  Matrix w = column(in[3]);
  const bool reference = g.dq.allFinite() && g.dv.allFinite() && g.da.allFinite() && w.allFinite();
  if (!comparable(worst, gq.allFinite() && gv.allFinite() && gx.allFinite(), reference)) return;
  if (forward) {
    worst.add(g.da * gx, w, (g.da.cwiseAbs() * gx.cwiseAbs()).maxCoeff());
    w = -gx;
  } else {
    worst.add(gx, g.da.transpose() * w, n * size_of(w) * size_of(g.da));
  }
  auto add = [&](const Matrix& got, const Matrix& by, Real least) {
    const Real terms = (by.cwiseAbs().transpose() * w.cwiseAbs()).maxCoeff();
    worst.add(got, by.transpose() * w, std::max(terms, 1e-5L * n * size_of(w) * least));
  };
  add(gq, g.dq, std::max(size_of(g.dq), size));
  add(gv, g.dv, std::max(size_of(g.dv), size_of(g.da)));
}

// The rates of all derivatives along the direction: numbers with a derivative along it, whose
// derivatives along each coordinate are such numbers too.
void hessian_product(Worst& worst, Row& s, const double* const* in, const double* const* out) {
  using Both = Dual<1, D>;
  const int n = s.nv;
  const Numbers a = s.vector(in[2]), w = s.vector(in[3]), dq = s.vector(in[4]),
                dv = s.vector(in[5]), da = s.vector(in[6]);
  const std::vector<D> q = s.moving(dq), v = Row::lifted(s.v, dv), x = Row::lifted(a, da);
  ReferenceDynamics<Both> twice(s.robot.description());
  surround(twice, s.around);
  auto raised = [](const std::vector<D>& value, const std::vector<D>& direction) {
    std::vector<Both> y(value.size());
    for (std::size_t k = 0; k < y.size(); ++k) {
      y[k].value = value[k];
      if (!direction.empty()) y[k].d[0] = direction[k];
    }
    return y;
  };
  Matrix right(n, 3), got(n, 3);
  for (int k = 0; k < n; ++k) {
    const std::vector<D> unit = Row::lifted(s.unit(k), {});
    const std::vector<Both> tau[] = {
        twice.torque(raised(q, s.along.position_rates(q, unit)), raised(v, {}), raised(x, {})),
        twice.torque(raised(q, {}), raised(v, unit), raised(x, {})),
        twice.torque(raised(q, {}), raised(v, {}), raised(x, unit))};
    for (int c = 0; c < 3; ++c) {
      right(k, c) = 0;
      for (std::size_t r = 0; r < w.size(); ++r) right(k, c) += w[r] * tau[c][r].d[0].d[0];
    }
  }
  for (int c = 0; c < 3; ++c) got.col(c) = matrix(out[c], n, 1);
  const Real size = largest(w) * n * (s.scale(a) + size_of(s.M())) *
                    (1 + largest(dq) + largest(dv) + largest(da));
  worst.add(got, right, std::max(1e-3L * size, size_of(right)));
}

// Derivatives of torques by parameters and gravity: torques are linear in both.
void parameter_products(Worst& worst, Row& s, Quantity which, const double* const* in,
                        const double* const* out) {
  const int n = s.nv;
  const bool forward = which == Quantity::forward_parameter_vector_product ||
                       which == Quantity::forward_parameter_jacobian_product;
  const Numbers third = s.vector(in[2]), a = forward ? s.acceleration(third) : third;
  const std::vector<std::string> names = regressor_names(s.robot);
  const int columns = static_cast<int>(names.size());
  Matrix Y(n, columns), G(n, 3), scale(n, columns + 3);
  ReferenceDynamics<Real> one = s.plain;
  one.rotors = false;
  one.pushes.clear();
  auto column = [&](auto to, int k, const Numbers& v, const Numbers& acceleration) {
    Numbers size;
    to = matrix(one.torque(s.q, v, acceleration, &size), n, 1);
    scale.col(k) = matrix(size, n, 1);
  };
  for (int k = 0; k < columns; ++k) {
    const std::string& name = names[static_cast<std::size_t>(k)];
    one.clear_bodies();
    one.set_body(s.robot.find_link(name.substr(0, name.rfind('.'))), unit_body(k % 10));
    column(Y.col(k), k, s.v, a);
  }
  one = s.plain;
  one.rotors = false;
  one.pushes.clear();
  one.base_w = one.base_wd = one.base_vd = {};
  for (int k = 0; k < 3; ++k) {
    one.gravity = {Real(k == 0), Real(k == 1), Real(k == 2)};
    column(G.col(k), columns + k, s.none, s.none);
  }
  const bool reference = Y.allFinite() && G.allFinite();
  if (which == Quantity::inverse_parameter_jacobian_product ||
      which == Quantity::forward_parameter_jacobian_product) {
    const Matrix dp = matrix(in[3], columns, 1), dg = matrix(in[4], 3, 1), x = matrix(out[0], n, 1);
    Matrix both(columns + 3, 1);
    both << dp, dg;
    const Real size = (scale * both.cwiseAbs()).maxCoeff();
    const Matrix rate = Y * dp + G * dg;
    if (!forward) return worst.add(x, rate, size);
    const Matrix M = s.M();
    if (!comparable(worst, x.allFinite(), M.allFinite() && rate.allFinite())) return;
    return worst.add(M * x, -rate, std::max(size, (M.cwiseAbs() * x.cwiseAbs()).maxCoeff()));
  }
  const Matrix gp = matrix(out[0], columns, 1), gg = matrix(out[1], 3, 1);
  Matrix w = matrix(in[3], n, 1);
  if (!comparable(worst, gp.allFinite() && gg.allFinite(), reference && w.allFinite())) return;
  if (forward) {
    const Matrix solved = s.M().ldlt().solve(w);
    w = -solved;
  }
  const Matrix size = scale.transpose() * w.cwiseAbs();
  worst.add(gp, Y.transpose() * w, size.topRows(columns).maxCoeff());
  worst.add(gg, G.transpose() * w, size.bottomRows(3).maxCoeff());
}

void energy_gradient(Worst& worst, Row& s, const double* const* out) {
  const int n = s.nv;
  Matrix right(n, 2);
  for (int k = 0; k < n; ++k) {
    const PlainEnergy<D> e = s.along.energy(s.moving(s.unit(k)), Row::lifted(s.v, {}));
    right(k, 0) = e.kinetic.d[0];
    right(k, 1) = e.potential.d[0];
  }
  const Matrix M = s.M();
  const Real speed = std::max<Real>(largest(s.v), 1);
  const Real size = size_of(M) * n * speed * speed, weight = s.scale(s.none);
  worst.add(matrix(out[0], n, 1), right.col(0), std::max(size, size_of(right.col(0))));
  worst.add(matrix(out[1], n, 1), M * matrix(s.v, n, 1), size_of(M) * n * speed);
  worst.add(matrix(out[2], n, 1), right.col(1), std::max(weight, size_of(right.col(1))));
}

// The description without the rotors of elastic joints.
Description without_motors(const Robot& robot) {
  Description d = robot.description();
  for (const ElasticJoint& e : robot.elastic_joints())
    for (JointDescription& j : d.joints)
      if (j.name == e.joint) {
        j.rotor_inertia = 0;
        j.elastic.reset();
      }
  return d;
}

// Torques along the motion as series of the time: positions from their rates, one order after
// another; a base with constant accelerations in its axes, in which gravity turns.
void elastic_inverse(Worst& worst, Row& s, const double* const* in, const double* const* out) {
  using Series = Taylor<2, Real>;
  const auto n = static_cast<std::size_t>(s.nv);
  const Numbers v = s.vector(in[1]), a = s.vector(in[2]), jerk = s.vector(in[3]),
                snap = s.vector(in[4]);
  ReferenceDynamics<Series> links(without_motors(s.robot));
  surround(links, s.around);
  auto set = [](Vec3<Series>& x, int k, const Vec3<Series>& rate) {
    x.x.c[k + 1] = rate.x.c[k] / (k + 1);
    x.y.c[k + 1] = rate.y.c[k] / (k + 1);
    x.z.c[k + 1] = rate.z.c[k] / (k + 1);
  };
  std::vector<Series> q(s.q.size()), speed(n), acceleration(n);
  for (std::size_t k = 0; k < n; ++k) {
    speed[k] = Series::of_derivatives({v[k], a[k], jerk[k]});
    acceleration[k] = Series::of_derivatives({a[k], jerk[k], snap[k]});
  }
  for (std::size_t k = 0; k < q.size(); ++k) q[k].c[0] = s.q[k];
  for (int order = 0; order < 2; ++order) {
    const std::vector<Series> rate = links.position_rates(q, speed);
    for (std::size_t k = 0; k < q.size(); ++k) q[k].c[order + 1] = rate[k].c[order] / (order + 1);
    set(links.base_w, order, links.base_wd);
    set(links.gravity, order, -cross(links.base_w, links.gravity));
  }
  const std::vector<Series> f = links.torque(q, speed, acceleration);
  Numbers tau(n), theta(n), theta_v = v;
  const Real speeds = 1 + largest(v), mass = size_of(s.M()) * s.nv;
  const Real size = s.scale(a) + mass * largest(a),
             size2 = size * speeds * speeds +
                     mass * (largest(snap) + speeds * largest(jerk) + largest(a) * largest(a));
  Real least = size, angle = largest(s.q), rate = largest(v);
  std::size_t position = 0, velocity = 0;
  for (const JointDescription& j : s.robot.description().joints) {
    const auto width = static_cast<std::size_t>(position_count(j)),
               rates = static_cast<std::size_t>(velocity_count(j));
    for (std::size_t k = 0; k < rates; ++k)
      theta[velocity + k] = width == rates ? s.q[position + k] : 0;
    position += width;
    velocity += rates;
  }
  for (std::size_t k = 0; k < n; ++k) tau[k] = f[k].derivative(0);
  for (const ElasticJoint& j : s.robot.elastic_joints()) {
    const auto k = static_cast<std::size_t>(j.velocity);
    const Real K = j.stiffness, c = j.damping / K, B = j.rotor_inertia;
    const Real f0 = f[k].derivative(0), f1 = f[k].derivative(1), f2 = f[k].derivative(2);
    theta[k] += (f0 - c * f1 + c * c * f2) / K;
    theta_v[k] += (f1 - c * f2) / K;
    tau[k] += B * (a[k] + f2 / K);
    least = std::max(least, B * (largest(a) + size2 / K));
    angle = std::max(angle, (size + c * size * speeds + c * c * size2) / K);
    rate = std::max(rate, (size * speeds + c * size2) / K);
  }
  worst.add(matrix(out[0], s.nv, 1), matrix(tau, s.nv, 1), least);
  worst.add(matrix(out[1], s.nv, 1), matrix(theta, s.nv, 1), angle);
  worst.add(matrix(out[2], s.nv, 1), matrix(theta_v, s.nv, 1), rate);
}

// Residuals of the equations of links and motors.
void elastic_forward(Worst& worst, Row& s, const double* const* in, const double* const* out) {
  const Numbers theta = s.vector(in[1]), v = s.vector(in[2]), theta_v = s.vector(in[3]),
                tau = s.vector(in[4]), a = s.vector(out[0]), theta_a = s.vector(out[1]);
  ReferenceDynamics<Real> links(without_motors(s.robot));
  surround(links, s.around);
  Numbers applied = tau, size, right = a;
  Real spring = largest(tau), least = largest(a);
  for (const ElasticJoint& j : s.robot.elastic_joints()) {
    const auto k = static_cast<std::size_t>(j.velocity);
    const Real K = j.stiffness, D = j.damping, B = j.rotor_inertia,
               q = s.q[static_cast<std::size_t>(j.position)];
    applied[k] = K * (theta[k] - q) + D * (theta_v[k] - v[k]);
    spring = std::max(spring, K * (std::abs(theta[k]) + std::abs(q)) +
                                  D * (std::abs(theta_v[k]) + std::abs(v[k])));
    right[k] = (tau[k] - applied[k]) / B;
    least = std::max(least, spring / B);
  }
  const Matrix got = matrix(a, s.nv, 1), motors = matrix(theta_a, s.nv, 1);
  const Matrix given = matrix(applied, s.nv, 1);
  const bool finite = matrix(links.torque(s.q, v, s.none), s.nv, 1).allFinite();
  if (!comparable(worst, got.allFinite() && motors.allFinite(), given.allFinite() && finite))
    return;
  const Numbers needed = links.torque(s.q, v, a, &size);
  const Matrix M = matrix(links.mass(s.q), s.nv, s.nv);
  worst.add(matrix(needed, s.nv, 1), given,
            std::max({largest(size), spring, (M.cwiseAbs() * got.cwiseAbs()).maxCoeff()}));
  worst.add(motors, matrix(right, s.nv, 1), least);
}

// C v is the bias less gravity, and C + Cᵀ the rate of M: without quaternions exactly.
void coriolis(Worst& worst, Row& s, const double* C, const double* w, const double* product) {
  const int n = s.nv;
  const Numbers force = s.plain.torque(s.q, s.v, s.none),
                rest = s.plain.torque(s.q, s.none, s.none);
  const Real size = s.scale(s.none) + size_of(s.M()) * std::max<Real>(largest(s.v), 1);
  const Matrix right = matrix(force, n, 1) - matrix(rest, n, 1);
  if (C) {
    const Matrix got = matrix(C, n, n);
    if (!comparable(worst, got.allFinite(), right.allFinite())) return;
    worst.add(got * matrix(s.v, n, 1), right, size * std::max<Real>(largest(s.v), 1) * n);
    return;
  }
  const Matrix x = matrix(w, n, 1);
  if (s.nq == n) {  // C(v) w = C(w) v, so that the velocity torque of v + w gives it
    const Numbers u = s.vector(w);
    Numbers both = s.v;
    for (std::size_t k = 0; k < both.size(); ++k) both[k] += u[k];
    const Matrix at_rest = matrix(rest, n, 1);
    auto of = [&](const Numbers& v) -> Matrix {
      return matrix(s.plain.torque(s.q, v, s.none), n, 1) - at_rest;
    };
    worst.add(matrix(product, n, 1), (of(both) - of(s.v) - of(u)) / 2, size);
    return;
  }
  // wᵀ C w = ½ wᵀ Ṁ w
  Matrix rate(n, n);
  for (int k = 0; k < n; ++k)
    rate.col(k) =
        s.torque_rate(s.unit(k), s.v, s.none, s.none) - s.torque_rate(s.none, s.v, s.none, s.none);
  worst.add(x.transpose() * matrix(product, n, 1), x.transpose() * rate * x / 2,
            std::max<Real>(size_of(rate), size) * size_of(x) * size_of(x) * n);
}

}  // namespace

bool derived_check(Worst& worst, const Robot& robot, Quantity which, int link,
                   const ExternalLoads& around, const double* const* in, const double* const* out) {
  const int n = robot.nv();
  Row s(robot, link, around, in, info(which).inputs.size() > 1);
  switch (which) {
    case Quantity::inverse_vector_product:
    case Quantity::forward_vector_product:
    case Quantity::inverse_jacobian_product:
    case Quantity::forward_jacobian_product: products(worst, s, which, in, out); return true;
    case Quantity::inverse_parameter_vector_product:
    case Quantity::forward_parameter_vector_product:
    case Quantity::inverse_parameter_jacobian_product:
    case Quantity::forward_parameter_jacobian_product:
      parameter_products(worst, s, which, in, out);
      return true;
    case Quantity::elastic_inverse_dynamics: elastic_inverse(worst, s, in, out); return true;
    case Quantity::elastic_forward_dynamics: elastic_forward(worst, s, in, out); return true;
    case Quantity::inverse_hessian_product: hessian_product(worst, s, in, out); return true;
    case Quantity::energy_gradient: energy_gradient(worst, s, out); return true;
    case Quantity::coriolis_matrix: coriolis(worst, s, out[0], nullptr, nullptr); return true;
    case Quantity::coriolis_product: coriolis(worst, s, nullptr, in[2], out[0]); return true;
    case Quantity::inverse_mass_matrix: {
      const Matrix M = s.M(), got = matrix(out[0], n, n);
      if (!comparable(worst, got.allFinite(), M.allFinite())) return true;
      worst.add(M * got, Matrix::Identity(n, n), (M.cwiseAbs() * got.cwiseAbs()).maxCoeff());
      return true;
    }
    case Quantity::centroidal_momentum_matrix: {
      const Row::Momenta m = s.momenta();
      const Real speed = std::max<Real>(largest(s.v), 1) * n;
      worst.add(matrix(out[0], 6, n), m.A, size_of(m.A));
      worst.add(matrix(out[1], 6, n), m.rate, std::max(size_of(m.rate), speed * size_of(m.A)));
      return true;
    }
    case Quantity::centre_of_mass: {
      const Row::Momenta m = s.momenta();
      const Vec3<Real> c = s.plain.energy(s.q, s.none).centre;
      const Matrix centre = matrix(Numbers{c.x, c.y, c.z}, 3, 1), J = m.A.topRows(3) / m.mass;
      const Real length = std::max<Real>(size_of(centre), size_of(J));
      worst.add(matrix(out[0], 3, 1), centre, std::max<Real>(length, size_of(s.jacobian())));
      worst.add(matrix(out[1], 3, n), J, std::max<Real>(length, size_of(J)));
      return true;
    }
    case Quantity::operational_space: {
      const Matrix J = s.jacobian(), M = s.M(), solved = M.ldlt().solve(J.transpose());
      worst.add(matrix(out[0], 6, 6), J * solved, (J.cwiseAbs() * solved.cwiseAbs()).maxCoeff());
      const Matrix a = matrix(s.acceleration(s.none), n, 1), v = matrix(s.v, n, 1),
                   rate = s.jacobian_rate();
      worst.add(matrix(out[1], 6, 1), J * a + rate * v,
                (J.cwiseAbs() * a.cwiseAbs() + rate.cwiseAbs() * v.cwiseAbs()).maxCoeff());
      return true;
    }
    case Quantity::jacobian_local:
    case Quantity::jacobian_world: {
      const Pose<Real> at = s.plain.poses(s.q)[static_cast<std::size_t>(link)];
      Matrix J = s.jacobian();
      const Real size = std::max<Real>(size_of(J), 1 + norm(at.p));
      for (int k = 0; k < n; ++k) {
        Vec3<Real> x{J(0, k), J(1, k), J(2, k)}, w{J(3, k), J(4, k), J(5, k)};
        if (which == Quantity::jacobian_local) {
          x = transposed_times(at.R, x);
          w = transposed_times(at.R, w);
        } else
          x = x + cross(at.p, w);
        J.col(k) << x.x, x.y, x.z, w.x, w.y, w.z;
      }
      worst.add(matrix(out[0], 6, n), J, size * size);
      return true;
    }
    case Quantity::jacobian_rate_product: {
      const Matrix rate = s.jacobian_rate(), v = matrix(s.v, n, 1);
      worst.add(matrix(out[0], 6, 1), rate * v,
                std::max((rate.cwiseAbs() * v.cwiseAbs()).maxCoeff(),
                         size_of(s.jacobian()) * largest(s.v) * largest(s.v)));
      return true;
    }
    default: return false;
  }
}

}  // namespace parid::runtime
