// Generated MATLAB as GNU Octave runs it: the values of the graph it was written from, for one
// sample and for several columns at once.

#include <gtest/gtest.h>

#include "codegen/emit/languages.hpp"
#include "tests/base/scratch.hpp"
#include "tests/codegen/emit/program_values.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

// Columns `from` to `to` of the inputs as arrays, row after row.
std::string array_text(const ProgramValues& v, std::size_t first, int rows, std::size_t from,
                       std::size_t to) {
  std::string text = "[";
  for (int r = 0; r < rows; ++r) {
    for (std::size_t s = from; s < to; ++s) text += fmt::format("{:.17g} ", v.in[s][first + r]);
    text += ";";
  }
  return text + "]";
}

std::string call_text(const ProgramValues& v, const std::string& name, std::size_t from,
                      std::size_t to) {
  std::string outputs, stacked, inputs;
  for (std::size_t k = 0; k < v.program.outputs.size(); ++k) {
    outputs += fmt::format("{}y{}", k == 0 ? "" : ", ", k);
    stacked += fmt::format("{}y{}", k == 0 ? "" : "; ", k);
  }
  std::size_t at = 0;
  for (const Argument& a : v.program.inputs) {
    inputs += (at == 0 ? "" : ", ") + array_text(v, at, a.count, from, to);
    at += a.count;
  }
  return fmt::format("[{}] = {}({});\nprintf('%.17g\\n', [{}]);\n", outputs, name, inputs, stacked);
}

// What calls.m prints; Octave may complain at its end that it has no home.
std::string octave(const Scratch& scratch) {
  return said(fmt::format("(cd '{}' && octave-cli --norc --no-history --quiet calls.m 2>errors)",
                          scratch.path(".")));
}

TEST(Matlab, GivesTheGraphsValuesUnderOctave) {
  if (!there("octave-cli")) GTEST_SKIP() << "octave is not installed";
  Scratch scratch;
  const std::vector<ProgramValues> all = programs_for_languages(3);
  std::string script = "1;\n";
  for (const ProgramValues& v : all) {
    const MatlabFile file = emit_matlab(v.program);
    EXPECT_LE(file.name.size(), 63u);
    scratch.file(file.name + ".m", file.text);
    script += call_text(v, file.name, 0, 1) + call_text(v, file.name, 0, 3);
  }
  scratch.file("calls.m", script);
  std::istringstream printed(octave(scratch));
  for (const ProgramValues& v : all) {
    expect_values(printed, v.want[0], v.program.name + ", one sample");
    for (const auto& want : v.want) expect_values(printed, want, v.program.name + ", columns");
  }
}

TEST(Matlab, RefusesAnArgumentOfAnotherSize) {
  if (!there("octave-cli")) GTEST_SKIP() << "octave is not installed";
  Scratch scratch;
  const MatlabFile file =
      emit_matlab(program_values(Robot::load("planar3"), "mass", {}, 0).program);
  scratch.file(file.name + ".m", file.text);
  scratch.file("calls.m",
               "try\n  " + file.name + "([1 2 3]);\ncatch e\n  printf('%s\\n', e.message);\nend\n");
  const std::string told = octave(scratch);
  EXPECT_EQ(told, "planar3_mass: q has 1 rows; give 3, with one column per sample\n");
}

}  // namespace
}  // namespace parid::test
