// Robots: construction, properties, and findings in their files.

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "bindings.hpp"
#include "model/format/builtin.hpp"
#include "model/format/load.hpp"
#include "model/format/toml/toml_writer.hpp"
#include "model/format/urdf/urdf_writer.hpp"
#include "model/joint/coordinates.hpp"
#include "model/lint/check.hpp"
#include "parid/dynamics.hpp"
#include "parid/elastic.hpp"
#include "runtime/method/explain.hpp"

namespace parid::python {

std::vector<double> vector(const char* name, const Numbers& x, std::size_t size) {
  if (static_cast<std::size_t>(x.size()) != size)
    throw py::value_error(fmt::format("{} has {} numbers; give {}", name, x.size(), size));
  return vector(x);
}

namespace {

using Three = std::array<double, 3>;

py::dict dict_of(const Finding& f) {
  py::dict d;
  d["severity"] = f.severity == Finding::Severity::error ? "error" : "warning";
  d["code"] = f.code;
  d["message"] = f.message;
  d["remedy"] = f.remedy;
  d["file"] = f.at.file;
  d["line"] = f.at.line;
  return d;
}
py::list findings_of(const Description& d) {
  py::list all;
  for (const Finding& f : check(d)) all.append(dict_of(f));
  return all;
}

using Strings = std::map<std::string, std::string>;

LoadOptions load_options(bool floating, bool strict, bool rotors, const Strings& packages,
                         const Strings& arguments, const std::string& format = "automatic") {
  LoadOptions o;
  o.floating = floating;
  o.strict = strict;
  o.rotors = rotors;
  o.packages = packages;
  o.arguments = arguments;
  o.format = robot_format(format);
  return o;
}

// A description from text, by its format.
Description parsed(const std::string& text, const std::string& format, const std::string& file,
                   bool floating) {
  LoadOptions o;
  o.floating = floating;
  o.format = robot_format(format);
  return parse_description(text, file, o);
}

py::dict joint(const JointDescription& j) {
  py::dict d;
  d["name"] = j.name;
  d["type"] = name_of(j.type);
  d["parent"] = j.parent;
  d["child"] = j.child;
  d["axis"] = array({j.axis.x, j.axis.y, j.axis.z});
  d["lower"] = j.limits.lower;
  d["upper"] = j.limits.upper;
  d["velocity"] = j.limits.velocity;
  d["effort"] = j.limits.effort;
  d["damping"] = j.damping;
  d["friction"] = j.friction;
  d["rotor_inertia"] = j.rotor_inertia;
  d["gear_ratio"] = j.gear_ratio;
  d["mimic"] =
      j.mimic ? py::object(py::make_tuple(j.mimic->joint, j.mimic->multiplier, j.mimic->offset))
              : py::object(py::none());
  d["rotor"] = py::none();
  if (const auto& r = j.rotor) {
    py::dict x;
    x["inertia"] = r->inertia;
    x["ratio"] = r->ratio;
    x["link"] = r->link;
    x["axis"] = array({r->axis.x, r->axis.y, r->axis.z});
    x["included"] = r->included;
    d["rotor"] = x;
  }
  d["polynomial"] = py::none();
  d["four_bar"] = py::none();
  if (j.mimic && !j.mimic->linear()) {
    py::list c;
    c.append(j.mimic->offset);
    c.append(j.mimic->multiplier);
    for (const double x : j.mimic->higher) c.append(x);
    d["polynomial"] = c;
  }
  if (j.mimic && j.mimic->four_bar) {
    const FourBar& f = *j.mimic->four_bar;
    py::dict l;
    l["ground"] = f.ground;
    l["input"] = f.input;
    l["coupler"] = f.coupler;
    l["output"] = f.output;
    l["angle"] = f.angle;
    l["crossed"] = f.crossed;
    d["four_bar"] = l;
  }
  return d;
}
py::dict link(const LinkDescription& l) {
  const Inertia i = l.inertia.value_or(Inertia{});
  const auto& I = i.about_com;
  py::dict d;
  d["name"] = l.name;
  d["mass"] = i.mass;
  d["centre"] = array({i.com.x, i.com.y, i.com.z});
  d["inertia"] = array({I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz}, 3);
  return d;
}

template <double Robot::Limit::*What>
py::array_t<double> limit(const RobotHandle& r) {
  std::vector<double> all;
  for (const Robot::Limit& l : r.robot.limits()) all.push_back(l.*What);
  return array(all);
}

py::list reactions_of(RobotHandle& r, const Numbers& q, const Numbers& v, const Numbers& a) {
  py::list all;
  for (const Reaction& x : reactions(r.robot, r.rooms().workspace, vector("q", q, r.nq),
                                     vector("v", v, r.nv), vector("a", a, r.nv))) {
    py::dict d;
    d["joint"] = x.joint;
    d["link"] = x.link;
    d["force"] = array({x.force[0], x.force[1], x.force[2]});
    d["moment"] = array({x.moment[0], x.moment[1], x.moment[2]});
    all.append(d);
  }
  return all;
}

py::list explanation(RobotHandle& r, const Numbers& q, const Numbers& v, const Numbers& a) {
  const auto three = [](const Vec3<double>& x) { return array({x.x, x.y, x.z}); };
  py::list all;
  for (const LinkExplanation& e :
       explain(r.robot, {}, vector("q", q, r.nq).data(), vector("v", v, r.nv).data(),
               vector("a", a, r.nv).data())) {
    py::dict d;
    d["link"] = e.link;
    d["joint"] = e.joint;
    d["parent"] = e.parent;
    d["mass"] = e.mass;
    d["centre"] = three(e.centre);
    d["angular_velocity"] = three(e.angular_velocity);
    d["angular_acceleration"] = three(e.angular_acceleration);
    d["acceleration"] = three(e.acceleration);
    d["centre_acceleration"] = three(e.centre_acceleration);
    d["force"] = three(e.force);
    d["moment"] = three(e.moment);
    d["torque"] = array(e.torque);
    all.append(d);
  }
  return all;
}

// Time of one call of inverse_dynamics in C++, for bench/python_overhead.py.
double nanoseconds(RobotHandle& r, const Numbers& q, const Numbers& v, const Numbers& a,
                   long calls) {
  const std::vector<double> x = vector("q", q, r.nq), y = vector("v", v, r.nv),
                            z = vector("a", a, r.nv);
  std::vector<double> tau(r.nv);
  Workspace& workspace = r.rooms().workspace;
  const auto start = std::chrono::steady_clock::now();
  for (long k = 0; k < calls; ++k) inverse_dynamics(r.robot, workspace, x, y, z, std::span(tau));
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
             .count() /
         static_cast<double>(calls);
}

KernelKind kernel_kind(const std::string& word) {
  for (const KernelKind k : {KernelKind::generic, KernelKind::interpreted, KernelKind::compiled,
                             KernelKind::machine, KernelKind::automatic})
    if (word == name(k)) return k;
  throw Error(
      fmt::format("kernel: unknown kernel '{}'; give generic, interpreted, machine, compiled or "
                  "automatic",
                  word));
}

template <class Type>
void add_kernels(py::class_<Type>& c) {
  c.def("_prepare", [](Type& d, const std::string& kind, const std::vector<std::string>& words,
                       int threads) {
     std::map<std::string, std::string> got;
     {
       const Unlocked unlocked;
       got = d.prepare(kernel_kind(kind), words, threads);
     }
     d.refresh();
     return got;
   }).def_property_readonly("kernel_note", &Type::note);
}

void add_facts(py::class_<RobotHandle>& c) {
  using D = RobotHandle;
  auto names = [](const std::vector<std::string>& all) { return py::tuple(py::cast(all)); };
  c.def_property_readonly("name", [](const D& r) { return r.robot.name(); })
      .def_property_readonly("file", [](const D& r) { return r.robot.description().file; })
      .def_property_readonly("source", [](const D& r) { return r.robot.description().source; })
      .def_property_readonly("summary", [](const D& r) { return r.robot.description().summary; })
      .def_property_readonly("nq", [](const D& r) { return r.nq; })
      .def_property_readonly("nv", [](const D& r) { return r.nv; })
      .def_property_readonly("position_names",
                             [names](const D& r) { return names(r.robot.position_names()); })
      .def_property_readonly("velocity_names",
                             [names](const D& r) { return names(r.robot.velocity_names()); })
      .def_property_readonly("links", [names](const D& r) { return names(r.robot.link_names()); })
      .def_property_readonly("tip", [](const D& r) { return r.robot.tip(); })
      .def_property_readonly("tips",
                             [names](const D& r) { return names(r.robot.tip_candidates()); })
      .def_property_readonly("poses", [names](const D& r) { return names(r.robot.pose_names()); })
      .def_property_readonly("lower", limit<&Robot::Limit::lower>)
      .def_property_readonly("upper", limit<&Robot::Limit::upper>)
      .def_property_readonly("velocity_limits", limit<&Robot::Limit::velocity>)
      .def_property_readonly("effort_limits", limit<&Robot::Limit::effort>)
      .def_property_readonly("neutral", [](const D& r) { return array(r.robot.neutral()); })
      .def_property_readonly("gravity",
                             [](const D& r) {
                               const Three g = r.robot.gravity();
                               return array({g[0], g[1], g[2]});
                             })
      .def_property_readonly("regressor_names",
                             [names](const D& r) { return names(regressor_names(r.robot)); })
      .def_property_readonly("regressor_parameters",
                             [](const D& r) { return array(regressor_parameters(r.robot)); })
      .def("_joints",
           [](const D& r) {
             py::list all;
             for (const JointDescription& j : r.robot.description().joints) all.append(joint(j));
             return all;
           })
      .def("_bodies",
           [](const D& r) {
             py::list all;
             for (const LinkDescription& l : r.robot.description().links) all.append(link(l));
             return all;
           })
      .def("_findings", [](const D& r) { return findings_of(r.robot.description()); })
      .def("to_toml", [](const D& r) { return to_toml(r.robot.description()); })
      .def("to_urdf", [](const D& r) { return to_urdf(r.robot.description()).text; })
      .def("_nanoseconds", nanoseconds)
      .def("_reactions", reactions_of)
      .def("_explain", explanation);
}

}  // namespace

void add_robot(py::module_& m) {
  py::class_<RobotHandle> robot(m, "RobotHandle");
  robot
      .def(py::init([](const RobotHandle& other) { return new RobotHandle(other.robot); }),
           py::arg("other"))
      .def(py::init([](const std::string& name, bool floating, bool strict, bool rotors,
                       const Strings& packages, const Strings& arguments) {
             const Unlocked unlocked;
             return new RobotHandle(
                 Robot::load(name, load_options(floating, strict, rotors, packages, arguments)));
           }),
           py::arg("name"), py::arg("floating") = false, py::arg("strict") = false,
           py::arg("rotors") = true, py::arg("packages") = Strings(),
           py::arg("arguments") = Strings())
      .def_static(
          "_parsed",
          [](const std::string& text, const std::string& format, const std::string& file,
             bool floating, bool strict, bool rotors, const Strings& packages,
             const Strings& arguments) {
            return new RobotHandle(Robot::from_text(
                text, load_options(floating, strict, rotors, packages, arguments, format), file));
          })
      .def("_with_locked",
           [](const RobotHandle& r, const std::map<std::string, double>& positions) {
             return new RobotHandle(r.robot.with_locked(positions));
           })
      .def("_with_frame",
           [](const RobotHandle& r, const std::string& name, const std::string& link,
              const Three& position, const std::array<double, 9>& rotation) {
             return new RobotHandle(r.robot.with_frame(name, link, position, rotation));
           })
      .def("_with_attached",
           [](const RobotHandle& r, const RobotHandle& other, const std::string& link,
              const std::string& prefix, const Three& position,
              const std::array<double, 9>& rotation) {
             return new RobotHandle(
                 r.robot.with_attached(other.robot, link, prefix, position, rotation));
           })
      .def("_with_mimic",
           [](const RobotHandle& r, const std::string& joint, const std::string& leader,
              const std::vector<double>& polynomial, const py::object& linkage) {
             MimicLaw law{leader, polynomial};
             if (!linkage.is_none()) {
               const auto f = linkage.cast<py::dict>();
               auto number = [&](const char* key) { return f[key].cast<double>(); };
               law.four_bar =
                   FourBarLinkage{number("ground"), number("input"), number("coupler"),
                                  number("output"), number("angle"), f["crossed"].cast<bool>()};
             }
             return new RobotHandle(r.robot.with_mimic(joint, law));
           })
      .def("_without_branch",
           [](const RobotHandle& r, const std::string& link) {
             return new RobotHandle(r.robot.without_branch(link));
           })
      .def("_with_spinning_rotors",
           [](const RobotHandle& r) { return new RobotHandle(r.robot.with_spinning_rotors()); })
      .def("_with_elasticity",
           [](const RobotHandle& r, const std::map<std::string, std::array<double, 2>>& springs) {
             std::map<std::string, JointElasticity> all;
             for (const auto& [joint, x] : springs) all[joint] = {x[0], x[1]};
             return new RobotHandle(r.robot.with_elasticity(all));
           })
      .def("_without_elasticity",
           [](const RobotHandle& r) { return new RobotHandle(r.robot.without_elasticity()); })
      .def("_elastic_joints",
           [](const RobotHandle& r) {
             py::list all;
             for (const ElasticJoint& j : r.robot.elastic_joints()) {
               py::dict d;
               d["joint"] = j.joint;
               d["stiffness"] = j.stiffness;
               d["damping"] = j.damping;
               d["rotor_inertia"] = j.rotor_inertia;
               all.append(d);
             }
             return all;
           })
      .def("_elastic_torques",
           [](const RobotHandle& r, const Numbers& t, const Numbers& q, const Numbers& v,
              const Numbers& a, const Numbers& jerk, const Numbers& snap, bool friction) {
             ElasticDynamics elastic(r.robot);
             const std::vector<double> times = vector(t);
             const std::size_t rows = times.size(), m = elastic.joints().size();
             std::vector<double> tau(rows * r.nv), theta(rows * m);
             elastic.along(times, vector("q", q, rows * r.nq), vector("v", v, rows * r.nv),
                           vector("a", a, rows * r.nv), vector("jerk", jerk, rows * r.nv),
                           vector("snap", snap, rows * r.nv), tau, {theta, {}, {}}, friction);
             return py::make_tuple(array(tau, r.nv), array(theta, m));
           })
      .def("_without_rotors",
           [](const RobotHandle& r) { return new RobotHandle(r.robot.without_rotors()); })
      .def("_with_tip",
           [](const RobotHandle& r, const std::string& link) {
             return new RobotHandle(r.robot.with_tip(link));
           })
      .def("_only_tip", [](const RobotHandle& r) { return r.robot.only_tip(); })
      .def("_named_pose", [](const RobotHandle& r,
                             const std::string& name) { return array(r.robot.named_pose(name)); })
      .def("_with_gravity", [](const RobotHandle& r,
                               const Three& g) { return new RobotHandle(r.robot.with_gravity(g)); })
      .def("_with_payload", [](const RobotHandle& r, const std::string& link, double mass,
                               const Three& centre, const std::array<double, 6>& inertia) {
        return new RobotHandle(r.robot.with_payload(link, mass, centre, inertia));
      });
  add_facts(robot);
  add_kernels(robot);
  add_entry_points(robot);

  py::class_<WorkspaceHandle> workspace(m, "WorkspaceHandle");
  workspace
      .def(py::init([](const RobotHandle& r) { return new WorkspaceHandle(r.robot); }),
           py::arg("robot"))
      .def("_set_base_motion", &WorkspaceHandle::set_base_motion)
      .def("_add_wrench", &WorkspaceHandle::add_wrench)
      .def("clear_wrenches", &WorkspaceHandle::clear_wrenches);
  add_kernels(workspace);
  add_entry_points(workspace);

  m.def("robots", [] {
    py::list all;
    for (const BuiltinRobot& r : builtin_robots())
      all.append(py::make_tuple(r.name, r.dof, r.summary));
    return all;
  });
  m.def("check", [](const std::string& name, bool floating) {
    return findings_of(load_description(name, floating));
  });
  m.def("check_text",
        [](const std::string& text, const std::string& format, const std::string& file,
           bool floating) { return findings_of(parsed(text, format, file, floating)); });
}

}  // namespace parid::python
