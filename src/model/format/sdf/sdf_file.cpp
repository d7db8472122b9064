// From text to the chosen model with everything that it includes.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/text/spelling.hpp"
#include "model/format/sdf/sdf_model.hpp"
#include "model/format/size_limit.hpp"
#include "model/format/source_files.hpp"
#include "model/lint/finding.hpp"

namespace parid::model::sdf {
namespace {

namespace fs = std::filesystem;
using xml::Node;

constexpr auto how_it_begins = "an SDF file has one root, <sdf version=\"1.9\">";
constexpr int deepest_model = 20;
constexpr int most_includes = 500;
constexpr std::size_t most_elements = 1'000'000;

std::string brief(const std::string& s) { return s.size() <= 100 ? s : s.substr(0, 100) + "…"; }

std::size_t size_of(const Node& node) {
  std::size_t size = 1;
  for (const Node& child : node.children) size += size_of(child);
  return size;
}

Version version_of(const Node& root) {
  const std::string text = required_attribute(root, "version");
  Version v;
  const char* end = text.data() + text.size();
  const auto [point, error] = std::from_chars(text.data(), end, v.major);
  const bool minor = error == std::errc{} && point < end && *point == '.';
  const auto rest = minor ? std::from_chars(point + 1, end, v.minor)
                          : std::from_chars_result{point, std::errc::invalid_argument};
  if (rest.ec != std::errc{} || rest.ptr != end || v.major != 1 || v.minor < 0 || v.minor > 99)
    throw Error(root.at(), fmt::format("the version '{}' is not known", brief(text)),
                "give a version from 1.4 to 1.11");
  return v;
}

class Reader {
 public:
  Reader(const std::string& file, const LoadOptions& options, std::vector<Finding>& remarks)
      : options_(options), remarks_(remarks), files_(file, options.packages) {}

  File read(const std::string& text, const std::string& file) {
    File result;
    const Node root = parsed(text, file);
    result.version = version_of(root);
    if (result.version.before(1, 4) || !result.version.before(1, 12))
      remark(remarks_, finding("sdf-version", root.at(),
                               fmt::format("the file's version is {}.{}", result.version.major,
                                           result.version.minor),
                               "it is read as the nearest of 1.4 to 1.11"));
    refuse_other_arguments(file);
    std::vector<Model> models;
    for (const Node& child : root.children) {
      if (child.name == "model") models.push_back(model(child, result.version, 0));
      if (child.name != "world") continue;
      if (!result.world.empty())
        throw Error(child.at(), "the file has a second <world>", "keep one of them");
      result.world = required_attribute(child, "name");
      world(child, result, models);
    }
    result.model = chosen(std::move(models), root);
    result.places = std::move(places_);
    return result;
  }

 private:
  void refuse_other_arguments(const std::string& file) const {
    for (const auto& [name, value] : options_.arguments)
      if (name != "model")
        throw Error({file, 0}, fmt::format("an SDF file has no argument '{}'", brief(name)),
                    "the argument 'model' chooses one of a world's models");
  }

  Node parsed(const std::string& text, const std::string& file) {
    Node root = xml::parse(text, file, how_it_begins);
    places_.add_file(file);
    if (root.name != "sdf")
      throw Error(root.at(), fmt::format("the root is <{}>, not <sdf>", brief(root.name)),
                  how_it_begins);
    elements_ += size_of(root);
    if (elements_ > most_elements)
      throw Error({file, 0}, fmt::format("there are more than {} elements", most_elements),
                  "include fewer files");
    return root;
  }

  void world(const Node& element, File& result, std::vector<Model>& models) {
    for (const Node& child : element.children) {
      if (child.name == "gravity") {
        const std::vector<double> g = numbers_in(child, 3);
        result.gravity = {g[0], g[1], g[2]};
      } else if (child.name == "frame") {
        result.world_frames.push_back(child);
      } else if (child.name == "model") {
        models.push_back(model(child, result.version, 0));
      } else if (child.name == "include") {
        // Models around the robot may be missing.
        try {
          models.push_back(included(child, 0));
        } catch (const Error& e) {
          remark(remarks_, finding("sdf-include", child.at(),
                                   fmt::format("a model of the world is left out ({})", e.what()),
                                   "give its directory if it is the robot"));
        }
      } else if (child.name == "joint") {
        remark(remarks_, finding("sdf-unsupported", child.at(),
                                 "a <joint> between models of the world is ignored",
                                 "put it into a model that nests both"));
      }
    }
  }

  Model chosen(std::vector<Model> models, const Node& root) const {
    const auto wanted = options_.arguments.find("model");
    std::vector<std::string> names;
    for (const Model& m : models) names.push_back(m.name);
    if (models.empty())
      throw Error(root.at(), "the file has no <model>",
                  "give a file with one, or correct its includes");
    if (wanted != options_.arguments.end()) {
      for (Model& m : models)
        if (m.name == wanted->second) return std::move(m);
      throw Error(root.at(), fmt::format("the file has no model '{}'", brief(wanted->second)),
                  did_you_mean(wanted->second, names) +
                      fmt::format("its models are {}", fmt::join(names, ", ")));
    }
    if (models.size() == 1) return std::move(models[0]);
    const auto moves = [](const Model& m) { return !m.is_static; };
    if (std::count_if(models.begin(), models.end(), moves) == 1)
      return std::move(*std::find_if(models.begin(), models.end(), moves));
    if (names.size() > 20) names.resize(20);
    throw Error(root.at(), fmt::format("the file has {} models", models.size()),
                fmt::format("choose one by the argument 'model': {}", fmt::join(names, ", ")));
  }

  Model model(const Node& element, Version version, int depth) {
    if (depth > deepest_model)
      throw Error(element.at(), fmt::format("models are nested more than {} deep", deepest_model),
                  "look for a model that includes itself");
    Model m;
    m.name = required_attribute(element, "name");
    m.version = version;
    m.element.name = element.name;
    m.element.attributes = element.attributes;
    m.element.file = element.file;
    m.element.line = element.line;
    for (const Node& child : element.children) {
      if (child.name == "model")
        m.nested.push_back(model(child, version, depth + 1));
      else if (child.name == "include")
        m.nested.push_back(included(child, depth + 1));
      else if (!child.is_text())
        m.element.children.push_back(child);
      if (child.name == "static") m.is_static = truth_in(child);
    }
    return m;
  }

  Model included(const Node& include, int depth) {
    if (++includes_ > most_includes)
      throw Error(include.at(), fmt::format("there are more than {} includes", most_includes),
                  "look for a model that includes itself");
    const Node* uri = include.child("uri");
    if (!uri) throw Error(include.at(), "<include> has no <uri>", "add <uri>model://NAME</uri>");
    const std::string path = file_of(uri->inner_text(), *uri);
    const Node root = parsed(text_of_file(path, "an SDF file"), path);
    const Version version = version_of(root);
    const Node* element = nullptr;
    for (const Node& child : root.children) {
      if (child.name != "model") continue;
      if (element)
        throw Error(child.at(), "an included file has a second <model>", "keep one of them");
      element = &child;
    }
    if (!element)
      throw Error(root.at(), "the included file has no <model>", "include one that has");
    Model m = model(*element, version, depth);
    if (const Node* name = include.child("name")) m.name = name->inner_text();
    if (const Node* fixed = include.child("static")) m.is_static = truth_in(*fixed);
    const std::string* merge = include.attribute("merge");
    m.merged = merge && (*merge == "true" || *merge == "1");
    m.including = std::make_shared<const Node>(include);
    return m;
  }

  // The SDF file of a URI: a file, or a folder with a model.config.
  std::string file_of(const std::string& uri, const Node& at) {
    if (uri.starts_with("http://") || uri.starts_with("https://"))
      throw Error(at.at(), fmt::format("'{}' is not downloaded", brief(uri)),
                  "download the model and include it by a relative path or model://NAME");
    fs::path path;
    if (const auto named = package_uri(uri)) {
      const auto directory = files_.package(named->package);
      if (!directory)
        throw Error(at.at(), fmt::format("model '{}' is not found", brief(named->package)),
                    "give its directory in `packages`, or set GZ_SIM_RESOURCE_PATH");
      path = fs::path(*directory) / named->path;
    } else {
      const std::string plain = uri.starts_with("file://") ? uri.substr(7) : uri;
      path = fs::path(*at.file).parent_path() / plain;
    }
    std::error_code trouble;
    if (fs::is_directory(path, trouble)) path = described(path, at);
    if (!fs::exists(path, trouble))
      throw Error(at.at(), fmt::format("there is no file '{}'", brief(path.string())),
                  "correct the <uri>");
    if (const std::string why = files_.refusal(path.string()); !why.empty())
      throw Error(at.at(), fmt::format("'{}' is not read: {}", brief(path.string()), why),
                  "keep it beside the robot file, or name its folder as a package");
    return path.string();
  }
  // The newest SDF file that the folder's model.config names, or its model.sdf.
  fs::path described(const fs::path& directory, const Node& at) const {
    const fs::path config = directory / "model.config";
    std::error_code none;
    if (!fs::exists(config, none)) return directory / "model.sdf";
    if (const std::string why = files_.refusal(config.string()); !why.empty())
      throw Error(at.at(), fmt::format("'{}' is not read: {}", brief(config.string()), why),
                  "keep it beside the robot file, or name its folder as a package");
    const Node root = xml::parse(text_of_file(config.string(), "a model.config"), config.string(),
                                 "a model.config has one root, <model>");
    std::string best;
    int newest = -1;
    for (const Node& child : root.children) {
      if (child.name != "sdf") continue;
      const Version v = child.attribute("version") ? version_of(child) : Version{1, 0};
      if (v.minor <= newest) continue;
      newest = v.minor;
      best = child.inner_text();
    }
    if (best.empty())
      throw Error({config.string(), root.line}, "it names no <sdf> file",
                  "add <sdf>model.sdf</sdf>");
    return directory / best;
  }

  const LoadOptions& options_;
  std::vector<Finding>& remarks_;
  SourceFiles files_;
  xml::Places places_;
  int includes_ = 0;
  std::size_t elements_ = 0;
};

}  // namespace

File read_file(const std::string& text, const std::string& file, const LoadOptions& options,
               std::vector<Finding>& remarks) {
  return Reader(file, options, remarks).read(text, file);
}

}  // namespace parid::model::sdf
