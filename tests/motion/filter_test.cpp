// Zero-phase filters against GNU Octave, and against motions whose derivatives are known.

#include "parid/trajectory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/floating.hpp"
#include "model/format/load.hpp"
#include "motion/filter/spectrum.hpp"
#include "motion/filter/zero_phase.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

constexpr double pi = std::numbers::pi;

// The reference numbers are from GNU Octave 7.3.0, by programs that share nothing with ours: zeros
// and poles by the bilinear transform and poly(), the initial state of filter() by a linear system,
// an extension of 12 samples as in MATLAB's filtfilt, and polyfit().
std::vector<double> reference_signal() {
  std::vector<double> x;
  for (int k = 0; k < 60; ++k) x.push_back(std::sin(0.07 * k) + 0.3 * std::cos(0.9 * k) + 0.01 * k);
  return x;
}

std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> c(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) c[i + k] += a[i] * b[k];
  return c;
}

TEST(Filter, ButterworthCoefficientsAreThoseOfOctave) {
  std::vector<double> b{1}, a{1};
  for (const FilterSection& s : butterworth_sections(4, 5, 100)) {
    b = product(b, {s.b0, s.b1, s.b2});
    a = product(a, {1, s.a1, s.a2});
  }
  const double want_b[] = {0.000416599204406599, 0.0016663968176264, 0.0024995952264396,
                           0.0016663968176264, 0.000416599204406599};
  const double want_a[] = {1, -3.18063854887472, 3.86119434899421, -2.11215535511097,
                           0.43826514226198};
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(b[k], want_b[k], 1e-15);
    EXPECT_NEAR(a[k], want_a[k], 1e-13);
  }
  // Of order 3 at a quarter of the sampling rate: (1 + z⁻¹)³ / 6 over 1 + z⁻² / 3.
  b = a = {1};
  for (const FilterSection& s : butterworth_sections(3, 25, 100)) {
    b = product(b, {s.b0, s.b1, s.b2});
    a = product(a, {1, s.a1, s.a2});
  }
  const double cubic[] = {1.0 / 6, 0.5, 0.5, 1.0 / 6, 0}, pole[] = {1, 0, 1.0 / 3, 0, 0};
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(b[k], cubic[k], 1e-15);
    EXPECT_NEAR(a[k], pole[k], 1e-15);
  }
}

TEST(Filter, ForwardBackwardIsThatOfOctave) {
  const std::vector<double> y =
      forward_backward(butterworth_sections(4, 5, 100), reference_signal(), 12);
  ASSERT_EQ(y.size(), 60u);
  const std::pair<int, double> want[] = {{0, 0.289324756125232},   {1, 0.308121372941898},
                                         {7, 0.519326271555664},   {30, 1.1621191613145},
                                         {58, -0.460765617961298}, {59, -0.546375262282561}};
  for (const auto& [k, value] : want) EXPECT_NEAR(y[k], value, 1e-12) << k;
}

TEST(Filter, SavitzkyGolayWeightsAreThoseOfOctave) {
  const std::vector<double> value = savitzky_golay_weights(5, 4, 0),
                            second = savitzky_golay_weights(5, 4, 2);
  const double want_value[] = {0.0419580419580427, -0.104895104895106, -0.023310023310024,
                               0.13986013986014,   0.279720279720281,  0.333333333333335};
  const double want_second[] = {-0.0524475524475529,  0.101398601398602,   0.0850815850815855,
                                0.000582750582750558, -0.0792540792540797, -0.110722610722611};
  for (int k = 0; k < 11; ++k) {
    EXPECT_NEAR(value[k], want_value[std::min(k, 10 - k)], 1e-13);
    EXPECT_NEAR(second[k], want_second[std::min(k, 10 - k)], 1e-13);
  }
  // At the first sample of the first window, with derivatives.
  const std::vector<double> x = reference_signal();
  const double want[] = {0.364981044246799, -0.270965154860291, 0.101794357992052};
  for (int d = 0; d < 3; ++d) {
    const std::vector<double> w = savitzky_golay_weights(5, 4, d, -5);
    double sum = 0;
    for (int k = 0; k < 11; ++k) sum += w[k] * x[k];
    EXPECT_NEAR(sum, want[d], 1e-12);
  }
}

// Gains as claimed, no delay, and accurate derivatives at frequencies well below the cut-off.
TEST(Filter, HasTheClaimedGainAndNoDelay) {
  const double rate = 200;
  for (const FilterKind kind : {FilterKind::butterworth, FilterKind::savitzky_golay})
    for (const double cutoff : {6.0, 20.0}) {
      const ZeroPhaseFilter filter(kind, cutoff, rate);
      for (const double share : {0.2, 0.5, 1.0, 2.0}) {
        const double f = share * cutoff, w = 2 * pi * f;
        std::vector<double> x;
        for (int k = 0; k < 2000; ++k) x.push_back(std::sin(w * k / rate));
        const ZeroPhaseFilter::Smoothed s = filter.derivatives(x);
        const double g = filter.gain(f), g2 = filter.second_gain(f);
        for (int k = 800; k < 1200; ++k) {
          EXPECT_NEAR(s.value[k], g * x[k], 1e-9);
          EXPECT_NEAR(s.second[k], -w * w * g2 * x[k], 1e-9 * w * w);
          if (share < 0.3) {
            EXPECT_NEAR(s.first[k], w * std::cos(w * k / rate), 5e-3 * w);
          }
        }
        if (share == 0.2) {
          EXPECT_NEAR(g2, 1, 5e-3);
        }
        if (share == 2) {
          EXPECT_LT(std::abs(g), 0.25);
        }
        if (share == 1) {
          EXPECT_NEAR(g, kind == FilterKind::butterworth ? 0.5 : 0.707, 0.04);
        }
      }
    }
}

TEST(Filter, NoiseIsReducedAsClaimed) {
  Rng rng(1);
  std::vector<double> x;
  for (int k = 0; k < 40000; ++k) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(rng, 0, 1);
    x.push_back(1e-3 * sum);
  }
  EXPECT_NEAR(white_noise(x, 100, 25, false), 1e-3, 5e-5);
  EXPECT_NEAR(white_noise(x, 100, 25, true), 1e-3, 5e-5);
  for (const FilterKind kind : {FilterKind::butterworth, FilterKind::savitzky_golay}) {
    const ZeroPhaseFilter filter(kind, 8, 100);
    double squares = 0;
    for (const double y : filter.value(x)) squares += y * y / 40000;
    EXPECT_NEAR(std::sqrt(squares) / 1e-3, filter.noise_gain(), 0.02);
  }
}

SampledTrajectory noisy_sines(const Robot& robot, Rng& rng, double rate, double noise,
                              SampledTrajectory* exact = nullptr) {
  SampledTrajectory m;
  m.rows = static_cast<std::size_t>(10 * rate) + 1;
  const std::size_t nv = robot.nv();
  for (std::size_t r = 0; r < m.rows; ++r) {
    m.t.push_back(static_cast<double>(r) / rate);
    for (std::size_t k = 0; k < nv; ++k) {
      double q = 0, v = 0, a = 0;
      for (int h = 1; h <= 5; ++h) {
        const double w = 2 * pi * 0.1 * h, phase = static_cast<double>(k) + 1.3 * h;
        q += std::sin(w * m.t[r] + phase) / h;
        v += w * std::cos(w * m.t[r] + phase) / h;
        a -= w * w * std::sin(w * m.t[r] + phase) / h;
      }
      m.q.push_back(q);
      m.v.push_back(v);
      m.a.push_back(a);
    }
  }
  if (exact) *exact = m;
  for (double& q : m.q) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(rng, 0, 1);
    q += noise * sum;
  }
  m.v.clear();
  m.a.clear();
  return m;
}

// The chosen cut-off is near the best of all, by the true error of the accelerations.
TEST(Filter, TheCutoffComesFromTheSpectrum) {
  const Robot robot = Robot::load("planar2");
  Rng rng(2);
  double before = 1e9;
  for (const double noise : {1e-6, 1e-5, 1e-4, 1e-3}) {
    for (const FilterKind kind : {FilterKind::butterworth, FilterKind::savitzky_golay}) {
      SampledTrajectory exact;
      const SampledTrajectory raw = noisy_sines(robot, rng, 100, noise, &exact);
      auto error = [&](double cutoff, FilterReport* used = nullptr) {
        SampledTrajectory m = raw;
        const FilterReport report = filter_motion(robot, m, {kind, cutoff});
        if (used) *used = report;
        double squares = 0, all = 0;
        for (std::size_t r = 2 * 100; r < m.rows - 2 * 100; ++r)
          for (int k = 0; k < 2; ++k) {
            squares += std::pow(m.a[2 * r + k] - exact.a[2 * r + k], 2);
            all += std::pow(exact.a[2 * r + k], 2);
          }
        return std::sqrt(squares / all);
      };
      FilterReport used;
      const double found = error(0, &used);
      EXPECT_TRUE(used.chosen);
      EXPECT_NEAR(used.position_noise[0], noise, 0.2 * noise);
      double best = 1e9;
      for (double cutoff = 0.9; cutoff < 30; cutoff *= 1.15) best = std::min(best, error(cutoff));
      EXPECT_LT(found, 2 * best) << name(kind) << " " << noise << " " << used.cutoff;
      EXPECT_LT(found, 0.05) << noise;
      if (kind == FilterKind::butterworth) {
        EXPECT_LT(used.cutoff, 1.05 * before);  // more noise, less band
        before = used.cutoff;
      }
    }
  }
}

TEST(Filter, QuaternionsAndTurnsAreFollowed) {
  Description d = load_description("planar2");
  d.joints[0].type = JointType::continuous;
  const Robot robot{d};
  Rng rng(3);
  SampledTrajectory exact, m = noisy_sines(robot, rng, 100, 0, &exact), wrapped = m;
  for (std::size_t r = 0; r < m.rows; ++r) {
    wrapped.q[2 * r] = std::remainder(m.q[2 * r] + 3, 2 * pi);
    m.q[2 * r] += 3;
  }
  filter_motion(robot, m, {FilterKind::butterworth, 8});
  filter_motion(robot, wrapped, {FilterKind::butterworth, 8});
  for (std::size_t r = 0; r < m.rows; ++r) EXPECT_NEAR(wrapped.v[2 * r], m.v[2 * r], 1e-9);

  // A floating body that turns about a fixed axis: v and a are those of the body.
  Description loose = load_description("planar2");
  float_root(loose);
  const Robot floating{loose};
  SampledTrajectory turn;
  turn.rows = 600;
  const std::size_t nq = floating.nq(), nv = floating.nv();
  for (std::size_t r = 0; r < turn.rows; ++r) {
    const double t = 0.01 * static_cast<double>(r), angle = 2 * std::sin(t);
    turn.t.push_back(t);
    std::vector<double> q(nq, 0);
    q[5] = std::sin(angle / 2) * (r % 2 ? 1 : -1);
    q[6] = std::cos(angle / 2) * (r % 2 ? 1 : -1);
    turn.q.insert(turn.q.end(), q.begin(), q.end());
  }
  filter_motion(floating, turn, {FilterKind::butterworth, 10});
  for (std::size_t r = 100; r < 500; ++r) {
    EXPECT_NEAR(turn.v[r * nv + 5], 2 * std::cos(turn.t[r]), 1e-5);
    EXPECT_NEAR(turn.a[r * nv + 5], -2 * std::sin(turn.t[r]), 1e-4);
  }
}

std::string complaint(const Robot& robot, SampledTrajectory m, const FilterOptions& options = {}) {
  try {
    filter_motion(robot, m, options);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Filter, UnevenLogsAreRefused) {
  const Robot robot = Robot::load("planar2");
  Rng rng(4);
  const SampledTrajectory m = noisy_sines(robot, rng, 100, 1e-4);
  EXPECT_EQ(complaint(robot, m), "");
  SampledTrajectory gap = m;
  for (std::size_t r = 500; r < m.rows; ++r) gap.t[r] += 0.02;
  EXPECT_NE(complaint(robot, gap)
                .find("t = 4.99 to 5.02 is 0.03 s, and the usual step is 0.01 s: "
                      "about 2 samples are missing; split the log"),
            std::string::npos)
      << complaint(robot, gap);
  SampledTrajectory jitter = m;
  jitter.t[300] += 2e-4;
  EXPECT_NE(complaint(robot, jitter).find("filters need even steps"), std::string::npos);
  SampledTrajectory rounded = m;  // times printed with few digits
  for (double& t : rounded.t) t = std::round(t * 1e5) / 1e5;
  EXPECT_EQ(complaint(robot, rounded), "");
  SampledTrajectory without = m;
  without.t.clear();
  EXPECT_NE(complaint(robot, without).find("needs the times"), std::string::npos);
  EXPECT_NE(complaint(robot, m, {FilterKind::butterworth, 50}).find("between 0 and 50 Hz"),
            std::string::npos);
  EXPECT_NE(complaint(robot, m, {FilterKind::butterworth, 0.1}).find("too few"), std::string::npos);
  SampledTrajectory still = m;
  for (double& q : still.q) q = 1e-4 * uniform(rng, -1, 1);
  EXPECT_NE(complaint(robot, still).find("no position changes"), std::string::npos);
  SampledTrajectory at_once = m;
  for (double& t : at_once.t) t = 1;
  EXPECT_NE(complaint(robot, at_once).find("do not rise"), std::string::npos);
  SampledTrajectory shorter = m;
  shorter.t.pop_back();
  EXPECT_THROW(filter_motion(robot, shorter, {}), std::invalid_argument);
  EXPECT_THROW(filter_kind("boxcar"), Error);
  EXPECT_EQ(filter_kind("savitzky-golay"), FilterKind::savitzky_golay);
}

}  // namespace
}  // namespace parid::test
