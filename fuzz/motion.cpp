// Motion files.

#include <cmath>
#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "fuzz/layer.hpp"
#include "fuzz/robots.hpp"
#include "motion/file/motion_file.hpp"
#include "parid/error.hpp"

namespace {

using namespace parid;
using namespace parid::fuzz;

void read(const Robot& robot, const std::string& text) {
  try {
    const MotionFile file = parse_motion(robot, text, "fuzz.toml");
    const double end = file.trajectory->duration();
    if (!(end >= 0 && std::isfinite(end))) std::abort();
    // A file with too many samples is refused; few samples are computed.
    if (end * file.rate.value_or(1) < 20 || end * file.rate.value_or(1) > 1e9)
      sampled(robot, *file.trajectory, file.rate.value_or(1));
    if (sampled_evenly(robot, *file.trajectory, 3).rows != 3) std::abort();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Robot planar = Robot::load("planar2");
  const std::string text = fuzz::text_of(data, size);
  for (const Robot* robot : {&planar, &fuzz::floating_robot(), &fuzz::following_robot()})
    read(*robot, text);
  return 0;
}
