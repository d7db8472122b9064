#include "kinematics/closed_form.hpp"

#include <algorithm>
#include <cmath>

#include "kinematics/frames.hpp"

namespace parid::kinematics {
namespace {

using V = Vec3<double>;

// Tolerance for rounding in a robot file: rad, and m for an arm of a metre or more.
constexpr double near_zero = 1e-9;

struct Line {
  V p, e;
};
bool zero(double x, double size = 1) { return std::abs(x) < near_zero * size; }
bool perpendicular(const Line& a, const Line& b) { return zero(dot(a.e, b.e)); }
bool parallel(const Line& a, const Line& b) { return zero(norm(cross(a.e, b.e))); }
bool meet(const Line& a, const Line& b, double size) {
  return zero(dot(b.p - a.p, cross(a.e, b.e)), size);
}
// The point of a closest to b, for perpendicular lines.
V foot(const Line& a, const Line& b) { return a.p + dot(b.p - a.p, a.e) * a.e; }
bool holds(const Line& a, const V& p, double size) { return zero(norm(cross(a.e, p - a.p)), size); }

// The angle from x to y about z.
double angle(const V& x, const V& y, const V& z) {
  return std::atan2(dot(cross(x, y), z), dot(x, y));
}

// Six consecutive axes in the world, at q = 0.
struct Axes {
  std::array<Line, 6> line;
  std::array<JointKind, 6> kind;
  std::array<int, 6> coordinate;
  Pose<double> link;

  // The longest step between axes, at most a metre: the offsets of an arm of micrometres are not
  // rounding.
  double size() const {
    double longest = 0;
    for (std::size_t k = 1; k < 6; ++k)
      longest = std::max(longest, norm(line[k].p - line[k - 1].p));
    return std::min(longest, 1.0);
  }
};

std::optional<Axes> axes_to(const CanonicalModel& c, int link) {
  const Mechanism<double>& m = c.mechanism;
  Axes axes;
  int joints = 0;
  std::array<int, 6> path;
  for (int i = c.link[link].link; i > 0; i = m.parent(i)) {
    if (joints == 6 || !(c.joint[i].scale == 1) || c.topology.free_index[i] >= 0) return {};
    path[5 - joints++] = i;
  }
  if (joints != 6) return {};
  State<double> at_zero(m);
  for (int i = 1; i <= m.n; ++i) at_zero.set(i, c.joint[i].offset, 0, 0);
  at_zero.place(m);
  Frames<double> frames(c);
  frames.place(m, at_zero);
  for (std::size_t k = 0; k < 6; ++k) {
    const int i = path[k];
    axes.line[k] = {frames[i].p, frames[i].R.column(2)};
    axes.kind[k] = m.kind(i);
    axes.coordinate[k] = c.joint[i].position;
    for (std::size_t h = 0; h < k; ++h)
      if (axes.coordinate[h] == axes.coordinate[k]) return {};  // one mimics the other
  }
  axes.link = link_pose(c, frames, link);
  return axes;
}

void turn_round(ClosedForm& form, Line& line, int joint) {
  line.e = -line.e;
  form.sign[joint] = -1;
}

}  // namespace

std::optional<ClosedForm> closed_form(const CanonicalModel& c, int link) {
  const auto axes = axes_to(c, link);
  if (!axes) return {};
  auto [L1, L2, L3, L4, L5, L6] = axes->line;
  ClosedForm form;
  form.coordinate = axes->coordinate;
  form.sign.fill(1);
  const double size = axes->size();
  for (std::size_t k = 0; k < 6; ++k)
    if (axes->kind[k] == JointKind::prismatic) {
      if (k != 2) return {};
      form.arm = ClosedForm::Arm::stanford;
    }

  // Shoulder and wrist are treated alike.
  if (!perpendicular(L1, L2) || !meet(L1, L2, size) || !perpendicular(L4, L5) ||
      !meet(L4, L5, size) || !perpendicular(L5, L6))
    return {};
  const V shoulder = foot(L1, L2), wrist = foot(L4, L5);
  if (!holds(L6, wrist, size)) return {};

  V x2, x3;
  if (form.arm == ClosedForm::Arm::puma) {
    if (!parallel(L2, L3) || !perpendicular(L3, L4)) return {};
    if (dot(L2.e, L3.e) < 0) turn_round(form, L3, 2);
    if (dot(wrist - L3.p, L4.e) < 0) turn_round(form, L4, 3);
    const V between = L3.p - L2.p, upper_arm = between - dot(between, L2.e) * L2.e;
    const double a2 = norm(upper_arm), d4 = dot(wrist - L3.p, L4.e);
    if (zero(a2, size) || zero(d4, size)) return {};
    x2 = (1 / a2) * upper_arm;
    x3 = cross(L3.e, L4.e);
    form.puma = {a2, dot(wrist - L3.p, x3), dot(wrist - shoulder, L2.e), d4, 0};
    form.zero[2] = angle(x2, x3, L3.e);
  } else {
    if (!perpendicular(L2, L3) || !parallel(L3, L4)) return {};
    if (dot(L3.e, L4.e) < 0) turn_round(form, L4, 3);
    x2 = x3 = cross(L2.e, L3.e);
    if (!zero(dot(wrist - shoulder, x2), size)) return {};
    form.stanford = {dot(wrist - shoulder, L2.e), 0};
    form.zero[2] = dot(wrist - shoulder, L3.e);
  }
  // z_i−1 × z_i, or the reverse if α is −90°.
  const V x1 = cross(L2.e, L1.e), x4 = cross(L5.e, L4.e), x5 = cross(L5.e, L6.e);
  form.zero[0] = form.zero[5] = 0;
  form.zero[1] = angle(x1, x2, L2.e);
  form.zero[3] = angle(x3, x4, L4.e);
  form.zero[4] = angle(x4, x5, L5.e);
  auto frame = [](const V& x, const V& z, const V& p) {
    return Pose<double>{transposed(Mat3<double>{x, cross(z, x), z}), p};
  };
  form.base = frame(x1, L1.e, shoulder);
  form.tool = inverse(axes->link) * frame(x5, L6.e, wrist);
  return form;
}

}  // namespace parid::kinematics
