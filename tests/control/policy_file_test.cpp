// Tables of ages that users write: every reading has the age that the table gives it, files are
// read or refused with their line, and α has a recursion of its own.

#include "control/table/policy_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "control/law.hpp"
#include "control/loop.hpp"
#include "control/open_loop.hpp"
#include "control/stability/random_ages.hpp"
#include "control/stability/stability.hpp"
#include "control/step_cost.hpp"
#include "control/threads.hpp"
#include "motion/sine.hpp"
#include "parid/control.hpp"
#include "parid/dynamics.hpp"
#include "tests/control/arms.hpp"
#include "tests/layer.hpp"
#include "tests/random_robot.hpp"

namespace parid::test {
namespace {

using V3 = Vec3<double>;

// The equations of Table 1 term by term, with all that ever was kept: nothing of stale.hpp.
class PlainRecursion {
 public:
  PlainRecursion(const Mechanism<double>& m, const Policy& p) : m_(m), p_(p) {}

  std::vector<double> torque(const State<double>& at) {
    past_.insert(past_.begin(), std::vector<Row>(static_cast<std::size_t>(m_.n) + 1));
    std::vector<V3> g(static_cast<std::size_t>(m_.n) + 1);
    g[0] = at.gravity;
    for (int i = 1; i <= m_.n; ++i) {
      const int j = m_.parent(i);
      const Mat3<double> Rt = transposed(at.R(i));
      g[i] = Rt * g[j];
      const bool turns = m_.kind(i) == JointKind::revolute;
      const V3 zv{0, 0, at.qd(i)}, za{0, 0, at.qdd(i)};
      auto old = [&](Term t, int of) { return value(t, i, of); };
      Row& x = past_[0][i];
      x.w = Rt * old(Term::w_w, j) + (turns ? zv : V3{});
      x.wd = Rt * old(Term::wd_wd, j);
      x.alpha = Rt * old(Term::alpha_alpha, j);
      if (turns) {
        x.wd = x.wd + cross(Rt * old(Term::wd_w, j), zv) + za;
        x.alpha = x.alpha + cross(old(Term::alpha_w, i), zv) + za;
      }
      auto point = [&](Term e, Term wd, Term w, const V3& r) {
        V3 a = Rt * old(e, i);
        if (!turns) a = a + 2.0 * cross(old(w, i), zv) + za;
        return a + cross(old(wd, i), r) + cross(old(w, i), cross(old(w, i), r));
      };
      x.ac = point(Term::ac_e, Term::ac_wd, Term::ac_w, m_.centre[i].vec(0));
      for (int c = 1; c <= m_.n; ++c)
        if (m_.parent(c) == i) past_[0][c].e = point(Term::e_e, Term::e_wd, Term::e_w, at.p(c));
    }
    std::vector<double> tau(static_cast<std::size_t>(m_.n) + 1);
    for (int i = m_.n; i >= 1; --i) {
      auto old = [&](Term t, int of) { return value(t, i, of); };
      Row& x = past_[0][i];
      const V3 s = m_.centre[i].vec(0);
      const Sym3<double> I = m_.centre[i].sym(3);
      x.f = m_.body[i][0] * (old(Term::f_ac, i) - g[i]);
      for (int c = 1; c <= m_.n; ++c)
        if (m_.parent(c) == i) x.f = x.f + at.R(c) * old(Term::f_f, c);
      x.n = I * old(Term::n_alpha, i) + cross(old(Term::n_w, i), I * old(Term::n_w, i)) +
            cross(s, old(Term::n_own_f, i));
      for (int c = 1; c <= m_.n; ++c)
        if (m_.parent(c) == i)
          x.n = x.n + at.R(c) * old(Term::n_n, c) + cross(at.p(c) - s, at.R(c) * old(Term::n_f, c));
      tau[i] = m_.kind(i) == JointKind::revolute ? x.n.z : x.f.z;
    }
    return tau;
  }

 private:
  struct Row {
    V3 w, wd, alpha, e, ac, f, n;
    const V3& of(Stale s) const {
      const V3* all[] = {&w, &wd, &alpha, &e, &ac, &f, &n};
      return *all[static_cast<std::size_t>(s)];
    }
  };
  V3 value(Term t, int reader, int of) const {
    const Age age = p_.age(t, reader);
    auto at = [&](int periods) {
      const std::size_t k =
          std::min<std::size_t>(static_cast<std::size_t>(periods), past_.size() - 1);
      return past_[k][static_cast<std::size_t>(of)].of(info(t).variable);
    };
    const V3 x = at(age.periods);
    if (age.periods == 0 || age.prediction == Prediction::hold) return x;
    return x + static_cast<double>(age.periods) * (x - at(age.periods + 1));
  }
  const Mechanism<double>& m_;
  Policy p_;
  std::vector<std::vector<Row>> past_;  // the latest first
};

// Ages of all terms by chance, in some links different ones.
Policy random_table(Rng& rng, int n) {
  Policy p;
  p.separate_alpha = true;
  auto add = [&](Term t, int link) {
    p.exceptions.push_back(
        {t,
         {static_cast<int>(rng() % 4), rng() % 3 == 0 ? Prediction::linear : Prediction::hold},
         link,
         "",
         ""});
  };
  for (const TermInfo& t : terms()) add(t.term, 0);
  for (int k = 0; k < 6; ++k)
    add(terms()[rng() % stale_terms].term, 1 + static_cast<int>(rng() % static_cast<unsigned>(n)));
  return p;
}

TEST(AgeTables, EveryTermHasItsAgeOnRandomTrees) {
  Rng rng(5);
  for (int sample = 0; sample < 12; ++sample) {
    const Robot robot(sample % 2 ? random_tree(rng, 6, {.prismatic = 0.6})
                                 : random_chain(rng, 5, {.prismatic = 0.6}));
    if (robot.canonical().topology.free > 0) continue;
    const CanonicalModel& c = robot.canonical();
    const Policy p = sample == 0 ? Policy() : random_table(rng, c.topology.n);
    Mechanism<double> m(c.mechanism);
    State<double> at(m);
    StaleNewtonEuler<double> recursion(m);
    recursion.set_policy(p);
    PlainRecursion plain(m, p);
    std::vector<double> tau(static_cast<std::size_t>(m.n) + 1);
    double largest = 0, off = 0;
    for (int period = 0; period < 130; ++period) {
      for (int i = 1; i <= m.n; ++i)
        at.set(i, uniform(rng, -2, 2), uniform(rng, -2, 2), uniform(rng, -2, 2));
      at.place(m);
      recursion.torque(m, at, tau.data());
      const std::vector<double> expected = plain.torque(at);
      // Before the first period the recursion has zeros, the other repeats its first values.
      for (int i = 1; i <= m.n && period >= 110; ++i) {
        largest = std::max(largest, std::abs(expected[i]));
        off = std::max(off, std::abs(tau[i] - expected[i]));
      }
    }
    EXPECT_GT(largest, 0);
    EXPECT_LE(off, 1e-12 * largest) << sample;
  }
}

TEST(AgeTables, WrittenTablesReadBackAsTheSamePolicy) {
  Rng rng(8);
  std::vector<Policy> all;
  for (const PolicyEntry& e : policies()) all.push_back(policy(e.id));
  all.push_back(policy("yamakita_ahead:f=3"));
  all.push_back(random_table(rng, 4));
  all.back().id = "random table";
  all.push_back(random_table(rng, 4));
  all.back().id = "by joint";
  for (TermAge& x : all.back().exceptions)
    if (x.link > 0) {
      x.link = 0;
      x.joint = "elbow \"left\"";
    }
  for (const Policy& p : all) {
    const std::string text = policy_toml(p);
    const Policy back = parse_policy(text, "back.toml");
    EXPECT_EQ(back.id, p.id);
    EXPECT_EQ(back.by_chance, p.by_chance);
    EXPECT_EQ(back.ahead, p.ahead);
    EXPECT_EQ(back.delay, p.delay);
    EXPECT_EQ(back.predict_torque, p.predict_torque);
    EXPECT_EQ(back.separate_alpha, p.separate_alpha);
    for (const TermInfo& t : terms())
      for (int link = 0; link <= 4; ++link)
        EXPECT_EQ(back.age(t.term, link), p.age(t.term, link)) << p.id << name_of(t.term) << text;
    auto named = [](const Policy& of) {
      std::vector<std::pair<Term, Age>> found;
      for (const TermAge& x : of.exceptions)
        if (!x.joint.empty()) found.emplace_back(x.term, x.age);
      return found.size();
    };
    if (p.id == "by joint") {
      EXPECT_GT(named(back), 0u);
    }
  }
}

TEST(AgeTables, ABoxedTableIsThePolicyOfTheList) {
  const Policy boxes = parse_policy(
      "name = \"mine\"\n[ages]\nw = 1\nwd = 1\nalpha.neighbour = 1\ne = 1\nf = 1\nn = 1\n", "x");
  EXPECT_EQ(boxes.id, "mine");
  EXPECT_EQ(boxes.reads, policy("hamilton_boxes").reads);
  EXPECT_TRUE(boxes.exceptions.empty());
  // From a base; equations prevail over variables, links over both.
  const Policy p = parse_policy(
      "base = \"hamilton\"\n[ages]\nf = {neighbour = 3, prediction = \"linear\"}\n"
      "[equations.alpha]\nw.own = 0\n[equations]\nn.f = {own = 2, neighbour = 4}\n"
      "[[link]]\nnumber = 2\nages.ac.across = 0\nequations.n.f.own = {age = 5}\n",
      "late.toml");
  EXPECT_EQ(p.id, "late");
  EXPECT_EQ(p.age(Term::f_f), (Age{3, Prediction::linear}));
  EXPECT_EQ(p.age(Term::n_f).periods, 4);
  EXPECT_EQ(p.age(Term::n_own_f).periods, 2);
  EXPECT_EQ(p.age(Term::n_own_f, 2).periods, 5);
  EXPECT_EQ(p.age(Term::alpha_w).periods, 0);
  EXPECT_EQ(p.age(Term::e_w).periods, 1);
  EXPECT_EQ(p.age(Term::f_ac).periods, 1);
  EXPECT_EQ(p.age(Term::f_ac, 2).periods, 0);
  EXPECT_EQ(p.age(Term::f_ac, 1).periods, 1);
  EXPECT_EQ(p.depth(), 5);
  // The random policy by table is the list's, with its bounds.
  const Policy chance = parse_policy("base = \"binder_herzog\"\nrandom = true\n", "x");
  const Robot robot = without_gravity(Robot::load("planar2"));
  LawDesign law = computed_torque(robot, "vuskovic", 20);
  const double listed = RandomAges(robot, law, std::vector{0.4, 0.9}).proven_radius(1e-3);
  law.policy = chance;
  EXPECT_EQ(RandomAges(robot, law, std::vector{0.4, 0.9}).proven_radius(1e-3), listed);
}

TEST(AgeTables, MistakesAreNamedWithTheirLine) {
  for (const auto& [text, said] : std::vector<std::pair<const char*, const char*>>{
           {"[ages]\nw = 1\nww = 1\n", "a.toml:3: unknown variable 'ww'; did you mean"},
           {"[ages]\nw = -1\n", "a.toml:2: w: the age is not a whole number of periods"},
           {"[ages]\nw = 1001\n", "0 to 1000"},
           {"[ages]\nw = 1.5\n", "a.toml:2"},
           {"[ages]\nw.across = \"old\"\n", "w.across"},
           {"[ages]\nwd.across = 1\n", "wd has no reader 'across'; choose from neighbour, own"},
           {"[ages]\nw.neighbor = 1\n", "did you mean 'neighbour'"},
           {"ages = 3\n", "ages is not a table"},
           {"[equations.wd]\nac.own = 1\n", "the equation of wd does not read ac; it reads"},
           {"[equations.torque]\nac = 1\n", "unknown equation 'torque'"},
           {"[equations.n]\nf.across = 1\n", "a.toml:2: f in the equation of n has no reader"},
           {"[ages]\nw.own = {old = 1}\n", "unknown key 'old'"},
           {"[ages]\nw = {prediction = \"cubic\"}\n", "unknown prediction 'cubic'"},
           {"prediction = \"none\"\n", "a.toml:1: unknown prediction"},
           {"base = \"hamiltom\"\n", "a.toml:1: unknown policy 'hamiltom'"},
           {"base = \"other.toml\"\n", "which is a file"},
           {"delay = -2\n", "a.toml:1: delay"},
           {"rnadom = true\n", "rnadom"},
           {"random = 1\n", "a.toml:1"},
           {"[[link]]\nages.w = 1\n", "give either joint or number"},
           {"[[link]]\nnumber = 0\nages.w = 1\n", "a.toml:2"},
           {"[[link]]\nnumber = 1\n", "it has no ages"},
           {"link = 3\n", "double brackets"},
           {"w = 1\n", "a.toml:1: key 'w' is unknown"},
           {"[ages\n", "a.toml:1: this is not TOML"}}) {
    try {
      parse_policy(text, "a.toml");
      ADD_FAILURE() << text;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find(said), std::string::npos) << text << e.what();
    }
  }
  EXPECT_THROW(policy("nowhere.toml"), Error);
}

TEST(AgeTables, LinksAreFoundByTheirJoints) {
  const std::string text = "[[link]]\njoint = \"joint2\"\nages.n.neighbour = 2\n";
  const Robot robot = Robot::load("planar3");
  const Policy p = bound(policy(text), robot);
  ASSERT_EQ(p.exceptions.size(), 1u);
  EXPECT_EQ(p.exceptions[0].link, 2);
  EXPECT_EQ(p.age(Term::n_n, 2).periods, 2);
  EXPECT_EQ(p.age(Term::n_n, 1).periods, 0);
  for (const char* wrong :
       {"[[link]]\njoint = \"joint9\"\nages.n = 2\n", "[[link]]\nnumber = 4\nages.n = 2\n"}) {
    try {
      bound(parse_policy(wrong, "a.toml"), robot);
      ADD_FAILURE() << wrong;
    } catch (const Error& e) {
      EXPECT_NE(std::string(e.what()).find("a.toml:3"), std::string::npos) << e.what();
    }
  }
}

// Two processors, links 1 and 2 on one, link 3 on the other: only what crosses joint 3 is old.
TEST(AgeTables, ProcessorsThatHoldSeveralLinksAreSaferThanOnesThatHoldOne) {
  const std::string two =
      "name = \"two processors\"\n[[link]]\nnumber = 3\nages.w.neighbour = 1\n"
      "ages.wd.neighbour = 1\nages.alpha.neighbour = 1\nages.e.neighbour = 1\n"
      "[[link]]\nnumber = 2\nages.f.neighbour = 1\nages.n.neighbour = 1\n";
  const Robot robot = without_gravity(Robot::load("planar3"));
  const std::vector<double> q{0.5, 0.8, -0.6};
  auto safe = [&](const std::string& id) {
    return largest_safe_period(LinearLoop(robot, computed_torque(robot, id, 20), q), {1e-5, 1},
                               1e-4);
  };
  const double one_each = safe("binder_herzog"), grouped = safe(two), serial = safe("exact");
  EXPECT_GT(grouped, 1.2 * one_each);
  EXPECT_LT(grouped, serial);
  EXPECT_EQ(step_cost(robot, policy(two)).steps, 4);  // F1 F2 B2 B1; F3 B3 beside them
  // The same through the public API, by file.
  const std::string path = ::testing::TempDir() + "/two.toml";
  std::ofstream(path) << two;
  SampledController c{.gains = {{}, {20}}, .policy = path};
  EXPECT_NEAR(longest_stable_period(robot, robot, q, c), grouped, 1e-3 * grouped);
  // On threads as in the loop.
  const TrajectoryPointer swing = sine({0.5, 0.8, -0.6}, {0.2, 0.3, -0.2}, 3, 0.1);
  ThreadOptions o;
  o.threads = 2;
  o.rate = 200;
  const ThreadReport r = run_on_threads(robot, computed_torque(robot, two, 5), *swing, o);
  ControlOptions loop;
  loop.rate = 200;
  loop.time = 0.0951;
  const double expected =
      ControlLoop(robot, computed_torque(robot, two, 5), swing, loop).run().max_error;
  if (r.missed + r.older_reads + r.late_starts == 0) {
    EXPECT_NEAR(r.max_error, expected, 1e-3 * expected);
  }
}

// α by its own recursion: the same torques where nothing is old, more operations, and ages that
// may differ from those of ω̇.
TEST(AgeTables, AlphaAndTheDerivativeOfOmegaAreSeparateRecursions) {
  const Policy apart = policy("separate_alpha = true\n");
  EXPECT_TRUE(apart.alpha_apart());
  EXPECT_TRUE(policy("[equations]\nwd.w.neighbour = 1\n").alpha_apart());
  EXPECT_TRUE(policy("[equations]\nalpha.alpha.neighbour = 2\n").alpha_apart());
  EXPECT_FALSE(policy("[ages]\nf = 2\n").alpha_apart());
  Rng rng(9);
  for (const Robot& robot : {Robot::load("puma560"), Robot::load("stanford"),
                             Robot(random_chain(rng, 5, {.prismatic = 0.6})),
                             Robot(random_tree(rng, 6, {.prismatic = 0.6}))}) {
    if (robot.canonical().topology.free > 0) continue;
    const auto n = static_cast<std::size_t>(robot.nv());
    const TrajectoryPointer swing = sine(robot.neutral(), std::vector<double>(n, 0.4), 1.3, 0.5);
    const TorqueErrors e = open_loop_errors(robot, apart, *swing, 1e-2);
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_LE(e.largest[k], 1e-12 * *std::max_element(e.scale.begin(), e.scale.end()));
    EXPECT_GT(step_cost(robot, apart).operations, step_cost(robot, Policy()).operations);
  }
}

}  // namespace
}  // namespace parid::test
