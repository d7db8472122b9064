// parid schedule: tables, files, pictures, errors.

#include <gtest/gtest.h>

#include <set>

#include "parid/schedule/scheduler.hpp"
#include "tests/cli/program.hpp"

namespace parid {
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
  EXPECT_EQ(panda["decomposition"], "graph");
  EXPECT_TRUE(contains(panda["note"], "products of inertia")) << panda["note"];
  EXPECT_EQ(json_of("schedule scara mass --grain 5 --json")["what"], "mass");
  const int without = json_of("schedule puma560 --json --scheduler hlf")["tasks"],
            with = json_of("schedule puma560 --friction --json --scheduler hlf")["tasks"];
  EXPECT_GT(with, without);
  EXPECT_GT(json_of("schedule puma560 --friction --tasks graph --json --scheduler hlf")["total"],
            json_of("schedule puma560 --tasks graph --json --scheduler hlf")["total"]);
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
  for (const char* line :
       {"schedule stanford -p 0", "schedule stanford -p 3-2", "schedule stanford -p x", "schedule",
        "schedule stanford --tasks ruls", "schedule stanford --scheduler hef",
        "schedule panda --tasks rules", "schedule panda --tasks printed",
        "schedule stanford --grain 0", "schedule humanoid --tasks coarse",
        "schedule stanford --speeds 1,2", "schedule stanford --latency -1", "schedule stanford mas",
        "schedule stanford --gantt x.pdf", "schedule stanford -p 1-3 --gantt x.svg",
        "schedule stanford --tasks printed --run", "schedule nowhere.stg",
        "schedule stanford mass --tasks rules", "schedule panda --scheduler luh_lin"}) {
    const Ran ran = parid_line(line);
    EXPECT_EQ(ran.code, 2) << line;
    EXPECT_FALSE(ran.err.empty()) << line;
  }
}

}  // namespace
}  // namespace parid
