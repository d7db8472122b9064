// Dhanaraj's chapter 2: its equations, checked entry by entry with numbers, and its algorithms, run
// as printed.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "lookup/methods.hpp"
#include "papers/agreement.hpp"
#include "papers/dhanaraj/arm.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/printed_equations.hpp"
#include "parid/kinematics.hpp"

namespace parid::papers {
namespace of_dhanaraj_equations {
namespace {

using V = Vec3<double>;
using M = Mat3<double>;

// Two generic vectors.
constexpr V w{0.7, -1.1, 0.4}, al{-0.9, 0.5, 1.3};

double far(const V& a, const V& b) { return norm(a - b); }
double far(const M& a, const M& b) { return far(a.r0, b.r0) + far(a.r1, b.r1) + far(a.r2, b.r2); }

int entries_alike(const M& a, const M& b) {
  int n = 0;
  for (int j = 0; j < 3; ++j) {
    const V x = a.column(j), y = b.column(j);
    n += (std::abs(x.x - y.x) < 1e-12) + (std::abs(x.y - y.y) < 1e-12) +
         (std::abs(x.z - y.z) < 1e-12);
  }
  return n;
}
Outcome nine_of_nine(const M& printed, const M& ours) {
  return exact("9 of 9 entries", fmt::format("{} of 9 entries", entries_alike(printed, ours)));
}

void frames(Claims& r) {
  const double alpha = -std::numbers::pi / 3, theta = 0.8, ca = std::cos(alpha),
               sa = std::sin(alpha), c = std::cos(theta), s = std::sin(theta);
  const M printed{{c, -s, 0}, {s * ca, c * ca, -sa}, {s * sa, c * sa, ca}};
  r.add("Eq. 2.4", "the rotation of the four transformations of Eq. 2.2",
        nine_of_nine(printed, craig_rotation(alpha, theta)),
        "papers/dhanaraj/arm.hpp: craig_rotation", reproduced("turn about x, then about z"));
  const std::array<double, 3> zero{};
  const double x = link_pose(Robot::load("puma560-3"), zero, "link3").position[0];
  r.add("Eq. 2.4", "entry (1,4) is −a: where frame 3 of the PUMA is along x, q = 0, in m",
        exact("-0.4318", fmt::format("{:.4f}", x)), "include/parid/kinematics.hpp: link_pose",
        refuted("+a, as D.1.3 and D.2 have it"));
}

void lambda(Claims& r) {
  const char* by = "src/math/mat3.hpp: turning";
  const V k{w.y * w.z, w.z * w.x, w.x * w.y}, x{0.3, -0.2, 0.6};
  r.add("Eq. 2.24", "ω × (ω × r) = (ω·r) ω − (ω·ω) r",
        holds("equal", far(cross(w, cross(w, x)), dot(w, x) * w - dot(w, w) * x) < 1e-15,
              agreement(far(cross(w, cross(w, x)), dot(w, x) * w - dot(w, w) * x))),
        "src/math/vec3.hpp: cross", reproduced("an identity"));
  M l = turning(w, al);
  r.add("Eq. 2.25", "the matrix that gives α × r + ω × (ω × r)",
        nine_of_nine({l.r0, l.r1, {w.x * w.x - al.y, l.r2.y, l.r2.z}}, l), by,
        refuted("(3,1) has ω_x ω_x for ω_x ω_z; Eq. 2.27 alike; it may be the scan's"));
  const V with = cross(al, x) + cross(w, cross(w, x));
  r.add("Eq. 2.26", "λ r is α × r + ω × (ω × r)",
        holds("equal", far(l * x, with) < 1e-15, agreement(far(l * x, with))), by,
        reproduced("with (3,1) corrected"));
  M minus = l;
  minus.r1.x = k.z - al.z;
  r.add("Eq. 2.30", "λ of link 2; 2.31 alike", nine_of_nine(minus, l), by,
        refuted("(2,1) has −α_z, which makes it the same as (1,2)"));

  // The prismatic joint of the Stanford arm.
  const M R{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
  const V w3 = transposed_times(R, w), al3 = transposed_times(R, al);
  r.add("Eq. 2.34", "ω_3 = (ω_2x, ω_2z, −ω_2y); 2.35 alike",
        holds("equal", far(w3, {w.x, w.z, -w.y}) == 0 && far(al3, {al.x, al.z, -al.y}) == 0,
              agreement(far(w3, {w.x, w.z, -w.y}))),
        "src/math/mat3.hpp: transposed_times", reproduced("with R_3 of the text"));
  const M l3 = turning(w3, al3),
          p236{{-w.z * w.z - w.y * w.y, w.x * w.z + al.y, -w.y * w.x + al.z},
               {w.x * w.z + al.y, -w.y * w.y - w.x * w.x, -w.z * w.y - al.x},
               {-w.y * w.x - al.z, -w.z * w.y + al.x, -w.x * w.x - w.z * w.z}};
  r.add("Eq. 2.36", "λ_3 in terms of ω_2 and α_2", nine_of_nine(p236, l3), by,
        refuted("(2,1) has +α_2y; the mistake of 2.31, carried on"));
  const M p237{{l.r0.x, -l.r0.z, l.r0.y}, {-l.r2.x, l.r2.z, -l.r2.y}, {l.r1.x, -l.r1.z, l.r1.y}};
  r.add("Eq. 2.37", "λ_3 in terms of λ_2", nine_of_nine(p237, l3), by,
        refuted("the four entries between x and the others have the wrong sign: it is not 2.36"));
  r.add("Eq. 2.39", "the product R λ_2 Rᵀ", nine_of_nine(p237, R * l * transposed(R)),
        "src/math/mat3.hpp: operator*", reproduced("as a product; it is not λ_3"));
  M p238 = l;
  p238.r1.y = l.r2.z;
  r.add("Eq. 2.38", "λ_2 between R and Rᵀ", nine_of_nine(p238, l), by,
        refuted("(2,2) has λ_233 for λ_222; 2.39 has it right"));
  Misprints wrong;
  wrong.lambda_of_slide = true;
  const DhanarajArm arm = table_stanford(true);
  r.add("Eq. 2.29", "λ_i = R λ_{i−1} Rᵀ where the joint slides",
        holds("R λ Rᵀ", far(R * l * transposed(R), l3) < 1e-12,
              fmt::format("Rᵀ λ R; as printed, up to {:.2f} N m or N on the Stanford arm",
                          greatest_effect(arm, wrong, arm))),
        "papers/dhanaraj/arm.hpp: greatest_effect",
        refuted("R leads from link i to the one before; λ goes the other way"));

  const double Ixx = 0.7, Iyy = 0.4, Izz = 0.9, Ixy = 0.11, Ixz = -0.07, Iyz = 0.05;
  const M I{{Ixx, Ixy, Ixz}, {Ixy, Iyy, Iyz}, {Ixz, Iyz, Izz}};
  const V diagonal{k.x * (Izz - Iyy), k.y * (Ixx - Izz), k.z * (Iyy - Ixx)};
  const V off = M{{w.y * w.y - w.z * w.z, w.x * w.y, -w.x * w.z},
                  {-w.x * w.y, w.z * w.z - w.x * w.x, w.y * w.z},
                  {w.x * w.z, -w.y * w.z, w.x * w.x - w.y * w.y}} *
                V{Iyz, Ixz, Ixy};
  const double apart = far(diagonal + off, cross(w, I * w));
  r.add("Eq. 2.41", "ω × I ω by diagonal and off-diagonal parts",
        holds("equal", apart < 1e-15, agreement(apart)), "src/math/vec3.hpp: cross",
        reproduced("where I_xy is the tensor's entry, as in 2.21; with products of inertia of the "
                   "other sign (A.2) it is not"));
  const double plain = far(diagonal, cross(w, M::diagonal(Ixx, Iyy, Izz) * w));
  r.add("Eq. 2.43", "D_x, D_y, D_z for a diagonal inertia",
        holds("equal", plain < 1e-15, agreement(plain)), "src/math/vec3.hpp: cross",
        reproduced("Table 2.4 has another D_x"));
}

// The greatest difference between the result of `torque` and our Newton-Euler for puma560 or
// stanford.
double from_our_own(const char* robot, const DhanarajArm& arm,
                    const std::function<std::vector<double>(const ArmState&)>& torque) {
  const Robot ours = Robot::load(robot).with_gravity({0, 0, -9.8});
  const auto newton_euler = make_method(method(engines_method), ours, {});
  double most = 0;
  for (const ArmState& s : states(arm)) {
    std::vector<double> tau(s.q.size());
    newton_euler->torque(s.q.data(), s.v.data(), s.a.data(), tau.data());
    const std::vector<double> other = torque(s);
    for (std::size_t i = 0; i < tau.size(); ++i) most = std::max(most, std::abs(tau[i] - other[i]));
  }
  return most;
}

void algorithms(Claims& r) {
  const char* by = "papers/dhanaraj/arm.hpp: table_2_4";
  const char* effect_by = "papers/dhanaraj/arm.hpp: greatest_effect";
  const DhanarajArm puma = table_puma(true), stanford = table_stanford(true);
  for (const auto& [robot, arm] : {std::pair("puma560", puma), std::pair("stanford", stanford)}) {
    const Robot ours = Robot::load(robot).with_gravity({0, 0, -9.8});
    const auto conventional = make_method(method("newton_euler_conventional"), ours, {});
    const double apart = from_our_own(robot, arm, [&](const ArmState& s) {
      std::vector<double> tau(s.q.size());
      conventional->torque(s.q.data(), s.v.data(), s.a.data(), tau.data());
      return tau;
    });
    r.add("Table 2.3", fmt::format("its nine steps give the torques of {}", robot),
          holds("the torques", apart < 1e-11, agreement(apart)),
          "src/formulation/newton_euler_conventional.hpp: NewtonEulerConventional",
          reproduced("with f_z where a joint slides; against sweeps about links' origins"));
    const double modified =
        from_our_own(robot, arm, [&, &arm = arm](const ArmState& s) { return table_2_4(arm, s); });
    r.add("Table 2.4", fmt::format("it gives the torques of {}, corrected as below", robot),
          holds("the torques", modified < 1e-11, agreement(modified)), by,
          reproduced("in the frames of Dhanaraj (1990), against ours"));
  }
  auto misprint = [&](const char* where, const char* what, const char* printed, const char* right,
                      bool Misprints::*which, const char* why) {
    Misprints wrong;
    wrong.*which = true;
    const double p = greatest_effect(puma, wrong, puma),
                 s = greatest_effect(stanford, wrong, stanford);
    std::string size;
    if (p > 1e-9) size += fmt::format("{:.2f} on the PUMA", p);
    if (s > 1e-9) size += fmt::format("{}{:.2f} on the Stanford arm", p > 1e-9 ? ", " : "", s);
    r.add(where, what,
          holds(printed, std::max(p, s) < 1e-9,
                fmt::format("{}; as printed, torques are off by up to {}", right, size)),
          effect_by, refuted(why));
  };
  misprint("Table 2.4", "λ's entry (2,1)", "k_x + α_x", "k_z + α_z", &Misprints::lambda_21,
           "the text of 4.3.1 has it right, Table 4.1 has it again");
  misprint("Table 2.4", "D_x", "I_xx − I_yy", "I_zz − I_yy", &Misprints::d_x, "Eq. 2.43 is right");
  misprint("Table 2.4", "λ where the joint slides", "R λ Rᵀ", "Rᵀ λ R", &Misprints::lambda_of_slide,
           "as Eq. 2.29");
  misprint("Table 2.4", "step 9 where the joint slides; Table 2.3 alike", "n_z", "f_z",
           &Misprints::n_of_slide, "Eq. B.22 is right");
  misprint("D.2", "λ of the first link", "diag(0, 0, q̇² − q̈)", "λ as of the others",
           &Misprints::first_lambda,
           "the first link turns about z, so that λ_1 p_1 is not zero; all four programs of D.3 "
           "lack it");
}

// Eq. A.2: the pseudo-inertia of points, from the tensor whose entries Eq. 2.21 has.
void pseudo_inertia(Claims& r) {
  const V points[] = {{0.3, -0.2, 0.5}, {-0.4, 0.6, 0.1}, {0.2, 0.7, -0.3}, {0.5, 0.1, 0.4}};
  double m = 1, xx = 0, yy = 0, zz = 0, xy = 0, Ixx = 0, Iyy = 0, Izz = 0, Ixy = 0;
  for (const V& p : points) {
    xx += m * p.x * p.x;
    yy += m * p.y * p.y;
    zz += m * p.z * p.z;
    xy += m * p.x * p.y;
    Ixx += m * (p.y * p.y + p.z * p.z);
    Iyy += m * (p.x * p.x + p.z * p.z);
    Izz += m * (p.x * p.x + p.y * p.y);
    Ixy -= m * p.x * p.y;
    m += 0.5;
  }
  const double diagonal = std::abs((-Ixx + Iyy + Izz) / 2 - xx) +
                          std::abs((Ixx - Iyy + Izz) / 2 - yy) +
                          std::abs((Ixx + Iyy - Izz) / 2 - zz);
  const char* by = "papers/dhanaraj/equations.cpp: pseudo_inertia";
  r.add("Eq. A.2", "diagonal of the pseudo-inertia: ∫x² dm and so on",
        holds("equal", diagonal < 1e-14, agreement(diagonal)), by,
        reproduced("of moments about the link's origin"));
  r.add("Eq. A.2", "+I_xy off the diagonal, with Eq. 2.21's tensor",
        holds("∫xy dm", std::abs(Ixy - xy) < 1e-14,
              std::abs(Ixy + xy) < 1e-14 ? "−∫xy dm" : "neither"),
        by, refuted("2.41 holds for the tensor's entries, which have the other sign"));
}

// Equations of the appendices, each within otherwise correct ones.
void appendices(Claims& r) {
  add_claims(r, dhanaraj_misprints(), "papers/errata.hpp: effect");
  Misprints wrong;
  wrong.coriolis_inside = true;
  const DhanarajArm arm = table_stanford(true);
  const double off = greatest_effect(arm, wrong, arm);
  r.add("Eq. B.13", "z q̈ and the Coriolis term within Rᵀ(…)",
        holds("the torques", off < 1e-9,
              fmt::format("off by up to {:.2f} N m or N on the Stanford arm", off)),
        "papers/dhanaraj/arm.hpp: greatest_effect",
        refuted("both are in link i's frame already; Table 2.3 has them outside"));
  // Eqs. B.7 and B.9: α_i on both sides. Solved for it, with the joint at rest relative to its
  // parent.
  const M turn = craig_rotation(0.7, 0.4);
  const V right = transposed_times(turn, al), again = transposed_times(turn, right);
  r.add("Eqs. B.7, B.9", "α_i = Rᵀ α_i + …, a joint that rests",
        holds("Rᵀ α_{i−1}", far(again, right) < 1e-12,
              fmt::format(
                  "α_i stands on both sides; Rᵀ α_{{i−1}} put in is off by {:.2f} of its size",
                  far(again, right) / norm(right))),
        "papers/dhanaraj/equations.cpp: appendices", refuted("α_{i−1} is meant, as in Table 2.3"));
}

}  // namespace
}  // namespace of_dhanaraj_equations

void dhanaraj_equations(Claims& r) {
  using namespace of_dhanaraj_equations;
  frames(r);
  lambda(r);
  algorithms(r);
  pseudo_inertia(r);
  appendices(r);
}

}  // namespace parid::papers
