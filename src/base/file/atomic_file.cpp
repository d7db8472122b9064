#include "base/file/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace parid::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{256} << 10;

// N for /dev/fd/N and its other names, -1 for any other path. Opening these by name would restart
// at the beginning of the redirected file and overwrite what was printed before.
int inherited_descriptor(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.substr(0, prefix.size()) != prefix) continue;
    const std::string_view number = path.substr(prefix.size());
    int descriptor = -1;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), descriptor);
    if (parsed.ptr == number.data() + number.size()) return descriptor;
  }
  return -1;
}

}  // namespace

std::string mimic_source(const std::string& given) {
  const Place at{given};
  fs::path path = fs::absolute(given);
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, error)); ++links) {
    if (links == 40) throw Error(at, "its symbolic links form a cycle", "remove the links");
    const fs::path next = fs::read_symlink(path, error);
    if (error)
      throw Error(at, "cannot read the symbolic link: " + error.message(), "remove the link");
    path = path.parent_path() / next;
  }
  return path.string();
}

void sync_folder_of(const std::string& path) {
  const fs::path folder = fs::absolute(path).parent_path();
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

AtomicFile::AtomicFile(const std::string& path) : name_(path == "-" ? "standard output" : path) {
  const Place at{name_};
  if (path.empty()) throw Error("the name of the output file is empty; give a path");
  if (path.find('\0') != std::string::npos) fail(EINVAL);
  buffer_.reserve(buffer_size);
  if (const int inherited = inherited_descriptor(path); inherited >= 0) {
    descriptor_ = ::fcntl(inherited, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail(errno);
    return;
  }

  const std::string target = mimic_source(path);
  struct stat about = {};
  const bool exists = ::stat(target.c_str(), &about) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists ? S_ISDIR(about.st_mode) : target.back() == '/') {
    throw Error(at, "this is a directory", "give a file name");
  }
  if (exists && !S_ISREG(about.st_mode)) {
    descriptor_ = ::open(target.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  // A rename would also replace a file that is protected from writing.
  if (exists && ::access(target.c_str(), W_OK) != 0) fail(errno);
  open_beside(target);
  if (exists) {
    // Owner first, because a change of owner clears mode bits. Only root may change it.
    if (::fchown(descriptor_, about.st_uid, about.st_gid) != 0) errno = 0;
    if (::fchmod(descriptor_, about.st_mode & 07777) != 0) fail(errno);
  }
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::open_beside(const std::string& target) {
  static std::atomic<unsigned> count = 0;
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  target_ =
      target;  // first: once the file exists, nothing may throw except fail(), which removes it
  do {
    temporary_ = folder + ".parid-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
    unfinished_.reset();
    unfinished_ = std::make_unique<Unfinished>(temporary_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail(errno);
  }
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  if (bytes.size() >= buffer_size) return send(bytes);
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void AtomicFile::flush() {
  send({buffer_.data(), buffer_.size()});
  buffer_.clear();
}

void AtomicFile::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::write(descriptor_, bytes.data(), bytes.size());
    if (sent < 0 && errno != EINTR) fail(errno);
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void AtomicFile::complete() {
  flush();
  if (!target_.empty() && ::fsync(descriptor_) != 0) fail(errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0 && errno != EINTR) fail(errno);
}

void AtomicFile::commit() {
  if (descriptor_ >= 0) complete();
  if (target_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  unfinished_.reset();
  sync_folder_of(target_);
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  unfinished_.reset();
}

// A constructor that throws runs no destructor, so this cleans up first.
void AtomicFile::fail(int error) {
  discard();
  const Place at{name_};
  const std::string reason = std::generic_category().message(error);
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      throw Error(at, "there is no such directory", "create it first, for example with mkdir -p");
    case EACCES:
    case EPERM:
    case EROFS:
      throw Error(at, "no permission to write: " + reason,
                  "make the file and its directory writable, or choose another path");
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      throw Error(at, "cannot write the whole file: " + reason,
                  "free some space, or choose another path");
    case EPIPE: throw Error(at, "the reading end of the pipe is closed: " + reason, "");
    default: throw Error(at, "cannot write: " + reason, "choose another path");
  }
}

}  // namespace parid::base
