#include "control/synthesis/policy_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "base/threads/thread_pool.hpp"
#include "control/step_cost.hpp"
#include "control/synthesis/age_table.hpp"
#include "model/given_values.hpp"
#include "parid/error.hpp"

namespace parid::control {
namespace {

// Climbs from a random neighbourhood of the best so far, after those from starting tables.
constexpr std::size_t kicks_per_start = 1;

// A better table must be better by more than what periods are known to.
constexpr double gain_needed = 1e-3;

class Rater {
 public:
  Rater(const Robot& plant, const LawDesign& design, std::span<const double> poses,
        const PolicyGoal& goal)
      : plant_(plant), design_(design), poses_(poses), goal_(goal) {}

  std::size_t poses() const { return poses_.size() / static_cast<std::size_t>(plant_.nq()); }

  // The largest safe period of each pose; empty if the smallest is not above `best`.
  std::vector<double> rate(const Policy& p, double best) {
    LawDesign d = design_;
    d.policy = bound(p, d.model);
    const auto nq = static_cast<std::size_t>(plant_.nq());
    const std::size_t first = worst_.load(std::memory_order_relaxed);  // it rejects most
    std::vector<LinearLoop> loops;
    std::vector<std::size_t> order(poses());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = (first + k) % order.size();
    for (const std::size_t pose : order) {
      loops.emplace_back(plant_, d, poses_.subspan(pose * nq, nq));
      if (best > 0 && !(loops.back().spectral_radius(best * (1 + gain_needed)) < 1)) {
        worst_.store(pose, std::memory_order_relaxed);
        return {};
      }
    }
    std::vector<double> periods(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      double& period = periods[order[k]];
      period = largest_safe_period(loops[k], goal_.range, goal_.tolerance);
      if (!(period > best)) {
        worst_.store(order[k], std::memory_order_relaxed);
        return {};
      }
    }
    return periods;
  }

 private:
  const Robot& plant_;
  const LawDesign& design_;
  std::span<const double> poses_;
  const PolicyGoal& goal_;
  // Of the pose that was tried first last time only the time depends, not the result.
  std::atomic<std::size_t> worst_{0};
};

double least(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }

struct Point {
  AgeTable table;
  std::vector<double> by_pose;  // empty: safe at no period
  double period() const { return by_pose.empty() ? 0 : least(by_pose); }
};

// Chains cut into segments of at most `outwards` and `inwards` links, from the base on: the first
// link of a segment reads values of age 1 across its joint.
AgeTable segments(const Topology& t, int outwards, int inwards, bool across_now) {
  const int n = t.n;
  AgeTable table(n);
  std::vector<int> depth(static_cast<std::size_t>(n) + 1);
  for (int i = 1; i <= n; ++i) {
    const int parent = t.parent[static_cast<std::size_t>(i)];
    depth[static_cast<std::size_t>(i)] = depth[static_cast<std::size_t>(parent)] + 1;
    auto& row = table.link[static_cast<std::size_t>(i)];
    const int at = depth[static_cast<std::size_t>(i)];
    for (int r = 0; r < 4; ++r)
      row[static_cast<std::size_t>(r)] = outwards == 0 || (at - 1) % outwards == 0;
    for (int r = 4; r < 6; ++r)
      row[static_cast<std::size_t>(r)] = inwards == 0 || at % inwards == 0;
    for (int r = 6; r < 9; ++r) row[static_cast<std::size_t>(r)] = across_now ? 0 : 1;
  }
  return table;
}

// Those published that have an ages table at most `steps` long, and the cut chains.
std::vector<AgeTable> starting_tables(const Topology& t, const PolicyGoal& goal) {
  std::vector<AgeTable> all;
  const auto add = [&](const AgeTable& table) {
    for (const auto& row : table.link)
      for (const std::uint8_t age : row)
        if (age > goal.max_age) return;
    if (table.steps(t) <= goal.steps && std::find(all.begin(), all.end(), table) == all.end())
      all.push_back(table);
  };
  for (const PolicyEntry& e : policies())
    if (const auto table = AgeTable::of(e.make(), t.n)) add(*table);
  for (int outwards = 1; outwards <= std::min(goal.steps, t.n); ++outwards)
    for (int inwards = 1; inwards <= std::min(goal.steps, t.n); ++inwards)
      for (const bool across_now : {false, true}) add(segments(t, outwards, inwards, across_now));
  return all;
}

// A change of a table: of one reading or of all that cross a joint the same way, in one link or in
// all, to an age.
struct Change {
  int link, first, last, age;  // link 0: all
};
std::vector<Change> changes(const Topology& t, int max_age) {
  std::vector<Change> all;
  for (int age = 0; age <= max_age; ++age) {
    for (int r = 0; r < stale_reading_count; ++r) {
      all.push_back({0, r, r, age});
      for (int i = 1; i <= t.n; ++i)
        if (is_read(t, i, r)) all.push_back({i, r, r, age});
    }
    for (const auto& [first, last] : {std::pair(0, 3), std::pair(4, 5), std::pair(6, 8)}) {
      all.push_back({0, first, last, age});
      for (int i = 1; i <= t.n; ++i)
        if (is_read(t, i, first)) all.push_back({i, first, last, age});
    }
  }
  return all;
}
AgeTable changed(AgeTable table, const Change& c) {
  for (std::size_t i = 1; i < table.link.size(); ++i)
    if (c.link == 0 || c.link == static_cast<int>(i))
      for (int r = c.first; r <= c.last; ++r)
        table.link[i][static_cast<std::size_t>(r)] = static_cast<std::uint8_t>(c.age);
  return table;
}

class Search {
 public:
  Search(const Robot& plant, const LawDesign& design, std::span<const double> poses,
         const PolicyGoal& goal)
      : topology_(design.model.canonical().topology),
        goal_(goal),
        rater_(plant, design, poses, goal),
        pool_(thread_count(goal.threads)) {}

  // Rates tables against one best period and returns the best of them that is better.
  std::optional<Point> best_of(const std::vector<AgeTable>& tables, double best) {
    std::vector<std::vector<double>> found(tables.size());
    pool_.share(tables.size(),
                [&](int, std::size_t k) { found[k] = rater_.rate(tables[k].policy(), best); });
    tried_ += static_cast<long>(tables.size());
    std::optional<Point> winner;
    for (std::size_t k = 0; k < tables.size(); ++k)
      if (!found[k].empty() && (!winner || least(found[k]) > winner->period()))
        winner = Point{tables[k], found[k]};
    return winner;
  }

  Point climb(Point from, std::mt19937_64& random, const std::function<void(double)>& progress) {
    std::vector<Change> all = changes(topology_, goal_.max_age);
    std::size_t since = 0, at = all.size();
    // A chunk has the same size whatever the number of threads.
    constexpr std::size_t chunk = 16;
    std::vector<AgeTable> tables;
    while (since < all.size()) {
      if (at >= all.size()) {
        for (std::size_t k = all.size(); k > 1; --k) std::swap(all[k - 1], all[random() % k]);
        at = 0;
      }
      tables.clear();
      for (; at < all.size() && tables.size() < chunk && since < all.size(); ++at, ++since) {
        AgeTable next = changed(from.table, all[at]);
        if (next == from.table || next.steps(topology_) > goal_.steps) continue;
        tables.push_back(std::move(next));
      }
      if (auto better = best_of(tables, from.period())) {
        from = std::move(*better);
        since = 0;
      }
      progress(static_cast<double>(since) / static_cast<double>(all.size()));
    }
    return from;
  }

  // Some random changes away; without periods if that is safe at none.
  Point kicked(const Point& from, std::mt19937_64& random) {
    const std::vector<Change> all = changes(topology_, goal_.max_age);
    Point to{from.table, {}};
    for (int made = 0, tried = 0; made < 3 && tried < 1000; ++tried) {
      AgeTable next = changed(to.table, all[random() % all.size()]);
      if (next == to.table || next.steps(topology_) > goal_.steps) continue;
      to.table = std::move(next);
      ++made;
    }
    ++tried_;
    to.by_pose = rater_.rate(to.table.policy(), 0);
    return to;
  }

  Point every() {
    constexpr std::size_t chunk = 256;
    Point best{AgeTable(topology_.n), {}};
    best.by_pose.clear();
    const int ages = goal_.max_age + 1;
    long count = 1;
    for (int r = 0; r < stale_reading_count; ++r) count *= ages;
    std::vector<AgeTable> tables;
    bool any = false;
    for (long code = 0; code < count; ++code) {
      AgeTable table(topology_.n);
      long rest = code;
      for (int r = 0; r < stale_reading_count; ++r, rest /= ages)
        table.set_all(r, static_cast<int>(rest % ages));
      if (table.steps(topology_) <= goal_.steps) tables.push_back(std::move(table));
      if (tables.size() == chunk || code + 1 == count) {
        if (auto better = best_of(tables, any ? best.period() : 0)) best = *better, any = true;
        tables.clear();
        if (goal_.progress) goal_.progress(static_cast<double>(code) / static_cast<double>(count));
      }
    }
    return best;
  }

  // The best of the starting tables, the best first. Each is rated completely.
  std::vector<Point> starts() {
    std::vector<Point> all;
    for (AgeTable& t : starting_tables(topology_, goal_)) all.push_back({std::move(t), {}});
    pool_.share(all.size(), [&](int, std::size_t k) {
      all[k].by_pose = rater_.rate(all[k].table.policy(), 0);
    });
    tried_ += static_cast<long>(all.size());
    std::stable_sort(all.begin(), all.end(),
                     [](const Point& a, const Point& b) { return a.period() > b.period(); });
    return all;
  }

  std::vector<PolicyRating> published(const Robot& model) {
    std::vector<PolicyRating> all;
    for (const PolicyEntry& e : policies()) {
      PolicyRating r;
      r.policy = e.make();
      r.policy.id = e.id;
      if (r.policy.by_chance) continue;  // its periods are of another kind
      r.steps = step_cost(model, r.policy).steps;
      if (r.steps <= goal_.steps) all.push_back(std::move(r));
    }
    pool_.share(all.size(), [&](int, std::size_t k) {
      all[k].by_pose = rater_.rate(all[k].policy, 0);
      if (all[k].by_pose.empty()) all[k].by_pose.assign(rater_.poses(), 0);
      all[k].period = least(all[k].by_pose);
    });
    std::stable_sort(all.begin(), all.end(), [](const PolicyRating& a, const PolicyRating& b) {
      return a.period > b.period;
    });
    return all;
  }

  const Topology& topology() const { return topology_; }
  long tried() const { return tried_; }

 private:
  const Topology& topology_;
  const PolicyGoal& goal_;
  Rater rater_;
  ThreadPool pool_;
  long tried_ = 0;
};

void check_goal(const Robot& plant, const LawDesign& d, std::span<const double> poses,
                const PolicyGoal& goal) {
  demand_single_freedoms(plant);
  require_finite("poses", poses);
  const auto nq = static_cast<std::size_t>(plant.nq());
  if (nq == 0) throw Error("a policy is for robots with moving joints; this one has none");
  if (poses.empty() || poses.size() % nq != 0)
    throw Error(fmt::format("poses: {} numbers; give {} for each pose", poses.size(), nq));
  require_within("steps", goal.steps, 1, 1000);
  require_within("max_age", goal.max_age, 1, 8);
  require_within("starts", goal.starts, 1, 1000);
  const LawKind kind = law_kind(d.law);
  if (kind == LawKind::pd)
    throw Error("the law pd computes no dynamics, so no data can be stale; choose another law");
  double tables = std::pow(goal.max_age + 1, stale_reading_count);
  if (goal.every && tables > static_cast<double>(most_tables))
    throw Error(fmt::format(
        "max_age: {:.0f} tables with the same ages in all links are too many to try each (at most "
        "{}); give a smaller age, or search without trying all",
        tables, most_tables));
}

}  // namespace

FoundPolicy search_policy(const Robot& plant, const LawDesign& design,
                          std::span<const double> poses, const PolicyGoal& goal) {
  check_goal(plant, design, poses, goal);
  Search search(plant, design, poses, goal);
  FoundPolicy result;
  result.published = search.published(design.model);
  Point best{AgeTable(search.topology().n), {}};
  if (goal.every) {
    best = search.every();
    result.proven = !best.by_pose.empty();
  } else {
    const std::vector<Point> from = search.starts();
    if (from.empty())
      throw Error(fmt::format("steps: no policy needs {} or fewer; give more", goal.steps));
    std::mt19937_64 random(goal.seed);
    const auto climbs = std::min(from.size(), static_cast<std::size_t>(goal.starts));
    best = from.front();
    const std::size_t all = climbs * (1 + kicks_per_start);
    for (std::size_t k = 0; k < all; ++k) {
      const Point start = k < climbs ? from[k] : search.kicked(best, random);
      if (start.by_pose.empty()) continue;
      const Point top = search.climb(start, random, [&](double share) {
        if (goal.progress)
          goal.progress((static_cast<double>(k) + share) / static_cast<double>(all));
      });
      if (top.period() > best.period()) best = top;
    }
  }
  if (best.by_pose.empty())
    throw Error(
        "no policy was found that is safe at any period; check the gains, or give other poses");
  result.best.policy = best.table.policy();
  result.best.steps = best.table.steps(search.topology());
  result.best.by_pose = best.by_pose;
  result.best.period = best.period();
  result.tried = search.tried();
  return result;
}

}  // namespace parid::control
