// Generated CUDA: its values, computed by the system's C++ compiler with the few words of CUDA
// defined for the CPU, and that nvcc compiles it for GPUs without a warning.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codegen/emit/languages.hpp"
#include "tests/base/scratch.hpp"
#include "tests/codegen/emit/program_values.hpp"
#include "tests/full.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

// One block of as many threads as there are rows, one after another.
constexpr const char* words = R"(
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
using std::atan2; using std::fabs; using std::sqrt;
#define __device__
#define __global__
#define __forceinline__ inline
struct { unsigned x; } blockIdx, blockDim, threadIdx;
static long long __double_as_longlong(double x) { long long y; std::memcpy(&y, &x, 8); return y; }
static double __longlong_as_double(long long x) { double y; std::memcpy(&y, &x, 8); return y; }
static unsigned __float_as_uint(float x) { unsigned y; std::memcpy(&y, &x, 4); return y; }
static float __uint_as_float(unsigned x) { float y; std::memcpy(&y, &x, 4); return y; }
)";

// A program that runs one kernel over all samples and prints the outputs of each sample. Threads
// beyond the last row must write nothing.
std::string caller(const ProgramValues& v, const std::string& real, bool columns) {
  const std::size_t rows = v.in.size();
  std::string text = "int main() {\n", arguments, prints;
  int at = 0, array = 0;
  const auto place = [&](std::size_t row, int k, int count) {
    return columns ? static_cast<std::size_t>(k) * (rows + 3) + row
                   : row * static_cast<std::size_t>(count) + static_cast<std::size_t>(k);
  };
  for (const Argument& a : v.program.inputs) {
    text += fmt::format("std::vector<{}> x{}({});\n", real, array, (rows + 3) * a.count);
    for (std::size_t r = 0; r < rows; ++r)
      for (int k = 0; k < a.count; ++k)
        text += fmt::format("x{}[{}] = {:.17g};\n", array, place(r, k, a.count), v.in[r][at + k]);
    at += a.count;
    arguments += fmt::format(", x{}.data()", array++);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    int k0 = array;
    for (const Argument& a : v.program.outputs) {
      for (int k = 0; k < a.count; ++k)
        prints +=
            fmt::format("std::printf(\"%.17g\\n\", (double)x{}[{}]);\n", k0, place(r, k, a.count));
      ++k0;
    }
  }
  for (const Argument& a : v.program.outputs) {
    text += fmt::format("std::vector<{}> x{}({}, 777);\n", real, array, (rows + 3) * a.count);
    prints += fmt::format("if (x{}.back() != 777) return 1;\n", array);
    arguments += fmt::format(", x{}.data()", array++);
  }
  text += fmt::format(
      "blockDim.x = 4;\nfor (blockIdx.x = 0; blockIdx.x < {}; ++blockIdx.x)\n"
      "for (threadIdx.x = 0; threadIdx.x < 4; ++threadIdx.x) {}{}({}{}{});\n",
      rows / 4 + 1, v.program.name, columns ? "_columns" : "", rows,
      columns ? fmt::format(", {}", rows + 3) : "", arguments);
  return text + prints + "}\n";
}

std::string ran(const ProgramValues& v, bool single, bool columns) {
  Scratch scratch;
  const std::string source =
      scratch.file("kernel.cpp", words + emit_cuda(v.program, single) +
                                     caller(v, single ? "float" : "double", columns));
  const std::string program = scratch.path("kernel");
  return said(
      fmt::format("g++ -std=c++17 -O1 -Wall -Wextra -Werror -Wno-unknown-pragmas "
                  "-Wno-unused-function '{}' -o '{}' && '{}'",
                  source, program, program));
}

TEST(Cuda, GivesTheGraphsValuesOnTheCpu) {
  if (!there("g++")) GTEST_SKIP() << "g++ is not installed";
  bool columns = false;
  for (const ProgramValues& v : programs_for_languages(5)) {
    std::istringstream printed(ran(v, false, columns));
    for (const auto& want : v.want) expect_values(printed, want, v.program.name);
    columns = !columns;
  }
}

TEST(Cuda, SinglePrecision) {
  if (!there("g++")) GTEST_SKIP() << "g++ is not installed";
  const ProgramValues v = program_values(Robot::load("panda"), "inverse", {}, 3);
  EXPECT_EQ(emit_cuda(v.program, true).find("double"), std::string::npos);
  std::istringstream printed(ran(v, true, true));
  for (const auto& sample : v.want) {
    double scale = 0;
    for (const double x : sample) scale = std::max(scale, std::abs(x));
    for (const double want : sample) {
      double got = NAN;
      printed >> got;
      EXPECT_NEAR(got, want, 1e-5 * scale);
      EXPECT_NE(got, want);
    }
  }
}

// nvcc compiles for GPUs without one; ptxas, which assigns the registers, is part of it.
TEST(Cuda, NvccCompilesItWithoutAWarning) {
  if (!there("nvcc")) GTEST_SKIP() << "nvcc is not installed";
  Scratch scratch;
  int number = 0;
  for (const ProgramValues& v : programs_for_languages(1)) {
    const int k = number++;
    for (const bool single : {false, true}) {
      // nvcc takes seconds for each: a sample has every second one, alternately in either precision
      if (!full_tests() && (k % 2 != 0 || single != (k % 4 == 2))) continue;
      const std::string source = scratch.file("kernel.cu", emit_cuda(v.program, single));
      const std::string said_of_it =
          said(fmt::format("cd '{}' && nvcc -arch=sm_80 -cubin -Xptxas -v -Werror all-warnings "
                           "kernel.cu -o kernel.cubin",
                           scratch.path(".")));
      EXPECT_NE(said_of_it.find("registers"), std::string::npos) << said_of_it;
    }
  }
}

// clang has a CUDA compiler too, but needs nvcc's headers; the text itself compiles as OpenCL C.
TEST(OpenCl, ClangCompilesItWithoutAWarning) {
  if (!there("clang")) GTEST_SKIP() << "clang is not installed";
  Scratch scratch;
  for (const ProgramValues& v : programs_for_languages(1)) {
    for (const bool single : {false, true}) {
      const std::string source = scratch.file("kernel.cl", emit_opencl(v.program, single));
      for (const char* standard : {"CL1.2", "CL3.0"})
        EXPECT_EQ(said(fmt::format("clang -x cl -cl-std={} -Xclang -finclude-default-header "
                                   "-Xclang -cl-ext=+cl_khr_fp64,+__opencl_c_fp64 -Wall -Wextra "
                                   "-Werror -fsyntax-only '{}'",
                                   standard, source)),
                  "");
    }
  }
}

}  // namespace
}  // namespace parid::test
