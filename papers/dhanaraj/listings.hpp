// Dhanaraj's Appendix D as data: its programs in the language of listing.hpp, as printed.
//
// Names are the appendix's, in lower case. Cross products, which MATLAB writes out, are cross()
// here, loops are their bodies, and D.4 has only its two subroutines for the coefficients.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "papers/layer.hpp"
#include "papers/listing.hpp"

namespace parid::papers {

// ---- D.1: MATLAB
extern const char* const dhanaraj_d11;  // Lagrange: toq1 to toq3
extern const char* const dhanaraj_d12;  // Newton-Euler, with m4 in the hand: t1 to t3
extern const char* const
    dhanaraj_d13;  // inverse kinematics of one point: q, vq, qa, and back again

// Lines of Hollerbach's recursion as in Appendix A.2, which are correct in D.1.1, and as its
// statements.
struct PrintedRecursion {
  const char *printed, *corrected, *statements;
};
const std::vector<PrintedRecursion>& appendix_a2();
Listing corrected_d11();

// ---- D.3: FORTRAN, written by D.2's program
extern const char* const dhanaraj_d31;
extern const char* const dhanaraj_d32;
extern const char* const dhanaraj_d33;
extern const char* const dhanaraj_d34;

// ---- D.4: FORTRAN
extern const char* const dhanaraj_d4_matrix;  // subroutine acccoeff: ac
extern const char* const dhanaraj_d4_bias;    // subroutine velcoeff: vc

struct CustomisedProgram {
  const char* where;  // "D.3.1"
  const char* text;
  int joints;
  bool stanford;
  long long m, a;  // as counted below it
  // Statements that make it run, and compute what it was written for.
  const char* corrections;
  const char* renamed[2];  // a name corrected everywhere, or none
};
const std::vector<CustomisedProgram>& customised_programs();
Listing corrected(const CustomisedProgram&);

// q, q̇, q̈ in the programs' form: s2, c2, …, v1, …, a1, …, and q of the prismatic joint.
Values program_inputs(const std::vector<double>& q, const std::vector<double>& v,
                      const std::vector<double>& a);
std::set<std::string> names(const Values&);

}  // namespace parid::papers
