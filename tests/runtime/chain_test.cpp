// Long chains, and trees of long limbs, over lanes and threads: the torques of the serial sweep, of
// KDL and of more digits; the same bits on any number of threads.

#include <gtest/gtest.h>

#include <cstring>

#include "base/threads/phased_thread_pool.hpp"
#include "formulation/all.hpp"
#include "model/format/load.hpp"
#include "parid/inverse_dynamics.hpp"
#include "peers/peer.hpp"
#include "runtime/kernel/chain_kernel.hpp"
#include "runtime/kernel/chain_layout.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/method/evaluation.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

double relative_error(const std::vector<double>& x, const std::vector<double>& y) {
  double off = 0, scale = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return off / scale;
}

std::vector<double> torques(Kernel<double>& kernel, const RandomState& s) {
  std::vector<double> tau(s.v.size(), NAN);
  kernel.inverse_dynamics(s.q.data(), s.v.data(), s.a.data(), tau.data(), 1);
  return tau;
}

// Limbs of that many links on a body of a few.
Description limbs(Rng& rng, int count, int length, const RandomRobot& options = {}) {
  Description d = random_chain(rng, 3, options);
  const std::string body = d.links.back().name;
  for (int l = 0; l < count; ++l) {
    std::string parent = body;
    for (int i = 0; i < length + l % 3; ++i) {
      add_random_link(rng, d, parent, random_type(rng, options), options);
      parent = d.links.back().name;
    }
  }
  return d;
}

std::vector<Description> robots() {
  Rng rng(1);
  std::vector<Description> all;
  for (int n : {1, 2, 7, 8, 9, 16, 31, 64, 65, 200, 385})
    all.push_back(load_description("chain:" + std::to_string(n)));
  for (int n : {1, 5, 24, 61, 230}) {
    all.push_back(random_chain(rng, n));
    all.push_back(random_chain(rng, n, {.revolute = 0.6, .prismatic = 0.4, .tips = true}));
  }
  all.push_back(limbs(rng, 8, 20));
  all.push_back(limbs(rng, 5, 33, {.revolute = 0.7, .prismatic = 0.3}));
  all.push_back(random_tree(rng, 60, {.revolute = 0.7, .prismatic = 0.3}));
  return all;
}

TEST(ChainKernel, AgreesWithTheSerialSweep) {
  Rng rng(2);
  for (const Description& d : robots()) {
    const Robot robot(d);
    ASSERT_TRUE(chain_kernel_covers(robot.canonical())) << d.name;
    const auto serial = best_kernels<KernelSet>().single(robot.canonical());
    ExternalLoads around;
    around.set_base_motion(robot, {0.3, -0.2, 0.5}, {1, 0.4, -2}, {1, 2, 3});
    around.add_wrench(robot, robot.tip(), {1, 2, 3}, {0.1, -0.2, 0.3});
    around.add_wrench(robot, d.joints[0].child, {-3, 2, 1}, {0.3, 0.2, 0.1});
    for (const ChainKernelSet& set : kernel_sets<ChainKernelSet>())
      for (int threads : {1, 2, 3}) {
        const auto kernel = set.make(robot.canonical(), threads);
        const RandomState s = random_state(rng, d);
        EXPECT_LE(relative_error(torques(*kernel, s), torques(*serial, s)), 1e-12)
            << d.name << ", " << robot.nv() << ", " << set.name << ", " << threads;
        for (Kernel<double>* k : {kernel.get(), serial.get()}) {
          k->set_base_motion(around.base);
          k->set_external(around.external);
        }
        EXPECT_LE(relative_error(torques(*kernel, s), torques(*serial, s)), 1e-12)
            << d.name << ", " << robot.nv() << ", " << set.name << ", pushed";
        serial->set_base_motion({});
        serial->set_external({});
        kernel->set_base_motion({});
        kernel->set_external({});
        EXPECT_LE(relative_error(torques(*kernel, s), torques(*serial, s)), 1e-12) << "again";
      }
  }
}

TEST(ChainKernel, AgreesWithKdl) {
  const Description d = load_description("chain:300");
  std::unique_ptr<peers::Peer> kdl;
  try {
    kdl = peers::kdl(d);
  } catch (const std::runtime_error&) {
    GTEST_SKIP() << "KDL is not installed";
  }
  const Robot robot(d);
  Rng rng(3);
  const RandomState s = random_state(rng, d);
  std::vector<double> want(300);
  kdl->inverse_dynamics(s.q.data(), s.v.data(), s.a.data(), want.data());
  for (const ChainKernelSet& set : kernel_sets<ChainKernelSet>())
    EXPECT_LE(relative_error(torques(*set.make(robot.canonical(), 2), s), want), 1e-11) << set.name;
}

// Against 64-bit mantissas.
TEST(ChainKernel, IsAccurateOnFourThousandLinks) {
  const Robot robot = Robot::load("chain:4096");
  Rng rng(4);
  const RandomState s = random_state(rng, robot.description());
  Evaluation<NewtonEulerLinkDense, long double> e(robot.canonical());
  const std::vector<long double> q(s.q.begin(), s.q.end()), v(s.v.begin(), s.v.end()),
      a(s.a.begin(), s.a.end());
  std::vector<long double> tau(s.v.size());
  e.torque(q.data(), v.data(), a.data(), tau.data());
  const std::vector<double> want(tau.begin(), tau.end());
  for (const ChainKernelSet& set : kernel_sets<ChainKernelSet>())
    EXPECT_LE(relative_error(torques(*set.make(robot.canonical(), 1), s), want), 1e-12) << set.name;
}

TEST(ChainKernel, BitsDoNotDependOnTheThreads) {
  for (int n : {100, 300, 2100}) {
    const Robot robot = Robot::load("chain:" + std::to_string(n));
    Rng rng(5);
    const RandomState s = random_state(rng, robot.description());
    for (const ChainKernelSet& set : kernel_sets<ChainKernelSet>()) {
      const std::vector<double> want = torques(*set.make(robot.canonical(), 1), s);
      for (int threads : {2, 3}) {
        const auto kernel = set.make(robot.canonical(), threads);
        for (int again = 0; again < 5; ++again) {
          const std::vector<double> got = torques(*kernel, s);
          ASSERT_EQ(0, std::memcmp(got.data(), want.data(), want.size() * sizeof(double)))
              << n << ", " << set.name << ", " << threads;
        }
      }
    }
  }
}

TEST(ChainKernel, IsChosenWhereItPays) {
  const int lanes = best_kernels<ChainKernelSet>().lanes;
  auto choice = [](const char* name, int threads) {
    return chain_choice(Robot::load(name).canonical(), threads);
  };
  for (const char* name : {"puma560", "panda", "chain:12", "humanoid", "quadruped"})
    EXPECT_EQ(choice(name, 2).lanes, 1) << name;
  if (lanes < 4) GTEST_SKIP() << "two lanes do not pay";
  EXPECT_EQ(choice("chain:100", 2).text(), std::to_string(lanes) + " lanes");
  EXPECT_EQ(choice("chain:2100", 2).text(), std::to_string(lanes) + " lanes on 2 threads");
  EXPECT_EQ(choice("chain:2100", 1).text(), std::to_string(lanes) + " lanes");
  Rng rng(6);
  EXPECT_EQ(chain_choice(Robot(limbs(rng, 8, 40)).canonical(), 2).text(),
            lanes < 8 ? "one link after another" : "8 lanes");
  EXPECT_EQ(chain_choice(Robot(random_tree(rng, 60)).canonical(), 2).text(),
            "one link after another");
}

TEST(ChainKernel, WorkspacesHaveIt) {
  const Robot robot = Robot::load("chain:500");
  const auto serial = best_kernels<KernelSet>().single(robot.canonical());
  Rng rng(7);
  const RandomState s = random_state(rng, robot.description());
  for (int threads : {1, 2}) {
    Workspace workspace(robot, {.threads = threads});
    EXPECT_EQ(workspace.arrangement(), chain_choice(robot.canonical(), threads).text());
    std::vector<double> tau(500);
    inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
    EXPECT_LE(relative_error(tau, torques(*serial, s)), 1e-12);
  }
}

// Every link is in one lane, after the link that carries it, in its own stretch or the one before.
TEST(ChainLayout, HoldsEveryLinkOnce) {
  for (const Description& d : robots()) {
    const Robot robot(d);
    const Topology& t = robot.canonical().topology;
    for (int lanes : {2, 4, 8}) {
      const ChainLayout layout(robot.canonical(), lanes);
      std::vector<int> last(layout.groups() * lanes, 0), seen(t.n + 1, 0);
      std::vector<bool> come(layout.groups() * lanes, false);
      for (int k = 0; k < layout.stretches(); ++k) {
        const int s = layout.in_order(k), parent = layout.parent(s);
        EXPECT_TRUE(parent < 0 || come[parent]) << d.name;
        come[s] = true;
        int before = parent < 0 ? 0 : last[parent];
        bool padding = false;
        for (int i = 0; i < layout.length(s / lanes); ++i) {
          const int l = layout.link(s / lanes, s % lanes, i);
          EXPECT_FALSE(l != 0 && padding) << d.name;
          if ((padding = l == 0)) continue;
          EXPECT_EQ(t.parent[l], before) << d.name;
          ++seen[l];
          before = l;
        }
        last[s] = before;
      }
      for (int l = 1; l <= t.n; ++l) EXPECT_EQ(seen[l], 1) << d.name << ", " << l;
    }
  }
}

TEST(PhasedThreadPool, PhasesSeeWhatTheyWaitFor) {
  for (int members : {1, 2, 3}) {
    PhasedThreadPool phased_pool(members);
    std::vector<int> first(members), second(members), third(members);
    static constexpr PhasedThreadPool::After after[] = {PhasedThreadPool::After::earlier,
                                                        PhasedThreadPool::After::later};
    for (int job = 1; job <= 300; ++job) {
      phased_pool.run(after, [&](int phase, int part) {
        if (phase == 0) first[part] = job + part;
        if (phase == 1) {
          second[part] = job;
          for (int p = 0; p < part; ++p) second[part] += first[p];
        }
        if (phase == 2) {
          third[part] = job;
          for (int p = part + 1; p < members; ++p) third[part] += second[p];
        }
      });
      for (int part = 0; part < members; ++part) {
        int want = job;
        for (int p = part + 1; p < members; ++p) want += job + p * job + p * (p - 1) / 2;
        ASSERT_EQ(third[part], want) << members << ", job " << job << ", part " << part;
      }
    }
  }
}

TEST(PhasedThreadPool, GoesOnWithoutThoseWhoSleep) {
  PhasedThreadPool phased_pool(3);
  static constexpr PhasedThreadPool::After after[] = {PhasedThreadPool::After::all};
  for (int job = 0; job < 5; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the others are asleep by now
    std::atomic<int> parts{0};
    phased_pool.run(after, [&](int, int) { ++parts; });
    EXPECT_EQ(parts, 6);
  }
}

}  // namespace
}  // namespace parid::test
