// Sine and cosine of packs, compiled for each instruction set in a file of its own: a fused
// multiply-add rounds otherwise than a multiplication and an addition do.

#pragma once

#include "scalar/pack.hpp"
#include "tests/layer.hpp"

namespace parid::test {

using FastSine = void (*)(const double* x, double* sine, double* cosine, int count);

void fast_sine_baseline(const double* x, double* sine, double* cosine, int count);
void fast_sine_fast_math(const double* x, double* sine, double* cosine, int count);
#if defined(__x86_64__)
void fast_sine_avx2(const double* x, double* sine, double* cosine, int count);
void fast_sine_avx512(const double* x, double* sine, double* cosine, int count);
#endif

// `count` is a multiple of 8.
template <class Isa>
void fast_sine(const double* x, double* sine, double* cosine, int count) {
  constexpr int W = lanes_of<Isa, double>;
  for (int k = 0; k < count; k += W) {
    Pack<W, double, Isa> at;
    for (int h = 0; h < W; ++h) at.set(h, x[k + h]);
    const auto [s, c] = sin_cos(at);
    for (int h = 0; h < W; ++h) {
      sine[k + h] = s[h];
      cosine[k + h] = c[h];
    }
  }
}

}  // namespace parid::test
