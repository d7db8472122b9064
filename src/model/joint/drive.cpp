#include "model/joint/drive.hpp"

#include <algorithm>
#include <cmath>

namespace parid::model {
namespace {

using Points = std::vector<std::array<double, 2>>;

// Second derivatives of the natural spline at its points: zero at the ends, and between them
//   h₀ m₀ + 2 (h₀ + h₁) m₁ + h₁ m₂ = 6 (slope₁ - slope₀)
std::vector<double> curvatures(const Points& p) {
  const std::size_t n = p.size();
  std::vector<double> m(n, 0.0), upper(n, 0.0);
  for (std::size_t k = 1; k + 1 < n; ++k) {  // elimination
    const double h0 = p[k][0] - p[k - 1][0], h1 = p[k + 1][0] - p[k][0];
    const double turn = (p[k + 1][1] - p[k][1]) / h1 - (p[k][1] - p[k - 1][1]) / h0;
    const double pivot = 2 * (h0 + h1) - h0 * upper[k - 1];
    upper[k] = h1 / pivot;
    m[k] = (6 * turn - h0 * m[k - 1]) / pivot;
  }
  for (std::size_t k = n - 1; k-- > 1;) m[k] -= upper[k] * m[k + 1];  // and back
  return m;
}

}  // namespace

std::vector<EfficiencyPiece> efficiency_pieces(const Drive& drive) {
  const Points& p = drive.efficiency;
  if (p.empty()) return {EfficiencyPiece{}};
  if (p.size() == 1) return {EfficiencyPiece{0, {p[0][1], 0, 0, 0}}};
  const std::vector<double> m = drive.interpolation == Interpolation::spline
                                    ? curvatures(p)
                                    : std::vector<double>(p.size(), 0.0);
  std::vector<EfficiencyPiece> pieces;
  for (std::size_t k = 0; k + 1 < p.size(); ++k) {
    const double h = p[k + 1][0] - p[k][0], slope = (p[k + 1][1] - p[k][1]) / h;
    pieces.push_back(
        {p[k][0],
         {p[k][1], slope - h * (2 * m[k] + m[k + 1]) / 6, m[k] / 2, (m[k + 1] - m[k]) / (6 * h)}});
  }
  return pieces;
}

double efficiency(const Drive& drive, double load) {
  const std::vector<EfficiencyPiece> pieces = efficiency_pieces(drive);
  if (drive.efficiency.size() < 2) return pieces.front().at(0);
  load = std::clamp(load, drive.efficiency.front()[0], drive.efficiency.back()[0]);
  std::size_t k = 0;
  while (k + 1 < pieces.size() && pieces[k + 1].from < load) ++k;
  return pieces[k].at(load);
}

std::array<double, 2> efficiency_range(const Drive& drive) {
  std::array<double, 2> range{1, 1};
  if (drive.efficiency.empty()) return range;
  range = {drive.efficiency[0][1], drive.efficiency[0][1]};
  auto include = [&](double eta) { range = {std::min(range[0], eta), std::max(range[1], eta)}; };
  for (const auto& point : drive.efficiency) include(point[1]);
  const std::vector<EfficiencyPiece> pieces = efficiency_pieces(drive);
  for (std::size_t k = 0; k + 1 < drive.efficiency.size(); ++k) {  // where the slope is zero
    const auto& [from, c] = pieces[k];
    const double width = drive.efficiency[k + 1][0] - from;
    const double a = 3 * c[3], b = 2 * c[2], root = b * b - 4 * a * c[1];
    if (root < 0) continue;
    for (const double s : {-1.0, 1.0}) {
      const double u = a != 0 ? (-b + s * std::sqrt(root)) / (2 * a) : b != 0 ? -c[1] / b : 0;
      if (0 < u && u < width) include(pieces[k].at(from + u));
    }
  }
  return range;
}

}  // namespace parid::model
