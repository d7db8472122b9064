// Dormand and Prince's embedded pair of orders 5 and 4, with the fourth-order interpolant that its
// seven stages give without further evaluations.
//
// Sources  Dormand and Prince: A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6
//          (1980); the interpolant after Shampine, as in Hairer, Nørsett and Wanner: Solving
//          Ordinary Differential Equations I, II.6.

#include <algorithm>
#include <array>
#include <cmath>

#include "simulation/integrator.hpp"

namespace parid::simulation {
namespace {

constexpr int stages = 7;
constexpr double c[stages] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double A[stages][stages - 1] = {
    {},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};  // the step itself
// The step of order 5 minus the one of order 4.
constexpr double off[stages] = {71. / 57600,       0,         -71. / 16695, 71. / 1920,
                                -17253. / 339200., 22. / 525, -1. / 40};
// The term of the interpolant beyond a cubic through both ends.
constexpr double bend[stages] = {-12715105075. / 11282082432.,  0,
                                 87487479700. / 32700410799.,   -10690763975. / 1880347072.,
                                 701980252875. / 199316789632., -1453857185. / 822651844.,
                                 69997945. / 29380423.};

class DormandPrince : public Integrator {
 public:
  explicit DormandPrince(Plant& plant) : Integrator(plant) {
    start_.resize(end_.size());
    y_.resize(end_.size());
    for (auto& k : k_) k.resize(end_.size());
  }

  bool step(double h) override {
    h_ = h;
    plant_.start(start_.data());
    if (!known_ && !plant_.rate(plant_.t, start_.data(), k_[0].data())) return false;
    known_ = true;
    for (int s = 1; s < stages; ++s) {
      for (std::size_t i = 0; i < y_.size(); ++i) {
        double sum = 0;
        for (int j = 0; j < s; ++j) sum += A[s][j] * k_[j][i];
        y_[i] = start_[i] + h * sum;
      }
      if (!plant_.rate(plant_.t + c[s] * h, y_.data(), k_[s].data())) return false;
    }
    end_ = y_;
    return true;
  }

  double error(double tolerance) const override {
    double worst = 0;
    const auto n = static_cast<std::size_t>(plant_.n());
    for (std::size_t i = 0; i < 2 * n; ++i) {
      double sum = 0;
      for (int s = 0; s < stages; ++s) sum += off[s] * k_[s][i];
      const double size = i < n ? 1 : 1 + std::max(std::abs(start_[i]), std::abs(end_[i]));
      worst = std::max(worst, std::abs(h_ * sum) / (tolerance * size));
    }
    return worst;
  }

  void at(double s, double* y) const override {
    for (std::size_t i = 0; i < end_.size(); ++i) {
      double sum = 0;
      for (int j = 0; j < stages; ++j) sum += bend[j] * k_[j][i];
      const double way = end_[i] - start_[i], first = h_ * k_[0][i] - way,
                   last = way - h_ * k_[6][i] - first;
      y[i] = start_[i] + s * (way + (1 - s) * (first + s * (last + (1 - s) * (h_ * sum))));
    }
  }

  // The last stage is the first of the next step, converted to the chart about its start, where u̇
  // = v.
  void goes_on() override {
    k_[0] = k_[6];
    std::copy_n(plant_.v.data(), plant_.n(), k_[0].data());
    known_ = true;
  }
  void starts_anew() override { known_ = false; }

 private:
  double h_ = 0;
  bool known_ = false;  // k_[0]
  std::vector<double> start_, y_;
  std::array<std::vector<double>, stages> k_;
};

}  // namespace

std::unique_ptr<Integrator> make_dormand_prince(Plant& plant) {
  return std::make_unique<DormandPrince>(plant);
}

}  // namespace parid::simulation
