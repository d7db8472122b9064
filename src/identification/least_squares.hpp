// Weighted least squares for equations that come in groups, each with its own unknown noise.
//
// An equation is  row · x = target + noise. Those of one group (one joint's torques) share a
//                 standard
// deviation, which is found with x: solve, look at each group's residuals, weigh by them, again.
// Equations are not kept: each group has the triangle R of a QR decomposition, to which rows are
// added by Householder reflections in blocks, so memory is that of the unknowns and nothing is
// squared.
//
// A column that those before it make up (to `dependent` of its length) cannot be found; its unknown
// stays as given, and that is said.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "identification/layer.hpp"

namespace parid::identification {

struct LeastSquaresSolution {
  std::vector<double> x;
  std::vector<double> standard_error;  // infinite for what cannot be found
  std::vector<bool> found;
  // For an unknown that cannot be found: the others whose columns make up its own.
  std::vector<std::vector<int>> confused_with;
  std::vector<double> sigma;        // standard deviation of each group's noise
  std::vector<double> freedom;      // of each group: its equations less its share of the unknowns
  double condition = 1;             // of the weighted columns that could be found, each of length 1
  int weighings = 0;                // until the sigmas stood still
  std::vector<double> information;  // (unknowns + 1)² row-major, upper: |information · (x, -1)|² is
                                    // the weighted sum of squares
};

class GroupedLeastSquares {
 public:
  // Which unknowns the equations of each group contain.
  GroupedLeastSquares(int unknowns, std::vector<std::vector<int>> unknowns_of_group);
  ~GroupedLeastSquares();

  // `row` has all unknowns. An equation of weight w counts as w² of them.
  void add(int group, const double* row, double target, double weight = 1);

  std::size_t equations() const;
  // `given`: what an unknown that cannot be found stays at.
  LeastSquaresSolution solve(std::span<const double> given, double dependent = 1e-7) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid::identification
