// Dhanaraj's arms as his tables and programs give them, and his modified Newton-Euler algorithm
// (Table 2.4), which can be run with its misprints and with those of his program D.2.
//
// Bodies are those printed, physically possible or not; therefore this is not a Robot.

#pragma once

#include <vector>

#include "math/mat3.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

struct DhanarajLink {
  double alpha = 0, a = 0, theta = 0, d = 0;  // Craig's parameters
  bool prismatic = false;
  int d_of = -1;  // joint whose q is added to d, from 0: its own for a correct prismatic joint
  double mass = 0;
  Vec3<double> s = {}, I = {};  // centre of mass; diagonal of the inertia used in step 6
  double motor = 0;             // at the joint: τ += motor q̈
};
using DhanarajArm = std::vector<DhanarajLink>;

// From the tables: as printed, and corrected.
DhanarajArm table_puma(bool corrected);      // 2.1, 2.5, 2.6
DhanarajArm table_stanford(bool corrected);  // 2.2, 2.7, 2.8
// From programs D.2 and D.3: motors within Izz, inertias moved to links' origins (PUMA), the first
// link without mass, link 3 of the Stanford arm not sliding, its wrist's masses at link 3's centre
// if there are three joints.
DhanarajArm program_puma(int joints);
DhanarajArm program_stanford(int joints);
// With the inertia added by moving to the origin removed, and motors at their joints.
DhanarajArm about_centres(DhanarajArm, const DhanarajArm& table);

// The positioning joints of D.1.2 with a payload in the hand: by the program's rule, or as a point
// mass.
DhanarajArm positioning_arm(double payload, bool as_a_point = false);

// Errors in the equations of Dhanaraj (1990); none: corrected.
struct Misprints {
  bool lambda_21 = false;        // Table 2.4: k_x + α_x in (2,1)
  bool subtask_10 = false;       // Table 4.1: the same, and k_z + α_z in (3,2)
  bool lambda_31 = false;        // Eqs. 2.25 and 2.27: ω_x ω_x in (3,1)
  bool lambda_sign = false;      // Eqs. 2.30 and 2.31: −α_z in (2,1)
  bool d_x = false;              // Table 2.4: I_xx − I_yy
  bool lambda_of_slide = false;  // Table 2.4, Eq. 2.29: R λ Rᵀ for a prismatic joint
  bool n_of_slide = false;       // Table 2.4, step 9: n_z for a prismatic joint too
  // Eq. B.13: the terms of a prismatic joint are rotated by Rᵀ with the rest
  bool coriolis_inside = false;
  bool first_lambda = false;  // D.2: λ_1 = diag(0, 0, q̇² − q̈)
};

struct ArmState {
  std::vector<double> q, v, a;
};
std::vector<double> table_2_4(const DhanarajArm&, const ArmState&, const Misprints& = {},
                              double gravity = 9.8);

// Deterministic states: |q| ≤ π or within 0.2 … 0.9 m, |q̇| ≤ 1.5, |q̈| ≤ 3.
std::vector<ArmState> states(const DhanarajArm&, int count = 200);

// The greatest difference of a torque (N m) or force (N) over these states.
double greatest_effect(const DhanarajArm& one, const Misprints&, const DhanarajArm& other,
                       const Misprints& = {});

Mat3<double> craig_rotation(double alpha, double theta);

}  // namespace parid::papers
