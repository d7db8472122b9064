// parid/schedule.hpp as a user has it: no other header of the library.

#include <gtest/gtest.h>
#include <parid/parid.hpp>
#include <parid/schedule.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

namespace {

using namespace parid;
using nlohmann::json;

// An arm on an offset, tilted base, with a mirrored axis, a slide, a tool and odd names.
const char* const arm_text = R"xml(<robot name="Arm No. 7 (left)">
<link name="world"/>
<link name="base"><inertial><mass value="4"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="upper arm"><inertial><origin xyz="0.1 -0.02 0.03" rpy="0.2 0 0.1"/><mass value="3"/><inertia ixx="0.02" iyy="0.05" izz="0.06" ixy="0.003" ixz="-0.002" iyz="0.004"/></inertial></link>
<link name="1st slide"><inertial><origin xyz="0 0.05 0.2"/><mass value="1.5"/><inertia ixx="0.01" iyy="0.012" izz="0.004" ixy="0" ixz="0.001" iyz="0"/></inertial></link>
<link name="hand"><inertial><origin xyz="0.02 0 0.06"/><mass value="0.7"/><inertia ixx="0.002" iyy="0.0025" izz="0.001" ixy="0.0001" ixz="0" iyz="0"/></inertial></link>
<link name="tool"><inertial><origin xyz="0 0 0.05"/><mass value="0.4"/><inertia ixx="0.0004" iyy="0.0004" izz="0.0001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="mount" type="fixed"><parent link="world"/><child link="base"/><origin xyz="0.3 -0.2 0.5" rpy="0.4 0 0.7"/></joint>
<joint name="a/1" type="revolute"><parent link="base"/><child link="upper arm"/><origin xyz="0 0.1 0.2" rpy="0 1.5707963267948966 0"/><axis xyz="0 0 -1"/><limit lower="-2" upper="2" effort="80" velocity="2"/><dynamics damping="0.3" friction="0.8"/></joint>
<joint name="a/2" type="prismatic"><parent link="upper arm"/><child link="1st slide"/><origin xyz="0.3 0 0" rpy="0.3 0 0"/><axis xyz="0 1 0"/><limit lower="-0.2" upper="0.3" effort="200" velocity="1"/></joint>
<joint name="a/3" type="revolute"><parent link="1st slide"/><child link="hand"/><origin xyz="0 0 0.25" rpy="0 0 1"/><axis xyz="-1 0 0"/><limit lower="-3" upper="3" effort="20" velocity="3"/></joint>
<joint name="flange" type="fixed"><parent link="hand"/><child link="tool"/><origin xyz="0 0.01 0.1" rpy="0.1 0.2 0.3"/></joint>
</robot>)xml";

// A trunk with two branches of different lengths.
const char* const tree_text = R"xml(<robot name="tree">
<link name="root"/>
<link name="trunk"><inertial><origin xyz="0 0 0.3"/><mass value="9"/><inertia ixx="0.3" iyy="0.3" izz="0.1" ixy="0.01" ixz="0" iyz="0"/></inertial></link>
<link name="l1"><inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0.001"/></inertial></link>
<link name="l2"><inertial><origin xyz="0.1 0.01 0"/><mass value="1"/><inertia ixx="0.004" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="r1"><inertial><origin xyz="-0.1 0 0.02"/><mass value="2"/><inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="waist" type="revolute"><parent link="root"/><child link="trunk"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="100" velocity="2"/></joint>
<joint name="left 1" type="revolute"><parent link="trunk"/><child link="l1"/><origin xyz="0.2 0 0.5" rpy="1.1 0 0"/><axis xyz="0 0 -1"/><limit lower="-2" upper="2" effort="50" velocity="2"/></joint>
<joint name="left 2" type="revolute"><parent link="l1"/><child link="l2"/><origin xyz="0.25 0 0" rpy="0 0.4 0"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="30" velocity="2"/></joint>
<joint name="right 1" type="revolute"><parent link="trunk"/><child link="r1"/><origin xyz="-0.2 0 0.5" rpy="-1.1 0 0"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="50" velocity="2"/></joint>
</robot>)xml";

struct Named {
  std::string name;
  Robot robot;
};
std::vector<Named> robots() {
  return {{"stanford", Robot::load("stanford")},
          {"puma560", Robot::load("puma560")},
          {"arm", Robot::from_text(arm_text)},
          {"tree", Robot::from_text(tree_text)}};
}

std::string path_of(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "parid_public_" + name;
  std::FILE* file = std::fopen(path.c_str(), "w");
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  return path;
}

json program_json(const std::string& arguments) {
  const std::string command = std::string(PARID_PROGRAM) + " " + arguments + " --json";
  std::string text;
  std::FILE* pipe = popen(command.c_str(), "r");
  char part[4096];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return json::parse(text);
}

// A random motion, in the order of the tasks' inputs.
struct Motion {
  std::vector<double> q, v, a;
};
Motion random_motion(const Robot& robot, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-0.9, 0.9);
  Motion m{robot.neutral(), std::vector<double>(robot.nv()), std::vector<double>(robot.nv())};
  for (auto* values : {&m.q, &m.v, &m.a})
    for (double& x : *values) x += uniform(random);
  return m;
}

TEST(PublicSchedule, TotalsAreOperationCountsOfTheGeneratedProgram) {
  for (const Named& r : robots())
    for (const Quantity what : {Quantity::inverse_dynamics, Quantity::mass_matrix,
                                Quantity::jacobian, Quantity::energy}) {
      SCOPED_TRACE(r.name + " " + name(what));
      TaskOptions options;
      options.decomposition = TaskDecomposition::graph;
      const TaskSet tasks(r.robot, what, options);
      const GeneratedCode code = generate_code(r.robot, what);
      const OperationCounts n = tasks.operations();
      EXPECT_EQ(n.multiplications, code.multiplications);
      EXPECT_EQ(n.additions, code.additions);
      EXPECT_EQ(n.divisions, code.divisions);
      EXPECT_EQ(n.sin_cos, code.sin_cos);
      EXPECT_EQ(tasks.total(), n.total());
      EXPECT_EQ(tasks.prepared().total(), 0);
      std::int64_t sum = 0;
      for (const TaskInfo& t : tasks.tasks()) sum += t.duration;
      EXPECT_EQ(sum, tasks.total());
      EXPECT_EQ(tasks.program_critical_path(), tasks.critical_path());
      options.grain = 12;
      const TaskSet coarser(r.robot, what, options);
      EXPECT_EQ(coarser.total(), tasks.total());
      EXPECT_LT(coarser.size(), tasks.size());
      EXPECT_EQ(coarser.program_critical_path(), tasks.critical_path());
    }
}

TEST(PublicSchedule, EverySchedulerIsBetweenBoundAndLoad) {
  for (const Named& r : robots()) {
    const TaskSet tasks(r.robot, Quantity::inverse_dynamics);
    EXPECT_EQ(tasks.decomposition(), TaskDecomposition::rules) << r.name;
    for (const int p : {1, 3}) {
      const TaskMachine machine{.processors = p};
      const TaskSchedule best =
          schedule_tasks(tasks, machine, SchedulingMethod::exact, {.seconds = 3});
      const ScheduleBounds bounds = schedule_bounds(tasks, machine);
      const std::int64_t bound =
          std::max({bounds.critical_path, bounds.load, bounds.fernandez_bussell, bounds.energetic});
      EXPECT_GE(best.lower_bound, bound);
      for (const SchedulingMethodInfo& m : scheduling_methods()) {
        SCOPED_TRACE(r.name + " " + m.id + " on " + std::to_string(p));
        const TaskSchedule s = schedule_tasks(tasks, machine, m.value, {.seconds = 0.3});
        EXPECT_TRUE(schedule_faults(tasks, s).empty());
        EXPECT_GE(s.makespan, bound);
        EXPECT_GE(s.makespan, s.lower_bound);
        EXPECT_GE(s.makespan, tasks.critical_path());
        EXPECT_LE(s.makespan, tasks.total());
        if (!m.searches) {
          EXPECT_LE(best.makespan, s.makespan);
        }
        std::int64_t last = 0;
        for (const TaskPlacement& x : s.placements) last = std::max(last, x.end);
        EXPECT_EQ(last, s.makespan);
        EXPECT_EQ(s.optimal_for_tasks, s.optimal);
        EXPECT_DOUBLE_EQ(s.speedup,
                         static_cast<double>(tasks.total()) / static_cast<double>(s.makespan));
        EXPECT_DOUBLE_EQ(s.efficiency, s.speedup / p);
        EXPECT_EQ(s.best_order.has_value(), m.value == SchedulingMethod::joint_levels ||
                                                m.value == SchedulingMethod::luh_lin);
        if (p == 1) {
          EXPECT_EQ(s.makespan, tasks.total());
        }
      }
    }
  }
}

TEST(PublicSchedule, LuhAndLinIsNotLongerThanListsByJoint) {
  for (const Named& r : robots()) {
    const TaskSet tasks(r.robot, Quantity::inverse_dynamics,
                        {.decomposition = TaskDecomposition::coarse});
    const TaskMachine machine{.processors = r.robot.nv()};
    const TaskSchedule list = schedule_tasks(tasks, machine, SchedulingMethod::joint_levels),
                       search = schedule_tasks(tasks, machine, SchedulingMethod::luh_lin,
                                               {.seconds = 5});
    EXPECT_LE(search.makespan, list.makespan) << r.name;
    const std::vector<TaskInfo> all = tasks.tasks();
    for (const TaskPlacement& x : search.placements)  // a joint stays on its processor
      for (const TaskPlacement& y : search.placements)
        if (all[x.task].joint == all[y.task].joint) {
          EXPECT_EQ(x.processor, y.processor) << r.name;
        }
  }
  const TaskSet stanford(Robot::load("stanford"), Quantity::inverse_dynamics,
                         {.decomposition = TaskDecomposition::coarse});
  const TaskSchedule s = schedule_tasks(stanford, {.processors = 6}, SchedulingMethod::luh_lin);
  EXPECT_EQ(s.makespan, 165);
  EXPECT_EQ(s.best_order, true);
}

// Torques by the tasks of every decomposition, in the order of a schedule, and by the library.
TEST(PublicSchedule, TasksComputeTheTorques) {
  for (const Named& r : robots())
    for (const TaskDecomposition way : {TaskDecomposition::rules, TaskDecomposition::lean,
                                        TaskDecomposition::coarse, TaskDecomposition::graph}) {
      SCOPED_TRACE(r.name + " " + name(way));
      const TaskSet tasks(r.robot, Quantity::inverse_dynamics, {.decomposition = way});
      const TaskSchedule s = schedule_tasks(tasks, {.processors = 3}, SchedulingMethod::hlf);
      const Motion m = random_motion(r.robot, 7);
      std::vector<double> inputs;
      for (const auto* values : {&m.q, &m.v, &m.a})
        inputs.insert(inputs.end(), values->begin(), values->end());
      ASSERT_EQ(tasks.inputs().size(), inputs.size());
      ASSERT_EQ(tasks.outputs().size(), static_cast<std::size_t>(r.robot.nv()));
      Workspace workspace(r.robot);
      std::vector<double> tau(r.robot.nv());
      inverse_dynamics(r.robot, workspace, m.q, m.v, m.a, tau);
      const std::vector<double> computed = evaluate_schedule(tasks, s, inputs);
      double largest = 0;
      for (const double x : tau) largest = std::max(largest, std::abs(x));
      for (std::size_t k = 0; k < tau.size(); ++k)
        EXPECT_NEAR(computed[k], tau[k], 1e-12 * largest) << k;
      EXPECT_THROW(evaluate_schedule(tasks, s, std::span(inputs).first(2)), std::invalid_argument);
    }
}

// The same with friction: of bearings and gears that depend on load, and of damping alone.
TEST(PublicSchedule, TasksComputeFriction) {
  for (const Robot& robot : {Robot::load("ur5-friction"), Robot::from_text(arm_text)})
    for (const TaskDecomposition way : {TaskDecomposition::rules, TaskDecomposition::lean,
                                        TaskDecomposition::coarse, TaskDecomposition::graph}) {
      SCOPED_TRACE(robot.name() + " " + name(way));
      const TaskSet with(robot, Quantity::inverse_dynamics,
                         {.decomposition = way, .friction = true}),
          without(robot, Quantity::inverse_dynamics, {.decomposition = way});
      EXPECT_GT(with.operations().total(), without.operations().total());
      const TaskSchedule s = schedule_tasks(with, {.processors = 4}, SchedulingMethod::cp_misf);
      const std::size_t nv = static_cast<std::size_t>(robot.nv());
      Workspace workspace(robot);
      for (const unsigned seed : {1u, 2u, 3u}) {
        const Motion m = random_motion(robot, seed);
        std::vector<double> inputs, rigid(nv), bearing(nv), drive(nv), total(nv);
        for (const auto* values : {&m.q, &m.v, &m.a})
          inputs.insert(inputs.end(), values->begin(), values->end());
        inverse_dynamics_with_friction(robot, workspace, m.q, m.v, m.a,
                                       {rigid, bearing, drive, total});
        const std::vector<double> computed = evaluate_schedule(with, s, inputs);
        double largest = 0;
        for (const double x : total) largest = std::max(largest, std::abs(x));
        for (std::size_t k = 0; k < nv; ++k) {
          EXPECT_NEAR(computed[k], total[k], 1e-12 * largest) << k;
          EXPECT_GE(m.v[k] * (bearing[k] + drive[k]), 0);
        }
      }
    }
}

TEST(PublicSchedule, ControlSteps) {
  EXPECT_EQ(control_steps().size(), 2u);
  for (const Named& r : robots()) {
    const TaskSet orin(r.robot, ControlStep::orin);
    EXPECT_EQ(orin.size(), 10) << r.name;
    EXPECT_EQ(orin.decomposition(), TaskDecomposition::stages);
    EXPECT_EQ(orin.computation(), "orin");
    std::set<std::string> stages;
    for (const TaskInfo& t : orin.tasks()) stages.insert(t.name);
    EXPECT_TRUE(stages.contains("inverse_dynamics"));
    EXPECT_EQ(orin.total(), orin.operations().total());
    const TaskSet fine(r.robot, ControlStep::orin, {.grain = 12});
    EXPECT_LT(fine.critical_path(), orin.critical_path());
    const TaskSet hierarchy(r.robot, ControlStep::hierarchy);
    EXPECT_GT(hierarchy.size(), 2 * r.robot.nv());
    EXPECT_THROW(TaskSet(r.robot, ControlStep::orin, {.decomposition = TaskDecomposition::rules}),
                 Error);
  }
  // Only the built-in arm and the URDF arm have friction.
  const Robot arm = Robot::from_text(arm_text), tree = Robot::from_text(tree_text);
  EXPECT_GT(TaskSet(arm, ControlStep::hierarchy, {.friction = true}).total(),
            TaskSet(arm, ControlStep::hierarchy).total());
  EXPECT_EQ(TaskSet(tree, ControlStep::hierarchy, {.friction = true}).total(),
            TaskSet(tree, ControlStep::hierarchy).total());
}

TEST(PublicSchedule, SameAsTheProgram) {
  const std::string arm = path_of("arm.urdf", arm_text), tree = path_of("tree.urdf", tree_text);
  struct Case {
    std::string arguments;
    TaskSet tasks;
    TaskMachine machine;
    SchedulingMethod method;
  };
  const Robot arm_robot = Robot::load(arm), tree_robot = Robot::load(tree);
  const std::vector<Case> cases = {
      {"stanford -p 4",
       {Robot::load("stanford"), Quantity::inverse_dynamics},
       {4},
       SchedulingMethod::exact},
      {"puma560 ik -p 2 --weights root=4,sine=8 --scheduler heft --latency 3 --per-word 1",
       {Robot::load("puma560"),
        Quantity::inverse_kinematics,
        {.weights = {{"root", 4}, {"sine", 8}}}},
       {.processors = 2, .latency = 3, .per_word = 1},
       SchedulingMethod::heft},
      {arm + " -p 3 --tasks lean --friction --scheduler layer_packing",
       {arm_robot,
        Quantity::inverse_dynamics,
        {.decomposition = TaskDecomposition::lean, .friction = true}},
       {3},
       SchedulingMethod::layer_packing},
      {arm + " orin -p 3 --grain 12 --scheduler cp_misf",
       {arm_robot, ControlStep::orin, {.grain = 12}},
       {3},
       SchedulingMethod::cp_misf},
      {tree + " -p 4 --tasks coarse --scheduler luh_lin",
       {tree_robot, Quantity::inverse_dynamics, {.decomposition = TaskDecomposition::coarse}},
       {4},
       SchedulingMethod::luh_lin},
      {tree + " -p 3 --speeds 1,1,0.5 --scheduler heft",
       TaskSet(tree_robot, Quantity::inverse_dynamics).refined(60),
       {.processors = 3, .speeds = {1, 1, 0.5}},
       SchedulingMethod::heft}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.arguments);
    const json j = program_json("schedule " + c.arguments);
    const TaskSchedule s = schedule_tasks(c.tasks, c.machine, c.method);
    EXPECT_EQ(j["source"], c.tasks.name());
    EXPECT_EQ(j["what"], c.tasks.computation());
    EXPECT_EQ(j["decomposition"], name(c.tasks.decomposition()));
    EXPECT_EQ(j["unit"], c.tasks.unit());
    EXPECT_EQ(j["note"], c.tasks.note());
    EXPECT_EQ(j["tasks"], c.tasks.size());
    EXPECT_EQ(j["edges"], c.tasks.edges().size());
    EXPECT_EQ(j["total"], c.tasks.total());
    EXPECT_EQ(j["critical_path"], c.tasks.critical_path());
    EXPECT_EQ(j["layers"], c.tasks.layers());
    EXPECT_EQ(j["concurrency"], c.tasks.concurrency());
    EXPECT_EQ(j["operations"]["multiplications"], c.tasks.operations().multiplications);
    EXPECT_EQ(j["prepared"]["sincos"], c.tasks.prepared().sin_cos);
    EXPECT_EQ(j["scheduler"], name(s.method));
    EXPECT_EQ(j["makespan"], s.makespan);
    EXPECT_EQ(j["lower_bound"], s.lower_bound);
    EXPECT_EQ(j["optimal"], s.optimal);
    EXPECT_DOUBLE_EQ(j["speedup"].get<double>(), s.speedup);
    const std::vector<TaskInfo> all = c.tasks.tasks();
    ASSERT_EQ(j["assignment"].size(), s.placements.size());
    for (std::size_t k = 0; k < s.placements.size(); ++k) {
      const TaskPlacement& p = s.placements[k];
      EXPECT_EQ(j["assignment"][k]["task"], all[p.task].name);
      EXPECT_EQ(j["assignment"][k]["processor"], p.processor + 1);
      EXPECT_EQ(j["assignment"][k]["start"], p.start);
      EXPECT_EQ(j["assignment"][k]["end"], p.end);
    }
  }
}

TEST(PublicSchedule, SpeedsTakeRefinedTimes) {
  const TaskSet tasks(Robot::from_text(arm_text), Quantity::inverse_dynamics);
  const TaskSet fine = tasks.refined(60);
  EXPECT_EQ(fine.total(), 60 * tasks.total());
  EXPECT_DOUBLE_EQ(fine.operations_per_unit(), tasks.operations_per_unit() / 60);
  const TaskSchedule s =
      schedule_tasks(fine, {.processors = 1, .speeds = {0.5}}, SchedulingMethod::heft);
  EXPECT_EQ(s.makespan, 2 * fine.total());
  EXPECT_DOUBLE_EQ(s.speedup, 0.5);
  EXPECT_THROW(schedule_tasks(fine, {.processors = 2, .speeds = {1}}), Error);
  EXPECT_THROW(schedule_tasks(fine, {.processors = 1, .speeds = {0}}), Error);
  EXPECT_THROW(schedule_tasks(fine, {.processors = 1, .latency = -1}), Error);
  EXPECT_THROW(schedule_tasks(fine, {.processors = 0}), Error);
  EXPECT_THROW(schedule_tasks(fine, {.processors = 2, .latency = 1}, SchedulingMethod::a_star),
               Error);
  EXPECT_THROW(tasks.refined(0), Error);
}

TEST(PublicSchedule, PicturesAndPrograms) {
  const TaskSet tasks(Robot::from_text(arm_text), Quantity::inverse_dynamics);
  const TaskSchedule s = schedule_tasks(tasks, {.processors = 2}, SchedulingMethod::hlf);
  const std::string gantt = gantt_chart(tasks, s), dot = tasks.picture(TaskPicture::dot),
                    svg = tasks.picture(TaskPicture::svg),
                    part = tasks.picture(TaskPicture::svg,
                                         {.joint = 2, .recursion = TaskRecursion::forward});
  EXPECT_EQ(gantt.rfind("<svg", 0), 0u);
  EXPECT_EQ(dot.rfind("digraph", 0), 0u);
  EXPECT_EQ(svg.rfind("<svg", 0), 0u);
  EXPECT_LT(part.size(), svg.size());
  for (const TaskInfo& t : tasks.tasks()) EXPECT_NE(dot.find(t.name), std::string::npos) << t.name;
  EXPECT_THROW(tasks.picture(TaskPicture::dot, {.joint = 9}), Error);
  const std::vector<CodeFile> files = processor_code(tasks, s);
  std::set<std::string> names;
  for (const CodeFile& f : files) names.insert(f.name);
  EXPECT_EQ(names.size(), 4u);  // a header, two processors, threads
  TaskSchedule wrong = s;
  wrong.placements.back().start -= 1;
  EXPECT_FALSE(schedule_faults(tasks, wrong).empty());
  EXPECT_THROW(gantt_chart(tasks, wrong), Error);
  EXPECT_THROW(processor_code(tasks, wrong), Error);
}

TEST(PublicSchedule, PeriodsFollowTheSamplingRule) {
  const TaskSet tasks(Robot::load("stanford"), Quantity::inverse_dynamics);
  const TaskSchedule s = schedule_tasks(tasks, {.processors = 4});
  const SchedulePeriod p = schedule_period(tasks, s, 45e-6);
  EXPECT_NEAR(p.period, 3 * 39 * 45e-6, 1e-15);
  EXPECT_NEAR(p.rate * p.period, 1, 1e-12);
  EXPECT_NEAR(p.natural_frequency * 20, p.rate, 1e-9);
  EXPECT_NEAR(program_json("schedule stanford -p 4 --operation-time 45")["period_ms"].get<double>(),
              1e3 * p.period, 1e-12);
  EXPECT_THROW(schedule_period(tasks, s, 0), Error);
  const TaskSet weighted(Robot::load("planar2"), Quantity::inverse_dynamics,
                         {.weights = {{"multiply", 2}}});
  EXPECT_THROW(schedule_period(weighted, schedule_tasks(weighted), 1e-6), Error);
  const Robot arm = Robot::from_text(arm_text);
  const SampledTrajectory motion = PlannedTrajectory::named(arm, "default").sampled(100);
  const auto advice = sampling_advice(arm, motion, {.stiffness = 1e4});
  ASSERT_TRUE(advice);
  EXPECT_DOUBLE_EQ(advice->rate(), 20 * advice->natural_frequency());
  const auto stiffer = sampling_advice(arm, motion, {.stiffness = 4e4});
  EXPECT_NEAR(stiffer->servo, 2 * advice->servo, 1e-9 * advice->servo);
}

TEST(PublicSchedule, OwnTasksAndFiles) {
  const std::vector<TaskInfo> tasks = {{"read", 2}, {"left", 5}, {"right", 4}, {"join", 1}};
  const std::vector<TaskEdge> edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3, 0}};
  const TaskSet own("diamond", tasks, edges);
  EXPECT_FALSE(own.has_operations());
  EXPECT_EQ(own.total(), 12);
  EXPECT_EQ(own.critical_path(), 8);
  const TaskSchedule s = schedule_tasks(own, {.processors = 2});
  EXPECT_EQ(s.makespan, 8);
  EXPECT_TRUE(s.optimal);
  EXPECT_THROW(processor_code(own, s), Error);
  EXPECT_THROW(evaluate_schedule(own, s, {}), Error);
  const TaskSet again = TaskSet::parse_stg(own.stg(), "diamond");
  EXPECT_EQ(again.total(), 12);
  EXPECT_EQ(again.critical_path(), 8);
  EXPECT_EQ(schedule_tasks(again, {.processors = 2}).makespan, 8);
  EXPECT_EQ(TaskSet::read_stg(path_of("diamond.stg", own.stg())).total(), 12);
  const std::vector<TaskEdge> cycle = {{0, 1}, {1, 0}}, beyond = {{0, 4}};
  EXPECT_THROW(TaskSet("cycle", tasks, cycle), Error);
  EXPECT_THROW(TaskSet("beyond", tasks, beyond), Error);
  EXPECT_THROW(TaskSet("short", std::vector<TaskInfo>{{"a", -1}}, {}), Error);
}

TEST(PublicSchedule, NamesOfClosedSets) {
  for (const SchedulingMethodInfo& m : scheduling_methods()) {
    EXPECT_EQ(scheduling_method(m.id), m.value);
    EXPECT_STREQ(name(m.value), m.id);
  }
  for (const TaskDecompositionInfo& d : task_decompositions()) {
    EXPECT_EQ(task_decomposition(d.id), d.value);
    EXPECT_STREQ(name(d.value), d.id);
  }
  EXPECT_THROW(scheduling_method("exakt"), Error);
  EXPECT_THROW(task_decomposition("stg"), Error);
  EXPECT_THROW(TaskSet(Robot::load("planar2"), Quantity::inverse_dynamics,
                       {.decomposition = TaskDecomposition::stg}),
               Error);
  EXPECT_THROW(
      TaskSet(Robot::load("planar2"), Quantity::inverse_dynamics, {.weights = {{"sqrt", 2}}}),
      Error);
}

// The arrays of Lathrop, by their public header.
TEST(PublicSystolicArray, OfAnArmThatIsNotBuiltIn) {
  const Robot arm = Robot::from_text(arm_text);
  for (const SystolicKind kind : {SystolicKind::linear, SystolicKind::log})
    for (const bool folded : {false, true}) {
      const SystolicDesign d = systolic_design(arm, kind, {.folded = folded});
      EXPECT_LT(d.max_error, 1e-12);
      EXPECT_GE(d.latency, d.interval / (folded ? 3 : 1));
      EXPECT_EQ(d.files.size(), 6u);
      const std::string path = path_of("array.urdf", arm_text);
      const json j = program_json("hardware " + path + " inverse --array " +
                                  (kind == SystolicKind::log ? "log" : "linear") +
                                  (folded ? " --folded" : ""));
      EXPECT_EQ(j["interval"], d.interval);
      EXPECT_EQ(j["latency"], d.latency);
    }
  EXPECT_THROW(systolic_design(Robot::from_text(tree_text), SystolicKind::linear), Error);
  EXPECT_THROW(systolic_design(arm, SystolicKind::linear, {.word = 3}), Error);
}

}  // namespace
