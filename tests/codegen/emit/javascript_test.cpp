// Generated JavaScript as node runs it: the values of the graph it was written from.

#include "codegen/emit/languages.hpp"

#include <gtest/gtest.h>

#include "tests/base/scratch.hpp"
#include "tests/codegen/emit/program_values.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

void compare(const ProgramValues& v, const Scratch& scratch) {
  const Program& p = v.program;
  std::ostringstream call;
  call.precision(17);
  std::size_t k = 0;
  for (const Argument& a : p.inputs) {
    call << (k > 0 ? ", [" : "[");
    for (int i = 0; i < a.count; ++i) call << (i > 0 ? "," : "") << v.in[0][k++];
    call << "]";
  }
  const std::string path = scratch.file(
      p.name + ".mjs", emit_javascript(p) + "const out = " + p.name + "(" + call.str() +
                           ");\nfor (const x of Object.values(out).flat()) console.log(x);\n");
  std::istringstream lines(said("node " + path));
  expect_values(lines, v.want[0], p.name);
}

TEST(JavaScript, GivesTheGraphsValuesUnderNode) {
  if (!there("node")) GTEST_SKIP() << "there is no node";
  Scratch scratch;
  for (const ProgramValues& v : programs_for_languages(1)) compare(v, scratch);
  compare(program_values(Robot::load("quadruped"), "inverse", {.payload = true}, 1), scratch);
}

}  // namespace
}  // namespace parid::test
