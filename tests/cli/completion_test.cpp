// What shells offer after a word and a tab, asked of the shells themselves; and the manual pages,
// read by man. A shell that is not installed is left out.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lookup/methods.hpp"
#include "model/format/builtin.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

using Offers = std::set<std::string>;

Offers lines_of(const std::string& text) {
  Offers offers;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) offers.insert(line);
  }
  return offers;
}

class Bash {
 public:
  Bash() { scratch_.file("parid.bash", parid_line("completion bash").out); }

  // The completions at the end of the line; words are split as in bash, also at ':' and '='.
  Offers after(const std::string& line) const {
    const std::string script = scratch_.file("ask", R"(
cd ')" + scratch_.path("") + R"('
source parid.bash
COMP_LINE=$1 COMP_POINT=${#1}
COMP_WORDS=($1) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
[[ $1 == *' ' ]] && { COMP_WORDS+=(''); ((++COMP_CWORD)); }
_parid
printf '%s\n' "${COMPREPLY[@]}"
)");
    return lines_of(said("bash '" + script + "' '" + line + "'"));
  }
  const Scratch& folder() const { return scratch_; }

 private:
  Scratch scratch_;
};

TEST(Completion, BashOffersCommandsOptionsAndWords) {
  const Bash bash;
  const Offers commands = bash.after("parid ");
  for (const char* name : {"robots", "torque", "generate", "completion", "help"})
    EXPECT_TRUE(commands.contains(name)) << name;
  EXPECT_FALSE(commands.contains("man"));
  EXPECT_EQ(bash.after("parid tor"), Offers{"torque"});
  EXPECT_EQ(bash.after("parid help har"), Offers{"hardware"});
  EXPECT_EQ(bash.after("parid --ver"), Offers{"--version"});
  EXPECT_TRUE(bash.after("parid torque puma560 --").contains("--within-limits"));
  EXPECT_EQ(bash.after("parid torque puma560 --met"), Offers{"--method"});
  Offers methods_and_auto{"auto"};
  for (const MethodEntry& m : methods()) methods_and_auto.insert(m.id);
  EXPECT_EQ(bash.after("parid torque puma560 --method "), methods_and_auto);
  EXPECT_EQ(bash.after("parid torque puma560 --method=wat"), Offers{"waters"});
  EXPECT_EQ(bash.after("parid hardware puma560 inverse_m"), Offers{"inverse_mass"});
  EXPECT_TRUE(bash.after("parid generate puma560 ").contains("forward_gradient"));
  EXPECT_EQ(bash.after("parid generate --lang lat"), Offers{"latex"});
  EXPECT_TRUE(bash.after("parid schedule stanford -p 4 --scheduler ").contains("cp_misf"));
  EXPECT_EQ(bash.after("parid completion "), (Offers{"bash", "fish", "zsh"}));
}

TEST(Completion, BashOffersRobotsAndFiles) {
  const Bash bash;
  const Offers robots = bash.after("parid torque ");
  for (const BuiltinRobot& r : builtin_robots())
    if (!r.name.ends_with(":N")) {
      EXPECT_TRUE(robots.contains(r.name)) << r.name;
    }
  EXPECT_EQ(bash.after("parid torque cha"), Offers{"chain:"});
  bash.folder().file("arm.urdf", "");
  bash.folder().file("arm.txt", "");
  bash.folder().file("motion.csv", "");
  EXPECT_EQ(bash.after("parid torque ar"), Offers{"arm.urdf"});
  EXPECT_EQ(bash.after("parid torque --gravity 0,0,1 ar"), Offers{"arm.urdf"});
  EXPECT_EQ(bash.after("parid torque arm.urdf m"), Offers{"motion.csv"});
  EXPECT_EQ(bash.after("parid torque arm.urdf -o ar"), (Offers{"arm.txt", "arm.urdf"}));
}

TEST(Completion, OtherShellsTakeTheirScripts) {
  Scratch scratch;
  const std::string zsh = scratch.file("_parid", parid_line("completion zsh").out),
                    fish = scratch.file("parid.fish", parid_line("completion fish").out);
  EXPECT_TRUE(content(zsh).starts_with("#compdef parid\n"));
  EXPECT_TRUE(contains(content(zsh), "'*--method[") && contains(content(zsh), " lathrop "));
  EXPECT_TRUE(contains(content(fish), "__fish_seen_subcommand_from torque' -l method -x -a 'auto"));
  if (there("zsh")) {
    said("zsh -n '" + zsh + "'");
    EXPECT_TRUE(contains(said("zsh -fc 'fpath=(" + scratch.path("") +
                              " $fpath); autoload -U compinit; compinit -D -u; whence -w _parid; "
                              "print ${_comps[parid]}'"),
                         "_parid"));
  }
  if (there("fish")) {
    said("fish --no-execute '" + fish + "'");
    const std::string offers =
        said("fish -c 'source " + fish + "; complete -C \"parid torque puma560 --method lat\"'");
    EXPECT_TRUE(contains(offers, "lathrop")) << offers;
  }
}

TEST(ManPages, AreWellFormed) {
  Scratch scratch;
  ASSERT_EQ(parid_program({"man", scratch.path("man")}).code, 0);
  int pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.path("man"))) {
    ++pages;
    const std::string path = entry.path().string(), text = content(path);
    EXPECT_TRUE(contains(text, ".SH NAME\nparid")) << path;
    if (entry.path().filename() != "parid.1") {
      EXPECT_TRUE(contains(text, ".SH EXAMPLES")) << path;
    }
    if (there("man")) {
      EXPECT_EQ(
          said("LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=100 man --warnings -E UTF-8 -l -Tutf8 -Z '" +
               path + "' 2>&1 >/dev/null"),
          "")
          << path;
    }
    if (there("mandoc")) said("mandoc -Tlint -W error '" + path + "'");
  }
  EXPECT_GE(pages, 18);
  EXPECT_TRUE(
      contains(content(scratch.path("man/parid-torque.1")), "\\fB\\-\\-method\\fR \\fINAME\\fR"));
}

}  // namespace
}  // namespace parid::test
