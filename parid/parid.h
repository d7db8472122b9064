/* Parid from C and from languages that speak C. Handles are opaque; functions that can fail return 0
 * on success and -1 on failure, with parid_last_error() saying why (per thread). A handle holds a
 * robot and its workspace, and belongs to one thread at a time. */

#ifndef PARID_H
#define PARID_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parid_robot parid_robot;

/* A built-in name or a path to a .urdf or .toml file; NULL on failure. */
parid_robot* parid_load(const char* name_or_path);
void parid_free(parid_robot*);

int parid_nq(const parid_robot*); /* positions */
int parid_nv(const parid_robot*); /* velocities, accelerations, torques */

/* One sample: q[nq], v[nv], a[nv] -> tau[nv]. */
int parid_inverse_dynamics(parid_robot*, const double* q, const double* v, const double* a,
                           double* tau);

/* Rows of samples, row-major, over all cores. */
int parid_inverse_dynamics_rows(parid_robot*, size_t rows, const double* q, const double* v,
                                const double* a, double* tau);

const char* parid_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
