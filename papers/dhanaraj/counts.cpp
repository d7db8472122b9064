// C. Dhanaraj: Parallel processing of manipulator dynamics incorporating frictional effects. M.Eng.
// thesis, Memorial University of Newfoundland, 1990.
//
// Operation counts: Tables 1.1, 2.9 and 2.10, and the conclusions of the text.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/expr.hpp"
#include "graph/passes.hpp"
#include "math/mat3.hpp"
#include "papers/counting.hpp"
#include "papers/dhanaraj/listings.hpp"
#include "papers/hollerbach/hollerbach.hpp"
#include "papers/layer.hpp"
#include "papers/papers.hpp"
#include "scalar/counted.hpp"

namespace parid::papers {
namespace of_dhanaraj_counts {
namespace {

std::string text(const Operations& o) { return fmt::format("{}/{}", o.m, o.a); }

void table_1_1(Claims& r) {
  const char* where = "Table 1.1";
  const char* by = "papers/hollerbach/hollerbach.cpp: hollerbach_tables";
  for (const char* method : {"Uicker/Kahn", "Hollerbach 4x4", "Hollerbach 3x3", "Newton-Euler"}) {
    const HollerbachRow& row = hollerbach_row(method);
    const long long m = std::llround(row.m.at(6)), a = std::llround(row.a.at(6));
    const auto copied = fmt::format("{}/{}", row.m6, row.a6), ours = fmt::format("{}/{}", m, a);
    r.add(where, fmt::format("{}, n = 6, by the formulas beside it", method),
          arithmetic(exact(copied, ours)), by,
          copied == ours ? reproduced("Hollerbach's formulas and figures, copied")
                         : refuted(fmt::format("Hollerbach's slip, copied: {} multiplications "
                                               "too few",
                                               m - row.m6)));
    r.add(where, fmt::format("{}, total flops, n = 6", method),
          arithmetic(exact(row.m6 + row.a6, m + a)), by,
          copied == ours ? reproduced("the two together")
                         : refuted("the sum of what is printed, but not of the formulas"));
  }
  const Operations ne = as_written("newton_euler_conventional", 6);
  r.add(
      where, "Newton-Euler, n = 6, of the equations in Table 2.3",
      among("852/738",
            {{"as written", text(ne)},
             {"zeros and ones folded", text(simplified("newton_euler_conventional", 6))}}),
      "src/runtime/cost/cost.hpp: cost",
      not_derivable("the printed steps take 15 and 21 fewer for each joint than the cited count"));
}

// ---- Table 2.9, step by step, with counting numbers.

using C = Counted;
using V = Vec3<C>;
using M = Mat3<C>;

struct Step {
  const char* name;
  const char *revolute_one, *revolute_two, *prismatic_one, *prismatic_two;  // printed
  Operations ours[4];
};

std::vector<Step> table_2_9() {
  const M R, lambda;
  const V v;
  const C x;
  const Sym3<C> I;
  const Operations none;
  // Method I.
  const Operations w = counted([&] {
    V u = transposed_times(R, v);
    u.z = u.z + x;
  });
  const Operations carried = counted([&] { transposed_times(R, v); });
  const Operations al = counted([&] {
    V u = transposed_times(R, v);
    u = u + V{x * x, -(x * x), x};
  });
  const Operations turn = counted([&] { turning(v, v); });
  const Operations a = counted([&] { transposed_times(R, v + lambda * v); });
  const Operations a_slides = counted([&] {
    const C twice = x + x;
    transposed_times(R, v + lambda * v) + V{twice * x, -(twice * x), x};
  });
  const Operations ac = counted([&] { v + lambda* v; });
  const Operations F = counted([&] { x* v; });
  const Operations N = counted([&] { x *x + x *x, x *x + x *x, x *x + x *x; });
  const Operations f = counted([&] { v + v; }), Rf = carried;
  const Operations n = counted([&] { R* v + v + cross(v, v) + cross(v, v); });
  // Method II.
  const Operations al2 = counted([&] {
    V u = transposed_times(R, v) + cross(transposed_times(R, v), v);
    u.z = u.z + x;
  });
  auto difference = [&] { return cross(v, v) + cross(v, cross(v, v)); };
  const Operations a2 = counted([&] { transposed_times(R, v + difference()); });
  const Operations a2_slides = counted([&] {
    const V coriolis = cross(v, v);
    V u = transposed_times(R, v + difference()) + (coriolis + coriolis);
    u.z = u.z + x;
  });
  const Operations ac2 = counted([&] { v + difference(); });
  const Operations N2 = counted([&] { I* v + cross(v, I * v); });
  const Operations f2 = counted([&] { v + R* v; });
  return {
      {"ω", "9/7", "9/7", "0/0", "0/0", {w, w, carried, carried}},
      {"α", "11/9", "24/19", "0/0", "0/0", {al, al2, carried, carried}},
      {"λ", "6/9", "0/0", "0/0", "0/0", {turn, none, turn, none}},
      {"a", "18/15", "27/21", "20/18", "33/26", {a, a2, a_slides, a2_slides}},
      {"a_c", "9/9", "18/15", "9/9", "18/15", {ac, ac2, ac, ac2}},
      {"F", "3/0", "3/0", "3/0", "3/0", {F, F, F, F}},
      {"N", "6/3", "24/18", "6/3", "24/18", {N, N2, N, N2}},
      {"f", "0/3", "9/9", "0/3", "9/9", {f, f2, f, f2}},
      {"f of the next link, turned", "9/6", "0/0", "9/6", "0/0", {Rf, none, Rf, none}},
      {"n", "21/15", "21/24", "12/15", "21/24", {n, n, n, n}},
  };
}

Operations parsed(const std::string& s) {
  return {std::stoll(s), std::stoll(s.substr(s.find('/') + 1))};
}

void table_2_9_claims(Claims& r) {
  const char* where = "Table 2.9";
  const char* by = "papers/dhanaraj/counts.cpp: table_2_9";
  const std::vector<Step> steps = table_2_9();
  const char* column[] = {"Method I, revolute", "Method II, revolute", "Method I, prismatic",
                          "Method II, prismatic"};
  const char* totals[] = {"92/76", "135/123", "59/54", "108/92"};
  for (const Step& s : steps) {
    const char* printed[] = {s.revolute_one, s.revolute_two, s.prismatic_one, s.prismatic_two};
    std::string all_printed, all_ours;
    bool same = true;
    for (int k = 0; k < 4; ++k) {
      all_printed += fmt::format("{}{}", k ? ", " : "", printed[k]);
      all_ours += fmt::format("{}{}", k ? ", " : "", text(s.ours[k]));
      same &= text(s.ours[k]) == printed[k];
    }
    const std::string name = s.name;
    r.add(where,
          fmt::format("{}: Method I and II of a revolute joint, I and II of a prismatic one", name),
          exact(all_printed, all_ours), by,
          name == "ω" || name == "α"
              ? refuted("a prismatic joint's rotation is taken as free here, but is charged in a, "
                        "where it is the same")
          : name == "λ" ? refuted("Eq. 2.29 costs more than forming λ anew, which is not free "
                                  "either unless the robot is known")
          : name == "a" ? refuted("2 q̇ and the doubled Coriolis term take additions that are "
                                  "left out")
          : name == "n"
              ? refuted("6 additions in the rotation, 3 in each cross product, 9 between "
                        "the four vectors; and the rotation is that of the joint after it")
              : reproduced("counted operation by operation"));
  }
  for (int k = 0; k < 4; ++k) {
    Operations sum, ours;
    for (const Step& s : steps) {
      const char* printed[] = {s.revolute_one, s.revolute_two, s.prismatic_one, s.prismatic_two};
      const Operations p = parsed(printed[k]);
      sum.m += p.m;
      sum.a += p.a;
      // The rotation of a prismatic joint is not counted, as in the table; neither is λ.
      if (k >= 2 && p.m == 0 && p.a == 0) continue;
      ours.m += s.ours[k].m;
      ours.a += s.ours[k].a;
    }
    r.add(where, fmt::format("{}: the column's sum", column[k]),
          arithmetic(exact(totals[k], text(sum))), by,
          totals[k] == text(sum) ? reproduced("it is")
                                 : refuted("the additions above it sum to ten less"));
    r.add(where, fmt::format("{}: the whole joint", column[k]), exact(totals[k], text(ours)), by,
          refuted(k == 0   ? "n takes six additions more"
                  : k == 1 ? "ten by the sum, three by n"
                  : k == 2 ? "n takes 21/21, and 2 q̇ an addition"
                           : "n takes three additions fewer, Coriolis five more"));
  }
}

void section_2_5(Claims& r) {
  const char* where = "Section 2.5";
  const char* by = "papers/dhanaraj/counts.cpp: table_2_9";
  Operations whole[4];
  for (const Step& s : table_2_9()) {
    const char* printed[] = {s.revolute_one, s.revolute_two, s.prismatic_one, s.prismatic_two};
    for (int k = 0; k < 4; ++k) {
      if (k >= 2 && parsed(printed[k]).total() == 0) continue;
      whole[k].m += s.ours[k].m;
      whole[k].a += s.ours[k].a;
    }
  }
  r.add(where, "flops of a revolute joint, conventional", exact(258, whole[1].total()), by,
        refuted("ten of it by a wrong sum"));
  r.add(where, "flops of a revolute joint, modified", exact(168, whole[0].total()), by,
        refuted("n takes six additions more"));
  r.add(where, "flops of a prismatic joint, conventional", exact(200, whole[3].total()), by,
        refuted("as the table"));
  r.add(where, "flops of a prismatic joint, modified", exact(113, whole[2].total()), by,
        refuted("as the table"));
  auto less = [](const Operations& from, const Operations& to) {
    return 100 * (1 - static_cast<double>(to.total()) / static_cast<double>(from.total()));
  };
  const double revolute = less(whole[1], whole[0]), prismatic = less(whole[3], whole[2]);
  r.add(
      "Section 5.1", "what the modified algorithm saves before customisation",
      holds("30-40 percent", revolute >= 30 && revolute <= 40 && prismatic >= 30 && prismatic <= 40,
            fmt::format("{:.1f} percent revolute, {:.1f} prismatic", revolute, prismatic)),
      by, refuted("just short of it where the joint turns"));
  auto joint = [](const char* id) {
    const Operations six = simplified(id, 6), five = simplified(id, 5);
    return Operations{six.m - five.m, six.a - five.a};
  };
  const Operations lambda = joint("newton_euler_lambda"),
                   plain = joint("newton_euler_conventional");
  r.add("Section 5.1", "the same with the same inertias in both methods, zeros and ones folded",
        holds("30-40 percent", less(plain, lambda) >= 30,
              fmt::format("{:.1f} percent: {} and {} for each joint", less(plain, lambda),
                          text(plain), text(lambda))),
        "src/runtime/cost/cost.hpp: cost",
        refuted("Table 2.9 sets λ with diagonal inertias beside the conventional method with full "
                "ones; most of the difference is theirs"));
}

// The reductions stated in Section 2.3.2, and the totals of the four programs of D.3.
void reductions(Claims& r) {
  const char* where = "Section 2.3.2";
  const C rate;
  const V v, k;
  const M R;
  const Operations coriolis = counted([&] {
    V{rate * v.y, -(rate * v.x), C(0.0)};
  }),
                   before = counted([&] {
                     cross(transposed_times(R, v), V{C(0.0), C(0.0), rate});
                   });
  r.add(where, "multiplications of the Coriolis term", exact(2, coriolis.m),
        "src/scalar/counted.hpp: Counted",
        reproduced(
            fmt::format("instead of {} for a product of a matrix and a cross product", before.m)));
  const Operations gyroscopic = counted([&] { V{v.x * k.x, v.y * k.y, v.z * k.z}; });
  r.add(where, "multiplications of the gyroscopic moment, k known", exact(3, gyroscopic.m),
        "src/scalar/counted.hpp: Counted", reproduced("D_x k_x, D_y k_y, D_z k_z"));
  // λ of the Stanford arm's sliding link, from λ of the link before.
  Graph g;
  auto entry = [&](int i, int j) { return input(g, fmt::format("l{}{}", i, j)); };
  auto row = [&](int i) { return Vec3<Expr>{entry(i, 1), entry(i, 2), entry(i, 3)}; };
  const Mat3<Expr> lambda{row(1), row(2), row(3)};
  const Mat3<Expr> turn{{Expr(1.0), Expr(0.0), Expr(0.0)},
                        {Expr(0.0), Expr(0.0), Expr(-1.0)},
                        {Expr(0.0), Expr(1.0), Expr(0.0)}};
  const Mat3<Expr> slid = transposed(turn) * lambda * turn;
  for (int j = 0; j < 3; ++j) {
    const Vec3<Expr> column = slid.column(j);
    output(g, fmt::format("x{}", j), column.x);
    output(g, fmt::format("y{}", j), column.y);
    output(g, fmt::format("z{}", j), column.z);
  }
  const Counts left = counts(simplify(g));
  r.add(where, "operations of λ where the Stanford arm's joint slides, by symbolic computation",
        exact(0, left.multiplications + left.additions), "src/graph/passes.hpp: simplify",
        reproduced("R_3 has zeros and ones alone; signs are not counted"));
  const int totals[] = {81, 323, 0, 360};  // of D.3.3 none is printed
  for (std::size_t p = 0; p < 4; ++p) {
    if (totals[p] == 0) continue;
    const CustomisedProgram& program = customised_programs()[p];
    r.add(program.where, "total below the program",
          arithmetic(exact(totals[p], program.m + program.a)),
          "papers/dhanaraj/listings.hpp: customised_programs",
          reproduced("of its multiplications and additions"));
  }
  int least = 1000, most = 0;
  for (const Step& s : table_2_9()) {
    const Operations o = parsed(s.revolute_two);
    if (o.total() == 0) continue;  // no step of this method
    least = std::min(least, static_cast<int>(o.total()));
    most = std::max(most, static_cast<int>(o.total()));
  }
  r.add("Section 4.3.1", "flops of the nine equations, by its own Table 2.9, Method II, revolute",
        arithmetic(exact("0 to 24", fmt::format("0 to {}", most))),
        "papers/dhanaraj/counts.cpp: table_2_9",
        refuted(fmt::format("the torque takes none, the others {} to {}", least, most)));
}

// The example of "expression swelling".
void section_2_4(Claims& r) {
  const char* where = "Section 2.4";
  const C b, c, d, f;
  r.add(where, "g = (c (b + c) + d) f + c (b + c), expanded",
        exact("3/4", text(counted([&] { (c * (b + c) + d) * f + c*(b + c); }))),
        "src/scalar/counted.hpp: Counted", reproduced("b + c is worked out twice"));
  r.add(where, "the same with a and e kept", exact("3/3", text(counted([&] {
                                                     const C a = b + c, e = c * a + d;
                                                     e* f + c* a;
                                                   }))),
        "src/scalar/counted.hpp: Counted", reproduced("step by step"));
  Graph g;
  const Expr B = input(g, "b"), Cx = input(g, "c"), D = input(g, "d"), F = input(g, "f");
  output(g, "g", (Cx * (B + Cx) + D) * F + Cx * (B + Cx));
  const Counts found = counts(simplify(g));
  r.add(where, "the least that symbolic computation needs for it",
        exact("3/3", fmt::format("{}/{}", found.multiplications, found.additions)),
        "src/graph/passes.hpp: simplify",
        refuted("c a stands in e and in g: shared, it is one product less"));
}

void table_2_10(Claims& r) {
  const char* where = "Table 2.10";
  const char* by = "papers/listing.hpp: operations";
  const struct {
    int program;
    const char *robot, *shown, *why_ours;
  } rows[] = {
      {2, "puma560-3", "PUMA (3 DOF)", "with more of the tables' parameters, and λ_1 p_1"},
      {0, "stanford-3", "STANFORD (3 DOF)", "with link 1's mass, λ_1 p_1, and a link that slides"},
      {3, "puma560", "PUMA (6 DOF)", "with all of the tables' parameters, and λ_1 p_1"},
      {1, "stanford", "STANFORD (6 DOF)", "with link 1's mass, λ_1 p_1, and a link that slides"}};
  for (const auto& row : rows) {
    const CustomisedProgram& p = customised_programs()[static_cast<std::size_t>(row.program)];
    const std::string printed = fmt::format("{}/{}", p.m, p.a);
    const Operations as_printed = Listing(p.text).operations(),
                     put_right = corrected(p).operations();
    r.add(where, fmt::format("{}: operations that stand in program {}", row.shown, p.where),
          exact(printed, text(as_printed)), by,
          printed == text(as_printed) ? reproduced("sign by sign")
                                      : refuted("its text has three and one more"));
    r.add(where, fmt::format("{}: the same with the program corrected so that it runs", row.shown),
          exact(printed, text(put_right)), by,
          printed == text(put_right)
              ? reproduced("what it lacks are copies and signs")
              : refuted("names that it never sets, and factors that it lost, cost operations"));
    const Operations ours = specialized_program(Robot::load(row.robot));
    r.add(where, fmt::format("{}: operations that the arm's torques need", row.shown),
          holds(printed, ours.total() >= p.m + p.a, text(ours)),
          "src/codegen/trace/generate.hpp: generate",
          refuted(fmt::format("base parameters and shared terms take fewer, {}", row.why_ours)));
  }
  const Operations puma{208, 152};
  const long long others[] = {152 + 249, 441 + 365, 214 + 176, 401 + 254, 277 + 255};
  bool fewest = true;
  std::string sums;
  for (const long long o : others) {
    fewest &= puma.total() < o;
    sums += fmt::format("{}{}", sums.empty() ? "" : ", ", o);
  }
  r.add(where, "PUMA (6 DOF): Method I takes fewer than the five methods cited",
        arithmetic(holds("360", fewest, fmt::format("360 against {}", sums))),
        "papers/dhanaraj/counts.cpp: table_2_10",
        reproduced("by the printed figures; for the programs that they come from see D.3"));
  r.add(where, "Methods II to VI", cited("cited", "none of these programs is printed"), by,
        not_derivable("copied from five papers that Dhanaraj (1990) does not reproduce"));
}

}  // namespace
}  // namespace of_dhanaraj_counts

void dhanaraj_counts(Claims& r) {
  using namespace of_dhanaraj_counts;
  table_1_1(r);
  section_2_4(r);
  reductions(r);
  table_2_9_claims(r);
  section_2_5(r);
  table_2_10(r);
}

}  // namespace parid::papers
