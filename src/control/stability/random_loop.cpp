#include "control/stability/random_loop.hpp"

#include <cmath>

#include "control/law.hpp"
#include "control/stability/spectral_radius.hpp"
#include "math/dense.hpp"
#include "scalar/dual.hpp"

namespace parid::control {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;
using DualNumber = Dual<12>;
using DualLink = StaleLink<DualNumber>;

Vec3<DualNumber> DualLink::*part_of(Stale variable) {
  switch (variable) {
    case Stale::w: return &DualLink::w;
    case Stale::wd: return &DualLink::wd;
    case Stale::e: return &DualLink::e;
    case Stale::f: return &DualLink::f;
    default: return &DualLink::n;
  }
}

class LawProbe {
 public:
  LawProbe(const LawDesign& d, const Desired& here)
      : n_(d.model.nv()),
        c_(d.model.canonical()),
        here_(here),
        law_(c_, law_kind(d.law), d.gains),
        q_(static_cast<std::size_t>(n_)),
        v_(q_),
        tau_(q_) {
    Policy p = d.policy;
    p.by_chance = p.predict_torque = false;
    p.delay = 0;
    law_.set_policy(p);
    find_readings(p);
  }

  LawParts parts() {
    const Index all = static_cast<Index>(3 * readings_.size()), two_n = 2 * n_;
    LawParts l{n_,
               readings_,
               MatrixXd::Zero(all, two_n),
               MatrixXd::Zero(all, all),
               MatrixXd::Zero(n_, two_n),
               MatrixXd::Zero(n_, all)};
    for (Index first = 0; first < two_n + all; first += 12) run(l, first);
    return pruned(std::move(l));
  }

 private:
  // Outwards from the base, then inwards from the tips: a value is made of readings before it.
  void find_readings(const Policy& p) {
    const auto parent = [&](int i) { return c_.topology.parent[static_cast<std::size_t>(i)]; };
    const auto old = [&](Stale s) { return p[s].neighbour == 1; };
    for (int i = 1; i <= c_.topology.n; ++i) {
      const int j = parent(i);
      if (j == 0) continue;
      if (old(Stale::w)) readings_.push_back({Stale::w, i, j, i, j});
      if (old(Stale::wd)) readings_.push_back({Stale::wd, i, j, i, j});
      if (old(Stale::e)) readings_.push_back({Stale::e, i, i, i, j});
    }
    for (int j = c_.topology.n; j >= 1; --j)
      for (int i = 1; i <= c_.topology.n; ++i) {
        if (parent(i) != j) continue;
        if (old(Stale::f)) readings_.push_back({Stale::f, i, i, j, i});
        if (old(Stale::n)) readings_.push_back({Stale::n, i, i, j, i});
      }
  }

  DualNumber& component(const RandomReading& r, Index axis) {
    static constexpr DualNumber Vec3<DualNumber>::*axes[] = {
        &Vec3<DualNumber>::x, &Vec3<DualNumber>::y, &Vec3<DualNumber>::z};
    return law_.recursion.now(r.source).*part_of(r.variable).*axes[axis];
  }

  // Derivatives by twelve of: positions, velocities, readings' components.
  void run(LawParts& l, Index first) {
    const Index two_n = 2 * n_;
    for (std::size_t k = 0; k < q_.size(); ++k) {
      q_[k] = DualNumber(here_.q[k]);
      v_[k] = DualNumber(here_.v[k]);
    }
    law_.start(here_, here_, q_.data(), v_.data(), tau_.data());
    for (Index c = first; c < first + 12 && c < two_n + l.numbers(); ++c) {
      const auto d = static_cast<std::size_t>(c - first);
      if (c < two_n) {
        (c < n_ ? q_[static_cast<std::size_t>(c)] : v_[static_cast<std::size_t>(c - n_)]).d[d] = 1;
      } else {
        const RandomReading& r = readings_[static_cast<std::size_t>((c - two_n) / 3)];
        component(r, (c - two_n) % 3).d[d] = 1;
      }
    }
    law_.step(here_, here_, q_.data(), v_.data(), tau_.data());
    for (Index c = first; c < first + 12 && c < two_n + l.numbers(); ++c) {
      const auto d = static_cast<std::size_t>(c - first);
      const RandomReading* by =
          c < two_n ? nullptr : &readings_[static_cast<std::size_t>((c - two_n) / 3)];
      for (std::size_t k = 0; k < readings_.size(); ++k) {
        const RandomReading& r = readings_[k];
        if (by != nullptr && r.maker != by->reader) continue;  // another reader's share
        for (Index a = 0; a < 3; ++a) {
          const double x = component(r, a).d[d];
          const Index row = 3 * static_cast<Index>(k) + a;
          (by == nullptr ? l.C(row, c) : l.D(row, c - two_n)) = x;
        }
      }
      if (by == nullptr) {
        for (Index k = 0; k < n_; ++k) l.E(k, c) = tau_[static_cast<std::size_t>(k)].d[d];
      } else if (law_.has_model()) {
        const JointPlace& j = c_.joint[static_cast<std::size_t>(by->reader)];
        l.F(j.velocity, c - two_n) +=
            scale_of(law_.motion, j).value *
            law_.joint_torques()[static_cast<std::size_t>(by->reader)].d[d];
      }
    }
  }

  // Without components that are always zero or change nothing.
  LawParts pruned(LawParts l) const {
    const Index all = l.numbers();
    std::vector<bool> kept(static_cast<std::size_t>(all), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (Index k = 0; k < all; ++k) {
        if (!kept[static_cast<std::size_t>(k)]) continue;
        bool made = !l.C.row(k).isZero(0), used = !l.F.col(k).isZero(0);
        for (Index j = 0; j < all; ++j) {
          if (!kept[static_cast<std::size_t>(j)]) continue;
          made |= l.D(k, j) != 0;
          used |= l.D(j, k) != 0;
        }
        if (made && used) continue;
        kept[static_cast<std::size_t>(k)] = false;
        changed = true;
      }
    }
    std::vector<Index> which;
    std::vector<RandomReading> readings;
    for (std::size_t r = 0; r < l.readings.size(); ++r) {
      RandomReading x = l.readings[r];
      x.first = static_cast<int>(which.size());
      for (Index a = 0; a < 3; ++a)
        if (const Index k = 3 * static_cast<Index>(r) + a; kept[static_cast<std::size_t>(k)])
          which.push_back(k);
      x.size = static_cast<int>(which.size()) - x.first;
      if (x.size > 0) readings.push_back(x);
    }
    return {l.n,
            readings,
            l.C(which, Eigen::all),
            l.D(which, which),
            std::move(l.E),
            l.F(Eigen::all, which)};
  }

  int n_;
  const CanonicalModel& c_;
  Desired here_;
  StaleLaw<DualNumber> law_;
  std::vector<DualNumber> q_, v_, tau_;
  std::vector<RandomReading> readings_;
};

}  // namespace

LawParts law_parts(const LawDesign& design, const Desired& here) {
  return LawProbe(design, here).parts();
}

LawParts of_states(LawParts law, const LinearPlant& plant) {
  if (plant.C.empty()) return law;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Index measured = law.E.cols();
  const MatrixXd C = Eigen::Map<const RowMajor>(plant.C.data(), measured,
                                                static_cast<Index>(plant.C.size()) / measured);
  law.C = (law.C * C).eval();
  law.E = (law.E * C).eval();
  return law;
}

void RandomLoop::close(const HeldPlant& held, const MatrixXd& r_xi, const MatrixXd& r_w,
                       MatrixXd& loop_A, MatrixXd& loop_B) const {
  const Index two_n = this->plant();
  MatrixXd y = law.D * r_xi, tau = law.F * r_xi;
  y.leftCols(two_n) += law.C;
  tau.leftCols(two_n) += law.E;
  loop_A = MatrixXd::Zero(N(), N());
  loop_A.topLeftCorner(two_n, two_n) = held.A;
  loop_A.middleRows(two_n, p()) = y;
  const double now = policy.delay == 0 ? (policy.predict_torque ? 2 : 1) : 0;
  loop_A.topRows(two_n) += now * held.B * tau;
  for (int k = 0; k < late; ++k) {
    const Index at = two_n + p() + n() * k;
    const double share = k + 1 == policy.delay ? (policy.predict_torque ? 2 : 1)
                         : k == policy.delay   ? -1
                                               : 0;
    loop_A.block(0, at, two_n, n()) += share * held.B;
    if (k == 0)
      loop_A.middleRows(at, n()) = tau;
    else
      loop_A.block(at, at - n(), n(), n()).setIdentity();
  }
  if (r_w.size() == 0) return;
  loop_B = MatrixXd::Zero(N(), r_w.cols());
  loop_B.topRows(two_n) = now * held.B * (law.F * r_w);
  loop_B.middleRows(two_n, p()) = law.D * r_w;
  if (late > 0) loop_B.middleRows(two_n + p(), n()) = law.F * r_w;
}

MatrixXd RandomLoop::step(const HeldPlant& plant, const std::vector<bool>& now) const {
  VectorXd S = VectorXd::Zero(p());
  for (std::size_t j = 0; j < now.size(); ++j)
    if (now[j]) S.segment(law.readings[j].first, law.readings[j].size).setOnes();
  MatrixXd r = MatrixXd::Zero(p(), N());
  const Index two_n = this->plant();
  r.leftCols(two_n) = S.asDiagonal() * law.C;
  for (Index k = 0; k < p(); ++k) r(k, two_n + k) += 1 - S[k];
  const MatrixXd L = MatrixXd::Identity(p(), p()) - MatrixXd(S.asDiagonal() * law.D);
  r = solve_unit_lower(L, r);
  MatrixXd made, none;
  close(plant, r, MatrixXd(), made, none);
  return made;
}

Channel RandomLoop::channel(const HeldPlant& plant) const {
  const Index two_n = this->plant();
  MatrixXd y = MatrixXd::Zero(p(), N()), y_w = 0.5 * law.D;
  y.leftCols(two_n) = law.C;
  y.middleCols(two_n, p()) += 0.5 * law.D;
  const MatrixXd L = MatrixXd::Identity(p(), p()) - 0.5 * law.D;
  y = solve_unit_lower(L, y);
  y_w = solve_unit_lower(L, y_w);
  MatrixXd r = 0.5 * y, r_w = 0.5 * y_w;
  r_w.diagonal().array() += 0.5;
  Channel c;
  for (Index k = 0; k < p(); ++k) {
    r(k, two_n + k) += 0.5;
    y(k, two_n + k) -= 1;
  }
  close(plant, r, r_w, c.A, c.B);
  c.C = y;
  c.H = y_w;
  return c;
}

double radius_of(const MatrixXd& A) {
  if (!A.allFinite()) return INFINITY;
  if (A.rows() <= 150) return spectral_radius(A);
  auto apply = [&](const double* x, double* y) {
    Eigen::Map<VectorXd>(y, A.rows()) = A * Eigen::Map<const VectorXd>(x, A.rows());
  };
  return spectral_radius(static_cast<int>(A.rows()), apply, 40);
}

}  // namespace parid::control
