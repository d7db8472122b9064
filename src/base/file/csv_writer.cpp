#include <algorithm>
#include <cassert>
#include <charconv>
#include <string_view>

#include "base/file/csv.hpp"
#include "base/text/shown.hpp"

namespace parid::base {
namespace {

constexpr std::size_t longest_number = 32;  // -2.2250738585072014e-308 takes 24

// Quotes a name that the reader would otherwise misinterpret.
std::string header_name(const std::string& name, const std::string& path) {
  if (name.empty() || std::any_of(name.begin(), name.end(), is_control)) {
    throw Error(Place{path}, "invalid column name: " + shown(name), "use printable characters");
  }
  double ignored;
  const char* end = name.data() + name.size();
  const bool plain = name.find_first_of(",\";\t#") == std::string::npos && name.front() != ' ' &&
                     name.back() != ' ' && name.front() != '+' &&
                     std::from_chars(name.data(), end, ignored).ptr != end;
  if (plain) return name;
  std::string quoted = "\"";
  for (char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

CsvWriter::CsvWriter(const std::string& path, const std::vector<std::string>& columns)
    : file_(path), columns_(columns.size()), line_(columns.size() * longest_number) {
  assert(!columns.empty());
  for (std::size_t c = 0; c < columns_; ++c) {
    if (c > 0) file_.write(",");
    file_.write(header_name(columns[c], path));
  }
  file_.write("\n");
}

void CsvWriter::row(std::span<const double> values) {
  assert(values.size() == columns_);
  char* at = line_.data();
  for (double value : values) {
    at = std::to_chars(at, at + longest_number - 1, value).ptr;
    *at++ = ',';
  }
  at[-1] = '\n';
  file_.write({line_.data(), static_cast<std::size_t>(at - line_.data())});
}

void write_csv(const std::string& path, const std::vector<std::string>& columns,
               std::span<const double> data) {
  assert(!columns.empty() && data.size() % columns.size() == 0);
  CsvWriter out(path, columns);
  for (; !data.empty(); data = data.subspan(columns.size())) out.row(data.first(columns.size()));
  out.commit();
}

}  // namespace parid::base
