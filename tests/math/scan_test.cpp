// Scans: right for any associative operation, in as many steps as promised.

#include "math/scan.hpp"

#include <gtest/gtest.h>

#include <string>

#include "graph/depth.hpp"
#include "graph/expr.hpp"
#include "math/mat3.hpp"
#include "math/network.hpp"
#include "runtime/kernel/thread_pool_executor.hpp"
#include "scalar/pack.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

// Words joined: associative, and as far from commutative as can be.
std::string join(const std::string& a, const std::string& b) { return a + b; }
std::vector<std::string> letters(int n) {
  std::vector<std::string> x;
  for (int i = 0; i < n; ++i) x.push_back(std::string(1, static_cast<char>('!' + i % 90)));
  return x;
}
std::vector<std::string> prefixes(const std::vector<std::string>& x) {
  std::vector<std::string> y;
  for (const std::string& w : x) y.push_back((y.empty() ? "" : y.back()) + w);
  return y;
}

std::vector<ScanPlan> all_plans(int n) {
  std::vector<ScanPlan> plans{serial_scan(n), recursive_doubling(n), divided_scan(n), tree_scan(n)};
  for (int p = 1; p <= n + 1; p += 1 + p / 3) plans.push_back(p_fold_scan(n, p));
  return plans;
}

TEST(Scan, EveryPlanGivesThePrefixes) {
  for (int n = 1; n <= 69; ++n)
    for (const ScanPlan& plan : all_plans(n)) {
      std::vector<std::string> x = letters(n), room(plan.widest());
      scan(plan, x.data(), join);
      EXPECT_EQ(x, prefixes(letters(n))) << n;
      x = letters(n);
      scan(plan, x.data(), room.data(), join, InTurn{});
      EXPECT_EQ(x, prefixes(letters(n))) << n;
    }
}

TEST(Scan, FromTheEnd) {
  for (int n = 1; n <= 33; ++n)
    for (const ScanPlan& plan : all_plans(n)) {
      std::vector<std::string> x = letters(n);
      scan_from_end(plan, x.data(), join);
      std::string want;
      for (int i = n - 1; i >= 0; --i) {
        want = letters(n)[i] + want;
        EXPECT_EQ(x[i], want) << n;
      }
    }
}

TEST(Scan, NoStepOfARoundReadsWhatAnEarlierOneWrote) {
  for (int n = 1; n <= 69; ++n)
    for (const ScanPlan& plan : all_plans(n))
      for (const auto& round : plan.rounds) {
        std::vector<bool> written(n, false);
        for (const ScanStep& s : round) {
          EXPECT_LT(s.from, s.to);
          EXPECT_FALSE(written[s.from] || written[s.to]);
          written[s.to] = true;
        }
      }
}

// A recurrence x(0), …, x(n) of Lee and Chang has n + 1 elements.
TEST(Scan, RecursiveDoublingTakesTheLogarithm) {
  for (int n = 1; n <= 128; ++n) {
    EXPECT_EQ(recursive_doubling(n + 1).depth(), ceil_log2(n + 1)) << n;
    EXPECT_EQ(recursive_doubling(n + 1).time(n + 1), ceil_log2(n + 1)) << n;
    EXPECT_EQ(divided_scan(n + 1).depth(), ceil_log2(n + 1)) << n;
    EXPECT_LE(divided_scan(n + 1).widest(), (n + 1) / 2) << n;
    EXPECT_LT(tree_scan(n + 1).work(), 2 * (n + 1)) << n;
    EXPECT_LE(tree_scan(n + 1).depth(), 2 * ceil_log2(n + 1)) << n;
    EXPECT_EQ(serial_scan(n + 1).work(), n) << n;
  }
}

TEST(Scan, PFoldTakesTheCorrectedTime) {
  int cases = 0, misprinted = 0;
  std::pair<int, int> first{0, 0};
  for (int n = 1; n <= 128; ++n)
    for (int p = 1; p <= n + 1; ++p) {
      const ScanPlan plan = p_fold_scan(n + 1, p);
      const int t = plan.time(p);
      ASSERT_EQ(t, p_fold_time(n, p)) << n << ", " << p;
      // Their lower bound, of order ⌈n/p⌉ + ⌈log2 p⌉: never beaten, and never missed by more than
      // twice the first term.
      const int floor = (n + p - 1) / p;
      EXPECT_GE(t, std::max(floor, ceil_log2(n + 1))) << n << ", " << p;
      EXPECT_LE(t, 2 * floor + ceil_log2(p)) << n << ", " << p;
      ++cases;
      if (t != p_fold_time_as_printed(n, p)) {
        if (misprinted++ == 0) first = {n, p};
        EXPECT_EQ(t, p_fold_time_as_printed(n, p) + 1) << n << ", " << p;
      }
    }
  EXPECT_EQ(cases, 8384);
  EXPECT_EQ(misprinted, 230);
  EXPECT_EQ(first, std::pair(10, 5));
  for (const auto& [p, t] : {std::pair(1, 6), {2, 6}, {3, 5}, {4, 4}, {5, 5}, {6, 5}, {7, 3}})
    EXPECT_EQ(p_fold_time(6, p), t) << p;  // more processors are not always quicker
}

TEST(Scan, OnThreads) {
  ThreadPool pool(3);
  for (int n : {1, 2, 17, 100})
    for (const ScanPlan& plan : all_plans(n)) {
      std::vector<std::string> x = letters(n), room(plan.widest());
      scan(plan, x.data(), room.data(), join, ThreadPoolExecutor{&pool});
      EXPECT_EQ(x, prefixes(letters(n))) << n;
    }
}

const auto product = []<class T>(const Mat3<T>& A, const Mat3<T>& B) { return A * B; };

TEST(Scan, InLanesAndOnThreads) {
  ThreadPool pool(2);
  Rng rng(1);
  for (int n : {1, 3, 4, 5, 16, 31, 64, 129})
    for (int groups : {1, 2, 3}) {
      std::vector<Mat3<double>> x, want;
      for (int i = 0; i < n; ++i) x.push_back(random_rotation(rng));
      want = x;
      scan(serial_scan(n), want.data(), product);
      std::vector<Mat3<double>> y = x;
      LaneScan<Pack<4>, Mat3, double, decltype(product)> alone(n, groups);
      alone(x.data(), product);
      LaneScan<Pack<4>, Mat3, double, decltype(product), ThreadPoolExecutor> together(n, groups);
      together(y.data(), product, ThreadPoolExecutor{&pool});
      for (int i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c)
          for (const auto& got : {x[i].column(c), y[i].column(c)}) {
            EXPECT_NEAR(got.x, want[i].column(c).x, 1e-14) << n << ", " << i;
            EXPECT_NEAR(got.y, want[i].column(c).y, 1e-14) << n << ", " << i;
            EXPECT_NEAR(got.z, want[i].column(c).z, 1e-14) << n << ", " << i;
          }
    }
}

TEST(Scan, AGraphIsAsDeepAsItsPlan) {
  for (int n : {1, 2, 7, 8, 9, 33})
    for (const ScanPlan& plan : all_plans(n)) {
      Graph g;
      std::vector<Expr> x;
      for (int i = 0; i < n; ++i) x.push_back(input(g, "x" + std::to_string(i)));
      scan(plan, x.data(), [](const Expr& a, const Expr& b) { return a + b; });
      for (int i = 0; i < n; ++i) output(g, "y" + std::to_string(i), x[i]);
      EXPECT_LE(depth(g).additions, plan.depth()) << n;
      EXPECT_GE(depth(g).additions, ceil_log2(n)) << n;
    }
  Graph g;
  std::vector<Expr> x;
  for (int i = 0; i < 33; ++i) x.push_back(input(g, "x" + std::to_string(i)));
  scan(recursive_doubling(33), x.data(), [](const Expr& a, const Expr& b) { return a + b; });
  output(g, "y", x[32]);
  EXPECT_EQ(depth(g).additions, 6);
}

// Numbers move only along wires, and still reach their destinations.
TEST(Networks, GiveThePrefixesAndCountTheirSteps) {
  for (int p = 1; p <= 90; ++p)
    for (const Wiring network : networks) {
      std::vector<std::string> x = letters(p);
      const Routing r = scan_on(network, x, join);
      EXPECT_EQ(x, prefixes(letters(p))) << name_of(network) << ", " << p;
      const int levels = ceil_log2(p);
      EXPECT_EQ(r.rounds, levels);
      if (network == Wiring::cascade) {
        EXPECT_EQ(r.steps(), (1 << levels) - 1) << p;
      } else if (levels > 1) {
        EXPECT_EQ(r.steps(), network == Wiring::shuffle ? levels * levels : 2 * levels) << p;
      }
    }
  EXPECT_EQ(routing(Wiring::cascade, 1024).steps(), 1023);
  EXPECT_EQ(routing(Wiring::shuffle, 1024).steps(), 100);
  EXPECT_EQ(routing(Wiring::inverse_shuffle, 1024).steps(), 20);
}

// Of 8: seven to the next one; a deal moves six, one of them to where a wire leads already.
TEST(Networks, LinksAreCountedOnce) {
  EXPECT_EQ(links(Wiring::cascade, 8), 7);
  EXPECT_EQ(links(Wiring::shuffle, 8), 12);
  EXPECT_EQ(links(Wiring::inverse_shuffle, 8), 12);
  EXPECT_EQ(links(Wiring::inverse_shuffle, 5), 12);  // padded
  for (const Wiring w : networks) {
    EXPECT_EQ(links(w, 1), 0);
    EXPECT_EQ(links(w, 64) - links(w, 32), 2 * (links(w, 32) - links(w, 16))) << name_of(w);
  }
}

// An initial value as a block by itself: prefixes of texts, which do not commute.
TEST(Scan, PFoldAfterAnInitialValue) {
  for (int n = 1; n <= 40; ++n)
    for (int p = 1; p <= n; ++p) {
      for (const ShortBlock where : {ShortBlock::last, ShortBlock::first}) {
        const ScanPlan plan = p_fold_scan_after(n, p, where);
        std::vector<std::string> x, y;
        for (int i = 0; i <= n; ++i) x.push_back(std::string(1, static_cast<char>('!' + i)));
        y = x;
        scan(plan, x.data(), [](const auto& a, const auto& b) { return a + b; });
        scan_from_end(plan, y.data(), [](const auto& a, const auto& b) { return a + b; });
        std::string all;
        for (int i = 0; i <= n; ++i) {
          all += static_cast<char>('!' + i);
          ASSERT_EQ(x[i], all) << n << ", " << p;
        }
        ASSERT_EQ(y[0], all);
        const int s = (n + p - 1) / p;
        if (p > 1) {
          const int rounds = s - 1 + ceil_log2(p_fold_blocks(n, p) + 1);
          EXPECT_EQ(plan.depth(), rounds + (s > 1)) << n << ", " << p;
        }
        EXPECT_GE(plan.time(p), least_combining_time(n + 1, p)) << n << ", " << p;
      }
      EXPECT_LE(p_fold_blocks(n, p), p);
    }
}

// Every order of combining m elements on p processors, by how many are left.
TEST(Scan, LeastCombiningTime) {
  for (int m = 1; m <= 40; ++m)
    for (int p = 1; p <= 12; ++p) {
      int left = m, t = 0;  // as many pairs as there are processors: no step can do more
      for (; left > 1; ++t) left -= std::min(p, left / 2);
      EXPECT_EQ(least_combining_time(m, p), t) << m << ", " << p;
    }
}

}  // namespace
}  // namespace parid::test
