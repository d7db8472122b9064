#include "control/stability/stability.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <random>

#include "base/threads/thread_pool.hpp"
#include "control/law.hpp"
#include "control/stability/linear_plant.hpp"
#include "control/stability/random_ages.hpp"
#include "control/stability/spectral_radius.hpp"
#include "control/zero_order_hold.hpp"
#include "model/given_values.hpp"
#include "model/joint/close_linkages.hpp"
#include "parid/dynamics.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

LinearLoop::LinearLoop(const Robot& plant, const LawDesign& design, std::span<const double> q)
    : response_(response(design, q)) {
  require_finite("pose", q);
  const std::vector<double> none(static_cast<std::size_t>(plant.nv()));
  LinearPlant p = linear_plant(plant, design, q, none, none);
  A_ = std::move(p.A);
  B_ = std::move(p.B);
  C_ = std::move(p.C);
  reduce();
}

LinearLoop::LinearLoop(const Robot& plant, const LawDesign& design, const Trajectory& trajectory,
                       double t, double period) {
  const auto n = static_cast<std::size_t>(plant.nv());
  auto at = [&](int j) {
    Desired d{std::vector<double>(static_cast<std::size_t>(plant.nq())), std::vector<double>(n),
              std::vector<double>(n)};
    trajectory.at(std::clamp(t + j * period, 0.0, trajectory.duration()), d.q, d.v, d.a);
    return d;
  };
  response_ = response(design, at);
  const Desired here = at(0);
  LinearPlant p = linear_plant(plant, design, here.q, here.v, here.a);
  A_ = std::move(p.A);
  B_ = std::move(p.B);
  C_ = std::move(p.C);
  reduce();
}

// The older measurements that two torques cannot tell apart, now or later, are one state: of
// (x(k−1) … x(k−L+1)) only its image under the rows of the Hankel matrix of G matters. Their space
// is invariant under the shift by a period, so nothing is lost but what rounding hides.
void LinearLoop::reduce() {
  const Eigen::Index n = response_.n, one = 2 * n, older = response_.lags - 1;
  if (response_.phases != 1) return;
  kept_ = 0;
  if (older == 0) return;
  MatrixXd hankel = MatrixXd::Zero(one * older, n * older);  // transposed
  for (Eigen::Index i = 0; i < older; ++i)
    for (Eigen::Index j = 0; i + j < older; ++j)
      hankel.block(one * j, n * i, one, n) =
          Eigen::Map<const RowMajor>(response_.at(0, static_cast<int>(1 + i + j)), n, one)
              .transpose();
  Eigen::ColPivHouseholderQR<MatrixXd> qr(hankel);
  qr.setThreshold(1e-14);
  const Eigen::Index r = qr.rank(), shifted = one * (older - 1);
  const MatrixXd V = qr.householderQ() * MatrixXd::Identity(one * older, r);
  const MatrixXd A = V.bottomRows(shifted).transpose() * V.topRows(shifted),
                 B = V.topRows(one).transpose(), C = hankel.leftCols(n).transpose() * V;
  kept_ = static_cast<int>(r);
  kept_A_.assign(A.data(), A.data() + A.size());
  kept_B_.assign(B.data(), B.data() + B.size());
  kept_C_.assign(C.data(), C.data() + C.size());
}

int LinearLoop::states() const {
  const int one = C_.empty() ? 2 * response_.n : static_cast<int>(C_.size()) / (2 * response_.n);
  return one * response_.lags;
}

double LinearLoop::spectral_radius(double period) const {
  const int n = response_.n, size = states(), one = size / response_.lags;
  const auto [Ad, Bd] = held_over(period, A_, B_);
  // By measurements, and by states.
  auto gain = [&](int phase, int lag) -> MatrixXd {
    const Eigen::Map<const RowMajor> G(response_.at(phase, lag), n, 2 * n);
    if (C_.empty()) return G;
    return G * Eigen::Map<const RowMajor>(C_.data(), 2 * n, one);
  };
  if (kept_ >= 0) {
    MatrixXd loop(one + kept_, one + kept_);
    loop.topLeftCorner(one, one) = Ad + Bd * gain(0, 0);
    loop.topRightCorner(one, kept_) = Bd * Eigen::Map<const MatrixXd>(kept_C_.data(), n, kept_);
    const Eigen::Map<const MatrixXd> by_measurement(kept_B_.data(), kept_, 2 * n);
    if (C_.empty())
      loop.bottomLeftCorner(kept_, one) = by_measurement;
    else
      loop.bottomLeftCorner(kept_, one) =
          by_measurement * Eigen::Map<const RowMajor>(C_.data(), 2 * n, one);
    loop.bottomRightCorner(kept_, kept_) = Eigen::Map<const MatrixXd>(kept_A_.data(), kept_, kept_);
    return control::spectral_radius(loop);
  }
  // Each period's states from the last ones: K_φ = (A 0 0 …) + B (G_0 G_1 …).
  std::vector<MatrixXd> K;
  for (int phase = 0; phase < response_.phases; ++phase) {
    MatrixXd k(one, size);
    for (int m = 0; m < response_.lags; ++m) k.middleCols(m * one, one) = Bd * gain(phase, m);
    k.leftCols(one) += Ad;
    K.push_back(std::move(k));
  }
  VectorXd x(size);
  auto round = [&](const double* from, double* to) {
    Eigen::Map<VectorXd> y(to, size);
    x = Eigen::Map<const VectorXd>(from, size);
    for (const MatrixXd& k : K) {
      y.head(one).noalias() = k * x;
      y.tail(size - one) = x.head(size - one);
      x = y;
    }
  };
  const int settle = response_.phases > 1 ? 2 : 2 * response_.lags + 20;
  const double radius = control::spectral_radius(size, round, settle);
  return std::pow(radius, 1.0 / response_.phases);
}

double largest_safe_period(const std::function<double(double)>& radius, const PeriodRange& range,
                           double tolerance) {
  double safe = range.shortest;
  if (!(radius(safe) < 1)) return 0;
  double unsafe = safe;
  while (safe < range.longest) {
    unsafe = std::min(safe * 1.2, range.longest);
    if (!(radius(unsafe) < 1)) break;
    safe = unsafe;
  }
  const bool all = safe >= range.longest;
  // The steps may have skipped an unstable window below the boundary: for random policies, a few
  // per cent wide.
  double T = std::max(range.shortest, safe / 2), before = T;
  while (T < safe && radius(T) < 1) {
    before = T;
    T *= 1.03;
  }
  if (T < safe) {
    safe = before;
    unsafe = T;
  }
  if (all && safe >= range.longest) return range.longest;
  while (unsafe - safe > tolerance * safe) {
    const double middle = (safe + unsafe) / 2;
    (radius(middle) < 1 ? safe : unsafe) = middle;
  }
  return safe;
}

double largest_safe_period(const LinearLoop& loop, const PeriodRange& range, double tolerance) {
  return largest_safe_period([&](double T) { return loop.spectral_radius(T); }, range, tolerance);
}

double simulated_growth(const Robot& plant, const LawDesign& design, std::span<const double> pose,
                        double period, const Disturbance& disturbance) {
  demand_single_freedoms(plant);
  const auto n = static_cast<std::size_t>(plant.nv());
  StaleLaw<double> law(design.model.canonical(), law_kind(design.law), design.gains);
  law.set_policy(design.policy);
  const Desired here{{pose.begin(), pose.end()}, std::vector<double>(n), std::vector<double>(n)};
  // Steps are short compared with the period and with the time constants due to gravity.
  ZeroOrderHold body = design.elastic ? ZeroOrderHold(plant, period, std::min(period / 2, 2e-3),
                                                      here.q, design.measure_links)
                                      : ZeroOrderHold(plant, period, std::min(period / 2, 2e-3));
  std::vector<double> tau(n), read_q(n), read_v(n), &q = body.q, &v = body.v;
  std::copy(here.q.begin(), here.q.end(), q.begin());
  const std::vector<double> centre = q;
  // A law that reads motors sees them where they would be without load.
  auto measure = [&] {
    body.measure(read_q.data(), read_v.data());
    for (std::size_t i = 0; i < n; ++i) read_q[i] -= body.offset(static_cast<int>(i));
  };
  measure();
  law.start(here, here, read_q.data(), read_v.data(), tau.data());
  for (std::size_t i = 0; i < q.size(); ++i)
    q[i] += disturbance.size * std::cos(1.0 + 2.0 * static_cast<double>(i));
  std::vector<double> size;
  for (int p = 0; p < disturbance.periods; ++p) {
    measure();
    law.step(here, here, read_q.data(), read_v.data(), tau.data());
    body.advance(tau);
    double off = 0;
    for (std::size_t i = 0; i < q.size(); ++i)
      off = std::max({off, std::abs(q[i] - centre[i]), std::abs(v[i]) * period});
    size.push_back(std::isfinite(off) ? off : INFINITY);
    // Stops once the disturbance is no longer small or has fallen to the level of rounding.
    if (!(off < 1e4 * disturbance.size) || off < 1e-7 * disturbance.size) break;
  }
  // The largest value in the last third divided by that in the middle third.
  const std::size_t third = size.size() / 3;
  if (third == 0) return INFINITY;
  const auto largest = [&](std::size_t from) {
    return *std::max_element(size.begin() + static_cast<std::ptrdiff_t>(from),
                             size.begin() + static_cast<std::ptrdiff_t>(from + third));
  };
  const double grown = largest(2 * third) / largest(third);
  return std::isfinite(grown) ? std::pow(grown, 1.0 / static_cast<double>(third)) : INFINITY;
}

namespace {

// One part of the map: one policy at one pose.
void by_radius(const Robot& plant, const LawDesign& d, std::span<const double> q, std::size_t pose,
               const MapOptions& options, const std::vector<double>& periods,
               StabilityMap::Row& row) {
  const LinearLoop loop(plant, d, q);
  double safe = 0, unsafe = 0;
  for (std::size_t k = 0; k < periods.size(); ++k) {
    const double T = periods[k], r = loop.spectral_radius(T);
    row.radius[pose * periods.size() + k] = r;
    if (r < 1 && unsafe == 0) safe = T;
    if (!(r < 1) && unsafe == 0) unsafe = T;
  }
  while (options.bounds && safe > 0 && unsafe > 0 && unsafe - safe > options.tolerance * safe) {
    const double middle = (safe + unsafe) / 2;
    (loop.spectral_radius(middle) < 1 ? safe : unsafe) = middle;
  }
  row.safe[pose] = safe;
}
void by_chance(const Robot& plant, const LawDesign& d, std::span<const double> q, std::size_t pose,
               const MapOptions& options, const std::vector<double>& periods,
               StabilityMap::Row& row) {
  const RandomAges loop(plant, d, q);
  if (options.bounds) {
    const RandomPeriods p =
        random_periods(loop, {periods.front(), periods.back()}, 10 * options.tolerance);
    row.safe[pose] = p.safe;
    row.unsafe[pose] = p.unsafe;
  } else {
    loop.look_near(std::max(periods.front(),
                            largest_safe_period([&](double T) { return loop.found_radius(T); },
                                                {periods.front(), periods.back()}, 0.05)));
  }
  for (std::size_t k = 0; k < periods.size(); ++k)
    row.radius[pose * periods.size() + k] = loop.found_radius(periods[k]);
}

}  // namespace

StabilityMap stability_map(const Robot& plant, const LawDesign& design,
                           std::span<const Policy> asked, std::span<const double> poses,
                           std::span<const double> periods, const MapOptions& options) {
  require_finite("poses", poses);
  require_rising("periods", periods);
  if (!periods.empty()) require_above_zero("periods", periods.front(), "1e-3");
  require_within("periods", static_cast<double>(periods.size()), 1, 100'000);
  const auto nq = static_cast<std::size_t>(plant.nq());
  StabilityMap map;
  map.periods.assign(periods.begin(), periods.end());
  map.poses = poses.size() / nq;
  for (const Policy& p : asked)
    map.rows.push_back({p, std::vector<double>(map.poses * periods.size()),
                        std::vector<double>(map.poses),
                        std::vector<double>(p.by_chance ? map.poses : 0)});
  ThreadPool pool(thread_count(options.threads));
  std::atomic<std::size_t> done{0};
  std::mutex failing;
  std::exception_ptr failure;
  const std::size_t parts = map.rows.size() * map.poses;
  pool.share(parts, [&](int member, std::size_t part) {
    try {
      // Interleaves policies, so that the slow ones are not all computed last.
      StabilityMap::Row& row = map.rows[part % map.rows.size()];
      const std::size_t pose = part / map.rows.size();
      LawDesign d = design;
      d.policy = bound(row.policy, d.model);
      (row.policy.by_chance ? by_chance : by_radius)(plant, d, poses.subspan(pose * nq, nq), pose,
                                                     options, map.periods, row);
    } catch (...) {
      const std::lock_guard lock(failing);
      failure = std::current_exception();
    }
    const std::size_t so_far = ++done;
    if (member == 0 && options.progress)
      options.progress(static_cast<double>(so_far) / static_cast<double>(parts));
  });
  if (failure) std::rethrow_exception(failure);
  return map;
}

std::vector<double> worst_radii(const StabilityMap& map, std::size_t row) {
  std::vector<double> worst(map.periods.size(), 0);
  for (std::size_t p = 0; p < map.poses; ++p)
    for (std::size_t k = 0; k < worst.size(); ++k)
      worst[k] = std::max(worst[k], map.rows[row].radius[p * worst.size() + k]);
  return worst;
}

PoseStability pose_stability(const Robot& plant, const LawDesign& d, std::span<const double> q,
                             const PeriodRange& range, std::uint64_t seed) {
  if (!d.policy.by_chance) return {largest_safe_period(LinearLoop(plant, d, q), range), {}};
  constexpr int sampled = 16;
  const RandomAges loop(plant, d, q);
  const RandomPeriods p = random_periods(loop, range);
  const double square = mean_square_period(loop, range, p.unsafe);
  return {p.safe, PoseStability::Random{loop.readings(), p.unsafe, square,
                                        realisation_periods(loop, range, square, sampled, seed)}};
}

std::vector<double> usual_periods(const Robot& plant, LawDesign d, std::span<const double> q,
                                  std::size_t count) {
  require_within("count", static_cast<double>(count), 2, 100'000);
  d.policy = policy("exact");
  const double exact = largest_safe_period(LinearLoop(plant, d, q), {1e-6, 10}, 1e-3);
  if (exact == 0)
    throw Error(
        "the exact control law is unstable at every period; check the gains, or give `periods`");
  std::vector<double> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(exact * 1.2 *
                  std::pow(600.0, static_cast<double>(k) / static_cast<double>(count - 1) - 1));
  return all;
}

std::vector<double> random_poses(const Robot& robot, std::size_t count, std::uint64_t seed) {
  require_within("poses", static_cast<double>(count), 1, 100'000);
  demand_single_freedoms(robot);
  std::mt19937_64 random(seed);
  // Not std::uniform_real_distribution, whose numbers differ between libraries.
  auto share = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<double> poses;
  for (std::size_t p = 0; p < count; ++p)
    for (const Robot::Limit& l : robot.limits()) {
      const double low = std::isfinite(l.lower) ? l.lower : -3.14159265358979;
      const double high = std::isfinite(l.upper) ? l.upper : 3.14159265358979;
      poses.push_back(low + (high - low) * share());
    }
  for (std::size_t p = 0; p < count; ++p)
    close_linkages(robot.canonical(), poses.data() + p * static_cast<std::size_t>(robot.nq()));
  return poses;
}

}  // namespace parid::control
