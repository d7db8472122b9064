#include "codegen/trace/generate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "codegen/trace/scene.hpp"
#include "codegen/trace/trace.hpp"
#include "dynamics/base_parameters.hpp"
#include "dynamics/link_parameters.hpp"
#include "model/description.hpp"
#include "model/given_values.hpp"
#include "parid/error.hpp"

namespace parid::codegen {

namespace {

// The options that have an effect on a quantity.
enum Use : unsigned {
  none = 0,
  parameters = 1,
  gravity = 2,
  payload = 4,
  wrench = 8,
  friction = 16,
  coefficients = 32,
  choice = 64,
  link = 128,
  step = 256,
  point = 512,
};
constexpr unsigned bodies = parameters | gravity | payload | choice | link;

// How a quantity of parid/quantity.hpp is traced.
struct Row {
  Quantity quantity;
  unsigned uses;
  Graph (*trace)(const Tracing&);
};

template <Quantity which>
Graph evaluated(const Tracing& t) {
  return by_evaluator(t, which);
}
template <Quantity which>
constexpr Row evaluated_row(unsigned uses) {
  return {which, uses, evaluated<which>};
}

constexpr Row rows[] = {
    {Quantity::inverse_dynamics, bodies | wrench | friction | coefficients,
     [](const Tracing& t) { return torque(t, true, true); }},
    {Quantity::forward_dynamics, bodies | wrench, forward},
    {Quantity::mass_matrix, parameters | payload | choice | link, mass},
    {Quantity::bias, bodies | wrench | friction | coefficients,
     [](const Tracing& t) { return torque(t, true, false); }},
    {Quantity::gravity, bodies | wrench, [](const Tracing& t) { return torque(t, false, false); }},
    {Quantity::inverse_gradient, bodies | wrench, inverse_gradient},
    {Quantity::forward_gradient, bodies | wrench, forward_gradient},
    {Quantity::inverse_vector_product, bodies | wrench, inverse_vjp},
    {Quantity::forward_vector_product, bodies | wrench, forward_vjp},
    {Quantity::inverse_jacobian_product, bodies | wrench, inverse_jvp},
    {Quantity::forward_jacobian_product, bodies | wrench, forward_jvp},
    {Quantity::inverse_hessian_product, bodies | wrench, inverse_hvp},
    evaluated_row<Quantity::inverse_parameter_vector_product>(none),
    evaluated_row<Quantity::forward_parameter_vector_product>(none),
    evaluated_row<Quantity::inverse_parameter_jacobian_product>(none),
    evaluated_row<Quantity::forward_parameter_jacobian_product>(none),
    evaluated_row<Quantity::inverse_mass_matrix>(none),
    evaluated_row<Quantity::coriolis_matrix>(none),
    evaluated_row<Quantity::coriolis_product>(none),
    evaluated_row<Quantity::energy_gradient>(none),
    evaluated_row<Quantity::centroidal_momentum_matrix>(none),
    evaluated_row<Quantity::centre_of_mass>(none),
    evaluated_row<Quantity::operational_space>(link),
    evaluated_row<Quantity::jacobian_local>(link),
    evaluated_row<Quantity::jacobian_world>(link),
    evaluated_row<Quantity::jacobian_rate_product>(link),
    evaluated_row<Quantity::elastic_inverse_dynamics>(none),
    evaluated_row<Quantity::elastic_forward_dynamics>(none),
    {Quantity::regressor, gravity | friction | choice, regressor},
    evaluated_row<Quantity::energy>(none),
    {Quantity::kinematics, link, kinematics},
    {Quantity::jacobian, link | point, jacobian_of_link},
    {Quantity::inverse_kinematics, link, ik},
    {Quantity::inverse_kinematics_step, link, ik_step},
    {Quantity::computed_torque, bodies | wrench | friction | coefficients, computed_torque},
    {Quantity::rollout, bodies | wrench | step, rollout},
};

const Row& row_of(Quantity which) {
  for (const Row& r : rows)
    if (r.quantity == which) return r;
  generated_quantity(name(which));  // throws, with the names of those that can be
  throw std::logic_error(fmt::format("'{}' has no trace function", name(which)));
}

bool friction_by_load(const CanonicalModel& c) {
  for (const FrictionLaw<double>& f : c.friction)
    if (f.journal != 0 || f.linear != 0 || f.thrust != 0) return true;
  return false;
}

void require_sense(const Row& r, const CanonicalModel& c, const GenerateOptions& o) {
  auto check = [&](bool asked, unsigned use, const char* option) {
    if (!asked || (r.uses & use) != 0) return;
    std::vector<std::string> others;
    for (const Row& other : rows)
      if ((other.uses & use) != 0) others.emplace_back(name(other.quantity));
    throw Error(fmt::format("{}: does not apply to '{}'; it applies to {}", option,
                            name(r.quantity), fmt::join(others, ", ")));
  };
  check(o.parameters, parameters, "`inputs=parameters`");
  check(o.gravity, gravity, "`inputs=gravity`");
  check(o.payload, payload, "`inputs=payload`");
  check(o.wrench, wrench, "`inputs=wrench`");
  check(o.friction_coefficients, coefficients, "`inputs=friction`");
  check(o.step, step, "`inputs=dt`");
  if (o.all_branches && r.quantity != Quantity::inverse_kinematics)
    throw Error(
        fmt::format("`all_branches`: does not apply to '{}'; it applies to ik", name(r.quantity)));
  check(o.friction, friction, "`friction`");
  check(o.choice.has_value(), choice, "`base`");
  check(!o.link.empty(), link, "`link`");
  check(o.point != GenerateOptions{}.point, point, "`point`");
  require_finite("point", o.point);
  const GenerateOptions usual;
  check(o.steps != usual.steps, step, "`steps`");
  check(o.dt != usual.dt, step, "`dt`");
  check(o.integrator != usual.integrator, step, "`integrator`");
  check(o.path, step, "`path`");
  check(o.standard_parameters, parameters, "`standard_parameters`");
  if (o.step && o.dt != usual.dt)
    throw Error("`dt`: `inputs=dt` makes it an argument; choose one of the two");
  if (o.standard_parameters && o.parameters)
    throw Error(
        "`standard_parameters`: `inputs=parameters` makes the inertias arguments; choose one of "
        "the two");
  if (!o.link.empty() && (r.uses & payload) != 0 && !o.payload && !o.wrench)
    throw Error(
        fmt::format("`link`: for '{}' it is the link of `inputs=payload` or `inputs=wrench`; give "
                    "one of them too",
                    name(r.quantity)));
  const bool columns = r.quantity == Quantity::regressor;
  if (o.choice && !o.parameters && !columns)
    throw Error("`base`: it selects the parameters that are inputs; give `inputs=parameters` too");
  if (o.friction && o.friction_coefficients)
    throw Error(
        "`friction`: `inputs=friction` makes the coefficients inputs; choose one of the two");
  if (o.friction && !columns && o.choice && friction_by_load(c))
    throw Error(
        "`base`: this robot's bearing friction depends on reaction forces, which base parameters "
        "do not determine; omit `base` or `friction`");
  if ((o.friction && columns) || o.friction_coefficients)
    for (int i = 1; i <= c.topology.n; ++i)
      if (c.joint[i].coupling >= 0 && (c.friction[i].viscous != 0 || c.friction[i].coulomb != 0))
        throw Error(
            "`friction`: a joint that mimics another by a polynomial or a four-bar linkage has "
            "friction, whose share of the leader's depends on the position; remove its friction");
}

// The mechanism with the inertias that torques depend on, and their number.
Mechanism<double> lean_mechanism(const CanonicalModel& c, const GenerateOptions& o, int& count) {
  // A base that moves makes all links move freely.
  const Regrouped base = o.per_row.base_motion
                             ? regrouped(c)
                             : base_parameters(c, {.any_gravity = o.gravity || o.per_row.gravity});
  count = base.count();
  const bool reactions = o.friction && friction_by_load(c);
  return o.standard_parameters || reactions || !o.per_row.parameters.empty()
             ? c.mechanism
             : with_parameters(c, base);
}

// Names and values of pi, or of a regressor's columns.
void name_parameters(const Tracing& t, bool columns, Generated& made) {
  if (!columns && !t.options.parameters) return;
  if (t.options.choice) {
    made.parameter_names = t.options.choice->meanings;
    made.parameter_values = t.options.choice->values;
  } else {
    made.parameter_names = parameter_names(t.robot);
    made.parameter_values = link_parameters(t.robot);
  }
  if (!columns || !t.options.friction) return;
  for (const bool viscous : {true, false}) {
    std::vector<double> values(t.c.nv);
    for (int i = 1; i <= t.c.topology.n; ++i)
      if (t.c.topology.free_index[i] < 0) {
        const JointPlace& j = t.c.joint[i];
        if (j.coupling >= 0) continue;  // without friction: require_sense()
        values[j.velocity] += viscous ? j.scale * j.scale * t.c.friction[i].viscous
                                      : std::abs(j.scale) * t.c.friction[i].coulomb;
      }
    for (int k = 0; k < t.c.nv; ++k) {
      made.parameter_names.push_back(t.robot.velocity_names()[k] +
                                     (viscous ? ".viscous" : ".coulomb"));
      made.parameter_values.push_back(values[k]);
    }
  }
}

std::string argument_list(const std::vector<Argument>& all) {
  std::vector<std::string> each;
  for (const Argument& a : all) each.push_back(fmt::format("{}[{}]", a.name, a.count));
  return fmt::format("{}", fmt::join(each, ", "));
}

void describe(const Tracing& t, const Row& r, Generated& made) {
  Program& p = made.program;
  const Description& d = t.robot.description();
  p.about = {
      fmt::format("{}: {} of {}.", name(r.quantity), info(r.quantity).meaning, t.robot.name())};
  if (!d.source.empty()) p.about.push_back("Robot: " + d.source);
  p.about.push_back("");
  for (const std::string& line : cost_lines(p.graph)) p.about.push_back(line);
  if (made.rotors.multiplications > 0)
    p.about.push_back(fmt::format("of these, {} and {} are for rotor inertias",
                                  made.rotors.multiplications, made.rotors.additions));
  if (!t.options.parameters)
    p.about.push_back(
        t.options.standard_parameters || (t.options.friction && friction_by_load(t.c))
            ? "inertias as in the robot file"
            : fmt::format("inertias regrouped into {} base parameters", made.base_parameters));
  p.about.push_back("");
  const std::array<double, 3> g = t.robot.gravity();
  p.about.push_back(
      t.options.gravity
          ? "SI units and radians; joints in the robot file's order."
          : fmt::format(
                "SI units and radians; gravity {:g} {:g} {:g} m/s2; joints in the robot file's "
                "order.",
                g[0], g[1], g[2]));
  p.about.push_back(fmt::format("Inputs: {}; outputs: {}; matrices are row-major.",
                                argument_list(p.inputs), argument_list(p.outputs)));
  for (const std::string& line : input_lines(t)) p.about.push_back(line);
  if ((r.uses & ~unsigned{point}) == link) {
    std::string which = t.options.link == "all"
                            ? fmt::format("links: {}", fmt::join(t.robot.link_names(), ", "))
                            : "link: " + t.robot.link_names()[t.link()];
    p.about.push_back(which + "; expressed in the root link's frame.");
    if (r.quantity == Quantity::inverse_kinematics) {
      const IkProgram form = ik_program(t.c, t.link());
      if (t.options.all_branches)
        p.about.emplace_back(fmt::format(
            "q: {} branches of one value per joint, not reduced modulo 2 pi; bit 0, 1, 2 of a "
            "branch's index: arm, elbow (or slide), wrist.",
            1 << form.signs));
      else
        p.about.emplace_back(
            form.signs == 3 ? "branch: 1 or -1 for arm, elbow (or slide) and wrist. q: one value "
                              "per joint, not reduced modulo 2 pi."
            : form.signs == 1
                ? "branch: 1 or -1 for the elbow. q: one value per joint, not reduced modulo 2 pi."
                : "q: one value per joint, not reduced modulo 2 pi.");
      if (*form.redundancy != 0)
        p.about.push_back(fmt::format("redundancy: {}, rad.", form.redundancy));
      if (!form.exact)
        p.about.emplace_back(
            "The robot file rounds angles: three Newton steps on its own model follow the closed "
            "form.");
      p.about.emplace_back(
          "reach: negative if the pose is out of reach; q is then the fully stretched arm.");
    }
    if (r.quantity == Quantity::inverse_kinematics_step)
      p.about.emplace_back(
          "distance of q from the pose, squared: in m2, and in rad2 (up to 90 degrees; 2 "
          "sin(angle/2)).");
  }
  if ((r.uses & step) != 0)
    p.about.push_back(fmt::format("{} steps{} by {}; {}", t.options.steps,
                                  t.options.step ? "" : fmt::format(" of {:g} s", t.options.dt),
                                  t.options.integrator == "rk4"
                                      ? "the fourth-order Runge-Kutta method"
                                      : "semi-implicit Euler",
                                  t.options.path ? "q_end and v_end hold every step."
                                                 : "q_end and v_end hold the last step."));
  if (made.parameter_names.empty()) return;
  p.about.push_back(r.uses & parameters ? "pi, with this robot's values:"
                                        : "Columns of Y, with this robot's parameters:");
  for (std::size_t k = 0; k < made.parameter_names.size(); ++k)
    p.about.push_back(
        fmt::format("  {:>3}  {:<14.8g}{}", k, made.parameter_values[k], made.parameter_names[k]));
}

}  // namespace

Generated generate(const Robot& robot, Quantity which, const GenerateOptions& options) {
  const Row& r = row_of(which);
  const CanonicalModel& c = robot.canonical();
  // Masses that come with the call, or a payload that does, may make the matrix regular.
  if (!options.parameters && !options.payload && options.per_row.parameters.empty())
    robot.require_defined(which);
  require_sense(r, c, options);
  Generated made;
  Tracing t{robot, c, options, lean_mechanism(c, options, made.base_parameters),
            row_layout(robot, options.per_row).used_by(which)};
  Program& p = made.program;
  p.graph = r.trace(t);
  // Regrouping makes a chain cheaper; for a short one the closed form of the original may be
  // cheaper still.
  if (p.graph.size() < 400 && !options.standard_parameters && !options.parameters &&
      t.rows.parameters.empty()) {
    Tracing plain{robot, c, options, c.mechanism, t.rows};
    if (Graph g = r.trace(plain); weight(g) < weight(p.graph)) {
      p.graph = std::move(g);
      t.mechanism = c.mechanism;
    }
  }
  p.name = identifier(fmt::format("{}_{}", robot.name(), name(which)));
  p.inputs = arguments(p.graph.inputs());
  p.outputs = arguments(p.graph.outputs());
  bool any_rotor = false;
  for (const Freedom& f : c.freedom) any_rotor |= f.rotor_inertia != 0;
  if (any_rotor && which == Quantity::inverse_dynamics) {
    t.rotors = false;
    const Counts with = counts(p.graph), without = counts(r.trace(t));
    made.rotors.multiplications = std::max(0L, with.multiplications - without.multiplications);
    made.rotors.additions = std::max(0L, with.additions - without.additions);
  }
  name_parameters(t, which == Quantity::regressor, made);
  describe(t, r, made);
  for (std::string& line : p.about) line = comment_line(line);
  return made;
}

}  // namespace parid::codegen
