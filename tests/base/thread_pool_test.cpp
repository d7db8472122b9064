// The threads behind a batch: every part done once, by one member at a time, and nobody left behind.

#include "parid/run/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace parid {
namespace {

TEST(Crew, DoesEveryPartOnce) {
  for (int members : {1, 2, 5, 16}) {
    Crew crew(members);
    EXPECT_EQ(crew.members(), members);
    for (std::size_t parts : {0, 1, 2, 7, 100, 10000}) {
      std::vector<int> done(parts, 0);  // plain: a part belongs to one member
      crew.share(parts, [&](int, std::size_t part) { ++done[part]; });
      EXPECT_EQ(done, std::vector<int>(parts, 1)) << members << " members";
    }
  }
}

TEST(Crew, NoTwoThreadsAreTheSameMember) {
  Crew crew(5);
  std::vector<std::size_t> by_member(5, 0);  // plain: a race here is a race over kernels
  for (int job = 0; job < 200; ++job)
    crew.share(50, [&](int member, std::size_t) { ++by_member[member]; });
  EXPECT_EQ(std::accumulate(by_member.begin(), by_member.end(), std::size_t{0}), 200u * 50u);
}

// Members who come late to one job may find the next one open; what they read must be the next one's.
TEST(Crew, TakesManyShortJobsOneAfterAnother) {
  Crew crew(3);
  for (int job = 1; job <= 20000; ++job) {
    int sum[4] = {};
    crew.share(4, [&, job](int, std::size_t part) { sum[part] = job; });
    ASSERT_EQ(sum[0] + sum[1] + sum[2] + sum[3], 4 * job);
  }
}

// Whoever throws, the caller hears of it, and the crew goes on with the next job.
TEST(Crew, ThrowsWhatItsMembersThrow) {
  for (int members : {1, 2, 5}) {
    Crew crew(members);
    for (int job = 0; job < 200; ++job) {
      std::atomic<int> begun = 0;
      EXPECT_THROW(crew.share(100,
                              [&](int, std::size_t part) {
                                ++begun;
                                if (part == 7) throw std::bad_alloc();
                              }),
                   std::bad_alloc);
      EXPECT_GE(begun, 1);
      EXPECT_THROW(crew.share(3, [](int, std::size_t) { throw std::runtime_error("each"); }),
                   std::runtime_error);
      std::atomic<int> done = 0;
      crew.share(100, [&](int, std::size_t) { ++done; });
      ASSERT_EQ(done, 100);
    }
  }
}

TEST(Crew, MayBeDismissedBeforeItsFirstJob) {
  for (int k = 0; k < 50; ++k) Crew crew(4);
}

}  // namespace
}  // namespace parid
