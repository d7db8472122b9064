// Correct recursions with switches that insert a misprint, to compute its effect on the torques of
// an arm. Revolute joints, except for Lathrop's.

#pragma once

#include "papers/errata.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

// Newton-Euler in link coordinates.
struct NewtonEulerSwitches {
  bool acceleration_in_rate = false;  // ω from q̈
  bool centre_from_centre =
      false;  // a link's centre accelerates relative to the previous centre, by r* from the far end
  bool near_centre_from_centre = false;  // the same, by r from the joint
  bool turned_back = false;              // rotations the other way
};
JointTorques newton_euler(const NewtonEulerSwitches& = {});

// Hollerbach's 3x3 recursion, origins at the joints.
struct LagrangeSwitches {
  bool minus = false;      // p̈_j = p̈_{j−1} − …
  bool over_mass = false;  // n = r*/m
  bool no_lever = false;   // c_i = n_i + A c_{i+1}
  bool no_rate = false;    // Ẇ_j = Ẇ_{j−1} A_j
};
JointTorques lagrange(const LagrangeSwitches& = {});

// The same with origins at the links' far ends, as in the paper's own frames; gravity as an
// acceleration of the base.
struct FarSwitches {
  bool lost_term = false;    // (B1): ∂p_j/∂q_i = ∂W_i/∂q_i ⁱp_j, without ∂p_i/∂q_i
  bool before_link = false;  // (16): Ẅ_{j−1} p*_j
};
JointTorques lagrange_far(const FarSwitches& = {});

// Hollerbach's Eq. (4) with q̈_k q̈_l: the velocity terms with accelerations instead.
void squares_of_accelerations(const Mechanism<double>&, const State<double>&, double* tau);

// Lathrop's Table 5 from link to link, with 2 S + Q in p̈ or with 2 (S + Q).
JointTorques lathrop_by_links(bool lost_parenthesis);

// Equations of Dhanaraj's appendix A.3, which copies Hollerbach's.
std::vector<PrintedEquation> dhanaraj_misprints();

}  // namespace parid::papers
