// Identification from noisy encoders: what is recovered, and what is refused.
//
// Three measures of base parameters β against the true ones β*, along another motion than that of
// the log, whose regressor is Y:
//   torques      |Y (β - β*)| / |Y β*| over all torques: the error that a controller sees
//   each         the largest |Y_k (β_k - β*_k)| / |Y β*| of any parameter k: what its error adds
//   significant  the largest |β_k - β*_k| / |β*_k| of the parameters that contribute at least 10 %
//                of the torques: |Y_k β*_k| / |Y β*| >= 0.1
// A small parameter beside large ones is not determined to a fraction of itself by any log.

#include <gtest/gtest.h>

#include <cmath>

#include "identification/friction_choice.hpp"
#include "identification/identify.hpp"
#include "model/format/load.hpp"
#include "motion/derive.hpp"
#include "motion/filter/zero_phase.hpp"
#include "parid/dynamics.hpp"
#include "parid/identification.hpp"
#include "tests/identification/measured_log.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

struct Recovery {
  double torques = 0, each = 0, significant = 0;
  int counted = 0;
};

// The inertial parameters only; `along` is exact.
Recovery recovery(const Robot& truth, const Robot& start, const IdentificationReport& found,
                  const SampledTrajectory& along) {
  TorqueModel model(start, {.friction = FrictionModel::none});
  const std::vector<double> standard = regressor_parameters(truth);
  const std::size_t base = model.base().kept.size(), nv = truth.nv(), nq = truth.nq();
  std::vector<double> right(base), size(base), tau(nv), by(nv * base), x(base);
  for (std::size_t k = 0; k < base; ++k)
    for (std::size_t s = 0; s < standard.size(); ++s)
      right[k] += model.base().share(k, s) * standard[s];
  double all = 0, error = 0;
  for (std::size_t r = 0; r < along.rows; ++r) {
    model.torque({&along.q[r * nq], nq}, {&along.v[r * nv], nv}, {&along.a[r * nv], nv}, x, tau,
                 by);
    for (std::size_t k = 0; k < nv; ++k) {
      double wrong = 0, whole = 0;
      for (std::size_t p = 0; p < base; ++p) {
        const double y = by[k * base + p];
        size[p] += y * y;
        wrong += y * (found.parameters[p].value - right[p]);
        whole += y * right[p];
      }
      error += wrong * wrong;
      all += whole * whole;
    }
  }
  Recovery result;
  result.torques = std::sqrt(error / all);
  for (std::size_t p = 0; p < base; ++p) {
    const double off = std::abs(found.parameters[p].value - right[p]), column = std::sqrt(size[p]);
    result.each = std::max(result.each, off * column / std::sqrt(all));
    if (std::abs(right[p]) * column < 0.1 * std::sqrt(all)) continue;
    result.significant = std::max(result.significant, off / std::abs(right[p]));
    ++result.counted;
  }
  return result;
}

struct Arm {
  Robot truth, start;
  SampledTrajectory plan, other;
};
Arm arm(const char* name, double rate = 100) {
  const Description d = load_description(name);
  Rng rng(21);
  ExcitationOptions o;
  o.samples = static_cast<int>(10 * rate) + 1;
  o.trials = 60;
  Arm a{Robot(d), Robot(guessed(d, rng)), excitation_motion(Robot(d), o).motion, {}};
  o.trials = 2;
  o.seconds = 7;
  a.other = excitation_motion(a.truth, o).motion;
  return a;
}

IdentificationOptions with_filter(FilterKind kind) {
  IdentificationOptions o;
  o.filter.kind = kind;
  return o;
}

TEST(NoisyIdentify, BaseParametersAreRecoveredToTwoPercent) {
  for (const char* name : {"panda", "ur5"}) {
    const Arm a = arm(name);
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      for (const FilterKind kind : {FilterKind::butterworth, FilterKind::savitzky_golay}) {
        Rng rng(seed);
        const std::vector<SampledTrajectory> logs{measured_log(rng, a.truth, a.plan, {})};
        const IdentificationReport found = identify_robot(a.start, logs, with_filter(kind));
        const Recovery r = recovery(a.truth, a.start, found, a.other);
        EXPECT_LT(r.torques, 0.02) << name << seed;
        EXPECT_LT(r.each, 0.02) << name << seed;
        EXPECT_LT(r.significant, 0.02) << name << seed;
        EXPECT_GE(r.counted, 3);
        EXPECT_EQ(found.verdict, FitVerdict::good) << name << seed;
        EXPECT_LT(found.residual, 0.01);
        EXPECT_NEAR(std::log(found.residual / found.noise), 0, std::log(1.6)) << name << seed;
        for (const IdentifiedParameter& p : found.parameters)
          if (p.kind == "coulomb") {
            EXPECT_NEAR(p.value, 1, 0.06) << name << p.name;
          }
      }
  }
}

// Without a filter the same logs are useless, and this is the verdict.
TEST(NoisyIdentify, SplinesThroughNoiseAreRefused) {
  for (const char* name : {"panda", "ur5"}) {
    const Arm a = arm(name);
    Rng rng(1);
    std::vector<SampledTrajectory> logs{measured_log(rng, a.truth, a.plan, {})};
    derive_motion(a.truth, logs[0], false, false);
    TorqueModel model(a.start);
    IdentifyOptions how;
    how.splines = true;
    const Identification found = identify(model, logs, how);
    EXPECT_EQ(found.verdict, FitVerdict::poor) << name;
    EXPECT_GT(relative_residual(found.fits, Whose::physical), 0.2);
    EXPECT_NE(found.reason.find("noise of the positions alone"), std::string::npos) << found.reason;
    EXPECT_NE(found.reason.find("`filter=butterworth`"), std::string::npos) << found.reason;
  }
}

// A real arm: quantised encoders behind springs, late torques.
TEST(NoisyIdentify, QuantisationDelayAndFlexibility) {
  Measurement how;
  how.resolution = 2 * std::numbers::pi / 65536;
  how.stiffness = 2e4;
  how.delay = 1e-3;
  how.torque_noise = 0.02;
  for (const char* name : {"panda", "ur5"}) {
    const Arm a = arm(name);
    Rng rng(4);
    const std::vector<SampledTrajectory> logs{measured_log(rng, a.truth, a.plan, how)};
    const IdentificationReport found =
        identify_robot(a.start, logs, with_filter(FilterKind::butterworth));
    const Recovery r = recovery(a.truth, a.start, found, a.other);
    EXPECT_LT(r.torques, 0.02) << name;
    EXPECT_LT(r.significant, 0.02) << name;
    EXPECT_LT(found.residual, 0.02) << name;
  }
}

TEST(NoisyIdentify, StandardErrorsHoldAfterFilters) {
  const Arm a = arm("ur5");
  double squares = 0, count = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Rng rng(seed);
    Measurement how;
    how.coulomb = 0;
    const std::vector<SampledTrajectory> logs{measured_log(rng, a.truth, a.plan, how)};
    IdentificationOptions o = with_filter(FilterKind::butterworth);
    o.friction = FrictionModel::viscous;
    const IdentificationReport found = identify_robot(a.truth, logs, o);
    for (const IdentifiedParameter& p : found.parameters) {
      const double right = p.kind == "viscous" ? 0.5 : p.given;
      squares += std::pow((p.value - right) / p.standard_error, 2);
      count += 1;
    }
  }
  const double ratio = std::sqrt(squares / count);
  EXPECT_GT(ratio, 0.6);
  EXPECT_LT(ratio, 1.7);
}

TEST(NoisyIdentify, AnEffectThatTheModelLacksIsSeen) {
  const Arm a = arm("ur5");
  Rng rng(5);
  Measurement how;
  how.coulomb = 8;
  const std::vector<SampledTrajectory> logs{measured_log(rng, a.truth, a.plan, how)};
  IdentificationOptions o = with_filter(FilterKind::butterworth);
  EXPECT_EQ(identify_robot(a.start, logs, o).verdict, FitVerdict::good);
  o.friction = FrictionModel::viscous;
  const IdentificationReport lacking = identify_robot(a.start, logs, o);
  EXPECT_EQ(lacking.verdict, FitVerdict::above_noise);
  EXPECT_NE(lacking.notes[0].find("worse than the noise"), std::string::npos) << lacking.notes[0];
  o.max_residual = 0.5 * lacking.residual;
  EXPECT_EQ(identify_robot(a.start, logs, o).verdict, FitVerdict::poor);
}

// The simplest model that is right is chosen.
TEST(NoisyIdentify, FrictionIsChosenByCrossValidation) {
  const Arm a = arm("ur5");
  const auto chosen = [&](const Measurement& how, auto... change) {
    Rng rng(6);
    std::vector<SampledTrajectory> logs{measured_log(rng, a.truth, a.plan, how)};
    (change(logs[0]), ...);
    IdentificationOptions o = with_filter(FilterKind::butterworth);
    o.filter.cutoff = 5;
    o.friction = FrictionModel::automatic;
    const IdentificationReport found = identify_robot(a.start, logs, o);
    EXPECT_EQ(found.friction_scores.size(), 6u);
    return found.friction;
  };
  Measurement how;
  how.viscous = how.coulomb = 0;
  EXPECT_EQ(chosen(how), FrictionModel::none);
  how.viscous = 2;
  EXPECT_EQ(chosen(how), FrictionModel::viscous);
  how.coulomb = 2;
  EXPECT_EQ(chosen(how), FrictionModel::coulomb);
  EXPECT_EQ(chosen(how,
                   [](SampledTrajectory& log) {
                     for (double& tau : log.tau) tau += 0.6;
                   }),
            FrictionModel::asymmetric);
  how.rise = 3;
  EXPECT_EQ(chosen(how), FrictionModel::stribeck);
}

TEST(NoisyIdentify, StribeckIsWrittenAndIsTheRobot) {
  const Arm a = arm("ur5");
  Rng rng(7);
  Measurement how;
  how.rise = 3;
  how.encoder_noise = 1e-6;
  how.torque_noise = 1e-4;
  how.rise_velocity = 0.08;
  const std::vector<SampledTrajectory> logs{measured_log(rng, a.truth, a.plan, how)};
  IdentificationOptions o = with_filter(FilterKind::butterworth);
  o.filter.cutoff = 15;
  o.friction = FrictionModel::stribeck;
  const IdentificationReport found = identify_robot(a.start, logs, o);
  for (const JointDescription& j : found.robot.description().joints) {
    if (j.type == JointType::fixed) continue;
    ASSERT_TRUE(j.stribeck) << j.name;
    EXPECT_GT(j.stribeck->breakaway, j.friction + 1) << j.name;
    EXPECT_NEAR(j.friction, 1, 0.4) << j.name;
  }
}

// Long logs are processed in chunks; the rows do not depend on them.
TEST(Equations, ChunksDoNotShow) {
  const Robot robot = Robot::load("planar2");
  Rng rng(8);
  SampledTrajectory plan;
  plan.rows = 1'600'000 / 4;
  for (std::size_t r = 0; r < plan.rows; ++r) {
    const double t = 0.01 * static_cast<double>(r);
    plan.t.push_back(t);
    for (int k = 0; k < 2; ++k) {
      const double w = 1 + 0.7 * k;
      plan.q.push_back(std::sin(w * t));
      plan.v.push_back(w * std::cos(w * t));
      plan.a.push_back(-w * w * std::sin(w * t));
    }
  }
  const std::vector<SampledTrajectory> logs{measured_log(rng, robot, plan, {})};
  const PreparedLogs prepared(robot, logs, {FilterKind::butterworth, 4});
  TorqueModel model(robot);
  Equations equations(model, prepared, 0);
  const std::size_t nv = 2;
  std::vector<double> measured, column(plan.rows);
  std::vector<std::size_t> sample;
  equations.each(model.given(), true, [&](const Equations::Row& row) {
    EXPECT_EQ(row.index, sample.size());
    sample.push_back(row.sample);
    measured.push_back(row.measured[1]);
  });
  EXPECT_EQ(sample.size(), equations.rows());
  for (std::size_t r = 0; r < plan.rows; ++r) column[r] = logs[0].tau[r * nv + 1];
  const std::vector<double> whole = ZeroPhaseFilter(FilterKind::butterworth, 4, 100).value(column);
  for (std::size_t k = 0; k < sample.size(); ++k)
    EXPECT_NEAR(measured[k], whole[sample[k]], 1e-4) << sample[k];
}

}  // namespace
}  // namespace parid::test
