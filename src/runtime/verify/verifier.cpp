#include "runtime/verify/verifier.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "model/description.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "runtime/method/method.hpp"
#include "runtime/verify/reference_check.hpp"

namespace parid::runtime {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

// Linear in the number of links and applicable to every robot: the first that supports the robot is
// used.
constexpr const char* choices[] = {"newton_euler_screw", "newton_euler_base",
                                   "newton_euler_conventional"};

const MethodEntry& choice(const Robot& robot, const ExternalLoads& around,
                          const std::string& suspect) {
  for (const char* id : choices)
    for (const MethodEntry& m : formulation_methods())
      if (m.id == std::string_view(id) && id != suspect && cannot(m, robot, around).empty())
        return m;
  throw Error(fmt::format("`verify`: no other formulation supports robot '{}'", robot.name()));
}

// About as heavy as the robot, so that rounding of one does not hide the other.
double payload(const Robot& robot) {
  double mass = 0;
  for (const LinkDescription& l : robot.description().links)
    mass += l.inertia ? l.inertia->mass : 0;
  return mass > 0 ? mass : 1;
}

const std::string& root_of(const Description& d) {
  for (const LinkDescription& l : d.links)
    if (std::none_of(d.joints.begin(), d.joints.end(),
                     [&](const JointDescription& j) { return j.child == l.name; }))
      return l.name;
  return d.links.front().name;
}

// On a base with six freedoms, without gravity. The root has a payload at its origin, because a
// floating base needs mass.
Robot floating(const Robot& robot) {
  const double m = payload(robot);
  const std::string root = root_of(robot.description());
  Description d = robot.with_payload(root, m, {}, {m, m, m, 0, 0, 0}).description();
  d.gravity = {0, 0, 0};
  std::string ground = "ground";
  for (bool taken = true; taken;) {
    taken = false;
    for (const LinkDescription& l : d.links) taken = taken || l.name == ground;
    if (taken) ground += "_";
  }
  JointDescription base;
  base.name = ground + " of the verifier";
  base.type = JointType::floating;
  base.parent = ground;
  base.child = root;
  LinkDescription below;
  below.name = ground;
  d.links.insert(d.links.begin(), below);
  d.joints.insert(d.joints.begin(), base);
  return Robot(std::move(d));
}

// The same geometry without rotors, and other bodies with ten nonzero parameters each: a regressor
// column of a zero parameter would not be tested.
Robot with_other_bodies(const Robot& robot) {
  Description d = robot.description();
  for (JointDescription& j : d.joints) {
    j.rotor_inertia = 0;
    j.rotor.reset();
  }
  Robot other(d);
  const double m = payload(robot);
  double x = 0.1;
  for (const JointDescription& j : d.joints) {
    if (j.type == JointType::fixed) continue;
    other = other.with_payload(j.child, m, {x, -2 * x, 1.5 * x},
                               {0.3 * m, 0.4 * m, 0.5 * m, 0.01 * m, -0.02 * m, 0.03 * m});
    x = -1.03 * x;
  }
  return other;
}

// Torques of one robot by the other formulation.
class Torque {
 public:
  Torque(const Robot& robot, const MethodEntry& m, const ExternalLoads& around = {})
      : method_(make_method(m, robot, around)), nv_(robot.nv()) {}
  Vector operator()(const Vector& q, const Vector& v, const Vector& a) const {
    Vector tau(nv_);
    method_->torque(q.data(), v.data(), a.data(), tau.data());
    return tau;
  }
  Vector at_rest(const Vector& q, const Vector& a) const {
    return (*this)(q, Vector::Zero(nv_), a);
  }

 private:
  std::unique_ptr<Method> method_;
  int nv_;
};

// Centre of mass and mass of a robot whose floating base is at the origin.
struct Heap {
  double mass;
  Eigen::Vector3d moment;  // mass · centre
};
Heap heap(const Torque& torque, const Vector& q, int nv) {
  Vector a = Vector::Zero(nv);
  a[0] = 1;
  const Vector along_x = torque.at_rest(q, a);
  a[0] = 0;
  a[1] = 1;
  const Vector along_y = torque.at_rest(q, a);
  // force m, moment c × m x: (0, m cz, −m cy); of y: (−m cz, 0, m cx)
  return {along_x[0], {along_y[5], -along_x[5], along_x[4]}};
}

double largest(const Matrix& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

}  // namespace

struct Verifier::Parts {
  Robot robot;
  Quantity quantity;
  std::string link;
  std::string suspect;
  const MethodEntry& chosen;
  std::string name;
  Torque torque;      // with all loads
  Torque weightless;  // without loads
  int nq, nv;
  double unit;  // torque of a unit acceleration: smaller values count as zero

  mutable PlainCheck plain;  // shares no frames with the engine, unlike the formulation

  Robot other;  // with other bodies, or on a floating base
  std::vector<Torque> others;
  std::vector<double> parameters;

  Parts(const Robot& r, Quantity which, const std::string& l, const ExternalLoads& around,
        const std::string& not_this)
      : robot(r),
        quantity(which),
        link(l.empty() ? r.tip() : l),
        suspect(not_this),
        chosen(choice(r, around, suspect)),
        name(chosen.id),
        torque(r, chosen, around),
        weightless(r.with_gravity({0, 0, 0}), chosen),
        nq(r.nq()),
        nv(r.nv()),
        plain(r, which, link, around),
        other(r) {
    const std::vector<double> neutral = r.neutral();
    unit = 1e-3 * largest(mass(Eigen::Map<const Vector>(neutral.data(), nq)));
    if (quantity == Quantity::regressor) {
      other = with_other_bodies(r);
      parameters = regressor_parameters(other);
      others.emplace_back(other, choice(other, around, suspect), around);
    } else if (quantity == Quantity::energy || quantity == Quantity::kinematics ||
               quantity == Quantity::jacobian) {
      other = floating(r);
      others.emplace_back(other, choice(other, {}, suspect));
      if (quantity == Quantity::energy) return;
      for (const std::array<double, 3>& at :
           {std::array<double, 3>{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
        others.emplace_back(other.with_payload(link, payload(r), at), choice(other, {}, suspect));
    }
  }

  Matrix mass(const Vector& q) const {
    Matrix m(nv, nv);
    for (int k = 0; k < nv; ++k) m.col(k) = weightless.at_rest(q, Vector::Unit(nv, k));
    return m;
  }

  Vector moved(const Vector& q, int coordinate, double step) const {
    Vector out(nq);
    const Vector v = step * Vector::Unit(nv, coordinate);
    integrate(robot, {q.data(), static_cast<std::size_t>(nq)},
              {v.data(), static_cast<std::size_t>(nv)}, {out.data(), static_cast<std::size_t>(nq)});
    return out;
  }
  // d/dx of f(q displaced by x along a coordinate), to fourth order.
  template <class F>
  auto slope(const F& f, const Vector& q, int k) const {
    constexpr double h = 1e-3;
    using Value = decltype(f(q));
    return Value((8 * (f(moved(q, k, h)) - f(moved(q, k, -h))) -
                  (f(moved(q, k, 2 * h)) - f(moved(q, k, -2 * h)))) /
                 (12 * h));
  }

  struct InverseGradient {
    Matrix dq, dv, da;
  };
  InverseGradient inverse_gradient(const Vector& q, const Vector& v, const Vector& a) const {
    InverseGradient g{Matrix(nv, nv), Matrix(nv, nv), mass(q)};
    for (int k = 0; k < nv; ++k) {
      g.dq.col(k) = slope([&](const Vector& x) { return torque(x, v, a); }, q, k);
      const Vector e = Vector::Unit(nv, k);
      g.dv.col(k) = (torque(q, v + e, a) - torque(q, v - e, a)) / 2;
    }
    return g;
  }

  Vector on_ground(const Vector& q) const {
    Vector all(nq + 7);
    all << 0, 0, 0, 0, 0, 0, 1, q;
    return all;
  }

  // The link's rotation and position, from four positions of a payload.
  Eigen::Matrix<double, 3, 4> pose(const Vector& q) const {
    const Vector all = on_ground(q);
    const Heap alone = heap(others[0], all, nv + 6);
    Eigen::Matrix<double, 3, 4> points;
    for (int k = 0; k < 4; ++k) {
      const Heap with = heap(others[static_cast<std::size_t>(k) + 1], all, nv + 6);
      points.col(k) = (with.moment - alone.moment) / (with.mass - alone.mass);
    }
    Eigen::Matrix<double, 3, 4> out;
    for (int k = 0; k < 3; ++k) out.col(k) = points.col(k + 1) - points.col(0);
    out.col(3) = points.col(0);
    return out;
  }

  // For comparisons in which a value is not finite.
  static double not_comparable(bool answer_finite, bool right_finite) {
    return answer_finite || right_finite ? std::numeric_limits<double>::infinity()
                                         : std::numeric_limits<double>::quiet_NaN();
  }

  // The largest difference relative to the largest reference value.
  struct Worst {
    double difference = 0, size = 0;
    bool finite = true, right_finite = true;
    void add(const Matrix& got, const Matrix& right) {
      finite = finite && got.allFinite();
      right_finite = right_finite && right.allFinite();
      if (!finite || !right_finite) return;
      difference = std::max(difference, largest(got - right));
      size = std::max(size, largest(right));
    }
    double relative(double least) const {
      if (!finite || !right_finite) return not_comparable(finite, right_finite);
      return difference == 0 ? 0 : difference / std::max(size, least);
    }
  };

  double error(const double* const* in, const double* const* out) const {
    auto vector = [](const double* x, int n) { return Vector(Eigen::Map<const Vector>(x, n)); };
    auto matrix = [](const double* x, int rows, int columns) {
      return Matrix(Eigen::Map<const Matrix>(x, rows, columns));
    };
    const Vector q = vector(in[0], nq), zero = Vector::Zero(nv);
    auto given = [&](int k) { return vector(in[k], nv); };
    Worst worst;
    switch (quantity) {
      case Quantity::inverse_dynamics:
        worst.add(vector(out[0], nv), torque(q, given(1), given(2)));
        break;
      case Quantity::bias: worst.add(vector(out[0], nv), torque(q, given(1), zero)); break;
      case Quantity::gravity: worst.add(vector(out[0], nv), torque.at_rest(q, zero)); break;
      case Quantity::forward_dynamics: {
        const Vector a = vector(out[0], nv), bias = torque(q, given(1), zero);
        const Matrix M = mass(q);
        const bool right_finite = bias.allFinite() && given(2).allFinite() && M.allFinite();
        if (!a.allFinite() || !right_finite) return not_comparable(a.allFinite(), right_finite);
        worst.add(torque(q, given(1), a), given(2));
        worst.size = std::max(worst.size, largest(bias));
        // rounding errors of a appear as rounding errors of M a, even if the sum is small
        worst.size = std::max(worst.size, (M.cwiseAbs() * a.cwiseAbs()).maxCoeff());
        break;
      }
      case Quantity::mass_matrix: worst.add(matrix(out[0], nv, nv), mass(q)); break;
      case Quantity::inverse_gradient: {
        const InverseGradient g = inverse_gradient(q, given(1), given(2));
        worst.add(matrix(out[0], nv, nv), g.dq);
        worst.add(matrix(out[1], nv, nv), g.dv);
        worst.add(matrix(out[2], nv, nv), g.da);
        break;
      }
      case Quantity::forward_gradient: {
        const Matrix M = mass(q);
        const Vector a = M.ldlt().solve(given(2) - torque(q, given(1), zero));
        const InverseGradient g = inverse_gradient(q, given(1), a);
        const Matrix of[] = {matrix(out[0], nv, nv), matrix(out[1], nv, nv),
                             matrix(out[2], nv, nv)};
        const bool right_finite = M.allFinite() && g.dq.allFinite() && g.dv.allFinite();
        const bool finite = of[0].allFinite() && of[1].allFinite() && of[2].allFinite();
        if (!finite || !right_finite) return not_comparable(finite, right_finite);
        worst.add(M * of[0], -g.dq);
        worst.add(M * of[1], -g.dv);
        worst.add(M * of[2], Matrix::Identity(nv, nv));
        for (const Matrix& m : of)
          worst.size = std::max(worst.size, largest(M.cwiseAbs() * m.cwiseAbs()));
        break;
      }
      case Quantity::regressor: {
        const int columns = static_cast<int>(parameters.size());
        const Matrix Y = matrix(out[0], nv, columns);
        worst.add(Y * vector(parameters.data(), columns), others[0](q, given(1), given(2)));
        worst.size = std::max(
            worst.size, (Y.cwiseAbs() * vector(parameters.data(), columns).cwiseAbs()).maxCoeff());
        break;
      }
      case Quantity::energy: return energy_error(q, given(1), out);
      case Quantity::kinematics: {
        const Eigen::Matrix<double, 3, 4> right = pose(q);
        worst.add(matrix(out[0], 3, 3), right.leftCols<3>());
        worst.add(matrix(out[1], 3, 1), right.rightCols<1>());
        return worst.relative(1);
      }
      case Quantity::jacobian: {
        const Eigen::Matrix<double, 3, 4> right = pose(q);
        Matrix J(6, nv);
        for (int k = 0; k < nv; ++k) {
          const Matrix d = slope([&](const Vector& x) { return Matrix(pose(x)); }, q, k);
          const Matrix turn = d.leftCols<3>() * right.leftCols<3>().transpose();
          J.col(k) << d(0, 3), d(1, 3), d(2, 3), turn(2, 1), turn(0, 2), turn(1, 0);
        }
        worst.add(matrix(out[0], 6, nv), J);
        return worst.relative(1);
      }
      // the others follow from these: PlainCheck alone compares them
      default: return std::numeric_limits<double>::quiet_NaN();
    }
    return worst.relative(unit);
  }

  // Each part of the result has its own size.
  double energy_error(const Vector& q, const Vector& v, const double* const* out) const {
    Description const& d = robot.description();
    Heap all = heap(others[0], on_ground(q), nv + 6);
    all.mass -= payload(robot);                 // added by floating()
    for (const LinkDescription& l : d.links) {  // links that do not move are not included
      if (!l.inertia || !stands_still(l.name)) continue;
      const Vec3<double> c = still_pose(l.name) * l.inertia->com;
      all.mass -= l.inertia->mass;
      all.moment -= l.inertia->mass * Eigen::Vector3d(c.x, c.y, c.z);
    }
    Vector rate(nv + 6);
    rate << 0, 0, 0, 0, 0, 0, v;
    const Vector momentum = others[0].at_rest(on_ground(q), rate);
    const Eigen::Vector3d centre = all.moment / all.mass, p = momentum.head<3>(),
                          about_origin = momentum.segment<3>(3),
                          g(d.gravity.x, d.gravity.y, d.gravity.z);
    const Eigen::Vector3d turning = about_origin - centre.cross(p);
    const double kinetic = 0.5 * v.dot(weightless.at_rest(q, v)), potential = -g.dot(all.moment);
    const double length = 1 + centre.norm(), speed = p.norm() / all.mass + v.norm() * length;
    struct Part {
      const double* got;
      Matrix right;
      double least;
    };
    const Part parts[] = {{out[0], Matrix::Constant(1, 1, kinetic), all.mass * speed * speed},
                          {out[1], Matrix::Constant(1, 1, potential), all.mass * g.norm() * length},
                          {out[2], centre, length},
                          {out[3], p / all.mass, speed},
                          {out[4], p, all.mass * speed},
                          {out[5], turning, all.mass * speed * length}};
    double error = std::numeric_limits<double>::quiet_NaN();
    for (const Part& x : parts) {
      Worst worst;
      worst.add(Eigen::Map<const Matrix>(x.got, x.right.rows(), x.right.cols()), x.right);
      error = std::fmax(error, worst.relative(x.least));  // of comparable values
    }
    return error;
  }

  bool stands_still(const std::string& name) const {
    for (const JointDescription& j : robot.description().joints)
      if (j.child == name) return j.type == JointType::fixed && stands_still(j.parent);
    return true;
  }
  Pose<double> still_pose(const std::string& name) const {
    for (const JointDescription& j : robot.description().joints)
      if (j.child == name) return still_pose(j.parent) * j.origin * j.tip;
    return {};
  }
};

Verifier::Verifier(const Robot& robot, Quantity which, const std::string& link,
                   const ExternalLoads& around, const std::string& suspect)
    : parts_(std::make_unique<Parts>(robot, which, link, around, suspect)) {}
Verifier::~Verifier() = default;

const std::string& Verifier::method() const { return parts_->name; }

double Verifier::error(const double* const* in, const double* const* out) {
  return std::fmax(parts_->error(in, out), parts_->plain.error(in, out));  // NaN: the other
}

double Verifier::tolerance(Quantity which, bool single_precision) {
  const bool solved = info(which).inverts_mass;
  if (single_precision) return solved ? 1e-3 : 1e-4;
  return 1e-8;
}

std::vector<std::size_t> sample_of_rows(std::size_t rows, std::size_t count) {
  std::vector<std::size_t> chosen;
  if (count >= rows) {
    for (std::size_t r = 0; r < rows; ++r) chosen.push_back(r);
    return chosen;
  }
  std::mt19937_64 random(1);  // one random row in each of `count` equal parts
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<double>(rows) * static_cast<double>(i) /
                                      static_cast<double>(count));
    };
    const std::size_t first = at(k), next = std::max(at(k + 1), first + 1);
    chosen.push_back(std::min(first + random() % (next - first), rows - 1));
  }
  return chosen;
}

}  // namespace parid::runtime
