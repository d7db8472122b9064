// Robot files in SDF. Includes find nothing: the file's folder does not exist.

#include "model/format/sdf/sdf.hpp"
#include "fuzz/exercise.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  try {
    fuzz::exercise(parse_sdf(fuzz::text_of(data, size), "/no/such/folder/fuzz.sdf", {}));
  } catch (const Error&) {
  }
  return 0;
}
