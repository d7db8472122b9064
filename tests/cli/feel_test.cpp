// The program's output on terminals: colours only there, help that fits the width, suggestions for
// misspelt names, --quiet, and the build information.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>

#include <regex>

#include "cli/output/numbers.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

// The program's output on a terminal of that many columns.
std::string on_terminal(const std::vector<std::string>& words, unsigned short columns = 80,
                        const std::map<std::string, std::string>& environment = {}) {
  winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    std::vector<std::string> all{PARID_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(PARID_PROGRAM, arguments.data());
    _exit(127);
  }
  std::string text;
  char part[4096];
  for (ssize_t n; (n = read(terminal, part, sizeof part)) > 0;) text.append(part, n);
  close(terminal);
  waitpid(child, nullptr, 0);
  return text;
}

const std::string escape = "\033[";

TEST(Feel, ColoursOnATerminalAlone) {
  Scratch scratch;
  const std::string bad =
      scratch.file("bad.urdf", "<robot name='r'><link name='a'/><link name='a'/></robot>");
  EXPECT_TRUE(contains(on_terminal({"check", bad}), "\033[1;31merror: "));
  EXPECT_TRUE(
      contains(on_terminal({"info", "there/is/none.urdf"}), "\033[1;31mthere/is/none.urdf:"));
  EXPECT_TRUE(contains(on_terminal({"--help"}), "\033[1mUsage:"));
  for (const auto& plain :
       std::vector<std::map<std::string, std::string>>{{{"NO_COLOR", "1"}}, {{"TERM", "dumb"}}}) {
    EXPECT_FALSE(contains(on_terminal({"check", bad}, 80, plain), escape));
    EXPECT_FALSE(contains(on_terminal({"--help"}, 80, plain), escape));
  }
  for (const std::string line : {"--help", "torque --help", "robots", "info puma560", "info x",
                                 "compare planar2 --samples 2 --only waters"}) {
    const Ran ran = parid_line(line);
    EXPECT_FALSE(contains(ran.out + ran.err, escape)) << line;
  }
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  std::istringstream lines(std::regex_replace(text, std::regex("\033\\[[0-9;]*m"), ""));
  for (std::string line; std::getline(lines, line);) {
    std::size_t columns = 0;
    for (const char c : line) columns += (c & 0xC0) != 0x80 && c != '\r';
    // examples are to be copied, so they stay whole
    if (!line.starts_with("  parid ")) most = std::max(most, columns);
  }
  return most;
}

TEST(Feel, HelpFitsTheTerminal) {
  std::istringstream lines(parid_line("--help").out);
  bool commands = false;
  int seen = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line == "Commands:" || line == "Options:") commands = line == "Commands:";
    if (!commands || !line.starts_with("  ") || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    ++seen;
    for (const std::uint16_t columns : {std::uint16_t{80}, std::uint16_t{120}}) {
      const std::string help = on_terminal({name, "--help"}, columns);
      EXPECT_LE(widest(help), std::min<std::size_t>(columns, 100)) << name;
      EXPECT_TRUE(contains(help, "parid " + name)) << name;
    }
    const std::string help = parid_line("help " + name).out;
    EXPECT_EQ(help, parid_line(name + " --help").out);
    EXPECT_TRUE(contains(help, "Usage: parid " + name)) << name;
    EXPECT_TRUE(contains(help, "Example")) << name;
  }
  EXPECT_GE(seen, 17);
}

TEST(Feel, MistypedNamesAreAnsweredWithNames) {
  const std::pair<const char*, const char*> lines[] = {
      {"torqe puma560", "'torque'"},
      {"puma560", "`parid torque puma560`"},
      {"info puma", "'puma560'"},
      {"torque pumma560", "'puma560'"},
      {"torque planar2 --metod waters", "'--method'"},
      {"torque planar2 --method lathorp", "'lathrop'"},
      {"torque planar2 --kernel compild", "'compiled'"},
      {"torque planar2 --motion defalt", "'default'"},
      {"torque planar2 --within-limits slowr", "'slower'"},
      {"torque planar2 --payload lnk2:1", "'link2'"},
      {"simulate planar2 --controller computed_torqe", "'computed_torque'"},
      {"simulate planar2 --integrator rk", "'rk4'"},
      {"control planar3 --policy binder", "'binder_herzog'"},
      {"control planar3 --law computed", "'computed_torque'"},
      {"compare planar2 --only waterz", "'waters'"},
      {"generate planar2 invers", "'inverse'"},
      {"generate planar2 inverse --lang latx", "'latex'"},
      {"schedule stanford -p 2 --scheduler cp_mifs", "'cp_misf'"},
      {"schedule stanford -p 2 --tasks rule", "'rules'"},
      {"pipeline puma560 invers", "'inverse'"},
      {"pipeline puma560 ik --unit cordc", "'cordic'"},
      {"pipeline puma560 ik --arrangement fastst", "'fastest'"},
      {"table planar2 --kind stat", "'state'"},
      {"ik planar2 --link lnk2 --pose 1,0,0", "'link2'"},
      {"completion bsh", "'bash'"},
  };
  for (const auto& [line, meant] : lines) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_TRUE(contains(ran.err, fmt::format("did you mean {}?", meant))) << line << "\n"
                                                                           << ran.err;
  }
}

TEST(Feel, WhatIsMissingComesWithAnExample) {
  for (const std::string name : {"info", "check", "torque", "ik", "hardware"}) {
    const Ran ran = parid_line(name);
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(contains(ran.err, "ROBOT is required, as in `parid " + name)) << ran.err;
  }
}

TEST(Feel, QuietLeavesResultsAndErrors) {
  const std::string fast = "t,q1,q2,v1,v2,a1,a2\n0,0,0,9,0,0,0\n";
  const Ran loud = parid_line("torque planar2 -", {.input = fast});
  EXPECT_TRUE(contains(loud.err, "exceeds the limit"));
  const Ran quiet = parid_line("torque planar2 - --quiet", {.input = fast});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(quiet.out, loud.out);
  EXPECT_EQ(quiet.code, 0);
  EXPECT_EQ(parid_line("--quiet torque planar2 -", {.input = fast}).err, "");
  EXPECT_EQ(parid_line("simulate planar2 --time 0.1 --limits none -q").err, "");
  EXPECT_NE(parid_line("torque planar9 --quiet").err, "");
}

TEST(Feel, VersionHasBuildFacts) {
  const Ran ran = parid_line("--version");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(
      std::regex_search(ran.out, std::regex("^parid [0-9]+\\.[0-9]+\\.[0-9]+(-rc\\.[0-9]+)?\n")));
  for (const char* fact : {"\ncommit ", "\nbuilt by ", "\ninstruction sets ", "\nC compiler ",
                           "\ngnuplot ", "\nHDF5 ", "\nreport page "})
    EXPECT_TRUE(contains(ran.out, fact)) << fact;
  const Ran bare = parid_line("--version", {.environment = {{"PARID_HDF5", "/nowhere/x.so"}}});
  EXPECT_TRUE(contains(bare.out, "none: no .h5")) << bare.out;
  const Ran narrow = parid_line("--version", {.environment = {{"PARID_ISA", "baseline"}}});
  EXPECT_TRUE(contains(narrow.out, "; baseline selected")) << narrow.out;
  const Ran wrong = parid_line("--version", {.environment = {{"PARID_ISA", "mmx"}}});
  EXPECT_EQ(wrong.code, 0);  // --version is what one runs to find out
  EXPECT_TRUE(contains(wrong.out, "PARID_ISA"));
}

TEST(Feel, AClosedPipeIsNoError) {
  // 141: ended by SIGPIPE, as any filter.
  const std::string text = said("bash -c '" PARID_PROGRAM
                                " torque chain:6 --rate 20000 | head -1; echo ${PIPESTATUS[0]}'");
  EXPECT_TRUE(text.starts_with("t,tau:")) << text;
  EXPECT_TRUE(text.ends_with("\n141\n") || text.ends_with("\n0\n")) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

TEST(Feel, TimesAreHuman) {
  using cli::human_time;
  EXPECT_EQ(human_time(0), "0 s");
  EXPECT_EQ(human_time(2.59e-7), "259 ns");
  EXPECT_EQ(human_time(9.996e-7), "1 µs");
  EXPECT_EQ(human_time(5.859e-6), "5.86 µs");
  EXPECT_EQ(human_time(0.002), "2 ms");
  EXPECT_EQ(human_time(3.21), "3.21 s");
  EXPECT_EQ(human_time(59.96), "1 min");
  EXPECT_EQ(human_time(125), "2 min 5 s");
  EXPECT_EQ(human_time(3780), "1 h 3 min");
  EXPECT_EQ(human_time(7200), "2 h");
  EXPECT_EQ(human_time(-0.5), "-500 ms");
}

}  // namespace
}  // namespace parid::test
