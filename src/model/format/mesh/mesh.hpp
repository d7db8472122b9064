// Triangle meshes of a robot file: STL (binary or text) and OBJ.
//
// Files are untrusted: their sizes and headers are bounded and checked, and everything that is not
// a mesh is an Error.

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

// By the file's suffix. `name` is its name in messages.
Mesh read_mesh(const std::string& path, const std::string& name);
Mesh parse_stl(const std::string& bytes, const std::string& name);
Mesh parse_obj(const std::string& text, const std::string& name);

// At most `most_triangles`: points in the same cell of a grid are merged, with the finest grid that
// satisfies the limit. A mesh that is small enough is unchanged.
Mesh coarser(const Mesh&, std::size_t most_triangles);

}  // namespace parid::model
