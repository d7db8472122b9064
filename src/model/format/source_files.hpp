// The files that a robot file may include: those in its folder and below, in the package around it,
// and in packages found by name.

#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/format/package_path.hpp"
#include "model/layer.hpp"

namespace parid::model {

class SourceFiles {
 public:
  SourceFiles(const std::string& main_file, const std::map<std::string, std::string>& packages);

  // The folder of a package; a package.xml that encloses the file is preferred. From then on its
  // files may be read. None: not found.
  std::optional<std::string> package(const std::string& name);

  // An empty text: the file may be read. Otherwise the reason why not.
  std::string refusal(const std::string& path) const;

 private:
  void allow_named(const std::filesystem::path& directory);

  std::string main_;
  PackagePath packages_;
  std::vector<std::filesystem::path> own_;  // with symbolic links resolved
  std::vector<std::filesystem::path>
      named_;  // packages: links in them are followed, as colcon makes
};

}  // namespace parid::model
