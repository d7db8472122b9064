// The appearance of a robot: the <visual> elements of its URDF with their meshes.
//
// report/ writes the page of `parid report`: visuals, encoded arrays, and the page around them. The
// numbers on the page are computed elsewhere.
//
// A robot file may name any path. Only files that belong to the robot are read: relative ones in
// the URDF's directory or the one above it, and package:// ones in the package's directory
// (model/format/package_path.hpp). Omitted parts are noted, and the page draws a simple solid.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "math/pose.hpp"
#include "model/format/mesh/mesh.hpp"
#include "model/format/package_path.hpp"
#include "report/layer.hpp"

namespace parid::report {

struct Visual {
  enum class Kind { box, cylinder, sphere, mesh } kind = Kind::box;
  int link = 0;     // of Visuals::links
  Pose<double> at;  // in the link's frame
  std::array<double, 3>
      size{};  // box: edges; cylinder: radius, length; sphere: radius; mesh: scale
  std::optional<std::array<double, 4>> colour;  // red green blue alpha, 0 to 1
  int mesh = -1;                                // of Visuals::meshes
};

struct Visuals {
  std::vector<Visual> parts;
  std::vector<Mesh> meshes;
  // names without repetition: a file may give a long one many visuals
  std::vector<std::string> links;
  std::vector<int> unseen;         // links with a visual that could not be loaded
  std::vector<std::string> notes;  // what is missing, and why
};

// Visuals of a URDF file; empty for other files. At most `most_triangles` in total: meshes are
// coarsened by the same ratio until they fit. Meshes beyond the limit of bytes are left out. Does
// not throw for parts that it cannot show. `text` is the robot's if there is no file to read again.
Visuals visuals_of(const std::string& robot_file, std::size_t most_triangles = 60'000,
                   std::size_t most_bytes = std::size_t{256} << 20,
                   const PackagePath& packages = PackagePath(), const std::string& text = "");

// The path of a mesh named in a URDF; throws Error with the reason if it is not looked for.
std::string mesh_path(const std::string& urdf, const std::string& named,
                      const PackagePath& packages = PackagePath());

}  // namespace parid::report
