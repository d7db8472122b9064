// parid generate: files, counts, errors.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

using nlohmann::json;

TEST(CliGenerate, WritesWhatItSays) {
  Scratch scratch;
  for (const char* language : {"c", "cpp", "opencl", "cuda", "js", "fortran", "matlab", "dot",
                               "text", "equations", "latex"}) {
    const json made = json_of("generate stanford inverse --json --lang " + std::string(language) +
                              " -o " + scratch.path(language));
    EXPECT_FALSE(made["files"].empty());
    for (const json& file : made["files"])
      EXPECT_GT(std::filesystem::file_size(file.get<std::string>()), 500u) << file;
    EXPECT_LE(made["multiplications"].get<int>() - made["rotor_multiplications"].get<int>(), 131);
    EXPECT_EQ(made["base_parameters"], 33);
  }
}

TEST(CliGenerate, PrintsClosedFormsAndFusedProducts) {
  const Ran mass = parid_line("generate planar2 mass --lang equations");
  EXPECT_TRUE(contains(mass.out, "\nM11 = 1.66666666667 + cos(q2)\n")) << mass.out;
  EXPECT_TRUE(contains(parid_line("generate scara inverse --fma").out, "= fma("));
  EXPECT_TRUE(contains(parid_line("generate scara inverse --fma --float").out, "= fmaf("));
  const Ran wide = parid_line("generate scara inverse --lang cpp --lanes 16 --float");
  EXPECT_TRUE(contains(wide.out, "vector_size(64)")) << wide.out.substr(0, 1000);
}

TEST(CliGenerate, EveryWord) {
  for (const char* word : {"inverse", "forward", "mass", "bias", "gravity", "inverse_gradient",
                           "forward_gradient", "inverse_vjp", "forward_vjp", "regressor", "energy",
                           "kinematics", "jacobian", "ik_step", "computed_torque", "rollout"}) {
    const json made = json_of("generate scara --json " + std::string(word));
    EXPECT_EQ(made["what"], word);
    EXPECT_TRUE(made["files"].empty());
    EXPECT_GE(made["additions"].get<int>(), 0);
  }
}

TEST(CliGenerate, ArgumentsInsteadOfNumbers) {
  const json made = json_of(
      "generate puma560 inverse --parameters --input gravity,payload --input wrench --json");
  EXPECT_EQ(made["takes"], json({{"q", 6},
                                 {"v", 6},
                                 {"a", 6},
                                 {"pi", 60},
                                 {"gravity", 3},
                                 {"payload", 10},
                                 {"wrench", 6}}));
  EXPECT_EQ(made["gives"], json({{"tau", 6}}));
  EXPECT_EQ(made["parameter_names"][13], "link2.mz");
  EXPECT_NEAR(made["parameter_values"][13].get<double>(), -17.4 * 0.016, 1e-12);

  // Under another gravity more of the first link's parameters matter.
  const json base = json_of("generate puma560 inverse --parameters --base --json"),
             any = json_of("generate puma560 inverse --parameters --base --input gravity --json");
  EXPECT_EQ(base["takes"]["pi"], 36);
  EXPECT_EQ(base["parameter_names"].size(), 36u);
  EXPECT_GT(any["takes"]["pi"].get<int>(), 36);

  const json columns = json_of("generate puma560 regressor --base --friction --json");
  EXPECT_EQ(columns["gives"]["Y"], 6 * (36 + 12));
  EXPECT_EQ(columns["parameter_names"].back(), "joint6.coulomb");

  const std::string head = parid_line("generate puma560 regressor --base").out;
  EXPECT_TRUE(contains(head, "Columns of Y")) << head.substr(0, 1000);
  EXPECT_TRUE(contains(head, "link5.yy + link6.zz")) << head.substr(0, 4000);
}

TEST(CliGenerate, LinksLoopsAndConstants) {
  EXPECT_EQ(json_of("generate panda kinematics --link all --json")["gives"]["p"].get<int>() % 3, 0);
  EXPECT_EQ(json_of("generate puma560 ik --json")["gives"], json({{"q", 6}, {"reach", 1}}));
  EXPECT_EQ(json_of("generate panda jacobian --link link3 --point 0,0,1 --json")["gives"],
            json({{"J", 42}}));
  const json steps = json_of("generate scara --loop rollout --steps 4 --path --input dt --json");
  EXPECT_EQ(steps["what"], "rollout");
  EXPECT_EQ(steps["takes"], json({{"q", 4}, {"v", 4}, {"tau", 16}, {"dt", 1}}));
  EXPECT_EQ(steps["gives"], json({{"q_end", 16}, {"v_end", 16}}));
  EXPECT_EQ(json_of("generate scara --loop computed_torque --json")["takes"]["kp"], 4);
  // Nothing falls where nothing pulls.
  EXPECT_EQ(json_of("generate puma560 gravity --gravity 0,0,0 --json")["multiplications"], 0);
  EXPECT_NE(parid_line("generate puma560 inverse --payload 2").out,
            parid_line("generate puma560 inverse").out);
}

TEST(CliGenerate, ARobotsOwnKernelGivesItsTorques) {
  Scratch scratch;
  const json generic = json_of("torque panda --json")["tau"],
             own = json_of("torque panda --kernel compiled --json")["tau"];
  ASSERT_EQ(own.size(), generic.size());
  for (std::size_t r = 0; r < own.size(); ++r)
    for (std::size_t k = 0; k < own[r].size(); ++k)
      EXPECT_NEAR(own[r][k].get<double>(), generic[r][k].get<double>(), 1e-10);
  EXPECT_EQ(parid_line("torque panda --kernel fast").code, 2);
}

TEST(CliGenerate, Mistakes) {
  const Ran word = parid_line("generate puma560 invers");
  EXPECT_EQ(word.code, 2);
  EXPECT_TRUE(contains(word.err, "inverse")) << word.err;
  const Ran language = parid_line("generate puma560 inverse --lang cc");
  EXPECT_EQ(language.code, 2);
  EXPECT_TRUE(contains(language.err, "--lang")) << language.err;
  EXPECT_EQ(parid_program({"generate", "puma560", "inverse", "-o", ""}).code, 2);
  for (const char* line :
       {"generate puma560", "generate puma560 inverse --input gravty",
        "generate puma560 kinematics --parameters", "generate puma560 --loop rollouts",
        "generate puma560 mass --loop rollout", "generate puma560 jacobian --link elbw",
        "generate puma560 inverse --input gravity --gravity 0,0,1",
        "generate puma560 inverse --base", "generate puma560 jacobian --point 1,2",
        "generate scara rollout --integrator rk5"})
    EXPECT_EQ(parid_line(line).code, 2) << line;
  EXPECT_TRUE(contains(parid_line("generate puma560 inverse --input gravty").err, "gravity"));
  EXPECT_EQ(parid_line("generate puma560 inverse --lang cpp --lanes 3").code, 2);
  const Ran swollen = parid_line("generate humanoid mass --lang equations");
  EXPECT_EQ(swollen.code, 2);
  EXPECT_TRUE(contains(swollen.err, "terms; the limit is")) << swollen.err;
  EXPECT_EQ(parid_line("generate puma560 inverse -o /dev/null/x").code, 2);
}

// The program that comes with a program: passes, and notices where the other is wrong.
TEST(Generate, TestsOfItsOwn) {
  if (!there("cc")) GTEST_SKIP() << "no C compiler";
  Scratch scratch;
  const std::string
      folder = scratch.path("out"),
      file = folder + "/scara_inverse.c",
      build = "cd '" + folder +
              "' && cc -std=c99 -O1 -Wall -Werror scara_inverse.c scara_inverse_test.c -lm -o t";
  ASSERT_EQ(parid_program({"generate", "scara", "inverse", "--tests", "7", "-o", folder}).code, 0);
  EXPECT_TRUE(contains(said(build + " && ./t"), "PASS, 7 rows"));
  std::string text = content(file);
  const std::size_t at = text.rfind(" + ");
  ASSERT_NE(at, std::string::npos);
  text[at + 1] = '-';
  std::ofstream(file) << text;
  said(build);
  EXPECT_TRUE(contains(said("cd '" + folder + "' && ! ./t"), "FAIL"));
  const Ran other =
      parid_program({"generate", "scara", "inverse", "--lang", "js", "--tests", "7", "-o", folder});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "--tests: test programs are written in C"));
}

}  // namespace
}  // namespace parid::test
