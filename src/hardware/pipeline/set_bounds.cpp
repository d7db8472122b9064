#include "hardware/pipeline/set_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "parid/error.hpp"

namespace parid::hardware {
namespace {

// At least x, if x is the result of up to three operations on numbers that are not negative.
double above(double x) { return x + x * 0x1p-50; }

// The largest magnitude of an eigenvalue of a symmetric matrix of `n` rows.
double spectral_norm(std::array<double, 9> m, int n) {
  auto at = [&](int r, int c) -> double& { return m[static_cast<std::size_t>(3 * r + c)]; };
  for (int sweep = 0; sweep < 8; ++sweep) {  // Jacobi rotations
    double off = 0, all = 0;
    for (int p = 0; p < n; ++p)
      for (int q = 0; q < n; ++q) (p == q ? all : off) += std::abs(at(p, q));
    if (off <= 1e-17 * all || off == 0) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (at(p, q) == 0) continue;
        const double h = (at(q, q) - at(p, p)) / (2 * at(p, q));
        const double t = (h < 0 ? -1 : 1) / (std::abs(h) + std::hypot(1, h)),
                     c = 1 / std::hypot(1, t), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double x = at(k, p), y = at(k, q);
          at(k, p) = c * x - s * y;
          at(k, q) = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = at(p, k), y = at(q, k);
          at(p, k) = c * x - s * y;
          at(q, k) = s * x + c * y;
        }
      }
  }
  double most = 0;  // by Gershgorin's discs: no less, whatever is left beside the diagonal
  for (int r = 0; r < n; ++r) {
    double row = 0;
    for (int c = 0; c < n; ++c) row += std::abs(at(r, c));
    most = std::max(most, row);
  }
  return most * (1 + 1e-14);
}

}  // namespace

double AngleForm::size() const { return std::abs(constant) + std::hypot(cosine, sine); }

std::size_t SetBounds::SetHash::operator()(const Set& s) const {
  std::size_t h = 0;
  for (const Id id : s) h = (h ^ id) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

SetBounds::SetBounds(const Graph& g, std::span<const Range> inputs)
    : g_(g),
      range_(g.size()),
      form_(g.size()),
      is_form_(g.size(), false),
      uses_(g.size(), 0),
      rounding_(g.size(), 0),
      error_(g.size(), 0),
      combination_(g.size()) {
  for (const Node& n : g_.nodes())
    if (n.op != Op::input && n.op != Op::constant)
      for (const Id in : n.operands()) ++uses_[in];
  for (const Named& o : g_.outputs()) ++uses_[o.id];
  classify();
  for (Id id = 0; id < g_.size(); ++id) {
    const std::vector<Term>& terms = combination(id).terms;
    for (std::size_t j = 0; j < terms.size(); ++j)
      for (std::size_t k = j + 1; k < terms.size(); ++k) {
        const AngleForm &x = terms[j].factor, &y = terms[k].factor;
        auto turns = [](const AngleForm& f) {
          return f.angle >= 0 || (std::abs(f.constant) != 1 && std::abs(f.constant) < 1);
        };
        if (terms[j].of != terms[k].of && x.angle == y.angle && turns(x) && turns(y))
          related_[std::uint64_t{std::min(terms[j].of, terms[k].of)} << 32 |
                   std::max(terms[j].of, terms[k].of)] = true;
      }
  }
  for (Id id = 0; id < g_.size(); ++id) range_of(id, inputs);
}
SetBounds::~SetBounds() = default;
SetBounds::SetBounds(SetBounds&&) noexcept = default;

// The values that are coefficients: numbers, and those that depend on one angle alone.
void SetBounds::classify() {
  for (Id id = 0; id < g_.size(); ++id) {
    const Node& n = g_[id];
    const Id a = n.in[0], b = n.in[1];
    AngleForm& f = form_[id];
    switch (n.op) {
      case Op::constant: f = {n.value(), 0, 0, -1}; break;
      case Op::cos: f = {0, 1, 0, static_cast<int>(a)}; break;
      case Op::sin: f = {0, 0, 1, static_cast<int>(a)}; break;
      case Op::neg:
        if (!is_form_[a]) continue;
        f = {-form_[a].constant, -form_[a].cosine, -form_[a].sine, form_[a].angle};
        break;
      case Op::mul: {
        if (!is_form_[a] || !is_form_[b] || (form_[a].angle >= 0 && form_[b].angle >= 0)) continue;
        const AngleForm& of = form_[a].angle >= 0 ? form_[a] : form_[b];
        const double by = form_[a].angle >= 0 ? form_[b].constant : form_[a].constant;
        f = {by * of.constant, by * of.cosine, by * of.sine, of.angle};
        break;
      }
      case Op::add:
      case Op::sub: {
        if (!is_form_[a] || !is_form_[b]) continue;
        const AngleForm &x = form_[a], &y = form_[b];
        if (x.angle >= 0 && y.angle >= 0 && x.angle != y.angle) continue;
        const double sign = n.op == Op::add ? 1 : -1;
        f = {x.constant + sign * y.constant, x.cosine + sign * y.cosine, x.sine + sign * y.sine,
             std::max(x.angle, y.angle)};
        break;
      }
      default: continue;
    }
    is_form_[id] = true;
  }
}

void SetBounds::range_of(Id id, std::span<const Range> inputs) {
  const Node& n = g_[id];
  Range& r = range_[id];
  const Id a = n.in[0], b = n.in[1];
  switch (n.op) {
    case Op::constant: r = {n.value(), n.value()}; return;
    case Op::input: r = inputs[n.in[0]]; return;
    case Op::sin:
    case Op::cos: r = {-1, 1}; return;
    case Op::neg: r = {-range_[a].high, -range_[a].low}; break;
    case Op::add: r = {range_[a].low + range_[b].low, range_[a].high + range_[b].high}; break;
    case Op::sub: r = {range_[a].low - range_[b].high, range_[a].high - range_[b].low}; break;
    case Op::mul: {
      const Range &x = range_[a], &y = range_[b];
      const double p[] = {x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high};
      r = {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
      if (a == b) r.low = std::max(r.low, 0.0);
      break;
    }
    default:
      throw Error(
          fmt::format("'{}' has no fixed-point unit with a proven range; use floating-point units",
                      row(n.op).name));
  }
  const double wide = above(r.size()) - r.size();
  if (wide > 0 && n.op != Op::neg) {
    r.low -= r.low == 0 ? 0 : wide;
    r.high += r.high == 0 ? 0 : wide;
  }
  const double most = size({id, none, none});
  r = {std::max(r.low, -most), std::min(r.high, most)};
}

// ---- combinations ----

void SetBounds::expand(Id root, Id x, const AngleForm& factor, Combination& c) const {
  const Node& n = g_[x];
  const bool inner = (x == root || uses_[x] == 1) && !is_form_[x];
  auto scaled = [&](double by) {
    return AngleForm{by * factor.constant, by * factor.cosine, by * factor.sine, factor.angle};
  };
  if (inner && (n.op == Op::add || n.op == Op::sub)) {
    c.split = true;
    c.roundings.emplace_back(x, factor.size());
    expand(root, n.in[0], factor, c);
    expand(root, n.in[1], scaled(n.op == Op::add ? 1 : -1), c);
    return;
  }
  if (inner && n.op == Op::neg) {
    c.split = true;
    c.roundings.emplace_back(x, factor.size());
    expand(root, n.in[0], scaled(-1), c);
    return;
  }
  if (inner && n.op == Op::mul)
    for (int k = 0; k < 2; ++k) {
      const Id t = n.in[k], y = n.in[1 - k];
      if (!is_form_[t] || (form_[t].angle >= 0 && factor.angle >= 0)) continue;
      const AngleForm& f = form_[t];
      const AngleForm product =
          f.angle >= 0 ? AngleForm{f.constant * factor.constant, f.cosine * factor.constant,
                                   f.sine * factor.constant, f.angle}
                       : scaled(f.constant);
      c.split = true;
      c.roundings.emplace_back(x, factor.size());
      c.wrong.push_back({t, y, factor.size()});
      expand(root, y, product, c);
      return;
    }
  for (Term& t : c.terms)
    if (t.of == x && (t.factor.angle < 0 || factor.angle < 0 || t.factor.angle == factor.angle)) {
      t.factor = {t.factor.constant + factor.constant, t.factor.cosine + factor.cosine,
                  t.factor.sine + factor.sine, std::max(t.factor.angle, factor.angle)};
      return;
    }
  c.terms.push_back({x, factor});
}

const SetBounds::Combination& SetBounds::combination(Id id) const {
  if (!combination_[id]) {
    auto c = std::make_unique<Combination>();
    expand(id, id, {1, 0, 0, -1}, *c);
    combination_[id] = std::move(c);
  }
  return *combination_[id];
}

// Whether two values may be coordinates of one vector: they are turned together, depend on the same
// values, or have a common factor.
bool SetBounds::related(Id a, Id b) const {
  if (a > b) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  const auto [at, fresh] = related_.try_emplace(key, false);
  if (!fresh) return at->second;
  if (g_[a].op == Op::mul && g_[b].op == Op::mul)
    for (const Id x : g_[a].operands())
      for (const Id y : g_[b].operands())
        if (x == y) return at->second = true;
  for (const Term& x : combination(a).terms)
    for (const Term& y : combination(b).terms)
      if (x.of == y.of) return at->second = true;
  return false;
}

// The set in terms of earlier values: the member computed last and those that share operands with
// it are replaced, or all members.
std::vector<std::pair<SetBounds::Matrix, std::vector<bool>>> SetBounds::matrices(
    const Set& s, int members) const {
  std::vector<std::pair<Matrix, std::vector<bool>>> all;
  for (int chosen = 1; chosen < 1 << members; ++chosen) {
    std::vector<bool> replaced;
    bool possible = true;
    for (int k = 0; k < members; ++k) {
      replaced.push_back(chosen >> k & 1);
      possible = possible && (!replaced.back() || combination(s[k]).split);
    }
    if (!possible) continue;
    Matrix m;
    auto put = [&](int row, Id of, const AngleForm& f) {
      for (Column& c : m.columns)
        if (c.of == of && (c.angle < 0 || f.angle < 0 || c.angle == f.angle)) {
          AngleForm& x = c.rows[static_cast<std::size_t>(row)];
          c.angle = std::max(c.angle, f.angle);
          x = {x.constant + f.constant, x.cosine + f.cosine, x.sine + f.sine,
               std::max(x.angle, f.angle)};
          return;
        }
      Column c{of, f.angle, {}};
      c.rows[static_cast<std::size_t>(row)] = f;
      m.columns.push_back(c);
    };
    for (int k = 0; k < members; ++k) {
      if (!replaced[static_cast<std::size_t>(k)]) {
        put(k, s[k], {1, 0, 0, -1});
        continue;
      }
      for (const Term& t : combination(s[k]).terms) put(k, t.of, t.factor);
    }
    all.emplace_back(std::move(m), replaced);
  }
  return all;
}

// sup over the angle of the norm of some columns, by the Fourier series of M Mᵀ or Mᵀ M.
double SetBounds::block_norm(const Matrix& m, std::span<const int> columns, int rows) const {
  const int k = static_cast<int>(columns.size());
  auto entry = [&](int r, int c) -> const AngleForm& {
    return m.columns[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])]
        .rows[static_cast<std::size_t>(r)];
  };
  double best = INFINITY;
  for (const bool by_rows : {true, false}) {
    const int n = by_rows ? rows : k, inner = by_rows ? k : rows;
    std::array<double, 9> mean{}, cosine{}, sine{}, cosine2{}, sine2{};
    for (int p = 0; p < n; ++p)
      for (int q = 0; q < n; ++q) {
        const auto at = static_cast<std::size_t>(3 * p + q);
        for (int j = 0; j < inner; ++j) {
          const AngleForm &x = by_rows ? entry(p, j) : entry(j, p),
                          &y = by_rows ? entry(q, j) : entry(j, q);
          mean[at] += x.constant * y.constant + (x.cosine * y.cosine + x.sine * y.sine) / 2;
          cosine[at] += x.constant * y.cosine + x.cosine * y.constant;
          sine[at] += x.constant * y.sine + x.sine * y.constant;
          cosine2[at] += (x.cosine * y.cosine - x.sine * y.sine) / 2;
          sine2[at] += (x.cosine * y.sine + x.sine * y.cosine) / 2;
        }
      }
    const double square = spectral_norm(mean, n) +
                          std::hypot(spectral_norm(cosine, n), spectral_norm(sine, n)) +
                          std::hypot(spectral_norm(cosine2, n), spectral_norm(sine2, n));
    best = std::min(best, std::sqrt(square) * (1 + 1e-14));
    if (rows == 1 || k == 1) {
      if (by_rows == (rows == 1)) break;  // the other has more rows and is no better
    }
  }
  return best;
}

// The least sum over all splits of the columns into blocks of up to three.
template <class Bound>
double SetBounds::least_split(const Matrix& m, int rows, double enough, Bound bound) const {
  constexpr int most_together = 9;
  const int n = static_cast<int>(m.columns.size());
  auto single = [&](int c) {
    const int one[] = {c};
    return above(block_norm(m, one, rows) * bound(Set{m.columns[c].of, none, none}));
  };
  double rest = 0;  // columns beyond those that are split
  std::vector<int> order(static_cast<std::size_t>(n));
  for (int c = 0; c < n; ++c) order[static_cast<std::size_t>(c)] = c;
  if (n > most_together) {
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return m.columns[a].angle != m.columns[b].angle ? m.columns[a].angle > m.columns[b].angle
                                                      : m.columns[a].of > m.columns[b].of;
    });
    for (int k = most_together; k < n; ++k)
      rest = above(rest + single(order[static_cast<std::size_t>(k)]));
    order.resize(most_together);
    if (rest >= enough) return INFINITY;
  }
  const int count = static_cast<int>(order.size());
  std::vector<double> least(std::size_t{1} << count, INFINITY);
  least[0] = rest;
  std::unordered_map<int, double> block;  // by its columns' bits
  auto of_block = [&](int bits) {
    const auto [at, fresh] = block.try_emplace(bits, INFINITY);
    if (!fresh) return at->second;
    std::array<int, 3> columns{};
    Set s{none, none, none};
    int k = 0, angle = -1, links = 0;
    for (int c = 0; c < count; ++c)
      if (bits >> c & 1) {
        const Column& column = m.columns[order[static_cast<std::size_t>(c)]];
        if (angle >= 0 && column.angle >= 0 && column.angle != angle) return at->second;
        angle = std::max(angle, column.angle);
        for (int j = 0; j < k; ++j) {
          if (s[static_cast<std::size_t>(j)] == column.of) return at->second;
          links += related(s[static_cast<std::size_t>(j)], column.of) ? 1 : 0;
        }
        columns[static_cast<std::size_t>(k)] = order[static_cast<std::size_t>(c)];
        s[static_cast<std::size_t>(k++)] = column.of;
      }
    if (links < k - 1) return at->second;
    std::sort(s.begin(), s.begin() + k);
    const double norm = block_norm(m, {columns.data(), static_cast<std::size_t>(k)}, rows);
    if (k > 1 && rows > 1) {  // columns of a rotation or in different rows; others are no better
      double longest = 0;
      for (int j = 0; j < k; ++j)
        longest =
            std::max(longest, block_norm(m, {&columns[static_cast<std::size_t>(j)], 1}, rows));
      if (norm > 1.05 * longest) return at->second;
    }
    return block[bits] = norm == 0 ? 0 : above(norm * bound(s));
  };
  for (int set = 1; set < 1 << count; ++set) {
    const int first = std::countr_zero(static_cast<unsigned>(set)), bit = 1 << first;
    double& best = least[static_cast<std::size_t>(set)];
    auto take = [&](int bits) {
      const double left = least[static_cast<std::size_t>(set ^ bits)];
      if (left < best) best = std::min(best, above(left + of_block(bits)));
    };
    take(bit);
    for (int a = first + 1; a < count; ++a) {
      if (!(set >> a & 1)) continue;
      take(bit | 1 << a);
      for (int b = a + 1; b < count; ++b)
        if (set >> b & 1) take(bit | 1 << a | 1 << b);
    }
  }
  return least.back();
}

bool SetBounds::common_factor(const Set& s, int members, Id& factor, Set& others) const {
  for (int k = 0; k < members; ++k)
    if (g_[s[k]].op != Op::mul) return false;
  for (int side = 0; side < 2; ++side) {
    const Id f = g_[s[0]].in[side];
    bool all = true;
    others = {none, none, none};
    for (int k = 0; k < members && all; ++k) {
      const Node& n = g_[s[k]];
      all = n.in[0] == f || n.in[1] == f;
      others[k] = n.in[0] == f ? n.in[1] : n.in[0];
      for (int j = 0; j < k; ++j) all = all && others[j] != others[k];
    }
    if (!all) continue;
    factor = f;
    std::sort(others.begin(), others.begin() + members);
    return true;
  }
  return false;
}

namespace {

template <class Set>
int members_of(const Set& s, Id none) {
  return static_cast<int>(std::find(s.begin(), s.end(), none) - s.begin());
}

}  // namespace

// ---- the two bounds ----

double SetBounds::size(const Set& s) const {
  const int members = members_of(s, none);
  if (const auto known = size_memo_.find(s); known != size_memo_.end()) return known->second;
  double squares = 0;
  for (int k = 0; k < members; ++k) {
    const double one = is_form_[s[k]] ? std::min(range_[s[k]].size(), above(form_[s[k]].size()))
                                      : range_[s[k]].size();
    squares += one * one;
  }
  double best = members == 1 ? range_[s[0]].size() : above(std::sqrt(above(squares)));
  if (members == 1 && is_form_[s[0]]) best = std::min(best, above(form_[s[0]].size()));
  Id factor = 0;
  Set others;
  if (members > 1 && common_factor(s, members, factor, others))
    best = std::min(best, above(range_[factor].size() * size(others)));
  for (const auto& [m, replaced] : matrices(s, members))
    best = std::min(best, least_split(m, members, best, [&](const Set& b) { return size(b); }));
  size_memo_.emplace(s, best);
  return best;
}

void SetBounds::restart() {
  error_memo_.clear();
  std::fill(error_.begin(), error_.end(), 0);
  std::fill(rounding_.begin(), rounding_.end(), 0);
}

double SetBounds::brought(Id id) const {
  const Node& n = g_[id];
  const Id a = n.in[0], b = n.in[1];
  double direct = 0;
  switch (n.op) {
    case Op::constant:
    case Op::input: return 0;
    case Op::sin:
    case Op::cos:
    case Op::neg: direct = error_[a]; break;
    case Op::add:
    case Op::sub: direct = above(error_[a] + error_[b]); break;
    default:
      direct = above(above(range_[a].size() * error_[b] + range_[b].size() * error_[a]) +
                     error_[a] * error_[b]);
  }
  if (n.op == Op::sin || n.op == Op::cos) return direct;
  const double together = error({id, none, none});  // without its own rounding, still zero
  error_memo_.erase({id, none, none});
  return std::min(direct, together);
}

void SetBounds::round(Id id, double rounding) {
  const double before = brought(id);
  rounding_[id] = rounding;
  error_[id] = above(before + rounding);
  error_memo_[{id, none, none}] = error_[id];
}

double SetBounds::error(const Set& s) const {
  const int members = members_of(s, none);
  if (const auto known = error_memo_.find(s); known != error_memo_.end()) return known->second;
  double squares = 0;
  for (int k = 0; k < members; ++k) squares += error_[s[k]] * error_[s[k]];
  // Of a single value that is being computed, this is not known yet.
  double best = members == 1 ? INFINITY : above(std::sqrt(above(squares)));
  if (best == 0) return error_memo_[s] = 0;
  Id factor = 0;
  Set others;
  if (members > 1 && common_factor(s, members, factor, others)) {
    double own = 0;
    for (int k = 0; k < members; ++k) own += rounding_[s[k]] * rounding_[s[k]];
    const double far = error(others);
    best = std::min(best, above(above(range_[factor].size() * far + error_[factor] * size(others)) +
                                above(error_[factor] * far + std::sqrt(above(own)))));
  }
  for (const auto& [m, replaced] : matrices(s, members)) {
    double noise = 0;
    for (int k = 0; k < members; ++k) {
      if (!replaced[static_cast<std::size_t>(k)]) continue;
      const Combination& c = combination(s[k]);
      double row = 0;
      for (const auto& [of, gain] : c.roundings) row = above(row + gain * rounding_[of]);
      for (const auto& w : c.wrong)
        row = above(row + above(w.gain * error_[w.coefficient]) *
                              above(range_[w.of].size() + error_[w.of]));
      noise = above(noise + row * row);
    }
    noise = above(std::sqrt(noise));
    if (noise >= best) continue;
    const double carried =
        least_split(m, members, best - noise, [&](const Set& b) { return error(b); });
    best = std::min(best, above(noise + carried));
  }
  error_memo_[s] = best;
  return best;
}

}  // namespace parid::hardware
