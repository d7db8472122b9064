#include "model/format/mjcf/mjcf_compiler.hpp"

#include <algorithm>
#include <numbers>

namespace parid::model::mjcf {

double Compiler::radians(double angle) const {
  return degrees ? angle / 180 * std::numbers::pi : angle;
}

Compiler read_compiler(const Document& document) {
  Compiler c;
  for (const Element& section : document.root.children) {
    if (section.name != "compiler") continue;
    const Node tag(document, section, nullptr, "<compiler>");
    if (const auto angle = tag.choice("angle", {"degree", "radian"})) c.degrees = *angle == 0;
    if (const auto where = tag.choice("coordinate", {"local", "global"})) c.global = *where == 1;
    if (const std::string* sequence = tag.text("eulerseq")) {
      if (sequence->size() != 3 || sequence->find_first_not_of("xyzXYZ") != sequence->npos)
        tag.fail("has an 'eulerseq' that is not three axes", "give three of x y z X Y Z");
      c.euler_sequence = *sequence;
    }
    c.automatic_limits = tag.flag("autolimits").value_or(c.automatic_limits);
    if (const auto from = tag.choice("inertiafromgeom", {"false", "true", "auto"}))
      c.inertia_from_geom = static_cast<InertiaFromGeom>(*from);
    if (const auto range = tag.numbers("inertiagrouprange", 2, 2)) {
      c.group_from = static_cast<int>(std::clamp((*range)[0], -1e6, 1e6));
      c.group_to = static_cast<int>(std::clamp((*range)[1], -1e6, 1e6));
    }
    c.least_mass = tag.number_or("boundmass", c.least_mass);
    c.least_inertia = tag.number_or("boundinertia", c.least_inertia);
    c.balance = tag.flag("balanceinertia").value_or(c.balance);
    c.total_mass = tag.number_or("settotalmass", c.total_mass);
    c.mesh_folder = tag.text_or("assetdir", c.mesh_folder.c_str());
    c.mesh_folder = tag.text_or("meshdir", c.mesh_folder.c_str());
    c.strip_path = tag.flag("strippath").value_or(c.strip_path);
    c.fit_box = tag.flag("fitaabb").value_or(c.fit_box);
    c.exact_mesh = tag.flag("exactmeshinertia").value_or(c.exact_mesh);
  }
  return c;
}

std::optional<std::vector<double>> limited_range(const Node& tag, const Compiler& c,
                                                 const char* range, const char* limited) {
  const int on = tag.choice(limited, {"false", "true", "auto"}).value_or(2);
  const auto given = tag.numbers(range, 2, 2);
  if (!given || on == 0 || (on == 2 && !c.automatic_limits)) return {};
  if (on == 2 && (*given)[0] == 0 && (*given)[1] == 0) return {};
  return given;
}

}  // namespace parid::model::mjcf
