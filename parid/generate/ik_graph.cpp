#include "parid/generate/ik_graph.hpp"

#include <array>

#include "parid/ir/expr.hpp"
#include "parid/ir/simplify.hpp"

namespace parid {

const std::vector<std::string> ik_signs = {"arm", "elbow", "wrist"};

namespace {

template <class Solve>
Graph traced(const Solve& solve) {
  Graph g;
  auto vector = [&](const std::string& name) {
    const Expr x = input(g, name + "x"), y = input(g, name + "y"), z = input(g, name + "z");
    return Vec3<Expr>{x, y, z};
  };
  const Vec3<Expr> p = vector("p"), o = vector("o"), a = vector("a");
  const Expr arm = input(g, ik_signs[0]), elbow = input(g, ik_signs[1]),
             wrist = input(g, ik_signs[2]);
  Pose<Expr> pose;
  pose.p = p;
  pose.R.r0 = {Expr(0.0), o.x, a.x};
  pose.R.r1 = {Expr(0.0), o.y, a.y};
  pose.R.r2 = {Expr(0.0), o.z, a.z};
  const ArmAngles<Expr> x = solve(pose, arm, elbow, wrist);
  for (std::size_t k = 0; k < 6; ++k) output(g, "q" + std::to_string(k + 1), x.q[k]);
  return simplify(g);
}

}  // namespace

Graph ik_graph(const ClosedForm& form) {
  return traced([&](const Pose<Expr>& pose, const Expr& arm, const Expr& elbow, const Expr& wrist) {
    if (form.arm == ClosedForm::Arm::stanford) {
      StanfordLengths l = form.stanford;
      l.d6 = 0;  // p is the wrist's centre
      return stanford_ik(l, pose, arm, elbow, wrist);
    }
    PumaLengths l = form.puma;
    l.d6 = 0;
    return puma_ik(PumaConstants<Expr>(l), pose, arm, elbow, wrist);
  });
}

Graph ik_graph(const PumaLengths& lengths, const PumaArrangement& how) {
  return traced([&](const Pose<Expr>& pose, const Expr& arm, const Expr& elbow, const Expr& wrist) {
    PumaLengths l = lengths;
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
  if (form.arm == ClosedForm::Arm::stanford) l.d2 = form.stanford.d2;  // the others are not asked
  const auto coarse = listed(PumaConstants<double>(l));
  const auto fine = listed(PumaConstants<Quad>(l, Quad()));
  std::map<double, Quad> all;
  for (std::size_t k = 0; k < coarse.size(); ++k) all[std::abs(coarse[k])] = abs(fine[k]);
  return all;
}

}  // namespace parid
