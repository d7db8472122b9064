// Quantities on an OpenCL device against the engine on the CPU.

#include "parid/device.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "model/joint/quaternions.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

std::string no_device() {
  try {
    return compute_devices().empty() ? "OpenCL has no device here" : "";
  } catch (const Error& e) {
    return e.what();
  }
}

#define SKIP_WITHOUT_DEVICE() \
  if (const std::string reason = no_device(); !reason.empty()) GTEST_SKIP() << reason

template <class Real>
using Arrays = std::vector<std::vector<Real>>;

template <class Real>
Arrays<Real> random_inputs(const Robot& robot, const std::vector<std::size_t>& widths,
                           std::size_t rows, Rng& rng) {
  Arrays<Real> all;
  for (const std::size_t width : widths) {
    std::vector<Real> one(rows * width);
    for (Real& x : one) x = static_cast<Real>(uniform(rng, -2, 2));
    all.push_back(one);
  }
  if constexpr (std::is_same_v<Real, double>)
    for_each_quaternion(robot.description(), [&](const JointDescription&, int p) {
      for (std::size_t r = 0; r < rows; ++r)
        normalise_quaternion(
            &all[0][r * static_cast<std::size_t>(robot.nq()) + static_cast<std::size_t>(p)]);
    });
  return all;
}

template <class Real>
Arrays<Real> on_device(DeviceEngine& engine, Quantity which, std::size_t rows,
                       const Arrays<Real>& in) {
  Arrays<Real> out;
  for (const std::size_t width : engine.output_widths(which))
    out.emplace_back(rows * width, Real(7));
  const std::vector<std::span<const Real>> from(in.begin(), in.end());
  const std::vector<std::span<Real>> to(out.begin(), out.end());
  engine.evaluate(which, rows, from, to);
  return out;
}

Arrays<double> on_cpu(Engine& engine, Quantity which, std::size_t rows, const Arrays<double>& in) {
  Arrays<double> out;
  const std::vector<std::size_t> widths = engine.output_widths(which);
  for (const std::size_t width : widths) out.emplace_back(rows * width);
  std::vector<StridedInput> from;
  std::vector<StridedOutput> to;
  for (std::size_t k = 0; k < in.size(); ++k)
    from.push_back({in[k].data(), in[k].size() / rows, 1});
  for (std::size_t k = 0; k < out.size(); ++k) to.push_back({out[k].data(), widths[k], 1});
  engine.evaluate(which, rows, from, to);
  return out;
}

template <class Real>
void expect_equal(const Arrays<Real>& got, const Arrays<double>& want, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t a = 0; a < got.size(); ++a) {
    double scale = 1e-6;
    for (const double x : want[a]) scale = std::max(scale, std::abs(x));
    ASSERT_EQ(got[a].size(), want[a].size());
    for (std::size_t k = 0; k < got[a].size(); ++k)
      ASSERT_NEAR(static_cast<double>(got[a][k]), want[a][k], tolerance * scale)
          << what << ", output " << a << ", number " << k;
  }
}

TEST(DeviceEngine, ListsDevices) {
  SKIP_WITHOUT_DEVICE();
  for (const ComputeDevice& d : compute_devices()) {
    EXPECT_FALSE(d.name.empty());
    EXPECT_FALSE(d.platform.empty());
    EXPECT_EQ(d.version.find("OpenCL "), 0u) << d.version;
    EXPECT_GT(d.compute_units, 0);
    EXPECT_GT(d.memory, 0u);
  }
}

// Every quantity that a batch can compute, for an arm that is not built in: offset bases, mirrored
// axes and tools come with the random frames.
TEST(DeviceEngine, EveryQuantityEqualsTheCpus) {
  SKIP_WITHOUT_DEVICE();
  Rng rng(3);
  // a device's compiler takes more than a minute for the derivatives of four joints
  const Robot robot(random_chain(rng, cases(2, 4), {.revolute = 3, .prismatic = 1}));
  const std::vector<Quantity> all = batched_quantities();
  ASSERT_GT(all.size(), 8u);
  Engine cpu(robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
  constexpr std::size_t rows = 37;
  for (const Quantity which : all) {
    DeviceEngine device(robot, {.quantities = {which}, .launch_rows = 16});
    EXPECT_EQ(device.input_names(which), cpu.input_names(which));
    const Arrays<double> in = random_inputs<double>(robot, device.input_widths(which), rows, rng);
    expect_equal(on_device(device, which, rows, in), on_cpu(cpu, which, rows, in), 1e-9,
                 name(which));
  }
}

TEST(DeviceEngine, TreesWithQuaternionsAndRotors) {
  SKIP_WITHOUT_DEVICE();
  Rng rng(8);
  const Robot robot(random_tree(
      rng, 7, {.revolute = 2, .prismatic = 1, .planar = 1, .spherical = 1, .floating_base = true}));
  Engine cpu(robot, {.threads = 1, .kernel = KernelKind::generic});
  DeviceEngine device(robot);
  constexpr std::size_t rows = 100;
  const auto which = Quantity::inverse_dynamics;
  const Arrays<double> in = random_inputs<double>(robot, device.input_widths(which), rows, rng);
  const Arrays<double> want = on_cpu(cpu, which, rows, in);
  expect_equal(on_device(device, which, rows, in), want, 1e-12, "inverse");
  std::vector<double> tau(want[0].size());
  device.inverse_dynamics(rows, in[0], in[1], in[2], tau);
  expect_equal<double>({tau}, want, 1e-12, "inverse_dynamics()");
}

TEST(DeviceEngine, ComputesInFloat) {
  SKIP_WITHOUT_DEVICE();
  Rng rng(4);
  const Robot robot = Robot::load("panda");
  Engine cpu(robot, {.threads = 1, .kernel = KernelKind::generic});
  DeviceEngine device(robot, {.single_precision = true});
  EXPECT_TRUE(device.single_precision());
  constexpr std::size_t rows = 65;
  const auto which = Quantity::inverse_dynamics;
  const Arrays<float> in = random_inputs<float>(robot, device.input_widths(which), rows, rng);
  Arrays<double> same;
  for (const auto& a : in) same.emplace_back(a.begin(), a.end());
  const Arrays<double> want = on_cpu(cpu, which, rows, same);
  const Arrays<float> got = on_device(device, which, rows, in);
  expect_equal(got, want, 2e-5, "float");
  EXPECT_NE(static_cast<double>(got[0][0]), want[0][0]);
  std::vector<double> tau(rows * 7);
  EXPECT_THROW(device.inverse_dynamics(rows, same[0], same[1], same[2], tau),
               std::invalid_argument);
}

TEST(DeviceEngine, TakesArgumentsPerRow) {
  SKIP_WITHOUT_DEVICE();
  Rng rng(5);
  const Robot robot(random_chain(rng, 3));
  const RowArguments vary{.parameters = parameter_links(robot), .gravity = true};
  Engine cpu(robot, {.threads = 1, .kernel = KernelKind::generic, .per_row = vary});
  DeviceEngine device(robot, {.per_row = vary});
  constexpr std::size_t rows = 20;
  const auto which = Quantity::inverse_dynamics;
  const Arrays<double> in = random_inputs<double>(robot, device.input_widths(which), rows, rng);
  EXPECT_EQ(in.size(), 5u);
  expect_equal(on_device(device, which, rows, in), on_cpu(cpu, which, rows, in), 1e-12, "per row");
}

// Sums of large angles lose digits in the program, and sines of infinities are not defined there.
TEST(DeviceEngine, LargeAnglesAndNonFiniteRowsAreRight) {
  SKIP_WITHOUT_DEVICE();
  Rng rng(6);
  const Robot robot = Robot::load("puma560");
  Engine cpu(robot, {.threads = 1, .kernel = KernelKind::generic});
  DeviceEngine device(robot, {.launch_rows = 5});
  constexpr std::size_t rows = 23;
  const auto which = Quantity::inverse_dynamics;
  Arrays<double> in = random_inputs<double>(robot, device.input_widths(which), rows, rng);
  in[0][0] = 1e9;
  in[0][6 * 7 + 2] = -1e6;
  in[0][6 * 8 + 1] = 3e5;
  in[0][6 * 22 + 5] = 1e12;
  expect_equal(on_device(device, which, rows, in), on_cpu(cpu, which, rows, in), 1e-12, "far");
  in[0][6 * 9] = std::numeric_limits<double>::quiet_NaN();
  const Arrays<double> got = on_device(device, which, rows, in);
  EXPECT_TRUE(std::isnan(got[0][6 * 9]));
  EXPECT_FALSE(std::isnan(got[0][6 * 10]));
}

TEST(DeviceEngine, ChoosesDevicesByName) {
  SKIP_WITHOUT_DEVICE();
  const Robot robot = Robot::load("planar2");
  const std::vector<ComputeDevice> all = compute_devices();
  const auto chosen = [&](const std::string& device) {
    return DeviceEngine(robot, {.device = device, .single_precision = true}).device().name;
  };
  EXPECT_EQ(chosen("0"), all[0].name);
  EXPECT_EQ(chosen(all[0].name), all[0].name);
  std::string upper = all[0].name;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  EXPECT_EQ(chosen(upper), all[0].name);
  if (all.size() == 1) {
    EXPECT_EQ(chosen(all[0].platform.substr(1, 4)), all[0].name);
  }
  for (const char* wrong : {"no such device", "9999"}) {
    const std::string refused = complaint([&] { chosen(wrong); });
    EXPECT_EQ(refused.find("there is no OpenCL device "), 0u) << refused;
    EXPECT_NE(refused.find("choose from 0 '" + all[0].name + "'"), std::string::npos) << refused;
  }
}

TEST(DeviceEngine, RefusesWhatItCannotCompute) {
  SKIP_WITHOUT_DEVICE();
  const Robot robot = Robot::load("planar2");
  EXPECT_THROW(DeviceEngine(robot, {.quantities = {Quantity::rollout}}), Error);
  EXPECT_THROW(DeviceEngine(robot, {.quantities = {Quantity::jacobian}, .link = "nowhere"}), Error);
  EXPECT_THROW(DeviceEngine(robot, {.launch_rows = 0}), std::invalid_argument);
  DeviceEngine engine(robot);
  EXPECT_THROW(engine.output_widths(Quantity::mass_matrix), Error);
  std::vector<double> two(2), three(3);
  EXPECT_THROW(engine.inverse_dynamics(1, two, two, two, three), std::invalid_argument);
  EXPECT_THROW(engine.inverse_dynamics(2, two, two, two, two), std::invalid_argument);
  EXPECT_THROW(
      engine.evaluate(Quantity::inverse_dynamics, 1, std::vector<std::span<const double>>{two, two},
                      std::vector<std::span<double>>{two}),
      std::invalid_argument);
  engine.inverse_dynamics(0, {}, {}, {}, std::span<double>());
}

}  // namespace
}  // namespace parid::test
