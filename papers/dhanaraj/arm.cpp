#include "papers/dhanaraj/arm.hpp"
#include "papers/layer.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace parid::papers {
namespace {

constexpr double right = std::numbers::pi / 2;

SinCos<double> turn(double x) { return {std::sin(x), std::cos(x)}; }

// Table 2.1.
DhanarajArm puma_frames(int joints) {
  DhanarajArm arm{{.alpha = 0},
                  {.alpha = -right, .d = 0.2435},
                  {.a = 0.4318, .d = -0.0934},
                  {.alpha = right, .a = -0.0203, .d = 0.4331},
                  {.alpha = -right},
                  {.alpha = right}};
  arm.resize(static_cast<std::size_t>(joints));
  return arm;
}
// Table 2.2; rows 3 and 4 with R_3 of the text and p_3 of the programs.
DhanarajArm stanford_frames(int joints, bool slides) {
  DhanarajArm arm{{.alpha = 0},
                  {.alpha = -right, .d = 0.1524},
                  {.alpha = right, .prismatic = true, .d_of = slides ? 2 : -1},
                  {.d_of = slides ? -1 : 2},
                  {.alpha = -right},
                  {.alpha = right}};
  arm.resize(static_cast<std::size_t>(joints));
  return arm;
}

void set_bodies(DhanarajArm& arm, const std::vector<double>& mass,
                const std::vector<Vec3<double>>& s, const std::vector<Vec3<double>>& I,
                const std::vector<double>& motor) {
  for (std::size_t i = 0; i < arm.size(); ++i) {
    arm[i].mass = mass[i];
    arm[i].s = s[i];
    arm[i].I = I[i];
    if (!motor.empty()) arm[i].motor = motor[i];
  }
}

}  // namespace

Mat3<double> craig_rotation(double alpha, double theta) {
  return rotation_x(turn(alpha)) * rotation_z(turn(theta));
}

DhanarajArm table_puma(bool corrected) {
  DhanarajArm arm = puma_frames(6);
  const double ten = corrected ? 0.1 : 1;  // links 5 and 6 are printed ten times too large
  set_bodies(arm, {0, 17.4, 4.8, 0.82, 0.34, 0.09},
             {{}, {0.068, 0.006, -0.016}, {0, -0.07, 0.014}, {0, 0, -0.019}, {}, {0, 0, 0.032}},
             {{0, 0, 0.35},
              {0.130, 0.524, 0.539},
              {0.066, 0.0125, 0.086},
              {0.0018, 0.0018, 0.0013},
              {ten * 0.0030, ten * 0.0030, ten * 0.0040},
              {ten * 0.0015, ten * 0.0015, ten * 0.0004}},
             {1.14, 4.71, 0.83, 0.20, 0.179, 0.193});
  return arm;
}

DhanarajArm table_stanford(bool corrected) {
  DhanarajArm arm = stanford_frames(6, corrected);
  if (!corrected) {
    arm[2].alpha = 0;
    arm[2].theta = right;
  }
  set_bodies(arm, {9.29, 5.01, 4.25, 1.08, 0.63, 0.51},
             {{0, -0.1165, -0.0175},
              {0, 0, -0.1054},
              {0, 0, corrected ? -0.6447 : 0.6447},
              {0, -0.0054, -0.0092},
              {0, -0.0566, 0},
              {0, 0, 0.1554}},
             {{0.276, 0.071, 0.255},
              {0.108, 0.100, 0.018},
              {2.510, 2.510, 0},
              {0.002, 0.001, 0.001},
              {0.003, 0.0004, 0.003},
              {0.013, 0.013, 0.0003}},
             {0.953, 2.193, 0.782, 0.106, 0.097, 0.020});
  return arm;
}

DhanarajArm program_puma(int joints) {
  DhanarajArm arm = puma_frames(joints);
  set_bodies(arm, {0, 17.4, 4.8, 0.82, 0.34, 0.09},
             {{}, {-0.068, 0, 0}, {0, -0.07, 0}, {0, 0, -0.019}, {}, {0, 0, 0.032}},
             {{0, 0, 1.49},
              {0.1351, 0.6089, 5.3301},
              {0.066, 0.0134, 0.9395},
              {0.0021, 0.0021, 0.2013},
              {0.0003, 0.0003, 0.1794},
              {0.0002422, 0.0002422, 0.1930}},
             {});
  return arm;
}

DhanarajArm program_stanford(int joints) {
  DhanarajArm arm = stanford_frames(joints, false);
  set_bodies(arm, {0, 5.01, joints == 3 ? 6.47 : 4.25, 1.08, 0.63, 0.51},
             {{},
              {0, 0, -0.1054},
              {0, 0, -0.6447},
              {0, -0.0054, -0.0092},
              {0, -0.0566, 0},
              {0, 0, 0.1554}},
             {{0, 0, 1.208},
              {0.108, 0.100, 2.211},
              {2.510, 2.510, 0},
              {0.002, 0.001, 0.107},
              {0.003, 0.0004, 0.1},
              {0.013, 0.013, 0.0203}},
             {});
  return arm;
}

DhanarajArm about_centres(DhanarajArm arm, const DhanarajArm& table) {
  for (std::size_t i = 0; i < arm.size(); ++i) {
    arm[i].I = table[i].I;
    arm[i].motor = arm[i].prismatic ? 0 : table[i].motor;
  }
  return arm;
}

DhanarajArm positioning_arm(double payload, bool as_a_point) {
  DhanarajArm arm = program_puma(3);
  const double far = 0.4318, near = 0.07, m = 6.05, all = m + payload,
               y = (m * near + payload * far) / all,
               added = as_a_point ? m * payload / all * (far - near) * (far - near)
                                  : payload * far * far;
  arm[0].I = {0, 0, 0.35 + 1.14};
  arm[1].I = {0.130, 0.524, 0.539 + 4.71};
  arm[2].mass = all;
  arm[2].s = {0, -y, 0};
  arm[2].I = {0.192 + added, 0.0154, 0.212 + 0.83 + added};
  return arm;
}

std::vector<double> table_2_4(const DhanarajArm& arm, const ArmState& at, const Misprints& wrong,
                              double gravity) {
  using V = Vec3<double>;
  using M = Mat3<double>;
  const std::size_t n = arm.size();
  std::vector<M> R(n);
  std::vector<V> p(n), F(n), N(n);
  V w, al, a{0, 0, gravity};
  M lambda;
  for (std::size_t i = 0; i < n; ++i) {
    const DhanarajLink& l = arm[i];
    const double v = at.v[i], acc = at.a[i],
                 d = l.d + (l.d_of >= 0 ? at.q[static_cast<std::size_t>(l.d_of)] : 0);
    R[i] = craig_rotation(l.alpha, l.theta + (l.prismatic ? 0 : at.q[i]));
    p[i] = {l.a, -std::sin(l.alpha) * d, std::cos(l.alpha) * d};
    const M before = lambda;
    w = transposed_times(R[i], w);
    al = transposed_times(R[i], al);
    if (wrong.coriolis_inside && l.prismatic) a = a + V{2 * v * w.y, -2 * v * w.x, acc};
    a = transposed_times(R[i], a + before * p[i]);
    if (l.prismatic && !wrong.coriolis_inside) a = a + V{2 * v * w.y, -2 * v * w.x, acc};
    if (!l.prismatic) {
      w.z += v;
      al = al + V{v * w.y, -v * w.x, acc};
    }
    lambda = turning(w, al);
    const V k{w.y * w.z, w.z * w.x, w.x * w.y};
    if (wrong.lambda_21) lambda.r1.x = k.x + al.x;
    if (wrong.lambda_31) lambda.r2.x = w.x * w.x - al.y;
    if (wrong.lambda_sign) lambda.r1.x = k.z - al.z;
    if (wrong.subtask_10) {
      lambda.r1.x = k.x + al.x;
      lambda.r2.y = k.z + al.z;
    }
    if (wrong.lambda_of_slide && l.prismatic) lambda = R[i] * before * transposed(R[i]);
    if (wrong.first_lambda && i == 0) lambda = M::diagonal(0, 0, v * v - acc);
    F[i] = l.mass * (a + lambda * l.s);
    const double Dx = wrong.d_x ? l.I.x - l.I.y : l.I.z - l.I.y;
    N[i] = {l.I.x * al.x + Dx * k.x, l.I.y * al.y + (l.I.x - l.I.z) * k.y,
            l.I.z * al.z + (l.I.y - l.I.x) * k.z};
  }
  std::vector<double> tau(n);
  V f, m;
  for (std::size_t i = n; i-- > 0;) {
    const V Rf = i + 1 < n ? R[i + 1] * f : V{}, Rm = i + 1 < n ? R[i + 1] * m : V{};
    m = Rm + N[i] + cross(arm[i].s, F[i]) + (i + 1 < n ? cross(p[i + 1], Rf) : V{});
    f = F[i] + Rf;
    tau[i] = (arm[i].prismatic && !wrong.n_of_slide ? f.z : m.z) + arm[i].motor * at.a[i];
  }
  return tau;
}

std::vector<ArmState> states(const DhanarajArm& arm, int count) {
  std::mt19937_64 random(1990);
  auto uniform = [&](double from, double to) {
    return from + (to - from) * (static_cast<double>(random() >> 11) * 0x1p-53);
  };
  std::vector<ArmState> all;
  for (int k = 0; k < count; ++k) {
    ArmState s;
    for (const DhanarajLink& l : arm) {
      s.q.push_back(l.prismatic ? uniform(0.2, 0.9) : uniform(-std::numbers::pi, std::numbers::pi));
      s.v.push_back(uniform(-1.5, 1.5));
      s.a.push_back(uniform(-3, 3));
    }
    all.push_back(s);
  }
  return all;
}

double greatest_effect(const DhanarajArm& one, const Misprints& wrong, const DhanarajArm& other,
                       const Misprints& also_wrong) {
  double most = 0;
  for (const ArmState& s : states(one)) {
    const std::vector<double> x = table_2_4(one, s, wrong), y = table_2_4(other, s, also_wrong);
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  }
  return most;
}

}  // namespace parid::papers
