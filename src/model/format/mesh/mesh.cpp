#include "model/format/mesh/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "model/format/mesh/welder.hpp"

namespace parid::model {
namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;

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
  Mesh::Point point(const std::string& name) {
    Mesh::Point p{};
    for (float& x : p) {
      const std::string_view w = next();
      const auto [end, trouble] = std::from_chars(w.data(), w.data() + w.size(), x);
      if (trouble != std::errc() || end != w.data() + w.size() || w.empty())
        refuse_mesh(name, "a vertex of the mesh is not three numbers");
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
  std::vector<Mesh::Point> corners;
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
  if (!binary && !bytes.starts_with("solid")) refuse_mesh(name, "this is not an STL file");
  if (count > most_triangles_read && binary)
    refuse_mesh(name, fmt::format("the mesh has more than {} triangles", most_triangles_read));
  Mesh mesh;
  if (!binary) {
    mesh = parse_text_stl(bytes, name);
  } else {
    Welder welder(name);
    for (std::size_t k = 0; k < count; ++k) {
      std::array<Mesh::Point, 3> p;
      std::memcpy(p.data(), &bytes[head + each * k + 12], sizeof p);
      welder.triangle(p[0], p[1], p[2]);
    }
    mesh = std::move(welder.mesh);
  }
  if (mesh.triangles.empty()) refuse_mesh(name, "the STL file contains no triangle");
  return mesh;
}

Mesh parse_obj(const std::string& text, const std::string& name) {
  std::vector<Mesh::Point> points;
  Welder welder(name);
  Triangulation triangulation;
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
        refuse_mesh(name, "a face of the mesh refers to a vertex that does not exist");
      corners.push_back(static_cast<std::size_t>(k - 1));
    }
    std::vector<Vec3<double>> polygon;
    for (const std::size_t k : corners)
      polygon.push_back({points[k][0], points[k][1], points[k][2]});
    for (const auto& [a, b, c] : triangulation.of(polygon))
      welder.triangle(points[corners[a]], points[corners[b]], points[corners[c]]);
  });
  if (welder.mesh.triangles.empty()) refuse_mesh(name, "the OBJ file contains no face");
  return std::move(welder.mesh);
}

std::vector<MeshPart> read_mesh_parts(const std::string& path, const std::string& name) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj" && ending != ".dae")
    throw Error({name, 0}, "unsupported type of mesh", "use STL, OBJ or COLLADA (.dae)");
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(path, trouble)) refuse_mesh(name, "there is no such file");
  const std::uintmax_t size = std::filesystem::file_size(path, trouble);
  if (trouble || size > largest_file) refuse_mesh(name, "the file is larger than 64 MB");
  std::ifstream in(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size)))
    refuse_mesh(name, "cannot read the file");
  if (ending == ".dae") return parse_dae(bytes, name);
  std::vector<MeshPart> parts(1);
  parts[0].mesh = ending == ".stl" ? parse_stl(bytes, name) : parse_obj(bytes, name);
  return parts;
}

Mesh read_mesh(const std::string& path, const std::string& name) {
  return joined(read_mesh_parts(path, name));
}

Mesh joined(const std::vector<MeshPart>& parts) {
  if (parts.size() == 1) return parts[0].mesh;
  Mesh whole;
  for (const MeshPart& part : parts) {
    const auto first = static_cast<std::uint32_t>(whole.points.size());
    whole.points.insert(whole.points.end(), part.mesh.points.begin(), part.mesh.points.end());
    for (const auto& [a, b, c] : part.mesh.triangles)
      whole.triangles.push_back({first + a, first + b, first + c});
  }
  return whole;
}

Mesh coarser(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  Mesh::Point low = mesh.points[0], high = low;
  for (const Mesh::Point& p : mesh.points)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
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
    for (const Mesh::Point& p : mesh.points) {
      std::array<int, 3> at{};
      for (int k = 0; k < 3; ++k)
        at[k] = static_cast<int>((p[k] - low[k]) / width * static_cast<float>(cells));
      Cell& c = grid.try_emplace(at, Cell{static_cast<std::uint32_t>(grid.size())}).first->second;
      for (int k = 0; k < 3; ++k) c.sum[k] += p[k];
      ++c.count;
      moved.push_back(c.index);
    }
    std::vector<Mesh::Triangle> kept;
    for (const Mesh::Triangle& t : mesh.triangles) {
      Mesh::Triangle n{moved[t[0]], moved[t[1]], moved[t[2]]};
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
