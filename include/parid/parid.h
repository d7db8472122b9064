/* Parid from C and from languages that speak C.
 *
 *   parid_robot* arm = parid_load("panda.urdf");
 *   if (!arm) fprintf(stderr, "%s\n", parid_last_error());
 *   parid_prepare(arm);
 *   parid_inverse_dynamics(arm, q, v, a, tau);
 *   parid_free(arm);
 *
 * Handles are opaque. A parid_robot is a robot and the memory that evaluates one sample of it; it
 * belongs to one thread at a time, and parid_clone makes another of the same robot for another
 * thread. A parid_engine evaluates many samples on several threads of its own; it takes one call at
 * a time.
 *
 * Functions that can fail give PARID_OK, which is 0, or a negative code, and those that make
 * something give NULL; parid_last_error() then says why, for the thread that asked. Matrices are
 * row-major. Coordinates, frames and units: docs/conventions.md. More words: docs/c.md.
 *
 * Each function says whether it is real-time safe. [RT]: it takes no lock, allocates nothing and
 * makes no system call, from the first call on. [RT prepared]: so it is after parid_prepare (of an
 * engine: for quantities prepared, on one thread), and where it does not fail. [not RT]: it may do
 * any of these. */

#ifndef PARID_H
#define PARID_H

#include <stddef.h>

#include "parid/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version --------------------------------------------------------------------------------- */

/* Grows when a function changes its meaning or goes; functions that come leave it as it is. A
 * program that includes this header and is run with a library of another version is told by
 * parid_load. */
#define PARID_ABI_VERSION 1

PARID_EXPORT int parid_abi_version(void);     /* [RT] of the library that runs */
PARID_EXPORT const char* parid_version(void); /* [RT] "0.1.0" */

/* ---- errors ---------------------------------------------------------------------------------- */

enum {
  PARID_OK = 0,
  PARID_ERROR = -1,        /* a robot, a name or an option that cannot be */
  PARID_BAD_ARGUMENT = -2, /* a pointer that is NULL, an index that is out of range, a wrong size */
  PARID_NO_MEMORY = -3,
  PARID_INTERNAL = -4, /* our mistake */
  PARID_BAD_ABI = -5   /* the header is of another version than the library */
};

/* Of the last call on this thread that failed: what and why, with file, line and remedy where there
 * are such. The text is cut after 1000 characters, and holds until the next failure. "" and 0
 * before the first. [RT] */
PARID_EXPORT const char* parid_last_error(void);
PARID_EXPORT int parid_last_code(void);

/* ---- robots ---------------------------------------------------------------------------------- */

typedef struct parid_robot parid_robot;

/* A built-in name or a path to a .urdf or .toml file; NULL on failure. [not RT] */
PARID_EXPORT parid_robot* parid_load(const char* name_or_path);

/* The same, where the caller's header has this ABI version; with `floating` not 0, the root link
 * hangs on a floating joint. parid_load, as C programs call it, is this one with the header's own
 * version. [not RT] */
PARID_EXPORT parid_robot* parid_load_abi(const char* name_or_path, int abi_version, int floating);
#define parid_load(name_or_path) parid_load_abi((name_or_path), PARID_ABI_VERSION, 0)

/* The robot that a text describes. `format` is "urdf", "xacro", "mjcf", "sdf" or "toml"; NULL: by
 * content. With `strict` not 0, a robot with any physical error is refused. [not RT] */
PARID_EXPORT parid_robot* parid_from_text(const char* text, const char* format, int floating,
                                          int strict);

/* New handles: with joints fixed at positions (rad or m), and with a frame on a link (rotation is
 * row-major; NULL: none turned). A frame is a link to all functions. NULL on failure. [not RT] */
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

PARID_EXPORT parid_robot* parid_clone(const parid_robot*); /* [not RT] for another thread */
PARID_EXPORT void parid_free(parid_robot*);                /* [not RT] NULL is nothing */

/* New handles: with a body on a link, in its frame (inertia Ixx Iyy Izz Ixy Ixz Iyz about its
 * centre; NULL: zeros), and with another gravity. NULL, with PARID_ERROR, where no body can be so
 * (its mass is above zero, its moments obey the triangle inequality) or a number is not finite.
 * [not RT] */
PARID_EXPORT parid_robot* parid_with_payload(const parid_robot*, int link, double mass,
                                             const double centre[3], const double inertia[6]);
PARID_EXPORT parid_robot* parid_with_gravity(const parid_robot*, const double gravity[3]);

PARID_EXPORT int parid_nq(const parid_robot*); /* [RT] positions; a negative code for NULL */
PARID_EXPORT int parid_nv(const parid_robot*); /* [RT] velocities, accelerations, torques */

/* Names hold as long as the handle; NULL where there is none of that index. [RT] */
PARID_EXPORT const char* parid_name(const parid_robot*);
PARID_EXPORT const char* parid_position_name(const parid_robot*, int k);
PARID_EXPORT const char* parid_velocity_name(const parid_robot*, int k);
PARID_EXPORT int parid_link_count(const parid_robot*);
PARID_EXPORT const char* parid_link_name(const parid_robot*, int link);
PARID_EXPORT int parid_tip(const parid_robot*); /* the last link of the longest branch, by index */

PARID_EXPORT int parid_find_link(const parid_robot*,
                                 const char* name); /* [not RT] its index, or a code */

/* lower, upper, velocity, effort of velocity coordinate k; infinite where there is none. [RT] */
PARID_EXPORT int parid_limits(const parid_robot*, int k, double limits[4]);
PARID_EXPORT int parid_neutral(const parid_robot*,
                               double* q); /* [not RT] positions inside the limits */

/* ---- one sample: q[nq], v[nv], a[nv], tau[nv] ------------------------------------------------ */

/* Makes what the functions below need, so that none of them allocates from then on. [not RT] */
PARID_EXPORT int parid_prepare(parid_robot*);

/* Has this robot's own inverse dynamics compiled by the system's compiler, or takes them from the
 * cache. PARID_ERROR where that cannot be: then all is as before. [not RT] */
PARID_EXPORT int parid_compile(parid_robot*);

/* Torques that give the accelerations a: rigid bodies, rotors, gravity, what acts from outside.
 * [RT] */
PARID_EXPORT int parid_inverse_dynamics(parid_robot*, const double* q, const double* v,
                                        const double* a, double* tau);
PARID_EXPORT int parid_inverse_dynamics_float(parid_robot*, const float* q, const float* v,
                                              const float* a, float* tau);

/* With bearing friction and drive losses. [RT prepared] */
PARID_EXPORT int parid_inverse_dynamics_with_friction(parid_robot*, const double* q,
                                                      const double* v, const double* a,
                                                      double* tau);

/* [RT prepared], all of these. Accelerations from torques; M[nv][nv]; torques at no acceleration,
 * and at no motion; C[nv][nv] with bias = C v + gravity. */
PARID_EXPORT int parid_forward_dynamics(parid_robot*, const double* q, const double* v,
                                        const double* tau, double* a);
PARID_EXPORT int parid_mass_matrix(parid_robot*, const double* q, double* M);
PARID_EXPORT int parid_bias(parid_robot*, const double* q, const double* v, double* tau);
PARID_EXPORT int parid_gravity(parid_robot*, const double* q, double* tau);
PARID_EXPORT int parid_coriolis_matrix(parid_robot*, const double* q, const double* v, double* C);

/* Derivatives, each [nv][nv]: row k is of tau[k] (of a[k]) by every velocity coordinate. [RT
 * prepared] */
PARID_EXPORT int parid_inverse_gradient(parid_robot*, const double* q, const double* v,
                                        const double* a, double* dq, double* dv, double* da);
PARID_EXPORT int parid_forward_gradient(parid_robot*, const double* q, const double* v,
                                        const double* tau, double* dq, double* dv, double* dtau);

/* Where a link stands in the root link's frame, and its Jacobian [6][nv], linear rows first. [RT
 * prepared] */
PARID_EXPORT int parid_kinematics(parid_robot*, const double* q, int link, double rotation[9],
                                  double position[3]);
PARID_EXPORT int parid_jacobian(parid_robot*, const double* q, int link, double* J);

/* In J; the potential is zero for masses at the root link's origin. [RT prepared] */
PARID_EXPORT int parid_energy(parid_robot*, const double* q, const double* v, double* kinetic,
                              double* potential);

/* Where the robot stands after moving with constant v for a unit of time, and the v for which that
 * is q1. [RT] */
PARID_EXPORT int parid_integrate(parid_robot*, const double* q, const double* v, double* out);
PARID_EXPORT int parid_difference(parid_robot*, const double* q0, const double* q1, double* v);

/* ---- what acts from outside; it stays until it is set again ---------------------------------- */

/* PARID_ERROR, and nothing is changed, where a number is not finite. */
/* The root link's motion, in its frame. [RT prepared] */
PARID_EXPORT int parid_set_base_motion(parid_robot*, const double angular_velocity[3],
                                       const double angular_acceleration[3],
                                       const double linear_acceleration[3]);
/* A force and a moment on a link, in its frame at its origin, added to what is there. [not RT] */
PARID_EXPORT int parid_add_wrench(parid_robot*, int link, const double force[3],
                                  const double moment[3]);
PARID_EXPORT int parid_clear_wrenches(parid_robot*); /* [not RT] */

/* ---- many samples ---------------------------------------------------------------------------- */

typedef struct parid_engine parid_engine;

/* [not RT] threads: 1 to 4096, or 0 for as many as there are cores. Returns NULL, with
 * PARID_ERROR, for other numbers. */
PARID_EXPORT parid_engine* parid_engine_new(const parid_robot*, int threads);
PARID_EXPORT void parid_engine_free(parid_engine*); /* [not RT] NULL is nothing */

/* Kernels: generic; the specialized program of the robot, interpreted; or compiled. */
enum { PARID_GENERIC = 0, PARID_INTERPRETED = 1, PARID_COMPILED = 2 };

/* [not RT] Quantities: "inverse", "forward", "mass", "bias", "gravity", "inverse_gradient",
 * "forward_gradient", "regressor", "energy", "kinematics", "jacobian". `link` is for the last two;
 * NULL: the tip. Returns the kernel that the quantity got, which may be a slower one, or a code. */
PARID_EXPORT int parid_engine_prepare(parid_engine*, const char* quantity, int kernel,
                                      const char* link);

/* [not RT] Numbers per row of input or output array `k` of a quantity; 0 where there is no such
 * array. */
PARID_EXPORT size_t parid_engine_takes(const parid_engine*, const char* quantity, int k);
PARID_EXPORT size_t parid_engine_gives(const parid_engine*, const char* quantity, int k);

/* Rows one after another: in[k] is (rows, takes), out[k] is (rows, gives). [RT prepared] */
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

/* Torques over all cores, by an engine of the handle's own, made at the first call. [not RT] */
PARID_EXPORT int parid_inverse_dynamics_rows(parid_robot*, size_t rows, const double* q,
                                             const double* v, const double* a, double* tau);

#ifdef __cplusplus
}
#endif

#endif
