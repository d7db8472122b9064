#include "schedule/search/annealing.hpp"

#include <cmath>
#include <random>

#include "schedule/list/list_scheduling.hpp"
#include "schedule/search/justification.hpp"

namespace parid::schedule {
namespace {

// Temperature: how much longer a schedule may be and still be accepted occasionally, for tasks of
// thirty units on average.
constexpr double warmth = 0.7;
constexpr Time near = 8;  // a schedule this much longer than the best is still justified

}  // namespace

Schedule annealed(const TaskGraph& g, int processors, const Schedule& first, Time bound,
                  long rounds, const std::function<bool()>& stop) {
  const Machine machine{processors};
  const int n = g.size();
  const double mean = std::max(1.0, static_cast<double>(total(g)) / std::max(1, n));
  std::mt19937_64 random(1);
  auto share = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };

  Schedule best = first;
  Time shortest = makespan(first);
  Justification justification(g, processors);
  std::vector<double> kept(n), key(n);  // smaller first
  const std::vector<Time> level = levels(g);
  for (int t = 0; t < n; ++t) kept[t] = -static_cast<double>(level[t]);
  Time length = Time{1} << 60;
  std::vector<int> order(n);
  for (long round = 0; round < rounds && shortest > bound; ++round) {
    if (round % 16 == 0 && stop()) break;
    key = kept;
    const double reach = (random() % 3 == 0 ? 3.5 : 0.7) * mean;
    if (round > 0)
      for (unsigned k = 1 + random() % 8; k > 0; --k) key[random() % n] += (share() - 0.5) * reach;
    const Schedule s =
        list_schedule(g, machine, ranks(n, [&](int a, int b) { return key[a] < key[b]; }));
    const Time now = makespan(s);
    const double worse = static_cast<double>(now - length);
    if (worse <= 0 || share() < std::exp(-worse / (warmth * std::max(1.0, mean / 30)))) {
      kept = key;
      length = now;
    }
    if (now < shortest) {
      best = s;
      shortest = now;
    }
    if (now > shortest + near) continue;
    std::vector<Time> start(n);
    for (int t = 0; t < n; ++t) {
      start[t] = s.placement[t].start;
      order[t] = t;
    }
    const std::vector<int> topological = g.order();
    std::vector<int> place(n);
    for (int k = 0; k < n; ++k) place[topological[k]] = k;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return start[a] != start[b] ? start[a] < start[b] : place[a] < place[b];
    });
    justification.forward(order);
    justification.justify(order);
    if (justification.length() < shortest) {
      shortest = justification.length();
      best = assigned(g, processors, justification.start());
    }
  }
  return best;
}

}  // namespace parid::schedule
