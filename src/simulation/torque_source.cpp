#include "parid/torque_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/given_values.hpp"
#include "parid/error.hpp"
#include "simulation/layer.hpp"

namespace parid {
using namespace simulation;

namespace {

class NoTorque : public TorqueSource {
 public:
  void torque(double, std::span<const double>, std::span<const double>,
              std::span<double> tau) override {
    std::fill(tau.begin(), tau.end(), 0.0);
  }
};

class OpenLoop : public TorqueSource {
 public:
  OpenLoop(TorqueSamples samples, Hold hold) : x_(std::move(samples)), hold_(hold) {
    if (x_.t.empty() || x_.tau.empty() || x_.tau.size() % x_.t.size() != 0)
      throw std::invalid_argument("open_loop: tau needs a row for every time");
    require_rising("t", x_.t);
    require_finite("tau", x_.tau);
  }
  // Selects the row here, so that evaluations at a break use the piece after it.
  void begin(double t, std::span<const double>, std::span<const double>) override {
    next_ = static_cast<std::size_t>(std::upper_bound(x_.t.begin(), x_.t.end(), t) - x_.t.begin());
  }
  double next_break() const override {
    return next_ < x_.t.size() ? x_.t[next_] : std::numeric_limits<double>::infinity();
  }
  void torque(double t, std::span<const double>, std::span<const double>,
              std::span<double> tau) override {
    const std::size_t n = tau.size(), row = next_ > 0 ? next_ - 1 : 0;
    const double* now = &x_.tau[row * n];
    std::copy_n(now, n, tau.begin());
    if (hold_ == Hold::zero_order || next_ == 0 || next_ == x_.t.size()) return;
    const double s = (t - x_.t[row]) / (x_.t[next_] - x_.t[row]);
    for (std::size_t k = 0; k < n; ++k) tau[k] += s * (now[n + k] - now[k]);
  }

 private:
  TorqueSamples x_;
  Hold hold_;
  std::size_t next_ = 0;  // the first row after the piece
};

class Continuous : public TorqueSource {
 public:
  explicit Continuous(ControlLaw law) : law_(std::move(law)) {}
  void torque(double t, std::span<const double> q, std::span<const double> v,
              std::span<double> tau) override {
    law_(t, q, v, tau);
  }

 private:
  ControlLaw law_;
};

class Sampled : public TorqueSource {
 public:
  Sampled(const Robot& robot, ControlLaw law, double rate)
      : law_(std::move(law)), rate_(rate), held_(static_cast<std::size_t>(robot.nv())) {
    if (!(rate > 0) || !std::isfinite(rate))
      throw Error(fmt::format("sampled_control: the rate is {}; give samples per second", rate));
  }
  void begin(double t, std::span<const double> q, std::span<const double> v) override {
    if (t < next_break()) return;  // another break than ours
    count_ = std::floor(t * rate_ * (1 + 1e-14)) + 1;
    law_(t, q, v, held_);
  }
  double next_break() const override { return count_ < 0 ? -1 : count_ / rate_; }
  void torque(double, std::span<const double>, std::span<const double>,
              std::span<double> tau) override {
    std::copy(held_.begin(), held_.end(), tau.begin());
  }

 private:
  ControlLaw law_;
  double rate_, count_ = -1;
  std::vector<double> held_;
};

}  // namespace

std::unique_ptr<TorqueSource> no_torque() { return std::make_unique<NoTorque>(); }
std::unique_ptr<TorqueSource> open_loop(TorqueSamples samples, Hold hold) {
  return std::make_unique<OpenLoop>(std::move(samples), hold);
}
std::unique_ptr<TorqueSource> continuous_control(ControlLaw law) {
  return std::make_unique<Continuous>(std::move(law));
}
std::unique_ptr<TorqueSource> sampled_control(const Robot& robot, ControlLaw law, double rate) {
  return std::make_unique<Sampled>(robot, std::move(law), rate);
}

}  // namespace parid
