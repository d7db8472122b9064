#include "schedule/tasks/decompositions.hpp"

#include <fmt/format.h>

#include "parid/error.hpp"
#include "schedule/tasks/friction_tasks.hpp"
#include "schedule/tasks/recorder.hpp"

namespace parid::schedule {
namespace {

using Vec = Vec3<Lean>;

struct LinkState {
  Vec w, wd, vd, vc, F, N, f, n;
};

class Coarse {
 public:
  explicit Coarse(const Robot& robot)
      : c_(robot.canonical()),
        n_(c_.topology.n),
        record_(out_),
        tree_(prepare_tree(c_, out_)),
        state_(n_ + 1) {}

  TaskedGraph run(bool friction, const OperationWeights& weights) {
    for (i_ = 1; i_ <= n_; ++i_) forward();
    recursion_ = Task::Recursion::backward;
    std::vector<Expr> torque(n_ + 1);
    for (i_ = n_; i_ >= 1; --i_) torque[i_] = backward();
    if (friction) {
      std::vector<JointReaction> reaction(n_ + 1);
      for (int i = 1; i <= n_; ++i) reaction[i] = {state_[i].f, state_[i].n};
      add_friction_tasks(c_, out_, reaction, torque);
    }
    write_torques(c_, out_, torque);
    return timed(std::move(out_), weights);
  }

 private:
  template <class Work>
  void equation(const char* name, Work work) {
    const int t = out_.tasks.add({fmt::format("{}{}", name, i_), 1, i_, -1, recursion_});
    out_.operations.emplace_back();
    record_.task(t, work);
  }

  Vec turned(const LeanJoint& j, const Vec& in_parent) const {  // Rᵀ v
    const Vec v = from_parent(j, in_parent);
    return {j.turn.cos * v.x + j.turn.sin * v.y, j.turn.cos * v.y - j.turn.sin * v.x, v.z};
  }
  Vec turned_back(const LeanJoint& j, const Vec& v) const {  // R v
    return to_parent(
        j, {j.turn.cos * v.x - j.turn.sin * v.y, j.turn.sin * v.x + j.turn.cos * v.y, v.z});
  }
  Vec times(const Sym3<double>& I, const Vec& v) const {
    auto l = [](double x) { return Lean(x); };
    return {l(I.xx) * v.x + l(I.xy) * v.y + l(I.xz) * v.z,
            l(I.xy) * v.x + l(I.yy) * v.y + l(I.yz) * v.z,
            l(I.xz) * v.x + l(I.yz) * v.y + l(I.zz) * v.z};
  }
  // the contribution of rotation at r
  Vec carried(const Vec& w, const Vec& wd, const Vec& r) const {
    return cross(wd, r) + cross(w, cross(w, r));
  }

  void forward() {
    const LeanJoint& j = tree_.joint[i_];
    if (j.parent == 0) state_[0].vd = to<Lean>(j.a0);
    const LinkState& b = state_[j.parent];
    LinkState& l = state_[i_];
    equation("w", [&] {
      l.w = turned(j, b.w);
      if (!j.prismatic) l.w.z = l.w.z + j.qd;
    });
    equation("wd", [&] {
      l.wd = turned(j, b.wd);
      if (!j.prismatic) l.wd = l.wd + Vec{j.qd * l.w.y, -(j.qd * l.w.x), j.qdd};
    });
    equation("vd", [&] {
      l.vd = turned(j, b.vd + carried(b.w, b.wd, j.p));
      if (!j.prismatic) return;
      const Lean twice = j.qd + j.qd;
      l.vd = l.vd + Vec{twice * l.w.y, -(twice * l.w.x), j.qdd};
    });
    equation("vc", [&] { l.vc = l.vd + carried(l.w, l.wd, j.s); });
    equation("F", [&] { l.F = Lean(j.mass) * l.vc; });
    equation("N", [&] { l.N = times(j.I, l.wd) + cross(l.w, times(j.I, l.w)); });
  }

  Expr backward() {
    const LeanJoint& j = tree_.joint[i_];
    LinkState& l = state_[i_];
    std::vector<Vec> f;  // what the links after it exert, in its coordinates
    equation("f", [&] {
      l.f = l.F;
      for (const int k : j.children) {
        f.push_back(turned_back(tree_.joint[k], state_[k].f));
        l.f = l.f + f.back();
      }
    });
    equation("n", [&] {
      l.n = l.N + cross(j.s, l.F);
      for (std::size_t k = 0; k < j.children.size(); ++k) {
        const int next = j.children[k];
        const LeanJoint& after = tree_.joint[next];
        l.n = l.n + turned_back(after, state_[next].n) + cross(after.p, f[k]);
      }
    });
    Expr torque;
    equation("tau", [&] { torque = ((j.prismatic ? l.f.z : l.n.z) + j.rotor).expr(); });
    return torque;
  }

  const CanonicalModel& c_;
  int n_, i_ = 0;
  Task::Recursion recursion_ = Task::Recursion::forward;
  TaskedGraph out_;
  Recorder record_;
  LeanTree tree_;
  std::vector<LinkState> state_;
};

}  // namespace

std::string not_coarse(const Robot& robot) {
  const CanonicalModel& c = robot.canonical();
  if (c.topology.free > 0) return "it has joints with several degrees of freedom";
  if (c.has_mimic) return "it has mimic joints";
  return "";
}

TaskedGraph coarse(const Robot& robot, bool friction, const OperationWeights& weights) {
  if (const std::string why = not_coarse(robot); !why.empty())
    throw Error(fmt::format("{} has no coarse tasks: {}; use `tasks=graph`, which takes any robot",
                            robot.name(), why));
  return Coarse(robot).run(friction, weights);
}

}  // namespace parid::schedule
