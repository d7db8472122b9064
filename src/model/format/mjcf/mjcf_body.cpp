#include "model/format/mjcf/mjcf_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/format/mjcf/mjcf_frame.hpp"
#include "model/format/mjcf/mjcf_inertial.hpp"
#include "model/format/size_limit.hpp"
#include "model/frame.hpp"
#include "model/lint/finding.hpp"
#include "model/names.hpp"

namespace parid::model::mjcf {
namespace {

using V = Vec3<double>;
using P = Pose<double>;

constexpr double unlimited = 1e10;  // MuJoCo's largest number: such a limit counts as none

// An element of a body, with the frame of <frame> and <replicate> around it and its default class.
struct Part {
  const Element* element;
  P frame;
  const DefaultClass* defaults;
  std::string suffix;  // of names, from <replicate>
};

struct BodyParts {
  std::vector<Part> joints, geoms, sites, bodies;
  const Element* inertial = nullptr;
};

struct Parent {
  std::string link;
  P global;  // where coordinates are the world's
  bool moves = false;
  bool is_world = false;
};

class Bodies {
 public:
  Bodies(const Document& document, const Compiler& compiler, const Defaults& defaults,
         const LoadOptions& options, NotRepresented& missing, Description& d)
      : document_(document),
        c_(compiler),
        defaults_(defaults),
        floating_(options.floating),
        missing_(missing),
        d_(d),
        meshes_(document, compiler, defaults) {
    for (const Element& section : document.root.children)
      if (section.name == "worldbody") note_names(section);
  }

  JointList run() {
    LinkDescription world;
    world.name = "world";
    std::vector<const Element*> sections;
    for (const Element& section : document_.root.children)
      if (section.name == "worldbody") sections.push_back(&section);
    if (sections.empty())
      throw Error(document_.at(document_.root.line), "the model has no <worldbody>",
                  "add one with the bodies of the robot");
    world.line = sections[0]->line;
    d_.links.push_back(world);
    BodyParts parts;
    for (const Element* section : sections) gather(*section, {}, defaults_.main(), "", parts);
    if (!parts.joints.empty() || parts.inertial)
      throw Error(document_.at((parts.inertial ? parts.inertial : parts.joints[0].element)->line),
                  "<worldbody> has a joint or an inertial, but the world does not move",
                  "put it into a <body>");
    const Parent root{"world", {}, false, true};
    add_sites(parts, root);
    for (const Part& body : parts.bodies) add_body(body, root);
    scale_to_total_mass(d_, c_);
    return std::move(list_);
  }

 private:
  void note_names(const Element& e) {
    for (const Element& child : e.children) {
      if (const std::string* name = child.attribute("name")) {
        if (child.name == "body") link_names_.insert(*name);
        if (child.name == "joint" || child.name == "freejoint") joint_names_.insert(*name);
      }
      note_names(child);
    }
  }

  // ---- parts of a body ----

  const DefaultClass* class_of(const Element& e, const DefaultClass* otherwise,
                               const char* attribute = "class") const {
    const std::string* name = e.attribute(attribute);
    return name ? defaults_.named(*name, document_, e.line) : otherwise;
  }
  Node node(const Part& part, std::string owner) const {
    return {document_, *part.element, class_of(*part.element, part.defaults), std::move(owner)};
  }
  Node plain(const Element& e, std::string owner) const {
    return {document_, e, nullptr, std::move(owner)};
  }

  void gather(const Element& from, const P& frame, const DefaultClass* defaults,
              const std::string& suffix, BodyParts& out) {
    for (const Element& e : from.children) {
      count_visit(e);
      const Part part{&e, frame, defaults, suffix};
      if (e.name == "inertial") {
        if (out.inertial)
          throw Error(document_.at(e.line), "the body has a second <inertial>", "keep one");
        out.inertial = &e;
      } else if (e.name == "joint" || e.name == "freejoint") {
        out.joints.push_back(part);
      } else if (e.name == "geom") {
        out.geoms.push_back(part);
      } else if (e.name == "site") {
        out.sites.push_back(part);
      } else if (e.name == "body") {
        out.bodies.push_back(part);
      } else if (e.name == "frame") {
        gather(e, frame * read_pose(plain(e, "<frame>"), c_), class_of(e, defaults, "childclass"),
               suffix, out);
      } else if (e.name == "replicate") {
        replicate(e, frame, defaults, suffix, out);
      } else {
        missing_.body_element(e);
      }
    }
  }

  void count_visit(const Element& e) {
    if (++visited_ > most_parts)
      throw Error(document_.at(e.line), "the model repeats too many elements",
                  "lower the counts of <replicate>");
  }

  void replicate(const Element& e, const P& frame, const DefaultClass* defaults,
                 const std::string& suffix, BodyParts& out) {
    const Node tag = plain(e, "<replicate>");
    const double count = tag.number_or("count", 0);
    if (!(count >= 1 && count <= 1e5 && count == std::floor(count)))
      tag.fail("has no 'count' from 1 to 100000", "give a whole number");
    const int n = static_cast<int>(count);
    const V offset = tag.vector("offset").value_or(V{});
    const auto turn = tag.numbers("euler", 3, 3).value_or(std::vector<double>(3));
    const std::size_t digits = std::to_string(n).size();
    P step;
    for (int k = 0; k < n; ++k) {
      count_visit(e);
      step.R = euler_rotation({k * turn[0], k * turn[1], k * turn[2]}, c_);
      gather(e, frame * step, class_of(e, defaults, "childclass"),
             fmt::format("{}{:0{}}{}", tag.text_or("sep", ""), k, digits, suffix), out);
      step.p = step.p + step.R * offset;
    }
  }

  // ---- names ----

  std::string free_name(std::unordered_set<std::string>& taken, const std::string& wanted) {
    std::string name = wanted;
    int& next = next_.try_emplace(wanted, 2).first->second;
    for (; !taken.insert(name).second; ++next) name = fmt::format("{}{}", wanted, next);
    return name;
  }
  std::string name_of(const Part& part, const char* whose) const {
    const std::string* name = part.element->attribute("name");
    if (!name || name->empty()) return "";
    require_short_name(*name, whose, document_.at(part.element->line));
    return *name + part.suffix;
  }

  // ---- bodies ----

  void add_body(const Part& part, const Parent& parent) {
    require_few(d_.file, d_.joints.size(), d_.links.size());
    const Element& e = *part.element;
    ++body_count_;
    std::string name = name_of(part, "a body");
    if (name.empty()) name = free_name(link_names_, fmt::format("body{}", body_count_));
    const std::string owner = fmt::format("body '{}'", name);
    const Node tag = plain(e, owner);
    if (tag.flag("mocap").value_or(false)) {
      missing_.add("mocap bodies", "they are moved from outside and have no dynamics", e.line,
                   name);
      return;
    }
    if (tag.number_or("gravcomp", 0) != 0)
      missing_.add("gravity compensation", "torques include the whole weight", e.line, name);

    const P given = read_pose(tag, c_);
    if (c_.global && !e.attribute("pos"))
      tag.fail("has no 'pos', which coordinate=\"global\" needs", "give its position in the world");
    Parent here;
    here.link = name;
    here.global = c_.global ? given : parent.global * part.frame * given;
    const P in_parent = c_.global ? inverse(parent.global) * given : part.frame * given;

    BodyParts parts;
    gather(e, {}, class_of(e, part.defaults, "childclass"), part.suffix, parts);
    here.moves = parent.moves || !parts.joints.empty();
    add_joints(parts, part, parent, in_parent, here);

    LinkDescription link;
    link.name = name;
    link.line = e.line;
    link.inertia_line = parts.inertial ? parts.inertial->line : 0;
    link.inertia = inertia_of(parts, here, given.p, owner);
    d_.links.push_back(link);
    add_sites(parts, here);
    for (const Part& child : parts.bodies) add_body(child, here);
  }

  // From the coordinates of a part of the body to the body's frame.
  P to_body(const P& frame, const Parent& body) const {
    return c_.global ? inverse(body.global) : frame;
  }

  void add_sites(const BodyParts& parts, const Parent& body) {
    for (const Part& part : parts.sites) {
      const std::string name = name_of(part, "a site");
      if (name.empty()) continue;
      const Node tag = node(part, fmt::format("site '{}'", name));
      P at = read_pose(tag, c_);
      if (const auto ends = tag.numbers("fromto", 6, 6)) {
        const V a{(*ends)[0], (*ends)[1], (*ends)[2]}, b{(*ends)[3], (*ends)[4], (*ends)[5]};
        if (length_of(a - b) > 1e-14) at = {turn_to(a - b), 0.5 * (a + b)};
      }
      std::string called = name;  // links and frames are named in the same places
      while (link_names_.contains(called) || called == "world") called += "_site";
      if (!frame_names_.insert(called).second) continue;  // MuJoCo refuses a second one
      d_.frames.push_back({called, body.link, to_body(part.frame, body) * at, tag.line()});
    }
  }

  // ---- joints ----

  void add_joints(const BodyParts& parts, const Part& body, const Parent& parent,
                  const P& in_parent, const Parent& here) {
    if (parts.joints.empty()) {
      JointDescription fixed;
      fixed.name = free_name(joint_names_, here.link + "_fixed");
      fixed.parent = parent.link;
      fixed.child = here.link;
      fixed.origin = in_parent;
      fixed.line = body.element->line;
      d_.joints.push_back(fixed);
      return;
    }
    std::string above = parent.link;
    P at = in_parent;
    for (std::size_t k = 0; k < parts.joints.size(); ++k) {
      const bool last = k + 1 == parts.joints.size();
      JointDescription joint = read_joint(parts.joints[k], here, parts.joints.size(), parent, at);
      joint.parent = above;
      joint.child =
          last ? here.link : free_name(link_names_, fmt::format("{}.{}", here.link, joint.name));
      if (!last) {
        LinkDescription between;
        between.name = joint.child;
        between.line = joint.line;
        between.joins_only = true;
        d_.links.push_back(between);
      }
      above = joint.child;
      at = {};
      d_.joints.push_back(joint);
    }
  }

  JointDescription read_joint(const Part& part, const Parent& body, std::size_t count,
                              const Parent& parent, const P& at) {
    JointDescription joint;
    joint.name = name_of(part, "a joint");
    if (joint.name.empty()) joint.name = free_name(joint_names_, body.link + "_joint");
    const std::string owner = fmt::format("joint '{}'", joint.name);
    const bool free_tag = part.element->name == "freejoint";  // defaults are not for it
    const Node tag = free_tag ? plain(*part.element, owner) : node(part, owner);
    joint.line = joint.axis_line = joint.limits_line = tag.line();
    const int kind =
        free_tag ? 0 : tag.choice("type", {"free", "ball", "slide", "hinge"}).value_or(3);
    NamedJoint named{static_cast<int>(d_.joints.size()), 0, at, list_.nq};
    joint.rotor_inertia = tag.number_or("armature", 0);
    joint.damping = first_of(tag, "damping");
    joint.friction = tag.number_or("frictionloss", 0);
    if (first_of(tag, "stiffness") != 0)
      missing_.add("springs of joints", "torques leave them out", tag.line(), joint.name);
    switch (kind) {
      case 0: read_free(tag, count, parent, joint); break;
      case 1: read_ball(tag, part, body, at, joint); break;
      default: read_axis(tag, part, body, at, kind == 3, joint, named);
    }
    list_.nq += kind == 0 ? 7 : kind == 1 ? 4 : 1;
    list_.by_name.emplace(joint.name, static_cast<int>(list_.joints.size()));
    list_.joints.push_back(named);
    return joint;
  }

  static double first_of(const Node& tag, const char* attribute) {
    const auto all = tag.numbers(attribute, 1, 8);  // newer versions take the terms of a polynomial
    return all ? all->front() : 0;
  }

  void read_free(const Node& tag, std::size_t count, const Parent& parent,
                 JointDescription& joint) {
    if (!parent.is_world)
      tag.fail("is free, but its body is not directly in <worldbody>",
               "move the body there, or use another type of joint");
    if (count > 1)
      tag.fail("is free, but its body has other joints too", "keep the free joint alone");
    joint.type = JointType::floating;
    leave_out_rotor(tag, joint);
  }

  void read_ball(const Node& tag, const Part& part, const Parent& body, const P& at,
                 JointDescription& joint) {
    joint.type = JointType::spherical;
    const V anchor = to_body(part.frame, body) * tag.vector("pos").value_or(V{});
    joint.origin = at * P{Mat3<double>::identity(), anchor};
    joint.tip.p = -anchor;
    leave_out_rotor(tag, joint);
    if (tag.text("range"))
      missing_.add("limits of ball joints", "they are left out", tag.line(), joint.name);
  }

  // MuJoCo adds it to every freedom; here only joints with one freedom have it.
  void leave_out_rotor(const Node& tag, JointDescription& joint) {
    if (joint.rotor_inertia != 0)
      missing_.add("the armature of ball and free joints", "the mass matrix leaves it out",
                   tag.line(), joint.name);
    joint.rotor_inertia = 0;
    if (joint.damping != 0 || joint.friction != 0)
      missing_.add("the damping and friction of ball and free joints", "friction leaves them out",
                   tag.line(), joint.name);
    joint.damping = joint.friction = 0;
  }

  void read_axis(const Node& tag, const Part& part, const Parent& body, const P& at, bool hinge,
                 JointDescription& joint, NamedJoint& named) {
    const P local = to_body(part.frame, body);
    joint.type = hinge ? JointType::continuous : JointType::prismatic;
    const V axis = local.R * tag.vector("axis").value_or(V{0, 0, 1});
    const double length = length_of(axis);
    joint.axis = length > 1e-14 && length < 1e100 ? unit_vector(axis) : axis;  // check() refuses 0
    const double ref = tag.number_or("ref", 0);
    named.ref = hinge ? c_.radians(ref) : ref;
    const V anchor = hinge ? local * tag.vector("pos").value_or(V{}) : V{};
    const P back = hinge ? P{rotation_about(joint.axis, -named.ref), {}}
                         : P{Mat3<double>::identity(), -named.ref * joint.axis};
    joint.origin = at * P{Mat3<double>::identity(), anchor};
    if (named.ref != 0) joint.origin = joint.origin * back;
    joint.tip.p = -anchor;
    read_limits(tag, hinge, joint);
  }

  void read_limits(const Node& tag, bool hinge, JointDescription& joint) {
    if (const auto range = limited_range(tag, c_, "range", "limited")) {
      const auto at = [&](double x, double none) {
        if (std::abs(x) >= unlimited) return none;
        return hinge ? c_.radians(x) : x;
      };
      joint.has_limits = true;
      joint.limits.lower = at((*range)[0], -Limits::none);
      joint.limits.upper = at((*range)[1], Limits::none);
      if (hinge) joint.type = JointType::revolute;
    }
    if (const auto range = limited_range(tag, c_, "actuatorfrcrange", "actuatorfrclimited"))
      joint.limits.effort = std::max(std::abs((*range)[0]), std::abs((*range)[1]));
  }

  // ---- mass ----

  std::optional<Inertia> inertia_of(const BodyParts& parts, const Parent& body, const V& pos,
                                    const std::string& owner) {
    std::optional<Inertia> inertia;
    if (parts.inertial)
      inertia = explicit_inertia(plain(*parts.inertial, owner), to_body({}, body), c_);
    const bool from_geoms =
        c_.inertia_from_geom == InertiaFromGeom::always ||
        (c_.inertia_from_geom == InertiaFromGeom::if_missing && !parts.inertial);
    if (from_geoms)
      if (const auto sum = geoms_inertia(parts, body)) inertia = sum;
    return bounded_inertia(inertia, pos, c_);
  }

  std::optional<Inertia> geoms_inertia(const BodyParts& parts, const Parent& body) {
    Inertia sum;
    for (const Part& part : parts.geoms) {
      const Node tag = node(part, geom_name(part, body));
      try {
        sum = together(sum, geom_inertia(tag, to_body(part.frame, body), c_, meshes_));
      } catch (const UnreadMesh& e) {
        missing_.unread_mesh(body.link, tag.line(), e.what(),
                             body.moves || floating_ || c_.total_mass > 0);
      }
    }
    if (sum.mass == 0) return {};
    return sum;
  }

  static std::string geom_name(const Part& part, const Parent& body) {
    const std::string* name = part.element->attribute("name");
    return name && name->size() <= longest_name ? fmt::format("geom '{}'", *name)
                                                : fmt::format("a geom of body '{}'", body.link);
  }

  const Document& document_;
  const Compiler& c_;
  const Defaults& defaults_;
  const bool floating_;
  NotRepresented& missing_;
  Description& d_;
  Meshes meshes_;
  JointList list_;
  std::unordered_set<std::string> link_names_, joint_names_, frame_names_;
  std::unordered_map<std::string, int> next_;  // number appended to a name that is taken
  std::size_t visited_ = 0;
  int body_count_ = 0;
};

}  // namespace

JointList read_bodies(const Document& document, const Compiler& compiler, const Defaults& defaults,
                      const LoadOptions& options, NotRepresented& missing, Description& d) {
  return Bodies(document, compiler, defaults, options, missing, d).run();
}

}  // namespace parid::model::mjcf
