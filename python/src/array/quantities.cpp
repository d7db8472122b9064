#include "quantities.hpp"

#include <list>
#include <string>

#include "dynamics/array_size.hpp"
#include "parid/derivatives.hpp"
#include "parid/dynamics.hpp"
#include "parid/forward_friction.hpp"

namespace parid::python {
namespace {

struct Spans {
  explicit Spans(const Rooms& r)
      : nq(static_cast<std::size_t>(r.robot.nq())), nv(static_cast<std::size_t>(r.robot.nv())) {}
  std::size_t nq, nv;

  template <class Real>
  std::span<Real> q(Real* x) const {
    return {x, nq};
  }
  template <class Real>
  std::span<Real> v(Real* x) const {
    return {x, nv};
  }
  std::span<double> square(double* x) const { return {x, nv * nv}; }
};

template <class Real>
void inverse(Rooms& r, int, const Real* const* in, Real* const* out) {
  const Spans s(r);
  inverse_dynamics(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]), s.v(out[0]));
}
void with_friction(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  inverse_dynamics_with_friction(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]),
                                 s.v(out[0]));
}
void friction_parts(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  inverse_dynamics_with_friction(
      r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]),
      FrictionTorques{s.v(out[0]), s.v(out[1]), s.v(out[2]), s.v(out[3])});
}
// One sample of a quantity that parid::evaluate() covers.
template <Quantity which>
void evaluated(Rooms& r, int link, const double* const* in, double* const* out) {
  const QuantityInfo& about = info(which);
  std::span<const double> from[most_in];
  std::span<double> to[most_out];
  for (std::size_t k = 0; k < about.inputs.size(); ++k)
    from[k] = {in[k], count(r.robot, about.inputs[k].shape)};
  for (std::size_t k = 0; k < about.outputs.size(); ++k)
    to[k] = {out[k], count(r.robot, about.outputs[k].shape)};
  evaluate(r.robot, r.workspace, which, std::span(from, about.inputs.size()),
           std::span(to, about.outputs.size()), link);
}

struct RowSpans {
  RowSpans(const Engine& e, std::size_t rows)
      : nq(rows * static_cast<std::size_t>(e.robot().nq())),
        nv(rows * static_cast<std::size_t>(e.robot().nv())) {}
  std::size_t nq, nv;
};
void with_friction_rows(Engine& e, std::size_t rows, const double* const* in, double* const* out) {
  const auto [nq, nv] = RowSpans(e, rows);
  e.inverse_dynamics_with_friction(rows, {in[0], nq}, {in[1], nv}, {in[2], nv},
                                   std::span<double>(out[0], nv));
}
void friction_parts_rows(Engine& e, std::size_t rows, const double* const* in, double* const* out) {
  const auto [nq, nv] = RowSpans(e, rows);
  e.inverse_dynamics_with_friction(
      rows, {in[0], nq}, {in[1], nv}, {in[2], nv},
      FrictionTorques{{out[0], nv}, {out[1], nv}, {out[2], nv}, {out[3], nv}});
}
void forward(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  forward_dynamics(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]), s.v(out[0]));
}
void forward_with_friction(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  if (!forward_dynamics_with_friction(r.robot, s.q(in[0]), s.v(in[1]), s.v(in[2]), s.v(out[0])))
    for (std::size_t k = 0; k < s.nv; ++k) out[0][k] = std::numeric_limits<double>::quiet_NaN();
}
void mass(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  mass_matrix(r.robot, r.workspace, s.q(in[0]), s.square(out[0]));
}
void bias_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  bias(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(out[0]));
}
void gravity_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  gravity(r.robot, r.workspace, s.q(in[0]), s.v(out[0]));
}
void coriolis(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  coriolis_matrix(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.square(out[0]));
}
void inverse_gradient_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  inverse_gradient(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]), s.square(out[0]),
                   s.square(out[1]), s.square(out[2]));
}
void forward_gradient_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  forward_gradient(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]), s.square(out[0]),
                   s.square(out[1]), s.square(out[2]));
}
void inverse_product(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  inverse_vector_product(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]), s.v(in[3]),
                         s.v(out[0]), s.v(out[1]), s.v(out[2]));
}
void forward_product(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  forward_vector_product(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]), s.v(in[3]),
                         s.v(out[0]), s.v(out[1]), s.v(out[2]));
}
void regressor_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  regressor(r.robot, r.workspace, s.q(in[0]), s.v(in[1]), s.v(in[2]),
            {out[0], count(r.robot, ArrayShape::regressor)});
}
void energy_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  const EnergyState e = energy(r.robot, r.workspace, s.q(in[0]), s.v(in[1]));
  *out[0] = e.kinetic;
  *out[1] = e.potential;
  std::copy(e.centre.begin(), e.centre.end(), out[2]);
  std::copy(e.centre_velocity.begin(), e.centre_velocity.end(), out[3]);
  std::copy(e.linear_momentum.begin(), e.linear_momentum.end(), out[4]);
  std::copy(e.angular_momentum.begin(), e.angular_momentum.end(), out[5]);
}
void kinematics(Rooms& r, int link, const double* const* in, double* const* out) {
  const Spans s(r);
  Kinematics& k = r.kinematics();
  k.set(s.q(in[0]));
  const LinkPose pose = k.pose(link);
  std::copy(pose.rotation.begin(), pose.rotation.end(), out[0]);
  std::copy(pose.position.begin(), pose.position.end(), out[1]);
}
void jacobian_(Rooms& r, int link, const double* const* in, double* const* out) {
  const Spans s(r);
  Kinematics& k = r.kinematics();
  k.set(s.q(in[0]));
  k.jacobian(link, {out[0], 6 * s.nv});
}
void integrate_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  integrate(r.robot, s.q(in[0]), s.v(in[1]), s.q(out[0]));
}
void difference_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  difference(r.robot, s.q(in[0]), s.q(in[1]), s.v(out[0]));
}
void d_integrate_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  d_integrate(r.robot, s.q(in[0]), s.v(in[1]), s.square(out[0]), s.square(out[1]));
}
void d_difference_(Rooms& r, int, const double* const* in, double* const* out) {
  const Spans s(r);
  d_difference(r.robot, s.q(in[0]), s.q(in[1]), s.square(out[0]), s.square(out[1]));
}

// A docstring whose signature has the arguments that may differ by row.
const char* with_row_arguments(const char* doc, const RowArgumentUse& use) {
  static std::list<std::string> held;
  std::string more;
  if (use.parameters) more += ", parameters=None";
  if (use.gravity) more += ", gravity=None";
  if (use.base_motion) more += ", base_motion=None";
  if (use.wrenches) more += ", wrenches=None";
  std::string& text = held.emplace_back(doc);
  text.insert(text.find(")\n--"), more);
  return text.c_str();
}

std::vector<ArrayMethod> rows_of_the_list() {
  const ArrayInfo q{"q", ArrayShape::position}, v{"v", ArrayShape::velocity},
      a{"a", ArrayShape::velocity}, tau{"tau", ArrayShape::velocity};
  std::vector<ArrayMethod> all = {
      {.method = "inverse_dynamics",
       .quantity = Quantity::inverse_dynamics,
       .one = inverse<double>,
       .doc = R"(inverse_dynamics($self, q, v, a, *, out=None, threads=None)
--

Torques that give the robot the accelerations a at positions q and velocities v.

Includes rigid bodies, rotors, gravity and the external loads of a Workspace; no friction. q is
(nq,) and v, a are (nv,) for one sample, or (N, nq) and (N, nv) for many; an array of one sample
is broadcast to all rows. float64 and float32 arrays with nonnegative strides are used in place;
everything else is converted. The result is float32 if all inputs are, or if ``out`` is.

out      an array for the result, which is then returned itself
threads  number of threads for a batch; None: number of cores

These may differ from row to row, in this method and in the others that depend on them; each is one
array for all rows or has one row for each, (N, ...):

parameters   inertial parameters instead of the robot's, in the order of regressor_names; or a
             dictionary from links to their ten parameters
gravity      in the root link's frame, (3,), m/s2
base_motion  of the root link, in its frame, (9,): angular velocity, angular acceleration, linear
             acceleration
wrenches     a dictionary from links to force and moment, (6,), at the link's origin, in its frame

>>> r = parid.load("puma560")
>>> tau = r.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6))
>>> tau.round(3)
array([  0.   , -36.986,   0.249,   0.   ,   0.   ,   0.   ])
>>> many = r.inverse_dynamics(np.zeros((1000, 6)), np.ones(6), np.zeros(6))
>>> many.shape
(1000, 6)
>>> out = np.empty(6)
>>> r.inverse_dynamics(np.zeros(6), np.zeros(6), np.zeros(6), out=out) is out
True
>>> lighter = np.array([[0.9], [1.0]]) * r.regressor_parameters  # two robots
>>> z = np.zeros(6)
>>> r.inverse_dynamics(z, z, z, parameters=lighter).round(3)[:, 1]
array([-33.287, -36.986])
)",
       .one_float = inverse<float>},
      {.method = "forward_dynamics",
       .quantity = Quantity::forward_dynamics,
       .one = forward,
       .doc = R"(forward_dynamics($self, q, v, tau, *, out=None, threads=None)
--

Accelerations under torques tau: the inverse of inverse_dynamics.

>>> r = parid.load("puma560")
>>> q, v, a = np.full(6, 0.1), np.full(6, 0.2), np.full(6, 0.3)
>>> bool(np.allclose(r.forward_dynamics(q, v, r.inverse_dynamics(q, v, a)), a))
True
)"},
      {.method = "mass_matrix",
       .quantity = Quantity::mass_matrix,
       .one = mass,
       .doc = R"(mass_matrix($self, q, *, out=None, threads=None)
--

The symmetric mass matrix M, (nv, nv), with rotors on its diagonal; (N, nv, nv) for a batch.

>>> r = parid.load("planar2")
>>> r.mass_matrix([0.0, 0.0]).shape
(2, 2)
>>> r.mass_matrix(np.zeros((5, 2))).shape
(5, 2, 2)
)"},
      {.method = "bias",
       .quantity = Quantity::bias,
       .one = bias_,
       .doc = R"(bias($self, q, v, *, out=None, threads=None)
--

Torques at zero acceleration: Coriolis, centrifugal and gravity terms.

>>> r = parid.load("planar2")
>>> q, v = np.array([0.3, 0.4]), np.array([1.0, 2.0])
>>> bool(np.array_equal(r.bias(q, v), r.inverse_dynamics(q, v, np.zeros(2))))
True
)"},
      {.method = "gravity_torques",
       .quantity = Quantity::gravity,
       .one = gravity_,
       .doc = R"(gravity_torques($self, q, *, out=None, threads=None)
--

Torques that hold the robot at rest against gravity.

>>> parid.load("planar2").gravity_torques([0.0, 0.0])
array([19.62 ,  4.905])
)"},
      {.method = "coriolis_matrix",
       .quantity = Quantity::coriolis_matrix,
       .one = coriolis,
       .doc = R"(coriolis_matrix($self, q, v, *, out=None, threads=None)
--

C, (nv, nv), with bias = C v + gravity_torques and dM/dt - 2C skew.

>>> r = parid.load("planar2")
>>> q, v = np.array([0.3, 0.4]), np.array([1.0, 2.0])
>>> bool(np.allclose(r.coriolis_matrix(q, v) @ v + r.gravity_torques(q), r.bias(q, v)))
True
)"},
      {.method = "inverse_gradient",
       .quantity = Quantity::inverse_gradient,
       .one = inverse_gradient_,
       .doc = R"(inverse_gradient($self, q, v, a, *, out=None, threads=None)
--

Derivatives of inverse_dynamics: a named tuple dq, dv, da, each (nv, nv); row k for tau[k].

dq is the derivative along the motion of a velocity, as in integrate(). ``out`` is three arrays.

>>> r = parid.load("planar2")
>>> g = r.inverse_gradient([0.3, 0.4], [1.0, 2.0], [0.0, 0.0])
>>> bool(np.allclose(g.da, r.mass_matrix([0.3, 0.4])))
True
)",
       .result = "InverseGradient"},
      {.method = "forward_gradient",
       .quantity = Quantity::forward_gradient,
       .one = forward_gradient_,
       .doc = R"(forward_gradient($self, q, v, tau, *, out=None, threads=None)
--

Derivatives of forward_dynamics: a named tuple dq, dv, dtau, each (nv, nv).

>>> r = parid.load("planar2")
>>> g = r.forward_gradient([0.3, 0.4], [1.0, 2.0], [0.0, 0.0])
>>> bool(np.allclose(g.dtau @ r.mass_matrix([0.3, 0.4]), np.eye(2)))
True
)",
       .result = "ForwardGradient"},
      {.method = "inverse_vector_product",
       .quantity = Quantity::inverse_vector_product,
       .out = {{"dq", ArrayShape::velocity},
               {"dv", ArrayShape::velocity},
               {"da", ArrayShape::velocity}},
       .one = inverse_product,
       .doc = R"(inverse_vector_product($self, q, v, a, w, *, out=None, threads=None)
--

w times the matrices of inverse_gradient, without forming them (reverse mode): each (nv,).

>>> r = parid.load("planar2")
>>> q, v, a, w = np.array([0.3, 0.4]), np.ones(2), np.zeros(2), np.array([1.0, -2.0])
>>> product = r.inverse_vector_product(q, v, a, w)
>>> bool(np.allclose(product.dq, w @ r.inverse_gradient(q, v, a).dq))
True
)",
       .result = "InverseGradient"},
      {.method = "forward_vector_product",
       .quantity = Quantity::forward_vector_product,
       .out = {{"dq", ArrayShape::velocity},
               {"dv", ArrayShape::velocity},
               {"dtau", ArrayShape::velocity}},
       .one = forward_product,
       .doc = R"(forward_vector_product($self, q, v, tau, w, *, out=None, threads=None)
--

w times the matrices of forward_gradient, without forming them (reverse mode): each (nv,).

>>> r = parid.load("planar2")
>>> r.forward_vector_product([0.3, 0.4], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]).dtau.shape
(2,)
)",
       .result = "ForwardGradient"},
      {.method = "inverse_jacobian_product",
       .quantity = Quantity::inverse_jacobian_product,
       .one = evaluated<Quantity::inverse_jacobian_product>,
       .doc = R"(inverse_jacobian_product($self, q, v, a, dq, dv, da, *, out=None, threads=None)
--

Derivative of inverse_dynamics along (dq, dv, da) (forward mode): (nv,).

>>> r = parid.load("planar2")
>>> q, v, a, d = np.array([0.3, 0.4]), np.ones(2), np.zeros(2), np.array([1.0, -2.0])
>>> along = r.inverse_jacobian_product(q, v, a, d, 0 * d, 0 * d)
>>> bool(np.allclose(along, r.inverse_gradient(q, v, a).dq @ d))
True
)"},
      {.method = "forward_jacobian_product",
       .quantity = Quantity::forward_jacobian_product,
       .one = evaluated<Quantity::forward_jacobian_product>,
       .doc = R"(forward_jacobian_product($self, q, v, tau, dq, dv, dtau, *, out=None, threads=None)
--

Derivative of forward_dynamics along (dq, dv, dtau) (forward mode): (nv,).

>>> r = parid.load("planar2")
>>> q, v, tau, d = np.array([0.3, 0.4]), np.ones(2), np.zeros(2), np.array([1.0, -2.0])
>>> along = r.forward_jacobian_product(q, v, tau, 0 * d, d, 0 * d)
>>> bool(np.allclose(along, r.forward_gradient(q, v, tau).dv @ d))
True
)"},
      {.method = "inverse_hessian_product",
       .quantity = Quantity::inverse_hessian_product,
       .out = {{"dq", ArrayShape::velocity},
               {"dv", ArrayShape::velocity},
               {"da", ArrayShape::velocity}},
       .one = evaluated<Quantity::inverse_hessian_product>,
       .doc = R"(inverse_hessian_product($self, q, v, a, w, dq, dv, da, *, out=None, threads=None)
--

Derivative of inverse_vector_product along (dq, dv, da): the Hessian of w @ tau times a direction.

>>> r = parid.load("planar2")
>>> q, v, a, w = np.array([0.3, 0.4]), np.ones(2), np.zeros(2), np.array([1.0, -2.0])
>>> h = r.inverse_hessian_product(q, v, a, w, w, v, a)
>>> step = 1e-6
>>> g0 = r.inverse_vector_product(q - step * w, v - step * v, a, w)
>>> g1 = r.inverse_vector_product(q + step * w, v + step * v, a, w)
>>> bool(np.allclose(h.dq, (g1.dq - g0.dq) / (2 * step), atol=1e-6))
True
)",
       .result = "InverseGradient"},
      {.method = "inverse_parameter_vector_product",
       .quantity = Quantity::inverse_parameter_vector_product,
       .out = {{"parameters", ArrayShape::parameters}, {"gravity", ArrayShape::vector3}},
       .one = evaluated<Quantity::inverse_parameter_vector_product>,
       .doc = R"(inverse_parameter_vector_product($self, q, v, a, w, *, out=None, threads=None)
--

w times the derivatives of inverse_dynamics by inertial parameters and gravity (reverse mode).

A named tuple: parameters, in the order of regressor_names, and gravity, (3,).

>>> r = parid.load("planar2")
>>> q, v, a, w = np.array([0.3, 0.4]), np.ones(2), np.zeros(2), np.array([1.0, -2.0])
>>> g = r.inverse_parameter_vector_product(q, v, a, w)
>>> bool(np.allclose(g.parameters, w @ r.regressor(q, v, a)))
True
>>> bool(np.allclose(g.gravity @ r.gravity, w @ r.gravity_torques(q)))
True
)",
       .result = "ParameterGradient"},
      {.method = "forward_parameter_vector_product",
       .quantity = Quantity::forward_parameter_vector_product,
       .out = {{"parameters", ArrayShape::parameters}, {"gravity", ArrayShape::vector3}},
       .one = evaluated<Quantity::forward_parameter_vector_product>,
       .doc = R"(forward_parameter_vector_product($self, q, v, tau, w, *, out=None, threads=None)
--

w times the derivatives of forward_dynamics by inertial parameters and gravity (reverse mode).

>>> r = parid.load("planar2")
>>> q, v, tau, w = np.array([0.3, 0.4]), np.ones(2), np.zeros(2), np.array([1.0, -2.0])
>>> g = r.forward_parameter_vector_product(q, v, tau, w)
>>> y = r.inverse_mass_matrix(q) @ w
>>> bool(np.allclose(g.parameters, -y @ r.regressor(q, v, r.forward_dynamics(q, v, tau))))
True
)",
       .result = "ParameterGradient"},
      {.method = "inverse_parameter_jacobian_product",
       .quantity = Quantity::inverse_parameter_jacobian_product,
       .one = evaluated<Quantity::inverse_parameter_jacobian_product>,
       .doc =
           R"(inverse_parameter_jacobian_product($self, q, v, a, dparameters, dgravity, *, out=None, threads=None)
--

Derivative of inverse_dynamics along changes of inertial parameters and gravity: (nv,).

>>> r = parid.load("planar2")
>>> q, v, a, d = np.array([0.3, 0.4]), np.ones(2), np.zeros(2), np.ones(20)
>>> along = r.inverse_parameter_jacobian_product(q, v, a, d, np.zeros(3))
>>> bool(np.allclose(along, r.regressor(q, v, a) @ d))
True
)"},
      {.method = "forward_parameter_jacobian_product",
       .quantity = Quantity::forward_parameter_jacobian_product,
       .one = evaluated<Quantity::forward_parameter_jacobian_product>,
       .doc =
           R"(forward_parameter_jacobian_product($self, q, v, tau, dparameters, dgravity, *, out=None, threads=None)
--

Derivative of forward_dynamics along changes of inertial parameters and gravity: (nv,).

>>> r = parid.load("planar2")
>>> q, v, tau = np.array([0.3, 0.4]), np.ones(2), np.zeros(2)
>>> along = r.forward_parameter_jacobian_product(q, v, tau, np.zeros(20), r.gravity)
>>> bool(np.allclose(r.mass_matrix(q) @ along, -r.gravity_torques(q)))
True
)"},
      {.method = "elastic_inverse_dynamics",
       .quantity = Quantity::elastic_inverse_dynamics,
       .out = {{"torques", ArrayShape::velocity},
               {"motor_positions", ArrayShape::velocity},
               {"motor_velocities", ArrayShape::velocity}},
       .one = evaluated<Quantity::elastic_inverse_dynamics>,
       .doc =
           R"(elastic_inverse_dynamics($self, q, v, a, jerk, snap, *, out=None, threads=None)
--

Torques, positions and velocities of the motors for a motion of the links, (nv,) each.

jerk and snap are the derivatives of a. At a rigid joint the motor's motion is the joint's.

>>> r = parid.load("puma560").with_elasticity({"joint2": 2e4})
>>> q, still = np.full(6, 0.3), np.zeros(6)
>>> m = r.elastic_inverse_dynamics(q, still, still, still, still)
>>> bool(np.isclose(2e4 * (m.motor_positions - q)[1], r.gravity_torques(q)[1]))
True
)",
       .result = "ElasticTorques"},
      {.method = "elastic_forward_dynamics",
       .quantity = Quantity::elastic_forward_dynamics,
       .out = {{"links", ArrayShape::velocity}, {"motors", ArrayShape::velocity}},
       .one = evaluated<Quantity::elastic_forward_dynamics>,
       .doc =
           R"(elastic_forward_dynamics($self, q, theta, v, theta_v, tau, *, out=None, threads=None)
--

Accelerations of links and motors, (nv,) each, for positions and velocities of both and torques of
the motors. At a rigid joint theta and theta_v are not read, and tau acts on the link.

>>> r = parid.load("puma560").with_elasticity({"joint2": 2e4})
>>> q, still = np.full(6, 0.3), np.zeros(6)
>>> m = r.elastic_inverse_dynamics(q, still, still, still, still)
>>> a = r.elastic_forward_dynamics(q, m.motor_positions, still, still, m.torques)
>>> bool(np.allclose(a.links, 0, atol=1e-9) and np.allclose(a.motors, 0, atol=1e-9))
True
)",
       .result = "ElasticAccelerations"},
      {.method = "inverse_mass_matrix",
       .quantity = Quantity::inverse_mass_matrix,
       .one = evaluated<Quantity::inverse_mass_matrix>,
       .doc = R"(inverse_mass_matrix($self, q, *, out=None, threads=None)
--

Inverse of the mass matrix, (nv, nv), by articulated bodies.

>>> r = parid.load("planar2")
>>> bool(np.allclose(r.inverse_mass_matrix([0.3, 0.4]) @ r.mass_matrix([0.3, 0.4]), np.eye(2)))
True
)"},
      {.method = "coriolis_product",
       .quantity = Quantity::coriolis_product,
       .one = evaluated<Quantity::coriolis_product>,
       .doc = R"(coriolis_product($self, q, v, w, *, out=None, threads=None)
--

coriolis_matrix(q, v) @ w without the matrix: (nv,).

>>> r = parid.load("planar2")
>>> q, v, w = np.array([0.3, 0.4]), np.array([1.0, 2.0]), np.array([0.5, -1.0])
>>> bool(np.allclose(r.coriolis_product(q, v, w), r.coriolis_matrix(q, v) @ w))
True
)"},
      {.method = "energy_gradient",
       .quantity = Quantity::energy_gradient,
       .one = evaluated<Quantity::energy_gradient>,
       .doc = R"(energy_gradient($self, q, v, *, out=None, threads=None)
--

Derivatives of the energies: a named tuple kinetic_q, kinetic_v, potential_q, each (nv,).

>>> r = parid.load("planar2")
>>> g = r.energy_gradient([0.3, 0.4], [1.0, 2.0])
>>> bool(np.allclose(g.potential_q, r.gravity_torques([0.3, 0.4])))
True
)",
       .result = "EnergyGradient"},
      {.method = "centroidal_momentum_matrix",
       .quantity = Quantity::centroidal_momentum_matrix,
       .out = {{"matrix", ArrayShape::jacobian}, {"rate", ArrayShape::jacobian}},
       .one = evaluated<Quantity::centroidal_momentum_matrix>,
       .doc = R"(centroidal_momentum_matrix($self, q, v, *, out=None, threads=None)
--

Centroidal momentum matrix and its time derivative: a named tuple matrix, rate, each (6, nv).

matrix @ v is the linear momentum, then the angular momentum about the centre of mass.

>>> r = parid.load("panda")
>>> q, v = np.full(7, 0.2), np.full(7, 0.5)
>>> A = r.centroidal_momentum_matrix(q, v).matrix
>>> bool(np.allclose((A @ v)[:3], r.energy(q, v).linear_momentum))
True
)",
       .result = "CentroidalMomentum"},
      {.method = "centre_of_mass",
       .quantity = Quantity::centre_of_mass,
       .out = {{"position", ArrayShape::vector3}, {"jacobian", ArrayShape::point_jacobian}},
       .one = evaluated<Quantity::centre_of_mass>,
       .doc = R"(centre_of_mass($self, q, *, out=None, threads=None)
--

Centre of mass of the moving links and its Jacobian: a named tuple position (3,), jacobian (3, nv).

>>> r = parid.load("panda")
>>> c = r.centre_of_mass(np.zeros(7))
>>> bool(np.allclose(c.position, r.energy(np.zeros(7), np.zeros(7)).centre))
True
)",
       .result = "CentreOfMass"},
      {.method = "operational_space",
       .quantity = Quantity::operational_space,
       .one = evaluated<Quantity::operational_space>,
       .doc = R"(operational_space($self, q, v, link=None, *, out=None, threads=None)
--

A link's inverse inertia, (6, 6), and its acceleration without torques, (6,): a named tuple.

acceleration = inverse_inertia @ force + free_acceleration, for a force and moment at its origin.

>>> r = parid.load("panda")
>>> q, J = np.full(7, 0.2), r.jacobian(np.full(7, 0.2))
>>> x = r.operational_space(q, np.zeros(7))
>>> bool(np.allclose(x.inverse_inertia, J @ r.inverse_mass_matrix(q) @ J.T))
True
)",
       .result = "OperationalSpace"},
      {.method = "regressor",
       .quantity = Quantity::regressor,
       .one = regressor_,
       .doc = R"(regressor($self, q, v, a, *, out=None, threads=None)
--

Y, (nv, parameters): inverse_dynamics = Y @ regressor_parameters, without rotors.

>>> r = parid.load("planar2")
>>> Y = r.regressor([0.3, 0.4], [1.0, 2.0], [0.5, 0.6])
>>> tau = r.inverse_dynamics([0.3, 0.4], [1.0, 2.0], [0.5, 0.6])
>>> bool(np.allclose(Y @ r.regressor_parameters, tau))
True
)"},
      {.method = "energy",
       .quantity = Quantity::energy,
       .one = energy_,
       .doc = R"(energy($self, q, v, *, out=None, threads=None)
--

Kinetic and potential energy, centre of mass and its velocity, momenta: a named tuple.

For all moving links, in the root link's frame; angular momentum about the centre of mass.

>>> e = parid.load("planar2").energy([0.0, 0.0], [1.0, 0.0])
>>> e.kinetic > 0, e.centre.shape
(True, (3,))
)",
       .result = "Energy"},
      {.method = "kinematics",
       .quantity = Quantity::kinematics,
       .out = {{"rotation", ArrayShape::rotation}, {"position", ArrayShape::vector3}},
       .one = kinematics,
       .doc = R"(kinematics($self, q, link=None, *, out=None, threads=None)
--

The pose of a link in the root link's frame: a named tuple rotation (3, 3), position (3,).

link: its name; None: the robot's tip.

>>> r = parid.load("planar2")
>>> r.kinematics([0.0, 0.0]).position
array([1., 0., 0.])
>>> r.kinematics(np.zeros((10, 2)), r.links[-1]).rotation.shape
(10, 3, 3)
)",
       .result = "Pose"},
      {.method = "jacobian",
       .quantity = Quantity::jacobian,
       .one = jacobian_,
       .doc = R"(jacobian($self, q, link=None, *, out=None, threads=None)
--

The Jacobian J of a link's origin, (6, nv), along the root's axes: linear rows first. J @ v is its
velocity.

>>> parid.load("planar2").jacobian([0.0, 0.0]).shape
(6, 2)
)"},
      {.method = "jacobian_local",
       .quantity = Quantity::jacobian_local,
       .one = evaluated<Quantity::jacobian_local>,
       .doc = R"(jacobian_local($self, q, link=None, *, out=None, threads=None)
--

As jacobian, in the link's own axes: (6, nv).

>>> r = parid.load("panda")
>>> q = np.full(7, 0.2)
>>> bool(np.allclose(r.kinematics(q).rotation @ r.jacobian_local(q)[:3], r.jacobian(q)[:3]))
True
)"},
      {.method = "jacobian_world",
       .quantity = Quantity::jacobian_world,
       .one = evaluated<Quantity::jacobian_world>,
       .doc = R"(jacobian_world($self, q, link=None, *, out=None, threads=None)
--

As jacobian, of the link's point at the root's origin (the spatial Jacobian): (6, nv).

>>> parid.load("planar2").jacobian_world([0.0, 0.0]).shape
(6, 2)
)"},
      {.method = "jacobian_rate_product",
       .quantity = Quantity::jacobian_rate_product,
       .one = evaluated<Quantity::jacobian_rate_product>,
       .doc = R"(jacobian_rate_product($self, q, v, link=None, *, out=None, threads=None)
--

Acceleration of a link's origin without joint accelerations, the rate of jacobian times v: (6,).

>>> parid.load("planar2").jacobian_rate_product([0.0, 0.0], [1.0, 0.0]).round(9)
array([-1.,  0.,  0.,  0.,  0.,  0.])
)"},
      {.method = "inverse_dynamics_with_friction",
       .in = {q, v, a},
       .out = {tau},
       .one = with_friction,
       .doc = R"(inverse_dynamics_with_friction($self, q, v, a, *, out=None, threads=None)
--

Torques with bearing friction and drive losses of the robot file.

>>> r = parid.load("puma560-positioning")
>>> q, v, a = np.array([0.1, 0.2, 0.3]), np.ones(3), np.zeros(3)
>>> bool(np.any(r.inverse_dynamics_with_friction(q, v, a) > r.inverse_dynamics(q, v, a)))
True
)",
       .in_double = true,
       .rows = with_friction_rows},
      {.method = "friction",
       .in = {q, v, a},
       .out = {{"rigid", ArrayShape::velocity},
               {"bearing", ArrayShape::velocity},
               {"drive", ArrayShape::velocity},
               {"total", ArrayShape::velocity}},
       .one = friction_parts,
       .doc = R"(friction($self, q, v, a, *, out=None, threads=None)
--

Torques with friction by part: a named tuple rigid, bearing, drive, total.

>>> r = parid.load("puma560-positioning")
>>> f = r.friction([0.1, 0.2, 0.3], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0])
>>> bool(np.allclose(f.total, f.rigid + f.bearing + f.drive))
True
)",
       .result = "Friction",
       .in_double = true,
       .rows = friction_parts_rows},
      {.method = "forward_dynamics_with_friction",
       .in = {q, v, tau},
       .out = {a},
       .one = forward_with_friction,
       .doc = R"(forward_dynamics_with_friction($self, q, v, tau, *, out=None)
--

Accelerations with bearing friction and drive losses; joints at rest stick or slip.

NaN if there is no solution. Evaluates row by row.

>>> r = parid.load("puma560-positioning")
>>> r.forward_dynamics_with_friction([0.1, 0.2, 0.3], np.zeros(3), np.zeros(3)).shape
(3,)
)",
       .in_double = true},
      {.method = "integrate",
       .in = {q, v},
       .out = {{"q", ArrayShape::position}},
       .one = integrate_,
       .doc = R"(integrate($self, q, v, *, out=None)
--

The positions after a unit of time with constant velocity v, from q.

>>> parid.load("planar2").integrate([0.5, 0.25], [1.0, 2.0])
array([1.5 , 2.25])
)",
       .in_double = true},
      {.method = "difference",
       .in = {{"q0", ArrayShape::position}, {"q1", ArrayShape::position}},
       .out = {v},
       .one = difference_,
       .doc = R"(difference($self, q0, q1, *, out=None)
--

The constant velocity that leads from q0 to q1 in a unit of time: the inverse of integrate().

>>> parid.load("planar2").difference([0.5, 0.25], [1.5, 2.25])
array([1., 2.])
)",
       .in_double = true},
      {.method = "d_integrate",
       .in = {q, v},
       .out = {{"by_q", ArrayShape::square}, {"by_v", ArrayShape::square}},
       .one = d_integrate_,
       .doc = R"(d_integrate($self, q, v, *, out=None)
--

Derivatives of integrate(q, v), as velocities at its result: a named tuple by_q, by_v, each (nv, nv).

>>> parid.load("planar2").d_integrate([0.5, 0.25], [1.0, 2.0]).by_v
array([[1., 0.],
       [0., 1.]])
)",
       .result = "IntegrateDerivatives",
       .in_double = true},
      {.method = "d_difference",
       .in = {{"q0", ArrayShape::position}, {"q1", ArrayShape::position}},
       .out = {{"by_q0", ArrayShape::square}, {"by_q1", ArrayShape::square}},
       .one = d_difference_,
       .doc = R"(d_difference($self, q0, q1, *, out=None)
--

Derivatives of difference(q0, q1) along velocities at q0 and at q1: a named tuple by_q0, by_q1.

>>> parid.load("planar2").d_difference([0.5, 0.25], [1.5, 2.25]).by_q0
array([[-1.,  0.],
       [ 0., -1.]])
)",
       .result = "DifferenceDerivatives",
       .in_double = true},
  };
  for (ArrayMethod& m : all) {
    if (!m.quantity) continue;
    const QuantityInfo& about = info(*m.quantity);
    m.in.assign(about.inputs.begin(), about.inputs.end());
    if (m.out.empty()) m.out.assign(about.outputs.begin(), about.outputs.end());
    m.batched = about.batched;
    m.link = about.needs_link;
    m.doc = with_row_arguments(m.doc, about.row_arguments);
  }
  return all;
}

}  // namespace

const std::vector<ArrayMethod>& array_methods() {
  static const std::vector<ArrayMethod> all = rows_of_the_list();
  return all;
}

std::size_t numbers(ArrayShape f, RobotContext& d) { return count(d.robot, f); }

std::vector<std::size_t> shape(ArrayShape f, RobotContext& d) {
  const Dimensions n = dimensions(d.robot, f);
  return {n.begin(), n.end()};
}

}  // namespace parid::python
