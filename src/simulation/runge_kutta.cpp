// The classical fourth-order Runge-Kutta method in the chart of each step.
//
// Source   Kutta 1901. The simulation program of Dhanaraj (1990, D.4) uses Gill's form, which
//          differs in rounding and in the weights of its stages, but not in its order.

#include <array>

#include "simulation/integrator.hpp"

namespace parid::simulation {
namespace {

class RungeKutta : public Integrator {
 public:
  explicit RungeKutta(Plant& plant) : Integrator(plant) {
    for (auto* x : {&start_, &y_, &k_[0], &k_[1], &k_[2], &k_[3]}) x->resize(end_.size());
  }

  bool step(double h) override {
    const double t = plant_.t;
    plant_.start(start_.data());
    if (!plant_.rate(t, start_.data(), k_[0].data())) return false;
    if (!stage(t + h / 2, h / 2, 0, 1) || !stage(t + h / 2, h / 2, 1, 2) || !stage(t + h, h, 2, 3))
      return false;
    for (std::size_t i = 0; i < end_.size(); ++i)
      end_[i] = start_[i] + h / 6 * (k_[0][i] + 2 * (k_[1][i] + k_[2][i]) + k_[3][i]);
    return true;
  }

 private:
  bool stage(double t, double h, int from, int to) {
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = start_[i] + h * k_[from][i];
    return plant_.rate(t, y_.data(), k_[to].data());
  }
  std::vector<double> start_, y_;
  std::array<std::vector<double>, 4> k_;
};

}  // namespace

std::unique_ptr<Integrator> make_runge_kutta(Plant& plant) {
  return std::make_unique<RungeKutta>(plant);
}

}  // namespace parid::simulation
