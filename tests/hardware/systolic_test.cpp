// Lathrop's arrays: the processors of his Table 6, and streams of states against Newton-Euler.

#include "hardware/array/systolic.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "hardware/array/array_drawings.hpp"
#include "hardware/array/vector_processor.hpp"
#include "hardware/array_hardware.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

TEST(Systolic, NodesTakeTheProcessorsOfTable6) {
  const NodeProcessors linear = node_processors(ArrayKind::linear),
                       log = node_processors(ArrayKind::log);
  EXPECT_EQ(linear.backward, 22);
  EXPECT_EQ(linear.forward, 8);
  EXPECT_EQ(log.backward, 36);
  EXPECT_EQ(log.forward, 13);
  const ArrayProcessors a = array_processors(ArrayKind::linear, 6),
                        b = array_processors(ArrayKind::log, 6);
  EXPECT_EQ(a.systolic.backward, 132);
  EXPECT_EQ(a.systolic.forward, 48);
  EXPECT_EQ(a.folded.backward, 22);
  EXPECT_EQ(b.nodes, 13);
  EXPECT_EQ(b.widest, 3);
  EXPECT_EQ(b.folded.backward, 108);
  EXPECT_EQ(b.folded.forward, 39);
  EXPECT_EQ(b.systolic.backward, 468);
  EXPECT_EQ(b.systolic.forward, 169);
}

// Systolic and folded, both kinds, clock by clock with a stream of states.
void expect_torques(const Robot& robot) {
  const std::vector<bool> slides = check_array_scope(robot);
  const int n = static_cast<int>(slides.size());
  for (const ArrayKind kind : {ArrayKind::linear, ArrayKind::log}) {
    const SystolicArray a = systolic_array(kind, slides);
    EXPECT_EQ(a.interval(), 4);
    EXPECT_LT(stream_error(robot, a, a.schedule, a.interval()), 1e-12) << robot.name();
    const FoldedArray f = folded(a);
    check(a, f);
    const ArrayProcessors p = array_processors(kind, n);
    EXPECT_LE(f.backward_processors, p.folded.backward);
    EXPECT_LE(f.forward_processors, p.folded.forward);
    EXPECT_LT(stream_error(robot, a, f.schedule, f.interval), 1e-12) << robot.name();
    EXPECT_GE(f.schedule.latency, a.schedule.latency);
    EXPECT_LE(utilisation(a, f.backward_processors + f.forward_processors, f.interval), 1);
  }
}

TEST(Systolic, StreamsOfStatesGiveNewtonEulersTorques) {
  for (const char* name : {"puma560", "chain:1", "chain:2", "chain:5", "chain:9"})
    expect_torques(Robot::load(name));
}

TEST(Systolic, JointsMaySlide) {
  expect_torques(Robot::load("stanford"));
  Rng rng(7);
  RandomRobot mixed;
  mixed.prismatic = 1;
  for (const int n : {3, 6, 8}) expect_torques(Robot(random_chain(rng, n, mixed)));
  mixed.revolute = 0;
  expect_torques(Robot(random_chain(rng, 4, mixed)));
  EXPECT_ANY_THROW(check_array_scope(Robot(random_tree(rng, 9))));
}

// One node does the work of n links, one tier that of all tiers, as often as the busiest must.
TEST(Systolic, FoldedArraysTakeTurns) {
  const SystolicArray line = systolic_array(ArrayKind::linear, 6);
  const FoldedArray one = folded(line);
  EXPECT_EQ(one.interval, 4 * 6);
  EXPECT_EQ(one.backward_processors, 22);
  EXPECT_EQ(one.forward_processors, 8);
  const SystolicArray tree = systolic_array(ArrayKind::log, 6);
  FoldedArray tier = folded(tree);
  EXPECT_EQ(tier.interval, 4 * 3);
  EXPECT_EQ(one.schedule.latency, 55);
  EXPECT_EQ(tier.schedule.latency, 43);
  EXPECT_LE(tier.backward_processors, 108);
  EXPECT_LE(tier.forward_processors, 39);
  EXPECT_EQ(folded(systolic_array(ArrayKind::log, 16)).interval, 4 * 4);
  for (int& t : tier.schedule.start) t = tier.schedule.start.back();
  EXPECT_THROW(check(tree, tier), std::logic_error);
}

// The paper's bound is 50 wires for a group. Where 2 (S + Q) is a shift and no processor, it is
// exactly that.
TEST(Systolic, WiresOfAGroup) {
  auto wires = [](ArrayKind kind) {
    std::vector<int> all;
    for (const GroupWires& g : group_wires(kind)) {
      all.push_back(g.wires);
      EXPECT_LT(g.within, g.wires);
    }
    return all;
  };
  EXPECT_EQ(wires(ArrayKind::linear), (std::vector<int>{24, 20, 16}));
  EXPECT_EQ(wires(ArrayKind::log), (std::vector<int>{51, 20, 26}));
  const SystolicArray a = systolic_array(ArrayKind::log, 6);
  const ArrayBuffers b = array_buffers(a, a.schedule, a.interval());
  EXPECT_GT(b.external, b.internal);
  EXPECT_GE(b.internal, b.most_internal);
}

// Clocks in which processors work, of all that pass in an interval once samples follow one another:
// by walking through the starts.
double walked(const SystolicArray& a, const Staging& s, int interval, int processors) {
  const int from = 10 * s.latency, samples = from / interval + 1;
  std::vector<int> at(interval, 0);  // how many work
  for (int k = 0; k <= samples; ++k)
    for (std::size_t op = 0; op < a.operations.size(); ++op)
      for (int c = 0; c < a.network.operations[op].latency; ++c)
        if (const int t = k * interval + s.start[op] + c; t >= from && t < from + interval)
          ++at[t - from];
  int working = 0;
  for (const int n : at) {
    EXPECT_LE(n, processors);
    working += n;
  }
  return static_cast<double>(working) / (processors * interval);
}

// The machine that is built has a processor for each operation, not 49 for each of 13 nodes.
TEST(Systolic, ProcessorsAreThoseThatAreBuilt) {
  struct Figures {
    ArrayKind kind;
    int built, folded;
  };
  for (const auto& [kind, built, tier] :
       {Figures{ArrayKind::linear, 163, 30}, {ArrayKind::log, 278, 126}}) {
    const SystolicArray a = systolic_array(kind, 6);
    const NodeProcessors p = built_processors(a);
    EXPECT_EQ(p.backward + p.forward, built);
    EXPECT_EQ(p.backward + p.forward, static_cast<int>(a.operations.size()));
    EXPECT_NEAR(utilisation(a, built, a.interval()),
                walked(a, a.schedule, a.interval(), p.backward + p.forward), 1e-12);
    const FoldedArray f = folded(a);
    EXPECT_EQ(f.backward_processors + f.forward_processors, tier);
    EXPECT_NEAR(utilisation(a, tier, f.interval), walked(a, f.schedule, f.interval, tier), 1e-12);
  }
}

// The processor that is written takes a clock more for each operation than the paper's arrays
// assume.
TEST(Systolic, TheEmittedProcessorIsSlowerThanTheModels) {
  for (const VectorOp op :
       {VectorOp::matrix_vector, VectorOp::cross, VectorOp::add, VectorOp::scale, VectorOp::dot}) {
    EXPECT_EQ(processor_clocks(op), VectorClocks{}.of(op) + 1);
    EXPECT_EQ(processor_clocks(op), emitted_clocks.of(op));
  }
  EXPECT_EQ(emitted_clocks.interval(), 6);
  const Robot robot = Robot::load("puma560");
  for (const ArrayKind kind : {ArrayKind::linear, ArrayKind::log}) {
    const SystolicArray a = systolic_array(kind, check_array_scope(robot), emitted_clocks);
    EXPECT_LT(stream_error(robot, a, a.schedule, a.interval()), 1e-12);
    const FoldedArray f = folded(a);
    check(a, f);
    EXPECT_LT(stream_error(robot, a, f.schedule, f.interval), 1e-12);
  }
}

TEST(VectorProcessor, ConsistsOfWhatThePaperSays) {
  const ProcessorParts p = processor_parts();
  EXPECT_EQ(p.modules, 3);
  EXPECT_EQ(p.multipliers, 2);
  EXPECT_EQ(p.adders, 1);
  EXPECT_EQ(p.busses, 2);
  EXPECT_EQ(p.registers, 9);  // two operands of three words, two products, a sum
  EXPECT_EQ(p.operand_wires, 12);
  EXPECT_EQ(p.result_wires, 3);
  // The order of one module for all of them would need four.
  const VectorStep third{VectorStep::third, VectorStep::third, VectorStep::second,
                         VectorStep::second, Adder::idle};
  EXPECT_EQ(busses(third, 2), 2);
  EXPECT_EQ(busses(third, 0), 4);
}

TEST(VectorProcessor, TakesTheStepsOfThePaperAndNeverMoreThanTwoBusses) {
  const VectorClocks clocks;
  const FixedFormat f{32, 20};
  VectorProcessor p(f);
  for (const VectorOp op :
       {VectorOp::matrix_vector, VectorOp::cross, VectorOp::add, VectorOp::scale, VectorOp::dot}) {
    const VectorProgram& program = vector_program(op);
    EXPECT_EQ(static_cast<int>(program.steps.size()), clocks.of(op));
    for (const VectorStep& s : program.steps)
      for (int own = 0; own < 3; ++own) EXPECT_LE(busses(s, own), 2);
    std::array<Raw, 9> a;
    for (int k = 0; k < 9; ++k) a[k] = f.raw(0.3 * k - 1);
    const std::array<Raw, 3> b{f.raw(0.5), f.raw(-1.25), f.raw(2)};
    auto x = [&](int k) { return f.value(a[k]); };
    auto y = [&](int k) { return f.value(b[k]); };
    const auto got = p.run(op, a, b);
    for (int k = 0; k < 3; ++k) {
      const int n = (k + 1) % 3, m = (k + 2) % 3, row = op == VectorOp::matrix_vector ? 3 * k : 0;
      const double right = op == VectorOp::cross ? x(n) * y(m) - x(m) * y(n)
                           : op == VectorOp::add ? x(k) + y(k)
                           : op == VectorOp::scale
                               ? x(0) * y(k)
                               : x(row) * y(0) + x(row + 1) * y(1) + x(row + 2) * y(2);
      EXPECT_NEAR(f.value(got[k]), right, 2 * f.ulp());
    }
  }
}

// Where a multiplication outweighs all additions, the longest way counts the one and then the
// other. The paper charges a dot product with the axis, 1 multiplication and 2 additions; here the
// axis is z, and the torque a component: 11 m + 28 a, his Eq. (2), less that.
TEST(Systolic, DepthGrowsWithTheLogarithm) {
  auto depth = [](ArrayKind kind, int n) {
    const int many = 1000;
    const int m = systolic_array(kind, n, {many, 1}).schedule.latency;
    return std::pair(m / many, m % many);
  };
  EXPECT_EQ(depth(ArrayKind::log, 6), std::pair(10, 26));
  EXPECT_EQ(depth(ArrayKind::linear, 6), std::pair(14, 37));
  const auto l7 = depth(ArrayKind::linear, 7), l8 = depth(ArrayKind::linear, 8);
  EXPECT_EQ(l8.first - l7.first, 2);  // one multiplication and three additions, out and back
  EXPECT_EQ(l8.second - l7.second, 6);
  const auto g9 = depth(ArrayKind::log, 9), g16 = depth(ArrayKind::log, 16);
  EXPECT_EQ(g9, g16);
}

// ---- drawings

int occurrences(const std::string& text, const std::string& what) {
  int count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

TEST(ArrayDrawings, ArcsAreTheDependenciesOfTheNodes) {
  const SystolicArray a = systolic_array(ArrayKind::linear, {false, true, false, false});
  ASSERT_EQ(a.nodes.size(), 8u);
  std::map<std::string, int> arcs;
  for (const ArrayArc& arc : array_arcs(a))
    if (arc.from >= 0) arcs[a.nodes[arc.from].name + ">" + a.nodes[arc.to].name] = arc.vectors;
  for (int i = 1; i < 4; ++i) {
    const std::string k = std::to_string(i), next = std::to_string(i + 1);
    EXPECT_EQ(arcs["Bkwd " + k + ">Bkwd " + next], 3) << i;  // ω, ω̇, p̈
    EXPECT_EQ(arcs["Fwd " + next + ">Fwd " + k], 2) << i;    // f, n
    EXPECT_EQ(arcs["Bkwd " + k + ">Fwd " + k], 2) << i;      // F, N
  }
  EXPECT_EQ(arcs["Bkwd 4>Fwd 4"], 2);
  EXPECT_EQ(arcs.size(), 10u);
}

// Every operation is drawn once for each set, whatever the robot and the array.
TEST(ArrayDrawings, ShowEveryOperation) {
  for (const ArrayKind kind : {ArrayKind::linear, ArrayKind::log})
    for (const std::vector<bool>& prismatic : {std::vector<bool>{false},
                                               {true},
                                               {false, true},
                                               {true, false, false, true, false},
                                               std::vector<bool>(7, false)}) {
      const SystolicArray a = systolic_array(kind, prismatic);
      const int operations = static_cast<int>(a.operations.size()),
                links = static_cast<int>(prismatic.size());
      const FoldedArray f = folded(a);
      for (const bool fold : {false, true}) {
        const auto files = array_drawings(a, fold ? f.schedule : a.schedule,
                                          fold ? f.interval : a.interval(), fold, "r", "r<&>");
        ASSERT_EQ(files.size(), 5u);
        for (const auto& file : files) {
          if (file.name.ends_with(".svg")) {
            EXPECT_TRUE(file.text.starts_with("<svg ")) << file.name;
            EXPECT_TRUE(file.text.ends_with("</svg>\n")) << file.name;
            EXPECT_TRUE(file.text.find("r&lt;&amp;&gt;: ") != std::string::npos) << file.name;
          } else {
            EXPECT_EQ(occurrences(file.text, "{"), occurrences(file.text, "}")) << file.name;
            EXPECT_EQ(occurrences(file.text, " -> tau"), links) << file.name;
          }
        }
        EXPECT_EQ(occurrences(files[4].text, "<title>set "), 3 * operations);
      }
      const std::string dot = array_operations_dot(a, "r");
      for (int op = 0; op < operations; ++op)
        EXPECT_EQ(occurrences(dot, " o" + std::to_string(op) + " [label"), 1) << op;
      // A chart of times has a bar for each operation that a variable needs: all of them.
      EXPECT_EQ(occurrences(array_timing_svg(a, "r"), "<g><title>"), operations);
      EXPECT_EQ(occurrences(array_graph_svg(a, "r"), " rx=\""), static_cast<int>(a.nodes.size()));
    }
}

// The clocks of Fig. 4, and the last variable is the last torque.
TEST(ArrayDrawings, VariablesBecomeAvailableAtTheIntervalOfTheArray) {
  const SystolicArray a = systolic_array(ArrayKind::linear, 6);
  std::map<std::string, int> at;
  int last = 0;
  for (const VariableTime& v : variable_times(a)) {
    at[v.name] = v.available;
    last = std::max(last, v.available);
  }
  EXPECT_EQ(last, a.schedule.latency);
  EXPECT_EQ(at["n1"], last);
  for (int i = 3; i <= 6; ++i) {
    const std::string k = std::to_string(i), before = std::to_string(i - 1);
    EXPECT_EQ(at["ω" + k] - at["ω" + before], a.interval()) << i;
    if (i > 3) {
      EXPECT_EQ(at["p̈" + k] - at["p̈" + before], a.interval()) << i;
    }
    EXPECT_EQ(at["ω̇" + k] - at["ω" + k], 3) << i;  // VC + VA
    EXPECT_EQ(at["n" + std::to_string(7 - i)] - at["n" + std::to_string(8 - i)], a.interval()) << i;
  }
  const SystolicArray log = systolic_array(ArrayKind::log, 8);
  std::set<std::string> names;
  for (const VariableTime& v : variable_times(log)) names.insert(v.name);
  for (const char* name : {"ω1,2", "ω̇1,8", "p̈1,8", "R5,7", "F8", "n1,8", "f7,8"})
    EXPECT_TRUE(names.contains(name)) << name;
}

}  // namespace
}  // namespace parid::test
