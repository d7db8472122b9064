// An XML document as a tree of plain nodes, each with the file and line where it was written.
// Readers that expand macros or join several files work on it.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/layer.hpp"
#include "parid/error.hpp"

namespace parid::model::xml {

struct Node {
  std::string name;  // of an element; empty: this is text
  std::string text;  // of a text, entities replaced
  bool cdata = false;
  std::vector<std::pair<std::string, std::string>> attributes;  // in the file's order
  std::vector<Node> children;
  std::shared_ptr<const std::string> file;
  int line = 0;
  int origin = -1;  // of a node made by a macro: its call, in the expander's numbering

  bool is_text() const { return name.empty(); }
  Place at() const { return {file ? *file : "", line}; }
  const std::string* attribute(std::string_view name) const;  // null: there is none
  void set_attribute(std::string_view name, std::string value);
  const Node* child(std::string_view name) const;  // the first element of this name, or null
  std::string inner_text() const;                  // all text directly in it, without outer spaces
};

// The root element of a text, without comments and declarations. Throws Error, with line and
// remedy, for text that is not well-formed, too large, or too slow to parse. `how_it_begins`: the
// root of a file of this format, for messages.
Node parse(const std::string& text, const std::string& file, const char* how_it_begins);

// The node as text, one element per line. With `lines`, the node of each line, from line 1 on ([0]
// is null).
std::string to_text(const Node& root, std::vector<const Node*>* lines = nullptr);

std::string escaped(std::string_view text);

}  // namespace parid::model::xml
