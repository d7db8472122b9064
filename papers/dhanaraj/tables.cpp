// Dhanaraj's robots: Tables 2.1, 2.2 and 2.5 to 2.8, compared with the programs that are said to be
// derived from them, and checked for physical consistency.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "papers/dhanaraj/arm.hpp"
#include "papers/dhanaraj/listings.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "parid/kinematics.hpp"

namespace parid::papers {
namespace of_dhanaraj_tables {
namespace {

using V = Vec3<double>;

constexpr const char* by_effect = "papers/dhanaraj/arm.hpp: greatest_effect";
constexpr const char* by_listing = "papers/listing.hpp: run";

// A program of D.3 with all inputs zero except the named ones: its coefficients, one at a time.
double probe(std::size_t program, const char* result,
             const std::vector<std::pair<const char*, double>>& given) {
  const CustomisedProgram& p = customised_programs()[program];
  const std::vector<double> zero(6);
  Values in = program_inputs(zero, zero, zero);
  for (auto& [name, value] : in) value = 0.0;
  for (const auto& [name, value] : given) in[name] = value;
  return corrected(p).run(in).at(result).x[0];
}

void frames(Claims& r) {
  // D.1.3 uses an arm of other lengths: the position of that arm's wrist when the table's arm is
  // there.
  Values k{{"px", 0.3}, {"py", -0.0285}, {"pz", -0.0285}};
  for (const char* name : {"vx", "vy", "vz", "ax", "ay", "az"}) k[name] = 0.0;
  const Values at = Listing(dhanaraj_d13).run(k);
  std::array<double, 6> q{};
  for (std::size_t i = 0; i < 3; ++i) q[i] = at.at("q" + std::to_string(i + 1)).x[0];
  const Robot puma = Robot::load("puma560");
  auto wrist_off = [&](double turned) {
    std::array<double, 6> at = q;
    at[2] += turned;
    const auto p = link_pose(puma, at, "link4").position;
    return 1000 * norm(V{p[0] - 0.3, p[1] + 0.0285, p[2] + 0.0285});
  };
  r.add("Table 2.1", "the arm that D.1.3 moves: how far the table's wrist is from its point, in mm",
        holds("0", wrist_off(0) < 0.5,
              fmt::format("{:.0f}; {:.0f} with q_3 half a turn further", wrist_off(0),
                          wrist_off(std::numbers::pi))),
        "include/parid/kinematics.hpp: link_pose",
        refuted("D.1.3's forearm points the other way, and it has 0.1270, 0.4318 and 0 for the "
                "table's 0.1501, 0.4331 and −0.0203 (and 0.4521 in a remark)"));
  const double right = std::numbers::pi / 2;
  const Mat3<double> text{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, table = craig_rotation(0, right),
                                                             ours = craig_rotation(right, 0);
  auto apart = [](const Mat3<double>& a, const Mat3<double>& b) {
    return norm(a.r0 - b.r0) + norm(a.r1 - b.r1) + norm(a.r2 - b.r2);
  };
  r.add("Table 2.2", "row 3, α = 0 and θ = π/2, gives R_3 of section 2.3",
        holds("α = 0, θ = π/2", apart(table, text) < 1e-12,
              apart(ours, text) < 1e-12 ? "α = π/2, θ = 0" : "neither"),
        "papers/dhanaraj/arm.hpp: craig_rotation", refuted("the two columns are exchanged"));
  DhanarajArm slides = table_stanford(true), late = slides;
  late[2].d_of = -1;
  late[3].d_of = 2;
  r.add("Table 2.2", "q_3 is d of row 4, not of row 3",
        holds("d_4 = q_3", greatest_effect(late, {}, slides) < 1e-9,
              fmt::format("d_3 = q_3; as printed, torques are off by up to {:.2f} N m",
                          greatest_effect(late, {}, slides))),
        by_effect,
        refuted("link 3 would slide without moving; Table 4.4, where p_2 is not zero, has it "
                "right"));
}

void puma_centres(Claims& r) {
  const std::size_t puma = 3;
  const char* where = "Table 2.5";
  const double m2 = -probe(puma, "if2x", {{"s2", 1}}) / 9.8;
  r.add(where, "mass of link 2, as D.3.4 has it", within("17.40", m2), by_listing,
        reproduced("its weight by 9.8 m/s²"));
  // λ is −q̇2² along x and y if only joint 2 rotates.
  const double s2x = -probe(puma, "if2x", {{"v2", 1}}) / m2,
               s2y = -probe(puma, "if2y", {{"v2", 1}}) / m2;
  const DhanarajArm right = table_puma(true);
  DhanarajArm mirrored = right, sparse = right;
  mirrored[1].s.x = -0.068;
  sparse[1].s.y = sparse[1].s.z = sparse[2].s.z = 0;
  r.add(where, "x of link 2's centre, as D.3.4 has it", within("0.0680", s2x), by_listing,
        refuted(fmt::format("all programs have the other sign: up to {:.1f} N m",
                            greatest_effect(mirrored, {}, right))));
  r.add(where, "y of link 2's centre, as D.3.4 has it", within("0.0060", s2y), by_listing,
        refuted(fmt::format("the programs leave it out, and z of links 2 and 3: up to {:.2f} N m",
                            greatest_effect(sparse, {}, right))));
  const double s3y = -probe(puma, "if3y", {{"v3", 1}, {"c3", 1}}) / 4.8;
  r.add(where, "y of link 3's centre, as D.3.4 has it", within("-0.0700", s3y), by_listing,
        reproduced("from the force that turning joint 3 gives"));
  const double s4z = -probe(puma, "if4z", {{"v3", 1}, {"s4", 1}}) / 0.82 +
                     probe(puma, "la4z", {{"v3", 1}, {"s4", 1}});
  r.add(where, "z of link 4's centre, as D.3.4 has it", within("-0.0190", s4z), by_listing,
        reproduced("though D.2, which is said to have written D.3.4, sets it to 0"));
  const double s6z = (probe(puma, "jf6x", {{"a5", 1}, {"s6", 0}, {"c6", 1}})) / 0.09;
  r.add(where, "z of link 6's centre, as D.3.4 has it", within("0.032", std::abs(s6z)), by_listing,
        reproduced("from the force that joint 5's acceleration gives"));
}

void stanford_centres(Claims& r) {
  const std::size_t stanford = 1;
  const char* where = "Table 2.7";
  const double m3 = probe(stanford, "if3z", {{"c2", 1}}) / 9.8;
  r.add(where, "mass of link 3, as D.3.2 has it", within("4.25", m3), by_listing,
        reproduced("its weight by 9.8 m/s²"));
  const double s3z = -probe(stanford, "if3z", {{"v2", 1}}) / m3;
  DhanarajArm other = table_stanford(true);
  other[2].s.z = 0.6447;
  r.add(where, "z of link 3's centre, as D.3.2 has it", within("0.6447", s3z), by_listing,
        refuted(fmt::format("the programs have −0.6447, behind the joint: up to {:.1f} N m",
                            greatest_effect(other, {}, table_stanford(true)))));
  const double lumped = probe(0, "jf3z", {{"c2", 1}}) / 9.8;
  r.add(where, "links 3 to 6 together, as D.3.1 has them for the arm of three joints, in kg",
        within("6.47", lumped), by_listing,
        reproduced("4.25 + 1.08 + 0.63 + 0.51, at link 3's centre"));
  const double first = probe(stanford, "t1", {{"a1", 1}});
  const double all = 0.255 + 0.953 + 9.29 * 0.1165 * 0.1165;
  r.add(where, "link 1's share of its own torque, as D.3.2 has it, in kg m²",
        roughly(fmt::format("{:.3f}", all), all, fmt::format("{:.3f}", first), first, 5e-4),
        by_listing, refuted("its mass, 9.29 kg at 0.1165 m from the axis, is not in the programs"));
}

void puma_inertias(Claims& r) {
  const char* where = "Table 2.6";
  // D.2's inertias: the table's, moved to links' origins, motors within Izz.
  const DhanarajArm table = table_puma(false), right = table_puma(true), program = program_puma(6);
  const char* digits[] = {"",
                          "0.1351 0.6089 5.3301",
                          "0.0660 0.0134 0.9395",
                          "0.0021 0.0021 0.2013",
                          "0.0003 0.0003 0.1794",
                          "0.00024 0.00024 0.1930"};
  for (std::size_t i = 1; i < 6; ++i) {
    auto moved = [&](const DhanarajLink& l) {
      const V s = l.s;
      return V{l.I.x + l.mass * (s.y * s.y + s.z * s.z), l.I.y + l.mass * (s.x * s.x + s.z * s.z),
               l.I.z + l.mass * (s.x * s.x + s.y * s.y) + l.motor};
    };
    const int places = i == 5 ? 5 : 4;
    auto shown = [&](const V& I) {
      return fmt::format("{:.{}f} {:.{}f} {:.4f}", I.x, places, I.y, places, I.z);
    };
    r.add(where,
          fmt::format("link {}: moved to the origin, motor added, it is what D.2 takes", i + 1),
          arithmetic(exact(digits[i], shown(moved(table[i])))),
          "papers/dhanaraj/tables.cpp: puma_inertias",
          i == 2   ? refuted("I_xx was not moved: 0.0905")
          : i >= 4 ? refuted(fmt::format("ten times smaller in the table it is: {}",
                                         shown(moved(right[i]))))
                   : reproduced("about origins, where Newton-Euler takes inertias about centres"));
  }
  r.add(where, "links 5 and 6 as printed",
        holds("0.0030 … 0.0004", greatest_effect(table, {}, right) < 1e-9,
              fmt::format("a tenth; as printed, torques are off by up to {:.3f} N m",
                          greatest_effect(table, {}, right))),
        by_effect, refuted("D.2 proves it"));
  r.add(
      where, "link 3 is a body: I_xx + I_yy ≥ I_zz",
      arithmetic(holds("0.066, 0.0125, 0.086", table[2].I.x + table[2].I.y >= table[2].I.z,
                       fmt::format("{:.4f} < {:.4f}", table[2].I.x + table[2].I.y, table[2].I.z))),
      "papers/dhanaraj/tables.cpp: puma_inertias",
      refuted(
          "physically impossible inertias; axes 2 and 3 are parallel, so that 0.008 from link 2 "
          "makes it one and changes no torque"));
  const DhanarajArm centred = about_centres(program, right);
  r.add("D.2", "inertias about links' origins in equations that take them about centres of mass",
        holds("the torques", greatest_effect(program, {}, centred) < 1e-9,
              fmt::format("off by up to {:.2f} N m", greatest_effect(program, {}, centred))),
        by_effect, refuted("m s² counts twice; motors in I_zz couple joints that none couples"));
}

void stanford_inertias(Claims& r) {
  const char* where = "Table 2.8";
  const std::size_t stanford = 1;
  const DhanarajArm s = table_stanford(true);
  const double izz[] = {probe(stanford, "t1", {{"a1", 1}}),
                        probe(stanford, "jm2z", {{"a2", 1}}) - probe(stanford, "jm3y", {{"a2", 1}}),
                        0,
                        probe(stanford, "t4", {{"a4", 1}, {"c4", 1}, {"c5", 0}}),
                        0,
                        probe(stanford, "t6", {{"a6", 1}})};
  const char* printed[] = {"1.208", "2.211", "", "0.107", "", "0.0203"};
  for (const int i : {0, 1, 3, 5}) {
    const DhanarajLink& l = s[static_cast<std::size_t>(i)];
    r.add(where, fmt::format("link {}: I_zz and motor together, as D.3.2 has them", i + 1),
          arithmetic(within(printed[i], l.I.z + l.motor)),
          "papers/dhanaraj/arm.hpp: table_stanford",
          reproduced(fmt::format("the program's coefficient is {:.4g}", izz[i])));
  }
  const double push = probe(0, "t3", {{"a3", 1}}), all = 6.47 + 0.782;
  r.add(where, "motor of joint 3, a mass: force for an acceleration of 1 m/s² by D.3.1, in N",
        roughly(fmt::format("{:.3f}", all), all, fmt::format("{:.3f}", push), push, 5e-4),
        by_listing, refuted("the 0.782 kg are in no program"));
  r.add(where, "I_zz of link 3", beyond("–", "no torque tells it from I_yy of link 2"),
        "papers/dhanaraj/arm.hpp: table_stanford",
        not_derivable("left blank; the programs take 0, which with 2.51 and 2.51 is a rod"));
}

}  // namespace
}  // namespace of_dhanaraj_tables

void dhanaraj_tables(Claims& r) {
  using namespace of_dhanaraj_tables;
  frames(r);
  puma_centres(r);
  puma_inertias(r);
  stanford_centres(r);
  stanford_inertias(r);
}

}  // namespace parid::papers
