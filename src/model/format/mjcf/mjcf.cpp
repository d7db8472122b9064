#include "model/format/mjcf/mjcf.hpp"

#include <filesystem>

#include "model/floating.hpp"
#include "model/format/mjcf/mjcf_body.hpp"
#include "model/format/mjcf/mjcf_extras.hpp"
#include "model/names.hpp"

namespace parid::model {
namespace {

void read_options(const mjcf::Document& document, Description& d) {
  for (const mjcf::Element& section : document.root.children) {
    if (section.name != "option") continue;
    const mjcf::Node tag(document, section, nullptr, "<option>");
    d.gravity = tag.vector("gravity").value_or(d.gravity);
    for (const mjcf::Element& e : section.children)
      if (const std::string* gravity = e.attribute("gravity");
          e.name == "flag" && gravity && *gravity == "disable")
        d.gravity = {};
  }
}

}  // namespace

Description parse_mjcf(const std::string& text, const std::string& file,
                       const LoadOptions& options) {
  const mjcf::Document document = mjcf::open_document(text, file);
  Description d;
  d.file = file;
  d.included = document.included;
  const std::string* name = document.root.attribute("model");
  d.name = name && !name->empty() ? *name : std::filesystem::path(file).stem().string();
  require_short_name(d.name, "the model", document.at(document.root.line));

  mjcf::NotRepresented missing(document);
  const mjcf::Compiler compiler = mjcf::read_compiler(document);
  const mjcf::Defaults defaults(document);
  read_options(document, d);
  const mjcf::JointList joints =
      mjcf::read_bodies(document, compiler, defaults, options, missing, d);
  mjcf::read_couplings(document, defaults, joints, missing, d);
  mjcf::read_actuators(document, compiler, defaults, joints, missing, d);
  mjcf::read_keyframes(document, joints, d);
  mjcf::list_other_sections(document, missing);
  missing.remark_on(d);
  mjcf::remark_on_words(document, d);
  if (options.floating) float_root(d);
  require_printable_names(d);
  return d;
}

}  // namespace parid::model
