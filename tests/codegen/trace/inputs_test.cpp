// Arguments of a generated program have the effect of the same values in the library.

#include <gtest/gtest.h>

#include "codegen/emit/targets.hpp"
#include "dynamics/composite.hpp"
#include "identification/base_columns.hpp"
#include "parid/dynamics.hpp"
#include "tests/codegen/trace/compiled.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

constexpr double exact = 1e-12;

// Built-in arms, and random robots: a tree with planar and fixed joints, one with a floating base.
std::vector<Robot> some_robots() {
  Rng rng(41);
  return {Robot::load("stanford-3"), Robot::load("scara"),
          Robot(random_tree(rng, 4, {.prismatic = 0.5, .fixed = 0.5, .planar = 0.5})),
          Robot(random_chain(rng, 3, {.spherical = 0.3, .floating_base = true, .tips = true}))};
}

Numbers random_numbers(Rng& rng, std::size_t n, double reach) {
  Numbers x(n);
  for (double& u : x) u = uniform(rng, -reach, reach);
  return x;
}

Numbers torques(const Robot& robot, const RandomState& s) {
  Workspace workspace(robot);
  Numbers tau(robot.nv());
  inverse_dynamics(robot, workspace, s.q, s.v, s.a, tau);
  return tau;
}

Numbers product(const Robot& robot, const RandomState& s, const Numbers& pi) {  // Y pi
  Workspace workspace(robot);
  Numbers Y(robot.nv() * pi.size()), tau(robot.nv());
  regressor(robot, workspace, s.q, s.v, s.a, Y);
  for (std::size_t r = 0; r < tau.size(); ++r)
    for (std::size_t k = 0; k < pi.size(); ++k) tau[r] += Y[r * pi.size() + k] * pi[k];
  return tau;
}

// With inertial parameters of one's own: Y pi, and the rotors that the robot has.
Numbers torques_by_regressor(const Robot& robot, const RandomState& s, const Numbers& pi) {
  Numbers tau = torques(robot, s);
  const Numbers own = product(robot, s, regressor_parameters(robot)), other = product(robot, s, pi);
  for (std::size_t k = 0; k < tau.size(); ++k) tau[k] += other[k] - own[k];
  return tau;
}

RandomState still(const Robot& robot, RandomState s) {
  s.v.assign(robot.nv(), 0);
  s.a.assign(robot.nv(), 0);
  return s;
}

TEST(GeneratedInputs, InertialParameters) {
  Rng rng(42);
  for (const Robot& robot : some_robots()) {
    const GenerateOptions how{.parameters = true};
    const Generated made = generate(robot, Quantity::inverse_dynamics, how);
    const Compiled inverse(made.program), gravity(generate(robot, Quantity::gravity, how).program),
        bias(generate(robot, Quantity::bias, how).program),
        mass(generate(robot, Quantity::mass_matrix, how).program),
        forward(generate(robot, Quantity::forward_dynamics, how).program);
    EXPECT_EQ(made.parameter_names, regressor_names(robot));
    EXPECT_EQ(made.parameter_values, regressor_parameters(robot));
    const Robot floats = robot.with_gravity({0, 0, 0});
    for (int trial = 0; trial < 5; ++trial) {
      RandomState s = random_state(rng, robot.description());
      const Numbers any = random_numbers(rng, made.parameter_values.size(), 2);
      EXPECT_LT(apart(inverse({s.q, s.v, s.a, any}), torques_by_regressor(robot, s, any)), exact);
      const Numbers tau = inverse({s.q, s.v, s.a, made.parameter_values});
      EXPECT_LT(apart(tau, torques(robot, s)), exact);
      // A body that is possible has a mass matrix that can be inverted.
      EXPECT_LT(apart(forward({s.q, s.v, tau, made.parameter_values}), s.a), 1e-9);
      const RandomState rest = still(robot, s);
      EXPECT_LT(apart(gravity({s.q, any}), torques_by_regressor(robot, rest, any)), exact);
      RandomState coasting = s;
      coasting.a.assign(robot.nv(), 0);
      EXPECT_LT(apart(bias({s.q, s.v, any}), torques_by_regressor(robot, coasting, any)), exact);
      const Numbers M = mass({s.q, any});
      Numbers expected(M.size());
      const std::size_t n = robot.nv();
      for (std::size_t k = 0; k < n; ++k) {
        RandomState push = rest;
        push.a[k] = 1;
        const Numbers column = torques_by_regressor(floats, push, any);
        for (std::size_t r = 0; r < n; ++r) expected[r * n + k] = column[r];
      }
      EXPECT_LT(apart(M, expected), exact);
    }
  }
}

// A batch in which every sample has parameters of its own, over SIMD lanes.
TEST(GeneratedInputs, ParametersOfEachSample) {
  const Robot robot = Robot::load("scara");
  const Generated made = generate(robot, Quantity::inverse_dynamics, {.parameters = true});
  const Scratch folder;
  const auto cpp = std::find_if(targets().begin(), targets().end(),
                                [](const Target& t) { return std::string(t.id) == "cpp"; });
  ASSERT_NE(cpp, targets().end());
  const std::string source = folder.file("batch.cpp", cpp->emit(made.program, {})[0].text),
                    library = folder.path("batch.so");
  ASSERT_EQ(
      std::system(("c++ -O1 -w -Wno-psabi -shared -fPIC -o " + library + " " + source).c_str()), 0);
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(handle) << dlerror();
  using In = const double*;
  const auto batch = reinterpret_cast<void (*)(long, In, In, In, In, double*)>(
      dlsym(handle, made.program.name.c_str()));
  ASSERT_TRUE(batch);
  Rng rng(60);
  const long rows = 13;
  Numbers q, v, a, pi, expected;
  for (long r = 0; r < rows; ++r) {
    const RandomState s = random_state(rng, robot.description());
    const Numbers own = random_numbers(rng, made.parameter_values.size(), 2),
                  tau = torques_by_regressor(robot, s, own);
    q.insert(q.end(), s.q.begin(), s.q.end());
    v.insert(v.end(), s.v.begin(), s.v.end());
    a.insert(a.end(), s.a.begin(), s.a.end());
    pi.insert(pi.end(), own.begin(), own.end());
    expected.insert(expected.end(), tau.begin(), tau.end());
  }
  Numbers tau(expected.size());
  batch(rows, q.data(), v.data(), a.data(), pi.data(), tau.data());
  EXPECT_LT(apart(tau, expected), exact);
  dlclose(handle);
}

ParameterChoice base_of(const Robot& robot) {
  const BaseColumns base = base_columns(robot);
  const Numbers given = regressor_parameters(robot);
  ParameterChoice choice{base.kept, {}, {}};
  for (std::size_t k = 0; k < base.kept.size(); ++k) {
    choice.values.push_back(0);
    for (std::size_t s = 0; s < given.size(); ++s)
      choice.values.back() += base.share(k, s) * given[s];
    choice.meanings.push_back(base.meaning(k));
  }
  return choice;
}

TEST(GeneratedInputs, BaseParameters) {
  Rng rng(43);
  for (const Robot& robot : some_robots()) {
    const GenerateOptions how{.parameters = true, .choice = base_of(robot)};
    const Compiled inverse(generate(robot, Quantity::inverse_dynamics, how).program),
        forward(generate(robot, Quantity::forward_dynamics, how).program);
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, robot.description());
      const Numbers tau = inverse({s.q, s.v, s.a, how.choice->values});
      EXPECT_LT(apart(tau, torques(robot, s)), 1e-9) << robot.name();  // of sums found by sampling
      EXPECT_LT(apart(forward({s.q, s.v, tau, how.choice->values}), s.a), 1e-8) << robot.name();
    }
  }
}

// A random gravity, payload and wrench: as arguments, and in the library.
struct Surrounded {
  Numbers gravity, payload, wrench;
  Robot robot;
  Workspace workspace;
};
Surrounded surrounded(Rng& rng, const Robot& robot, const std::string& link) {
  const Numbers g = random_numbers(rng, 3, 10), w = random_numbers(rng, 6, 10);
  const Inertia body = random_inertia(rng);
  const Moments<double> ten = moments(body);
  const Sym3<double>& I = body.about_com;
  const Robot other = robot.with_gravity({g[0], g[1], g[2]})
                          .with_payload(link, body.mass, {body.com.x, body.com.y, body.com.z},
                                        {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz});
  Workspace workspace(other);
  workspace.set_wrench(link, {w[0], w[1], w[2]}, {w[3], w[4], w[5]});
  return {g,
          {ten.m, ten.ms.x, ten.ms.y, ten.ms.z, ten.K.xx, ten.K.yy, ten.K.zz, ten.K.xy, ten.K.xz,
           ten.K.yz},
          w,
          other,
          std::move(workspace)};
}

TEST(GeneratedInputs, GravityPayloadAndWrench) {
  Rng rng(44);
  for (const Robot& robot : some_robots()) {
    const GenerateOptions how{
        .gravity = true, .payload = true, .wrench = true, .link = robot.link_names().back()};
    const Compiled inverse(generate(robot, Quantity::inverse_dynamics, how).program),
        forward(generate(robot, Quantity::forward_dynamics, how).program);
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, robot.description());
      Surrounded x = surrounded(rng, robot, how.link);
      Numbers tau(robot.nv());
      inverse_dynamics(x.robot, x.workspace, s.q, s.v, s.a, tau);
      EXPECT_LT(apart(inverse({s.q, s.v, s.a, x.gravity, x.payload, x.wrench}), tau), exact)
          << robot.name();
      EXPECT_LT(apart(forward({s.q, s.v, tau, x.gravity, x.payload, x.wrench}), s.a), 1e-9)
          << robot.name();
    }
  }
}

TEST(GeneratedInputs, InDerivatives) {
  Rng rng(50);
  for (const Robot& robot : {Robot::load("stanford-3"),
                             Robot(random_chain(rng, 1, {.floating_base = true, .tips = true}))}) {
    const GenerateOptions how{
        .gravity = true, .payload = true, .wrench = true, .link = robot.link_names().back()};
    const Compiled inverse(generate(robot, Quantity::inverse_gradient, how).program),
        forward(generate(robot, Quantity::forward_gradient, how).program),
        inverse_row(generate(robot, Quantity::inverse_vector_product, how).program),
        forward_row(generate(robot, Quantity::forward_vector_product, how).program);
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, robot.description());
      Surrounded x = surrounded(rng, robot, how.link);
      const std::size_t n = robot.nv();
      const Numbers w = random_numbers(rng, n, 1);
      Numbers D(3 * n * n), g(3 * n);
      const std::span<double> all(D), row(g);
      const auto dq = all.first(n * n), dv = all.subspan(n * n, n * n), dx = all.last(n * n);
      const auto gq = row.first(n), gv = row.subspan(n, n), gx = row.last(n);
      inverse_gradient(x.robot, x.workspace, s.q, s.v, s.a, dq, dv, dx);
      EXPECT_LT(apart(inverse({s.q, s.v, s.a, x.gravity, x.payload, x.wrench}), D), 1e-11);
      forward_gradient(x.robot, x.workspace, s.q, s.v, s.a, dq, dv, dx);
      EXPECT_LT(apart(forward({s.q, s.v, s.a, x.gravity, x.payload, x.wrench}), D), 1e-9);
      inverse_vector_product(x.robot, x.workspace, s.q, s.v, s.a, w, gq, gv, gx);
      EXPECT_LT(apart(inverse_row({s.q, s.v, s.a, w, x.gravity, x.payload, x.wrench}), g), 1e-11);
      forward_vector_product(x.robot, x.workspace, s.q, s.v, s.a, w, gq, gv, gx);
      EXPECT_LT(apart(forward_row({s.q, s.v, s.a, w, x.gravity, x.payload, x.wrench}), g), 1e-9);
    }
  }
}

// What w·tau changes with each parameter is w times the regressor's columns.
TEST(GeneratedInputs, DerivativesByParameters) {
  Rng rng(57);
  const Robot robot = Robot::load("puma560");
  Workspace workspace(robot);
  const Compiled compiled(
      generate(robot, Quantity::inverse_vector_product, {.parameters = true}).program);
  for (int trial = 0; trial < 5; ++trial) {
    const RandomState s = random_state(rng, robot.description());
    const Numbers w = random_numbers(rng, 6, 1);
    Numbers Y(6 * 60), expected(18 + 60);
    const std::span<double> g(expected);
    inverse_vector_product(robot, workspace, s.q, s.v, s.a, w, g.first(6), g.subspan(6, 6),
                           g.subspan(12, 6));
    regressor(robot, workspace, s.q, s.v, s.a, Y);
    for (int k = 0; k < 60; ++k)
      for (int r = 0; r < 6; ++r) expected[18 + k] += w[r] * Y[r * 60 + k];
    EXPECT_LT(apart(compiled({s.q, s.v, s.a, w, regressor_parameters(robot)}), expected), exact);
  }
}

TEST(GeneratedInputs, PayloadInTheMassMatrix) {
  Rng rng(45);
  const Robot robot = Robot::load("panda");
  const Compiled mass(generate(robot, Quantity::mass_matrix, {.payload = true}).program);
  const Robot loaded = robot.with_payload(robot.tip(), 2, {0.1, 0.2, 0.3});
  Workspace workspace(loaded);
  const RandomState s = random_state(rng, robot.description());
  Numbers M(49);
  mass_matrix(loaded, workspace, s.q, M);
  EXPECT_LT(
      apart(mass({s.q,
                  {2, 0.2, 0.4, 0.6, 2 * 0.01, 2 * 0.04, 2 * 0.09, 2 * 0.02, 2 * 0.03, 2 * 0.06}}),
            M),
      exact);
}

// The PUMA's dry and viscous friction; the case study's bearings by load and drives by efficiency.
TEST(GeneratedInputs, FrictionOfTheRobot) {
  Rng rng(46);
  for (const char* name : {"puma560", "puma560-positioning"}) {
    const Robot robot = Robot::load(name);
    Workspace workspace(robot);
    const Compiled inverse(generate(robot, Quantity::inverse_dynamics, {.friction = true}).program),
        bias(generate(robot, Quantity::bias, {.friction = true}).program);
    for (int trial = 0; trial < 20; ++trial) {
      RandomState s = random_state(rng, robot.description());
      if (trial == 0) s.v[0] = 0;
      Numbers tau(robot.nv());
      inverse_dynamics_with_friction(robot, workspace, s.q, s.v, s.a, tau);
      EXPECT_LT(apart(inverse({s.q, s.v, s.a}), tau), exact) << name;
      s.a.assign(robot.nv(), 0);
      inverse_dynamics_with_friction(robot, workspace, s.q, s.v, s.a, tau);
      EXPECT_LT(apart(bias({s.q, s.v}), tau), exact) << name;
    }
  }
}

TEST(GeneratedInputs, FrictionCoefficients) {
  Rng rng(47);
  const Robot robot = Robot::load("ur5");
  const Compiled inverse(
      generate(robot, Quantity::inverse_dynamics, {.friction_coefficients = true}).program);
  for (int trial = 0; trial < 20; ++trial) {
    RandomState s = random_state(rng, robot.description());
    if (trial == 0) s.v[0] = 0;
    const Numbers viscous = random_numbers(rng, 6, 5), coulomb = random_numbers(rng, 6, 5);
    Numbers tau = torques(robot, s);
    for (int k = 0; k < 6; ++k) {
      const double way = s.v[k] > 0 ? 1 : s.v[k] < 0 ? -1 : 0;
      tau[k] += viscous[k] * s.v[k] + coulomb[k] * way;
    }
    EXPECT_LT(apart(inverse({s.q, s.v, s.a, viscous, coulomb}), tau), exact);
  }
}

TEST(GeneratedInputs, Regressor) {
  Rng rng(48);
  for (const Robot& robot : some_robots()) {
    const Generated made = generate(robot, Quantity::regressor),
                    based = generate(robot, Quantity::regressor, {.choice = base_of(robot)});
    const Compiled Y(made.program), Y_base(based.program);
    EXPECT_EQ(made.parameter_names, regressor_names(robot));
    Workspace workspace(robot);
    const std::size_t n = robot.nv(), columns = made.parameter_names.size();
    for (int trial = 0; trial < 5; ++trial) {
      const RandomState s = random_state(rng, robot.description());
      Numbers expected(n * columns);
      regressor(robot, workspace, s.q, s.v, s.a, expected);
      EXPECT_LT(apart(Y({s.q, s.v, s.a}), expected), exact) << robot.name();
      const Numbers y = Y_base({s.q, s.v, s.a});
      const std::vector<double>& beta = based.parameter_values;
      ASSERT_EQ(y.size(), n * beta.size());
      Numbers tau(n);
      for (std::size_t r = 0; r < n; ++r)
        for (std::size_t k = 0; k < beta.size(); ++k) tau[r] += y[r * beta.size() + k] * beta[k];
      EXPECT_LT(apart(tau, product(robot, s, regressor_parameters(robot))), 1e-9) << robot.name();
    }
  }
}

// Y times the values in the file's head, plus the rotors, is the torque with friction.
TEST(GeneratedInputs, RegressorWithFriction) {
  Rng rng(49);
  const Robot robot = Robot::load("puma560");
  Workspace workspace(robot);
  const Generated made = generate(robot, Quantity::regressor, {.friction = true});
  const Compiled compiled(made.program);
  const std::size_t columns = made.parameter_names.size();
  ASSERT_EQ(columns, 72u);
  EXPECT_EQ(made.parameter_names[60], "joint1.viscous");
  EXPECT_EQ(made.parameter_names[71], "joint6.coulomb");
  for (int trial = 0; trial < 10; ++trial) {
    const RandomState s = random_state(rng, robot.description());
    const Numbers Y = compiled({s.q, s.v, s.a});
    Numbers with(6), rigid = torques(robot, s),
                     own = product(robot, s, regressor_parameters(robot)), tau(6);
    inverse_dynamics_with_friction(robot, workspace, s.q, s.v, s.a, with);
    for (std::size_t r = 0; r < 6; ++r) {
      tau[r] = rigid[r] - own[r];  // rotors
      for (std::size_t k = 0; k < columns; ++k)
        tau[r] += Y[r * columns + k] * made.parameter_values[k];
    }
    EXPECT_LT(apart(tau, with), exact);
  }
}

TEST(GeneratedInputs, OptionsWithoutUseAreRefused) {
  const Robot robot = Robot::load("puma560");
  auto says = [&](const char* what, const GenerateOptions& how) {
    return complaint([&] { generate(robot, quantity(what), how); });
  };
  EXPECT_NE(says("mass", {.wrench = true}).find("`inputs=wrench`"), std::string::npos);
  EXPECT_NE(says("kinematics", {.parameters = true}).find("`inputs=parameters`"),
            std::string::npos);
  EXPECT_NE(says("inverse", {.choice = base_of(robot)}).find("`inputs=parameters`"),
            std::string::npos);
  EXPECT_NE(says("inverse", {.friction_coefficients = true, .friction = true}).find("`friction`"),
            std::string::npos);
  EXPECT_NE(says("jacobian", {.link = "lnk3"}).find("link3"), std::string::npos);
  const Robot rubbing = Robot::load("puma560-positioning");
  EXPECT_NE(complaint([&] {
              generate(rubbing, Quantity::inverse_dynamics,
                       {.parameters = true, .friction = true, .choice = base_of(rubbing)});
            }).find("`base`"),
            std::string::npos);
}

}  // namespace
}  // namespace parid::test
