// An evaluation makes no system call and takes no lock. The kernel checks the first: after
// SECCOMP_MODE_STRICT any call except read, write and exit kills the process.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "parid/denormals.hpp"
#include "parid/parid.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace {
std::atomic<long> locks{0};
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Replaces the library's function, counts, and calls it.
extern "C" int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks;
  return next(m);
}
#endif

namespace parid::test {
namespace {

// How a process ends that is allowed nothing more and then does `work`: 0 where it asked for
// nothing.
template <class Work>
int signal_of(const Work& work) {
  const pid_t child = fork();
  if (child == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) syscall(SYS_exit, 77);
    work();
    syscall(SYS_exit, 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return -1;  // not permitted here
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

class RealTime : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers call the system themselves";
#endif
    const int got = signal_of([] { getppid(); });
    if (got < 0) GTEST_SKIP() << "seccomp is not permitted here";
    ASSERT_EQ(got, SIGKILL) << "a system call would not be noticed";
  }
};

// Every quantity of one sample, in both precisions where there are two.
struct Quantities {
  explicit Quantities(const Robot& r) : robot(r), workspace(r), kinematics(r) {
    Rng rng(3);
    const RandomState s = random_state(rng, r.description());
    q = s.q;
    v = s.v;
    a = s.a;
    qf.assign(q.begin(), q.end());
    vf.assign(v.begin(), v.end());
    af.assign(a.begin(), a.end());
    const auto n = static_cast<std::size_t>(r.nv());
    x.resize(n);
    xf.resize(n);
    square.resize(n * n);
    other.resize(n * n);
    third.resize(n * n);
  }
  void evaluate() {
    inverse_dynamics(robot, workspace, q, v, a, x);
    inverse_dynamics(robot, workspace, qf, vf, af, xf);
    forward_dynamics(robot, workspace, q, v, a, x);
    mass_matrix(robot, workspace, q, square);
    bias(robot, workspace, q, v, x);
    gravity(robot, workspace, q, x);
    kinematics.set(q, v, a);
  }
  const Robot& robot;
  Workspace workspace;
  Kinematics kinematics;
  std::vector<double> q, v, a, x, square, other, third;
  std::vector<float> qf, vf, af, xf;
};

TEST_F(RealTime, OneSampleCallsNeitherTheSystemNorALock) {
  for (const char* name : {"puma560", "humanoid", "stanford", "chain:64"}) {
    const Robot robot = Robot::load(name);
    Quantities quantities(robot);
    quantities.evaluate();
    const long before = locks;
    for (int k = 0; k < 100; ++k) quantities.evaluate();
    EXPECT_EQ(locks - before, 0) << name;
    EXPECT_EQ(signal_of([&] {
                for (int k = 0; k < 100; ++k) quantities.evaluate();
              }),
              0)
        << name;
  }
}

TEST_F(RealTime, NeitherDoesARobotsOwnKernel) {
  const Robot robot = Robot::load("puma560");
  Quantities quantities(robot);
  if (!quantities.workspace.compile()) GTEST_SKIP() << quantities.workspace.note();
  quantities.evaluate();
  const long before = locks;
  quantities.evaluate();
  EXPECT_EQ(locks - before, 0);
  EXPECT_EQ(signal_of([&] {
              for (int k = 0; k < 100; ++k) quantities.evaluate();
            }),
            0);
}

TEST_F(RealTime, NorABatchOnOneThread) {
  const Robot robot = Robot::load("puma560");
  Engine engine(robot, {.threads = 1});
  const std::size_t rows = 100, n = 6;
  std::vector<double> x(rows * n, 0.3), tau(rows * n);
  engine.inverse_dynamics(rows, x, x, x, tau);
  EXPECT_EQ(signal_of([&] { engine.inverse_dynamics(rows, x, x, x, tau); }), 0);
}

TEST(Denormals, AreZeroWhileTheGuardLives) {
  volatile double smallest = std::numeric_limits<double>::denorm_min();
  volatile double normal = std::numeric_limits<double>::min();
  EXPECT_NE(smallest * 1.0, 0);
  {
    const DenormalsAreZero guard;
    if (!guard.active()) GTEST_SKIP() << "this CPU has no such mode";
    EXPECT_EQ(smallest * 1.0, 0);
    EXPECT_EQ(normal * 0.5, 0);
    EXPECT_EQ(normal * 1.0, normal);
  }
  EXPECT_NE(smallest * 1.0, 0);
}

TEST(Denormals, TorquesStayTheSame) {
  const Robot robot = Robot::load("puma560");
  Workspace workspace(robot);
  const std::vector<double> q{0.1, -0.2, 0.3, 0.4, -0.5, 0.6}, small(6, 1e-310), zero(6);
  std::vector<double> with(6), without(6), still(6);
  inverse_dynamics(robot, workspace, q, small, small, without);
  inverse_dynamics(robot, workspace, q, zero, zero, still);
  const DenormalsAreZero guard;
  inverse_dynamics(robot, workspace, q, small, small, with);
  EXPECT_EQ(with, still);
  EXPECT_EQ(with, without);
}

}  // namespace
}  // namespace parid::test
