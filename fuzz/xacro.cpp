// Robot files in xacro, with lower limits than users have, so that inputs stay quick. Includes find
// nothing: the file's folder does not exist.

#include "fuzz/exercise.hpp"
#include "fuzz/fuzz.hpp"
#include "model/format/urdf/urdf.hpp"
#include "model/format/xacro/expander.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  xacro::Options options;
  options.arguments = {};
  options.limits.steps = 100'000;
  options.limits.nodes = 10'000;
  try {
    const xacro::Expansion e =
        xacro::expand(fuzz::text_of(data, size), "/no/such/folder/fuzz.xacro", options);
    fuzz::exercise(parse_urdf(xml::to_text(e.root), "fuzz.urdf"));
  } catch (const Error&) {
  }
  return 0;
}
