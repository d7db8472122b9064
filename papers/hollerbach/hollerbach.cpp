// J. M. Hollerbach: A recursive Lagrangian formulation of manipulator dynamics and a comparative
// study of dynamics formulation complexity. IEEE Trans. Systems, Man, Cybernetics 10 (1980)
// 730-736.
//
// Tables I and II. The conclusions of the text are in text.cpp.

#include <fmt/format.h>

#include <cmath>

#include "math/mat4.hpp"
#include "papers/counting.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "scalar/counted.hpp"

namespace parid::papers {
// Fractions from Lathrop's and Dhanaraj's copies where our scan is illegible.
const std::vector<HollerbachRow>& hollerbach_tables() {
  static const std::vector<HollerbachRow> all{
      {"Uicker/Kahn", polynomial({{-128, 1}, {160, 3}, {685, 4}, {1037, 12}, {65, 2}}),
       polynomial({{-96, 1}, {127, 3}, {259, 2}, {199, 3}, {25, 1}}), 66271, 51548},
      {"Waters", polynomial({{-512, 1}, {1241, 2}, {213, 2}}),
       polynomial({{-384, 1}, {514, 1}, {82, 1}}), 7051, 5652},
      {"Hollerbach 4x4", polynomial({{-592, 1}, {830, 1}}), polynomial({{-464, 1}, {675, 1}}), 4388,
       3586},
      {"Hollerbach 3x3", polynomial({{-277, 1}, {412, 1}}), polynomial({{-201, 1}, {320, 1}}), 2195,
       1719},
      {"Newton-Euler", polynomial({{-48, 1}, {150, 1}}), polynomial({{-48, 1}, {131, 1}}), 852,
       738},
      {"Horn, Raibert", polynomial({{0, 1}, {0, 1}, {1, 1}, {2, 1}}),
       polynomial({{0, 1}, {2, 1}, {1, 1}, {1, 1}}), 468, 264},
  };
  return all;
}
const HollerbachRow& hollerbach_row(const std::string& method) {
  for (const HollerbachRow& r : hollerbach_tables())
    if (r.method == method) return r;
  throw std::logic_error("hollerbach: no method " + method);
}

namespace of_hollerbach {
namespace {

struct Fitted {
  Polynomial m, a;
};
Fitted fitted(const char* id) {
  return {polynomial_in_n([&](int n) { return as_written(id, n).m; }),
          polynomial_in_n([&](int n) { return as_written(id, n).a; })};
}

// ---- Uicker/Kahn by the paper's own conventions, counted term by term: kW_j, ∂W_j and ∂²W_j
// computed once and stored, no product with an identity, dense 4x4 matrices.

long long stored_products(int n) {
  long long count = 0;
  for (int k = 0; k <= n; ++k)
    for (int j = k + 2; j <= n; ++j) ++count;  // kW_j = kW_{j−1} A_j
  for (int k = 1; k <= n; ++k) {
    count += k > 1;                                       // W_{k−1} A'_k
    count += n - k;                                       // … kW_j, j > k
    count += k > 1;                                       // W_{k−1} A''_k
    count += n - k;                                       // … kW_j, j > k
    for (int l = k + 1; l <= n; ++l) count += 1 + n - l;  // ∂W_{l−1}/∂q_k A'_l, … lW_j
  }
  return count;
}

// Twice the count, because half the traces of accelerations are counted: half_of is 2, or 1 if all
// are distinct.
Operations uicker_kahn_doubled(int n, int half_of) {
  const auto product = counted([] { Mat4<Counted>() * Mat4<Counted>(); });
  long long cubes = 0, distinct = 0;
  for (int j = 1; j <= n; ++j) {
    cubes += 1LL * j * j * j;       // i, k, l ≤ j
    distinct += j * (j + 1LL) / 2;  // i ≤ k ≤ j
  }
  const long long pairs = n * (n + 1LL) / 2;
  // Tr(U J Uᵀ) by two full products and its diagonal's sum, times q̇ q̇ or q̈; m g U r of
  // four-vectors.
  const Operations trace{2 * product.m, 2 * product.a + 3};
  return {2 * (product.m * stored_products(n) + (trace.m + 2) * cubes + 21 * pairs) +
              (2 / half_of) * (trace.m + 1) * distinct,
          2 * (product.a * stored_products(n) + (trace.a + 1) * cubes + 15 * pairs) +
              (2 / half_of) * (trace.a + 1) * distinct};
}

Polynomial halved(Polynomial p) {
  for (auto& c : p.coefficient) {
    if (c.numerator % 2 == 0)
      c.numerator /= 2;
    else
      c.denominator *= 2;
  }
  return p;
}

void table_one(Claims& r) {
  const char* where = "Table I";
  const char* by = "src/runtime/cost/cost.hpp: cost";
  const char* own = "papers/hollerbach/hollerbach.cpp: uicker_kahn_doubled";
  const HollerbachRow& uk = hollerbach_row("Uicker/Kahn");
  const Polynomial half_m =
                       halved(polynomial_in_n([](int n) { return uicker_kahn_doubled(n, 2).m; })),
                   half_a =
                       halved(polynomial_in_n([](int n) { return uicker_kahn_doubled(n, 2).a; }));
  r.add(where, "Uicker/Kahn, multiplications, by the paper's stated economies",
        exact(uk.m.text(), half_m.text()), own,
        reproduced("dense products, kW_j, ∂W_j and ∂²W_j stored, and half of the distinct "
                   "traces with q̈: all five coefficients"));
  r.add(where, "Uicker/Kahn, additions, by the paper's stated economies",
        among(uk.a.text(), {{"the same conventions", half_a.text()}}), own,
        not_derivable("all coefficients but the linear one, which is 13/6 too large"));
  r.add(
      where, "Uicker/Kahn, the formula gives a whole number of multiplications for every n",
      arithmetic(holds("yes, being a count", std::abs(uk.m.at(1) - std::round(uk.m.at(1))) < 1e-9,
                       fmt::format("{:.1f} at n = 1", uk.m.at(1)))),
      "src/math/polynomial.hpp: at",
      refuted("n(n+1)(n+2)/12 traces with q̈ are half of those that are needed, and half of an odd "
              "number is no count"));
  const Fitted written = fitted("uicker_kahn");
  r.add(where, "Uicker/Kahn, multiplications, carried out as set forth",
        exact(uk.m.text(), written.m.text()), by,
        refuted("with every trace of the sum the cubic and quadratic terms are larger"));
  r.add(where, "Uicker/Kahn, additions, carried out as set forth",
        exact(uk.a.text(), written.a.text()), by,
        refuted("with every trace of the sum the cubic and quadratic terms are larger"));

  const HollerbachRow& w = hollerbach_row("Waters");
  const Fitted waters = fitted("waters");
  r.add(where, "Waters, multiplications", exact(w.m.text(), waters.m.text()), by,
        reproduced("eight matrix products per link, W A' formed anew wherever it stands"));
  r.add(where, "Waters, additions", among(w.a.text(), {{"as set forth", waters.a.text()}}), by,
        not_derivable(
            "33 n more than the equations contain: two matrix additions per link, and one"));

  const HollerbachRow& h4 = hollerbach_row("Hollerbach 4x4");
  const Fitted four = fitted("hollerbach4");
  r.add(where, "Hollerbach 4x4, multiplications",
        among(h4.m.text(), {{"as set forth", four.m.text()}}), by,
        not_derivable("the constant agrees; 20 n multiplications are in no equation"));
  r.add(where, "Hollerbach 4x4, additions", among(h4.a.text(), {{"as set forth", four.a.text()}}),
        by,
        not_derivable(
            "32 n more than the equations contain, the same two matrix additions per link as for "
            "Waters"));
  const HollerbachRow& h3 = hollerbach_row("Hollerbach 3x3");
  const Fitted three = fitted("hollerbach3");
  // Without the lever term that the paper omits: M_{i+1} p_{i+1}, added to c_i, at n − 1 links.
  const auto without_lever = [&](Polynomial p) {
    p.coefficient[0].numerator += 3;
    p.coefficient[1].numerator -= 3;
    return p.text();
  };
  r.add(where, "Hollerbach 3x3, multiplications",
        among(h3.m.text(), {{"as set forth, corrected", three.m.text()},
                            {"without the lever of the links beyond", without_lever(three.m)}}),
        by,
        not_derivable(
            "14 n more than the corrected equations take; the constant is not theirs either"));
  r.add(where, "Hollerbach 3x3, additions",
        among(h3.a.text(), {{"as set forth, corrected", three.a.text()},
                            {"without the lever of the links beyond", without_lever(three.a)}}),
        by,
        not_derivable(
            "18 n more than the equations without the lever contain: two matrix additions per "
            "link"));
  const HollerbachRow& ne = hollerbach_row("Newton-Euler");
  const Fitted conventional = fitted("newton_euler_conventional"),
               link = fitted("newton_euler_link"), base = fitted("newton_euler_base");
  r.add(where, "Newton-Euler, multiplications",
        among(ne.m.text(), {{"the nine steps in link coordinates", conventional.m.text()},
                            {"about links' origins", link.m.text()},
                            {"in base coordinates", base.m.text()}}),
        by,
        not_derivable(
            "the paper does not break it down, and no order of its steps that we have takes "
            "as many per link"));
  r.add(where, "Newton-Euler, additions",
        among(ne.a.text(), {{"the nine steps in link coordinates", conventional.a.text()},
                            {"about links' origins", link.a.text()},
                            {"in base coordinates", base.a.text()}}),
        by, not_derivable("as its multiplications"));
  const HollerbachRow& hr = hollerbach_row("Horn, Raibert");
  const Polynomial hm = polynomial_in_n([](int n) { return configuration_space(n).m; }),
                   ha = polynomial_in_n([](int n) { return configuration_space(n).a; });
  const char* space =
      "src/formulation/configuration_space.hpp: configuration_space_torque_as_printed";
  r.add(where, "Horn, Raibert, multiplications", exact(hr.m.text(), hm.text()), space,
        reproduced("n² inertias times q̈, n³ Coriolis coefficients times q̇ times q̇"));
  r.add(where, "Horn, Raibert, additions", exact(hr.a.text(), ha.text()), space,
        refuted("n² + n³ terms and G of each joint need n³ + n² additions; 2 n are too many"));
}

// The fraction of Uicker and Kahn's work in the traces over q̇ q̇, by the paper's conventions.
double velocity_share(int n) {
  const auto product = counted([] { Mat4<Counted>() * Mat4<Counted>(); });
  long long cubes = 0;
  for (int j = 1; j <= n; ++j) cubes += 1LL * j * j * j;
  return 2.0 * static_cast<double>((2 * product.m + 2 + 2 * product.a + 4) * cubes) /
         static_cast<double>(uicker_kahn_doubled(n, 2).total());
}

void burdens(Claims& r) {
  const double share = 100 * velocity_share(6);
  r.add("Introduction", "Coriolis and centrifugal forces in Uicker and Kahn's count, n = 6",
        holds("by far the greatest burden", share > 60, fmt::format("{:.0f} percent", share)),
        "papers/hollerbach/hollerbach.cpp: velocity_share",
        reproduced("traces over i, k, l and j"));
  const Operations with = as_written("newton_euler_link", 6),
                   without = as_written("without_velocity_terms", 6);
  const double less =
      100 * (1 - static_cast<double>(without.total()) / static_cast<double>(with.total()));
  r.add("Introduction", "the same in Newton-Euler, n = 6",
        holds("by far the greatest burden", less > 60, fmt::format("{:.0f} percent", less)),
        "src/runtime/cost/cost.hpp: cost", refuted("recursion took that burden away"));
  const auto three = counted([] { Mat3<Counted>() * Mat3<Counted>(); }),
             four = counted([] { Mat4<Counted>() * Mat4<Counted>(); });
  const double saved = 100 * (1 - static_cast<double>(three.m) / static_cast<double>(four.m));
  r.add("Recursive Lagrangian dynamics with 3x3 matrices", "27 instead of 64 multiplications save",
        holds("greater than 50 percent", saved > 50, fmt::format("{:.1f} percent", saved)),
        "src/math/mat4.hpp: operator*", reproduced("of one product of matrices"));
  // The fractions in our scan of this paper.
  const Polynomial m = polynomial({{-128, 1}, {107, 2}, {343, 2}, {1037, 12}, {65, 2}}),
                   a = polynomial({{-96, 1}, {85, 2}, {259, 2}, {133, 2}, {25, 1}});
  r.add("Table I", "Uicker/Kahn, multiplications at n = 6, with 171 1/2 and 53 1/2 as scanned",
        arithmetic(exact(66271, std::llround(m.at(6)))), "src/math/polynomial.hpp: at",
        refuted("Lathrop's and Dhanaraj's copies have 171 1/4 and 53 1/3; neither gives Table II"));
  r.add("Table I", "Uicker/Kahn, additions at n = 6, with 66 1/2 and 42 1/2 as scanned",
        arithmetic(exact(51548, std::llround(a.at(6)))), "src/math/polynomial.hpp: at",
        refuted("the copies' 66 1/3 and 42 1/3 give Table II's figure: the scan's mistake"));
}

void table_two(Claims& r) {
  const char* by = "src/math/polynomial.hpp: at";
  for (const HollerbachRow& t : hollerbach_tables()) {
    const auto at6 = [](const Polynomial& p) { return std::llround(p.at(6)); };
    auto add = [&](const char* kind, long long printed, const Polynomial& p) {
      const bool same = printed == at6(p);
      r.add("Table II", fmt::format("{}, {} at n = 6, by Table I's formula", t.method, kind),
            arithmetic(exact(printed, at6(p))), by,
            same ? reproduced("the formula at n = 6")
                 : refuted(fmt::format("contradicts the paper's own formula by {}",
                                       std::abs(at6(p) - printed))));
    };
    add("multiplications", t.m6, t.m);
    add("additions", t.a6, t.a);
  }
}

}  // namespace
}  // namespace of_hollerbach

void hollerbach(Claims& r) {
  using namespace of_hollerbach;
  table_one(r);
  table_two(r);
  burdens(r);
}

}  // namespace parid::papers
