// The policies on real threads. Times are not tested; readings and results are.

#include "control/threads.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "control/loop.hpp"
#include "control/snapshot.hpp"
#include "motion/sine.hpp"
#include "tests/control/arms.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

TEST(Snapshot, IsWholeOrNotThere) {
  Snapshot<6> snapshot;
  Snapshot<6>::Numbers x;
  EXPECT_FALSE(snapshot.read(0, x));
  EXPECT_EQ(snapshot.latest(), -1);
  constexpr long last = 200000;
  std::thread writer([&] {
    for (long k = 0; k <= last; ++k) {
      const auto v = static_cast<double>(k);
      snapshot.publish(k, {v, v, v, v, v, v});
    }
  });
  long seen = -1, torn = 0, backwards = 0;
  while (seen < last) {
    const long latest = snapshot.latest();
    if (latest < 0 || !snapshot.read(latest, x)) continue;
    for (const double y : x) torn += y != static_cast<double>(latest);
    backwards += latest < seen;
    seen = latest;
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backwards, 0);
  EXPECT_TRUE(snapshot.read(last - 7, x));
  EXPECT_FALSE(snapshot.read(last - 8, x));
  EXPECT_FALSE(snapshot.read(last + 1, x));
}

// Slow enough for any machine, the threads give the results of the loop.
TEST(Threads, FollowTheMotionAsTheLoopDoes) {
  const Robot robot = Robot::load("planar3");
  const TrajectoryPointer swing = sine({0.5, 0.8, -0.6}, {0.2, 0.3, -0.2}, 3, 0.15);
  for (const char* id :
       {"exact", "binder_herzog", "binder_herzog_mixed", "vuskovic", "yamakita_ahead",
        "yamakita:ac.across=5", "yamakita:f=2,n=3", "hamilton", "delayed:1"})
    for (const int threads : {2, 3}) {
      const LawDesign law = computed_torque(robot, id, 5);
      ThreadOptions o;
      o.threads = threads;
      o.rate = 200;
      const ThreadReport r = run_on_threads(robot, law, *swing, o);
      EXPECT_EQ(r.threads, threads);
      EXPECT_FALSE(r.diverged) << id;
      EXPECT_EQ(r.periods, 30);
      ControlOptions loop;
      loop.rate = 200;
      loop.time = 0.1451;  // thirty periods begin in it
      const double expected = ControlLoop(robot, law, swing, loop).run().max_error;
      // Where nothing came late the sums are the same, chance apart.
      if (r.missed + r.older_reads + r.late_starts == 0 && !law.policy.by_chance)
        EXPECT_NEAR(r.max_error, expected, 1e-3 * expected) << id << " on " << threads;
      else
        EXPECT_LT(r.max_error, 0.5) << id;
    }
}

TEST(Threads, FreeRunningEnds) {
  const Robot robot = Robot::load("puma560");
  for (const PolicyEntry& entry : policies())
    for (const int threads : {1, 2})
      EXPECT_GT(free_running_period(robot, policy(entry.id), threads, 500), 0) << entry.id;
}

TEST(Threads, RefuseValuesOlderThanTheyKeep) {
  const Robot robot = Robot::load("planar2");
  EXPECT_THROW(run_on_threads(robot, computed_torque(robot, "yamakita:f.neighbour=9", 5),
                              *standing({0, 0}, 0.01)),
               Error);
}

TEST(Threads, RatesAreAboveZero) {
  const Robot robot = Robot::load("planar2");
  ThreadOptions o;
  o.rate = -1;
  EXPECT_THROW(run_on_threads(robot, computed_torque(robot, "exact", 5), *standing({0, 0}, 1), o),
               Error);
}

}  // namespace
}  // namespace parid::test
