// Messages of the program for mistakes: always exit code 2, a line on standard error with a remedy,
// and nothing on standard output.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/file/npz.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

const std::string still = "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0.5,-1,0,0,0,0\n";

std::string refusal(const std::vector<std::string>& words, const Around& around = {}) {
  const Ran ran = parid_program(words, around);
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.out, "");
  return ran.err;
}
std::string refusal_of_line(const std::string& line, const Around& around = {}) {
  std::istringstream words(line);
  std::vector<std::string> all;
  for (std::string word; words >> word;) all.push_back(word);
  return refusal(all, around);
}
std::string refusal_of_motion(const std::string& text) {
  return refusal_of_line("torque planar2 -", {.input = text});
}

TEST(CliErrors, Usage) {
  EXPECT_TRUE(contains(refusal({}), "Usage: parid"));
  EXPECT_EQ(
      refusal_of_line("trque"),
      "parid: unknown command 'trque'; did you mean 'torque'? `parid --help` lists the commands\n");
  EXPECT_TRUE(contains(refusal_of_line("version"), "did you mean '--version'?"));
  EXPECT_EQ(refusal_of_line("zzz"),
            "parid: unknown command 'zzz'; `parid --help` lists the commands\n");
  EXPECT_EQ(refusal_of_line("torque"),
            "parid: ROBOT is required, as in `parid torque puma560 -o torques.csv`\nrun `parid "
            "torque --help` for the arguments\n");
  EXPECT_EQ(refusal_of_line("info"),
            "parid: ROBOT is required, as in `parid info panda`\nrun `parid info --help` for the "
            "arguments\n");
  EXPECT_EQ(refusal_of_line("check"),
            "parid: ROBOT is required, as in `parid check arm.urdf`\nrun `parid check --help` for "
            "the arguments\n");
  EXPECT_EQ(refusal_of_line("torque planar2 --gravty 0,0,0"),
            "parid: unknown option '--gravty'; did you mean '--gravity'?\nrun `parid torque "
            "--help` for the arguments\n");
  EXPECT_EQ(refusal_of_line("--jsn"),
            "parid: unknown option '--jsn'\nrun `parid --help` for the arguments\n");
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 a b"), "unexpected argument: b"));
  EXPECT_TRUE(contains(refusal_of_line("robots planar2"), "unexpected argument: planar2"));
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --gravity"), "--gravity"));
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --row 3"), "--row requires --explain"));
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --explain --row -1"), "--row"));
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --explain --row x"), "--row"));
  EXPECT_EQ(refusal_of_line("torque planar2 --explain --row 201"),
            "--row: there is no sample 201; the motion has 201 samples, counted from 0\n");
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --explain -o x.csv"), "excludes"));
  for (const char* threads : {"-1", "x", "1.5", "99999"})
    EXPECT_TRUE(
        contains(refusal_of_line(std::string("torque planar2 --threads ") + threads), "--threads"));
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --method euler"),
                       "--method: unknown method 'euler'; choose from uicker_kahn, "));
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --method water"), "did you mean 'waters'?"));
  EXPECT_EQ(refusal_of_line("torque quadruped --method waters"),
            "method 'waters' does not support robot 'quadruped': it covers serial chains, and this "
            "robot branches; newton_euler_link supports all robots\n");
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --method waters --tip-wrench 1,0,0,0,0,0"),
                       "wrenches"));
}

TEST(CliErrors, NumbersOnTheCommandLine) {
  auto said = [](const std::string& words) { return refusal_of_line("torque planar2 " + words); };
  EXPECT_EQ(said("--gravity 9.81"), "--gravity: 1 number given; give three, such as 0,0,-9.81\n");
  EXPECT_EQ(said("--gravity 0,0,0,0"),
            "--gravity: 4 numbers given; give three, such as 0,0,-9.81\n");
  EXPECT_EQ(said("--gravity 0,0,down"),
            "--gravity: 'down' is not a finite number; give comma-separated numbers, such as "
            "0,0,-9.81\n");
  for (const char* bad : {"nan", "inf", "1e999", "0x1", "1;2", "+-1"})
    EXPECT_TRUE(contains(said(std::string("--gravity 0,0,") + bad), "is not a finite number"))
        << bad;
  EXPECT_TRUE(contains(said("--gravity 0,,1"), "--gravity: '' is not a finite number"));
  EXPECT_TRUE(contains(refusal({"torque", "planar2", "--gravity", ""}),
                       "--gravity: '' is not a finite number"));
  EXPECT_TRUE(contains(said("--base-acceleration 1,2"), "--base-acceleration: 2 numbers given"));
  EXPECT_TRUE(
      contains(said("--base-angular-velocity 1,2"), "--base-angular-velocity: 2 numbers given"));
  EXPECT_TRUE(contains(said("--base-angular-acceleration x"), "--base-angular-acceleration: 'x'"));
  EXPECT_EQ(said("--tip-wrench 1,2,3"),
            "--tip-wrench: 3 numbers given; a wrench has six: force, then moment, such as "
            "0,0,-5,0,0,0\n");
  EXPECT_TRUE(contains(said("--tip-wrench hand:1,2,3,4,5,6"),
                       "--tip-wrench: robots/planar2.toml: robot 'planar2' has no link 'hand'; "));
  EXPECT_TRUE(contains(said("--tip-wrench lnk2:1,2,3,4,5,6"), "did you mean 'link2'?"));
  EXPECT_TRUE(
      contains(said("--payload 1,2"), "--payload: 2 numbers given; give a mass, or mass,x,y,z"));
  EXPECT_TRUE(contains(said("--payload 0"), "give the mass of the payload"));
  EXPECT_TRUE(contains(said("--payload -1"), "give the mass of the payload"));
  EXPECT_TRUE(contains(said("--payload hand:1"), "--payload: ") &&
              contains(said("--payload hand:1"), "has no link 'hand'"));
  EXPECT_TRUE(contains(
      said("--payload 1,0,0,0,1,1,5,0,0,0"),
      "--payload: link 'payload' has a physically impossible inertia: principal moments 1 1 5"));
  EXPECT_TRUE(contains(said("--payload 1,0,0,0,-0.01,0.01,0.01,0,0,0"), "one of them negative"));
}

TEST(CliErrors, Robots) {
  Scratch scratch;
  for (const std::string command : {"torque", "info", "check"}) {
    auto said = [&](const std::string& robot) { return refusal({command, robot}); };
    EXPECT_TRUE(contains(said("puma56"), "did you mean 'puma560'?")) << command;
    const std::string arm = scratch.file("arm.urdf", "");
    EXPECT_TRUE(contains(said(scratch.path("arm.urf")), "did you mean '" + arm + "'?")) << command;
    EXPECT_TRUE(contains(said("chain:0"), "chain")) << command;
    EXPECT_TRUE(contains(said(""), "the robot's name is empty")) << said("");
    EXPECT_TRUE(contains(said(scratch.path("none.urdf")), "none.urdf: ")) << command;
    for (const char* ending : {".urdf", ".toml"}) {
      EXPECT_TRUE(contains(said(scratch.file(std::string("empty") + ending, "")),
                           std::string("empty") + ending))
          << command;
      EXPECT_TRUE(contains(said(scratch.file(std::string("junk") + ending, random_bytes(5000, 7))),
                           std::string("junk") + ending))
          << command;
      const std::string folder = scratch.path(std::string("folder") + ending);
      mkdir(folder.c_str(), 0700);
      EXPECT_TRUE(contains(said(folder), folder)) << command;
    }
  }
  const std::string fixed = scratch.file("fixed.urdf",
                                         "<robot name='post'><link name='a'/><link "
                                         "name='b'/><joint name='j' type='fixed'><parent link='a'/>"
                                         "<child link='b'/></joint></robot>");
  EXPECT_TRUE(contains(refusal({"torque", fixed}), "robot 'post' has no moving joint"));
  EXPECT_EQ(parid_program({"info", fixed}).code, 0);
}

TEST(CliErrors, Motions) {
  EXPECT_EQ(refusal_of_motion(""),
            "standard input: the file is empty; start with a header such as "
            "t,q:joint1,q:joint2,v:joint1,v:joint2,a:joint1,a:joint2\n");
  EXPECT_EQ(refusal_of_motion("q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,0,0,0,inf,0\n"),
            "standard input:3: column 'a1' is infinite: 'inf'; give a finite number\n");
  EXPECT_EQ(refusal_of_motion("q1,q2,v1,v2,a1,a2\n0,0,0,NaN,0,0\n"),
            "standard input:2: column 'v2' is not a number: 'NaN'; give a finite number\n");
  EXPECT_EQ(refusal_of_motion("q1,q2,v1,v2,a1,a2\n0,0,0,0,0\n"),
            "standard input:2: found 5 values, but the header has 6 columns; give one value for "
            "each column\n");
  EXPECT_EQ(refusal_of_motion("1,2,3,4,5,6\n"),
            "standard input:1: the first line contains numbers, not column names; start with a "
            "header such as t,q:joint1,q:joint2,v:joint1,v:joint2,a:joint1,a:joint2\n");
  EXPECT_TRUE(contains(refusal_of_motion(random_bytes(20000, 3)), "standard input"));
  EXPECT_TRUE(contains(refusal_of_motion("q1,q2,v1,v2,a1,a2\n" + std::string(20 << 20, '1')),
                       "standard input:2: this line is longer than 16 MiB"));

  // Another robot's.
  Scratch scratch;
  const std::string panda = scratch.path("panda.npy");
  write_npy(panda, {{1, 21}, std::vector<double>(21)});
  EXPECT_TRUE(contains(refusal({"torque", "planar2", panda}),
                       "the array is 1 x 21; rows of robot 'planar2' have 6 numbers"));
  EXPECT_TRUE(
      contains(refusal_of_line("torque planar2 -",
                               {.input = "q1,q2,q3,v1,v2,v3,a1,a2,a3\n0,0,0,0,0,0,0,0,0\n"}),
               "standard input:1: column 'q3' is not a coordinate of robot 'planar2'"));

  EXPECT_EQ(refusal({"torque", "planar2", scratch.path("none.csv")}),
            scratch.path("none.csv") + ": there is no such file; check the path\n");
  EXPECT_TRUE(
      contains(refusal({"torque", "planar2", scratch.path("none.npz")}), "there is no such file"));
  EXPECT_TRUE(contains(refusal({"torque", "planar2", ""}), "the name of the input file is empty"));
  EXPECT_TRUE(contains(refusal({"torque", "planar2", scratch.path("")}), "this is a directory"));
  for (const char* ending : {".csv", ".npy", ".npz"})
    for (const std::string& junk : {std::string(), random_bytes(3000, 1)})
      EXPECT_TRUE(
          contains(refusal({"torque", "planar2", scratch.file(std::string("junk") + ending, junk)}),
                   std::string("junk") + ending));
  if (geteuid() != 0) {
    const std::string secret = scratch.file("secret.csv", still);
    chmod(secret.c_str(), 0);
    EXPECT_TRUE(contains(refusal({"torque", "planar2", secret}), "no permission to read"));
  }
}

TEST(CliErrors, OverflowIsRefusedWithItsLine) {
  const std::string said = refusal_of_motion("q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,0,1e200,0,0,0\n");
  EXPECT_EQ(said.substr(0, 81),
            "standard input:3: the torque of 'joint1' exceeds the range of a double; check the")
      << said;
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 --base-angular-velocity 1e200,0,0"),
                       "sample 0 (t = 0 s): the torque of 'joint1'"));
  EXPECT_TRUE(contains(refusal_of_line("torque planar2 - --explain",
                                       {.input = "q1,q2,v1,v2,a1,a2\n0,0,1e200,0,0,0\n"}),
                       "standard input:2: "));
}

TEST(CliErrors, AFailureLeavesTheOldFileAlone) {
  Scratch scratch;
  for (const std::string name : {"tau.csv", "tau.npy", "tau.npz"}) {
    const std::string old = scratch.file(name, "precious");
    for (const char* motion : {"", "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,0,0,0,nan,0\n",
                               "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,0,1e200,0,0,0\n"})
      refusal({"torque", "planar2", "-", "-o", old}, {.input = motion});
    EXPECT_EQ(content(old), "precious");
    EXPECT_EQ(parid_program({"torque", "planar2", "-o", old}).code, 0);
    EXPECT_NE(content(old), "precious");
  }
  EXPECT_EQ(scratch.names().size(), 3u);
}

TEST(CliErrors, Outputs) {
  Scratch scratch;
  auto said = [&](const std::string& path) { return refusal({"torque", "planar2", "-o", path}); };
  EXPECT_EQ(said(scratch.path("no/tau.csv")),
            scratch.path("no/tau.csv") +
                ": there is no such directory; create it first, for example with mkdir -p\n");
  EXPECT_TRUE(contains(said(scratch.path("no/tau.npz")), "there is no such directory"));
  EXPECT_EQ(said("tau.txt"),
            "tau.txt: unknown type of output file; use the suffix .csv, .npy, .npz or .h5\n");
  EXPECT_TRUE(contains(said("tau"), "use the suffix .csv, .npy, .npz or .h5"));
  EXPECT_TRUE(contains(said(""), "--output: the name of the file is empty; give a path"));
  EXPECT_EQ(parid_program({"torque", "planar2", "-o", "/dev/null"}).code, 0);
  EXPECT_TRUE(contains(said("/dev/full"), "/dev/full: cannot write the whole file"));
  const std::string folder = scratch.path("folder.csv");
  mkdir(folder.c_str(), 0700);
  EXPECT_TRUE(contains(said(folder), "this is a directory"));
  EXPECT_TRUE(
      contains(refusal_of_line("torque planar2 --json -o -"), "--json uses standard output"));
}

TEST(CliErrors, AFullDiskBehindStandardOutput) {
  for (const char* line : {"torque planar2", "torque planar2 --json", "torque planar2 --explain",
                           "robots", "robots --json", "info panda", "info panda --json",
                           "check panda", "check panda --json", "--help", "torque --help"}) {
    const Ran ran = parid_line(line, {.output = "/dev/full"});
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_NE(ran.err, "") << line;
  }
}

TEST(CliErrors, AReaderMayLeave) {
  Scratch scratch;
  const std::string log = scratch.path("log");
  const std::string line =
      std::string(PARID_PROGRAM) + " torque chain:50 2>" + log + " | head -1 >/dev/null";
  EXPECT_EQ(system(line.c_str()), 0);
  EXPECT_EQ(content(log), "");
}

}  // namespace
}  // namespace parid::test
