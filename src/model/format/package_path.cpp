#include "model/format/package_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text/shown.hpp"
#include "parid/error.hpp"

namespace parid::model {
namespace {

namespace fs = std::filesystem;

constexpr int levels_above = 3;

bool climbs(const fs::path& path) {
  return std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

bool is_folder(const fs::path& path) {
  std::error_code trouble;
  return fs::is_directory(path, trouble);
}

// The entries of a variable such as PATH.
void append_entries(const char* variable, std::vector<fs::path>& to) {
  const char* value = std::getenv(variable);
  if (!value) return;
  std::string_view rest(value);
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) to.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
}

}  // namespace

bool lies_in(const fs::path& directory, const fs::path& path) {
  const auto [end, at] =
      std::mismatch(directory.begin(), directory.end(), path.begin(), path.end());
  return end == directory.end();
}

std::optional<PackageUri> package_uri(std::string_view uri) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!uri.starts_with(scheme)) continue;
    const std::string_view rest = uri.substr(scheme.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    return PackageUri{std::string(rest.substr(0, slash)),
                      std::string(rest.substr(std::min(slash + 1, rest.size())))};
  }
  return {};
}

PackagePath::PackagePath(std::map<std::string, std::string> named) : named_(std::move(named)) {
  append_entries("ROS_PACKAGE_PATH", roots_);
  append_entries("AMENT_PREFIX_PATH", prefixes_);
  append_entries("GZ_SIM_RESOURCE_PATH", roots_);
  append_entries("GAZEBO_MODEL_PATH", roots_);
}

std::vector<fs::path> PackagePath::candidates(const std::string& package,
                                              const std::string& file) const {
  std::vector<fs::path> found;
  if (package.empty() || package == "." || climbs(package) || fs::path(package).is_absolute())
    return found;
  const auto add = [&](const fs::path& directory) {
    if (is_folder(directory)) found.push_back(directory);
  };
  if (const auto given = named_.find(package); given != named_.end()) {
    add(given->second);
    return found;  // a directory that the user names takes precedence
  }
  if (!file.empty()) {
    std::error_code trouble;
    fs::path here = fs::absolute(fs::path(file), trouble).parent_path();
    for (int k = 0; k <= levels_above; ++k, here = here.parent_path()) {
      if (here.filename() == package) add(here);
      add(here / package);
    }
  }
  for (const fs::path& root : roots_) {
    if (root.filename() == package) add(root);
    add(root / package);
    std::error_code trouble;  // a workspace contains repositories, which contain packages
    for (fs::directory_iterator each(root, trouble), end; !trouble && each != end;
         each.increment(trouble))
      if (fs::exists(each->path() / package / "package.xml", trouble)) add(each->path() / package);
  }
  for (const fs::path& prefix : prefixes_) add(prefix / "share" / package);
  return found;
}

std::optional<fs::path> PackagePath::directory(const std::string& package,
                                               const std::string& file) const {
  const std::vector<fs::path> all = candidates(package, file);
  if (all.empty()) return {};
  return all.front();
}

std::string PackagePath::resolve(const PackageUri& uri, const std::string& file) const {
  const Place at{shown("package://" + uri.package + "/" + uri.path, 200), 0};
  const fs::path relative(uri.path);
  if (uri.package.empty() || uri.path.empty() || relative.is_absolute() || climbs(relative) ||
      climbs(uri.package))
    throw Error(at, "this is not a path inside a package", "write package://NAME/meshes/link.stl");
  const std::vector<fs::path> directories = candidates(uri.package, file);
  for (const fs::path& directory : directories) {
    std::error_code trouble;
    const fs::path root = fs::canonical(directory, trouble);
    const fs::path real = fs::canonical(directory / relative, trouble);
    if (trouble || !fs::is_regular_file(real, trouble)) continue;
    if (!lies_in(root, real))
      throw Error(at, "the file lies outside its package", "keep it in the package's directory");
    return real.string();
  }
  if (directories.empty())
    throw Error(at, fmt::format("package {} is not found", shown(uri.package, 100)),
                "give its directory in `packages`, or set ROS_PACKAGE_PATH or AMENT_PREFIX_PATH");
  throw Error(at,
              fmt::format("package {} in {} has no such file", shown(uri.package, 100),
                          directories.front().string()),
              "check the path after the package's name");
}

}  // namespace parid::model
