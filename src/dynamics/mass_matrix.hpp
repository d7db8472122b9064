// The mass matrix, by composite bodies.
//
// Source   Walker and Orin: Efficient dynamic computer simulation of robotic mechanisms, ASME J.
//          Dyn. Sys. Meas. Control 104 (1982) 205-211, third method; for trees Featherstone (2008),
//          "CRBA".
// Order    O(n d), d the depth of the tree.
//
// Column b: all joints except b are fixed. The links beyond b are one body, and the force that
// gives it a unit acceleration acts on every freedom between b and the base, and on no other.

#pragma once

#include "dynamics/composite.hpp"
#include "dynamics/layer.hpp"

namespace parid::dynamics {

// In the mechanism's freedoms: H[b·stride + a] for every freedom a on the path from b to the base,
// b itself included (with its rotor). Other entries are not written.
template <class T>
void mass_by_freedoms(const CanonicalModel& c, const Composites<T>& composite, const State<T>& at,
                      T* H, int stride) {
  for (int i = 1; i <= c.topology.n; ++i)
    for (int b = c.first[i]; b < c.first[i + 1]; ++b) {
      T* row = H + b * stride;
      Wrench<T> w = unit_force(composite[i], c.freedom[b].axis);
      for (int a = c.first[i]; a <= b; ++a) row[a] = component(w, c.freedom[a].axis);
      row[b] = row[b] + T(c.freedom[b].rotor_inertia);
      for (int j = i, above; (above = c.topology.parent[j]) > 0; j = above) {
        w = on_parent(at.R(j), at.p(j), w);
        for (int a = c.first[above]; a < c.first[above + 1]; ++a)
          row[a] = component(w, c.freedom[a].axis);
      }
    }
}

// The same in the user's full, symmetric, row-major (nv, nv) matrix M.
template <class T>
void to_user(const CanonicalModel& c, const State<T>& at, const T* H, int stride, T* M) {
  const int n = c.nv, m = static_cast<int>(c.freedom.size());
  for (int k = 0; k < n * n; ++k) M[k] = T(0.0);
  for (int b = 0; b < m; ++b) {
    const Freedom& y = c.freedom[b];
    for (int a = b; a >= 0; a = c.freedom[a].parent) {
      const Freedom& x = c.freedom[a];
      if (c.has_mimic) [[unlikely]] {
        const T entry = scale_of(at, x, y) * H[b * stride + a];
        T &one = M[x.column * n + y.column], &other = M[y.column * n + x.column];
        one = one + entry;
        if (a != b) other = other + entry;
      } else {
        M[x.column * n + y.column] = M[y.column * n + x.column] = H[b * stride + a];
      }
    }
  }
}

template <Scalar T>
class MassMatrix {
 public:
  explicit MassMatrix(const CanonicalModel& c)
      : at(c), composite_(c.topology.n), H_(c.freedom.size() * c.freedom.size(), T(0.0)) {}

  // M: (nv, nv), row-major, full.
  void operator()(const T* q, T* M) {
    at.load(q);
    evaluate(M);
  }
  void evaluate(T* M) {  // requires a loaded state
    const int m = static_cast<int>(at.c.freedom.size());
    composite_.gather(at.mechanism, at.motion);
    mass_by_freedoms(at.c, composite_, at.motion, H_.data(), m);
    to_user(at.c, at.motion, H_.data(), m, M);
  }

  ModelState<T> at;

 private:
  Composites<T> composite_;
  std::vector<T> H_;
};

}  // namespace parid::dynamics
