// The commands and their output.

#include <gtest/gtest.h>

#include <cmath>

#include "base/file/csv.hpp"
#include "base/file/npz.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/motion/test_robots.hpp"

namespace parid::test {
namespace {

const std::string still = "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0.5,-1,0,0,0,0\n";

// The torques that `parid torque WORDS` prints, row after row, without t.
std::vector<double> torques(const std::string& words, const Around& around = {}) {
  const Ran ran = parid_line("torque " + words, around);
  EXPECT_EQ(ran.code, 0) << words << "\n" << ran.err;
  Scratch scratch;
  const Table table = read_csv(scratch.file("out.csv", ran.out));
  std::vector<double> all;
  for (std::size_t r = 0; r < table.rows; ++r)
    for (std::size_t k = 0; k < table.columns.size(); ++k)
      if (table.columns[k] != "t") all.push_back(table.at(r, k));
  return all;
}
std::vector<double> torques_at_rest(const std::string& words) {
  return torques("planar2 - " + words, {.input = still});
}

void near(const std::vector<double>& got, const std::vector<double>& want,
          double tolerance = 1e-11) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], want[k], tolerance) << k;
}

std::vector<std::string> builtin_names() {
  std::vector<std::string> names;
  const auto listed = json_of("robots --json");
  for (const auto& robot : listed["robots"]) {
    std::string name = robot["name"];
    if (name.ends_with(":N")) name.replace(name.size() - 1, 1, "5");
    names.push_back(name);
  }
  return names;
}

TEST(Cli, EveryCommandHasHelpWithAnExample) {
  const Ran top = parid_line("--help");
  EXPECT_EQ(top.code, 0);
  for (const char* command : {"robots", "info", "check", "convert", "motion", "torque", "simulate",
                              "compare", "table", "ik", "identify", "generate", "hardware"}) {
    EXPECT_TRUE(contains(top.out, std::string("  ") + command + " "));
    const Ran help = parid_line(std::string(command) + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_TRUE(contains(help.out, "Example")) << command;
    EXPECT_TRUE(contains(help.out, std::string("parid ") + command)) << command;
    EXPECT_TRUE(contains(help.out, "--json")) << command;
    EXPECT_EQ(help.err, "");
  }
  EXPECT_EQ(parid_line("--version").out.substr(0, 6), "parid ");
}

TEST(Cli, EveryBuiltinRobotIsSoundAndMoves) {
  const auto names = builtin_names();
  EXPECT_GE(names.size(), 14u);
  const Ran table = parid_line("robots");
  EXPECT_EQ(table.code, 0);
  for (const std::string& name : names) {
    EXPECT_TRUE(contains(table.out, name.substr(0, name.find(':')))) << name;
    const Ran check = parid_line("check " + name);
    EXPECT_EQ(check.code, 0) << name;
    EXPECT_EQ(check.out, name + ": OK: no errors, no warnings\n");
    const Ran info = parid_line("info " + name);
    EXPECT_EQ(info.code, 0) << info.err;
    const Ran torque = parid_line("torque " + name);
    EXPECT_EQ(torque.code, 0) << name;
    EXPECT_EQ(torque.out.substr(0, 6), "t,tau:") << name;
    EXPECT_EQ(std::count(torque.out.begin(), torque.out.end(), '\n'), 202) << name;
    EXPECT_FALSE(contains(torque.err, "warning")) << torque.err;
    EXPECT_FALSE(contains(torque.err, "velocity") || contains(torque.err, "position"))
        << torque.err;
  }
}

TEST(Cli, AllFormatsHoldTheSameTorques) {
  Scratch scratch;
  for (const std::string& name : builtin_names()) {
    for (const char* ending : {"csv", "npy", "npz"})
      EXPECT_EQ(
          parid_program({"torque", name, "-o", scratch.path(std::string("tau.") + ending)}).code,
          0);
    const Ran printed = parid_line("torque " + name);
    EXPECT_EQ(content(scratch.path("tau.csv")), printed.out);
    EXPECT_EQ(parid_line("torque " + name + " -o -").out, printed.out);
    const std::vector<double> tau = torques(name);
    EXPECT_EQ(read_npy(scratch.path("tau.npy")).data, tau);
    const Npz npz(scratch.path("tau.npz"));
    EXPECT_EQ(npz.read("tau").data, tau);
    const auto json = json_of("torque --json " + name);
    std::vector<double> rows;
    for (const auto& row : json["tau"])
      for (const double x : row) rows.push_back(x);
    EXPECT_EQ(rows, tau);
    EXPECT_EQ(json["t"].get<std::vector<double>>(), npz.read("t").data);
  }
  EXPECT_EQ(scratch.names().size(), 3u);  // and nothing temporary beside them
}

TEST(Cli, JsonAndAFileTogether) {
  Scratch scratch;
  const Ran ran = parid_program({"torque", "planar2", "--json", "-o", scratch.path("tau.csv")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(nlohmann::json::parse(ran.out)["samples"], 201);
  EXPECT_EQ(content(scratch.path("tau.csv")), parid_line("torque planar2").out);
}

TEST(Cli, ThreadsDoNotChangeABit) {
  Scratch scratch;
  std::string motion = "q1,q2,q3,q4,q5,q6,v1,v2,v3,v4,v5,v6,a1,a2,a3,a4,a5,a6\n";
  for (int r = 0; r < 3001; ++r)
    for (int k = 0; k < 18; ++k)
      motion += std::to_string(std::sin(r * 0.37 + k)) + (k < 17 ? "," : "\n");
  const std::string path = scratch.file("m.csv", motion);
  const Ran one = parid_program({"torque", "puma560", path, "--threads", "1"});
  EXPECT_EQ(one.code, 0) << one.err;
  for (const char* threads : {"2", "4", "0"})
    EXPECT_EQ(parid_program({"torque", "puma560", path, "--threads", threads}).out, one.out);
}

TEST(Cli, InstructionSetsAgree) {
  const std::vector<double> tau = torques("ur5");
  near(torques("ur5", {.environment = {{"PARID_ISA", "baseline"}}}), tau, 1e-10);
  near(torques("ur5", {.environment = {{"PARID_ISA", ""}}}), tau, 0);
  const Ran nonsense = parid_line("torque ur5", {.environment = {{"PARID_ISA", "nonsense"}}});
  EXPECT_EQ(nonsense.code, 2);
  EXPECT_EQ(nonsense.out, "");
  EXPECT_TRUE(contains(nonsense.err, "PARID_ISA is 'nonsense'")) << nonsense.err;
  const Ran avx2 = parid_line("torque ur5", {.environment = {{"PARID_ISA", "avx2"}}});
  EXPECT_TRUE(avx2.code == 0 || contains(avx2.err, "choose from baseline")) << avx2.err;
}

// Two rods of 1 m and 1 kg, at q = (0, 0) and (0.5, -1).
TEST(Cli, TorquesAtRestAreTheBooks) {
  const double g = 9.81;
  auto held = [&](double q1, double q2, double gravity) {
    const double second = gravity * 0.5 * std::cos(q1 + q2);
    return std::vector<double>{gravity * 1.5 * std::cos(q1) + second, second};
  };
  auto both = [&](double gravity) {
    std::vector<double> all = held(0, 0, gravity);
    for (const double x : held(0.5, -1, gravity)) all.push_back(x);
    return all;
  };
  near(torques_at_rest(""), both(g));
  near(torques_at_rest("--gravity 0,0,-1.62"), both(1.62));
  near(torques_at_rest("--gravity=0,0,-1.62"), both(1.62));
  near(torques_at_rest("--gravity 0,0,0"), both(0));
  near(torques_at_rest("--gravity 0,0,+3"), both(-3));
  // A base that accelerates upwards at g without gravity has the torques of a fixed one with
  // gravity.
  near(torques_at_rest("--gravity 0,0,0 --base-acceleration 0,0,9.81"), both(g));
  near(torques_at_rest("--base-acceleration 0,0,-9.81"), both(0));
  // 2 kg at the second rod's end: x = 1 in its frame.
  std::vector<double> loaded = both(g);
  const double at[] = {2, 1, std::cos(0.5) + std::cos(-0.5), std::cos(-0.5)};
  for (int k = 0; k < 4; ++k) loaded[k] += 2 * g * at[k];
  near(torques_at_rest("--payload 2,1,0,0"), loaded);
  near(torques_at_rest("--payload link2:2,1,0,0"), loaded);
  near(torques_at_rest("--payload link2:2,1,0,0,0.1,0.1,0.1,0,0,0"),
       loaded);  // at rest inertia is not felt
  // 3 N along the tip's y, at its origin, the elbow; and a moment about its z.
  std::vector<double> pushed = both(g);
  pushed[0] -= 3;
  pushed[2] -= 3 * std::cos(-1.0);
  near(torques_at_rest("--tip-wrench 0,3,0,0,0,0"), pushed);
  std::vector<double> twisted = both(g);
  for (double& x : twisted) x += 0.5;
  near(torques_at_rest("--tip-wrench link2:-0,0,0,0,0,-0.5"), twisted);
  near(torques_at_rest("--tip-wrench -0,0,0,0,0,-0.5"), twisted);
}

TEST(Cli, ABaseThatTurnsIsFelt) {
  // Spinning about the vertical at w: at q = 0 the rods point outward and feel no torque about
  // their horizontal axes; at q1 = 0.5 the pull outward, r w² dm, turns them down.
  const auto slow = torques("planar2 - --gravity 0,0,0", {.input = still});
  const auto fast =
      torques("planar2 - --gravity 0,0,0 --base-angular-velocity 0,0,2", {.input = still});
  EXPECT_NEAR(fast[0], 0, 1e-12);
  EXPECT_GT(std::abs(fast[2]), 1);
  near(torques("planar2 - --gravity 0,0,0 --base-angular-velocity 0,0,-2", {.input = still}), fast);
  near(torques("planar2 - --gravity 0,0,0 --base-angular-velocity 0,0,0", {.input = still}), slow,
       0);
  // Turning faster about the joints' own axis, -y, is as if the first joint did.
  const auto own = torques("planar2 -", {.input = "q1,q2,v1,v2,a1,a2\n0.3,0.4,0,0,1,0\n"});
  near(torques("planar2 - --base-angular-acceleration 0,-1,0",
               {.input = "q1,q2,v1,v2,a1,a2\n0.3,0.4,0,0,0,0\n"}),
       own);
}

TEST(Cli, MotionsComeFromFilesAndPipes) {
  Scratch scratch;
  const std::string csv = scratch.file(
      "m.csv", "t,v:joint2,v:joint1,q:joint2,q:joint1,a:joint1,a:joint2\n0,0,0,-1,0.5,0,0\n");
  const Ran ran = parid_program({"torque", "planar2", csv});
  EXPECT_EQ(ran.out.substr(0, 25), "t,tau:joint2,tau:joint1\n0");
  write_npy(scratch.path("m.npy"), {{1, 6}, {0.5, -1, 0, 0, 0, 0}});
  const auto by_rows = torques("planar2 " + scratch.path("m.npy"));
  EXPECT_EQ(parid_line("torque planar2 " + scratch.path("m.npy")).out.substr(0, 24),
            "tau:joint1,tau:joint2\n17");
  const auto named = torques("planar2 " + csv);
  near({named[1], named[0]}, by_rows, 0);
  write_npz(scratch.path("m.npz"),
            {{"q", {{1, 2}, {0.5, -1}}}, {"v", {{1, 2}, {0, 0}}}, {"a", {{1, 2}, {0, 0}}}});
  near(torques("planar2 " + scratch.path("m.npz")), by_rows, 0);
  EXPECT_EQ(parid_line("torque planar2 -", {.input = still}).out.substr(0, 10), "tau1,tau2\n");
  const Ran derived = parid_line("torque planar2 - --derive",
                                 {.input = "t,q1,q2\n0,0,0\n1,0.1,0\n2,0.2,0\n3,0.3,0\n"});
  EXPECT_EQ(derived.code, 0) << derived.err;
}

TEST(Cli, FloatingRobots) {
  const Ran ran = parid_line("torque puma560 --floating");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out.substr(0, 200), ".vx,")) << ran.out.substr(0, 200);
  EXPECT_EQ(json_of("info puma560 --floating --json")["nv"], 12);
  EXPECT_EQ(json_of("check puma560 --floating --json")["errors"].size(), 0u);
  // The UR5's base has no mass: free, it could spin against the first joint for nothing.
  EXPECT_EQ(parid_line("check ur5 --floating").code, 1);
  EXPECT_EQ(parid_line("torque ur5 --floating").code, 0);  // its torques are defined
  EXPECT_EQ(parid_line("torque ur5 --floating --strict").code, 2);
  EXPECT_EQ(parid_line("simulate ur5 --floating --time 0.1").code, 2);  // its accelerations are not
}

TEST(Cli, ExplainShowsEveryLink) {
  const Ran ran = parid_line("torque planar2 --explain");
  EXPECT_EQ(ran.code, 0);
  for (const char* word : {"link1 on base, moved by joint1", "link2 on link1, moved by joint2",
                           "angular velocity ω ", "angular acceleration ω̇ ",
                           "acceleration of the origin v̇ ", "force f ", "moment n ", "torque τ "})
    EXPECT_TRUE(contains(ran.out, word)) << word;
  // Columns line up: counted as a terminal does, every number ends at the same place.
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.substr(0, 2) != "  ") continue;
    int wide = 0;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const auto byte = static_cast<unsigned char>(line[k]);
      wide += (byte & 0xC0) != 0x80 && byte != 0xCC;
    }
    EXPECT_EQ((wide - 34) % 14, 0) << line;
  }
  const Ran first = parid_line("torque planar2 - --explain --row 1", {.input = still});
  EXPECT_EQ(first.code, 0);
  EXPECT_TRUE(contains(first.out, "planar2, sample 1 (counted from 0) of 2 (standard input:3)"))
      << first.out;

  const auto json = json_of("torque planar2 --explain --row 100 --json");
  EXPECT_EQ(json["schema"], "parid.explain/1");
  EXPECT_EQ(json["sample"], 100);
  const auto torque = json_of("torque planar2 --json");
  for (int k = 0; k < 2; ++k)
    EXPECT_NEAR(json["links"][k]["torque"][0].get<double>(), torque["tau"][100][k].get<double>(),
                1e-12);
  for (const std::string& name : builtin_names())
    EXPECT_EQ(parid_line("torque " + name + " --explain").code, 0) << name;
}

TEST(Cli, BrokenLimitsAreNoted) {
  const Ran ran =
      parid_line("torque planar2 -", {.input = "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,0,4,0,0,0\n"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err,
            "standard input:3: note: joint1: 4 rad/s in sample 1 exceeds the limit of 3 (133 %)\n");
  Scratch scratch;
  const std::string path = scratch.file("m.csv", "q1,q2,v1,v2,a1,a2\n0,0,0,0,0,0\n0,0,4,0,0,0\n");
  const auto note = json_of("torque planar2 --json " + path)["limits_broken"][0];
  EXPECT_EQ(note["coordinate"], "joint1");
  EXPECT_EQ(note["kind"], "velocity");
  EXPECT_EQ(note["sample"], 1);
  EXPECT_EQ(note["value"], 4);
  EXPECT_EQ(note["limit"], 3);
}

const std::string doubtful =
    "name = 'doubtful'\n[[joint]]\naxis = [0, 0, 2]\nmass = 1\ncom = [0.1, 0, 0]\ninertia = [0.01, "
    "0.01, 0.01]\ncolour = 'red'\n";
const std::string impossible =
    "name = 'impossible'\n[[joint]]\naxis = [0, 0, 1]\nmass = 1\ncom = [0.1, 0, 0]\ninertia = "
    "[0.01, 0.01, 0.5]\n";

TEST(Cli, WarningsDoNotStopTorqueAndForceHidesThem) {
  Scratch scratch;
  const std::string robot = scratch.file("doubtful.toml", doubtful);
  const Ran ran = parid_program({"torque", robot});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(contains(ran.err, robot + ":3: warning: joint 'joint1' has axis")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "colour")) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 2) << ran.err;
  const Ran forced = parid_program({"torque", robot, "--force", "--gravity", "0,0,-9.81"});
  EXPECT_EQ(forced.code, 0);
  EXPECT_TRUE(contains(forced.err, "--force is deprecated")) << forced.err;
  EXPECT_EQ(std::count(forced.err.begin(), forced.err.end(), '\n'), 1) << forced.err;
  EXPECT_EQ(forced.out, ran.out);

  const Ran check = parid_program({"check", robot});
  EXPECT_EQ(check.code, 0);
  EXPECT_TRUE(contains(check.out, "0 errors, 2 warnings")) << check.out;
}

// What `parid check` calls an error is a warning where the robot can be used all the same.
TEST(Cli, StrictRefusesWhatIsAWarningOtherwise) {
  Scratch scratch;
  const std::string robot = scratch.file("impossible.toml", impossible);
  for (const char* command : {"torque", "info"}) {
    const Ran ran = parid_program({command, robot});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.err, "warning: link 'link1' has") &&
                contains(ran.err, "[triangle-inequality]"))
        << ran.err;
    const Ran strict = parid_program({command, robot, "--strict"});
    EXPECT_EQ(strict.code, 2);
    EXPECT_EQ(strict.out, "");
    EXPECT_TRUE(contains(strict.err, "impossible.toml:") &&
                contains(strict.err, "error: link 'link1' has") &&
                contains(strict.err, "[triangle-inequality]"))
        << strict.err;
  }
  const Ran check = parid_program({"check", robot, "--json"});
  EXPECT_EQ(check.code, 1);
  const auto json = nlohmann::json::parse(check.out);
  EXPECT_EQ(json["schema"], "parid.check/1");
  EXPECT_EQ(json["warnings"].size(), 0u);
  ASSERT_EQ(json["errors"].size(), 1u);
  for (const char* key : {"file", "line", "code", "message", "remedy", "affects", "refuses"})
    EXPECT_TRUE(json["errors"][0].contains(key)) << key;
  EXPECT_EQ(json["errors"][0]["affects"][0], "inverse");
  EXPECT_TRUE(json["errors"][0]["refuses"].empty());
  EXPECT_EQ(json["errors"][0]["code"], "triangle-inequality");
  EXPECT_EQ(json["errors"][0]["file"], robot);
  EXPECT_EQ(parid_program({"check", robot}).code, 1);
}

TEST(Cli, SimulationOfAMasslessLinkIsRefusedAndNamesTheJoint) {
  Scratch scratch;
  const std::string robot =
      scratch.file("light.toml", "name = 'light'\n[[joint]]\nname = 'wrist'\naxis = [0, 0, 1]\n");
  EXPECT_EQ(parid_program({"torque", robot}).code, 0);
  const Ran ran = parid_program({"simulate", robot, "--time", "0.1"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "joint 'wrist'") && contains(ran.err, "mass matrix is singular"))
      << ran.err;
}

TEST(Cli, RobotsChangeOnTheWay) {
  Scratch scratch;
  const auto names = [](const Ran& ran) {
    EXPECT_EQ(ran.code, 0) << ran.err;
    return nlohmann::json::parse(ran.out)["velocities"].get<std::vector<std::string>>();
  };
  EXPECT_EQ(names(parid_program({"info", "planar3", "--json", "--lock", "joint2=0.5"})),
            (std::vector<std::string>{"joint1", "joint3"}));
  const std::string out = scratch.path("both.toml");
  ASSERT_EQ(
      parid_program({"convert", "planar2", out, "--attach", "link2=planar2,prefix=hand_,at=1,0,0"})
          .code,
      0);
  EXPECT_EQ(names(parid_program({"info", out, "--json"})).size(), 4u);
  const std::string bad = scratch.file("impossible.toml", impossible),
                    good = scratch.path("g.toml");
  const Ran repaired = parid_program({"convert", bad, good, "--repair"});
  EXPECT_EQ(repaired.code, 0);
  EXPECT_TRUE(contains(repaired.err, "repaired: ")) << repaired.err;
  EXPECT_EQ(parid_program({"check", good}).code, 0);
}

TEST(Cli, AutoTakesLanesForOneSampleOfALongChain) {
  Scratch scratch;
  std::string header, numbers;
  for (const char* what : {"q", "v", "a"})
    for (int k = 1; k <= 300; ++k) {
      header += (header.empty() ? "" : ",") + (what + std::to_string(k));
      numbers += (numbers.empty() ? "" : ",") + std::to_string(0.01 * (k % 17) - 0.05);
    }
  const std::string one = scratch.file("one.csv", header + "\n" + numbers + "\n");
  const nlohmann::json quick = json_of("torque chain:300 " + one + " --method auto --json"),
                       plain = json_of("torque chain:300 " + one + " --json");
  EXPECT_EQ(quick["method"], "auto");
  EXPECT_FALSE(plain.contains("taken"));
  const std::string taken = quick["taken"];
  EXPECT_TRUE(taken.starts_with("newton_euler_link, ")) << taken;
  double scale = 0;
  for (const auto& x : plain["tau"][0]) scale = std::max(scale, std::abs(x.get<double>()));
  for (int k = 0; k < 300; ++k)
    EXPECT_NEAR(quick["tau"][0][k].get<double>(), plain["tau"][0][k].get<double>(), 1e-12 * scale);
  const Ran narrow = parid_line("torque chain:300 " + one + " --method auto",
                                {.environment = {{"PARID_ISA", "baseline"}}});
  EXPECT_EQ(narrow.err, "note: --method auto selected newton_euler_link, serially over links\n");
  EXPECT_EQ(json_of("torque chain:24 --method auto --json")["taken"],
            "newton_euler_link, samples in SIMD lanes");
}

// docs/json.md lists, for each command line, the keys of its object.
TEST(Cli, JsonHasTheDocumentedKeys) {
  std::istringstream page(content("docs/json.md"));
  nlohmann::json now;
  int commands = 0, keys = 0;
  bool here = true;
  for (std::string line; std::getline(page, line);) {
    if (line.substr(0, 10) == "## `parid ") {
      const std::string command = line.substr(10, line.find('`', 10) - 10);
      // A build may be without HDF5 or benchmarks.
      const char* of_part = command.starts_with("batch ")   ? "libhdf5-openmpi-dev"
                            : command.starts_with("bench ") ? "-DPARID_BENCH=ON"
                                                            : nullptr;
      here = !of_part || !contains(parid_line(command).err, of_part);
      // A machine may have no OpenCL device.
      if (command.starts_with("devices ")) here = parid_line("devices").code == 0;
      if (!here) continue;
      now = json_of(command);
      ++commands;
      EXPECT_TRUE(now.contains("schema")) << line;
    } else if (here && line.substr(0, 3) == "| `") {
      const std::string key = line.substr(3, line.find('`', 3) - 3);
      const std::size_t dot = key.find("[].");
      const std::size_t part = dot == std::string::npos ? key.find('.') : std::string::npos;
      if (part != std::string::npos)  // of an object within
        EXPECT_TRUE(now[key.substr(0, part)].contains(key.substr(part + 1))) << line;
      else if (dot != std::string::npos)
        EXPECT_TRUE(now[key.substr(0, dot)].at(0).contains(key.substr(dot + 3))) << line;
      else
        EXPECT_TRUE(now.contains(key)) << line;
      ++keys;
    }
  }
  EXPECT_GE(commands, 5);
  EXPECT_GE(keys, 50);
}

}  // namespace
}  // namespace parid::test
