// Saved tables of torques. What a fuzzer writes has no right checksum, and nothing behind that
// check would ever be reached; so bytes are tried as they are, and again with the checksum they
// should have.

#include <cstring>
#include <vector>

#include "base/file/fnv.hpp"
#include "fuzz/fuzz.hpp"
#include "lookup/torque_table.hpp"
#include "parid/error.hpp"
#include "parid/robot.hpp"

namespace {

void load(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  static const Robot robot = Robot::load("planar2");
  const fuzz::MemoryFile file(data, size);
  try {
    const TorqueTable table = TorqueTable::load(robot, file.path());
    TableReader reader(table);
    const std::vector<double> x = {0.3, -0.2};
    std::vector<double> tau(2);
    reader.torque(x, x, x, tau);
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  load(data, size);
  if (size < 8) return 0;
  std::vector<std::uint8_t> right(data, data + size);
  parid::base::Fnv sum;
  sum.add(right.data(), size - 8);
  const std::uint64_t value = sum.value();
  std::memcpy(right.data() + size - 8, &value, 8);
  load(right.data(), size);
  return 0;
}
