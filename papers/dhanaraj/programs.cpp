// Runs the programs of Dhanaraj's Appendix D.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kinematics/positioning_ik.hpp"
#include "motion/dhanaraj_line.hpp"
#include "papers/agreement.hpp"
#include "papers/dhanaraj/arm.hpp"
#include "papers/dhanaraj/case_study.hpp"
#include "papers/dhanaraj/listings.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"

namespace parid::papers {
namespace of_dhanaraj_programs {
namespace {

constexpr const char* by_run = "papers/listing.hpp: run";
constexpr const char* by_faults = "papers/listing.hpp: faults";
constexpr const char* by_arm = "papers/dhanaraj/arm.hpp: table_2_4";

std::vector<double> torques(const Listing& program, const Values& given, const std::string& name,
                            int count) {
  const Values out = program.run(given);
  std::vector<double> tau;
  for (int i = 1; i <= count; ++i) tau.push_back(out.at(name + std::to_string(i)).x[0]);
  return tau;
}
double apart(const std::vector<double>& x, const std::vector<double>& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}
std::string three(const std::vector<double>& x) {
  return fmt::format("{:.3f}, {:.3f}, {:.3f}", x[0], x[1], x[2]);
}

// The arm that D.1.1's pseudo-inertias describe.
DhanarajArm lagrangian() {
  DhanarajArm arm = program_puma(3);
  auto about_centre = [](double j1, double j2, double j3, double mass, const Vec3<double>& s) {
    return Vec3<double>{j2 + j3 - mass * (s.y * s.y + s.z * s.z),
                        j1 + j3 - mass * (s.x * s.x + s.z * s.z),
                        j1 + j2 - mass * (s.x * s.x + s.y * s.y)};
  };
  arm[2].mass = 6.05;
  arm[0].I = about_centre(0.0058, 0.0058, -0.0058, 0, {});
  arm[1].I = about_centre(0.6984, 0.0340, 0.2416, 17.4, arm[1].s);
  arm[2].I = about_centre(0.0039, 0.0335, 0.1432, 6.05, arm[2].s);
  return arm;
}

void numeric(Claims& r) {
  const Listing d11(dhanaraj_d11), d12(dhanaraj_d12), runs = corrected_d11();
  const DhanarajArm arm = positioning_arm(0);
  const std::vector<ArmState> all = states(arm);
  const std::set<std::string> given = names(program_inputs(all[0].q, all[0].v, all[0].a));
  const auto faults = d11.faults(given, {"toq1", "toq2", "toq3"});
  r.add("D.1.1", "names that it reads and never sets",
        holds("none", faults.unknown.empty(), faults.text()), by_faults,
        refuted("dri for dr1, which may be the scan's; t3 and ftt3 are for nothing"));
  double lagrange = 0, newton = 0, loaded = 0, between = 0;
  for (const ArmState& s : all) {
    Values in = program_inputs(s.q, s.v, s.a);
    in["m4"] = 0.0;
    const std::vector<double> one = torques(runs, in, "toq", 3), two = torques(d12, in, "t", 3);
    lagrange = std::max(lagrange, apart(one, table_2_4(lagrangian(), s)));
    newton = std::max(newton, apart(two, table_2_4(arm, s)));
    between = std::max(between, apart(one, two));
    in["m4"] = 5.0;
    loaded = std::max(loaded, apart(torques(d12, in, "t", 3), table_2_4(positioning_arm(5), s)));
  }
  r.add("D.1.1", "it gives the torques of the bodies in its j1, j2, j3",
        holds("the torques", lagrange < 1e-11, agreement(lagrange)), by_arm,
        reproduced("Hollerbach's 4x4 recursion, with dri corrected"));
  r.add("D.1.2", "it gives the torques of its bodies",
        holds("the torques", std::max(newton, loaded) < 1e-11, agreement(std::max(newton, loaded))),
        by_arm, reproduced("Newton-Euler as in Table 2.3, empty and with 5 kg"));
  const ArmState at{{0.3, -0.6, 0.8}, {0.5, -0.4, 0.7}, {0.2, 0.6, -0.3}};
  Values in = program_inputs(at.q, at.v, at.a);
  in["m4"] = 0.0;
  const std::vector<double> one = torques(runs, in, "toq", 3), two = torques(d12, in, "t", 3);
  r.add("D.1", "D.1.1 and D.1.2 compute the same torques, at q = (0.3, −0.6, 0.8), in N m",
        holds(three(one), apart(one, two) < 1e-6,
              fmt::format("{}; up to {:.1f} apart elsewhere", three(two), between)),
        by_run, refuted("D.1.1 has other inertias, and no motors"));
  const CaseStudy c = case_study();
  const ArmState hand{{c.q.begin(), c.q.end()}, {c.v.begin(), c.v.end()}, {c.a.begin(), c.a.end()}};
  const std::vector<double> as_is = table_2_4(positioning_arm(5), hand),
                            point = table_2_4(positioning_arm(5, true), hand);
  r.add("D.1.2", "the payload's inertia: torques of the case study with 5 kg as a point, in N m",
        holds(three(as_is), apart(as_is, point) < 1e-6, three(point)), by_arm,
        refuted("m p² about the joint is added to an inertia about the centre of mass, which moves "
                "there too: it counts twice"));
}

// Hollerbach's recursion as in Appendix A.2, inserted into D.1.1.
void appendix_a(Claims& r) {
  const Listing right = corrected_d11();
  for (const PrintedRecursion& a : appendix_a2()) {
    const Listing wrong = right.with(a.statements);
    double most = 0;
    for (const ArmState& s : states(lagrangian())) {
      const Values in = program_inputs(s.q, s.v, s.a);
      most = std::max(most, apart(torques(wrong, in, "toq", 3), torques(right, in, "toq", 3)));
    }
    r.add("Appendix A.2", fmt::format("{} gives the torques of D.1.1", a.printed),
          holds("the torques", most < 1e-9, fmt::format("off by up to {:.1f} N m", most)), by_run,
          refuted(fmt::format("{}, as D.1.1 has it; it may be the scan's", a.corrected)));
  }
}

void kinematics(Claims& r) {
  const Listing d13(dhanaraj_d13);
  double back = 0, rates = 0;
  for (int k = 0; k < 50; ++k) {
    const double u = 0.12 * k;
    const Vec3<double> p{0.3, 0.2 * std::sin(u), 0.2 * std::cos(1.7 * u)},
        v{0.1 * std::cos(u), 0.3, -0.2 * std::sin(u)}, a{0.4 * std::sin(2 * u), -0.5, 0.1};
    const Values out = d13.run({{"px", p.x},
                                {"py", p.y},
                                {"pz", p.z},
                                {"vx", v.x},
                                {"vy", v.y},
                                {"vz", v.z},
                                {"ax", a.x},
                                {"ay", a.y},
                                {"az", a.z}});
    auto x = [&](const char* name) { return out.at(name).x[0]; };
    back = std::max(back, norm(Vec3<double>{x("ppx"), x("ppy"), x("ppz")} - p));
    const auto ours = positioning_ik<double>(dhanaraj_positioning, {p, v, a}, 1.0, 1.0);
    const std::vector<double> theirs{x("q1"), x("q2"), x("q3")};
    rates = std::max(rates, apart({ours.q.begin(), ours.q.end()}, theirs));
    rates = std::max(rates, apart({ours.v.begin(), ours.v.end()}, out.at("vq").x));
    rates = std::max(rates, apart({ours.a.begin(), ours.a.end()}, out.at("qa").x));
  }
  r.add("D.1.3", "its joint angles lead back to the point",
        holds("the point", back < 1e-12, agreement(back)), by_run,
        reproduced("50 points within reach"));
  r.add("D.1.3", "its angles, rates and accelerations",
        holds("those of the arm", rates < 1e-10, agreement(rates)),
        "src/kinematics/positioning_ik.hpp: positioning_ik",
        reproduced("ours is solved in the arm's plane, not by an inverse"));
  // The hand of D.1.2's arm at the angles that D.1.3 computes for the case study.
  const CaseStudy c = case_study();
  auto hand_off = [&](double turned) {
    const DhanarajArm arm = program_puma(3);
    Vec3<double> x{0, -0.4318, 0};  // where D.1.2 has its payload
    for (std::size_t i = 3; i-- > 0;) {
      const DhanarajLink& l = arm[i];
      x = craig_rotation(l.alpha, c.q[i] + (i == 2 ? turned : 0)) * x +
          Vec3<double>{l.a, -std::sin(l.alpha) * l.d, std::cos(l.alpha) * l.d};
    }
    return 1000 * norm(x - Vec3<double>{0.3, -0.0285, -0.0285});
  };
  const double half = 4 * std::atan(1.0);
  r.add(
      "D.1.3", "the arm that D.1.2 has the dynamics of: how far its hand is from the line, in mm",
      holds(
          "0", hand_off(0) < 1,
          fmt::format("{:.0f}; {:.0f} with q_3 half a turn further", hand_off(0), hand_off(half))),
      "papers/dhanaraj/programs.cpp: hand_off",
      refuted("D.1.3's forearm lies along +y of link 3, that of D.1.2 and Tables 2.1 and 2.5 along "
              "−y; the rest are other lengths"));
  // Its choice between two branches, given the previous angle.
  auto chosen = [](double before, double first, double second) {
    const double df = std::abs(before - first), ds = std::abs(before - second);
    double q = before;
    if (df < ds) q = first;
    if (df > ds) q = second;
    if (df == 0) q = second;
    return q;
  };
  Values rest{{"px", 0.3}, {"py", -0.2}, {"pz", -0.2}};
  for (const char* name : {"vx", "vy", "vz", "ax", "ay", "az"}) rest[name] = 0.0;
  const Values first = d13.run(rest),
               second =
                   d13.with("q1 = atan2(-px, py) + atan2(-sqrt(px^2 + py^2 - g^2), g)").run(rest);
  const double q1 = first.at("q1").x[0], next = chosen(q1, q1, second.at("q1").x[0]);
  r.add("D.1.3", "a hand that rests: how far joint 1 turns from one sample to the next, in rad",
        holds("0", next == q1, fmt::format("{:.3f}", std::abs(next - q1))),
        "papers/dhanaraj/programs.cpp: chosen",
        refuted("where the angle has not changed at all it takes the other branch"));
}

void customised(Claims& r) {
  for (const CustomisedProgram& p : customised_programs()) {
    const DhanarajArm arm = p.stanford ? program_stanford(p.joints) : program_puma(p.joints);
    const std::vector<ArmState> all = states(arm);
    const std::set<std::string> given = names(program_inputs(all[0].q, all[0].v, all[0].a));
    std::set<std::string> results;
    for (int i = 1; i <= p.joints; ++i) results.insert("t" + std::to_string(i));
    const auto faults = Listing(p.text).faults(given, results);
    r.add(p.where, "it runs as printed: statements at fault",
          holds("none", faults.count() == 0, faults.text()), by_faults,
          refuted(
              "what is never set, or lost a factor, follows from the others of its kind; that may "
              "be the typist's"));
    const Listing runs = corrected(p);
    Misprints as_written, slide;
    as_written.first_lambda = as_written.lambda_of_slide = true;
    slide.lambda_of_slide = true;
    double own = 0, right = 0, unequal = 0;
    for (const ArmState& s : all) {
      const std::vector<double> tau = torques(runs, program_inputs(s.q, s.v, s.a), "t", p.joints);
      own = std::max(own, apart(tau, table_2_4(arm, s, as_written)));
      right = std::max(right, apart(tau, table_2_4(arm, s)));
    }
    r.add(p.where, "corrected, it is Table 2.4 as D.2 has it, with the programs' bodies",
          holds("the torques", own < 5e-5, fmt::format("apart by {:.0e}", own)), by_arm,
          reproduced("to its rounded constants; with λ_1 of D.2 and Eq. 2.29 as they stand"));
    r.add(
        p.where, "corrected, it gives the torques of those bodies",
        holds("the torques", right < 5e-5, fmt::format("off by up to {:.2f} N m or N", right)),
        by_arm,
        refuted(p.stanford ? fmt::format("λ_1 p_1 is missing and λ_3 turned the wrong way: {:.2f} "
                                         "by the latter alone",
                                         greatest_effect(arm, slide, arm))
                           : "λ_1 p_1 is missing"));
    // Its inertia matrix, column by column.
    for (std::size_t k = 0; k < 20; ++k) {
      const std::vector<double> zero(arm.size());
      const std::vector<double> still =
          torques(runs, program_inputs(all[k].q, zero, zero), "t", p.joints);
      std::vector<std::vector<double>> column;
      for (std::size_t j = 0; j < arm.size(); ++j) {
        std::vector<double> a = zero;
        a[j] = 1;
        column.push_back(torques(runs, program_inputs(all[k].q, zero, a), "t", p.joints));
        for (std::size_t i = 0; i < arm.size(); ++i) column[j][i] -= still[i];
      }
      for (std::size_t i = 0; i < arm.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          unequal = std::max(unequal, std::abs(column[j][i] - column[i][j]));
    }
    r.add(p.where, "its inertia matrix is symmetric: the greatest difference, in kg m² or kg m",
          holds("0", unequal < 5e-5, fmt::format("{:.2f}", unequal)), by_run,
          refuted("no mechanical system has such a matrix; λ_1 p_1 again"));
  }
}

// ---- D.4

// Gill's method as in subroutine RUNGE, for y' = y cos t from 0 to 2.
double error_of_runge(int steps) {
  const double h = 2.0 / steps;
  double y = 1, t = 0;
  for (int k = 0; k < steps; ++k) {
    double q = 0;
    const double weight[] = {0.5, 0.2928932, 1.707107};
    const double at[] = {t, t + h / 2, t + h / 2, t + h};
    for (int stage = 0; stage < 3; ++stage) {
      const double f = y * std::cos(at[stage]), a = weight[stage];
      y += a * (f * h - q);
      q = 2 * a * h * f + (1 - 3 * a) * q;
    }
    y += h * y * std::cos(at[3]) / 6 - q / 3;
    t += h;
  }
  return std::abs(y - std::exp(std::sin(2.0)));
}

void simulation(Claims& r) {
  const Listing matrix(dhanaraj_d4_matrix), bias(dhanaraj_d4_bias);
  auto arm_of = [](double mass) {
    DhanarajArm arm = positioning_arm(10);
    arm[2].mass = mass;
    arm[2].s.y = -0.2954;  // rounded
    return arm;
  };
  double D[2] = {}, h[2] = {};
  const double masses[] = {16.04, 16.05};
  for (int k = 0; k < 2; ++k) {
    const DhanarajArm arm = arm_of(masses[k]);
    for (const ArmState& s : states(arm)) {
      const std::vector<double> zero(3);
      const Values in = program_inputs(s.q, s.v, zero);
      const Matrix ac = matrix.run(in).at("ac");
      for (int j = 0; j < 3; ++j) {
        std::vector<double> a = zero;
        a[static_cast<std::size_t>(j)] = 1;
        const std::vector<double> column = table_2_4(arm, {s.q, zero, a}, {}, 0);
        for (int i = 0; i < 3; ++i)
          D[k] = std::max(D[k], std::abs(column[static_cast<std::size_t>(i)] - ac.at(i, j)));
      }
      h[k] = std::max(h[k], apart(table_2_4(arm, {s.q, s.v, zero}), bias.run(in).at("vc").x));
    }
  }
  r.add("D.4", "its inertia matrix is that of D.1.2's arm with 10 kg",
        holds("the matrix", D[0] < 5e-5,
              fmt::format("apart by {:.0e}, with 16.04 kg in link 3", D[0])),
        by_arm, reproduced("λ_1 p_1 is in it, unlike in D.3; the payload still counts twice"));
  r.add("D.4", "its velocity and gravity terms are that arm's",
        holds("the vector", h[1] < 5e-4,
              fmt::format("apart by {:.0e}, with 16.05 kg in link 3", h[1])),
        by_arm, reproduced("to its rounded constants"));
  r.add("D.4", "matrix and vector belong to one arm: the mass of link 3, in kg",
        holds("16.05", D[1] < D[0],
              fmt::format(
                  "16.04 in the matrix ({:.0e} off with 16.05), 16.05 in the vector ({:.0e} off "
                  "with 16.04)",
                  D[1], h[0])),
        by_arm, refuted("6.05 + 10 once became 16.04"));
  const Listing d13 =
      Listing(dhanaraj_d13).with("q1 = atan2(-px, py) + atan2(-sqrt(px^2 + py^2 - g^2), g)");
  Values start{{"px", 0.4}, {"py", 0.1}, {"pz", 0.1}};
  for (const char* name : {"vx", "vy", "vz", "ax", "ay", "az"}) start[name] = 0.0;
  const Values q = d13.run(start);
  const char* printed[] = {"3.6997", "2.3083", "0.5951"};
  const double turns[] = {8 * std::atan(1.0), 0, 0};
  for (int i = 0; i < 3; ++i)
    r.add(
        "D.4", fmt::format("joint {} at the start: D.1.3's for the hand at (0.4, 0.1, 0.1)", i + 1),
        within(printed[i], q.at("q" + std::to_string(i + 1)).x[0] + turns[i]), by_run,
        reproduced(i == 0 ? "second shoulder branch, and a turn: another line than D.1.3's px = 0.3"
                          : "the same branch"));
  const double order = std::log2(error_of_runge(5) / error_of_runge(10));
  r.add("D.4", "order of subroutine RUNGE",
        roughly("4", 4, fmt::format("{:.2f}", order), order, 0.3),
        "papers/dhanaraj/programs.cpp: error_of_runge", reproduced("Gill's coefficients"));
  // In the program's single precision: the row of torques that belongs to t.
  int wrong = 0, last = 0;
  float t = 0;
  int half_steps = 0;
  const float H = 0.02f;
  while (t <= 2.0f) {
    for (int k = 0; k < 2; ++k) {
      const int row = static_cast<int>(t / 0.01f) + 1;
      wrong += row != half_steps + 1;
      last = std::max(last, row);
      t += 0.5f * H;
      ++half_steps;
    }
    last = std::max(last, static_cast<int>(t / 0.01f) + 1);
  }
  r.add("D.4", "torques are read from the row that belongs to the time: instants with another row",
        holds("0 of 201", wrong == 0,
              fmt::format("{} of {}; the last read is row {} of 201", wrong, half_steps, last)),
        "papers/dhanaraj/programs.cpp: simulation",
        refuted("t / 0.01 is cut off, and t is a sum of rounded halves of a step (IEEE single "
                "precision; a VAX rounds a little otherwise)"));
  const std::vector<double> at{3.6997, 2.3083, 0.5951}, zero(3);
  const Values in = program_inputs(at, zero, zero);
  Values both = matrix.run(in);
  both["vc"] = bias.run(in).at("vc");
  const Matrix falls = Listing("x = -inv(ac)*vc").run(both).at("x");
  double most = 0;
  for (const double x : falls.x) most = std::max(most, std::abs(x));
  r.add("D.4", "accelerations at t = 0: without torque the arm falls, in rad/s²",
        holds("0", most < 1e-3, fmt::format("{:.2f}", most)), by_run,
        refuted("the first row sets τ − h to zero whatever it holds: right only where it holds h"));
}

// Constants at the heads of the programs, compared with the tables; and the line of the case study.
void heads_of_programs(Claims& r) {
  const char* here = "papers/dhanaraj/programs.cpp: heads_of_programs";
  const DhanarajArm table = table_puma(false), right = table_puma(true);
  const double mass = table[2].mass + table[3].mass + table[4].mass + table[5].mass;
  r.add("D.1", "m3: links 3 to 6 of Table 2.5 together, in kg", arithmetic(within("6.05", mass)),
        here, reproduced("4.80 + 0.82 + 0.34 + 0.09"));
  r.add(
      "D.1.2", "i1 and i2: I_zz and motors of Table 2.6",
      arithmetic(exact("1.490, 5.249", fmt::format("{:.3f}, {:.3f}", table[0].I.z + table[0].motor,
                                                   table[1].I.z + table[1].motor))),
      here, reproduced("0.35 + 1.14 and 0.539 + 4.71"));
  // Links 3 to 6 as one body about its centre, the wrist at d_4 along −y.
  double x = 0, y = 0, z = 0, moment = 0;
  for (std::size_t i = 2; i < 6; ++i) moment += right[i].mass * (i == 2 ? -0.07 : -0.4331);
  const double centre = moment / mass;
  for (std::size_t i = 2; i < 6; ++i) {
    const double off = (i == 2 ? -0.07 : -0.4331) - centre;
    x += right[i].I.x + right[i].mass * off * off;
    y += right[i].I.y;
    z += right[i].I.z + right[i].mass * off * off;
  }
  r.add("D.1.2",
        "i3: links 3 to 6 of Tables 2.1, 2.5 and 2.6 about their centre, without the motor",
        arithmetic(
            beyond("0.192, 0.0154, 0.212",
                   fmt::format("{:.3f}, {:.4f}, {:.3f}, centre at y = {:.3f}", x, y, z, centre))),
        here, not_derivable("the program has its centre at −0.07, link 3's own"));
  const Values d11 = corrected_d11().run(program_inputs({0, 0, 0}, {0, 0, 0}, {0, 0, 0}));
  const Matrix j2 = d11.at("j2");
  const double Ixx = j2.at(1, 1) + j2.at(2, 2), Iyy = j2.at(0, 0) + j2.at(2, 2),
               Izz = j2.at(0, 0) + j2.at(1, 1), shift = right[1].mass * 0.068 * 0.068;
  r.add("D.1.1", "j2: link 2 of Table 2.6 about its origin, by Eq. A.2",
        holds(fmt::format("{:.4f}, {:.4f}, {:.4f}", Ixx, Iyy, Izz),
              std::abs(Iyy - right[1].I.y - shift) < 5e-4,
              fmt::format("{:.4f}, {:.4f}, {:.4f}", right[1].I.x, right[1].I.y + shift,
                          right[1].I.z + shift)),
        here, refuted("none of the three; D.1.1 and D.1.2 have different bodies"));
  r.add("D.4", "A in RUNGE's third step", within("1.707107", 1 + std::sqrt(0.5)), here,
        reproduced("Gill's 1 + √½"));
  r.add("D.4", "A in RUNGE's second step", within("0.2928932", 1 - std::sqrt(0.5)), here,
        reproduced("Gill's 1 − √½"));

  const Robot robot = Robot::load("puma560-positioning");
  const TrajectoryPointer line = dhanaraj_line(robot);
  const char* by_line = "src/motion/dhanaraj_line.hpp: dhanaraj_line";
  r.add("D.1.3", "samples of the line, as D.4 reads torques: every 0.01 s",
        exact(201, static_cast<long long>(sampled(robot, *line, 100).rows)), by_line,
        reproduced("2.0 s, D.4's TLIM; D.1.3 prints no time, and D.4 has another line"));
  // z at 0 s, for ramps of whole samples from a round position: z(0.6) = −0.0285 and 0.35 m/s are
  // known.
  std::string starts;
  for (int k = 0; k <= 60; ++k) {
    const double from = -0.2385 + 0.175 * 0.01 * k;
    if (std::abs(from * 100 - std::round(from * 100)) < 1e-9)
      starts += fmt::format("{}{:.2f} m with {:.2f} s", starts.empty() ? "" : ", ", from, 0.01 * k);
  }
  std::vector<double> q(3), v(3), a(3);
  line->at(0, q, v, a);
  const double hand = -(dhanaraj_positioning.a2 * std::sin(q[1]) +
                        dhanaraj_positioning.d4 * std::cos(q[1] + q[2]));  // D.1.3's pp(i,3)
  r.add(
      "Figs. 3.6, 3.7", "where the line starts and how long its ramp is, the figures being lost",
      beyond("–",
             fmt::format("{:.4f} m; of ramps of whole samples from whole cm: {}", hand, starts)),
      by_line,
      not_derivable("one such ramp; or 0.20 s from −0.20 m, and Table 3.5 is sample 60 of 201, at "
                    "0.59 s"));
  line->at(0.6, q, v, a);
  const CaseStudy s = case_study();
  double off = 0;
  for (std::size_t i = 0; i < 3; ++i)
    off =
        std::max({off, std::abs(q[i] - s.q[i]), std::abs(v[i] - s.v[i]), std::abs(a[i] - s.a[i])});
  r.add("Table 3.5", "the state at 0.6 s is on that line",
        holds("0.6 s", off < 1e-9, agreement(off)), by_line,
        reproduced("joints, rates and accelerations"));
}

}  // namespace
}  // namespace of_dhanaraj_programs

void dhanaraj_programs(Claims& r) {
  using namespace of_dhanaraj_programs;
  heads_of_programs(r);
  appendix_a(r);
  numeric(r);
  kinematics(r);
  customised(r);
  simulation(r);
}

}  // namespace parid::papers
