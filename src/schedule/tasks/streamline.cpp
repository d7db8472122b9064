#include "schedule/tasks/decompositions.hpp"

#include <fmt/format.h>

#include <cmath>

#include "formulation/scope.hpp"
#include "parid/error.hpp"
#include "schedule/tasks/friction_tasks.hpp"
#include "schedule/tasks/recorder.hpp"
#include "schedule/tasks/subtasks.hpp"

namespace parid::schedule {
namespace {

using Vec = Vec3<Lean>;
using Mat = Mat3<Lean>;

Elements elements(const Vec& v) { return {!v.x.is(0), !v.y.is(0), !v.z.is(0)}; }

// Whether Table 4.4 applies: the same joints, and no zero that the robot does not have.
bool is_printed_stanford(const std::vector<LinkShape>& own) {
  const std::vector<LinkShape> printed = printed_stanford_shapes();
  if (own.size() != printed.size()) return false;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].prismatic != printed[i].prismatic || own[i].gravity_turns) return false;
    for (int k = 0; k < 3; ++k)
      if ((own[i].s[k] && !printed[i].s[k]) || own[i].p_in[k] != printed[i].p_in[k]) return false;
  }
  return true;
}

std::vector<LinkShape> shapes(const LeanChain& chain, Streamline how) {
  const int n = static_cast<int>(chain.joint.size()) - 1;
  std::vector<LinkShape> shape(n);
  for (int i = 1; i <= n; ++i) {
    LinkShape& s = shape[i - 1];
    const LeanJoint& j = chain.joint[i];
    s.prismatic = j.prismatic;
    s.s = elements(j.s);
    s.p_in = i == 1 ? Elements{} : elements(j.p);
    s.p_out = i == n ? Elements{} : elements(chain.joint[i + 1].p);
  }
  const LeanJoint& first = chain.joint[1];
  const Vec g = from_parent(first, to<Lean>(chain.a0));
  shape[0].gravity_turns = !first.prismatic && !(g.x.is(0) && g.y.is(0));
  if (how == Streamline::lean) return shape;
  if (is_printed_stanford(shape)) return printed_stanford_shapes();
  for (LinkShape& s : shape)
    for (Elements* p : {&s.p_in, &s.p_out})
      if ((*p)[0]) *p = {true, true, true};
  return shape;
}

// Whether every subtask is as in the general arm of Dhanaraj (1990).
bool is_general(const std::vector<LinkShape>& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const LinkShape& s = shape[i];
    if (s.prismatic || count(s.s) < 3 || (i > 0 && count(s.p_in) < 3)) return false;
  }
  return true;
}

// All computed values of a link, in its own coordinates.
struct LinkState {
  Vec w, al, a, ac, F, N, f, n;
  Mat lam, K;  // K: products of ω off the diagonal
};

class Streamliner {
 public:
  Streamliner(const Robot& robot, Streamline how, bool friction)
      : c_(robot.canonical()),
        n_(c_.topology.n),
        record_(out_),
        chain_(prepare_chain(c_, out_)),
        shape_(shapes(chain_, how)),
        state_(n_ + 2),
        friction_(friction) {
    std::set<int> kept;
    for (int i = 1; i <= n_; ++i)
      for (const int k : needed_subtasks(n_, i, shape_[i - 1])) kept.insert(100 * i + k);
    out_.tasks = subtask_graph(n_, kept, is_general(shape_));
    out_.operations.resize(kept.size());
    index_.assign(100 * (n_ + 1), -1);
    for (int t = 0; t < out_.tasks.size(); ++t) index_[std::stoi(out_.tasks[t].name)] = t;
  }

  TaskedGraph run() {
    state_[0].a = to<Lean>(chain_.a0);
    std::vector<Expr> torque(n_ + 1);
    for (i_ = 1; i_ <= n_; ++i_) forward();
    for (i_ = n_; i_ >= 1; --i_) torque[i_] = backward();
    if (friction_) {
      std::vector<JointReaction> reaction(n_ + 1);
      for (int i = 1; i <= n_; ++i) reaction[i] = {state_[i].f, state_[i].n};
      add_friction_tasks(c_, out_, reaction, torque);
    }
    write_torques(c_, out_, torque);
    add_data_edges(out_);
    return std::move(out_);
  }

 private:
  // The remaining operations of an omitted subtask move to another one: on the first link to 10,
  // and for a prismatic joint to 6.
  template <class Work>
  void subtask(int number, Work work) {
    int at = index_[100 * i_ + number];
    if (at < 0) at = index_[100 * i_ + (i_ == 1 ? 10 : 6)];
    if (at >= 0)
      record_.task(at, work);
    else
      record_.prepare(work);
  }

  void forward() {
    const LeanJoint& j = chain_.joint[i_];
    const LinkState& before = state_[i_ - 1];
    LinkState& l = state_[i_];
    j.prismatic ? slide(j, before, l) : turn(j, before, l);
    centre(j, l);
  }

  void turn(const LeanJoint& j, const LinkState& before, LinkState& l) {
    const Lean &s = j.turn.sin, &c = j.turn.cos;
    const Vec w = from_parent(j, before.w), al = from_parent(j, before.al);
    Vec coriolis, turned;
    l.w.z = w.z;
    subtask(1, [&] { l.w.x = c * w.x + s * w.y; });
    subtask(2, [&] { l.w.y = c * w.y - s * w.x; });
    subtask(3, [&] {
      l.w.z = w.z + j.qd;
      coriolis = {j.qd * l.w.y, -(j.qd * l.w.x), j.qdd};
    });
    turned.z = al.z;
    subtask(4, [&] { turned.x = c * al.x + s * al.y; });
    subtask(5, [&] { turned.y = c * al.y - s * al.x; });
    subtask(6, [&] { l.al = turned + coriolis; });
    Vec k, square;
    subtask(7, [&] { k = {l.w.y * l.w.z, l.w.z * l.w.x, l.w.x * l.w.y}; });
    subtask(8, [&] { square = {l.w.x * l.w.x, l.w.y * l.w.y, l.w.z * l.w.z}; });
    subtask(9, [&] {
      l.lam.r0.x = -(square.y + square.z);
      l.lam.r1.y = -(square.x + square.z);
      l.lam.r2.z = -(square.x + square.y);
    });
    subtask(10, [&] {
      l.lam.r1.x = k.z + l.al.z, l.lam.r0.z = k.y + l.al.y, l.lam.r2.y = k.x + l.al.x;
    });
    subtask(11, [&] {
      l.lam.r1.z = k.x - l.al.x, l.lam.r2.x = k.y - l.al.y, l.lam.r0.y = k.z - l.al.z;
    });
    l.K = {{Lean(), k.z, k.y}, {k.z, Lean(), k.x}, {k.y, k.x, Lean()}};
    const Vec a =
        from_parent(j, product_and_sum(before.a, before.lam, j.p, shape_[i_ - 1].p_in, 12));
    l.a.z = a.z;
    subtask(18, [&] { l.a.x = c * a.x + s * a.y; });
    subtask(19, [&] { l.a.y = c * a.y - s * a.x; });
  }

  // A prismatic link has the rotation of its parent: the same numbers, renamed. Its acceleration
  // has the Coriolis term 2 ω × z q̇.
  void slide(const LeanJoint& j, const LinkState& before, LinkState& l) {
    const Mat E{to<Lean>(j.E.r0), to<Lean>(j.E.r1), to<Lean>(j.E.r2)}, back = transposed(E);
    l.w = back * before.w, l.al = back * before.al;
    l.lam = back * before.lam * E, l.K = back * before.K * E;
    Vec extra;
    subtask(3, [&] {
      const Lean twice = l.w.x.is(0) && l.w.y.is(0) ? Lean() : j.qd + j.qd;
      extra = {twice * l.w.y, -(twice * l.w.x), j.qdd};
    });
    const Elements p = shape_[i_ - 1].p_in;
    if (count(p) > 1) {
      const Vec a = from_parent(j, product_and_sum(before.a, before.lam, j.p, p, 12));
      subtask(18, [&] { l.a.x = a.x + extra.x, l.a.y = a.y + extra.y; });
      subtask(19, [&] { l.a.z = a.z + extra.z; });
      return;
    }
    const Vec a = back * before.a;
    Vec b;  // λ p
    subtask(6, [&] { b = back * (before.lam * j.p); });
    Lean y;
    subtask(18, [&] { l.a.x = a.x + b.x + extra.x, y = a.y + b.y; });
    subtask(19, [&] { l.a.y = y + extra.y, l.a.z = a.z + b.z + extra.z; });
  }

  // Steps 3 and 4: a + λ r in six subtasks from `first` on; in four if r has one zero, in two if it
  // has two.
  Vec product_and_sum(const Vec& a, const Mat& lam, const Vec& r, const Elements& e, int first) {
    const Vec* row[] = {&lam.r0, &lam.r1, &lam.r2};
    const Lean* from[] = {&a.x, &a.y, &a.z};
    auto element = [](const Vec& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; };
    auto product = [&](int i, int k) { return element(*row[i], k) * element(r, k); };
    std::vector<int> columns;
    for (int k = 0; k < 3; ++k)
      if (e[k]) columns.push_back(k);
    Lean sum[3] = {a.x, a.y, a.z}, part[3][3];
    if (columns.size() == 3) {
      for (int i = 0; i < 3; ++i)
        subtask(first + i, [&] {
          for (int k = 0; k < 3; ++k) part[i][k] = product(i, k);
        });
      for (int i = 0; i < 3; ++i)
        subtask(first + 3 + i, [&] { sum[i] = *from[i] + (part[i][0] + part[i][1] + part[i][2]); });
    } else if (columns.size() == 2) {
      subtask(first + 2, [&] {
        for (int i = 0; i < 3; ++i) part[i][0] = product(i, columns[0]);
      });
      for (int i = 0; i < 3; ++i)
        subtask(first + 3 + i, [&] { sum[i] = *from[i] + (part[i][0] + product(i, columns[1])); });
    } else if (columns.size() == 1) {  // three operations each: the second starts with the rest
      subtask(first + 4, [&] {
        sum[0] = *from[0] + product(0, columns[0]);
        part[1][0] = product(1, columns[0]);
      });
      subtask(first + 5, [&] {
        sum[1] = *from[1] + part[1][0];
        sum[2] = *from[2] + product(2, columns[0]);
      });
    }
    return {sum[0], sum[1], sum[2]};
  }

  void centre(const LeanJoint& j, LinkState& l) {
    l.ac = product_and_sum(l.a, l.lam, j.s, shape_[i_ - 1].s, 20);
    subtask(26, [&] { l.F = Lean(j.mass) * l.ac; });
    const Sym3<double>& I = j.I;
    const Vec k{l.K.r1.z, l.K.r0.z, l.K.r0.y};
    subtask(27, [&] { l.N.x = Lean(I.xx) * l.al.x + Lean(I.zz - I.yy) * k.x; });
    subtask(28, [&] { l.N.y = Lean(I.yy) * l.al.y + Lean(I.xx - I.zz) * k.y; });
    subtask(29, [&] { l.N.z = Lean(I.zz) * l.al.z + Lean(I.yy - I.xx) * k.z; });
  }

  // r × v in three subtasks from `first` on; a zero of r leaves two products to one component and
  // one to each of the others.
  Vec cross_product(const Vec& r, const Vec& v, const Elements& e, int first) {
    Vec u;
    auto x = [&] { u.x = r.y * v.z - r.z * v.y; };
    auto y = [&] { u.y = r.z * v.x - r.x * v.z; };
    auto z = [&] { u.z = r.x * v.y - r.y * v.x; };
    const int elements = count(e);
    if (elements == 3) {
      subtask(first, x), subtask(first + 1, y), subtask(first + 2, z);
    } else if (elements == 2) {
      const int zero = !e[0] ? 0 : !e[1] ? 1 : 2;
      auto component = [&](int k) { k == 0 ? x() : k == 1 ? y() : z(); };
      subtask(first + 1, [&] { component(zero); });
      subtask(first + 2, [&] { component((zero + 1) % 3), component((zero + 2) % 3); });
    } else if (elements == 1) {
      subtask(first + 2, [&] { x(), y(), z(); });
    }
    return u;
  }

  Expr backward() {
    LinkState& l = state_[i_];
    const LinkState& next = state_[i_ + 1];
    Vec f, n;  // of the next link, in this one's coordinates
    if (i_ < n_) {
      const LeanJoint& j = chain_.joint[i_ + 1];
      const Lean &s = j.turn.sin, &c = j.turn.cos;
      f.z = next.f.z, n.z = next.n.z;
      subtask(30, [&] { f.x = c * next.f.x - s * next.f.y; });
      subtask(31, [&] { f.y = s * next.f.x + c * next.f.y; });
      f = to_parent(j, f);
    }
    subtask(32, [&] { l.f = l.F + f; });
    const LeanJoint& own = chain_.joint[i_];
    const Vec p = i_ < n_ ? chain_.joint[i_ + 1].p : Vec{};
    const Vec n1 = cross_product(p, f, shape_[i_ - 1].p_out, 33);
    const Vec n2 = cross_product(own.s, l.F, shape_[i_ - 1].s, 36);
    if (i_ < n_) {
      const LeanJoint& j = chain_.joint[i_ + 1];
      const Lean &s = j.turn.sin, &c = j.turn.cos;
      subtask(39, [&] { n.x = c * next.n.x - s * next.n.y; });
      subtask(40, [&] { n.y = s * next.n.x + c * next.n.y; });
      n = to_parent(j, n);
    }
    subtask(41, [&] { l.n.x = l.N.x + n1.x + (n2.x + n.x); });
    subtask(42, [&] { l.n.y = l.N.y + n1.y + (n2.y + n.y); });
    subtask(43, [&] { l.n.z = l.N.z + n1.z + (n2.z + n.z); });
    Expr torque;
    const bool last = i_ == n_;
    subtask(own.prismatic ? (last ? 26 : 32) : 43,
            [&] { torque = ((own.prismatic ? l.f.z : l.n.z) + own.rotor).expr(); });
    return torque;
  }

  const CanonicalModel& c_;
  int n_, i_ = 0;
  TaskedGraph out_;
  Recorder record_;
  LeanChain chain_;
  std::vector<LinkShape> shape_;
  std::vector<LinkState> state_;
  std::vector<int> index_;
  bool friction_;
};

}  // namespace

std::string not_streamlined(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  if (!is_chain(c.topology)) return "it branches";
  if (c.topology.free > 0) return "it has joints with several degrees of freedom";
  if (c.has_mimic) return "it has mimic joints";
  TaskedGraph scratch;
  const LeanChain chain = prepare_chain(c, scratch);
  for (int i = 1; i <= c.topology.n; ++i) {
    const LeanJoint& j = chain.joint[i];
    const std::string& name = robot.description().joints[c.joint[i].joint].name;
    for (const Vec3<double>& r : {j.E.r0, j.E.r1, j.E.r2})
      for (const double x : {r.x, r.y, r.z})
        if (x != 0 && x != 1 && x != -1)
          return fmt::format(
              "the axis of joint '{}' is neither parallel nor perpendicular to the previous axis",
              name);
    if (j.I.xy != 0 || j.I.xz != 0 || j.I.yz != 0)
      return fmt::format("the link of joint '{}' has products of inertia", name);
  }
  return "";
}

TaskedGraph streamlined(const Robot& robot, Streamline how, bool friction) {
  if (const std::string why = not_streamlined(robot); !why.empty())
    throw Error(
        fmt::format("{} has no streamlined tasks: {}; use `tasks=graph`, which takes any robot",
                    robot.name(), why));
  return Streamliner(robot, how, friction).run();
}

}  // namespace parid::schedule
