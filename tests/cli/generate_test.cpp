// parid generate: files, counts, errors.

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.hpp"

namespace parid {
namespace {

using nlohmann::json;

TEST(CliGenerate, WritesWhatItSays) {
  Scratch scratch;
  for (const char* language : {"c", "cpp", "js", "dot", "text", "equations", "latex"}) {
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
                           "forward_gradient", "regressor", "energy"}) {
    const json made = json_of("generate scara --json " + std::string(word));
    EXPECT_EQ(made["what"], word);
    EXPECT_TRUE(made["files"].empty());
    EXPECT_GE(made["additions"].get<int>(), 0);
  }
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
  EXPECT_EQ(parid_line("generate puma560 inverse --lang cpp --lanes 3").code, 2);
  const Ran swollen = parid_line("generate humanoid mass --lang equations");
  EXPECT_EQ(swollen.code, 2);
  EXPECT_TRUE(contains(swollen.err, "terms where the limit is")) << swollen.err;
  EXPECT_EQ(parid_line("generate puma560 inverse -o /dev/null/x").code, 2);
}

}  // namespace
}  // namespace parid
