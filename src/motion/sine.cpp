#include "motion/sine.hpp"

#include <array>
#include <cmath>

#include "model/given_values.hpp"

namespace parid::motion {
namespace {

class Sine final : public Trajectory {
 public:
  Sine(std::vector<double> q0, std::vector<double> amplitude, double frequency, double duration)
      : q0_(std::move(q0)), A_(std::move(amplitude)), w_(frequency), duration_(duration) {}
  double duration() const override { return duration_; }
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> a) const override {
    const double s = std::sin(w_ * t), c = std::cos(w_ * t);
    for (std::size_t k = 0; k < A_.size(); ++k) {
      q[k] = q0_[k] + A_[k] * s;
      v[k] = A_[k] * w_ * c;
      a[k] = -A_[k] * w_ * w_ * s;
    }
  }
  void higher(double t, std::span<double> jerk, std::span<double> snap) const override {
    const double s = std::sin(w_ * t), c = std::cos(w_ * t), cube = w_ * w_ * w_;
    for (std::size_t k = 0; k < A_.size(); ++k) {
      jerk[k] = -A_[k] * cube * c;
      snap[k] = A_[k] * cube * w_ * s;
    }
  }

 private:
  std::vector<double> q0_, A_;
  double w_, duration_;
};

}  // namespace

TrajectoryPointer sine(std::vector<double> q0, std::vector<double> amplitude, double frequency,
                       double duration) {
  require_finite("about", q0);
  require_finite("amplitude", amplitude);
  require_finite("frequency", std::array{frequency});
  require_above_zero("duration", duration, "10");
  return std::make_shared<Sine>(std::move(q0), std::move(amplitude), frequency, duration);
}

}  // namespace parid::motion
