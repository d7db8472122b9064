#include "model/format/xml/places.hpp"

#include "model/description.hpp"

namespace parid::model::xml {
namespace {
constexpr std::size_t most_files = 100;  // the numbers of lines of more do not fit an int
}

void Places::add_file(const std::string& file) {
  if (files_.size() < most_files && by_name_.emplace(file, static_cast<int>(files_.size())).second)
    files_.push_back(file);
}

int Places::line(const Place& at) const {
  const auto file = by_name_.find(at.file);
  if (file == by_name_.end() || at.line <= 0 || at.line >= Description::lines_per_file) return 0;
  return file->second * Description::lines_per_file + at.line;
}

std::vector<std::string> Places::included() const {
  if (files_.empty()) return {};
  return {files_.begin() + 1, files_.end()};
}

}  // namespace parid::model::xml
