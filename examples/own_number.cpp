// A user-defined number type in a formulation: torques in emulated half precision, compared with
// double precision. Uses the template API (parid::templates), which has no ABI promise.

#include <cmath>
#include <cstdio>
#include <vector>

#include "formulation/newton_euler_link.hpp"
#include "model/canonical_model.hpp"
#include "model/user_state.hpp"
#include "parid/parid.hpp"

namespace own {

// Eleven significant bits, rounded after each operation; the exponent is not limited.
struct Half {
  double x = 0;
  Half() = default;
  explicit Half(double value) {
    int exponent;
    const double mantissa = std::frexp(value, &exponent);
    x = std::ldexp(std::nearbyint(std::ldexp(mantissa, 11)), exponent - 11);
  }
};

Half operator+(Half a, Half b) { return Half(a.x + b.x); }
Half operator-(Half a, Half b) { return Half(a.x - b.x); }
Half operator*(Half a, Half b) { return Half(a.x * b.x); }
Half operator/(Half a, Half b) { return Half(a.x / b.x); }
Half operator-(Half a) { return Half(-a.x); }
bool operator<(Half a, Half b) { return a.x < b.x; }
Half sqrt(Half a) { return Half(std::sqrt(a.x)); }
Half abs(Half a) { return Half(std::abs(a.x)); }
Half atan2(Half a, Half b) { return Half(std::atan2(a.x, b.x)); }
Half select(bool which, Half a, Half b) { return which ? a : b; }
parid::scalar::SinCos<Half> sin_cos(Half a) { return {Half(std::sin(a.x)), Half(std::cos(a.x))}; }

}  // namespace own

template <class T>
std::vector<T> torques(const parid::Robot& robot, const std::vector<double>& q,
                       const std::vector<double>& v, const std::vector<double>& a) {
  const parid::model::CanonicalModel& canonical = robot.canonical();
  const parid::model::Mechanism<T> mechanism(canonical.mechanism);
  parid::model::State<T> state(mechanism);
  parid::formulation::NewtonEulerLink<T> formulation(mechanism);
  const auto number = [](const std::vector<double>& x) {
    return [&x](int k) { return T(x[static_cast<std::size_t>(k)]); };
  };
  load_state(canonical, state, number(q), number(v), number(a));
  state.place(mechanism);
  std::vector<T> joint(static_cast<std::size_t>(mechanism.n) + 1), tau(v.size());
  formulation.torque(mechanism, state, joint.data());
  const auto no_wrench = [](int) { return parid::math::Wrench<T>{}; };
  store_torque(canonical, state, joint.data(), no_wrench, number(a), number(v),
               [&](int k, const T& x) { tau[static_cast<std::size_t>(k)] = x; });
  return tau;
}

int main() {
  const parid::Robot robot = parid::Robot::load("puma560");
  const std::vector<double> q{0.3, -0.8, 0.4, 0.1, 0.7, -0.2}, v{0.5, 0.4, -0.6, 1, -1, 0.8},
      a{1, -2, 1.5, 3, -2, 4};
  const std::vector<double> exact = torques<double>(robot, q, v, a);
  const std::vector<own::Half> half = torques<own::Half>(robot, q, v, a);
  for (std::size_t k = 0; k < exact.size(); ++k)
    std::printf("%s %10.5f N m, in half precision %10.5f N m\n", robot.velocity_names()[k].c_str(),
                exact[k], half[k].x);
}
