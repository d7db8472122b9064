// Dhanaraj's thesis in the record: its transcribed programs, tables and schedules, and the verdicts
// by place.

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/threads/thread_pool.hpp"
#include "papers/counting.hpp"
#include "papers/dhanaraj/arm.hpp"
#include "papers/dhanaraj/case_study.hpp"
#include "papers/dhanaraj/listings.hpp"
#include "papers/dhanaraj/printed_tables.hpp"
#include "papers/papers.hpp"
#include "papers/shared/as_printed.hpp"
#include "papers/shared/printed_schedules.hpp"
#include "parid/inverse_dynamics.hpp"
#include "schedule/tasks/subtasks.hpp"

namespace parid::papers {
namespace {

std::vector<double> torques(const Listing& program, const ArmState& s) {
  const Values out = program.run(program_inputs(s.q, s.v, s.a));
  std::vector<double> tau;
  for (std::size_t i = 1; i <= s.q.size(); ++i) tau.push_back(out.at("t" + std::to_string(i)).x[0]);
  return tau;
}
double apart(const std::vector<double>& x, const std::vector<double>& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

// Two descriptions of the same arms: the tables here, the robot files there; another formulation.
TEST(DhanarajArm, TheTablesCorrectedAreTheBuiltInRobots) {
  for (const auto& [name, arm] :
       {std::pair("puma560", table_puma(true)), std::pair("stanford", table_stanford(true))}) {
    const Robot robot = Robot::load(name);
    Workspace workspace(robot);
    for (const ArmState& s : states(arm, 20)) {
      std::vector<double> tau(s.q.size());
      inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
      EXPECT_LT(apart(tau, table_2_4(arm, s, {}, 9.81)), 1e-11) << name;
    }
  }
}

TEST(DhanarajArm, EveryMisprintIsOne) {
  const DhanarajArm puma = table_puma(true), stanford = table_stanford(true);
  for (bool Misprints::*which :
       {&Misprints::lambda_21, &Misprints::subtask_10, &Misprints::lambda_31,
        &Misprints::lambda_sign, &Misprints::d_x, &Misprints::lambda_of_slide,
        &Misprints::n_of_slide, &Misprints::coriolis_inside, &Misprints::first_lambda}) {
    Misprints wrong;
    wrong.*which = true;
    EXPECT_GT(greatest_effect(puma, wrong, puma) + greatest_effect(stanford, wrong, stanford), 0.1);
  }
  Misprints slide;
  slide.lambda_of_slide = slide.n_of_slide = slide.coriolis_inside = true;
  EXPECT_EQ(greatest_effect(puma, slide, puma), 0);  // no joint of it slides
}

TEST(DhanarajPrograms, HaveTheirOperationsAndFaults) {
  const struct {
    std::size_t unreadable, unknown, early, unread;
    long long m, a;
  } expected[] = {
      {0, 4, 0, 3, 48, 33}, {0, 6, 0, 10, 186, 141}, {3, 4, 0, 0, 80, 55}, {0, 1, 1, 3, 208, 152}};
  for (std::size_t k = 0; k < 4; ++k) {
    const CustomisedProgram& p = customised_programs()[k];
    std::set<std::string> results;
    for (int i = 1; i <= p.joints; ++i) results.insert("t" + std::to_string(i));
    const std::vector<double> zero(static_cast<std::size_t>(p.joints));
    const Listing l(p.text);
    const auto f = l.faults(names(program_inputs(zero, zero, zero)), results);
    const auto& e = expected[k];
    EXPECT_EQ(f.unreadable.size(), e.unreadable) << p.where;
    EXPECT_EQ(f.unknown.size(), e.unknown) << p.where;
    EXPECT_EQ(f.early.size(), e.early) << p.where;
    EXPECT_EQ(f.unread.size(), e.unread) << p.where;
    EXPECT_EQ(l.operations().m, e.m) << p.where;
    EXPECT_EQ(l.operations().a, e.a) << p.where;
  }
}

// Each program with its two built-in errors equals its source; without them it does not.
TEST(DhanarajPrograms, PutRightTheyAreTableTwoFour) {
  Misprints built_in;
  built_in.first_lambda = built_in.lambda_of_slide = true;
  for (const CustomisedProgram& p : customised_programs()) {
    const Listing runs = corrected(p);
    const DhanarajArm arm = p.stanford ? program_stanford(p.joints) : program_puma(p.joints);
    double own = 0, right = 0;
    for (const ArmState& s : states(arm, 20)) {
      const std::vector<double> tau = torques(runs, s);
      own = std::max(own, apart(tau, table_2_4(arm, s, built_in)));
      right = std::max(right, apart(tau, table_2_4(arm, s)));
    }
    EXPECT_LT(own, 1e-4) << p.where;
    EXPECT_GT(right, 1) << p.where;
  }
}

// By the thesis' own listings, and by the function that has the study as printed: two
// transcriptions.
TEST(CaseStudy, TwoWaysToTableThreeFive) {
  const CaseStudy s = case_study();
  const CaseStudyAsPrinted context(Robot::load(CaseStudyAsPrinted::robot));
  const auto at = context.reactions(s.q, s.v, s.a);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(at[i].torque, s.torque[i], 1e-12);
    EXPECT_NEAR(norm(at[i].wrench.f - s.f[i]), 0, 1e-11);
    EXPECT_NEAR(norm(at[i].wrench.n - s.n[i]), 0, 1e-11);
  }
}

// The count of Table 2.9's Method II is the cost of one more joint of the whole formulation.
TEST(TableTwoNine, AgreesWithTheFormulation) {
  const Operations six = as_written("newton_euler_conventional", 6),
                   five = as_written("newton_euler_conventional", 5);
  EXPECT_EQ(six.m - five.m, 135);
  EXPECT_EQ(six.a - five.a, 110);
}

TEST(PrintedSchedules, AreThoseOfTheAppendix) {
  ASSERT_EQ(printed_schedules().size(), 15u);
  for (std::size_t k = 0; k < 15; ++k) {
    const PrintedSchedule& s = printed_schedules()[k];
    EXPECT_EQ(s.where, "Table C." + std::to_string(k + 1));
    const Time levels = k < 8 ? printed_general_levels[k] : printed_stanford_times[k - 7].levels;
    EXPECT_EQ(static_cast<Time>(s.level.size()), levels) << s.where;
    for (const auto& level : s.level)
      EXPECT_EQ(level.size(), static_cast<std::size_t>(s.processors)) << s.where;
  }
  std::set<int> of_4_7;
  for (const auto& layer : table_4_7())
    for (const int t : layer)
      if (t) of_4_7.insert(t);
  EXPECT_EQ(of_4_7, printed_stanford_subtasks());
}

// Reproduced, refuted, not derivable: by chapter, so that a change shows where to look.
TEST(Verdicts, ByTable) {
  std::map<std::string, std::array<int, 3>> found;
  for (const Paper& s : all_papers())
    if (s.id == std::string("dhanaraj"))
      for (const Claim& c : reproduce({&s, 1}, available_cores())) {
        EXPECT_TRUE(c.explained) << c.where << ", " << c.what << ": " << c.ours;
        ++found[c.where][static_cast<std::size_t>(c.verdict)];
      }
  const std::map<std::string, std::array<int, 3>> expected{
      {"Section 1.1", {1, 2, 1}}, {"Section 4.1", {0, 1, 0}},    {"Section 1.2.2", {0, 0, 3}},
      {"Section 2.5", {2, 5, 1}}, {"Section 1.2.3", {1, 1, 1}},  {"Section 4.3.1", {11, 2, 1}},
      {"Table 4.8", {9, 0, 3}},   {"Section 4.5", {5, 4, 0}},    {"Table 1.1", {6, 2, 1}},
      {"Section 2.4", {2, 1, 0}}, {"Section 2.3.2", {3, 0, 0}},  {"D.3.1", {2, 3, 0}},
      {"D.3.2", {2, 3, 0}},       {"D.3.4", {2, 3, 0}},          {"Table 2.9", {8, 10, 0}},
      {"Section 5.1", {0, 2, 0}}, {"Table 2.10", {5, 8, 1}},     {"Eq. 2.4", {1, 1, 0}},
      {"Eq. 2.24", {1, 0, 0}},    {"Eq. 2.25", {0, 1, 0}},       {"Eq. 2.26", {1, 0, 0}},
      {"Eq. 2.30", {0, 1, 0}},    {"Eq. 2.34", {1, 0, 0}},       {"Eq. 2.36", {0, 1, 0}},
      {"Eq. 2.37", {0, 1, 0}},    {"Eq. 2.39", {1, 0, 0}},       {"Eq. 2.38", {0, 1, 0}},
      {"Eq. 2.29", {0, 1, 0}},    {"Eq. 2.41", {1, 0, 0}},       {"Eq. (2.41)", {1, 0, 0}},
      {"Eq. 2.43", {1, 0, 0}},    {"Table 2.3", {2, 0, 0}},      {"Table 2.4", {2, 4, 0}},
      {"D.2", {0, 2, 0}},         {"Eq. A.2", {1, 1, 0}},        {"Appendix A.3", {0, 2, 0}},
      {"Eq. B.13", {0, 1, 0}},    {"Eqs. B.7, B.9", {0, 1, 0}},  {"Table 2.1", {0, 1, 0}},
      {"Table 2.2", {0, 2, 0}},   {"Table 2.5", {4, 2, 0}},      {"Table 2.6", {2, 5, 0}},
      {"Table 2.7", {2, 2, 0}},   {"Table 2.8", {4, 1, 1}},      {"Eq. 3.2", {1, 0, 0}},
      {"Eq. 3.3", {0, 3, 0}},     {"Eq. 3.4", {1, 0, 0}},        {"Eq. 3.5", {0, 1, 0}},
      {"Table 3.1", {1, 1, 0}},   {"Eq. 3.6", {1, 0, 0}},        {"Eq. 3.7", {0, 1, 0}},
      {"Eq. 3.8", {1, 0, 0}},     {"Eq. 3.9", {1, 0, 0}},        {"Eq. 3.10", {1, 0, 0}},
      {"Eq. 3.11", {0, 1, 0}},    {"Table 3.2", {4, 0, 0}},      {"Section 3.5", {0, 2, 0}},
      {"Table 3.3", {8, 1, 0}},   {"Section 3.4", {1, 2, 0}},    {"Section 3.6", {1, 1, 0}},
      {"Section 3.1", {0, 0, 1}}, {"Table 3.4", {0, 0, 1}},      {"Table 3.5", {11, 1, 5}},
      {"Figure 3.4", {1, 0, 0}},  {"Table 4.1", {3, 3, 0}},      {"Table 4.2", {3, 2, 0}},
      {"Table 4.3", {2, 1, 0}},   {"Abstract", {1, 0, 0}},       {"Section 4.6", {0, 1, 0}},
      {"Table 4.4", {1, 1, 0}},   {"Table 4.5", {2, 0, 0}},      {"Table 4.6", {0, 2, 0}},
      {"Table 4.7", {2, 3, 0}},   {"Section 4.4", {0, 1, 0}},    {"Table C.1", {1, 3, 0}},
      {"Table C.2", {1, 3, 0}},   {"Table C.3", {4, 0, 0}},      {"Table C.4", {2, 2, 0}},
      {"Table C.5", {2, 2, 0}},   {"Table C.6", {2, 2, 0}},      {"Table C.7", {1, 3, 0}},
      {"Table C.8", {1, 3, 0}},   {"Table C.9", {2, 1, 0}},      {"Table C.10", {3, 0, 0}},
      {"Table C.11", {1, 2, 0}},  {"Table C.12", {2, 1, 0}},     {"Table C.13", {1, 2, 0}},
      {"Table C.14", {1, 2, 0}},  {"Table C.15", {0, 3, 0}},     {"D.1", {1, 1, 0}},
      {"D.1.2", {2, 1, 1}},       {"D.1.1", {1, 2, 0}},          {"D.4", {8, 3, 0}},
      {"D.1.3", {3, 2, 0}},       {"Figs. 3.6, 3.7", {0, 0, 1}}, {"Appendix A.2", {0, 3, 0}},
      {"D.3.3", {1, 3, 0}},
  };
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace parid::papers
