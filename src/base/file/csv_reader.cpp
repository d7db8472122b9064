#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <string_view>

#include "base/file/csv.hpp"
#include "base/file/line_reader.hpp"
#include "base/text/beyond_range.hpp"
#include "base/text/shown.hpp"

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

class Reader {
 public:
  Reader(const std::string& path, const CsvOptions& options) : options_(options), lines_(path) {
    table_.file = lines_.file();
  }

  Table read() {
    std::string_view line;
    while (lines_.next(line)) {
      if (options_.progress && lines_.line() % 1024 == 0) {
        if (const auto share = lines_.share_read()) options_.progress(*share);
      }
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
  void row(std::string_view text);
  bool quick_row(std::string_view text);
  void careful_row(std::string_view text);
  double careful_value(std::string_view text, const std::string& column) const;

  [[noreturn]] void fail(const std::string& wrong, const std::string& right) const {
    throw Error(lines_.place(), wrong, right);
  }

  const CsvOptions& options_;
  LineReader lines_;
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
  const int line = lines_.line();
  if (!quick_row(text)) {
    table_.data.resize(start);
    careful_row(text);
  }
  if (table_.runs.empty() || table_.line_of(table_.rows) != line) {
    table_.runs.push_back({table_.rows, line});
  }
  ++table_.rows;
}

// Reads a row without irregularities; everything else is left to careful_row.
bool Reader::quick_row(std::string_view text) {
  const char* at = text.data();
  const char* end = at + text.size();
  for (std::size_t left = table_.columns.size(); left > 0; --left) {
    while (at != end && is_blank(*at)) ++at;
    double value;
    auto [stop, error] = read_number(at, end, value);
    if (error != std::errc() || !std::isfinite(value)) return false;
    while (stop != end && is_blank(*stop)) ++stop;
    if (left == 1) {
      if (stop != end) return false;
    } else if (stop == end || *stop++ != ',') {
      return false;
    }
    at = stop;
    table_.data.push_back(value);
  }
  return true;
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
