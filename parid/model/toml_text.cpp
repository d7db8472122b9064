#include "parid/model/toml_text.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "parid/error.hpp"

namespace parid {
namespace {

unsigned char byte(std::string_view text, size_t i) {
  return static_cast<unsigned char>(i < text.size() ? text[i] : 0);
}

// Bytes of the UTF-8 character at i, or 0 where there is none.
int length_of_character(std::string_view text, size_t i) {
  const unsigned char first = byte(text, i);
  int length = 1;
  if (first >= 0x80)
    length = first < 0xC2 || first > 0xF4 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  for (int k = 1; k < length; ++k)
    if ((byte(text, i + k) & 0xC0) != 0x80) return 0;
  return length;
}

// Where the string or comment that begins at i ends; i itself where none begins there. One that does
// not end runs to the end of its line or text: toml++ says so.
size_t end_of_quiet_part(std::string_view text, size_t i) {
  const auto quote = byte(text, i);
  if (quote != '#' && quote != '"' && quote != '\'') return i;
  const size_t line_end = std::min(text.find('\n', i), text.size());
  if (quote == '#') return line_end;
  const bool tall = byte(text, i + 1) == quote && byte(text, i + 2) == quote;
  const size_t end = tall ? text.size() : line_end, run = tall ? 3 : 1;
  for (size_t k = i + run; k < end; ++k) {
    if (quote == '"' && text[k] == '\\')
      ++k;
    else if (byte(text, k) == quote &&
             (!tall || (byte(text, k + 1) == quote && byte(text, k + 2) == quote)))
      return k + run;
  }
  return end;
}

bool begins_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '"' ||
         c == '\'';
}

// From the '[' at i, which opens a table header.
bool header_has_name(std::string_view text, size_t i) {
  ++i;
  if (byte(text, i) == '[') ++i;
  const size_t key = text.find_first_not_of(" \t", i);
  return key != text.npos && begins_key(text[key]);
}

}  // namespace

void refuse_bad_text(const std::string& text, const std::string& file) {
  const auto line_of = [&](size_t i) {
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(i), '\n'));
  };
  for (size_t i = 0; i < text.size();) {
    const int length = length_of_character(text, i);
    if (length == 0)
      throw Error(Place{file, line_of(i)}, "this is not TOML: a byte that is not UTF-8",
                  "save the file as UTF-8");
    i += length;
  }

  int depth = 0;            // of open brackets: a '[' within an array opens no table
  bool line_begins = true;  // only spaces so far
  size_t i = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte-order mark
  while (i < text.size()) {
    const size_t quiet = end_of_quiet_part(text, i);
    if (quiet > i) {
      i = quiet;
      line_begins = false;
      continue;
    }
    const char c = text[i];
    const int length = length_of_character(text, i);
    if (length > 1)
      throw Error(Place{file, line_of(i)},
                  "this is not TOML: the character '" + text.substr(i, length) +
                      "' outside of a string or comment",
                  "put it in quotes, or remove it");
    if (c == '[' && depth == 0 && line_begins && !header_has_name(text, i))
      throw Error(Place{file, line_of(i)}, "this is not TOML: a table header without a name",
                  "write [[joint]]");
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == '\n')
      line_begins = true;
    else if (c != ' ' && c != '\t' && c != '\r')
      line_begins = false;
    ++i;
  }
}

}  // namespace parid
