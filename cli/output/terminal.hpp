// Output on a terminal: colours, notes and errors, progress, findings.

#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/layer.hpp"
#include "model/description.hpp"

namespace parid::cli {

// Whether the stream is a terminal, not a pipe or a file.
bool on_terminal(std::FILE*);

// Whether the stream is a terminal with colours and the user allows them: https://no-color.org
bool colours(std::FILE*);

// Columns of the terminal; `otherwise` in a pipe or a file.
int width_of(std::FILE*, int otherwise);

enum class Paint { bold, faint, red, yellow, cyan };

// The text in that colour if the stream shows colours; else unchanged.
std::string painted(std::FILE*, Paint, std::string_view text);

// The first line of a table on standard output.
inline std::string heading(std::string_view text) { return painted(stdout, Paint::bold, text); }

// ---- Messages on standard error: notes, warnings, errors. --quiet shows only errors.

void be_quiet();  // from now on, in the whole process: --quiet
bool quiet();

// Text that quotes files, safe for a terminal: escape sequences, other control characters and
// invalid UTF-8 are shown as \x1b, not interpreted. Line breaks stay, but following lines are
// indented, so that none looks like a message.
std::string harmless(std::string_view text);

// "arm.urdf:4: error: …" with its place and severity in colour, if `stream` shows colours.
std::string coloured(std::FILE* stream, const std::string& message);

// Writes text to standard error unchanged. Write errors are ignored: a full disk under a log must
// not end the program.
inline void write_notes(std::string_view text) noexcept {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

template <class... T>
void say(fmt::format_string<T...> text, T&&... values) {
  write_notes(fmt::format(text, std::forward<T>(values)...));
}

// Writes a line to standard error, escaped; without colours if memory is exhausted.
void say_error(std::string_view message) noexcept;
void say_note(const std::string& message);  // unless quiet

template <class... T>
void note(fmt::format_string<T...> text, T&&... values) {
  say_note(fmt::format(text, std::forward<T>(values)...));
}

// ---- A progress bar on the terminal for work longer than a second; nothing in a pipe.

class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();  // wipes the bar
  // finished fraction, 0 to 1; additional text
  void at(double share, const std::string& beside = "");

 private:
  std::string what_;
  std::chrono::steady_clock::time_point start_, drawn_;
  bool on_terminal_, visible_ = false;
};

// ---- Findings of check() in the form of the command line.

// "arm.urdf:41: warning: link 'hand' has mass but no inertia; give it [point-mass]"
std::string text(const Finding&);

inline bool is_error(const Finding& f) { return f.severity == Finding::Severity::error; }

}  // namespace parid::cli
