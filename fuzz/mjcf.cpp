// Robot files in MJCF. Included files and meshes are not looked for: there is no main file on disk.

#include "model/format/mjcf/mjcf.hpp"
#include "fuzz/exercise.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  try {
    fuzz::exercise(parse_mjcf(fuzz::text_of(data, size), "fuzz.mjcf"));
  } catch (const Error&) {
  }
  return 0;
}
