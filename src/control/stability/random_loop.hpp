// The loop of a law whose readings across joints are randomly of this period or one period old.
//
// Private: included by .cpp files alone.

#pragma once

#include <Eigen/Core>
#include <vector>

#include "control/design.hpp"
#include "control/layer.hpp"
#include "control/stability/linear_plant.hpp"

namespace parid::control {

// A reading across joint `link`: of the parent's variable by the link, or of the link's by its
// parent.
struct RandomReading {
  Stale variable;
  int link;    // whose joint is crossed
  int source;  // whose variable it is; of a_e, whose joint moves
  int reader;
  int maker;      // the link whose equations give the value
  int first = 0;  // of its components
  int size = 0;
};

// With the readings as inputs r, what the law gives: y = C x + D r, τ = E x + F r, x = (δq, δv); of
// a plant with elastic joints x is its state, after of_states().
struct LawParts {
  int n = 0;
  std::vector<RandomReading> readings;  // a value is made of readings before it
  Eigen::MatrixXd C, D, E, F;

  Eigen::Index numbers() const { return D.rows(); }
};
LawParts law_parts(const LawDesign&, const Desired& here);
// With the plant's states in place of measurements.
LawParts of_states(LawParts, const LinearPlant&);

// ξ⁺ = A ξ + B w, z = C ξ + H w.
struct Channel {
  Eigen::MatrixXd A, B, C, H;
};

// The states ξ: δq, δv, the readings of the last period, and `late` past torques.
struct RandomLoop {
  Policy policy;
  std::vector<double> A, B;  // of the plant
  LawParts law;
  int late = 0;

  Eigen::Index n() const { return law.n; }
  Eigen::Index p() const { return law.numbers(); }
  Eigen::Index plant() const { return law.E.cols(); }  // its states
  Eigen::Index N() const { return plant() + p() + n() * late; }
  std::size_t count() const { return law.readings.size(); }

  HeldPlant held(double period) const { return held_over(period, A, B); }
  // The loop's matrices with r = r_xi ξ + r_w w; an empty r_w: none, and B is not written.
  void close(const HeldPlant&, const Eigen::MatrixXd& r_xi, const Eigen::MatrixXd& r_w,
             Eigen::MatrixXd& loop_A, Eigen::MatrixXd& loop_B) const;
  // A(σ); now[j]: reading j is this period's.
  Eigen::MatrixXd step(const HeldPlant&, const std::vector<bool>& now) const;
  Channel channel(const HeldPlant&) const;  // w = Δ z enters, z = y − y_old leaves
};

double radius_of(const Eigen::MatrixXd&);  // spectral; infinite where an entry is not finite

}  // namespace parid::control
