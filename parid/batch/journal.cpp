#include "parid/batch/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

#include "parid/error.hpp"
#include "parid/io/unfinished.hpp"

namespace parid {
namespace {

constexpr std::string_view opening = "parid batch journal 1\n";
constexpr std::size_t page = 4096;  // the header takes whole pages
constexpr const char* anew = "--restart throws away what was finished and begins anew";

std::string header_of(const BatchIdentity& identity, std::uint64_t blocks) {
  std::string text(opening);
  for (const auto& [name, value] : identity) text += fmt::format("{} {}\n", name, value);
  text += fmt::format("blocks {}\n\n", blocks);
  text.resize((text.size() + page - 1) / page * page);
  return text;
}

bool write_all(int descriptor, const void* bytes, std::size_t count, std::uint64_t at) {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t n = ::pwrite(descriptor, from, count, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n, count -= static_cast<std::size_t>(n), at += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool read_all(int descriptor, void* bytes, std::size_t count, std::uint64_t at) {
  char* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t n = ::pread(descriptor, to, count, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n, count -= static_cast<std::size_t>(n), at += static_cast<std::uint64_t>(n);
  }
  return true;
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      identity_(std::move(other.identity_)),
      begin_(other.begin_),
      marks_(std::move(other.marks_)) {}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::fail(const std::string& what) const {
  throw Error({path_, 0}, what + ": " + std::strerror(errno),
              "make room and the folder writable; the same command then goes on");
}

Journal Journal::create(const std::string& path, const BatchIdentity& identity,
                        std::uint64_t blocks) {
  Journal j;
  j.path_ = path, j.identity_ = identity;
  const std::string header = header_of(identity, blocks),
                    temporary = fmt::format("{}.parid-{}", path, ::getpid());
  const Unfinished unfinished(temporary);
  j.begin_ = header.size(), j.marks_.resize(blocks);
  j.descriptor_ = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (j.descriptor_ < 0) j.fail("cannot be created");
  if (!write_all(j.descriptor_, header.data(), header.size(), 0) ||
      !write_all(j.descriptor_, j.marks_.data(), 4 * blocks, j.begin_) ||
      ::fsync(j.descriptor_) != 0 || ::flock(j.descriptor_, LOCK_EX | LOCK_NB) != 0 ||
      ::rename(temporary.c_str(), path.c_str()) != 0) {
    const int why = errno;
    ::unlink(temporary.c_str());
    errno = why;
    j.fail("cannot be created");
  }
  return j;
}

bool Journal::is_held(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0;
  ::close(descriptor);
  return held;
}

Journal Journal::open(const std::string& path, Hold hold) {
  Journal j;
  j.path_ = path;
  j.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (j.descriptor_ < 0) j.fail("cannot be opened");
  if (hold == Hold::locked) ::flock(j.descriptor_, LOCK_EX | LOCK_NB);
  struct stat about {};
  if (::fstat(j.descriptor_, &about) != 0) j.fail("cannot be looked at");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  std::string text;
  while (text.find("\n\n") == std::string::npos && text.size() + page <= size &&
         text.size() < 64 * page) {
    const std::size_t at = text.size();
    text.resize(at + page);
    if (!read_all(j.descriptor_, text.data() + at, page, at)) j.fail("cannot be read");
  }
  const std::size_t end = text.find("\n\n");
  const Error damaged({path, 0}, "this is not a journal of parid batch, or a damaged one", anew);
  if (end == std::string::npos || text.compare(0, opening.size(), opening) != 0) throw damaged;
  std::istringstream lines(text.substr(opening.size(), end + 1 - opening.size()));
  std::uint64_t blocks = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos) throw damaged;
    const std::string name = line.substr(0, space), value = line.substr(space + 1);
    if (name != "blocks") {
      j.identity_.emplace_back(name, value);
    } else if (std::from_chars(value.data(), value.data() + value.size(), blocks).ec !=
               std::errc()) {
      throw damaged;
    }
  }
  j.begin_ = text.size();
  if (blocks > size || size != j.begin_ + 4 * blocks) throw damaged;
  j.marks_.resize(blocks);
  if (!read_all(j.descriptor_, j.marks_.data(), 4 * blocks, j.begin_)) j.fail("cannot be read");
  return j;
}

std::string Journal::difference(const BatchIdentity& wanted) const {
  for (const auto& [name, value] : wanted) {
    bool same = false;
    for (const auto& [n, v] : identity_) same |= n == name && v == value;
    if (!same) return name;
  }
  return "";
}

void Journal::mark(std::uint64_t block, std::uint32_t rows_not_finite) {
  const std::uint32_t word = rows_not_finite + 1;
  if (!write_all(descriptor_, &word, 4, begin_ + 4 * block)) fail("cannot be written");
}

void Journal::flush() {
  if (::fdatasync(descriptor_) != 0) fail("cannot be written");
}

}  // namespace parid
