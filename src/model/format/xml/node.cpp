#include "model/format/xml/node.hpp"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>

#include "model/format/size_limit.hpp"
#include "model/format/urdf/urdf_parts.hpp"

namespace parid::model::xml {
namespace {

constexpr std::string_view white_space = " \t\r\n";

bool is_blank(std::string_view s) { return s.find_first_not_of(white_space) == s.npos; }

std::string plain(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "a tag is closed by another name, or never closed";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE: return "an attribute is not written name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "a tag is broken off or has no name";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text where a tag is expected, or an unclosed tag";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment is never closed by -->";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a CDATA section is never closed by ]]>";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "the <?xml ...?> line is broken or misplaced";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN: return "a <!...> part is never closed";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED: return "tags are nested more than a hundred deep";
    default: return "a tag is never closed";
  }
}

void refuse_junk(const std::string& text, const std::string& file, const char* how_it_begins) {
  const Place at{file, 0};
  if (is_blank(text)) throw Error(at, "the file is empty", how_it_begins);
  if (text.starts_with("\x1f\x8b"))
    throw Error(at, "the file is compressed", "expand it first: gunzip -k " + file);
  if (text.find('\0') != text.npos)
    throw Error(at, "this is not a text file", "give a file of UTF-8 text");
}

Node node_of(const tinyxml2::XMLElement* e, const std::shared_ptr<const std::string>& file) {
  Node node;
  node.name = e->Name();
  node.file = file;
  node.line = e->GetLineNum();
  for (auto* a = e->FirstAttribute(); a; a = a->Next())
    node.attributes.emplace_back(a->Name(), a->Value());
  for (auto* c = e->FirstChild(); c; c = c->NextSibling()) {
    if (const auto* element = c->ToElement()) {
      node.children.push_back(node_of(element, file));
    } else if (const auto* text = c->ToText()) {
      Node t;
      t.text = text->Value();
      t.cdata = text->CData();
      t.file = file;
      t.line = text->GetLineNum();
      node.children.push_back(std::move(t));
    }
  }
  return node;
}

class Writer {
 public:
  explicit Writer(std::vector<const Node*>* lines) : lines_(lines) {
    if (lines_) lines_->assign(1, nullptr);
  }

  void node(const Node& n, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    std::string tag = indent + "<" + n.name;
    for (const auto& [name, value] : n.attributes)
      tag += fmt::format(" {}=\"{}\"", name, escaped(value));
    const bool elements = std::any_of(n.children.begin(), n.children.end(),
                                      [](const Node& c) { return !c.is_text(); });
    std::string inside;
    for (const Node& c : n.children)
      if (c.is_text()) inside += c.text;
    if (!elements) {
      line(is_blank(inside) ? tag + "/>" : fmt::format("{}>{}</{}>", tag, escaped(inside), n.name),
           n);
      return;
    }
    line(tag + ">", n);
    for (const Node& c : n.children) {
      if (!c.is_text())
        node(c, depth + 1);
      else if (!is_blank(c.text))
        line(escaped(c.text), n);
    }
    line(fmt::format("{}</{}>", indent, n.name), n);
  }

  std::string text;

 private:
  void line(const std::string& s, const Node& n) {
    text += s;
    text += '\n';
    if (!lines_) return;
    const auto count = std::count(s.begin(), s.end(), '\n') + 1;
    lines_->insert(lines_->end(), static_cast<std::size_t>(count), &n);
  }
  std::vector<const Node*>* lines_;
};

}  // namespace

const std::string* Node::attribute(std::string_view wanted) const {
  for (const auto& [key, value] : attributes)
    if (key == wanted) return &value;
  return nullptr;
}
void Node::set_attribute(std::string_view wanted, std::string value) {
  for (auto& [key, old] : attributes)
    if (key == wanted) {
      old = std::move(value);
      return;
    }
  attributes.emplace_back(wanted, std::move(value));
}
const Node* Node::child(std::string_view wanted) const {
  for (const Node& c : children)
    if (c.name == wanted) return &c;
  return nullptr;
}
std::string Node::inner_text() const {
  std::string all;
  for (const Node& c : children)
    if (c.is_text()) all += c.text;
  const std::size_t begin = std::min(all.find_first_not_of(white_space), all.size());
  return all.substr(begin, all.find_last_not_of(white_space) + 1 - begin);
}

Node parse(const std::string& text, const std::string& file, const char* how_it_begins) {
  refuse_junk(text, file, how_it_begins);
  require_few_parts(file, text, "<", "tags");
  require_few_parts(file, text, "=", "attributes");
  urdf::refuse_slow_text(text, file);
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
    throw Error({file, document.ErrorLineNum()}, "malformed XML: " + plain(document.ErrorID()),
                "check this line and the lines above");
  const tinyxml2::XMLElement* first = document.RootElement();
  if (!first) throw Error({file, 0}, "there is no tag in the file", how_it_begins);
  if (auto* second = first->NextSiblingElement())
    throw Error({file, second->GetLineNum()},
                fmt::format("<{}> follows the end of <{}>", second->Name(), first->Name()),
                how_it_begins);
  return node_of(first, std::make_shared<const std::string>(file));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string to_text(const Node& root, std::vector<const Node*>* lines) {
  Writer writer(lines);
  writer.node(root, 0);
  return std::move(writer.text);
}

}  // namespace parid::model::xml
