#include "codegen/compile/build_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdlib.h>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

namespace parid::codegen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "building-";
constexpr off_t most_bytes = off_t{256} << 20;  // of a compiled kernel; most are below 1 MiB

int opened_folder(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// KEY.PID.ADDRESS.c and .so, left behind by versions before 1.0.
bool is_old_left_over(const std::string& name) {
  constexpr std::size_t key = 32;
  return name.size() > key && name.find_first_not_of("0123456789abcdef") == key &&
         name.compare(key, 1, ".") == 0 && name.find(".0x", key) != name.npos &&
         (name.ends_with(".c") || name.ends_with(".so"));
}

bool is_a_day_old(const std::string& path) {
  std::error_code failed;
  const auto written = fs::last_write_time(path, failed);
  return !failed && fs::file_time_type::clock::now() - written > std::chrono::hours(24);
}

}  // namespace

BuildFolder::BuildFolder(std::string path, int lock)
    : path_(std::move(path)), lock_(lock), unfinished_(std::make_unique<Unfinished>(path_)) {}

BuildFolder::BuildFolder(BuildFolder&& other) noexcept
    : path_(std::exchange(other.path_, "")),
      lock_(std::exchange(other.lock_, -1)),
      unfinished_(std::move(other.unfinished_)) {}

BuildFolder::~BuildFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

std::optional<BuildFolder> BuildFolder::make(const std::string& cache) {
  // sweep() holds the cache's lock, so it finds no directory that is created but not yet locked.
  const int all = opened_folder(cache);
  if (all < 0) return {};
  while (::flock(all, LOCK_SH) != 0 && errno == EINTR) {
  }
  std::string path = cache + "/" + std::string(prefix) + "XXXXXX";
  const bool made = ::mkdtemp(path.data()) != nullptr;
  const int failed = errno, lock = made ? opened_folder(path) : -1;
  if (lock >= 0) ::flock(lock, LOCK_EX | LOCK_NB);
  ::close(all);
  errno = failed;
  if (!made) return {};
  return BuildFolder(std::move(path), lock);
}

bool BuildFolder::write(const char* name, const std::string& content) const {
  const int file =
      ::open(path(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0700);
  if (file < 0) return false;
  std::string_view rest = content;
  bool written = ::fchmod(file, 0700) == 0;  // whatever the umask is
  while (written && !rest.empty()) {
    const ssize_t n = ::write(file, rest.data(), rest.size());
    if (n > 0)
      rest.remove_prefix(static_cast<std::size_t>(n));
    else
      written = n < 0 && errno == EINTR;
  }
  written = written && ::fsync(file) == 0;
  return ::close(file) == 0 && written;
}

std::optional<std::string> own_file(const std::string& path, std::string& flaw) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return flaw = errno == ELOOP ? "a symbolic link" : std::strerror(errno), std::nullopt;
  struct stat s {};
  std::optional<std::string> content;
  if (::fstat(file, &s) != 0)
    flaw = std::strerror(errno);
  else if (!S_ISREG(s.st_mode))
    flaw = "not a regular file";
  else if (s.st_uid != ::geteuid())
    flaw = "owned by another user";
  else if (s.st_nlink != 1)
    flaw = "a file with several hard links";
  else if (s.st_size > most_bytes)
    flaw = "larger than 256 MiB";
  else
    content.emplace(static_cast<std::size_t>(s.st_size), '\0');
  for (std::size_t at = 0; content && at < content->size();) {
    const ssize_t n = ::read(file, content->data() + at, content->size() - at);
    if (n > 0)
      at += static_cast<std::size_t>(n);
    else if (n == 0)
      content->resize(at);
    else if (errno != EINTR) {
      flaw = std::strerror(errno);
      content.reset();
    }
  }
  ::close(file);
  return content;
}

void sweep(const std::string& cache) {
  const int all = opened_folder(cache);
  if (all < 0) return;
  if (::flock(all, LOCK_EX | LOCK_NB) == 0) {
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator at(cache, failed), end; !failed && at != end; at.increment(failed))
      names.push_back(at->path().filename().string());
    for (const std::string& name : names) {
      const std::string path = cache + "/" + name;
      if (is_old_left_over(name) && is_a_day_old(path)) ::unlink(path.c_str());
      if (!name.starts_with(prefix)) continue;
      const int folder = opened_folder(path);
      if (folder < 0) continue;
      std::error_code ignored;
      if (::flock(folder, LOCK_EX | LOCK_NB) == 0) fs::remove_all(path, ignored);
      ::close(folder);
    }
  }
  ::close(all);
}

}  // namespace parid::codegen
