// Triangles that a robot file names as the looks of a link: STL (binary or text) and OBJ.
//
// Files come from strangers: their size and what they claim about themselves are bounded and
// checked, and everything that is not a mesh is an Error.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid::model {

struct Mesh {
  std::vector<std::array<float, 3>> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

// By the file's ending. `name` is how messages call it.
Mesh read_mesh(const std::string& path, const std::string& name);
Mesh parse_stl(const std::string& bytes, const std::string& name);
Mesh parse_obj(const std::string& text, const std::string& name);

// At most so many triangles: points that fall into the same cell of a grid become one, the grid
// being as fine as that allows. A mesh that is small enough stays as it is.
Mesh coarser(const Mesh&, std::size_t most_triangles);

}  // namespace parid::model
