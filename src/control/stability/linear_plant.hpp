// The linearised motion of a robot over a period of constant torque.
//
// Private: included only by .cpp files.

#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "control/layer.hpp"
#include "parid/robot.hpp"

namespace parid::control {

// About (q, v, a): ẋ = A x + B τ for x = (δq, δv), by rows: (2n, 2n), (2n, n).
void linearise(const Robot&, std::span<const double> q, std::span<const double> v,
               std::span<const double> a, std::vector<double>& A, std::vector<double>& B);

// The plant that a law controls: the robot, or its mechanism with motors, x = (δq, δθ, δv, δθ̇), and
// the measurements y = C x, (2n, states) by rows; C is empty where y = x. Springs are linear; the
// links and motors are at q, the motors displaced by what the springs carry. A law is linearised
// about measurements at q, which differ from those by the same displacement.
struct LinearPlant {
  std::vector<double> A, B, C;
};
struct LawDesign;
LinearPlant linear_plant(const Robot&, const LawDesign&, std::span<const double> q,
                         std::span<const double> v, std::span<const double> a);

// x⁺ = A x + B τ after one period, exact.
struct HeldPlant {
  Eigen::MatrixXd A, B;
};
HeldPlant held_over(double period, const std::vector<double>& A, const std::vector<double>& B);

}  // namespace parid::control
