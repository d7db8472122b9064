#include "base/file/npy_header.hpp"

#include <algorithm>
#include <charconv>

#include "base/text/shown.hpp"

namespace parid::base {
namespace {

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const Place& place) : rest_(text), place_(place) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        once(descr, key);
        if (peek() == '[') return {};  // named fields: refused by type, not parsed
        header.descr = quoted();
      } else if (key == "fortran_order") {
        once(order, key);
        header.fortran_order = truth();
      } else if (key == "shape") {
        once(shape, key);
        header.shape = lengths();
      } else {
        damaged("it has the unknown key " + shown(key));
      }
      if (peek() != '}') expect(',');
    }
    if (peek() != '\0') damaged("text follows '}'");
    if (!descr || !order || !shape) damaged("it lacks 'descr', 'fortran_order' or 'shape'");
    return header;
  }

 private:
  [[noreturn]] void damaged(const std::string& how) const {
    throw Error(place_, "the .npy header is damaged: " + how, "save the array again");
  }

  char peek() {
    const std::size_t start = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(std::min(start, rest_.size()));
    return rest_.empty() ? '\0' : rest_[0];
  }

  bool accept(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) damaged("expected '" + std::string(1, c) + "' before " + shown(rest_));
  }

  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') damaged("expected a quote before " + shown(rest_));
    const std::size_t close = rest_.find(quote, 1);
    if (close == std::string_view::npos) damaged("a quote is not closed");
    std::string text(rest_.substr(1, close - 1));
    rest_.remove_prefix(close + 1);
    return text;
  }

  bool truth() {
    peek();
    for (std::string_view word : {"True", "False"}) {
      if (rest_.substr(0, word.size()) != word) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    damaged("expected True or False before " + shown(rest_));
  }

  std::vector<std::uint64_t> lengths() {
    std::vector<std::uint64_t> found;
    expect('(');
    while (!accept(')')) {
      peek();
      std::uint64_t length = 0;
      const char* end = rest_.data() + rest_.size();
      const auto [stop, error] = std::from_chars(rest_.data(), end, length);
      if (error == std::errc::result_out_of_range) damaged("a length overflows: " + shown(rest_));
      if (error != std::errc()) damaged("expected a length before " + shown(rest_));
      rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
      if (!rest_.empty() && rest_[0] == 'L') rest_.remove_prefix(1);  // Python 2 wrote (3L, 4L)
      found.push_back(length);
      if (peek() != ')') expect(',');
    }
    return found;
  }

  void once(bool& seen, const std::string& key) const {
    if (seen) damaged("'" + key + "' appears twice");
    seen = true;
  }

  std::string_view rest_;
  const Place& place_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const Place& place) {
  return HeaderParser(text, place).parse();
}

}  // namespace parid::base
