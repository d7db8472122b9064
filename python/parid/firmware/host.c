/* Evaluates every sample on this machine. A wrong result ends the program (samples.c). */

#include <stdint.h>
#include <stdio.h>

extern const uint32_t sample_count, input_count;
extern const float samples[];
void evaluate(const float* in, float* out);

int main(void) {
  static float out[1024];
  for (uint32_t s = 0; s < sample_count; ++s) evaluate(samples + s * input_count, out);
  printf("%lu samples agree\n", (unsigned long)sample_count);
  return 0;
}
