#include "schedule/tasks/recorder.hpp"

#include <cmath>

namespace parid::schedule {
namespace {

double snapped(double x) {
  const double whole = std::round(x);
  return std::abs(x - whole) < 1e-12 && std::abs(whole) <= 1 ? whole + 0.0 : x;
}
Vec3<double> snapped(const Vec3<double>& v) { return {snapped(v.x), snapped(v.y), snapped(v.z)}; }

// A length or moment that is this much smaller than the others of its kind is a rounded zero.
double cleaned(double x, double size) { return std::abs(x) < 1e-12 * size ? 0.0 : x; }

}  // namespace

TaskedGraph timed(TaskedGraph from, const OperationWeights& weights) {
  TaskedGraph to;
  to.graph = std::move(from.graph);
  to.operations = std::move(from.operations);
  to.prepared = std::move(from.prepared);
  to.weights = weights;
  for (int t = 0; t < from.tasks.size(); ++t) {
    Task task = from.tasks[t];
    task.duration = total(counts(to.graph, to.operations[t]), weights);
    to.tasks.add(std::move(task));
  }
  add_data_edges(to);
  return to;
}

TaskedGraph without_unused(TaskedGraph g) {
  std::vector<char> used(g.graph.size(), 0);
  for (const Named& o : g.graph.outputs()) used[o.id] = 1;
  for (Id id = static_cast<Id>(g.graph.size()); id-- > 0;)
    if (used[id])
      for (const Id in : g.graph[id].operands()) used[in] = 1;
  for (std::vector<Id>& ids : g.operations) std::erase_if(ids, [&](Id id) { return !used[id]; });
  return g;
}

LeanTree prepare_tree(const CanonicalModel& c, TaskedGraph& to_graph) {
  Graph& g = to_graph.graph;
  const int n = c.topology.n;
  std::vector<Expr> q, v, a;
  for (int k = 1; k <= c.nq; ++k) q.push_back(input(g, "q" + std::to_string(k)));
  for (int k = 1; k <= c.nv; ++k) v.push_back(input(g, "v" + std::to_string(k)));
  for (int k = 1; k <= c.nv; ++k) a.push_back(input(g, "a" + std::to_string(k)));
  LeanTree tree;
  tree.joint.resize(n + 1);
  Recorder(to_graph).prepare([&] {
    for (int i = 1; i <= n; ++i) {
      LeanJoint& j = tree.joint[i];
      const JointPlace& place = c.joint[i];
      j.parent = c.topology.parent[i];
      const bool on_base = j.parent == 0;
      tree.joint[j.parent].children.push_back(i);
      const Mat3<double> E = on_base ? Mat3<double>::identity() : c.mechanism.placing[i].mat(0);
      if (on_base) {
        // How the base stands to the joint makes no difference to what turns: gravity is seen from
        // there.
        const Vec3<double> gravity =
            transposed_times(c.mechanism.placing[i].mat(0), c.mechanism.gravity);
        const double size = norm(gravity);
        j.a0 = {0.0 - cleaned(gravity.x, size), 0.0 - cleaned(gravity.y, size),
                0.0 - cleaned(gravity.z, size)};
      }
      j.E = {snapped(E.r0), snapped(E.r1), snapped(E.r2)};
      j.prismatic = c.topology.kind[i] == JointKind::prismatic;
      const Lean at = Lean(q[place.position]) + Lean(place.offset);
      j.qd = Lean(v[place.velocity]);
      j.qdd = Lean(a[place.velocity]);
      const Vec3<double> p = c.mechanism.placing[i].vec(9), s = c.mechanism.centre[i].vec(0);
      auto lean = [](const Vec3<double>& x) {
        const double reach = std::max(1e-3, norm(x));
        return Vec3<Lean>{Lean(cleaned(x.x, reach)), Lean(cleaned(x.y, reach)),
                          Lean(cleaned(x.z, reach))};
      };
      j.p = on_base ? Vec3<Lean>{} : lean(p);
      j.s = lean(s);
      j.turn = {Lean(0.0), Lean(1.0)};
      if (j.prismatic) {
        const Vec3<double> z = j.E.column(2);
        j.p = j.p + Vec3<Lean>{at * Lean(z.x), at * Lean(z.y), at * Lean(z.z)};
      } else {
        const SinCos<Expr> turn = sin_cos(at.expr());
        j.turn = {Lean(turn.sin), Lean(turn.cos)};
      }
      j.mass = c.mechanism.body[i][0];
      j.I = c.mechanism.centre[i].sym(3);
      const double most = j.I.xx + j.I.yy + j.I.zz;
      for (double* x : {&j.I.xy, &j.I.xz, &j.I.yz}) *x = cleaned(*x, most);
      j.rotor = Lean(place.rotor_inertia) * j.qdd;
    }
  });
  return tree;
}

Vec3<Lean> from_parent(const LeanJoint& j, const Vec3<Lean>& v) {
  return transposed_times(Mat3<Lean>{to<Lean>(j.E.r0), to<Lean>(j.E.r1), to<Lean>(j.E.r2)}, v);
}
Vec3<Lean> to_parent(const LeanJoint& j, const Vec3<Lean>& v) {
  return Mat3<Lean>{to<Lean>(j.E.r0), to<Lean>(j.E.r1), to<Lean>(j.E.r2)} * v;
}

void write_torques(const CanonicalModel& c, TaskedGraph& g, const std::vector<Expr>& torque) {
  std::vector<Expr> tau(c.nv);
  for (int i = 1; i <= c.topology.n; ++i) tau[c.joint[i].velocity] = torque[i];
  for (int k = 0; k < c.nv; ++k) output(g.graph, "tau" + std::to_string(k + 1), tau[k]);
}

}  // namespace parid::schedule
