// The schedule of a controller core: modulo scheduling from the torques backwards.
//
// Every operation starts as late as its readers and the units allow, so that words of the stream
// wait instead of words computed from them, and the measurement is read as late as possible: the
// time from measurement to torque is what limits a control loop. Unrolled, delay balancing with the
// fewest registers does the same (pipeline/balance.hpp).

#include <algorithm>
#include <map>
#include <stdexcept>

#include "hardware/controller/core_program.hpp"
#include "hardware/pipeline/balance.hpp"
#include "hardware/verilog/verilog.hpp"

namespace parid::hardware {

const char* name_of(CoreUnit u) {
  static constexpr const char* names[core_units] = {
      "multiplier", "adder", "sine",    "circ1",  "circ2",   "lin1",   "lin2",
      "hype1",      "hype2", "limiter", "turner", "history", "measure"};
  return names[static_cast<std::size_t>(u)];
}

int CoreProgram::result(int operation, int port, FixedFormat format, const std::string& called) {
  CoreOperation& from = operations[static_cast<std::size_t>(operation)];
  if (static_cast<int>(from.results.size()) <= port)
    from.results.resize(static_cast<std::size_t>(port) + 1, -1);
  int& signal = from.results[static_cast<std::size_t>(port)];
  if (signal < 0) {
    signal = static_cast<int>(signals.size());
    signals.push_back({operation, port, format, called});
  }
  return signal;
}

CoreOperand CoreProgram::append(CoreOperation operation) {
  const FixedFormat format = operation.out;
  const std::string called = operation.name;
  operations.push_back(std::move(operation));
  return CoreOperand::of_signal(result(static_cast<int>(operations.size()) - 1, 0, format, called),
                                format);
}

int CoreProgram::count(CoreUnit unit) const {
  return static_cast<int>(std::count_if(operations.begin(), operations.end(),
                                        [unit](const CoreOperation& o) { return o.unit == unit; }));
}

int latency_of(const CoreProgram& p, CoreUnit unit) {
  switch (unit) {
    case CoreUnit::multiplier: return 2;
    case CoreUnit::adder: return 1;
    case CoreUnit::sine: return p.sin_cos.turns() + 2;
    case CoreUnit::limiter: return 2;
    case CoreUnit::turner: return 3;
    case CoreUnit::history:
    case CoreUnit::measure: return 1;
    default: return box_latency(box_of(unit), *p.cordic);
  }
}

namespace {

// Histories and the measurement hold data of their own, so each is its own kind of unit.
bool own_unit(CoreUnit u) { return u == CoreUnit::history || u == CoreUnit::measure; }

Network network_of(const CoreProgram& p) {
  Network n;
  for (const CoreSignal& s : p.signals) n.signals.push_back({s.operation, 1, s.name});
  for (const CoreOperation& o : p.operations) {
    Network::Operation op{latency_of(p, o.unit), {}, name_of(o.unit)};
    for (const CoreOperand& in : o.in)
      if (in.from == CoreOperand::From::signal) op.in.push_back(in.index);
    n.operations.push_back(op);
  }
  for (const CoreOperand& t : p.torque)
    if (t.from == CoreOperand::From::signal) n.outputs.push_back(t.index);
  return n;
}

class BackwardList {
 public:
  BackwardList(const CoreSchedule& s)
      : s_(s), n_(s.network), from_(n_.operations.size(), 0), until_(from_), readers_(from_) {
    order();
  }

  Staging run() {
    // `until_`: clocks from the end of an operation to the results.
    std::vector<int> open;
    auto urgent = [this](int a, int b) {
      return std::pair(from_[a], -a) < std::pair(from_[b], -b);
    };
    std::vector<bool> needed(n_.operations.size(), false);
    for (const int s : n_.outputs) need(needed, n_.signals[s].operation);
    for (std::size_t op = 0; op < n_.operations.size(); ++op)
      if (needed[op])
        for (const int s : n_.operations[op].in)
          if (const int source = n_.signals[s].operation; source >= 0) ++readers_[source];
    for (std::size_t op = 0; op < n_.operations.size(); ++op)
      if (needed[op] && readers_[op] == 0) open.push_back(static_cast<int>(op));
    std::make_heap(open.begin(), open.end(), urgent);
    int longest = 0;
    while (!open.empty()) {
      std::pop_heap(open.begin(), open.end(), urgent);
      const int op = open.back();
      open.pop_back();
      int& u = until_[op];
      while (!take(op, -(u + n_.operations[op].latency))) ++u;
      longest = std::max(longest, u + n_.operations[op].latency);
      for (const int s : n_.operations[op].in)
        if (const int source = n_.signals[s].operation; source >= 0) {
          until_[source] = std::max(until_[source], u + n_.operations[op].latency);
          if (--readers_[source] == 0) {
            open.push_back(source);
            std::push_heap(open.begin(), open.end(), urgent);
          }
        }
    }
    Staging staging;
    staging.latency = longest;
    staging.start.assign(n_.operations.size(), 0);
    for (std::size_t op = 0; op < n_.operations.size(); ++op)
      if (needed[op]) staging.start[op] = longest - until_[op] - n_.operations[op].latency;
    // Operations that only raise a flag, as early as possible: nothing waits for them.
    for (std::size_t op = 0; op < n_.operations.size(); ++op) {
      if (needed[op]) continue;
      int& t = staging.start[op];
      for (const int s : n_.operations[op].in) t = std::max(t, staging.ready(n_, s));
      while (!take(static_cast<int>(op), t - longest)) ++t;
      staging.latency = std::max(staging.latency, t + n_.operations[op].latency);
    }
    return staging;
  }

 private:
  void order() {  // clocks from the inputs to the end of each operation
    for (std::size_t op = 0; op < n_.operations.size(); ++op) {
      for (const int s : n_.operations[op].in)
        if (const int source = n_.signals[s].operation; source >= 0)
          from_[op] = std::max(from_[op], from_[source]);
      from_[op] += n_.operations[op].latency;
    }
  }
  void need(std::vector<bool>& needed, int op) const {
    if (op < 0 || needed[op]) return;
    needed[op] = true;
    for (const int s : n_.operations[op].in) need(needed, n_.signals[s].operation);
  }
  // A start, counted from the results backwards, if a unit of its kind is free.
  bool take(int op, int start) {
    const int kind = s_.kind[static_cast<std::size_t>(op)];
    const int phase = (start % s_.interval + s_.interval) % s_.interval;
    int& used = used_[{kind, phase}];
    const int built = kind < core_units ? s_.built[static_cast<std::size_t>(kind)] : 1;
    if (used >= built) return false;
    ++used;
    return true;
  }

  const CoreSchedule& s_;
  const Network& n_;
  std::vector<int> from_, until_, readers_;
  std::map<std::pair<int, int>, int> used_;
};

}  // namespace

CoreSchedule schedule(const CoreProgram& p, int interval) {
  CoreSchedule s;
  s.interval = interval;
  s.network = network_of(p);
  s.built.assign(core_units, 0);
  for (std::size_t op = 0; op < p.operations.size(); ++op) {
    const CoreUnit unit = p.operations[op].unit;
    s.kind.push_back(own_unit(unit) ? core_units + static_cast<int>(op) : static_cast<int>(unit));
  }
  for (int u = 0; u < core_units; ++u) {
    const int uses = p.count(static_cast<CoreUnit>(u));
    s.built[static_cast<std::size_t>(u)] =
        own_unit(static_cast<CoreUnit>(u)) ? uses : (uses + interval - 1) / interval;
  }
  if (interval == 1) {
    s.staging = balanced(s.network);
    // Operations that only raise a flag are outputs of nothing.
    for (std::size_t op = 0; op < s.network.operations.size(); ++op)
      s.staging.latency =
          std::max(s.staging.latency, s.staging.start[op] + s.network.operations[op].latency);
  } else {
    s.staging = BackwardList(s).run();
  }
  s.binding = bound(s.network, s.staging, interval, s.kind);
  check(s.network, s.staging, buffers(s.network, s.staging).lines);
  check(s.network, s.staging, interval, s.kind, s.binding);
  for (std::size_t op = 0; op < p.operations.size(); ++op) {
    if (p.operations[op].unit == CoreUnit::measure) s.measured_at = s.staging.start[op];
    const int kind = s.kind[op];
    if (kind < core_units && s.binding.unit[op] >= s.built[static_cast<std::size_t>(kind)])
      throw std::logic_error("more operations start at once than there are units");
  }
  return s;
}

}  // namespace parid::hardware
