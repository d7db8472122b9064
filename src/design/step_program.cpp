#include "design/step_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "codegen/trace/generate.hpp"
#include "control/design.hpp"
#include "control/stale.hpp"
#include "control/step_cost.hpp"
#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "model/canonical_model.hpp"
#include "model/user_state.hpp"
#include "parid/error.hpp"
#include "schedule/list/list_scheduling.hpp"
#include "schedule/processor_programs.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/tasks/task_source.hpp"

namespace parid::design {
namespace {

// "q_wanted3" is element 2 of that array.
StepInput argument(const std::string& name, const Gains& gains) {
  std::size_t digits = name.size();
  while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
  const std::string array = name.substr(0, digits);
  const int element = std::stoi(name.substr(digits)) - 1;
  StepInput in;
  in.element = element;
  if (array == "kp" || array == "kd") {
    in.kind = StepInput::Kind::gain;
    in.gain = (array == "kp" ? gains.kp : gains.kd).at(static_cast<std::size_t>(element));
    return in;
  }
  for (std::size_t k = 0; k < std::size(step_arguments); ++k)
    if (array == step_arguments[k]) {
      in.array = static_cast<int>(k);
      return in;
    }
  throw std::logic_error("a control step reads '" + name + "'");
}

// The nodes that `wanted` needs and that are not computed yet, in the graph's order.
std::vector<Id> still_needed(const Graph& g, const std::vector<Id>& wanted,
                             const std::map<Id, StepInput>& sources, std::vector<char>& computed) {
  std::set<Id> found;
  std::vector<Id> open = wanted;
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    if (computed[id] || found.count(id) || sources.count(id) || g[id].op == Op::constant) continue;
    found.insert(id);
    for (const Id in : g[id].operands()) open.push_back(in);
  }
  for (const Id id : found) computed[id] = 1;
  return {found.begin(), found.end()};
}

// ---- the exact law on one processor

Generated computed_torque_program(const Robot& model) {
  return codegen::generate(model, Quantity::computed_torque);
}

// ---- the exact law on several processors, from tasks

class ScheduledStep {
 public:
  ScheduledStep(const TaskedGraph& g, const Schedule& s, const Gains& gains)
      : g_(g), graph_(std::make_shared<const Graph>(g.graph)), s_(s) {
    const Graph& graph = *graph_;
    owner_.assign(graph.size(), -1);
    std::vector<int> at(static_cast<std::size_t>(g.tasks.size()));
    for (const Placement& p : s.placement) at[static_cast<std::size_t>(p.task)] = p.processor;
    for (std::size_t t = 0; t < g.operations.size(); ++t)
      for (const Id id : g.operations[t]) owner_[id] = at[t];
    for (const Named& in : graph.inputs()) arguments_[in.id] = argument(in.name, gains);
    messages_ = schedule::messages(g, s);
    of_task_.resize(static_cast<std::size_t>(g.tasks.size()));
    for (std::size_t m = 0; m < messages_.size(); ++m)
      of_task_[static_cast<std::size_t>(messages_[m].task)].push_back(static_cast<int>(m));
  }

  StepProgram program(int coordinates) {
    StepProgram p;
    p.coordinates = coordinates;
    p.values = static_cast<int>(graph_->size());
    for (const Message& m : messages_) {
      StepMessage one{m.from, m.to, -1, -1, 0, {}};
      for (const Id id : m.words) one.values.push_back(static_cast<int>(id));
      p.messages.push_back(std::move(one));
    }
    for (int k = 0; k < s_.processors; ++k) p.processors.push_back(processor(k, p));
    return p;
  }

 private:
  StepProcessor processor(int k, StepProgram& program) {
    const Graph& graph = *graph_;
    StepProcessor p;
    p.graph = graph_;
    p.sources = arguments_;
    std::vector<char> computed(graph.size(), 0);
    std::vector<Placement> mine;
    for (const Placement& x : s_.placement)
      if (x.processor == k) mine.push_back(x);
    const std::vector<int> order = g_.tasks.order();
    std::vector<int> rank(order.size());
    for (std::size_t r = 0; r < order.size(); ++r)
      rank[static_cast<std::size_t>(order[r])] = static_cast<int>(r);
    std::sort(mine.begin(), mine.end(), [&](const Placement& a, const Placement& b) {
      return a.start != b.start
                 ? a.start < b.start
                 : rank[static_cast<std::size_t>(a.task)] < rank[static_cast<std::size_t>(b.task)];
    });
    p.sections.push_back({"start", {}, {}, {}, {}});
    std::set<int> received;
    for (const Placement& x : mine) {
      const auto t = static_cast<std::size_t>(x.task);
      std::vector<int> wanted = waiting(t, k, received);
      if (!wanted.empty() || !p.sections.back().sends.empty())
        p.sections.push_back({fmt::format("task {}", g_.tasks[x.task].name), {}, {}, {}, {}});
      const int section = static_cast<int>(p.sections.size()) - 1;
      for (const int m : wanted) {
        received.insert(m);
        p.sections.back().receives.push_back(m);
        program.messages[static_cast<std::size_t>(m)].before = section;
        for (const Id id : messages_[static_cast<std::size_t>(m)].words) {
          StepInput in;
          in.kind = StepInput::Kind::value;
          in.value = static_cast<int>(id);
          p.sources[id] = in;
        }
      }
      take(p, still_needed(graph, g_.operations[t], p.sources, computed), section);
      for (const int m : of_task_[t]) {
        p.sections.back().sends.push_back(m);
        program.messages[static_cast<std::size_t>(m)].after = section;
        for (const Id id : messages_[static_cast<std::size_t>(m)].words)
          p.outputs.push_back({id, false, static_cast<int>(id), section});
      }
    }
    const int last = static_cast<int>(p.sections.size()) - 1;
    for (std::size_t c = 0; c < graph.outputs().size(); ++c) {
      const Id id = graph.outputs()[c].id;
      const int owner = owner_[id] < 0 ? 0 : owner_[id];
      if (owner != k) continue;
      take(p, still_needed(graph, {id}, p.sources, computed), last);
      p.outputs.push_back({id, true, static_cast<int>(c), last});
    }
    for (StepSection& s : p.sections) s.count = schedule::counts(graph, s.operations);
    return p;
  }

  static void take(StepProcessor& p, const std::vector<Id>& ids, int section) {
    auto& operations = p.sections[static_cast<std::size_t>(section)].operations;
    operations.insert(operations.end(), ids.begin(), ids.end());
  }

  // Messages that a task reads and that have not been received.
  std::vector<int> waiting(std::size_t task, int k, const std::set<int>& received) const {
    std::set<Id> read;
    for (const Id id : g_.operations[task])
      for (const Id in : graph_->operator[](id).operands())
        if (owner_[in] >= 0 && owner_[in] != k) read.insert(in);
    std::vector<int> all;
    for (std::size_t m = 0; m < messages_.size(); ++m)
      if (messages_[m].to == k && !received.count(static_cast<int>(m)) &&
          std::any_of(messages_[m].words.begin(), messages_[m].words.end(),
                      [&](Id id) { return read.count(id) > 0; }))
        all.push_back(static_cast<int>(m));
    return all;
  }

  const TaskedGraph& g_;
  std::shared_ptr<const Graph> graph_;
  const Schedule& s_;
  std::vector<int> owner_;
  std::map<Id, StepInput> arguments_;
  std::vector<Message> messages_;
  std::vector<std::vector<int>> of_task_;
};

// ---- a policy, link by link

using Link = StaleLink<Expr>;
using Part = Vec3<Expr> Link::*;
constexpr Part link_parts[] = {&Link::w,  &Link::wd, &Link::alpha, &Link::e,
                               &Link::ac, &Link::f,  &Link::n};
constexpr Expr Vec3<Expr>::*vector_axes[] = {&Vec3<Expr>::x, &Vec3<Expr>::y, &Vec3<Expr>::z};

int place_of(int link, int variable, int axis) {
  return (link * stale_variables + variable) * 3 + axis;
}

class PolicyStep {
 public:
  PolicyStep(const Robot& model, const Gains& gains, const Policy& policy,
             const std::vector<int>& processor)
      : c_(model.canonical()),
        gains_(gains),
        policy_(policy),
        processor_(processor),
        n_(c_.topology.n),
        torques_(place_of(n_ + 1, 0, 0)) {
    if (policy.by_chance)
      throw Error(
          fmt::format("{}: ages that are random have no static schedule; choose a policy "
                      "with fixed ages",
                      policy.id));
    if (static_cast<int>(processor.size()) != 2 * n_)
      throw std::invalid_argument("processor: one per block, two per link");
    count_ = 1 + *std::max_element(processor.begin(), processor.end());
    if (count_ > 1 && c_.has_mimic)
      throw Error(
          fmt::format("'{}' has joints that follow others, whose torques are sums over "
                      "links; a policy of stale data needs one processor for them",
                      model.name()));
    find_zeros();
  }

  StepProgram program() {
    StepProgram p;
    p.coordinates = c_.nv;
    p.values = torques_ + c_.nv;
    p.ahead = policy_.ahead;
    p.delay = policy_.delay;
    p.settle = (2 * n_ + 3) * (policy_.depth() + 1) + policy_.delay + 4;
    for (int k = 0; k < count_; ++k) {
      Traced t(c_);
      trace(t, k);
      drafts_.push_back(draft_of(t, k));
    }
    find_needed();
    for (int k = 0; k < count_; ++k) p.processors.push_back(processor(k));
    exchange(p);
    return p;
  }

 private:
  struct Traced {
    Graph graph;
    Mechanism<Expr> mechanism;
    State<Expr> motion;
    StaleNewtonEuler<Expr> recursion;
    std::map<std::string, StepInput> given;  // by name of the graph's input
    struct Result {
      StepOutput what;
      int block;
    };
    std::vector<Result> results;  // in the order of the graph's outputs

    explicit Traced(const CanonicalModel& c)
        : mechanism(c.mechanism), motion(mechanism), recursion(mechanism) {}
  };
  // A simplified graph with what is known of its inputs and outputs.
  struct Draft {
    std::shared_ptr<const Graph> graph;
    std::map<Id, StepInput> sources;
    std::vector<Traced::Result> results;
  };

  int block_of(int value) const {
    if (value >= torques_) {  // of a torque, the backward block of its link
      for (int i = 1; i <= n_; ++i)
        if (c_.joint[static_cast<std::size_t>(i)].velocity == value - torques_) return 2 * n_ - i;
    }
    const int link = value / (3 * stale_variables), variable = value / 3 % stale_variables;
    if (variable >= static_cast<int>(Stale::f)) return 2 * n_ - link;
    return (variable == static_cast<int>(Stale::e)
                ? c_.topology.parent[static_cast<std::size_t>(link)]
                : link) -
           1;
  }
  int owner(int value) const { return processor_[static_cast<std::size_t>(block_of(value))]; }
  bool zero_at(int value) const { return !zero_.empty() && zero_[static_cast<std::size_t>(value)]; }

  Expr array(Traced& t, const char* name, int k) const {
    const std::string full = fmt::format("{}{}", name, k + 1);
    t.given[full] = argument(full, gains_);
    return input(t.graph, full);
  }
  Expr value(Traced& t, int v, int age) const {
    const std::string full = fmt::format("x{}.{}", v, age);
    StepInput in;
    in.kind = StepInput::Kind::value;
    in.value = v;
    in.age = age;
    t.given[full] = in;
    return input(t.graph, full);
  }

  // What the recursion is evaluated at, as StaleLaw does.
  void load(Traced& t) {
    std::vector<Expr> q, v, a;
    for (int k = 0; k < c_.nv; ++k) {
      const Expr position = array(t, "q", k), velocity = array(t, "v", k);
      const Expr e = array(t, "q_wanted", k) - position, ed = array(t, "v_wanted", k) - velocity;
      const Expr correction = array(t, "kp", k) * e + array(t, "kd", k) * ed;
      q.push_back(policy_.ahead ? array(t, "q_next", k) - e : position);
      v.push_back(policy_.ahead ? array(t, "v_next", k) - ed : velocity);
      a.push_back(array(t, policy_.ahead ? "a_next" : "a_wanted", k) + correction);
    }
    auto of = [](const std::vector<Expr>& x) {
      return [&x](int k) { return x[static_cast<std::size_t>(k)]; };
    };
    load_state(c_, t.motion, of(q), of(v), of(a));
    t.motion.place(t.mechanism);
    t.recursion.point(t.mechanism, t.motion);
    a_ = std::move(a);
  }

  // Values of earlier periods, and those that other processors compute in this one.
  void give_values(Traced& t, int k) const {
    t.recursion.set_policy(policy_);
    for (int age = 0; age < t.recursion.kept(); ++age)
      for (int i = 1; i <= n_; ++i)
        for (int variable = 0; variable < stale_variables; ++variable)
          for (int axis = 0; axis < 3; ++axis) {
            const int v = place_of(i, variable, axis);
            const bool still = variable == static_cast<int>(Stale::e) &&
                               c_.topology.parent[static_cast<std::size_t>(i)] == 0;
            if (still || zero_at(v) || (age == 0 && owner(v) == k)) continue;
            t.recursion.old(i, age).*link_parts[variable].*vector_axes[axis] = value(t, v, age);
          }
  }

  void trace(Traced& t, int k) {
    load(t);
    give_values(t, k);
    std::vector<Expr> joint(static_cast<std::size_t>(n_) + 1);
    for (int block = 0; block < 2 * n_; ++block) {
      if (processor_[static_cast<std::size_t>(block)] != k) continue;
      const bool backward = block >= n_;
      const int i = backward ? 2 * n_ - block : block + 1;
      if (backward)
        joint[static_cast<std::size_t>(i)] = t.recursion.backward(t.mechanism, t.motion, i);
      else
        t.recursion.forward(t.mechanism, t.motion, i);
      publish(t, block, i, backward);
    }
    torques(t, k, joint);
  }

  void publish(Traced& t, int block, int i, bool backward) const {
    auto put = [&](int link, Stale s) {
      for (int axis = 0; axis < 3; ++axis) {
        const int v = place_of(link, static_cast<int>(s), axis);
        if (zero_at(v)) continue;
        output(t.graph, fmt::format("y{}", v),
               t.recursion.now(link).*link_parts[static_cast<int>(s)].*vector_axes[axis]);
        t.results.push_back({{0, false, v, 0}, block});
      }
    };
    if (backward) {
      put(i, Stale::f);
      put(i, Stale::n);
      return;
    }
    for (const Stale s : {Stale::w, Stale::wd, Stale::alpha, Stale::ac}) put(i, s);
    for (int child = 1; child <= n_; ++child)
      if (t.mechanism.parent(child) == i) put(child, Stale::e);
  }

  void torques(Traced& t, int k, const std::vector<Expr>& joint) {
    std::vector<Expr> tau(static_cast<std::size_t>(c_.nv));
    auto none = [](int) { return Wrench<Expr>{}; };
    store_torque(
        c_, t.motion, joint.data(), none, [&](int l) { return a_[static_cast<std::size_t>(l)]; },
        [&](int l) { return tau[static_cast<std::size_t>(l)]; },
        [&](int l, const Expr& x) { tau[static_cast<std::size_t>(l)] = x; });
    for (int l = 0; l < c_.nv; ++l) {
      const int v = torques_ + l;
      if (owner(v) != k) continue;
      const int block = block_of(v);
      Expr x = tau[static_cast<std::size_t>(l)];
      if (policy_.delay > 0 || policy_.predict_torque) {
        output(t.graph, fmt::format("y{}", v), x);
        t.results.push_back({{0, false, v, 0}, block});
        if (policy_.delay > 0) x = value(t, v, policy_.delay);
        if (policy_.predict_torque) x = x + (x - value(t, v, policy_.delay + 1));
      }
      output(t.graph, fmt::format("tau{}", l + 1), x);
      t.results.push_back({{0, true, l, 0}, block});
    }
  }

  Draft draft_of(const Traced& t, int) const {
    Draft d;
    auto graph = std::make_shared<const Graph>(simplify(t.graph));
    for (const Named& in : graph->inputs()) d.sources[in.id] = t.given.at(in.name);
    d.results = t.results;
    for (std::size_t r = 0; r < d.results.size(); ++r)
      d.results[r].what.node = graph->outputs()[r].id;
    d.graph = std::move(graph);
    return d;
  }

  // Zeros of the robot's geometry: ω of the first link has only a z component, and so on.
  void find_zeros() {
    Traced t(c_);
    const Policy asked = policy_;
    policy_ = Policy();
    const std::vector<int> together(static_cast<std::size_t>(2 * n_), 0);
    const std::vector<int> kept = processor_;
    processor_ = together;
    trace(t, 0);
    policy_ = asked;
    processor_ = kept;
    const Graph g = simplify(t.graph);
    zero_.assign(static_cast<std::size_t>(torques_ + c_.nv), false);
    for (std::size_t r = 0; r < t.results.size(); ++r) {
      const Node& node = g[g.outputs()[r].id];
      if (!t.results[r].what.torque)
        zero_[static_cast<std::size_t>(t.results[r].what.index)] =
            node.op == Op::constant && node.value() == 0;
    }
  }

  // The values that torques depend on, now or later.
  void find_needed() {
    needed_.assign(static_cast<std::size_t>(torques_ + c_.nv), false);
    oldest_.resize(drafts_.size());
    youngest_.resize(drafts_.size());
    std::vector<std::vector<char>> seen;
    for (const Draft& d : drafts_) seen.emplace_back(d.graph->size(), 0);
    std::vector<std::pair<int, Id>> open;
    for (std::size_t k = 0; k < drafts_.size(); ++k)
      for (const auto& r : drafts_[k].results)
        if (r.what.torque) open.emplace_back(static_cast<int>(k), r.what.node);
    while (!open.empty()) {
      const auto [k, id] = open.back();
      open.pop_back();
      auto& mark = seen[static_cast<std::size_t>(k)];
      if (mark[id]) continue;
      mark[id] = 1;
      const Draft& d = drafts_[static_cast<std::size_t>(k)];
      if (const auto source = d.sources.find(id); source != d.sources.end()) {
        if (source->second.kind == StepInput::Kind::value) want(k, source->second, open);
        continue;
      }
      for (const Id in : (*d.graph)[id].operands()) open.emplace_back(k, in);
    }
  }
  void want(int k, const StepInput& in, std::vector<std::pair<int, Id>>& open) {
    auto& oldest = oldest_[static_cast<std::size_t>(k)];
    auto& youngest = youngest_[static_cast<std::size_t>(k)];
    oldest[in.value] = std::max(oldest.count(in.value) ? oldest[in.value] : 0, in.age);
    youngest[in.value] = youngest.count(in.value) ? std::min(youngest[in.value], in.age) : in.age;
    if (needed_[static_cast<std::size_t>(in.value)]) return;
    needed_[static_cast<std::size_t>(in.value)] = true;
    const int from = owner(in.value);
    for (const auto& r : drafts_[static_cast<std::size_t>(from)].results)
      if (!r.what.torque && r.what.index == in.value) open.emplace_back(from, r.what.node);
  }

  StepProcessor processor(int k) const {
    const Draft& d = drafts_[static_cast<std::size_t>(k)];
    StepProcessor p;
    p.graph = d.graph;
    p.sources = d.sources;
    std::vector<char> computed(d.graph->size(), 0);
    for (int block = 0; block < 2 * n_; ++block) {
      if (processor_[static_cast<std::size_t>(block)] != k) continue;
      const bool backward = block >= n_;
      const int i = backward ? 2 * n_ - block : block + 1;
      const int section = static_cast<int>(p.sections.size());
      p.sections.push_back(
          {fmt::format("{} equations of link {}", backward ? "backward" : "forward", i),
           {},
           {},
           {},
           {}});
      std::vector<Id> wanted;
      for (const auto& r : d.results) {
        if (r.block != block) continue;
        if (!r.what.torque && !needed_[static_cast<std::size_t>(r.what.index)]) continue;
        StepOutput out = r.what;
        out.section = section;
        p.outputs.push_back(out);
        wanted.push_back(out.node);
      }
      StepSection& s = p.sections.back();
      s.operations = still_needed(*d.graph, wanted, p.sources, computed);
      s.count = schedule::counts(*d.graph, s.operations);
    }
    return p;
  }

  // One message from a block to each processor that reads its values.
  void exchange(StepProgram& p) const {
    for (int k = 0; k < count_; ++k)
      for (int block = 0; block < 2 * n_; ++block) {
        const int from = processor_[static_cast<std::size_t>(block)];
        if (from == k) continue;
        StepMessage m{from, k, section_of(block), -1, 0, {}};
        std::optional<int> age;
        for (const auto& [v, youngest] : youngest_[static_cast<std::size_t>(k)])
          if (block_of(v) == block) {
            m.values.push_back(v);
            age = std::min(age.value_or(youngest), youngest);
          }
        if (m.values.empty()) continue;
        m.age = *age;
        m.before = first_reader(p.processors[static_cast<std::size_t>(k)], m.values);
        const int number = static_cast<int>(p.messages.size());
        auto& sender = p.processors[static_cast<std::size_t>(from)].sections;
        auto& receiver = p.processors[static_cast<std::size_t>(k)].sections;
        sender[static_cast<std::size_t>(m.after)].sends.push_back(number);
        receiver[static_cast<std::size_t>(m.before)].receives.push_back(number);
        p.messages.push_back(std::move(m));
      }
  }
  int section_of(int block) const {
    int section = 0;
    for (int b = 0; b < block; ++b)
      section +=
          processor_[static_cast<std::size_t>(b)] == processor_[static_cast<std::size_t>(block)];
    return section;
  }
  static int first_reader(const StepProcessor& p, const std::vector<int>& values) {
    const auto reads = [&](Id id) {
      const auto at = p.sources.find(id);
      return at != p.sources.end() && at->second.kind == StepInput::Kind::value &&
             std::find(values.begin(), values.end(), at->second.value) != values.end();
    };
    for (std::size_t s = 0; s < p.sections.size(); ++s) {
      for (const Id id : p.sections[s].operations)
        for (const Id in : (*p.graph)[id].operands())
          if (reads(in)) return static_cast<int>(s);
      for (const StepOutput& o : p.outputs)  // passed on as it is
        if (o.section == static_cast<int>(s) && reads(o.node)) return static_cast<int>(s);
    }
    return static_cast<int>(p.sections.size()) - 1;
  }

  const CanonicalModel& c_;
  const Gains& gains_;
  Policy policy_;
  std::vector<int> processor_;
  int n_, torques_;  // values from here on are torques before their delay
  int count_ = 1;    // processors
  std::vector<bool> zero_, needed_;
  std::vector<Expr> a_;
  std::vector<Draft> drafts_;
  std::vector<std::map<int, int>> oldest_, youngest_;  // ages that each processor reads, by value
};

// ---- assignments

// Splits consecutive loads into `among` groups so that the largest group is as small as possible.
std::vector<int> split_evenly(const std::vector<double>& load, int among, int first) {
  auto shared = [&](double full) {
    std::vector<int> whose;
    double taken = 0;
    int who = first;
    for (const double x : load) {
      if (taken > 0 && taken + x > full) {
        ++who;
        taken = 0;
      }
      taken += x;
      whose.push_back(who);
    }
    return whose;
  };
  double low = 0, high = std::accumulate(load.begin(), load.end(), 0.0);
  for (const double x : load) low = std::max(low, x);
  for (int turn = 0; turn < 60; ++turn) {
    const double middle = (low + high) / 2;
    (shared(middle).back() < first + among ? high : low) = middle;
  }
  return shared(high);
}

}  // namespace

Counts StepProgram::count() const {
  Counts all;
  for (const StepProcessor& p : processors)
    for (const StepSection& s : p.sections) {
      all.additions += s.count.additions;
      all.multiplications += s.count.multiplications;
      all.divisions += s.count.divisions;
      all.square_roots += s.count.square_roots;
      all.atan2 += s.count.atan2;
      all.sin_cos += s.count.sin_cos;
    }
  return all;
}

long StepProgram::words() const {
  long all = 0;
  for (const StepMessage& m : messages) all += static_cast<long>(m.values.size());
  return all;
}

int StepProgram::oldest() const {
  int age = delay;
  for (const StepProcessor& p : processors)
    for (const auto& [id, in] : p.sources)
      if (in.kind == StepInput::Kind::value) age = std::max(age, in.age);
  return age;
}

int StepProgram::kept(int k) const {
  const StepProcessor& p = processors[static_cast<std::size_t>(k)];
  std::map<int, int> oldest;
  for (const auto& [id, in] : p.sources)
    if (in.kind == StepInput::Kind::value) oldest[in.value] = std::max(oldest[in.value], in.age);
  int all = 0;
  for (const auto& [v, age] : oldest) all += age;
  return all;
}

StepProgram exact_step(const Robot& model, const Gains& gains) {
  control::demand_single_freedoms(model);
  const Generated made = computed_torque_program(model);
  const auto graph = std::make_shared<const Graph>(made.program.graph);
  StepProgram p;
  p.coordinates = model.nv();
  StepProcessor one;
  one.graph = graph;
  for (const Named& in : graph->inputs()) one.sources[in.id] = argument(in.name, gains);
  StepSection all;
  all.name = "the whole step";
  std::vector<char> computed(graph->size(), 0);
  std::vector<Id> wanted;
  for (std::size_t k = 0; k < graph->outputs().size(); ++k) {
    one.outputs.push_back({graph->outputs()[k].id, true, static_cast<int>(k), 0});
    wanted.push_back(graph->outputs()[k].id);
  }
  all.operations = still_needed(*graph, wanted, one.sources, computed);
  all.count = schedule::counts(*graph, all.operations);
  one.sections.push_back(std::move(all));
  p.processors.push_back(std::move(one));
  return p;
}

StepProgram scheduled_step(const Robot& model, const Gains& gains, const StepSchedule& o) {
  control::demand_single_freedoms(model);
  // Schedulers count in whole units: the cheapest operation is ten of them.
  const double unit = std::max(std::min({o.add, o.multiply}), 1e-30) / 10;
  const auto whole = [&](double x) {
    return static_cast<Time>(std::clamp(std::llround(x / unit), 1LL, 1'000'000LL));
  };
  TaskSource source;
  source.quantity = Quantity::computed_torque;
  source.tasks = Decomposition::graph;
  source.grain = o.grain;
  source.weights = {
      {"multiply", whole(o.multiply)}, {"add", whole(o.add)}, {"sine", whole(o.sine)}};
  const Tasks tasks = schedule::tasks_of(model, source);
  const TaskedGraph& g = tasks.graph;
  schedule::Machine machine;
  machine.processors = o.processors;
  machine.latency = o.message > 0 ? whole(o.message) : 0;
  machine.per_word = o.word > 0 ? whole(o.word) : 0;
  const Schedule s =
      schedule::checked_run(schedule::scheduler(SchedulingMethod::heft), g.tasks, machine).schedule;
  return ScheduledStep(g, s, gains).program(model.nv());
}

StepProgram policy_step(const Robot& model, const Gains& gains, const Policy& policy,
                        const std::vector<int>& processor) {
  control::demand_single_freedoms(model);
  return PolicyStep(model, gains, control::bound(policy, model), processor).program();
}

std::vector<std::vector<int>> block_assignments(const Robot& model, const Policy& policy,
                                                int processors) {
  const StepCost cost = step_cost(model, policy, Equations::customised);
  const std::size_t blocks = cost.blocks.size(), n = blocks / 2;
  std::vector<double> forward(n), backward(n), both(n);
  for (std::size_t i = 0; i < n; ++i) {
    // Of every link, at least the sines of its joint and the correction of its coordinate.
    forward[i] = static_cast<double>(cost.blocks[i].operations) + 1;
    backward[i] = static_cast<double>(cost.blocks[blocks - 1 - i].operations) + 1;
    both[i] = forward[i] + backward[i];
  }
  std::vector<std::vector<int>> all;
  auto add = [&](const std::vector<int>& out, const std::vector<int>& in) {
    std::vector<int> processor(blocks);
    for (std::size_t i = 0; i < n; ++i) {
      processor[i] = out[i];
      processor[blocks - 1 - i] = in[i];
    }
    if (std::find(all.begin(), all.end(), processor) == all.end()) all.push_back(processor);
  };
  const int count = std::clamp(processors, 1, static_cast<int>(blocks));
  const std::vector<int> together = split_evenly(both, std::min(count, static_cast<int>(n)), 0);
  if (count <= static_cast<int>(n)) add(together, together);
  // As many processors for the forward equations as their share of the operations.
  const double share = std::accumulate(forward.begin(), forward.end(), 0.0) /
                       std::accumulate(both.begin(), both.end(), 0.0);
  if (count > 1) {
    const int f = std::clamp(static_cast<int>(std::lround(share * count)),
                             std::max(1, count - static_cast<int>(n)),
                             std::min(count - 1, static_cast<int>(n)));
    add(split_evenly(forward, f, 0), split_evenly(backward, count - f, f));
  }
  return all;
}

}  // namespace parid::design
