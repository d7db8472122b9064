// Task graphs, what check() finds, bounds, and files of tasks.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unordered_set>

#include "parid/error.hpp"
#include "schedule/bounds.hpp"
#include "schedule/scheduler.hpp"
#include "schedule/stg.hpp"
#include "tests/instrumented.hpp"
#include "tests/layer.hpp"
#include "tests/schedule/random_tasks.hpp"

namespace parid::test {
namespace {

// a (2) → b (3) → d (1), a → c (4) → d
TaskGraph diamond() {
  TaskGraph g;
  const int a = g.add({"a", 2}), b = g.add({"b", 3}), c = g.add({"c", 4}), d = g.add({"d", 1});
  g.precede(a, b);
  g.precede(a, c);
  g.precede(b, d);
  g.precede(c, d);
  return g;
}

TEST(TaskGraph, PathsAndLayers) {
  const TaskGraph g = diamond();
  EXPECT_EQ(total(g), 10);
  EXPECT_EQ(critical_path(g), 7);
  EXPECT_EQ(heads(g), (std::vector<Time>{0, 2, 2, 6}));
  EXPECT_EQ(levels(g), (std::vector<Time>{7, 4, 5, 1}));
  EXPECT_EQ(layers(g), (std::vector<int>{1, 2, 2, 3}));
  EXPECT_EQ(layer_count(g), 3);
  EXPECT_EQ(concurrency(g), 2);
  EXPECT_EQ(g.edges(), 4);
  TaskGraph twice = g;
  twice.precede(0, 1, 3);
  EXPECT_EQ(twice.edges(), 4);
  EXPECT_EQ(twice.before(1)[0].words, 3);
  EXPECT_EQ(critical_path(reversed(g)), 7);
}

TEST(TaskGraph, ACircleIsNamed) {
  TaskGraph g = diamond();
  g.precede(3, 0);
  try {
    g.order();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'a'"), std::string::npos) << e.what();
  }
}

std::vector<Fault::Kind> kinds(const TaskGraph& g, const Machine& m, const Schedule& s) {
  std::vector<Fault::Kind> k;
  for (const Fault& f : check(g, m, s)) k.push_back(f.kind);
  return k;
}

TEST(Check, FindsWhatIsWrong) {
  const TaskGraph g = diamond();
  const Machine m{2};
  const std::vector<Placement> good = {{0, 0, 0, 2}, {1, 0, 2, 5}, {2, 1, 2, 6}, {3, 0, 6, 7}};
  using K = Fault::Kind;
  using Kinds = std::vector<K>;
  EXPECT_EQ(kinds(g, m, {2, good}), Kinds{});
  auto with = [&](auto change) {
    std::vector<Placement> p = good;
    change(p);
    return kinds(g, m, {2, p});
  };
  EXPECT_EQ(with([](auto& p) { p.pop_back(); }), Kinds{K::missing});
  EXPECT_EQ(with([](auto& p) { p.push_back({3, 1, 8, 9}); }), Kinds{K::repeated});
  EXPECT_EQ(with([](auto& p) { p.push_back({9, 1, 8, 9}); }), Kinds{K::unknown});
  EXPECT_EQ(with([](auto& p) { p[3].processor = 2; }), Kinds{K::processor});
  EXPECT_EQ(with([](auto& p) { p[3].end = 9; }), Kinds{K::duration});
  EXPECT_EQ(with([](auto& p) { p[2] = {2, 0, 2, 6}; }), Kinds{K::overlap});
  EXPECT_EQ(with([](auto& p) { p[3] = {3, 0, 5, 6}; }), Kinds{K::precedence});
  // The same schedule where numbers take 3 to pass from one processor to the other.
  EXPECT_EQ(kinds(g, {2, {}, 3, 0}, {2, good}), (Kinds{K::precedence, K::precedence}));
  EXPECT_EQ(kinds(g, {2, {1, 2}}, {2, good}), Kinds{K::duration});
}

TEST(Check, TheTableShowsEveryTask) {
  const TaskGraph g = diamond();
  const Schedule s{2, {{0, 0, 0, 2}, {1, 0, 2, 5}, {2, 1, 2, 6}, {3, 0, 6, 7}}};
  EXPECT_EQ(table(g, s),
            "time  P1  P2\n"
            "   0   a\n"
            "   2   b   c\n"
            "   6   d\n");
}

TEST(Bounds, EachIsMetByAGraphMadeForIt) {
  EXPECT_EQ(lower_bounds(diamond(), {4}).best(), 7);   // its path
  EXPECT_EQ(lower_bounds(diamond(), {1}).best(), 10);  // its load
  // Five tasks that must all run in the middle of the path: three on two processors are 3 long.
  TaskGraph g;
  const int first = g.add({"first", 3}), last = g.add({"last", 3});
  for (int k = 0; k < 5; ++k) {
    const int t = g.add({"m" + std::to_string(k), 1});
    g.precede(first, t);
    g.precede(t, last);
  }
  const LowerBounds b = lower_bounds(g, {2});
  EXPECT_EQ(b.critical_path, 7);
  EXPECT_EQ(b.load, 6);
  EXPECT_EQ(b.fernandez_bussell, 9);
  EXPECT_EQ(b.energetic, 9);
  EXPECT_EQ(shortest_by_force(g, {2}), 9);
}

TEST(Bounds, NeverAboveTheShortest) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const TaskGraph g = random_tasks(500 + seed, 6, 3, 6, true);
    for (const Machine& m : {Machine{2}, Machine{3}, Machine{2, {1, 0.5}}, Machine{2, {}, 1, 1}}) {
      const LowerBounds b = lower_bounds(g, m);
      EXPECT_LE(b.best(), shortest_by_force(g, m)) << seed;
      EXPECT_LE(b.critical_path, b.fernandez_bussell);
      EXPECT_LE(b.fernandez_bussell, b.energetic);
    }
  }
}

TEST(Stg, ReadsRowsAndComesBack) {
  const std::string text =
      "   99\n   0 0 0\n   1 4 1 0\n   2 5 1 0\n   3 1 2 1 2\n   4 0 1 3\n# a comment\n";
  const TaskGraph g = parse_stg(text, "small.stg");
  ASSERT_EQ(g.size(), 3);  // rows are trusted, not the head; dummies are no tasks
  EXPECT_EQ(total(g), 10);
  EXPECT_EQ(critical_path(g), 6);
  const TaskGraph again = parse_stg(stg_text(g), "again.stg");
  EXPECT_EQ(again.size(), 3);
  EXPECT_EQ(again.edges(), g.edges());
  EXPECT_EQ(stg_text(again), stg_text(parse_stg(stg_text(again), "thrice.stg")));
  for (unsigned seed = 0; seed < 20; ++seed) {
    const TaskGraph r = random_tasks(seed, 30, 5, 9);
    const TaskGraph back = parse_stg(stg_text(r), "r.stg");
    EXPECT_EQ(back.size(), r.size());
    EXPECT_EQ(back.edges(), r.edges());
    EXPECT_EQ(total(back), total(r));
    EXPECT_EQ(critical_path(back), critical_path(r));
  }
}

// Nothing is timed here; where time grew with the square of the tasks these would take hours.
TEST(Stg, ManyTasksTakeTimeInProportion) {
  constexpr long many = instrumented ? 100'000 : 600'000;
  // Numbers that would share one bucket of a hash table.
  std::unordered_set<long> table;
  for (long k = 0; k < many; ++k) table.insert(k);
  const long apart = static_cast<long>(table.bucket_count());
  std::string text;
  for (long k = 0; k < many; ++k)
    text +=
        fmt::format("{} 1 {}\n", k * apart, k == 0 ? "0" : fmt::format("1 {}", (k - 1) * apart));
  const TaskGraph chain = parse_stg(text, "chain.stg");
  EXPECT_EQ(chain.edges(), many - 1);
  EXPECT_EQ(critical_path(chain), many);
  // A task that waits for all others, with repeated edges.
  std::string waits;
  text.clear();
  for (long k = 1; k <= many; ++k) {
    text += fmt::format("{} 1 0\n", k);
    waits += fmt::format(" {}", k);
  }
  const TaskGraph star =
      parse_stg(text + fmt::format("0 1 {}{}{}\n", 2 * many, waits, waits), "star.stg");
  EXPECT_EQ(star.edges(), many);
  EXPECT_EQ(critical_path(star), 2);
}

TEST(Stg, NumbersMayBeAny) {
  const std::string least = "-9223372036854775808", most = "9223372036854775807";
  const TaskGraph g = parse_stg(most + " 1 1 " + least + "\n" + least + " 2 0\n5 3 1 " + most, "x");
  EXPECT_EQ(g.size(), 3);
  EXPECT_EQ(critical_path(g), 6);
}

TEST(Stg, MistakesHaveTheirLine) {
  auto refusal = [](const std::string& text) {
    try {
      parse_stg(text, "x.stg");
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_TRUE(refusal("2\n0 0 0\n1 x 0\n").starts_with("x.stg:3:"));
  EXPECT_TRUE(refusal("2\n0 1 0\n1 1 2 0\n").starts_with("x.stg:3:"));
  EXPECT_TRUE(refusal("2\n0 1 0\n0 1 0\n").starts_with("x.stg:3:"));
  EXPECT_TRUE(
      refusal("4\n7 1 0\n0 1 0\n7 1 0\n0 1 0\n").starts_with("x.stg:4: task 7 appears twice"));
  EXPECT_TRUE(refusal("2\n0 1 0\n1 1 1 7\n").starts_with("x.stg:3:"));
  EXPECT_TRUE(refusal("2\n0 1 0\n1 -1 1 0\n").starts_with("x.stg:3:"));
  EXPECT_TRUE(refusal("2\n0 1 1 1\n1 1 1 0\n").starts_with("x.stg: "));
  EXPECT_TRUE(refusal("").starts_with("x.stg: "));
  EXPECT_TRUE(refusal("3\n").starts_with("x.stg: "));
}

}  // namespace
}  // namespace parid::test
