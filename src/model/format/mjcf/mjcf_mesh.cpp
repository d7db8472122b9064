#include "model/format/mjcf/mjcf_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text/shown.hpp"
#include "base/text/spelling.hpp"
#include "math/dense.hpp"
#include "model/format/mesh/mesh.hpp"
#include "model/format/urdf/xml_tag.hpp"
#include "model/frame.hpp"

namespace parid::model::mjcf {
namespace {

using V = Vec3<double>;

enum class Rule { convex, exact, legacy, shell };  // in the order of the attribute's words

struct Triangles {
  std::vector<V> points;
  std::vector<std::array<std::size_t, 3>> faces;
};

std::string quoted(const std::string& text) { return shown(text, 200); }

// The numbers of `vertex` and `face`.
Triangles inline_triangles(const Node& tag) {
  Triangles out;
  const auto points = parse_numbers(*tag.text("vertex"));
  if (!points || points->size() % 3 != 0 || points->size() < 12)
    tag.fail("has a 'vertex' that is not four or more points", "give x y z of each");
  for (std::size_t k = 0; k < points->size(); k += 3)
    out.points.push_back({(*points)[k], (*points)[k + 1], (*points)[k + 2]});
  const std::string* text = tag.text("face");
  if (!text)
    tag.fail("has points but no 'face', so its surface is the convex hull, which is not computed",
             "give its faces, or the body an <inertial>");
  const auto corners = parse_numbers(*text);
  if (!corners || corners->size() % 3 != 0)
    tag.fail("has a 'face' that is not triangles", "give three indices of points for each");
  for (std::size_t k = 0; k < corners->size(); k += 3) {
    std::array<std::size_t, 3> f{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double c = (*corners)[k + i];
      if (!(c >= 0 && c < static_cast<double>(out.points.size()) && c == std::floor(c)))
        tag.fail("has a 'face' with a point that there is not", "count points from 0");
      f[i] = static_cast<std::size_t>(c);
    }
    out.faces.push_back(f);
  }
  return out;
}

Triangles file_triangles(const Node& tag, const Document& document, const Compiler& c) {
  const std::string* file = tag.text("file");
  if (!file || file->empty())
    tag.fail("has neither a file nor points",
             "give 'file' or 'vertex' and 'face'; other sources of meshes are not read");
  const std::string stripped =
      c.strip_path ? std::filesystem::path(*file).filename().string() : *file;
  const std::string named = (std::filesystem::path(c.mesh_folder) / stripped).string();
  const std::string path = file_beside(document.file, named, "the mesh", tag.at());
  if (path.empty())
    tag.fail(fmt::format("names the file {}, which does not exist", quoted(named)),
             "add it, or give the body an <inertial>");
  const Mesh mesh = read_mesh(path, quoted(named));
  Triangles out;
  for (const auto& p : mesh.points) out.points.push_back({p[0], p[1], p[2]});
  for (const auto& t : mesh.triangles) out.faces.push_back({t[0], t[1], t[2]});
  return out;
}

// refpos and refquat place the mesh's new frame in its old one; the scale comes last.
void transform(Triangles& mesh, const Node& tag) {
  const V shift = tag.vector("refpos").value_or(V{}),
          scale = tag.vector("scale").value_or(V{1, 1, 1});
  Mat3<double> R = Mat3<double>::identity();
  if (const auto q = tag.numbers("refquat", 4, 4)) {
    const double n = std::hypot(std::hypot((*q)[0], (*q)[1]), std::hypot((*q)[2], (*q)[3]));
    if (!(n > 1e-14 && n < 1e100)) tag.fail("has a zero 'refquat'", "give w x y z");
    R = rotation_of((*q)[1] / n, (*q)[2] / n, (*q)[3] / n, (*q)[0] / n);
  }
  for (V& p : mesh.points) {
    const V moved = transposed_times(R, p - shift);
    p = {scale.x * moved.x, scale.y * moved.y, scale.z * moved.z};
  }
  if (scale.x * scale.y * scale.z < 0)
    for (auto& f : mesh.faces) std::swap(f[1], f[2]);
}

struct Facet {
  V normal, centre;  // of length twice the area; the middle
  double area;
};
Facet facet(const Triangles& m, const std::array<std::size_t, 3>& f, const V& from) {
  const V a = m.points[f[0]] - from, b = m.points[f[1]] - from, c = m.points[f[2]] - from;
  const V n = cross(b - a, c - a);
  return {n, (1.0 / 3) * (a + b + c), norm(n) / 2};
}
// Of the pyramid from the origin, or of the triangle itself.
double share(const Facet& f, Rule rule) {
  if (rule == Rule::shell) return f.area;
  const double volume = dot(f.centre, f.normal) / 6;
  return rule == Rule::legacy ? std::abs(volume) : volume;
}

// MuJoCo puts the centre of a shell a quarter of the way to the surface's centroid, which is that
// centre; the result is the same.
V centre_of_mass(const Triangles& m, Rule rule, const Node& tag) {
  V centroid, sum;
  double area = 0, total = 0;
  for (const auto& f : m.faces) {
    const Facet t = facet(m, f, {});
    centroid = centroid + t.area * t.centre;
    area += t.area;
  }
  if (!(area > 1e-15)) tag.fail("has no surface", "check its scale and its triangles");
  centroid = (1 / area) * centroid;
  if (rule == Rule::shell) return centroid;
  for (const auto& f : m.faces) {
    const Facet t = facet(m, f, centroid);
    const double volume = share(t, rule);
    total += volume;
    sum = sum + (0.75 * volume) * t.centre;
  }
  if (!(total > 1e-15))
    tag.fail(total < 0 ? "has its triangles inside out" : "encloses no volume",
             "check the orientation of its triangles, or set inertia=\"shell\"");
  return centroid + (1 / total) * sum;
}

// ∫ r rᵀ over the pyramids from the centre of mass, or over the triangles.
MeshSolid integrated(const Triangles& m, Rule rule, const Node& tag) {
  MeshSolid out;
  out.com = centre_of_mass(m, rule, tag);
  Sym3<double> K;
  for (const auto& f : m.faces) {
    const double part = share(facet(m, f, out.com), rule);
    const V a = m.points[f[0]] - out.com, b = m.points[f[1]] - out.com,
            c = m.points[f[2]] - out.com;
    const V s = a + b + c;
    const double w = part / (rule == Rule::shell ? 12 : 20);
    for (const V& v : {a, b, c, s})
      K = K + Sym3<double>{w * v.x * v.x, w * v.y * v.y, w * v.z * v.z,
                           w * v.x * v.y, w * v.x * v.z, w * v.y * v.z};
    out.volume += part;
  }
  out.about_com = tensor(K);
  return out;
}

void add_box(MeshSolid& solid, const Triangles& m) {
  const Sym3<double>& I = solid.about_com;
  Eigen::Matrix3d matrix;
  matrix << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  const PrincipalAxes principal = principal_axes(matrix);  // smallest first
  const auto column = [&](int k) {
    const Eigen::Vector3d v = principal.vectors.col(2 - k);
    return V{v[0], v[1], v[2]};
  };
  const V x = column(0), y = column(1), z = cross(x, y);
  solid.axes = transposed(Mat3<double>{x, y, z});
  const Eigen::Vector3d e = principal.values.reverse();
  const auto half = [&](double a, double b, double c) {
    return 0.5 * std::sqrt(std::max(0.0, 6 * (b + c - a) / solid.volume));
  };
  solid.box = {half(e[0], e[1], e[2]), half(e[1], e[0], e[2]), half(e[2], e[0], e[1])};
  solid.low = solid.high = transposed_times(solid.axes, m.points[0] - solid.com);
  for (const V& p : m.points) {
    const V at = transposed_times(solid.axes, p - solid.com);
    solid.low = {std::min(solid.low.x, at.x), std::min(solid.low.y, at.y),
                 std::min(solid.low.z, at.z)};
    solid.high = {std::max(solid.high.x, at.x), std::max(solid.high.y, at.y),
                  std::max(solid.high.z, at.z)};
  }
}

std::string asset_name(const Element& e, const Node& tag) {
  if (const std::string* name = e.attribute("name")) return *name;
  const std::string* file = tag.text("file");
  return file ? std::filesystem::path(*file).stem().string() : "";
}

}  // namespace

Meshes::Meshes(const Document& document, const Compiler& compiler, const Defaults& defaults)
    : document_(document), compiler_(compiler) {
  for (const Element& section : document.root.children) {
    if (section.name != "asset") continue;
    for (const Element& e : section.children) {
      if (e.name != "mesh") continue;
      const std::string* name = e.attribute("class");
      const DefaultClass* of = name ? defaults.named(*name, document, e.line) : defaults.main();
      const std::string called = asset_name(e, Node(document, e, of, ""));
      assets_.try_emplace(
          called, Asset{Node(document, e, of, fmt::format("mesh {}", quoted(called))), {}, ""});
    }
  }
}

MeshSolid Meshes::computed(const Node& tag) const {
  Rule rule = compiler_.exact_mesh ? Rule::exact : Rule::legacy;
  if (const auto given = tag.choice("inertia", {"convex", "exact", "legacy", "shell"}))
    rule = static_cast<Rule>(*given);
  if (rule == Rule::convex)
    tag.fail("has inertia=\"convex\", and convex hulls are not computed",
             "set inertia=\"exact\", or give the bodies that need it an <inertial>");
  Triangles mesh =
      tag.text("vertex") ? inline_triangles(tag) : file_triangles(tag, document_, compiler_);
  transform(mesh, tag);
  MeshSolid solid = integrated(mesh, rule, tag);
  add_box(solid, mesh);
  return solid;
}

const MeshSolid& Meshes::solid(const std::string& name, const Place& user) {
  const auto found = assets_.find(name);
  if (found == assets_.end()) {
    std::vector<std::string> known;
    if (assets_.size() <= 1000)
      for (const auto& [other, unused] : assets_) known.push_back(other);
    throw Error(user, fmt::format("there is no mesh {}", quoted(name)),
                did_you_mean(name.substr(0, 200), known) + "add <mesh> to <asset>");
  }
  Asset& asset = found->second;  // each is computed once, even if that fails
  if (!asset.solid && asset.refusal.empty()) try {
      asset.solid = computed(asset.tag);
    } catch (const Error& e) {
      asset.refusal = e.what();
    }
  if (!asset.solid) throw UnreadMesh(asset.refusal);
  return *asset.solid;
}

}  // namespace parid::model::mjcf
