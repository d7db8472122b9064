// Files of moves.

#include <array>
#include <cmath>
#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"
#include "parid/model/robot.hpp"
#include "parid/motion/motion_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid;
  static const Robot robot = Robot::load("planar2");
  try {
    const MotionFile file = parse_motion(robot, fuzz::text_of(data, size), "fuzz.toml");
    const double end = file.course->duration();
    if (!(end >= 0 && std::isfinite(end))) std::abort();
    std::array<double, 2> q{}, v{}, a{};
    for (const double share : {0.0, 0.3, 1.0}) file.course->at(share * end, q, v, a);
  } catch (const Error&) {
  }
  return 0;
}
