#include "control/stability/random_ages.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "control/stability/random_certificate.hpp"
#include "control/stability/random_loop.hpp"
#include "control/stability/spectral_radius.hpp"
#include "control/stability/stability.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

void require_one_period_by_chance(const Policy& p) {
  if (!p.by_chance) throw Error(fmt::format("{}: its ages are not random; use LinearLoop", p.id));
  for (const Read& r : p.reads)
    if (r.own != 0 || r.across != 0 || r.neighbour > 1 ||
        (r.neighbour == 1 && r.prediction == Prediction::linear))
      throw Error(
          fmt::format("{}: bounds over realisations need neighbours' values at most one period old "
                      "and held, and all others of this period",
                      p.id));
  if (!p.exceptions.empty())
    throw Error(fmt::format(
        "{}: bounds over realisations need the same ages in every equation of every link", p.id));
  if (p.alpha_apart())
    throw Error(fmt::format("{}: bounds over realisations need α and ω̇ of the same age", p.id));
}

}  // namespace

struct RandomAges::Parts : RandomLoop {
  // One number per reading, kept between periods: a search starts where the last one ended.
  mutable VectorXd scale;
  mutable double beyond = 0;  // the angle at which the last period was found to be beyond proof
  // Realisations that come round: patterns one after the other. true: this period's.
  using Pattern = std::vector<bool>;
  mutable std::vector<std::vector<Pattern>> worst;

  bool proven(double period, double radius) const;
  double radius_of_round(const HeldPlant&, const std::vector<Pattern>&) const;
  void look_for_the_worst(double period) const;
};

// ---- from above

// All products of `radius`⁻¹ A(σ) die.
bool RandomAges::Parts::proven(double period, double radius) const {
  const HeldPlant plant = held(period);
  if (count() > 0 && beyond_every_scale(*this, plant, radius, beyond)) return false;
  Channel c = channel(plant);
  c.A /= radius;
  c.B /= radius;
  const double slowest = radius_of(c.A);
  if (!(slowest < 1)) return false;
  if (count() == 0) return true;
  if (scale.size() != static_cast<Index>(count()))
    scale = VectorXd::Zero(static_cast<Index>(count()));
  VectorXd log_scale = scale;
  const double lowest = std::min(1e-2, 0.1 * (1 - slowest));
  if (!(improve_scale(*this, plant, radius, lowest, log_scale, 0.97) < 1)) return false;
  scale = log_scale;
  for (std::size_t j = 0; j < count(); ++j) {
    const double d = std::exp(log_scale[static_cast<Index>(j)]);
    const Index at = law.readings[j].first, size = law.readings[j].size;
    c.C.middleRows(at, size) *= d;
    c.H.middleRows(at, size) *= d;
    c.B.middleCols(at, size) /= d;
    c.H.middleCols(at, size) /= d;
  }
  return has_certificate(c);
}

// ---- from below

double RandomAges::Parts::radius_of_round(const HeldPlant& plant,
                                          const std::vector<Pattern>& round) const {
  MatrixXd all = step(plant, round[0]);
  for (std::size_t k = 1; k < round.size(); ++k) all = step(plant, round[k]) * all;
  return std::pow(radius_of(all), 1.0 / static_cast<double>(round.size()));
}

// Constant patterns: old and new by kind of variable, then single readings turned round while that
// is worse. Then pairs of the worst.
void RandomAges::Parts::look_for_the_worst(double period) const {
  const HeldPlant plant = held(period);
  std::map<Pattern, double> tried;
  const auto radius = [&](const Pattern& now) {
    const auto at = tried.find(now);
    if (at != tried.end()) return at->second;
    return tried[now] = radius_of(step(plant, now));
  };
  std::vector<Stale> kinds;
  for (const RandomReading& r : law.readings)
    if (std::find(kinds.begin(), kinds.end(), r.variable) == kinds.end())
      kinds.push_back(r.variable);
  for (unsigned mask = 0; mask < 1u << kinds.size(); ++mask) {
    Pattern now(count());
    for (std::size_t j = 0; j < count(); ++j)
      for (std::size_t k = 0; k < kinds.size(); ++k)
        if (law.readings[j].variable == kinds[k]) now[j] = (mask >> k & 1) != 0;
    radius(now);
  }
  Pattern best = std::max_element(tried.begin(), tried.end(), [](const auto& a, const auto& b) {
                   return a.second < b.second;
                 })->first;
  for (bool better = true; better;) {
    better = false;
    for (std::size_t j = 0; j < count(); ++j) {
      Pattern now = best;
      now[j] = !now[j];
      if (radius(now) > radius(best) * (1 + 1e-12)) {
        best = now;
        better = true;
      }
    }
  }
  std::vector<std::pair<double, Pattern>> order;
  for (const auto& [now, r] : tried) order.emplace_back(-r, now);
  std::sort(order.begin(), order.end());
  order.resize(std::min<std::size_t>(order.size(), 4));
  worst = {{Pattern(count(), false)}};
  std::vector<Pattern> pair;
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i < 2) worst.push_back({order[i].second});
    for (std::size_t k = 0; k < i; ++k)
      if (const double r = radius_of_round(plant, {order[i].second, order[k].second});
          r > largest) {
        largest = r;
        pair = {order[i].second, order[k].second};
      }
  }
  if (!pair.empty()) worst.push_back(pair);
}

// ---- the class

RandomAges::RandomAges(const Robot& plant, const LawDesign& design, std::span<const double> q)
    : parts_(std::make_unique<Parts>()) {
  require_one_period_by_chance(design.policy);
  const std::vector<double> none(static_cast<std::size_t>(plant.nv()));
  LinearPlant linear = linear_plant(plant, design, q, none, none);
  parts_->policy = design.policy;
  parts_->law = of_states(law_parts(design, {{q.begin(), q.end()}, none, none}), linear);
  parts_->A = std::move(linear.A);
  parts_->B = std::move(linear.B);
  parts_->late = design.policy.delay + (design.policy.predict_torque ? 1 : 0);
}

RandomAges::RandomAges(const Robot& plant, const LawDesign& design, const Trajectory& trajectory,
                       double t)
    : parts_(std::make_unique<Parts>()) {
  require_one_period_by_chance(design.policy);
  const auto n = static_cast<std::size_t>(plant.nv());
  Desired here{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  trajectory.at(std::clamp(t, 0.0, trajectory.duration()), here.q, here.v, here.a);
  LinearPlant linear = linear_plant(plant, design, here.q, here.v, here.a);
  parts_->policy = design.policy;
  parts_->law = of_states(law_parts(design, here), linear);
  parts_->A = std::move(linear.A);
  parts_->B = std::move(linear.B);
  parts_->late = design.policy.delay + (design.policy.predict_torque ? 1 : 0);
}

RandomAges::~RandomAges() = default;
RandomAges::RandomAges(RandomAges&&) noexcept = default;

int RandomAges::readings() const { return static_cast<int>(parts_->count()); }
int RandomAges::states() const { return static_cast<int>(parts_->N()); }

bool RandomAges::every_realisation_dies(double period) const { return parts_->proven(period, 1); }

void RandomAges::look_near(double period) const { parts_->look_for_the_worst(period); }

double RandomAges::found_radius(double period) const {
  const HeldPlant plant = parts_->held(period);
  if (parts_->worst.empty()) parts_->worst = {{Parts::Pattern(parts_->count(), false)}};
  double largest = 0;
  for (const auto& round : parts_->worst)
    largest = std::max(largest, parts_->radius_of_round(plant, round));
  return largest;
}

double RandomAges::proven_radius(double period, double tolerance) const {
  look_near(period);
  const double found = found_radius(period);
  if (!std::isfinite(found)) return INFINITY;
  double low = found, above = tolerance * std::max(std::abs(1 - found), 1e-3);
  while (!parts_->proven(period, found + above)) {
    low = found + above;
    above *= 2;
    if (found + above > 2) return INFINITY;
  }
  double high = found + above;
  while (high - low > tolerance * std::max(std::abs(1 - high), 1e-3)) {
    const double middle = (low + high) / 2;
    (parts_->proven(period, middle) ? high : low) = middle;
  }
  return high;
}

double RandomAges::mean_square_radius(double period) const {
  const Parts& p = *parts_;
  const Index N = p.N(), numbers = p.p(), two_n = p.plant();
  MatrixXd from_xi, from_r;  // ξ⁺ = from_xi ξ + from_r r
  p.close(p.held(period), MatrixXd::Zero(numbers, N), MatrixXd::Identity(numbers, numbers), from_xi,
          from_r);
  MatrixXd all(N, N + numbers);
  all << from_xi, from_r;
  MatrixXd Z(N + numbers, N + numbers);  // moments of (ξ, r)
  auto apply = [&](const double* x, double* to) {
    const Eigen::Map<const MatrixXd> X(x, N, N);
    Z.setZero();
    Z.topLeftCorner(N, N) = 0.5 * (X + X.transpose());
    for (const RandomReading& r : p.law.readings) {
      const Index at = r.first, size = r.size, so_far = N + at;
      MatrixXd now(size, so_far);  // E[y (ξ, r)ᵀ]
      now.noalias() = p.law.C.middleRows(at, size) * Z.topLeftCorner(two_n, so_far);
      now.noalias() += p.law.D.block(at, 0, size, at) * Z.block(N, 0, at, so_far);
      const MatrixXd old = Z.block(two_n + at, 0, size, so_far);
      const MatrixXd both = now.leftCols(two_n) * p.law.C.middleRows(at, size).transpose() +
                            now.rightCols(at) * p.law.D.block(at, 0, size, at).transpose();
      const MatrixXd cross = 0.5 * (now + old);
      Z.block(so_far, 0, size, so_far) = cross;
      Z.block(0, so_far, so_far, size) = cross.transpose();
      Z.block(so_far, so_far, size, size) =
          0.5 * (both + Z.block(two_n + at, two_n + at, size, size));
    }
    Eigen::Map<MatrixXd>(to, N, N).noalias() = all * Z * all.transpose();
  };
  // Of a positive operator the largest eigenvalue is a real one, with a positive semidefinite
  // matrix.
  return std::sqrt(spectral_radius(static_cast<int>(N * N), apply, 40, 1e-6));
}

double RandomAges::realisation_radius(double period, std::uint64_t seed) const {
  const HeldPlant plant = parts_->held(period);
  Policy policy = parts_->policy;
  policy.seed = seed;
  std::vector<MatrixXd> steps;
  for (long k = 0; k < Policy::round; ++k) {
    std::vector<bool> now;
    for (const RandomReading& r : parts_->law.readings)
      now.push_back(policy.neighbour_age(r.variable, r.link, k) == 0);
    steps.push_back(parts_->step(plant, now));
  }
  const Index N = parts_->N();
  VectorXd x(N);
  auto round = [&](const double* from, double* to) {
    x = Eigen::Map<const VectorXd>(from, N);
    for (const MatrixXd& A : steps) x = (A * x).eval();
    Eigen::Map<VectorXd>(to, N) = x;
  };
  return std::pow(spectral_radius(static_cast<int>(N), round, 2), 1.0 / Policy::round);
}

std::vector<double> RandomAges::step(double period, const std::vector<bool>& now) const {
  if (now.size() != parts_->count())
    throw std::invalid_argument("RandomAges::step: `now` has one entry per reading");
  const MatrixXd A = parts_->step(parts_->held(period), now);
  return {A.data(), A.data() + A.size()};
}

// ---- periods

RandomPeriods random_periods(const RandomAges& loop, const PeriodRange& range, double tolerance) {
  RandomPeriods p;
  const auto radius = [&](double T) { return loop.found_radius(T); };
  p.unsafe = largest_safe_period(radius, range, 0.1 * tolerance);
  if (p.unsafe == 0) p.unsafe = range.shortest;
  loop.look_near(p.unsafe);
  if (!(radius(p.unsafe * (1 - tolerance)) < 1))
    p.unsafe = std::max(largest_safe_period(radius, range, 0.1 * tolerance), range.shortest);
  // Downwards from there until something is proven; then up again.
  double safe = p.unsafe, unproven = p.unsafe;
  bool found = false;
  for (double share = 1; safe >= range.shortest; share *= share > 0.8 ? 0.95 : 0.7) {
    safe = share * p.unsafe;
    if ((found = safe >= range.shortest && loop.every_realisation_dies(safe))) break;
    unproven = safe;
  }
  if (!found) return p;
  while (unproven - safe > tolerance * safe) {
    const double middle = (safe + unproven) / 2;
    (loop.every_realisation_dies(middle) ? safe : unproven) = middle;
  }
  // What is shorter must be proven too.
  for (double T = safe / 2; T >= std::max(range.shortest, safe / 20); T /= 2)
    if (!loop.every_realisation_dies(T)) safe = T / 2;
  p.safe = safe < range.shortest ? 0 : safe;
  return p;
}

namespace {

// The largest period at which `dies`, from `low` up, by steps of a quarter and then by bisection.
template <class Dies>
double last_period(const Dies& dies, const PeriodRange& range, double low, double tolerance) {
  double safe = std::max(low, range.shortest);
  while (!dies(safe)) {
    if (safe <= range.shortest) return 0;
    safe = std::max(safe / 1.25, range.shortest);
  }
  double unsafe = safe;
  while (safe < range.longest) {
    unsafe = std::min(1.25 * safe, range.longest);
    if (!dies(unsafe)) break;
    safe = unsafe;
  }
  while (unsafe - safe > tolerance * safe) {
    const double middle = (safe + unsafe) / 2;
    (dies(middle) ? safe : unsafe) = middle;
  }
  return safe;
}

}  // namespace

double mean_square_period(const RandomAges& loop, const PeriodRange& range, double from,
                          double tolerance) {
  return last_period([&](double T) { return loop.mean_square_radius(T) < 1; }, range, from,
                     tolerance);
}

std::vector<double> realisation_periods(const RandomAges& loop, const PeriodRange& range,
                                        double from, int count, std::uint64_t seed,
                                        double tolerance) {
  std::vector<double> all;
  for (int k = 0; k < count; ++k) {
    auto dies = [&](double T) {
      return loop.realisation_radius(T, seed + static_cast<std::uint64_t>(k)) < 1;
    };
    all.push_back(last_period(dies, range, from, tolerance));
    from = all.back();  // the next one's is near
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace parid::control
