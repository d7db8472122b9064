// What a robot looks like: the <visual> parts of its URDF, with the meshes that they name.
//
// report/ makes the page that `parid report` writes: looks, arrays as text, and the page around
// them. What the page tells is worked out elsewhere. It includes model/ and io/.
//
// A robot file may name any path. Only files that belong to the robot are read: relative ones in
// the URDF's directory or the one above it, and package:// ones in the package's directory
// (model/format/package_path.hpp). Whatever is left out is noted, and the page draws a simple
// solid.

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
  std::vector<std::string> links;  // names, each once: a file may give a long one many visuals
  std::vector<int> unseen;         // links of which something could not be had
  std::vector<std::string> notes;  // what, and why
};

// Of a URDF file; of any other, none. At most so many triangles together: meshes are made coarser
// by the same share until they fit. At most so many bytes of meshes before that: those beyond are
// left out. Never throws for what it cannot show.
// `text` is the robot's where there is no file to read again.
Visuals visuals_of(const std::string& robot_file, std::size_t most_triangles = 60'000,
                   std::size_t most_bytes = std::size_t{256} << 20,
                   const PackagePath& packages = PackagePath(), const std::string& text = "");

// Where a mesh named in a URDF is, or an Error that says why it is not looked for.
std::string mesh_path(const std::string& urdf, const std::string& named,
                      const PackagePath& packages = PackagePath());

}  // namespace parid::report
