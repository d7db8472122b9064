// parid motion, and the notes of parid torque about motions.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "base/file/csv.hpp"
#include "base/file/npz.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

const std::string moves =
    "rate = 40\nstart = [0.3, 1.2]\n"
    "[[move]]\nkind = 'joint'\nto = [0, \"60 deg\"]\nduration = 0.5\n"
    "[[move]]\nkind = 'line'\nby = [-0.2, 0, 0.1]\npoint = [1, 0, 0]\norientation = 'free'\n"
    "speed = 0.4\nprofile = 'trapezoid'\nramp = 0.2\n";

TEST(CliMotion, SamplesAFileOfMovesAndTorqueReadsTheSamples) {
  Scratch scratch;
  const std::string file = scratch.file("m.toml", moves), csv = scratch.path("m.csv"),
                    npz = scratch.path("m.npz"), npy = scratch.path("m.npy");
  const Ran ran = parid_program({"motion", "planar2", file, "-o", csv});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "of limit")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "20 times the highest natural frequency")) << ran.out;
  const Table table = read_csv(csv);
  EXPECT_EQ(table.columns.front(), "t");
  EXPECT_EQ(table.columns.size(), 7u);
  EXPECT_NEAR(table.at(1, 0), 1.0 / 40, 1e-15);
  EXPECT_NEAR(table.at(table.rows - 1, 0), 0.5 + std::sqrt(0.05) / 0.4 + 0.2, 1e-12);

  // The same torques from the moves and from their samples, in all formats.
  const std::string direct = parid_program({"torque", "planar2", file}).out;
  EXPECT_EQ(parid_program({"torque", "planar2", csv}).out, direct);
  EXPECT_EQ(parid_program({"motion", "planar2", file, "-o", npz}).code, 0);
  EXPECT_EQ(parid_program({"torque", "planar2", npz}).out, direct);
  EXPECT_EQ(parid_program({"motion", "planar2", file, "-o", npy}).code, 0);
  EXPECT_EQ(parid_program({"torque", "planar2", npy}).code, 0);
  // And to standard output.
  EXPECT_EQ(parid_program({"motion", "planar2", file}).out, content(csv));
  const Ran faster = parid_program({"motion", "planar2", file, "--rate", "400"});
  EXPECT_GT(std::count(faster.out.begin(), faster.out.end(), '\n'), 500);
}

TEST(CliMotion, TheExampleOfTheDocumentsRuns) {
  const std::string page = content("docs/motions.md"), open = "```toml\n";
  const std::size_t from = page.find(open) + open.size();
  Scratch scratch;
  const std::string file =
      scratch.file("pick.toml", page.substr(from, page.find("```", from) - from));
  const Ran ran = parid_program({"motion", "ur5", file, "-o", scratch.path("pick.csv")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(contains(ran.out, "ur5: 8")) << ran.out;  // 813 samples
}

TEST(CliMotion, ThesisMotionPassesItsPrintedInstant) {
  const auto json = json_of("motion puma560-positioning --motion dhanaraj --json");
  EXPECT_EQ(json["samples"], 201);
  EXPECT_NEAR(json["t"][60], 0.6, 1e-15);
  EXPECT_NEAR(json["q"][60][0], -0.529744, 5.1e-7);
  EXPECT_NEAR(json["v"][60][1], -1.341852, 5.1e-7);
  EXPECT_NEAR(json["a"][60][2], -2.136609, 5.1e-7);
  // As stated in the robot file's head for this state.
  const auto torque = json_of("torque puma560-positioning --motion dhanaraj --json");
  EXPECT_NEAR(torque["tau"][60][0], 0.8760, 5.1e-5);
  EXPECT_NEAR(torque["tau"][60][1], -13.1211, 1e-4);
  EXPECT_NEAR(torque["tau"][60][2], -0.0622, 5.1e-5);
  EXPECT_EQ(parid_line("torque puma560-positioning --motion thesis").out,  // its older name
            parid_line("torque puma560-positioning --motion dhanaraj").out);
  const Ran wrong = parid_line("torque panda --motion dhanaraj");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "use puma560-positioning")) << wrong.err;
}

TEST(CliMotion, NamesAreListedAndChecked) {
  for (const char* command : {"motion", "torque"}) {
    const Ran help = parid_line(std::string(command) + " planar2 --motion help");
    EXPECT_EQ(help.code, 0);
    for (const char* name : {"default", "in-turn", "dhanaraj"})
      EXPECT_TRUE(contains(help.out, name));
    const Ran wrong = parid_line(std::string(command) + " planar2 --motion defualt");
    EXPECT_EQ(wrong.code, 2);
    EXPECT_TRUE(contains(wrong.err, "did you mean 'default'?")) << wrong.err;
  }
  EXPECT_EQ(parid_line("torque planar2 --motion default").out, parid_line("torque planar2").out);
}

TEST(CliMotion, PaceKeepsToLimits) {
  for (const char* pace : {"slower", "uniform", "optimal"}) {
    const auto json = json_of(std::string("torque planar2 --within-limits ") + pace + " --json");
    EXPECT_EQ(json["time_scaling"]["pace"], pace);
    EXPECT_EQ(json["limits_broken"].size(), 0u) << pace;
    const bool inside = json["time_scaling"]["factor"] == 1.0;  // it need not reach any
    EXPECT_TRUE(inside || json["time_scaling"]["binding"].size() > 0) << pace;
  }
  EXPECT_TRUE(json_of("torque planar2 --json")["time_scaling"].is_null());
  const double uniform =
                   json_of("motion panda --within-limits uniform --json")["time_scaling"]["factor"],
               optimal =
                   json_of("motion panda --within-limits optimal --json")["time_scaling"]["factor"],
               slower =
                   json_of("motion panda --within-limits slower --json")["time_scaling"]["factor"];
  EXPECT_LT(optimal, uniform);
  EXPECT_EQ(slower, std::max(1.0, uniform));
  const Ran note = parid_line("torque panda --within-limits optimal");
  EXPECT_TRUE(contains(note.err, "times as long")) << note.err;
  EXPECT_TRUE(contains(note.err, "reaches its limit at sample ")) << note.err;
  // 500 kg cannot be held.
  const Ran heavy = parid_line("torque panda --payload 500 --within-limits slower");
  EXPECT_EQ(heavy.code, 2);
  EXPECT_TRUE(contains(heavy.err, "the holding torque alone")) << heavy.err;
}

TEST(CliMotion, NotesLimitsThatItBreaks) {
  Scratch scratch;
  const std::string file =
      scratch.file("far.toml", "[[move]]\nkind = 'joint'\nto = {elbow = 9}\nduration = 2\n");
  for (const std::string& more : {std::string(), " -o " + scratch.path("far.csv")}) {
    const Ran ran = parid_line("motion ur5 " + file + more);
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(ran.err, parid_line("torque ur5 " + file).err);
    EXPECT_TRUE(contains(ran.err, "elbow: 9 rad")) << ran.err;
    EXPECT_TRUE(contains(ran.err, "exceeds the limit of")) << ran.err;
    EXPECT_FALSE(contains(ran.err, "re-timing cannot help")) << ran.err;
    EXPECT_EQ(contains(ran.out, "0 … 9 "), !more.empty()) << ran.out;
  }
  const Ran paced = parid_line("motion ur5 " + file + " --within-limits slower");
  EXPECT_TRUE(contains(paced.err, "re-timing cannot help")) << paced.err;
  EXPECT_FALSE(contains(paced.err, "exceeds the limit of")) << paced.err;
}

TEST(CliMotion, SaysThatANameIsEmpty) {
  for (const char* command : {"motion", "torque"}) {
    const Ran robot = parid_program({command, ""});
    EXPECT_EQ(robot.code, 2);
    EXPECT_TRUE(contains(robot.err, "the robot's name is empty")) << robot.err;
    EXPECT_FALSE(contains(robot.err, "\n: ") || robot.err.starts_with(": ")) << robot.err;
    const Ran picture = parid_program({command, "planar2", "--plot", ""});
    EXPECT_EQ(picture.code, 2);
    EXPECT_TRUE(contains(picture.err, "--plot: the name of the file is empty")) << picture.err;
  }
}

TEST(CliMotion, SaysWhatIsWrong) {
  Scratch scratch;
  const std::string file =
      scratch.file("m.toml", "[[move]]\nkind = 'joint'\nto = [1]\nduration = 1\n");
  const struct {
    std::string line, part;
  } cases[] = {
      {"torque planar2 " + file, "m.toml:3: move 1: to has 1 entry"},
      {"motion planar2 nowhere.toml", "there is no such file"},
      {"motion planar2 --rate 0", "above zero"},
      {"motion planar2 --within-limits fast", "slower, uniform, optimal"},
      {"motion planar2 -o motion.txt", "use the suffix .csv, .npy, .npz or .h5"},
      {"motion planar2 --plot picture.gif", ".svg or .png"},
      {"torque planar2 --plot picture", ".svg or .png"},
      {"motion planar2 --stiffness -1", "above zero"},
      {"torque planar2 - --rate 10", "samples of a file cannot be resampled"},
  };
  for (const auto& [line, part] : cases) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_TRUE(contains(ran.err, part)) << line << "\n" << ran.err;
  }
}

bool have_gnuplot() { return std::system("gnuplot --version > /dev/null 2>&1") == 0; }

TEST(CliPlot, DrawsEveryJointWithUnits) {
  if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  Scratch scratch;
  const std::string svg = scratch.path("p.svg"), png = scratch.path("p.png"),
                    csv = scratch.path("p.csv");
  EXPECT_EQ(parid_program({"torque", "stanford", "--plot", svg, "-o", csv}).code, 0);
  const std::string picture = content(svg);
  for (const char* part :
       {"<svg", "</svg>", "joint1", "joint6", "torque (N m)", "force (N)", "position (rad)",
        "position (m)", "velocity (rad/s)", "time (s)", "stanford"})
    EXPECT_TRUE(contains(picture, part)) << part;
  EXPECT_EQ(parid_program({"torque", "humanoid", "--plot", png, "-o", csv}).code, 0);
  EXPECT_EQ(content(png).substr(0, 4), "\x89PNG");
  EXPECT_EQ(parid_program({"motion", "planar2", "--plot", svg, "-o", csv}).code, 0);
  EXPECT_TRUE(contains(content(svg), "acceleration (rad/s²)"));
}

TEST(CliPlot, HasStylesAndOneLegend) {
  if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  Scratch scratch;
  const std::string csv = scratch.path("p.csv");
  auto drawn = [&](std::vector<std::string> words, const std::string& name) {
    const std::string path = scratch.path(name);
    words.insert(words.end(), {"--plot", path});
    if (words[0] == "torque") words.insert(words.end(), {"-o", csv});
    const Ran ran = parid_program(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return content(path);
  };
  auto times = [](const std::string& text, const std::string& part) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++n;
    return n;
  };
  const std::string screen = drawn({"torque", "ur5"}, "a.svg"),
                    print = drawn({"torque", "ur5", "--style", "print"}, "b.svg"),
                    mono = drawn({"torque", "ur5", "--style", "mono"}, "c.svg");
  // Three panels with the same six curves.
  for (const std::string& picture : {screen, print, mono})
    EXPECT_EQ(times(picture, ">wrist_3<"), 1);
  EXPECT_TRUE(contains(print, "rgb(  0, 114, 178)") || contains(print, "#0072B2") ||
              contains(print, "#0072b2"));
  EXPECT_FALSE(contains(mono, "rgb(  0, 114, 178)") || contains(mono, "#0072B2") ||
               contains(mono, "#0072b2"));
  const std::regex width("<svg[^>]*width=\"(\\d+)\"");
  std::smatch a, b;
  ASSERT_TRUE(std::regex_search(screen, a, width) && std::regex_search(print, b, width));
  EXPECT_GT(std::stoi(a[1]), std::stoi(b[1]));
  // Panels with other curves have legends of their own.
  const std::string many = drawn({"torque", "humanoid"}, "d.svg");
  EXPECT_EQ(times(many, ">left_knee<"), 1);
  EXPECT_EQ(times(many, ">right_knee<"), 1);
  EXPECT_EQ(drawn({"torque", "ur5", "--style", "print"}, "e.pdf").substr(0, 5), "%PDF-");
  // Periods in units, not as logarithms.
  const std::string periods = drawn({"stability", "planar2", "--count", "8"}, "f.svg");
  EXPECT_TRUE(contains(periods, "1 ms")) << periods.substr(0, 2000);
  EXPECT_FALSE(contains(periods, "log10"));
}

TEST(CliPlot, FrictionIsInTheTitleAndInPanelsOfItsOwn) {
  if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  Scratch scratch;
  const std::string svg = scratch.path("f.svg"), csv = scratch.path("f.csv");
  const std::vector<std::string> line{
      "torque", "puma560-positioning", "--motion", "dhanaraj", "--plot", svg, "-o", csv};
  auto drawn = [&](std::vector<std::string> more) {
    more.insert(more.begin(), line.begin(), line.end());
    const Ran ran = parid_program(more);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return content(svg);
  };
  for (const char* part : {"friction included", "bearings (N m)", "drives (N m)"}) {
    EXPECT_TRUE(contains(drawn({"--friction"}), part)) << part;
    EXPECT_TRUE(contains(drawn({"--friction", "--as-printed"}), part)) << part;
    EXPECT_FALSE(contains(drawn({}), part)) << part;
  }
}

// A name that gnuplot could take for more than a name.
TEST(CliPlot, NamesAreNamesAndNothingElse) {
  if (!have_gnuplot()) GTEST_SKIP() << "gnuplot is not installed";
  Scratch scratch;
  const std::string robot = scratch.file(
      "r.toml",
      "[[joint]]\nname = '\"; system(\"touch pwned\") #_{x}\\\\'\naxis = [0,1,0]\nmass = 1\ncom = "
      "[0.1,0,0]\ninertia = [1,1,1]\n");
  const std::string svg = scratch.path("p.svg");
  const Ran ran =
      parid_program({"torque", robot, "--plot", svg, "--force", "-o", scratch.path("p.csv")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(content(svg), "touch pwned"));
  EXPECT_FALSE(std::filesystem::exists("pwned"));
}

TEST(CliPlot, WithoutGnuplotSaysWhatToInstallAndKeepsTheOldPicture) {
  Scratch scratch;
  const std::string svg = scratch.file("p.svg", "old");
  const Ran ran = parid_program({"torque", "planar2", "--plot", svg, "-o", scratch.path("p.csv")},
                                {.environment = {{"PATH", "/nowhere"}}});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "gnuplot-nox")) << ran.err;
  EXPECT_EQ(content(svg), "old");
}

// One convention: notes, JSON and options count samples from 0.
TEST(CliMotion, SamplesCountFromZeroEverywhere) {
  Scratch scratch;
  const std::string file =
      scratch.file("far.toml", "[[move]]\nkind = 'joint'\nto = {elbow = 9}\nduration = 2\n");
  const auto said = json_of("torque ur5 " + file + " --json");
  const std::string notes = parid_line("torque ur5 " + file).err;
  ASSERT_FALSE(said["limits_broken"].empty());
  for (const auto& b : said["limits_broken"]) {
    const auto sample = b["sample"].get<std::size_t>();
    const std::string unit = b["kind"] == "position" ? "rad" : "rad/s";
    const std::regex note(fmt::format("note: {}: [0-9.]+ {} at t = {:.4g} s ",
                                      b["coordinate"].get<std::string>(), unit,
                                      said["t"][sample].get<double>()));
    EXPECT_TRUE(std::regex_search(notes, note)) << sample << "\n" << notes;
    const auto one = json_of(fmt::format("torque ur5 {} --explain --row {} --json", file, sample));
    EXPECT_EQ(one["sample"], sample);
    EXPECT_EQ(one["t"], said["t"][sample]);
  }
  const auto paced = json_of("torque panda --within-limits optimal --json");
  const std::string pace = parid_line("torque panda --within-limits optimal").err;
  ASSERT_FALSE(paced["time_scaling"]["binding"].empty());
  for (const auto& b : paced["time_scaling"]["binding"]) {
    const auto sample = b["sample"].get<std::size_t>();
    EXPECT_TRUE(contains(pace, fmt::format("reaches its limit at sample {} (t = {:.4g} s)", sample,
                                           paced["t"][sample].get<double>())))
        << pace;
  }
}

// A limit of 0 is none: in the table of limits, in notes, in motions by name, in paces, in the
// page.
TEST(CliMotion, ALimitOfZeroIsNone) {
  Scratch scratch;
  const std::string body =
      "<inertial><origin xyz='0.2 0 0'/><mass value='2'/><inertia ixx='0.1' iyy='0.1' izz='0.1' "
      "ixy='0' ixz='0' iyz='0'/></inertial>";
  const auto arm = [&](const std::string& limits) {
    return "<robot name='a'><link name='base'/><link name='l1'>" + body +
           "</link><link name='l2'>" + body +
           "</link><joint name='j1' type='revolute'><parent link='base'/><child link='l1'/>"
           "<axis xyz='0 1 0'/><limit lower='-1' upper='1' " +
           limits +
           "/></joint>"
           "<joint name='j2' type='revolute'><parent link='l1'/><child link='l2'/>"
           "<origin xyz='0.4 0 0'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' " +
           limits + "/></joint></robot>";
  };
  const std::string zero = scratch.file("zero.urdf", arm("effort='0' velocity='0'")),
                    none = scratch.file("none.urdf", arm(""));
  const std::string info = parid_line("info " + zero).out;
  EXPECT_TRUE(contains(info, "-1 … 1, |v| no limit, |τ| no limit")) << info;
  EXPECT_FALSE(contains(info, "≤ 0")) << info;
  for (const auto& j : json_of("info " + zero + " --json")["joints"]) {
    EXPECT_TRUE(j["effort"].is_null()) << j;
    EXPECT_TRUE(j["velocity"].is_null()) << j;
  }
  for (const std::string& line :
       {std::string("torque ROBOT"), std::string("motion ROBOT --motion default"),
        std::string("motion ROBOT --motion in-turn"),
        std::string("torque ROBOT --within-limits uniform"),
        std::string("simulate ROBOT --from 0.1,0.2 --time 0.05 --limits all"),
        std::string("check ROBOT")}) {
    const auto with = [&](const std::string& robot) {
      std::string words = line;
      const Ran ran = parid_line(words.replace(words.find("ROBOT"), 5, robot));
      std::string all = std::to_string(ran.code) + ran.out + ran.err;
      for (std::size_t at; (at = all.find(robot)) != all.npos;) all.replace(at, robot.size(), "R");
      return all;
    };
    EXPECT_EQ(with(zero), with(none)) << line;
    EXPECT_FALSE(contains(with(zero), "limit is")) << with(zero);
  }
  const std::string page = scratch.path("page.html");
  EXPECT_EQ(parid_line("report " + zero + " --no-formulations -o " + page).code, 0);
  std::ifstream file(page);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(contains(text, "\"effort\":null"));
  EXPECT_FALSE(contains(text, "\"effort\":0"));
}

}  // namespace
}  // namespace parid::test
