// parid schedule: tables, files, pictures, errors.

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "model/format/toml/toml_writer.hpp"
#include "schedule/scheduler.hpp"
#include "tests/cli/program.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using nlohmann::json;

TEST(CliSchedule, TheSixLinkArm) {
  const json s = json_of("schedule orthogonal:6 -p 7 --json");
  EXPECT_EQ(s["tasks"], 231);
  EXPECT_EQ(s["total"], 231);
  EXPECT_EQ(s["critical_path"], 27);
  EXPECT_EQ(s["layers"], 27);
  EXPECT_EQ(s["concurrency"], 13);
  EXPECT_EQ(s["makespan"], 34);
  EXPECT_EQ(s["lower_bound"], 34);
  EXPECT_EQ(s["optimal"], true);
  EXPECT_NEAR(s["speedup"].get<double>(), 231 / 34.0, 1e-12);
  EXPECT_NEAR(s["efficiency"].get<double>(), 231 / 34.0 / 7, 1e-12);
  std::set<std::string> tasks;
  for (const json& a : s["assignment"]) {
    tasks.insert(a["task"]);
    EXPECT_GE(a["processor"], 1);
    EXPECT_LE(a["processor"], 7);
    EXPECT_EQ(a["end"].get<int>(), a["start"].get<int>() + 1);
  }
  EXPECT_EQ(tasks.size(), 231u);
}

TEST(CliSchedule, EverySetOfTasks) {
  EXPECT_EQ(json_of("schedule stanford --tasks printed --json")["tasks"], 156);
  EXPECT_EQ(json_of("schedule stanford --json")["tasks"], 154);
  EXPECT_EQ(json_of("schedule stanford --tasks lean --json")["tasks"], 151);
  EXPECT_EQ(json_of("schedule orthogonal:6 --tasks printed --json")["tasks"], 230);
  EXPECT_EQ(json_of("schedule stanford --tasks coarse --json")["tasks"], 54);
  const json panda = json_of("schedule panda --json --scheduler hlf");
  EXPECT_EQ(panda["decomposition"], "rules");
  EXPECT_EQ(panda["critical_path"], 31);
  const json humanoid = json_of("schedule humanoid --json --scheduler hlf");
  EXPECT_EQ(humanoid["decomposition"], "graph");
  EXPECT_TRUE(contains(humanoid["note"], "several degrees of freedom")) << humanoid["note"];
  EXPECT_EQ(json_of("schedule panda orin --json")["tasks"], 10);
  EXPECT_EQ(json_of("schedule panda hierarchy --friction --json")["decomposition"], "stages");
  EXPECT_EQ(json_of("schedule scara mass --grain 5 --json")["what"], "mass");
  const int without = json_of("schedule puma560 --json --scheduler hlf")["tasks"],
            with = json_of("schedule puma560 --friction --json --scheduler hlf")["tasks"];
  EXPECT_GT(with, without);
  EXPECT_GT(json_of("schedule puma560 --friction --tasks graph --json --scheduler hlf")["total"],
            json_of("schedule puma560 --tasks graph --json --scheduler hlf")["total"]);
}

TEST(CliSchedule, ProgramsPicturesAndTheSamplingRule) {
  Scratch scratch;
  const json s = json_of("schedule stanford -p 4 --json --operation-time 45 --programs " +
                         scratch.path("p") + " --svg " + scratch.path("t.svg") + " --dot " +
                         scratch.path("t.dot") + " --part 3.forward");
  EXPECT_NEAR(s["period_ms"].get<double>(), 39 * 0.135, 1e-12);  // Table 4.8
  EXPECT_NEAR(s["rate_hz"].get<double>(), 1e3 / (39 * 0.135), 1e-9);
  EXPECT_NEAR(s["natural_frequency_hz"].get<double>(), 50 / (39 * 0.135), 1e-9);
  ASSERT_EQ(s["files"].size(), 6u);
  EXPECT_TRUE(s["files"][1].get<std::string>().ends_with("stanford_inverse_p1.c"));
  EXPECT_TRUE(contains(content(scratch.path("t.svg")), "</svg>"));
  EXPECT_TRUE(contains(content(scratch.path("t.dot")), "\"306\""));
  EXPECT_FALSE(contains(content(scratch.path("t.dot")), "\"341\""));
}

TEST(CliSchedule, LuhAndLinsOrderIsKnownToBeTheBest) {
  const json s = json_of("schedule stanford --tasks coarse -p 6 --scheduler luh_lin --json");
  EXPECT_EQ(s["best_order"], true);
  EXPECT_EQ(s["makespan"], 165);
  EXPECT_EQ(json_of("schedule stanford -p 6 --scheduler hlf --json")["best_order"], nullptr);
}

// What `parid generate` counts is what `parid schedule` schedules, for robots in files too.
TEST(CliSchedule, TotalsAndPathsAreThoseOfGenerate) {
  Scratch scratch;
  Rng rng(31);
  const std::string tree =
      scratch.file("odd tree.toml", to_toml(random_tree(rng, 4, {.prismatic = 0.5, .tips = true})));
  auto asked = [](const std::string& command, const std::string& robot, const std::string& rest) {
    std::vector<std::string> words = {command, robot};
    std::istringstream more(rest + " --json");
    for (std::string word; more >> word;) words.push_back(word);
    const Ran ran = parid_program(words);
    EXPECT_EQ(ran.code, 0) << command << " " << robot << " " << rest << ran.err;
    return json::parse(ran.out);
  };
  for (const auto& [robot, word] : {std::pair<std::string, std::string>{"puma560", "ik"},
                                    {"stanford", "ik"},
                                    {"planar2", "rollout"},
                                    {tree, "forward"},
                                    {tree, "energy"},
                                    {tree, "ik_step"}}) {
    const json program = asked("generate", robot, word),
               s = asked("schedule", robot, word + " -p 2 --time-limit 0.2");
    const std::pair<const char*, const char*> kinds[] = {
        {"multiply", "multiplications"}, {"add", "additions"}, {"divide", "divisions"},
        {"root", "square_roots"},        {"sine", "sincos"},   {"arctangent", "arc_tangents"}};
    long all = 0;
    for (const auto& [weight, count] : kinds) {
      EXPECT_EQ(s["weights"][weight], 1);
      EXPECT_EQ(s["operations"][count], program[count]) << robot << " " << word;
      EXPECT_EQ(s["prepared"][count], 0);
      all += program[count].get<long>();
    }
    EXPECT_EQ(s["total"], all) << robot << " " << word;
    EXPECT_EQ(s["critical_path"], program["critical_path"]) << robot << " " << word;
    EXPECT_EQ(s["program_critical_path"], program["critical_path"]);
    EXPECT_GE(s["makespan"], program["critical_path"]);
    EXPECT_GE(2 * s["makespan"].get<long>(), all);
    const json free =
        asked("schedule", robot, word + " -p 2 --scheduler hlf --weights sine=0,arctangent=0");
    EXPECT_EQ(free["critical_path"], program["depth"]) << robot << " " << word;
    EXPECT_EQ(free["total"],
              all - program["sincos"].get<long>() - program["arc_tangents"].get<long>());
    const json uneven =
        asked("schedule", robot,
              word + " --scheduler hlf --weights multiply=2,add=3,divide=5,root=7,sine=11");
    long weighed = 0;
    for (const auto& [weight, count] : kinds)
      weighed += uneven["weights"][weight].get<long>() * program[count].get<long>();
    EXPECT_EQ(uneven["total"], weighed);
    EXPECT_EQ(uneven["unit"], "units of time");
    EXPECT_GT(uneven["critical_path"], s["critical_path"]);
    const json grains = asked("schedule", robot, word + " --grain 7 --scheduler hlf");
    EXPECT_EQ(grains["total"], all);
    EXPECT_EQ(grains["program_critical_path"], program["critical_path"]);
    EXPECT_LT(grains["tasks"], s["tasks"]);
  }
  const json friction = asked("generate", "puma560", "inverse --friction"),
             rubbing = asked("schedule", "puma560", "--friction --tasks graph --scheduler hlf");
  for (const char* count : {"multiplications", "additions", "divisions", "square_roots", "sincos"})
    EXPECT_EQ(rubbing["operations"][count], friction[count]) << count;
  EXPECT_EQ(rubbing["critical_path"], friction["critical_path"]);
  // The papers' tasks: sines are ready, and are said to be.
  const json rules = json_of("schedule stanford --json --scheduler hlf"),
             coarse = json_of("schedule stanford --tasks coarse --json --scheduler hlf");
  EXPECT_TRUE(rules["weights"].is_null());
  EXPECT_EQ(coarse["weights"]["sine"], 0);
  for (const json& s : {rules, coarse}) {
    EXPECT_EQ(s["prepared"]["sincos"], 5);
    EXPECT_EQ(s["operations"]["sincos"], 0);
  }
  EXPECT_EQ(coarse["total"], coarse["operations"]["multiplications"].get<long>() +
                                 coarse["operations"]["additions"].get<long>());
  const Ran said = parid_line("schedule puma560 ik -p 2 --grain 4 --scheduler hlf --no-table");
  EXPECT_TRUE(
      contains(said.out, "weights: multiply 1, add 1, divide 1, root 1, sine 1, arctangent 1"))
      << said.out;
  EXPECT_TRUE(contains(said.out, "critical path with one task per operation")) << said.out;
}

TEST(CliSchedule, AFileOfTasksThereAndBack) {
  Scratch scratch;
  const std::string path = scratch.path("tasks.stg");
  const json first = json_of("schedule stanford -p 3 --json -o " + path),
             again = json_of("schedule " + path + " -p 3 --json");
  EXPECT_EQ(again["decomposition"], "stg");
  for (const char* key : {"tasks", "edges", "total", "critical_path", "makespan"})
    EXPECT_EQ(again[key], first[key]) << key;
  const std::string bad = scratch.file("bad.stg", "2\n0 1 0\n1 1 1 9\n");
  const Ran ran = parid_line("schedule " + bad);
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, bad + ":3:")) << ran.err;
}

TEST(CliSchedule, SeveralProcessorsAndSchedulers) {
  const json many = json_of("schedule stanford --tasks printed -p 2-4,7 --json");
  ASSERT_EQ(many["runs"].size(), 4u);
  const int levels[] = {78, 52, 39, 25};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(many["runs"][k]["makespan"], levels[k]);
  const json all = json_of("schedule scara -p 2 --scheduler all --time-limit 1 --json");
  EXPECT_EQ(all["runs"].size(), schedulers().size());
  const Ran text = parid_line("schedule scara -p 1-3");
  EXPECT_TRUE(contains(text.out, "efficiency")) << text.out;
}

TEST(CliSchedule, TablesAndPictures) {
  Scratch scratch;
  const Ran ran = parid_line("schedule stanford -p 4 --gantt " + scratch.path("g.svg"));
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "P4")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "optimal")) << ran.out;
  EXPECT_TRUE(contains(content(scratch.path("g.svg")), "</svg>"));
}

TEST(CliSchedule, OtherMachines) {
  const json s = json_of(
                 "schedule stanford -p 2 --tasks coarse --latency 20 --scheduler heft --json"),
             free = json_of("schedule stanford -p 2 --tasks coarse --scheduler heft --json");
  EXPECT_GE(s["makespan"], free["makespan"]);
  // One and three are as good as four, nearly, of a load that fills them.
  EXPECT_GT(json_of("schedule stanford -p 2 --speeds 1,3 --scheduler heft --json")["speedup"], 3.5);
  EXPECT_NEAR(json_of("schedule stanford -p 1 --speeds 2 --json")["speedup"].get<double>(), 2,
              1e-12);
}

TEST(CliSchedule, OnThreads) {
  const json s = json_of("schedule scara -p 1 --run --evaluations 100 --json");
  EXPECT_GT(s["execution"]["one_thread_ns"], 0);
  EXPECT_GT(s["execution"]["measured_ns"], 0);
  const json far = json_of("schedule scara -p 500 --run --evaluations 100 --json --scheduler hlf");
  EXPECT_TRUE(far["execution"]["measured_ns"].is_null());
}

TEST(CliSchedule, Mistakes) {
  for (const char* line : {"schedule stanford -p 0",
                           "schedule stanford -p 3-2",
                           "schedule stanford -p x",
                           "schedule",
                           "schedule stanford --tasks ruls",
                           "schedule stanford --scheduler hef",
                           "schedule humanoid --tasks rules",
                           "schedule panda --tasks printed",
                           "schedule stanford --grain 0",
                           "schedule humanoid --tasks coarse",
                           "schedule stanford --speeds 1,2",
                           "schedule stanford --latency -1",
                           "schedule stanford mas",
                           "schedule stanford --gantt x.pdf",
                           "schedule stanford -p 1-3 --gantt x.svg",
                           "schedule stanford --tasks printed --run",
                           "schedule nowhere.stg",
                           "schedule stanford mass --tasks rules",
                           "schedule panda mass --scheduler luh_lin",
                           "schedule panda orinn",
                           "schedule panda --tasks stages",
                           "schedule panda orin --tasks rules",
                           "schedule stanford --svg x.png",
                           "schedule stanford --dot x.svg",
                           "schedule stanford --svg x.svg --part 9",
                           "schedule stanford --svg x.svg --part up",
                           "schedule stanford -p 2,3 --programs x",
                           "schedule stanford --operation-time 0",
                           "schedule stanford mass --friction",
                           "schedule stanford --tasks rules --weights add=2",
                           "schedule stanford --tasks coarse --weights sine=1",
                           "schedule stanford mass --weights add",
                           "schedule stanford mass --weights ad=1",
                           "schedule stanford mass --weights add=0.5"}) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_FALSE(ran.err.empty()) << line;
  }
}

}  // namespace
}  // namespace parid::test
