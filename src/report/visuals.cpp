#include "report/visuals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <new>

#include "base/text/shown.hpp"
#include "model/format/load.hpp"
#include "model/format/urdf/urdf_parts.hpp"
#include "model/frame.hpp"

namespace parid::report {
namespace {

namespace fs = std::filesystem;
using Colour = std::array<double, 4>;

constexpr std::size_t most_notes = 20;
constexpr std::size_t longest_path = 4096, longest_shown = 200;

// A name shortened for messages: a file may contain a name of a megabyte.
std::string brief(const std::string& name) {
  return name.size() <= longest_shown ? name : shown(name, longest_shown / 2);
}

// The file with links resolved, if it lies in the directory.
std::string found_in(const fs::path& directory, const fs::path& relative,
                     const std::string& named) {
  std::error_code trouble;
  const fs::path root = fs::canonical(directory, trouble);
  const fs::path real = fs::canonical(directory / relative, trouble);
  if (trouble || !fs::is_regular_file(real, trouble)) return "";
  if (!lies_in(root, real))
    throw Error({brief(named), 0}, "the mesh is outside the robot's directory",
                "put it beside the URDF file");
  return real.string();
}

bool climbs(const fs::path& path) {
  for (const fs::path& part : path)
    if (part == "..") return true;
  return false;
}

std::optional<Colour> colour_of(const Tag& material) {
  const auto colour = material.child("color");
  if (!colour) return {};
  const auto numbers = parse_numbers(colour->text("rgba").value_or(""));
  if (!numbers || numbers->size() != 4) return {};
  Colour c{};
  for (int k = 0; k < 4; ++k) {
    const double x = (*numbers)[k];
    c[k] = std::isfinite(x) ? std::clamp(x, 0.0, 1.0) : 1;
  }
  return c;
}

class Reader {
 public:
  Reader(const std::string& file, std::size_t most_bytes, const PackagePath& packages, Visuals& to)
      : file_(file), packages_(packages), left_(most_bytes), to_(to) {}

  void robot(const Tag& robot) {
    for (const Tag& m : robot.children("material"))
      if (const auto c = colour_of(m)) colours_[m.text("name").value_or("")] = *c;
    for (const Tag& link : robot.children("link")) {
      if (!link.child("visual")) continue;
      to_.links.push_back(link.text("name").value_or(""));
      const int index = static_cast<int>(to_.links.size()) - 1;
      const std::string owner = fmt::format("link '{}'", brief(to_.links.back()));
      for (const Tag& visual : link.owned_by(owner).children("visual")) {
        try {
          part(visual, index);
        } catch (const Error& e) {
          note(e.what());
          if (to_.unseen.empty() || to_.unseen.back() != index) to_.unseen.push_back(index);
        }
      }
    }
  }

 private:
  void note(const std::string& text) {
    if (to_.notes.size() < most_notes)
      to_.notes.push_back(text);
    else if (to_.notes.size() == most_notes)
      to_.notes.emplace_back("more of the same kind");
  }

  void part(const Tag& visual, int link) {
    Visual v;
    v.link = link;
    if (const auto origin = visual.child("origin"))
      v.at = {rotation_rpy(origin->vector("rpy").value_or(Vec3<double>{})),
              origin->vector("xyz").value_or(Vec3<double>{})};
    if (const auto material = visual.child("material")) {
      v.colour = colour_of(*material);
      const auto named = colours_.find(material->text("name").value_or(""));
      if (!v.colour && named != colours_.end()) v.colour = named->second;
    }
    const Tag geometry =
        visual.required_child("geometry", "<geometry><box size=\"...\"/></geometry>");
    if (const auto box = geometry.child("box")) {
      const auto size = box->vector("size").value_or(Vec3<double>{});
      v.size = {size.x, size.y, size.z};
    } else if (const auto cylinder = geometry.child("cylinder")) {
      v.kind = Visual::Kind::cylinder;
      v.size = {cylinder->required_number("radius"), cylinder->required_number("length"), 0};
    } else if (const auto sphere = geometry.child("sphere")) {
      v.kind = Visual::Kind::sphere;
      v.size = {sphere->required_number("radius"), 0, 0};
    } else if (const auto mesh = geometry.child("mesh")) {
      v.kind = Visual::Kind::mesh;
      const auto scale = mesh->vector("scale").value_or(Vec3<double>{1, 1, 1});
      v.size = {scale.x, scale.y, scale.z};
      v.mesh = mesh_index(mesh->required_text("filename"));
    } else {
      return;
    }
    to_.parts.push_back(v);
  }

  // Each file is read once, even if it has several names or is not a mesh.
  int mesh_index(const std::string& named) {
    const auto [at, fresh] = meshes_.try_emplace(mesh_path(file_, named, packages_));
    auto& [index, refusal] = at->second;
    if (fresh) try {
        to_.meshes.push_back(small_enough(read_mesh(at->first, brief(named)), brief(named)));
        index = static_cast<int>(to_.meshes.size()) - 1;
      } catch (const Error& e) {
        refusal = e.what();
      }
    if (!refusal.empty()) throw Error(refusal);
    return index;
  }
  Mesh small_enough(Mesh mesh, const std::string& named) {
    const std::size_t bytes = mesh.points.size() * sizeof mesh.points[0] +
                              mesh.triangles.size() * sizeof mesh.triangles[0];
    if (bytes > left_)
      throw Error({named, 0}, "the meshes of the robot are too large together",
                  "export them with fewer triangles");
    left_ -= bytes;
    return mesh;
  }

  struct Read {
    int index = -1;
    std::string refusal;
  };
  const std::string& file_;
  const PackagePath& packages_;
  std::size_t left_;  // remaining bytes for further meshes
  Visuals& to_;
  std::map<std::string, Colour> colours_;
  std::map<std::string, Read> meshes_;  // by their path
};

}  // namespace

std::string mesh_path(const std::string& urdf, const std::string& named,
                      const PackagePath& packages) {
  const Place at{brief(named), 0};
  if (named.size() > longest_path)
    throw Error(at, fmt::format("this path has {} bytes", named.size()),
                fmt::format("use a path of at most {} bytes", longest_path));
  std::error_code trouble;
  const fs::path beside = fs::absolute(fs::path(urdf), trouble).parent_path();
  const auto uri = package_uri(named);
  if (uri) return packages.resolve(*uri, urdf);
  if (named.find("://") != named.npos || fs::path(named).is_absolute())
    throw Error(at, "the path of the mesh leaves the robot's directory",
                "give a path relative to the URDF file");
  const fs::path relative(named);
  const bool above = !relative.empty() && *relative.begin() == "..";
  const fs::path rest = above ? relative.lexically_relative("..") : relative;
  if (climbs(rest))
    throw Error(at, "the mesh is outside the robot's directory", "put it beside the URDF file");
  const std::string found = found_in(above ? beside.parent_path() : beside, rest, named);
  if (found.empty()) throw Error(at, "the mesh file does not exist", "put it beside the URDF file");
  return found;
}

Visuals visuals_of(const std::string& file, std::size_t most_triangles, std::size_t most_bytes,
                   const PackagePath& packages, const std::string& given) {
  Visuals all;
  if (given.empty() && !fs::exists(file) && fs::path(file).extension() != ".urdf")
    return all;  // built in
  const std::string text = given.empty() ? urdf::read_text(file) : given;
  const RobotFormat format = format_of(text, file);
  if (format == RobotFormat::mjcf)
    all.notes.emplace_back(
        "geoms and meshes of MJCF are not drawn; links are shown as simple solids");
  if (format != RobotFormat::urdf) return all;
  try {
    tinyxml2::XMLDocument document;
    Reader(file, most_bytes, packages, all)
        .robot(urdf::open_document(document, text, file).owned_by("the robot"));
  } catch (const std::bad_alloc&) {
    throw;  // not a property of the file
  } catch (const std::exception& e) {
    all.notes.emplace_back(e.what());
  }
  std::size_t triangles = 0;
  for (const Mesh& m : all.meshes) triangles += m.triangles.size();
  if (triangles > most_triangles)
    for (Mesh& m : all.meshes)
      m = coarser(m, std::max<std::size_t>(50, m.triangles.size() * most_triangles / triangles));
  return all;
}

}  // namespace parid::report
