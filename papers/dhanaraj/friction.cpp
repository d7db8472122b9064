// Dhanaraj's chapter 3: friction, Eqs. 3.1 to 3.11, Tables 3.1 to 3.5.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/description.hpp"
#include "model/joint/drive.hpp"
#include "model/joint/friction.hpp"
#include "papers/agreement.hpp"
#include "papers/counting.hpp"
#include "papers/dhanaraj/arm.hpp"
#include "papers/dhanaraj/case_study.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "parid/robot.hpp"
#include "scalar/counted.hpp"

namespace parid::papers {
namespace of_dhanaraj_friction {
namespace {

using V = Vec3<double>;

constexpr const char* by_case = "papers/dhanaraj/case_study.hpp: case_study";

// Table 3.5, by column.
constexpr const char* basic[] = {"1.2140", "-15.6364", "-0.8042"};
constexpr const char* joint[] = {"1.7803", "-0.3281", "0.1241"};
constexpr const char* together[] = {"2.9943", "-15.9646", "-0.6801"};
constexpr const char* transmission[] = {"9.8968", "-17.9472", "3.0449"};
constexpr const char* input[] = {"12.8911", "-33.9117", "2.3648"};

double way(const CaseStudy& s, std::size_t i) { return s.v[i] > 0 ? 1 : -1; }

// The spacing d that gives joint 2's printed friction, if Eq. 3.3 lacks its 1/d.
double spacing(const CaseStudy& s) {
  double low = 0.01, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double d = (low + high) / 2;
    const double f = printed_friction * printed_radius[1] * journal_as_printed(s.f[1], s.n[1], d);
    (f < std::abs(std::stod(joint[1])) ? low : high) = d;
  }
  return low;
}

void bearings(Claims& r) {
  const CaseStudy s = case_study();
  const char* by = "src/model/joint/friction.hpp: support_forces";
  const V f{3, -4, 7}, n{0.6, 0.9, 0.2};
  const double d = 0.12, size = std::hypot(f.x, f.y);
  r.add("Eq. 3.2", "with no moment Eq. 3.3 is µ r √(f_x² + f_y²)",
        holds("equal", std::abs(journal_balanced(f, {}, d) / d - size) < 1e-12,
              agreement(std::abs(journal_balanced(f, {}, d) / d - size))),
        by, reproduced("half of the force on each support"));
  // Moments of two forces at ±d/2 about the middle, for either order.
  auto moment_of = [&](double ax, double ay, double bx, double by_) {
    return V{-(ay - by_) / 2, (ax - bx) / 2, 0};
  };
  auto missed = [&](const V& m) {
    return std::min(std::hypot(m.x - n.x, m.y - n.y), std::hypot(-m.x - n.x, -m.y - n.y)) /
           std::hypot(n.x, n.y);
  };
  FrictionLaw<double> law;
  law.half_spacing = d / 2;
  const SupportForces<double> F = support_forces(law, f, n);
  const double x = 0.5 * d * f.x, y = 0.5 * d * f.y,
               printed = missed(moment_of(x - n.y, y - n.x, x + n.y, y + n.x)),
               ours = missed(moment_of(F.upper_x, F.upper_y, F.lower_x, F.lower_y));
  r.add("Eq. 3.3", "the two supports' forces balance the moment, as a share of it",
        holds("0", printed < 1e-12,
              fmt::format("{:.2f} missing; {} with F± = f/2 ± (n_y, −n_x)/d", printed,
                          ours < 1e-12 ? "none" : "some")),
        by, refuted("one of the two moments has the wrong sign, whichever support is above"));
  const double p = printed_friction * printed_radius[1] / d * journal_as_printed(s.f[1], s.n[1], d),
               b = printed_friction * printed_radius[1] / d * journal_balanced(s.f[1], s.n[1], d);
  r.add("Eq. 3.3", "what the signs change: joint 2 of the case study, d = 0.12 m, in N m",
        holds(fmt::format("{:.3f}", p), std::abs(p - b) < 5e-4, fmt::format("{:.3f}", b)), by_case,
        refuted("13 percent too much here"));
  const double linear_printed =
      std::abs(x - n.y) + std::abs(y - n.x) + std::abs(x + n.y) + std::abs(y + n.x);
  r.add("Eq. 3.4", "a linear bearing's load",
        holds("equal", std::abs(linear_load(F) - linear_printed) < 1e-12,
              agreement(std::abs(linear_load(F) - linear_printed))),
        "src/model/joint/friction.hpp: linear_load",
        reproduced("the signs of 3.3 stand here too, but the sum of the four sizes is the same"));
  const double fx = 5e-4 * std::abs(s.f[0].x), fz = 5e-4 * std::abs(s.f[0].z);
  r.add("Eq. 3.5", "a thrust bearing carries f_x: joint 1 of the case study, µ r = 5e-4 m, in N m",
        holds(fmt::format("{:.4f}", fx), std::abs(fx - fz) < 5e-5, fmt::format("{:.4f}", fz)),
        "src/model/joint/friction.hpp: thrust_level",
        refuted("the axial force is f_z, as Table 3.1 has it; it may be the scan's"));
  FrictionLaw<double> thrust;
  thrust.thrust = 5e-4;
  r.add("Table 3.1", "a thrust bearing's friction is µ r |f_z|: the same joint, in N m",
        within("0.1340", thrust_level(thrust, s.f[0])),
        "src/model/joint/friction.hpp: thrust_level",
        reproduced("the table has what Eq. 3.5 loses"));
  r.add("Table 3.1", "the journal's equation balances the moment",
        holds("Eq. 3.3", printed < 1e-12, fmt::format("{:.2f} missing", printed)), by,
        refuted("as Eq. 3.3"));
  const double three = std::stod(basic[2]), friction = std::stod(joint[2]);
  r.add("Eq. 3.6", "τ_out = τ + friction, link 3 of Table 3.5, which brakes",
        arithmetic(within(together[2], three + friction)), "papers/dhanaraj/friction.cpp: bearings",
        reproduced("sgn(θ̇) is in the friction already"));
  r.add("Eq. 3.7", "τ_out = τ − friction where the motion is braked: link 3 of Table 3.5",
        arithmetic(within(together[2], three - friction)), "papers/dhanaraj/friction.cpp: bearings",
        refuted("it applies the sign twice; the printed table does not follow it"));
}

void drives(Claims& r) {
  // A lossy drive of ratio m with output torque `out` at speed w; no break-away torque.
  const double m = 62.6, share = 0.45, out = 3, speed = 1.2, in = out / (share * m),
               lost = drive_loss(DriveLaw<double>{}, out, speed, 1.0, share);
  r.add("Eq. 3.8", "τ_f = m τ_in − τ_out, with τ_in by 3.10, is what Table 3.2 takes",
        holds("the same", std::abs(m * in - out - lost) < 1e-12,
              agreement(std::abs(m * in - out - lost))),
        "src/model/joint/drive.hpp: drive_loss", reproduced("τ_out (1/η − 1)"));
  r.add("Eq. 3.9", "m is the ratio of speeds: power in, less what is lost, is power out",
        holds("the same", std::abs(in * (m * speed) - lost * speed - out * speed) < 1e-12,
              agreement(std::abs(in * (m * speed) - lost * speed - out * speed))),
        "src/model/joint/drive.hpp: drive_loss", reproduced("friction's power is what is missing"));
  r.add("Eq. 3.10", "η is power out by power in",
        within("0.45", out * speed / ((out + lost) * speed)),
        "src/model/joint/drive.hpp: drive_loss", reproduced("η = τ_out/(m τ_in)"));
  const Robot puma = Robot::load("puma560");
  double least = 1e9, most = 0;
  for (const JointDescription& j : puma.description().joints) {
    least = std::min(least, std::abs(j.gear_ratio));
    most = std::max(most, std::abs(j.gear_ratio));
  }
  r.add(
      "Eq. 3.11", "input torque by 3.10 and by 3.11, without break-away: their ratio",
      holds("1", most == 1, fmt::format("m, which is {:.0f} to {:.0f} on a PUMA-560", least, most)),
      "include/parid/robot.hpp: description",
      refuted("3.11 sees the input torque from the output, 3.8 and 3.10 from the motor"));
  const char* by = "src/model/joint/drive.hpp: drive_loss";
  const double eta = 0.45, breakaway = 2.6;
  const struct {
    const char *name, *law;
    double tau, v, in;
  } cases[] = {{"Case 1", "τ/η + τ_B", 3, 1, 3 / eta + breakaway},
               {"Case 2", "τ/η − τ_B", -3, -1, -3 / eta - breakaway},
               {"Case 3", "τ η − τ_B", 3, -1, 3 * eta - breakaway},
               {"Case 4", "τ η + τ_B", -3, 1, -3 * eta + breakaway}};
  for (const auto& c : cases) {
    const DriveLaw<double> law{breakaway};
    const double ours = c.tau + drive_loss(law, c.tau, c.v, c.v, eta);
    r.add("Table 3.2", fmt::format("{}, at 3 N m, η = 0.45, τ_B = 2.6 N m", c.name),
          holds(c.law, std::abs(ours - c.in) < 1e-12, fmt::format("{:.4f} N m, as it says", ours)),
          by, reproduced("losses that never give power"));
  }
  const double same = std::abs(3 + drive_loss(DriveLaw<double>{breakaway}, 3.0, 1.0, 1.0, eta));
  r.add("Section 3.5", "where θ̇ and τ have the same direction the total torque is less (region I)",
        holds("less than 3 N m", same < 3, fmt::format("{:.2f} N m", same)), by,
        refuted("more, by its own Table 3.2; regions I and II are exchanged"));
}

void table_3_3(Claims& r) {
  using C = Counted;
  const C fx, fy, nx, ny, half, d, mu, radius, way, x, c0, c1, c2, c3, tau, breakaway;
  auto part = [&](const C& f) { return half * d * f; };
  auto square = [](const C& u) { return u * u; };
  const char* where = "Table 3.3";
  const char* by = "src/scalar/counted.hpp: Counted";
  const Operations journal = counted([&] {
    way* mu* radius*(sqrt(square(part(fx) - ny) + square(part(fy) - nx)) +
                     sqrt(square(part(fx) + ny) + square(part(fy) + nx)));
  });
  const Operations linear = counted([&] {
    way* mu*(abs(part(fx) - ny) + abs(part(fy) - nx) + abs(part(fx) + ny) + abs(part(fy) + nx));
  });
  const Operations shared = counted([&] {
    FrictionLaw<C> law;
    const C u = law.half_spacing * fx, v = law.half_spacing * fy;
    law.journal*(sqrt(square(u + ny) + square(v - nx)) + sqrt(square(u - ny) + square(v + nx)));
  });
  r.add(where, "joint friction, revolute, multiplications", exact(15, journal.m), by,
        reproduced(fmt::format("as Eq. 3.3 is written, nothing shared, constants not multiplied "
                               "out; {} and two roots are enough",
                               shared.m)));
  r.add(where, "joint friction, revolute, additions", exact(5, journal.a), by,
        refuted("four within the squares, two between them, one between the roots"));
  r.add(where, "joint friction, prismatic", exact("10/7", fmt::format("{}/{}", linear.m, linear.a)),
        by, reproduced("as Eq. 3.4 is written, nothing shared"));
  // A division counts as a multiplication.
  const Operations spline = counted([&] {
    const C u = x * c0, eta = ((c3 * u + c2) * u + c1) * u + c0;
    tau* eta + breakaway;
  });
  const Operations line = counted([&] {
    const C eta = c1 * x + c0;
    tau* eta + breakaway;
  });
  r.add(where, "transmission by a cubic spline",
        exact("5/4", fmt::format("{}/{}", spline.m, spline.a)), by,
        reproduced(
            "the load as a share, Horner's rule, a division counted as a multiplication; finding "
            "the piece and the case is free"));
  r.add(where, "transmission by straight lines", exact("2/2", fmt::format("{}/{}", line.m, line.a)),
        by, reproduced("with the curve given over the torque itself"));
  auto sum = [&](const char* what, const char* printed, std::array<int, 6> t) {
    r.add(where, fmt::format("total, {}", what),
          arithmetic(exact(printed, fmt::format("{}/{}", t[0] + t[1] + t[2], t[3] + t[4] + t[5]))),
          "papers/dhanaraj/friction.cpp: table_3_3", reproduced("the sum of what is above"));
  };
  r.add("Section 3.4", "what the transmission alone adds, straight lines, in flops",
        exact(4, line.total()), by, reproduced("two multiplications and two additions"));
  const double general_share = 100.0 * 24 / (92 + 76),
               own_share = 100.0 * 6 * static_cast<double>(shared.total() + line.total()) /
                           static_cast<double>(specialized_program(Robot::load("puma560")).total());
  r.add("Section 3.6", "the load is only marginally increased: 24 beside 168 flops, percent",
        arithmetic(holds("marginally", general_share < 20, fmt::format("{:.0f}", general_share))),
        "papers/dhanaraj/friction.cpp: table_3_3",
        reproduced("beside the algorithm that is not customised"));
  r.add("Section 3.6", "the same beside the specialized program of a PUMA-560, six joints, percent",
        holds("marginally", own_share < 20, fmt::format("{:.0f}", own_share)),
        "src/codegen/trace/generate.hpp: generate",
        refuted("customised programs shrink, friction's terms do not; roots apart"));
  sum("revolute, spline", "112/85", {92, 15, 5, 76, 5, 4});
  sum("revolute, straight lines", "109/83", {92, 15, 2, 76, 5, 2});
  sum("prismatic, spline", "74/65", {59, 10, 5, 54, 7, 4});
  sum("prismatic, straight lines", "71/63", {59, 10, 2, 54, 7, 2});
  r.add("Section 3.4", "what friction adds to a revolute joint, straight lines, in flops",
        exact(24, journal.total() + line.total()), by,
        refuted(fmt::format("two additions and two roots more; with shared terms {} and the roots",
                            shared.total() + line.total())));
}

// The text's conclusions about the significance and the cost of friction.
void significance(Claims& r) {
  std::string times;
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double ratio =
        std::abs((std::stod(joint[i]) + std::stod(transmission[i])) / std::stod(basic[i]));
    times += fmt::format("{}{:.1f}", i ? ", " : "", ratio);
    most = std::max(most, ratio);
  }
  r.add("Section 3.1", "friction torques over inertial torques, as high as (Armstrong)",
        arithmetic(beyond("3", fmt::format("{} times the basic torques of Table 3.5", times))),
        "papers/dhanaraj/friction.cpp: significance",
        not_derivable(fmt::format(
            "Armstrong's measurements are not printed; the case study has {:.1f}", most)));
  const CaseStudy s = case_study();
  const double d = 0.12, low = 0.05 * printed_radius[0] / d * journal_balanced(s.f[0], s.n[0], d);
  r.add("Section 3.4",
        "a joint's friction can be left out where µ < 0.05: link 1 at µ = 0.05, in N m",
        holds("negligible", low < 0.1 * std::abs(s.torque[0]),
              fmt::format("{:.2f} beside a basic torque of {:.2f}", low, s.torque[0])),
        by_case, refuted("with Eq. 3.3 as it is derived; bearings carry the arm's weight"));
}

void table_3_5(Claims& r) {
  const char* where = "Table 3.5";
  const CaseStudy s = case_study();
  const double d = spacing(s);
  std::array<double, 3> friction;
  for (std::size_t i = 0; i < 3; ++i)
    friction[i] = printed_friction * printed_radius[i] * journal_as_printed(s.f[i], s.n[i], 0.12);
  const double thrust = (std::abs(std::stod(joint[0])) - friction[0]) / std::abs(s.f[0].z);
  r.add("Table 3.4", "break-away and greatest torques",
        cited("6.3, 5.5, 2.6; 97.6, 186.4, 89.4 N m", "nothing to compute them from"),
        "papers/dhanaraj/case_study.hpp: printed_breakaway",
        not_derivable("cited from Armstrong 1988"));
  for (std::size_t i = 0; i < 3; ++i)
    r.add(where, fmt::format("link {}: basic torque", i + 1), within(basic[i], s.torque[i]),
          by_case,
          reproduced("by D.1.3 and D.1.2, once hand, speed and 5 kg are known, which are not "
                     "printed"));
  ArmState hand{{s.q.begin(), s.q.end()}, {s.v.begin(), s.v.end()}, {s.a.begin(), s.a.end()}};
  hand.q[2] += 4 * std::atan(1.0);
  const std::vector<double> on_the_line = table_2_4(positioning_arm(5), hand);
  r.add(
      where, "basic torques of an arm whose hand is on the line",
      holds("1.2140, -15.6364, -0.8042", std::abs(on_the_line[1] - s.torque[1]) < 5e-5,
            fmt::format("{:.4f}, {:.4f}, {:.4f}", on_the_line[0], on_the_line[1], on_the_line[2])),
      "papers/dhanaraj/arm.hpp: table_2_4",
      refuted("D.1.3's joint 3 is half a turn from D.1.2's: the table's hand is 0.86 m away from "
              "where it is said to be"));
  r.add(where, "link 1: joint friction",
        beyond(joint[0],
               fmt::format("{:.4f} by the journal, and {:.2e} m times f_z", friction[0], thrust)),
        by_case,
        not_derivable("a thrust bearing whose µ r is printed nowhere: one number from one"));
  r.add(where, "link 2: joint friction",
        beyond(joint[1], fmt::format("with supports {:.4f} m apart", d)), by_case,
        not_derivable("d is printed nowhere; it comes out round, if Eq. 3.3 has no 1/d"));
  r.add(where, "link 3: joint friction, with the same supports",
        within(joint[2], way(s, 2) * friction[2]), by_case, reproduced("µ r […] without 1/d"));
  for (std::size_t i = 0; i < 3; ++i) {
    const double out =
        s.torque[i] + way(s, i) * (friction[i] + (i == 0 ? 5e-4 * std::abs(s.f[0].z) : 0));
    r.add(where, fmt::format("link {}: torque at the joint", i + 1), within(together[i], out),
          by_case, reproduced("basic torque and joint friction, by Eq. 3.6"));
  }
  std::array<double, 3> eta, load;
  for (std::size_t i = 0; i < 3; ++i) {
    const double out = std::stod(together[i]), in = std::stod(input[i]),
                 held = way(s, i) * printed_breakaway[i];
    eta[i] = out * s.v[i] > 0 ? out / (in - held) : (in - held) / out;
    load[i] = std::abs(out) / printed_rated[i];
    r.add(where, fmt::format("link {}: transmission friction", i + 1),
          arithmetic(
              beyond(transmission[i],
                     fmt::format("η = {:.4f} at {:.5f} of the greatest torque", eta[i], load[i]))),
          "papers/dhanaraj/friction.cpp: table_3_5",
          not_derivable("the efficiency curve is a lost figure; turned round, this is its point"));
    r.add(where, fmt::format("link {}: input torque, the two columns before it together", i + 1),
          arithmetic(within(input[i], out + std::stod(transmission[i]), 1.01)),
          "papers/dhanaraj/friction.cpp: table_3_5", reproduced("to the last digit's rounding"));
  }
  r.add("Figure 3.4", "efficiency rises with the load: the three points of Table 3.5",
        arithmetic(holds(
            "rising", load[2] < load[0] && load[0] < load[1] && eta[2] < eta[0] && eta[0] < eta[1],
            fmt::format("{:.3f}, {:.3f}, {:.3f}", eta[2], eta[0], eta[1]))),
        "papers/dhanaraj/friction.cpp: table_3_5",
        reproduced("so that cases 1, 2 and 4 of Table 3.2 were told apart rightly"));

  std::string with_factor, balanced;
  double worst = 0, first = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double mr = printed_friction * printed_radius[i] / 0.12,
                 axial = i == 0 ? 5e-4 * std::abs(s.f[0].z) : 0,
                 one = way(s, i) * (mr * journal_as_printed(s.f[i], s.n[i], 0.12) + axial),
                 two = way(s, i) * (mr * journal_balanced(s.f[i], s.n[i], 0.12) + axial);
    with_factor += fmt::format("{}{:.3f}", i ? ", " : "", one);
    balanced += fmt::format("{}{:.3f}", i ? ", " : "", two);
    worst = std::max(worst, std::abs(one - std::stod(joint[i])));
    if (i == 0) first = two;
  }
  r.add("Eq. 3.3", "it is what Table 3.5 was computed with, d = 0.12 m",
        holds("1.7803, -0.3281, 0.1241", worst < 5e-5, with_factor), by_case,
        refuted("the table was computed without the factor 1/d, 8.3 times too small"));
  r.add("Section 3.5", "joint friction is much smaller than transmission friction: link 1, in N m",
        holds("1.78 against 9.90", first < 0.5 * 9.8968,
              fmt::format("{:.2f} against 9.90 (all links: {})", first, balanced)),
        by_case, refuted("with the equation of Dhanaraj (1990) it is the larger one"));
}

}  // namespace
}  // namespace of_dhanaraj_friction

void dhanaraj_friction(Claims& r) {
  using namespace of_dhanaraj_friction;
  bearings(r);
  drives(r);
  table_3_3(r);
  significance(r);
  table_3_5(r);
}

}  // namespace parid::papers
