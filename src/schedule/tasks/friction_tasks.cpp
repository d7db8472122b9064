#include "schedule/tasks/friction_tasks.hpp"

#include "dynamics/friction_stage.hpp"
#include "schedule/tasks/decompositions.hpp"

namespace parid::schedule {
namespace {

struct Reactions {
  const std::vector<JointReaction>& of;
  Vec3<Lean> f_packed(int i) const { return of[i].f; }
  Vec3<Lean> n_packed(int i) const { return of[i].n; }
};

}  // namespace

void add_friction_tasks(const CanonicalModel& c, TaskedGraph& to_graph,
                        const std::vector<JointReaction>& reaction, std::vector<Expr>& torque) {
  Graph& g = to_graph.graph;
  const int n = c.topology.n;
  FrictionStage<Lean> stage(c);
  if (stage.nothing()) return;
  const Id first = static_cast<Id>(g.size());
  const std::size_t room = FrictionStage<Lean>::room(n);
  std::vector<Lean> rigid(room), bearing(room), drive(room);
  for (int i = 1; i <= n; ++i)
    rigid[i] = c.topology.kind[i] == JointKind::prismatic ? reaction[i].f.z : reaction[i].n.z;
  auto velocity = [&](int i) {
    return Lean(input(g, "v" + std::to_string(c.joint[i].velocity + 1)));
  };
  stage.torque(velocity, Reactions{reaction}, rigid.data(), bearing.data(), drive.data());
  for (int i = 1; i <= n; ++i) torque[i] = (Lean(torque[i]) + (bearing[i] + drive[i])).expr();

  // The operations of each joint's torque; shared ones belong to the first joint.
  std::vector<char> taken(g.size(), 0);
  for (int i = 1; i <= n; ++i) {
    std::vector<char> needed(g.size(), 0);
    if (!torque[i].is_number()) needed[torque[i].id()] = 1;
    std::vector<Id> own;
    for (Id id = static_cast<Id>(g.size()); id-- > first;) {
      if (!needed[id] || taken[id]) continue;
      if (const Op op = g[id].op; op == Op::constant || op == Op::input) continue;
      taken[id] = 1;
      own.insert(own.begin(), id);
      for (const Id in : g[id].operands()) needed[in] = 1;
    }
    int k = 0;
    for (std::vector<Id>& ids : clusters(g, own, 3)) {
      to_graph.tasks.add({std::to_string(i) + "f" + std::to_string(++k), 1, i});
      to_graph.operations.push_back(std::move(ids));
    }
  }
}

}  // namespace parid::schedule
