#include <cmath>

#include "model/format/mesh/welder.hpp"

namespace parid::model {
namespace {

using Corner = std::array<double, 2>;

double twice_area(const Corner& a, const Corner& b, const Corner& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// The polygon seen against its normal, so that it runs counterclockwise: the projection along the
// normal's largest coordinate.
std::vector<Corner> flattened(const std::vector<Vec3<double>>& polygon) {
  Vec3<double> normal;  // Newell
  const Vec3<double> from = polygon[0];
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    normal = normal + cross(polygon[k] - from, polygon[k + 1] - from);
  const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
  std::vector<Corner> out;
  for (const Vec3<double>& p : polygon) {
    if (z >= x && z >= y)
      out.push_back(normal.z >= 0 ? Corner{p.x, p.y} : Corner{p.y, p.x});
    else if (x >= y)
      out.push_back(normal.x >= 0 ? Corner{p.y, p.z} : Corner{p.z, p.y});
    else
      out.push_back(normal.y >= 0 ? Corner{p.z, p.x} : Corner{p.x, p.z});
  }
  return out;
}

bool is_convex(const std::vector<Corner>& p) {
  for (std::size_t k = 0; k < p.size(); ++k)
    if (twice_area(p[k], p[(k + 1) % p.size()], p[(k + 2) % p.size()]) < 0) return false;
  return true;
}

bool contains(const Corner& a, const Corner& b, const Corner& c, const Corner& p) {
  if (p == a || p == b || p == c) return false;
  return twice_area(a, b, p) >= 0 && twice_area(b, c, p) >= 0 && twice_area(c, a, p) >= 0;
}

}  // namespace

std::vector<std::array<std::size_t, 3>> Triangulation::of(
    const std::vector<Vec3<double>>& polygon) {
  std::vector<std::array<std::size_t, 3>> out;
  const std::size_t n = polygon.size();
  if (n < 3) return out;
  std::vector<std::size_t> left(n);
  for (std::size_t k = 0; k < n; ++k) left[k] = k;
  if (n > 3) {
    const std::vector<Corner> p = flattened(polygon);
    const auto is_ear = [&](std::size_t a, std::size_t b, std::size_t c) {
      if (!(twice_area(p[a], p[b], p[c]) > 0)) return false;
      budget_ -= std::min(budget_, left.size());
      return std::none_of(left.begin(), left.end(), [&](std::size_t k) {
        return k != a && k != b && k != c && contains(p[a], p[b], p[c], p[k]);
      });
    };
    bool cut = !is_convex(p);
    while (cut && left.size() > 3 && budget_ > 0) {
      cut = false;
      budget_ -= std::min(budget_, left.size());
      for (std::size_t k = 0; k < left.size() && !cut; ++k) {
        const std::size_t a = left[(k + left.size() - 1) % left.size()], b = left[k],
                          c = left[(k + 1) % left.size()];
        if (!is_ear(a, b, c)) continue;
        out.push_back({a, b, c});
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
        cut = true;
      }
    }
  }
  // The rest is convex, or crosses itself.
  for (std::size_t k = 2; k < left.size(); ++k) out.push_back({left[0], left[k - 1], left[k]});
  return out;
}

}  // namespace parid::model
