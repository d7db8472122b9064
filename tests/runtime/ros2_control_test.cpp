// The example controller of examples/ros2_control against stub headers: it controls a robot from
// its robot_description, refuses bad ones without exceptions, and a second of its 4 kHz loop
// allocates nothing, takes no lock and calls no system function. Time is not measured.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "computed_torque_controller.hpp"
#include "parid/parid.hpp"

namespace {
std::atomic<long> locks{0}, allocations{0};
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PARID_COUNTS 1
// Replace the library's functions, count, and call them.
extern "C" int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  using Lock = int (*)(pthread_mutex_t*);
  static const auto next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  ++locks;
  return next(m);
}
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
#else
#define PARID_COUNTS 0
#endif

namespace parid::test {
namespace {

using controller_interface::return_type;
using CallbackReturn = controller_interface::CallbackReturn;

// An arm that is not built in: a tilted base, a mirrored axis, an offset tool, odd names.
const std::string description = R"(<?xml version="1.0"?><robot name="cell 7">
<link name="world"/><link name="base"/>
<joint name="mount" type="fixed"><origin xyz="0 0 0.7" rpy="0.5 0 0.2"/><parent link="world"/>
<child link="base"/></joint>
<link name="upper"><inertial><origin xyz="0.2 0 0.05"/><mass value="3"/>
<inertia ixx="0.02" iyy="0.1" izz="0.1" ixy="0" ixz="0.01" iyz="0"/></inertial></link>
<link name="lower"><inertial><origin xyz="0.15 0.02 0"/><mass value="1.5"/>
<inertia ixx="0.01" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="tool"><inertial><origin xyz="0 0 0.1"/><mass value="0.7"/>
<inertia ixx="0.004" iyy="0.004" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="arm/shoulder" type="revolute"><origin rpy="0 0 1"/><parent link="base"/>
<child link="upper"/><axis xyz="0 -1 0"/><limit lower="-2" upper="2" velocity="3" effort="99"/></joint>
<joint name="arm/elbow" type="revolute"><origin xyz="0.4 0 0" rpy="0.3 0 0"/><parent link="upper"/>
<child link="lower"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" velocity="3" effort="99"/></joint>
<joint name="wrist" type="revolute"><origin xyz="0.3 0 0"/><parent link="lower"/>
<child link="tool"/><axis xyz="0.6 0 0.8"/><limit lower="-2" upper="2" velocity="3" effort="9"/></joint>
</robot>)";

struct Ros2Control : testing::Test {
  parid_example::ComputedTorqueController controller;
  // in an order of their own
  std::vector<std::string> joints{"wrist", "arm/shoulder", "arm/elbow"};
  std::vector<double> state = std::vector<double>(6), effort = std::vector<double>(3);

  CallbackReturn configured(const std::string& text) {
    controller.node->parameters["joints"] = joints;
    controller.robot_description = text;
    EXPECT_EQ(controller.on_init(), CallbackReturn::SUCCESS);
    return controller.on_configure({});
  }
  void activate() {
    for (double& x : state) controller.state_interfaces_.emplace_back(&x);
    for (double& x : effort) controller.command_interfaces_.emplace_back(&x);
    ASSERT_EQ(controller.on_activate({}), CallbackReturn::SUCCESS);
  }
};

TEST_F(Ros2Control, MovesARobotFromItsDescription) {
  ASSERT_EQ(configured(description), CallbackReturn::SUCCESS) << controller.node->last_error;
  EXPECT_EQ(controller.command_interface_configuration().names[1], "arm/shoulder/effort");
  EXPECT_EQ(controller.state_interface_configuration().names[3], "wrist/velocity");
  state = {0.3, -0.4, 0.8, 0, 0, 0};
  activate();
  // The robot, by the C++ API, with the joints in the file's order.
  const Robot robot = Robot::from_text(description);
  Workspace workspace(robot);
  const int order[] = {robot.nv() - 1, 0, 1};
  std::vector<double> q(3), v(3), a(3), tau(3);
  const std::vector<double> goal{-0.2, 0.5, 0.1};
  for (int k = 0; k < 3; ++k)
    q[static_cast<std::size_t>(order[k])] = state[static_cast<std::size_t>(k)];
  ASSERT_EQ(controller.update({}, {}), return_type::OK);
  gravity(robot, workspace, q, tau);
  for (std::size_t j = 0; j < 3; ++j)  // holds the pose of its activation
    EXPECT_NEAR(effort[j], tau[static_cast<std::size_t>(order[j])], 1e-12);
  EXPECT_GT(std::abs(effort[1]), 1);
  controller.set_goal(goal);
  const double dt = 1.0 / 4000;
  for (int step = 0; step < 8000; ++step) {
    ASSERT_EQ(controller.update({}, {}), return_type::OK);
    for (std::size_t j = 0; j < 3; ++j) tau[static_cast<std::size_t>(order[j])] = effort[j];
    forward_dynamics(robot, workspace, q, v, tau, a);
    for (std::size_t k = 0; k < 3; ++k) {
      v[k] += dt * a[k];
      q[k] += dt * v[k];
    }
    for (std::size_t j = 0; j < 3; ++j) {
      state[j] = q[static_cast<std::size_t>(order[j])];
      state[3 + j] = v[static_cast<std::size_t>(order[j])];
    }
  }
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(state[j], goal[j], 1e-3);
  EXPECT_EQ(controller.on_deactivate({}), CallbackReturn::SUCCESS);
  EXPECT_EQ(effort, std::vector<double>(3));
}

TEST_F(Ros2Control, RefusesBadDescriptionsWithoutExceptions) {
  EXPECT_NO_THROW(EXPECT_EQ(configured("<robot"), CallbackReturn::ERROR));
  EXPECT_NE(controller.node->last_error.find("robot_description"), std::string::npos);
  EXPECT_NO_THROW(EXPECT_EQ(configured(""), CallbackReturn::ERROR));
  joints = {"wrist", "arm/shoulder"};
  EXPECT_EQ(configured(description), CallbackReturn::ERROR);
  EXPECT_NE(controller.node->last_error.find("2 names"), std::string::npos);
  joints = {"wrist", "arm/shoulder", "elbwo"};
  EXPECT_EQ(configured(description), CallbackReturn::ERROR);
  EXPECT_NE(controller.node->last_error.find("'elbwo'"), std::string::npos);
}

// A second at 4 kHz, with other numbers in every period.
void one_second(parid_example::ComputedTorqueController& controller, std::vector<double>& state) {
  for (int step = 0; step < 4000; ++step) {
    for (std::size_t j = 0; j < state.size(); ++j)
      state[j] = 1e-3 * static_cast<double>((step * 37 + static_cast<int>(j) * 101) % 1000);
    if (controller.update({}, {}) != return_type::OK) syscall(SYS_exit, 3);
  }
}

TEST_F(Ros2Control, ALoopNeitherAllocatesNorLocks) {
  if (!PARID_COUNTS) GTEST_SKIP() << "sanitizers replace the functions that are counted";
  ASSERT_EQ(configured(description), CallbackReturn::SUCCESS);
  activate();
  const long before = allocations;
  std::free(std::malloc(1));
  ASSERT_GT(allocations, before) << "an allocation would not be noticed";
  const long locks_before = locks, allocations_before = allocations;
  one_second(controller, state);
  EXPECT_EQ(allocations - allocations_before, 0);
  EXPECT_EQ(locks - locks_before, 0);
}

TEST_F(Ros2Control, ALoopCallsNoSystemFunction) {
  if (!PARID_COUNTS) GTEST_SKIP() << "sanitizers call the system themselves";
  ASSERT_EQ(configured(description), CallbackReturn::SUCCESS);
  activate();
  auto ended = [](const auto& work) {  // by which signal, after only read, write and exit are left
    const pid_t child = fork();
    if (child == 0) {
      if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) syscall(SYS_exit, 77);
      work();
      syscall(SYS_exit, 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
  };
  const int noticed = ended([] { getppid(); });
  if (noticed == -77) GTEST_SKIP() << "seccomp is not permitted here";
  ASSERT_EQ(noticed, SIGKILL) << "a system call would not be noticed";
  EXPECT_EQ(ended([&] { one_second(controller, state); }), 0);
}

}  // namespace
}  // namespace parid::test
