/* The same from C: torques of one sample, and what a mistake says. */

#include <stdio.h>

#include "parid/parid.h"

int main(void) {
  parid_robot* robot = parid_load("puma560");
  if (robot == NULL) {
    fprintf(stderr, "%s\n", parid_last_error());
    return 1;
  }
  double q[6] = {0.1, -0.7, 1.2, 0, 0.4, 0}, v[6] = {0}, a[6] = {0}, tau[6];
  if (parid_nq(robot) != 6 || parid_nv(robot) != 6 ||
      parid_inverse_dynamics(robot, q, v, a, tau) != 0) {
    fprintf(stderr, "%s\n", parid_last_error());
    return 1;
  }
  for (int k = 0; k < 6; ++k) printf("tau%d %.6f N m\n", k + 1, tau[k]);
  parid_free(robot);

  if (parid_load("puma56") == NULL) printf("%s\n", parid_last_error());
  return 0;
}
