#include "cli/output/notes.hpp"

#include "base/text/characters.hpp"
#include "cli/output/arguments.hpp"
#include "cli/output/terminal.hpp"
#include "cli/shell/last_resort.hpp"

namespace parid::cli {
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
      length = 1;  // the rest of it is no character, and follows in the same way
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

void say_note(const std::string& message) {
  if (!is_quiet) say("{}\n", coloured(stderr, harmless(in_flags(message))));
}

}  // namespace parid::cli
