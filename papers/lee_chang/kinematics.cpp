// Lee and Chang's Appendix A: a PUMA's joint angles in closed form, equation by equation. Each
// misprint is inserted alone into the corrected equations, and random poses are solved on all eight
// branches.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "hardware/ik_hardware.hpp"
#include "kinematics/closed_form.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/random.hpp"

namespace parid::papers {
namespace of_lee_chang_kinematics {
namespace {

enum class Misprint {
  none,
  d1_in_theta1,
  f12p_in_d,
  d1_in_d,
  a4_in_e,
  sign_in_theta3,
  px_in_theta23,
  denominator_in_theta23,
  a2_in_theta4,
  a2_in_theta5,
  a_in_theta6
};

std::array<double, 6> appendix(const Pose<double>& T, Misprint m, double arm, double elbow,
                               double wrist) {
  const PumaLengths l = lee_chang_puma;
  const double d1 = 0, a4 = 0;  // of a PUMA
  const Vec3<double> p = T.p, o = T.R.column(1), a = T.R.column(2);
  auto root = [](double x) { return std::sqrt(std::max(0.0, x)); };
  auto is = [m](Misprint x) { return m == x; };
  const double offset = is(Misprint::d1_in_theta1) ? d1 : l.d2, r = std::hypot(p.x, p.y);
  const double q1 =
      std::atan2(p.y, p.x) - std::atan2(offset, arm * root(r * r - offset * offset));
  const double C1 = std::cos(q1), S1 = std::sin(q1);
  const double f11p = p.x * C1 + p.y * S1, f12p = -p.x * S1 + p.y * C1;
  const double f11o = o.x * C1 + o.y * S1, f12o = -o.x * S1 + o.y * C1, f11a = a.x * C1 + a.y * S1,
               f12a = -a.x * S1 + a.y * C1;
  const double height = is(Misprint::f12p_in_d) ? f12p : p.z,
               fore = is(Misprint::d1_in_d) ? d1 : l.d4;
  const double d =
      f11p * f11p + height * height - fore * fore - l.a2 * l.a2 - l.a3 * l.a3;
  const double fore_e = is(Misprint::a4_in_e) ? a4 : l.d4;
  const double e = 4 * l.a2 * l.a2 * (l.a3 * l.a3 + fore_e * fore_e);
  const double bend = std::atan2(d, elbow * root(e - d * d));
  const double q3 =
      std::atan(l.a3 / -l.d4) + (is(Misprint::sign_in_theta3) ? -bend : bend);
  const double C3 = std::cos(q3), S3 = std::sin(q3), pz = is(Misprint::px_in_theta23) ? p.x : p.z;
  double den = l.a2 * (f11p * C3 + pz * S3) + l.a3 * f11p + l.d4 * pz;
  if (is(Misprint::denominator_in_theta23))
    den = l.a2 * (pz * C3 + f11p * S3) + l.a3 * f11p + l.d4 * pz;
  const double q23 =
      std::atan2(l.a2 * (f11p * S3 - pz * C3) + l.d4 * f11p - l.a3 * pz, den);
  const double C23 = std::cos(q23), S23 = std::sin(q23);
  const double az4 = is(Misprint::a2_in_theta4) ? l.a2 : a.z,
               az5 = is(Misprint::a2_in_theta5) ? l.a2 : a.z;
  const double q4 = std::atan2(wrist * f12a, wrist * (C23 * f11a - S23 * az4));
  const double C4 = std::cos(q4), S4 = std::sin(q4);
  const double q5 =
      std::atan2(C4 * (C23 * f11a - S23 * az5) + S4 * f12a, S23 * f11a + C23 * az5);
  const double C5 = std::cos(q5), S5 = std::sin(q5);
  const bool with_a = is(Misprint::a_in_theta6);
  const double f11 = with_a ? f11a : f11o, f12 = with_a ? f12a : f12o, z = with_a ? a.z : o.z;
  const double q6 =
      std::atan2(-C5 * (C4 * (C23 * f11 - S23 * z) + S4 * f12) + S5 * (S23 * f11 + C23 * z),
                 -S4 * (C23 * f11 - S23 * z) + C4 * f12);
  return {q1, q23 - q3, q3, q4, q5, q6};
}

constexpr int poses = 100, all = 8 * poses;
constexpr const char* by = "papers/lee_chang/kinematics.cpp: appendix";

struct Printed {
  const char *where, *what, *printed;
  Misprint misprint;
  const char* why;
};
const Printed misprints[] = {
    {"Section 2.2", "subtasks 2 and 3 with d_1", "d_1", Misprint::d1_in_theta1,
     "d_2, as (A-2) has it; x and z are swapped there too"},
    {"Eq. (A-5)", "d with f_12p²", "f_12p²", Misprint::f12p_in_d, "p_z²"},
    {"Eq. (A-5)", "d, and c_1 of Fig. 3, with d_1²", "d_1²", Misprint::d1_in_d, "d_4²"},
    {"Eq. (A-5)", "e with a_4²", "a_4²", Misprint::a4_in_e, "d_4²"},
    {"Eq. (A-6)", "θ_3 with a minus before its second term", "−", Misprint::sign_in_theta3,
     "+; it contradicts (A-7)"},
    {"Eq. (A-7)", "θ_23 with p_x", "p_x", Misprint::px_in_theta23, "p_z wherever it stands"},
    {"Eq. (A-7)", "second form, denominator with (p C_3 + f_11p S_3)", "p C_3 + f_11p S_3",
     Misprint::denominator_in_theta23, "f_11p C_3 + p_z S_3, as in the first form"},
    {"Eq. (A-9)", "θ_4 with a_2", "a_2", Misprint::a2_in_theta4, "a_z (and a_y for a_7)"},
    {"Eq. (A-10)", "θ_5 with a_2", "a_2", Misprint::a2_in_theta5, "a_z (and a_y for a_7)"},
    {"Eq. (A-11)", "θ_6 with f_11a, a, f_12a", "a", Misprint::a_in_theta6,
     "f_11o, o_z, f_12o: θ_6 turns o, not a"},
};

int solved(Misprint m) {
  ClosedForm form;
  form.puma = lee_chang_puma;
  Random random(11);
  int count = 0;
  for (int k = 0; k < poses; ++k) {
    std::array<double, 6> q{};
    for (double& x : q) x = random.in(-3.1, 3.1);
    const Pose<double> T = wrist_pose(form, q);
    for (int branch = 0; branch < 8; ++branch) {
      const Pose<double> got = wrist_pose(
          form, appendix(T, m, branch & 1 ? 1 : -1, branch & 2 ? 1 : -1, branch & 4 ? 1 : -1));
      double off = 0;
      for (const Vec3<double>& v :
           {got.p - T.p, got.R.r0 - T.R.r0, got.R.r1 - T.R.r1, got.R.r2 - T.R.r2})
        off = std::max(off, std::sqrt(dot(v, v)));
      count += off < 1e-9;
    }
  }
  return count;
}

std::string shown(int count) { return fmt::format("{} of {} solved", count, all); }

}  // namespace
}  // namespace of_lee_chang_kinematics

void lee_chang_kinematics(Claims& r) {
  using namespace of_lee_chang_kinematics;
  const int right = solved(Misprint::none);
  r.add("Appendix A",
        "the closed form gives all solutions: eight branches of random poses, corrected",
        holds("all", right == all, shown(right)), by,
        reproduced("to 1e-9 in position and direction, by forward kinematics"));
  for (const Printed& p : misprints) {
    const int count = solved(p.misprint);
    r.add(p.where, p.what, holds(p.printed, count == all, shown(count)), by,
          refuted(fmt::format("{}; alone it spoils what all the rest makes right", p.why)));
  }
}

void lee_chang_kinematics_errata(Errata& e) {
  using namespace of_lee_chang_kinematics;
  for (const Printed& p : misprints)
    e.add(p.where, p.what, p.why, fmt::format("poses: {}", shown(solved(p.misprint))), by);
}

}  // namespace parid::papers
