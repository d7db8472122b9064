// Errors in Dhanaraj's equations, tables and programs, and their effects on torques.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/description.hpp"
#include "papers/dhanaraj/arm.hpp"
#include "papers/dhanaraj/case_study.hpp"
#include "papers/dhanaraj/listings.hpp"
#include "papers/errata.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/printed_equations.hpp"
#include "parid/robot.hpp"

namespace parid::papers {
namespace of_dhanaraj_errata {
namespace {

constexpr const char* by_arm = "papers/dhanaraj/arm.hpp: table_2_4";
constexpr const char* by_run = "papers/listing.hpp: run";
constexpr const char* by_case = "papers/dhanaraj/case_study.hpp: case_study";

// Over the states of `right`.
std::string off(const char* robot, const DhanarajArm& wrong, const Misprints& as,
                const DhanarajArm& right) {
  Effect e;
  e.robot = robot;
  for (const ArmState& s : states(right)) {
    const std::vector<double> x = table_2_4(wrong, s, as), y = table_2_4(right, s);
    for (std::size_t i = 0; i < x.size(); ++i) {
      e.largest = std::max(e.largest, std::abs(x[i] - y[i]));
      e.of = std::max(e.of, std::abs(y[i]));
    }
  }
  return e.text();
}

void equations(Errata& errata) {
  const DhanarajArm puma = table_puma(true), stanford = table_stanford(true);
  auto add = [&](const char* where, const char* printed, const char* right, bool Misprints::*which,
                 bool sliding = false) {
    Misprints wrong;
    wrong.*which = true;
    errata.add(
        where, printed, right,
        sliding ? off("stanford", stanford, wrong, stanford) : off("puma560", puma, wrong, puma),
        by_arm);
  };
  DhanarajArm mirrored = puma;
  for (DhanarajLink& l : mirrored) l.a = -l.a;
  errata.add("Eq. 2.4", "(1,4): −a_{i−1}", "+a_{i−1}", off("puma560", mirrored, {}, puma), by_arm);
  add("Eqs. 2.25, 2.27", "(3,1): ω_x ω_x − α_y", "ω_x ω_z − α_y", &Misprints::lambda_31);
  add("Eqs. 2.30, 2.31", "(2,1): ω_x ω_y − α_z", "ω_x ω_y + α_z", &Misprints::lambda_sign);
  add("Table 2.4", "λ (2,1): k_x + α_x", "k_z + α_z", &Misprints::lambda_21);
  add("Table 4.1, T_10", "λ_21 = k_x + α_x, λ_32 = k_z + α_z", "exchanged", &Misprints::subtask_10);
  add("Table 2.4", "D_x = I_xx − I_yy", "I_zz − I_yy (2.43)", &Misprints::d_x);
  add("Eqs. 2.29, 2.37, 2.39, Table 2.4", "λ_i = R_i λ_{i−1} R_iᵀ", "R_iᵀ λ_{i−1} R_i",
      &Misprints::lambda_of_slide, true);
  add("Tables 2.3, 2.4, step 9", "τ = n_z", "f_z where the joint slides (B.22)",
      &Misprints::n_of_slide, true);
  add("Eq. B.13", "z q̈ + 2 Rᵀω × z q̇ within Rᵀ(…)", "outside, as in Table 2.3",
      &Misprints::coriolis_inside, true);
  add("D.2, LAM1", "diag(0, 0, q̇² − q̈)", "λ as of any link: D.3 lacks λ_1 p_1",
      &Misprints::first_lambda);
}

void tables(Errata& errata) {
  const DhanarajArm puma = table_puma(true), stanford = table_stanford(true);
  DhanarajArm late = stanford, before = stanford, minus = puma, motors = puma;
  late[2].d_of = -1;
  late[3].d_of = 2;
  errata.add("Table 2.2", "row 3: α = 0, θ = π/2, d = 0; row 4: d = q_3",
             "α = π/2, θ = 0, d = q_3; d = 0",
             off("stanford", late, {}, stanford) + ", by q_3's row alone", by_arm);
  minus[1].s.x = -0.068;
  errata.add("D.1 to D.4", "x of link 2's centre −0.068", "+0.068 (Table 2.5)",
             off("puma560", minus, {}, puma), by_arm);
  errata.add("Table 2.6", "links 5 and 6: 0.0030 …", "a tenth (D.2)",
             off("puma560", table_puma(false), {}, puma), by_arm);
  before[2].s.z = 0.6447;
  errata.add("Table 2.7", "z of link 3's centre +0.6447", "−0.6447 (D.3)",
             off("stanford", before, {}, stanford), by_arm);
  for (DhanarajLink& l : motors) {
    l.I.z += l.motor;
    l.motor = 0;
  }
  errata.add("D.1.2, D.2, D.3", "motors in I_zz of links", "τ_i += I_m q̈_i",
             off("puma560", motors, {}, puma), by_arm);
  const DhanarajArm program = program_puma(6), centred = about_centres(program, puma);
  errata.add("D.2, D.3.3, D.3.4",
             "inertias about origins, in equations for centres; motors in I_zz",
             "Table 2.6 as it stands, corrected", off("puma560", program, {}, centred), by_arm);
}

void recursion(Errata& errata) {
  const Listing right = corrected_d11();
  for (const PrintedRecursion& a : appendix_a2()) {
    const Listing wrong = right.with(a.statements);
    Effect e;
    e.robot = "D.1.1's arm";
    for (const ArmState& s : states(program_puma(3))) {
      const Values in = program_inputs(s.q, s.v, s.a), x = wrong.run(in), y = right.run(in);
      for (const char* t : {"toq1", "toq2", "toq3"}) {
        e.largest = std::max(e.largest, std::abs(x.at(t).x[0] - y.at(t).x[0]));
        e.of = std::max(e.of, std::abs(y.at(t).x[0]));
      }
    }
    errata.add("Appendix A.2", a.printed, a.corrected, e.text(), by_run);
  }
}

// Runs a program of D.3: names that nothing sets are 0, stray parentheses are dropped.
void programs(Errata& errata) {
  for (const CustomisedProgram& p : customised_programs()) {
    std::string text = p.text;
    for (const char* stray : {"la3x)", "la3y)", "la3z)"})
      if (const std::size_t at = text.find(std::string("3+") + stray); at != std::string::npos)
        text.erase(at + 6, 1);
    const Listing as_is(text), right = corrected(p);
    const DhanarajArm arm = p.stanford ? program_stanford(p.joints) : program_puma(p.joints);
    std::set<std::string> results;
    for (int i = 1; i <= p.joints; ++i) results.insert("t" + std::to_string(i));
    Effect e;
    e.robot = p.stanford ? "Stanford arm" : "PUMA-560";
    std::string lost;
    for (const ArmState& s : states(arm)) {
      const Values in = program_inputs(s.q, s.v, s.a);
      const auto faults = as_is.faults(names(in), results);
      Values given = in;
      for (const auto* list : {&faults.unknown, &faults.early})
        for (const std::string& name : *list) given[name] = 0.0;
      if (lost.empty()) lost = Listing(p.text).faults(names(in), results).text();
      const Values x = as_is.run(given), y = right.run(in);
      for (const std::string& t : results) {
        e.largest = std::max(e.largest, std::abs(x.at(t).x[0] - y.at(t).x[0]));
        e.of = std::max(e.of, std::abs(y.at(t).x[0]));
      }
    }
    std::string how = p.corrections;
    if (*p.renamed[0]) how += fmt::format("; {} is {}", p.renamed[0], p.renamed[1]);
    while (how.find(" ;") != std::string::npos) how.erase(how.find(" ;"), 1);
    while (how.ends_with(' ') || how.ends_with(';')) how.pop_back();
    // Statements that are merely superfluous are in the record.
    if (const std::size_t at = lost.find("; never read"); at != std::string::npos) lost.erase(at);
    errata.add(p.where, lost, how, e.text() + ", with what is never set as 0", by_run);
  }
}

void friction(Errata& errata) {
  const CaseStudy s = case_study();
  const double d = 0.12, mr = printed_friction * printed_radius[1],
               printed = journal_as_printed(s.f[1], s.n[1], d),
               balanced = journal_balanced(s.f[1], s.n[1], d);
  auto joint2 = [](double wrong, double right) {
    return fmt::format("{:.3f} for {:.3f} N m (case study, joint 2)", wrong, right);
  };
  errata.add("Eqs. 3.3, 3.4, Table 3.1", "(½ d f_x ∓ n_y, ½ d f_y ∓ n_x)",
             "(½ d f_x ± n_y, ½ d f_y ∓ n_x): the supports must balance n; no matter in 3.4",
             joint2(mr / d * printed, mr / d * balanced), by_case);
  errata.add("Table 3.5", "computed without Eq. 3.3's 1/d", "with it",
             joint2(mr * printed, mr / d * balanced), by_case);
  const double mu_r = 5e-4;
  errata.add("Eq. 3.5", "µ r |f_x|", "µ r |f_z| (Table 3.1)",
             fmt::format("{:.4f} for {:.4f} N m (case study, joint 1)", mu_r * std::abs(s.f[0].x),
                         mu_r * std::abs(s.f[0].z)),
             by_case);
  const double b3 = printed_friction * printed_radius[2] / d * journal_balanced(s.f[2], s.n[2], d);
  errata.add("Eq. 3.7", "τ_out = τ − τ_f where the motion is braked",
             "τ + τ_f always: sgn(θ̇) is in τ_f",
             fmt::format("{:.3f} for {:.3f} N m (case study, joint 3)", s.torque[2] - b3,
                         s.torque[2] + b3),
             by_case);
  double least = 1e9, most = 0;
  const Robot puma = Robot::load("puma560");
  for (const JointDescription& j : puma.description().joints) {
    least = std::min(least, j.gear_ratio);
    most = std::max(most, j.gear_ratio);
  }
  errata.add(
      "Eq. 3.11", "τ_in = τ_out/η + τ_B", "m τ_in, with m of 3.8 and 3.10",
      fmt::format("a motor's torque {:.0f} to {:.0f} times too large (puma560)", least, most),
      "include/parid/robot.hpp: description");
  ArmState hand{{s.q.begin(), s.q.end()}, {s.v.begin(), s.v.end()}, {s.a.begin(), s.a.end()}};
  auto three = [](const std::vector<double>& x) {
    return fmt::format("{:.2f}, {:.2f}, {:.2f}", x[0], x[1], x[2]);
  };
  const std::vector<double> as_is = table_2_4(positioning_arm(5), hand),
                            point = table_2_4(positioning_arm(5, true), hand);
  errata.add("D.1.2", "payload: m p² added to the inertia about the centre of mass",
             "m_3 m_4/(m_3 + m_4) (p − s_3)²",
             fmt::format("{} for {} N m (case study)", three(as_is), three(point)), by_arm);
  hand.q[2] += 4 * std::atan(1.0);
  const std::vector<double> turned = table_2_4(positioning_arm(5, true), hand);
  errata.add("D.1.3 with D.1.2", "q_3 of one is q_3 of the other",
             "q_3 + π: their forearms point opposite ways",
             fmt::format("{} for {} N m (case study)", three(point), three(turned)), by_arm);
}

}  // namespace
}  // namespace of_dhanaraj_errata

void dhanaraj_errata(Errata& errata) {
  using namespace of_dhanaraj_errata;
  equations(errata);
  tables(errata);
  recursion(errata);
  add_errata(errata, dhanaraj_misprints(), "papers/errata.hpp: effect");
  programs(errata);
  friction(errata);
}

}  // namespace parid::papers
