// Dhanaraj's friction case study at 0.6 s, by his programs: D.1.3 computes joint positions from
// the hand's position, D.1.2 torques and reactions.

#pragma once

#include <array>

#include "math/vec3.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

struct CaseStudy {
  std::array<double, 3> q, v, a, torque;
  std::array<Vec3<double>, 3> f, n;  // reactions, in the links' frames
};

// The hand at (0.3, −0.0285, −0.0285) m with 0.35 m/s along y and z and a payload of 5 kg: none of
// it is printed, but these are the only round numbers that give the printed torques.
CaseStudy case_study();

inline constexpr std::array<double, 3> printed_radius{0.10, 0.08, 0.07},
    printed_breakaway{6.3, 5.5, 2.6}, printed_rated{97.6, 186.4, 89.4};
inline constexpr double printed_friction = 0.1;

// Eq. 3.3 without its factor µ r / d, with the printed signs or with signs for which two supports
// balance f and n.
double journal_as_printed(const Vec3<double>& f, const Vec3<double>& n, double d);
double journal_balanced(const Vec3<double>& f, const Vec3<double>& n, double d);

}  // namespace parid::papers
