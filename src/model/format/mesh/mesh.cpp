#include "model/format/mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

namespace parid::model {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20, most_triangles_read = 2'000'000;

using Point = std::array<float, 3>;
using Triangle = std::array<std::uint32_t, 3>;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error({name, 0}, why, "export the mesh again, as binary STL");
}

// Farther out is no robot, and floats near their end are infinitely far apart.
constexpr float farthest = 1e15f;
bool is_near(const Point& p) {
  return std::all_of(p.begin(), p.end(), [](float x) { return std::abs(x) <= farthest; });
}

// Corners that coincide become one point.
class Welder {
 public:
  explicit Welder(const std::string& name) : name_(name) {}
  std::uint32_t corner(const Point& p) {
    if (!is_near(p))
      refuse(name_, "a vertex of the mesh is not finite, or farther away than 1e15 m");
    const auto [at, fresh] = index_.try_emplace(p, static_cast<std::uint32_t>(mesh.points.size()));
    if (fresh) mesh.points.push_back(p);
    return at->second;
  }
  void triangle(const Point& a, const Point& b, const Point& c) {
    const Triangle t{corner(a), corner(b), corner(c)};
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
    if (mesh.triangles.size() > most_triangles_read)
      refuse(name_, fmt::format("the mesh has more than {} triangles", most_triangles_read));
  }
  Mesh mesh;

 private:
  const std::string& name_;
  std::map<Point, std::uint32_t> index_;
};

// Words of a text, line after line.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}
  std::string_view next() {
    const std::size_t from = rest_.find_first_not_of(" \t\r");
    if (from == rest_.npos) return rest_ = {};
    const std::size_t end = std::min(rest_.find_first_of(" \t\r", from), rest_.size());
    const std::string_view word = rest_.substr(from, end - from);
    rest_.remove_prefix(end);
    return word;
  }
  Point point(const std::string& name) {
    Point p{};
    for (float& x : p) {
      const std::string_view w = next();
      const auto [end, trouble] = std::from_chars(w.data(), w.data() + w.size(), x);
      if (trouble != std::errc() || end != w.data() + w.size() || w.empty())
        refuse(name, "a vertex of the mesh is not three numbers");
    }
    return p;
  }

 private:
  std::string_view rest_;
};

template <class Take>
void each_line(const std::string& text, const Take& take) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    take(std::string_view(text).substr(from, end - from));
    from = end + 1;
  }
}

Mesh parse_text_stl(const std::string& text, const std::string& name) {
  Welder welder(name);
  std::vector<Point> corners;
  each_line(text, [&](std::string_view line) {
    Words words(line);
    if (words.next() != "vertex") return;
    corners.push_back(words.point(name));
    if (corners.size() < 3) return;
    welder.triangle(corners[0], corners[1], corners[2]);
    corners.clear();
  });
  return std::move(welder.mesh);
}

}  // namespace

Mesh parse_stl(const std::string& bytes, const std::string& name) {
  constexpr std::size_t head = 84, each = 50;
  std::uint32_t count = 0;
  if (bytes.size() >= head) std::memcpy(&count, &bytes[80], sizeof count);
  // Binary files may begin with "solid" too, so their length decides.
  const bool binary = bytes.size() >= head && bytes.size() == head + each * std::size_t{count};
  if (!binary && !bytes.starts_with("solid")) refuse(name, "this is not an STL file");
  if (count > most_triangles_read && binary)
    refuse(name, fmt::format("the mesh has more than {} triangles", most_triangles_read));
  Mesh mesh;
  if (!binary) {
    mesh = parse_text_stl(bytes, name);
  } else {
    Welder welder(name);
    for (std::size_t k = 0; k < count; ++k) {
      std::array<Point, 3> p;
      std::memcpy(p.data(), &bytes[head + each * k + 12], sizeof p);
      welder.triangle(p[0], p[1], p[2]);
    }
    mesh = std::move(welder.mesh);
  }
  if (mesh.triangles.empty()) refuse(name, "the STL file contains no triangle");
  return mesh;
}

Mesh parse_obj(const std::string& text, const std::string& name) {
  std::vector<Point> points;
  Welder welder(name);
  each_line(text, [&](std::string_view line) {
    Words words(line);
    const std::string_view what = words.next();
    if (what == "v") points.push_back(words.point(name));
    if (what != "f") return;
    std::vector<std::size_t> corners;
    for (std::string_view w = words.next(); !w.empty(); w = words.next()) {
      long k = 0;
      const auto [end, trouble] = std::from_chars(w.data(), w.data() + w.size(), k);
      const long n = static_cast<long>(points.size());
      if (k < 0) k = n + 1 + k;  // counted from the end
      if (trouble != std::errc() || k < 1 || k > n)
        refuse(name, "a face of the mesh refers to a vertex that does not exist");
      corners.push_back(static_cast<std::size_t>(k - 1));
    }
    for (std::size_t k = 2; k < corners.size(); ++k)
      welder.triangle(points[corners[0]], points[corners[k - 1]], points[corners[k]]);
  });
  if (welder.mesh.triangles.empty()) refuse(name, "the OBJ file contains no face");
  return std::move(welder.mesh);
}

Mesh read_mesh(const std::string& path, const std::string& name) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj")
    throw Error({name, 0}, "unsupported type of mesh", "use STL or OBJ");
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(path, trouble)) refuse(name, "there is no such file");
  const std::uintmax_t size = std::filesystem::file_size(path, trouble);
  if (trouble || size > largest_file) refuse(name, "the file is larger than 64 MB");
  std::ifstream in(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size)))
    refuse(name, "cannot read the file");
  return ending == ".stl" ? parse_stl(bytes, name) : parse_obj(bytes, name);
}

Mesh coarser(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  Point low = mesh.points[0], high = low;
  for (const Point& p : mesh.points)
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  const float width = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-12f});
  Mesh out;
  for (int cells = 160; cells >= 2; cells = cells * 3 / 4) {
    struct Cell {
      std::uint32_t index;
      std::array<double, 3> sum{};
      int count = 0;
    };
    std::map<std::array<int, 3>, Cell> grid;
    std::vector<std::uint32_t> moved;
    for (const Point& p : mesh.points) {
      std::array<int, 3> at{};
      for (int k = 0; k < 3; ++k)
        at[k] = static_cast<int>((p[k] - low[k]) / width * static_cast<float>(cells));
      Cell& c = grid.try_emplace(at, Cell{static_cast<std::uint32_t>(grid.size())}).first->second;
      for (int k = 0; k < 3; ++k) c.sum[k] += p[k];
      ++c.count;
      moved.push_back(c.index);
    }
    std::vector<Triangle> kept;
    for (const Triangle& t : mesh.triangles) {
      Triangle n{moved[t[0]], moved[t[1]], moved[t[2]]};
      if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0]) continue;
      std::rotate(n.begin(), std::min_element(n.begin(), n.end()), n.end());
      kept.push_back(n);
    }
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    out.triangles = std::move(kept);
    out.points.resize(grid.size());
    for (const auto& [at, c] : grid)
      for (int k = 0; k < 3; ++k) out.points[c.index][k] = static_cast<float>(c.sum[k] / c.count);
    if (out.triangles.size() <= most) break;
  }
  return out;
}

}  // namespace parid::model
