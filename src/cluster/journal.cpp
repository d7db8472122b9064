#include "cluster/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <sstream>

#include "base/file/fnv.hpp"
#include "base/process/unfinished.hpp"
#include "parid/error.hpp"

namespace parid::cluster {
namespace {

constexpr std::string_view opening = "parid batch journal 2\n";
constexpr std::size_t page = 4096;  // the header occupies whole pages
// Returns false if another process has the lock. On file systems without locks the user must ensure
// that only one run writes an output.
bool lock(int descriptor, int how) {
  return ::flock(descriptor, how | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

[[noreturn]] void throw_held(const std::string& journal) {
  throw Error({journal, 0}, "another `parid batch` is writing this output",
              "wait for it, or choose another output");
}

// Does not open another user's file or a link.
int open_new(const std::string& path, std::string& temporary) {
  static std::atomic<unsigned> count = 0;
  int descriptor = -1;
  do {
    temporary = fmt::format("{}.parid-{}-{}", path, ::getpid(), count++);
    descriptor = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}

constexpr const char* anew = "use `restart` to discard the finished rows and start again";

std::uint64_t checksum(const void* bytes, std::size_t count) {
  Fnv hash;
  hash.add(bytes, count);
  return hash.value();
}

// Up to the last line, "checksum …".
std::string header_text(const BatchIdentity& identity, std::uint64_t blocks) {
  std::string text(opening);
  for (const auto& [name, value] : identity) text += fmt::format("{} {}\n", name, value);
  return text + fmt::format("blocks {}\n", blocks);
}

// The layout of a record in the file.
struct Stored {
  std::uint32_t done = 0, not_finite = 0;
  std::uint64_t rows_hash = 0, check = 0;
};
static_assert(sizeof(Stored) == 24);

Stored stored(std::uint64_t header, std::uint64_t block, const BlockRecord& r) {
  Stored s{1, r.not_finite, r.rows_hash, 0};
  Fnv hash;
  hash.add(header);
  hash.add(block);
  hash.add(&s, offsetof(Stored, check));
  s.check = hash.value();
  return s;
}

bool write_all(int descriptor, const void* bytes, std::size_t count, std::uint64_t at) {
  const char* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t n = ::pwrite(descriptor, from, count, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    from += n;
    count -= static_cast<std::size_t>(n);
    at += static_cast<std::uint64_t>(n);
  }
  return true;
}

bool read_all(int descriptor, void* bytes, std::size_t count, std::uint64_t at) {
  char* to = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t n = ::pread(descriptor, to, count, static_cast<off_t>(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    count -= static_cast<std::size_t>(n);
    at += static_cast<std::uint64_t>(n);
  }
  return true;
}

}  // namespace

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      identity_(std::move(other.identity_)),
      begin_(other.begin_),
      header_(other.header_),
      records_(std::move(other.records_)),
      damaged_(other.damaged_) {}

Journal::~Journal() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Journal::fail(const std::string& what) const {
  throw Error(
      {path_, 0}, what + ": " + std::strerror(errno),
      errno == ENOENT
          ? "create its directory; with mpirun, every machine must have access to it"
          : "free some space and make the directory writable, then repeat the command to continue");
}

Journal Journal::create(const std::string& path, const BatchIdentity& identity,
                        std::uint64_t blocks, const Journal* instead_of) {
  Journal j;
  j.path_ = path;
  j.identity_ = identity;
  std::string header = header_text(identity, blocks), temporary;
  j.header_ = checksum(header.data(), header.size());
  header += fmt::format("checksum {:016x}\n\n", j.header_);
  header.resize((header.size() + page - 1) / page * page);
  j.begin_ = header.size();
  j.records_.resize(blocks);
  const std::vector<Stored> none(blocks);
  j.descriptor_ = open_new(path, temporary);
  if (j.descriptor_ < 0) j.fail("cannot create the file");
  const Unfinished unfinished(temporary);
  // A link, unlike a rename, does not replace a file that another run has created meanwhile.
  auto appear = [&] {
    if (!instead_of && ::link(temporary.c_str(), path.c_str()) == 0)
      return ::unlink(temporary.c_str()) == 0;
    const bool no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
    return (instead_of || no_links) && ::rename(temporary.c_str(), path.c_str()) == 0;
  };
  if (!write_all(j.descriptor_, header.data(), header.size(), 0) ||
      !write_all(j.descriptor_, none.data(), sizeof(Stored) * blocks, j.begin_) ||
      ::fsync(j.descriptor_) != 0 || !lock(j.descriptor_, LOCK_EX) || !appear()) {
    const int why = errno;
    ::unlink(temporary.c_str());
    if (why == EEXIST) throw_held(path);
    errno = why;
    j.fail("cannot create the file");
  }
  return j;
}

std::optional<Journal> Journal::hold(const std::string& path) {
  for (;;) {
    Journal j;
    j.path_ = path;
    j.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (j.descriptor_ < 0 && errno == ENOENT) return {};
    if (j.descriptor_ < 0 && errno == ELOOP)
      throw Error({path, 0}, "the journal's path is a symbolic link",
                  "remove it, or choose another output");
    if (j.descriptor_ < 0) j.fail("cannot open the file");
    if (!lock(j.descriptor_, LOCK_EX)) throw_held(path);
    // The previous owner may have finished or replaced the file between the two lines above.
    struct stat mine {
    }, there{};
    if (::fstat(j.descriptor_, &mine) == 0 && ::stat(path.c_str(), &there) == 0 &&
        mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
      return j;
  }
}

void Journal::share() {
  if (!lock(descriptor_, LOCK_SH)) throw_held(path_);
}

Journal Journal::join(const std::string& path) {
  Journal j;
  j.path_ = path;
  j.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (j.descriptor_ < 0) j.fail("cannot open the file");
  if (!lock(j.descriptor_, LOCK_SH)) throw_held(path);
  j.read();
  return j;
}

void Journal::read() {
  struct stat about {};
  if (::fstat(descriptor_, &about) != 0) fail("cannot inspect the file");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  std::string text;
  while (text.find("\n\n") == std::string::npos && text.size() + page <= size &&
         text.size() < 64 * page) {
    const std::size_t at = text.size();
    text.resize(at + page);
    if (!read_all(descriptor_, text.data() + at, page, at)) fail("cannot read the file");
  }
  const std::size_t end = text.find("\n\n");
  const Error damaged({path_, 0}, "this is not a journal of `parid batch`, or it is damaged", anew);
  if (end != std::string::npos && text.starts_with("parid batch journal 1\n"))
    throw Error({path_, 0}, "the batch was started by an earlier version of Parid", anew);
  if (end == std::string::npos || text.compare(0, opening.size(), opening) != 0) throw damaged;
  std::istringstream lines(text.substr(opening.size(), end + 1 - opening.size()));
  std::uint64_t blocks = 0;
  bool whole = false;
  identity_.clear();
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || whole) throw damaged;
    const std::string name = line.substr(0, space), value = line.substr(space + 1);
    const char *from = value.data(), *to = from + value.size();
    if (name == "checksum") {
      whole = std::from_chars(from, to, header_, 16).ec == std::errc();
    } else if (name == "blocks") {
      if (std::from_chars(from, to, blocks).ec != std::errc()) throw damaged;
    } else {
      identity_.emplace_back(name, value);
    }
  }
  const std::string summed = header_text(identity_, blocks);
  if (!whole || checksum(summed.data(), summed.size()) != header_) throw damaged;
  begin_ = text.size();
  if (blocks > size || size != begin_ + sizeof(Stored) * blocks) throw damaged;
  std::vector<Stored> all(blocks);
  if (!read_all(descriptor_, all.data(), sizeof(Stored) * blocks, begin_))
    fail("cannot read the file");
  records_.assign(blocks, {});
  damaged_ = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const Stored& s = all[b];
    const BlockRecord r{s.not_finite, s.rows_hash};
    const Stored right = stored(header_, b, r);
    if (std::memcmp(&s, &right, sizeof s) == 0)
      records_[b] = r;
    else if (const Stored zeros; std::memcmp(&s, &zeros, sizeof s) != 0)
      ++damaged_;
  }
}

bool Journal::is_empty() const {
  return std::none_of(records_.begin(), records_.end(),
                      [](const auto& r) { return r.has_value(); });
}

std::string Journal::difference(const BatchIdentity& wanted) const {
  for (const auto& [name, value] : wanted) {
    bool same = false;
    for (const auto& [n, v] : identity_) same |= n == name && v == value;
    if (!same) return name;
  }
  return "";
}

void Journal::mark(std::uint64_t block, const BlockRecord& record) {
  const Stored s = stored(header_, block, record);
  if (!write_all(descriptor_, &s, sizeof s, begin_ + sizeof s * block))
    fail("cannot write the file");
}

void Journal::unmark(std::uint64_t block) {
  const Stored zeros;
  if (!write_all(descriptor_, &zeros, sizeof zeros, begin_ + sizeof zeros * block))
    fail("cannot write the file");
  records_[block].reset();
}

void Journal::flush() {
  if (::fdatasync(descriptor_) != 0) fail("cannot write the file");
}

}  // namespace parid::cluster
