// Weighted least squares for equations in groups, each with its own unknown noise.
//
// An equation is row · x = target + noise. Those of one group (one joint's torques) share a
// standard deviation, which is estimated together with x: solve, compute each group's residuals,
// weight by them, repeat. Equations are not stored: each group has the triangle R of a QR
// decomposition, to which rows are added by Householder reflections in blocks, so memory is that of
// the unknowns and nothing is squared.
//
// A column that depends linearly on earlier ones (to `dependent` of its length) is not
// identifiable; its unknown keeps its given value, and the result lists it.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "identification/layer.hpp"

namespace parid::identification {

struct LeastSquaresSolution {
  std::vector<double> x;
  std::vector<double> standard_error;  // infinite if not identifiable
  std::vector<bool> found;
  // For an unknown that is not identifiable: the others on whose columns its own depends.
  std::vector<std::vector<int>> confused_with;
  std::vector<double> sigma;        // standard deviation of each group's noise
  std::vector<double> freedom;      // of each group: its equations minus its share of the unknowns
  double condition = 1;             // of the weighted identifiable columns, each normalised
  int weighings = 0;                // iterations until the sigmas converged
  std::vector<double> information;  // (unknowns + 1)² row-major, upper: |information · (x, -1)|² is
                                    // the weighted sum of squares
};

class GroupedLeastSquares {
 public:
  // The unknowns that the equations of each group contain.
  GroupedLeastSquares(int unknowns, std::vector<std::vector<int>> unknowns_of_group);
  ~GroupedLeastSquares();

  // `row` has all unknowns. An equation of weight w counts as w² equations.
  void add(int group, const double* row, double target, double weight = 1);

  std::size_t equations() const;
  // `given`: values of unknowns that are not identifiable.
  LeastSquaresSolution solve(std::span<const double> given, double dependent = 1e-7) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parid::identification
