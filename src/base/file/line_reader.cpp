#include "base/file/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace parid::base {

bool LineReader::next(std::string_view& line) {
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const void* found = std::memchr(start + scanned_, '\n', end_ - begin_ - scanned_);
    if (found != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - start);
      line = take(length, 1);
      return true;
    }
    scanned_ = end_ - begin_;
    if (at_end_) {
      if (scanned_ == 0) return false;
      line = take(scanned_, 0);
      return true;
    }
    fill();
  }
}

std::string_view LineReader::lines() {
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const std::string_view unseen(start + scanned_, end_ - begin_ - scanned_);
    if (const std::size_t last = unseen.rfind('\n'); last != std::string_view::npos) {
      return {start, scanned_ + last + 1};
    }
    scanned_ = end_ - begin_;
    if (at_end_) return {};
    fill();
  }
}

void LineReader::skip(std::size_t bytes, std::size_t lines) {
  begin_ += bytes;
  scanned_ = 0;
  const auto room = static_cast<std::size_t>(std::numeric_limits<int>::max() - line_);
  line_ += static_cast<int>(std::min(lines, room));
}

// Returns `length` bytes and skips `past` more.
std::string_view LineReader::take(std::size_t length, std::size_t past) {
  std::string_view line(buffer_.data() + begin_, length);
  begin_ += length + past;
  scanned_ = 0;
  if (line_ < std::numeric_limits<int>::max()) ++line_;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line_ == 1 && line.substr(0, 3) == "\xef\xbb\xbf") line.remove_prefix(3);
  return line;
}

void LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity()) {
    if (end_ >= longest_line) {
      throw Error(Place{file_.name(), line_ + 1}, "this line is longer than 16 MiB",
                  "check that this is a table with one row per line");
    }
    buffer_.resize(std::min(2 * capacity(), longest_line) + margin);
  }
  char* fresh = buffer_.data() + end_;
  const std::size_t got = file_.read(fresh, capacity() - end_);
  at_end_ = got == 0;
  end_ += got;
  read_ += got;
  if (const void* nul = std::memchr(fresh, '\0', got)) not_text(static_cast<const char*>(nul));
}

std::optional<double> LineReader::share_read() const {
  const auto size = file_.size();
  if (!size || *size == 0) return std::nullopt;
  return std::min(1.0, static_cast<double>(returned()) / static_cast<double>(*size));
}

void LineReader::not_text(const char* nul) const {
  const std::string_view before(buffer_.data(), static_cast<std::size_t>(nul - buffer_.data()));
  const std::string_view mark = std::string_view(buffer_.data(), end_).substr(0, 2);
  if (line_ == 0 && (mark == "\xff\xfe" || mark == "\xfe\xff")) {
    throw Error(Place{file_.name()}, "the text is encoded as UTF-16", "save it as UTF-8");
  }
  const auto breaks = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  throw Error(Place{file_.name(), line_ + 1 + breaks}, "this is not a text file: it has NUL bytes",
              "give a table of comma-separated numbers");
}

}  // namespace parid::base
