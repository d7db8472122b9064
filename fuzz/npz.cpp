// Archives of NumPy arrays.

#include "base/file/npz.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid::fuzz;
  using namespace parid;
  const fuzz::MemoryFile file(data, size);
  try {
    const Npz archive(file.path());
    for (const std::string& name : archive.names()) archive.read(name);
  } catch (const Error&) {
  }
  return 0;
}
