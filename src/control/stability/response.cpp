#include "control/stability/response.hpp"

#include <algorithm>
#include <cmath>

#include "control/law.hpp"
#include "scalar/dual.hpp"

namespace parid::control {
namespace {

constexpr int packed = 12;  // derivatives per evaluation: as many as six joints need
using Number = Dual<packed>;

// Computes one set column by column: the response in the periods after a change in period `phase`.
class Probe {
 public:
  Probe(const LawDesign& d, const Nominal& nominal)
      : n_(d.model.nv()),
        nominal_(nominal),
        law_(d.model.canonical(), law_kind(d.law), d.gains),
        q_(n_),
        v_(n_),
        tau_(n_) {
    law_.set_policy(d.policy);
    quiet_ = law_.recursion.kept() + d.policy.delay + 2;
  }

  // rows[m] is the response m periods later, (n, 2n).
  std::vector<std::vector<double>> answers(int phase, bool moving) {
    std::vector<std::vector<double>> rows;
    for (int first = 0; first < 2 * n_; first += packed) {
      // Along a motion, starts as many periods earlier as the recursion's memory in both sweeps.
      const int before =
          moving ? (2 * n_ + 3) * law_.recursion.kept() + law_.recursion.policy().delay + 4 : 1;
      law_.recursion.period = phase + (before / Policy::round + 2L) * Policy::round - before - 1;
      measure(-before);
      law_.start(now_, next_, q_.data(), v_.data(), tau_.data());
      for (int j = -before + 1; j < 0; ++j) step(j);
      int silent = 0;
      for (int m = 0; silent < quiet_ || static_cast<std::size_t>(m) < rows.size(); ++m) {
        step(m, m == 0 ? first : -1);
        if (rows.size() <= static_cast<std::size_t>(m))
          rows.emplace_back(static_cast<std::size_t>(n_) * 2 * n_, 0.0);
        bool heard = false;
        for (int k = 0; k < n_; ++k)
          for (int c = first; c < std::min(first + packed, 2 * n_); ++c) {
            const double g = tau_[k].d[static_cast<std::size_t>(c - first)];
            rows[m][static_cast<std::size_t>(k) * 2 * n_ + c] = g;
            heard |= g != 0;
          }
        silent = heard || remembered() ? 0 : silent + 1;
      }
    }
    while (rows.size() > 1 &&
           std::all_of(rows.back().begin(), rows.back().end(), [](double x) { return x == 0; }))
      rows.pop_back();
    return rows;
  }

 private:
  // Whether a variable of this period has changed, even if no torque has.
  bool remembered() {
    using Link = StaleLink<Number>;
    for (int i = 1; i <= law_.mechanism.n; ++i)
      for (const auto part :
           {&Link::w, &Link::wd, &Link::alpha, &Link::e, &Link::ac, &Link::f, &Link::n}) {
        const Vec3<Number>& v = law_.recursion.now(i).*part;
        for (const Number* x : {&v.x, &v.y, &v.z})
          if (std::any_of(x->d.begin(), x->d.end(), [](double d) { return d != 0; })) return true;
      }
    return false;
  }
  void measure(int j) {
    now_ = nominal_(j);
    next_ = nominal_(j + 1);
    for (int k = 0; k < n_; ++k) {
      q_[k] = Number(now_.q[k]);
      v_[k] = Number(now_.v[k]);
    }
  }
  // Evaluates period j. The change starts in period `first`; -1: there is none.
  void step(int j, int first = -1) {
    measure(j);
    for (int c = first; first >= 0 && c < std::min(first + packed, 2 * n_); ++c)
      (c < n_ ? q_[c] : v_[c - n_]).d[static_cast<std::size_t>(c - first)] = 1;
    law_.step(now_, next_, q_.data(), v_.data(), tau_.data());
  }

  int n_;
  int quiet_ = 0;  // periods without a change after which the memory is empty
  const Nominal& nominal_;
  StaleLaw<Number> law_;
  Desired now_, next_;
  std::vector<Number> q_, v_, tau_;
};

Response gathered(const LawDesign& design, const Nominal& nominal, bool moving) {
  demand_single_freedoms(design.model);
  Response r;
  r.n = design.model.nv();
  r.phases = design.policy.by_chance ? Policy::round : 1;
  std::vector<std::vector<std::vector<double>>> all;
  for (int phase = 0; phase < r.phases; ++phase) {
    all.push_back(Probe(design, nominal).answers(phase, moving));
    r.lags = std::max(r.lags, static_cast<int>(all.back().size()));
  }
  const std::size_t one = static_cast<std::size_t>(r.n) * 2 * r.n;
  r.G.resize(static_cast<std::size_t>(r.phases) * r.lags * one);
  for (int phase = 0; phase < r.phases; ++phase)
    for (std::size_t m = 0; m < all[phase].size(); ++m) {
      const auto heard = (static_cast<std::size_t>(phase) + m) % r.phases;
      std::copy(all[phase][m].begin(), all[phase][m].end(),
                r.G.begin() + static_cast<std::ptrdiff_t>((heard * r.lags + m) * one));
    }
  return r;
}

}  // namespace

Response response(const LawDesign& design, std::span<const double> q) {
  const std::vector<double> none(static_cast<std::size_t>(design.model.nv()));
  auto here = [&](int) -> Desired { return {{q.begin(), q.end()}, none, none}; };
  return gathered(design, here, false);
}

Response response(const LawDesign& design, const Nominal& nominal) {
  return gathered(design, nominal, true);
}

}  // namespace parid::control
