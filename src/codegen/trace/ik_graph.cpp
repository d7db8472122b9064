#include "codegen/trace/ik_graph.hpp"

#include <array>
#include <cmath>

#include "graph/expr.hpp"
#include "graph/passes.hpp"

namespace parid::codegen {

const std::vector<std::string> ik_signs = {"arm", "elbow", "wrist"};

namespace {

constexpr double rounding = 1e-15;

Quad exact(double x, Quad unit) {
  const double steps = std::nearbyint(x / static_cast<double>(unit));
  const Quad nearest = Quad(steps) * unit;
  return std::abs(x - static_cast<double>(nearest)) < rounding ? nearest : Quad(x);
}
Vec3<Quad> exact(const Vec3<double>& v) {
  return {exact(v.x, Quad(1)), exact(v.y, Quad(1)), exact(v.z, Quad(1))};
}
Pose<Quad> exact(const Pose<double>& A) {
  return {{exact(A.R.r0), exact(A.R.r1), exact(A.R.r2)}, exact(A.p)};
}

Vec3<Expr> constants(const Vec3<Quad>& v) {
  return {Expr(static_cast<double>(v.x)), Expr(static_cast<double>(v.y)),
          Expr(static_cast<double>(v.z))};
}

template <class Solve>
Graph traced(const ClosedForm& form, const Solve& solve) {
  const IkFrames frames(form);
  Graph g;
  auto vector = [&](const std::string& name) {
    const Expr x = input(g, name + "x"), y = input(g, name + "y"), z = input(g, name + "z");
    return Vec3<Expr>{x, y, z};
  };
  const Vec3<Expr> p = vector("p");
  std::array<Vec3<Expr>, 3> column;
  for (std::size_t k = 0; k < 3; ++k) {
    const Expr zero(0.0);
    column[k] = frames.needed[k] ? vector(std::string(1, "noa"[k])) : Vec3<Expr>{zero, zero, zero};
  }
  const Expr arm = input(g, ik_signs[0]), elbow = input(g, ik_signs[1]),
             wrist = input(g, ik_signs[2]);
  const Mat3<Expr> R = transposed(Mat3<Expr>{column[0], column[1], column[2]});
  const Mat3<Expr> base{constants(frames.base.R.r0), constants(frames.base.R.r1),
                        constants(frames.base.R.r2)};
  auto in_form = [&](const Vec3<Expr>& v) { return transposed_times(base, v); };
  Pose<Expr> pose;
  pose.p = in_form(R * constants(frames.tool.p) + p);
  const Vec3<Expr> o = in_form(R * constants(frames.tool.R.column(1))),
                   a = in_form(R * constants(frames.tool.R.column(2)));
  pose.R = {{Expr(0.0), o.x, a.x}, {Expr(0.0), o.y, a.y}, {Expr(0.0), o.z, a.z}};
  const ArmAngles<Expr> x = solve(pose, arm, elbow, wrist);
  for (std::size_t k = 0; k < 6; ++k) output(g, "q" + std::to_string(k + 1), x.q[k]);
  return simplify(g);
}

}  // namespace

IkFrames::IkFrames(const ClosedForm& form) : base(exact(form.base)), tool(exact(form.tool)) {
  const Quad half_turn = atan2(Quad(0), Quad(-1)), quarter = Quad(0.5) * half_turn;
  for (std::size_t k = 0; k < 6; ++k)
    zero[k] = form.arm == ClosedForm::Arm::stanford && k == 2 ? Quad(form.zero[k])
                                                              : exact(form.zero[k], quarter);
  auto reads = [](const Vec3<Quad>& row, Quad p) { return !(row.y == 0 && row.z == 0 && p == 0); };
  needed = {reads(tool.R.r0, tool.p.x), reads(tool.R.r1, tool.p.y), reads(tool.R.r2, tool.p.z)};
}

Graph ik_graph(const ClosedForm& form) {
  return traced(form,
                [&](const Pose<Expr>& pose, const Expr& arm, const Expr& elbow, const Expr& wrist) {
                  if (form.arm == ClosedForm::Arm::stanford) {
                    StanfordLengths l = form.stanford;
                    l.d6 = 0;  // part of the tool's pose
                    return stanford_ik(l, pose, arm, elbow, wrist);
                  }
                  PumaLengths l = form.puma;
                  l.d6 = 0;
                  return puma_ik(PumaConstants<Expr>(l), pose, arm, elbow, wrist);
                });
}

Graph ik_graph(const ClosedForm& form, const PumaArrangement& how) {
  return traced(form,
                [&](const Pose<Expr>& pose, const Expr& arm, const Expr& elbow, const Expr& wrist) {
                  PumaLengths l = form.puma;
                  l.d6 = 0;
                  return puma_ik(l, pose, arm, elbow, wrist, how);
                });
}

std::map<double, Quad> ik_constants(const ClosedForm& form) {
  auto listed = []<class T>(const PumaConstants<T>& k) {
    return std::array{
        k.d2_squared,       k.c1, k.c2, k.e, k.d4_a2, k.a3_a2, k.twice_forearm_squared,
        k.c1 - k.d2_squared};
  };
  PumaLengths l = form.puma;
  if (form.arm == ClosedForm::Arm::stanford) l.d2 = form.stanford.d2;  // the others are not used
  const auto coarse = listed(PumaConstants<double>(l));
  const auto fine = listed(PumaConstants<Quad>(l, Quad()));
  std::map<double, Quad> all;
  for (std::size_t k = 0; k < coarse.size(); ++k) all[std::abs(coarse[k])] = abs(fine[k]);
  return all;
}

}  // namespace parid::codegen
