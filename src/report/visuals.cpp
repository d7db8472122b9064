#include "report/visuals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <new>
#include <set>

#include "base/text/shown.hpp"
#include "model/format/load.hpp"
#include "model/format/urdf/urdf_parts.hpp"
#include "model/frame.hpp"

namespace parid::report {
namespace {

namespace fs = std::filesystem;
using Colour = std::array<double, 4>;

constexpr std::size_t most_notes = 20, most_names = 3;
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
          left_out(e.what());
          if (to_.unseen.empty() || to_.unseen.back() != index) to_.unseen.push_back(index);
        }
      }
    }
    for (const Group& g : left_out_) note(g);
  }

 private:
  using MeshesOfFile = std::vector<std::pair<int, std::optional<Colour>>>;
  struct Read {
    MeshesOfFile parts;
    std::string refusal;
  };

  // What could not be shown for the same reason: "NAME: REASON" of each.
  struct Group {
    std::string reason;
    std::vector<std::string> names;  // each once, the first few
    std::size_t others = 0;          // further names
  };

  void left_out(const std::string& text) {
    const std::size_t colon = std::min(text.find(": "), text.size());
    const std::string name = text.substr(0, colon), reason = text.substr(colon);
    if (!noted_.insert(text).second) return;
    const auto found = std::find_if(left_out_.begin(), left_out_.end(),
                                    [&](const Group& g) { return g.reason == reason; });
    if (found == left_out_.end()) {
      if (left_out_.size() <= most_notes) left_out_.push_back({reason, {name}});
    } else if (found->names.size() < most_names) {
      found->names.push_back(name);
    } else {
      ++found->others;
    }
  }

  void note(const Group& g) {
    if (to_.notes.size() == most_notes) {
      to_.notes.emplace_back("more parts of the robot are not drawn");
      return;
    }
    std::string also = fmt::format("{}", fmt::join(g.names.begin() + 1, g.names.end(), ", "));
    if (g.others > 0) also += fmt::format(" and {} more", g.others);
    to_.notes.push_back(g.names[0] + g.reason + (also.empty() ? "" : "; also " + also));
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
      for (const auto& [index, colour] : meshes_of(mesh->required_text("filename"))) {
        to_.parts.push_back(v);
        to_.parts.back().mesh = index;
        if (!v.colour) to_.parts.back().colour = colour;  // the robot file's comes first
      }
      return;
    } else {
      return;
    }
    to_.parts.push_back(v);
  }

  // Each file is read once, even if it has several names or is not a mesh.
  const MeshesOfFile& meshes_of(const std::string& named) {
    const auto [at, fresh] = meshes_.try_emplace(mesh_path(file_, named, packages_));
    Read& read = at->second;
    if (fresh) try {
        auto parts = small_enough(read_mesh_parts(at->first, brief(named)), brief(named));
        for (MeshPart& part : parts) {
          read.parts.emplace_back(static_cast<int>(to_.meshes.size()), part.colour);
          to_.meshes.push_back(std::move(part.mesh));
        }
      } catch (const Error& e) {
        read.refusal = e.what();
      }
    if (!read.refusal.empty()) throw Error(read.refusal);
    return read.parts;
  }
  std::vector<MeshPart> small_enough(std::vector<MeshPart> parts, const std::string& named) {
    std::size_t bytes = 0;
    for (const auto& [mesh, colour] : parts)
      bytes += mesh.points.size() * sizeof mesh.points[0] +
               mesh.triangles.size() * sizeof mesh.triangles[0];
    if (bytes > left_)
      throw Error({named, 0}, "the meshes of the robot are too large together",
                  "export them with fewer triangles");
    left_ -= bytes;
    return parts;
  }

  const std::string& file_;
  const PackagePath& packages_;
  std::size_t left_;  // remaining bytes for further meshes
  Visuals& to_;
  std::map<std::string, Colour> colours_;
  std::map<std::string, Read> meshes_;  // by their path
  std::vector<Group> left_out_;
  std::set<std::string> noted_;
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
  if (uri) {
    // One message for all meshes of a package that is not there.
    if (!uri->package.empty() && uri->package.size() <= longest_shown && !climbs(uri->package) &&
        packages.candidates(uri->package, urdf).empty())
      throw Error({"package://" + uri->package, 0}, "the package is not found",
                  "give its directory in `packages`, or set ROS_PACKAGE_PATH or "
                  "AMENT_PREFIX_PATH");
    return packages.resolve(*uri, urdf);
  }
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
  // A text that is given is URDF, also of a xacro file.
  const RobotFormat format = format_of(text, given.empty() ? file : "robot.urdf");
  if (format == RobotFormat::mjcf || format == RobotFormat::sdf)
    all.notes.emplace_back(
        fmt::format("shapes and meshes of {} are not drawn; simple solids represent the links",
                    format == RobotFormat::mjcf ? "MJCF" : "SDF"));
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
