// Mesh assets: triangles from a file or from the model itself, and their volume integrals.
//
// MuJoCo has three rules for the volume inside triangles, and mesh/inertia chooses one:
//   legacy   each triangle forms a pyramid whose tip is the centroid of the surface, and all count
//            as positive: too much if a mesh is not convex. This is the default
//   exact    pyramids count with their sign: the true volume of a closed mesh
//   shell    the mass is on the surface

#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/format/mjcf/mjcf_compiler.hpp"
#include "model/format/mjcf/mjcf_node.hpp"
#include "model/inertia.hpp"
#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid::model::mjcf {

struct MeshSolid {
  double volume = 0;       // or area, for a shell
  Vec3<double> com;        // in the mesh's own frame, after its scale
  Sym3<double> about_com;  // of density 1
  Mat3<double> axes;       // columns: principal axes, largest moment first
  Vec3<double> box;        // half sizes of the box of uniform density with the same moments
  Vec3<double> low, high;  // corners of the mesh along the principal axes, from the centre of mass
};

// A mesh that is missing or cannot be used. The rest of the model can be read without it.
struct UnreadMesh : Error {
  using Error::Error;
};

class Meshes {
 public:
  Meshes(const Document&, const Compiler&, const Defaults&);

  // Of the asset with this name. Throws Error if there is none, UnreadMesh if its file is missing
  // or not a mesh.
  const MeshSolid& solid(const std::string& name, const Place& user);

 private:
  struct Asset {
    Node tag;
    std::optional<MeshSolid> solid;
    std::string refusal;
  };
  MeshSolid computed(const Node& tag) const;

  const Document& document_;
  const Compiler& compiler_;
  std::map<std::string, Asset> assets_;
};

}  // namespace parid::model::mjcf
