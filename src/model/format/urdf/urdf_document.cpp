// From bytes to a <robot> element, with messages for other content.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "model/format/size_limit.hpp"
#include "model/format/urdf/urdf_parts.hpp"
#include "model/names.hpp"

namespace parid::model::urdf {

namespace {

constexpr auto how_it_begins = "a URDF file has one root element, <robot name=\"...\">";

[[noreturn]] void refuse_xacro(const Place& at, const std::string& why) {
  throw Error(at, why + ", so this is a xacro file",
              "rename it to end in .xacro; Parid expands such files");
}

// tinyxml2's own messages name its functions and error numbers, which do not help users.
std::string plain(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT: return "mismatched or missing closing tag";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE: return "an attribute is not written name=\"value\"";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "a tag is incomplete or has no name";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
      return "text where a tag is expected, or an unclosed tag";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "unclosed comment: --> is missing";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "unclosed CDATA section: ]]> is missing";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "the <?xml ...?> declaration is malformed or misplaced";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN: return "unclosed <!...> declaration";
    case tinyxml2::XML_ERROR_PARSING: return "unclosed tag";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED: return "tags are nested more than 100 levels deep";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "the file contains no tag";
    default: return "cannot read the file";
  }
}

void refuse_other_formats(const Tag& root) {
  const std::string name(root.name());
  if (name == "robot") return;
  const char* kind = name == "sdf" || name == "gazebo"             ? "an SDFormat file"
                     : name == "mujoco" || name == "mujocoinclude" ? "a MuJoCo file"
                     : name == "COLLADA"                           ? "a COLLADA file"
                     : name == "html" || name == "HTML"            ? "a web page"
                     : name == "skel" || name == "world"           ? "a world file"
                                                                   : "another kind of file";
  throw Error(root.at(), fmt::format("the root is <{}>: {}, not URDF", name, kind), how_it_begins);
}

// xacro's own tags; any other <xacro:NAME> calls a macro that the file does not define.
constexpr std::string_view xacro_words[] = {"arg",    "attribute",   "call",  "element",
                                            "if",     "include",     "macro", "property",
                                            "unless", "insert_block"};

bool is_xacro(std::string_view tag) {
  constexpr std::string_view prefix = "xacro:";
  return tag.starts_with(prefix) && std::find(std::begin(xacro_words), std::end(xacro_words),
                                              tag.substr(prefix.size())) != std::end(xacro_words);
}

// xmlns:xacro alone is not a sign: xacro leaves it in expanded files, and old versions left calls
// of unknown macros there too; they are reported (urdf_vocabulary.cpp). Plugins inside <gazebo> may
// use dollar signs.
void refuse_xacro_in(const tinyxml2::XMLElement* e, const std::string& file) {
  const Place at{file, e->GetLineNum()};
  if (is_xacro(e->Name())) refuse_xacro(at, fmt::format("there is a tag <{}>", e->Name()));
  for (auto* a = e->FirstAttribute(); a; a = a->Next()) {
    const std::string_view value = a->Value();
    if (value.find("${") != value.npos || value.find("$(") != value.npos)
      refuse_xacro(at, fmt::format("<{}> has {}=\"{}\"", e->Name(), a->Name(), value));
  }
  if (std::string_view(e->Name()) == "gazebo") return;
  for (auto* c = e->FirstChildElement(); c; c = c->NextSiblingElement()) refuse_xacro_in(c, file);
}

// The name of the owner, for messages.
void refuse_long_names_in(const tinyxml2::XMLElement* e, const std::string& file) {
  constexpr std::pair<std::string_view, const char*> named[] = {{"robot", "the robot"},
                                                                {"link", "a link"},
                                                                {"joint", "a joint"},
                                                                {"transmission", "a transmission"}};
  for (const auto& [tag, whose] : named)
    if (const char* name = tag == e->Name() ? e->Attribute("name") : nullptr)
      require_short_name(name, whose, {file, e->GetLineNum()});
  for (auto* c = e->FirstChildElement(); c; c = c->NextSiblingElement())
    refuse_long_names_in(c, file);
}

// Old xacro versions wrote their comment above the <?xml ...?> line, which XML forbids. Blank that
// line.
std::optional<std::string> without_late_declaration(const std::string& text) {
  const auto after_spaces = [&](std::size_t i) {
    return std::min(text.find_first_not_of(" \t\r\n", i), text.size());
  };
  std::size_t i = after_spaces(text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
  const std::size_t first = i;
  while (text.compare(i, 4, "<!--") == 0) {
    const std::size_t end = text.find("-->", i + 4);
    if (end == text.npos) return {};
    i = after_spaces(end + 3);
  }
  const std::size_t end = text.find("?>", i);
  if (i == first || text.compare(i, 5, "<?xml") != 0 || end == text.npos) return {};
  std::string blanked = text;
  for (std::size_t k = i; k < end + 2; ++k)
    if (text[k] != '\n') blanked[k] = ' ';  // lines keep their numbers
  return blanked;
}

void refuse_junk(const std::string& text, const std::string& file, const char* remedy) {
  const Place at{file, 0};
  if (text.find_first_not_of(" \t\r\n") == text.npos) throw Error(at, "the file is empty", remedy);
  if (text.starts_with("\x1f\x8b"))
    throw Error(at, "the file is compressed", "expand it first: gunzip -k " + file);
  if (text.find('\0') != text.npos)
    throw Error(at, "this is not a text file", "give a robot file, as UTF-8 text");
}

}  // namespace

std::string read_text(const std::string& path) {
  const Place at{path, 0};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(at, "this is a directory", "give a URDF file in it");
  std::string text = text_of_file(path, "a URDF file");
  while (!text.empty() && text.back() == '\0') text.pop_back();  // some exporters end a file so
  return text;
}

const tinyxml2::XMLElement& parse_xml(tinyxml2::XMLDocument& document, const std::string& text,
                                      const std::string& file, const char* remedy) {
  refuse_junk(text, file, remedy);
  require_few_parts(file, text, "<", "tags");
  require_few_parts(file, text, "=", "attributes");
  refuse_slow_text(text, file);
  const std::optional<std::string> mended = without_late_declaration(text);
  const std::string& sound = mended ? *mended : text;
  if (document.Parse(sound.data(), sound.size()) != tinyxml2::XML_SUCCESS)
    throw Error({file, document.ErrorLineNum()}, "malformed XML: " + plain(document.ErrorID()),
                "check this line and the lines above");
  const tinyxml2::XMLElement* first = document.RootElement();
  if (!first) throw Error({file, 0}, "the file contains no tag", remedy);
  if (auto* second = first->NextSiblingElement())
    throw Error({file, second->GetLineNum()},
                fmt::format("<{}> follows the end of <{}>", second->Name(), first->Name()), remedy);
  return *first;
}

Tag open_document(tinyxml2::XMLDocument& document, const std::string& text,
                  const std::string& file) {
  refuse_junk(text, file, how_it_begins);
  const tinyxml2::XMLElement* first = &parse_xml(document, text, file, how_it_begins);
  Tag root(first, file, "the robot");
  refuse_other_formats(root);
  refuse_xacro_in(first, file);
  refuse_long_names_in(first, file);
  return root;
}

}  // namespace parid::model::urdf
