// Dynamics in fixed point: ranges that hold, errors within their bounds, schedules that fit their
// units.

#include "hardware/pipeline/arithmetic.hpp"

#include <gtest/gtest.h>

#include "formulation/newton_euler_link.hpp"
#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "hardware/dynamics_hardware.hpp"
#include "hardware/pipeline/simulate.hpp"
#include "hardware/pipeline/simulate_shared.hpp"
#include "model/canonical_model.hpp"
#include "scalar/quad.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

FixedGraph inverse_of(const char* name, int word) {
  const Robot robot = Robot::load(name);
  const Graph g = generate(robot, Quantity::inverse_dynamics).program.graph;
  return fixed_graph(g, input_ranges(robot, g), word);
}

TEST(Formats, SinesAreRightToTheirLastBit) {
  for (const int word : {shortest_word, 8, 12, 16, 22, 32, 40, 48, 49, 53, 64, 80, longest_word}) {
    const FixedSinCos u{word};
    const double most = 1.5 * u.result().ulp() + std::ldexp(4.0, -Quad::bits);
    for (int k = -400; k <= 400; ++k) {
      const Raw angle = word_of(u.angle(), Quad(k) * Quad(39) / Quad(2000));
      const Quad z = Quad::of(u.angle(), angle);
      const auto [s, c] = u(angle);
      const auto right = sin_cos(z);
      EXPECT_LT(static_cast<double>(abs(Quad::of(u.result(), s) - right.sin)), most) << word;
      EXPECT_LT(static_cast<double>(abs(Quad::of(u.result(), c) - right.cos)), most) << word;
    }
  }
}

TEST(Formats, WideAnglesLoseTheirWholeTurns) {
  for (const int integer : {4, 5, 6}) {
    const FixedSinCos u{32, 4, integer};
    for (int k = -500; k <= 500; ++k) {
      const Raw angle = u.angle().raw(k * 0.00199 * std::ldexp(1.0, integer));
      const double z = u.angle().value(angle);
      EXPECT_NEAR(u.result().value(u(angle).sin), std::sin(z), 2 * u.result().ulp()) << z;
    }
  }
  EXPECT_EQ(inverse_of("ur5", 32).sin_cos.integer, 4);
  EXPECT_LT(fixed_error(inverse_of("ur5", 32)).measured, 1e-6);
}

TEST(Formats, RangesHoldAndATurnedPairIsNoLongerThanBefore) {
  Graph g;
  const Expr q = input(g, "q1"), x = input(g, "x"), y = input(g, "y");
  const auto [s, c] = sin_cos(q);
  output(g, "u", c * x + s * y);
  output(g, "v", x * x - y);
  const std::vector<Range> in{{-3, 3}, {-3, 3}, {-4, 4}};
  const FixedGraph f = fixed_graph(g, in, 24);
  // Rounded outward.
  const Range turned = f.range[g.outputs()[0].id], other = f.range[g.outputs()[1].id];
  EXPECT_GE(turned.size(), 5);
  EXPECT_LE(turned.size(), 5 + 1e-12);
  EXPECT_LE(other.low, -4);
  EXPECT_GE(other.low, -4 - 1e-12);
  EXPECT_GE(other.high, 13);
  EXPECT_LE(other.high, 13 + 1e-12);
  EXPECT_EQ(f.output_formats()[0].integer(), 3);
  EXPECT_EQ(f.output_formats()[1].integer(), 4);
}

TEST(Formats, EachValueHasItsOwn) {
  Graph g;
  const Expr x = input(g, "x"), q = input(g, "q"), y = input(g, "y");
  output(g, "s", sin_cos(q).sin);
  output(g, "n", -y);
  output(g, "h", Expr(0.5) * x);
  const FixedGraph f = fixed_graph(g, std::vector<Range>{{-0.4, 0.4}, {-9, 9}, {-90, 90}}, 24);
  EXPECT_EQ(f.sin_cos.integer, 4);  // for 9, whatever stands before it
  const FixedFormat of_y = f.input_formats()[2], of_n = f.output_formats()[1];
  for (const double v : {-89.5, 0.125, 33.3}) {
    const Raw word = of_y.raw(v);
    EXPECT_NEAR(of_n.value(evaluate(f, std::vector<Raw>{0, 0, word})[1]), -of_y.value(word),
                of_n.ulp() / 2);
  }
  for (Id id = 0; id < f.graph.size(); ++id)
    EXPECT_TRUE(f.graph[id].op != Op::constant || f.error[id] == 0);  // one half is exact
}

TEST(Formats, EveryValueOfARobotStaysInItsRange) {
  const FixedGraph f = inverse_of("puma560", 32);
  const auto in = f.input_formats();
  std::vector<double> scratch(f.graph.size()), out(f.graph.outputs().size());
  for (const auto& words : fixed_samples(f, 500, 4)) {
    std::vector<double> x;
    for (std::size_t k = 0; k < words.size(); ++k) x.push_back(in[k].value(words[k]));
    evaluate<double>(f.graph, x, out, scratch);
    for (Id id = 0; id < f.graph.size(); ++id) {
      EXPECT_GE(scratch[id], f.range[id].low - 1e-9 - 1e-9 * f.range[id].size());
      EXPECT_LE(scratch[id], f.range[id].high + 1e-9 + 1e-9 * f.range[id].size());
    }
  }
}

TEST(Formats, TorquesAreAsExactAsTheirWordsAndWithinTheBound) {
  const FixedError full = fixed_error(inverse_of("puma560", 32)),
                   less = fixed_error(inverse_of("puma560", 22)),
                   planar = fixed_error(inverse_of("planar3", 32));
  EXPECT_LT(full.measured, 1e-6);
  EXPECT_LT(less.measured, 1e-4);
  EXPECT_LT(planar.measured, 1e-6);
  for (const FixedError& e : {full, less, planar}) EXPECT_LE(e.measured, e.bound);
  EXPECT_GT(less.measured, full.measured);
}

// One more bit halves the error, from the shortest word to the longest.
TEST(Formats, ErrorsHalveWithEveryBit) {
  const double planar = fixed_error(inverse_of("planar3", 32), 300).measured,
               puma = fixed_error(inverse_of("puma560", 32), 300).measured;
  for (const int word : {shortest_word, 8, 12, 16, 48, 53, 54, 64, 65, 80, 96, longest_word}) {
    if (word > Quad::bits - 12) continue;
    for (const auto& [name, at_32] : {std::pair("planar3", planar), {"puma560", puma}}) {
      const FixedError e = fixed_error(inverse_of(name, word), 300);
      EXPECT_LE(e.measured, e.bound) << name << " " << word;
      EXPECT_LT(e.measured, std::ldexp(3 * at_32, 32 - word)) << name << " " << word;
      EXPECT_GT(e.measured, std::ldexp(at_32 / 3, 32 - word)) << name << " " << word;
    }
  }
}

// Sums and products whose exact results pass 128 bits.
TEST(Formats, OperationsAreExactBeforeTheyAreRounded) {
  const FixedFormat fine{96, 95}, coarse{96, 40}, result{96, 39};
  const Raw one = Raw{1} << 95;
  // 2^−95 of a half decides which way a half goes.
  const Raw half = (one >> 41) + 1;
  EXPECT_EQ(fixed_operation(Op::add, 1, coarse, half - 1, fine, {96, 40}), 2);
  EXPECT_EQ(fixed_operation(Op::sub, 1, coarse, half, fine, {96, 40}), 0);
  EXPECT_EQ(fixed_operation(Op::sub, 1, coarse, half - 1, fine, {96, 40}), 1);
  EXPECT_EQ(fixed_operation(Op::add, Raw{3} << 80, coarse, 0, fine, result), Raw{3} << 79);
  EXPECT_EQ(fixed_operation(Op::mul, Raw{3} << 90, coarse, -(Raw{5} << 90), fine, {96, 35}),
            -(Raw{15} << 80));
  EXPECT_EQ(fixed_operation(Op::mul, (Raw{1} << 94) + 1, fine, (Raw{1} << 94) + 1, fine, fine),
            (Raw{1} << 93) + 1);
}

TEST(Formats, WhatHasNoUnitIsSaid) {
  Graph g;
  const Expr x = input(g, "x");
  output(g, "y", sqrt(x));
  EXPECT_ANY_THROW(fixed_graph(g, std::vector<Range>{{0, 1}}, 24));
  Graph h;
  output(h, "y", sin_cos(input(h, "x")).sin);
  EXPECT_ANY_THROW(fixed_graph(h, std::vector<Range>{{-100, 100}}, 24));
}

// A formulation on words: the same text as on double.
TEST(Fixed, RunsAFormulation) {
  using F = Fixed<30>;
  const Robot robot = Robot::load("puma560");
  const Mechanism<double>& m = robot.canonical().mechanism;
  const Mechanism<F> words(m);
  State<double> at(m);
  State<F> at_words(words);
  for (int i = 1; i <= m.n; ++i) {
    at.set(i, 0.3 * i, 0.5 - 0.1 * i, 0.2 * i);
    at_words.set(i, F(0.3 * i), F(0.5 - 0.1 * i), F(0.2 * i));
  }
  at.place(m);
  at_words.place(words);
  std::vector<double> right(m.n + 1);
  std::vector<F> got(m.n + 1);
  NewtonEulerLink<double, Mat3>(m).torque(m, at, right.data());
  NewtonEulerLink<F, Mat3>(words).torque(words, at_words, got.data());
  for (int i = 1; i <= m.n; ++i) EXPECT_NEAR(got[i].value(), right[i], 1e-6) << i;
}

// The operation of a pipeline on the words at its ports, in C++.
class Units {
 public:
  explicit Units(const ArithmeticPipeline& p) : p_(p), nodes_(p.node.size()) {
    for (Id id = 0; id < p.fixed.graph.size(); ++id)
      if (const int s = p.signal_of[id]; s >= 0 && p.network.signals[s].operation >= 0)
        nodes_[p.network.signals[s].operation].push_back(id);
  }
  std::vector<Raw> operator()(int op, std::span<const Raw> ports) const {
    const FixedGraph& f = p_.fixed;
    std::vector<Raw> out;
    for (const Id id : nodes_[op]) {
      const Node& n = f.graph[id];
      if (n.op == Op::sin || n.op == Op::cos) {
        const auto v = f.sin_cos(ports[0]);
        out.push_back(n.op == Op::sin ? v.sin : v.cos);
        continue;
      }
      std::size_t at = 0;
      auto value = [&](Id in) { return p_.signal_of[in] < 0 ? f.constant[in] : ports[at++]; };
      const Raw a = value(n.in[0]);
      if (n.op == Op::neg)
        out.push_back(
            fixed_operation(Op::sub, 0, f.format[n.in[0]], a, f.format[n.in[0]], f.format[id]));
      else
        out.push_back(fixed_operation(n.op, a, f.format[n.in[0]], value(n.in[1]), f.format[n.in[1]],
                                      f.format[id]));
    }
    return out;
  }

 private:
  const ArithmeticPipeline& p_;
  std::vector<std::vector<Id>> nodes_;  // what each operation gives, in order
};

TEST(Arithmetic, UnrolledItTakesASamplePerClock) {
  for (const int word : {shortest_word, 24, 64, longest_word}) {
    const ArithmeticPipeline p = unrolled(inverse_of(word == 24 ? "puma560" : "planar3", word));
    check(p);
    EXPECT_EQ(p.interval, 1);
    EXPECT_EQ(p.multipliers, counts(p.fixed.graph).multiplications);
    PipelineSimulation<Raw> pipe(p.network, p.schedule, Units(p));
    const auto samples = fixed_samples(p.fixed, p.schedule.latency + 100, 8);
    for (int t = 0; t < static_cast<int>(samples.size()); ++t) {
      const auto out = pipe.step(samples[t]);
      if (t >= p.schedule.latency) {
        EXPECT_EQ(out, evaluate(p.fixed, samples[t - p.schedule.latency])) << t;
      }
    }
  }
}

TEST(Arithmetic, UnitsThatTakeTurnsAreNeverAskedTwiceAtOnce) {
  for (const int units : {1, 3, 8, 50, 10000}) {
    const ArithmeticPipeline p = shared_units(inverse_of("puma560", 32), units);
    check(p);
    const int most = std::max((p.multiplications + p.multipliers - 1) / p.multipliers,
                              (p.additions + p.adders - 1) / p.adders);
    EXPECT_EQ(p.interval, most);
    EXPECT_LE(p.utilisation(), 1);
  }
}

TEST(Arithmetic, UnitsThatTakeTurnsGiveTheSameWordsClockByClock) {
  for (const int units : {1, 2, 7, 40, 10000}) {
    const int word = units == 2 ? longest_word : units == 7 ? 8 : 24;
    const ArithmeticPipeline p =
        shared_units(inverse_of(units == 2 ? "planar3" : "puma560", word), units);
    std::vector<int> kind;
    for (int op = 0; op < static_cast<int>(p.node.size()); ++op)
      kind.push_back(static_cast<int>(p.unit_of(op)));
    SharedSimulation<Raw> machine(p.network, p.schedule, p.interval, kind, p.binding, Units(p));
    const auto samples = fixed_samples(p.fixed, 20, 8);
    const std::vector<Raw> nothing(samples[0].size(), 12345);
    int out = 0;
    for (int t = 0; out < static_cast<int>(samples.size()); ++t) {
      ASSERT_EQ(machine.takes(), t % p.interval == 0);
      const int in = t / p.interval;
      const bool gives = machine.gives() && t >= p.schedule.latency;
      const bool fresh = machine.takes() && in < static_cast<int>(samples.size());
      const auto words = machine.step(fresh ? samples[in] : nothing);
      if (gives) {
        EXPECT_EQ(words, evaluate(p.fixed, samples[out])) << units << " " << out;
        ++out;
      }
    }
  }
}

TEST(Arithmetic, RegistersAreSharedAndTheirCheckSeesMistakes) {
  const ArithmeticPipeline p = shared_units(inverse_of("puma560", 32), 4);
  long alone = 0;  // did no two values share one
  std::vector<int> waits(static_cast<std::size_t>(p.interval), 0);
  for (const DelayLine& l : buffers(p.network, p.schedule).lines) {
    alone += (l.length + p.interval - 1) / p.interval;
    for (int k = 1; k <= l.length; ++k)
      ++waits[(p.schedule.ready(p.network, l.signal) + k) % p.interval];
  }
  const int least = *std::max_element(waits.begin(), waits.end());  // at some clock all are needed
  EXPECT_GE(p.registers, least);
  EXPECT_LE(p.registers, least * 11 / 10);
  EXPECT_LT(p.registers, alone / 2);
  ArithmeticPipeline wrong = p;
  for (auto& places : wrong.binding.place)
    if (!places.empty()) places.back() = 0;
  EXPECT_THROW(check(wrong), std::logic_error);
  wrong = p;
  for (int& unit : wrong.binding.unit) unit = 0;
  EXPECT_THROW(check(wrong), std::logic_error);
}

// Effects of the order: operations with the longest remaining path come first, and values wait
// little. A better order may have other figures; a worse one is a mistake.
TEST(Arithmetic, UnitsThatTakeTurnsTakeThisLong) {
  struct Figures {
    const char* robot;
    int units, latency, registers;
  };
  for (const auto& [name, units, latency, registers] : {Figures{"planar3", 1, 67, 24},
                                                        {"planar3", 3, 51, 43},
                                                        {"puma560", 4, 75, 74},
                                                        {"puma560", 40, 64, 214}}) {
    const ArithmeticPipeline p = shared_units(inverse_of(name, 24), units);
    EXPECT_EQ(p.schedule.latency, latency) << name << " " << units;
    EXPECT_EQ(p.registers, registers) << name << " " << units;
  }
}

}  // namespace
}  // namespace parid::test
