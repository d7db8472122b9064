// C. S. G. Lee, P. R. Chang: Computational structures for robotic computations. Purdue University.
//
// Section 2: the CORDIC box, its constants and word lengths, and the machine of 25 boxes for a
// PUMA's inverse kinematics with its buffers (Fig. 3).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hardware/ik_hardware.hpp"
#include "hardware/pipeline/balance.hpp"
#include "kinematics/closed_form.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "papers/random.hpp"
#include "scalar/cordic_functions.hpp"
#include "scalar/fixed.hpp"

namespace parid::papers {
namespace of_lee_chang {
namespace {

constexpr const char* by_shifts = "src/scalar/cordic.hpp: cordic_shifts";
constexpr const char* by_box = "src/scalar/fixed.hpp: CordicFixed";
constexpr const char* by_machine = "src/hardware/ik_hardware.hpp: ik_hardware";
constexpr const char* by_balance = "src/hardware/pipeline/balance.hpp: balanced";

// k_n of Eq. (6.b): Π (1 + m 2^−2s)^−1/2.
double growth(int m, const std::vector<int>& shifts) {
  double k = 1;
  for (const int s : shifts) k /= std::sqrt(1 + m * std::ldexp(1.0, -2 * s));
  return k;
}
std::vector<int> once(int from, int n) {  // every shift once
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), from);
  return all;
}

void constants(Claims& r) {
  const char* where = "Section 2.1";
  r.add(where, "k_n for m = 1, n = 10", within("0.6072", growth(1, once(0, 10)), 1),
        "papers/lee_chang/lee_chang.cpp: growth",
        reproduced("cut off after four digits; rounded it is 0.6073"));
  r.add(where, "k_n for m = 0", within("1.00", growth(0, once(0, 10))),
        "papers/lee_chang/lee_chang.cpp: growth", reproduced("lines do not stretch"));
  r.add(where, "k_n for m = −1, n = 10, every shift once", within("1.205", growth(-1, once(1, 10))),
        "papers/lee_chang/lee_chang.cpp: growth", reproduced("of shifts 1, 2, 3, …"));
  r.add(where,
        "k_n for m = −1 with the shifts 4, 13 done twice, without which it does not converge",
        within("1.205", growth(-1, cordic_shifts(Box::hype1, 14))), by_shifts,
        refuted("the printed constant belongs to turns that do not cover all angles"));
  const double change = std::abs(growth(1, once(0, 24)) - growth(1, once(0, 10))) +
                        std::abs(growth(-1, once(1, 24)) - growth(-1, once(1, 10)));
  r.add(where, "from n = 10 on the constants stay",
        holds("to the digits printed", change < 5e-5,
              change < 5e-5 ? "they change by less than 5e-5" : "no"),
        "papers/lee_chang/lee_chang.cpp: growth",
        reproduced("the later factors are 1 + 2^−20 and less"));

  // The worst error of cosh without repeated shifts, for |z| ≤ 1.
  double worst = 0;
  for (int k = -100; k <= 100; ++k) {
    const double angle = 0.01 * k;
    double x = growth(-1, once(1, 24)), y = 0, z = angle;
    for (const int s : once(1, 24)) {
      const double u = z < 0 ? -1 : 1, dx = std::ldexp(y, -s), dy = std::ldexp(x, -s);
      x += u * dx;
      y += u * dy;
      z -= u * cordic_angle(Box::hype1, s).value();
    }
    worst = std::max(worst, std::abs(x - std::cosh(angle)));
  }
  r.add("Eqs. (4), (7)",
        "one turn for each shift is enough on a hyperbola: cosh z, |z| ≤ 1, 24 turns",
        holds("it computes cosh", worst < 1e-6, fmt::format("off by {:.1e}", worst)),
        "papers/lee_chang/lee_chang.cpp: constants",
        refuted("the angles left do not add up to the one before; 4, 13, 40 must be done twice"));
  r.add("Eq. (4)", "d_0 for m = −1, with s(i) = i from 0 as printed",
        holds("a number", std::isfinite(std::atanh(1.0)), "infinite"),
        "src/scalar/cordic.hpp: cordic_angle",
        refuted("atanh 1; hyperbolic shifts begin with 1, and 2^−i is to be 2^−s(i)"));

  // Eq. (3): R(a) R(b) = R(a + b).
  auto composed = [](auto R) {
    const double a = 0.3, b = 0.4;
    const auto x = R(a), y = R(b), z = R(a + b);
    double off = 0;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        off = std::max(off, std::abs(x[i][0] * y[0][j] + x[i][1] * y[1][j] - z[i][j]));
    return off;
  };
  using M2 = std::array<std::array<double, 2>, 2>;
  const double circle = composed([](double t) {
    return M2{{{std::cos(t), std::sin(t)}, {-std::sin(t), std::cos(t)}}};
  }),
               printed = composed([](double t) {
                 return M2{{{std::cosh(t), std::sinh(t)}, {-std::sinh(t), std::cosh(t)}}};
               });
  r.add("Eq. (2.a)", "rotations compose as Eq. (3) says: R(0.3) R(0.4) = R(0.7)",
        holds("yes", circle < 1e-12, circle < 1e-12 ? "to 1e-12" : "no"),
        "papers/lee_chang/lee_chang.cpp: constants", reproduced("plane rotations do"));
  r.add("Eq. (2.b)", "hyperbolic ones, with cosh, sinh, −sinh, cosh as printed",
        holds("yes", printed < 1e-12, fmt::format("off by {:.2f}", printed)),
        "papers/lee_chang/lee_chang.cpp: constants",
        refuted("both off-diagonal entries have the same sign"));
}

// The largest error of rotating a vector, in units of the word's last place.
double worst_rotation(const Cordic<CordicFixed>& box, FixedFormat w) {
  Random random(7);
  double worst = 0;
  for (int k = 0; k < 2000; ++k) {
    const Raw x = w.raw(random.in(-1, 1)), y = w.raw(random.in(-1, 1)),
              z = w.raw(random.in(-3.1, 3.1));
    const auto v = box(Box::circ1, x, y, z);
    const double c = std::cos(w.value(z)), s = std::sin(w.value(z)), X = w.value(x), Y = w.value(y);
    worst = std::max({worst, std::abs(w.value(v.x) - (X * c + Y * s)),
                      std::abs(w.value(v.y) - (Y * c - X * s))});
  }
  return worst / w.ulp();
}

void word_lengths(Claims& r) {
  const char* where = "Section 2.1";
  const FixedFormat word{24, 20};
  const double thirteen = worst_rotation(Cordic<CordicFixed>(CordicFixed(word, 5), 13), word),
               twenty_four = worst_rotation(cordic_fixed(word, 5), word),
               no_guard = worst_rotation(cordic_fixed(word, 0), word);
  r.add(where, "n = 13 is the least for operands of 24 bits",
        holds("enough", thirteen <= 1.5,
              fmt::format("a turned vector is off by {:.0f} units of its last place", thirteen)),
        by_box,
        refuted("every turn gives one bit: 13 turns are right to 13 bits, whatever the word"));
  r.add(where, "n = 24 gives the desired output, with 5 guard bits",
        holds("in 24 iterations", twenty_four <= 1.5,
              fmt::format("off by {:.1f} units of its last place", twenty_four)),
        by_box, reproduced("and guard bits below the word, which the paper does not mention"));
  r.add(where, "n = 24 on 24 bits alone",
        holds("in 24 iterations", no_guard <= 1.5,
              fmt::format("off by {:.0f} units of its last place", no_guard)),
        by_box, refuted("rounding of 24 shifts adds up without guard bits"));
  r.add(where, "bytes of a 24-bit word", arithmetic(exact(2, word.word / 8)),
        "src/scalar/fixed.hpp: FixedFormat", refuted("\"two-byte (24-bit)\" is three bytes"));
  r.add(where, "processing time of the CORDIC chip",
        arithmetic(beyond(
            "40 µs", fmt::format("{} turns of one clock each: {:.1f} µs a clock", 24, 40.0 / 24))),
        by_box, not_derivable("a property of Haviland and Tuszynski's chip"));
  r.add("Introduction", "speed-up of 40 µs over a uniprocessor's 20 ms",
        arithmetic(exact(500, std::llround(20e-3 / 40e-6))),
        "papers/lee_chang/lee_chang.cpp: word_lengths",
        reproduced("their quotient; both times are taken over"));
}

// Fig. 1, whose drawing is lost: the outputs of a box for each m, on double.
void elementary_functions(Claims& r) {
  const auto box = cordic_real();
  const CordicFunctions<CordicReal> f{box, 1.0};
  Random random(9);
  double circular = 0, linear = 0, hyperbolic = 0;
  auto note = [](double& worst, double got, double right) {
    worst = std::max(worst, std::abs(got - right) / (1 + std::abs(right)));
  };
  for (int k = 0; k < 500; ++k) {
    const double x = random.in(-1, 1), y = random.in(-1, 1), z = random.in(-3, 3),
                 w = random.in(0.1, 3);
    note(circular, f.sin(z), std::sin(z));
    note(circular, f.cos(z), std::cos(z));
    note(circular, f.atan2(y, x), std::atan2(y, x));
    note(circular, f.magnitude(x, y), std::hypot(x, y));
    note(linear, f.multiply_add(x, z, y), y + x * z);
    note(linear, f.divide(x, w), x / w);
    note(hyperbolic, f.sinh(x), std::sinh(x));
    note(hyperbolic, f.cosh(x), std::cosh(x));
    note(hyperbolic, f.atanh(0.9 * x), std::atanh(0.9 * x));
    note(hyperbolic, f.exp(z), std::exp(z));
    note(hyperbolic, f.log(w), std::log(w));
    note(hyperbolic, f.sqrt(w, 0.25), std::sqrt(w));
  }
  auto add = [&](const char* what, const char* functions, double worst) {
    r.add("Fig. 1", what,
          holds(functions, worst < 1e-13,
                worst < 1e-13 ? "to 1e-13 on double" : fmt::format("off by {:.1e}", worst)),
          "src/scalar/cordic_functions.hpp: CordicFunctions",
          reproduced("with operands brought into range"));
  };
  add("m = 1", "sin, cos, arc tangent, √(x² + y²)", circular);
  add("m = 0", "products and quotients", linear);
  add("m = −1", "sinh, cosh, atanh, exp, ln, √", hyperbolic);
}

// Eqs. (10), (11): k_n by factors 1 ± 2^−i.
void normalising(Claims& r) {
  for (const Box box : {Box::circ1, Box::hype1}) {
    const std::vector<int> shifts = cordic_shifts(box, 24);
    double product = 1 / growth(circular(box) ? 1 : -1, shifts);
    const std::vector<ScaleStep> steps = cordic_scale(box, shifts, 24);
    for (const ScaleStep& s : steps) product *= 1 + s.sign * std::ldexp(1.0, -s.shift);
    const double off = std::abs(product - 1);
    r.add("Eqs. (10), (11)",
          fmt::format("k_n by shifts and sums, γ_i = −1, 0 or 1, 24 bits, {}",
                      circular(box) ? "m = 1" : "m = −1"),
          holds("converges toward unity", off < std::ldexp(1.0, -23),
                fmt::format("{} factors, to {}2^−23", steps.size(),
                            off < std::ldexp(1.0, -23) ? "" : "more than ")),
          "src/scalar/cordic.hpp: cordic_scale",
          reproduced("no multiplier and no table is needed"));
  }
}

ClosedForm puma_form() {
  ClosedForm form;
  form.puma = lee_chang_puma;
  return form;
}

void machine(Claims& r) {
  const IkHardware h = ik_hardware(puma_form());
  const char* where = "Section 2.2";
  r.add(where, "subtasks, each one CORDIC processor",
        exact(25, static_cast<long long>(h.design.boxes.size())), by_machine,
        reproduced("the corrected Appendix A, traced and covered by boxes"));
  auto stages = [&](Chains c) { return buffers(h.network, balanced(h.network, c)); };
  r.add(
      where, "buffer stages",
      among("141", {{"a chain for every reader", std::to_string(stages(Chains::per_edge).per_edge)},
                    {"readers of a signal share its line", std::to_string(h.buffers.shared)}}),
      by_balance, reproduced("the least that any schedule of 18 stages can have"));
  r.add(where, "tapped delay lines", exact(4, h.buffers.tapped), by_balance,
        reproduced("signals that wait for several readers"));
  r.add(where, "stages from pose to angles", exact(18, h.schedule.latency), by_balance,
        reproduced("the longest way through the boxes"));
  r.add("Conclusion", "initial delay in µs, at 40 µs a stage",
        exact(720, 40LL * h.schedule.latency), by_balance, reproduced("18 stages"));
  check(h.network, h.schedule, h.buffers.lines);  // throws if operands of one pose do not meet
  r.add("Conclusion", "pipelined time: stages between poses",
        exact(1, 1LL * std::max_element(
                           h.network.operations.begin(), h.network.operations.end(),
                           [](const auto& a, const auto& b) { return a.latency < b.latency; })
                           ->latency),
        "src/hardware/pipeline/balance.hpp: check",
        reproduced("every box takes one stage, and all operands of a pose meet"));
  const long asap = buffers(h.network, earliest(h.network)).shared;
  r.add(where, "the assignment of buffers is optimal",
        holds("by integer programming", h.buffers.shared == 141 && asap >= 141,
              fmt::format("{} by network flow; {} where every box starts as soon as it can",
                          h.buffers.shared, asap)),
        by_balance, reproduced("for this graph the plainest schedule is already optimal"));

  // ---- the list of Fig. 3
  const char* fig = "Fig. 3";
  const std::vector<int> printed{12, 12, 10, 8,  15, 10, 3, 12, 12, 10, 8, 15, 1, 1,
                                 15, 10, 8,  10, 5,  4,  2, 1,  2,  3,  1, 2,  1};
  std::vector<int> ours;
  for (const DelayLine& l : h.buffers.lines)
    if (h.network.signals[static_cast<std::size_t>(l.signal)].weight > 0) ours.push_back(l.length);
  std::sort(ours.begin(), ours.end());
  r.add(fig, "buffers",
        exact(static_cast<long long>(printed.size()), static_cast<long long>(ours.size())),
        by_balance, reproduced("a line for every signal that waits"));
  r.add(fig, "stages of b1 to b27 together, which the text gives as 141",
        arithmetic(exact(141, std::accumulate(printed.begin(), printed.end(), 0))),
        "papers/lee_chang/lee_chang.cpp: machine",
        refuted("the printed list contradicts the text"));
  std::vector<int> intact, damaged, left = ours;
  for (std::size_t k = 0; k < printed.size(); ++k)
    (k == 4 || (k >= 7 && k <= 11) ? damaged : intact).push_back(printed[k]);
  bool all = true;
  for (const int length : intact) {
    const auto at = std::find(left.begin(), left.end(), length);
    all &= at != left.end();
    if (at != left.end()) left.erase(at);
  }
  r.add(fig, "b1 to b4, b6, b7, b13 to b27",
        holds(fmt::format("{}", fmt::join(intact, " ")), all,
              all ? "all among ours" : fmt::format("{}", fmt::join(ours, " "))),
        by_balance,
        reproduced(
            "length by length, as a set; which signal has which label is lost with the figure"));
  r.add(fig, "b5, b8 to b12",
        exact(fmt::format("{}", fmt::join(damaged, " ")), fmt::format("{}", fmt::join(left, " "))),
        by_balance,
        refuted("what is left of ours; 12 12 10 8 15 are b1 to b5 over again, so b5 was 15 and not "
                "5 when they were copied"));

  // ---- the range of HYPE2
  double reach = 0;
  for (const int s : cordic_shifts(Box::hype2, 24)) reach += cordic_angle(Box::hype2, s).value();
  const double limit = std::tanh(reach);
  const PumaLengths l = lee_chang_puma;
  Random random(3);
  int fails = 0;
  const int poses = 20000;
  for (int k = 0; k < poses; ++k) {
    std::array<double, 6> q{};
    for (double& x : q) x = random.in(-3.14159, 3.14159);
    const Vec3<double> p = wrist_pose(puma_form(), q).p;
    const double across = p.x * p.x + p.y * p.y,
                 d = across - l.d2 * l.d2 + p.z * p.z - l.d4 * l.d4 - l.a2 * l.a2 - l.a3 * l.a3,
                 e = 4 * l.a2 * l.a2 * (l.a3 * l.a3 + l.d4 * l.d4);
    fails += l.d2 / std::sqrt(across) > limit || std::abs(d) / std::sqrt(e) > limit;
  }
  r.add(where, "every subtask can be done by a CORDIC processor as described",
        holds("for every pose", fails == 0,
              fmt::format("not for {:.0f} percent of random poses", 100.0 * fails / poses)),
        "src/hardware/ik_hardware.hpp: wrist_pose",
        refuted(fmt::format("√(x² − y²) converges for |y/x| ≤ {:.3f} only; operands must be scaled "
                            "first, which the paper leaves out",
                            limit)));
}

}  // namespace
}  // namespace of_lee_chang

void lee_chang(Claims& r) {
  using namespace of_lee_chang;
  constants(r);
  elementary_functions(r);
  normalising(r);
  word_lengths(r);
  machine(r);
}

}  // namespace parid::papers
