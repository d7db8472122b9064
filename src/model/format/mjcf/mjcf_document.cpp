#include "model/format/mjcf/mjcf_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text/shown.hpp"
#include "model/description.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/urdf/urdf_parts.hpp"

namespace parid::model::mjcf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_includes = 100, longest_path = 4096;
constexpr int most_levels = 300;

std::string brief(const std::string& name) { return shown(name, 200); }

class Opening {
 public:
  Opening(Document& document) : out_(document) {}

  void main(const std::string& text) {
    tinyxml2::XMLDocument xml;
    const tinyxml2::XMLElement& root = parsed(xml, text, out_.file);
    if (std::string_view(root.Name()) != "mujoco")
      throw Error({out_.file, root.GetLineNum()},
                  fmt::format("the root is {}, not <mujoco>", brief(root.Name())),
                  "give the main MJCF file; its root is <mujoco>");
    std::error_code none;
    met_.insert(fs::weakly_canonical(out_.file, none));
    out_.root = bare(root, 0);
    add_children(root, 0, out_.root);
  }

 private:
  const tinyxml2::XMLElement& parsed(tinyxml2::XMLDocument& xml, const std::string& text,
                                     const std::string& file) {
    parts_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '<'));
    if (parts_ > most_parts)
      throw Error({file, 0}, fmt::format("the model has more than {} tags", most_parts),
                  "leave out what does not belong to the robot");
    return urdf::parse_xml(xml, text, file, "an MJCF file has one root, <mujoco>");
  }

  static Element bare(const tinyxml2::XMLElement& e, int file) {
    Element out;
    out.name = e.Name();
    out.line = file * Description::lines_per_file +
               std::min(e.GetLineNum(), Description::lines_per_file - 1);
    for (auto* a = e.FirstAttribute(); a; a = a->Next())
      out.attributes.emplace_back(a->Name(), a->Value());
    return out;
  }

  void add_children(const tinyxml2::XMLElement& from, int file, Element& to) {
    if (depth_ == most_levels)
      throw Error(out_.at(to.line), fmt::format("elements are nested more than {} deep", depth_),
                  "include fewer files inside one another");
    ++depth_;
    for (auto* e = from.FirstChildElement(); e; e = e->NextSiblingElement()) {
      if (std::string_view(e->Name()) == "include") {
        include(bare(*e, file), to);
        continue;
      }
      to.children.push_back(bare(*e, file));
      add_children(*e, file, to.children.back());
    }
    --depth_;
  }

  void include(const Element& tag, Element& to) {
    const Place at = out_.at(tag.line);
    const std::string* name = tag.attribute("file");
    if (!name || name->empty())
      throw Error(at, "<include> has no attribute 'file'", "name the file to include");
    const std::string path = file_beside(out_.file, *name, "the included file", at);
    if (path.empty())
      throw Error(at, fmt::format("the included file {} does not exist", brief(*name)),
                  "give its path relative to the main file");
    if (!met_.insert(path).second)
      throw Error(at, fmt::format("the file {} is included a second time", brief(*name)),
                  "MJCF allows each file once, so that no file includes itself");
    if (out_.included.size() == most_includes)
      throw Error(at, fmt::format("more than {} files are included", most_includes),
                  "merge some of them");
    const std::string shown_as = (fs::path(out_.file).parent_path() / *name).string();
    out_.included.push_back(shown_as);
    tinyxml2::XMLDocument xml;
    const auto& root = parsed(xml, text_of_file(path, "an MJCF file"), shown_as);
    const std::string_view word = root.Name();
    if (word != "mujoco" && word != "mujocoinclude")
      throw Error({shown_as, root.GetLineNum()}, fmt::format("the root is {}", brief(root.Name())),
                  "an included file has the root <mujoco> or <mujocoinclude>");
    add_children(root, static_cast<int>(out_.included.size()), to);
  }

  Document& out_;
  std::set<fs::path> met_;
  std::size_t parts_ = 0;
  int depth_ = 0;
};

}  // namespace

const std::string* Element::attribute(std::string_view wanted) const {
  for (const auto& [name, value] : attributes)
    if (name == wanted) return &value;
  return nullptr;
}

Place Document::at(int line) const {
  Description d;
  d.file = file;
  d.included = included;
  return d.at(line);
}

Document open_document(const std::string& text, const std::string& file) {
  Document document;
  document.file = file;
  Opening(document).main(text);
  return document;
}

std::string file_beside(const std::string& main_file, const std::string& name,
                        const std::string& what, const Place& at) {
  std::error_code none;
  if (!fs::is_regular_file(main_file, none))
    throw Error(at,
                fmt::format("{} {} is searched for beside the main file, which is not on disk",
                            what, brief(name)),
                "load the model by its path");
  const fs::path relative(name);
  const auto outside = [&] {
    throw Error(at, fmt::format("{} {} lies outside the model's directory", what, brief(name)),
                "keep it in the directory of the main file or the one above it");
  };
  if (relative.is_absolute() || name.size() > longest_path) outside();
  const fs::path home = fs::canonical(fs::absolute(main_file, none).parent_path(), none);
  const fs::path real = fs::weakly_canonical(home / relative, none), above = home.parent_path();
  if (none) return "";
  if (std::mismatch(above.begin(), above.end(), real.begin(), real.end()).first != above.end())
    outside();
  return fs::is_regular_file(real, none) ? real.string() : "";
}

}  // namespace parid::model::mjcf
