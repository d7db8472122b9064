// Refuses texts for which tinyxml2 takes quadratic time. There are two cases: it compares each
// attribute of a tag with all previous ones, and from each "&#" it searches for a ';' to the end of
// the text or value.
//
// Tags, comments and the like start and end here as in tinyxml2, up to the first error; tinyxml2
// stops there.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/format/size_limit.hpp"
#include "model/format/urdf/urdf_parts.hpp"

namespace parid::model::urdf {

namespace {

class Scan {
 public:
  Scan(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  void run() {
    // Parts in which tags and character references are not read; the longest openings first.
    constexpr std::string_view quiet[][2] = {
        {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<!", ">"}, {"<?", "?>"}};
    while (at_ < text_.size()) {
      if (text_[at_] != '<') {
        character();
        continue;
      }
      const auto part = std::find_if(std::begin(quiet), std::end(quiet),
                                     [&](const auto& q) { return rest().starts_with(q[0]); });
      if (part != std::end(quiet))
        at_ = behind((*part)[1], at_ + (*part)[0].size());
      else
        tag();
    }
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  std::size_t behind(std::string_view end, std::size_t from) const {
    const std::size_t found = text_.find(end, from);
    return found == text_.npos ? text_.size() : found + end.size();
  }
  [[noreturn]] void refuse(std::size_t i, const std::string& wrong, const char* right) const {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<long>(i), '\n') + 1;
    throw Error({file_, static_cast<int>(line)}, wrong, right);
  }

  void tag() {
    const std::size_t begin = at_;
    std::size_t attributes = 0;
    char quote = 0;  // of the current value
    for (++at_; at_ < text_.size();) {
      const char c = text_[at_];
      if (quote ? c == quote : c == '"' || c == '\'') quote = quote ? 0 : c;
      if (!quote && c == '=' && ++attributes > most_attributes)
        refuse(begin, fmt::format("a tag has more than {} attributes", most_attributes),
               "remove the attributes that are not part of URDF");
      character();
      if (!quote && c == '>') return;
    }
  }

  void character() {
    constexpr std::size_t near = 14;  // the longest is "&#x10FFFF;", with leading zeros
    if (rest().starts_with("&#") && rest().substr(0, near).find(';') == rest().npos)
      refuse(at_, "malformed XML: '&#' starts a character reference, but no ';' ends it",
             "write &amp;# for the two characters themselves");
    ++at_;
  }

  const std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
};

}  // namespace

void refuse_slow_text(const std::string& text, const std::string& file) { Scan(text, file).run(); }

}  // namespace parid::model::urdf
