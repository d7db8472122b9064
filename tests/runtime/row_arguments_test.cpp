// Arguments that differ from row to row: every row equals a batch of one row of a robot that was
// built with those inertias and that gravity, under those loads.

#include "parid/row_arguments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "dynamics/array_size.hpp"
#include "model/canonical_model.hpp"
#include "parid/dynamics.hpp"
#include "parid/engine.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

class RowArgumentsTest : public testing::Test {
 protected:
  RowArgumentsTest() { setenv("PARID_CACHE", scratch_.path("cache").c_str(), 1); }
  ~RowArgumentsTest() override { unsetenv("PARID_CACHE"); }

 private:
  Scratch scratch_;
};

std::array<double, 3> three(const double* x) { return {x[0], x[1], x[2]}; }

// The robot of one row, and its loads.
struct OwnRobot {
  Robot robot;
  Numbers parameters, gravity, base_motion, wrenches;
};

// New inertias for the links that joints move, with nothing fixed to them.
Robot with_new_inertias(const Robot& robot, const std::vector<std::string>& links, Rng& rng) {
  Description d = robot.description();
  const CanonicalModel& c = robot.canonical();
  for (const std::string& name : links) {
    const int moved = robot.find_link(name);
    for (std::size_t k = 0; k < d.links.size(); ++k)
      if (c.link[k].link == c.link[moved].link) d.links[k].inertia.reset();
    d.links[moved].inertia = random_inertia(rng);
  }
  return Robot(d);
}

OwnRobot own_robot(const Robot& robot, const RowArguments& vary, Rng& rng) {
  OwnRobot own{with_new_inertias(robot, vary.parameters, rng), {}, {}, {}, {}};
  const std::vector<std::string> all = parameter_links(robot);
  const Numbers pi = regressor_parameters(own.robot);
  for (const std::string& name : vary.parameters) {
    const auto k = std::find(all.begin(), all.end(), name) - all.begin();
    own.parameters.insert(own.parameters.end(), pi.begin() + 10 * k, pi.begin() + 10 * (k + 1));
  }
  auto numbers = [&](Numbers& to, std::size_t count, double reach) {
    for (std::size_t k = 0; k < count; ++k) to.push_back(uniform(rng, -reach, reach));
  };
  if (vary.gravity) {
    numbers(own.gravity, 3, 10);
    own.robot = own.robot.with_gravity(three(own.gravity.data()));
  }
  if (vary.base_motion) numbers(own.base_motion, 9, 2);
  numbers(own.wrenches, 6 * vary.wrenches.size(), 20);
  return own;
}

// The inputs of a quantity for one row: states, then numbers of a few units.
std::vector<Numbers> own_inputs(const Robot& robot, Quantity what, Rng& rng) {
  const RandomState s = random_state(rng, robot.description());
  std::vector<Numbers> in;
  for (const ArrayInfo& a : info(what).inputs) {
    const std::string name = a.name;
    if (name == "q")
      in.push_back(s.q);
    else if (name == "v")
      in.push_back(s.v);
    else {
      in.emplace_back();
      for (std::size_t k = 0; k < count(robot, a.shape); ++k)
        in.back().push_back(uniform(rng, -3, 3));
    }
  }
  return in;
}

struct Rows {
  std::vector<Numbers> in, expected;  // by array
};

// Inputs of all rows, and what the robots of these rows give one at a time.
Rows rows_of(const Robot& robot, Quantity what, const RowArguments& vary, std::size_t rows,
             unsigned seed) {
  const RowArgumentUse& use = info(what).row_arguments;
  Rng rng(seed);
  Rows all;
  for (std::size_t r = 0; r < rows; ++r) {
    const OwnRobot own = own_robot(robot, vary, rng);
    std::vector<Numbers> in = own_inputs(robot, what, rng);
    Engine engine(own.robot, {.threads = 1, .kernel = KernelKind::generic, .quantities = {}});
    if (vary.base_motion)
      engine.set_base_motion(three(&own.base_motion[0]), three(&own.base_motion[3]),
                             three(&own.base_motion[6]));
    for (std::size_t k = 0; k < vary.wrenches.size(); ++k)
      engine.set_wrench(vary.wrenches[k], three(&own.wrenches[6 * k]),
                        three(&own.wrenches[6 * k + 3]));
    const std::vector<std::size_t> widths = engine.output_widths(what);
    std::vector<Numbers> out;
    std::vector<StridedInput> from;
    std::vector<StridedOutput> to;
    for (const std::size_t n : widths) out.emplace_back(n, NAN);
    for (const Numbers& x : in) from.push_back({x.data(), x.size()});
    for (Numbers& x : out) to.push_back({x.data(), x.size()});
    engine.evaluate(what, 1, from, to);
    if (use.parameters && !own.parameters.empty()) in.push_back(own.parameters);
    if (use.gravity && !own.gravity.empty()) in.push_back(own.gravity);
    if (use.base_motion && !own.base_motion.empty()) in.push_back(own.base_motion);
    if (use.wrenches && !own.wrenches.empty()) in.push_back(own.wrenches);
    all.in.resize(in.size());
    all.expected.resize(out.size());
    for (std::size_t k = 0; k < in.size(); ++k)
      all.in[k].insert(all.in[k].end(), in[k].begin(), in[k].end());
    for (std::size_t k = 0; k < out.size(); ++k)
      all.expected[k].insert(all.expected[k].end(), out[k].begin(), out[k].end());
  }
  return all;
}

std::vector<Numbers> evaluated(Engine& engine, Quantity what, std::size_t rows, const Rows& x) {
  std::vector<Numbers> out;
  std::vector<StridedInput> from;
  std::vector<StridedOutput> to;
  for (const Numbers& a : x.in) from.push_back({a.data(), a.size() / rows});
  for (const Numbers& a : x.expected) out.emplace_back(a.size(), NAN);
  for (Numbers& a : out) to.push_back({a.data(), a.size() / rows});
  engine.evaluate(what, rows, from, to);
  return out;
}

// Row by row, relative to the largest number of the row and array.
double worst(const std::vector<Numbers>& got, const std::vector<Numbers>& expected,
             std::size_t rows) {
  double most = 0;
  for (std::size_t k = 0; k < got.size(); ++k) {
    const std::size_t n = got[k].size() / rows;
    for (std::size_t r = 0; r < rows; ++r) {
      double off = 0, size = 1e-3;
      for (std::size_t c = r * n; c < (r + 1) * n; ++c) {
        if (!std::isfinite(got[k][c])) return INFINITY;
        off = std::max(off, std::abs(got[k][c] - expected[k][c]));
        size = std::max(size, std::abs(expected[k][c]));
      }
      most = std::max(most, off / size);
    }
  }
  return most;
}

double bound(Quantity what) {
  const std::string of = name(what);
  return info(what).inverts_mass ? 1e-8 : of.find("hvp") != std::string::npos ? 1e-11 : 1e-12;
}

RowArguments everything(const Robot& robot) {
  return {.parameters = parameter_links(robot),
          .gravity = true,
          .base_motion = true,
          .wrenches = {robot.tip(), robot.link_names()[robot.link_names().size() / 2]}};
}

bool dynamic(Quantity what) { return info(what).uses_inertia; }

void expect_rows(const Robot& robot, const RowArguments& vary, KernelKind kind, Quantity what,
                 unsigned seed) {
  constexpr std::size_t rows = 19;  // whole registers and a rest
  const Rows x = rows_of(robot, what, vary, rows, seed);
  Engine engine(robot, {.threads = 1, .kernel = kind, .quantities = {what}, .per_row = vary});
  EXPECT_EQ(engine.kernel(what), kind) << engine.note();
  EXPECT_LT(worst(evaluated(engine, what, rows, x), x.expected, rows), bound(what))
      << robot.name() << " " << name(what) << " " << name(kind) << " seed " << seed;
}

TEST_F(RowArgumentsTest, GenericKernelsOfEveryQuantity) {
  Rng rng(5);
  const Robot robots[] = {
      Robot::load("puma560"), Robot::load("scara"), Robot::load("quadruped"),
      Robot(random_tree(rng, 7, {.prismatic = 0.4, .fixed = 0.3, .planar = 0.3, .tips = true}))};
  for (const Robot& robot : robots)
    for (const Quantity what : batched_quantities())
      if (dynamic(what)) expect_rows(robot, everything(robot), KernelKind::generic, what, 1);
}

TEST_F(RowArgumentsTest, InterpretedKernelsOfEveryQuantity) {
  const Robot robot = Robot::load("puma560");
  for (const Quantity what : batched_quantities())
    if (dynamic(what)) expect_rows(robot, everything(robot), KernelKind::interpreted, what, 2);
}

constexpr Quantity central[] = {Quantity::inverse_dynamics, Quantity::forward_dynamics,
                                Quantity::mass_matrix, Quantity::bias, Quantity::gravity};

TEST_F(RowArgumentsTest, RandomTrees) {
  for (unsigned seed = 0; seed < (instrumented ? 2 : 12); ++seed) {
    Rng rng(seed);
    const Robot robot(random_tree(rng, 2 + static_cast<int>(seed % 6),
                                  {.prismatic = 0.3,
                                   .fixed = 0.3,
                                   .planar = 0.2,
                                   .spherical = 0.2,
                                   .floating_base = seed % 3 == 0,
                                   .tips = seed % 2 == 0}));
    if (robot.nv() == 0) continue;
    for (const Quantity what : central)
      for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted})
        expect_rows(robot, everything(robot), kind, what, seed);
  }
}

TEST_F(RowArgumentsTest, CoupledJoints) {
  for (unsigned seed = 0; seed < 4; ++seed) {
    Rng rng(100 + seed);
    Description d = random_tree(rng, 6, {.floating_base = seed % 2 == 1, .tips = true});
    d.joints[3].mimic = Mimic{d.joints[1].name, -0.7, 0.2, {}};
    d.joints[5].mimic = Mimic{d.joints[2].name, 0.5, 0.1, {0.3, -0.2}};
    const Robot robot(d);
    for (const Quantity what : central)
      for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted})
        expect_rows(robot, everything(robot), kind, what, seed);
  }
}

TEST_F(RowArgumentsTest, CompiledKernels) {
  const Robot robot = Robot::load("ur5");
  for (const Quantity what : central)
    expect_rows(robot, everything(robot), KernelKind::compiled, what, 3);
}

// Each argument alone, and parameters of one link: others stay the robot's.
TEST_F(RowArgumentsTest, OneArgumentAtATime) {
  const Robot robot = Robot::load("panda");
  const std::string middle = parameter_links(robot)[3];
  const RowArguments each[] = {{.parameters = {parameter_links(robot).back(), middle}},
                               {.gravity = true},
                               {.base_motion = true},
                               {.wrenches = {robot.tip(), middle}}};
  for (const RowArguments& vary : each)
    for (const Quantity what : central)
      for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted})
        expect_rows(robot, vary, kind, what, 4);
}

TEST_F(RowArgumentsTest, InputsFollowTheQuantitysOwn) {
  const Robot robot = Robot::load("puma560");
  Engine engine(robot, {.threads = 1,
                        .kernel = KernelKind::generic,
                        .quantities = {},
                        .per_row = everything(robot)});
  using Names = std::vector<std::string>;
  using Widths = std::vector<std::size_t>;
  EXPECT_EQ(engine.input_names(Quantity::inverse_dynamics),
            (Names{"q", "v", "a", "parameters", "gravity", "base_motion", "wrenches"}));
  EXPECT_EQ(engine.input_widths(Quantity::inverse_dynamics), (Widths{6, 6, 6, 60, 3, 9, 12}));
  EXPECT_EQ(engine.input_names(Quantity::mass_matrix), (Names{"q", "parameters"}));
  EXPECT_EQ(engine.input_names(Quantity::energy), (Names{"q", "v", "parameters", "gravity"}));
  EXPECT_EQ(engine.input_names(Quantity::regressor),
            (Names{"q", "v", "a", "gravity", "base_motion"}));
  EXPECT_EQ(engine.input_names(Quantity::kinematics), (Names{"q"}));
}

TEST_F(RowArgumentsTest, BitsOfARowDoNotDependOnThreadsOrPlace) {
  const Robot robot = Robot::load("puma560");
  constexpr std::size_t rows = 1000;
  const RowArguments vary = everything(robot);
  Rows x = rows_of(robot, Quantity::inverse_dynamics, vary, 40, 7);
  for (Numbers& a : x.in)
    for (std::size_t width = a.size() / 40, k = a.size(); k < rows * width; ++k)
      a.push_back(a[k - 40 * width]);
  for (Numbers& a : x.expected) a.resize(a.size() / 40 * rows);
  for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted}) {
    std::vector<Numbers> first;
    for (const int threads : {1, 3}) {
      Engine engine(robot, {.threads = threads, .kernel = kind, .per_row = vary});
      const std::vector<Numbers> out = evaluated(engine, Quantity::inverse_dynamics, rows, x);
      if (first.empty()) first = out;
      EXPECT_EQ(out, first);
      for (std::size_t k = 40 * 6; k < out[0].size(); ++k)
        ASSERT_EQ(out[0][k], out[0][k - 40 * 6]) << name(kind) << " " << k;
    }
  }
}

TEST_F(RowArgumentsTest, WrenchesAddToThoseOfAllRows) {
  const Robot robot = Robot::load("puma560");
  const RowArguments vary{.wrenches = {robot.tip()}};
  const Rows x = rows_of(robot, Quantity::inverse_dynamics, vary, 9, 8);
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .per_row = vary});
  engine.set_wrench(robot.tip(), {1, -2, 3}, {0.5, 0.25, -1});
  const std::vector<Numbers> loaded = evaluated(engine, Quantity::inverse_dynamics, 9, x);
  Rows more = x;
  for (std::size_t r = 0; r < 9; ++r) {
    const double add[] = {1, -2, 3, 0.5, 0.25, -1};
    for (int k = 0; k < 6; ++k) more.in[3][6 * r + k] += add[k];
  }
  Engine plain(robot, {.threads = 1, .kernel = KernelKind::generic, .per_row = vary});
  EXPECT_LT(worst(loaded, evaluated(plain, Quantity::inverse_dynamics, 9, more), 9), 1e-13);
}

// Single precision, and arrays of any layout.
TEST_F(RowArgumentsTest, FloatsAndColumns) {
  const Robot robot = Robot::load("puma560");
  const RowArguments vary = everything(robot);
  constexpr std::size_t rows = 21;
  for (const Quantity what : {Quantity::inverse_dynamics, Quantity::mass_matrix}) {
    const Rows x = rows_of(robot, what, vary, rows, 9);
    for (const KernelKind kind : {KernelKind::generic, KernelKind::interpreted}) {
      Engine engine(robot, {.threads = 1, .kernel = kind, .quantities = {what}, .per_row = vary});
      std::vector<std::vector<float>> in;
      std::vector<StridedInputFloat> from;
      for (const Numbers& a : x.in) {  // by columns
        const std::size_t n = a.size() / rows;
        in.emplace_back(a.size());
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t c = 0; c < n; ++c)
            in.back()[c * rows + r] = static_cast<float>(a[r * n + c]);
      }
      for (const std::vector<float>& a : in) from.push_back({a.data(), 1, rows});
      std::vector<float> out(x.expected[0].size(), NAN);
      const StridedOutputFloat to[] = {{out.data(), out.size() / rows}};
      engine.evaluate(what, rows, from, to);
      EXPECT_LT(worst({Numbers(out.begin(), out.end())}, x.expected, rows), 2e-5)
          << name(what) << " " << name(kind);
    }
  }
}

TEST_F(RowArgumentsTest, RefusesWhatItCannotVary) {
  const Robot robot = Robot::load("puma560");
  auto says = [&](const RowArguments& vary) -> std::string {
    try {
      Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .per_row = vary});
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  const std::string root = robot.link_names()[0], tip = parameter_links(robot).back();
  EXPECT_NE(says({.parameters = {root}}).find("no joint moves link '" + root + "'; choose from"),
            std::string::npos);
  EXPECT_NE(says({.parameters = {tip, tip}}).find("given twice"), std::string::npos);
  EXPECT_NE(says({.wrenches = {"no such link"}}).find("no such link"), std::string::npos);
  Engine engine(robot, {.threads = 1, .kernel = KernelKind::generic, .per_row = {.gravity = true}});
  Numbers x(6), tau(6);
  EXPECT_THROW(engine.inverse_dynamics(1, x, x, x, tau), std::invalid_argument);
  EXPECT_THROW(engine.inverse_dynamics_with_friction(1, x, x, x, tau), std::invalid_argument);
}

}  // namespace
}  // namespace parid::test
