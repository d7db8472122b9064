// Finds motions of the joints that move no mass. No torque belongs to such a motion, and forward
// dynamics divides by zero.
//
// Positions are random with a fixed seed: at special positions (gimbal lock) a valid robot may be
// singular too, which gives a warning if it happens at zero.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "math/dense.hpp"
#include "model/extent.hpp"
#include "model/lint/composite_mass.hpp"

namespace parid::model::lint {

namespace {

// Is the matrix singular, and in which direction? It is scaled to a unit diagonal, so that a finger
// beside a torso does not count as zero.
bool singular(const MassMatrix& at, Eigen::VectorXd& idle) {
  const int n = static_cast<int>(at.diagonal.size());
  for (int k = 0; k < n; ++k) {
    if (!at.nothing_at(k)) continue;
    idle = Eigen::VectorXd::Unit(n, k);
    return true;
  }
  if (at.M.size() == 0) return false;
  const Eigen::VectorXd s = at.diagonal.cwiseAbs().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd A = s.asDiagonal() * at.M * s.asDiagonal();
  // far from singular, and eigenvalues are expensive
  if (least_pivot(A) > 1e-8) return false;
  const std::optional<SymmetricEigen> found = symmetric_eigen(A);
  if (!found) return false;
  Eigen::Index least = 0;
  const double smallest = found->values.cwiseAbs().minCoeff(&least);
  idle = found->vectors.col(least);
  return smallest <= 1e-12;
}

class Lint {
 public:
  Lint(const Description& d, const Tree& tree, Findings& out)
      : d_(d),
        tree_(tree),
        out_(out),
        mass_(d, tree),
        extent_(extent_of(d)),
        singular_(d.joints.size(), false) {}

  void run() {
    if (mass_.size() > 0) report_singular();
    report_massless();
  }

 private:
  void report_singular() {
    std::mt19937 random(1);
    Eigen::VectorXd idle;
    bool always = true;
    for (int trial = 0; trial < 3 && always; ++trial) {
      Eigen::VectorXd q(mass_.size());
      for (int k = 0; k < q.size(); ++k)  // radians; prismatic joints by the size of the robot
        q[k] = (3.0 * (static_cast<double>(random()) / 4294967296.0) - 1.5) *
               (mass_.slides(k) ? extent_ : 1);
      q = mass_.closed(q);
      const MassMatrix at = mass_.at(q);
      if (report_diagonal(at)) return;  // single joints are more specific than the whole
      always = singular_at(q, at, idle);
    }
    if (always) {
      report_together("singular-mass", idle, "has no inertia; forward dynamics is singular",
                      "give their links mass and inertia, or the joints a rotor inertia");
    } else if (const Eigen::VectorXd zero = Eigen::VectorXd::Zero(mass_.size());
               singular_at(zero, mass_.at(zero), idle)) {
      report_together("singular-at-zero", idle,
                      "has no inertia in the zero position; forward dynamics is singular there",
                      "avoid that position, or give their links mass and inertia");
    }
  }

  // For long robots by the pivots of articulated bodies; if those have mimic joints, by the
  // diagonal only.
  bool singular_at(const Eigen::VectorXd& q, const MassMatrix& at, Eigen::VectorXd& idle) const {
    if (at.M.size() > 0 || mass_.has_mimic()) return singular(at, idle);
    idle = mass_.pivots(q).idle;
    return idle.size() > 0;
  }

  bool report_diagonal(const MassMatrix& at) {
    for (int row = 0; row < at.diagonal.size(); ++row) {
      if (!at.nothing_at(row)) continue;
      const int j = mass_.joint_of(row);
      if (!singular_[j]) {
        const JointDescription& joint = d_.joints[j];
        out_.push_back(finding(
            "singular-mass", d_.at(joint.line),
            fmt::format("joint '{}' has no inertia behind it; forward dynamics is singular",
                        joint.name),
            fmt::format(
                "give link '{}' or its descendants mass and inertia, or the joint a rotor inertia",
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
      const JointDescription& joint = d_.joints[mass_.joint_of(row)];
      const std::string name = fmt::format("'{}'", joint.name);
      if (std::abs(idle[row]) < 0.1 || (!names.empty() && names.back() == name)) continue;
      names.push_back(name);
      line = std::max(line, joint.line);
    }
    if (constexpr std::size_t shown = 12; names.size() > shown) {  // messages are one line
      const std::size_t more = names.size() - shown + 1;
      names.resize(shown - 1);
      names.push_back(fmt::format("and {} more", more));
    }
    out_.push_back(
        finding(code, d_.at(line),
                fmt::format("robot '{}': a motion of {} {} {}", d_.name,
                            names.size() == 1 ? "joint" : "joints", fmt::join(names, ", "), what),
                remedy));
  }

  // The body of a joint is its child link and all links fixed to it.
  void report_massless() {
    std::vector<double> mass(d_.links.size(), 0);
    for (auto link = tree_.from_root.rbegin(); link != tree_.from_root.rend(); ++link) {
      if (d_.links[*link].inertia) mass[*link] += d_.links[*link].inertia->mass;
      const int j = tree_.joint_above[*link];
      if (j < 0) continue;
      const JointDescription& joint = d_.joints[j];
      if (joint.type == JointType::fixed) {
        mass[tree_.parent[j]] += mass[*link];
      } else if (mass[*link] == 0 && !singular_[j] && !d_.links[*link].joins_only) {
        out_.push_back(
            finding("massless-link", d_.at(d_.links[*link].line),
                    fmt::format("link '{}' moves but has no mass", d_.links[*link].name),
                    "give it a mass and an inertia, unless it only connects two joints"));
      }
    }
  }

  const Description& d_;
  const Tree& tree_;
  Findings& out_;
  const CompositeMass mass_;
  const double extent_;
  std::vector<bool> singular_;  // by joint
};

}  // namespace

void check_mass_matrix(const Description& d, const Tree& tree, Findings& out) {
  Lint(d, tree, out).run();
}

}  // namespace parid::model::lint
