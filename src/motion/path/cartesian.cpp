#include "motion/path/cartesian.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <mutex>

#include "math/dense.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "parid/kinematics.hpp"
#include "runtime/kinematics/link_pose.hpp"

namespace parid::motion {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int steps = cartesian_knots - 1;
constexpr double singular = 1e-4;  // smallest accepted ratio of least to greatest singular value
constexpr double nothing = 1e-10;  // a smaller singular value means an impossible motion
// rad or m in one step: a larger step is not a continuous joint motion
constexpr double leap = 0.5;

class CartesianPath final : public Trajectory {
 public:
  CartesianPath(const Robot& robot, const std::string& link, const PosePath& path,
                const std::vector<double>& q, const Profile& profile,
                const CartesianOptions& options)
      : robot_(robot),
        path_(path),
        profile_(profile),
        options_(options),
        name_(link),
        kinematics_(robot),
        link_(robot.find_link(link)),
        rows_(options.orientation ? 6 : 3) {
    int p = 0, l = 0;
    for (const JointDescription& j : robot.description().joints) {
      for (int k = 0; k < velocity_count(j) && position_count(j) == velocity_count(j); ++k)
        moving_.push_back({p + k, l + k});
      p += position_count(j);
      l += velocity_count(j);
    }
    knots_.push_back(q);
    rank_ = -1;
    rank_ = solved(q, {}, 0).rank;
    for (int i = 0; i < steps; ++i) {
      knots_.push_back(carried(i, share(i + 1)));
      check(i);
    }
  }

  double duration() const override { return 1; }
  void at(double s, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const std::lock_guard lock(mutex_);  // for the working memory below
    const int i = std::clamp(static_cast<int>(s * steps), 0, steps - 1);
    const std::vector<double> here = s == share(i) ? knots_[i] : carried(i, s);
    std::copy(here.begin(), here.end(), q.begin());
    std::fill(v.begin(), v.end(), 0.0);
    std::fill(a.begin(), a.end(), 0.0);

    const Solved first = solved(here, {}, s);
    spread(first.v, v);
    const PoseRates x = path_.at(s);
    std::vector<double> J_rate(6 * robot_.nv());
    kinematics_.set(here, {v.data(), v.size()});
    kinematics_.jacobian_rate(link_, J_rate, array(options_.point));
    const MatrixXd Jd = chosen(J_rate);
    const VectorXd lambda = first.inverse.transpose() * first.v;
    VectorXd wanted = twist(x.a, x.wd) - Jd * first.v;
    const VectorXd turn = Jd.transpose() * lambda;
    VectorXd ad = first.inverse * wanted;
    ad += turn - first.inverse * (first.J * turn);
    if ((first.J * ad - wanted).norm() > 1e-7 * (1 + wanted.norm())) refuse_direction(s);
    spread(ad, a);
  }

 private:
  struct Coordinate {
    int position, velocity;
  };
  struct Solved {
    MatrixXd J, inverse;
    VectorXd v;
    int rank;
  };
  static double share(int i) { return static_cast<double>(i) / steps; }

  VectorXd twist(const Vec3<double>& v, const Vec3<double>& w) const {
    VectorXd x(rows_);
    x.head(3) << v.x, v.y, v.z;
    if (rows_ == 6) x.tail(3) << w.x, w.y, w.z;
    return x;
  }
  MatrixXd chosen(const std::vector<double>& J) const {
    MatrixXd out(rows_, static_cast<int>(moving_.size()));
    for (int r = 0; r < rows_; ++r)
      for (std::size_t k = 0; k < moving_.size(); ++k)
        out(r, static_cast<int>(k)) =
            J[static_cast<std::size_t>(r) * robot_.nv() + moving_[k].velocity];
    return out;
  }
  void spread(const VectorXd& x, std::span<double> out) const {
    for (std::size_t k = 0; k < moving_.size(); ++k)
      out[moving_[k].velocity] = x[static_cast<int>(k)];
  }
  static void add(std::vector<double>& q, const std::vector<Coordinate>& moving, const VectorXd& x,
                  double scale) {
    for (std::size_t k = 0; k < moving.size(); ++k)
      q[moving[k].position] += scale * x[static_cast<int>(k)];
  }

  // J, its pseudo-inverse, and v = J⁺ x' (or J⁺ of the given vector).
  Solved solved(const std::vector<double>& q, const VectorXd& wanted, double s) const {
    Solved out;
    std::vector<double> J(6 * robot_.nv());
    kinematics_.set(q);
    kinematics_.jacobian(link_, J, array(options_.point));
    out.J = chosen(J);
    const SingularValues svd = thin_svd(out.J);
    const VectorXd& sigma = svd.values;
    const double greatest = sigma.size() > 0 ? sigma[0] : 0;
    out.rank = rank_;
    if (rank_ < 0) {
      out.rank = 0;
      while (out.rank < sigma.size() && sigma[out.rank] > nothing * greatest && greatest > 0)
        ++out.rank;
    }
    if (out.rank == 0) refuse_direction(s);
    if (sigma[out.rank - 1] < singular * greatest) refuse_singular(s);
    out.inverse = svd.V.leftCols(out.rank) * sigma.head(out.rank).cwiseInverse().asDiagonal() *
                  svd.U.leftCols(out.rank).transpose();
    if (wanted.size() > 0) {
      out.v = out.inverse * wanted;
      return out;
    }
    const PoseRates x = path_.at(s);
    const VectorXd rate = twist(x.v, x.w);
    out.v = out.inverse * rate;
    if ((out.J * out.v - rate).norm() > 1e-6 * (1e-12 + rate.norm())) refuse_direction(s);
    return out;
  }

  // Joint positions at s, from knot i: along v by a Runge-Kutta step, then onto the path by
  // Newton's method.
  std::vector<double> carried(int i, double s) const {
    const std::vector<double>& q0 = knots_[i];
    const double s0 = share(i), h = s - s0;
    auto slope = [&](const VectorXd* before, double ahead) {
      std::vector<double> q = q0;
      if (before) add(q, moving_, *before, ahead);
      return free_slope(q, s0 + ahead);
    };
    const VectorXd k1 = slope(nullptr, 0), k2 = slope(&k1, h / 2), k3 = slope(&k2, h / 2),
                   k4 = slope(&k3, h);
    std::vector<double> q = q0;
    add(q, moving_, k1 + 2 * k2 + 2 * k3 + k4, h / 6);
    const Pose<double> goal = path_.at(s).pose;
    double before = Limits::none;
    for (int turn = 0; turn < 20; ++turn) {
      kinematics_.set(q);
      const Pose<double> now = pose_of(kinematics_.pose(link_));
      const VectorXd off = twist(goal.p - now * options_.point, turn_between(now.R, goal.R));
      const double size = off.norm();
      if (size < 1e-14 || (size < 1e-11 && size >= before / 2)) break;
      if (turn == 19 || !(size < 1e3)) refuse_far(s);
      before = size;
      add(q, moving_, solved(q, off, s).v, 1);
    }
    for (const Coordinate& c : moving_)
      if (std::abs(q[c.position] - q0[c.position]) > leap) refuse_singular(s);
    return q;
  }
  // v near the path, where the exact rate may not be possible.
  VectorXd free_slope(const std::vector<double>& q, double s) const {
    const PoseRates x = path_.at(s);
    return solved(q, twist(x.v, x.w), s).v;
  }

  void check(int i) const {
    (void)solved(knots_[i + 1], {}, share(i + 1));
    const std::vector<Limits> limits = shared_limits(robot_.description());
    int p = 0;
    const auto& joints = robot_.description().joints;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (position_count(joints[j]) == 1) {
        const double q = knots_[i + 1][p];
        if (q > limits[j].upper + 1e-9 || q < limits[j].lower - 1e-9)
          throw Error(
              fmt::format("{}: joint '{}' would reach {:.5g}, beyond its limit {:.5g}; choose "
                          "another path or start, or leave the orientation free",
                          place(share(i + 1)), joints[j].name, q,
                          q > limits[j].upper ? limits[j].upper : limits[j].lower));
      }
      p += position_count(joints[j]);
    }
  }

  // "at t = 0.41 s, 63 % of the way"
  std::string place(double s) const {
    double low = 0, high = s > 0 ? profile_.duration : 0;
    for (int k = 0; k < 60; ++k) {
      const double t = (low + high) / 2;
      (profile_.at(t).x < s ? low : high) = t;
    }
    return fmt::format("at t = {:.4g} s, {:.3g} % of the path", options_.starts_at + high, 100 * s);
  }
  [[noreturn]] void refuse_direction(double s) const {
    throw Error(
        fmt::format("{}: the joints cannot move link '{}' along the path; {}", place(s), name_,
                    options_.orientation ? "an arm with fewer than six degrees of freedom cannot "
                                           "keep every orientation: try orientation = \"free\""
                                         : "the path leaves the workspace"));
  }
  [[noreturn]] void refuse_singular(double s) const {
    throw Error(fmt::format(
        "{}: link '{}' comes too close to a singularity (stretched arm or aligned axes), where "
        "joint velocities are unbounded; avoid it, or move there in joint space",
        place(s), name_));
  }
  [[noreturn]] void refuse_far(double s) const {
    throw Error(fmt::format(
        "{}: link '{}' cannot follow: the path leaves the workspace; move it closer to the robot",
        place(s), name_));
  }

  const Robot robot_;
  const PosePath path_;
  const Profile profile_;
  const CartesianOptions options_;
  const std::string name_;
  mutable std::mutex mutex_;
  mutable Kinematics kinematics_;
  const int link_, rows_;
  int rank_ = -1;
  std::vector<Coordinate> moving_;
  std::vector<std::vector<double>> knots_;  // joint positions at equal fractions of the path
};

}  // namespace

TrajectoryPointer cartesian(const Robot& robot, const std::string& link, const PosePath& path,
                            const std::vector<double>& q, const Profile& profile,
                            const CartesianOptions& options) {
  return timed(std::make_shared<CartesianPath>(robot, link, path, q, profile, options), profile);
}

}  // namespace parid::motion
