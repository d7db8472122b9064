// The papers' equations for torques, corrected and as printed.

#include <fmt/format.h>

#include "formulation/hollerbach4.hpp"
#include "formulation/lathrop.hpp"
#include "formulation/lee_chang.hpp"
#include "formulation/uicker_kahn.hpp"
#include "formulation/waters.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/printed_equations.hpp"

namespace parid::papers {
namespace {

constexpr const char* by_effect = "papers/errata.hpp: effect";

std::vector<PrintedEquation> hollerbach_misprints() {
  return {{"Eq. (4)", "q̈_k q̈_l in the double sum", "q̇_k q̇_l", "puma560", squares_of_accelerations},
          {"Eqs. (8), (9)", "Ẇ_j = Ẇ_{j−1} A_j",
           "W_j = W_{j−1} A_j and Ẇ_j = Ẇ_{j−1} A_j + W_{j−1} A'_j q̇_j", "puma560",
           lagrange({.no_rate = true})},
          {"Eq. (16)", "a minus before Ẅ p*", "+ Ẅ p*", "puma560", lagrange({.minus = true})},
          {"Eq. (16)", "Ẅ_{j−1} p*_j in the paper's own frames",
           "Ẅ_j ʲp*_j, for p*_j turns with link j", "puma560", lagrange_far({.before_link = true})},
          {"Before Eq. (15)", "n_i = r_i*/m_i", "m_i r_i*, as in Appendix A", "puma560",
           lagrange({.over_mass = true})},
          {"After Eq. (16)", "c_i \"the same as (13)\"",
           "c_i = n_i + A_{i+1} c_{i+1} + (Σ_{j>i} m_j) p_{i+1}", "puma560",
           lagrange({.no_lever = true})},
          {"Eq. (B1)", "∂p_j/∂q_i = ∂W_i/∂q_i ⁱp_j",
           "∂W_i/∂q_i (ⁱp_j + ⁱp*_i) in the paper's own frames", "puma560",
           lagrange_far({.lost_term = true})},
          {"Newton-Euler equations", "r̈_i = … + r̈_{i−1}", "… + p̈_i", "puma560",
           newton_euler({.centre_from_centre = true})}};
}
std::vector<PrintedEquation> lathrop_misprints() {
  return {{"Table 5, Eq. (A8)", "2 S + Q in p̈", "2 (S + Q)", "stanford", lathrop_by_links(true)}};
}
std::vector<PrintedEquation> lee_chang_misprints() {
  return {{"Eq. (17)", "z q̈ as a link's own rate of turning", "z q̇", "puma560",
           newton_euler({.acceleration_in_rate = true})}};
}
std::vector<PrintedEquation> hamilton_misprints() {
  return {
      {"Table 1, Appendix", "a_c,i from a_c,i−1", "from a_e,i−1", "planar3",
       newton_euler({.near_centre_from_centre = true})},
      {"Appendix", "(R^i_{i−1})ᵀ where R^i_j turns from frame j to frame i",
       "R^i_j turns from i to j, as it is used", "puma560", newton_euler({.turned_back = true})}};
}

}  // namespace

std::vector<PrintedEquation> dhanaraj_misprints() {
  return {{"Appendix A.3", "s_i/m_i in D_i and e_i", "m_i s_i", "puma560",
           lagrange({.over_mass = true})},
          {"Appendix A.3", "c_i \"the same as the previous one\"",
           "with the lever (Σ_{j>i} m_j) p_{i+1}", "puma560", lagrange({.no_lever = true})}};
}

namespace {

// Evaluated by one of our formulations.
template <template <class> class F>
void by_formulation(const Mechanism<double>& m, const State<double>& at, double* tau) {
  F<double>(m).torque(m, at, tau);
}
template <class T>
using Logarithmic = Lathrop<T>;
template <class T>
using Doubling = LeeChang<T>;

void agrees(Claims& r, const char* where, const char* what, const char* robot,
            const JointTorques& torques, const char* code, const char* why) {
  const Effect e = effect(robot, torques);
  r.add(where, fmt::format("{}: {}", what, robot),
        holds("Newton-Euler's torques", e.none(),
              e.none() ? "the same to 1e-11" : "off by " + e.text()),
        code, reproduced(why));
}

}  // namespace

void hollerbach_equations(Claims& r) {
  agrees(r, "Eq. (4)", "Uicker/Kahn, corrected", "puma560", by_formulation<UickerKahn>,
         "src/formulation/uicker_kahn.hpp: torque", "with q̇_k q̇_l");
  agrees(r, "Eq. (6)", "Waters, corrected", "puma560", by_formulation<Waters>,
         "src/formulation/waters.hpp: torque", "with r_j in the gravity term");
  agrees(r, "Eq. (14)", "recursive Lagrangian of 4x4 matrices", "puma560",
         by_formulation<Hollerbach4>, "src/formulation/hollerbach4.hpp: torque",
         "c_i of (13) is right where the origin is in A");
  agrees(r, "Eq. (17)", "recursive Lagrangian of 3x3 matrices, corrected", "puma560", lagrange(),
         "papers/printed_equations.hpp: lagrange", "with the lever, and + in (16)");
  agrees(r, "Eq. (17)", "the same in the paper's own frames, corrected", "puma560", lagrange_far(),
         "papers/printed_equations.hpp: lagrange_far", "with ∂p_i/∂q_i");
  agrees(r, "Newton-Euler equations", "in link coordinates, corrected", "puma560", newton_euler(),
         "papers/printed_equations.hpp: newton_euler", "with p̈_i in r̈_i");
  add_claims(r, hollerbach_misprints(), by_effect);
}
void lathrop_equations(Claims& r) {
  agrees(r, "Table 2", "linear recursion", "puma560", lathrop_by_links(false),
         "papers/printed_equations.hpp: lathrop_by_links", "Luh, Walker and Paul's");
  agrees(r, "Table 2", "linear recursion, a sliding joint", "stanford", lathrop_by_links(false),
         "papers/printed_equations.hpp: lathrop_by_links", "by the combining forms, link by link");
  agrees(r, "Table 5", "logarithmic recursion, corrected", "puma560", by_formulation<Logarithmic>,
         "src/formulation/lathrop.hpp: torque", "any order of combination gives them");
  agrees(r, "Table 5", "logarithmic recursion, corrected, a sliding joint", "stanford",
         by_formulation<Logarithmic>, "src/formulation/lathrop.hpp: torque", "with 2 (S + Q)");
  add_claims(r, lathrop_misprints(), by_effect);
}
void lee_chang_equations(Claims& r) {
  agrees(r, "Eqs. (15)–(31)", "recursive doubling, corrected", "puma560", by_formulation<Doubling>,
         "src/formulation/lee_chang.hpp: torque", "with q̇ in (17) and s_i in (29)");
  agrees(r, "Eqs. (15)–(31)", "recursive doubling, corrected, a sliding joint", "stanford",
         by_formulation<Doubling>, "src/formulation/lee_chang.hpp: torque",
         "ω_i and ω_{i−1} are the same where a joint slides, so (21) is right");
  add_claims(r, lee_chang_misprints(), by_effect);
}
void hamilton_equations(Claims& r) {
  agrees(r, "Appendix", "Newton-Euler equations, corrected", "planar3", newton_euler(),
         "papers/printed_equations.hpp: newton_euler",
         "α_i and ω̇_i are one quantity, and differ only where data are stale");
  add_claims(r, hamilton_misprints(), by_effect);
}

void hollerbach_errata(Errata& e) { add_errata(e, hollerbach_misprints(), by_effect); }
void lathrop_errata(Errata& e) { add_errata(e, lathrop_misprints(), by_effect); }
void lee_chang_errata(Errata& e) {
  add_errata(e, lee_chang_misprints(), by_effect);
  lee_chang_kinematics_errata(e);
}
void hamilton_errata(Errata& e) { add_errata(e, hamilton_misprints(), by_effect); }

}  // namespace parid::papers
