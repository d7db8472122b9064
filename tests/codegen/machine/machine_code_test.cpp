// Machine code without a compiler: the values of the graph, on every instruction set of this CPU.

#include "codegen/machine/machine_code.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "codegen/emit/body.hpp"
#include "codegen/trace/generate.hpp"
#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "parid/parid.hpp"
#include "runtime/kernel/dispatch.hpp"
#include "runtime/kernel/machine_rows.hpp"
#include "tests/graph/random_graph.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

bool has_machine_code() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

// Arrays of a program, `rows` rows each, and one more number after each output.
template <class Real>
struct Rows {
  std::vector<std::vector<Real>> in, out;

  Rows(const Program& p, std::size_t rows, unsigned seed, double most = 2) {
    std::mt19937_64 rng(seed);
    std::uniform_real_distribution<double> number(-most, most);
    for (const Argument& a : p.inputs) {
      in.emplace_back(rows * static_cast<std::size_t>(a.count));
      for (Real& x : in.back()) x = static_cast<Real>(number(rng));
    }
    for (const Argument& a : p.outputs)
      out.emplace_back(rows * static_cast<std::size_t>(a.count) + 1, Real(-77));
  }
  std::vector<const Real*> from(const Program& p, std::size_t row) const {
    std::vector<const Real*> all;
    for (std::size_t k = 0; k < in.size(); ++k)
      all.push_back(in[k].data() + row * static_cast<std::size_t>(p.inputs[k].count));
    return all;
  }
  std::vector<Real*> to(const Program& p, std::size_t row) {
    std::vector<Real*> all;
    for (std::size_t k = 0; k < out.size(); ++k)
      all.push_back(out[k].data() + row * static_cast<std::size_t>(p.outputs[k].count));
    return all;
  }
};

// The outputs by evaluating the graph, row by row.
template <class Real>
std::vector<std::vector<double>> expected(const Program& p, const Rows<Real>& x, std::size_t rows) {
  std::vector<std::vector<double>> all;
  for (const Argument& a : p.outputs) all.emplace_back(rows * static_cast<std::size_t>(a.count));
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> in;
    for (std::size_t k = 0; k < x.in.size(); ++k)
      for (std::size_t c = 0; c < static_cast<std::size_t>(p.inputs[k].count); ++c)
        in.push_back(
            static_cast<double>(x.in[k][r * static_cast<std::size_t>(p.inputs[k].count) + c]));
    const std::vector<double> out = evaluate(p.graph, in);
    std::size_t at = 0;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t c = 0; c < static_cast<std::size_t>(p.outputs[k].count); ++c)
        all[k][r * static_cast<std::size_t>(p.outputs[k].count) + c] = out[at++];
  }
  return all;
}

template <class Real>
void expect_values(const Rows<Real>& x, const std::vector<std::vector<double>>& y, double tolerance,
                   const std::string& where) {
  for (std::size_t k = 0; k < y.size(); ++k) {
    double off = 0, scale = 1e-300;
    for (std::size_t j = 0; j < y[k].size(); ++j) {
      const auto got = static_cast<double>(x.out[k][j]);
      ASSERT_FALSE(std::isnan(got) && !std::isnan(y[k][j])) << where << " " << k << " " << j;
      off = std::max(off, std::abs(got - y[k][j]));
      scale = std::max(scale, std::abs(y[k][j]));
    }
    EXPECT_LT(off, tolerance * scale) << where << ", output " << k;
    EXPECT_EQ(x.out[k].back(), Real(-77)) << where << ": writes beyond its rows";
  }
}

// Rows of every number, columns, and one sample, on every set; the bits of a row are always the
// same.
void expect_program(const Program& p, double tolerance, const std::string& name,
                    bool floats = true) {
  for (const MachineSet& set : kernel_sets<MachineSet>()) {
    const std::string of = name + ", " + set.name;
    std::string note;
    const auto kernel = machine_kernel<double>(p, set, note);
    ASSERT_TRUE(kernel) << of << ": " << note;
    const std::size_t most = 37;
    Rows<double> all(p, most, 5);
    const auto y = expected(p, all, most);
    kernel->rows(most, all.from(p, 0).data(), all.to(p, 0).data());
    expect_values(all, y, tolerance, of);
    Rows<double> one(p, most, 5);
    for (std::size_t r = 0; r < most; ++r)
      EXPECT_TRUE(kernel->one(one.from(p, r).data(), one.to(p, r).data())) << of;
    EXPECT_EQ(one.out, all.out) << of << ", one by one";
    for (const std::size_t rows : {0, 1, 2, 3, 5, 8, 9, 16, 23}) {
      Rows<double> some(p, most, 5);
      kernel->rows(rows, some.from(p, 0).data(), some.to(p, 0).data());
      for (std::size_t k = 0; k < some.out.size(); ++k) {
        const std::size_t n = rows * static_cast<std::size_t>(p.outputs[k].count);
        EXPECT_TRUE(std::equal(some.out[k].begin(), some.out[k].begin() + static_cast<long>(n),
                               all.out[k].begin()))
            << of << ", " << rows << " rows";
        EXPECT_TRUE(std::all_of(some.out[k].begin() + static_cast<long>(n), some.out[k].end(),
                                [](double x) { return x == -77; }))
            << of << ", " << rows << " rows";
      }
    }
    // the same rows as columns
    Rows<double> columns(p, most, 5);
    for (std::size_t k = 0; k < columns.in.size(); ++k) {
      const auto n = static_cast<std::size_t>(p.inputs[k].count);
      for (std::size_t r = 0; r < most; ++r)
        for (std::size_t c = 0; c < n; ++c) columns.in[k][c * most + r] = all.in[k][r * n + c];
    }
    kernel->columns(most, most, columns.from(p, 0).data(), columns.to(p, 0).data());
    for (std::size_t k = 0; k < columns.out.size(); ++k) {
      const auto n = static_cast<std::size_t>(p.outputs[k].count);
      for (std::size_t r = 0; r < most; ++r)
        for (std::size_t c = 0; c < n; ++c)
          ASSERT_EQ(columns.out[k][c * most + r], all.out[k][r * n + c]) << of << ", columns";
    }
    if (!floats) continue;
    const auto single = machine_kernel<float>(p, set, note);
    ASSERT_TRUE(single) << of << ": " << note;
    Rows<float> few(p, most, 5);
    const auto z = expected(p, few, most);
    single->rows(most, few.from(p, 0).data(), few.to(p, 0).data());
    expect_values(few, z, 2e-3, of + ", float");
  }
}

Program program_of(Graph g) {
  Program p;
  p.graph = std::move(g);
  p.inputs = arguments(p.graph.inputs());
  p.outputs = arguments(p.graph.outputs());
  return p;
}

// Without arc tangents, which machine code does not compute.
Graph without_atan2(const Graph& g) {
  Graph to;
  std::vector<Id> at(g.size());
  for (const Named& in : g.inputs()) at[in.id] = to.input(in.name);
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.op == Op::input) continue;
    if (n.op == Op::constant)
      at[id] = to.constant(n.value());
    else if (n.op == Op::atan2)
      at[id] = to.operation(Op::div, at[n.in[0]], at[n.in[1]]);
    else
      at[id] = to.operation(n.op, at[n.in[0]], row(n.op).arity > 1 ? at[n.in[1]] : 0,
                            row(n.op).arity > 2 ? at[n.in[2]] : 0);
  }
  int k = 0;
  for (const Named& out : g.outputs()) to.output("y" + std::to_string(++k), at[out.id]);
  return to;
}

class MachineCodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_machine_code()) GTEST_SKIP() << "machine code is for x86-64";
  }
};

TEST_F(MachineCodeTest, RandomGraphs) {
  std::mt19937_64 rng(7);
  std::string note;
  for (int k = 0; k < 150; ++k) {
    const Graph g = simplify(without_atan2(random_graph(rng, 1 + k * 2)));
    Program p;
    p.graph = g;
    for (const Named& in : g.inputs()) p.inputs.push_back({in.name, 1});
    for (const Named& out : g.outputs()) p.outputs.push_back({out.name, 1});
    for (const MachineSet& set : kernel_sets<MachineSet>()) {
      const auto kernel = machine_kernel<double>(p, set, note);
      ASSERT_TRUE(kernel) << note;
      const std::size_t rows = 11;
      Rows<double> x(p, rows, static_cast<unsigned>(k));
      const auto y = expected(p, x, rows);
      kernel->rows(rows, x.from(p, 0).data(), x.to(p, 0).data());
      for (std::size_t j = 0; j < y.size(); ++j)
        for (std::size_t r = 0; r < rows; ++r) {
          // Rounding may choose the other side of a comparison; sines of large numbers, and
          // overflow, are the generic kernels' business.
          if (!std::isfinite(y[j][r]) || std::abs(y[j][r]) > 1e6) continue;
          EXPECT_NEAR(x.out[j][r], y[j][r], 1e-9 * (1 + std::abs(y[j][r])))
              << set.name << ", graph " << k << ", output " << j << ", row " << r;
        }
    }
  }
}

// More values alive than registers: they go to memory and come back, thousands of them.
TEST_F(MachineCodeTest, ManyValuesAlive) {
  for (const int n : {10, 40, 300, 3000}) {
    Graph g;
    std::vector<Expr> x;
    for (int k = 1; k <= 7; ++k) x.push_back(input(g, "x" + std::to_string(k)));
    std::vector<Expr> all;
    for (int k = 0; k < n; ++k) {
      const Expr& a = x[static_cast<std::size_t>(k) % 7];
      all.push_back(k % 50 == 49 ? sin_cos(a * Expr(0.001 * k)).sin
                                 : a * Expr(1.0 + k) + x[static_cast<std::size_t>(k + 1) % 7]);
    }
    Expr forward(0.0), backward(0.0);
    for (int k = 0; k < n; ++k) {
      forward = forward * Expr(0.999) + all[static_cast<std::size_t>(k)];
      backward = backward * Expr(-0.998) + all[static_cast<std::size_t>(n - 1 - k)];
    }
    output(g, "y1", forward);
    output(g, "y2", backward);
    expect_program(program_of(std::move(g)), 1e-13, std::to_string(n) + " values", false);
  }
}

TEST_F(MachineCodeTest, SmallAndOddPrograms) {
  Graph g;  // an output that is an input, a constant, the same value twice; an unused input
  const Expr x = input(g, "x1");
  (void)input(g, "x2");
  output(g, "y1", x);
  output(g, "y2", Expr(2.5));
  output(g, "y3", x + x);
  output(g, "y4", x + x);
  output(g, "y5", -x);
  output(g, "y6", abs(x));
  output(g, "y7", select(x < Expr(0.5), x * x, Expr(-1.0)));
  output(g, "y8", sqrt(abs(x)));
  output(g, "y9", x * x - x);
  output(g, "y10", x - x * x);
  expect_program(program_of(std::move(g)), 1e-15, "odd program");

  Graph constant;  // no input
  output(constant, "y1", Expr(3.0));
  Program p = program_of(std::move(constant));
  std::string note;
  for (const MachineSet& set : kernel_sets<MachineSet>()) {
    const auto kernel = machine_kernel<double>(p, set, note);
    ASSERT_TRUE(kernel) << note;
    std::vector<double> y(5, 0);
    double* const out[] = {y.data()};
    kernel->rows(5, nullptr, out);
    EXPECT_EQ(y, std::vector<double>(5, 3.0));
  }
}

TEST_F(MachineCodeTest, LargeAnglesAreReported) {
  const Program p = generate(Robot::load("puma560"), Quantity::gravity).program;
  std::string note;
  for (const MachineSet& set : kernel_sets<MachineSet>()) {
    const auto kernel = machine_kernel<double>(p, set, note);
    ASSERT_TRUE(kernel) << note;
    std::vector<double> g(6);
    double* const out[] = {g.data()};
    auto accepted = [&](std::size_t joint, double angle) {
      std::vector<double> q{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
      q[joint] = angle;
      const double* const in[] = {q.data()};
      return kernel->one(in, out);
    };
    const double nan = std::nan(""), infinite = HUGE_VAL;
    for (std::size_t j = 1; j < 5; ++j) {  // gravity does not depend on the first, nor on the last
      for (const double x : {0.0, -0.0, 1e-300, 30.0, -30.0}) EXPECT_TRUE(accepted(j, x)) << x;
      for (const double x : {200.0, -200.0, 1e9, infinite, -infinite, nan, -nan})
        EXPECT_FALSE(accepted(j, x)) << set.name << ", joint " << j << ": " << x;
    }
    EXPECT_TRUE(kernel->beyond(6, std::vector<double>{0, 0, 0, 0, 0, nan}.data(), 64.0));
    EXPECT_TRUE(kernel->beyond(6, std::vector<double>{-65, 0, 0, 0, 0, 0}.data(), 64.0));
    EXPECT_FALSE(kernel->beyond(6, std::vector<double>{-64, 64, 0, 0, 0, 0}.data(), 64.0));
  }
}

TEST_F(MachineCodeTest, EveryQuantity) {
  for (const char* name : {"puma560", "stanford", "quadruped"}) {
    const Robot robot = Robot::load(name);
    for (const Quantity what : batched_quantities()) {
      if (robot.nv() > 6 && std::string_view(parid::name(what)).ends_with("gradient"))
        continue;  // the time of tracing
      const Program p = generate(robot, what).program;
      expect_program(p, info(what).inverts_mass ? 1e-9 : 1e-12,
                     std::string(name) + " " + parid::name(what), !info(what).inverts_mass);
    }
  }
}

TEST_F(MachineCodeTest, RobotsOfOthers) {
  const char* extra = std::getenv("PARID_EXTRA_DATA");
  if (!extra) GTEST_SKIP() << "PARID_EXTRA_DATA is not set";
  std::size_t tried = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(extra) / "zoo")) {
    if (file.path().extension() != ".urdf" || ++tried % 12 != 0) continue;
    std::optional<Robot> robot;
    try {
      robot = Robot::load(file.path().string());
    } catch (const Error&) {
      continue;
    }
    if (robot->nv() == 0 || robot->nv() > 20) continue;
    for (const Quantity what :
         {Quantity::inverse_dynamics, Quantity::mass_matrix, Quantity::kinematics})
      expect_program(generate(*robot, what).program, 1e-12,
                     file.path().filename().string() + " " + parid::name(what), false);
  }
  EXPECT_GT(tried, 0u);
}

TEST_F(MachineCodeTest, ImpossibleProgramsAreRefusedWithAReason) {
  std::string note;
  Graph arc;
  const Expr sine = input(arc, "x1"), cosine = input(arc, "x2");
  output(arc, "y1", atan2(sine, cosine));
  EXPECT_FALSE(MachineCode::make(program_of(std::move(arc)), {}, note));
  EXPECT_NE(note.find("arc tangents"), std::string::npos) << note;

  Graph large;
  Expr x = input(large, "x1");
  const Expr y = input(large, "x2");
  for (std::size_t k = 0; k <= machine_operations_limit; ++k)
    x = x * y + Expr(1.0 + static_cast<double>(k));
  output(large, "y1", x);
  EXPECT_FALSE(MachineCode::make(program_of(std::move(large)), {}, note));
  EXPECT_NE(note.find("too many for machine code"), std::string::npos) << note;
}

// No page is writable and executable, and the code is in pages that can be executed only.
TEST_F(MachineCodeTest, ExecutableMemoryIsNotWritable) {
  const Program p = generate(Robot::load("planar2"), Quantity::inverse_dynamics).program;
  std::string note;
  const auto code = MachineCode::make(p, {}, note);
  ASSERT_TRUE(code) << note;
  const auto at = reinterpret_cast<std::uintptr_t>(code->one());
  std::ifstream maps("/proc/self/maps");
  if (!maps) GTEST_SKIP() << "no /proc/self/maps";
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::string range, rights;
    words >> range >> rights;
    EXPECT_FALSE(rights.size() > 2 && rights[1] == 'w' && rights[2] == 'x') << line;
    const std::uintptr_t first = std::stoull(range, nullptr, 16),
                         last = std::stoull(range.substr(range.find('-') + 1), nullptr, 16);
    if (first <= at && at < last) {
      found = true;
      EXPECT_EQ(rights.substr(0, 3), "r-x") << line;
    }
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace parid::test
