// The threads behind a batch: every part runs once, each worker one part at a time, and no part is
// lost.

#include "base/threads/thread_pool.hpp"
#include "tests/layer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace parid::test {
namespace {

TEST(ThreadPool, DoesEveryPartOnce) {
  for (int workers : {1, 2, 5, 16}) {
    ThreadPool pool(workers);
    EXPECT_EQ(pool.workers(), workers);
    for (std::size_t parts : {0, 1, 2, 7, 100, 10000}) {
      std::vector<int> done(parts, 0);  // plain: a part belongs to one member
      pool.share(parts, [&](int, std::size_t part) { ++done[part]; });
      EXPECT_EQ(done, std::vector<int>(parts, 1)) << workers << " members";
    }
  }
}

TEST(ThreadPool, NoTwoThreadsAreTheSameWorker) {
  ThreadPool pool(5);
  std::vector<std::size_t> by_worker(5, 0);  // plain: a race here is a race over kernels
  for (int job = 0; job < 200; ++job)
    pool.share(50, [&](int worker, std::size_t) { ++by_worker[worker]; });
  EXPECT_EQ(std::accumulate(by_worker.begin(), by_worker.end(), std::size_t{0}), 200u * 50u);
}

// Workers that are late for one job may find the next one open; they must read the next one's data.
TEST(ThreadPool, TakesManyShortJobsOneAfterAnother) {
  ThreadPool pool(3);
  for (int job = 1; job <= 20000; ++job) {
    int sum[4] = {};
    pool.share(4, [&, job](int, std::size_t part) { sum[part] = job; });
    ASSERT_EQ(sum[0] + sum[1] + sum[2] + sum[3], 4 * job);
  }
}

// If any worker throws, the caller gets the exception, and the pool accepts the next job.
TEST(ThreadPool, ThrowsWhatItsWorkersThrow) {
  for (int workers : {1, 2, 5}) {
    ThreadPool pool(workers);
    for (int job = 0; job < 200; ++job) {
      std::atomic<int> begun = 0;
      EXPECT_THROW(pool.share(100,
                              [&](int, std::size_t part) {
                                ++begun;
                                if (part == 7) throw std::bad_alloc();
                              }),
                   std::bad_alloc);
      EXPECT_GE(begun, 1);
      EXPECT_THROW(pool.share(3, [](int, std::size_t) { throw std::runtime_error("each"); }),
                   std::runtime_error);
      std::atomic<int> done = 0;
      pool.share(100, [&](int, std::size_t) { ++done; });
      ASSERT_EQ(done, 100);
    }
  }
}

TEST(ThreadPool, MayBeDismissedBeforeItsFirstJob) {
  for (int k = 0; k < 50; ++k) ThreadPool pool(4);
}

}  // namespace
}  // namespace parid::test
