// The settings of <compiler>, with MuJoCo's defaults. They apply to the whole model, independent of
// the element's position; a later <compiler> overrides the values that it gives.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/format/mjcf/mjcf_node.hpp"
#include "model/layer.hpp"

namespace parid::model::mjcf {

enum class InertiaFromGeom { never, always, if_missing };

struct Compiler {
  bool degrees = true;
  std::string euler_sequence = "xyz";  // lower case: moving axes; upper case: fixed ones
  bool global = false;                 // coordinates are the world's (MuJoCo before 2.3.4)
  bool automatic_limits = true;
  InertiaFromGeom inertia_from_geom = InertiaFromGeom::if_missing;
  int group_from = 0, group_to = 5;  // geoms that inertia is computed from
  double least_mass = 0, least_inertia = 0;
  bool balance = false;     // impossible moments of inertia are replaced by three equal ones
  double total_mass = -1;   // of the model; negative: unchanged
  std::string mesh_folder;  // relative to the main file
  bool strip_path = false;
  bool fit_box = false;     // primitives around meshes: by their box, not by their inertia
  bool exact_mesh = false;  // MuJoCo before 3.2

  double radians(double angle) const;
};

Compiler read_compiler(const Document&);

// The two numbers of `range` if they apply: `limited` is "true", or it is "auto" or absent and the
// compiler sets autolimits.
std::optional<std::vector<double>> limited_range(const Node&, const Compiler&, const char* range,
                                                 const char* limited);

}  // namespace parid::model::mjcf
