// COLLADA 1.4 and 1.5: the triangles of the scene, placed, in metres, by colour.
//
// Read are <mesh> and <convex_mesh> with triangles, polylist, polygons, trifans and tristrips;
// nodes with matrix, translate, rotate, scale and lookat; instances of geometries, of nodes and of
// skins (in their bind pose); diffuse colours of materials. Not read: splines, physics, kinematics,
// animations, holes in polygons, textures and other files.
//
// <up_axis> is not applied: a robot file places the coordinates that the mesh file has. RViz,
// Gazebo and other programs for URDF do the same, and robots are exported for them.
//
// A node may be instanced many times, and so grow without limit, or contain itself: the depth and
// the amount of work are bounded.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <unordered_map>

#include "base/text/shown.hpp"
#include "math/pose.hpp"
#include "model/format/mesh/mesh.hpp"
#include "model/format/mesh/welder.hpp"
#include "model/format/xml/node.hpp"
#include "model/frame.hpp"

namespace parid::model {
namespace {

using xml::Node;
using Colour = std::array<double, 4>;
using Point = std::array<double, 3>;

constexpr auto how_it_begins = "a COLLADA file begins with <COLLADA>";
constexpr int deepest = 200;
constexpr std::size_t most_work = 4 * 3 * most_triangles_read;  // nodes, points and corners
constexpr std::size_t longest_numbers = 4096;  // bytes, of a transformation or colour

// The words of a text, as numbers.
class NumbersIn {
 public:
  NumbersIn(const Node& of, const std::string& name) : name_(name), line_(of.line) {
    for (const Node& c : of.children)
      if (c.is_text()) text_ += c.text;
    at_ = text_.data();
  }
  // Whether there is one more.
  template <class T>
  bool next(T& value) {
    const char* const end = text_.data() + text_.size();
    while (at_ != end && static_cast<unsigned char>(*at_) <= ' ') ++at_;
    if (at_ == end) return false;
    if (*at_ == '+') ++at_;
    const auto [behind, trouble] = std::from_chars(at_, end, value);
    if (trouble != std::errc() || (behind != end && static_cast<unsigned char>(*behind) > ' '))
      throw Error({name_, line_}, "the COLLADA file has a malformed number",
                  "export the mesh again");
    at_ = behind;
    return true;
  }
  template <class T>
  std::vector<T> all() {
    std::vector<T> values;
    for (T x{}; next(x);) values.push_back(x);
    return values;
  }

 private:
  const std::string& name_;
  int line_;
  std::string text_;
  const char* at_;
};

struct Surface {  // faces of one material
  std::string material;
  std::vector<std::array<std::uint32_t, 3>> faces;  // of points of the geometry
};
struct Geometry {
  std::vector<Point> points;
  std::vector<Surface> surfaces;
};

std::string attribute_of(const Node& node, std::string_view name) {
  const std::string* value = node.attribute(name);
  return value ? *value : "";
}

class DaeReader {
 public:
  DaeReader(const Node& root, const std::string& name) : root_(root), name_(name) { index(root); }

  std::vector<MeshPart> parts() {
    const Pose<double> scale{unit() * Mat3<double>::identity(), {}};
    if (const Node* scene = visual_scene()) children(*scene, scale, 0);
    if (welders_.empty())  // no scene, or one of shapes for physics
      for (const Node& library : root_.children)
        if (library.name == "library_geometries")
          for (const Node& g : library.children)
            if (g.name == "geometry") place(g, scale, nullptr);
    std::vector<MeshPart> out;
    for (auto& [colour, welder] : welders_)
      if (!welder.mesh.triangles.empty()) out.push_back({std::move(welder.mesh), colour});
    if (out.empty()) refuse_mesh(name_, "the COLLADA file contains no triangle");
    return out;
  }

 private:
  [[noreturn]] void fail(const Node& at, const std::string& why) const {
    throw Error({name_, at.line}, why, "export the mesh again");
  }

  void spend(std::size_t work, const Node& at) {
    spent_ += work;
    if (spent_ > most_work)
      fail(at, fmt::format("the scene has more than {} nodes and corners of faces", most_work));
  }

  void index(const Node& node) {
    if (const std::string* id = node.attribute("id")) by_id_.try_emplace(*id, &node);
    for (const Node& c : node.children) index(c);
  }
  // What "#id" names, or null: it is in another file, or nowhere.
  const Node* find(const std::string& url, std::string_view kind) const {
    if (!url.starts_with('#')) return nullptr;
    const auto found = by_id_.find(url.substr(1));
    return found != by_id_.end() && found->second->name == kind ? found->second : nullptr;
  }
  const Node& required(const Node& user, const std::string& url, std::string_view kind) const {
    const Node* found = find(url, kind);
    if (!found)
      fail(user, fmt::format("<{}> refers to {}, and there is no such <{}>", user.name,
                             shown(url, 100), kind));
    return *found;
  }

  double unit() const {
    const Node* asset = root_.child("asset");
    const Node* unit = asset ? asset->child("unit") : nullptr;
    const std::string* meter = unit ? unit->attribute("meter") : nullptr;
    if (!meter) return 1;
    double value = 0;
    const auto [end, trouble] =
        std::from_chars(meter->data(), meter->data() + meter->size(), value);
    if (trouble != std::errc() || !(value > 0) || !std::isfinite(value))
      fail(*unit, fmt::format("meter={} is not a length", shown(*meter)));
    return value;
  }

  const Node* visual_scene() const {
    const Node* scene = root_.child("scene");
    const Node* instance = scene ? scene->child("instance_visual_scene") : nullptr;
    if (instance) return &required(*instance, attribute_of(*instance, "url"), "visual_scene");
    const Node* library = root_.child("library_visual_scenes");
    return library ? library->child("visual_scene") : nullptr;
  }

  std::vector<double> few_numbers(const Node& node) const {
    std::size_t bytes = 0;
    for (const Node& c : node.children) bytes += c.text.size();
    if (bytes > longest_numbers) fail(node, fmt::format("<{}> is too long", node.name));
    return NumbersIn(node, name_).all<double>();
  }
  template <std::size_t N>
  std::array<double, N> numbers(const Node& node) const {
    const std::vector<double> given = few_numbers(node);
    if (given.size() != N)
      fail(node, fmt::format("<{}> has {} numbers instead of {}", node.name, given.size(), N));
    std::array<double, N> out{};
    std::copy(given.begin(), given.end(), out.begin());
    return out;
  }

  Pose<double> look_at(const Node& node) const {
    const auto [ex, ey, ez, tx, ty, tz, ux, uy, uz] = numbers<9>(node);
    const Vec3<double> eye{ex, ey, ez}, z = unit_vector(eye - Vec3<double>{tx, ty, tz});
    const Vec3<double> x = unit_vector(cross(Vec3<double>{ux, uy, uz}, z));
    if (!std::isfinite(x.x)) fail(node, "<lookat> has no direction");
    return {transposed(Mat3<double>{x, cross(z, x), z}), eye};
  }

  // One of the transformations of a node; the identity for other elements.
  Pose<double> transformation(const Node& node) const {
    Pose<double> t;
    if (node.name == "translate") {
      const auto [x, y, z] = numbers<3>(node);
      t.p = {x, y, z};
    } else if (node.name == "scale") {
      const auto [x, y, z] = numbers<3>(node);
      t.R = Mat3<double>::diagonal(x, y, z);
    } else if (node.name == "rotate") {
      const auto [x, y, z, degrees] = numbers<4>(node);
      const Vec3<double> axis = unit_vector({x, y, z});
      if (!std::isfinite(axis.x)) {
        if (degrees != 0) fail(node, "<rotate> has a zero axis");
        return t;
      }
      const auto half = exact_sin_cos(degrees / 360 * std::numbers::pi);
      t.R = rotation_of(half.sin * axis.x, half.sin * axis.y, half.sin * axis.z, half.cos);
    } else if (node.name == "matrix") {
      t = affine(node);
    } else if (node.name == "lookat") {
      t = look_at(node);
    } else if (node.name == "skew") {
      fail(node, "<skew> is not supported");
    }
    return t;
  }
  Pose<double> affine(const Node& node) const {
    const auto m = numbers<16>(node);
    return {{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}, {m[3], m[7], m[11]}};
  }

  // The children of a node or scene. `at`: its pose in the file's root, in metres.
  void children(const Node& parent, Pose<double> at, int depth) {
    if (depth > deepest)
      fail(parent, fmt::format("nodes contain each other more than {} deep", deepest));
    spend(parent.children.size() + 20, parent);  // a node takes as long as 20 corners
    for (const Node& c : parent.children) at = at * transformation(c);
    for (const Node& c : parent.children) {
      if (c.name == "node") {
        children(c, at, depth + 1);
      } else if (c.name == "instance_node") {
        children(required(c, attribute_of(c, "url"), "node"), at, depth + 1);
      } else if (c.name == "instance_geometry") {
        place(required(c, attribute_of(c, "url"), "geometry"), at, &c);
      } else if (c.name == "instance_controller") {
        skin(required(c, attribute_of(c, "url"), "controller"), at, c);
      }
    }
  }

  void skin(const Node& controller, const Pose<double>& at, const Node& instance) {
    const Node* skin = controller.child("skin");
    if (!skin) return;  // a morph
    const Node* bind = skin->child("bind_shape_matrix");
    place(required(*skin, attribute_of(*skin, "source"), "geometry"),
          bind ? at * affine(*bind) : at, &instance);
  }

  void place(const Node& geometry, const Pose<double>& at, const Node* instance) {
    const Geometry& g = read(geometry);
    const bool mirrored = dot(at.R.r0, cross(at.R.r1, at.R.r2)) < 0;
    const auto moved = [&](std::uint32_t k) {
      const Point& p = g.points[k];
      const Vec3<double> x = at * Vec3<double>{p[0], p[1], p[2]};
      return Mesh::Point{static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
    };
    for (const Surface& s : g.surfaces) {
      spend(3 * s.faces.size() + 1, geometry);
      if (s.faces.empty()) continue;
      const auto colour = instance ? colour_of(*instance, s.material) : std::nullopt;
      Welder& welder = welders_.try_emplace(colour, name_).first->second;
      for (const auto& [a, b, c] : s.faces) {
        if (mirrored)
          welder.triangle(moved(a), moved(c), moved(b));
        else
          welder.triangle(moved(a), moved(b), moved(c));
      }
    }
  }

  // The diffuse colour of the material that an instance binds to a symbol.
  std::optional<Colour> colour_of(const Node& instance, const std::string& symbol) {
    const Node* bind = instance.child("bind_material");
    const Node* common = bind ? bind->child("technique_common") : nullptr;
    if (!common) return {};
    for (const Node& c : common->children) {
      spend(1, c);
      if (c.name != "instance_material" || attribute_of(c, "symbol") != symbol) continue;
      const Node* material = find(attribute_of(c, "target"), "material");
      const Node* instanced = material ? material->child("instance_effect") : nullptr;
      const Node* effect = instanced ? find(attribute_of(*instanced, "url"), "effect") : nullptr;
      const Node* profile = effect ? effect->child("profile_COMMON") : nullptr;
      const Node* technique = profile ? profile->child("technique") : nullptr;
      if (technique) return diffuse(*technique);
    }
    return {};
  }
  std::optional<Colour> diffuse(const Node& technique) const {
    for (const char* shading : {"phong", "blinn", "lambert", "constant"}) {
      const Node* model = technique.child(shading);
      const Node* part = model ? model->child("diffuse") : nullptr;
      if (model && !part) part = model->child("emission");
      const Node* colour = part ? part->child("color") : nullptr;
      if (!colour) continue;
      const std::vector<double> given = few_numbers(*colour);
      if (given.size() < 3) return {};
      Colour c{0, 0, 0, 1};  // exporters disagree on the meaning of transparency: opaque
      for (std::size_t k = 0; k < 3; ++k)
        c[k] = std::isfinite(given[k]) ? std::clamp(given[k], 0.0, 1.0) : 1;
      return c;
    }
    return {};
  }

  // ---- Geometries, each read once.

  const Geometry& read(const Node& geometry) {
    const auto [at, fresh] = geometries_.try_emplace(&geometry);
    if (!fresh) return at->second;
    const Node* mesh = geometry.child("mesh");
    if (!mesh) mesh = geometry.child("convex_mesh");
    Geometry& g = at->second;
    if (!mesh) return g;  // a spline
    for (const Node& c : mesh->children)
      if (is_surface(c)) surface(c, *mesh, g);
    return g;
  }
  static bool is_surface(const Node& c) {
    return c.name == "triangles" || c.name == "polylist" || c.name == "polygons" ||
           c.name == "trifans" || c.name == "tristrips";
  }

  // Where the points of a <source> begin in the points of the geometry, and how many there are.
  std::pair<std::size_t, std::size_t> points_of(const Node& source, Geometry& g) {
    const auto known = sources_.find({&source, &g});
    if (known != sources_.end()) return known->second;
    const Node* array = source.child("float_array");
    if (!array) fail(source, "<source> has no <float_array>");
    const std::vector<double> x = NumbersIn(*array, name_).all<double>();
    std::size_t stride = 3, offset = 0;
    std::array<std::size_t, 3> at{0, 1, 2};
    const Node* technique = source.child("technique_common");
    if (const Node* accessor = technique ? technique->child("accessor") : nullptr) {
      stride = count_in(*accessor, "stride", 1);
      offset = count_in(*accessor, "offset", 0);
      std::size_t k = 0, named = 0;
      for (const Node& param : accessor->children) {
        if (param.name != "param") continue;
        if (!attribute_of(param, "name").empty() && named < 3) at[named++] = k;
        ++k;
      }
      if (stride < 3 || std::any_of(at.begin(), at.end(), [&](auto i) { return i >= stride; }))
        fail(source, "a position does not have three coordinates");
    }
    spend(x.size(), source);
    const std::size_t first = g.points.size();
    for (std::size_t k = offset; k < x.size() && stride <= x.size() - k; k += stride)
      g.points.push_back({x[k + at[0]], x[k + at[1]], x[k + at[2]]});
    return sources_[{&source, &g}] = {first, g.points.size() - first};
  }
  std::size_t count_in(const Node& node, const char* attribute, std::size_t otherwise) const {
    const std::string* text = node.attribute(attribute);
    if (!text) return otherwise;
    std::uint32_t value = 0;
    const auto [end, trouble] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (trouble != std::errc() || value > std::uint32_t{1} << 30)
      fail(node, fmt::format("{}={} is not a count", attribute, shown(*text)));
    return value;
  }

  // Exporters give the same id in several meshes: one in the same mesh comes first.
  const Node& in_mesh(const Node& mesh, const Node& user, const std::string& url,
                      std::string_view kind) {
    spend(mesh.children.size(), user);
    for (const Node& c : mesh.children)
      if (c.name == kind && "#" + attribute_of(c, "id") == url) return c;
    return required(user, url, kind);
  }

  void surface(const Node& node, const Node& mesh, Geometry& g) {
    const Node* positions = nullptr;
    std::size_t at = 0, stride = 1;
    for (const Node& input : node.children) {
      if (input.name != "input") continue;
      const std::size_t offset = count_in(input, "offset", 0);
      stride = std::max(stride, offset + 1);
      const std::string semantic = attribute_of(input, "semantic");
      const std::string source = attribute_of(input, "source");
      if (semantic == "VERTEX") {
        for (const Node& v : in_mesh(mesh, input, source, "vertices").children)
          if (v.name == "input" && attribute_of(v, "semantic") == "POSITION")
            positions = &in_mesh(mesh, v, attribute_of(v, "source"), "source");
        at = offset;
      } else if (semantic == "POSITION" && !positions) {
        positions = &in_mesh(mesh, input, source, "source");
        at = offset;
      }
    }
    if (!positions) {
      if (node.child("p")) fail(node, fmt::format("<{}> has no positions", node.name));
      return;
    }
    const std::pair<std::size_t, std::size_t> range = points_of(*positions, g);
    const auto first = static_cast<std::uint32_t>(range.first);
    const std::size_t count = range.second;
    Surface s;
    s.material = attribute_of(node, "material");
    const auto corners = [&](const Node& p) {
      std::vector<std::uint32_t> out;
      NumbersIn indices(p, name_);
      std::size_t k = 0;
      for (std::uint32_t index = 0; indices.next(index); ++k) {
        if (k % stride != at) continue;
        if (index >= count) fail(node, "a face of the mesh refers to a vertex that does not exist");
        out.push_back(first + index);
      }
      return out;
    };
    faces(node, corners, g, s);
    g.surfaces.push_back(std::move(s));
  }

  template <class Corners>
  void faces(const Node& node, const Corners& corners, const Geometry& g, Surface& s) {
    const Node* p = node.child("p");
    if (node.name == "triangles") {
      if (!p) return;
      const std::vector<std::uint32_t> c = corners(*p);
      for (std::size_t k = 0; k + 2 < c.size(); k += 3)
        s.faces.push_back({c[k], c[k + 1], c[k + 2]});
    } else if (node.name == "polylist") {
      const Node* vcount = node.child("vcount");
      if (!p || !vcount) return;
      const std::vector<std::uint32_t> c = corners(*p);
      NumbersIn counts(*vcount, name_);
      std::size_t from = 0;
      for (std::uint32_t n = 0; counts.next(n); from += n) {
        if (n > c.size() - from) fail(node, "<polylist> has fewer corners than its <vcount>");
        polygon(g, c.data() + from, n, s);
      }
    } else {
      for (const Node& child : node.children) {
        const Node* outline = child.name == "ph" ? child.child("p") : &child;
        if (!outline || outline->name != "p") continue;
        const std::vector<std::uint32_t> c = corners(*outline);
        if (node.name == "tristrips")
          strip(c, s);
        else if (node.name == "trifans")
          fan(c, s);
        else
          polygon(g, c.data(), c.size(), s);
      }
    }
  }
  void polygon(const Geometry& g, const std::uint32_t* corners, std::size_t n, Surface& s) {
    std::vector<Vec3<double>> at;
    for (std::size_t k = 0; k < n; ++k) {
      const Point& p = g.points[corners[k]];
      at.push_back({p[0], p[1], p[2]});
    }
    for (const auto& [a, b, c] : triangulation_.of(at))
      s.faces.push_back({corners[a], corners[b], corners[c]});
  }
  static void fan(const std::vector<std::uint32_t>& c, Surface& s) {
    for (std::size_t k = 2; k < c.size(); ++k) s.faces.push_back({c[0], c[k - 1], c[k]});
  }
  static void strip(const std::vector<std::uint32_t>& c, Surface& s) {
    for (std::size_t k = 2; k < c.size(); ++k) {
      const std::size_t odd = k % 2;
      s.faces.push_back({c[k - 2 + odd], c[k - 1 - odd], c[k]});
    }
  }

  const Node& root_;
  const std::string& name_;
  std::unordered_map<std::string, const Node*> by_id_;
  std::map<const Node*, Geometry> geometries_;
  std::map<std::pair<const Node*, const Geometry*>, std::pair<std::size_t, std::size_t>> sources_;
  std::map<std::optional<Colour>, Welder> welders_;  // by colour
  Triangulation triangulation_;
  std::size_t spent_ = 0;
};

}  // namespace

std::vector<MeshPart> parse_dae(const std::string& text, const std::string& name) {
  const std::size_t end = text.find_last_not_of('\0') + 1;  // some files are padded
  const Node root = xml::parse(end < text.size() ? text.substr(0, end) : text, name, how_it_begins);
  if (root.name != "COLLADA") refuse_mesh(name, "this is not a COLLADA file");
  return DaeReader(root, name).parts();
}

}  // namespace parid::model
