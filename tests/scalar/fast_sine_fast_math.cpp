// As in a program that includes the headers and is compiled with -ffast-math. A separate type keeps
// the code compiled here apart.

#include "tests/layer.hpp"
#include "tests/scalar/fast_sine.hpp"

namespace parid::test {

struct FastMath : Baseline {};

void fast_sine_fast_math(const double* x, double* sine, double* cosine, int count) {
  fast_sine<FastMath>(x, sine, cosine, count);
}

}  // namespace parid::test
