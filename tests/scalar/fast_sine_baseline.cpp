#include "tests/layer.hpp"
#include "tests/scalar/fast_sine.hpp"

namespace parid::test {

void fast_sine_baseline(const double* x, double* sine, double* cosine, int count) {
  fast_sine<Baseline>(x, sine, cosine, count);
}

}  // namespace parid::test
