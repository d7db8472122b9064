#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "fuzz/fuzz.hpp"
#include "fuzz/layer.hpp"

namespace parid::fuzz {

MemoryFile::MemoryFile(const std::uint8_t* data, std::size_t size)
    : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
  if (descriptor_ < 0) std::abort();
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::write(descriptor_, data + done, size - done);
    if (n <= 0) std::abort();
    done += static_cast<std::size_t>(n);
  }
  path_ = "/proc/self/fd/" + std::to_string(descriptor_);
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

}  // namespace parid::fuzz
