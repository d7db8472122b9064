// Steps of reading URDF that are in separate files; for urdf.cpp, and for report/visuals.cpp, which
// reads visuals.

#pragma once

#include <tinyxml2.h>

#include <string>
#include <string_view>

#include "model/description.hpp"
#include "model/format/urdf/xml_tag.hpp"
#include "model/layer.hpp"

namespace parid::model::urdf {

// The bytes of a file or pipe; throws Error if it cannot be a URDF file.
std::string read_text(const std::string& path);

// Throws Error for a text that would take the parser quadratic time.
void refuse_slow_text(const std::string& text, const std::string& file);

// Parses the text within the limits of size_limit.hpp and returns its root; throws Error if it is
// not XML. `remedy`: how a file of the format begins.
const tinyxml2::XMLElement& parse_xml(tinyxml2::XMLDocument& document, const std::string& text,
                                      const std::string& file, const char* remedy);

// Parses the text and returns its <robot>; throws Error for anything else: other formats, xacro,
// junk.
Tag open_document(tinyxml2::XMLDocument& document, const std::string& text,
                  const std::string& file);

// Reports tags and attributes that no program reads.
void remark_on_words(const Tag& robot, Description& d);

// Whether URDF has this attribute in such a tag, for any program.
bool has_attribute(std::string_view tag, std::string_view attribute);

// The result of `read`, for a part that a robot need not have: if it throws an Error, the result is
// empty, and a remark is added to the description.
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
