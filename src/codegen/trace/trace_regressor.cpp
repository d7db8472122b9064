// tau = Y · parameters + rotors. The parameters are in the frames of the user's links, or a
// subset of them (base parameters), and with friction each joint's viscous and Coulomb
// coefficient.

#include "dynamics/regressor.hpp"

#include "codegen/trace/scene.hpp"
#include "codegen/trace/trace.hpp"
#include "dynamics/link_parameters.hpp"
#include "model/joint/friction.hpp"

namespace parid::codegen {

Graph regressor(const Tracing& t) {
  Graph g;
  const int n = t.c.nv;
  const Exprs q = inputs(g, "q", t.c.nq), v = inputs(g, "v", n), a = inputs(g, "a", n);
  const Scene scene(t, g);
  Regressor<Expr> regressor(t.c, link_frames(t.robot));
  scene.act_on(regressor.at.motion);
  Exprs all(n * regressor.columns());
  regressor(q.data(), v.data(), a.data(), all.data());

  const std::vector<int> links = links_with_parameters(t.robot);
  std::vector<int> columns;
  for (const int i : links)
    for (int k = 0; k < 10; ++k) columns.push_back(10 * (i - 1) + k);
  if (t.options.choice) {
    std::vector<int> chosen;
    for (const int k : t.options.choice->kept) chosen.push_back(columns[k]);
    columns = chosen;
  }
  Exprs Y;
  for (int r = 0; r < n; ++r) {
    for (const int k : columns) Y.push_back(all[r * regressor.columns() + k]);
    if (!t.options.friction) continue;
    const FrictionColumns<Expr> own = friction_columns(v[r]);
    for (const Expr& x : {own.viscous, own.coulomb})
      for (int k = 0; k < n; ++k) Y.push_back(k == r ? x : Expr(0.0));
  }
  outputs(g, "Y", Y);
  return t.lean(g);
}

}  // namespace parid::codegen
