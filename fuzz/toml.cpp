// Robot files in TOML.

#include "model/format/toml/toml.hpp"
#include "fuzz/exercise.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  try {
    fuzz::exercise(parse_toml(fuzz::text_of(data, size), "fuzz.toml"));
  } catch (const Error&) {
  }
  return 0;
}
