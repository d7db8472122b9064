// Triangle meshes of a robot file: STL (binary or text) and OBJ.
//
// Files are untrusted: their sizes and headers are bounded and checked, and everything that is not
// a mesh is an Error.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid::model {

struct Mesh {
  using Point = std::array<float, 3>;
  using Triangle = std::array<std::uint32_t, 3>;
  std::vector<Point> points;
  std::vector<Triangle> triangles;
};

// The triangles of one colour. Only COLLADA files give colours.
struct MeshPart {
  Mesh mesh;
  std::optional<std::array<double, 4>> colour;  // red green blue alpha, 0 to 1
};

// By the file's suffix. `name` is its name in messages.
Mesh read_mesh(const std::string& path, const std::string& name);
std::vector<MeshPart> read_mesh_parts(const std::string& path, const std::string& name);
Mesh parse_stl(const std::string& bytes, const std::string& name);
Mesh parse_obj(const std::string& text, const std::string& name);
// In metres, all nodes of the scene placed (dae.cpp). Never empty.
std::vector<MeshPart> parse_dae(const std::string& text, const std::string& name);
// All parts as one mesh, without colours.
Mesh joined(const std::vector<MeshPart>&);

// At most `most_triangles`: points in the same cell of a grid are merged, with the finest grid that
// satisfies the limit. A mesh that is small enough is unchanged.
Mesh coarser(const Mesh&, std::size_t most_triangles);

}  // namespace parid::model
