// Triangles that a robot file names as the looks of a link: STL (binary or text), OBJ and COLLADA.
//
// Files come from strangers: their size and what they claim about themselves are bounded and
// checked, and everything that is not a mesh is an Error.

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

// By the file's ending. `name` is how messages call it.
Mesh read_mesh(const std::string& path, const std::string& name);
std::vector<MeshPart> read_mesh_parts(const std::string& path, const std::string& name);
Mesh parse_stl(const std::string& bytes, const std::string& name);
Mesh parse_obj(const std::string& text, const std::string& name);
// In metres, all nodes of the scene placed (dae.cpp). Never empty.
std::vector<MeshPart> parse_dae(const std::string& text, const std::string& name);
// All parts as one mesh, without colours.
Mesh joined(const std::vector<MeshPart>&);

// At most so many triangles: points that fall into the same cell of a grid become one, the grid
// being as fine as that allows. A mesh that is small enough stays as it is.
Mesh coarser(const Mesh&, std::size_t most_triangles);

}  // namespace parid::model
