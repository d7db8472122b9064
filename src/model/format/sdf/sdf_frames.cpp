#include "model/format/sdf/sdf_frames.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/spelling.hpp"

namespace parid::model::sdf {
namespace {

using xml::Node;

constexpr std::size_t deepest_chain = 200;  // of frames that are relative to one another
constexpr std::size_t most_models = 2000;

constexpr const char* kinds[] = {"link ", "frame ", "model ", "joint "};

// The frame that a <pose> names; before 1.7 the attribute was called frame.
std::string named_frame(const Node* pose, Version version) {
  if (!pose) return "";
  if (const std::string* name = pose->attribute("relative_to")) return *name;
  const std::string* old = version.before(1, 7) ? pose->attribute("frame") : nullptr;
  return old ? *old : "";
}

Pose<double> pose_of(const Node& element) {
  const Node* pose = element.child("pose");
  return pose ? pose_in(*pose) : Pose<double>{};
}

}  // namespace

Frames::Frames(const File& file) {
  frames_[world];
  name_world(file);
  name_all(file.model, "", world);
  for (std::size_t k = 0; k < scopes_.size(); ++k) place_all(k);
}

void Frames::add(const std::string& key, const Node& at) {
  Frame f;
  f.at = &at;
  if (!frames_.emplace(key, std::move(f)).second)
    throw Error(at.at(), fmt::format("there is a second {}", key), "give it another name");
}

void Frames::name_world(const File& file) {
  const ModelScope none;
  for (const Node& n : file.world_frames)
    add(frame_key(none, "world::" + required_attribute(n, "name")), n);
  for (const Node& n : file.world_frames) {
    Frame& f = frames_[frame_key(none, "world::" + *n.attribute("name"))];
    const std::string relative = named_frame(n.child("pose"), file.version);
    const std::string* attached = n.attribute("attached_to");
    const std::string base = !relative.empty() ? relative : attached ? *attached : "world";
    f.pose = pose_of(n);
    f.relative_to = base == "world" || base.empty() ? world : frame_key(none, "world::" + base);
    f.attached_to = world;
    if (!frames_.contains(f.relative_to))
      throw Error(n.at(), fmt::format("there is no frame '{}' in the world", base.substr(0, 100)),
                  "name a <frame> of the world");
  }
}

void Frames::name_all(const Model& m, const std::string& prefix, const std::string& outer) {
  // The model that is read has names without a prefix.
  const bool is_root = scopes_.empty();
  ModelScope s;
  s.model = &m;
  s.prefix = is_root || m.merged ? prefix : prefix + m.name + "::";
  s.frame = is_root    ? "model "
            : m.merged ? fmt::format("model {}_merged__{}__model__", prefix, m.name)
                       : fmt::format("model {}{}", prefix, m.name);
  if (scopes_.size() >= most_models)
    throw Error(m.element.at(), fmt::format("there are more than {} models", most_models),
                "nest fewer");
  add(s.frame, m.element);
  for (const Node& n : m.element.children) {
    if (n.name == "link") add(link_key(s, required_attribute(n, "name")), n);
    if (n.name == "joint") add(joint_key(s, required_attribute(n, "name")), n);
    if (n.name == "frame") add(frame_key(s, required_attribute(n, "name")), n);
  }
  scopes_.push_back(s);
  outer_.push_back(outer);
  for (const Model& nested : m.nested) name_all(nested, s.prefix, s.frame);
}

std::string Frames::find(const ModelScope& s, const std::string& name, const Node& at) const {
  if (name == "__model__") return s.frame;
  if (name == "world") return world;
  for (const char* kind : kinds)
    if (const std::string key = kind + s.prefix + name; frames_.contains(key)) return key;
  if (name.ends_with("::__model__")) return find(s, name.substr(0, name.size() - 11), at);
  std::vector<std::string> known;
  for (const auto& [key, frame] : frames_) {
    const std::size_t space = key.find(' ');
    if (space != key.npos && known.size() < 10'000) known.push_back(key.substr(space + 1));
  }
  throw Error(at.at(),
              fmt::format("<{}> names '{}', which is not a link, joint, frame or model here",
                          at.name, name.substr(0, 100)),
              did_you_mean(name, known) + "correct the name");
}

std::string Frames::canonical_link(const ModelScope& s) const {
  if (const std::string* name = s.model->element.attribute("canonical_link"))
    return find(s, *name, s.model->element);
  for (const Node& n : s.model->element.children)
    if (n.name == "link") return link_key(s, *n.attribute("name"));
  for (const ModelScope& inner : scopes_)
    for (const Model& nested : s.model->nested)
      if (inner.model == &nested)
        if (std::string link = canonical_link(inner); !link.empty()) return link;
  return "";
}

void Frames::place_model(const ModelScope& s, const ModelScope* outer) {
  Frame& f = frames_[s.frame];
  const Node& own = s.model->element;
  const Node* including = s.model->including.get();
  // <include> may place the model instead of the model itself.
  const Node& placed = including && including->child("pose") ? *including : own;
  f.pose = pose_of(placed);
  const std::string base = named_frame(placed.child("pose"), s.model->version);
  f.attached_to = canonical_link(s);
  if (outer) {
    // Surroundings that an included file gives for itself do not apply where it is included.
    f.relative_to =
        base.empty() || (including && &placed == &own) ? outer->frame : find(*outer, base, placed);
  } else {
    f.relative_to = base.empty() || base == "world" ? world : "frame world::" + base;
    if (!frames_.contains(f.relative_to))
      throw Error(placed.at(),
                  fmt::format("there is no frame '{}' in the world", base.substr(0, 100)),
                  "name a <frame> of the world");
  }
  const Node* placement = including ? including->child("placement_frame") : nullptr;
  const std::string* attribute = own.attribute("placement_frame");
  if (placement)
    f.placement = find(s, placement->inner_text(), *placement);
  else if (attribute && !attribute->empty())
    f.placement = find(s, *attribute, own);
}

void Frames::place_all(std::size_t index) {
  const ModelScope& s = scopes_[index];
  const auto around = std::find_if(scopes_.begin(), scopes_.end(),
                                   [&](const ModelScope& o) { return o.frame == outer_[index]; });
  place_model(s, around == scopes_.end() ? nullptr : &*around);
  const Version version = s.model->version;
  for (const Node& n : s.model->element.children) {
    if (n.name != "link" && n.name != "joint" && n.name != "frame") continue;
    const std::string name = *n.attribute("name");
    const std::string key = n.name + " " + s.prefix + name;
    Frame& f = frames_[key];
    f.pose = pose_of(n);
    const std::string base = named_frame(n.child("pose"), version);
    std::string otherwise = s.frame;
    if (n.name == "joint") {
      const Node* child = n.child("child");
      if (!child)
        throw Error(n.at(), fmt::format("joint '{}' has no <child>", name),
                    "add <child>LINK</child>");
      otherwise = f.attached_to = find(s, child->inner_text(), *child);
    } else if (n.name == "frame") {
      const std::string* attached = n.attribute("attached_to");
      f.attached_to = attached && !attached->empty() ? find(s, *attached, n) : s.frame;
      otherwise = f.attached_to;
    }
    f.relative_to = base.empty() ? otherwise : find(s, base, *n.child("pose"));
  }
}

Pose<double> Frames::own_pose(const Frame& f, const std::string& key) const {
  if (f.placement.empty()) return f.pose;
  // The pose is that of a frame inside the model.
  Pose<double> inside;
  std::size_t steps = 0;
  for (std::string k = f.placement; k != key;) {
    const Frame& inner = frames_.at(k);
    if (k == world || ++steps > deepest_chain)
      throw Error(f.at->at(), "the placement frame is not placed in its model",
                  "name a link or frame of the model");
    inside = (inner.placement.empty() ? inner.pose : own_pose(inner, k)) * inside;
    k = inner.relative_to;
  }
  return f.pose * inverse(inside);
}

std::vector<std::string> Frames::chain(const std::string& key) const {
  std::vector<std::string> all{key};
  while (all.back() != world) {
    if (all.size() > deepest_chain)
      throw Error(frames_.at(key).at->at(),
                  fmt::format("{} is placed relative to itself, or through more than {} others",
                              key, deepest_chain),
                  "make one of them relative to the model");
    all.push_back(frames_.at(all.back()).relative_to);
  }
  return all;
}

Pose<double> Frames::relative(const std::string& in, const std::string& what) const {
  std::vector<std::string> up = chain(in), down = chain(what);
  while (up.size() > 1 && down.size() > 1 && up[up.size() - 2] == down[down.size() - 2]) {
    up.pop_back();
    down.pop_back();
  }
  const auto product = [&](const std::vector<std::string>& keys) {
    Pose<double> pose;
    for (std::size_t k = 0; k + 1 < keys.size(); ++k)
      pose = own_pose(frames_.at(keys[k]), keys[k]) * pose;
    return pose;
  };
  if (up.size() == 1) return product(down);
  return inverse(product(up)) * product(down);
}

std::string Frames::link_of(const std::string& key) const {
  std::string at = key;
  for (std::size_t steps = 0; steps <= deepest_chain; ++steps) {
    if (at == world) return "world";
    if (at.starts_with("link ")) return at.substr(5);
    const Frame& f = frames_.at(at);
    if (f.attached_to.empty())
      throw Error(f.at->at(), fmt::format("{} is attached to a model without links", key),
                  "attach it to a link");
    at = f.attached_to;
  }
  throw Error(frames_.at(key).at->at(),
              fmt::format("{} is attached to itself, through others", key),
              "attach one of them to a link");
}

}  // namespace parid::model::sdf
