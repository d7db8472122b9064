#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/file/csv.hpp"
#include "base/file/large_pages.hpp"
#include "base/file/line_reader.hpp"
#include "base/text/beyond_range.hpp"
#include "base/text/decimal.hpp"
#include "base/text/shown.hpp"
#include "base/threads/thread_pool.hpp"

namespace parid::base {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

// std::from_chars, which also accepts a leading '+'.
std::from_chars_result read_number(const char* from, const char* end, double& value) {
  if (end - from > 1 && *from == '+' && from[1] != '-') ++from;
  return std::from_chars(from, end, value);
}

bool is_number(std::string_view text) {
  double ignored;
  const char* end = text.data() + text.size();
  const auto [stop, error] = read_number(text.data(), end, ignored);
  return error != std::errc::invalid_argument && stop == end;
}

// Lines of `columns` numbers and nothing else, from `at` up to `end`, which follows an LF. Stops
// before the first line with an irregularity, which the caller reads with its rules and messages.
struct RegularRows {
  const char* stop;
  std::size_t rows;
};

// Bit k: whether character k of 64 is a comma or an LF.
std::uint64_t separators_of_64(const char* from) {
  std::uint64_t bits = 0;
#if defined(__SSE2__)
  const __m128i comma = _mm_set1_epi8(','), line_end = _mm_set1_epi8('\n');
  for (int k = 0; k < 64; k += 16) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k));
    const int some =
        _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(x, comma), _mm_cmpeq_epi8(x, line_end)));
    bits |= static_cast<std::uint64_t>(static_cast<unsigned>(some)) << k;
  }
#else
  for (int k = 0; k < 64; ++k)
    bits |= static_cast<std::uint64_t>(from[k] == ',' || from[k] == '\n') << k;
#endif
  return bits;
}

// Where the separators of [at, end) are, from `at`. Writes up to 8 places too many.
constexpr std::size_t piece_bytes = 4096;
std::size_t find_separators(const char* at, const char* end, std::uint32_t* to) {
  std::uint32_t* const first = to;
  const auto size = static_cast<std::uint32_t>(end - at);
  for (std::uint32_t base = 0; base < size; base += 64) {
    std::uint64_t bits = separators_of_64(at + base);
    if (size - base < 64) bits &= (std::uint64_t{1} << (size - base)) - 1;
    // Four at a time, so that branches do not depend on where they are.
    std::uint32_t* next = to;
    while (bits != 0) {
      for (int k = 0; k < 4; ++k) {
        next[k] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
        to += bits != 0;
        bits &= bits - 1;
      }
      next += 4;
    }
  }
  return static_cast<std::size_t>(to - first);
}

// A number with what a row may have beside it: blanks, a plus, the CR before an LF.
bool read_field(const char* at, const char* stop, bool last, double& value) {
  while (is_blank(*at)) ++at;
  if (*at == '+' && at[1] != '-') ++at;
  const char* end = read_decimal(at, value);
  if (end == nullptr) {
    const auto [ptr, error] = std::from_chars(at, stop, value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    end = ptr;
  }
  while (is_blank(*end)) ++end;
  end += last && *end == '\r';
  return end == stop;
}

RegularRows read_regular_rows(const char* at, const char* end, std::size_t columns, double* to) {
  static_assert(LineReader::margin >= decimal_margin + 32);
  std::uint32_t places[piece_bytes + 8];
  std::size_t rows = 0, left = columns;
  const char *line = at, *start = at;
  for (const char* piece = at; piece < end; piece += piece_bytes) {
    const std::size_t size = std::min(piece_bytes, static_cast<std::size_t>(end - piece));
    const std::size_t count = find_separators(piece, piece + size, places);
    for (std::size_t k = 0; k < count; ++k) {
      const char* stop = piece + places[k];
      const bool last = left == 1;
      if (*stop != (last ? '\n' : ',')) return {line, rows};
      if (!read_plain_decimal(start, stop, *to) && !read_field(start, stop, last, *to))
        return {line, rows};
      ++to;
      --left;
      start = stop + 1;
      if (!last) continue;
      left = columns;
      line = start;
      ++rows;
    }
  }
  return {line, rows};
}

constexpr std::size_t part_bytes = std::size_t{256} << 10;  // one thread's piece of the buffer

// The buffer holds a few parts for each thread, but no more than the file.
std::size_t buffer_for(const std::string& path, int threads) {
  std::error_code unknown;
  const auto size = std::filesystem::file_size(path, unknown);
  if (unknown || size < 4 * part_bytes) return LineReader::usual_buffer;
  const std::size_t parts = threads > 1 ? 2 * static_cast<std::size_t>(std::min(threads, 16)) : 1;
  return std::min<std::size_t>(parts * part_bytes, LineReader::longest_line);
}

class Reader {
 public:
  Reader(const std::string& path, const CsvOptions& options)
      : options_(options),
        threads_(thread_count(options.threads)),
        lines_(path, buffer_for(path, threads_)) {
    table_.file = lines_.file();
  }

  Table read() {
    std::string_view line;
    for (;;) {
      if (!table_.columns.empty()) regular_lines();
      if (!lines_.next(line)) break;
      const std::string_view text = trimmed(line);
      if (text.empty()) continue;
      if (text[0] == '#') {
        if (table_.columns.empty()) comment_line_ = lines_.line();
      } else if (table_.columns.empty()) {
        header(text);
      } else {
        row(text);
      }
    }
    const Place whole{table_.file};
    if (table_.columns.empty()) {
      throw Error(whole, "the file is empty", "start with a header such as " + options_.example);
    }
    if (table_.rows == 0) {
      throw Error(whole, "the table has a header but no rows",
                  "add a line of numbers under the header");
    }
    return std::move(table_);
  }

 private:
  void header(std::string_view text);
  std::vector<std::string> names(std::string_view text, bool& all_numbers) const;
  struct Part {
    const char *begin, *end;
    std::vector<double> values;
    RegularRows found;
  };
  void regular_lines();
  void merge(Part&);
  void read_part(Part&);
  void row(std::string_view text);
  void next_row_is_on(int line);
  void careful_row(std::string_view text);
  double careful_value(std::string_view text, const std::string& column) const;

  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const {
    throw Error(lines_.place(), wrong, right);
  }

  const CsvOptions& options_;
  int threads_;
  LineReader lines_;
  std::unique_ptr<ThreadPool> pool_;  // once there is work for it
  std::vector<Part> parts_;
  std::uint64_t one_by_one_to_ = 0;  // up to this byte one thread reads
  Table table_;
  int comment_line_ = 0;  // the last one above the header
};

void Reader::header(std::string_view text) {
  if (std::any_of(text.begin(), text.end(), is_control)) {
    if (text.find('\r') != std::string_view::npos) {
      fail("lines end in a carriage return only", "save the file with LF or CRLF line endings");
    }
    fail("this is not a text file: the header is " + shown(text),
         "give a table of comma-separated numbers");
  }
  if (!is_utf8(text)) fail("the header is not UTF-8: " + shown(text), "save the file as UTF-8");

  bool all_numbers = true;
  std::vector<std::string> columns = names(text, all_numbers);
  if (all_numbers) {
    const std::string above = std::to_string(comment_line_);
    fail("the first line contains numbers, not column names",
         comment_line_ > 0
             ? "if line " + above +
                   " is the header, remove its '#'; otherwise start with a header such as " +
                   options_.example
             : "start with a header such as " + options_.example);
  }
  if (columns.size() == 1 && text[0] != '"' &&
      text.find_first_of(";\t") != std::string_view::npos) {
    fail("the header " + shown(text) + " contains no comma", "separate the columns by commas");
  }
  std::vector<std::string_view> sorted(columns.begin(), columns.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    fail("column " + shown(*twice) + " appears twice", "give every column a unique name");
  }
  table_.columns = std::move(columns);
  table_.header_line = lines_.line();
}

// Column names, with RFC 4180 quotes: "a, ""b""" is the name a, "b". A quoted name is not a number.
std::vector<std::string> Reader::names(std::string_view text, bool& all_numbers) const {
  std::vector<std::string> found;
  for (bool more = true; more;) {
    std::string name;
    std::size_t i = std::min(text.find_first_not_of(" \t"), text.size());
    if (i < text.size() && text[i] == '"') {
      all_numbers = false;
      for (++i; i < text.size(); ++i) {
        if (text[i] == '"' && (i + 1 == text.size() || text[i + 1] != '"')) break;
        if (text[i] == '"') ++i;
        name += text[i];
      }
      if (i == text.size())
        fail("the closing quote of a column name is missing", "add a \" after the name");
      ++i;
      const std::size_t comma = std::min(text.find(',', i), text.size());
      if (const auto rest = trimmed(text.substr(i, comma - i)); !rest.empty()) {
        fail(shown(rest) + " follows a quoted column name", "put a comma after the closing quote");
      }
      i = comma;
    } else {
      i = std::min(text.find(','), text.size());
      name = trimmed(text.substr(0, i));
      all_numbers = all_numbers && is_number(name);
    }
    more = i < text.size();
    if (name.empty()) {
      fail("column " + std::to_string(found.size() + 1) + " has no name",
           more ? "name the column" : "name the column, or remove the trailing comma");
    }
    found.push_back(std::move(name));
    text.remove_prefix(more ? i + 1 : i);
  }
  return found;
}

void Reader::row(std::string_view text) {
  const std::size_t start = table_.data.size();
  if (options_.most_values - start < table_.columns.size()) {
    fail("the table has more than " + std::to_string(options_.most_values) + " values",
         "split it into several files, or use HDF5 with `parid batch`");
  }
  careful_row(text);
  next_row_is_on(lines_.line());
  ++table_.rows;
}

void Reader::next_row_is_on(int line) {
  if (table_.runs.empty() || table_.line_of(table_.rows) != line) {
    table_.runs.push_back({table_.rows, line});
  }
}

// Reads the regular rows of whole buffers, in parts on several threads. Returns where the next line
// has an irregularity, or is the last and incomplete.
void Reader::regular_lines() {
  for (;;) {
    const std::string_view text = lines_.lines();
    // A number and its separator take two characters.
    if (text.empty() || options_.most_values - table_.data.size() < text.size() / 2) return;
    std::size_t count = 1;
    if (threads_ > 1 && text.size() >= 2 * part_bytes && lines_.returned() >= one_by_one_to_) {
      count = text.size() / part_bytes;
      if (!pool_) pool_ = std::make_unique<ThreadPool>(threads_);
    }
    if (parts_.size() < count) parts_.resize(count);
    const char *at = text.data(), *end = at + text.size();
    for (std::size_t p = 0; p < count; ++p) {
      const char* cut = end;
      if (p + 1 < count) {  // behind the LF before the part's end
        const std::size_t even = text.size() / count * (p + 1);
        const std::size_t line_end = text.rfind('\n', even);
        cut = line_end == std::string_view::npos ? at : std::max(at, text.data() + line_end + 1);
      }
      parts_[p].begin = at;
      parts_[p].end = at = cut;
    }
    if (count > 1)
      pool_->share(count, [&](int, std::size_t p) { read_part(parts_[p]); });
    else
      read_part(parts_[0]);
    // The caller reads an irregular line. Others like it usually follow, so one thread reads the
    // rest of this buffer: what several read after such a line is lost.
    const std::uint64_t text_end = lines_.returned() + text.size();
    for (std::size_t p = 0; p < count; ++p) {
      merge(parts_[p]);
      if (parts_[p].found.stop == parts_[p].end) continue;
      one_by_one_to_ = text_end;
      return;
    }
    if (options_.progress) {
      if (const auto share = lines_.share_read()) options_.progress(*share);
    }
  }
}

void Reader::read_part(Part& part) {
  const auto size = static_cast<std::size_t>(part.end - part.begin);
  if (part.values.size() < size / 2 + 1) part.values.resize(size / 2 + 1);
  part.found = read_regular_rows(part.begin, part.end, table_.columns.size(), part.values.data());
}

void Reader::merge(Part& part) {
  const std::size_t rows = part.found.rows, count = rows * table_.columns.size();
  if (rows == 0) return;
  const auto bytes = static_cast<std::size_t>(part.found.stop - part.begin);
  if (table_.data.empty() && lines_.size()) {
    // As many rows as the file would have if all were as long as these, and a few more.
    const double all = static_cast<double>(*lines_.size()) / static_cast<double>(bytes);
    const auto values = static_cast<std::size_t>(1.02 * all * static_cast<double>(count));
    try {
      reserve_in_large_pages(table_.data, std::min(options_.most_values, values));
    } catch (const std::bad_alloc&) {  // it grows while it can
    }
  }
  table_.data.insert(table_.data.end(), part.values.data(), part.values.data() + count);
  next_row_is_on(lines_.line() + 1);
  lines_.skip(bytes, rows);
  table_.rows += rows;
}

void Reader::careful_row(std::string_view text) {
  const auto controls =
      static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_control));
  if (8 * controls > text.size()) {
    fail("this is not a text file: it has " + shown(text),
         "give a table of comma-separated numbers");
  }
  const std::vector<std::string_view> fields = split(text);
  const std::size_t found = fields.size(), expected = table_.columns.size();
  if (found != expected) {
    fail("found " + std::to_string(found) + (found == 1 ? " value" : " values") +
             ", but the header has " + std::to_string(expected) +
             (expected == 1 ? " column" : " columns"),
         found == expected + 1 && fields.back().empty() ? "remove the trailing comma"
                                                        : "give one value for each column");
  }
  for (std::size_t c = 0; c < expected; ++c) {
    table_.data.push_back(careful_value(fields[c], table_.columns[c]));
  }
}

double Reader::careful_value(std::string_view text, const std::string& column) const {
  const std::string where = "column " + shown(column);
  if (text.empty()) fail(where + " is empty", "give a number");
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = read_number(text.data(), end, value);
  if (error == std::errc::invalid_argument || stop != end) {
    fail(where + " has " + shown(text) + ", which is not a number", "write it like 0.25 or 2.5e-1");
  }
  if (error == std::errc::result_out_of_range) value = beyond_range(text);
  if (std::isnan(value)) fail(where + " is not a number: " + shown(text), "give a finite number");
  if (std::isinf(value)) fail(where + " is infinite: " + shown(text), "give a finite number");
  return value;
}

}  // namespace

Table read_csv(const std::string& path, const CsvOptions& options) {
  Reader reader(path, options);
  try {
    return reader.read();
  } catch (const std::bad_alloc&) {
    throw Error(Place{path}, "the table does not fit into memory",
                "split it into several files, or use HDF5 with `parid batch`");
  }
}

}  // namespace parid::base
