#include "cli/shell/last_resort.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <new>

#include "base/process/unfinished.hpp"
#include "base/text/characters.hpp"

namespace parid::cli {
namespace {

std::atomic<bool> memory_failed = false;

// Lets operator new throw std::bad_alloc as without a handler. If memory does not even suffice for
// that, std::terminate is called without an exception, and this flag gives the reason.
void note_lack_of_memory() {
  memory_failed = true;
  throw std::bad_alloc();
}

// Collects a line and writes it in few pieces.
class Line {
 public:
  void add(std::string_view bytes) noexcept {
    for (const char c : bytes) {
      if (size_ == sizeof buffer_) send();
      buffer_[size_++] = c;
    }
  }
  void send() noexcept {
    for (std::size_t sent = 0; sent < size_;) {
      const ssize_t n = ::write(STDERR_FILENO, buffer_ + sent, size_ - sent);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      sent += static_cast<std::size_t>(n);
    }
    size_ = 0;
  }

 private:
  char buffer_[1024];
  std::size_t size_ = 0;
};

[[noreturn]] void last_resort() noexcept {
  static std::atomic<bool> again = false;
  bool explained = true;
  if (again.exchange(true)) {
    write_error(no_memory);  // nothing else fails here
  } else if (abi::__cxa_current_exception_type()) {
    try {
      throw;  // unlike std::rethrow_exception, this does not allocate
    } catch (const std::bad_alloc&) {
      write_error(no_memory);
    } catch (const std::exception& e) {
      write_error(e.what());
    } catch (...) {
      write_error("parid: internal error: an exception of unknown type");
    }
  } else if (memory_failed) {
    write_error(no_memory);
  } else {
    explained = false;
    write_error("parid: internal error: the program cannot continue");
  }
  remove_unfinished_files();
  if (!explained) std::abort();
  ::_exit(2);
}

}  // namespace

void write_error(std::string_view text) noexcept {
  Line line;
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    if (text[0] == '\n') {
      line.add(text.size() == 1 || text[1] == ' ' ? "\n" : "\n  ");
    } else if (length > 0 && control_length(text) == 0) {
      line.add(text.substr(0, length));
    } else {
      constexpr char digits[] = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(text[0]);
      const char shown[] = {'\\', 'x', digits[byte / 16], digits[byte % 16]};
      line.add({shown, sizeof shown});
      length = 1;
    }
    text.remove_prefix(length);
  }
  line.add("\n");
  line.send();
}

void open_standard_descriptors() noexcept {
  // open() returns the lowest free number, so each of these gets the one that is closed.
  constexpr int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};  // reading 0 and writing 1 fail
  for (int k = 0; k < 3; ++k)
    if (::fcntl(k, F_GETFD) == -1 && errno == EBADF && ::open("/dev/null", modes[k]) != k)
      ::_exit(2);  // no message is possible, and files would be damaged
}

void install_last_resort() noexcept {
  std::set_terminate(last_resort);
  std::set_new_handler(note_lack_of_memory);
}

}  // namespace parid::cli
