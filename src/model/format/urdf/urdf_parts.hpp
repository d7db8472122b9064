// The steps of reading URDF that stand in files of their own; for urdf.cpp, and report/visuals.cpp,
// which reads what a robot looks like.

#pragma once

#include <tinyxml2.h>

#include <string>
#include <string_view>

#include "model/description.hpp"
#include "model/format/urdf/xml_tag.hpp"
#include "model/layer.hpp"

namespace parid::model::urdf {

// The bytes of a file (or of a pipe); an Error for what cannot be one.
std::string read_text(const std::string& path);

// An Error for a text that would take the parser time of its length squared.
void refuse_slow_text(const std::string& text, const std::string& file);

// Parses the text within the limits of size_limit.hpp and returns its root; an Error for what is
// not XML. `remedy`: how a file of the format begins.
const tinyxml2::XMLElement& parse_xml(tinyxml2::XMLDocument& document, const std::string& text,
                                      const std::string& file, const char* remedy);

// Parses the text and returns its <robot>; an Error for anything else: other formats, xacro, junk.
Tag open_document(tinyxml2::XMLDocument& document, const std::string& text,
                  const std::string& file);

// Remarks on tags and attributes that no one will read.
void remark_on_words(const Tag& robot, Description& d);

// Whether URDF has this attribute in such a tag, whoever reads it.
bool has_attribute(std::string_view tag, std::string_view attribute);

// What `read` returns, of something that a robot need not have: where it throws an Error, nothing,
// and a remark on the description says so.
void remark_unreadable(const Tag& tag, const Error& why, Description& d);
template <class Read>
auto lenient(const Tag& tag, Description& d, const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error& e) {
    remark_unreadable(tag, e, d);
    return {};
  }
}

// Gear ratios and rotor inertias, from <transmission> and Drake's tags.
void read_drives(const Tag& robot, Description& d);

}  // namespace parid::model::urdf
