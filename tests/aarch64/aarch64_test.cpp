// The kernels on another architecture: cross-compiled for aarch64, run under QEMU, and compared
// with the results here. The same for a generated vector program.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/base/scratch.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

const std::string cross = "aarch64-linux-gnu-g++";
const std::string emulator = "qemu-aarch64 -L /usr/aarch64-linux-gnu";

class Aarch64 : public testing::Test {
 protected:
  void SetUp() override {
    if (!there(cross) || !there("qemu-aarch64"))
      GTEST_SKIP() << cross << " or qemu-aarch64 is not installed";
  }
  Scratch scratch_;
};

struct Line {
  std::string what;
  double value;
};
std::vector<Line> lines(const std::string& text) {
  std::vector<Line> all;
  std::istringstream in(text);
  std::string what, bits;
  while (in >> what >> bits)
    all.push_back(
        {what, std::bit_cast<double>(static_cast<std::uint64_t>(std::stoull(bits, nullptr, 16)))});
  return all;
}

const std::string sources =
    " tests/aarch64/main.cpp src/model/format/parametric.cpp src/model/canonical_model.cpp"
    " src/model/joint/drive.cpp src/model/joint/mimic.cpp"
    " src/model/joint/coupling.cpp src/model/frame.cpp src/scalar/angle.cpp"
    " src/dynamics/tree_paths.cpp"
    " src/runtime/kernel/isa/kernel.cpp src/runtime/kernel/isa/forward_kernel.cpp";

TEST_F(Aarch64, KernelsGiveTheSameThere) {
  const std::string flags =
                        " -std=c++20 -O1 -I. -Iinclude -Isrc -DPARID_KERNEL_ISA=Baseline "
                        "-DFMT_HEADER_ONLY -Wno-psabi",
                    there_program = scratch_.path("there"), here_program = scratch_.path("here");
  said(cross + flags + sources + " -o " + there_program);
  said("g++" + flags + sources + " -o " + here_program);
  const auto there = lines(said(emulator + " " + there_program)), here = lines(said(here_program));
  ASSERT_EQ(there.size(), here.size());
  ASSERT_EQ(there.size(), 7u * (3 * 6 + 36 + 3 * 5 + 25));
  double scale = 0;
  for (const Line& l : here) scale = std::max(scale, std::abs(l.value));
  for (std::size_t k = 0; k < here.size(); ++k) {
    ASSERT_EQ(there[k].what, here[k].what);
    const double bound = here[k].what == "forward" ? 1e-9 : 1e-13;
    EXPECT_NEAR(there[k].value, here[k].value, bound * scale) << here[k].what << " " << k;
  }
}

// Two doubles to a register of NEON.
TEST_F(Aarch64, GeneratedVectorProgram) {
  const Ran ran =
      parid_line("generate puma560 inverse --lang cpp --lanes 2 --json -o " + scratch_.path(""));
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string main = scratch_.path("main.cpp");
  std::ofstream(main) << R"(#include "puma560_inverse.cpp"
#include <cstdio>
#include <cstring>
int main() {
  static double q[78], v[78], a[78], tau[78];
  for (int k = 0; k < 78; ++k) q[k] = 0.001 * (k * k % 4001) - 2, v[k] = 0.01 * k, a[k] = 1 - 0.02 * k;
  puma560_inverse(13, q, v, a, tau);
  for (double x : tau) {
    unsigned long long bits;
    std::memcpy(&bits, &x, 8);
    std::printf("tau %016llx\n", bits);
  }
}
)";
  const std::string flags = " -std=c++17 -O2 -w -I" + scratch_.path("") + " ";
  said(cross + flags + main + " -o " + scratch_.path("there"));
  said("g++" + flags + main + " -o " + scratch_.path("here"));
  const auto there = lines(said(emulator + " " + scratch_.path("there"))),
             here = lines(said(scratch_.path("here")));
  ASSERT_EQ(here.size(), 78u);
  ASSERT_EQ(there.size(), 78u);
  double largest = 0;
  for (const Line& l : here) largest = std::max(largest, std::abs(l.value));
  EXPECT_GT(largest, 1);
  for (std::size_t k = 0; k < 78; ++k) EXPECT_NEAR(there[k].value, here[k].value, 1e-13 * largest);
}

}  // namespace
}  // namespace parid::test
