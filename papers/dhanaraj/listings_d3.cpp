// The customised programs of Dhanaraj's Appendix D.3, as printed: every statement including errors,
// in lower case.

#include "papers/dhanaraj/listings.hpp"
#include "papers/layer.hpp"

namespace parid::papers {
// clang-format off
// D.3.1: Stanford arm, three joints.
const char* const dhanaraj_d31 = R"(
av2x = -s2*v1; av2y = -c2*v1; av2z = v2; aa2x = -(s2*a1-v2*av2y); aa2y = -(c2*a1+v2*av2x)
aa2z = a2; kx2 = av2y*av2z; ky2 = av2x*av2z; kz2 = av2x*av2y; rx2 = av2x*av2x; ry2 = av2y*av2y
rz2 = av2z*av2z; rsy2 = -(rx2+rz2); rsz2 = -(ry2+rx2); rxm2 = kx2-aa2x; rxp2 = kx2+aa2x
ryp2 = ky2+aa2y; rzm2 = kz2-aa2z; if2x = -49.098*(s2+0.0107551*ryp2)
if2y = -49.098*(c2+0.0107551*rxm2); if2z = -0.528054*rsz2
jf3x = -63.406*((s2-0.2040816*v3*av3y)+0.0657857*rzm2); jf3y = -12.94*(v3*av3x-0.32235*rxp2)
jf3z = 63.406*((c2+0.1020408*a3)-0.0657857*rsy2); jf2x = if2x+jf3x; jf2y = if2y-jf3z
jfp2x = c2*jf2x-s2*jf2y; jm3x = 2.51*((aa2x-kx3)+0.2568526*jf3y)
jm3y = 2.51*((aa2z+ky3)-0.2568526*jf3x); jm3z = 0
jm2x = 0.108*((aa2x+19.54629*kx2)+0.9759259*if2y+9.259259*jm3x)
jm2y = 0.1*((aa2y-21.03*ky2)-1.054*if2x-10*jm3z)
jm2z = 2.211*((aa2z-0.0036183*kz2)+0.452284*jm3y)
jm1z = -(c2*jm2y+s2*jm2x-1.208*a1+0.1524*jfp2x); t1 = jm1z; t2 = jm2z; t3 = jf3z
)";

// D.3.2: Stanford arm.
const char* const dhanaraj_d32 = R"(
av2x = -s2*v1; av2y = -c2*v1; av2z = v2; av4x = c4*av2x+s4*av2z; av4y = c4*av2z-s4*av2x
av4z = v4-av2y; av5x = c5*av4x-s5*av4z; av5y = -(c5*av4z+s5*av4x); av5z = v5+av4y
av6x = c6*av5x+s6*av5z; av6y = c6*av5z-s6*av5x; av6z = v6-av5y; aa2x = -(s2*a1-v2*av2y)
aa2y = -(c2*a1+v2*av2x); aa2z = a2; aa4x = c4*aa2x+s4*aa2z+v4*av4y
aa4y = c4*aa2z-s4*aa2x-v4*av4x; aa4z = a4-aa2y; aa5x = c5*aa4x-s5*aa4z+v5*av5y
aa5y = -(c5*aa4z+s5*aa4x+v5*av5x); aa5z = a5+aa4y; aa6x = c6*aa5x+s6*aa5z+v6*av6y
aa6y = c6*aa5z-s6*aa5x-v6*av6x; aa6z = a6-aa5y; kx2 = av2y*av2z; ky2 = av2x*av2z
kz2 = av2x*av2y; kx4 = av4y*av4z; ky4 = av4x*av4z; kz4 = av4x*av4y; kx5 = av5y*av5z
ky5 = av5x*av5z; kz5 = av5x*av5y; kx6 = av6y*av6z; ky6 = av6x*av6z; kz6 = av6x*av6y
rx2 = av2x*av2x; ry2 = av2y*av2y; rz2 = av2z*av2z; rsx2 = -(ry2+rz2); rsy2 = -(rx2+rz2)
rsz2 = -(ry2+rx2); rxm2 = kx2-aa2x; rxp2 = kx2+aa2x; rym2 = ky2-aa2y; ryp2 = ky2+aa2y
rzm2 = kz2-aa2z; rzp2 = kz2+aa2z; rx4 = av4x*av4x; ry4 = av4y*av4y; rsz4 = -(ry4+rx4)
rxm4 = kx4-aa4x; rxp4 = kx4+aa4x; ryp4 = ky4+aa4y; rzm4 = kz4-aa4z; rx5 = av5x*av5x
rz6 = av5z*av5z; rsy5 = -(rz5+rx5); rxp5 = kx5+aa5x; rzm5 = kz5-aa5z; rx6 = av6x*av6x
ry6 = av6y*av6y; rsz6 = -(ry6+rx6); rxm6 = kx6-aa6x; ryp6 = ky6+aa6y
la3x = -9.8*(s2-0.2040816*v3*av3y); la3y = -2*v3*av3x; la3z = 9.8*c2+a3
la4x = (c4*rzm2-s4*rxp2)*q3+la3x*c4+la3y*s4; la4y = -((c4*rxp2+s4*rzm2)*q3+la3x*s4-la3y*c4)
la4z = la3z+q3*rsy2; la5x = la4x*c5-la4z*s5; la5y = -(la4x*s5+la4z*c5); la5z = la4y
la6x = la5x*c6+la5z*s6; la6y = -(la5x*s6-la5z*c6); la6z = -la5y
if2x = -49.098*(s2+0.0107551*ryp2); if2y = -49.098*(c2+0.0107551*rxm2); if2z = -0.528054*rsz2
if3x = 4.25*(la3x-0.6447*rzm2); if3y = 4.25*(la3y+0.6447*rxp2); if3z = 4.25*(la3z-0.6447*rsy2)
if4x = 1.08*(la4x-0.0054*rzm4-0.0092*ryp4); if4y = 1.08*(la4y-0.0054*rsy4-0.0092*rxm4)
if4z = 1.08*(la4z-0.0054*rxp4-0.0092*rsz4); if5x = 0.63*(la5x-0.0566*rzm5)
if5y = 0.63*(la5y-0.0566*rsy5); if5z = 0.63*(la5z-0.0566*rxp5); jf6x = 0.51*(la6x+0.1554*ryp6)
jf6y = 0.51*(la6y+0.1554*rxm6); jf6z = 0.51*(la6z+0.1554*rsz6); jfp6x = c6*jf6x-s6*jf6y
jfp6y = -jf6z; jfp6z = c6*jf6y+s6*jf6x; jf5x = if5x+jfp6x; jf5y = if5y+jfp6y; jf5z = if5z+jfp6z
jfp5x = c5*jf5x-s5*jf5y; jfp5y = jf5z; jfp5z = -(c5*jf5y+s5*jf5x); jf4x = if4x+jfp5x
jf4y = if4y+jfp5y; jf4z = if4z+jfp5z; jfp4x = c4*jf4x-s4*jf4y; jfp4y = c4*jf4y+s4*jf4x
jfp4z = jf4z; jf3x = if3x+jfp4x; jf3y = if3y+jfp4y; jf3z = if3z+jfp4z; jfp3x = jf3x
jfp3y = -jf3z; jfp3z = jf3y; jf2x = if2x+jfp3x; jf2y = if2y+jfp3y; jfp2x = c2*jf2x-s2*jf2y
jm6x = 0.013*((aa6x+0.5615385*kx6)-11.95384*jf6y)
jm6y = 0.013*((aa6y-0.5615385*ky6)+11.95384*jf6x); jm6z = 0.0203*aa6z
jm5x = 0.003*((aa5x+33.2*kx5)-18.86666*if5z)+jm6x*c6-jm6y*s6
jm5y = 0.0004*(aa5y-242.5*ky5)-jm6z; jm5z = jm6x*s6+jm6y*c6+0.1*aa5z+0.0566*if5x-0.0026*kz5
jm4x = jm5x*c5-jm5y*s5+0.002*aa4x+0.0092*if4y-0.0054*if4z+0.106*kx4
jm4y = 0.001*((aa4y-105*ky4)-9.2*if4x)+jm5z
jm4z = -(jm5x*s5+jm5y*c5-0.107*aa4z-0.0054*if4x+0.001*kz4)
jm3x = jm4x*c4-jm4y*s4-q3*jfp4y+2.51*aa2x+0.6447*if3y-2.51*kx3
jm3y = jm4x*s4+jm4y*c4+q3*jfp4x+2.51*aa2z-0.6447*if3x+2.51*ky3; jm3z = jm4z
jm2x = 0.108*((aa2x+19.54629*kx2)+9.259259*jm3x+0.9759259*if2y)
jm2y = 0.1*((aa2y-21.03*ky2)-1.054*if2x)-jm3z; jm2z = 2.211*(aa2z-0.0036183*kz2)+jm3y
jm1z = -(jm2x*s2+jm2y*c2-1.208*a1+0.1524*jfp2x); t1 = jm1z; t2 = jm2z; t3 = jf3z; t4 = jm4z
t5 = jm5z; t6 = jm6z
)";

// D.3.3: PUMA-560, three joints.
const char* const dhanaraj_d33 = R"(
av2x = -s2*v1; av2y = -c2*v1; av2z = v2; av3x = c3*av2x+s3*av2y; av3y = c3*av2y-s3*av2x
av3z = v3+av2z; aa2x = -(s2*a1-v2*av2y); aa2y = -(c2*a1+v2*av2x); aa2z = a2
aa3x = c3*aa2x+s3*aa2y+v3*av3y; aa3y = c3*aa2y-s3*aa2x-v3*av3x; aa3z = a3+aa2z; kx2 = av2y*av2z
ky2 = av2x*av2z; kz2 = av2x*av2y; kx3 = av3y*av3z; ky3 = av3x*av3z; kz3 = av3x*av3y
ry2 = av2y*av2y; rz2 = av2z*av2z; rsx2 = -(ry2+rz2); rym2 = ky2-aa2y; rzp2 = kz2+aa2z
rx3 = av3x*av3x; rz3 = av3z*av3z; rsy3 = -(rx3+rz3); rxp3 = kx3+aa3x; rzm3 = kz3-aa3z
la3px = -9.8*(s2-0.0440612*rsx2+0.0095306*ryp2); la3py = -9.8*(c2-0.0440612*rzp2+0.0095306*rxm2)
la3pz = 0.4318*(rym2-0.2163038*rsz2); la3x = c3*la3px+s3*la3fy; la3y = c3*la3py-s3*la3px
la3z = la3pz; if2x = -170.52*(s2+0.0069388*rsx2); if2y = -170.52*(c2+0.0069388*rzp2)
if2z = -1.1832*rym2; jf3x = -0.336*rzm3+la3x); jf3y = -0.336*rsy3+la3y)
jf3z = -0.336*rxp3+la3z); jfp3x = c3*jf3x-s3*jf3y; jfp3y = c3*jf3y+s3*jf3x; jfp3z = jf3z
jf2x = if2x+jfp3x; jf2y = if2y+jfp3y; jfp2x = c2*jf2x-s2*jf2y
jm3x = 0.066*((aa3x+14.03181*kx3)-1.060606*jf3z); jm3y = 0.0134*(aa3y-65.18656*ky3)
jm3z = 0.9395*((aa3z-0.0559872*kz3)+0.0745077*jf3x)
jm2x = c3*jm3x-s3*jm3y+0.1351*aa2x+0.0934*jfp3y+4.7212*kx2
jm2y = c3*jm3y+s3*jm3x+0.6089*aa2y+0.068*if2z-0.0934*jfp3x-0.4318*jfp3z-5.195*ky2
jm2z = 5.3301*((aa2z+0.0888914*kz2)-0.0127577*if2y+0.0810116*jfp3y)+jm3z
jm1z = -(c2*jm2y+s2*jm2x-1.49*a1+0.2435*jfp2x); t1 = jm1z; t2 = jm2z; t3 = jm3z
)";

// D.3.4: PUMA-560.
const char* const dhanaraj_d34 = R"(
av2x = -s2*v1; av2y = -c2*v1; av2z = v2; av3x = c3*av2x+s3*av2y; av3y = c3*av2y-s3*av2x
av3z = v3+av2z; av4x = c4*av3x+s4*av3z; av4y = c4*av3z-s4*av3x; av4z = v4-av3y
av5x = c5*av4x-s5*av4z; av5y = -(c5*av4z+s5*av4x); av5z = v5+av4y; av6x = c6*av5x+s6*av5z
av6y = c6*av5z-s6*av5x; av6z = v6-av5y; aa2x = -(s2*a1-v2*av2y); aa2y = -(c2*a1+v2*av2x)
aa2z = a2; aa3x = c3*aa2x+s3*aa2y+v3*av3y; aa3y = c3*aa2y-s3*aa2x-v3*av3x; aa3z = a3+aa2z
aa4x = c4*aa3x+s4*aa3z+v4*av4y; aa4y = c4*aa3z-s4*aa3x-v4*av4x; aa4z = a4-aa3y
aa5x = c5*aa4x-s5*aa4z+v5*av5y; aa5y = -(c5*aa4z+s5*aa4x+v5*av5x); aa5z = a5+aa4y
aa6x = c6*aa5x+s6*aa5z+v6*av6y; aa6y = c6*aa5z-s6*aa5x-v6*av6x; aa6z = a6-aa5y; kx2 = av2y*av2z
ky2 = av2x*av2z; kz2 = av2x*av2y; kx3 = av3y*av3z; ky3 = av3x*av3z; kz3 = av3x*av3y
kx4 = av4y*av4z; ky4 = av4x*av4z; kz4 = av4x*av4y; kx5 = av5y*av5z; ky5 = av5x*av5z
kz5 = av5x*av5y; kx6 = av6y*av6z; ky6 = av6x*av6z; kz6 = av6x*av6y; rx2 = av2x*av2x
ry2 = av2y*av2y; rz2 = av2z*av2z; rsx2 = -(ry2+rz2); rsz2 = -(rx2+ry2); rxm2 = kx2-aa2x
rym2 = ky2-aa2y; ryp2 = ky2+aa2y; rx3 = av3x*av3x; ry3 = av3y*av3y; rz3 = av3z*av3z
rsx3 = -(ry3+rz3); rsy3 = -(rx3+rz3); rxp3 = kx3+aa3x; rym3 = ky3-aa3y; rx4 = av4x*av4x
ry4 = av4y*av4y; rzm3 = kz3-aa3z; rzp3 = kz3+aa3z; rsz4 = -(rx4+ry4); rxm4 = kx4-aa4x
ryp4 = ky4+aa4y; rx6 = av6x*av6x; ry6 = av6y*av6y; rsz6 = -(rx6+ry6); rxm6 = kx6-aa6x
ryp6 = ky6+aa6y; la3px = -9.8*(s2-0.0440612*rsx2+0.0095306*ryp2)
la3py = -9.8*(c2-0.0440612*rzp2+0.0095306*rxm2); la3pz = 0.4318*(rym2-0.2163038*rsz2)
la3x = c3*la3px+s3*la3py; la3y = c3*la3py-s3*la3px; la3z = la3pz
la4px = la3x-0.0203*rsx3-0.4331*rzm3; la4py = la3y-0.0203*rzp3-0.4331*rsy3
la4pz = la3z-0.0203*rym3-0.4331*rxp3; la4x = c4*la4px+s4*la4pz; la4y = c4*la4pz-s4*la4px
la4z = -la4py; la5x = la4x*c5-la4z*s5; la5y = -(la4x*s5+la4z*c5); la5z = la4y
la6x = la5x*c6+la5z*s6; la6y = -(la5x*s6-la5z*c6); la6z = -la5y
if2x = -170.52*(s2+0.0069388*rsx2); if2y = -170.52*(c2+0.0069388*rzp2); if2z = -1.1832*rym2
if3x = 4.8*(la3x-0.07*rzm3); if3y = 4.8*(la3y-0.07*rsy3); if3z = 4.8*(la3z-0.07*rxp3)
if4x = 0.82*(la4x-0.019*ryp4); if4y = 0.82*(la4y-0.019*rxm4); if4z = 0.82*(la4z-0.019*rsz4)
if5x = 0.34*la5x; if5y = 0.34*la5y; if5z = 0.34*la5z; jf6x = 0.09*(la6x+0.032*ryp6)
jf6y = 0.09*(la6y+0.032*rxm6); jf6z = 0.09*(la6z+0.032*rsz6); jfp6x = c6*jf6x-s6*jf6y
jfp6y = -jf6z; jfp6z = c6*jf6y+s6*jf6x; jf5x = if5x+jfp6x; jf5y = if5y+jfp6y; jf5z = if5z+jfp6z
jfp5x = c5*jf5x-s5*jf5y; jfp5y = jf5z; jfp5z = -(c5*jf5y+s5*jf5x); jf4x = if4x+jfp5x
jf4y = if4y+jfp5y; jf4z = if4z+jfp5z; jfp4x = c4*jf4x-s4*jf4y; jfp4y = -jf4z
jfp4z = c4*jf4y+s4*jf4x; jf3x = if3x+jfp4x; jf3y = if3y+jfp4y; jf3z = if3z+jfp4z
jfp3x = c3*jf3x-s3*jf3y; jfp3y = c3*jf3y+s3*jf3x; jfp3z = jf3z; jf2x = if2x+jfp3x
jf2y = if2y+jfp3y; jfp2x = c2*jf2x-s2*jf2y; jm6x = 0.0002422*((aa6x+795.862*kx6)-132.1222*jf6y)
jm6y = 0.0002422*((aa6y-795.862*ky6)+132.1222*jf6x); jm6z = 0.193*aa6z
jm5x = jm6x*c6-jm6y*s6+0.0003*aa5x+0.1791*kx5; jm5y = 0.0003*(aa5y-597.0*ky5)-jm6z
jm5z = jm6x*s6+jm6y*c6+0.1794*aa5z; jm4x = jm5x*c5-jm5y*s5+0.0021*aa4x+0.019*if4y+0.1992*kx4
jm4y = 0.0021*(aa4y-94.85714*ky4-9.047619*if4x)+jm5z; jm4z = -(jm5x*s5+jm5y*c5-0.2013*aa4z)
jm3x = jm4x*c4-jm4y*s4+0.066*aa3x-0.07*if3z-0.4331*jfp4z+0.9261*kx3
jm3y = 0.0134*((aa3y-65.18656*ky3)+1.514925*jfp4z)-jm3z
jm3z = jm4x*s4+jm4y*c4+0.9395*aa3z+0.07*if3x+0.4331*jfp4x-0.0203*jfp4y-0.0526*kz3
jm2x = jm3x*c3-jm3y*s3+0.1351*aa2x+0.0934*jfp3y+4.7212*kx2
jm2y = jm3x*s3+jm3y*c3+0.6089*aa2y+0.068*if2z-0.0934*jfp3x-0.4318*jfp3z-5.195*ky2
jm2z = 5.3301*((aa2z+0.0888914*kz2)-0.0127577*if2y+0.0810116*jfp3y)+jm3z
jm1z = -(jm2x*s2+jm2y*c2-1.49*a1+0.2435*jfp2x); t1 = jm1z; t2 = jm2z; t3 = jm3z; t4 = jm4z
t5 = jm5z; t6 = jm6z
)";
// clang-format on

}  // namespace parid::papers
