// An evaluation asks the system for no memory: counted, over the whole process and all its threads,
// by standing in the allocator's place.

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "parid/parid.h"
#include "parid/run/dynamics.hpp"
#include "parid/run/engine.hpp"
#include "parid/run/kinematics.hpp"
#include "tests/random_robot.hpp"

namespace {
std::atomic<long> allocations{0};
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Sanitizers stand in that place themselves.

// Every other way leads here: operator new of all kinds and std::vector call malloc or aligned_alloc.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) noexcept { return ++allocations, __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) noexcept {
  return ++allocations, __libc_calloc(n, size);
}
void* realloc(void* p, std::size_t n) noexcept { return ++allocations, __libc_realloc(p, n); }
void* memalign(std::size_t line, std::size_t n) noexcept {
  return ++allocations, __libc_memalign(line, n);
}
void* aligned_alloc(std::size_t line, std::size_t n) noexcept {
  return ++allocations, __libc_memalign(line, n);
}
int posix_memalign(void** p, std::size_t line, std::size_t n) noexcept {
  ++allocations;
  *p = __libc_memalign(line, n);
  return *p ? 0 : ENOMEM;
}
}
#endif

namespace parid {
namespace {

class Allocation : public testing::Test {
 protected:
  void SetUp() override {
    const long before = allocations;
    std::vector<double> some(1000);
    asm volatile("" : : "r"(some.data()) : "memory");  // or the compiler does without
    if (allocations == before) GTEST_SKIP() << "allocations cannot be counted in this build";
  }
  std::vector<Robot> robots() const {
    Rng rng(1);
    Description led = random_chain(rng, 6);
    led.joints[4].mimic = Mimic{"joint2", 2, 0.1};
    return {
        Robot::load("puma560"), Robot::load("humanoid"), Robot(led),
        Robot(random_tree(
            rng, 20, {.prismatic = 0.3, .planar = 0.2, .spherical = 0.2, .floating_base = true}))};
  }
};

TEST_F(Allocation, IsCountedHere) {
  struct alignas(64) Line {
    char bytes[64];
  };
  const long before = allocations;
  auto* const line = new Line;
  asm volatile("" : : "r"(line) : "memory");
  EXPECT_EQ(allocations - before, 1);
  delete line;
}

TEST_F(Allocation, OneSampleNeedsNone) {
  for (const Robot& robot : robots()) {
    Rng rng(2);
    const State s = random_state(rng, robot.description());
    const std::vector<float> qf(s.q.begin(), s.q.end()), vf(s.v.begin(), s.v.end()),
        af(s.a.begin(), s.a.end());
    std::vector<double> tau(robot.nv());
    std::vector<float> tau_float(robot.nv());
    Workspace workspace(robot);
    workspace.set_wrench(robot.tip(), {1, 2, 3}, {4, 5, 6});
    inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
    inverse_dynamics(robot, workspace, qf, vf, af, tau_float);
    const long before = allocations;
    for (int k = 0; k < 1000; ++k) {
      inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
      inverse_dynamics(robot, workspace, qf, vf, af, tau_float);
    }
    EXPECT_EQ(allocations - before, 0) << robot.name();
  }
}

TEST_F(Allocation, OneSampleOfALongChainNeedsNone) {
  const Robot robot = Robot::load("chain:400");
  Rng rng(5);
  const State s = random_state(rng, robot.description());
  std::vector<double> tau(robot.nv());
  for (int threads : {1, 2}) {
    Workspace workspace(robot, {.threads = threads});
    inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
    const long before = allocations;
    for (int k = 0; k < 200; ++k) inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
    EXPECT_EQ(allocations - before, 0) << threads;
  }
}

TEST_F(Allocation, KinematicsNeedsNone) {
  for (const Robot& robot : robots()) {
    Rng rng(4);
    const State s = random_state(rng, robot.description());
    const int link = robot.find_link(robot.tip());
    std::vector<double> J(6 * robot.nv());
    Kinematics k(robot);
    const long before = allocations;
    k.set(s.q, s.v, s.a);
    k.pose(link), k.velocity(link), k.acceleration(link);
    for (Axes axes : {Axes::root, Axes::link})
      k.jacobian(link, J, {}, axes), k.jacobian_rate(link, J, {}, axes);
    EXPECT_EQ(allocations - before, 0) << robot.name();
  }
}

TEST_F(Allocation, BatchesNeedNone) {
  const std::size_t most = 3000;
  for (const Robot& robot : robots())
    for (int threads : {1, 2, 5}) {
      Rng rng(3);
      std::vector<double> q, v, a;
      for (std::size_t r = 0; r < most; ++r) {
        const State s = random_state(rng, robot.description());
        q.insert(q.end(), s.q.begin(), s.q.end()), v.insert(v.end(), s.v.begin(), s.v.end()),
            a.insert(a.end(), s.a.begin(), s.a.end());
      }
      const std::vector<float> qf(q.begin(), q.end()), vf(v.begin(), v.end()),
          af(a.begin(), a.end());
      std::vector<double> tau(most * robot.nv());
      std::vector<float> tau_float(most * robot.nv());
      Engine engine(robot, {.threads = threads, .kernel = KernelKind::generic});
      auto evaluate = [&](std::size_t rows) {
        const std::size_t nq = rows * robot.nq(), nv = rows * robot.nv();
        engine.inverse_dynamics(rows, {q.data(), nq}, {v.data(), nv}, {a.data(), nv},
                                std::span<double>(tau.data(), nv));
        engine.inverse_dynamics(rows, {qf.data(), nq}, {vf.data(), nv}, {af.data(), nv},
                                std::span<float>(tau_float.data(), nv));
      };
      evaluate(most);
      const long before = allocations;
      for (std::size_t rows : {std::size_t{1}, std::size_t{40}, std::size_t{500}, most})
        for (int k = 0; k < 50; ++k) evaluate(rows);
      EXPECT_EQ(allocations - before, 0) << robot.name() << ", " << threads << " threads";
    }
}

// What parid.h calls real-time safe.
TEST_F(Allocation, TheCDoorNeedsNoneOncePrepared) {
  for (const char* name : {"puma560", "humanoid", "puma560-positioning"}) {
    parid_robot* r = parid_load(name);
    ASSERT_NE(r, nullptr) << parid_last_error();
    ASSERT_EQ(parid_prepare(r), PARID_OK) << parid_last_error();
    const auto nq = static_cast<std::size_t>(parid_nq(r)),
               nv = static_cast<std::size_t>(parid_nv(r));
    std::vector<double> q(nq), v(nv, 0.1), a(nv, 0.2), x(nv), M(nv * nv), N(M), L(M), J(6 * nv);
    parid_neutral(r, q.data());
    std::vector<float> qf(q.begin(), q.end()), vf(nv), af(nv), xf(nv);
    double R[9], p[3], kinetic = 0, potential = 0;
    const double zero[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    int wrong = 0;
    const long before = allocations;
    for (int k = 0; k < 10; ++k) {
      wrong |= parid_inverse_dynamics(r, q.data(), v.data(), a.data(), x.data());
      wrong |= parid_inverse_dynamics_float(r, qf.data(), vf.data(), af.data(), xf.data());
      wrong |= parid_inverse_dynamics_with_friction(r, q.data(), v.data(), a.data(), x.data());
      wrong |= parid_forward_dynamics(r, q.data(), v.data(), a.data(), x.data());
      wrong |= parid_mass_matrix(r, q.data(), M.data());
      wrong |= parid_bias(r, q.data(), v.data(), x.data());
      wrong |= parid_gravity(r, q.data(), x.data());
      wrong |= parid_coriolis_matrix(r, q.data(), v.data(), M.data());
      wrong |=
          parid_inverse_gradient(r, q.data(), v.data(), a.data(), M.data(), N.data(), L.data());
      wrong |=
          parid_forward_gradient(r, q.data(), v.data(), a.data(), M.data(), N.data(), L.data());
      wrong |= parid_kinematics(r, q.data(), parid_tip(r), R, p);
      wrong |= parid_jacobian(r, q.data(), parid_tip(r), J.data());
      wrong |= parid_energy(r, q.data(), v.data(), &kinetic, &potential);
      wrong |= parid_integrate(r, q.data(), v.data(), q.data());
      wrong |= parid_difference(r, q.data(), q.data(), x.data());
      wrong |= parid_set_base_motion(r, zero, zero, k % 2 ? up : zero);
      wrong |= parid_inverse_dynamics(r, nullptr, v.data(), a.data(), x.data()) + 2;  // said, too
      parid_last_error(), parid_name(r), parid_velocity_name(r, 0), parid_link_name(r, 0);
    }
    EXPECT_EQ(allocations - before, 0) << name;
    EXPECT_EQ(wrong, 0) << parid_last_error();

    parid_engine* e = parid_engine_new(r, 1);
    const std::vector<double> rows_q(100 * nq, 0.5), rows_v(100 * nv, 0.1);
    std::vector<double> dq(100 * nv * nv), dv(dq), da(dq);
    const double* in[] = {rows_q.data(), rows_v.data(), rows_v.data()};
    double* out[] = {dq.data(), dv.data(), da.data()};
    ASSERT_EQ(parid_engine_prepare(e, "inverse_gradient", PARID_GENERIC, nullptr), PARID_GENERIC);
    ASSERT_EQ(parid_engine_rows(e, "inverse_gradient", nullptr, 100, in, out), PARID_OK);
    const long then = allocations;
    wrong = parid_engine_rows(e, "inverse_gradient", nullptr, 100, in, out);
    EXPECT_EQ(allocations - then, 0) << name;
    EXPECT_EQ(wrong, PARID_OK);
    parid_engine_free(e), parid_free(r);
  }
}

}  // namespace
}  // namespace parid
