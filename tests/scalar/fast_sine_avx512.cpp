#include "tests/layer.hpp"
#include "tests/scalar/fast_sine.hpp"

namespace parid::test {

void fast_sine_avx512(const double* x, double* sine, double* cosine, int count) {
  fast_sine<Avx512>(x, sine, cosine, count);
}

}  // namespace parid::test
