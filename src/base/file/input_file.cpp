#include "base/file/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace parid::base {
namespace {

[[noreturn]] void cannot_open(const std::string& name, int error) {
  const Place at{name};
  if (error == ENOENT) throw Error(at, "there is no such file", "check the path");
  if (error == EISDIR) throw Error(at, "this is a directory", "give a file");
  if (error == EACCES) {
    throw Error(at, "no permission to read", "make it readable, for example with chmod u+r");
  }
  throw Error(at, "cannot open: " + std::generic_category().message(error), "check the path");
}

}  // namespace

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  if (path.empty()) throw Error("the name of the input file is empty; give a path");
  // A null byte would silently truncate the path.
  if (path.find('\0') != std::string::npos) cannot_open(name_, EINVAL);
  descriptor_ = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) cannot_open(name_, errno);
  struct stat about = {};
  const int error = ::fstat(descriptor_, &about) != 0 ? errno : S_ISDIR(about.st_mode) ? EISDIR : 0;
  if (error != 0) {
    ::close(descriptor_);
    cannot_open(name_, error);
  }
  if (S_ISREG(about.st_mode) && path != "-") size_ = static_cast<std::uint64_t>(about.st_size);
}

InputFile::~InputFile() { ::close(descriptor_); }

std::size_t InputFile::read(char* to, std::size_t most) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno == EINTR) continue;
    throw Error(Place{name_}, "cannot read: " + std::generic_category().message(errno),
                "check the disk or the connection");
  }
}

}  // namespace parid::base
