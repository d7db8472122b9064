#include "model/format/source_files.hpp"

#include <fmt/format.h>

#include "model/format/size_limit.hpp"
#include "parid/error.hpp"

namespace parid::model {
namespace fs = std::filesystem;

namespace {

// The folder at or above `directory` that has a package.xml.
std::optional<fs::path> enclosing_package(fs::path directory) {
  std::error_code none;
  for (int level = 0; level < 20; ++level) {
    if (fs::exists(directory / "package.xml", none)) return directory;
    if (!directory.has_parent_path() || directory.parent_path() == directory) break;
    directory = directory.parent_path();
  }
  return {};
}

// The content of <name> in a package.xml; nothing else of it is read.
std::string package_name(const fs::path& directory) {
  try {
    const std::string text = text_of_file((directory / "package.xml").string(), "a package.xml");
    const std::size_t begin = text.find("<name>"), end = text.find("</name>");
    if (begin == text.npos || end == text.npos || end < begin) return "";
    std::string name = text.substr(begin + 6, end - begin - 6);
    const std::size_t first = std::min(name.find_first_not_of(" \t\r\n"), name.size());
    return name.substr(first, name.find_last_not_of(" \t\r\n") + 1 - first);
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

SourceFiles::SourceFiles(const std::string& main_file,
                         const std::map<std::string, std::string>& packages)
    : main_(main_file), packages_(packages) {
  std::error_code trouble;
  const fs::path directory = fs::weakly_canonical(fs::absolute(main_file).parent_path(), trouble);
  if (trouble) return;
  own_.push_back(directory);
  if (const auto package = enclosing_package(directory)) own_.push_back(*package);
  for (const auto& [name, folder] : packages) allow_named(folder);
}

void SourceFiles::allow_named(const fs::path& directory) {
  std::error_code trouble;
  const fs::path plain = fs::absolute(directory, trouble).lexically_normal();
  if (!trouble) named_.push_back(plain);
  if (const fs::path real = fs::canonical(directory, trouble); !trouble) own_.push_back(real);
}

std::optional<std::string> SourceFiles::package(const std::string& name) {
  std::error_code trouble;
  const fs::path directory = fs::weakly_canonical(fs::absolute(main_).parent_path(), trouble);
  const auto around = trouble ? std::nullopt : enclosing_package(directory);
  std::optional<fs::path> found;
  if (around && package_name(*around) == name)
    found = *around;
  else
    found = packages_.directory(name, main_);
  if (!found) return {};
  allow_named(*found);
  std::string path = found->string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string SourceFiles::refusal(const std::string& path) const {
  std::error_code trouble;
  const fs::path plain = fs::absolute(path, trouble).lexically_normal();
  if (trouble) return "its path cannot be resolved";
  for (const fs::path& directory : named_)
    if (lies_in(directory, plain)) return "";
  const fs::path real = fs::weakly_canonical(path, trouble);
  if (trouble) return "its path cannot be resolved";
  for (const fs::path& directory : own_)
    if (lies_in(directory, real)) return "";
  return "it lies outside the robot file's folder and its packages";
}

}  // namespace parid::model
