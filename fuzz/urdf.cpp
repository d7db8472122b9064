// Robot files in URDF.

#include "model/format/urdf/urdf.hpp"
#include "fuzz/exercise.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  try {
    fuzz::exercise(parse_urdf(fuzz::text_of(data, size), "fuzz.urdf"));
  } catch (const Error&) {
  }
  return 0;
}
