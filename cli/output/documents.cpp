#include "cli/output/documents.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "base/file/atomic_file.hpp"
#include "base/text/characters.hpp"
#include "parid/error.hpp"

namespace parid::cli {
namespace {

// Names in files need not be UTF-8; JSON must be. Control characters for terminals occur only in
// strings and are escaped as \u009b.
std::string text(const Json& j) {
  const std::string raw = j.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (std::string_view rest = raw; !rest.empty();) {
    const std::size_t length = utf8_length(rest);
    if (control_length(rest) > 0)
      out += fmt::format("\\u{:04x}", code_point(rest));
    else
      out += rest.substr(0, length);
    rest.remove_prefix(length);
  }
  return out;
}

}  // namespace

Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

void print(const Json& object) {
  const char* before = "{\n";
  for (const auto& [key, value] : object.items()) {
    fmt::print("{} {}: ", before, text(key));
    before = ",\n";
    if (!value.is_array() || value.empty() || !value[0].is_structured()) {
      fmt::print("{}", text(value));
      continue;
    }
    const char* open = "[\n";
    for (const Json& row : value) {
      fmt::print("{}  {}", open, text(row));
      open = ",\n";
    }
    fmt::print("\n ]");
  }
  fmt::print("\n}}\n");
}

MarkdownTable::MarkdownTable(const std::vector<std::string>& head, std::size_t numbers) {
  add(head);
  for (std::size_t k = 0; k < head.size(); ++k) text_ += k >= numbers ? "|---:" : "|---";
  text_ += "|\n";
}

void MarkdownTable::add(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) {
    text_ += "| ";
    for (char c : cell) text_ += c == '|' ? "\\|" : std::string(1, c);
    text_ += ' ';
  }
  text_ += "|\n";
}

void MarkdownTable::print() const { fmt::print("{}", text_); }

std::vector<std::string> write_files(const std::string& directory,
                                     const std::vector<EmittedFile>& files) {
  std::error_code trouble;
  std::filesystem::create_directories(directory, trouble);
  if (directory.empty() || trouble || !std::filesystem::is_directory(directory))
    throw Error({directory, 0}, "this cannot be made a directory",
                "give a directory that exists or can be made");
  std::vector<std::string> written;
  std::vector<std::unique_ptr<AtomicFile>> all;
  for (const EmittedFile& f : files) {
    written.push_back((std::filesystem::path(directory) / f.name).string());
    all.push_back(std::make_unique<AtomicFile>(written.back()));
    all.back()->write(f.text);
    all.back()->complete();
  }
  for (const auto& file : all) file->commit();
  return written;
}

}  // namespace parid::cli
