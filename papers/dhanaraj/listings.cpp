#include "papers/dhanaraj/listings.hpp"
#include "papers/layer.hpp"

#include <cmath>

namespace parid::papers {

// clang-format off
const char* const dhanaraj_d11 = R"(
m2 = 17.4; m3 = 6.05
j1 = [0.0058 0 0 0; 0 0.0058 0 0; 0 0 -0.0058 0; 0 0 0 0]
j2 = [0.6984 0 0 -1.1832; 0 0.0340 0 0; 0 0 0.2416 0; -1.1832 0 0 17.4]
j3 = [0.0039 0 0 0; 0 0.0335 0 -0.4235; 0 0 0.1432 0; 0 -0.4235 0 6.05]
p1 = [0; 0; 0]; p2 = [0; 0.2435; 0]; p3 = [0.4318; 0; -0.0934]; g = [0 0 -9.8 0]'
cg2 = [-0.068; 0; 0; 1]; cg3 = [0; -0.07; 0; 1]
s1 = sin(q1); c1 = cos(q1); s2 = sin(q2); c2 = cos(q2); s3 = sin(q3); c3 = cos(q3)
r1 = [c1 -s1 0; s1 c1 0; 0 0 1]; r2 = [c2 -s2 0; 0 0 1; -s2 -c2 0]; r3 = [c3 -s3 0; s3 c3 0; 0 0 1]
r1 = [r1 p1; 0 0 0 1]; r2 = [r2 p2; 0 0 0 1]; r3 = [r3 p3; 0 0 0 1]
qq = [0 -1 0 0; 1 0 0 0; 0 0 0 0; 0 0 0 0]
dr1 = r1*qq; dr2 = r2*qq; dr3 = r3*qq; ddr1 = dr1*qq; ddr2 = dr2*qq; ddr3 = dr3*qq
t1 = r1; t2 = t1*r2; t3 = t2*r3
ftt0 = [0 0 0 0; 0 0 0 0; 0 0 0 0; 0 0 0 0]
ftt1 = ftt0*r1 + dri*v1; ftt2 = ftt1*r2 + t1*dr2*v2; ftt3 = ftt2*r3 + t2*dr3*v3
t0 = [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]; stt0 = ftt0
stt1 = stt0*r1 + 2*ftt0*dr1*v1 + t0*ddr1*v1^2 + t0*dr1*a1
stt2 = stt1*r2 + 2*ftt1*dr2*v2 + t1*ddr2*v2^2 + t1*dr2*a2
stt3 = stt2*r3 + 2*ftt2*dr3*v3 + t2*ddr3*v3^2 + t2*dr3*a3
dt1 = dr1; dt2 = t1*dr2; dt3 = t2*dr3
d3 = j3*stt3'; d2 = j2*stt2' + r3*d3; d1 = j1*stt1' + r2*d2
trc1 = trace(dt1*d1); trc2 = trace(dt2*d2); trc3 = trace(dt3*d3)
cc3 = m3*cg3; cc2 = m2*cg2 + r3*cc3; cc1 = r2*cc2
g1 = -g'*dt1*cc1; g2 = -g'*dt2*cc2; g3 = -g'*dt3*cc3
toq1 = trc1 + g1; toq2 = trc2 + g2; toq3 = trc3 + g3
)";

const char* const dhanaraj_d12 = R"(
m2 = 17.4; m3 = 6.05
i1 = [0 0 0; 0 0 0; 0 0 0.35+1.14]; i2 = [0.130 0 0; 0 0.524 0; 0 0 0.539+4.71]
i3 = [0.192 0 0; 0 0.0154 0; 0 0 0.212+0.83]
p1 = [0; 0; 0]; p2 = [0; 0.2435; 0]; p3 = [0.4318; 0; -0.0934]; p4 = [0; -0.4318; 0]
cg2 = [-0.068; 0; 0]
y3new = (6.05*0.07 + m4*0.4318)/(m4 + 6.05); cg3 = [0; -y3new; 0]; m3 = m4 + m3
dxx = m4*(p4(2)^2 + p4(3)^2); dyy = m4*(p4(1)^2 + p4(3)^2); dzz = m4*(p4(1)^2 + p4(2)^2)
i3 = i3 + [dxx 0 0; 0 dyy 0; 0 0 dzz]
s1 = sin(q1); c1 = cos(q1); s2 = sin(q2); c2 = cos(q2); s3 = sin(q3); c3 = cos(q3)
r1 = [c1 -s1 0; s1 c1 0; 0 0 1]; r2 = [c2 -s2 0; 0 0 1; -s2 -c2 0]; r3 = [c3 -s3 0; s3 c3 0; 0 0 1]
av0 = [0; 0; 0]; aa0 = [0; 0; 0]; la0 = [0; 0; 9.8]
av1 = r1'*av0 + [0; 0; v1]; aa1 = r1'*aa0 + [0; 0; a1] + cross(av1, [0; 0; v1])
la1 = r1'*(la0 + cross(aa0, p1) + cross(av0, cross(av0, p1)))
av2 = r2'*av1 + [0; 0; v2]; aa2 = r2'*aa1 + [0; 0; a2] + cross(av2, [0; 0; v2])
la2 = r2'*(la1 + cross(aa1, p2) + cross(av1, cross(av1, p2)))
lc2 = la2 + cross(aa2, cg2) + cross(av2, cross(av2, cg2))
av3 = r3'*av2 + [0; 0; v3]; aa3 = r3'*aa2 + [0; 0; a3] + cross(av3, [0; 0; v3])
la3 = r3'*(la2 + cross(aa2, p3) + cross(av2, cross(av2, p3)))
lc3 = la3 + cross(aa3, cg3) + cross(av3, cross(av3, cg3))
f3 = m3*lc3; n3 = i3*aa3 + cross(av3, i3*av3) + cross(cg3, m3*lc3)
f2 = r3*f3 + m2*lc2; f1 = r2*f2
n2 = r3*n3 + i2*aa2 + cross(av2, i2*av2) + cross(cg2, m2*lc2) + cross(p3, r3*f3)
n1 = r2*n2 + i1*aa1 + cross(av1, i1*av1) + cross(p2, r2*f2)
t1 = n1(3,1); t2 = n2(3,1); t3 = n3(3,1)
)";

const char* const dhanaraj_d13 = R"(
h = 0; e = 0.4318; f = 0.4318; g = 0.1270
q1f = atan2(-px, py) + atan2(sqrt(px^2 + py^2 - g^2), g); q1 = q1f
k = e^2 + f^2 + g^2 - px^2 - py^2 - (pz - h)^2
q3f = atan2(k, sqrt(4*e^2*f^2 - k^2)); q3 = q3f
s3 = sin(q3); c3 = cos(q3); c1 = cos(q1); s1 = sin(q1)
q2 = atan2(-(px*c1 + py*s1)*f*c3 - (pz - h)*(e - f*s3), (px*c1 + py*s1)*(e - f*s3) - (pz - h)*f*c3)
d3 = 5*0.0254; d4 = 17*0.0254; a2 = 17*0.0254; a3 = 0
s2 = sin(q2); c2 = cos(q2); s23 = sin(q2 + q3); c23 = cos(q2 + q3)
ppx = a3*c1*c23 - d4*c1*s23 + a2*c2*c1 - d3*s1
ppy = a3*s1*c23 - d4*s1*s23 + a2*c2*s1 + d3*c1
ppz = -a3*s23 - d4*c23 - a2*s2
con11 = -a3*s1*c23 + d4*s1*s23 - a2*s1*c2 - d3*c1; con12 = -a3*c1*s23 - d4*c1*c23 - a2*s2*c1
con13 = -a3*c1*s23 - d4*c1*c23
con21 = a3*c1*c23 - d4*c1*s23 + a2*c1*c2 - d3*s1; con22 = -a3*s1*s23 - d4*s1*c23 - a2*s2*s1
con23 = -a3*s1*s23 - d4*s1*c23
con31 = 0; con32 = -a3*c23 + d4*s23 - a2*c2; con33 = -a3*c23 + d4*s23
con = [con11 con12 con13; con21 con22 con23; con31 con32 con33]
vq = inv(con)*[vx; vy; vz]; v1 = vq(1); v2 = vq(2); v3 = vq(3)
tx11 = (-a3*c1*c23 + d4*c1*s23 - a2*c2*c1 + d3*s1)*v1^2
tx22 = (-a3*c1*c23 + d4*c1*s23 - a2*c2*c1)*v2^2; tx33 = (-a3*c1*c23 + d4*c1*s23)*v3^2
tx12 = (a3*s1*s23 + d4*s1*c23 + a2*s2*s1)*2*v1*v2; tx23 = (-a3*c1*c23 + d4*c1*s23)*v2*v3*2
tx13 = (a3*s1*s23 + d4*s1*c23)*2*v1*v3
ty11 = (-a3*s1*c23 + d4*s1*s23 - a2*c2*s1 - d3*c1)*v1^2
ty22 = (-a3*s1*c23 + d4*s1*s23 - a2*c2*s1)*v2^2; ty33 = (-a3*s1*c23 + d4*s1*s23)*v3^2
ty12 = (-a3*c1*s23 - d4*c1*c23 - a2*s2*c1)*v1*v2*2; ty23 = (-a3*s1*c23 + d4*s1*s23)*v3*v2*2
ty13 = (-a3*c1*s23 - d4*c1*c23)*v3*v1*2
tz11 = 0; tz22 = (a3*s23 + d4*c23 + a2*s2)*v2^2; tz33 = (a3*s23 + d4*c23)*v3^2
tz23 = (a3*s23 + d4*c23)*v2*v3*2
sra1 = ax - (tx11 + tx22 + tx33 + tx12 + tx13 + tx23)
sra2 = ay - (ty11 + ty22 + ty33 + ty12 + ty13 + ty23); sra3 = az - (tz11 + tz22 + tz33 + tz23)
qa = inv(con)*[sra1; sra2; sra3]
)";

const char* const dhanaraj_d4_matrix = R"(
s2 = sin(q2); c2 = cos(q2); s3 = sin(q3); c3 = cos(q3)
ac11 = 6.881538*(c2*s2*c3*s3 + 0.5946234*c2*s2*c3 - s2^2*s3^2 - 0.5946234*s2^2*s3 - 0.0035408*s2^2 + 0.5*s3^2 + 0.5946234*s3 + 0.9436266)
ac12 = -0.7112062*(c2*c3 - s2*s3 - 1.056647*s2); ac13 = -0.7112062*(c2*c3 - s2*s3)
ac22 = 4.091923*(s3 + 3.085665); ac23 = 2.045961*(s3 + 2.104716); ac33 = 4.306169
ac = [ac11 ac12 ac13; ac12 ac22 ac23; ac13 ac23 ac33]
)";

const char* const dhanaraj_d4_bias = R"(
s2 = sin(q2); c2 = cos(q2); s3 = sin(q3); c3 = cos(q3)
vc1 = -13.76656*(c2*s2*s3^2*v1*v2 + c2*s2*s3^2*v1*v3 + 0.5948432*c2*s2*s3*v1*v2 + 0.2974216*c2*s2*s3*v1*v3 + 0.0036841*c2*s2*v1*v2 - 0.5*c2*s2*v1*v3 - 0.0516941*c2*s3*v2^2 - 0.1033881*c2*s3*v2*v3 - 0.0516941*c2*s3*v3^2 - 0.0546354*c2*v2^2 + s2^2*c3*s3*v1*v2 + s2^2*c3*s3*v1*v3 + 0.5948432*s2^2*c3*v1*v2 + 0.2974216*s2^2*c3*v1*v3 - 0.0516941*s2*c3*v2^2 - 0.1033881*s2*c3*v2*v3 - 0.0516941*s2*c3*v3^2 - 0.5*c3*s3*v1*v2 - 0.5*c3*s3*v1*v3 - 0.2974216*c3*v1*v2 - 0.2974216*c3*v1*v3)
vc2 = 6.883283*(c2*s2*s3^2*v1^2 + 0.5948432*c2*s2*s3*v1^2 + 0.0036841*c2*s2*v1^2 - 6.750189*c2*s3 - 8.182499*c2 + s2^2*c3*s3*v1^2 + 0.5948432*s2^2*c3*v1^2 - 6.750189*s2*c3 - 0.5*c3*s3*v1^2 - 0.2974216*c3*v1^2 + 0.5948432*c3*v2*v3 + 0.2974216*c3*v3^2)
vc3 = 6.883283*(c2*s2*s3^2*v1^2 + 0.2974216*c2*s2*s3*v1^2 - 0.5*c2*s2*v1^2 - 6.750189*c2*s3 + s2^2*c3*s3*v1^2 + 0.2974216*s2^2*c3*v1^2 - 6.750189*s2*c3 - 0.5*c3*s3*v1^2 - 0.2974216*c3*v1^2 - 0.2974216*c3*v2^2)
vc = [vc1; vc2; vc3]
)";
// clang-format on

const std::vector<PrintedRecursion>& appendix_a2() {
  static const std::vector<PrintedRecursion> all{
      {"D_i = J_i Ṫᵀ + …", "D_i = J_i T̈ᵀ + …",
       "d3 = j3*ftt3'; d2 = j2*ftt2' + r3*d3; d1 = j1*ftt1' + r2*d2"},
      {"D_i = … + ⁰T_{i+1} D_{i+1}", "D_i = … + ⁱT_{i+1} D_{i+1}",
       "d2 = j2*stt2' + t3*d3; d1 = j1*stt1' + t2*d2"},
      {"c_i = … + ⁰T_{i+1} c_{i+1}", "c_i = … + ⁱT_{i+1} c_{i+1}",
       "cc2 = m2*cg2 + t3*cc3; cc1 = t2*cc2"}};
  return all;
}
Listing corrected_d11() { return Listing(dhanaraj_d11).renamed("dri", "dr1"); }

const std::vector<CustomisedProgram>& customised_programs() {
  // Joint 3 of the Stanford arm does not rotate: its velocities are link 2's, in link 3's frame.
  static const char* link3 = "av3x = av2x; av3y = av2z; kx3 = -kx2; ky3 = -kz2; ";
  static const std::string d31 = link3,
                           d32 = std::string(link3) + "rz4 = av4z*av4z; rsy4 = -(rx4+rz4)";
  static const std::vector<CustomisedProgram> all{
      {"D.3.1", dhanaraj_d31, 3, true, 48, 33, d31.c_str(), {"", ""}},
      {"D.3.2", dhanaraj_d32, 6, true, 183, 140, d32.c_str(), {"rz6", "rz5"}},
      {"D.3.3",
       dhanaraj_d33,
       3,
       false,
       80,
       55,
       "rx2 = av2x*av2x; rsz2 = -(rx2+ry2); rxm2 = kx2-aa2x; ryp2 = ky2+aa2y; "
       "jf3x = 4.8*la3x-0.336*rzm3; jf3y = 4.8*la3y-0.336*rsy3; jf3z = 4.8*la3z-0.336*rxp3",
       {"la3fy", "la3py"}},
      {"D.3.4",
       dhanaraj_d34,
       6,
       false,
       208,
       152,
       "rzp2 = kz2+aa2z; jm3y = 0.0134*((aa3y-65.18656*ky3)+1.514925*jfp4z)-jm4z",
       {"", ""}},
  };
  return all;
}

Listing corrected(const CustomisedProgram& p) {
  const Listing all(p.text);
  return (*p.renamed[0] ? all.renamed(p.renamed[0], p.renamed[1]) : all).with(p.corrections);
}

Values program_inputs(const std::vector<double>& q, const std::vector<double>& v,
                      const std::vector<double>& a) {
  Values given;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const std::string n = std::to_string(i + 1);
    given["q" + n] = q[i];
    given["v" + n] = v[i];
    given["a" + n] = a[i];
    given["s" + n] = std::sin(q[i]);
    given["c" + n] = std::cos(q[i]);
  }
  return given;
}

std::set<std::string> names(const Values& values) {
  std::set<std::string> all;
  for (const auto& [name, value] : values) all.insert(name);
  return all;
}

}  // namespace parid::papers
