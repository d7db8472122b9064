// NumPy arrays.

#include "base/file/npy.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  const fuzz::MemoryFile file(data, size);
  try {
    read_npy(file.path());
  } catch (const Error&) {
  }
  return 0;
}
