// Conclusions of Hollerbach's text from his counts: growth, savings, the length at which
// configuration space is no longer cheapest, and rates on a PDP-11.

#include <fmt/format.h>

#include <cmath>

#include "math/mat4.hpp"
#include "model/format/parametric.hpp"
#include "papers/counting.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/random.hpp"
#include "parid/inverse_dynamics.hpp"
#include "runtime/cost/cost.hpp"
#include "scalar/counted.hpp"

namespace parid::papers {
namespace of_hollerbach_text {
namespace {

constexpr const char* by_cost = "src/runtime/cost/cost.hpp: cost";
constexpr const char* by_tables = "papers/hollerbach/hollerbach.cpp: hollerbach_tables";

int degree(const char* id) {
  return static_cast<int>(
             polynomial_in_n([&](int n) { return as_written(id, n).total(); }).coefficient.size()) -
         1;
}

// The first n from which `one` exceeds `other`, up to n = 64.
int overtaken(const std::function<double(int)>& one, const std::function<double(int)>& other) {
  int first = 65;
  for (int n = 64; n >= 1 && one(n) > other(n); --n) first = n;
  return first;
}

double reduction(double from, double to) { return 100 * (1 - to / from); }

void growth(Claims& r) {
  struct Grown {
    const char *where, *method, *id;
    int degree;
    const char* because;
  };
  for (const Grown& g : {Grown{"Uicker/Kahn Lagrangian formulation", "Uicker/Kahn", "uicker_kahn",
                               4, "traces over i, k, l and j"},
                         Grown{"Lagrangian dynamics with backward recursion", "Waters", "waters", 2,
                               "one trace for each pair of joint and link beyond it"},
                         Grown{"Forward recursive Lagrangian dynamics", "Hollerbach 4x4",
                               "hollerbach4", 1, "both sweeps visit a link once"},
                         Grown{"Recursive Lagrangian dynamics with 3x3 matrices", "Hollerbach 3x3",
                               "hollerbach3", 1, "both sweeps visit a link once"},
                         Grown{"Recursive Newton-Euler dynamics", "Newton-Euler",
                               "newton_euler_conventional", 1, "both sweeps visit a link once"}})
    r.add(g.where, fmt::format("{} grows with which power of n", g.method),
          exact(g.degree, degree(g.id)), by_cost, reproduced(g.because));
}

void halving(Claims& r) {
  const char* where = "Recursive Lagrangian dynamics with 3x3 matrices";
  r.add(where, "multiplications of a 3x3 matrix product",
        exact(27, counted([] { Mat3<Counted>() * Mat3<Counted>(); }).m),
        "src/math/mat3.hpp: operator*", reproduced("nine dot products of three"));
  r.add(where, "multiplications of a 4x4 matrix product",
        exact(64, counted([] { Mat4<Counted>() * Mat4<Counted>(); }).m),
        "src/math/mat4.hpp: operator*", reproduced("sixteen dot products of four"));
  const auto four = as_written("hollerbach4", 6), three = as_written("hollerbach3", 6);
  const HollerbachRow &h4 = hollerbach_row("Hollerbach 4x4"),
                      &h3 = hollerbach_row("Hollerbach 3x3");
  auto coefficient = [](const Polynomial& p) {
    return static_cast<double>(p.coefficient[1].numerator);
  };
  const double m = reduction(coefficient(h4.m), coefficient(h3.m)),
               a = reduction(coefficient(h4.a), coefficient(h3.a));
  r.add(where, "3x3 instead of 4x4 matrices lower the printed coefficients of n",
        arithmetic(holds("by better than 50 percent", m > 50 && a > 50,
                         fmt::format("by {:.1f} and {:.1f} percent", m, a))),
        by_tables, reproduced("the multiplications barely"));
  const double our_m = reduction(static_cast<double>(four.m), static_cast<double>(three.m)),
               our_a = reduction(static_cast<double>(four.a), static_cast<double>(three.a));
  r.add(where, "the same of the equations as they are counted, n = 6",
        holds("by better than 50 percent", our_m > 50 && our_a > 50,
              fmt::format("by {:.1f} and {:.1f} percent", our_m, our_a)),
        by_cost, reproduced("also where the printed counts cannot be derived"));

  const HollerbachRow& w = hollerbach_row("Waters");
  const int m_from = overtaken([&](int n) { return w.m.at(n); }, [&](int n) { return h4.m.at(n); }),
            a_from = overtaken([&](int n) { return w.a.at(n); }, [&](int n) { return h4.a.at(n); });
  r.add(
      "Forward recursive Lagrangian dynamics",
      "the linear cost is obtained for free: no arm of several joints takes more than by Waters",
      arithmetic(holds("essentially free", m_from <= 2 && a_from <= 3,
                       fmt::format("fewer multiplications from n = {}, fewer additions from n = {}",
                                   m_from, a_from))),
      by_tables, reproduced("by Table I"));
}

void newton_euler(Claims& r) {
  const char* where = "Recursive Newton-Euler dynamics";
  const HollerbachRow &ne = hollerbach_row("Newton-Euler"), &h3 = hollerbach_row("Hollerbach 3x3");
  auto sixty = [](double m, double a) {
    return holds("60 percent", std::abs(m - 60) < 5 && std::abs(a - 60) < 5,
                 fmt::format("{:.1f} percent of multiplications, {:.1f} of additions", m, a));
  };
  r.add(where, "reduction against the recursive Lagrangian, n = 6, as printed",
        arithmetic(sixty(reduction(static_cast<double>(h3.m6), static_cast<double>(ne.m6)),
                         reduction(static_cast<double>(h3.a6), static_cast<double>(ne.a6)))),
        by_tables, reproduced("within three percent of Table II's figures"));
  const Operations ours3 = as_written("hollerbach3", 6),
                   ours = as_written("newton_euler_conventional", 6);
  r.add(where, "reduction against the recursive Lagrangian, n = 6, as counted",
        sixty(reduction(static_cast<double>(ours3.m), static_cast<double>(ours.m)),
              reduction(static_cast<double>(ours3.a), static_cast<double>(ours.a))),
        by_cost, reproduced("the equations themselves keep the proportion"));

  const Operations general = specialized_program(Robot(chain(6))),
                   puma = specialized_program(Robot::load("puma560"));
  const double share = static_cast<double>(general.total()) / static_cast<double>(ne.m6 + ne.a6);
  r.add(
      "Conclusion", "what can still be gained on the present recursive formulations",
      holds("very minor improvements", share > 0.9,
            fmt::format(
                "{}/{} for the general arm of six joints ({:.0f} percent of 852/738), {}/{} for a "
                "PUMA-560",
                general.m, general.a, 100 * share, puma.m, puma.a)),
      "src/codegen/trace/generate.hpp: generate",
      refuted(
          "base parameters, zeros and ones found in the traced program, and shared terms more than "
          "halve it"));
}

void configuration_space_claims(Claims& r) {
  const char* where = "Configuration space method";
  const HollerbachRow &ne = hollerbach_row("Newton-Euler"), &hr = hollerbach_row("Horn, Raibert");
  auto crossing = [&](auto&& of) {
    return overtaken([&](int n) { return of(hr, n); }, [&](int n) { return of(ne, n); });
  };
  auto m = [](const HollerbachRow& t, int n) { return t.m.at(n); };
  auto a = [](const HollerbachRow& t, int n) { return t.a.at(n); };
  auto both = [](const HollerbachRow& t, int n) { return t.m.at(n) + t.a.at(n); };
  r.add(where, "less efficient than Newton-Euler from which n on, by multiplications",
        arithmetic(exact(9, crossing(m))), by_tables, reproduced("1539 against 1302 at n = 9"));
  r.add(where, "less efficient than Newton-Euler from which n on, by additions",
        arithmetic(exact(9, crossing(a))), by_tables,
        refuted("Table I's additions cross two joints later"));
  r.add(where, "less efficient than Newton-Euler from which n on, by both",
        arithmetic(exact(9, crossing(both))), by_tables,
        refuted("3220 against 2714 at n = 10, but 2367 against 2433 at n = 9"));
  // Both in their present form: C is symmetric, Newton-Euler is simplified.
  int now = 17;
  for (int n = 16; n >= 2 && symmetric_configuration_space(n).total() >
                                 simplified("newton_euler_link", n).total();
       --n)
    now = n;
  r.add(where, "the same, both done well: C_ijk = C_ikj used, Newton-Euler without zeros and ones",
        exact(9, now), by_cost,
        refuted("symmetry saves the table more than folding saves the recursion"));
  const long pairs = cost("newton_euler_link", Robot(chain(6))).customised->sin_cos;
  r.add(where, "sines and cosines need not be computed, n = 6",
        holds("an additional saving", pairs > 0, fmt::format("0 pairs against {}", pairs)), by_cost,
        reproduced("the table is indexed by the angles themselves; the recursion needs a pair for "
                   "every joint "
                   "but the first, about which gravity is the same"));
  const Operations puma = specialized_program(Robot::load("puma560"));
  const long long table = symmetric_configuration_space(6).total();
  r.add("Conclusion", "for n < 9 configuration space is the most efficient formulation: a PUMA-560",
        holds("fewest operations", puma.total() > table,
              fmt::format("{} with tables, {} by the specialized program of the robot", table,
                          puma.total())),
        "src/codegen/trace/generate.hpp: generate",
        refuted("with its zeros and base parameters the recursion needs fewer operations than the "
                "sum, and no "
                "table"));
}

void real_time(Claims& r) {
  const HollerbachRow& uk = hollerbach_row("Uicker/Kahn");
  const double printed = static_cast<double>(uk.m6 + uk.a6), seconds = 7.9,
               operation = seconds / printed;
  const Operations honest = as_written("uicker_kahn", 6);
  r.add("Uicker/Kahn Lagrangian formulation", "one trajectory point on a PDP 11/45",
        beyond("7.9 s",
               fmt::format("{} operations as set forth: {:.0f} µs for each; {:.0f} µs by Table II",
                           honest.total(), 1e6 * seconds / static_cast<double>(honest.total()),
                           1e6 * operation)),
        by_cost,
        not_derivable("the time of one operation is not printed; turned round, it is this"));
  auto add = [&](const char* what, const Operations& o, const char* by) {
    r.add(
        "Conclusion", fmt::format("six joints in real time on a PDP-11: {}", what),
        beyond("computable",
               fmt::format("{} operations: {:.0f} Hz at {:.0f} µs for each; 60 Hz needs {:.1f} µs",
                           o.total(), 1 / (static_cast<double>(o.total()) * operation),
                           1e6 * operation, 1e6 / 60 / static_cast<double>(o.total()))),
        by,
        not_derivable("no rate is printed; at the speed behind those 7.9 s the count alone does "
                      "not reach the 60 Hz "
                      "that Lathrop asks for"));
  };
  add("Hollerbach 3x3", as_written("hollerbach3", 6), by_cost);
  add("Newton-Euler", as_written("newton_euler_conventional", 6), by_cost);
  add("the specialized program of a PUMA-560, without sines and cosines",
      specialized_program(Robot::load("puma560")), "src/codegen/trace/generate.hpp: generate");
}

// The error of ignoring velocities: random states, every joint at a fraction of its largest speed,
// no acceleration; the largest difference relative to the largest torque.
double ignored(const char* name, double share) {
  const Robot robot = Robot::load(name);
  Workspace workspace(robot);
  Random random(2);
  const std::size_t n = static_cast<std::size_t>(robot.nv());
  std::vector<double> q(n), v(n), zero(n), with(n), without(n);
  double off = 0, of = 0;
  for (int state = 0; state < 200; ++state) {
    for (std::size_t k = 0; k < n; ++k) {
      q[k] = random.in(-1.5, 1.5);
      v[k] =
          share * robot.description().joints[k].limits.velocity * (random.in(-1, 1) < 0 ? -1 : 1);
    }
    inverse_dynamics(robot, workspace, q, v, zero, with);
    inverse_dynamics(robot, workspace, q, zero, zero, without);
    for (std::size_t k = 0; k < n; ++k) {
      off = std::max(off, std::abs(with[k] - without[k]));
      of = std::max(of, std::abs(with[k]));
    }
  }
  return 100 * off / of;
}

void ignoring_velocities(Claims& r) {
  const char* by = "papers/hollerbach/text.cpp: ignored";
  struct Arm {
    const char *name, *shown, *why;
  };
  for (const Arm& arm : {Arm{"planar3", "three rods", "all joints at full speed at once"},
                         Arm{"puma560", "a PUMA-560",
                             "gravity outweighs them: its joints are slow for its weight"}}) {
    const double fast = ignored(arm.name, 1), slow = ignored(arm.name, 0.1);
    const Outcome o = holds("a major component", fast > 25,
                            fmt::format("{:.0f} percent of the largest torque", fast));
    r.add("Introduction",
          fmt::format("Coriolis and centrifugal forces at fast speeds: {} at its joints' largest",
                      arm.shown),
          o, by, o.verdict == Verdict::reproduced ? reproduced(arm.why) : refuted(arm.why));
    r.add("Introduction",
          fmt::format("ignoring them works at slower speeds: {} at a tenth of that", arm.shown),
          holds("works well", slow < 5, fmt::format("{:.1f} percent", slow)), by,
          reproduced("they fall with the square of the speed"));
  }
}

}  // namespace
}  // namespace of_hollerbach_text

void hollerbach_text(Claims& r) {
  using namespace of_hollerbach_text;
  ignoring_velocities(r);
  growth(r);
  halving(r);
  newton_euler(r);
  configuration_space_claims(r);
  real_time(r);
}

}  // namespace parid::papers
