#include "parid/pipeline/arithmetic.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace parid {
namespace {

enum class Unit { multiplier, adder, sine };

Unit unit_of(const ArithmeticPipeline& p, int op) {
  if (p.is_sine(op)) return Unit::sine;
  return p.fixed.graph[p.node[op]].op == Op::mul ? Unit::multiplier : Unit::adder;
}

int latency_of_sine(const FixedSinCos& s) { return s.turns() + 2; }

ArithmeticPipeline network_of(FixedGraph fixed, UnitLatency latency) {
  ArithmeticPipeline p;
  p.fixed = std::move(fixed);
  p.latency = latency;
  const Graph& g = p.fixed.graph;
  p.signal_of.assign(g.size(), -1);
  std::map<Id, int> sine;  // by angle
  for (const Named& in : g.inputs()) p.signal_of[in.id] = p.network.input(in.name);
  for (Id id = 0; id < g.size(); ++id) {
    const Node& n = g[id];
    if (n.op == Op::constant || n.op == Op::input) continue;
    if (n.op == Op::sin || n.op == Op::cos) {
      const auto [at, fresh] =
          sine.try_emplace(n.in[0], static_cast<int>(p.network.operations.size()));
      if (fresh) {
        p.network.operations.push_back(
            {latency_of_sine(p.fixed.sin_cos), {p.signal_of[n.in[0]]}, "sin_cos"});
        p.node.push_back(n.in[0]);
        p.sine.push_back(true);
        ++p.angles;
      }
      p.signal_of[id] = p.network.output_of(at->second, row(n.op).name);
      continue;
    }
    const bool product = n.op == Op::mul;
    ++(product ? p.multiplications : p.additions);
    Network::Operation op{product ? latency.mul : latency.add, {}, row(n.op).name};
    for (const Id in : n.operands())
      if (p.signal_of[in] >= 0) op.in.push_back(p.signal_of[in]);
    p.network.operations.push_back(op);
    p.node.push_back(id);
    p.sine.push_back(false);
    p.signal_of[id] = p.network.output_of(static_cast<int>(p.network.operations.size()) - 1);
  }
  for (const Named& o : g.outputs())
    if (p.signal_of[o.id] >= 0) p.network.outputs.push_back(p.signal_of[o.id]);
  return p;
}

int ceiling(int a, int b) { return (a + b - 1) / b; }

}  // namespace

double ArithmeticPipeline::utilisation() const {
  const int units = multipliers + adders;
  return units ? static_cast<double>(multiplications + additions) /
                     (units * static_cast<double>(interval))
               : 1;
}

ArithmeticPipeline unrolled(FixedGraph fixed, UnitLatency latency) {
  ArithmeticPipeline p = network_of(std::move(fixed), latency);
  p.schedule = balanced(p.network);
  p.multipliers = p.multiplications;
  p.adders = p.additions;
  p.sine_units = p.angles;
  p.registers = buffers(p.network, p.schedule).shared;
  return p;
}

ArithmeticPipeline shared_units(FixedGraph fixed, int units, UnitLatency latency) {
  ArithmeticPipeline p = network_of(std::move(fixed), latency);
  p.multipliers = std::min(units, p.multiplications);
  p.adders = std::min(units, p.additions);
  p.interval = std::max({1, p.multipliers ? ceiling(p.multiplications, p.multipliers) : 1,
                         p.adders ? ceiling(p.additions, p.adders) : 1});
  p.sine_units = ceiling(p.angles, p.interval);
  // Those with the longest way to an output first, each at the first clock that has a unit free.
  const Network& n = p.network;
  const std::size_t count = n.operations.size();
  std::vector<int> left(count, 0);
  for (std::size_t op = count; op-- > 0;) {
    left[op] += n.operations[op].latency;
    for (const int s : n.operations[op].in)
      if (const int from = n.signals[s].operation; from >= 0)
        left[from] = std::max(left[from], left[op]);
  }
  std::vector<int> waiting(count, 0);
  std::vector<std::vector<int>> readers(count);
  for (std::size_t op = 0; op < count; ++op)
    for (const int s : n.operations[op].in)
      if (const int from = n.signals[s].operation; from >= 0) {
        ++waiting[op];
        readers[from].push_back(static_cast<int>(op));
      }
  std::vector<std::vector<int>> taken(3, std::vector<int>(p.interval, 0));
  const int built[] = {p.multipliers, p.adders, p.sine_units};
  auto urgent = [&](int a, int b) { return std::pair(left[a], -a) < std::pair(left[b], -b); };
  std::vector<int> open;
  for (std::size_t op = 0; op < count; ++op)
    if (waiting[op] == 0) open.push_back(static_cast<int>(op));
  p.schedule.start.assign(count, 0);
  std::make_heap(open.begin(), open.end(), urgent);
  while (!open.empty()) {
    std::pop_heap(open.begin(), open.end(), urgent);
    const int op = open.back();
    open.pop_back();
    int t = 0;
    for (const int s : n.operations[op].in) t = std::max(t, p.schedule.ready(n, s));
    auto& slots = taken[static_cast<int>(unit_of(p, op))];
    while (slots[t % p.interval] >= built[static_cast<int>(unit_of(p, op))]) ++t;
    ++slots[t % p.interval];
    p.schedule.start[op] = t;
    for (const int r : readers[op])
      if (--waiting[r] == 0) {
        open.push_back(r);
        std::push_heap(open.begin(), open.end(), urgent);
      }
  }
  for (const int s : n.outputs)
    p.schedule.latency = std::max(p.schedule.latency, p.schedule.ready(n, s));
  for (const DelayLine& l : buffers(n, p.schedule).lines)
    p.registers += ceiling(l.length, p.interval);
  return p;
}

void check(const ArithmeticPipeline& p) {
  check(p.network, p.schedule, buffers(p.network, p.schedule).lines);
  const int built[] = {p.multipliers, p.adders, p.sine_units};
  std::map<std::pair<Unit, int>, int> started;
  for (std::size_t op = 0; op < p.node.size(); ++op) {
    const Unit u = unit_of(p, static_cast<int>(op));
    if (++started[{u, p.schedule.start[op] % p.interval}] > built[static_cast<int>(u)])
      throw std::logic_error("more operations start at a clock than there are units");
  }
}

}  // namespace parid
