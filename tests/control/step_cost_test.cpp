// How long a period must last, from traced graphs.

#include "control/step_cost.hpp"

#include <gtest/gtest.h>

#include "tests/control/arms.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(StepCost, TimeStepsAreThoseOfThePapers) {
  for (const char* name : {"planar3", "puma560", "stanford", "chain:9"}) {
    const Robot robot = Robot::load(name);
    const int n = robot.nv();
    auto steps = [&](const char* id) { return step_cost(robot, policy(id)).steps; };
    EXPECT_EQ(steps("exact"), 2 * n) << name;
    EXPECT_EQ(steps("delayed:3"), 2 * n) << name;
    EXPECT_EQ(steps("binder_herzog"), 2) << name;
    EXPECT_EQ(steps("binder_herzog_first"), 2) << name;
    EXPECT_EQ(steps("binder_herzog_mixed"), n + 1) << name;
    EXPECT_EQ(steps("vuskovic"), 2) << name;
    EXPECT_EQ(steps("buffered"), 1) << name;
    EXPECT_EQ(steps("yamakita"), 1) << name;
    EXPECT_EQ(steps("hamilton"), 1) << name;
    EXPECT_EQ(steps("hamilton_boxes"), 2) << name;
  }
}

TEST(StepCost, DepthGrowsWithLinksOnlyWhereTheyWait) {
  auto depth = [](const char* robot, const char* id) {
    return step_cost(Robot::load(robot), policy(id)).depth.total();
  };
  EXPECT_GT(depth("chain:12", "exact"), 1.7 * depth("chain:6", "exact"));
  for (const char* id : {"binder_herzog", "buffered", "yamakita", "hamilton", "hamilton_boxes"})
    EXPECT_EQ(depth("chain:12", id), depth("chain:6", id)) << id;
  EXPECT_EQ(depth("chain:6", "hamilton"), depth("chain:6", "yamakita"));
  EXPECT_LT(depth("chain:6", "hamilton"), depth("chain:6", "buffered"));
  EXPECT_LT(depth("chain:6", "buffered"), depth("chain:6", "binder_herzog"));
}

TEST(StepCost, CustomisedEquationsCostLess) {
  for (const char* name : {"puma560", "stanford"})
    for (const char* id : {"exact", "vuskovic", "hamilton"}) {
      const StepCost general = step_cost(Robot::load(name), policy(id)),
                     own = step_cost(Robot::load(name), policy(id), Equations::customised);
      EXPECT_LT(own.operations, 0.7 * static_cast<double>(general.operations)) << name;
      EXPECT_LE(own.exchanged, general.exchanged) << name;
    }
}

TEST(StepCost, PredictionCostsOperationsAndExchanges) {
  const Robot robot = Robot::load("puma560");
  const StepCost hold = step_cost(robot, policy("binder_herzog")),
                 first = step_cost(robot, policy("binder_herzog_first")),
                 output = step_cost(robot, policy("vuskovic_output"));
  EXPECT_EQ(first.exchanged, 2 * hold.exchanged);
  // For each number read a difference and a sum.
  EXPECT_EQ(first.operations - hold.operations, 2 * hold.exchanged);
  EXPECT_EQ(output.operations - hold.operations, 2 * 6);
}

TEST(StepCost, TimeOnProcessors) {
  const Robot robot = Robot::load("puma560");
  for (const PolicyEntry& entry : policies()) {
    const StepCost cost = step_cost(robot, policy(entry.id));
    EXPECT_EQ(step_time(cost, {}), static_cast<double>(cost.operations)) << entry.id;
    long largest = 0;
    for (const StepBlock& b : cost.blocks) largest = std::max(largest, b.operations);
    double before = step_time(cost, {});
    for (int p = 2; p <= 12; ++p) {
      const double time = step_time(cost, {.count = p});
      EXPECT_LE(time, before + 1e-9) << entry.id << p;
      EXPECT_GE(time, static_cast<double>(largest));
      EXPECT_GE(time * p, static_cast<double>(cost.operations) - 1e-9);
      EXPECT_GE(step_time(cost, {.count = p, .exchange = 3}), time);
      EXPECT_GE(step_time(cost, {.count = p, .exchange = 3, .bus = true}),
                step_time(cost, {.count = p, .exchange = 3}));
      before = time;
    }
  }
  // Two processors a link: Hamilton's sweeps run side by side, Binder and Herzog's one after the
  // other.
  auto time = [&](const char* id, int p) {
    return step_time(step_cost(robot, policy(id)), {.count = p});
  };
  EXPECT_LT(time("hamilton", 12), 0.65 * time("hamilton", 6));
  EXPECT_EQ(time("binder_herzog", 12), time("binder_herzog", 6));
  // Hamilton's has α apart from ω̇: a rotation (15), ω × z q̇ and its sums (2 + 3) for a link that
  // turns.
  EXPECT_EQ(time("hamilton", 6) - time("binder_herzog", 6), 20);
  // One processor a link does not help those who wait.
  const StepCost serial = step_cost(robot, policy("exact"));
  EXPECT_EQ(step_time(serial, {.count = 6}), static_cast<double>(serial.operations));
}

// F_1 … F_4, B_4 … B_1, none waiting for another: only how evenly they are shared counts.
TEST(StepCost, LinksAreSharedEvenly) {
  StepCost cost;
  for (const long operations : {8, 1, 1, 2, 7, 1, 1, 1})
    cost.blocks.push_back({.operations = operations});
  EXPECT_EQ(step_time(cost, {}), 22);
  EXPECT_EQ(step_time(cost, {.count = 2}), 11);  // links 1 and 2: 9 + 2; links 3 and 4: 2 + 9
  EXPECT_EQ(step_time(cost, {.count = 3}), 9);   // link 1; 2 and 3; 4
  EXPECT_EQ(step_time(cost, {.count = 4}), 8);   // forward 8 and 4, backward 7 and 3
  EXPECT_EQ(step_time(cost, {.count = 8}), 8);
  EXPECT_EQ(step_time(cost, {.count = 2, .operation = 0.5}), 5.5);
}

// F_1, F_2, B_2, B_1 of four operations, each waiting for the one before; what goes between
// processors takes its time.
TEST(StepCost, ExchangesTakeTimeBetweenProcessorsAlone) {
  StepCost cost;
  for (int b = 0; b < 4; ++b) {
    cost.blocks.push_back({.operations = 4});
    if (b > 0) cost.blocks[b].needs.push_back({b - 1, b == 2 ? 5 : 3});
  }
  for (const bool bus : {false, true}) {
    auto time = [&](int count, double exchange) {
      return step_time(cost, {.count = count, .exchange = exchange, .bus = bus});
    };
    EXPECT_EQ(time(1, 1), 16);
    EXPECT_EQ(time(2, 0), 16);
    EXPECT_EQ(time(2, 1), 21);  // forward and backward apart: 8 + 5 + 8
    EXPECT_EQ(time(2, 2), 26);
    EXPECT_EQ(time(3, 1), 22);  // link by link: 4 + 3 + 8 + 3 + 4
  }
  cost.blocks[1].old.push_back({0, 30});  // nobody waits for it, but a bus must carry it
  EXPECT_EQ(step_time(cost, {.count = 3, .exchange = 1}), 22);
  EXPECT_EQ(step_time(cost, {.count = 3, .exchange = 1, .bus = true}), 24);
}

}  // namespace
}  // namespace parid::test
