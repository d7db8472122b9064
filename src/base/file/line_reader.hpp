// Reads a text file line by line, in memory that does not grow with the file.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file/input_file.hpp"
#include "base/layer.hpp"
#include "parid/error.hpp"

namespace parid::base {

class LineReader {
 public:
  static constexpr std::size_t longest_line = std::size_t{16} << 20;

  static constexpr std::size_t usual_buffer = std::size_t{256} << 10;
  // Characters past the buffer's last line that may be read, to parse without looking for its end.
  static constexpr std::size_t margin = 128;

  explicit LineReader(const std::string& path, std::size_t buffer = usual_buffer)
      : file_(path), buffer_(buffer + margin) {}

  // The next line without its LF or CRLF and without a leading byte order mark; valid until the
  // next call. False at the end. Throws on NUL bytes and on lines past `longest_line`.
  bool next(std::string_view& line);

  // All complete lines in the buffer that follow the last one returned, with their line ends; at
  // least one, except at the end of the file. Valid until next() or lines() returns a line that is
  // not among them. skip() then counts the first `lines` of them, `bytes` long, as returned.
  std::string_view lines();
  void skip(std::size_t bytes, std::size_t lines);

  std::optional<std::uint64_t> size() const { return file_.size(); }  // of a regular file
  std::uint64_t returned() const { return read_ - (end_ - begin_); }  // bytes

  int line() const { return line_; }  // number of the last line returned
  Place place() const { return {file_.name(), line_}; }
  const std::string& file() const { return file_.name(); }
  std::optional<double> share_read() const;  // fraction of the bytes read, if the size is known

 private:
  void fill();
  std::size_t capacity() const { return buffer_.size() - margin; }
  std::string_view take(std::size_t length, std::size_t past);
  [[noreturn]] void not_text(const char* nul) const;

  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // read but not yet returned
  std::uint64_t read_ = 0;           // total bytes
  std::size_t scanned_ = 0;          // part of it without LF
  int line_ = 0;
  bool at_end_ = false;
};

}  // namespace parid::base
