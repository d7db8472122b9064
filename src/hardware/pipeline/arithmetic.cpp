#include "hardware/pipeline/arithmetic.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace parid::hardware {
namespace {

std::vector<int> kinds(const ArithmeticPipeline& p) {
  std::vector<int> all;
  for (std::size_t op = 0; op < p.node.size(); ++op)
    all.push_back(static_cast<int>(p.unit_of(static_cast<int>(op))));
  return all;
}

int latency_of_sine(const FixedGraph& f) {
  return f.sin_cos.turns() + 2 + (f.floating ? 2 * conversion_latency() : 0);
}

int latency_of(const FixedGraph& f, Op op, UnitLatency latency) {
  if (op == Op::div)
    return f.floating ? float_quotient_latency(*f.floating) : divider_latency(f.word);
  if (op == Op::mul) return f.floating ? float_product_latency() : latency.mul;
  return f.floating ? float_sum_latency() : latency.add;
}

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
            {latency_of_sine(p.fixed), {p.signal_of[n.in[0]]}, "sin_cos"});
        p.node.push_back(n.in[0]);
        p.sine.push_back(true);
        ++p.angles;
      }
      p.signal_of[id] = p.network.output_of(at->second, row(n.op).name);
      continue;
    }
    ++(n.op == Op::mul ? p.multiplications : n.op == Op::div ? p.divisions : p.additions);
    Network::Operation op{latency_of(p.fixed, n.op, latency), {}, row(n.op).name};
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

// Moves operations to later clocks with a free unit if that reduces the total waiting time: an
// early start lengthens the wait of its result, a late one that of its operands.
class Settling {
 public:
  Settling(ArithmeticPipeline& p, std::vector<std::vector<int>>& taken, const int* built)
      : p_(p), n_(p.network), taken_(taken), built_(built), readers_(n_.signals.size()) {
    for (std::size_t op = 0; op < n_.operations.size(); ++op)
      for (const int s : n_.operations[op].in) readers_[s].push_back(static_cast<int>(op));
    is_output_.assign(n_.signals.size(), false);
    for (const int s : n_.outputs) is_output_[s] = true;
    given_.resize(n_.operations.size());
    for (std::size_t s = 0; s < n_.signals.size(); ++s)
      if (const int op = n_.signals[s].operation; op >= 0)
        given_[op].push_back(static_cast<int>(s));
  }

  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int op = static_cast<int>(n_.operations.size()); op-- > 0;) moved |= settle(op);
    }
  }

 private:
  bool settle(int op) {
    int& start = p_.schedule.start[op];
    const int before = start, waited = waits(op), latest = deadline(op) - n_.operations[op].latency;
    const auto unit = static_cast<std::size_t>(p_.unit_of(op));
    int best = before, least = waited;
    for (int t = before + 1; t <= latest; ++t) {
      if (t % p_.interval != before % p_.interval && taken_[unit][t % p_.interval] >= built_[unit])
        continue;
      start = t;
      if (const int now = waits(op); now < least) {
        best = t;
        least = now;
      }
    }
    start = best;
    --taken_[unit][before % p_.interval];
    ++taken_[unit][best % p_.interval];
    return best != before;
  }
  int wait(int signal) const {
    int last = is_output_[signal] ? p_.schedule.latency : 0;
    for (const int r : readers_[signal]) last = std::max(last, p_.schedule.start[r]);
    return std::max(0, last - p_.schedule.ready(n_, signal));
  }
  int waits(int op) const {  // waits of its results and operands
    int sum = 0;
    const auto& in = n_.operations[op].in;
    for (const int s : given_[op]) sum += wait(s);
    for (std::size_t k = 0; k < in.size(); ++k)
      if (std::find(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(k), in[k]) ==
          in.begin() + static_cast<std::ptrdiff_t>(k))
        sum += wait(in[k]);
    return sum;
  }
  int deadline(int op) const {  // start of the first reader of its results
    int first = p_.schedule.latency;
    for (const int s : given_[op])
      for (const int r : readers_[s]) first = std::min(first, p_.schedule.start[r]);
    return first;
  }

  ArithmeticPipeline& p_;
  const Network& n_;
  std::vector<std::vector<int>>& taken_;
  const int* built_;
  std::vector<std::vector<int>> readers_, given_;
  std::vector<bool> is_output_;
};

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
  p.dividers = p.divisions;
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
  p.dividers = ceiling(p.divisions, p.interval);
  // Operations with the longest path to an output first, each at the first clock with a free unit.
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
  std::vector<std::vector<int>> taken(unit_kinds, std::vector<int>(p.interval, 0));
  const int built[] = {p.multipliers, p.adders, p.sine_units, p.dividers};
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
    const auto unit = static_cast<std::size_t>(p.unit_of(op));
    auto& slots = taken[unit];
    while (slots[t % p.interval] >= built[unit]) ++t;
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
  Settling(p, taken, built).run();
  p.binding = bound(n, p.schedule, p.interval, kinds(p));
  int* const built_units[] = {&p.multipliers, &p.adders, &p.sine_units, &p.dividers};
  for (int* const units : built_units) *units = 0;  // those that have anything to do
  for (std::size_t op = 0; op < count; ++op) {
    int& units = *built_units[static_cast<std::size_t>(p.unit_of(static_cast<int>(op)))];
    units = std::max(units, p.binding.unit[op] + 1);
  }
  p.registers = p.binding.registers;
  return p;
}

void check(const ArithmeticPipeline& p) {
  check(p.network, p.schedule, buffers(p.network, p.schedule).lines);
  std::map<std::pair<Unit, int>, int> started;
  for (std::size_t op = 0; op < p.node.size(); ++op) {
    const Unit u = p.unit_of(static_cast<int>(op));
    if (++started[{u, p.schedule.start[op] % p.interval}] > p.built(u))
      throw std::logic_error("more operations start in a clock than there are units");
  }
  if (p.is_shared()) check(p.network, p.schedule, p.interval, kinds(p), p.binding);
}

}  // namespace parid::hardware
