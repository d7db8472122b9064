#include "cli/output/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/text/characters.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/numbers.hpp"
#include "cli/shell/last_resort.hpp"

namespace parid::cli {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

const char* code(Paint p) {
  switch (p) {
    case Paint::bold: return "1";
    case Paint::faint: return "2";
    case Paint::red: return "1;31";
    case Paint::yellow: return "1;33";
    case Paint::cyan: return "36";
  }
  return "0";
}

}  // namespace

bool on_terminal(std::FILE* stream) { return isatty(fileno(stream)) != 0; }

bool colours(std::FILE* stream) {
  return on_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

int width_of(std::FILE* stream, int otherwise) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
}

std::string painted(std::FILE* stream, Paint paint, std::string_view text) {
  // The newline stays outside the colour, so that a pager's lines are complete.
  const std::size_t end = text.find_last_not_of('\n') + 1;
  if (end == 0 || !colours(stream)) return std::string(text);
  return "\033[" + std::string(code(paint)) + "m" + std::string(text.substr(0, end)) + "\033[0m" +
         std::string(text.substr(end));
}

namespace {

struct Word {
  const char* text;
  Paint paint;
};
constexpr Word words[] = {
    {"error: ", Paint::red}, {"warning: ", Paint::yellow}, {"note: ", Paint::cyan}};

}  // namespace

std::string harmless(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::size_t length = utf8_length(text);
    if (text[0] == '\n') {
      out += text.size() == 1 || text[1] == ' ' ? "\n" : "\n  ";
    } else if (length > 0 && control_length(text) == 0) {
      out += text.substr(0, length);
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      length = 1;  // the remaining bytes are not characters and are shown in the same way
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string coloured(std::FILE* stream, const std::string& message) {
  if (!colours(stream)) return message;
  for (const Word& w : words) {
    const std::size_t at = message.find(w.text);
    if (at == std::string::npos || at > message.find('\'')) continue;
    const std::size_t after = at + std::string(w.text).size();
    return painted(stream, Paint::bold, message.substr(0, at)) + painted(stream, w.paint, w.text) +
           message.substr(after);
  }
  return message;
}

void say_error(std::string_view raw) noexcept try {
  const std::string message = harmless(in_flags(std::string(raw)));
  // Place or option first: "arm.urdf:4: …", "--gravity: …".
  const std::size_t colon = message.find(": ");
  const bool said = coloured(stderr, message) != message;
  if (said || colon == std::string::npos)
    say("{}\n", coloured(stderr, message));
  else
    say("{}{}\n", painted(stderr, Paint::red, message.substr(0, colon + 1)),
        message.substr(colon + 1));
} catch (...) {
  write_error(raw);
}

namespace {
// Like the streams that it governs, one for the process.
std::atomic<bool>& quiet_flag() {
  static std::atomic<bool> flag = false;
  return flag;
}
}  // namespace

void be_quiet() { quiet_flag() = true; }
bool quiet() { return quiet_flag(); }

void say_note(const std::string& message) {
  if (!quiet()) say("{}\n", coloured(stderr, harmless(in_flags(message))));
}

using namespace std::chrono_literals;

Progress::Progress(std::string what)
    : what_(std::move(what)),
      start_(std::chrono::steady_clock::now()),
      drawn_(start_),
      on_terminal_(isatty(STDERR_FILENO) != 0 && !quiet()) {}

Progress::~Progress() {
  if (visible_) write_notes("\r\033[K");
}

void Progress::at(double share, const std::string& beside) {
  const auto now = std::chrono::steady_clock::now();
  if (!on_terminal_ || now - start_ < 1s || now - drawn_ < 100ms) return;
  drawn_ = now;
  visible_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const int width = 30, full = static_cast<int>(width * std::clamp(share, 0.0, 1.0));
  say("\r{} [{:=<{}}{: <{}}] {:3.0f} %, {} left{}{}\033[K", what_, "", full, "", width - full,
      100 * share, human_time(share > 0 ? std::ceil(seconds * (1 - share) / share) : 0),
      beside.empty() ? "" : ", ", beside);
  std::fflush(stderr);
}

std::string text(const Finding& f) {
  return fmt::format("{}: {}: {}{}{} [{}]", f.at.text(), is_error(f) ? "error" : "warning",
                     f.message, f.remedy.empty() ? "" : "; ", f.remedy, f.code);
}

}  // namespace parid::cli
