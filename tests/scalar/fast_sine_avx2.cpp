#include "tests/fast_sine.hpp"

namespace parid {

void fast_sine_avx2(const double* x, double* sine, double* cosine, int count) {
  fast_sine<Avx2>(x, sine, cosine, count);
}

}  // namespace parid
