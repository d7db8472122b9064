#include "base/process/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

#include "base/process/unfinished.hpp"

namespace parid::base {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool (*)() noexcept> interrupt_check = nullptr;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// Not inherited by children that other threads start meanwhile, which would keep the pipe open.
struct Pipe {
  Descriptor read, write;
  bool make() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read = Descriptor(ends[0]);
    write = Descriptor(ends[1]);
    return true;
  }
};

// An in-memory file with this content, positioned at its beginning.
Descriptor file_with(std::string_view content) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  while (file.open() && !content.empty()) {
    const ssize_t n = ::write(file.get(), content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Descriptor();
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  if (file.open() && ::lseek(file.get(), 0, SEEK_SET) != 0) return Descriptor();
  return file;
}

std::vector<char*> pointers(const std::vector<std::string>& all) {
  std::vector<char*> to;
  for (const std::string& x : all) to.push_back(const_cast<char*>(x.c_str()));
  to.push_back(nullptr);
  return to;
}

std::vector<std::string> environment_with(const std::vector<std::string>& more) {
  std::vector<std::string> all = more;
  for (char** e = environ; e && *e; ++e) {
    const std::string_view old = *e;
    const std::string_view name = old.substr(0, std::min(old.find('='), old.size() - 1) + 1);
    if (std::none_of(more.begin(), more.end(),
                     [&](const std::string& m) { return m.starts_with(name); }))
      all.emplace_back(old);
  }
  return all;
}

struct Spawn {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  Spawn() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;
};

// Reads what is available. Closes the stream at its end.
void take(Descriptor& stream, std::string& to, const ChildOptions& options, ChildResult& result) {
  char some[1 << 14];
  ssize_t n = 0;
  do {
    n = ::read(stream.get(), some, sizeof some);
    if (n <= 0) continue;
    const auto got = static_cast<std::size_t>(n), room = options.most_output - to.size();
    to.append(some, std::min(got, room));
    if (got > room) result.cut = true;
  } while (n > 0 || (n < 0 && errno == EINTR));
  if (n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) stream.close();
}

// The child has ended; it stays a zombie, so that its number, also its group's, is not reused.
bool has_ended(pid_t child) {
  siginfo_t about{};
  int failed = 0;
  do {
    failed = ::waitid(P_PID, static_cast<id_t>(child), &about, WEXITED | WNOHANG | WNOWAIT);
  } while (failed != 0 && errno == EINTR);
  return failed != 0 || about.si_pid == child;
}

// The kernel sends SIGKILL to the group when the write end of the pipe is closed: at the latest
// when this process ends. The read end must be open in the group, which inherits it.
void end_with_this_process(const Pipe& pipe, pid_t group) {
  const int fd = pipe.read.get();
  if (::fcntl(fd, F_SETOWN, -group) == 0 && ::fcntl(fd, F_SETSIG, SIGKILL) == 0)
    ::fcntl(fd, F_SETFL, O_ASYNC);
}

}  // namespace

void set_interrupt_check(bool (*check)() noexcept) { interrupt_check = check; }

ChildResult run_child(const std::vector<std::string>& words, const ChildOptions& options) {
  ChildResult result;
  Pipe out, err, life;
  Descriptor input = options.input.empty() ? Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC))
                                           : file_with(options.input);
  if (!input.open() || !out.make() || !err.make() || !life.make()) {
    result.error = errno != 0 ? errno : EIO;
    return result;
  }
  const std::vector<std::string> variables = environment_with(options.environment);
  std::vector<char*> arguments = pointers(words), environment = pointers(variables);
  Spawn spawn;
  posix_spawn_file_actions_adddup2(&spawn.files, input.get(), 0);
  posix_spawn_file_actions_adddup2(&spawn.files, out.write.get(), 1);
  posix_spawn_file_actions_adddup2(&spawn.files, err.write.get(), 2);
  // dup2 onto itself: the child keeps it open.
  posix_spawn_file_actions_adddup2(&spawn.files, life.read.get(), life.read.get());
  sigset_t none, pipes;
  sigemptyset(&none);
  sigemptyset(&pipes);
  sigaddset(&pipes, SIGPIPE);  // Python ignores SIGPIPE, and a child would inherit that
  posix_spawnattr_setpgroup(&spawn.attributes, 0);
  posix_spawnattr_setsigmask(&spawn.attributes, &none);
  posix_spawnattr_setsigdefault(&spawn.attributes, &pipes);
  posix_spawnattr_setflags(&spawn.attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  result.error = posix_spawnp(&child, arguments[0], &spawn.files, &spawn.attributes,
                              arguments.data(), environment.data());
  if (result.error != 0) return result;
  end_with_this_process(life, child);
  const UnfinishedGroup unfinished(child);
  life.read.close();
  out.write.close();
  err.write.close();
  for (const Descriptor* d : {&out.read, &err.read}) ::fcntl(d->get(), F_SETFL, O_NONBLOCK);

  const auto limit = Clock::now() + std::chrono::duration<double>(options.seconds);
  bool ended = false;
  for (int pause_ms = 1; !ended;) {
    pollfd streams[2] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}};
    // Closed streams are skipped. Without any open stream the pause grows to 10 ms.
    ::poll(streams, 2, out.read.open() || err.read.open() ? 10 : pause_ms);
    pause_ms = std::min(10, pause_ms + 1);
    ended = has_ended(child);
    if (out.read.open()) take(out.read, result.output, options, result);
    if (err.read.open()) take(err.read, result.errors, options, result);
    if (ended) break;
    const auto check = interrupt_check.load();
    result.interrupted = check && check();
    result.timed_out = Clock::now() >= limit;
    if (result.interrupted || result.timed_out) break;
  }
  ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (ended && WIFEXITED(status)) result.code = WEXITSTATUS(status);
  return result;
}

}  // namespace parid::base
