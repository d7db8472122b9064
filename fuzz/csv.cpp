// Tables as text, and motions in them.

#include "parid/io/csv.hpp"
#include "fuzz/fuzz.hpp"
#include "parid/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace parid;
  const fuzz::MemoryFile file(data, size);
  try {
    read_csv(file.path());
  } catch (const Error&) {
  }
  return 0;
}
