// Inverse kinematics on CORDIC boxes: the published machine from the closed form, better ones from
// other arrangements, and what any of them computes.

#include "hardware/pipeline/cordic.hpp"

#include <gtest/gtest.h>

#include <random>

#include "graph/evaluate.hpp"
#include "graph/expr.hpp"
#include "hardware/ik_hardware.hpp"
#include "hardware/pipeline/balance.hpp"
#include "hardware/pipeline/run_boxes.hpp"
#include "hardware/pipeline/simulate.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

struct Figures {
  int modules, stages;
  long shared;
  int lines, tapped;
  long per_edge, per_port;
  bool operator==(const Figures&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Figures& f) {
  return out << f.modules << " modules, " << f.stages << " stages, " << f.shared << " in "
             << f.lines << " buffers, " << f.tapped << " tapped; " << f.per_edge << " "
             << f.per_port;
}

Figures figures(const BoxDesign& d) {
  const Network n = d.network();
  const Staging s = balanced(n);
  const Buffers b = buffers(n, s);
  check(n, s, b.lines);
  int lines = 0;
  for (const DelayLine& l : b.lines) lines += n.signals[l.signal].weight;
  return {static_cast<int>(d.boxes.size()),
          s.latency,
          b.shared,
          lines,
          b.tapped,
          buffers(n, balanced(n, Chains::per_edge)).per_edge,
          buffers(n, balanced(n, Chains::per_port)).per_port};
}

ClosedForm puma() {
  ClosedForm form;
  form.puma = lee_chang_puma;
  return form;
}
ClosedForm stanford() {
  ClosedForm form;
  form.arm = ClosedForm::Arm::stanford;
  form.stanford = {0.1524, 0.0};
  return form;
}

BoxDesign published() { return cordic_boxes(ik_graph(puma()), {ik_signs}); }

TEST(CordicPipeline, IsTheMachineThatLeeAndChangPublished) {
  const BoxDesign d = published();
  EXPECT_EQ(figures(d), (Figures{25, 18, 141, 27, 4, 186, 191}));
  EXPECT_EQ(d.count(Box::circ1), 9);
  EXPECT_EQ(d.count(Box::circ2), 7);
  EXPECT_EQ(d.count(Box::lin1), 7);
  EXPECT_EQ(d.count(Box::hype2), 2);
  const BoxDesign sooner = cordic_boxes(ik_graph(puma()), {ik_signs, true});
  EXPECT_EQ(figures(sooner), (Figures{25, 17, 132, 26, 5, 170, 170}));
}

TEST(CordicPipeline, TheSamePassMapsTheStanfordArm) {
  EXPECT_EQ(figures(cordic_boxes(ik_graph(stanford()), {ik_signs})),
            (Figures{14, 10, 64, 22, 1, 65, 65}));
}

TEST(CordicPipeline, OtherArrangementsAreSmallerAndFaster) {
  using A = PumaArrangement;
  auto of = [](A a) { return figures(cordic_boxes(ik_graph(puma(), a), {ik_signs, true})); };
  const Figures fewest =
      of({A::Along::root, A::Squares::distance, A::Tilt::angles, A::Wrist::root});
  EXPECT_EQ(std::tuple(fewest.modules, fewest.stages, fewest.shared), std::tuple(19, 11, 68));
  const Figures fastest = of({A::Along::root, A::Squares::radius, A::Tilt::angles, A::Wrist::root});
  EXPECT_EQ(std::tuple(fastest.modules, fastest.stages, fastest.shared), std::tuple(20, 9, 52));
  for (const A& a : puma_arrangements()) {
    const Figures f = of(a);
    EXPECT_GE(f.modules, 19);
    EXPECT_GE(f.stages, 9);
  }
}

// ---- results of the machines
// --------------------------------------------------------------------------

struct Sample {
  std::vector<double> inputs;  // p o a arm elbow wrist
  bool regular = true;
};

// Standard Denavit-Hartenberg, to the wrist's centre.
Pose<double> forward(const PumaLengths& l, const std::vector<double>& q) {
  const double alpha[] = {-1, 0, 1, -1, 1, 0}, a[] = {0, l.a2, l.a3, 0, 0, 0},
               d[] = {0, l.d2, 0, l.d4, 0, 0};
  Pose<double> T;
  T.p = {0, 0, 0};
  T.R.r0 = {1, 0, 0};
  T.R.r1 = {0, 1, 0};
  T.R.r2 = {0, 0, 1};
  for (int k = 0; k < 6; ++k) {
    const double c = std::cos(q[k]), s = std::sin(q[k]), ca = alpha[k] == 0 ? 1 : 0, sa = alpha[k];
    Pose<double> A;
    A.R.r0 = {c, -s * ca, s * sa};
    A.R.r1 = {s, c * ca, -c * sa};
    A.R.r2 = {0, sa, ca};
    A.p = {a[k] * c, a[k] * s, d[k]};
    T = T * A;
  }
  return T;
}

std::vector<Sample> samples(int count) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<> draw(-3.14159, 3.14159);
  std::vector<Sample> all;
  const PumaLengths& l = lee_chang_puma;
  for (int k = 0; k < count; ++k) {
    std::vector<double> q(6);
    for (double& x : q) x = draw(random);
    const Pose<double> T = forward(l, q);
    Sample s;
    const Vec3<double> o = T.R.column(1), a = T.R.column(2);
    s.inputs = {T.p.x, T.p.y, T.p.z, o.x, o.y, o.z, a.x, a.y, a.z};
    for (int bit = 0; bit < 3; ++bit) s.inputs.push_back(random() & 1 ? 1 : -1);
    const double r = std::hypot(T.p.x, T.p.y), phi = std::atan2(l.a3, l.d4);
    s.regular =
        std::abs(std::sin(q[4])) > 0.1 && std::abs(std::cos(q[2] + phi)) > 0.1 && r > 1.1 * l.d2;
    all.push_back(s);
  }
  return all;
}

struct PoseError {
  double position = 0, orientation = 0;
};
void note(PoseError& e, const Sample& s, const std::vector<double>& q) {
  const Pose<double> T = forward(lee_chang_puma, q);
  const Vec3<double> o = T.R.column(1), a = T.R.column(2);
  const double got[] = {T.p.x, T.p.y, T.p.z, o.x, o.y, o.z, a.x, a.y, a.z};
  for (int k = 0; k < 9; ++k) {
    double& worst = k < 3 ? e.position : e.orientation;
    worst = std::max(worst, std::abs(got[k] - s.inputs[k]));
  }
}

PoseError error_in_words(const BoxDesign& d, FixedFormat w, Normalising n,
                         const std::vector<Sample>& all) {
  const BoxRunner<CordicFixed> run(d, cordic_fixed(w, 6, n));
  PoseError e;
  for (const Sample& s : all) {
    if (!s.regular) continue;
    std::vector<Raw> in;
    Sample seen = s;  // what the words hold is what can be asked for
    for (std::size_t k = 0; k < s.inputs.size(); ++k) {
      in.push_back(w.raw(s.inputs[k]));
      seen.inputs[k] = w.value(in.back());
    }
    std::vector<double> q;
    for (const Raw r : run(in)) q.push_back(w.value(r));
    note(e, seen, q);
  }
  return e;
}

TEST(CordicPipeline, EveryArrangementSolvesEveryPoseOnDouble) {
  const auto all = samples(300);
  std::vector<BoxDesign> designs{published()};
  for (const PumaArrangement& a : puma_arrangements())
    designs.push_back(cordic_boxes(ik_graph(puma(), a), {ik_signs, true}));
  for (const BoxDesign& d : designs) {
    const BoxRunner<CordicReal> run(d, cordic_real());
    PoseError e;
    for (const Sample& s : all) note(e, s, run(s.inputs));
    EXPECT_LT(e.position, 1e-11);  // of all poses, singular ones too
    EXPECT_LT(e.orientation, 1e-11);
  }
}

TEST(CordicPipeline, StanfordBoxesGiveTheClosedForm) {
  const Graph g = ik_graph(stanford());
  const BoxDesign d = cordic_boxes(g, {ik_signs});
  const BoxRunner<CordicReal> run(d, cordic_real());
  for (const Sample& s : samples(300)) {
    const auto right = evaluate<double>(g, s.inputs);
    const auto got = run(s.inputs);
    EXPECT_NEAR(got[2], right[2], 1e-12);
    for (const int k : {0, 1, 3, 4, 5}) EXPECT_NEAR(std::cos(got[k] - right[k]), 1, 1e-10);
  }
}

TEST(CordicPipeline, WordsAreAsExactAsTheirLength) {
  const auto all = samples(4000);
  using A = PumaArrangement;
  const A best{A::Along::root, A::Squares::radius, A::Tilt::angles, A::Wrist::root};
  struct Row {
    FixedFormat word;
    double position, orientation;
  };
  for (const BoxDesign& d : {published(), cordic_boxes(ik_graph(puma(), best), {ik_signs, true})})
    for (const Row& r :
         {Row{{24, 20}, 1.5e-5, 5e-6}, {{32, 28}, 1e-7, 2e-8}, {{40, 36}, 5e-10, 1e-10}}) {
      for (const Normalising n : {Normalising::after, Normalising::interleaved}) {
        const PoseError e = error_in_words(d, r.word, n, all);
        EXPECT_LT(e.position, r.position)
            << r.word.word << " bits, " << d.boxes.size() << " modules";
        EXPECT_LT(e.orientation, r.orientation) << r.word.word;
      }
    }
}

// In units of the last place the error does not depend on the word length, down to the precision of
// Quad.
TEST(CordicPipeline, EveryWordIsAsExactAsItsLength) {
  const IkHardware paper = ik_hardware(puma()), fewest = ik_hardware(puma(), "fewest"),
                   fastest = ik_hardware(puma(), "fastest"), other = ik_hardware(stanford());
  auto expect = [&](const ClosedForm& form, const IkHardware& h, int word) {
    const FixedFormat w{word, word - 4};
    const double seen = std::ldexp(64.0, -Quad::bits);
    const IkAccuracy e = ik_accuracy(form, h.design, cordic_fixed(w), 200);
    EXPECT_LT(e.position, 16 * w.ulp() + seen) << word << ", " << h.arrangement;
    EXPECT_LT(e.orientation, 5 * w.ulp() + seen) << word << ", " << h.arrangement;
    EXPECT_GT(e.position, 0.5 * w.ulp()) << word << ", " << h.arrangement;
    EXPECT_GT(e.orientation, 0.5 * w.ulp()) << word << ", " << h.arrangement;
  };
  for (const int word : {shortest_word, 8, 10, 12, 16, 48, 53, 56, 64, 80, 96, longest_word})
    expect(puma(), paper, word);
  for (const int word : {12, 64, longest_word}) {
    expect(puma(), fewest, word);
    expect(puma(), fastest, word);
    expect(stanford(), other, word);
  }
}

TEST(CordicPipeline, SamplesFillTheWord) {
  for (const int word : {12, 64, longest_word}) {
    const FixedFormat w{word, word - 4};
    RawBits seen = 0;
    for (const auto& sample : ik_samples(puma(), w, 50, 1))
      for (const Raw x : sample) seen |= magnitude(x);
    for (int bit = 0; bit < std::min(word - 4, Quad::bits - 8); ++bit)
      EXPECT_TRUE(seen >> bit & 1) << word << " " << bit;
  }
}

class OnePosePerStage : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(CordicPipeline, OnePosePerStage, testing::Values(8, 24, 64, 100));

TEST_P(OnePosePerStage, AndTheFirstAfterAllOfThem) {
  const BoxDesign d = published();
  const FixedFormat w{GetParam(), GetParam() - 4};
  const BoxRunner<CordicFixed> run(d, cordic_fixed(w));
  const Network n = d.network();
  const Staging s = balanced(n);
  PipelineSimulation<Raw> pipe(
      n, s, [&](int op, std::span<const Raw> ports) { return run.execute(op, ports); });
  std::vector<std::vector<Raw>> sent;
  int t = 0;
  for (const auto& in : ik_samples(puma(), w, 150, 17)) {
    sent.push_back(in);
    const auto out = run.finished(pipe.step(in));
    if (t >= s.latency) {
      EXPECT_EQ(out, run(sent[t - s.latency])) << t;
    }
    ++t;
  }
  EXPECT_EQ(s.latency, 18);
}

TEST(CordicPipeline, WhatNoBoxDoesIsSaid) {
  Graph g;
  const Expr x = input(g, "x");
  output(g, "y", abs(x));
  EXPECT_ANY_THROW(cordic_boxes(g));
}

// General expressions: quotients, roots that are no sums of squares, products of three.
TEST(CordicPipeline, MapsWhatElseBoxesCanDo) {
  Graph g;
  const Expr x = input(g, "x"), y = input(g, "y"), z = input(g, "z");
  const auto [s, c] = sin_cos(z);
  output(g, "a", x / y + Expr(0.5));
  output(g, "b", sqrt(x * y));
  output(g, "c", x * y * z - Expr(2.0) * x);
  output(g, "d", s * x + c);
  output(g, "e", sqrt(x * x + y * y + z * z));
  output(g, "f", Expr(-0.25) * x * y * z + Expr(3.0) * y * z - Expr(1.5) * z);
  const BoxDesign d = cordic_boxes(g);
  const BoxRunner<CordicReal> run(d, cordic_real());
  std::mt19937_64 random(5);
  std::uniform_real_distribution<> draw(0.1, 2);
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> in{draw(random), draw(random), draw(random)};
    const auto right = evaluate<double>(g, in), got = run(in);
    for (std::size_t o = 0; o < right.size(); ++o) EXPECT_NEAR(got[o], right[o], 1e-13);
  }
}

}  // namespace
}  // namespace parid::test
