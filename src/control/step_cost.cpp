#include "control/step_cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "control/design.hpp"
#include "control/stale.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "model/user_state.hpp"

namespace parid::control {
namespace {

using Link = StaleLink<Expr>;
using Part = Vec3<Expr> Link::*;
constexpr Part parts[] = {&Link::w,  &Link::wd, &Link::alpha, &Link::e,
                          &Link::ac, &Link::f,  &Link::n};
constexpr int at(Stale s) { return static_cast<int>(s); }
constexpr Expr Vec3<Expr>::*axes[] = {&Vec3<Expr>::x, &Vec3<Expr>::y, &Vec3<Expr>::z};

// One number for link, variable and axis.
int place(int link, int variable, int axis) {
  return (link * stale_variables + variable) * 3 + axis;
}

struct Source {
  int place, age;
};

class Tracer {
 public:
  Tracer(const Robot& robot, const Policy& policy, Equations equations)
      : c_(robot.canonical()), policy_(policy), equations_(equations), n_(c_.topology.n) {
    policy_.by_chance = false;  // no thread waits, so every reading costs as an old value
    if (equations == Equations::customised) find_zeros();
  }

  StepCost cost() {
    StepCost cost;
    for (int i = 1; i <= n_; ++i) cost.blocks.push_back(block(i, false));
    for (int i = n_; i >= 1; --i) cost.blocks.push_back(block(i, true));
    std::vector<int> chain(cost.blocks.size());
    for (std::size_t b = 0; b < cost.blocks.size(); ++b) {
      const StepBlock& block = cost.blocks[b];
      for (const StepBlock::Need& need : block.needs) {
        chain[b] = std::max(chain[b], chain[static_cast<std::size_t>(need.block)]);
        if (cost.blocks[static_cast<std::size_t>(need.block)].link != block.link)
          cost.exchanged += need.numbers;
      }
      cost.steps = std::max(cost.steps, ++chain[b]);
      cost.operations += block.operations;
      for (const StepBlock::Need& old : block.old)
        if (link_of(old.block) != block.link) cost.exchanged += old.numbers;
    }
    cost.depth = whole_depth();
    return cost;
  }

 private:
  // A recursion in which every value, of this period and of earlier ones, is an input.
  struct Traced {
    Graph graph;
    Mechanism<Expr> mechanism;
    State<Expr> motion;
    StaleNewtonEuler<Expr> recursion;
    std::map<Id, Source> sources;

    explicit Traced(const CanonicalModel& c)
        : mechanism(c.mechanism), motion(mechanism), recursion(mechanism) {}
  };

  Vec3<Expr> given(Graph& g, const std::string& name) const {
    const Expr x = input(g, name + "x"), y = input(g, name + "y"), z = input(g, name + "z");
    return {x, y, z};
  }

  void prepare(Traced& t) const {
    Graph& g = t.graph;
    t.recursion.set_policy(policy_);
    for (int i = 1; i <= n_; ++i) {
      const std::string number = std::to_string(i);
      const Expr q = equations_ == Equations::customised ? input(g, "q" + number) : Expr(0.0);
      const Expr v = input(g, "v" + number), a = input(g, "a" + number);
      t.motion.set(i, q, v, a);
    }
    t.motion.place(t.mechanism);
    for (int i = 1; i <= n_; ++i) {
      const std::string number = std::to_string(i);
      if (equations_ == Equations::general) {
        Mat3<Expr> R;
        R.r0 = given(g, "R" + number + ".x");
        R.r1 = given(g, "R" + number + ".y");
        R.r2 = given(g, "R" + number + ".z");
        t.motion.set_placement(i, R, given(g, "p" + number + "."));
      } else if (t.mechanism.kind(i) ==
                 JointKind::prismatic) {  // the moving p is given, like a sine
        t.motion.set_placement(i, t.motion.R(i), given(g, "p" + number + "."));
      }
      t.recursion.gravity(i) = given(g, "g" + number + ".");
    }
  }
  void give_past(Traced& t, bool and_present) const {
    for (int age = and_present ? 0 : 1; age < t.recursion.kept(); ++age)
      for (int i = 1; i <= n_; ++i)
        for (int variable = 0; variable < stale_variables; ++variable)
          for (int axis = 0; axis < 3; ++axis) {
            const int where = place(i, variable, axis);
            Expr& x = t.recursion.old(i, age).*parts[variable].*axes[axis];
            // stationary base
            const bool still = variable == at(Stale::e) && t.mechanism.parent(i) == 0;
            if (still || zero_at(where)) continue;
            x = input(t.graph, "x" + std::to_string(where) + "." + std::to_string(age));
            t.sources[x.id()] = {where, age};
          }
  }
  bool zero_at(int where) const { return !zero_.empty() && zero_[static_cast<std::size_t>(where)]; }

  // Zeros due to geometry: ω of the first link has only a z component, and so on.
  void find_zeros() {
    Traced t(c_);
    prepare(t);
    t.recursion.set_policy(Policy());
    std::vector<Expr> tau(static_cast<std::size_t>(n_) + 1);
    for (int i = 1; i <= n_; ++i) t.recursion.forward(t.mechanism, t.motion, i);
    for (int i = n_; i >= 1; --i) t.recursion.backward(t.mechanism, t.motion, i);
    std::vector<int> where;
    for (int i = 1; i <= n_; ++i)
      for (int variable = 0; variable < stale_variables; ++variable)
        for (int axis = 0; axis < 3; ++axis) {
          output(t.graph, "x", t.recursion.now(i).*parts[variable].*axes[axis]);
          where.push_back(place(i, variable, axis));
        }
    const Graph g = simplify(t.graph);
    zero_.assign(static_cast<std::size_t>(place(n_ + 1, 0, 0)), false);
    for (std::size_t k = 0; k < where.size(); ++k) {
      const Node& node = g[g.outputs()[k].id];
      zero_[static_cast<std::size_t>(where[k])] = node.op == Op::constant && node.value() == 0;
    }
  }

  int block_of(int where) const {
    const int link = where / (3 * stale_variables), variable = where / 3 % stale_variables;
    if (variable >= at(Stale::f)) return n_ + n_ - link;
    return (variable == at(Stale::e) ? c_.topology.parent[static_cast<std::size_t>(link)] : link) -
           1;
  }

  int link_of(int block) const { return block < n_ ? block + 1 : 2 * n_ - block; }

  StepBlock block(int i, bool backward) const {
    Traced t(c_);
    prepare(t);
    give_past(t, true);
    StepBlock block{.link = i, .backward = backward};
    auto put = [&](int link, Stale variable) {
      for (const auto axis : axes)
        output(t.graph, "x", t.recursion.now(link).*parts[at(variable)].*axis);
    };
    if (backward) {
      t.recursion.backward(t.mechanism, t.motion, i);
      put(i, Stale::f);
      put(i, Stale::n);
    } else {
      t.recursion.forward(t.mechanism, t.motion, i);
      put(i, Stale::w);
      put(i, Stale::wd);
      put(i, Stale::alpha);
      put(i, Stale::ac);
      for (int child = 1; child <= n_; ++child)
        if (t.mechanism.parent(child) == i) put(child, Stale::e);
    }
    count(t, block);
    if (backward && policy_.predict_torque) block.operations += 2;
    return block;
  }

  void count(const Traced& t, StepBlock& block) const {
    const Graph g = simplify(t.graph);
    const Counts ops = counts(g);
    block.operations = ops.multiplications + ops.additions + ops.divisions + ops.square_roots;
    std::vector<bool> used(g.size());
    for (const Named& o : g.outputs()) used[o.id] = true;
    for (Id id = static_cast<Id>(g.size()); id-- > 0;)
      if (used[id])
        for (const Id a : g[id].operands()) used[a] = true;
    std::map<int, long> needs, old;
    for (std::size_t k = 0; k < g.inputs().size(); ++k) {
      const auto source = t.sources.find(t.graph.inputs()[k].id);
      if (!used[g.inputs()[k].id] || source == t.sources.end()) continue;
      const int from = block_of(source->second.place);
      if (source->second.age == 0)
        ++needs[from];
      else if (from != (block.backward ? 2 * n_ - block.link : block.link - 1))
        ++old[from];
    }
    for (const auto& [from, numbers] : needs) block.needs.push_back({from, numbers});
    for (const auto& [from, numbers] : old) block.old.push_back({from, numbers});
  }

  Depth whole_depth() const {
    Traced t(c_);
    prepare(t);
    give_past(t, false);
    for (int i = 1; i <= n_; ++i) t.recursion.forward(t.mechanism, t.motion, i);
    for (int i = n_; i >= 1; --i)
      output(t.graph, "tau", t.recursion.backward(t.mechanism, t.motion, i));
    for (int i = 1; i <= n_; ++i)
      for (const Part part : parts)
        for (const auto axis : axes) output(t.graph, "x", t.recursion.now(i).*part.*axis);
    return depth(simplify(t.graph));
  }

  const CanonicalModel& c_;
  Policy policy_;
  Equations equations_;
  int n_;
  std::vector<bool> zero_;
};

double time_of(const StepCost& cost, const std::vector<int>& processor, const Processors& p) {
  std::vector<double> done(cost.blocks.size()), free(static_cast<std::size_t>(p.count));
  double bus = 0, longest = 0, crossing = 0;
  for (std::size_t b = 0; b < cost.blocks.size(); ++b) {
    const StepBlock& block = cost.blocks[b];
    auto way = [&](const StepBlock::Need& need) {
      const bool far = processor[static_cast<std::size_t>(need.block)] != processor[b];
      return far ? static_cast<double>(need.numbers) * p.exchange : 0;
    };
    double& mine = free[static_cast<std::size_t>(processor[b])];
    for (const StepBlock::Need& need : block.needs) {
      const double from = done[static_cast<std::size_t>(need.block)], takes = way(need);
      double arrives = from + takes;
      if (takes > 0 && p.bus) arrives = bus = std::max(bus, from) + takes;
      mine = std::max(mine, arrives);
      crossing += takes;
    }
    for (const StepBlock::Need& old : block.old) crossing += way(old);
    done[b] = mine += static_cast<double>(block.operations) * p.operation;
    longest = std::max(longest, done[b]);
  }
  // No block waits for old values, but their transfers occupy the bus during the period.
  return p.bus ? std::max(longest, crossing) : longest;
}

// Splits consecutive loads into `among` groups so that the largest group is as small as possible;
// returns the group of each load, counted from `first`.
std::vector<int> evenly(const std::vector<double>& load, int among, int first) {
  auto shared = [&](double full) {
    std::vector<int> whose;
    double taken = 0;
    int who = first;
    for (const double x : load) {
      if (taken > 0 && taken + x > full) ++who, taken = 0;
      taken += x;
      whose.push_back(who);
    }
    return whose;
  };
  double low = 0, high = 0;
  for (const double x : load) {
    low = std::max(low, x);
    high += x;
  }
  for (int turn = 0; turn < 60; ++turn) {
    const double middle = (low + high) / 2;
    (shared(middle).back() < first + among ? high : low) = middle;
  }
  return shared(high);
}

}  // namespace

StepCost step_cost(const Robot& robot, const Policy& policy, Equations equations) {
  demand_single_freedoms(robot);
  return Tracer(robot, bound(policy, robot), equations).cost();
}

double step_time(const StepCost& cost, const Processors& asked) {
  const std::size_t blocks = cost.blocks.size(), n = blocks / 2;
  Processors p = asked;
  p.count = std::clamp(p.count, 1, static_cast<int>(blocks));
  double best = INFINITY;
  // Block b belongs to link b or, backwards, to link blocks − 1 − b.
  std::vector<double> forward(n), backward(n), both(n);
  for (std::size_t i = 0; i < n; ++i) {
    forward[i] = static_cast<double>(cost.blocks[i].operations);
    backward[i] = static_cast<double>(cost.blocks[blocks - 1 - i].operations);
    both[i] = forward[i] + backward[i];
  }
  auto consider = [&](const std::vector<int>& out, const std::vector<int>& in) {
    std::vector<int> processor(blocks);
    for (std::size_t i = 0; i < n; ++i) {
      processor[i] = out[i];
      processor[blocks - 1 - i] = in[i];
    }
    best = std::min(best, time_of(cost, processor, p));
  };
  const std::vector<int> together = evenly(both, std::min(p.count, static_cast<int>(n)), 0);
  consider(together, together);
  for (int f = std::max(1, p.count - static_cast<int>(n)); f < p.count && f <= static_cast<int>(n);
       ++f)
    consider(evenly(forward, f, 0), evenly(backward, p.count - f, f));
  return best;
}

}  // namespace parid::control
