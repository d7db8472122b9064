#include "kinematics/serial_arm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kinematics/frames.hpp"
#include "kinematics/serial_arm_ik.hpp"

namespace parid::kinematics {
namespace {

using V3 = Vec3<double>;
using Shape = SerialArm::Shape;
using Positioning = SerialArm::Positioning;

struct AxisLine {
  V3 p, e;
};

// The axes of the joints from the root to a link, in the world at q = 0.
struct ChainAxes {
  std::vector<AxisLine> line;
  std::vector<JointKind> kind;
  std::vector<int> coordinate;
  Pose<double> link;
  std::string why;  // not empty: no chain of simple joints
};

ChainAxes chain_axes(const CanonicalModel& c, int link) {
  const Mechanism<double>& m = c.mechanism;
  ChainAxes out;
  std::vector<int> path;
  for (int i = c.link[link].link; i > 0; i = m.parent(i)) path.push_back(i);
  std::reverse(path.begin(), path.end());
  for (const int i : path) {
    if (c.topology.free_index[i] >= 0) {
      out.why = "a joint of the chain has several degrees of freedom";
      return out;
    }
    if (c.joint[i].coupling >= 0 || !(c.joint[i].scale == 1)) {
      out.why = "a joint of the chain mimics another";
      return out;
    }
    for (const int other : out.coordinate)
      if (other == c.joint[i].position) {
        out.why = "a joint of the chain mimics another";
        return out;
      }
    out.coordinate.push_back(c.joint[i].position);
    out.kind.push_back(m.kind(i));
  }
  State<double> at_zero(m);
  for (int i = 1; i <= m.n; ++i)
    if (c.topology.free_index[i] < 0) at_zero.set(i, c.joint[i].offset, 0, 0);
  at_zero.place(m);
  Frames<double> frames(c);
  frames.place(m, at_zero);
  for (const int i : path) out.line.push_back({frames[i].p, frames[i].R.column(2)});
  out.link = link_pose(c, frames, link);
  return out;
}

bool small_angle(double x) { return std::abs(x) < axis_tolerance; }

// Denavit-Hartenberg parameters of revolute axes; the arrays have an entry per axis.
struct HartenbergChain {
  std::vector<double> a, d, zero, sign;
  std::vector<SerialArm::Twist> twist;
  Pose<double> frame0, end;  // in the world; the end is frame n at q = 0
  double size = 0;

  bool is_zero(double length) const { return std::abs(length) < axis_tolerance * size; }
};

V3 any_perpendicular(const V3& e) {
  const V3 x = std::abs(e.x) < 0.6 ? V3{1, 0, 0} : V3{0, 1, 0};
  const V3 y = cross(e, x);
  return (1 / norm(y)) * y;
}
double angle_about(const V3& x, const V3& y, const V3& z) {
  return std::atan2(dot(cross(x, y), z), dot(x, y));
}
Pose<double> frame_of(const V3& x, const V3& z, const V3& p) {
  return {transposed(Mat3<double>{x, cross(z, x), z}), p};
}

HartenbergChain hartenberg(std::vector<AxisLine> line) {
  const std::size_t n = line.size();
  HartenbergChain h;
  h.a.resize(n);
  h.d.resize(n);
  h.zero.resize(n);
  h.sign.assign(n, 1);
  h.twist.resize(n);
  std::vector<V3> x(n), from(n), to(n);  // common normals, their feet on axis i and on axis i + 1
  for (std::size_t i = 0; i + 1 < n; ++i) {
    AxisLine &one = line[i], &two = line[i + 1];
    V3 across = cross(one.e, two.e);
    double sine = norm(across);
    if (small_angle(sine)) {
      if (dot(one.e, two.e) < 0) {
        two.e = -two.e;
        h.sign[i + 1] = -1;
      }
      from[i] = i == 0 ? one.p : to[i - 1];
      to[i] = two.p + dot(from[i] - two.p, two.e) * two.e;
      V3 step = to[i] - from[i];
      step = step - dot(step, one.e) * one.e;
      h.a[i] = norm(step);
      x[i] = h.a[i] > 1e-12 ? (1 / h.a[i]) * step : i > 0 ? x[i - 1] : any_perpendicular(one.e);
      h.twist[i] = {0, 1};
      continue;
    }
    x[i] = (1 / sine) * across;
    const double cosine = dot(one.e, two.e), angle = std::atan2(sine, cosine);
    h.twist[i] = small_angle(cosine) ? SerialArm::Twist{1, 0}
                                     : SerialArm::Twist{std::sin(angle), std::cos(angle)};
    const V3 between = two.p - one.p;
    const double s2 = sine * sine, b1 = dot(between, one.e), b2 = dot(between, two.e);
    from[i] = one.p + ((b1 - cosine * b2) / s2) * one.e;
    to[i] = two.p + ((cosine * b1 - b2) / s2) * two.e;
    h.a[i] = dot(to[i] - from[i], x[i]);
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    h.d[i] = dot(from[i] - to[i - 1], line[i].e);
    h.zero[i] = angle_about(x[i - 1], x[i], line[i].e);
  }
  for (std::size_t i = 0; i < n; ++i) h.size += std::abs(h.a[i]) + std::abs(h.d[i]);
  for (std::size_t i = 0; i < n; ++i) {  // rounding
    if (std::abs(h.a[i]) < 1e-12 * h.size) h.a[i] = 0;
    if (std::abs(h.d[i]) < 1e-12 * h.size) h.d[i] = 0;
  }
  h.frame0 = frame_of(x[0], line[0].e, from[0]);
  const V3& z = line[n - 1].e;
  V3 last = x[n - 2] - dot(x[n - 2], z) * z;  // perpendicular up to the tolerance
  h.end = frame_of((1 / norm(last)) * last, z, to[n - 2]);
  return h;
}

struct Attempt {
  std::optional<SerialArm> arm;
  std::string why;
};

void take(SerialArm& f, const HartenbergChain& h) {
  f.axes = static_cast<int>(h.a.size());
  for (std::size_t k = 0; k < h.a.size(); ++k) {
    f.a[k] = h.a[k];
    f.d[k] = h.d[k];
    f.twist[k] = h.twist[k];
  }
  f.size = h.size;
}

// Six axes that end in a point, or with three parallel ones.
Attempt six_axes(const HartenbergChain& h) {
  const auto& w = h.twist;
  auto met = [&](std::size_t k) { return h.is_zero(h.a[k]) && !w[k].none(); };
  SerialArm f;
  take(f, h);
  if (w[1].none() && w[2].none() && !w[0].none() && !w[3].none() && met(4) && !h.is_zero(h.a[1]) &&
      !h.is_zero(h.a[2])) {
    f.shape = Shape::three_parallel;
    f.a[4] = 0;
    return {f, ""};
  }
  if (!met(3) || !met(4) || !h.is_zero(h.d[4]))
    return {{},
            "neither the last three nor the first three axes meet in a point, nor are there "
            "three parallel axes next to two that meet"};
  f.shape = Shape::spherical_wrist;
  f.a[3] = f.a[4] = f.d[4] = 0;
  const double mx = f.a[2], my = -w[2].sin * f.d[3];
  const bool forearm = !h.is_zero(std::hypot(mx, my));
  if (!forearm)
    return {{}, "the wrist is on axis 3, so that its distance from the shoulder is fixed"};
  if (w[1].none() && !w[0].none() && !h.is_zero(f.a[1])) {
    f.positioning = Positioning::parallel_23;
  } else if (w[0].none() && !w[1].none() && !h.is_zero(f.a[0])) {
    f.positioning = Positioning::parallel_12;
  } else if (met(0) && !w[1].none() && !h.is_zero(std::hypot(f.a[1], w[1].sin * f.d[1]))) {
    f.positioning = Positioning::meeting_12;
    f.a[0] = 0;
  } else if (met(1) && !w[0].none() && !h.is_zero(std::hypot(f.a[0], w[0].sin * f.d[1]))) {
    f.positioning = Positioning::meeting_23;
    f.a[1] = 0;
  } else {
    return {{},
            "three axes meet in a point, but of the other three no neighbours are parallel or "
            "meet: that takes a polynomial of degree four, which is not implemented"};
  }
  return {f, ""};
}

Attempt seven_axes(const HartenbergChain& h) {
  const auto& w = h.twist;
  auto met = [&](std::size_t k) { return h.is_zero(h.a[k]) && !w[k].none(); };
  SerialArm f;
  take(f, h);
  const double mx = f.a[3], my = -w[3].sin * f.d[4], tx = f.a[2], ty = w[2].sin * f.d[2];
  if (!met(0) || !met(1) || !h.is_zero(h.d[1]) || !met(4) || !met(5) || !h.is_zero(h.d[5]) ||
      w[2].none() || h.is_zero(std::hypot(mx, my)) || h.is_zero(std::hypot(tx, ty)))
    return {};
  f.shape = Shape::spherical_spherical;
  f.redundancy = SerialArm::Redundancy::arm_angle;
  f.a[0] = f.a[1] = f.d[1] = f.a[4] = f.a[5] = f.d[5] = 0;
  return {f, ""};
}

std::vector<AxisLine> reversed(std::vector<AxisLine> line) {
  std::reverse(line.begin(), line.end());
  for (AxisLine& l : line) l.e = -l.e;
  return line;
}

// Frame n of the form at q = 0 by its own parameters, in frame 0.
Pose<double> end_of(const SerialArm& f) {
  std::array<double, SerialArm::most_joints> q{};
  SerialArm plain = f;
  plain.base = plain.tool = {};
  plain.reversed = false;
  plain.redundancy = SerialArm::Redundancy::none;
  return forward(plain, q);
}

// Joints, signs, zeros and the frames at both ends. `place[k]` is the joint of the k-th line.
void connect(SerialArm& f, const HartenbergChain& h, const ChainAxes& axes,
             const std::vector<int>& place) {
  f.joints = static_cast<int>(axes.line.size());
  for (std::size_t k = 0; k < axes.line.size(); ++k) {
    f.coordinate[k] = axes.coordinate[k];
    f.sign[k] = 1;
  }
  for (std::size_t k = 0; k < place.size(); ++k) {
    const auto joint = static_cast<std::size_t>(place[k]);
    f.place[k] = place[k];
    f.sign[joint] = h.sign[k];
    f.zero[joint] = h.zero[k];
  }
  if (f.slide >= 0) {  // along the axes or against them
    const auto slide = static_cast<std::size_t>(f.slide);
    if (dot(axes.line[slide].e, h.frame0.R.column(2)) < 0) f.sign[slide] = -1;
  }
  // X = frame0⁻¹ end at q = 0, whichever end is the root
  Pose<double> root = h.frame0, tip = h.frame0 * end_of(f);
  if (f.reversed) std::swap(root, tip);
  f.base = root;
  if (f.redundancy == SerialArm::Redundancy::last_joint) {
    const AxisLine& l = axes.line.back();
    const Pose<double> G = frame_of(any_perpendicular(l.e), l.e, l.p);
    f.last = inverse(axes.link) * G;
    f.tool = inverse(G) * tip;
  } else {
    f.tool = inverse(axes.link) * tip;
  }
}

Pose<double> exact_pose(const ChainAxes& axes, const std::array<double, 7>& q) {
  Pose<double> at;
  for (std::size_t k = 0; k < axes.line.size(); ++k) {
    const AxisLine& l = axes.line[k];
    if (axes.kind[k] == JointKind::prismatic) {
      at = at * Pose<double>{Mat3<double>::identity(), q[k] * l.e};
      continue;
    }
    const Pose<double> G = frame_of(any_perpendicular(l.e), l.e, l.p);
    at = at * G * Pose<double>{rotation_z(sin_cos(q[k])), {}} * inverse(G);
  }
  return at * axes.link;
}

double measured_deviation(const SerialArm& f, const ChainAxes& axes) {
  double most = 0;
  for (int sample = 1; sample <= 12; ++sample) {
    std::array<double, SerialArm::most_joints> q{};
    for (std::size_t k = 0; k < axes.line.size(); ++k)
      q[k] = 3 * std::sin(sample * (1.1 + 0.7 * static_cast<double>(k)));
    if (f.slide >= 0) q[static_cast<std::size_t>(f.slide)] *= f.size / 3;
    const Pose<double> A = forward(f, q), B = exact_pose(axes, q);
    const double size = std::max(f.size, norm(axes.link.p));
    most = std::max(most, norm(A.p - B.p) / size);
    for (const V3& d : {A.R.r0 - B.R.r0, A.R.r1 - B.R.r1, A.R.r2 - B.R.r2})
      most = std::max(most, norm(d));
  }
  return most;
}

SerialArmSearch finished(SerialArm f, const HartenbergChain& h, const ChainAxes& axes,
                         const std::vector<int>& place) {
  f.deviation = 1;
  connect(f, h, axes, place);
  f.deviation = measured_deviation(f, axes);
  // Beyond this the tolerance has been used up several times: Newton steps may leave the branch.
  if (f.deviation > 100 * axis_tolerance)
    return {{}, fmt::format("the form found differs by {:.2g} from the arm", f.deviation)};
  return {f, ""};
}

std::vector<int> counted(int first, int count, int step) {
  std::vector<int> all;
  for (int k = 0; k < count; ++k) all.push_back(first + step * k);
  return all;
}

SerialArmSearch planar(const ChainAxes& axes) {
  std::vector<AxisLine> turning;
  std::vector<int> place;
  int slide = -1;
  for (std::size_t k = 0; k < axes.line.size(); ++k) {
    if (!small_angle(norm(cross(axes.line[k].e, axes.line[0].e))))
      return {{}, "fewer than six joints, and not all axes are parallel"};
    if (axes.kind[k] == JointKind::prismatic) {
      if (slide >= 0) return {{}, "more than one prismatic joint"};
      slide = static_cast<int>(k);
    } else {
      turning.push_back(axes.line[k]);
      place.push_back(static_cast<int>(k));
    }
  }
  if (turning.size() < 2 || turning.size() > 3)
    return {{},
            fmt::format("{} parallel revolute axes; closed forms are known for 2 and 3",
                        turning.size())};
  const HartenbergChain h = hartenberg(turning);
  for (std::size_t k = 0; k + 1 < turning.size(); ++k)
    if (h.is_zero(h.a[k])) return {{}, "two parallel axes coincide"};
  SerialArm f;
  take(f, h);
  f.shape = Shape::planar;
  f.slide = slide;
  return finished(f, h, axes, place);
}

}  // namespace

SerialArmSearch serial_arm(const CanonicalModel& c, int link) {
  const ChainAxes axes = chain_axes(c, link);
  if (!axes.why.empty()) return {{}, axes.why};
  const int n = static_cast<int>(axes.line.size());
  if (n < 2 || n > SerialArm::most_joints)
    return {{},
            fmt::format("{} joint{} between root and link; closed forms are known for 2 to {}", n,
                        n == 1 ? "" : "s", SerialArm::most_joints)};
  const auto slides = std::count(axes.kind.begin(), axes.kind.end(), JointKind::prismatic);
  if (n < 6) return planar(axes);
  if (slides > 0)
    return {{},
            "six or seven joints, one of them prismatic; such a form is known for the arm of "
            "Stanford only"};
  if (n == 6) {
    const HartenbergChain h = hartenberg(axes.line);
    Attempt a = six_axes(h);
    if (a.arm) return finished(*a.arm, h, axes, counted(0, 6, 1));
    const HartenbergChain back = hartenberg(reversed(axes.line));
    Attempt b = six_axes(back);
    if (!b.arm) return {{}, a.why};
    b.arm->reversed = true;
    return finished(*b.arm, back, axes, counted(5, 6, -1));
  }
  const HartenbergChain h = hartenberg(axes.line);
  if (Attempt a = seven_axes(h); a.arm) return finished(*a.arm, h, axes, counted(0, 7, 1));
  const std::vector<AxisLine> six(axes.line.begin(), axes.line.begin() + 6);
  for (const bool back : {false, true}) {
    const HartenbergChain part = hartenberg(back ? reversed(six) : six);
    Attempt a = six_axes(part);
    if (!a.arm) continue;
    a.arm->reversed = back;
    a.arm->redundancy = SerialArm::Redundancy::last_joint;
    return finished(*a.arm, part, axes, back ? counted(5, 6, -1) : counted(0, 6, 1));
  }
  return {{},
          "seven joints that are neither two groups of three axes that meet in a point, nor "
          "have a closed form for a given last joint"};
}

const char* name_of(SerialArm::Shape shape) {
  switch (shape) {
    case Shape::spherical_wrist: return "spherical_wrist";
    case Shape::three_parallel: return "three_parallel";
    case Shape::spherical_spherical: return "spherical_spherical";
    case Shape::planar: return "planar";
  }
  return "";
}

std::string description_of(const SerialArm& f) {
  const char* group = f.reversed ? "first" : "last";
  auto axis = [&](int k) { return f.reversed ? 7 - k : k; };
  std::string text;
  switch (f.shape) {
    case Shape::spherical_wrist: {
      const bool at_12 =
          f.positioning == Positioning::parallel_12 || f.positioning == Positioning::meeting_12;
      const int one = axis(at_12 ? 1 : 2), two = axis(at_12 ? 2 : 3);
      const bool parallel =
          f.positioning == Positioning::parallel_23 || f.positioning == Positioning::parallel_12;
      text = f.redundancy == SerialArm::Redundancy::last_joint && !f.reversed
                 ? "axes 4, 5 and 6 meet"
                 : fmt::format("{} three axes meet", group);
      text += fmt::format(", axes {} and {} {}", std::min(one, two), std::max(one, two),
                          parallel ? "parallel" : "meet");
      break;
    }
    case Shape::three_parallel:
      text = f.reversed ? "axes 3, 4 and 5 parallel" : "axes 2, 3 and 4 parallel";
      break;
    case Shape::spherical_spherical: text = "spherical shoulder and wrist, arm angle given"; break;
    case Shape::planar: text = f.slide >= 0 ? "SCARA" : "planar arm"; break;
  }
  if (f.redundancy == SerialArm::Redundancy::last_joint) text += ", last joint given";
  return text;
}

}  // namespace parid::kinematics
