// Closed-form inverse kinematics of the arms of serial_arm.hpp, one branch at a time.
//
// Frames   Denavit-Hartenberg: A = Rz(θ) Tz(d) Tx(a) Rx(α); M is A without Rz(θ). d_1 = 0.
// Method   every unknown is found by one of two equations
//            a sin θ + b cos θ = c   two solutions, chosen by a sign; none if a² + b² < c²
//            Rz(θ) v = u             one solution, in the plane
//          to which lengths of vectors and components along parallel axes lead
// Symbols  X      the form's frame n in its frame 0;  p its origin, n o a the columns of its
//                 rotation
//          m      the wrist in frame 2 with θ_3 = 0: M_3 (0, 0, d_4)
//          u      the wrist in frame 1
//          arm elbow wrist  ±1 each: the branch
//
// Out of reach, the argument of a root is negative. It is replaced by zero, and `reach` is
// negative. No operation divides by a variable, except for lengths that are 0 only if shoulder and
// wrist coincide. In singular poses angles whose sum or difference alone matters get the value of
// atan2(0, 0): the pose is met, and no NaN occurs.

#pragma once

#include <array>

#include "kinematics/arm_angles.hpp"
#include "kinematics/layer.hpp"
#include "kinematics/serial_arm.hpp"

namespace parid::kinematics {

template <Scalar T>
struct SerialAngles {
  std::array<T, SerialArm::most_joints> q{};  // by joint of the chain, angles not reduced
  T reach = T(1.0);                           // negative: out of reach
};

namespace detail {

// What all equations of a branch share. Where two solutions are close, the form of an arm that is
// not quite the arm may have one or none of them: its roots are taken farther apart by `widening`,
// so that Newton steps start on either side.
template <Scalar T>
struct Reach {
  T room = T(1.0);  // smallest argument of a root
  double widening = 0;

  T root(const T& argument, const T& size2) {
    room = smaller(room, argument);
    const T rest = positive_part(argument);
    return widening > 0 ? sqrt(rest + T(widening) * size2) : sqrt(rest);
  }
};

// θ with a sin θ + b cos θ = c.
template <Scalar T>
T sine_equation(const T& a, const T& b, const T& c, const T& sign, Reach<T>& reach) {
  const T size2 = a * a + b * b;
  return atan2(a, b) + atan2(sign * reach.root(size2 - c * c, size2), c);
}

// The same for constant a and b.
template <Scalar T>
T constant_sine_equation(double a, double b, const T& c, const T& sign, Reach<T>& reach) {
  const T size2(a * a + b * b);
  return T(std::atan2(a, b)) + atan2(sign * reach.root(size2 - c * c, size2), c);
}

// θ with Rz(θ) v = u in the plane, for vectors of one length.
template <Scalar T>
T plane_angle(const T& vx, const T& vy, const T& ux, const T& uy) {
  return atan2(vx * uy - vy * ux, vx * ux + vy * uy);
}

template <Scalar T>
Vec3<T> turned_z(const SinCos<T>& t, const Vec3<T>& v) {
  return {t.cos * v.x - t.sin * v.y, t.sin * v.x + t.cos * v.y, v.z};
}
template <Scalar T>
Vec3<T> turned_back_z(const SinCos<T>& t, const Vec3<T>& v) {
  return {t.cos * v.x + t.sin * v.y, t.cos * v.y - t.sin * v.x, v.z};
}
template <Scalar T>
Vec3<T> twisted(const SerialArm::Twist& w, const Vec3<T>& v) {  // Rx(α) v
  if (w.none()) return v;
  if (w.right()) return {v.x, -v.z, v.y};
  return {v.x, T(w.cos) * v.y - T(w.sin) * v.z, T(w.sin) * v.y + T(w.cos) * v.z};
}
template <Scalar T>
Vec3<T> twisted_back(const SerialArm::Twist& w, const Vec3<T>& v) {
  if (w.none()) return v;
  if (w.right()) return {v.x, v.z, -v.y};
  return {v.x, T(w.cos) * v.y + T(w.sin) * v.z, T(w.cos) * v.z - T(w.sin) * v.y};
}

// The columns n, o, a of a rotation, in another frame.
template <Scalar T>
struct Columns {
  Vec3<T> n, o, a;
  Columns behind(const SinCos<T>& t, const SerialArm::Twist& w) const {  // (Rz(θ) Rx(α))ᵀ R
    return {twisted_back(w, turned_back_z(t, n)), twisted_back(w, turned_back_z(t, o)),
            twisted_back(w, turned_back_z(t, a))};
  }
};

template <Scalar T>
struct ThreeAngles {
  T first, second, third;
};

// R = Rz(first) Rx(α) Rz(second) Rx(β) Rz(third), with the sine of the second of sign `sign`.
template <Scalar T>
ThreeAngles<T> three_angles(const Columns<T>& R, const SerialArm::Twist& alpha,
                            const SerialArm::Twist& beta, const T& sign, Reach<T>& reach) {
  const Vec3<T>& a = R.a;
  T first(0.0), second(0.0);
  SinCos<T> t{};
  if (alpha.right() && beta.right()) {
    // a = Rz(first) (sin second, 0, −cos second): exact where the sine is small, too
    first = atan2(sign * a.y, sign * a.x);
    t = sin_cos(first);
    second = atan2(t.cos * a.x + t.sin * a.y, -a.z);
  } else {
    const double both = alpha.sin * beta.sin;
    const T c = T(alpha.cos * beta.cos) - a.z;  // both · cos second
    second = atan2(sign * reach.root(T(both * both) - c * c, T(both * both)), c);
    const SinCos<T> s = sin_cos(second);
    const T vx = T(beta.sin) * s.sin,
            vy = T(-alpha.cos * beta.sin) * s.cos - T(alpha.sin * beta.cos);
    first = plane_angle(vx, vy, a.x, a.y);
    t = sin_cos(first);
  }
  // the second axis seen from behind the third joint
  T along_n = t.sin * R.n.x - t.cos * R.n.y, along_o = t.sin * R.o.x - t.cos * R.o.y;
  if (!alpha.right()) {
    const T cotangent(alpha.cos / alpha.sin);
    along_n = along_n + cotangent * R.n.z;
    along_o = along_o + cotangent * R.o.z;
  }
  return {first, second, atan2(along_n, along_o)};
}

template <Scalar T>
using Angles = std::array<T, SerialArm::most_joints>;  // θ by joint of the form

template <Scalar T>
void solve_spherical_wrist(const SerialArm& f, const Pose<T>& X, const T& arm, const T& elbow,
                           const T& wrist, Angles<T>& theta, Reach<T>& reach) {
  using Positioning = SerialArm::Positioning;
  const Vec3<T>& p = X.p;
  const SerialArm::Twist &w1 = f.twist[0], &w2 = f.twist[1], &w3 = f.twist[2];
  const double a1 = f.a[0], a2 = f.a[1], d2 = f.d[1], d4 = f.d[3];
  const double mx = f.a[2], my = -w3.sin * d4, mz = f.d[2] + w3.cos * d4;
  Columns<T> R{X.R.column(0), X.R.column(1), X.R.column(2)};
  const T length2 = p.x * p.x + p.y * p.y + p.z * p.z;

  // Rz(θ) (mx, my, mz) about the third axis
  auto m_turned = [&](const SinCos<T>& t) {
    return Vec3<T>{T(mx) * t.cos - T(my) * t.sin, T(mx) * t.sin + T(my) * t.cos, T(mz)};
  };
  // M_2 v: from frame 2 to frame 1 with θ_2 = 0
  auto before_2 = [&](const Vec3<T>& v) {
    const Vec3<T> w = twisted(w2, v);
    return Vec3<T>{w.x + T(a2), w.y, w.z + T(d2)};
  };

  if (f.positioning == Positioning::parallel_23) {
    // along axes 2 and 3 the wrist is where they put it
    theta[0] = sine_equation(p.x, -p.y, T(1 / w1.sin) * (T(mz + d2) - T(w1.cos) * p.z), arm, reach);
    const SinCos<T> t1 = sin_cos(theta[0]);
    const Vec3<T> v = turned_back_z(t1, p), u = twisted_back(w1, Vec3<T>{v.x - T(a1), v.y, v.z});
    const double m2 = mx * mx + my * my;
    theta[2] = constant_sine_equation(
        -my, mx, T(0.5 / a2) * (u.x * u.x + u.y * u.y - T(m2 + a2 * a2)), elbow, reach);
    const Vec3<T> m = m_turned(sin_cos(theta[2]));
    theta[1] = plane_angle(m.x + T(a2), m.y, u.x, u.y);
    R = R.behind(t1, w1).behind(sin_cos(theta[1] + theta[2]), w3);
  } else {
    if (f.positioning == Positioning::parallel_12) {
      theta[2] =
          constant_sine_equation(w2.sin * mx, w2.sin * my, p.z - T(d2 + w2.cos * mz), elbow, reach);
      const Vec3<T> v = before_2(m_turned(sin_cos(theta[2])));
      theta[1] = sine_equation(
          -v.y, v.x, T(0.5 / a1) * (p.x * p.x + p.y * p.y - (v.x * v.x + v.y * v.y) - T(a1 * a1)),
          arm, reach);
      const Vec3<T> r = turned_z(sin_cos(theta[1]), v);
      theta[0] = plane_angle(r.x + T(a1), r.y, p.x, p.y);
    } else if (f.positioning == Positioning::meeting_12) {
      const double tx = a2, ty = w2.sin * d2, tz = w2.cos * d2;
      const double rest = mx * mx + my * my + mz * mz + a2 * a2 + d2 * d2 + 2 * tz * mz;
      theta[2] = constant_sine_equation(ty * mx - tx * my, tx * mx + ty * my,
                                        T(0.5) * (length2 - T(rest)), elbow, reach);
      const Vec3<T> v = before_2(m_turned(sin_cos(theta[2])));
      theta[1] = sine_equation(v.x, v.y, T(1 / w1.sin) * (p.z - T(w1.cos) * v.z), arm, reach);
      const Vec3<T> r = twisted(w1, turned_z(sin_cos(theta[1]), v));
      theta[0] = plane_angle(r.x, r.y, p.x, p.y);
    } else {
      const double cx = a1, cy = -w1.sin * d2, cz = w1.cos * d2;
      const double rest = cx * cx + cy * cy + cz * cz - (mx * mx + my * my + mz * mz);
      theta[0] = sine_equation(T(cx) * p.y - T(cy) * p.x, T(cx) * p.x + T(cy) * p.y,
                               T(0.5) * (length2 + T(rest)) - T(cz) * p.z, arm, reach);
      const Vec3<T> v = turned_back_z(sin_cos(theta[0]), p),
                    u = twisted_back(w1, Vec3<T>{v.x - T(cx), v.y - T(cy), v.z - T(cz)});
      theta[2] =
          constant_sine_equation(mx, my, T(1 / w2.sin) * (u.z - T(w2.cos * mz)), elbow, reach);
      const Vec3<T> r = twisted(w2, m_turned(sin_cos(theta[2])));
      theta[1] = plane_angle(r.x, r.y, u.x, u.y);
    }
    R = R.behind(sin_cos(theta[0]), w1).behind(sin_cos(theta[1]), w2).behind(sin_cos(theta[2]), w3);
  }
  const auto [t4, t5, t6] = three_angles(R, f.twist[3], f.twist[4], wrist, reach);
  theta[3] = t4;
  theta[4] = t5;
  theta[5] = t6;
}

template <Scalar T>
void solve_three_parallel(const SerialArm& f, const Pose<T>& X, const T& arm, const T& elbow,
                          const T& wrist, Angles<T>& theta, Reach<T>& reach) {
  const Vec3<T>& p = X.p;  // where axes 5 and 6 meet
  const SerialArm::Twist &w1 = f.twist[0], &w4 = f.twist[3];
  const double a2 = f.a[1], a3 = f.a[2], d5 = f.d[4];
  const double mx = f.a[3], my = -w4.sin * d5;
  const double along = f.d[1] + f.d[2] + f.d[3] + w4.cos * d5;
  theta[0] = sine_equation(p.x, -p.y, T(1 / w1.sin) * (T(along) - T(w1.cos) * p.z), arm, reach);
  const SinCos<T> t1 = sin_cos(theta[0]);
  const Columns<T> R = Columns<T>{X.R.column(0), X.R.column(1), X.R.column(2)}.behind(t1, w1);
  const auto [t234, t5, t6] = three_angles(R, w4, f.twist[4], wrist, reach);

  const Vec3<T> v = turned_back_z(t1, p), u = twisted_back(w1, Vec3<T>{v.x - T(f.a[0]), v.y, v.z});
  const auto [s, c] = sin_cos(t234);
  const T x = u.x - (T(mx) * c - T(my) * s), y = u.y - (T(mx) * s + T(my) * c);
  theta[2] = constant_sine_equation(
      0.0, 1.0, T(0.5 / (a2 * a3)) * (x * x + y * y - T(a2 * a2 + a3 * a3)), elbow, reach);
  const SinCos<T> t3 = sin_cos(theta[2]);
  theta[1] = plane_angle(T(a2) + T(a3) * t3.cos, T(a3) * t3.sin, x, y);
  theta[3] = t234 - theta[1] - theta[2];
  theta[4] = t5;
  theta[5] = t6;
}

// The arm angle ψ turns the elbow about the line from shoulder to wrist. At ψ = 0 axis 4 is
// perpendicular to axis 1 and to that line, along z × p.
template <Scalar T>
void solve_spherical_spherical(const SerialArm& f, const Pose<T>& X, const T& shoulder,
                               const T& elbow, const T& wrist, const T& psi, Angles<T>& theta,
                               Reach<T>& reach) {
  const Vec3<T>& p = X.p;
  const SerialArm::Twist &w3 = f.twist[2], &w4 = f.twist[3];
  const double d5 = f.d[4];
  const double mx = f.a[3], my = -w4.sin * d5, mz = f.d[3] + w4.cos * d5;
  // the distance of the wrist gives the elbow
  const double tx = f.a[2], ty = w3.sin * f.d[2], tz = w3.cos * f.d[2];
  const double rest = mx * mx + my * my + mz * mz + tx * tx + ty * ty + tz * tz + 2 * tz * mz;
  const T far2 = p.x * p.x + p.y * p.y + p.z * p.z;
  theta[3] = constant_sine_equation(ty * mx - tx * my, tx * mx + ty * my, T(0.5) * (far2 - T(rest)),
                                    elbow, reach);
  const SinCos<T> t4 = sin_cos(theta[3]);
  const Vec3<T> m{T(mx) * t4.cos - T(my) * t4.sin, T(mx) * t4.sin + T(my) * t4.cos, T(mz)};
  const Vec3<T> bent = twisted(w3, m), w{bent.x + T(f.a[2]), bent.y, bent.z + T(f.d[2])};

  // both triads: the line to the wrist, axis 4 as far as perpendicular to it, their product
  auto unit = [](const Vec3<T>& v) {
    const T l = sqrt(dot(v, v)), one(1.0);
    return (one / select(l < T(1e-150), one, l)) * v;
  };
  const Vec3<T> n = unit(p), nw = unit(w), k4{T(0.0), T(-w3.sin), T(w3.cos)};
  const Vec3<T> kw = unit(k4 - dot(k4, nw) * nw), lw = cross(nw, kw);
  const SinCos<T> beta = sin_cos(atan2(p.y, p.x)), turn = sin_cos(psi);
  const Vec3<T> level{-beta.sin, beta.cos, T(0.0)};
  const Vec3<T> k = turn.cos * level + turn.sin * cross(n, level), l = cross(n, k);
  // R = [n k l] [nw kw lw]ᵀ
  auto row = [&](const T& x, const T& y, const T& z) { return x * nw + y * kw + z * lw; };
  const Mat3<T> R03{row(n.x, k.x, l.x), row(n.y, k.y, l.y), row(n.z, k.z, l.z)};
  const auto [t1, t2, t3] = three_angles(Columns<T>{R03.column(0), R03.column(1), R03.column(2)},
                                         f.twist[0], f.twist[1], shoulder, reach);
  theta[0] = t1;
  theta[1] = t2;
  theta[2] = t3;
  auto in_wrist = [&](const Vec3<T>& v) {
    return twisted_back(w4, turned_back_z(t4, twisted_back(w3, transposed_times(R03, v))));
  };
  const Columns<T> R{in_wrist(X.R.column(0)), in_wrist(X.R.column(1)), in_wrist(X.R.column(2))};
  const auto [t5, t6, t7] = three_angles(R, f.twist[4], f.twist[5], wrist, reach);
  theta[4] = t5;
  theta[5] = t6;
  theta[6] = t7;
}

template <Scalar T>
void solve_planar(const SerialArm& f, const Pose<T>& X, const T& elbow, Angles<T>& theta,
                  Reach<T>& reach) {
  const Vec3<T>& p = X.p;
  const T direction = atan2(X.R.r1.x, X.R.r0.x);
  if (f.axes == 2) {
    theta[0] = atan2(p.y, p.x);
    theta[1] = direction - theta[0];
    return;
  }
  const double a1 = f.a[0], a2 = f.a[1];
  theta[1] = constant_sine_equation(
      0.0, 1.0, T(0.5 / (a1 * a2)) * (p.x * p.x + p.y * p.y - T(a1 * a1 + a2 * a2)), elbow, reach);
  const SinCos<T> t2 = sin_cos(theta[1]);
  theta[0] = plane_angle(T(a1) + T(a2) * t2.cos, T(a2) * t2.sin, p.x, p.y);
  theta[2] = direction - theta[0] - theta[1];
}

}  // namespace detail

// Joint positions that bring the link to `pose` in the world, on the branch of these signs. A
// planar arm has the sign of its elbow alone, given as `arm`. `given` is the arm angle or the
// position of the last joint; others ignore it. `widening` keeps pairs of solutions apart by its
// root, for Newton steps that follow.
template <Scalar T>
SerialAngles<T> branch(const SerialArm& f, const Pose<T>& pose, const T& arm, const T& elbow,
                       const T& wrist, const T& given, double widening = 0) {
  auto fixed = [](const Pose<double>& A) { return Pose<T>{to<T>(A.R), to<T>(A.p)}; };
  const bool last = f.redundancy == SerialArm::Redundancy::last_joint;
  const auto end = static_cast<std::size_t>(SerialArm::most_joints - 1);
  Pose<T> at = pose;
  if (last) {
    const T theta = T(f.sign[end]) * given + T(f.zero[end]);
    at = at * fixed(f.last) * Pose<T>{rotation_z(sin_cos(-theta)), {T(0.0), T(0.0), T(0.0)}};
  }
  at = fixed(inverse(f.base)) * at * fixed(f.tool);
  if (f.reversed) at = inverse(at);

  SerialAngles<T> out;
  detail::Reach<T> reach;
  reach.widening = widening;
  detail::Angles<T> theta;
  theta.fill(T(0.0));
  switch (f.shape) {
    case SerialArm::Shape::spherical_wrist:
      detail::solve_spherical_wrist(f, at, arm, elbow, wrist, theta, reach);
      break;
    case SerialArm::Shape::three_parallel:
      detail::solve_three_parallel(f, at, arm, elbow, wrist, theta, reach);
      break;
    case SerialArm::Shape::spherical_spherical:
      detail::solve_spherical_spherical(f, at, arm, elbow, wrist, given, theta, reach);
      break;
    case SerialArm::Shape::planar: detail::solve_planar(f, at, arm, theta, reach); break;
  }
  out.reach = reach.room;
  out.q.fill(T(0.0));
  for (std::size_t k = 0; k < static_cast<std::size_t>(f.axes); ++k)
    out.q[static_cast<std::size_t>(f.place[k])] = theta[k];
  if (f.slide >= 0) out.q[static_cast<std::size_t>(f.slide)] = at.p.z;
  for (std::size_t k = 0; k < static_cast<std::size_t>(f.joints); ++k)
    out.q[k] = T(f.sign[k]) * (out.q[k] - T(f.zero[k]));
  if (last) out.q[end] = given;
  return out;
}

// The same for branch 0 to f.branches() − 1: bits 0, 1, 2 are 1 if the sign is −1.
template <Scalar T>
SerialAngles<T> branch(const SerialArm& f, const Pose<T>& pose, int which, const T& given,
                       double widening = 0) {
  auto sign = [which](int bit) { return T(which >> bit & 1 ? -1.0 : 1.0); };
  return branch(f, pose, sign(0), sign(1), sign(2), given, widening);
}

// The pose of the link in the world for joint positions of the chain, of the form as it is.
template <Scalar T>
Pose<T> forward(const SerialArm& f, const std::array<T, SerialArm::most_joints>& q) {
  auto fixed = [](const Pose<double>& A) { return Pose<T>{to<T>(A.R), to<T>(A.p)}; };
  auto theta = [&](std::size_t k) { return T(f.sign[k]) * q[k] + T(f.zero[k]); };
  Pose<T> at;
  for (std::size_t k = 0; k < static_cast<std::size_t>(f.axes); ++k) {
    const SinCos<T> t = sin_cos(theta(static_cast<std::size_t>(f.place[k])));
    const auto turn = rotation_z(t);
    const Mat3<T> R = turn * rotation_x(SinCos<T>{T(f.twist[k].sin), T(f.twist[k].cos)});
    at = at * Pose<T>{R, turn * Vec3<T>{T(f.a[k]), T(0.0), T(f.d[k])}};
  }
  if (f.slide >= 0) at.p.z = at.p.z + theta(static_cast<std::size_t>(f.slide));
  if (f.reversed) at = inverse(at);
  at = fixed(f.base) * at * fixed(inverse(f.tool));
  if (f.redundancy == SerialArm::Redundancy::last_joint)
    at = at * Pose<T>{rotation_z(sin_cos(theta(SerialArm::most_joints - 1))), {}} *
         fixed(inverse(f.last));
  return at;
}

// The arm angle of joint positions of the chain: 0 where it has no meaning.
template <Scalar T>
T arm_angle(const SerialArm& f, const std::array<T, SerialArm::most_joints>& q) {
  auto theta = [&](std::size_t k) { return T(f.sign[k]) * q[k] + T(f.zero[k]); };
  // axis 4 and the wrist in frame 0
  Vec3<T> axis{T(0.0), T(0.0), T(1.0)}, wrist{T(0.0), T(0.0), T(f.d[4])};
  for (std::size_t k = 4; k-- > 0;) {
    const SinCos<T> t = sin_cos(theta(k));
    const Vec3<T> w = detail::twisted(f.twist[k], wrist);
    wrist = detail::turned_z(t, Vec3<T>{w.x + T(f.a[k]), w.y, w.z + T(f.d[k])});
    if (k < 3) axis = detail::turned_z(t, detail::twisted(f.twist[k], axis));
  }
  const SinCos<T> beta = sin_cos(atan2(wrist.y, wrist.x));
  const Vec3<T> level{-beta.sin, beta.cos, T(0.0)};
  const T l = sqrt(dot(wrist, wrist)), one(1.0);
  const Vec3<T> n = (one / select(l < T(1e-150), one, l)) * wrist;
  return atan2(dot(axis, cross(n, level)), dot(axis, level));
}

}  // namespace parid::kinematics
