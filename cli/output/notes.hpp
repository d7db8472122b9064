// What the program says beside its answer, on standard error: notes, warnings, errors. --quiet
// leaves errors alone.

#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "cli/layer.hpp"

namespace parid::cli {

inline bool is_quiet = false;  // once, from the command line
inline void be_quiet() { is_quiet = true; }
inline bool quiet() { return is_quiet; }

// Text that quotes files, for a terminal: an escape there is shown, as \x1b, not obeyed; so is
// every other control character and what is not UTF-8. Lines end where they did, but those that
// follow are indented, so that none can be taken for a message of its own.
std::string harmless(std::string_view text);

// "arm.urdf:4: error: …" with its place and its word in colour, where `stream` shows colours.
std::string coloured(std::FILE* stream, const std::string& message);

// Text on standard error as it is. What cannot be written is dropped: a full disk under a log must
// not end the program that writes it.
inline void write_notes(std::string_view text) noexcept {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

template <class... T>
void say(fmt::format_string<T...> text, T&&... values) {
  write_notes(fmt::format(text, std::forward<T>(values)...));
}

// A line on standard error, harmless. Where there is no memory left for colours, without them.
void say_error(std::string_view message) noexcept;
void say_note(const std::string& message);  // unless quiet

template <class... T>
void note(fmt::format_string<T...> text, T&&... values) {
  say_note(fmt::format(text, std::forward<T>(values)...));
}

}  // namespace parid::cli
