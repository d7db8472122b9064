/* The C API of Parid, also for languages that can call C.
 *
 *   parid_robot* arm = parid_load("panda.urdf");
 *   if (!arm) fprintf(stderr, "%s\n", parid_last_error());
 *   parid_prepare(arm);
 *   parid_inverse_dynamics(arm, q, v, a, tau);
 *   parid_free(arm);
 *
 * Handles are opaque. A parid_robot is a robot with the memory to evaluate one sample; only one
 * thread may use it at a time, and parid_clone makes a handle of the same robot for another thread.
 * A parid_engine evaluates many samples on its own threads; it is not thread-safe.
 *
 * Functions that can fail return PARID_OK, which is 0, or a negative code; functions that return a
 * new handle return NULL. parid_last_error() then has the reason, for the calling thread. Matrices
 * are row-major. Coordinates, frames and units: docs/conventions.md. Guide: docs/c.md.
 *
 * Each function is marked for real-time use. [RT]: it takes no lock, allocates nothing and makes no
 * system call, from the first call on. [RT prepared]: the same after parid_prepare (for an engine:
 * for prepared quantities, on one thread), unless it fails. [not RT]: it may do any of these. */

#ifndef PARID_H
#define PARID_H

#include <stddef.h>

#include "parid/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version --------------------------------------------------------------------------------- */

/* Incremented when a function changes its meaning or is removed; new functions do not change it.
 * parid_load fails with PARID_BAD_ABI if the library's version differs from the header's. */
#define PARID_ABI_VERSION 1

PARID_EXPORT int parid_abi_version(void);     /* [RT] version of the library */
PARID_EXPORT const char* parid_version(void); /* [RT] "0.1.0" */

/* ---- errors ---------------------------------------------------------------------------------- */

enum {
  PARID_OK = 0,
  PARID_ERROR = -1,        /* an invalid robot, name or option */
  PARID_BAD_ARGUMENT = -2, /* a NULL pointer, an index out of range, a wrong size */
  PARID_NO_MEMORY = -3,
  PARID_INTERNAL = -4, /* a defect of Parid */
  PARID_BAD_ABI = -5   /* header and library have different versions */
};

/* Message and code of the last failed call on this thread, with file, line and remedy if there are
 * any. The text is truncated after 1000 characters, and valid until the next failure. "" and 0
 * before the first. [RT] */
PARID_EXPORT const char* parid_last_error(void);
PARID_EXPORT int parid_last_code(void);

/* ---- robots ---------------------------------------------------------------------------------- */

typedef struct parid_robot parid_robot;

/* A built-in name, or a path to a URDF, xacro, MJCF, SDF or TOML file; NULL on failure. [not RT] */
PARID_EXPORT parid_robot* parid_load(const char* name_or_path);

/* The same with the ABI version of the caller's header; if `floating` is not 0, the robot gets a
 * floating base. The macro parid_load calls this function with the header's version. [not RT] */
PARID_EXPORT parid_robot* parid_load_abi(const char* name_or_path, int abi_version, int floating);
#define parid_load(name_or_path) parid_load_abi((name_or_path), PARID_ABI_VERSION, 0)

/* The robot that a text describes. `format` is "urdf", "xacro", "mjcf", "sdf" or "toml"; NULL: by
 * content. With `strict` not 0, a robot with any physical error is refused. [not RT] */
PARID_EXPORT parid_robot* parid_from_text(const char* text, const char* format, int floating,
                                          int strict);

/* New handles: with joints fixed at positions (rad or m), and with a frame on a link (rotation is
 * row-major; NULL: identity). All functions accept a frame as a link. NULL on failure. [not RT] */
PARID_EXPORT parid_robot* parid_with_locked(const parid_robot*, const char* const* joints,
                                            const double* positions, int count);
PARID_EXPORT parid_robot* parid_with_frame(const parid_robot*, const char* name, int link,
                                           const double position[3], const double rotation[9]);

/* New handles: with another robot's root on a link, at a pose in that link (position and rotation
 * as above; NULL: at its origin, not turned) and `prefix` before the names of its links, joints and
 * frames (NULL: none); without a link, the joint that carries it and everything that hangs on it;
 * with another tip; and without rotor inertias. NULL on failure: a name that would exist twice, the
 * root link, or a joint that mimics a removed one. [not RT] */
PARID_EXPORT parid_robot* parid_with_attached(const parid_robot*, const parid_robot* other,
                                              int link, const char* prefix,
                                              const double position[3], const double rotation[9]);
PARID_EXPORT parid_robot* parid_without_branch(const parid_robot*, int link);
PARID_EXPORT parid_robot* parid_with_tip(const parid_robot*, int link);
PARID_EXPORT parid_robot* parid_without_rotors(const parid_robot*);
/* A new handle in which these `count` joints have a spring between motor and link, in N m/rad or
 * N/m; damping NULL: none. An engine's quantities "elastic_inverse" and "elastic_forward" use it.
 * NULL, with PARID_ERROR, for an unknown joint or an impossible number. [not RT] */
PARID_EXPORT parid_robot* parid_with_elasticity(const parid_robot*, const char* const* joints,
                                                const double* stiffness, const double* damping,
                                                int count);

PARID_EXPORT parid_robot* parid_clone(const parid_robot*); /* [not RT] for another thread */
PARID_EXPORT void parid_free(parid_robot*);                /* [not RT] NULL is ignored */

/* New handles: with a body on a link, in its frame (inertia Ixx Iyy Izz Ixy Ixz Iyz about its
 * centre; NULL: zeros), and with another gravity. NULL, with PARID_ERROR, if the body is physically
 * impossible (the mass must be positive, the moments must satisfy the triangle inequality) or a
 * number is not finite. [not RT] */
PARID_EXPORT parid_robot* parid_with_payload(const parid_robot*, int link, double mass,
                                             const double centre[3], const double inertia[6]);
PARID_EXPORT parid_robot* parid_with_gravity(const parid_robot*, const double gravity[3]);

PARID_EXPORT int parid_nq(const parid_robot*); /* [RT] positions; a negative code for NULL */
PARID_EXPORT int parid_nv(const parid_robot*); /* [RT] velocities, accelerations, torques */

/* Names are valid as long as the handle; NULL if the index is out of range. [RT] */
PARID_EXPORT const char* parid_name(const parid_robot*);
PARID_EXPORT const char* parid_position_name(const parid_robot*, int k);
PARID_EXPORT const char* parid_velocity_name(const parid_robot*, int k);
PARID_EXPORT int parid_link_count(const parid_robot*);
PARID_EXPORT const char* parid_link_name(const parid_robot*, int link);
PARID_EXPORT int parid_tip(const parid_robot*); /* the last link of the longest branch, by index */

PARID_EXPORT int parid_find_link(const parid_robot*,
                                 const char* name); /* [not RT] its index, or a code */

/* lower, upper, velocity, effort of velocity coordinate k; infinite if there is none. [RT] */
PARID_EXPORT int parid_limits(const parid_robot*, int k, double limits[4]);
PARID_EXPORT int parid_neutral(const parid_robot*,
                               double* q); /* [not RT] positions within the limits */

/* ---- one sample: q[nq], v[nv], a[nv], tau[nv] ------------------------------------------------ */

/* Allocates the memory of the functions below, so that none of them allocates later. [not RT] */
PARID_EXPORT int parid_prepare(parid_robot*);

/* Compiles the specialized kernel of this robot's inverse dynamics with the system's compiler, or
 * loads it from the cache. PARID_ERROR, without any change, if that is impossible. [not RT] */
PARID_EXPORT int parid_compile(parid_robot*);
/* The same for another quantity of one sample, by its short name: "forward", "mass",
 * "forward_gradient", … The function of the quantity then uses the compiled code with a stationary
 * base and no external wrenches. PARID_ERROR also for an unknown name. [not RT] */
PARID_EXPORT int parid_compile_quantity(parid_robot*, const char* quantity);
/* The same with one kind of kernel (PARID_MACHINE, …, below; not PARID_INTERPRETED). Machine code
 * takes milliseconds and needs no compiler. [not RT] */
PARID_EXPORT int parid_compile_kernel(parid_robot*, const char* quantity, int kernel);

/* Torques for the accelerations a: rigid bodies, rotors, gravity, external loads. [RT] */
PARID_EXPORT int parid_inverse_dynamics(parid_robot*, const double* q, const double* v,
                                        const double* a, double* tau);
PARID_EXPORT int parid_inverse_dynamics_float(parid_robot*, const float* q, const float* v,
                                              const float* a, float* tau);

/* With bearing friction and drive losses. [RT prepared] */
PARID_EXPORT int parid_inverse_dynamics_with_friction(parid_robot*, const double* q,
                                                      const double* v, const double* a,
                                                      double* tau);

/* [RT prepared], all of these. Accelerations from torques; M[nv][nv]; torques at zero acceleration,
 * and at rest; C[nv][nv] with bias = C v + gravity. */
PARID_EXPORT int parid_forward_dynamics(parid_robot*, const double* q, const double* v,
                                        const double* tau, double* a);
PARID_EXPORT int parid_mass_matrix(parid_robot*, const double* q, double* M);
PARID_EXPORT int parid_bias(parid_robot*, const double* q, const double* v, double* tau);
PARID_EXPORT int parid_gravity(parid_robot*, const double* q, double* tau);
PARID_EXPORT int parid_coriolis_matrix(parid_robot*, const double* q, const double* v, double* C);

/* Derivatives, each [nv][nv]: row k for tau[k] (or a[k]) by every velocity coordinate. [RT
 * prepared] */
PARID_EXPORT int parid_inverse_gradient(parid_robot*, const double* q, const double* v,
                                        const double* a, double* dq, double* dv, double* da);
PARID_EXPORT int parid_forward_gradient(parid_robot*, const double* q, const double* v,
                                        const double* tau, double* dq, double* dv, double* dtau);

/* The pose of a link in the root link's frame, and its Jacobian [6][nv], linear rows first. [RT
 * prepared] */
PARID_EXPORT int parid_kinematics(parid_robot*, const double* q, int link, double rotation[9],
                                  double position[3]);
PARID_EXPORT int parid_jacobian(parid_robot*, const double* q, int link, double* J);

/* Joint positions q[nq], within the limits, that bring a tip which a link carries to a pose in the
 * root link's frame. offset_position and offset_rotation (row-major) place the tip in the link's
 * frame; NULL: the link itself. rotation NULL: any orientation. seed[nq]: the solution is the
 * closest branch to it, or found from it; NULL: none. PARID_ERROR where no solution is found; q is
 * then the closest that was found. [not RT] */
PARID_EXPORT int parid_inverse_kinematics(parid_robot*, int link, const double position[3],
                                          const double rotation[9], const double offset_position[3],
                                          const double offset_rotation[9], const double* seed,
                                          double* q);

/* In J; the potential is zero for masses at the root link's origin. [RT prepared] */
PARID_EXPORT int parid_energy(parid_robot*, const double* q, const double* v, double* kinetic,
                              double* potential);

/* The positions after a unit of time with constant velocity v, and the velocity that leads from q0
 * to q1. [RT] */
PARID_EXPORT int parid_integrate(parid_robot*, const double* q, const double* v, double* out);
PARID_EXPORT int parid_difference(parid_robot*, const double* q0, const double* q1, double* v);

/* Derivatives of parid_integrate by q and v, and of parid_difference along velocities at q0 and q1:
 * [nv][nv] each. [not RT] */
PARID_EXPORT int parid_d_integrate(parid_robot*, const double* q, const double* v, double* by_q,
                                   double* by_v);
PARID_EXPORT int parid_d_difference(parid_robot*, const double* q0, const double* q1, double* by_q0,
                                    double* by_q1);

/* Second derivatives, [nv][nv][nv] each: qq[i][j][k] of tau[i] (or a[i]) by q_j and q_k, qv by v_j
 * and q_k, vv by v_j and v_k, and the derivative of M[i][j] (or of its inverse) by q_k. [not RT] */
PARID_EXPORT int parid_inverse_hessian(parid_robot*, const double* q, const double* v,
                                       const double* a, double* qq, double* qv, double* vv,
                                       double* qa);
PARID_EXPORT int parid_forward_hessian(parid_robot*, const double* q, const double* v,
                                       const double* tau, double* qq, double* qv, double* vv,
                                       double* qtau);
/* The derivative of the Jacobian of a link along each q_k: H[6][nv][nv]. [not RT] */
PARID_EXPORT int parid_jacobian_hessian(parid_robot*, const double* q, int link, double* H);

/* Several links at once, six rows for each: inverse inertia J M^-1 J^T and its pseudo-inverse
 * [6 count][6 count], acceleration without torques and its bias [6 count]. An output may be NULL.
 * [not RT] */
PARID_EXPORT int parid_operational_space(parid_robot*, const double* q, const double* v,
                                         const int* links, size_t count, double* inverse_inertia,
                                         double* inertia, double* free_acceleration, double* bias);

/* ---- external loads; they remain until they are set again ------------------------------------ */

/* PARID_ERROR, without any change, if a number is not finite. */
/* The root link's motion, in its frame. [RT prepared] */
PARID_EXPORT int parid_set_base_motion(parid_robot*, const double angular_velocity[3],
                                       const double angular_acceleration[3],
                                       const double linear_acceleration[3]);
/* Adds a force and a moment on a link, in its frame at its origin. [not RT] */
PARID_EXPORT int parid_add_wrench(parid_robot*, int link, const double force[3],
                                  const double moment[3]);
PARID_EXPORT int parid_clear_wrenches(parid_robot*); /* [not RT] */

/* ---- many samples ---------------------------------------------------------------------------- */

typedef struct parid_engine parid_engine;

/* [not RT] threads: 1 to 4096, or 0 for the number of cores. Returns NULL, with PARID_ERROR, for
 * other numbers. */
PARID_EXPORT parid_engine* parid_engine_new(const parid_robot*, int threads);
/* Arguments that differ from row to row: further input arrays, after those of a quantity that
 * depends on them and in this order. Ten inertial parameters for each of these links: m, m x, m y,
 * m z, and second moments xx yy zz xy xz yz about the link's origin, with all links fixed to it;
 * gravity [3] and the base's angular velocity, angular acceleration and linear acceleration [9], in
 * the root link's frame; force and moment on each of these links, in its frame at its origin. */
typedef struct {
  const char* const* parameter_links;
  size_t parameter_link_count;
  int gravity, base_motion; /* 0 or 1 */
  const char* const* wrench_links;
  size_t wrench_link_count;
} parid_per_row;
/* [not RT] As parid_engine_new. Returns NULL, with PARID_ERROR, for an unknown link. */
PARID_EXPORT parid_engine* parid_engine_new_per_row(const parid_robot*, int threads,
                                                    const parid_per_row*);
PARID_EXPORT void parid_engine_free(parid_engine*); /* [not RT] NULL is ignored */

/* Kernels: generic; the specialized program of the robot, interpreted; compiled; or as machine code
 * that the library generates, on x86-64; the fastest of them for the rows of each call. */
enum {
  PARID_GENERIC = 0,
  PARID_INTERPRETED = 1,
  PARID_COMPILED = 2,
  PARID_MACHINE = 3,
  PARID_AUTOMATIC = 4
};

/* [not RT] Quantities: "inverse", "forward", "mass", "bias", "gravity", "inverse_gradient",
 * "forward_gradient", "regressor", "energy", "kinematics", "jacobian". `link` is for the last two;
 * NULL: the tip. Returns the kernel in use, which may be a slower one, or a code. */
PARID_EXPORT int parid_engine_prepare(parid_engine*, const char* quantity, int kernel,
                                      const char* link);

/* [not RT] Numbers per row of input or output array `k` of a quantity; 0 if there is no such
 * array. */
PARID_EXPORT size_t parid_engine_takes(const parid_engine*, const char* quantity, int k);
PARID_EXPORT size_t parid_engine_gives(const parid_engine*, const char* quantity, int k);

/* Contiguous rows: in[k] is (rows, takes), out[k] is (rows, gives). [RT prepared] */
PARID_EXPORT int parid_engine_rows(parid_engine*, const char* quantity, const char* link,
                                   size_t rows, const double* const* in, double* const* out);
PARID_EXPORT int parid_engine_rows_float(parid_engine*, const char* quantity, const char* link,
                                         size_t rows, const float* const* in, float* const* out);

/* Any layout: element (row, column) of an array is at data[row * r + column * c]; r and c count
 * numbers. [RT prepared] */
typedef struct {
  const double* data;
  size_t row, column;
} parid_input;
typedef struct {
  double* data;
  size_t row, column;
} parid_output;
PARID_EXPORT int parid_engine_strided(parid_engine*, const char* quantity, const char* link,
                                      size_t rows, const parid_input* in, const parid_output* out);

/* Torques on all cores, by an engine that the handle creates at the first call. [not RT] */
PARID_EXPORT int parid_inverse_dynamics_rows(parid_robot*, size_t rows, const double* q,
                                             const double* v, const double* a, double* tau);

#ifdef __cplusplus
}
#endif

#endif
