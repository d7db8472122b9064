#include "papers/shared/as_printed.hpp"

#include <fmt/format.h>

#include "formulation/newton_euler_link.hpp"
#include "model/user_state.hpp"
#include "papers/layer.hpp"

namespace parid::papers {
namespace {

// The bodies of program D.1.2, with 5 kg in the hand.
Description program_d12(Description d) {
  constexpr double arm = 6.05, payload = 5, reach = 0.4318, hand = payload * reach * reach;
  const Inertia bodies[] = {
      {0, {}, {0, 0, 0.35 + 1.14}},  // the program gives link 1 no mass
      {17.4, {-0.068, 0, 0}, {0.13, 0.524, 0.539 + 4.71}},
      {arm + payload,
       {0, -(arm * 0.07 + payload * reach) / (arm + payload), 0},
       {0.192 + hand, 0.0154, 0.212 + 0.83 + hand}},
  };
  for (int i = 0; i < 3; ++i) {
    d.links[i + 1].inertia = bodies[i];
    d.joints[i].rotor_inertia = 0;
  }
  return d;
}

bool is_case_study(const Description& d) {
  if (d.name != CaseStudyAsPrinted::robot || d.joints.size() != 3 || d.links.size() != 4)
    return false;
  for (const JointDescription& j : d.joints)
    if (!j.journal || !j.drive || j.type != JointType::revolute) return false;
  return true;
}

}  // namespace

CaseStudyAsPrinted::CaseStudyAsPrinted(const Robot& given) {
  if (!is_case_study(given.description()))
    throw Error(
        fmt::format("'{}' is not the robot of the printed case study; only {} has printed "
                    "figures to compare with",
                    given.name(), robot));
  described_ = program_d12(given.description());
  canonical_ = std::make_unique<CanonicalModel>(described_);
}

std::array<CaseStudyAsPrinted::Reaction, 3> CaseStudyAsPrinted::reactions(
    std::span<const double> q, std::span<const double> v, std::span<const double> a) const {
  const Mechanism<double>& m = canonical_->mechanism;
  State<double> motion(m);
  auto column = [](std::span<const double> x) { return [x](int k) { return x[k]; }; };
  load_state(*canonical_, motion, column(q), column(v), column(a));
  motion.place(m);
  NewtonEulerLink<double> formulation(m);
  double tau[4];
  formulation.torque(m, motion, tau);
  std::array<Reaction, 3> out;
  for (int i = 0; i < 3; ++i) {
    const auto& [R, p] = canonical_->link[i + 1].pose;  // Craig's frame in the canonical one
    const Vec3<double> f = formulation.f(i + 1), n = formulation.n(i + 1);
    out[i] = {tau[i + 1], {transposed_times(R, f), transposed_times(R, n - cross(p, f))}};
  }
  return out;
}

void CaseStudyAsPrinted::torques(std::span<const double> q, std::span<const double> v,
                                 std::span<const double> a, const FrictionTorques& to) const {
  const auto at = reactions(q, v, a);
  for (int i = 0; i < 3; ++i) {
    const JointDescription& j = described_.joints[i];
    const auto& [f, n] = at[i].wrench;
    const double half = 0.5 * j.journal->spacing, way = sign(v[i]);
    double level = j.journal->friction * j.journal->radius *
                   (std::hypot(half * f.x - n.y, half * f.y - n.x) +
                    std::hypot(half * f.x + n.y, half * f.y + n.x));
    if (j.thrust) level += j.thrust->friction * j.thrust->radius * std::abs(f.z);
    to.rigid[i] = at[i].torque;
    to.bearing[i] = way * level;
    const double out = to.rigid[i] + to.bearing[i];
    const DriveLaw<double> law{j.drive->breakaway};
    to.drive[i] =
        drive_loss(law, out, v[i], way, efficiency(*j.drive, std::abs(out) / j.drive->rated));
    to.total[i] = out + to.drive[i];
  }
}

}  // namespace parid::papers
