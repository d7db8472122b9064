# planar3_mass
# mass: mass matrix of planar3.
# Robot: ours: uniform rods
#
# 5 multiplications, 12 additions, 2 pairs of sine and cosine
# 15 instructions if multiplications and additions are fused
# critical path: 7 operations (2 multiplications, 4 additions, 1 sine); 6 without sines and arc tangents
# peak live values: 8
# inertias regrouped into 9 base parameters
#
# SI units and radians; gravity 0 0 -9.81 m/s2; joints in the robot file's order.
# Inputs: q[3]; outputs: M[9]; matrices are row-major.
# 16 terms; 6 multiplications and 11 additions as written; the program takes 5 and 12.

M11 = 4 + 3*cos(q2) + cos(q2 + q3) + cos(q3)
M12 = 1.66666666667 + 1.5*cos(q2) + 0.5*cos(q2 + q3) + cos(q3)
M13 = 0.333333333333 + 0.5*cos(q2 + q3) + 0.5*cos(q3)
M21 = M12
M22 = 1.66666666667 + cos(q3)
M23 = 0.333333333333 + 0.5*cos(q3)
M31 = M13
M32 = M23
M33 = 0.333333333333
