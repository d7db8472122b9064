#include "cluster/identity.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/file/fnv.hpp"
#include "model/format/identity_text.hpp"
#include "parid/error.hpp"

namespace parid::cluster {

std::string content_hash(const Robot& robot) {
  const std::string text = identity_text(robot.description());
  Fnv hash;
  hash.add(text.data(), text.size());
  return fmt::format("{:016x}", hash.value());
}

std::string file_identity(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (descriptor < 0 || ::fstat(descriptor, &about) != 0)
    throw Error({path, 0}, std::string("cannot open: ") + std::strerror(errno),
                "give a readable file");
  constexpr std::uint64_t looks = 64, piece = 4096;
  const auto size = static_cast<std::uint64_t>(about.st_size);
  std::vector<char> bytes(piece);
  Fnv hash;
  for (std::uint64_t k = 0; k <= looks; ++k) {
    const std::uint64_t at = size > piece ? (size - piece) / looks * k : 0;
    ssize_t n = 0;
    do n = ::pread(descriptor, bytes.data(), piece, static_cast<off_t>(at));
    while (n < 0 && errno == EINTR);
    if (n < 0) {  // a hash of fewer bytes would look like another file
      const int why = errno;
      ::close(descriptor);
      throw Error({path, 0}, std::string("cannot read: ") + std::strerror(why),
                  "check the disk, then repeat the command to continue");
    }
    hash.add(bytes.data(), static_cast<std::size_t>(n));
  }
  ::close(descriptor);
  return fmt::format("{} bytes, changed at {}.{:09}, {:016x}", size, about.st_mtim.tv_sec,
                     about.st_mtim.tv_nsec, hash.value());
}

}  // namespace parid::cluster
