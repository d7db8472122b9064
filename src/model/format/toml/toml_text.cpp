#include "model/format/toml/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/text/characters.hpp"
#include "parid/error.hpp"

namespace parid::model {
namespace {

unsigned char byte(std::string_view text, size_t i) {
  return static_cast<unsigned char>(i < text.size() ? text[i] : 0);
}

// The line ends, for ascending positions: a line of many strings is searched for its end once.
class LineEnds {
 public:
  explicit LineEnds(std::string_view text) : text_(text), end_(end_from(0)) {}
  size_t of(size_t i) {
    if (i > end_) end_ = end_from(i);
    return end_;
  }

 private:
  size_t end_from(size_t i) const { return std::min(text_.find('\n', i), text_.size()); }

  const std::string_view text_;
  size_t end_;
};

// The end of the string or comment that starts at i; i itself if none starts there. An unterminated
// one extends to the end of its line or text; toml++ reports it.
size_t end_of_quiet_part(std::string_view text, size_t i, LineEnds& lines) {
  const auto quote = byte(text, i);
  if (quote != '#' && quote != '"' && quote != '\'') return i;
  const size_t line_end = lines.of(i);
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

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// In the string from i to `end`: where a non-ASCII character, or a line that ends in one, follows a
// backslash; `end` if none does. toml++ 3.3 reads beyond a table there.
size_t continued_oddly(std::string_view text, size_t i, size_t end) {
  if (text[i] != '"') return end;
  for (size_t k = i + 1; k < end; ++k) {
    if (text[k] != '\\') continue;
    const size_t escaped = ++k;
    while (k + 1 < end && is_space(text[k])) ++k;
    if (k < end && byte(text, k) >= 0x80) return k;
    if (k > escaped) --k;  // another backslash may follow the gap
  }
  return end;
}

// The state at a place outside strings and comments.
struct Where {
  std::string open;         // brackets: a '[' within an array opens no table
  bool line_begins = true;  // only spaces so far
  bool header = false;      // of a table
  bool in_value = false;    // after a '='
  size_t dots = 0;          // in the key or header so far

  void pass(char c) {
    if (c == '[' && open.empty() && line_begins) header = true;
    if (c == '.' && !in_value)
      ++dots;
    else if (std::string_view("=[{,\n").find(c) != std::string_view::npos)
      dots = 0;
    switch (c) {
      case '=': in_value = true; break;
      case '[':
        open += c;
        in_value = !header;
        break;
      case '{':
        open += c;
        in_value = false;
        break;
      case ']':
      case '}':
        if (!open.empty()) open.pop_back();
        in_value = true;
        break;
      case ',': in_value = !open.empty() && open.back() == '['; break;
      case '\n':
        if (open.empty()) header = in_value = false;
        break;
    }
    line_begins = c == '\n' || (line_begins && is_space(c));
  }
  // toml++ reads a number or date up to a space or comma: would it continue into a string after c?
  bool continues(char c) const {
    return !is_space(c) && std::string_view("=,[{").find(c) == std::string_view::npos &&
           (c != '.' || in_value);
  }
};

}  // namespace

void refuse_bad_text(const std::string& text, const std::string& file) {
  const auto line_of = [&](size_t i) {
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(i), '\n'));
  };
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(std::string_view(text).substr(i));
    if (length == 0)
      throw Error(Place{file, line_of(i)}, "this is not TOML: a byte that is not UTF-8",
                  "save the file as UTF-8");
    i += length;
  }

  const size_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;  // a byte-order mark
  Where where;
  LineEnds lines(text);
  for (size_t i = begin; i < text.size();) {
    const char c = text[i];
    const bool opens = c == '"' || c == '\'' || c == '[' || c == '{';
    if (opens && i > begin && where.continues(text[i - 1]))
      throw Error(Place{file, line_of(i)},
                  "this is not TOML: a string or list starts in the middle of a word",
                  fmt::format("add the missing key, or remove the {}", c));
    if (const size_t quiet = end_of_quiet_part(text, i, lines); quiet > i) {
      if (!where.in_value && c != '#' && text.compare(i, 3, std::string(3, c)) == 0)
        throw Error(Place{file, line_of(i)}, "this is not TOML: a key in triple quotation marks",
                    "use single quotation marks");
      if (const size_t k = continued_oddly(text, i, quiet); k < quiet)
        throw Error(Place{file, line_of(k)},
                    "a non-ASCII character follows a backslash in a string",
                    "write \\\\ for a backslash, and no backslash at the end of a line");
      i = quiet;
      where.line_begins = false;
      continue;
    }
    const size_t length = utf8_length(std::string_view(text).substr(i));
    if (length > 1)
      throw Error(Place{file, line_of(i)},
                  "this is not TOML: the character '" + text.substr(i, length) +
                      "' outside a string or comment",
                  "put it in quotes, or remove it");
    if (is_control(c) && !is_space(c))
      throw Error(Place{file, line_of(i)}, "this is not TOML: a control character", "remove it");
    if (c == '=' && where.in_value)
      throw Error(Place{file, line_of(i)}, "this is not TOML: a second '=' before the line ends",
                  "start a new line");
    if (c == '[' && where.open.empty() && where.line_begins && !header_has_name(text, i))
      throw Error(Place{file, line_of(i)}, "this is not TOML: a table header without a name",
                  "write [[joint]]");
    where.pass(c);
    // toml++ recurses once per level.
    if (where.open.size() > 100 || where.dots >= 100)
      throw Error(Place{file, line_of(i)}, "nested more than 100 levels deep",
                  where.dots >= 100 ? "use fewer dots in the key" : "remove brackets");
    ++i;
  }
}

}  // namespace parid::model
