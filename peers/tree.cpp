#include "peers/tree.hpp"

#include <map>
#include <stdexcept>

namespace parid::peers {
namespace {

// The placement of a link: fixed at `pose` in the link that `joint` moves.
struct Seat {
  int joint;
  Pose<double> pose;
};

class Builder {
 public:
  Builder(const Description& d, const std::string& who) : d_(d), who_(who) {
    for (const LinkDescription& l : d.links) links_[l.name] = &l;
    for (const JointDescription& j : d.joints) {
      if (j.rotor) cannot(who, "joint '" + j.name + "' has a rotor that spins on a link");
      if (j.mimic) cannot(who, "joint '" + j.name + "' is a mimic joint");
      q_.push_back(tree_.nq);
      v_.push_back(tree_.nv);
      tree_.nq += position_count(j);
      tree_.nv += velocity_count(j);
      if (!link_.emplace(j.child, &j).second) cannot(who, "link '" + j.child + "' has two parents");
    }
    tree_.gravity = d.gravity;
  }

  Tree build() {
    std::string root;
    for (const LinkDescription& l : d_.links) {
      if (link_.count(l.name)) continue;
      if (!root.empty()) cannot(who_, "'" + root + "' and '" + l.name + "' are both roots");
      root = l.name;
    }
    if (root.empty()) cannot(who_, "the robot has no root link");
    attach_children(root, {-1, {}});
    if (placed_ != d_.joints.size())
      cannot(who_, "some joints are not connected to '" + root + "'");
    return std::move(tree_);
  }

 private:
  void attach_children(const std::string& link, const Seat& seat) {
    for (std::size_t i = 0; i < d_.joints.size(); ++i)
      if (d_.joints[i].parent == link) attach(i, seat);
  }

  void attach(std::size_t i, const Seat& seat) {
    ++placed_;
    const JointDescription& j = d_.joints[i];
    const auto link = links_.find(j.child);
    if (link == links_.end()) cannot(who_, "joint '" + j.name + "' moves no known link");
    const Inertia own = link->second->inertia.value_or(Inertia{});
    const Pose<double> origin = seat.pose * j.origin;
    if (j.type == JointType::fixed) {
      const Pose<double> pose = origin * j.tip;
      if (seat.joint >= 0) {
        Inertia& carrier = tree_.joints[seat.joint].inertia;
        carrier = together(carrier, moved(pose, own));
      }
      return attach_children(j.child, {seat.joint, pose});
    }
    const bool turns_or_slides = velocity_count(j.type) == 1;
    const bool has_axis = turns_or_slides || j.type == JointType::planar;
    const double length = norm(j.axis);
    if (has_axis && !(length > 0)) cannot(who_, "joint '" + j.name + "' has a zero axis");
    tree_.joints.push_back({j.name, j.type, seat.joint, origin, j.tip,
                            has_axis ? (1 / length) * j.axis : Vec3<double>{0, 0, 1},
                            turns_or_slides ? j.rotor_inertia : 0, own, q_[i], v_[i]});
    attach_children(j.child, {static_cast<int>(tree_.joints.size()) - 1, {}});
  }

  const Description& d_;
  const std::string& who_;
  std::map<std::string, const LinkDescription*> links_;
  std::map<std::string, const JointDescription*> link_;  // the joint that moves it
  std::vector<int> q_, v_;                               // of each joint of the description
  std::size_t placed_ = 0;
  Tree tree_;
};

}  // namespace

void cannot(const std::string& who, const std::string& why) {
  throw std::runtime_error(who + " cannot: " + why);
}

Tree tree(const Description& d, const std::string& who) { return Builder(d, who).build(); }

}  // namespace parid::peers
