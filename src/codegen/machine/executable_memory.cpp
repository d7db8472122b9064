#include "codegen/machine/executable_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace parid::codegen {

std::unique_ptr<ExecutableMemory> ExecutableMemory::make(std::span<const std::uint8_t> bytes,
                                                         std::string& note) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t size = (bytes.size() + page) / page * page;
  void* const start =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) {
    note = fmt::format("no memory for machine code: {}", std::strerror(errno));
    return nullptr;
  }
  std::memcpy(start, bytes.data(), bytes.size());
  if (::mprotect(start, size, PROT_READ | PROT_EXEC) != 0) {
    note = fmt::format("this system does not permit executing generated code: {}",
                       std::strerror(errno));
    ::munmap(start, size);
    return nullptr;
  }
  return std::unique_ptr<ExecutableMemory>(new ExecutableMemory(start, size));
}

ExecutableMemory::~ExecutableMemory() { ::munmap(start_, size_); }

}  // namespace parid::codegen
