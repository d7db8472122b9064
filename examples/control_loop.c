/* A control loop in C: an arm held by PD and gravity compensation, and pushed. Everything in the
 * loop is real-time safe once parid_prepare has been called; forward dynamics simulates the robot.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "parid/parid.h"

enum { joints = 6, batch = 1000 };

static void check(int code) {
  if (code == PARID_OK) return;
  fprintf(stderr, "%s\n", parid_last_error());
  exit(1);
}

int main(void) {
  parid_robot* arm = parid_load("puma560"); /* also checks that header and library fit */
  if (arm == NULL || parid_nv(arm) != joints) {
    fprintf(stderr, "%s\n", parid_last_error());
    return 1;
  }
  check(parid_prepare(arm));

  const double goal[joints] = {0.3, -0.9, 1.4, 0.2, 0.5, -0.3}, dt = 1e-3;
  double q[joints] = {0.1, -0.7, 1.2, 0, 0.4, 0}, v[joints] = {0}, a[joints], tau[joints],
         step[joints];
  for (int k = 0; k < 3000; ++k) {
    check(parid_gravity(arm, q, tau)); /* what a controller would do */
    for (int j = 0; j < joints; ++j) tau[j] += 60 * (goal[j] - q[j]) - 15 * v[j];
    check(parid_forward_dynamics(arm, q, v, tau, a)); /* what the robot would do */
    for (int j = 0; j < joints; ++j) v[j] += dt * a[j], step[j] = dt * v[j];
    check(parid_integrate(arm, q, step, q));
  }
  double worst = 0;
  for (int j = 0; j < joints; ++j) worst = fmax(worst, fabs(goal[j] - q[j]));
  printf("after 3 s at most %.4f rad away; holding it takes", worst);
  for (int j = 0; j < joints; ++j) printf(" %.3f", tau[j]);
  printf(" N m\n");

  /* Many samples: the same pose a thousand times, all torques at once. */
  double *many = malloc(sizeof *many * batch * joints),
         *zero = calloc(batch * joints, sizeof *zero),
         *torques = malloc(sizeof *torques * batch * joints);
  for (int k = 0; k < batch * joints; ++k) many[k] = q[k % joints];
  parid_engine* engine = parid_engine_new(arm, 0);
  const double* in[] = {many, zero, zero};
  double* out[] = {torques};
  check(parid_engine_rows(engine, "inverse", NULL, batch, in, out));
  printf("shoulder, row %d of a batch: %.3f N m\n", batch, torques[(batch - 1) * joints + 1]);

  parid_engine_free(engine);
  parid_free(arm);
  free(many), free(zero), free(torques);
  return worst < 0.05 ? 0 : 1;
}
