// Can some motion of the joints go on without moving any mass? Then no torque belongs to it, and
// forward dynamics divides by zero.
//
// The mass matrix is built from composite bodies, in the world's frame and always about centres of
// mass, so that nothing cancels:
//
//   coordinate k   turns about axis a through point o, or slides along a
//   composite k    everything beyond it, as one body: m, c, I about c
//   M[k,k]         turning: aᵀ I a + m |a × (c - o)|²      sliding: m      and the rotor's inertia
//   M[j,k]         j above k: the momentum of composite k as coordinate j feels it
//
// Positions are drawn at random with a fixed seed: at special positions (a gimbal's lock) a sound robot
// may be singular too, which at zero is worth a warning. Mimic joints are folded into their leaders.

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>

#include "parid/model/check_parts.hpp"

namespace parid::lint {

namespace {

using V = Vec3<double>;

struct Coordinate {
  int joint = 0;
  V axis;             // in the frame that the joint's origin places, of unit length
  bool turns = true;  // else slides
};

std::vector<Coordinate> coordinates(const Description& d) {
  std::vector<Coordinate> all;
  const V x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  for (int j = 0; j < static_cast<int>(d.joints.size()); ++j) {
    const JointType type = d.joints[j].type;
    const V a = has_axis(type) ? (1 / norm(d.joints[j].axis)) * d.joints[j].axis : z;
    if (type == JointType::floating)
      for (const V& e : {x, y, z}) all.push_back({j, e, false});
    if (type == JointType::floating || type == JointType::spherical)
      for (const V& e : {x, y, z}) all.push_back({j, e, true});
    if (type == JointType::planar) {
      const V other = std::abs(a.x) < 0.7 ? x : y;
      const V u = cross(a, other), v = cross(a, u);
      all.push_back({j, (1 / norm(u)) * u, false});
      all.push_back({j, (1 / norm(v)) * v, false});
    }
    if (turns_or_slides(type) || type == JointType::planar)
      all.push_back({j, a, type != JointType::prismatic});
  }
  return all;
}

// Rodrigues: the rotation by an angle about a unit axis.
Mat3<double> turn(const V& a, double angle) {
  const Mat3<double> K = skew(a);
  return Mat3<double>::identity() + std::sin(angle) * K + (1 - std::cos(angle)) * (K * K);
}

Inertia together(const Inertia& a, const Inertia& b) {
  const double m = a.mass + b.mass;
  if (m == 0) return {0, a.com, a.about_com + b.about_com};
  const V c = (a.mass / m) * a.com + (b.mass / m) * b.com;
  return {m, c, a.about_com + b.about_com + point_inertia(a.mass * b.mass / m, a.com - b.com)};
}

// Coordinates that move by themselves, and how the others follow: q[k] = ratio[k] · q[into[k]] + ...
struct Following {
  std::vector<int> into;
  std::vector<double> ratio, offset;
  std::vector<int> free;  // the coordinate of each free one
};

Following following(const Description& d, const Tree& tree, const std::vector<Coordinate>& all) {
  const int n = static_cast<int>(all.size());
  Following f{std::vector<int>(n), std::vector<double>(n, 1), std::vector<double>(n, 0), {}};
  std::vector<int> first_of(d.joints.size(), -1), row(n, -1);
  for (int k = n - 1; k >= 0; --k) first_of[all[k].joint] = k;
  for (int k = 0; k < n; ++k) {
    if (tree.leader[all[k].joint] >= 0) continue;
    row[k] = static_cast<int>(f.free.size());
    f.free.push_back(k);
  }
  for (int k = 0; k < n; ++k) {
    int joint = all[k].joint;
    for (; tree.leader[joint] >= 0; joint = tree.leader[joint]) {
      f.offset[k] += f.ratio[k] * d.joints[joint].mimic->offset;
      f.ratio[k] *= d.joints[joint].mimic->multiplier;
    }
    f.into[k] = joint == all[k].joint ? row[k] : row[first_of[joint]];
  }
  return f;
}

struct MassMatrix {
  Eigen::VectorXd diagonal;
  Eigen::VectorXd
      scale;  // what the diagonal would be if all mass lay as far away as the robot is large
  Eigen::MatrixXd M;  // empty where only the diagonal is asked for

  bool nothing_at(int k) const { return diagonal[k] <= 1e-12 * scale[k]; }
};

// Larger robots are checked joint by joint only: the whole matrix costs cubic time.
constexpr int largest_whole = 1500;

class Lint {
 public:
  Lint(const Description& d, const Tree& tree, Findings& out)
      : d_(d),
        tree_(tree),
        out_(out),
        all_(coordinates(d)),
        follow_(following(d, tree, all_)),
        of_joint_(d.joints.size()) {
    for (int k = 0; k < static_cast<int>(all_.size()); ++k) of_joint_[all_[k].joint].push_back(k);
  }

  void run() {
    const int n = static_cast<int>(follow_.free.size());
    singular_.assign(d_.joints.size(), false);
    if (n > 0) {
      std::mt19937 random(1);
      bool whole = true;  // singular as a whole in every random position
      Eigen::VectorXd idle;
      for (int trial = 0; trial < 3 && whole; ++trial) {
        Eigen::VectorXd q(n);
        for (double& x : q) x = 3.0 * (random() / 4294967296.0) - 1.5;
        const MassMatrix at = mass_matrix(q);
        if (trial == 0 && report_diagonal(at))
          break;  // what is beyond repair needs no second opinion
        whole = singular(at, idle);
      }
      const bool any = std::find(singular_.begin(), singular_.end(), true) != singular_.end();
      Eigen::VectorXd idle_at_zero;
      if (!any && whole)
        report_together(
            "singular-mass", idle, "without moving any mass",
            "give the links between them mass and inertia, or the joints rotor inertia");
      else if (!any && singular(mass_matrix(Eigen::VectorXd::Zero(n)), idle_at_zero))
        report_together("singular-at-zero", idle_at_zero,
                        "without moving any mass, in the zero position",
                        "keep away from it, or give the links between them mass and inertia");
    }
    report_massless();
  }

 private:
  MassMatrix mass_matrix(const Eigen::VectorXd& free) const {
    const int n_links = static_cast<int>(d_.links.size()), n = static_cast<int>(all_.size());
    std::vector<double> q(n);
    for (int k = 0; k < n; ++k) q[k] = follow_.ratio[k] * free[follow_.into[k]] + follow_.offset[k];

    // Outwards: where links stand, and each coordinate's axis and point.
    std::vector<Pose<double>> at(n_links);
    std::vector<V> axis(n), point(n);
    for (const int link : tree_.from_root) {
      const int j = tree_.joint_above[link];
      if (j < 0) continue;
      const Pose<double> base = at[tree_.parent[j]] * d_.joints[j].origin;
      Pose<double> motion;  // slides, then turns one after the other: general enough
      for (const int k : of_joint_[j]) {
        if (all_[k].turns)
          motion.R = motion.R * turn(all_[k].axis, q[k]);
        else
          motion.p = motion.p + q[k] * all_[k].axis;
      }
      const bool one = of_joint_[j].size() == 1;
      for (const int k :
           of_joint_[j]) {  // rates are about the moved body's own axes where there are several
        axis[k] = base.R * (one ? all_[k].axis : motion.R * all_[k].axis);
        point[k] = base * motion.p;
      }
      at[link] = base * motion * d_.joints[j].tip;
    }

    // Inwards: composite bodies.
    std::vector<Inertia> body(n_links);
    double extent = 0;
    for (int l = 0; l < n_links; ++l) {
      body[l] = moved(at[l], d_.links[l].inertia.value_or(Inertia{}));
      extent = std::max({extent, norm(at[l].p), body[l].mass > 0 ? norm(body[l].com) : 0.0});
    }
    for (auto link = tree_.from_root.rbegin(); link != tree_.from_root.rend(); ++link) {
      const int j = tree_.joint_above[*link];
      if (j >= 0) body[tree_.parent[j]] = together(body[tree_.parent[j]], body[*link]);
    }

    const int rows = static_cast<int>(follow_.free.size());
    MassMatrix result{Eigen::VectorXd::Zero(rows), Eigen::VectorXd::Zero(rows), {}};
    const bool whole = rows <= largest_whole;
    if (whole) result.M = Eigen::MatrixXd::Zero(rows, rows);
    const auto add = [&](int row, int column, double entry) {
      if (row == column) result.diagonal[row] += entry;
      if (whole) result.M(row, column) += entry;
    };
    const double total = body[tree_.from_root.front()].mass;
    for (int k = 0; k < n; ++k) {
      const int link = tree_.child[all_[k].joint];
      const Inertia& b = body[link];
      const V p =
          b.mass * (all_[k].turns ? cross(axis[k], b.com - point[k]) : axis[k]);  // momentum
      const V L = all_[k].turns ? b.about_com * axis[k] : V{};  // and that about the centre of mass
      const int row = follow_.into[k];
      const double ratio = follow_.ratio[k];
      result.scale[row] += ratio * ratio *
                           (all_[k].turns ? b.about_com.xx + b.about_com.yy + b.about_com.zz +
                                                b.mass * extent * extent
                                          : total);
      add(row, row, ratio * ratio * d_.joints[all_[k].joint].rotor_inertia);
      for (int j = all_[k].joint; j >= 0; j = tree_.joint_above[tree_.parent[j]]) {
        for (const int i : of_joint_[j]) {
          const V felt = all_[i].turns ? L + cross(b.com - point[i], p) : p;
          const double entry = ratio * follow_.ratio[i] * dot(axis[i], felt);
          add(row, follow_.into[i], entry);
          if (j != all_[k].joint) add(follow_.into[i], row, entry);
        }
        if (!whole) break;
      }
    }
    return result;
  }

  // Scaled to a unit diagonal, so that a finger beside a torso is not taken for nothing.
  static bool singular(const MassMatrix& at, Eigen::VectorXd& idle) {
    const int n = static_cast<int>(at.diagonal.size());
    for (int k = 0; k < n; ++k) {
      if (!at.nothing_at(k)) continue;
      idle = Eigen::VectorXd::Unit(n, k);
      return true;
    }
    if (at.M.size() == 0) return false;
    const Eigen::VectorXd s = at.diagonal.cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd A = s.asDiagonal() * at.M * s.asDiagonal();
    if (A.ldlt().vectorD().minCoeff() > 1e-8)
      return false;  // far from it, and eigenvalues are dear
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(A);
    idle = solver.eigenvectors().col(0);
    return solver.eigenvalues()[0] <= 1e-12;
  }

  bool report_diagonal(const MassMatrix& at) {
    for (int row = 0; row < at.diagonal.size(); ++row) {
      if (!at.nothing_at(row)) continue;
      const int j = all_[follow_.free[row]].joint;
      if (!singular_[j]) {
        const JointDescription& joint = d_.joints[j];
        out_.push_back(
            finding("singular-mass", d_.at(joint.line),
                    fmt::format("joint '{}' can move without moving any mass", joint.name),
                    fmt::format("give link '{}' or what hangs on it mass and inertia, or the "
                                "joint a rotor inertia",
                                joint.child)));
      }
      singular_[j] = true;
    }
    return std::find(singular_.begin(), singular_.end(), true) != singular_.end();
  }

  void report_together(const char* code, const Eigen::VectorXd& idle, const char* what,
                       const char* remedy) {
    std::vector<std::string> names;
    int line = 0;
    for (int row = 0; row < idle.size(); ++row) {
      const JointDescription& joint = d_.joints[all_[follow_.free[row]].joint];
      const std::string name = fmt::format("'{}'", joint.name);
      if (std::abs(idle[row]) < 0.1 || (!names.empty() && names.back() == name)) continue;
      names.push_back(name);
      line = std::max(line, joint.line);
    }
    out_.push_back(finding(code, d_.at(line),
                           fmt::format("robot '{}' can move {} {} {}", d_.name,
                                       names.size() == 1 ? "joint" : "together the joints",
                                       fmt::join(names, ", "), what),
                           remedy));
  }

  // A joint's own body is its child link and what is fixed to that.
  void report_massless() {
    std::vector<double> mass(d_.links.size(), 0);
    for (auto link = tree_.from_root.rbegin(); link != tree_.from_root.rend(); ++link) {
      if (d_.links[*link].inertia) mass[*link] += d_.links[*link].inertia->mass;
      const int j = tree_.joint_above[*link];
      if (j < 0) continue;
      const JointDescription& joint = d_.joints[j];
      if (joint.type == JointType::fixed) {
        mass[tree_.parent[j]] += mass[*link];
      } else if (mass[*link] == 0 && !singular_[j]) {
        out_.push_back(finding("massless-link", d_.at(d_.links[*link].line),
                               fmt::format("link '{}' moves but has no mass", d_.links[*link].name),
                               "add <inertial> with its mass, unless it only joins two joints"));
      }
    }
  }

  const Description& d_;
  const Tree& tree_;
  Findings& out_;
  const std::vector<Coordinate> all_;
  const Following follow_;
  std::vector<std::vector<int>> of_joint_;  // coordinates of each joint
  std::vector<bool> singular_;              // by joint
};

}  // namespace

void check_mass_matrix(const Description& d, const Tree& tree, Findings& out) {
  Lint(d, tree, out).run();
}

}  // namespace parid::lint
