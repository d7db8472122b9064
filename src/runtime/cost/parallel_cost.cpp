#include "runtime/cost/parallel_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "formulation/lathrop_linear.hpp"
#include "formulation/lee_chang.hpp"
#include "graph/expr.hpp"
#include "model/canonical_model.hpp"
#include "parid/robot.hpp"
#include "scalar/counted.hpp"

namespace parid::runtime {
namespace {

// ---- depth

using V = Vec3<Expr>;

// Creates inputs on demand, and collects the results.
class LathropGraph {
 public:
  LathropGraph(int n, const LathropCharging& charged) : g_(20'000'000), n_(n), charged_(charged) {
    for (int i = 0; i <= n; ++i) {
      A_.push_back({vector(), vector(), vector()});
      p_.push_back(vector());
      s_.push_back(vector());
    }
  }

  void by_plan(ScanStrategy plan) {
    const int base = charged_.moving_base ? 1 : 0;
    std::vector<LathropMotion<Expr>> x;
    for (int i = 1; i <= n_; ++i)
      x.push_back(lathrop_leaf(A_[i], p_[i], JointKind::revolute, vector(), vector()));
    if (base)
      x.insert(x.begin(), {Mat3<Expr>::identity(), vector(), vector(), {}, {}, {}, vector()});
    else  // p̈* of Table 5
      x[0].pdd = transposed_times(A_[1], vector()) + x[0].pdd;
    scan(plan(n_ + base), x.data(),
         [](const auto& a, const auto& b) { return lathrop_combined(a, b); });
    std::vector<LathropForce<Expr>> y;
    for (int i = 1; i <= n_; ++i) {
      V F, N;
      lathrop_newton_euler(body(), x[i - 1 + base], F, N);
      y.push_back({i < n_ ? A_[i + 1] : A_[0], p_[i], F, N + cross(s_[i], F)});
    }
    if (charged_.tip != LathropCharging::Tip::free) {
      const Wrench<Expr> beyond = tip(y.back().f);
      y.push_back({A_[0], p_[0], beyond.f, beyond.n});
    }
    scan_from_end(plan(static_cast<int>(y.size())), y.data(),
                  [](const auto& a, const auto& b) { return lathrop_combined(a, b); });
    put({x.back().w, x.back().wd, x.back().pdd}, {y[0].f, y[0].n});
  }

  void by_links() {
    LathropNode<Expr> x;
    x.pdd = vector();
    if (charged_.moving_base) {
      x.w = vector();
      x.wd = vector();
    }
    std::vector<LathropNode<Expr>> all;
    for (int i = 1; i <= n_; ++i) {
      if (i == 1 && !charged_.moving_base) {  // nothing turns before it
        const V z_qd = vector(), z_qdd = vector();
        x.w = transposed_times(A_[1], z_qd);
        x.wd = transposed_times(A_[1], z_qdd);
        x.pdd =
            transposed_times(A_[1], x.pdd) + (cross(x.w, cross(x.w, p_[1])) + cross(x.wd, p_[1]));
        lathrop_newton_euler(body(), x.w, x.wd, x.pdd, x.F, x.N);
      } else {
        x = lathrop_backward(x, A_[i], p_[i], vector(), vector(), body());
      }
      all.push_back(x);
    }
    const LathropNode<Expr>& last = all.back();
    Wrench<Expr> y{last.F, last.N + cross(s_[n_], last.F)};
    if (charged_.tip != LathropCharging::Tip::free)
      y = lathrop_forward(tip(last.F), last, A_[0], p_[n_], s_[n_]);
    for (int i = n_ - 1; i >= 1; --i) y = lathrop_forward(y, all[i - 1], A_[i + 1], p_[i], s_[i]);
    put({x.w, x.wd, x.pdd}, y);
  }

  LathropDepth depth() const {
    const std::vector<Depth> all = depth_per_output(g_);
    auto deepest = [&](std::size_t k) {
      return *std::max_element(
          all.begin() + static_cast<std::ptrdiff_t>(3 * k),
          all.begin() + static_cast<std::ptrdiff_t>(3 * k + 3),
          [](const Depth& a, const Depth& b) { return a.total() < b.total(); });
    };
    return {deepest(0), deepest(1), deepest(2), deepest(3), deepest(4), deepest(5)};
  }

 private:
  Expr scalar() { return input(g_, "x" + std::to_string(inputs_++)); }
  V vector() {
    const Expr x = scalar(), y = scalar(), z = scalar();
    return {x, y, z};
  }
  LathropBody<Expr> body() {
    const V r = vector(), a = vector(), b = vector();
    return {scalar(), r, {a.x, a.y, a.z, b.x, b.y, b.z}};
  }
  Wrench<Expr> tip(const V& force) {
    if (charged_.tip == LathropCharging::Tip::with_force) return {force, force};
    const V f = vector();
    return {f, vector()};
  }
  void put(const std::array<V, 3>& motion, const Wrench<Expr>& w) {
    const V torque = charged_.dot_product ? V{dot(vector(), w.n), {}, {}} : w.n;
    for (const V& v : {torque, motion[0], motion[1], motion[2], w.f, w.n})
      for (const Expr& e : {v.x, v.y, v.z}) output(g_, "y" + std::to_string(outputs_++), e);
  }

  Graph g_;
  int n_, inputs_ = 0, outputs_ = 0;
  LathropCharging charged_;
  std::vector<Mat3<Expr>> A_;  // [0] is beyond the tip
  std::vector<V> p_, s_;
};

// ---- vector operations

template <class Work>
int vector_operations(const Work& work) {
  Counted::reset();
  work();
  const auto& v = Counted::count().vector;
  return static_cast<int>(std::accumulate(v.begin(), v.end(), 0L));
}

using C = Vec3<Counted>;

void logarithmic_backward_node() {
  const LathropMotion<Counted> x;
  C F, N;
  lathrop_newton_euler<Counted>({}, lathrop_combined(x, x), F, N);
}
void logarithmic_forward_node() {
  const LathropForce<Counted> y = lathrop_combined(LathropForce<Counted>(), {});
  const C n = y.n + cross(C(), y.f);  // of a leaf: N + s* × F
  (void)n;
}

// ---- operations of a processor

ProcessorOperations counted(const auto& work) {
  Counted::reset();
  work();
  const OperationCount& c = Counted::count();
  return {c.multiplications, c.additions};
}

// The entries of a PUMA's rotations that are 0, 1 or −1 at every position: tested at two of them.
enum class Entry { zero, one, any };
std::vector<std::array<std::array<Entry, 3>, 3>> puma_rotations() {
  const Robot puma = Robot::load("puma560");
  const Mechanism<double>& m = puma.canonical().mechanism;
  State<double> here(m), there(m);
  for (int i = 1; i <= m.n; ++i) {
    here.set(i, 0.3 + 0.1 * i, 0, 0);
    there.set(i, 1.3 - 0.2 * i, 0, 0);
  }
  here.place(m);
  there.place(m);
  auto entry = [](double x, double y) {
    if (std::abs(x - y) > 1e-9) return Entry::any;
    if (std::abs(x) < 1e-9) return Entry::zero;
    return std::abs(std::abs(x) - 1) < 1e-9 ? Entry::one : Entry::any;
  };
  auto row = [&](const Vec3<double>& x, const Vec3<double>& y) {
    return std::array{entry(x.x, y.x), entry(x.y, y.y), entry(x.z, y.z)};
  };
  std::vector<std::array<std::array<Entry, 3>, 3>> all;
  for (int i = 1; i <= m.n; ++i) {
    const Mat3<double> A = here.R(i), B = there.R(i);
    all.push_back({row(A.r0, B.r0), row(A.r1, B.r1), row(A.r2, B.r2)});
  }
  return all;
}

// The largest cost in the first round of (15): the product of two neighbouring rotations of a PUMA,
// without products with 0, 1 and −1, every other entry computed separately.
ProcessorOperations dearest_product() {
  const auto rotation = puma_rotations();
  ProcessorOperations most;
  for (std::size_t k = 1; k < rotation.size(); ++k) {
    ProcessorOperations o;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        int terms = 0;
        for (int h = 0; h < 3; ++h) {
          const Entry a = rotation[k - 1][i][h], b = rotation[k][h][j];
          if (a == Entry::zero || b == Entry::zero) continue;
          ++terms;
          if (a == Entry::any && b == Entry::any) ++o.multiplications;
        }
        o.additions += std::max(0, terms - 1);
      }
    most.multiplications = std::max(most.multiplications, o.multiplications);
    most.additions = std::max(most.additions, o.additions);
  }
  return most;
}

}  // namespace

LathropDepth lathrop_depth(int n, ScanStrategy plan, const LathropCharging& charged) {
  LathropGraph graph(n, charged);
  graph.by_plan(plan);
  return graph.depth();
}

LathropDepth lathrop_depth_linear(int n, const LathropCharging& charged) {
  LathropGraph graph(n, charged);
  graph.by_links();
  return graph.depth();
}

LathropProcessors lathrop_processors(int n) {
  const ScanPlan graph = divided_scan(n);
  const Mat3<Counted> A;
  return {vector_operations([&] { lathrop_backward<Counted>({}, A, {}, {}, {}, {}); }),
          vector_operations([&] { lathrop_forward<Counted>({}, {}, A, {}, {}); }),
          vector_operations(logarithmic_backward_node),
          vector_operations(logarithmic_forward_node),
          static_cast<int>(graph.work()) + n,
          graph.widest()};
}

ProcessorOperations LeeChangOperations::all() const {
  return {between.multiplications + rotations.multiplications + sums.multiplications,
          between.additions + rotations.additions + sums.additions};
}

LeeChangOperations lee_chang_operations(int n) {
  LeeChangOperations o;
  o.between = counted([] {
    LeeChangLink<Counted> l{};
    l.turns = true;
    const C v;
    l.turn_to_base();
    l.velocity({});
    l.acceleration({}, v);
    l.origin(v, v);
    l.newton(v, v, v);
    l.euler(v, v);
    l.moment();
    l.torque(v, v);
  });
  const ProcessorOperations product = counted([] { return Mat3<Counted>() * Mat3<Counted>(); }),
                            sum = counted([] { return C() + C(); });
  const int links = recursive_doubling(n).depth(), with_end = recursive_doubling(n + 1).depth();
  if (links > 0) {
    const ProcessorOperations first = dearest_product();
    o.rotations = {first.multiplications + (links - 1) * product.multiplications,
                   first.additions + (links - 1) * product.additions};
  }
  o.sums = {0, sum.additions * (2 * links + 3 * with_end)};
  return o;
}

}  // namespace parid::runtime
