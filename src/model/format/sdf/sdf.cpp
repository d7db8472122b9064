#include "model/format/sdf/sdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/floating.hpp"
#include "model/format/sdf/sdf_frames.hpp"
#include "model/format/sdf/sdf_joint.hpp"
#include "model/format/sdf/sdf_model.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/without_tips.hpp"
#include "model/frame.hpp"
#include "model/lint/finding.hpp"
#include "model/names.hpp"

namespace parid::model {
namespace {

using sdf::ModelScope;
using xml::Node;

Inertia read_inertia(const Node& inertial, const std::string& link, Description& d) {
  Inertia i;
  const std::string* automatic = inertial.attribute("auto");
  if (automatic && (*automatic == "true" || *automatic == "1"))
    remark(d.remarks,
           finding("sdf-unsupported", inertial.at(),
                   fmt::format("link '{}' has an inertia by its collision shapes", link),
                   "the given values, or 1 kg and 1 kg m², are used; give mass and inertia"));
  const auto finite = [&](const Node& parent, const char* name, double otherwise) {
    const double x = sdf::child_number(parent, name, otherwise);
    if (!std::isfinite(x))
      throw Error(parent.child(name)->at(), fmt::format("<{}> is not finite", name),
                  "give a finite number");
    return x;
  };
  i.mass = finite(inertial, "mass", 1);
  i.about_com = {1, 1, 1, 0, 0, 0};
  if (const Node* I = inertial.child("inertia"))
    i.about_com = {finite(*I, "ixx", 1), finite(*I, "iyy", 1), finite(*I, "izz", 1),
                   finite(*I, "ixy", 0), finite(*I, "ixz", 0), finite(*I, "iyz", 0)};
  if (inertial.child("fluid_added_mass"))
    remark(d.remarks,
           finding("sdf-unsupported", inertial.child("fluid_added_mass")->at(),
                   fmt::format("link '{}' has fluid_added_mass", link), "it is ignored"));
  const Node* pose = inertial.child("pose");
  return moved(pose ? sdf::pose_in(*pose) : Pose<double>{}, i);
}

// The format gives 1 kg and 1 kg m² to a link without <inertial>; simulators do so too.
void read_link(const ModelScope& s, const Node& n, const sdf::File& file, Description& d) {
  LinkDescription link;
  link.name = s.prefix + *n.attribute("name");
  require_short_name(link.name, "a link", n.at());
  link.line = file.places.line(n);
  if (const Node* inertial = n.child("inertial")) {
    link.inertia = read_inertia(*inertial, link.name, d);
    link.inertia_line = file.places.line(*inertial);
  } else {
    link.inertia = Inertia{1, {}, {1, 1, 1, 0, 0, 0}};
    remark(d.remarks, finding("sdf-default-inertia", n.at(),
                              fmt::format("link '{}' has no <inertial>", link.name),
                              "SDF gives it 1 kg and 1 kg m²; add <inertial>"));
  }
  d.links.push_back(std::move(link));
}

void read_frames(const ModelScope& s, const sdf::Frames& frames, const sdf::File& file,
                 Description& d) {
  for (const Node& n : s.model->element.children) {
    if (n.name != "frame") continue;
    FrameDescription f;
    f.name = s.prefix + *n.attribute("name");
    require_short_name(f.name, "a frame", n.at());
    const std::string key = sdf::Frames::frame_key(s, *n.attribute("name"));
    f.link = frames.link_of(key);
    f.pose = frames.relative(f.link == "world" ? std::string(sdf::Frames::world) : "link " + f.link,
                             key);
    f.line = file.places.line(n);
    d.frames.push_back(std::move(f));
  }
}

std::vector<std::string> root_links(const Description& d) {
  std::unordered_set<std::string> children;
  for (const JointDescription& j : d.joints) children.insert(j.child);
  std::vector<std::string> roots;
  for (const LinkDescription& l : d.links)
    if (!children.contains(l.name)) roots.push_back(l.name);
  return roots;
}

// Joints and frames may belong to the world. A root that is not at the world's origin, and the
// roots of a static model, are fixed to it.
void add_world(const sdf::File& file, const sdf::Frames& frames, Description& d) {
  bool wanted = false;
  for (const JointDescription& j : d.joints) wanted = wanted || j.parent == "world";
  for (const FrameDescription& f : d.frames) wanted = wanted || f.link == "world";
  const std::vector<std::string> roots = root_links(d);
  const Node& model = file.model.element;
  std::vector<JointDescription> fixed;
  const auto fix = [&](const std::string& root) {
    JointDescription j;
    j.name = "world_to_" + root;
    j.parent = "world";
    j.child = root;
    j.origin = frames.relative(sdf::Frames::world, "link " + root);
    j.line = j.axis_line = file.places.line(model);
    fixed.push_back(std::move(j));
  };
  if (roots.size() == 1 && !is_identity(frames.relative(sdf::Frames::world, "link " + roots[0])))
    fix(roots[0]);
  if (roots.size() > 1 && file.model.is_static)
    for (const std::string& root : roots) fix(root);
  if (!wanted && fixed.empty()) return;
  if (wanted && fixed.empty() && roots.size() == 1 && file.model.is_static == false &&
      std::none_of(d.joints.begin(), d.joints.end(),
                   [](const JointDescription& j) { return j.parent == "world"; }))
    fix(roots[0]);  // a frame of the world, with a root at its origin
  LinkDescription world;
  world.name = "world";
  world.line = file.places.line(model);
  d.links.insert(d.links.begin(), std::move(world));
  d.joints.insert(d.joints.begin(), fixed.begin(), fixed.end());
}

}  // namespace

Description parse_sdf(const std::string& text, const std::string& file_name,
                      const LoadOptions& options) {
  Description d;
  const sdf::File file = sdf::read_file(text, file_name, options, d.remarks);
  d.file = file_name;
  d.name = file.model.name;
  d.gravity = file.gravity;
  d.included = file.places.included();
  const sdf::Frames frames(file);
  std::size_t joints = 0, links = 0;
  for (const ModelScope& s : frames.models())
    for (const Node& n : s.model->element.children) {
      joints += n.name == "joint";
      links += n.name == "link";
    }
  require_few(file_name, joints, links);
  sdf::remark_on_tags(file.model, d);
  for (const ModelScope& s : frames.models())
    for (const Node& n : s.model->element.children)
      if (n.name == "link") read_link(s, n, file, d);
  for (const ModelScope& s : frames.models())
    for (const Node& n : s.model->element.children)
      if (n.name == "joint") sdf::read_joint(s, n, frames, file.places, d);
  sdf::apply_gearboxes(frames, file.places, d);
  for (const ModelScope& s : frames.models()) read_frames(s, frames, file, d);
  add_world(file, frames, d);
  require_few(file_name, d.joints.size(), d.links.size());
  if (options.floating) float_root(d);
  require_printable_names(d);
  return d;
}

}  // namespace parid::model
