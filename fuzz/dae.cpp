// Meshes in COLLADA: nodes that instance each other, indices, polygons of any shape.

#include <cmath>
#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "model/format/mesh/mesh.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  try {
    const Mesh whole = joined(parse_dae(fuzz::text_of(data, size), "fuzz.dae"));
    if (whole.triangles.empty()) std::abort();
    for (const auto& triangle : whole.triangles)
      for (const std::uint32_t corner : triangle)
        for (const float x : whole.points.at(corner))
          if (!std::isfinite(x)) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
