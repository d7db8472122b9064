// Operation counts of our own texts and programs, at one length of an arm and as polynomials in it.

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

// Of formulation `id` on chain:N as its text stands, nothing folded; and with its zeros and ones
// folded where rotations are given as nine numbers each.
Operations as_written(const char* id, int n);
Operations simplified(const char* id, int n);

// What work() does to numbers of type Counted, in this thread.
Operations counted(const std::function<void()>& work);

// Of the robot's specialized program for torques; base parameters, without rotors.
Operations specialized_program(const Robot&);

// Horn and Raibert's sum with its coefficients given: n + n² + n³ terms; or fewer, C being
// symmetric.
Operations configuration_space(int n);
Operations symmetric_configuration_space(int n);

// "213/2 n^2 + 1241/2 n − 512" from {−512, 1241/2, 213/2}.
Polynomial polynomial(std::vector<Polynomial::Fraction> coefficients);

// The polynomial in n that `count` is, proven by one value more than its degree needs; throws where
// it is none of degree 4 or less from `first` on.
Polynomial polynomial_in_n(const std::function<long long(int)>& count, int first = 2);

}  // namespace parid::papers
