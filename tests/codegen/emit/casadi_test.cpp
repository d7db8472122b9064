// Generated CasADi functions, loaded and called by the rules of CasADi's interface for external
// functions (user guide, chapter "C API"): values against the library, derivatives against the
// library's and against differences.

#include "codegen/trace/casadi_program.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <memory>

#include "parid/codegen.hpp"
#include "parid/derivatives.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;
using Index = long long;

// A matrix of CasADi: compressed columns.
struct Pattern {
  Index rows = 0, columns = 0;
  std::vector<Index> starts, row;
  std::size_t count() const { return row.size(); }
  bool is_dense() const { return static_cast<Index>(row.size()) == rows * columns; }
};

// One function of a library, found by the names that CasADi looks for.
class External {
 public:
  External(void* library, const std::string& name) : name_(name) {
    call_ = find<Call>(library, name);
    find<void (*)()>(library, name + "_incref")();
    release_ = find<void (*)()>(library, name + "_decref");
    for (const char* way : {"in", "out"}) {
      const bool in = way == std::string("in");
      const Index n = find<Index (*)()>(library, name + "_n_" + way)();
      const auto name_of = find<const char* (*)(Index)>(library, name + "_name_" + way);
      const auto pattern = find<const Index* (*)(Index)>(library, name + "_sparsity_" + way);
      for (Index k = 0; k < n; ++k) {
        (in ? inputs : outputs).push_back(read(pattern(k)));
        (in ? input_names : output_names).emplace_back(name_of(k));
        EXPECT_TRUE(accepted(name_of(k))) << name_of(k);
      }
      EXPECT_EQ(name_of(n), nullptr);
      EXPECT_EQ(pattern(n), nullptr);
    }
    EXPECT_TRUE(accepted(name)) << name;
    Index arguments = -1, results = -1, integers = -1, reals = -1;
    EXPECT_EQ(find<int (*)(Index*, Index*, Index*, Index*)>(library, name + "_work")(
                  &arguments, &results, &integers, &reals),
              0);
    EXPECT_GE(arguments, static_cast<Index>(inputs.size()));
    EXPECT_GE(results, static_cast<Index>(outputs.size()));
    work_.resize(static_cast<std::size_t>(reals));
    memory_ = find<int (*)()>(library, name + "_checkout")();
    give_back_ = find<void (*)(int)>(library, name + "_release");
  }
  ~External() {
    give_back_(memory_);
    release_();
  }
  External(const External&) = delete;
  External& operator=(const External&) = delete;

  // An empty argument is passed as a null pointer, which means zeros.
  std::vector<Numbers> operator()(const std::vector<Numbers>& x, int omitted = -1) {
    EXPECT_EQ(x.size(), inputs.size());
    std::vector<const double*> arg;
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_TRUE(x[k].empty() || x[k].size() == inputs[k].count()) << name_ << " " << k;
      arg.push_back(x[k].empty() ? nullptr : x[k].data());
    }
    std::vector<Numbers> y;
    std::vector<double*> res;
    for (const Pattern& p : outputs) y.emplace_back(p.count(), std::nan(""));
    for (Numbers& one : y) res.push_back(one.data());
    if (omitted >= 0) res[static_cast<std::size_t>(omitted)] = nullptr;
    EXPECT_EQ(call_(arg.data(), res.data(), nullptr, work_.data(), memory_), 0);
    return y;
  }

  std::vector<Pattern> inputs, outputs;
  std::vector<std::string> input_names, output_names;

 private:
  using Call = int (*)(const double**, double**, Index*, double*, int);

  template <class Function>
  static Function find(void* library, const std::string& name) {
    void* at = dlsym(library, name.c_str());
    if (!at) throw std::runtime_error("no symbol " + name);
    return reinterpret_cast<Function>(at);
  }
  // As CasADi's Function::check_name.
  static bool accepted(const std::string& name) {
    for (const char* word : {"null", "jac", "hess"})
      if (name == word) return false;
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) &&
           name.find_first_not_of(
               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
               "0123456789_") == std::string::npos &&
           name.find("__") == std::string::npos;
  }
  static Pattern read(const Index* at) {
    Pattern p{at[0], at[1], {}, {}};
    p.starts.assign(at + 2, at + 3 + p.columns);
    EXPECT_EQ(p.starts.front(), 0);
    const Index* row = at + 3 + p.columns;
    p.row.assign(row, row + p.starts.back());
    for (Index c = 0; c < p.columns; ++c) {
      EXPECT_LE(p.starts[c], p.starts[c + 1]);
      for (Index k = p.starts[c]; k < p.starts[c + 1]; ++k) {
        EXPECT_GE(p.row[k], 0);
        EXPECT_LT(p.row[k], p.rows);
        if (k > p.starts[c]) {
          EXPECT_LT(p.row[k - 1], p.row[k]);
        }
      }
    }
    return p;
  }

  std::string name_;
  Call call_;
  void (*release_)();
  void (*give_back_)(int);
  int memory_ = 0;
  Numbers work_;
};

class Library {
 public:
  Library(const Robot& robot, Quantity which, const CodeOptions& options = {}) {
    CodeOptions o = options;
    o.casadi = true;
    const GeneratedCode code = generate_code(robot, which, o);
    name = code.function;
    EXPECT_EQ(code.files.size(), 1u);
    const std::string source = scratch_.file(code.files[0].name, code.files[0].text),
                      library = scratch_.path("f.so");
    const std::string command =
        "cc -std=c99 -pedantic -Wall -Wextra -Werror -O0 -shared -fPIC "
        "-fvisibility=hidden -o '" +
        library + "' '" + source + "' -lm";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("cc refuses " + name);
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw std::runtime_error(dlerror());
    f = std::make_unique<External>(handle_, name);
    jacobian = std::make_unique<External>(handle_, "jac_" + name);
    adjoint = std::make_unique<External>(handle_, "adj1_" + name);
    second = std::make_unique<External>(handle_, "jac_adj1_" + name);
  }
  ~Library() {
    f.reset();
    jacobian.reset();
    adjoint.reset();
    second.reset();
    if (handle_) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  std::string name;
  std::unique_ptr<External> f, jacobian, adjoint, second;

 private:
  Scratch scratch_;
  void* handle_ = nullptr;
};

Numbers random_numbers(Rng& rng, std::size_t n) {
  Numbers x(n);
  for (double& y : x) y = uniform(rng, -1, 1);
  return x;
}

// Entry (row, column) of a sparse matrix.
double entry(const Pattern& p, const Numbers& x, Index row, Index column) {
  for (Index k = p.starts[column]; k < p.starts[column + 1]; ++k)
    if (p.row[k] == row) return x[k];
  return 0;
}

// The blocks of `d` are the derivatives of `f` by differences of fourth order. `f` reads the first
// arguments of `d`.
void expect_jacobian(External& f, External& d, const std::vector<Numbers>& x,
                     const std::string& about) {
  std::vector<Numbers> more = x;
  more.resize(d.inputs.size());
  const std::vector<Numbers> blocks = d(more);
  ASSERT_EQ(d.outputs.size(), f.outputs.size() * f.inputs.size());
  ASSERT_EQ(d.inputs.size(), f.inputs.size() + f.outputs.size());
  for (std::size_t k = 0; k < f.outputs.size(); ++k) {
    EXPECT_EQ(d.input_names[f.inputs.size() + k], "out_" + f.output_names[k]);
    EXPECT_EQ(d.inputs[f.inputs.size() + k].count(), 0u);
    EXPECT_EQ(d.inputs[f.inputs.size() + k].rows, f.outputs[k].rows);
    EXPECT_EQ(d.inputs[f.inputs.size() + k].columns, f.outputs[k].columns);
  }
  for (std::size_t i = 0; i < f.inputs.size(); ++i) {
    EXPECT_EQ(d.input_names[i], f.input_names[i]);
    for (std::size_t c = 0; c < x[i].size(); ++c) {
      const double h = 1e-3;
      std::vector<std::vector<Numbers>> at;
      for (const double step : {-2 * h, -h, h, 2 * h}) {
        std::vector<Numbers> moved = x;
        moved[i][c] += step;
        at.push_back(f(moved));
      }
      for (std::size_t o = 0; o < f.outputs.size(); ++o) {
        const std::size_t block = o * f.inputs.size() + i;
        EXPECT_EQ(d.output_names[block], "jac_" + f.output_names[o] + "_" + f.input_names[i]);
        ASSERT_EQ(d.outputs[block].rows, static_cast<Index>(f.outputs[o].count()));
        ASSERT_EQ(d.outputs[block].columns, static_cast<Index>(x[i].size()));
        for (std::size_t r = 0; r < f.outputs[o].count(); ++r) {
          const double slope =
              (8 * (at[2][o][r] - at[1][o][r]) - (at[3][o][r] - at[0][o][r])) / (12 * h);
          const double got =
              entry(d.outputs[block], blocks[block], static_cast<Index>(r), static_cast<Index>(c));
          EXPECT_NEAR(got, slope, 2e-7 * (1 + std::abs(slope)))
              << about << " " << d.output_names[block] << " " << r << " " << c;
        }
      }
    }
  }
}

// Adjoint against the Jacobian, and the second derivatives against differences of the adjoint.
void expect_adjoint(Library& code, const std::vector<Numbers>& x, Rng& rng,
                    const std::string& about) {
  External &f = *code.f, &adjoint = *code.adjoint;
  std::vector<Numbers> seeded = x;
  for (std::size_t o = 0; o < f.outputs.size(); ++o) seeded.emplace_back();
  for (const Pattern& y : f.outputs) seeded.push_back(random_numbers(rng, y.count()));
  ASSERT_EQ(adjoint.inputs.size(), seeded.size());
  std::vector<Numbers> more = x;
  more.resize(code.jacobian->inputs.size());
  const std::vector<Numbers> J = (*code.jacobian)(more), w = adjoint(seeded);
  for (std::size_t i = 0; i < f.inputs.size(); ++i) {
    EXPECT_EQ(adjoint.output_names[i], "adj_" + f.input_names[i]);
    ASSERT_TRUE(adjoint.outputs[i].is_dense());
    for (std::size_t c = 0; c < x[i].size(); ++c) {
      double sum = 0, size = 1;
      for (std::size_t o = 0; o < f.outputs.size(); ++o)
        for (std::size_t r = 0; r < f.outputs[o].count(); ++r) {
          const std::size_t block = o * f.inputs.size() + i;
          const double term = seeded[f.inputs.size() + f.outputs.size() + o][r] *
                              entry(code.jacobian->outputs[block], J[block], static_cast<Index>(r),
                                    static_cast<Index>(c));
          sum += term;
          size += std::abs(term);
        }
      EXPECT_NEAR(w[i][c], sum, 1e-12 * size) << about;
    }
  }
  expect_jacobian(adjoint, *code.second, seeded, about + ", second");
}

TEST(Casadi, TorquesAndTheirDerivativesAreTheLibrarys) {
  Rng rng(7);
  std::vector<Robot> robots{Robot::load("puma560"), Robot::load("scara"),
                            Robot(random_tree(rng, 5))};
  for (const Robot& robot : robots) {
    Library code(robot, Quantity::inverse_dynamics);
    EXPECT_EQ(code.f->input_names, (std::vector<std::string>{"q", "v", "a"}));
    EXPECT_EQ(code.f->output_names, std::vector<std::string>{"tau"});
    const std::size_t n = robot.nv();
    Workspace w(robot);
    for (int sample = 0; sample < 3; ++sample) {
      const Numbers q = random_numbers(rng, n), v = random_numbers(rng, n),
                    a = random_numbers(rng, n);
      Numbers tau(n), dq(n * n), dv(n * n), da(n * n);
      inverse_dynamics(robot, w, q, v, a, tau);
      inverse_gradient(robot, w, q, v, a, dq, dv, da);
      const std::vector<Numbers> got = (*code.f)({q, v, a}), J = (*code.jacobian)({q, v, a, {}});
      const Numbers* want[] = {&dq, &dv, &da};
      for (std::size_t r = 0; r < n; ++r) {
        EXPECT_NEAR(got[0][r], tau[r], 1e-11 * (1 + std::abs(tau[r]))) << robot.name();
        for (std::size_t k = 0; k < 3; ++k)
          for (std::size_t c = 0; c < n; ++c)
            EXPECT_NEAR(entry(code.jacobian->outputs[k], J[k], static_cast<Index>(r),
                              static_cast<Index>(c)),
                        (*want[k])[r * n + c], 1e-10 * (1 + std::abs((*want[k])[r * n + c])))
                << robot.name() << " " << k;
      }
    }
  }
  // An arm about a vertical axis: its angle changes nothing.
  Library scara(Robot::load("scara"), Quantity::inverse_dynamics);
  EXPECT_EQ(scara.jacobian->outputs[0].starts[0], scara.jacobian->outputs[0].starts[1]);
  EXPECT_FALSE(scara.jacobian->outputs[0].is_dense());
}

TEST(Casadi, NullPointersAreZerosAndUnneededResults) {
  const Robot robot = Robot::load("puma560");
  Library code(robot, Quantity::inverse_dynamics);
  Rng rng(8);
  const Numbers q = random_numbers(rng, 6), zero(6);
  EXPECT_EQ((*code.f)({q, {}, {}}), (*code.f)({q, zero, zero}));
  const std::vector<Numbers> all = (*code.jacobian)({q, q, q, {}});
  const std::vector<Numbers> some = (*code.jacobian)({q, q, q, {}}, 1);
  EXPECT_EQ(some[0], all[0]);
  EXPECT_EQ(some[2], all[2]);
  EXPECT_TRUE(std::isnan(some[1][0]));
}

TEST(Casadi, MatricesAreColumnMajor) {
  const Robot robot = Robot::load("stanford");
  Rng rng(9);
  const Numbers q = random_numbers(rng, 6);
  Library code(robot, Quantity::jacobian);
  ASSERT_EQ(code.f->outputs[0].rows, 6);
  ASSERT_EQ(code.f->outputs[0].columns, 6);
  Library pose(robot, Quantity::kinematics);
  EXPECT_EQ(pose.f->outputs[0].rows, 3);
  EXPECT_EQ(pose.f->outputs[0].columns, 3);
  // Rows 0 to 2 are the derivative of the tip's position.
  const Numbers J = (*code.f)({q})[0], dp = (*pose.jacobian)({q, {}, {}})[1];
  const Pattern& pattern = pose.jacobian->outputs[1];
  for (Index r = 0; r < 3; ++r)
    for (Index c = 0; c < 6; ++c)
      EXPECT_NEAR(J[static_cast<std::size_t>(6 * c + r)], entry(pattern, dp, r, c), 1e-13);
}

// Robots with quaternions, couplings and rotors, and quantities with several outputs.
TEST(Casadi, DerivativesOfEveryQuantity) {
  Rng rng(10);
  struct Case {
    Robot robot;
    Quantity which;
  };
  RandomRobot kind;
  kind.floating_base = true;
  const Robot free(random_tree(rng, 2, kind));
  const Robot two = Robot::load("planar2"), scara = Robot::load("scara");
  std::vector<Case> cases{{free, Quantity::inverse_dynamics},
                          {free, Quantity::kinematics},
                          {everything(), Quantity::gravity},
                          {scara, Quantity::forward_dynamics},
                          {scara, Quantity::mass_matrix},
                          {scara, Quantity::inverse_mass_matrix},
                          {scara, Quantity::energy},
                          {two, Quantity::bias},
                          {two, Quantity::coriolis_matrix},
                          {two, Quantity::coriolis_product},
                          {two, Quantity::energy_gradient},
                          {two, Quantity::centroidal_momentum_matrix},
                          {two, Quantity::centre_of_mass},
                          {two, Quantity::operational_space},
                          {two, Quantity::jacobian_rate_product},
                          {two, Quantity::regressor},
                          {two, Quantity::computed_torque}};
  for (const Case& one : cases) {
    Library code(one.robot, one.which);
    std::vector<Numbers> x;
    for (const Pattern& p : code.f->inputs) x.push_back(random_numbers(rng, p.count()));
    const std::string about = one.robot.name() + " " + name(one.which);
    expect_jacobian(*code.f, *code.jacobian, x, about);
    expect_adjoint(code, x, rng, about);
  }
}

TEST(Casadi, FurtherArgumentsHaveDerivatives) {
  const Robot robot = Robot::load("planar2");
  Library code(robot, Quantity::inverse_dynamics, {.parameters = true, .gravity = true});
  EXPECT_EQ(code.f->input_names, (std::vector<std::string>{"q", "v", "a", "pi", "gravity"}));
  Rng rng(11);
  std::vector<Numbers> x;
  for (const Pattern& p : code.f->inputs) x.push_back(random_numbers(rng, p.count()));
  expect_jacobian(*code.f, *code.jacobian, x, "parameters");
  expect_adjoint(code, x, rng, "parameters");
}

TEST(Casadi, NamesAreAcceptedByCasadi) {
  EXPECT_EQ(casadi_name("_2dof__arm-x_"), "r2dof_arm_x");
  EXPECT_EQ(casadi_name("ur5_inverse"), "ur5_inverse");
  EXPECT_EQ(casadi_name("___"), "r");
  const Robot odd =
      robot_of("name = '__arm  (v2)'\n[[joint]]\nname = 'j'\naxis = [0, 1, 0]\n" + body_text);
  Library code(odd, Quantity::inverse_dynamics);
  EXPECT_EQ(code.name, "arm_v2_inverse");
}

TEST(Casadi, RefusesWhatHasNoMeaning) {
  const Robot robot = Robot::load("puma560");
  const auto refused = [&](Quantity which, CodeOptions o, const std::string& with) {
    o.casadi = true;
    try {
      generate_code(robot, which, o);
      ADD_FAILURE() << name(which);
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(with), std::string::npos) << e.what();
    }
  };
  refused(Quantity::inverse_gradient, {}, "generate 'inverse'");
  refused(Quantity::forward_vector_product, {}, "generate 'forward'");
  refused(Quantity::inverse_kinematics, {}, "generate 'kinematics'");
  refused(Quantity::inverse_dynamics, {.language = "fortran"}, "it is for c");
  refused(Quantity::inverse_dynamics, {.single_precision = true}, "double");
}

}  // namespace
}  // namespace parid::test
