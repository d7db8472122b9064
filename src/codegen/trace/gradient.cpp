#include "codegen/trace/gradient.hpp"

#include "graph/passes.hpp"
#include "model/joint/manifold.hpp"

namespace parid::codegen {
namespace {

using Exprs = std::vector<Expr>;

// The inputs of a graph whose names are a letter and a number, in the other graph.
Exprs inputs(const Graph& from, Graph& to, char letter) {
  Exprs x;
  for (const Named& i : from.inputs())
    if (i.name[0] == letter && i.name.find_first_not_of("0123456789", 1) == std::string::npos)
      x.push_back(input(to, i.name));
  return x;
}

}  // namespace

std::vector<Exprs> directions(const Description& d, const Exprs& q, std::size_t nv) {
  std::vector<Exprs> rows(nv, Exprs(q.size()));
  std::size_t k = 0, l = 0;  // the joint's first position and velocity
  for (const JointDescription& j : d.joints) {
    if (j.mimic) continue;
    const std::size_t nq_here = position_count(j.type), nv_here = velocity_count(j.type);
    if (nq_here == nv_here) {
      for (std::size_t h = 0; h < nv_here; ++h) rows[l + h][k + h] = Expr(1.0);
    } else {
      const std::size_t p = nq_here - 4;  // 3 for a floating joint
      const auto turn = detail::quaternion(q.data() + k + p);
      for (int axis = 0; axis < 3; ++axis) {
        auto unit = [axis](double x) {
          return Vec3<Expr>{Expr(axis == 0 ? x : 0), Expr(axis == 1 ? x : 0),
                            Expr(axis == 2 ? x : 0)};
        };
        if (p == 3) {
          const Vec3<Expr> r = detail::turned(turn, unit(1));
          Exprs& row = rows[l + axis];
          row[k] = r.x;
          row[k + 1] = r.y;
          row[k + 2] = r.z;
        }
        detail::put(turn * detail::Quaternion<Expr>{unit(0.5), Expr(0.0)},
                    rows[l + p + axis].data() + k + p);
      }
    }
    k += nq_here;
    l += nv_here;
  }
  return rows;
}

namespace {

bool is_zero(const Expr& e) { return e.is_number() && e.number() == 0; }

Exprs along(const Exprs& J, const std::vector<Exprs>& directions, std::size_t rows) {
  const std::size_t nq = directions[0].size();
  Exprs r(rows * directions.size());
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < directions.size(); ++k)
      for (std::size_t j = 0; j < nq; ++j)
        if (!is_zero(directions[k][j])) {
          Expr& sum = r[i * directions.size() + k];
          const Expr term = directions[k][j] * J[i * nq + j];
          sum = is_zero(sum) ? term : sum + term;
        }
  return r;
}

void outputs(Graph& g, const char* name, const Exprs& x) {
  for (std::size_t k = 0; k < x.size(); ++k) output(g, name + std::to_string(k + 1), x[k]);
}

}  // namespace

Graph gradient_of(const Description& description, const Graph& inverse, const Graph& mass,
                  ChainRule way, MassFrom mass_from) {
  Graph g(inverse.limit());
  const Exprs q = inputs(inverse, g, 'q'), v = inputs(inverse, g, 'v'), a = inputs(inverse, g, 'a');
  const std::size_t n = v.size();
  const std::vector<Exprs> lead = directions(description, q, n);
  const Exprs M = appended(mass, g), tau = appended(inverse, g);
  Exprs dq(n * n), dv, da;
  if (way == ChainRule::reverse) {
    Exprs all = q;  // at once, so that rows are swept once
    all.insert(all.end(), v.begin(), v.end());
    all.insert(all.end(), a.begin(), a.end());
    const Exprs J = jacobian(tau, all, way);
    Exprs by_q;
    for (std::size_t i = 0; i < n; ++i) {
      const auto row = J.begin() + static_cast<std::ptrdiff_t>(i * all.size());
      const auto to_v = row + static_cast<std::ptrdiff_t>(q.size()),
                 to_a = to_v + static_cast<std::ptrdiff_t>(n);
      by_q.insert(by_q.end(), row, to_v);
      dv.insert(dv.end(), to_v, to_a);
      da.insert(da.end(), to_a, to_a + static_cast<std::ptrdiff_t>(n));
    }
    dq = along(by_q, lead, n);
  } else {
    for (std::size_t k = 0; k < n; ++k) {
      const Exprs column = jacobian_vector(tau, q, lead[k]);
      for (std::size_t i = 0; i < n; ++i) dq[i * n + k] = column[i];
    }
    dv = jacobian(tau, v, way);
    da = jacobian(tau, a, way);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (mass_from == MassFrom::composite) da[i * n + j] = M[i * n + j];
      if (mass_from == MassFrom::lower && j > i) da[i * n + j] = da[j * n + i];
      if (mass_from == MassFrom::upper && j < i) da[i * n + j] = da[j * n + i];
    }
  outputs(g, "dq", dq);
  outputs(g, "dv", dv);
  outputs(g, "da", da);
  return g;
}

}  // namespace parid::codegen
