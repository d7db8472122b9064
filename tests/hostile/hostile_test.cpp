// Names that mean harm. Robot files come from anywhere, and their names end up in programs, file
// names, equations, pages and messages.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/text/characters.hpp"
#include "base/text/shown.hpp"
#include "codegen/emit/program.hpp"
#include "codegen/emit/targets.hpp"
#include "codegen/trace/generate.hpp"
#include "model/format/toml/toml.hpp"
#include "parid/robot.hpp"
#include "tests/base/scratch.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/shell.hpp"

namespace parid::test {
namespace {

const char* const names[] = {
    "a */ int evil_symbol; /*",
    "line\nint evil_symbol;\n#include \"/etc/passwd\"",
    "ends with a backslash\\",
    "../../../outside",
    "; touch evil_symbol; `touch evil_symbol` $(touch evil_symbol)",
    "<script>evil_symbol()</script>",
    "\\input{/etc/passwd}%n%s",
};

// In quotes, for TOML.
std::string quoted_text(const std::string& text) {
  std::string quoted;
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", c);
    else
      quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted;
}

// Two rods whose robot, links and joints all have the name.
std::string robot_file(const std::string& name, const std::string& source) {
  const std::string quoted = quoted_text(name);
  const std::string joint = "mass = 1\ncom = [0.5, 0, 0]\ninertia = [0.01, 0.1, 0.1]\n";
  return "name = \"" + quoted + "\"\nsource = \"" + quoted_text(source) +
         "\"\nconvention = \"modified\"\n[[joint]]\nname = \"" + quoted +
         " 1\"\nalpha = \"pi/2\"\n" + joint + "[[joint]]\nname = \"" + quoted + " 2\"\na = 1\n" +
         joint;
}

std::string robot_file(const std::string& name) { return robot_file(name, name); }

// What ends lines for some, steers terminals or turns text around, beyond ASCII.
const char* const steering[] = {"\u0085", "\u009b", "\u2028", "\u2029", "\u202e", "\u2066"};

TEST(Hostile, CommentsAreNotLeft) {
  EXPECT_EQ(comment_line("a */ b /* c"), "a * / b / * c");
  EXPECT_EQ(comment_line("**//"), "** //");
  EXPECT_EQ(comment_line("two\nlines\r\x7f"), "two lines  ");
  EXPECT_EQ(comment_line("c:\\"), "c:\\.");
  EXPECT_EQ(comment_line("c:\\\n"), "c:\\ .");
  EXPECT_EQ(comment_line("c:\\ \t"), "c:\\  .");
  EXPECT_EQ(comment_line("what?\?/"), "what?\?/.");
  EXPECT_EQ(comment_line("what?\?/\u2028"), "what?\?/ .");
  EXPECT_EQ(comment_line("plain, with ünïcode – ‘τ’, 手"), "plain, with ünïcode – ‘τ’, 手");
  EXPECT_EQ(comment_line("not \x85\xe2\x80 UTF-8\xe2"), "not     UTF-8 ");
  for (const char* c : steering)
    EXPECT_EQ(comment_line(std::string("a*") + c + "/b\t" + c), "a* /b  ");
}

// U+2028 ends a comment of JavaScript, and what follows would be run.
TEST(Hostile, WhatAFileSaysOfItselfIsNotRun) {
  Scratch scratch;
  for (const char* c : steering) {
    const std::string file = scratch.file(
        "robot.toml", robot_file("arm", std::string("from") + c + "globalThis.evil = 1"));
    for (const Target& target : targets()) {
      const std::string out = scratch.path("out");
      std::filesystem::remove_all(out);
      const Ran ran = parid_program({"generate", file, "inverse", "--lang", target.id, "-o", out});
      ASSERT_EQ(ran.code, 0) << ran.err;
      for (const auto& entry : std::filesystem::directory_iterator(out)) {
        const std::string path = entry.path().string();
        EXPECT_FALSE(contains(content(path), c)) << path;
        if (!path.ends_with(".js") || !there("node")) continue;
        EXPECT_TRUE(contains(content(path), "from globalThis"));
        std::filesystem::rename(path, out + "/program.mjs");
        const std::string asks =
            scratch.file("asks.mjs",
                         "await import('./out/program.mjs');\n"
                         "console.log(globalThis.evil === undefined ? 'not run' : 'run');\n");
        EXPECT_EQ(said("node '" + asks + "'"), "not run\n");
      }
    }
  }
}

TEST(Hostile, GeneratedProgramsHoldNothingOfAName) {
  Scratch scratch;
  for (const char* name : names) {
    const std::string file = scratch.file("robot.toml", robot_file(name));
    const std::string out = scratch.path("out");
    for (const char* language : {"c", "cpp", "opencl", "cuda", "js", "fortran", "matlab", "dot",
                                 "text", "latex", "equations"}) {
      std::filesystem::remove_all(out);
      const Ran ran = parid_program({"generate", file, "inverse", "--lang", language, "-o", out});
      if (contains(name, "\n")) {
        EXPECT_EQ(ran.code, 2);
        EXPECT_TRUE(contains(ran.err, "control character, 0x0a")) << ran.err;
        continue;
      }
      ASSERT_EQ(ran.code, 0) << name << ": " << ran.err;
      for (const auto& entry : std::filesystem::directory_iterator(out)) {
        const std::string path = entry.path().string();
        EXPECT_EQ(path.find_first_of("\n`$;<>\\ "), std::string::npos) << path;
        if (path.ends_with(".c")) {
          const std::string symbols = said("cc -std=c99 -Wall -Werror -c -I '" + out + "' -o '" +
                                           out + "/o.o' '" + path + "' && nm '" + out + "/o.o'");
          // As a part of the function's name it is allowed.
          EXPECT_EQ(symbols.find(" evil_symbol"), std::string::npos) << symbols;
        }
      }
    }
    EXPECT_LE(scratch.names().size(), 2u) << name;  // the robot and `out`: nothing else was written
  }
  EXPECT_FALSE(std::filesystem::exists("evil_symbol"));
}

TEST(Hostile, TerminalsAreNotWrittenTo) {
  Scratch scratch;
  const std::string name = "\x1b[2Jwiped\x07";
  const std::string toml = scratch.file("robot.toml", robot_file(name)),
                    urdf = scratch.file("robot.urdf",
                                        "<robot name=\"r\"><link name=\"" + name + "\"/></robot>"),
                    wrong = scratch.file("wrong.urdf", "<robot name=\"r\"><joint name=\"" + name +
                                                           "\" type=\"bent\"/></robot>");
  for (const std::string& file : {toml, urdf, wrong}) {
    const Ran ran = parid_program({"info", file});
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_FALSE(ran.err.empty());
    for (const char c : ran.out + ran.err)
      EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << ran.err;
  }
}

// What names a link, a joint or a mesh that is not there has no name of the robot's own that could
// be refused, and a source may be any text: the program shows what would steer the terminal, and
// does not send it.
TEST(Hostile, TerminalsAreShownWhatIsNotObeyed) {
  Scratch scratch;
  const std::string evil = "\x1b[2J\u009b2Jwiped\x07\u202e\x9b";
  const std::string links =
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"><inertial><mass "
      "value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";
  auto joint = [](const std::string& parent, const std::string& child, const std::string& more) {
    return "<joint name=\"j\" type=\"continuous\"><parent link=\"" + parent + "\"/><child link=\"" +
           child + "\"/>" + more + "</joint>";
  };
  const std::string parent =
      scratch.file("parent.urdf", links + "</link>" + joint(evil, "b", "") + "</robot>");
  const std::string child =
      scratch.file("child.urdf", links + "</link>" + joint("a", evil, "") + "</robot>");
  const std::string mimic = scratch.file(
      "mimic.urdf",
      links + "</link>" + joint("a", "b", "<mimic joint=\"" + evil + "\"/>") + "</robot>");
  const std::string drive = scratch.file(
      "drive.urdf", links + "</link>" + joint("a", "b", "") + "<transmission name=\"" + evil +
                        "\"><joint name=\"" + evil + "\"/></transmission></robot>");
  const std::string mesh = scratch.file("mesh.urdf", links + "<visual><geometry><mesh filename=\"" +
                                                         evil + "\"/></geometry></visual></link>" +
                                                         joint("a", "b", "") + "</robot>");
  const std::string source = scratch.file(
      "source.toml", robot_file("arm", evil.substr(0, evil.size() - 1)));  // TOML is UTF-8
  const std::string page = scratch.path("page.html");
  const std::vector<std::vector<std::string>> lines = {
      {"check", parent}, {"check", child},  {"check", mimic},
      {"check", drive},  {"info", source},  {"report", mesh, "-o", page},
      {"info", parent},  {"torque", drive},
  };
  for (std::vector<std::string> words : lines)
    for (const bool json : {false, true}) {
      if (json && words[0] == "torque") continue;
      if (json) words.push_back("--json");
      const Ran ran = parid_program(words);
      const std::string all = ran.out + ran.err;
      SCOPED_TRACE(words[0] + " " + words[1] + ": " + all);
      EXPECT_TRUE(contains(all, json && ran.code < 2
                                    ? "\\u001b[2J\\u009b2Jwiped\\u0007\\u202e"
                                    : "\\x1b[2J\\xc2\\x9b2Jwiped\\x07\\xe2\\x80\\xae"));
      EXPECT_TRUE(is_utf8(all));
      for (const char* c : {"\x1b", "\x07", "\u009b", "\u202e"}) EXPECT_FALSE(contains(all, c));
    }
  EXPECT_EQ(shown("a\u009bb"), "'a\\xc2\\x9bb'");
  // Nor can it begin a line that might be taken for ours.
  const Ran forged = parid_program(
      {"check", scratch.file("forged.urdf",
                             links + "</link>" +
                                 joint("x&#10;arm.urdf: OK: no errors, no warnings", "b", "") +
                                 "</robot>")});
  EXPECT_EQ(forged.code, 1) << forged.err;
  EXPECT_TRUE(contains(forged.out, "\n  arm.urdf: OK: no errors, no warnings")) << forged.out;
  EXPECT_FALSE(contains(forged.out, "\narm.urdf")) << forged.out;
  // A byte that is no UTF-8 may be obeyed too; and what we write of such a name could not be read
  // again.
  const Ran latin = parid_program({"check", scratch.file("latin.urdf",
                                                         "<robot name=\"sh\x9b"
                                                         "31m\"><link name=\"a\"/></robot>")});
  EXPECT_EQ(latin.code, 2);
  EXPECT_TRUE(
      latin.err.ends_with("latin.urdf: the name of the robot is not UTF-8: byte 0x9b at position "
                          "3; save the file as UTF-8\n"))
      << latin.err;
  // In names they are refused, as others are.
  for (const char* c : steering) {
    const Ran ran = parid_program({"info", scratch.file("robot.toml", robot_file(c, "ours"))});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(contains(ran.err, "control character, 0x")) << ran.err;
    EXPECT_FALSE(contains(ran.err, c)) << ran.err;
  }
}

// Each would take the machine or the day; each is refused with a message that gives the size.
TEST(Hostile, WhatAsksForTooMuchIsRefused) {
  Scratch scratch;
  scratch.file("day.toml", "rate = 1e300\n[[move]]\nkind = \"wait\"\nduration = 1e300\n");
  scratch.file("fast.toml", "rate = 11000\n[[move]]\nkind = \"wait\"\nduration = 86400\n");
  const std::string out = " -o " + scratch.path("out");
  const std::pair<std::string, const char*> rows[] = {
      {"info chain:999999999",
       "999999999 links are too many; give a number of links from 1 to 100000"},
      {"info chain:99999999999999999999", "too many links"},
      {"torque puma560 --rate 1e300", "the limit is 8 GiB; use a lower rate"},
      {"torque puma560 " + scratch.path("fast.toml"), "the limit is 8 GiB; use a lower rate"},
      {"torque puma560 --rate nan", "--rate: nan samples per second"},
      {"torque puma560 " + scratch.path("day.toml"), "the limit is one day, 86400 s"},
      {"torque chain:1000 --method uicker_kahn", "it supports at most 200 moving links"},
      {"torque chain:6000 --method waters", "it supports at most 5000 moving links"},
      {"torque chain:100 --method configuration_space", "it supports at most 64 moving links"},
      {"compare planar2 --samples 1000000000000000000", "--samples"},
      {"stability planar2 --poses 1000000000", "--poses"},
      {"stability planar2 --poses -1", "--poses"},
      {"stability planar2 --count 1000000000", "--count"},
      {"stability chain:65", "a stability map supports at most 64"},
      {"simulate chain:5001", "a simulation supports at most 5000"},
      {"control chain:5001", "a simulation supports at most 5000"},
      {"generate chain:501 inverse" + out, "its program supports at most 500"},
      {"schedule chain:501", "a schedule supports at most 500"},
      {"report chain:201" + out, "a report supports at most 200"},
      {"table chain:65" + out, "a table supports at most 64"},
  };
  for (const auto& [line, reason] : rows) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line << ran.out;
    EXPECT_TRUE(contains(ran.err, reason)) << line << ": " << ran.err;
    EXPECT_EQ(ran.out, "") << line;
  }
}

TEST(Hostile, EntitiesAreNotExpanded) {
  Scratch scratch;
  std::string text = "<!DOCTYPE robot [<!ENTITY e0 \"laugh\">";
  for (int i = 1; i < 30; ++i) text += fmt::format("<!ENTITY e{} \"&e{};&e{};\">", i, i - 1, i - 1);
  const Ran bomb = parid_program(
      {"info",
       scratch.file("bomb.urdf", text + "]><robot name=\"&e29;\"><link name=\"a\"/></robot>")});
  EXPECT_LT(bomb.out.size() + bomb.err.size(), 4096u);
  EXPECT_FALSE(contains(bomb.out, "laughlaugh"));
  const Ran file = parid_program(
      {"info", scratch.file("file.urdf",
                            "<!DOCTYPE robot [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><robot "
                            "name=\"&e;\"><link name=\"a\"/></robot>")});
  EXPECT_FALSE(contains(file.out + file.err, "root:"));
}

// Twenty thousand links, and the commands that every robot has.
TEST(Hostile, LongRobotsHaveTorques) {
  Scratch scratch;
  const std::string csv = scratch.path("tau.csv");
  EXPECT_EQ(parid_line("check chain:20000").code, 0);
  EXPECT_TRUE(contains(parid_line("info chain:20000").out, "joint20000"));
  const Ran ran = parid_line("torque chain:20000 --rate 1 -o " + csv);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(content(csv).substr(0, 1'000'000), "tau:joint20000"));
}

}  // namespace
}  // namespace parid::test
