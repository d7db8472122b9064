#include "hardware/pipeline/balance.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "hardware/pipeline/differences.hpp"

namespace parid::hardware {
namespace {

struct Use {
  int signal, reader;  // an operation; −1: the outputs
};

std::vector<Use> port_uses(const Network& n) {
  std::vector<Use> uses;
  for (std::size_t op = 0; op < n.operations.size(); ++op)
    for (const int s : n.operations[op].in) uses.push_back({s, static_cast<int>(op)});
  for (const int s : n.outputs) uses.push_back({s, -1});
  return uses;
}
std::vector<Use> edge_uses(const Network& n) {
  std::vector<Use> uses = port_uses(n);
  auto key = [](const Use& u) { return std::pair(u.signal, u.reader); };
  std::sort(uses.begin(), uses.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
  uses.erase(
      std::unique(uses.begin(), uses.end(), [&](auto& a, auto& b) { return key(a) == key(b); }),
      uses.end());
  return uses;
}

int time_of(const Staging& s, int reader) { return reader < 0 ? s.latency : s.start[reader]; }

long total(const Network& n, const Staging& s, const std::vector<Use>& uses) {
  long sum = 0;
  for (const Use& u : uses)
    sum +=
        n.signals[u.signal].weight * static_cast<long>(time_of(s, u.reader) - s.ready(n, u.signal));
  return sum;
}

long shared_total(const Network& n, const Staging& s) {
  std::vector<int> longest(n.signals.size(), 0);
  for (const Use& u : port_uses(n))
    longest[u.signal] = std::max(longest[u.signal], time_of(s, u.reader) - s.ready(n, u.signal));
  long sum = 0;
  for (std::size_t k = 0; k < longest.size(); ++k) sum += n.signals[k].weight * long{longest[k]};
  return sum;
}

long cost_of(const Network& n, const Staging& s, Chains chains) {
  if (chains == Chains::shared) return shared_total(n, s);
  return total(n, s, chains == Chains::per_edge ? edge_uses(n) : port_uses(n));
}

}  // namespace

Staging earliest(const Network& n) {
  Staging s{std::vector<int>(n.operations.size(), 0), 0};
  for (std::size_t op = 0; op < n.operations.size(); ++op)
    for (const int signal : n.operations[op].in)
      s.start[op] = std::max(s.start[op], s.ready(n, signal));
  for (const int signal : n.outputs) s.latency = std::max(s.latency, s.ready(n, signal));
  return s;
}

Staging latest(const Network& n) {
  Staging s = earliest(n);
  std::vector<int> needed;  // operations that no output depends on may end later than the outputs
  for (std::size_t op = 0; op < n.operations.size(); ++op)
    needed.push_back(std::max(s.latency, s.start[op] + n.operations[op].latency));
  for (std::size_t op = n.operations.size(); op-- > 0;) {
    s.start[op] = needed[op] - n.operations[op].latency;
    for (const int signal : n.operations[op].in)
      if (const int from = n.signals[signal].operation; from >= 0)
        needed[from] = std::min(needed[from], s.start[op]);
  }
  return s;
}

Staging balanced(const Network& n, Chains chains, Solver way) {
  const int operations = static_cast<int>(n.operations.size()), source = operations,
            sink = operations + 1;
  const Staging first = earliest(n);
  Differences lp(operations + 2);
  lp.at_least(source, sink, first.latency);
  lp.at_least(sink, source, -first.latency);
  for (int op = 0; op < operations; ++op)  // for operations that read inputs this is implied
    if (n.operations[op].in.empty()) lp.at_least(source, op, 0);
  auto producer = [&](int signal) {
    const int op = n.signals[signal].operation;
    return op < 0 ? source : op;
  };
  auto latency = [&](int signal) {
    const int op = n.signals[signal].operation;
    return op < 0 ? 0 : n.operations[op].latency;
  };
  auto reader = [&](const Use& u) { return u.reader < 0 ? sink : u.reader; };
  const std::vector<Use> edges = edge_uses(n);
  std::vector<int> readers(n.signals.size(), 0);
  for (const Use& u : edges) {
    lp.at_least(producer(u.signal), reader(u), latency(u.signal));
    ++readers[u.signal];
  }
  // The requested kind comes first, by a factor larger than any sum over the edges.
  const long second = chains == Chains::shared ? 1 : 0;
  const long factor = second ? 1 + total(n, first, edges) + long{first.latency} * operations : 1;
  if (chains == Chains::shared) {
    std::map<int, int> end;  // end of the line of a signal with several readers
    for (const Use& u : edges) {
      const long weight = n.signals[u.signal].weight;
      if (weight == 0) continue;
      const int last = reader(u);
      if (readers[u.signal] > 1) {
        const auto [at, fresh] = end.try_emplace(u.signal, 0);
        if (fresh) {
          at->second = lp.variable();
          lp.pay(producer(u.signal), at->second, factor * weight);
        }
        lp.at_least(last, at->second, 0);
      } else {
        lp.pay(producer(u.signal), last, factor * weight);
      }
      lp.pay(producer(u.signal), last, second * weight);
    }
  } else {
    for (const Use& u : chains == Chains::per_edge ? edges : port_uses(n))
      lp.pay(producer(u.signal), reader(u), n.signals[u.signal].weight);
  }
  // feasible: each line is as long as its last reader requires
  std::vector<int> start = first.start;
  start.push_back(0);
  start.push_back(first.latency);
  start.resize(lp.coefficient.size(), 0);
  for (const auto& c : lp.constraints)
    if (c.to > sink) start[c.to] = std::max(start[c.to], start[c.from]);
  const bool simplex = way == Solver::simplex || (way == Solver::by_size && operations < 5000);
  const std::vector<int> t = simplex ? solved_by_simplex(lp) : solved(lp, start);
  Staging s{{}, first.latency};
  for (int op = 0; op < operations; ++op) s.start.push_back(t[op] - t[source]);
  const bool as_good = cost_of(n, first, chains) == cost_of(n, s, chains) &&
                       total(n, first, edges) == total(n, s, edges);
  return as_good ? first : s;
}

Buffers buffers(const Network& n, const Staging& s) {
  Buffers b;
  b.shared = shared_total(n, s);
  b.per_edge = total(n, s, edge_uses(n));
  b.per_port = total(n, s, port_uses(n));
  std::map<int, std::set<int>> taps;
  for (const Use& u : edge_uses(n))
    if (const int wait = time_of(s, u.reader) - s.ready(n, u.signal)) taps[u.signal].insert(wait);
  for (const auto& [signal, at] : taps) {
    b.lines.push_back({signal, *at.rbegin(), {at.begin(), at.end()}});
    if (at.size() > 1 && n.signals[signal].weight > 0) ++b.tapped;
  }
  return b;
}

void check(const Network& n, const Staging& s, const std::vector<DelayLine>& lines) {
  std::vector<const DelayLine*> line(n.signals.size(), nullptr);
  for (const DelayLine& l : lines) line[l.signal] = &l;
  for (const Use& u : edge_uses(n)) {
    const int wait = time_of(s, u.reader) - s.ready(n, u.signal);
    auto complain = [&](const char* what) {
      throw std::logic_error("signal " + std::to_string(u.signal) + " to operation " +
                             std::to_string(u.reader) + ": " + what);
    };
    if (wait < 0) complain("read before it is ready");
    const DelayLine* l = line[u.signal];
    if (wait > 0 &&
        !(l && std::binary_search(l->taps.begin(), l->taps.end(), wait) && l->length >= wait))
      complain("no chain compensates the difference in delay");
  }
}

}  // namespace parid::hardware
