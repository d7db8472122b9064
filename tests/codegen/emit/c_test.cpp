// Generated C is compiled as strict C99, loaded, and gives the library's results.

#include "codegen/emit/languages.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "codegen/trace/generate.hpp"
#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "parid/dynamics.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;

// Calls a compiled program with any number of arguments.
template <class Real>
class Compiled {
 public:
  Compiled(const Program& p, const COptions& options, const std::filesystem::path& folder)
      : program_(p) {
    const CFiles files = emit_c(p, options);
    std::ofstream(folder / (p.name + ".c")) << files.source;
    std::ofstream(folder / (p.name + ".h")) << files.header;
    const std::string library = (folder / (p.name + ".so")).string();
    const std::string effort = p.graph.size() < 1000 ? "-O1" : "-O0";  // compilers take long
    const std::string command = "cc -std=c99 -pedantic -Wall -Wextra -Werror " + effort +
                                " -ffp-contract=off -shared -fPIC -o " + library + " " +
                                (folder / (p.name + ".c")).string() + " -lm";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("cc refuses " + p.name);
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw std::runtime_error(dlerror());
    function_ = dlsym(handle_, p.name.c_str());
  }
  ~Compiled() { dlclose(handle_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  // Inputs in the graph's order, outputs likewise.
  Numbers operator()(const Numbers& in) const {
    std::vector<std::vector<Real>> arrays;
    std::size_t at = 0;
    for (const Argument& a : program_.inputs) {
      arrays.emplace_back(in.begin() + at, in.begin() + at + a.count);
      at += a.count;
    }
    for (const Argument& a : program_.outputs) arrays.emplace_back(a.count);
    std::vector<Real*> p;
    for (auto& a : arrays) p.push_back(a.data());
    using R = Real*;
    switch (p.size()) {
      case 2: reinterpret_cast<void (*)(R, R)>(function_)(p[0], p[1]); break;
      case 3: reinterpret_cast<void (*)(R, R, R)>(function_)(p[0], p[1], p[2]); break;
      case 4: reinterpret_cast<void (*)(R, R, R, R)>(function_)(p[0], p[1], p[2], p[3]); break;
      case 6:
        reinterpret_cast<void (*)(R, R, R, R, R, R)>(function_)(p[0], p[1], p[2], p[3], p[4], p[5]);
        break;
      default: throw std::runtime_error("so many arguments");
    }
    Numbers out;
    for (std::size_t k = program_.inputs.size(); k < arrays.size(); ++k)
      out.insert(out.end(), arrays[k].begin(), arrays[k].end());
    return out;
  }

 private:
  const Program& program_;
  void* handle_;
  void* function_;
};

double relative(const Numbers& x, const Numbers& y) {
  double off = 0, scale = 1e-300;
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return off / scale;
}

Numbers joined(std::initializer_list<Numbers> parts) {
  Numbers all;
  for (const Numbers& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}

// The library's result for a quantity: the inputs in the program's order, and the outputs.
struct Case {
  Numbers in, out;
};
Case answer(const Robot& r, Workspace& w, const std::string& what, const RandomState& s) {
  const std::size_t n = r.nv();
  Numbers x(n), M(n * n), dq(n * n), dv(n * n), da(n * n);
  if (what == "inverse") {
    inverse_dynamics(r, w, s.q, s.v, s.a, x);
    return {joined({s.q, s.v, s.a}), x};
  }
  if (what == "forward") {
    forward_dynamics(r, w, s.q, s.v, s.a, x);
    return {joined({s.q, s.v, s.a}), x};
  }
  if (what == "bias") return bias(r, w, s.q, s.v, x), Case{joined({s.q, s.v}), x};
  if (what == "gravity") return gravity(r, w, s.q, x), Case{s.q, x};
  if (what == "mass") return mass_matrix(r, w, s.q, M), Case{s.q, M};
  if (what == "inverse_gradient") {
    inverse_gradient(r, w, s.q, s.v, s.a, dq, dv, da);
    return {joined({s.q, s.v, s.a}), joined({dq, dv, da})};
  }
  forward_gradient(r, w, s.q, s.v, s.a, dq, dv, da);
  return {joined({s.q, s.v, s.a}), joined({dq, dv, da})};
}

TEST(GeneratedC, AnswersAsTheLibraryDoes) {
  const Scratch folder;
  Rng rng(17);
  for (const char* name : {"puma560", "stanford", "scara", "panda", "quadruped"})
    for (const char* what : {"inverse", "forward", "mass", "bias", "gravity", "inverse_gradient",
                             "forward_gradient"}) {
      const Robot robot = Robot::load(name);
      if (std::string(name) == "quadruped" && std::string(what) == "forward_gradient") continue;
      Workspace workspace(robot);
      const Generated made = generate(robot, quantity(what));
      const Compiled<double> compiled(made.program, {}, folder.path(""));
      for (int k = 0; k < 20; ++k) {
        const Case c = answer(robot, workspace, what, random_state(rng, robot.description()));
        EXPECT_LT(relative(compiled(c.in), c.out),
                  std::string(what).starts_with("forward") ? 1e-8 : 1e-11)
            << name << " " << what;
        EXPECT_LT(relative(evaluate<double>(made.program.graph, c.in), c.out),
                  std::string(what).starts_with("forward") ? 1e-8 : 1e-11)
            << name << " " << what << ", interpreted";
      }
    }
}

TEST(GeneratedC, InSinglePrecisionAndWithTheLibrarysSines) {
  const Scratch folder;
  Rng rng(18);
  const Robot robot = Robot::load("puma560");
  Workspace workspace(robot);
  Generated made = generate(robot, Quantity::inverse_dynamics, {.standard_parameters = true});
  const Compiled<float> single(made.program, {.single_precision = true}, folder.path(""));
  Program other = made.program;
  other.name += "_libm";
  const Compiled<double> library(other, {.libm_sin_cos = true}, folder.path(""));
  other.name += "_fma";
  EXPECT_NE(emit_c(other, {.fma = true}).source.find("= fma("), std::string::npos);
  const Compiled<double> fused(other, {.fma = true}, folder.path(""));
  for (int k = 0; k < 50; ++k) {
    const Case c = answer(robot, workspace, "inverse", random_state(rng, robot.description()));
    EXPECT_LT(relative(single(c.in), c.out), 3e-6);
    EXPECT_LT(relative(library(c.in), c.out), 1e-12);
    EXPECT_LT(relative(fused(c.in), c.out), 1e-12);
  }
}

// Its sine and cosine only, as a program.
TEST(GeneratedC, SinesOfItsOwn) {
  const Scratch folder;
  Program p;
  const SinCos<Expr> pair = sin_cos(input(p.graph, "x1"));
  output(p.graph, "y1", pair.sin);
  output(p.graph, "y2", pair.cos);
  p.inputs = arguments(p.graph.inputs());
  p.outputs = arguments(p.graph.outputs());
  p.name = "pair";
  const Compiled<double> compiled(p, {}, folder.path(""));
  p.name = "pair_float";
  const Compiled<float> single(p, {.single_precision = true}, folder.path(""));
  Rng rng(19);
  double worst = 0, worst_single = 0;
  for (const double reach : {1.0, 10.0, 1000.0, 1e4})
    for (int k = 0; k < 20000; ++k) {
      const double x = uniform(rng, -reach, reach);
      const Numbers y = compiled({x});
      for (const auto& [found, true_value] : {std::pair(y[0], sinl(static_cast<long double>(x))),
                                              std::pair(y[1], cosl(static_cast<long double>(x)))}) {
        const double ulp = std::nextafter(std::abs(static_cast<double>(true_value)), 2.0) -
                           std::abs(static_cast<double>(true_value));
        worst = std::max(worst, static_cast<double>(std::abs(found - true_value)) / ulp);
      }
      const float xf = static_cast<float>(x);
      const Numbers z = single({xf});
      worst_single = std::max({worst_single, std::abs(z[0] - std::sin(static_cast<double>(xf))),
                               std::abs(z[1] - std::cos(static_cast<double>(xf)))});
    }
  EXPECT_LT(worst, 2) << "ulp";
  EXPECT_LT(worst_single, 1.2e-7);
}

TEST(GeneratedC, SaysWhatItIs) {
  const Generated made = generate(Robot::load("puma560"), Quantity::inverse_dynamics);
  const CFiles files = emit_c(made.program, {});
  EXPECT_NE(files.source.find("multiplications"), std::string::npos);
  EXPECT_NE(files.header.find("void puma560_inverse("), std::string::npos);
  EXPECT_EQ(files.source.find("malloc"), std::string::npos);
  // Nothing but its own header and two that need no library.
  std::set<std::string> headers;
  for (std::size_t at = 0; (at = files.source.find("#include <", at)) != std::string::npos;) {
    at += 10;
    headers.insert(files.source.substr(at, files.source.find('>', at) - at));
  }
  EXPECT_EQ(headers, (std::set<std::string>{"float.h", "stdint.h"}));
}

// The figures of docs/generated-programs.md, rotors apart: no change may make them larger. A
// general arm of n links keeps to 82n - 100 and 71n - 92.
TEST(Generated, Counts) {
  auto count = [](const char* name, bool standard) {
    const Generated g =
        generate(Robot::load(name), Quantity::inverse_dynamics, {.standard_parameters = standard});
    const Counts n = counts(g.program.graph);
    return std::pair(n.multiplications - g.rotors.multiplications,
                     n.additions - g.rotors.additions);
  };
  auto expect = [&](const char* name, bool standard, long multiplications, long additions) {
    const auto [m, a] = count(name, standard);
    EXPECT_LE(m, multiplications) << name;
    EXPECT_LE(a, additions) << name;
  };
  expect("puma560", true, 205, 168);
  expect("stanford", true, 165, 133);
  expect("puma560", false, 175, 146);
  expect("stanford", false, 130, 100);
  for (int n = 3; n <= 8; ++n)
    expect(("chain:" + std::to_string(n)).c_str(), false, 82 * n - 100, 71 * n - 92);
}

// All three derivatives of the torques, compared with the torques.
TEST(Generated, GradientsCostAFewTorques) {
  auto operations = [](const Robot& r, const char* what) {
    const Counts n = counts(generate(r, quantity(what)).program.graph);
    return n.multiplications + n.additions;
  };
  for (const auto& [name, most] : {std::pair("puma560", 1693), {"stanford", 1337}}) {
    const Robot robot = Robot::load(name);
    const long gradient = operations(robot, "inverse_gradient");
    EXPECT_LE(gradient, most) << name;
    EXPECT_LE(gradient, 7 * operations(robot, "inverse")) << name;
  }
}

// wᵀ times the three matrices, of arms and of a robot whose positions are no vectors.
TEST(Generated, VectorGradients) {
  Rng rng(41);
  for (const char* name : {"puma560", "quadruped"}) {
    const Robot robot = Robot::load(name);
    const Graph inverse = generate(robot, Quantity::inverse_dynamics).program.graph,
                g = generate(robot, Quantity::inverse_vector_product).program.graph;
    g.check();
    const auto operations = [](const Graph& x) {
      return counts(x).multiplications + counts(x).additions;
    };
    EXPECT_LE(operations(g), 3 * operations(inverse)) << name;
    Workspace workspace(robot);
    const RandomState s = random_state(rng, robot.description());
    const Case c = answer(robot, workspace, "inverse_gradient", s);
    const std::size_t n = robot.nv();
    const Numbers w = random_state(rng, robot.description()).v,
                  found = evaluate<double>(g, joined({s.q, s.v, s.a, w}));
    Numbers wanted(3 * n);
    for (std::size_t part = 0; part < 3; ++part)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
          wanted[part * n + k] += w[i] * c.out[part * n * n + i * n + k];
    EXPECT_LT(relative(found, wanted), 1e-11) << name;
  }
}

// Closed forms are taken where they are leaner than recursions.
TEST(Generated, OtherCounts) {
  auto operations = [](const char* name, const char* what) {
    const Counts n = counts(generate(Robot::load(name), quantity(what)).program.graph);
    return n.multiplications + n.additions;
  };
  EXPECT_LE(operations("puma560", "gravity"), 20);
  EXPECT_LE(operations("puma560", "mass"), 174);
  EXPECT_LE(operations("puma560", "forward"), 629);
  EXPECT_LE(operations("puma560", "forward_gradient"), 2700);
  EXPECT_LE(operations("puma560-3", "mass"), 22);
  EXPECT_LE(operations("stanford", "mass"), 107);
}

}  // namespace
}  // namespace parid::test
