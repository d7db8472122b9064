#include "tests/layer.hpp"
#include "tests/scalar/fast_sine.hpp"

namespace parid::test {

void fast_sine_avx2(const double* x, double* sine, double* cosine, int count) {
  fast_sine<Avx2>(x, sine, cosine, count);
}

}  // namespace parid::test
