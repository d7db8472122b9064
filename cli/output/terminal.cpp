#include "cli/output/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

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

bool colours(std::FILE* stream) {
  return isatty(fileno(stream)) != 0 && environment("NO_COLOR").empty() &&
         environment("TERM") != "dumb";
}

int width_of(std::FILE* stream, int otherwise) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return size.ws_col;
}

std::string painted(std::FILE* stream, Paint paint, std::string_view text) {
  // A line's end stays outside, so that a pager's lines are whole.
  const std::size_t end = text.find_last_not_of('\n') + 1;
  if (end == 0 || !colours(stream)) return std::string(text);
  return "\033[" + std::string(code(paint)) + "m" + std::string(text.substr(0, end)) + "\033[0m" +
         std::string(text.substr(end));
}

}  // namespace parid::cli
