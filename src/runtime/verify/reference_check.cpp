#include "runtime/verify/reference_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "parid/dynamics.hpp"
#include "runtime/verify/derived_check.hpp"
#include "runtime/verify/reference_numbers.hpp"

namespace parid::runtime {
namespace {

using namespace reference;

// Sum of the lengths between the root and any link.
double reach_of(const Description& d) {
  double reach = 0;
  for (const JointDescription& j : d.joints) reach += norm(j.origin.p) + norm(j.tip.p);
  return reach;
}

}  // namespace

struct PlainCheck::Parts {
  Robot robot;
  Quantity quantity;
  int link, nq, nv;
  ExternalLoads around;
  ReferenceDynamics<Real> plain;
  double reach;
  std::vector<int> column_links;  // of a regressor: the link of each ten columns

  Parts(const Robot& r, Quantity which, const std::string& l, const ExternalLoads& s)
      : robot(r),
        quantity(which),
        link(r.find_link(l.empty() ? r.tip() : l)),
        nq(r.nq()),
        nv(r.nv()),
        around(s),
        plain(r.description()),
        reach(reach_of(r.description())) {
    surround(plain, around);
    if (quantity != Quantity::regressor) return;
    const std::vector<std::string> names = regressor_names(r);
    for (std::size_t k = 0; k < names.size(); k += 10)
      column_links.push_back(r.find_link(names[k].substr(0, names[k].rfind('.'))));
  }

  struct State {
    Numbers q, v, third, none;
  };

  PlainGradient gradient(const State& s, const Numbers& a) const {
    return plain_gradient(robot.description(), s.q, s.v, a,
                          [&](auto& by) { surround(by, around); });
  }

  void torques(Worst& worst, const double* got, const State& s, const Numbers& v,
               const Numbers& a) {
    Numbers size;
    const Numbers right = plain.torque(s.q, v, a, &size);
    worst.add(matrix(got, nv, 1), matrix(right, nv, 1), largest(size));
  }

  void forward(Worst& worst, const double* got, const State& s) {
    const Numbers a = numbers(got, static_cast<std::size_t>(nv));
    Numbers size;
    const Numbers tau = plain.torque(s.q, s.v, a, &size);
    worst.finite = matrix(a, nv, 1).allFinite();
    worst.right_finite = matrix(s.third, nv, 1).allFinite() &&
                         matrix(plain.torque(s.q, s.v, s.none), nv, 1).allFinite();
    if (!worst.finite || !worst.right_finite) return;
    // rounding errors of a appear as rounding errors of M a
    const Matrix M = matrix(plain.mass(s.q), nv, nv);
    const Real rounding = (M.cwiseAbs() * matrix(a, nv, 1).cwiseAbs()).maxCoeff();
    worst.add(matrix(tau, nv, 1), matrix(s.third, nv, 1),
              std::max({largest(size), largest(s.third), rounding}));
  }

  void inverse_gradient(Worst& worst, const double* const* out, const State& s) {
    Numbers size;
    plain.torque(s.q, s.v, s.third, &size);
    const PlainGradient g = gradient(s, s.third);
    const Numbers M = plain.mass(s.q);
    worst.add(matrix(out[0], nv, nv), matrix(g.dq, nv, nv), std::max(largest(g.dq), largest(size)));
    worst.add(matrix(out[1], nv, nv), matrix(g.dv, nv, nv), std::max(largest(g.dv), largest(M)));
    worst.add(matrix(out[2], nv, nv), matrix(M, nv, nv), largest(M));
  }

  void forward_gradient(Worst& worst, const double* const* out, const State& s) {
    const Matrix of[] = {matrix(out[0], nv, nv), matrix(out[1], nv, nv), matrix(out[2], nv, nv)};
    worst.finite = of[0].allFinite() && of[1].allFinite() && of[2].allFinite();
    const Matrix M = matrix(plain.mass(s.q), nv, nv);
    const Vector bias = matrix(plain.torque(s.q, s.v, s.none), nv, 1);
    worst.right_finite = M.allFinite() && bias.allFinite() && matrix(s.third, nv, 1).allFinite();
    if (!worst.finite || !worst.right_finite) return;
    const Vector a = M.ldlt().solve(matrix(s.third, nv, 1) - bias);
    const Numbers at(a.data(), a.data() + nv);
    Numbers size;
    plain.torque(s.q, s.v, at, &size);
    const PlainGradient g = gradient(s, at);
    auto scale = [&](const Matrix& m, Real right) {
      return std::max((M.cwiseAbs() * m.cwiseAbs()).maxCoeff(), right);
    };
    worst.add(M * of[0], -matrix(g.dq, nv, nv),
              scale(of[0], std::max(largest(g.dq), largest(size))));
    worst.add(M * of[1], -matrix(g.dv, nv, nv),
              scale(of[1], std::max(largest(g.dv), M.cwiseAbs().maxCoeff())));
    worst.add(M * of[2], Matrix::Identity(nv, nv), scale(of[2], 1));
  }

  void regressor(Worst& worst, const double* got, const State& s) {
    ReferenceDynamics<Real> one = plain;
    one.rotors = false;
    one.pushes.clear();
    const int columns = 10 * static_cast<int>(column_links.size());
    const Matrix Y = matrix(got, nv, columns);
    for (int k = 0; k < columns; ++k) {
      one.clear_bodies();
      one.set_body(column_links[static_cast<std::size_t>(k / 10)], unit_body(k % 10));
      Numbers size;
      const Numbers right = one.torque(s.q, s.v, s.third, &size);
      worst.add(Y.col(k), matrix(right, nv, 1), std::max(largest(size), Y.cwiseAbs().maxCoeff()));
    }
  }

  void energy(Worst& worst, const double* const* out, const State& s) {
    const PlainEnergy<Real> e = plain.energy(s.q, s.v);
    const Real length = reach + norm(e.centre), g = norm(plain.gravity);
    Real speed = norm(e.centre_velocity);
    for (const Real x : s.v) speed += std::abs(x) * std::max<Real>(length, 1);
    auto number = [&](const double* x, Real right, Real size) {
      worst.add(matrix(x, 1, 1), Matrix::Constant(1, 1, right), size);
    };
    auto vector = [&](const double* x, const Vec3<Real>& right, Real size) {
      worst.add(matrix(x, 3, 1), matrix(Numbers{right.x, right.y, right.z}, 3, 1), size);
    };
    number(out[0], e.kinetic, std::max(e.kinetic, e.mass * speed * speed));
    number(out[1], e.potential, e.mass * g * length);
    vector(out[2], e.centre, length);
    vector(out[3], e.centre_velocity, speed);
    vector(out[4], e.linear_momentum, e.mass * speed);
    vector(out[5], e.angular_momentum, e.mass * speed * std::max<Real>(length, 1));
  }

  void kinematics(Worst& worst, const double* const* out, const State& s) {
    const Pose<Real> at = plain.poses(s.q)[static_cast<std::size_t>(link)];
    const Numbers R{at.R.r0.x, at.R.r0.y, at.R.r0.z, at.R.r1.x, at.R.r1.y,
                    at.R.r1.z, at.R.r2.x, at.R.r2.y, at.R.r2.z};
    worst.add(matrix(out[0], 3, 3), matrix(R, 3, 3), 1);
    worst.add(matrix(out[1], 3, 1), matrix(Numbers{at.p.x, at.p.y, at.p.z}, 3, 1),
              reach + norm(at.p));
  }

  void jacobian(Worst& worst, const double* got, const State& s) {
    const Matrix J = matrix(got, 6, nv), right = matrix(plain.jacobian(s.q, link), 6, nv);
    const Real turning = std::max<Real>(right.bottomRows(3).cwiseAbs().maxCoeff(), 1);
    worst.add(J.topRows(3), right.topRows(3),
              std::max(right.topRows(3).cwiseAbs().maxCoeff(), turning * reach));
    worst.add(J.bottomRows(3), right.bottomRows(3), turning);
  }

  double error(const double* const* in, const double* const* out) {
    auto given = [&](int k) {
      return k == 0 ? numbers(in[0], static_cast<std::size_t>(nq))
                    : numbers(in[k], static_cast<std::size_t>(nv));
    };
    State s;
    s.q = given(0);
    s.none.assign(static_cast<std::size_t>(nv), 0);
    const std::size_t arrays = info(quantity).inputs.size();
    // empty arrays
    if (nv == 0 && quantity != Quantity::energy && quantity != Quantity::kinematics) return 0;
    if (arrays > 1) s.v = given(1);
    if (arrays > 2) s.third = given(2);
    Worst worst;
    switch (quantity) {
      case Quantity::inverse_dynamics: torques(worst, out[0], s, s.v, s.third); break;
      case Quantity::bias: torques(worst, out[0], s, s.v, s.none); break;
      case Quantity::gravity: torques(worst, out[0], s, s.none, s.none); break;
      case Quantity::forward_dynamics: forward(worst, out[0], s); break;
      case Quantity::mass_matrix: {
        const Numbers M = plain.mass(s.q);
        worst.add(matrix(out[0], nv, nv), matrix(M, nv, nv), largest(M));
        break;
      }
      case Quantity::inverse_gradient: inverse_gradient(worst, out, s); break;
      case Quantity::forward_gradient: forward_gradient(worst, out, s); break;
      case Quantity::regressor: regressor(worst, out[0], s); break;
      case Quantity::energy: energy(worst, out, s); break;
      case Quantity::kinematics: kinematics(worst, out, s); break;
      case Quantity::jacobian: jacobian(worst, out[0], s); break;
      default:
        if (!derived_check(worst, robot, quantity, link, around, in, out))
          throw std::logic_error(fmt::format("PlainCheck does not cover '{}'", name(quantity)));
    }
    return worst.relative();
  }
};

PlainCheck::PlainCheck(const Robot& robot, Quantity which, const std::string& link,
                       const ExternalLoads& around)
    : parts_(std::make_unique<Parts>(robot, which, link, around)) {}
PlainCheck::~PlainCheck() = default;
PlainCheck::PlainCheck(PlainCheck&&) noexcept = default;

double PlainCheck::error(const double* const* in, const double* const* out) {
  return parts_->error(in, out);
}

}  // namespace parid::runtime
