// Generated Fortran as gfortran compiles it, without a warning: the values of the graph it was
// written from.

#include <gtest/gtest.h>

#include "codegen/emit/languages.hpp"
#include "tests/base/scratch.hpp"
#include "tests/codegen/emit/program_values.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

constexpr const char* strict =
    "gfortran -std=f2003 -pedantic -Wall -Wextra -Werror -Wno-unused-dummy-argument -O1 ";

// A program that calls the subroutine once per sample and prints all outputs.
std::string caller(const ProgramValues& v, const FortranFile& file, const char* kind) {
  std::string text = fmt::format("program caller\n  use {0}_module\n  implicit none\n", file.name);
  std::string arguments, prints;
  int k = 0;
  for (const auto* all : {&v.program.inputs, &v.program.outputs})
    for (const Argument& a : *all) {
      const std::string name = fmt::format("x{}", ++k);
      text += fmt::format("  {} :: {}({})\n", kind, name, a.count);
      arguments += (arguments.empty() ? "" : ", ") + name;
      if (all == &v.program.outputs) prints += fmt::format("  print '(es25.17e3)', {}\n", name);
    }
  for (const std::vector<double>& sample : v.in) {
    std::size_t at = 0;
    int array = 0;
    for (const Argument& a : v.program.inputs) {
      ++array;
      for (int i = 0; i < a.count; ++i) {
        std::string number = fmt::format("{:.17e}", sample[at++]);
        number[number.find('e')] = 'd';
        text += fmt::format("  x{}({}) = real({}, kind(x1))\n", array, i + 1, number);
      }
    }
    text += fmt::format("  call {}({})\n", file.name, arguments) + prints;
  }
  return text + "end program caller\n";
}

TEST(Fortran, GivesTheGraphsValuesUnderGfortran) {
  if (!there("gfortran")) GTEST_SKIP() << "gfortran is not installed";
  Scratch scratch;
  for (const ProgramValues& v : programs_for_languages(2)) {
    const FortranFile file = emit_fortran(v.program, false);
    EXPECT_LE(file.name.size(), 56u);
    const std::string module = scratch.file(file.name + ".f90", file.text),
                      main = scratch.file("caller.f90", caller(v, file, "double precision")),
                      program = scratch.path("caller");
    std::istringstream printed(
        said(fmt::format("cd '{}' && {} '{}' '{}' -o '{}' && '{}'", scratch.path("."), strict,
                         module, main, program, program)));
    for (const auto& want : v.want) expect_values(printed, want, v.program.name);
  }
}

TEST(Fortran, SinglePrecision) {
  if (!there("gfortran")) GTEST_SKIP() << "gfortran is not installed";
  Scratch scratch;
  ProgramValues v = program_values(Robot::load("panda"), "inverse", {}, 1);
  const FortranFile file = emit_fortran(v.program, true);
  EXPECT_EQ(file.text.find("1.0d0"), std::string::npos);
  scratch.file("panda.f90", file.text);
  scratch.file("caller.f90", caller(v, file, "real"));
  std::istringstream printed(said(
      fmt::format("cd '{}' && {} panda.f90 caller.f90 -o p && ./p", scratch.path("."), strict)));
  double scale = 0;
  for (const double x : v.want[0]) scale = std::max(scale, std::abs(x));
  for (const double want : v.want[0]) {
    double got = NAN;
    printed >> got;
    EXPECT_NEAR(got, want, 1e-5 * scale);
    EXPECT_NE(got, want);
  }
}

TEST(Fortran, LinesAndNamesFitTheStandard) {
  for (const ProgramValues& v : programs_for_languages(0)) {
    const FortranFile file = emit_fortran(v.program, false);
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(line.size() <= 132 || line.find('!') != std::string::npos) << line;
    }
    EXPECT_NE(file.name[0], '_');
  }
}

}  // namespace
}  // namespace parid::test
