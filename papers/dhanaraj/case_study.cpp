#include "papers/dhanaraj/case_study.hpp"

#include <cmath>

#include "model/joint/friction.hpp"
#include "papers/dhanaraj/listings.hpp"
#include "papers/layer.hpp"

namespace parid::papers {

CaseStudy case_study() {
  const Values hand{{"px", 0.3},  {"py", -0.0285}, {"pz", -0.0285}, {"vx", 0.0}, {"vy", 0.35},
                    {"vz", 0.35}, {"ax", 0.0},     {"ay", 0.0},     {"az", 0.0}};
  const Values joints = Listing(dhanaraj_d13).run(hand);
  CaseStudy s;
  std::vector<double> q(3), v(3), a(3);
  for (std::size_t i = 0; i < 3; ++i) {
    s.q[i] = q[i] = joints.at("q" + std::to_string(i + 1)).x[0];
    s.v[i] = v[i] = joints.at("vq").x[i];
    s.a[i] = a[i] = joints.at("qa").x[i];
  }
  Values given = program_inputs(q, v, a);
  given["m4"] = 5.0;
  const Values out = Listing(dhanaraj_d12).run(given);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string k = std::to_string(i + 1);
    const std::vector<double>&f = out.at("f" + k).x, &n = out.at("n" + k).x;
    s.torque[i] = out.at("t" + k).x[0];
    s.f[i] = {f[0], f[1], f[2]};
    s.n[i] = {n[0], n[1], n[2]};
  }
  return s;
}

double journal_as_printed(const Vec3<double>& f, const Vec3<double>& n, double d) {
  const double x = 0.5 * d * f.x, y = 0.5 * d * f.y;
  return std::hypot(x - n.y, y - n.x) + std::hypot(x + n.y, y + n.x);
}

double journal_balanced(const Vec3<double>& f, const Vec3<double>& n, double d) {
  FrictionLaw<double> law;
  law.half_spacing = d / 2;
  return journal_load(support_forces(law, f, n));
}

}  // namespace parid::papers
