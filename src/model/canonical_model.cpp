#include "model/canonical_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "model/extent.hpp"
#include "model/joint/coordinates.hpp"
#include "model/joint/mimic.hpp"
#include "scalar/angle.hpp"

namespace parid::model {
namespace {

using V = Vec3<double>;
using P = Pose<double>;

// A joint of the future mechanism, still in the user's frames. A "body" is a moving link with all
// links that fixed joints attach to it; its frame is that of the link which the joint moves.
struct RawJoint {
  JointKind kind;
  int parent;   // body
  P in_parent;  // joint frame in the parent body's frame
  V axis;       // unit, in the joint frame
  P tip;        // child body's frame in the joint frame, once it has moved
  JointPlace place;
};

struct RawTree {
  std::vector<RawJoint> joint{1};  // [0] is the base
  std::vector<LinkPlace> link;     // in body frames
  int root = 0;                    // the link without a parent joint
};

V unit(const V& v) { return unit_vector(v); }

// Removes rounding errors of zeros and ones. 4e-16 is two units in the last place of 1.
double clean(double x) {
  return std::abs(x) < 4e-16 ? 0 : std::abs(std::abs(x) - 1) < 4e-16 ? std::copysign(1, x) : x;
}
V clean(const V& v) { return {clean(v.x), clean(v.y), clean(v.z)}; }
Mat3<double> clean(const Mat3<double>& A) { return {clean(A.r0), clean(A.r1), clean(A.r2)}; }
// The same for lengths. In an arm of half a metre 1e-16 m is rounding; in smaller arms it is less.
V clean_length(const V& v, double size) {
  auto c = [&](double x) { return std::abs(x) < std::min(1e-16, 4e-16 * size) ? 0 : x; };
  return {c(v.x), c(v.y), c(v.z)};
}

// Coordinates of the description's joints, in the file's order.
std::vector<JointPlace> coordinates(const Description& d, int& nq, int& nv,
                                    std::vector<Coupling>& couplings) {
  std::vector<JointPlace> place(d.joints.size());
  for (std::size_t k = 0; k < place.size(); ++k) {
    const double rotor = velocity_count(d.joints[k].type) == 1 ? d.joints[k].rotor_inertia : 0;
    place[k] = {.joint = static_cast<int>(k), .position = nq, .velocity = nv};
    place[k].rotor_inertia = rotor;
    nq += position_count(d.joints[k]);
    nv += velocity_count(d.joints[k]);
  }
  const std::vector<MimicChain> follow = mimic_chains(d);
  for (std::size_t k = 0; k < place.size(); ++k) {
    const JointPlace& leader = place[follow[k].leader];
    place[k].position = leader.position;
    place[k].velocity = leader.velocity;
    place[k].scale = follow[k].scale;
    place[k].offset = follow[k].offset;
    place[k].has_mimic = d.joints[k].mimic.has_value();
    if (!follow[k].coupling) continue;
    place[k].coupling = static_cast<int>(couplings.size());
    place[k].offset = 0;
    couplings.push_back(*follow[k].coupling);
  }
  return place;
}

// Depth first from the root, children in the file's order, so that a chain's links follow each
// other.
RawTree walk(const Description& d, const std::vector<JointPlace>& place) {
  std::unordered_map<std::string, int> link_by_name;
  for (int k = 0; k < static_cast<int>(d.links.size()); ++k)
    link_by_name.emplace(d.links[k].name, k);
  std::vector<std::vector<int>> children(d.links.size());
  std::vector<bool> is_child(d.links.size());
  for (int k = 0; k < static_cast<int>(d.joints.size()); ++k) {
    children[link_by_name.at(d.joints[k].parent)].push_back(k);
    is_child[link_by_name.at(d.joints[k].child)] = true;
  }

  RawTree tree;
  tree.link.resize(d.links.size());
  std::vector<int> stack;
  auto push_children = [&](int link) {
    stack.insert(stack.end(), children[link].rbegin(), children[link].rend());
  };
  tree.root =
      static_cast<int>(std::find(is_child.begin(), is_child.end(), false) - is_child.begin());
  push_children(tree.root);
  while (!stack.empty()) {
    const int k = stack.back();
    stack.pop_back();
    const JointDescription& j = d.joints[k];
    const LinkPlace parent = tree.link[link_by_name.at(j.parent)];
    const int child = link_by_name.at(j.child);
    const P frame = parent.pose * j.origin;
    auto add = [&](JointKind kind, int body, const P& at, const V& axis, const P& tip, JointPlace c,
                   int step) {
      c.position += step;
      c.velocity += step;
      tree.joint.push_back({kind, body, at, axis, tip, c});
      return static_cast<int>(tree.joint.size()) - 1;
    };
    int body = parent.link;
    switch (j.type) {
      case JointType::fixed:
        tree.link[child] = {parent.link, frame * j.tip};
        push_children(child);
        continue;
      case JointType::revolute:
      case JointType::continuous:
        body = add(JointKind::revolute, body, frame, unit(j.axis), j.tip, place[k], 0);
        break;
      case JointType::prismatic:
        body = add(JointKind::prismatic, body, frame, unit(j.axis), j.tip, place[k], 0);
        break;
      case JointType::spherical:
        body = add(JointKind::spherical, body, frame, {0, 0, 1}, j.tip, place[k], 0);
        break;
      case JointType::floating:
        body = add(JointKind::floating, body, frame, {0, 0, 1}, j.tip, place[k], 0);
        break;
      case JointType::planar: {  // along the plane's x, along its y, about its normal
        const P plane{plane_axes(unit(j.axis)), {}};
        body = add(JointKind::prismatic, body, frame * plane, {1, 0, 0}, {}, place[k], 0);
        body = add(JointKind::prismatic, body, {}, {0, 1, 0}, {}, place[k], 1);
        body = add(JointKind::revolute, body, {}, {0, 0, 1}, inverse(plane) * j.tip, place[k], 2);
      }
    }
    tree.link[child] = {body, {}};
    push_children(child);
  }
  return tree;
}

// Rotors come last, each on the link that carries it. Their place along the axis has no effect.
void add_rotors(const Description& d, const std::vector<JointPlace>& place,
                std::vector<Coupling>& couplings, RawTree& tree) {
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const std::optional<Rotor>& r = d.joints[k].rotor;
    if (!r || velocity_count(d.joints[k].type) != 1) continue;
    std::size_t carrier = 0;
    while (d.links[carrier].name != r->link) ++carrier;
    JointPlace p = place[k];
    p.rotor_inertia = p.offset = 0;
    p.has_mimic = p.is_rotor = true;
    if (p.coupling < 0) {
      p.scale *= r->ratio;
    } else {
      couplings.push_back(then(couplings[p.coupling], {{}, {0, r->ratio}}));
      p.coupling = static_cast<int>(couplings.size()) - 1;
    }
    const auto& [body, pose] = tree.link[carrier];
    tree.joint.push_back({JointKind::revolute, body, pose, unit(r->axis), {}, p});
  }
}

// In a frame whose z is the rotor's axis.
Inertia rotor_body(const Rotor& r) { return {0, {}, {0, 0, r.inertia}}; }

struct Line {
  V point, direction;
};

// The point where the common normal of two lines meets the first: s in axis.point +
// s·axis.direction. For nearly parallel lines it may be kilometres away, where inertias lose their
// digits; it is then not used.
std::optional<double> foot(const Line& axis, const Line& other) {
  const V gap = other.point - axis.point;
  const double sine = norm(cross(axis.direction, other.direction));
  // gap = s axis + t other + (along both's normal)
  const double c = dot(axis.direction, other.direction);
  const double s = (dot(gap, axis.direction) - c * dot(gap, other.direction)) / (sine * sine);
  if (sine > 1e-9 && std::abs(s) <= 4 * norm(gap)) return s;
  return {};
}

// A frame with z along `axis`, and x and origin on the common normal to `next`, if there is one.
// Otherwise the origin is at the level of `level`, and the user's frame (in which everything is
// given) decides the remaining freedom.
P frame_on(const Line& axis, const Line* next, const V& level, double size) {
  const V z = axis.direction;
  const V home = axis.point + dot(level - axis.point, z) * z;
  auto sideways = [&](const V& v) { return v - dot(v, z) * z; };
  V x, origin = home;
  if (next) {
    const V across = cross(z, next->direction), gap = next->point - axis.point;
    if (const auto at = foot(axis, *next)) {
      origin = axis.point + *at * z;
      x = unit(sideways(
          unit(across)));  // for nearly parallel axes, this makes across perpendicular to z
    } else if (const V side = sideways(gap); norm(side) > std::min(1e-9, 4e-9 * size)) {
      x = unit(sideways(unit(side)));
    }
  }
  if (dot(x, x) == 0) {
    const V own = sideways({1, 0, 0});
    x = norm(own) > 0.5 ? unit(own) : unit(sideways({0, 1, 0}));
  }
  if (x.x < -1e-9 || (std::abs(x.x) <= 1e-9 && (x.y < -1e-9 || (std::abs(x.y) <= 1e-9 && x.z < 0))))
    x = -x;
  const V y = cross(z, x);
  return {clean(Mat3<double>{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}),
          clean_length(origin, size)};
}

bool has_axis(JointKind k) { return k == JointKind::revolute || k == JointKind::prismatic; }

// The canonical frame of each body in the body's own frame.
std::vector<P> choose_frames(const RawTree& tree, double size) {
  const int n = static_cast<int>(tree.joint.size()) - 1;
  std::vector<int> main_child(n + 1, 0);  // the first child with an axis to align with
  for (int i = n; i >= 1; --i)
    if (has_axis(tree.joint[i].kind) && !tree.joint[i].place.is_rotor)
      main_child[tree.joint[i].parent] = i;

  std::vector<P> X(n + 1);
  for (int i = n; i >= 1; --i) {
    const RawJoint& j = tree.joint[i];
    const P joint_in_body = inverse(j.tip);
    if (!has_axis(j.kind)) {
      X[i] = joint_in_body;  // the frame in which users give velocities
      continue;
    }
    const Line axis{joint_in_body.p, joint_in_body.R * j.axis};
    if (const int c = main_child[i]) {
      // Parallel axes have common normals everywhere; use the one through the next frame's origin.
      const RawJoint& next = tree.joint[c];
      const Line next_axis{next.in_parent.p, next.in_parent.R * next.axis};
      X[i] = frame_on(axis, &next_axis, next.in_parent * (next.tip * X[c].p), size);
    } else {
      // No child. On the normal to the previous axis, if there is one, nothing remains to shift.
      V level;
      if (const RawJoint& before = tree.joint[j.parent]; j.parent > 0 && has_axis(before.kind)) {
        const P own = inverse(j.in_parent * j.tip) * inverse(before.tip);
        if (const auto at = foot(axis, {own.p, own.R * before.axis}))
          level = axis.point + *at * axis.direction;
      }
      X[i] = frame_on(axis, nullptr, level, size);
    }
  }
  // The base frame is arbitrary: place it in the first joint's frame, so that this joint is a pure
  // rotation.
  if (const int c = main_child[0]; c == 1)
    X[0] = tree.joint[c].in_parent * tree.joint[c].tip * X[c];
  return X;
}

// Requires topology and joint.
void number_freedoms(CanonicalModel& c) {
  const int n = c.topology.n;
  c.first.assign(n + 2, 0);
  for (int i = 1; i <= n; ++i) {
    c.first[i] = static_cast<int>(c.freedom.size());
    const JointKind kind = c.topology.kind[i];
    const JointPlace& j = c.joint[i];
    const int from = kind == JointKind::revolute || kind == JointKind::spherical ? 3 : 0;
    auto add = [&](int axis, int step) {
      // every joint has degrees of freedom: its last one is next
      const int above = c.topology.parent[i];
      const int parent = step > 0    ? static_cast<int>(c.freedom.size()) - 1
                         : above > 0 ? c.first[above + 1] - 1
                                     : -1;
      c.freedom.push_back(
          {i, axis, parent, j.velocity + step, j.scale, j.rotor_inertia, j.coupling});
    };
    if (has_axis(kind))
      add(from + 2, 0);
    else
      for (int axis = from; axis < 6; ++axis) add(axis, axis - from);
    c.first[i + 1] = static_cast<int>(c.freedom.size());
  }
}

// The centre of the bearing, given along the axis from the joint's frame, in the link's canonical
// frame.
double bearing_height(const RawJoint& j, const P& X, double at) {
  const P joint_in_body = inverse(j.tip);
  return (inverse(X) * (joint_in_body.p + at * (joint_in_body.R * j.axis))).z;
}

FrictionLaw<double> friction_law(const JointDescription& d, const RawJoint& j, const P& X) {
  FrictionLaw<double> law;
  law.viscous = d.damping;
  law.coulomb = d.friction;
  law.smoothing = d.smoothing * d.smoothing;
  if (d.stribeck) {
    law.stribeck = d.stribeck->breakaway - d.friction;
    law.sharpness = 1 / (d.stribeck->velocity * d.stribeck->velocity);
  }
  if (d.journal) {
    law.journal = d.journal->friction * d.journal->radius / d.journal->spacing;
    law.half_spacing = d.journal->spacing / 2;
    law.height = bearing_height(j, X, d.journal->at);
  }
  if (d.linear) {
    law.linear = d.linear->friction / d.linear->spacing;
    law.half_spacing = d.linear->spacing / 2;
    law.height = bearing_height(j, X, d.linear->at);
  }
  if (d.thrust) law.thrust = d.thrust->friction * d.thrust->radius;
  return law;
}

CanonicalDrive canonical_drive(const Drive& d) {
  CanonicalDrive c;
  c.law.breakaway = d.breakaway;
  if (d.efficiency.empty()) return c;
  c.pieces = efficiency_pieces(d);
  if (d.efficiency.size() == 1) return c;
  for (auto& [from, coefficients] : c.pieces) {
    from *= d.rated;
    for (int k = 1; k < 4; ++k) coefficients[k] /= std::pow(d.rated, k);
  }
  c.law.low = d.efficiency.front()[0] * d.rated;
  c.law.high = d.efficiency.back()[0] * d.rated;
  return c;
}

}  // namespace

CanonicalModel::CanonicalModel(const Description& d) : mechanism(topology) {
  const std::vector<JointPlace> place = coordinates(d, nq, nv, coupling);
  RawTree tree = walk(d, place);
  links = static_cast<int>(tree.joint.size()) - 1;
  add_rotors(d, place, coupling, tree);
  const double size = extent_of(d);
  const std::vector<P> X = choose_frames(tree, size);
  const int n = static_cast<int>(tree.joint.size()) - 1;

  topology.n = n;
  topology.couplings = static_cast<int>(coupling.size());
  topology.parent.assign(n + 1, 0);
  topology.kind.assign(n + 1, JointKind::revolute);
  topology.free_index.assign(n + 1, -1);
  for (int i = 1; i <= n; ++i) {
    topology.parent[i] = tree.joint[i].parent;
    topology.kind[i] = tree.joint[i].kind;
    if (!has_axis(tree.joint[i].kind)) topology.free_index[i] = topology.free++;
  }
  mechanism = Mechanism<double>(topology);
  mechanism.gravity = clean_length(transposed_times(X[0].R, d.gravity), 1);

  joint.resize(n + 1);
  friction.resize(n + 1);
  drive.resize(n + 1);
  for (int i = 1; i <= n; ++i) {
    const RawJoint& j = tree.joint[i];
    joint[i] = j.place;
    if (j.kind == JointKind::revolute && std::abs(joint[i].offset) > plain_angle<double>)
      joint[i].offset = reduced_angle(joint[i].offset);
    const JointDescription& said = d.joints[j.place.joint];
    if (velocity_count(said.type) == 1 && !j.place.is_rotor) {
      friction[i] = friction_law(said, j, X[i]);
      if (said.drive && !said.mimic) drive[i] = canonical_drive(*said.drive);
    }
    has_mimic |= j.place.has_mimic;
    in_order &= has_axis(j.kind) && j.place.position == i - 1 && j.place.velocity == i - 1;
    P at = inverse(X[j.parent]) * j.in_parent;
    if (has_axis(j.kind)) at = at * j.tip * X[i];
    if (j.place.is_rotor) at.p = {};
    at = {clean(at.R), clean_length(at.p, size)};
    // Between DH frames E·Rz(q) is Rx(α)·Rz(q + θ). Right angles θ stay in E, where they are free.
    if (j.kind == JointKind::revolute && at.R.r0.z == 0 && at.R.r0.x != 0 && at.R.r0.y != 0) {
      joint[i].offset += std::atan2(-at.R.r0.y, at.R.r0.x);
      at.R = {{1, 0, 0}, {0, at.R.r2.z, at.R.r1.z}, {0, -at.R.r1.z, at.R.r2.z}};
    }
    mechanism.placing[i].set(0, at.R);
    mechanism.placing[i].set(9, at.p);
    topology.all_revolute &= j.kind == JointKind::revolute;
    topology.all_twist_turns &= has_axis(j.kind) && at.R.r0.z == 0;
  }

  in_order &= !has_mimic;
  number_freedoms(*this);

  root = tree.root;
  link = tree.link;
  std::vector<Inertia> body(n + 1);
  for (std::size_t k = 0; k < link.size(); ++k) {
    link[k].pose = inverse(X[link[k].link]) * link[k].pose;
    link[k].pose = {clean(link[k].pose.R), clean_length(link[k].pose.p, size)};
    if (d.links[k].inertia)
      body[link[k].link] = together(body[link[k].link], moved(link[k].pose, *d.links[k].inertia));
  }
  for (int i = links + 1; i <= n; ++i) {
    const RawJoint& j = tree.joint[i];
    const Rotor& r = *d.joints[j.place.joint].rotor;
    body[i] = rotor_body(r);
    if (!r.included) continue;
    const V e = transposed_times(X[j.parent].R, j.in_parent.R * j.axis);
    const double J = r.inertia;
    const Sym3<double> own{-J * e.x * e.x, -J * e.y * e.y, -J * e.z * e.z,
                           -J * e.x * e.y, -J * e.x * e.z, -J * e.y * e.z};
    body[j.parent].about_com = body[j.parent].about_com + own;
  }
  for (int i = 1; i <= n; ++i) mechanism.set_body(i, body[i]);
}

}  // namespace parid::model
