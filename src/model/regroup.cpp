#include "model/regroup.hpp"

namespace parid::model {
namespace {

Moments<double> seen_from_parent(const Mechanism<double>& m, int i, const Moments<double>& b) {
  const Mat3<double> E = m.placing[i].mat(0);
  const Vec3<double> p = m.placing[i].vec(9), s = E * b.ms, ms = s + b.m * p;
  const Mat3<double> K = E * full(b.K) * transposed(E) + outer(s, p) + outer(p, ms);
  return {b.m, ms, symmetric(K)};
}

}  // namespace

std::array<bool, 10> regrouped_parameters(JointKind kind) {
  switch (kind) {
    case JointKind::revolute: return {true, false, false, true, false, false, true};
    case JointKind::prismatic:
      return {false, false, false, false, true, true, true, true, true, true};
    case JointKind::spherical: return {true};
    case JointKind::floating: return {};
  }
  return {};
}

double parameter(const Moments<double>& b, int k) {
  const double all[10] = {b.m,    b.ms.x, b.ms.y, b.ms.z, b.K.xx,
                          b.K.yy, b.K.zz, b.K.xy, b.K.xz, b.K.yz};
  return all[k];
}
void set_parameter(Moments<double>& b, int k, double x) {
  double* const all[10] = {&b.m,    &b.ms.x, &b.ms.y, &b.ms.z, &b.K.xx,
                           &b.K.yy, &b.K.zz, &b.K.xy, &b.K.xz, &b.K.yz};
  *all[k] = x;
}

int Regrouped::count() const {
  int count = 0;
  for (std::size_t i = 1; i < kept.size(); ++i)
    for (const bool k : kept[i]) count += k;
  return count;
}
int Regrouped::count_nonzero() const {
  int count = 0;
  for (std::size_t i = 1; i < kept.size(); ++i)
    for (int k = 0; k < 10; ++k) count += kept[i][k] && parameter(body[i], k) != 0;
  return count;
}

Regrouped regrouped(const CanonicalModel& c) {
  const Mechanism<double>& m = c.mechanism;
  Regrouped r;
  r.body.resize(m.n + 1);
  r.kept.resize(m.n + 1);
  for (int i = 1; i <= m.n; ++i) {
    r.body[i] = {m.body[i][0], m.body[i].vec(1), m.body[i].sym(4)};
    r.kept[i].fill(true);
  }
  for (int i = c.links + 1; i <= m.n; ++i) r.kept[i].fill(false);  // rotors are no parameters
  for (int i = c.links; i >= 1; --i) {
    const std::array<bool, 10> off = regrouped_parameters(m.kind(i));
    Moments<double> down;
    for (int k = 0; k < 10; ++k)
      if (off[k]) {
        set_parameter(down, k, parameter(r.body[i], k));
        set_parameter(r.body[i], k, 0);
        r.kept[i][k] = false;
      }
    if (const int j = m.parent(i); j > 0) r.body[j] = r.body[j] + seen_from_parent(m, i, down);
  }
  return r;
}

}  // namespace parid::model
