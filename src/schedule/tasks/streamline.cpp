#include "schedule/tasks/decompositions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

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
    if (own[i].prismatic != printed[i].prismatic || own[i].gravity_turns || own[i].turned ||
        count(own[i].products) > 0)
      return false;
    for (int k = 0; k < 3; ++k)
      if ((own[i].s[k] && !printed[i].s[k]) || own[i].p_in[k] != printed[i].p_in[k]) return false;
  }
  return true;
}

bool is_trivial(double x) { return x == 0 || x == 1 || x == -1; }

// A joint whose axis is neither parallel nor perpendicular to the axes of its parent's frame.
bool turned_by_a_constant(const LeanJoint& j) {
  for (const Vec3<double>& r : {j.E.r0, j.E.r1, j.E.r2})
    if (!is_trivial(r.x) || !is_trivial(r.y) || !is_trivial(r.z)) return true;
  return false;
}

// The two subtasks of each row of a product with a constant matrix: one for products if there are
// three, one for their sum; with two products that one does both. A row of one entry takes none.
constexpr int from_parent_w = 51, from_parent_al = 57, from_parent_a = 63, to_parent_f = 71,
              to_parent_n = 77;
std::set<int> constant_subtasks(const Mat3<double>& m, int first) {
  std::set<int> kept;
  int k = first;
  for (const Vec3<double>& r : {m.r0, m.r1, m.r2}) {
    const int entries = (r.x != 0) + (r.y != 0) + (r.z != 0);
    if (entries == 3) kept.insert(k);
    if (entries >= 2) kept.insert(k + 1);
    k += 2;
  }
  return kept;
}

// As the rules count a position vector: with a length along the common normal in full.
Elements by_rules(const Elements& p, Streamline how) {
  return how == Streamline::rules && p[0] ? Elements{true, true, true} : p;
}

std::vector<LinkShape> shapes(const LeanTree& tree, Streamline how, bool chain) {
  const int n = static_cast<int>(tree.joint.size()) - 1;
  std::vector<LinkShape> shape(n);
  for (int i = 1; i <= n; ++i) {
    LinkShape& s = shape[i - 1];
    const LeanJoint& j = tree.joint[i];
    s.prismatic = j.prismatic;
    s.s = elements(j.s);
    s.p_in = j.parent == 0 ? Elements{} : elements(j.p);
    s.p_out = j.children.empty() ? Elements{} : elements(tree.joint[j.children[0]].p);
    s.turned = turned_by_a_constant(j);
    s.products = {j.I.yz != 0, j.I.xz != 0, j.I.xy != 0};
    s.gravity_turns = j.parent == 0 && !j.prismatic && (j.a0.x != 0 || j.a0.y != 0);
  }
  if (how == Streamline::lean) return shape;
  if (chain && is_printed_stanford(shape)) return printed_stanford_shapes();
  for (LinkShape& s : shape)
    for (Elements* p : {&s.p_in, &s.p_out}) *p = by_rules(*p, how);
  return shape;
}

// Whether every subtask is as in the general arm of Dhanaraj (1990).
bool is_general(const std::vector<LinkShape>& shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const LinkShape& s = shape[i];
    if (s.prismatic || count(s.s) < 3 || (i > 0 && count(s.p_in) < 3) || s.turned ||
        count(s.products) > 0)
      return false;
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
        tree_(prepare_tree(c_, out_)),
        how_(how),
        shape_(shapes(tree_, how, is_chain(c_.topology))),
        state_(n_ + 1),
        friction_(friction) {
    as_printed() ? chain_tasks() : tree_tasks();
    out_.operations.resize(out_.tasks.size());
  }

  TaskedGraph run() {
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
  // The table's subtasks with its layers; of arms that are general in every respect its edges too.
  void chain_tasks() {
    std::set<int> kept;
    for (int i = 1; i <= n_; ++i)
      for (const int k : subtasks_of(i)) kept.insert(100 * i + k);
    out_.tasks = subtask_graph(n_, kept, is_general(shape_));
    for (int t = 0; t < out_.tasks.size(); ++t) {
      const int name = std::stoi(out_.tasks[t].name);
      index_[{name / 100, name % 100, 0}] = t;
    }
  }

  // No layers are printed for trees and for axes in any direction: the edges determine the layers
  // of tasks.
  void tree_tasks() {
    auto add = [&](int i, int number, int child) {
      const std::string name = fmt::format("{}", 100 * i + number);
      index_[{i, number, child}] =
          out_.tasks.add({child == 0 ? name : fmt::format("{}/{}", name, child), 1, i, -1,
                          subtask_recursion(number)});
    };
    for (int i = 1; i <= n_; ++i) {
      for (const int k : subtasks_of(i)) add(i, k, 0);
      const LeanJoint& j = tree_.joint[i];
      for (std::size_t c = 1; c < j.children.size(); ++c) {
        const LeanJoint& child = tree_.joint[j.children[c]];
        std::set<int> kept = further_subtasks(child.prismatic, by_rules(elements(child.p), how_));
        if (turned_by_a_constant(child)) add_constants(child, kept);
        for (const int k : kept) add(i, k, j.children[c]);
      }
    }
  }

  std::set<int> subtasks_of(int i) const {
    const LeanJoint& j = tree_.joint[i];
    std::set<int> kept = needed_subtasks(j.parent == 0, j.children.empty(), shape_[i - 1]);
    if (shape_[i - 1].turned)
      for (const int first : {from_parent_w, from_parent_al, from_parent_a})
        kept.merge(constant_subtasks(transposed(j.E), first));
    if (!j.children.empty() && shape_[j.children[0] - 1].turned)
      add_constants(tree_.joint[j.children[0]], kept);
    return kept;
  }
  void add_constants(const LeanJoint& child, std::set<int>& kept) const {
    for (const int first : {to_parent_f, to_parent_n})
      kept.merge(constant_subtasks(child.E, first));
  }
  bool as_printed() const {
    return is_chain(c_.topology) &&
           std::none_of(shape_.begin(), shape_.end(), [](const LinkShape& s) { return s.turned; });
  }

  // What is left of a subtask that is left out is done elsewhere: on the first link by 10, and
  // where a joint slides by 6.
  template <class Work>
  void subtask(int number, Work work) {
    auto at = index_.find({i_, number, child_});
    if (at == index_.end()) at = index_.find({i_, tree_.joint[i_].parent == 0 ? 10 : 6, 0});
    if (at != index_.end())
      record_.task(at->second, work);
    else
      record_.prepare(work);
  }

  void forward() {
    const LeanJoint& j = tree_.joint[i_];
    if (j.parent == 0) state_[0].a = to<Lean>(j.a0);
    const LinkState& before = state_[j.parent];
    LinkState& l = state_[i_];
    j.prismatic ? slide(j, before, l) : turn(j, before, l);
    centre(j, l);
    products_of_inertia(j, l);
  }

  // M v with a constant matrix; entries 0, 1 and -1 take no operation.
  Vec constant_product(const Mat3<double>& m, const Vec& v, int first) {
    const Vec3<double>* row[] = {&m.r0, &m.r1, &m.r2};
    Lean u[3];
    for (int k = 0; k < 3; ++k) {
      const Vec3<double>& r = *row[k];
      Lean x, y, z;
      auto products = [&] {
        x = Lean(r.x) * v.x;
        y = Lean(r.y) * v.y;
        z = Lean(r.z) * v.z;
      };
      const int entries = (r.x != 0) + (r.y != 0) + (r.z != 0);
      if (entries == 3) subtask(first + 2 * k, products);
      if (entries == 1) products();  // writes nothing
      if (entries == 1)
        u[k] = x + y + z;
      else
        subtask(first + 2 * k + 1, [&] {
          if (entries == 2) products();
          u[k] = x + y + z;
        });
    }
    return {u[0], u[1], u[2]};
  }

  void turn(const LeanJoint& j, const LinkState& before, LinkState& l) {
    const Lean &s = j.turn.sin, &c = j.turn.cos;
    const Mat3<double> back = transposed(j.E);
    const Vec w = constant_product(back, before.w, from_parent_w),
              al = constant_product(back, before.al, from_parent_al);
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
    products_of_velocity(l);
    const Vec a = constant_product(
        back, product_and_sum(before.a, before.lam, j.p, shape_[i_ - 1].p_in, 12), from_parent_a);
    l.a.z = a.z;
    subtask(18, [&] { l.a.x = c * a.x + s * a.y; });
    subtask(19, [&] { l.a.y = c * a.y - s * a.x; });
  }

  void products_of_velocity(LinkState& l) {
    Vec k, square;
    subtask(7, [&] { k = {l.w.y * l.w.z, l.w.z * l.w.x, l.w.x * l.w.y}; });
    subtask(8, [&] { square = {l.w.x * l.w.x, l.w.y * l.w.y, l.w.z * l.w.z}; });
    subtask(9, [&] {
      l.lam.r0.x = -(square.y + square.z);
      l.lam.r1.y = -(square.x + square.z);
      l.lam.r2.z = -(square.x + square.y);
    });
    subtask(10, [&] {
      l.lam.r1.x = k.z + l.al.z;
      l.lam.r0.z = k.y + l.al.y;
      l.lam.r2.y = k.x + l.al.x;
    });
    subtask(11, [&] {
      l.lam.r1.z = k.x - l.al.x;
      l.lam.r2.x = k.y - l.al.y;
      l.lam.r0.y = k.z - l.al.z;
    });
    l.K = {{Lean(), k.z, k.y}, {k.z, Lean(), k.x}, {k.y, k.x, Lean()}};
  }

  // A prismatic link has the rotation of its parent: the same numbers, renamed. Its acceleration
  // has the Coriolis term 2 ω × z q̇.
  void slide(const LeanJoint& j, const LinkState& before, LinkState& l) {
    const Mat E{to<Lean>(j.E.r0), to<Lean>(j.E.r1), to<Lean>(j.E.r2)}, back = transposed(E);
    const bool turned = shape_[i_ - 1].turned;
    if (turned) {
      const Mat3<double> m = transposed(j.E);
      l.w = constant_product(m, before.w, from_parent_w);
      l.al = constant_product(m, before.al, from_parent_al);
      products_of_velocity(l);
    } else {
      l.w = back * before.w;
      l.al = back * before.al;
      l.lam = back * before.lam * E;
      l.K = back * before.K * E;
    }
    Vec extra;
    subtask(3, [&] {
      const Lean twice = l.w.x.is(0) && l.w.y.is(0) ? Lean() : j.qd + j.qd;
      extra = {twice * l.w.y, -(twice * l.w.x), j.qdd};
    });
    const Elements p = shape_[i_ - 1].p_in;
    if (count(p) > 1 || turned) {
      const Vec a = constant_product(
          transposed(j.E), product_and_sum(before.a, before.lam, j.p, p, 12), from_parent_a);
      subtask(18, [&] {
        l.a.x = a.x + extra.x;
        l.a.y = a.y + extra.y;
      });
      subtask(19, [&] { l.a.z = a.z + extra.z; });
      return;
    }
    const Vec a = back * before.a;
    Vec b;  // λ p
    subtask(6, [&] { b = back * (before.lam * j.p); });
    Lean y;
    subtask(18, [&] {
      l.a.x = a.x + b.x + extra.x;
      y = a.y + b.y;
    });
    subtask(19, [&] {
      l.a.y = y + extra.y;
      l.a.z = a.z + b.z + extra.z;
    });
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

  // What products of inertia add to N: Eq. (2.41) and the angular acceleration, by λ.
  void products_of_inertia(const LeanJoint& j, LinkState& l) {
    const Lean xy(j.I.xy), xz(j.I.xz), yz(j.I.yz);
    const Mat& m = l.lam;
    if (j.parent == 0) {  // λ_yx = α, λ_zz = 0, λ_xx = λ_yy
      auto x = [&] { l.N.x = l.N.x + (xz * l.al.z + yz * m.r1.y); };
      auto y = [&] { l.N.y = l.N.y + (yz * l.al.z - xz * m.r0.x); };
      subtask(45, x);
      subtask(xz.is(0) || yz.is(0) ? 45 : 46, y);
      return;
    }
    const Elements& there = shape_[i_ - 1].products;
    const int number = count(there);
    if (number == 0) return;
    Vec d;  // of λ's diagonal
    auto differences = [&] {
      if (there[0]) d.x = m.r1.y - m.r2.z;
      if (there[1]) d.y = m.r2.z - m.r0.x;
      if (there[2]) d.z = m.r0.x - m.r1.y;
    };
    // Of component k with I_yz, I_xz or I_xy; with a difference if `which` is k.
    auto product = [&](int k, int which) {
      switch (3 * k + which) {
        case 0: return yz * d.x;
        case 1: return xz * m.r1.x;
        case 2: return -(xy * m.r2.x);
        case 3: return -(yz * m.r0.y);
        case 4: return xz * d.y;
        case 5: return xy * m.r2.y;
        case 6: return yz * m.r0.z;
        case 7: return -(xz * m.r1.z);
        default: return xy * d.z;
      }
    };
    Lean part[3][3];
    auto products_of = [&](int k) {
      for (int which = 0; which < 3; ++which)
        if (there[which]) part[k][which] = product(k, which);
    };
    auto sum = [&](int k) { part[k][0] = part[k][0] + part[k][1] + part[k][2]; };
    Lean* const N[] = {&l.N.x, &l.N.y, &l.N.z};
    if (number == 1) {
      const int which = there[0] ? 0 : there[1] ? 1 : 2;
      subtask(44, [&] {
        differences();
        for (int k = 0; k < 3; ++k)
          if (k != which) part[k][which] = product(k, which);
      });
      subtask(45, [&] { part[which][which] = product(which, which); });
      for (int k = 0; k < 3; ++k) sum(k);  // writes nothing: one of the three is there
    } else {
      subtask(44, differences);
      for (int k = 0; k < 3; ++k)
        subtask(45 + k, [&] {
          products_of(k);
          if (number == 2) sum(k);
        });
    }
    for (int k = 0; k < 3; ++k)
      subtask(number == 3 ? 48 + k : 48, [&] {
        if (number == 3) sum(k);
        *N[k] = *N[k] + part[k][0];
      });
  }

  // r × v in three subtasks from `first` on; a zero of r leaves one component two products and the
  // others one each.
  Vec cross_product(const Vec& r, const Vec& v, const Elements& e, int first) {
    Vec u;
    auto x = [&] { u.x = r.y * v.z - r.z * v.y; };
    auto y = [&] { u.y = r.z * v.x - r.x * v.z; };
    auto z = [&] { u.z = r.x * v.y - r.y * v.x; };
    const int elements = count(e);
    if (elements == 3) {
      subtask(first, x);
      subtask(first + 1, y);
      subtask(first + 2, z);
    } else if (elements == 2) {
      const int zero = !e[0] ? 0 : !e[1] ? 1 : 2;
      auto component = [&](int k) { k == 0 ? x() : k == 1 ? y() : z(); };
      subtask(first + 1, [&] { component(zero); });
      subtask(first + 2, [&] {
        component((zero + 1) % 3);
        component((zero + 2) % 3);
      });
    } else if (elements == 1) {
      subtask(first + 2, [&] {
        x();
        y();
        z();
      });
    }
    return u;
  }

  // What link `next` exerts, from its coordinates to this one's, in two subtasks.
  Vec turned_back(int next, const Vec& v, int first) {
    const LeanJoint& j = tree_.joint[next];
    const Lean &s = j.turn.sin, &c = j.turn.cos;
    Vec u{Lean(), Lean(), v.z};
    subtask(first, [&] { u.x = c * v.x - s * v.y; });
    subtask(first + 1, [&] { u.y = s * v.x + c * v.y; });
    return constant_product(j.E, u, first == 30 ? to_parent_f : to_parent_n);
  }

  Expr backward() {
    LinkState& l = state_[i_];
    const LeanJoint& own = tree_.joint[i_];
    const bool last = own.children.empty();
    const int next = last ? 0 : own.children[0];
    Vec f, n;  // of the next link, in this one's coordinates
    if (!last) f = turned_back(next, state_[next].f, 30);
    subtask(32, [&] { l.f = l.F + f; });
    const Vec p = last ? Vec{} : tree_.joint[next].p;
    const Vec n1 = cross_product(p, f, shape_[i_ - 1].p_out, 33);
    const Vec n2 = cross_product(own.s, l.F, shape_[i_ - 1].s, 36);
    if (!last) n = turned_back(next, state_[next].n, 39);
    subtask(41, [&] { l.n.x = l.N.x + n1.x + (n2.x + n.x); });
    subtask(42, [&] { l.n.y = l.N.y + n1.y + (n2.y + n.y); });
    subtask(43, [&] { l.n.z = l.N.z + n1.z + (n2.z + n.z); });
    for (std::size_t k = 1; k < own.children.size(); ++k) add_further(own.children[k], l);
    Expr torque;
    const bool further = own.children.size() > 1;
    if (further) child_ = own.children.back();
    subtask(own.prismatic ? (last ? 26 : 32)
            : further     ? 42
                          : 43,
            [&] { torque = ((own.prismatic ? l.f.z : l.n.z) + own.rotor).expr(); });
    child_ = 0;
    return torque;
  }

  void add_further(int next, LinkState& l) {
    child_ = next;
    const LeanJoint& j = tree_.joint[next];
    const Vec f = turned_back(next, state_[next].f, 30);
    subtask(32, [&] { l.f = l.f + f; });
    const Vec n1 = cross_product(j.p, f, by_rules(elements(j.p), how_), 33);
    const Vec n = turned_back(next, state_[next].n, 39);
    Lean y;
    subtask(41, [&] {
      l.n.x = l.n.x + (n1.x + n.x);
      y = n1.y + n.y;
    });
    subtask(42, [&] {
      l.n.y = l.n.y + y;
      l.n.z = l.n.z + (n1.z + n.z);
    });
    child_ = 0;
  }

  const CanonicalModel& c_;
  int n_, i_ = 0;
  TaskedGraph out_;
  Recorder record_;
  LeanTree tree_;
  Streamline how_;
  std::vector<LinkShape> shape_;
  std::vector<LinkState> state_;
  int child_ = 0;                            // the further link that a subtask is for
  std::map<std::array<int, 3>, int> index_;  // link, number, further link
  bool friction_;
};

}  // namespace

std::string not_streamlined(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  if (c.topology.free > 0) return "it has joints with several degrees of freedom";
  if (c.has_mimic) return "it has mimic joints";
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
