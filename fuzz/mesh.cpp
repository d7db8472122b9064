// Meshes of a robot file, and their coarsening.

#include "model/format/mesh/mesh.hpp"

#include <cstdlib>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  const std::string bytes = fuzz::text_of(data, size);
  for (const auto parse : {parse_stl, parse_obj}) {
    try {
      const Mesh mesh = parse(bytes, "fuzz");
      for (const Mesh& m : {mesh, coarser(mesh, mesh.triangles.size() / 2)})
        for (const auto& triangle : m.triangles)
          for (const std::uint32_t corner : triangle)
            if (corner >= m.points.size()) std::abort();
    } catch (const Error&) {
    }
  }
  return 0;
}
