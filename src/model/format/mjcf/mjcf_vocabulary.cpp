#include "model/format/mjcf/mjcf_vocabulary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>

#include "base/text/shown.hpp"
#include "base/text/spelling.hpp"
#include "model/format/mjcf/mjcf_defaults.hpp"
#include "model/lint/finding.hpp"

namespace parid::model::mjcf {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view sections[] = {
    "compiler",  "option", "size",     "visual",    "statistic", "default",
    "extension", "custom", "asset",    "worldbody", "contact",   "deformable",
    "equality",  "tendon", "actuator", "sensor",    "keyframe"};
constexpr std::string_view in_body[] = {
    "inertial", "joint",     "freejoint", "geom",  "site",      "camera", "light",
    "plugin",   "composite", "flexcomp",  "frame", "replicate", "attach", "body"};

// Attributes of the elements that matter here. An unknown word is reported only if it resembles one
// of them: newer versions of MuJoCo have more.
struct Known {
  std::string_view tag;
  Words attributes;
};
constexpr std::string_view compiler_words[] = {
    "autolimits",      "boundmass",         "boundinertia", "settotalmass",
    "balanceinertia",  "strippath",         "coordinate",   "angle",
    "fitaabb",         "eulerseq",          "meshdir",      "texturedir",
    "assetdir",        "discardvisual",     "usethread",    "fusestatic",
    "inertiafromgeom", "inertiagrouprange", "saveinertial", "alignfree",
    "convexhull",      "exactmeshinertia"};
constexpr std::string_view body_words[] = {"name",  "childclass", "mocap",  "pos",
                                           "quat",  "axisangle",  "xyaxes", "zaxis",
                                           "euler", "gravcomp",   "user",   "sleep"};
constexpr std::string_view joint_words[] = {"name",
                                            "class",
                                            "type",
                                            "group",
                                            "pos",
                                            "axis",
                                            "springdamper",
                                            "limited",
                                            "actuatorfrclimited",
                                            "solreflimit",
                                            "solimplimit",
                                            "solreffriction",
                                            "solimpfriction",
                                            "stiffness",
                                            "range",
                                            "actuatorfrcrange",
                                            "actuatorgravcomp",
                                            "margin",
                                            "ref",
                                            "springref",
                                            "armature",
                                            "damping",
                                            "frictionloss",
                                            "user",
                                            "joint1",
                                            "joint2",
                                            "polycoef",
                                            "active",
                                            "solref",
                                            "solimp",
                                            "joint",
                                            "coef"};
constexpr std::string_view inertial_words[] = {
    "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mass", "diaginertia", "fullinertia"};
constexpr std::string_view geom_words[] = {
    "name",     "class",     "type",       "contype",   "conaffinity", "condim",  "group",
    "priority", "size",      "material",   "friction",  "mass",        "density", "shellinertia",
    "solmix",   "solref",    "solimp",     "margin",    "gap",         "fromto",  "pos",
    "quat",     "axisangle", "xyaxes",     "zaxis",     "euler",       "hfield",  "mesh",
    "fitscale", "rgba",      "fluidshape", "fluidcoef", "user"};
constexpr Known known[] = {{"compiler", compiler_words},
                           {"body", body_words},
                           {"joint", joint_words},
                           {"inertial", inertial_words},
                           {"geom", geom_words}};

void remark_on_tag(const Document& document, const Element& e, Words words, const char* where,
                   Description& d) {
  if (enough(d.remarks)) return;
  const std::string_view meant = nearest(e.name, words);
  remark(d.remarks, finding("unknown-tag", document.at(e.line),
                            fmt::format("{} has the element {}, which is unknown; it is ignored",
                                        where, shown(e.name)),
                            meant.empty() ? "remove it if it is not needed"
                                          : fmt::format("did you mean <{}>?", meant)));
}

void remark_on_attributes(const Document& document, const Element& e, Description& d) {
  const auto list = std::find_if(std::begin(known), std::end(known),
                                 [&](const Known& k) { return k.tag == e.name; });
  if (list != std::end(known))
    for (const auto& [name, value] : e.attributes) {
      if (std::find(list->attributes.begin(), list->attributes.end(), name) !=
          list->attributes.end())
        continue;
      const std::string_view meant = nearest(name, list->attributes);
      if (meant.empty() || enough(d.remarks)) continue;
      remark(d.remarks, finding("unknown-attribute", document.at(e.line),
                                fmt::format("<{}> has the attribute {}, which is unknown; it is "
                                            "ignored",
                                            e.name, shown(name)),
                                fmt::format("did you mean '{}'?", meant)));
    }
  for (const Element& child : e.children) remark_on_attributes(document, child, d);
}

}  // namespace

void NotRepresented::add(const std::string& kind, const std::string& consequence, int line,
                         const std::string& name) {
  Kind& k = kinds_.try_emplace(kind, Kind{consequence, line, {}, 0}).first->second;
  ++k.count;
  if (!name.empty() && k.names.size() < 4) k.names.push_back(shown(name));
}

void NotRepresented::body_element(const Element& e) {
  const std::string* name = e.attribute("name");
  if (e.name == "camera" || e.name == "light") return;
  if (e.name == "composite" || e.name == "flexcomp" || e.name == "attach" || e.name == "plugin")
    add(fmt::format("<{}> in a body", e.name), "its contents are left out", e.line,
        name ? *name : "");
  else
    unknown_.push_back(&e);
}

void NotRepresented::unread_mesh(const std::string& body, int line, const std::string& why,
                                 bool matters) {
  if (body == last_body_ || enough(meshes_)) return;  // one for each body
  last_body_ = body;
  // "file:line: what is wrong; what would be right" without the place, which is that of the geom.
  const std::size_t begin = why.find(": "), end = why.find("; ");
  const std::string wrong = why.substr(begin + 2, end - begin - 2);
  if (matters)
    remark(meshes_, finding("missing-mesh", document_.at(line),
                            fmt::format("the mass of body '{}' is not known: {}", body, wrong),
                            end == why.npos ? "give the body an <inertial>" : why.substr(end + 2)));
  else
    remark(meshes_, finding("unknown-mass", document_.at(line),
                            fmt::format("the mass of body '{}' is not known: {}", body, wrong),
                            "it does not matter, because the body never moves"));
}

void NotRepresented::remark_on(Description& d) const {
  for (const auto& [kind, k] : kinds_) {
    std::string names = fmt::format("{}", fmt::join(k.names, ", "));
    if (k.count > k.names.size() && !k.names.empty())
      names += fmt::format(" and {} more", k.count - k.names.size());
    remark(d.remarks, finding("not-represented", document_.at(k.line),
                              names.empty() ? fmt::format("{}: not represented", kind)
                                            : fmt::format("{}: not represented ({})", kind, names),
                              k.consequence));
  }
  for (const Element* e : unknown_) remark_on_tag(document_, *e, in_body, "a body", d);
  for (const Finding& f : meshes_) remark(d.remarks, f);
}

void remark_on_words(const Document& document, Description& d) {
  for (const Element& e : document.root.children)
    if (std::find(std::begin(sections), std::end(sections), e.name) == std::end(sections))
      remark_on_tag(document, e, sections, "the model", d);
  remark_on_attributes(document, document.root, d);
}

}  // namespace parid::model::mjcf
