// Generated C++ over lanes, as g++ and clang++ compile it: the torques of the generic kernel.

#include "codegen/emit/languages.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "codegen/trace/generate.hpp"
#include "parid/parid.hpp"
#include "tests/base/scratch.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

class Library {
 public:
  Library(const std::string& compiler, const std::string& text, const std::string& path) {
    std::ofstream(path + ".cpp") << text;
    const std::string command =
        compiler +
        " -std=c++11 -Wall -Wextra -Wno-psabi -Werror -O1 -ffp-contract=fast "
        "-shared -fPIC -o " +
        path + ".so " + path + ".cpp";
    if (std::system(command.c_str()) != 0) throw std::runtime_error(compiler + " refuses " + path);
    handle_ = dlopen((path + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw std::runtime_error(dlerror());
  }
  ~Library() { dlclose(handle_); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  void* function(const std::string& name) const { return dlsym(handle_, name.c_str()); }

 private:
  void* handle_;
};

double relative(const std::vector<double>& x, const std::vector<double>& y) {
  double off = 0, scale = 1e-300;
  for (std::size_t k = 0; k < x.size(); ++k) {
    off = std::max(off, std::abs(x[k] - y[k]));
    scale = std::max(scale, std::abs(y[k]));
  }
  return off / scale;
}

// Rows and columns of `inverse` with that many lanes compared with the engine.
template <class Real>
void compare(const char* compiler, const Robot& robot, const CppOptions& options, double within,
             const std::string& path) {
  const Program p = generate(robot, Quantity::inverse_dynamics).program;
  const Library library(compiler, emit_cpp(p, options), path);
  using C = const Real*;
  const auto by_rows = reinterpret_cast<void (*)(long, C, C, C, Real*)>(library.function(p.name));
  const auto by_columns =
      reinterpret_cast<void (*)(long, long, C, C, C, Real*)>(library.function(p.name + "_columns"));
  ASSERT_TRUE(by_rows && by_columns);
  Rng rng(31);
  Engine generic(robot, {.threads = 1});
  for (const std::size_t rows : {0u, 1u, 5u, 8u, 67u}) {
    std::vector<double> q, v, a;
    for (std::size_t r = 0; r < rows; ++r) {
      const RandomState s = random_state(rng, robot.description());
      q.insert(q.end(), s.q.begin(), s.q.end());
      v.insert(v.end(), s.v.begin(), s.v.end());
      a.insert(a.end(), s.a.begin(), s.a.end());
    }
    std::vector<double> wanted(v.size());
    generic.inverse_dynamics(rows, q, v, a, wanted);
    auto as_real = [](const std::vector<double>& x) {
      return std::vector<Real>(x.begin(), x.end());
    };
    const std::vector<Real> Q = as_real(q), V = as_real(v), A = as_real(a);
    std::vector<Real> tau(wanted.size() + 1, Real(-1));
    by_rows(static_cast<long>(rows), Q.data(), V.data(), A.data(), tau.data());
    EXPECT_EQ(tau.back(), Real(-1));
    EXPECT_LT(relative({tau.begin(), tau.end() - 1}, wanted), within) << compiler << rows;
    auto transposed = [rows](const std::vector<Real>& x) {
      std::vector<Real> y(x.size());
      const std::size_t n = rows == 0 ? 0 : x.size() / rows;
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t k = 0; k < n; ++k) y[k * rows + r] = x[r * n + k];
      return y;
    };
    const std::vector<Real> qc = transposed(Q), vc = transposed(V), ac = transposed(A);
    std::vector<Real> tc(wanted.size());
    by_columns(static_cast<long>(rows), static_cast<long>(rows), qc.data(), vc.data(), ac.data(),
               tc.data());
    tau.pop_back();
    EXPECT_EQ(tc, transposed(tau)) << compiler << rows;
  }
}

TEST(GeneratedCpp, GivesTheTorquesOfTheGenericKernel) {
  const Scratch scratch;
  const Robot puma = Robot::load("puma560"), scara = Robot::load("scara"),
              planar3 = Robot::load("planar3");
  int tried = 0;
  for (const char* compiler : {"g++", "clang++"}) {
    if (std::system((std::string(compiler) + " --version >/dev/null 2>&1").c_str()) != 0) continue;
    const std::string path = scratch.path(compiler);
    compare<double>(compiler, puma, {}, 1e-12, path + "1");
    compare<float>(compiler, scara, {.single_precision = true}, 1e-4, path + "2");
    compare<double>(compiler, planar3, {.lanes = 8}, 1e-12, path + "3");
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "there is no C++ compiler";
}

TEST(GeneratedCpp, IncludesNothing) {
  const std::string text = emit_cpp(generate(Robot::load("scara"), Quantity::mass_matrix).program);
  EXPECT_EQ(text.find("#include"), std::string::npos);
  EXPECT_NE(text.find("extern \"C\" void scara_mass(long rows, const double *q, double *M)"),
            std::string::npos)
      << text.substr(0, 2000);
}

}  // namespace
}  // namespace parid::test
