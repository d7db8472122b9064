// The frames of an SDF model: links, joints, explicit frames, models and the world, each placed
// relative to another and attached to a link.

#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/format/sdf/sdf_model.hpp"
#include "model/layer.hpp"

namespace parid::model::sdf {

// A model in the tree of models, and how names inside it are completed.
struct ModelScope {
  const Model* model = nullptr;
  std::string prefix;  // of names: "arm::gripper::"
  std::string frame;   // key of the model's own frame
};

class Frames {
 public:
  // Throws Error if a name is unknown or frames are placed relative to one another in a cycle.
  explicit Frames(const File&);

  // The models, parents before those that they nest.
  const std::vector<ModelScope>& models() const { return scopes_; }

  // The key of a frame by its name in a model. `at` is where it is named.
  std::string find(const ModelScope&, const std::string& name, const xml::Node& at) const;
  static std::string link_key(const ModelScope& s, const std::string& name) {
    return "link " + s.prefix + name;
  }
  static std::string joint_key(const ModelScope& s, const std::string& name) {
    return "joint " + s.prefix + name;
  }
  static std::string frame_key(const ModelScope& s, const std::string& name) {
    return "frame " + s.prefix + name;
  }
  static constexpr const char* world = "world";

  // The pose of frame `what` in frame `in`.
  Pose<double> relative(const std::string& in, const std::string& what) const;
  // The name of the link to which a frame is attached; "world" for frames of the world.
  std::string link_of(const std::string& key) const;

 private:
  struct Frame {
    std::string relative_to, attached_to, placement;
    Pose<double> pose;
    const xml::Node* at = nullptr;
  };

  void name_all(const Model&, const std::string& prefix, const std::string& outer);
  void place_all(std::size_t scope);
  void place_model(const ModelScope&, const ModelScope* outer);
  void add(const std::string& key, const xml::Node& at);
  std::string canonical_link(const ModelScope&) const;
  Pose<double> own_pose(const Frame&, const std::string& key) const;
  std::vector<std::string> chain(const std::string& key) const;  // up to the world
  void name_world(const File&);

  std::vector<ModelScope> scopes_;
  std::vector<std::string> outer_;  // by scope: the key of the frame of the model around it
  std::unordered_map<std::string, Frame> frames_;
};

}  // namespace parid::model::sdf
