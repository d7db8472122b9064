// Dynamics computed directly from a robot's description, in the file's own frames: the reference
// for all comparisons.
//
// Poses and motions of all links are in the frame of the root link, one link after another, from
// the definitions of velocity and acceleration and the Newton-Euler equations. It shares nothing
// with the code that it checks: no CanonicalModel, no Mechanism, no formulation, no merged links,
// no regrouped inertias. It is slow: O(n) torques with full matrices, from which all other
// quantities are composed.
//
// T is any Scalar. In long double (64 bits on x86, 113 on other CPUs) and Quad its rounding is far
// below that of double; with Dual<1, long double> it gives exact derivatives. The C library reduces
// angles, so they may have any size.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/joint/coordinates.hpp"
#include "runtime/layer.hpp"
#include "scalar/dual.hpp"

namespace parid::runtime {

// A body by parameters in which forces are linear: mass, ∫r dm, and the tensor about the link's
// origin.
template <class T>
struct PlainBody {
  T mass{0.0};
  Vec3<T> first;
  Mat3<T> tensor;
};

template <class T>
struct PlainPush {  // on a link, at its origin, in its frame
  int link = 0;
  Vec3<T> force, moment;
};

template <class T>
struct PlainEnergy {
  T kinetic{0.0}, potential{0.0}, mass{0.0};
  Vec3<T> centre, centre_velocity, linear_momentum, angular_momentum;
};

template <class T>
class ReferenceDynamics {
 public:
  // The description must have passed check().
  explicit ReferenceDynamics(const Description& d)
      : d_(d), body_(d.links.size()), at_(d.links.size()) {
    gravity = to<T>(d.gravity);
    std::map<std::string, int> link, joint;
    for (std::size_t k = 0; k < d.links.size(); ++k) {
      link.emplace(d.links[k].name, static_cast<int>(k));
      if (d.links[k].inertia) body_[k] = body_of(*d.links[k].inertia);
    }
    for (const JointDescription& j : d.joints) {
      joint.emplace(j.name, static_cast<int>(joint_.size()));
      Joint x;
      x.parent = link.at(j.parent);
      x.child = link.at(j.child);
      x.origin = {to<T>(j.origin.R), to<T>(j.origin.p)};
      x.tip = {to<T>(j.tip.R), to<T>(j.tip.p)};
      const Vec3<T> axis = to<T>(j.axis);
      if (j.type != JointType::fixed && norm(j.axis) > 0) x.axis = (T(1.0) / norm(axis)) * axis;
      x.q = nq;
      x.v = nv;
      nq += position_count(j);
      nv += velocity_count(j);
      joint_.push_back(x);
      if (!j.rotor || velocity_count(j.type) != 1) continue;
      const Vec3<T> e = to<T>(j.rotor->axis);
      const Vec3<T> unit = (T(1.0) / norm(e)) * e;
      const T J(j.rotor->inertia), k(j.rotor->ratio);
      rotor_.push_back({static_cast<int>(joint_.size()) - 1, link.at(j.rotor->link), unit, J * k,
                        J * k * k, J, j.rotor->included});
    }
    for (std::size_t k = 0; k < joint_.size(); ++k) {  // a mimic joint may mimic a mimic joint
      Joint& x = joint_[k];
      int leader = static_cast<int>(k);
      while (const auto& m = d_.joints[static_cast<std::size_t>(leader)].mimic) {
        x.laws.insert(x.laws.begin(), &*m);
        leader = joint.at(m->joint);
      }
      x.q = joint_[leader].q;
      x.v = joint_[leader].v;
    }
    order();
  }

  int nq = 0, nv = 0;

  // External loads. The base's motion is that of the root link, in its frame, without gravity.
  Vec3<T> gravity;
  Vec3<T> base_w, base_wd, base_vd;
  std::vector<PlainPush<T>> pushes;
  bool rotors = true;

  // Replaces a link's body; the second function removes all bodies.
  void set_body(int link, const PlainBody<T>& b) { body_[link] = b; }
  void clear_bodies() { body_.assign(body_.size(), {}); }

  // Pose of each link of the description in the root link's frame.
  std::vector<Pose<T>> poses(const std::vector<T>& q) {
    const std::vector<T> none(nv, T(0.0));
    move(q, none, none);
    std::vector<Pose<T>> all;
    for (const Moving& x : at_) all.push_back(x.pose);
    return all;
  }

  // Velocity of a link's origin, then its angular velocity, by each velocity coordinate: 6 × nv,
  // row-major.
  std::vector<T> jacobian(const std::vector<T>& q, int link) {
    std::vector<T> J(6 * nv, T(0.0)), v(nv, T(0.0));
    const std::vector<T> none = v;
    for (int k = 0; k < nv; ++k) {
      v[k] = T(1.0);
      move(q, v, none);
      const Vec3<T>&l = at_[link].v, &w = at_[link].w;
      const T column[] = {l.x, l.y, l.z, w.x, w.y, w.z};
      for (int r = 0; r < 6; ++r) J[r * nv + k] = column[r];
      v[k] = T(0.0);
    }
    return J;
  }

  // `size`, if given, receives the sum of the absolute values of the terms of each torque: rounding
  // is relative to that.
  std::vector<T> torque(const std::vector<T>& q, const std::vector<T>& v, const std::vector<T>& a,
                        std::vector<T>* size = nullptr) {
    move(q, v, a);
    std::vector<Load> load(d_.links.size());
    for (std::size_t k = 0; k < load.size(); ++k) load[k] = load_of(at_[k], body_[k]);
    for (const PlainPush<T>& p : pushes) {
      const Moving& x = at_[p.link];
      const Vec3<T> f = x.pose.R * p.force, n = x.pose.R * p.moment;
      Load& l = load[p.link];
      l.force = l.force - f;
      l.moment = l.moment - n - cross(x.pose.p, f);
      l.push = l.push + length(p.force);
      l.turn = l.turn + length(p.moment);
    }
    std::vector<T> tau(nv, T(0.0)), sum(nv, T(0.0));
    for (const Spinning& r : rotor_) {
      if (!rotors) break;
      // d/dt of its angular momentum beside that of the link at rest; the torque that spins it.
      const Moving& x = at_[r.link];
      const Joint& j = joint_[r.joint];
      const Vec3<T> e = x.pose.R * r.axis;
      Vec3<T> rate = (r.Jk * j.now.xdd) * e + (r.Jk * j.now.xd) * cross(x.w, e);
      if (!r.included) rate = rate + (r.J * dot(e, x.wd)) * e + (r.J * dot(e, x.w)) * cross(x.w, e);
      load[r.link].moment = load[r.link].moment + rate;
      load[r.link].turn = load[r.link].turn + length(rate);
      const T torque = r.Jkk * j.now.xdd + r.Jk * dot(e, x.wd);
      tau[j.v] = tau[j.v] + j.now.by * torque;
      sum[j.v] = sum[j.v] + abs(j.now.by * torque);
    }
    for (auto k = order_.rbegin(); k != order_.rend(); ++k) {
      const Joint& j = joint_[*k];
      const Load l = load[j.child];
      drive(*k, l, tau, sum);
      Load& parent = load[j.parent];
      parent.force = parent.force + l.force;
      parent.moment = parent.moment + l.moment;
      const Vec3<T> arm = at_[j.child].pose.p - at_[j.parent].pose.p;
      parent.push = parent.push + l.push;
      parent.turn = parent.turn + l.turn + length(arm) * l.push;
    }
    if (size) *size = sum;
    return tau;
  }

  // nv × nv, row-major; column k is the torque of a unit acceleration without all other terms.
  std::vector<T> mass(const std::vector<T>& q) {
    const Vec3<T> kept[] = {gravity, base_w, base_wd, base_vd};
    gravity = base_w = base_wd = base_vd = {};
    std::vector<PlainPush<T>> kept_pushes;
    kept_pushes.swap(pushes);
    std::vector<T> M(nv * nv, T(0.0)), a(nv, T(0.0));
    const std::vector<T> none = a;
    for (int k = 0; k < nv; ++k) {
      a[k] = T(1.0);
      const std::vector<T> column = torque(q, none, a);
      for (int r = 0; r < nv; ++r) M[r * nv + k] = column[r];
      a[k] = T(0.0);
    }
    gravity = kept[0];
    base_w = kept[1];
    base_wd = kept[2];
    base_vd = kept[3];
    kept_pushes.swap(pushes);
    return M;
  }

  // Energy of all links that a joint can move, on a base at rest.
  PlainEnergy<T> energy(const std::vector<T>& q, const std::vector<T>& v) {
    const std::vector<T> none(nv, T(0.0));
    move(q, v, none);
    PlainEnergy<T> e;
    Vec3<T> first, about_origin;
    for (std::size_t k = 0; k < at_.size(); ++k) {
      const Moving& x = at_[k];
      if (!x.moves) continue;
      const PlainBody<T>& b = body_[k];
      const Vec3<T> ms = x.pose.R * b.first, Jw = turned(x, b.tensor, x.w);
      const Vec3<T> p = b.mass * x.v + cross(x.w, ms);
      const Vec3<T> h = Jw + cross(ms, x.v);  // about the link's origin
      e.mass = e.mass + b.mass;
      first = first + b.mass * x.pose.p + ms;
      e.linear_momentum = e.linear_momentum + p;
      about_origin = about_origin + h + cross(x.pose.p, p);
      e.kinetic = e.kinetic + T(0.5) * (dot(x.v, p) + dot(x.w, h));
    }
    for (std::size_t k = 0; k < joint_.size(); ++k) {
      if (!has_rotor(k)) continue;
      const T rate = joint_[k].now.xd;
      e.kinetic = e.kinetic + T(0.5 * d_.joints[k].rotor_inertia) * (rate * rate);
    }
    for (const Spinning& r : rotor_) {
      if (!rotors) break;
      const Moving& x = at_[r.link];
      const Vec3<T> axis = x.pose.R * r.axis;
      const T rate = joint_[r.joint].now.xd, along = dot(axis, x.w);
      const T own = r.included ? T(0.0) : r.J * along;
      e.kinetic = e.kinetic + T(0.5) * (r.Jkk * rate * rate + own * along) + r.Jk * rate * along;
      about_origin = about_origin + (r.Jk * rate + own) * axis;
    }
    e.potential = -dot(gravity, first);
    const T per_mass = T(1.0) / e.mass;
    e.centre = per_mass * first;
    e.centre_velocity = per_mass * e.linear_momentum;
    e.angular_momentum = about_origin - cross(e.centre, e.linear_momentum);
    return e;
  }

  // q̇ of a robot at q with velocity v.
  std::vector<T> position_rates(const std::vector<T>& q, const std::vector<T>& v) const {
    std::vector<T> rate;
    for (std::size_t k = 0; k < joint_.size(); ++k) {
      const JointDescription& j = d_.joints[k];
      if (j.mimic) continue;
      const T *p = q.data() + joint_[k].q, *u = v.data() + joint_[k].v;
      if (j.type == JointType::floating) {
        const Vec3<T> pd = rotation_of(p[3], p[4], p[5], p[6]) * Vec3<T>{u[0], u[1], u[2]};
        rate.insert(rate.end(), {pd.x, pd.y, pd.z});
        p += 3;
        u += 3;
      }
      if (j.type == JointType::floating || j.type == JointType::spherical) {  // ½ q ∘ (w, 0)
        const Vec3<T> e{p[0], p[1], p[2]}, w{u[0], u[1], u[2]};
        const Vec3<T> ed = T(0.5) * (p[3] * w + cross(e, w));
        rate.insert(rate.end(), {ed.x, ed.y, ed.z, T(-0.5) * dot(e, w)});
      } else {
        rate.insert(rate.end(), u, u + velocity_count(j));
      }
    }
    return rate;
  }

  static PlainBody<T> body_of(const Inertia& i) {
    PlainBody<T> b;
    b.mass = T(i.mass);
    const Vec3<T> c = to<T>(i.com);
    b.first = b.mass * c;
    const Sym3<T> I = to<T>(i.about_com);
    const Mat3<T> K = skew(c);
    b.tensor = Mat3<T>{{I.xx, I.xy, I.xz}, {I.xy, I.yy, I.yz}, {I.xz, I.yz, I.zz}} -
               b.mass * (K * K);  // Steiner
    return b;
  }

 private:
  // A joint's position, how it changes with its leader's, and its velocity and acceleration.
  struct Followed {
    T x, by, xd, xdd;
  };
  struct Joint {
    int parent = 0, child = 0, q = 0, v = 0;
    Pose<T> origin, tip;
    Vec3<T> axis{T(0.0), T(0.0), T(1.0)};  // unit, in the joint's frame
    std::vector<const Mimic*> laws;        // from its leader's position to its own
    Followed now{T(0.0), T(1.0), T(0.0), T(0.0)};
  };
  // It spins with the ratio k times the velocity of joint `joint`, about `axis` of link `link`.
  struct Spinning {
    int joint, link;
    Vec3<T> axis;
    T Jk, Jkk, J;
    bool included;
  };
  // Everything in the root link's frame.
  struct Moving {
    Pose<T> pose;
    Vec3<T> v, a;   // of the link's origin; the acceleration includes the base's, not gravity
    Vec3<T> w, wd;  // of the link
    Pose<T> joint;  // the joint's moving frame: the link's frame before the tip offset
    Mat3<T> fixed;  // rotation of the joint's fixed frame
    bool moves = false;
  };
  struct Load {
    Vec3<T> force, moment;   // moment about the root link's origin
    T push{0.0}, turn{0.0};  // sizes: of forces; of moments about the link's own origin
  };

  static T length(const Vec3<T>& x) { return abs(x.x) + abs(x.y) + abs(x.z); }
  static Vec3<T> turned(const Moving& x, const Mat3<T>& tensor, const Vec3<T>& w) {
    return x.pose.R * (tensor * transposed_times(x.pose.R, w));
  }
  bool has_rotor(std::size_t k) const {
    return rotors && velocity_count(d_.joints[k].type) == 1 && d_.joints[k].rotor_inertia != 0;
  }

  // Parents before children, for any order in the file.
  void order() {
    std::vector<bool> known(d_.links.size(), true);
    for (const Joint& j : joint_) known[j.child] = false;
    std::vector<bool> done(joint_.size());
    for (bool again = true; again;) {
      again = false;
      for (std::size_t k = 0; k < joint_.size(); ++k) {
        if (done[k] || !known[joint_[k].parent]) continue;
        order_.push_back(static_cast<int>(k));
        done[k] = known[joint_[k].child] = again = true;
      }
    }
  }

  static Mat3<T> rotation_about(const Vec3<T>& unit, const T& angle) {  // Rodrigues
    const auto [s, c] = sin_cos(angle);
    const Mat3<T> K = skew(unit);
    return Mat3<T>::identity() + s * K + (T(1.0) - c) * (K * K);
  }
  static Mat3<T> rotation_of_any(const T& x, const T& y, const T& z, const T& w) {
    const T scale = T(1.0) / sqrt(x * x + y * y + z * z + w * w);
    return rotation_of(scale * x, scale * y, scale * z, scale * w);
  }
  // A planar joint's axes: z is the normal n; x and y follow by the shortest rotation, for normals
  // near -z after half a turn about x.
  static Mat3<T> plane(const Vec3<T>& n, const Vec3<double>& given) {
    const bool down =
        given.z < 0 && given.x * given.x + given.y * given.y < 2e-12 * (given.z * given.z);
    const Mat3<T> start = down ? Mat3<T>::diagonal(T(1.0), T(-1.0), T(-1.0)) : Mat3<T>::identity();
    const Vec3<T> z = start.column(2), axis = cross(z, n);
    const T square = dot(axis, axis), c = dot(z, n);
    // 1/(1 + c), without the cancellation of 1 + c near -1
    const T k = select(c < T(0.0), (T(1.0) - c) / select(c < T(0.0), square, T(1.0)),
                       T(1.0) / select(c < T(0.0), T(1.0), T(1.0) + c));
    const Mat3<T> K = skew(axis);
    return (Mat3<T>::identity() + K + k * (K * K)) * start;
  }

  void move(const std::vector<T>& q, const std::vector<T>& v, const std::vector<T>& a) {
    for (Moving& x : at_) x = {{}, {}, base_vd, base_w, base_wd, {}, {}, false};
    for (const int k : order_) {
      Joint& j = joint_[k];
      const JointDescription& said = d_.joints[k];
      const Moving& p = at_[j.parent];
      if (velocity_count(said.type) == 1) j.now = followed(j.laws, q[j.q], v[j.v], a[j.v]);
      Moving x = carried(p, j.origin);
      x.fixed = x.pose.R;
      if (said.type != JointType::fixed) {
        x = moved(x, k, q, v, a);
        x.moves = true;
      }
      x.joint = x.pose;
      const Mat3<T> fixed = x.fixed;
      const Pose<T> joint = x.joint;
      x = carried(x, j.tip);
      x.fixed = fixed;
      x.joint = joint;
      at_[j.child] = x;
    }
  }

  // By the law's definition: powers one by one, and the loop of a linkage's points.
  static Followed followed(const std::vector<const Mimic*>& laws, const T& q, const T& v,
                           const T& a) {
    Followed f{q, T(1.0), v, a};
    for (const Mimic* law : laws) {
      if (law->four_bar) f = linked(*law->four_bar, f);
      T power(1.0), once(0.0), twice(0.0);  // u^k, its derivatives by u
      Followed y{T(law->offset), T(0.0), T(0.0), T(0.0)};
      auto add = [&](double c) {
        twice = twice * f.x + T(2.0) * once;
        once = once * f.x + power;
        power = power * f.x;
        y.x = y.x + T(c) * power;
        y.by = y.by + T(c) * (once * f.by);
        y.xd = y.xd + T(c) * (once * f.xd);
        y.xdd = y.xdd + T(c) * (once * f.xdd + twice * (f.xd * f.xd));
      };
      add(law->multiplier);
      for (const double c : law->higher) add(c);
      f = y;
    }
    return f;
  }
  struct Point {
    T x, y;
    friend T operator*(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y; }
    friend Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y}; }
    friend Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator*(const T& s, const Point& a) { return {s * a.x, s * a.y}; }
  };
  // The output link's direction where the input link is at an angle: C is at the distance c of D
  // and b of B.
  static Point output(const FourBar& l, const T& angle) {
    const auto [s, c] = sin_cos(angle);
    const Point DB{T(l.input) * c - T(l.ground), T(l.input) * s};
    const T r = sqrt(DB * DB), out(l.output), b(l.coupler);
    const T along = (r * r + out * out - b * b) / (T(2.0) * r);
    const T across = sqrt(out * out - along * along) * T(l.crossed ? 1.0 : -1.0);
    const Point e = (T(1.0) / r) * DB, n{-e.y, e.x};
    return (T(1.0) / out) * (along * e + across * n);
  }
  // The points B and C at the ends of the coupler keep their distance.
  static Followed linked(const FourBar& l, const Followed& f) {
    constexpr int steps = 64;  // the output angle is summed up in steps, so that it does not jump
    Point e = output(l, T(l.angle));
    T psi(0.0);
    for (int k = 1; k <= steps; ++k) {
      const Point next = output(l, T(l.angle) + T(static_cast<double>(k) / steps) * f.x);
      psi = psi + atan2(e.x * next.y - e.y * next.x, e * next);
      e = next;
    }
    const auto [s, c] = sin_cos(T(l.angle) + f.x);
    const Point B{T(l.input) * c, T(l.input) * s}, across{-B.y, B.x};
    const Point DC = T(l.output) * e, C = Point{T(l.ground), T(0.0)} + DC, turn{-DC.y, DC.x};
    const Point BC = C - B;
    const T per = T(1.0) / (BC * turn), by = per * (BC * across), rate = by * f.xd;
    const Point apart = rate * turn - f.xd * across;
    const Point aB = f.xdd * across - (f.xd * f.xd) * B;
    const T xdd = per * (BC * aB + (rate * rate) * (BC * DC) - apart * apart);
    return {psi, by * f.by, rate, xdd};
  }

  // A frame that stands still in another.
  static Moving carried(const Moving& p, const Pose<T>& in) {
    Moving x = p;
    const Vec3<T> r = p.pose.R * in.p;
    x.pose = {p.pose.R * in.R, p.pose.p + r};
    x.v = p.v + cross(p.w, r);
    x.a = p.a + cross(p.wd, r) + cross(p.w, cross(p.w, r));
    return x;
  }

  // A joint's moving frame from its fixed one: displaced by d, u, ud (position, velocity and
  // acceleration) and rotating with w, wd, all relative to the fixed frame and in the root's axes.
  static Moving displaced(const Moving& p, const Mat3<T>& R, const Vec3<T>& d, const Vec3<T>& u,
                          const Vec3<T>& ud, const Vec3<T>& w, const Vec3<T>& wd) {
    Moving x = p;
    x.pose = {p.pose.R * R, p.pose.p + d};
    x.v = p.v + cross(p.w, d) + u;
    x.a = p.a + cross(p.wd, d) + cross(p.w, cross(p.w, d)) + T(2.0) * cross(p.w, u) + ud;
    x.w = p.w + w;
    x.wd = p.wd + cross(p.w, w) + wd;
    return x;
  }

  Moving moved(const Moving& p, int k, const std::vector<T>& q, const std::vector<T>& v,
               const std::vector<T>& a) const {
    const Joint& j = joint_[k];
    const T *at = q.data() + j.q, *u = v.data() + j.v, *ud = a.data() + j.v;
    const Mat3<T>& R = p.pose.R;
    const Mat3<T> still = Mat3<T>::identity();
    const Vec3<T> axis = R * j.axis;
    const auto& [x, by, xd, xdd] = j.now;
    switch (d_.joints[k].type) {
      case JointType::revolute:
      case JointType::continuous:
        return displaced(p, rotation_about(j.axis, x), {}, {}, {}, xd * axis, xdd * axis);
      case JointType::prismatic:
        return displaced(p, still, x * axis, xd * axis, xdd * axis, {}, {});
      case JointType::planar: {
        const Mat3<T> axes = R * plane(j.axis, d_.joints[k].axis);
        const Vec3<T> X = axes.column(0), Y = axes.column(1);
        return displaced(p, rotation_about(j.axis, at[2]), at[0] * X + at[1] * Y,
                         u[0] * X + u[1] * Y, ud[0] * X + ud[1] * Y, u[2] * axis, ud[2] * axis);
      }
      case JointType::spherical: {
        const Mat3<T> turn = rotation_of_any(at[0], at[1], at[2], at[3]), S = R * turn;
        return displaced(p, turn, {}, {}, {}, S * Vec3<T>{u[0], u[1], u[2]},
                         S * Vec3<T>{ud[0], ud[1], ud[2]});
      }
      case JointType::floating: {
        const Mat3<T> turn = rotation_of_any(at[3], at[4], at[5], at[6]), S = R * turn;
        const Vec3<T> l{u[0], u[1], u[2]}, w{u[3], u[4], u[5]}, ld{ud[0], ud[1], ud[2]};
        return displaced(p, turn, R * Vec3<T>{at[0], at[1], at[2]}, S * l, S * (ld + cross(w, l)),
                         S * w, S * Vec3<T>{ud[3], ud[4], ud[5]});
      }
      default: return p;
    }
  }

  // Force and moment that move a link's body in this way against gravity.
  Load load_of(const Moving& x, const PlainBody<T>& b) const {
    const Vec3<T> ms = x.pose.R * b.first, a = x.a - gravity;
    const Vec3<T> turning = cross(x.wd, ms) + cross(x.w, cross(x.w, ms));
    const Vec3<T> Jw = turned(x, b.tensor, x.w), Jwd = turned(x, b.tensor, x.wd);
    Load l;
    l.force = b.mass * a + turning;
    l.moment = Jwd + cross(x.w, Jw) + cross(ms, a) + cross(x.pose.p, l.force);
    const T w = length(x.w), wd = length(x.wd), m = abs(b.mass);
    const T acceleration = length(x.a) + length(gravity), first = length(ms);
    const T tensor = length(b.tensor.r0) + length(b.tensor.r1) + length(b.tensor.r2);
    l.push = m * acceleration + first * (wd + w * w);
    l.turn = tensor * (wd + w * w) + first * acceleration;
    return l;
  }

  // A joint's torque from what hangs on it.
  void drive(int k, const Load& l, std::vector<T>& tau, std::vector<T>& size) const {
    const Joint& j = joint_[k];
    const Moving& x = at_[j.child];
    const Vec3<T> axis = x.fixed * j.axis, n = l.moment - cross(x.joint.p, l.force);
    const T turn = l.turn + length(x.pose.p - x.joint.p) * l.push;
    auto add = [&](int l_, const T& value, const T& of) {
      tau[j.v + l_] = tau[j.v + l_] + j.now.by * value;
      size[j.v + l_] = size[j.v + l_] + abs(j.now.by) * of;
    };
    auto three = [&](int first, const Vec3<T>& value, const T& of) {
      add(first, value.x, of);
      add(first + 1, value.y, of);
      add(first + 2, value.z, of);
    };
    switch (d_.joints[k].type) {
      case JointType::revolute:
      case JointType::continuous: add(0, dot(axis, n), turn); break;
      case JointType::prismatic: add(0, dot(axis, l.force), l.push); break;
      case JointType::planar: {
        const Mat3<T> axes = x.fixed * plane(j.axis, d_.joints[k].axis);
        add(0, dot(axes.column(0), l.force), l.push);
        add(1, dot(axes.column(1), l.force), l.push);
        add(2, dot(axis, n), turn);
        break;
      }
      case JointType::spherical: three(0, transposed_times(x.joint.R, n), turn); break;
      case JointType::floating:
        three(0, transposed_times(x.joint.R, l.force), l.push);
        three(3, transposed_times(x.joint.R, n), turn);
        break;
      case JointType::fixed: break;
    }
    if (has_rotor(static_cast<std::size_t>(k))) {
      const T rotor = T(d_.joints[k].rotor_inertia) * j.now.xdd;
      add(0, rotor, abs(rotor));
    }
  }

  Description d_;
  std::vector<Joint> joint_;
  std::vector<Spinning> rotor_;
  std::vector<int> order_;  // of joints, parents first
  std::vector<PlainBody<T>> body_;
  std::vector<Moving> at_;  // by link
};

// Derivatives of torques by every coordinate, nv × nv each, row-major: by position along the
// direction of a velocity (as in integrate()) and by velocity.
struct PlainGradient {
  std::vector<long double> dq, dv;
};
template <class Setup>  // setup(ReferenceDynamics<Dual<1, long double>>&): sets loads
PlainGradient plain_gradient(const Description& d, const std::vector<long double>& q,
                             const std::vector<long double>& v, const std::vector<long double>& a,
                             const Setup& setup) {
  using D = Dual<1, long double>;
  const ReferenceDynamics<long double> rates(d);
  ReferenceDynamics<D> by(d);
  setup(by);
  auto lifted = [](const std::vector<long double>& x) {
    std::vector<D> y(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) y[k].value = x[k];
    return y;
  };
  const int n = by.nv;
  PlainGradient g{std::vector<long double>(n * n), std::vector<long double>(n * n)};
  const std::vector<D> a_ = lifted(a);
  std::vector<long double> along(n);
  for (int k = 0; k < n; ++k) {
    along[k] = 1;
    std::vector<D> moving = lifted(q), faster = lifted(v);
    const std::vector<long double> rate = rates.position_rates(q, along);
    for (std::size_t i = 0; i < moving.size(); ++i) moving[i].d[0] = rate[i];
    faster[k].d[0] = 1;
    const std::vector<D> tq = by.torque(moving, lifted(v), a_),
                         tv = by.torque(lifted(q), faster, a_);
    for (int r = 0; r < n; ++r) {
      g.dq[r * n + k] = tq[r].d[0];
      g.dv[r * n + k] = tv[r].d[0];
    }
    along[k] = 0;
  }
  return g;
}

}  // namespace parid::runtime
