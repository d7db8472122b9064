// Checks the numbers of single links and joints.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/dense.hpp"
#include "model/extent.hpp"
#include "model/frame.hpp"
#include "model/joint/rotor.hpp"
#include "model/lint/check_parts.hpp"

namespace parid::model::lint {

namespace {

using V = Vec3<double>;

bool finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool finite(const Mat3<double>& A) { return finite(A.r0) && finite(A.r1) && finite(A.r2); }
bool finite(const Pose<double>& A) { return finite(A.R) && finite(A.p); }

std::string written(const Vec3<double>& v) { return fmt::format("{:g} {:g} {:g}", v.x, v.y, v.z); }

// In ascending order.
Eigen::Vector3d principal_moments(const Sym3<double>& I) {
  Eigen::Matrix3d A;
  A << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return principal_axes(A).values;
}

bool is_zero(const Sym3<double>& I) {
  return I.xx == 0 && I.yy == 0 && I.zz == 0 && I.xy == 0 && I.xz == 0 && I.yz == 0;
}

// The largest plausible distance of a centre of mass from its link's origin: three times the
// longest step between joints, and a metre. It is generous, because it is meant to find millimetres
// and misplaced decimal points, not unusual shapes.
double plausible_distance(const Description& d) {
  double longest = 0;
  for (const JointDescription& j : d.joints)
    longest = std::max({longest, norm(j.origin.p), norm(j.tip.p)});
  return 3 * longest + 1;
}

bool excessive(const Eigen::Vector3d& p) {  // physically impossible moments, beyond rounding
  return p[2] - p[0] - p[1] > 1e-3 * std::max(std::abs(p[0]), std::abs(p[2]));
}

// Torques depend on bodies: a link with all links fixed to it. For each link, the moments of the
// body to which it belongs. Requires a valid tree.
class Wholes {
 public:
  Wholes(const Description& d, const Tree& tree)
      : of_(d.links.size()), parts_(d.links.size()), whole_(d.links.size()) {
    std::vector<Pose<double>> at(d.links.size());  // in the body's frame
    for (const int l : tree.from_root) {
      const int j = tree.joint_above[l];
      of_[l] = l;
      if (j >= 0 && d.joints[j].type == JointType::fixed) {
        of_[l] = of_[tree.parent[j]];
        at[l] = at[tree.parent[j]] * d.joints[j].origin * d.joints[j].tip;
      }
      if (!d.links[l].inertia) continue;
      ++parts_[of_[l]];
      whole_[of_[l]] = together(whole_[of_[l]], moved(at[l], *d.links[l].inertia));
    }
  }
  bool are_sound_with(int l) const {
    const Eigen::Vector3d p = principal_moments(whole_[of_[l]].about_com);
    return parts_[of_[l]] > 1 && p[0] > 0 && !excessive(p);
  }

 private:
  std::vector<int> of_, parts_;  // the link that carries a link; its number of links with inertia
  std::vector<Inertia> whole_;
};

template <class Report>
void check_friction(const JointDescription& j, const Report& report) {
  if (j.smoothing < 0)
    report("negative-friction", j.line,
           fmt::format("a negative friction smoothing, {:g}", j.smoothing),
           "give the velocity range within which friction changes its sign, or omit it");
  if (j.stribeck && (j.stribeck->breakaway < j.friction || !(j.stribeck->velocity > 0)))
    report("negative-friction", j.stribeck_line,
           fmt::format("break-away friction {:g} with sliding friction {:g}", j.stribeck->breakaway,
                       j.friction),
           "give a break-away friction that is at least the sliding friction, and a positive "
           "velocity");
  const char* remedy =
      "give a friction coefficient and a radius that are not negative, and a positive spacing";
  if (j.journal && !(j.journal->friction >= 0 && j.journal->radius >= 0 && j.journal->spacing > 0))
    report("impossible-bearing", j.journal_line, "an invalid journal bearing", remedy);
  if (j.linear && !(j.linear->friction >= 0 && j.linear->spacing > 0))
    report("impossible-bearing", j.linear_line, "an invalid linear bearing", remedy);
  if (j.thrust && !(j.thrust->friction >= 0 && j.thrust->radius >= 0))
    report("impossible-bearing", j.thrust_line, "an invalid thrust bearing", remedy);
  if (j.drive) {
    const auto [least, most] = efficiency_range(*j.drive);
    bool ascending = true;
    for (std::size_t k = 1; k < j.drive->efficiency.size(); ++k)
      ascending &= j.drive->efficiency[k - 1][0] < j.drive->efficiency[k][0];
    if (!(j.drive->breakaway >= 0 && ascending && least > 0 && most <= 1) ||
        (j.drive->efficiency.size() > 1 && !(j.drive->rated > 0)))
      report("impossible-drive", j.drive_line, "an invalid drive",
             "give an efficiency above 0 and at most 1, ascending loads, a positive rated torque, "
             "and a break-away torque that is not negative");
  }
  if (j.type != JointType::fixed && !turns_or_slides(j.type) && (j.damping > 0 || j.friction > 0))
    report(
        "ignored-friction", j.line,
        fmt::format("friction, which is not supported for its type, {}; ignored", name_of(j.type)),
        "only revolute, continuous and prismatic joints have friction; remove it");
}

}  // namespace

bool check_finite(const Description& d, Findings& out) {
  const std::size_t before = out.size();
  const auto want = [&](bool ok, int line, const std::string& whose, const char* what) {
    if (!ok)
      out.push_back(finding("not-finite", d.at(line),
                            fmt::format("{} has {} that is not finite", whose, what),
                            "give finite numbers"));
  };
  for (const LinkDescription& link : d.links) {
    if (!link.inertia) continue;
    const Inertia& i = *link.inertia;
    const int line = link.inertia_line ? link.inertia_line : link.line;
    const std::string whose = fmt::format("link '{}'", link.name);
    want(std::isfinite(i.mass), line, whose, "a mass");
    want(finite(i.com), line, whose, "a centre of mass");
    want(finite(full(i.about_com)), line, whose, "an inertia");
  }
  for (const JointDescription& j : d.joints) {
    const std::string whose = fmt::format("joint '{}'", j.name);
    want(finite(j.origin) && finite(j.tip), j.line, whose, "an origin");
    want(finite(j.axis), j.axis_line ? j.axis_line : j.line, whose, "an axis");
    want(std::isfinite(j.damping) && std::isfinite(j.friction), j.line, whose,
         "a damping or friction");
    bool sound = std::isfinite(j.smoothing);
    if (j.stribeck) sound &= finite(V{j.stribeck->breakaway, j.stribeck->velocity, 0});
    if (j.journal)
      sound &= finite(V{j.journal->friction, j.journal->radius, j.journal->at}) &&
               std::isfinite(j.journal->spacing);
    if (j.linear) sound &= finite(V{j.linear->friction, j.linear->spacing, j.linear->at});
    if (j.thrust) sound &= finite(V{j.thrust->friction, j.thrust->radius, 0});
    if (j.drive) {
      sound &= finite(V{j.drive->breakaway, j.drive->rated, 0});
      for (const auto& [load, eta] : j.drive->efficiency) sound &= finite(V{load, eta, 0});
    }
    want(sound, j.line, whose, "a bearing or drive");
    want(std::isfinite(j.rotor_inertia) && std::isfinite(j.gear_ratio), j.line, whose,
         "a rotor inertia or gear ratio");
    if (j.elastic)
      want(std::isfinite(j.elastic->stiffness) && std::isfinite(j.elastic->damping), j.elastic_line,
           whose, "a stiffness or damping");
    if (j.rotor)
      want(
          std::isfinite(j.rotor->inertia) && std::isfinite(j.rotor->ratio) && finite(j.rotor->axis),
          j.rotor_line, whose, "a number of a rotor");
    if (j.mimic) {
      want(std::isfinite(j.mimic->multiplier) && std::isfinite(j.mimic->offset), j.mimic_line,
           whose, "a mimic multiplier or offset");
      want(std::all_of(j.mimic->higher.begin(), j.mimic->higher.end(),
                       [](double x) { return std::isfinite(x); }),
           j.mimic_line, whose, "a coefficient of a mimic polynomial");
    }
    const Limits& l = j.limits;  // an absent limit is infinite with the sign of its side
    want(l.lower < Limits::none && l.upper > -Limits::none && !std::isnan(l.effort) &&
             !std::isnan(l.velocity),
         j.limits_line ? j.limits_line : j.line, whose, "a limit");
  }
  const Vec3<double>& g = d.gravity;
  want(finite(g), 0, fmt::format("robot '{}'", d.name), "a gravity vector");
  return out.size() == before;
}

template <class Report>
void check_rotor(const Description& d, const JointDescription& j, const Report& report) {
  const Rotor& r = *j.rotor;
  const auto carrier = std::find_if(d.links.begin(), d.links.end(),
                                    [&](const LinkDescription& l) { return l.name == r.link; });
  const double length = length_of(r.axis);
  if (carrier == d.links.end())
    return report("rotor", j.rotor_line,
                  fmt::format("a rotor on link '{}', which does not exist", r.link),
                  "name the link that carries the motor");
  if (length == 0)
    return report("rotor", j.rotor_line, "a rotor with a zero axis",
                  "set it to a direction such as 0 0 1");
  if (!turns_or_slides(j.type))
    return report("rotor", j.rotor_line,
                  "a rotor, but its type does not have exactly one coordinate",
                  "a rotor is possible at revolute, continuous and prismatic joints");
  if (r.ratio == 0)
    return report("rotor", j.rotor_line, "a rotor with ratio 0",
                  "give rotor turns per joint turn, 1 for a direct drive");
  if (r.inertia < 0)
    return report("negative-rotor-inertia", j.rotor_line,
                  fmt::format("a negative rotor inertia, {:g}", r.inertia),
                  "give a positive number, or omit it");
  if (!r.included || !carrier->inertia) return;
  const Vec3<double> e = (1 / length) * r.axis;
  const double about = dot(e, carrier->inertia->about_com * e);
  if (r.inertia > about)
    report("rotor-inertia", j.rotor_line,
           fmt::format("a rotor of {:g} kg m² on link '{}', whose inertia about that axis is {:g}",
                       r.inertia, r.link, about),
           "give the link the inertia of all it carries, or set included = false");
}

template <class Report>
void check_elasticity(const JointDescription& j, const Report& report) {
  const Elasticity& e = *j.elastic;
  if (!turns_or_slides(j.type) || j.mimic)
    return report("impossible-elasticity", j.elastic_line,
                  "an elastic transmission, but it has not exactly one coordinate of its own",
                  "elasticity is possible at revolute, continuous and prismatic joints that mimic "
                  "no other; remove it");
  if (!(e.stiffness > 0))
    report("impossible-elasticity", j.elastic_line,
           fmt::format("an elastic transmission of stiffness {:g}", e.stiffness),
           "give a positive stiffness in N m/rad or N/m, or omit it for a rigid transmission");
  if (!(e.damping >= 0))
    report("impossible-elasticity", j.elastic_line,
           fmt::format("an elastic transmission of damping {:g}", e.damping),
           "damping dissipates energy; give a number that is not negative");
  if (!(reflected_inertia(j) > 0))
    report("elastic-without-rotor", j.elastic_line, "an elastic transmission, but no rotor inertia",
           "give rotor_inertia, the inertia of the motor as the joint sees it");
}

void check_joints(const Description& d, Findings& out) {
  for (const JointDescription& j : d.joints) {
    const auto report = [&](const char* code, int line, const std::string& what,
                            const std::string& remedy) {
      out.push_back(finding(code, d.at(line ? line : j.line),
                            fmt::format("joint '{}' has {}", j.name, what), remedy));
    };
    const double length = length_of(j.axis);
    if (has_axis(j.type) && length == 0)
      report("zero-axis", j.axis_line, "a zero axis", "set it to a direction such as 0 0 1");
    else if (has_axis(j.type) && std::abs(length - 1) > 1e-3)
      report(
          "axis-length", j.axis_line,
          fmt::format("axis {} of length {:g} instead of 1; normalized", written(j.axis), length),
          "give a unit vector");

    const Limits& l = j.limits;
    if (l.lower > l.upper)
      report("limit-order", j.limits_line,
             fmt::format("lower limit {:g} above upper limit {:g}", l.lower, l.upper),
             "both count as not given; swap them, or correct their signs");
    if (turns_or_slides(j.type) && l.lower == l.upper)
      report("zero-range", j.limits_line,
             fmt::format("equal lower and upper limits ({:g}), so it cannot move", l.lower),
             "widen the limits, remove them, or make the joint fixed");
    if (l.effort < 0)
      report("negative-limit", j.limits_line,
             fmt::format("a negative effort limit, {:g}", l.effort),
             "it counts as not given; give a positive number");
    if (l.velocity < 0)
      report("negative-limit", j.limits_line,
             fmt::format("a negative velocity limit, {:g}", l.velocity),
             "it counts as not given; give a positive number");
    if (j.damping < 0)
      report("negative-damping", j.line, fmt::format("negative damping, {:g}", j.damping),
             "damping dissipates energy; give a positive number");
    if (j.friction < 0)
      report("negative-friction", j.line, fmt::format("negative friction, {:g}", j.friction),
             "friction dissipates energy; give a positive number");
    check_friction(j, report);
    if (j.rotor_inertia < 0)
      report("negative-rotor-inertia", j.line,
             fmt::format("a negative rotor inertia, {:g}", j.rotor_inertia),
             "give a positive number, or omit it");
    if (j.rotor) check_rotor(d, j, report);
    if (j.elastic) check_elasticity(j, report);
    if (j.gear_ratio == 0)
      report("zero-gear-ratio", j.line, "gear ratio 0",
             "give motor turns per joint turn, 1 for a direct drive");
  }
}

void check_links(const Description& d, const Tree& tree, Findings& out) {
  const double far = plausible_distance(d), size = extent_of(d);
  std::optional<Wholes> wholes;  // few robots need them
  for (int l = 0; l < static_cast<int>(d.links.size()); ++l) {
    const LinkDescription& link = d.links[l];
    if (!link.inertia) continue;
    const Inertia& i = *link.inertia;
    const auto report = [&](const char* code, const std::string& what, const std::string& remedy) {
      out.push_back(finding(code, d.at(link.inertia_line ? link.inertia_line : link.line),
                            fmt::format("link '{}' has {}", link.name, what), remedy));
    };
    if (i.mass < 0)
      report("negative-mass", fmt::format("a negative mass, {:g} kg", i.mass),
             "give a positive mass in kg");
    // A link that never moves needs no inertia, and exporters write arbitrary values there.
    if (tree.sound && !tree.moves[l]) continue;
    if (i.mass < 0) continue;

    const Eigen::Vector3d p = principal_moments(i.about_com);
    const std::string moments = fmt::format("{:g} {:g} {:g}", p[0], p[1], p[2]);
    const double largest = std::max(std::abs(p[0]), std::abs(p[2])), excess = p[2] - p[0] - p[1];
    // What rounding leaves where a zero was meant, next to the mass at the distance of the robot's
    // size.
    const bool dust = largest <= 1e-12 * i.mass * size * size;
    if (dust && largest > 0)
      report("point-mass",
             fmt::format("mass but no inertia: its principal moments {} are rounding", moments),
             "give its inertia, unless a point mass is intended");
    else if (p[0] < -1e-9 * largest)
      report("negative-inertia",
             fmt::format("principal moments of inertia {}, one of them negative", moments),
             "check the signs of ixy, ixz and iyz, and that ixx, iyy and izz are positive");
    else if (excessive(p)) {
      if (tree.sound && !wholes) wholes.emplace(d, tree);
      const bool only_part = wholes && wholes->are_sound_with(l);
      report(only_part ? "triangle-part" : "triangle-inequality",
             fmt::format("a physically impossible inertia: principal moments {}, the last exceeds "
                         "the sum of the others",
                         moments),
             only_part ? "accepted: the inertia is valid once fixed links are merged"
                       : "check the values, and that the inertia is about the centre of mass");
    } else if (excess > 1e-9 * largest)
      report("triangle-rounding",
             fmt::format("a physically impossible inertia: principal moments {}, the last slightly "
                         "exceeds the sum of the others",
                         moments),
             "give the inertia with more digits");

    if (i.mass == 0) {
      if (!is_zero(i.about_com))
        report("inertia-without-mass", "inertia but no mass", "give its mass in kg");
      continue;
    }
    if (is_zero(i.about_com))
      report("point-mass", "mass but no inertia",
             "give its inertia, unless a point mass is intended");
    if (norm(i.com) > far)
      report("far-com",
             fmt::format("its centre of mass at {}, more than {:g} m from the link's origin",
                         written(i.com), far),
             "give the centre of mass in metres in the link's frame");
    if (const double radius = std::sqrt(std::max(0.0, p.sum()) / (2 * i.mass)); radius > far)
      report(
          "large-inertia",
          fmt::format(
              "an implausibly large inertia: a mass of {:g} kg with a radius of gyration of {:g} m",
              i.mass, radius),
          "give the inertia in kg m² and the mass in kg");
  }
}

}  // namespace parid::model::lint
