// Operation counts of our formulations and programs, for one length of an arm and as polynomials in
// it.

#pragma once

#include <functional>
#include <string>

#include "math/polynomial.hpp"
#include "papers/layer.hpp"
#include "parid/robot.hpp"

namespace parid::papers {

// Multiplications and additions.
struct Operations {
  long long m = 0, a = 0;
  long long total() const { return m + a; }
};

// Of formulation `id` on chain:N as written, without folding; and with zeros and ones folded and
// rotations given as nine numbers each.
Operations as_written(const char* id, int n);
Operations simplified(const char* id, int n);

// The operations of work() on numbers of type Counted, in this thread.
Operations counted(const std::function<void()>& work);

// Of the robot's specialized program for torques; base parameters, without rotors.
Operations specialized_program(const Robot&);

// Horn and Raibert's sum with given coefficients: n + n² + n³ terms; or fewer, using the symmetry
// of C.
Operations configuration_space(int n);
Operations symmetric_configuration_space(int n);

// "213/2 n^2 + 1241/2 n − 512" from {−512, 1241/2, 213/2}.
Polynomial polynomial(std::vector<Polynomial::Fraction> coefficients);

// The polynomial in n that equals `count`, proven by one value more than its degree needs; throws
// if there is none of degree 4 or less from `first` on.
Polynomial polynomial_in_n(const std::function<long long(int)>& count, int first = 2);

}  // namespace parid::papers
