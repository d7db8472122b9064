// Derivatives as graphs: every operation's rule, and random computations, compared with dual
// numbers and with finite differences, which share no code with them.

#include "graph/differentiate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "graph/evaluate.hpp"
#include "graph/passes.hpp"
#include "graph/text.hpp"
#include "scalar/dual.hpp"
#include "tests/graph/random_graph.hpp"
#include "tests/layer.hpp"

namespace parid::test {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

Names names(const std::vector<Named>& all) {
  Names n;
  for (const Named& x : all) n.push_back(x.name);
  return n;
}

// ---- one line per operation ----

struct Rules : testing::Test {
  Graph g;
  Expr x = input(g, "x"), y = input(g, "y"), z = input(g, "z");
  Expr zero{0.0}, one{1.0}, half{0.5};

  void check(const Expr& of, const Expr& by_x, const Expr& by_y) {
    for (const ChainRule way : {ChainRule::forward, ChainRule::reverse}) {
      Graph a = g, b = g;
      const std::vector<Expr> d =
          jacobian({Expr(a, of.id())}, {Expr(a, x.id()), Expr(a, y.id())}, way);
      output(a, "x", d[0]);
      output(a, "y", d[1]);
      auto wanted = [&](const Expr& e) { return e.is_number() ? e : Expr(b, e.id()); };
      output(b, "x", wanted(by_x));
      output(b, "y", wanted(by_y));
      EXPECT_EQ(text(simplify(a)), text(simplify(b)));
    }
  }
};

// clang-format off
TEST_F(Rules, Constant) { check(zero * x + one, zero, zero); }
TEST_F(Rules, Input) { check(x + zero, one, zero); }
TEST_F(Rules, Add) { check(x + y, one, one); }
TEST_F(Rules, Sub) { check(x - y, one, Expr(-1.0)); }
TEST_F(Rules, Mul) { check(x * y, y, x); }
TEST_F(Rules, Div) { check(x / y, one / y, -((x / y) * (one / y))); }
TEST_F(Rules, Neg) { check(-x, Expr(-1.0), zero); }
TEST_F(Rules, Sqrt) { check(sqrt(x), half / sqrt(x), zero); }
TEST_F(Rules, Abs) { check(abs(x), select(x < zero, Expr(-1.0), one), zero); }
TEST_F(Rules, Sin) { check(sin_cos(x).sin, sin_cos(x).cos, zero); }
TEST_F(Rules, Cos) { check(sin_cos(x).cos, -sin_cos(x).sin, zero); }
TEST_F(Rules, Atan2) { check(atan2(x, y), y * (one / (x * x + y * y)), -(x * (one / (x * x + y * y)))); }
TEST_F(Rules, Less) { check(select(x < y, z, one), zero, zero); }
TEST_F(Rules, Select) { check(select(z < one, x, y), select(z < one, one, zero), select(z < one, zero, one)); }
TEST_F(Rules, Square) { check(x * x, x + x, zero); }
TEST_F(Rules, Chain) { check(sin_cos(x * y).sin, y * sin_cos(x * y).cos, x * sin_cos(x * y).cos); }
// clang-format on

// ---- random computations ----

bool near(double x, double y, double tolerance) {
  return std::abs(x - y) <= tolerance * (1 + std::abs(x) + std::abs(y));
}

TEST(Differentiate, IsWhatDualNumbersSay) {
  int compared = 0;
  for (int seed = 0; seed < 400; ++seed) {
    std::mt19937_64 rng(seed);
    // simplified, because the root of an identically zero value has no derivative
    const Graph g = simplify(random_graph(rng, seed % 10 == 0 ? 200 : 30, seed % 2 == 0));
    Numbers x;
    std::vector<Dual<5>> dual;
    for (int k = 0; k < 5; ++k) {
      x.push_back(3 * 0x1p-53 * static_cast<double>(rng() >> 11) - 1.5);
      dual.push_back(Dual<5>::variable(x[k], k));
    }
    const std::vector<Dual<5>> wanted = evaluate<Dual<5>>(g, dual);
    for (const ChainRule way : {ChainRule::forward, ChainRule::reverse, ChainRule::leaner}) {
      const Graph J = differentiate(g, names(g.outputs()), names(g.inputs()), way);
      J.check();
      ASSERT_EQ(names(J.inputs()), names(g.inputs()));
      ASSERT_EQ(J.outputs()[7].name, "y1/x2");
      const Numbers d = evaluate<double>(J, x);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
          // a root at zero: ∞·0, which rules of real arithmetic take for 0
          if (const double w = wanted[i].d[j]; std::isfinite(w) && std::abs(w) < 1e8) {
            ASSERT_TRUE(near(d[5 * i + j], w, 1e-9))
                << "seed " << seed << ": " << d[5 * i + j] << " is not " << w << "\n"
                << text(g);
            ++compared;
          }
    }
    // and the rows weighted, in one sweep
    const Graph product = vector_jacobian_product(g, names(g.outputs()), names(g.inputs()));
    product.check();
    ASSERT_EQ(product.inputs()[5].name, "w_y0");
    const Numbers w{0.5, -1, 2, 0.25};
    Numbers with = x;
    with.insert(with.end(), w.begin(), w.end());
    const Numbers p = evaluate<double>(product, with);
    for (int j = 0; j < 5; ++j) {
      double sum = 0, size = 0;
      for (int i = 0; i < 4; ++i) {
        sum += w[i] * wanted[i].d[j];
        size += std::abs(w[i] * wanted[i].d[j]);
      }
      if (std::isfinite(sum) && size < 1e8) {
        ASSERT_NEAR(p[j], sum, 1e-9 * (1 + size)) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(compared, 20000);
}

template <class T>
std::vector<T> formula(const std::vector<T>& x) {  // smooth where it is asked
  const auto [s, c] = sin_cos(x[0] * x[1]);
  const T r = sqrt(T(2.0) + x[2] * x[2]), a = atan2(s + x[2], T(3.0) + c);
  return {s / r + a, select(x[0] < x[1], r * c, abs(x[2]) * a), x[0] - -x[1]};
}

TEST(Differentiate, IsWhatFiniteDifferencesSay) {
  Graph g;
  const std::vector<Expr> x{input(g, "x"), input(g, "y"), input(g, "z")};
  const std::vector<Expr> r = formula(x);
  for (int k = 0; k < 3; ++k) output(g, "f" + std::to_string(k), r[k]);
  const Graph J = differentiate(g, names(g.outputs()), names(g.inputs()));
  for (const Numbers& at : {Numbers{0.3, 0.8, -0.5}, Numbers{0.9, 0.2, 0.7}}) {
    const Numbers d = evaluate<double>(J, at);
    for (int j = 0; j < 3; ++j) {
      Numbers up = at, down = at;
      up[j] += 1e-5;
      down[j] -= 1e-5;
      const Numbers fu = formula(up), fd = formula(down);
      for (int i = 0; i < 3; ++i) EXPECT_NEAR(d[3 * i + j], (fu[i] - fd[i]) / 2e-5, 1e-9) << i << j;
    }
  }
}

// ---- which way is leaner ----

TEST(Differentiate, TakesTheLeanerWay) {
  Graph many, one;  // many inputs to one output; one input to many outputs
  Expr product(1.0);
  const Expr t = input(one, "t");
  for (int k = 0; k < 8; ++k) {
    const Expr x = input(many, "x" + std::to_string(k));
    product = k == 0 ? x : product * (x + product);
    output(one, "y" + std::to_string(k), sin_cos(t * Expr(k + 2.0)).sin * t);
  }
  output(many, "y", product);
  auto operations = [](const Graph& g, ChainRule way) {
    const Counts n = counts(differentiate(g, names(g.outputs()), names(g.inputs()), way));
    return n.multiplications + n.additions;
  };
  EXPECT_LT(operations(many, ChainRule::reverse), operations(many, ChainRule::forward));
  for (const Graph* g : {&many, &one})
    EXPECT_EQ(operations(*g, ChainRule::leaner),
              std::min(operations(*g, ChainRule::forward), operations(*g, ChainRule::reverse)));
}

TEST(Differentiate, ByValuesBetween) {  // as if they were inputs
  Graph g;
  const Expr x = input(g, "x"), s = sin_cos(x).sin, y = s * s * x;
  for (const ChainRule way : {ChainRule::forward, ChainRule::reverse}) {
    const std::vector<Expr> d = jacobian({y}, {s, x}, way);
    Graph h = g;
    output(h, "s", Expr(h, d[0].id()));
    output(h, "x", Expr(h, d[1].id()));
    const double at = 0.7, sine = std::sin(at);
    const Numbers r = evaluate<double>(h, {at});
    EXPECT_NEAR(r[0], 2 * sine * at, 1e-15);
    EXPECT_NEAR(r[1], sine * sine, 1e-15);
  }
  const Expr along = jacobian_vector({y}, {x}, {Expr(3.0)})[0];
  output(g, "d", along);
  EXPECT_NEAR(evaluate<double>(g, {0.7})[0],
              3 * (2 * std::sin(0.7) * std::cos(0.7) * 0.7 + std::sin(0.7) * std::sin(0.7)), 1e-14);
}

TEST(Differentiate, SaysWhatIsNotThere) {
  Graph g;
  output(g, "y", input(g, "x"));
  try {
    differentiate(g, {"y"}, {"q"});
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "differentiate: the graph has no input 'q'");
  }
  EXPECT_THROW(vector_jacobian_product(g, {"z"}, {"x"}), std::invalid_argument);
}

}  // namespace
}  // namespace parid::test
