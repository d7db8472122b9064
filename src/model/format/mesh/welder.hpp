// What the readers of meshes share: limits, refusals, polygons as triangles, and triangles from
// corners.

#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "math/vec3.hpp"
#include "model/format/mesh/mesh.hpp"

namespace parid::model {

constexpr std::size_t most_triangles_read = 2'000'000;

[[noreturn]] inline void refuse_mesh(const std::string& name, const std::string& why) {
  throw Error({name, 0}, why, "export the mesh again, as binary STL");
}

// Plane polygons as triangles, each by its indices 0 … n-1: a fan where the polygon is convex;
// otherwise corners are cut off whose triangle contains no other corner. That takes a time of the
// third order, so that a file has a budget; polygons beyond it become fans too.
class Triangulation {
 public:
  std::vector<std::array<std::size_t, 3>> of(const std::vector<Vec3<double>>& polygon);

 private:
  std::size_t budget_ = 300'000'000;  // corners that are looked at
};

// Corners that coincide become one point.
class Welder {
 public:
  explicit Welder(const std::string& name) : name_(name) {}

  std::uint32_t corner(const Mesh::Point& p) {
    if (!is_near(p))
      refuse_mesh(name_, "a vertex of the mesh is not finite, or farther away than 1e15 m");
    const auto [at, fresh] = index_.try_emplace(p, static_cast<std::uint32_t>(mesh.points.size()));
    if (fresh) mesh.points.push_back(p);
    return at->second;
  }

  void triangle(const Mesh::Point& a, const Mesh::Point& b, const Mesh::Point& c) {
    const Mesh::Triangle t{corner(a), corner(b), corner(c)};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
    if (mesh.triangles.size() > most_triangles_read)
      refuse_mesh(name_, fmt::format("the mesh has more than {} triangles", most_triangles_read));
  }

  Mesh mesh;

 private:
  // A robot has no point farther out, and floats near their end are infinitely far apart.
  static bool is_near(const Mesh::Point& p) {
    constexpr float farthest = 1e15f;
    return std::all_of(p.begin(), p.end(), [](float x) { return std::abs(x) <= farthest; });
  }

  const std::string& name_;
  std::map<Mesh::Point, std::uint32_t> index_;
};

}  // namespace parid::model
