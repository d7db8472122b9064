// The straight line of Dhanaraj's friction case study (1990).
//
// Source   Dhanaraj (1990), chapter 3 and program D.1.3: the wrist of the PUMA-560's positioning
//          joints moves along px = 0.3, py = pz = z(t), 201 points, joints by closed form on the
//          first branches.
// Printed  only the shape of z(t): ramps with constant speed between them (Fig. 3.7).
// Inferred from the printed torques at 0.6 s (Table 3.5): there z = −0.0285 m and ż = 0.35 m/s,
//          without acceleration. Any ramp of ta ≤ 0.6 s that starts at z = −0.2385 + 0.175 ta
//          passes that point.
// Duration 2.0 s. D.1.3 has 201 points and prints no time; D.4 reads 201 rows of torques, one every
//          0.01 s up to 2.0 s, but for another line (px = 0.4). Together: 201 points at 0.01 s.
// Ramp     0.22 s, from z = −0.2000 m to the end at 0.4230 m. Among ramps of whole samples it is
//          the one that starts at a whole centimetre. Another interpretation is as round: 0.20 s
//          from −0.2000 m, which passes z = −0.0285 m at 0.59 s, the 60th sample; then the time of
//          that row in Table 3.5 would be wrong. Ours keeps the printed 0.6 s. The line's end and
//          the second ramp follow from symmetry alone.
// Lengths  the program's own (0.127, 0.4318, 0.4318), not those of the dynamics; and the program's
//          forearm lies along +y of link 3, that of the dynamics along −y. So the robot file's hand
//          is not on this line, nor is it in Dhanaraj (1990): 0.86 m from it at 0.6 s. With q3 half
//          a turn further it is 23 mm off.

#pragma once

#include "motion/layer.hpp"
#include "motion/trajectory.hpp"

namespace parid::motion {

// Throws Error unless the robot is a PUMA-560: puma560-positioning, or three revolute joints with
// the same arrangement of axes, alone or with a wrist of three more, which is held at neutral().
TrajectoryPointer dhanaraj_line(const Robot&);

}  // namespace parid::motion
