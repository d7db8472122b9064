#include "parid/parid.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <list>
#include <map>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parid/parid.hpp"
#include "runtime/engine/strided_types.hpp"
#include "runtime/layer.hpp"

#undef parid_load  // the function of that name is for callers without the header

struct parid_robot {
  parid::Robot robot;
  parid::Workspace workspace;
  std::optional<parid::Kinematics> kinematics;
  std::optional<parid::Engine> engine;  // created at first use: it starts threads
  std::size_t nq, nv;
  int tip;

  explicit parid_robot(const parid::Robot& r)
      : robot(r),
        workspace(r),
        nq(static_cast<std::size_t>(r.nq())),
        nv(static_cast<std::size_t>(r.nv())),
        tip(r.find_link(r.tip())) {}

  parid::Kinematics& moved(const double* q) {
    if (!kinematics) kinematics.emplace(robot);
    kinematics->set({q, nq});
    return *kinematics;
  }
  bool has_link(int link) const {
    return link >= 0 && static_cast<std::size_t>(link) < robot.link_names().size();
  }
};
struct parid_engine {
  parid::Engine engine;

  // Quantities evaluated before, so that evaluating them again allocates nothing.
  struct Evaluated {
    parid::Quantity quantity;
    std::string link;
    std::vector<std::size_t> input_widths, output_widths;
  };
  std::list<Evaluated> evaluated = {};

  const Evaluated& find(std::string_view name, std::string_view link) {
    const parid::Quantity which = parid::batched_quantity(name);
    for (const Evaluated& e : evaluated)
      if (e.quantity == which && e.link == link) return e;
    return evaluated.emplace_back(Evaluated{which, std::string(link), engine.input_widths(which),
                                            engine.output_widths(which)});
  }
};

namespace {

// Of fixed size: reading it in a control loop must not allocate, even when memory is exhausted.
thread_local char last_error[1001] = "";
thread_local int last_code = 0;

int failed(int code, const char* text) {
  last_code = code;
  std::snprintf(last_error, sizeof last_error, "%s", text);
  return code;
}

template <class Action>
int guarded(Action&& action) {
  try {
    action();
    return PARID_OK;
  } catch (const std::bad_alloc&) {
    return failed(PARID_NO_MEMORY, "out of memory");
  } catch (const parid::Error& e) {
    return failed(PARID_ERROR, e.what());
  } catch (const std::invalid_argument& e) {
    return failed(PARID_BAD_ARGUMENT, e.what());
  } catch (const std::exception& e) {
    return failed(PARID_INTERNAL, e.what());
  }
}

// Returns an error without acting if a pointer is null.
template <class Action, class... Pointers>
int with(Action&& action, const Pointers*... pointers) {
  if (((pointers == nullptr) || ...)) [[unlikely]]
    return failed(PARID_BAD_ARGUMENT, "a pointer is NULL; give valid handles and arrays");
  return guarded(action);
}

template <class Make>
parid_robot* made(const Make& make) {
  parid_robot* robot = nullptr;
  guarded([&] { robot = new parid_robot(make()); });
  return robot;
}

std::array<double, 3> three(const double* x) { return {x[0], x[1], x[2]}; }

const char* text_of(const std::vector<std::string>& all, int k) {
  return k >= 0 && static_cast<std::size_t>(k) < all.size()
             ? all[static_cast<std::size_t>(k)].c_str()
             : nullptr;
}

int no_link(int link) {
  char text[80];
  std::snprintf(text, sizeof text, "there is no link %d; parid_find_link returns valid indices",
                link);
  return failed(PARID_BAD_ARGUMENT, text);
}

constexpr std::size_t most_arrays = 12;

template <class Real, class In, class Out>
int evaluated(parid_engine* e, const char* quantity, const char* link, std::size_t rows, In&& in,
              Out&& out) {
  return guarded([&] {
    const parid_engine::Evaluated& a = e->find(quantity, link ? link : "");
    parid::runtime::StridedIn<Real> from[most_arrays];
    parid::runtime::StridedOut<Real> to[most_arrays];
    for (std::size_t k = 0; k < a.input_widths.size(); ++k) from[k] = in(k, a.input_widths[k]);
    for (std::size_t k = 0; k < a.output_widths.size(); ++k) to[k] = out(k, a.output_widths[k]);
    for (std::size_t k = 0; k < a.input_widths.size(); ++k)
      if (!from[k].data) throw std::invalid_argument("an input array is NULL");
    for (std::size_t k = 0; k < a.output_widths.size(); ++k)
      if (!to[k].data) throw std::invalid_argument("an output array is NULL");
    e->engine.evaluate(
        a.quantity, rows,
        std::span<const parid::runtime::StridedIn<Real>>(from, a.input_widths.size()),
        std::span<const parid::runtime::StridedOut<Real>>(to, a.output_widths.size()), {}, a.link);
  });
}

template <class Real>
int in_rows(parid_engine* e, const char* quantity, const char* link, std::size_t rows,
            const Real* const* in, Real* const* out) {
  if (!e || !quantity || !in || !out) return with([] {}, e, quantity, in, out);
  return evaluated<Real>(
      e, quantity, link, rows,
      [in](std::size_t k, std::size_t n) {
        return parid::runtime::StridedIn<Real>{in[k], n, 1};
      },
      [out](std::size_t k, std::size_t n) {
        return parid::runtime::StridedOut<Real>{out[k], n, 1};
      });
}

std::array<double, 9> rotation_or_none(const double* rotation) {
  std::array<double, 9> R{1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (rotation) std::copy_n(rotation, 9, R.begin());
  return R;
}

}  // namespace

extern "C" {

int parid_abi_version(void) { return PARID_ABI_VERSION; }
const char* parid_version(void) { return PARID_VERSION; }

const char* parid_last_error(void) { return last_error; }
int parid_last_code(void) { return last_code; }

parid_robot* parid_load_abi(const char* name_or_path, int abi_version, int floating) {
  if (abi_version != PARID_ABI_VERSION) {
    char text[160];
    std::snprintf(text, sizeof text,
                  "this program was compiled for ABI %d of parid, but the library has ABI %d; "
                  "compile it again with the library's parid.h",
                  abi_version, PARID_ABI_VERSION);
    failed(PARID_BAD_ABI, text);
    return nullptr;
  }
  if (!name_or_path) return with([] {}, name_or_path), nullptr;
  return made([&] { return parid::Robot::load(name_or_path, {floating != 0}); });
}
parid_robot* parid_load(const char* name_or_path) {
  return parid_load_abi(name_or_path, PARID_ABI_VERSION, 0);
}
parid_robot* parid_from_text(const char* text, const char* format, int floating, int strict) {
  if (!text) return with([] {}, text), nullptr;
  return made([&] {
    parid::LoadOptions options;
    options.floating = floating != 0;
    options.strict = strict != 0;
    if (format) options.format = parid::robot_format(format);
    return parid::Robot::from_text(text, options);
  });
}
parid_robot* parid_with_locked(const parid_robot* r, const char* const* joints,
                               const double* positions, int count) {
  if (!r || !joints || !positions) return with([] {}, r, joints, positions), nullptr;
  return made([&] {
    std::map<std::string, double> locked;
    for (int k = 0; k < count; ++k)
      if (joints[k]) locked[joints[k]] = positions[k];
    return r->robot.with_locked(locked);
  });
}
parid_robot* parid_with_frame(const parid_robot* r, const char* name, int link,
                              const double position[3], const double rotation[9]) {
  if (!r || !name || !position) return with([] {}, r, name, position), nullptr;
  if (!r->has_link(link)) return no_link(link), nullptr;
  return made([&] {
    return r->robot.with_frame(name, text_of(r->robot.link_names(), link), three(position),
                               rotation_or_none(rotation));
  });
}
parid_robot* parid_with_attached(const parid_robot* r, const parid_robot* other, int link,
                                 const char* prefix, const double position[3],
                                 const double rotation[9]) {
  if (!r || !other) return with([] {}, r, other), nullptr;
  if (!r->has_link(link)) return no_link(link), nullptr;
  return made([&] {
    return r->robot.with_attached(
        other->robot, text_of(r->robot.link_names(), link), prefix ? prefix : "",
        position ? three(position) : std::array<double, 3>{}, rotation_or_none(rotation));
  });
}
parid_robot* parid_without_branch(const parid_robot* r, int link) {
  if (!r) return with([] {}, r), nullptr;
  if (!r->has_link(link)) return no_link(link), nullptr;
  return made([&] { return r->robot.without_branch(text_of(r->robot.link_names(), link)); });
}
parid_robot* parid_with_tip(const parid_robot* r, int link) {
  if (!r) return with([] {}, r), nullptr;
  if (!r->has_link(link)) return no_link(link), nullptr;
  return made([&] { return r->robot.with_tip(text_of(r->robot.link_names(), link)); });
}
parid_robot* parid_without_rotors(const parid_robot* r) {
  if (!r) return with([] {}, r), nullptr;
  return made([&] { return r->robot.without_rotors(); });
}
parid_robot* parid_with_elasticity(const parid_robot* r, const char* const* joints,
                                   const double* stiffness, const double* damping, int count) {
  if (!r || !joints || !stiffness) return with([] {}, r, joints, stiffness), nullptr;
  return made([&] {
    std::map<std::string, parid::JointElasticity> springs;
    for (int k = 0; k < count; ++k)
      if (joints[k]) springs[joints[k]] = {stiffness[k], damping ? damping[k] : 0};
    return r->robot.with_elasticity(springs);
  });
}
parid_robot* parid_clone(const parid_robot* r) {
  if (!r) return with([] {}, r), nullptr;
  return made([&] { return r->robot; });
}
void parid_free(parid_robot* r) { delete r; }

parid_robot* parid_with_payload(const parid_robot* r, int link, double mass, const double centre[3],
                                const double inertia[6]) {
  if (!r || !centre) return with([] {}, r, centre), nullptr;
  if (!r->has_link(link)) return no_link(link), nullptr;
  std::array<double, 6> I{};
  if (inertia) std::copy_n(inertia, 6, I.begin());
  return made([&] {
    return r->robot.with_payload(text_of(r->robot.link_names(), link), mass, three(centre), I);
  });
}
parid_robot* parid_with_gravity(const parid_robot* r, const double gravity[3]) {
  if (!r || !gravity) return with([] {}, r, gravity), nullptr;
  return made([&] { return r->robot.with_gravity(three(gravity)); });
}

int parid_nq(const parid_robot* r) {
  return r ? r->robot.nq() : with([] {}, r);
}
int parid_nv(const parid_robot* r) {
  return r ? r->robot.nv() : with([] {}, r);
}
const char* parid_name(const parid_robot* r) { return r ? r->robot.name().c_str() : nullptr; }
const char* parid_position_name(const parid_robot* r, int k) {
  return r ? text_of(r->robot.position_names(), k) : nullptr;
}
const char* parid_velocity_name(const parid_robot* r, int k) {
  return r ? text_of(r->robot.velocity_names(), k) : nullptr;
}
int parid_link_count(const parid_robot* r) {
  return r ? static_cast<int>(r->robot.link_names().size()) : with([] {}, r);
}
const char* parid_link_name(const parid_robot* r, int link) {
  return r ? text_of(r->robot.link_names(), link) : nullptr;
}
int parid_tip(const parid_robot* r) {
  return r ? r->tip : with([] {}, r);
}
int parid_find_link(const parid_robot* r, const char* name) {
  int link = 0;
  const int code = with([&] { link = r->robot.find_link(name); }, r, name);
  return code == PARID_OK ? link : code;
}
int parid_limits(const parid_robot* r, int k, double limits[4]) {
  if (!r || !limits) return with([] {}, r, limits);
  if (k < 0 || static_cast<std::size_t>(k) >= r->nv)
    return failed(PARID_BAD_ARGUMENT, "there is no such coordinate; valid indices are 0 to nv - 1");
  const parid::Robot::Limit& l = r->robot.limits()[static_cast<std::size_t>(k)];
  limits[0] = l.lower;
  limits[1] = l.upper;
  limits[2] = l.velocity;
  limits[3] = l.effort;
  return PARID_OK;
}
int parid_neutral(const parid_robot* r, double* q) {
  return with(
      [&] {
        const std::vector<double> x = r->robot.neutral();
        std::copy(x.begin(), x.end(), q);
      },
      r, q);
}

int parid_prepare(parid_robot* r) {
  return with(
      [&] {
        const std::vector<double> q = r->robot.neutral(), zero(r->nv);
        std::vector<double> a(r->nv), M(r->nv * r->nv), N(M), L(M);
        const auto n = std::span(zero);
        inverse_dynamics_with_friction(r->robot, r->workspace, q, n, n, a);
        mass_matrix(r->robot, r->workspace, q, M);
        bias(r->robot, r->workspace, q, n, a);
        gravity(r->robot, r->workspace, q, a);
        coriolis_matrix(r->robot, r->workspace, q, n, M);
        inverse_gradient(r->robot, r->workspace, q, n, n, M, N, L);
        // For a robot with a singular mass matrix these are undefined, and each call returns an
        // error.
        try {
          forward_dynamics(r->robot, r->workspace, q, n, n, a);
          forward_gradient(r->robot, r->workspace, q, n, n, M, N, L);
        } catch (const parid::Error&) {
        }
        energy(r->robot, r->workspace, q, n);
        r->moved(q.data());
      },
      r);
}
int parid_compile(parid_robot* r) {
  return with(
      [&] {
        if (!r->workspace.compile()) throw parid::Error(r->workspace.note());
      },
      r);
}
int parid_compile_quantity(parid_robot* r, const char* name) {
  return with(
      [&] {
        if (!r->workspace.compile(parid::batched_quantity(name)))
          throw parid::Error(r->workspace.note());
      },
      r, name);
}
int parid_compile_kernel(parid_robot* r, const char* name, int kernel) {
  if (kernel < PARID_GENERIC || kernel > PARID_AUTOMATIC || kernel == PARID_INTERPRETED)
    return failed(PARID_BAD_ARGUMENT,
                  "no such kernel for one sample; give PARID_GENERIC, PARID_COMPILED, "
                  "PARID_MACHINE or PARID_AUTOMATIC");
  return with(
      [&] {
        if (!r->workspace.compile(parid::batched_quantity(name),
                                  static_cast<parid::KernelKind>(kernel)))
          throw parid::Error(r->workspace.note());
      },
      r, name);
}

int parid_inverse_dynamics(parid_robot* r, const double* q, const double* v, const double* a,
                           double* tau) {
  return with(
      [&] {
        inverse_dynamics(r->robot, r->workspace, std::span(q, r->nq), std::span(v, r->nv),
                         std::span(a, r->nv), std::span(tau, r->nv));
      },
      r, q, v, a, tau);
}
int parid_inverse_dynamics_float(parid_robot* r, const float* q, const float* v, const float* a,
                                 float* tau) {
  return with(
      [&] {
        inverse_dynamics(r->robot, r->workspace, std::span(q, r->nq), std::span(v, r->nv),
                         std::span(a, r->nv), std::span(tau, r->nv));
      },
      r, q, v, a, tau);
}
int parid_inverse_dynamics_with_friction(parid_robot* r, const double* q, const double* v,
                                         const double* a, double* tau) {
  return with(
      [&] {
        inverse_dynamics_with_friction(r->robot, r->workspace, std::span(q, r->nq),
                                       std::span(v, r->nv), std::span(a, r->nv),
                                       std::span(tau, r->nv));
      },
      r, q, v, a, tau);
}
int parid_forward_dynamics(parid_robot* r, const double* q, const double* v, const double* tau,
                           double* a) {
  return with(
      [&] {
        forward_dynamics(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, {tau, r->nv}, {a, r->nv});
      },
      r, q, v, tau, a);
}
int parid_mass_matrix(parid_robot* r, const double* q, double* M) {
  return with(
      [&] {
        mass_matrix(r->robot, r->workspace, {q, r->nq}, {M, r->nv * r->nv});
      },
      r, q, M);
}
int parid_bias(parid_robot* r, const double* q, const double* v, double* tau) {
  return with(
      [&] {
        bias(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, {tau, r->nv});
      },
      r, q, v, tau);
}
int parid_gravity(parid_robot* r, const double* q, double* tau) {
  return with([&] { gravity(r->robot, r->workspace, {q, r->nq}, {tau, r->nv}); }, r, q, tau);
}
int parid_coriolis_matrix(parid_robot* r, const double* q, const double* v, double* C) {
  return with(
      [&] {
        coriolis_matrix(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, {C, r->nv * r->nv});
      },
      r, q, v, C);
}
int parid_inverse_gradient(parid_robot* r, const double* q, const double* v, const double* a,
                           double* dq, double* dv, double* da) {
  return with(
      [&] {
        const std::size_t n = r->nv * r->nv;
        inverse_gradient(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, {a, r->nv}, {dq, n},
                         {dv, n}, {da, n});
      },
      r, q, v, a, dq, dv, da);
}
int parid_forward_gradient(parid_robot* r, const double* q, const double* v, const double* tau,
                           double* dq, double* dv, double* dtau) {
  return with(
      [&] {
        const std::size_t n = r->nv * r->nv;
        forward_gradient(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, {tau, r->nv}, {dq, n},
                         {dv, n}, {dtau, n});
      },
      r, q, v, tau, dq, dv, dtau);
}
int parid_kinematics(parid_robot* r, const double* q, int link, double rotation[9],
                     double position[3]) {
  if (r && !r->has_link(link)) return no_link(link);
  return with(
      [&] {
        const parid::LinkPose pose = r->moved(q).pose(link);
        std::copy(pose.rotation.begin(), pose.rotation.end(), rotation);
        std::copy(pose.position.begin(), pose.position.end(), position);
      },
      r, q, rotation, position);
}
int parid_jacobian(parid_robot* r, const double* q, int link, double* J) {
  if (r && !r->has_link(link)) return no_link(link);
  return with([&] { r->moved(q).jacobian(link, {J, 6 * r->nv}); }, r, q, J);
}
int parid_inverse_kinematics(parid_robot* r, int link, const double position[3],
                             const double rotation[9], const double offset_position[3],
                             const double offset_rotation[9], const double* seed, double* q) {
  if (r && !r->has_link(link)) return no_link(link);
  return with(
      [&] {
        parid::LinkPose offset, pose;
        if (offset_position) offset.position = three(offset_position);
        if (offset_rotation) std::copy_n(offset_rotation, 9, offset.rotation.begin());
        pose.position = three(position);
        if (rotation) std::copy_n(rotation, 9, pose.rotation.begin());
        parid::InverseKinematics ik(r->robot, text_of(r->robot.link_names(), link), offset);
        std::span<const double> from;
        if (seed) from = {seed, r->nq};
        const parid::IkSolution s = rotation ? ik.solve(pose, from) : ik.solve(pose.position, from);
        std::copy(s.q.begin(), s.q.end(), q);
        if (!s) throw parid::Error(s.why);
      },
      r, position, q);
}
int parid_energy(parid_robot* r, const double* q, const double* v, double* kinetic,
                 double* potential) {
  return with(
      [&] {
        const parid::EnergyState e = energy(r->robot, r->workspace, {q, r->nq}, {v, r->nv});
        *kinetic = e.kinetic;
        *potential = e.potential;
      },
      r, q, v, kinetic, potential);
}
int parid_integrate(parid_robot* r, const double* q, const double* v, double* out) {
  return with(
      [&] {
        parid::integrate(r->robot, {q, r->nq}, {v, r->nv}, {out, r->nq});
      },
      r, q, v, out);
}
int parid_difference(parid_robot* r, const double* q0, const double* q1, double* v) {
  return with(
      [&] {
        parid::difference(r->robot, {q0, r->nq}, {q1, r->nq}, {v, r->nv});
      },
      r, q0, q1, v);
}

int parid_d_integrate(parid_robot* r, const double* q, const double* v, double* by_q,
                      double* by_v) {
  return with(
      [&] {
        const std::size_t n = r->nv * r->nv;
        parid::d_integrate(r->robot, {q, r->nq}, {v, r->nv}, {by_q, n}, {by_v, n});
      },
      r, q, v, by_q, by_v);
}
int parid_d_difference(parid_robot* r, const double* q0, const double* q1, double* by_q0,
                       double* by_q1) {
  return with(
      [&] {
        const std::size_t n = r->nv * r->nv;
        parid::d_difference(r->robot, {q0, r->nq}, {q1, r->nq}, {by_q0, n}, {by_q1, n});
      },
      r, q0, q1, by_q0, by_q1);
}
int parid_inverse_hessian(parid_robot* r, const double* q, const double* v, const double* a,
                          double* qq, double* qv, double* vv, double* qa) {
  return with(
      [&] {
        const std::size_t n = r->nv * r->nv * r->nv;
        parid::inverse_hessian(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, {a, r->nv}, {qq, n},
                               {qv, n}, {vv, n}, {qa, n});
      },
      r, q, v, a, qq, qv, vv, qa);
}
int parid_forward_hessian(parid_robot* r, const double* q, const double* v, const double* tau,
                          double* qq, double* qv, double* vv, double* qtau) {
  return with(
      [&] {
        const std::size_t n = r->nv * r->nv * r->nv;
        parid::forward_hessian(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, {tau, r->nv},
                               {qq, n}, {qv, n}, {vv, n}, {qtau, n});
      },
      r, q, v, tau, qq, qv, vv, qtau);
}
int parid_jacobian_hessian(parid_robot* r, const double* q, int link, double* H) {
  if (r && !r->has_link(link)) return no_link(link);
  return with(
      [&] {
        parid::jacobian_hessian(r->robot, {q, r->nq}, link, {H, 6 * r->nv * r->nv});
      },
      r, q, H);
}
int parid_operational_space(parid_robot* r, const double* q, const double* v, const int* links,
                            size_t count, double* inverse_inertia, double* inertia,
                            double* free_acceleration, double* bias) {
  for (std::size_t k = 0; r && links && k < count; ++k)
    if (!r->has_link(links[k])) return no_link(links[k]);
  return with(
      [&] {
        std::vector<std::string> names;
        for (std::size_t k = 0; k < count; ++k)
          names.push_back(r->robot.link_names()[static_cast<std::size_t>(links[k])]);
        const parid::OperationalSpace x =
            parid::operational_space(r->robot, r->workspace, {q, r->nq}, {v, r->nv}, names);
        auto put = [](const std::vector<double>& from, double* to) {
          if (to) std::copy(from.begin(), from.end(), to);
        };
        put(x.inverse_inertia, inverse_inertia);
        put(x.inertia, inertia);
        put(x.free_acceleration, free_acceleration);
        put(x.bias, bias);
      },
      r, q, v, links);
}

int parid_set_base_motion(parid_robot* r, const double w[3], const double wd[3],
                          const double vd[3]) {
  return with([&] { r->workspace.set_base_motion(three(w), three(wd), three(vd)); }, r, w, wd, vd);
}
int parid_add_wrench(parid_robot* r, int link, const double force[3], const double moment[3]) {
  if (r && !r->has_link(link)) return no_link(link);
  return with(
      [&] {
        r->workspace.set_wrench(text_of(r->robot.link_names(), link), three(force), three(moment));
      },
      r, force, moment);
}
int parid_clear_wrenches(parid_robot* r) {
  return with([&] { r->workspace.clear_wrenches(); }, r);
}

parid_engine* parid_engine_new(const parid_robot* r, int threads) {
  parid_engine* made = nullptr;
  with(
      [&] {
        made = new parid_engine{parid::Engine(
            r->robot,
            {.threads = threads, .kernel = parid::KernelKind::generic, .quantities = {}})};
      },
      r);
  return made;
}
parid_engine* parid_engine_new_per_row(const parid_robot* r, int threads,
                                       const parid_per_row* vary) {
  parid_engine* made = nullptr;
  with(
      [&] {
        auto names = [](const char* const* links, std::size_t count) {
          std::vector<std::string> all;
          for (std::size_t k = 0; k < count; ++k) {
            if (!links || !links[k]) throw std::invalid_argument("the name of a link is NULL");
            all.emplace_back(links[k]);
          }
          return all;
        };
        parid::EngineOptions o{
            .threads = threads, .kernel = parid::KernelKind::generic, .quantities = {}};
        o.per_row.parameters = names(vary->parameter_links, vary->parameter_link_count);
        o.per_row.gravity = vary->gravity != 0;
        o.per_row.base_motion = vary->base_motion != 0;
        o.per_row.wrenches = names(vary->wrench_links, vary->wrench_link_count);
        made = new parid_engine{parid::Engine(r->robot, o)};
      },
      r, vary);
  return made;
}
void parid_engine_free(parid_engine* e) { delete e; }

int parid_engine_prepare(parid_engine* e, const char* quantity, int kernel, const char* link) {
  if (kernel < PARID_GENERIC || kernel > PARID_AUTOMATIC)
    return failed(PARID_BAD_ARGUMENT,
                  "unknown kernel; give PARID_GENERIC, PARID_INTERPRETED, PARID_COMPILED, "
                  "PARID_MACHINE or PARID_AUTOMATIC");
  int got = PARID_GENERIC;
  const int code = with(
      [&] {
        e->find(quantity, "");  // without a link it is the first that was prepared
        const parid_engine::Evaluated& a = e->find(quantity, link ? link : "");
        e->engine.prepare(a.quantity, static_cast<parid::KernelKind>(kernel), a.link);
        got = static_cast<int>(e->engine.kernel(a.quantity));
      },
      e, quantity);
  return code == PARID_OK ? got : code;
}
size_t parid_engine_takes(const parid_engine* e, const char* quantity, int k) {
  std::vector<std::size_t> all;
  with([&] { all = e->engine.input_widths(parid::batched_quantity(quantity)); }, e, quantity);
  return k >= 0 && static_cast<std::size_t>(k) < all.size() ? all[static_cast<std::size_t>(k)] : 0;
}
size_t parid_engine_gives(const parid_engine* e, const char* quantity, int k) {
  std::vector<std::size_t> all;
  with([&] { all = e->engine.output_widths(parid::batched_quantity(quantity)); }, e, quantity);
  return k >= 0 && static_cast<std::size_t>(k) < all.size() ? all[static_cast<std::size_t>(k)] : 0;
}
int parid_engine_rows(parid_engine* e, const char* quantity, const char* link, size_t rows,
                      const double* const* in, double* const* out) {
  return in_rows<double>(e, quantity, link, rows, in, out);
}
int parid_engine_rows_float(parid_engine* e, const char* quantity, const char* link, size_t rows,
                            const float* const* in, float* const* out) {
  return in_rows<float>(e, quantity, link, rows, in, out);
}
int parid_engine_strided(parid_engine* e, const char* quantity, const char* link, size_t rows,
                         const parid_input* in, const parid_output* out) {
  if (!e || !quantity || !in || !out) return with([] {}, e, quantity, in, out);
  return evaluated<double>(
      e, quantity, link, rows,
      [in](std::size_t k, std::size_t) {
        return parid::StridedInput{in[k].data, in[k].row, in[k].column};
      },
      [out](std::size_t k, std::size_t) {
        return parid::StridedOutput{out[k].data, out[k].row, out[k].column};
      });
}

int parid_inverse_dynamics_rows(parid_robot* r, size_t rows, const double* q, const double* v,
                                const double* a, double* tau) {
  return with(
      [&] {
        if (rows > SIZE_MAX / sizeof(double) / (r->nq + r->nv + 1))
          throw std::invalid_argument(
              "rows: not enough memory for this many rows; check the number");
        const std::size_t nq = rows * r->nq, nv = rows * r->nv;
        if (!r->engine) r->engine.emplace(r->robot);
        r->engine->inverse_dynamics(rows, {q, nq}, {v, nv}, {a, nv}, {tau, nv});
      },
      r, q, v, a, tau);
}
}
