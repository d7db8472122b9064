// The text of a program, line by line, with indentation by blocks.
//
// emit/ turns graphs into source code. It does not depend on robots and includes graph/
// only.

#pragma once

#include <fmt/format.h>

#include <string>

#include "codegen/layer.hpp"

namespace parid::codegen {

class Lines {
 public:
  template <class... A>
  void add(fmt::format_string<A...> format, A&&... a) {
    line(fmt::format(format, std::forward<A>(a)...));
  }
  void line(const std::string& text) {
    if (!text.empty()) text_.append(2 * static_cast<std::size_t>(depth_), ' ');
    text_ += text;
    text_ += '\n';
  }
  void blank() { text_ += '\n'; }
  void raw(const std::string& text) { text_ += text; }  // unchanged

  template <class... A>
  void open(fmt::format_string<A...> format, A&&... a) {
    add(format, std::forward<A>(a)...);
    ++depth_;
  }
  void close(const std::string& text = "}") {
    --depth_;
    line(text);
  }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int depth_ = 0;
};

}  // namespace parid::codegen
