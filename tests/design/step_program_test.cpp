// Programs of processors with messages: their torques are those of the law with the policy's ages.

#include "design/step_program.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "control/law.hpp"
#include "control/policy.hpp"
#include "design/artefact.hpp"
#include "design/step_text.hpp"
#include "design/step_timing.hpp"
#include "design/target.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/design/arms.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

Gains some_gains(int n) {
  Gains g;
  for (int k = 0; k < n; ++k) {
    g.kp.push_back(90 + 5.0 * k);
    g.kd.push_back(19 + 0.5 * k);
  }
  return g;
}

// A smooth state sequence, at rest at first.
Desired state_at(const Robot& robot, double t, double amplitude, double phase) {
  const std::vector<double> q0 = robot.neutral();
  Desired d{q0, std::vector<double>(q0.size()), std::vector<double>(q0.size())};
  for (std::size_t k = 0; k < q0.size(); ++k) {
    const double w = 2 + 0.3 * static_cast<double>(k), p = phase + 0.7 * static_cast<double>(k);
    d.q[k] += amplitude * (std::sin(w * t + p) - std::sin(p) - w * t * std::cos(p) * std::exp(-t));
    d.v[k] = amplitude * w * std::cos(w * t + p);
    d.a[k] = -amplitude * w * w * std::sin(w * t + p);
  }
  return d;
}

// The largest difference of the programs' torques from the law's, relative to the largest torque.
double largest_difference(const Robot& robot, const design::StepProgram& program,
                          const std::string& policy_id, design::WordType word, int periods) {
  const int n = robot.nv();
  const Policy p = bound(policy(policy_id), robot);
  const Gains gains = some_gains(n);
  StaleLaw<double> law(robot.canonical(), LawKind::computed_torque, gains);
  law.set_policy(p);
  const auto timing = design::step_timing(program, design::target("transputer"));
  const auto artefact = design::compiled_artefact(program, timing, word);
  design::StepReadings in(n);
  std::vector<double> tau(static_cast<std::size_t>(n)), expected(tau);
  const std::vector<double> none(tau.size());
  double largest = 0, off = 0;
  for (int k = 0; k < periods; ++k) {
    const double t = 0.01 * k;
    const Desired now = state_at(robot, t, 0.3, 0.2), next = state_at(robot, t + 0.01, 0.3, 0.2),
                  measured = state_at(robot, t, 0.31, 0.25);
    if (k == 0) {
      const Desired here{measured.q, none, none};
      law.start(here, here, measured.q.data(), none.data(), expected.data());
      in.set_wanted(here, here);
      std::copy(measured.q.begin(), measured.q.end(), in.q().begin());
      std::copy(none.begin(), none.end(), in.v().begin());
      artefact->begin(in);
    }
    law.step(now, next, measured.q.data(), measured.v.data(), expected.data());
    in.set_wanted(now, next);
    std::copy(measured.q.begin(), measured.q.end(), in.q().begin());
    std::copy(measured.v.begin(), measured.v.end(), in.v().begin());
    artefact->run(in, tau);
    for (std::size_t i = 0; i < tau.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      off = std::max(off, std::abs(tau[i] - expected[i]));
    }
  }
  return off / largest;
}

std::vector<Robot> arms() {
  return {Robot::load("planar3"), Robot::load("stanford"), Robot::from_text(odd_arm_urdf)};
}

class StepPrograms : public testing::Test {
 protected:
  void SetUp() override {
    if (!there("cc")) GTEST_SKIP() << "a C compiler is needed";
  }
};

TEST_F(StepPrograms, ComputeTheExactLawOnOneProcessor) {
  for (const Robot& robot : arms()) {
    const auto program = design::exact_step(robot, some_gains(robot.nv()));
    EXPECT_LT(largest_difference(robot, program, "exact", design::WordType::float64, 40), 1e-12)
        << robot.name();
    EXPECT_LT(largest_difference(robot, program, "exact", design::WordType::float32, 40), 1e-4)
        << robot.name();
  }
}

TEST_F(StepPrograms, ComputeTheExactLawByASchedule) {
  for (const Robot& robot : {Robot::load("puma560"), Robot::from_text(fork_urdf)})
    for (const int processors : {2, 3}) {
      const auto program =
          design::scheduled_step(robot, some_gains(robot.nv()), {.processors = processors});
      EXPECT_EQ(static_cast<int>(program.processors.size()), processors);
      EXPECT_FALSE(program.messages.empty());
      EXPECT_LT(largest_difference(robot, program, "exact", design::WordType::float64, 20), 1e-12)
          << robot.name();
    }
}

// Ages of every kind: of this period, of earlier ones, extrapolated, ahead, delayed.
TEST_F(StepPrograms, HaveTheAgesOfThePolicy) {
  for (const Robot& robot : arms())
    for (const char* id :
         {"exact", "binder_herzog", "binder_herzog_mixed", "hamilton", "hamilton_first",
          "yamakita_ahead", "yamakita:f=3,w.across=2", "delayed:2"}) {
      const auto blocks = design::block_assignments(robot, policy(id), 3);
      for (const std::vector<int>& b : blocks) {
        const auto program = design::policy_step(robot, some_gains(robot.nv()), policy(id), b);
        EXPECT_LT(largest_difference(robot, program, id, design::WordType::float64, 40), 1e-12)
            << robot.name() << ", " << id;
      }
    }
}

TEST_F(StepPrograms, CoverTrees) {
  const Robot robot = Robot::from_text(fork_urdf);
  for (const char* id : {"binder_herzog", "hamilton"}) {
    const auto program =
        design::policy_step(robot, some_gains(robot.nv()), policy(id), {0, 1, 2, 2, 1, 0});
    EXPECT_LT(largest_difference(robot, program, id, design::WordType::float64, 40), 1e-12) << id;
  }
}

TEST(StepProgram, RefusesRandomAges) {
  const Robot robot = Robot::load("planar2");
  EXPECT_THROW(design::policy_step(robot, some_gains(2), policy("vuskovic"), {0, 1, 1, 0}), Error);
}

// Old values are never waited for: with every value old, all sections start at once.
TEST(StepTimes, FollowFromTheMessages) {
  const Robot robot = Robot::load("planar3");
  design::Target slow;
  slow.time = {1, 1, 1, 1, 10};
  slow.message_start = 1000;
  const std::vector<int> apart = {0, 1, 2, 2, 1, 0};
  const auto time = [&](const char* id) {
    const auto program = design::policy_step(robot, some_gains(3), policy(id), apart);
    return design::step_timing(program, slow);
  };
  const design::StepTiming exact = time("exact"), old = time("binder_herzog");
  EXPECT_GT(exact.time, 4000) << "two messages outwards and two inwards, one after the other";
  EXPECT_LT(old.time, 2 * 1000 + 1) << "links carry one or two messages, and nothing waits";
  EXPECT_NEAR(std::max({old.busy[0], old.busy[1], old.busy[2], old.medium}), old.time, 1e-9);
  // A bus carries all of them.
  slow.bus = true;
  const auto program = design::policy_step(robot, some_gains(3), policy("binder_herzog"), apart);
  const design::StepTiming shared = design::step_timing(program, slow);
  EXPECT_NEAR(shared.medium, 1000.0 * static_cast<double>(program.messages.size()), 1e-9);
}

// The files for threads, run on real ones, give the bits of the static schedule.
TEST_F(StepPrograms, RunOnRealThreads) {
  const Robot robot = Robot::from_text(odd_arm_urdf);
  const int n = robot.nv();
  for (const char* id : {"exact", "hamilton"}) {
    const auto program = design::policy_step(robot, some_gains(n), policy(id),
                                             design::block_assignments(robot, policy(id), 3)[0]);
    const auto timing = design::step_timing(program, design::target("transputer"));
    const Scratch folder;
    for (const auto& f :
         design::step_files(program, timing, design::WordType::float64, "arm", {"A test."}))
      folder.file(f.name, f.text);
    folder.file("main.c", R"(
#include <math.h>
#include <stdio.h>
#include "arm.h"
#ifdef THREADS
#include "arm_threads.c"
static struct arm_threads all;
#define BEGIN(in, tau) if (arm_threads_start(&all, in, tau)) return 1
#define STEP(in, tau) arm_threads_step(&all, in, tau)
#define END arm_threads_stop(&all)
#else
#include "arm_static.c"
static struct arm_all all;
#define BEGIN(in, tau) arm_begin(&all, in, tau)
#define STEP(in, tau) arm_step(&all, in, tau)
#define END (void)0
#endif
int main(void) {
  double q[4], v[4] = {0}, w[4] = {0}, a[4] = {0}, tau[4];
  struct arm_in in = {q, v, q, w, a};
  int k, i;
  for (i = 0; i < 4; ++i) q[i] = 0.1 * i;
  BEGIN(&in, tau);
  for (k = 0; k < 300; ++k) {
    for (i = 0; i < 4; ++i) {
      q[i] = 0.1 * i + 0.2 * sin(0.01 * k * (i + 1));
      v[i] = 0.2 * (i + 1) * cos(0.01 * k * (i + 1));
      a[i] = v[i] * v[i];
    }
    STEP(&in, tau);
    for (i = 0; i < 4; ++i) printf("%a ", tau[i]);
    printf("\n");
  }
  END;
  return 0;
}
)");
    const std::string at = "cd " + folder.path("") + " && ",
                      flags = "cc -std=c11 -O1 -ffp-contract=off -Wall -Wextra -Werror -o ";
    const std::string three = " main.c arm_p1.c arm_p2.c arm_p3.c -lm -lpthread";
    said(at + flags + "one" + three);
    said(at + flags + "many -DTHREADS" + three);
    said(at + "cc -std=c11 -O1 -Wall -Wextra -Werror -c arm_bare.c");
    const std::string one = said(folder.path("one")),
                      many = said("timeout 120 " + folder.path("many"));
    EXPECT_EQ(one, many) << id;
    EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 300);
  }
}

}  // namespace
}  // namespace parid::test
